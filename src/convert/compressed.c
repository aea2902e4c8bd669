/* SPDX-License-Identifier: Apache-2.0 */
/* From a compressed tensor to anything sparse: its lines, batch by batch, through the steps that the plan needs. */
#include "batch_room.h"
#include "count.h"
#include "instances/blocks_to_lines.h"
#include "kernels/rows_meaning.h"
#include "steps.h"
#include "swap_lines.h"
#include "../core/size.h"
#include "../view/members.h"

#include <string.h>

/* Where element k of a batch is stored, or its opaque block. Lines take the blocks of BSC by columns. */
static inline int64_t place_of(const spw_plan *plan, int64_t k)
{
  if (plan->opaque || plan->t->layout != SPW_BSC) return k;
  const int64_t rows = plan->block[0], columns = plan->block[1], inside = k % (rows * columns);
  return k - inside + inside % rows * columns + inside / rows;
}

static void list_places(const spw_plan *plan, int64_t b, uint64_t *places)
{
  const int64_t n = spw_source_elements(plan);
  for (int64_t k = 0; k < n; k++) places[k] = (uint64_t)(b * n + place_of(plan, k));
}

#define SPW_TEMPLATE "../convert/compressed.inc"
#include "../core/each_index_type.h"

spw_status spw_convert_compressed(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  return w->wide ? convert_lines_i64(plan, w, out, refusal) : convert_lines_i32(plan, w, out, refusal);
}
