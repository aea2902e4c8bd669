/* SPDX-License-Identifier: Apache-2.0 */
/* From a compressed tensor to anything sparse: the lines of all batches through the steps that the plan needs. */
#include "batch_room.h"
#include "count.h"
#include "instances/blocks_to_lines.h"
#include "instances/swap_batches.h"
#include "kernels/rows_meaning.h"
#include "steps.h"
#include "swap_lines.h"
#include "../core/size.h"
#include "../view/members.h"

#include <string.h>

/* Where element k of all batches is stored, or its opaque block. Lines take the blocks of BSC by columns. */
static inline int64_t place_of(const spw_plan *plan, int64_t k)
{
  if (plan->opaque || plan->t->layout != SPW_BSC) return k;
  const int64_t rows = plan->block[0], columns = plan->block[1], inside = k % (rows * columns);
  return k - inside + inside % rows * columns + inside / rows;
}

static void list_places(const spw_plan *plan, int64_t n, uint64_t *places)
{
  for (int64_t k = 0; k < n; k++) places[k] = (uint64_t)place_of(plan, k);
}

/* The payloads of all n elements, in the order in which steps take them. */
static const void *payloads_of(const spw_plan *plan, const spw_workspace *w, const spw_target *out, int64_t n)
{
  if (plan->payload == SPW_PLACES) {
    list_places(plan, n, w->places);
    return w->places;
  }
  if (!w->places) return out->source;
  for (int64_t k = 0; k < n; k++)
    memcpy((char *)w->places + k * plan->scalar, out->source + place_of(plan, k) * plan->scalar, (size_t)plan->scalar);
  return w->places;
}

/* Batches that lie one behind the other: how many, and how many offsets and indices each has. */
typedef struct packed {
  int64_t batches, offsets, nse;
} packed;

static spw_grid grid_of(const packed *p, int64_t P)
{
  const spw_grid g = {.batches = p->batches, .ndim = 1, .shape = &p->batches, .c_strides = &p->offsets, .p_strides = &p->nse,
                      .C = p->offsets - 1, .P = P, .nse = p->nse};
  return g;
}

#define SPW_TEMPLATE "../convert/compressed.inc"
#include "../core/each_index_type.h"

spw_status spw_convert_compressed(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  return w->wide ? convert_lines_i64(plan, w, out, refusal) : convert_lines_i32(plan, w, out, refusal);
}
