/* SPDX-License-Identifier: Apache-2.0 */
/* A step of a conversion, and what walks over those of a route. Which steps a conversion takes, plan_table.c says. */
#ifndef SPW_CONVERT_STEPS_H
#define SPW_CONVERT_STEPS_H

#include "arena.h"
#include "target.h"

/* What a step does; SPW_OK, SPW_EINVAL where there is not room enough, or a refusal. */
typedef spw_status spw_step_run(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal);

/* What a step takes of the workspace: pointers of *w. */
typedef void spw_step_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w);

typedef enum spw_turn {
  SPW_STEP_ONCE = 0, /* unless a step before has completed the result (out->done) */
  SPW_STEP_GROUPED,    /* for each group of batches, after the group's step before */
  SPW_STEP_ALWAYS    /* once, whether the result was complete or not */
} spw_turn;

typedef struct spw_step {
  const char *name; /* one word or two */
  const char *says; /* what it does: one sentence */
  unsigned when;    /* it is left out unless all of these facts hold, */
  unsigned unless;  /* and none of these */
  spw_turn turn;
  spw_step_run *run;
  spw_step_room *room; /* null: nothing */
} spw_step;

enum { SPW_STEPS_MOST = 8 };

/* A row of the table. */
typedef struct spw_route {
  unsigned from, to;                     /* bits of layouts */
  unsigned facts, without;               /* those that have to hold, and those that may not */
  const spw_step *steps[SPW_STEPS_MOST]; /* up to the first null */
} spw_route;

/* The words for a fact: its name in the table, where it holds and where it does not. */
typedef struct spw_fact_words {
  unsigned fact;
  const char *name, *holds, *fails;
} spw_fact_words;

extern const spw_fact_words spw_facts[];
extern const int spw_fact_count;

/* Is a step of the plan's row not left out? */
static inline bool spw_is_taken(const spw_plan *plan, const spw_step *step)
{
  return spw_has(plan, step->when) && (plan->facts & step->unless) == 0;
}

/* Is that step in the plan's row, and not left out? */
bool spw_takes(const spw_plan *plan, const spw_step *step);

/* All steps of the plan's row, one after the other. */
spw_status spw_take_steps(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal);

/* ---- The steps, each beside its function ----------------------------------------------------- */

extern const spw_step spw_step_pack, spw_step_clear, spw_step_gather, spw_step_prune;  /* values: ends.c */
extern const spw_step spw_step_write_none, spw_step_keep_none;                         /* nothing is stored: ends.c */
extern const spw_step spw_step_expand_dense;                                           /* to_dense.c */
extern const spw_step spw_step_copy_sorted, spw_step_copy_if_sorted;                   /* in_order.c */
extern const spw_step spw_step_coalesce_matrix, spw_step_coalesce_list, spw_step_coalesce_batches, spw_step_coalesce_blocks,
    spw_step_coalesce_dense, spw_step_emit_matrix;                                     /* pairs.c */
extern const spw_step spw_step_list_cells, spw_step_sort, spw_step_combine, spw_step_write_list, spw_step_write_lines,
    spw_step_write_blocks, spw_step_write_dense;                                       /* columns.c */
extern const spw_step spw_step_transpose_batches, spw_step_transpose_to_list;          /* transpose_batches.c */
extern const spw_step spw_step_list_rows;                                              /* list_batches.c */
extern const spw_step spw_step_retype, spw_step_take, spw_step_expand, spw_step_transpose,
    spw_step_transpose_shared, spw_step_block, spw_step_copy, spw_step_list;           /* compressed.c */
extern const spw_step spw_step_copy_dense, spw_step_store_list, spw_step_store_batches, spw_step_store_blocks,
    spw_step_store_lines;                                                              /* dense.c */

#endif
