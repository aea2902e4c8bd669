/* SPDX-License-Identifier: Apache-2.0 */
/* From a compressed tensor to anything: its lines, batch by batch, through the steps that the plan needs. */
#include "blocks_to_lines.h"
#include "kernels/rows.h"
#include "lines_to_blocks.h"
#include "steps.h"
#include "swap_lines.h"
#include "target.h"
#include "../core/size.h"
#include "../view/members.h"

#include <string.h>

/* One cell after the other, or the columns of BSC's blocks where lines are wanted. */
static void list_places(const spw_plan *plan, int64_t b, uint64_t *places)
{
  const int64_t n = spw_source_elements(plan);
  if (n == 0) return;
  const bool columns = !plan->opaque && plan->t->layout == SPW_BSC;
  const int64_t height = columns ? plan->block[1] : 1, width = columns ? plan->block[0] : n;
  const int64_t size = height * width;
  for (int64_t k = 0; k < n; k++) {
    const int64_t inside = size ? k % size : 0;
    places[k] = (uint64_t)(b * n + k - inside + inside % width * height + inside / width);
  }
}

/* Batches that share their arrays may be more than anybody can count, and have no element. */
static bool nothing_to_write(const spw_plan *plan)
{
  if (plan->to.layout == SPW_COO) return plan->nse == 0;
  return plan->to.layout == SPW_DENSE && (plan->nse == 0 || spw_count_positions(plan) == 0);
}

#define SPW_TEMPLATE "../convert/compressed.inc"
#include "../core/each_index_type.h"

spw_status spw_convert_compressed(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  return w->wide ? convert_lines_i64(plan, w, out, refusal) : convert_lines_i32(plan, w, out, refusal);
}
