/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's stacks: what has too few dimensions gets more, and then all are joined. */
#include "compose.h"

#include <stdlib.h>

/* New dimensions of size 1, in this order. */
static const spw_tensor *with_dims(spw_composition *c, const spw_tensor *t, spw_stacking how, int number)
{
  int64_t added[3], count = 0;
  const int64_t ndim = t->ndim;
  if (ndim == 0) added[count++] = 0;
  if (how != SPW_HSTACK && ndim < 2) added[count++] = 0;
  if (how == SPW_DSTACK && ndim < 3) added[count++] = 2;
  for (int64_t i = 0; t && i < count; i++) {
    const spw_structure one = {.kind = SPW_UNSQUEEZE, .dim = added[i]};
    t = spw_compose_restructure(c, t, &one, number);
  }
  return t;
}

spw_status spw_stack_new(const spw_tensor *const *operands, int64_t count, spw_stacking how, size_t limit, spw_owned **out,
                         spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!out || !operands || count < 1 || how < SPW_VSTACK || how > SPW_DSTACK) return SPW_EINVAL;
  const spw_tensor **const all = spw_compose_memory(&c, count, sizeof *all);
  const spw_tensor *made = NULL;
  spw_owned *owned = NULL;
  for (int64_t i = 0; all && i < count && c.status == SPW_OK; i++) {
    if (!spw_compose_judge(&c, operands[i], (int)i)) break;
    if (operands[i]->layout == SPW_DENSE) c.status = SPW_EUNSUPPORTED;
    else if (!operands[i]->has_size) spw_compose_refuse(&c, (int)i, SPW_OBSTACLE_NO_SIZE, -1, -1, -1);
    else if (how == SPW_DSTACK && operands[i]->layout != SPW_COO && operands[i]->ndim < 3)
      spw_compose_refuse(&c, (int)i, SPW_OBSTACLE_LAYOUT, -1, (int64_t)operands[i]->layout, SPW_COO);
    else all[i] = with_dims(&c, operands[i], how, (int)i);
  }
  if (all && c.status == SPW_OK) {
    const bool vectors = how == SPW_HSTACK && all[0]->ndim == 1;
    const spw_structure cat = {.kind = SPW_CAT, .dim = how == SPW_VSTACK || vectors ? 0 : how == SPW_HSTACK ? 1 : 2};
    made = spw_compose_keep(&c, spw_restructure_new(all, count, &cat, c.left, &owned, refusal), &owned);
  }
  return spw_compose_end(&c, made, out);
}
