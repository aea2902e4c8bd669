/* SPDX-License-Identifier: Apache-2.0 */
/* The workspace of a conversion, divided. */
#ifndef SPW_CONVERT_WORKSPACE_H
#define SPW_CONVERT_WORKSPACE_H

#include "arena.h"
#include "indices.h"
#include "instances/block.h"
#include "indices/sort/sort_cells.h"
#include "plan.h"
#include "transpose_lines.h"

/* Null is what a conversion does not need. Indices are of the type that is worked in. */
typedef struct spw_workspace {
  char *packed;          /* the source's values, packed */
  spw_cell *cells[2];    /* of a COO source, and of what is made canonical */
  char *sums;            /* combined elements where payloads are places */
  int64_t *columns;      /* made canonical: major and minor indices of all batches */
  spw_indices c, p;      /* the source's indices, widened */
  void *places;          /* payloads that are not there yet */
  spw_indices joined, whole;    /* offsets of several batches, as of one matrix: before a step, and after it */
  spw_indices ptr[2], index[2]; /* lines between two steps */
  void *payload[2];
  uint64_t *cursor;     /* to transpose lines, and more room for it */
  spw_transpose_room transpose;
  spw_line_left *left;  /* of the lines that are merged into blocks */
  spw_indices out_c, out_p; /* when they become another type: of as many batches as go at once, or of one */
  int64_t *starts;       /* for several threads: of parts of a dense batch or of sorted cells, and of one part more */
  uint64_t *map;         /* places of the result's payloads */
} spw_workspace;

/* Divides `base` between the steps of the plan, and says how many bytes that takes; with base null only this. INT64_MAX: too
 * many. */
int64_t spw_lay_out(const spw_plan *plan, char *base, spw_workspace *work);

/* Parts of a workspace that several steps have: indices; lines of n elements in `slot`, with so many offsets; what it takes to
 * transpose n elements with payloads of so many bytes; and the result's indices, where these become another type. */
spw_indices spw_take_indices(spw_arena *arena, int64_t count, bool wide);
void spw_take_lines(const spw_plan *plan, spw_arena *arena, spw_workspace *w, int slot, int64_t offsets, int64_t n);
void spw_take_transpose(const spw_plan *plan, spw_arena *arena, spw_workspace *w, int64_t n, int64_t payload);
void spw_take_other_type(const spw_plan *plan, spw_arena *arena, spw_workspace *w);

#endif
