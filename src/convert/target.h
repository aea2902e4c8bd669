/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays that a conversion fills. */
#ifndef SPW_CONVERT_TARGET_H
#define SPW_CONVERT_TARGET_H

#include "indices.h"
#include "plan.h"
#include "workspace.h"

/* A group of batches, and their lines as one step leaves them to the next: of the type that is worked in. */
typedef struct spw_group {
  int64_t from, batches;
  bool last;                  /* the step that runs is the last of the group: it writes the result */
  bool as_they_lie;           /* the lines are the tensor's, in batches of any strides */
  const void *c, *d, *payload;
  int64_t c_length, d_length;
  int64_t offsets, nse, P;    /* of each batch */
} spw_group;

typedef struct spw_target {
  spw_indices c, p;
  char *values;
  const char *source;    /* what places are places of */
  int64_t source_length; /* how many cells of `moved` scalars it has */
  int64_t nse;           /* of each batch; 0 before the first one is done */
  bool done;             /* the result is complete */
  spw_group group;
  spw_cell *cells;       /* sorted, of the workspace; how many; and whether their keys hold all coordinates */
  int64_t count;
  bool in_keys;
} spw_target;

/* `at` bytes on; nothing is added to a null pointer. */
static inline char *spw_bytes_on(char *bytes, int64_t at)
{
  return at == 0 ? bytes : bytes + at;
}

/* Where payload number `at` of the result goes: among the values, or into the map. */
static inline void *spw_payload_to(const spw_plan *plan, const spw_workspace *w, const spw_target *out, int64_t at)
{
  if (plan->payload == SPW_PLACES && !plan->gathers) return spw_bytes_on(out->values, at * plan->element_bytes);
  char *base = plan->gathers ? (char *)w->map : out->values;
  return spw_bytes_on(base, at * (int64_t)spw_payload_size(plan->payload));
}

/* Copies cell `place` of the source to `to`; or a payload's bits. */
void spw_copy_cell(const spw_plan *plan, const spw_target *out, uint64_t payload, char *to);

/* SPW_OK when batch b may have n cells: as many as the first, which is then noted, and as many as there is room for. What has no
 * batches, as COO, is the first one. */
spw_status spw_take_count(const spw_plan *plan, spw_target *out, int64_t b, int64_t n, spw_refusal *refusal);

/* Of batches from `first` on, number b has another number of cells than number 0: where the lines of all of them begin, as of one
 * matrix, says how many. The first that has not as many as batch 0 is named. */
spw_status spw_refuse_other(const spw_target *out, spw_indices ptr, int64_t C, int64_t first, int64_t b, spw_refusal *refusal);

/* *result: views of the buffers that say what the target holds. */
void spw_view_result(const spw_plan *plan, const spw_target *out, const spw_buffers *buffers, spw_tensor *result);

#endif
