/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"
#include "kernels/scalars_of.h"
#include "share.h"
#include "../core/size.h"

spw_steps spw_steps_of(const spw_plan *plan)
{
  const spw_layout from = plan->t->layout, to = plan->to.layout;
  const bool compressed = spw_is_compressed(from);
  /* Dense arrays and COO tensors give lines of rows; COO gives them in the order that is asked for. */
  const int before = spw_major_of(from), after = to == SPW_DENSE ? before : spw_major_of(to);
  const int64_t sizes[2] = {plan->rows, plan->columns};
  spw_steps s = {
      .explode = compressed && !plan->opaque && spw_is_block(plan->block),
      .swap = from != SPW_COO && before != after && !(from == SPW_DENSE && spw_has_blocks(to)),
      .collect = from != SPW_DENSE && !plan->opaque && spw_is_block(plan->out_block),
  };
  s.writes = !s.collect && spw_is_compressed(to);
  s.lines[0] = plan->opaque ? sizes[before] / plan->block[before] : sizes[before];
  s.lines[1] = plan->opaque ? sizes[after] / plan->block[after] : sizes[after];
  s.minor = plan->opaque ? sizes[1 - before] / plan->block[1 - before] : sizes[1 - before];
  return s;
}

/* Elements and lines that go from one step to the next. */
#define AT_ONCE SPW_OR_SMALL(16384, 240)

int64_t spw_batches_at_once(const spw_plan *plan)
{
  const spw_dtype type = plan->t->plain.array.dtype;
  const bool plain_in_order = spw_lies_in_order(&plan->t->plain.array);
  const bool in_order = plain_in_order && spw_lies_in_order(&plan->t->compressed.array);
  const spw_steps s = spw_steps_of(plan);
  const bool joined = s.explode || (s.collect && !s.swap);
  if (joined && !plain_in_order) return 1;
  const bool values_as_they_lie = plan->payload != SPW_PLACES && !(s.explode && plan->t->layout == SPW_BSC);
  const bool one_step = s.explode != s.collect && !s.swap && spw_is_compressed(plan->to.layout) && values_as_they_lie &&
                        type == plan->to.index_dtype && in_order;
  const int64_t numbered = type == SPW_INT64 ? INT64_MAX : INT32_MAX, most = one_step ? numbered : AT_ONCE;
  const int64_t lines = spw_add_saturated(s.lines[0], s.lines[1]), each = spw_add_saturated(lines, spw_source_elements(plan));
  const int64_t count = each > 0 ? most / each : plan->batches;
  if (count >= plan->batches) return plan->batches;
  return count > 1 && in_order ? count : 1;
}

bool spw_changes_types_only(const spw_plan *plan)
{
  if (!spw_is_compressed(plan->t->layout) || plan->made || plan->to.layout == SPW_DENSE) return false;
  const spw_steps s = spw_steps_of(plan);
  return !s.explode && !s.swap && !s.collect && plan->t->plain.array.dtype != plan->to.index_dtype;
}

bool spw_wants_cells(const spw_plan *plan)
{
  if (!spw_is_compressed(plan->t->layout)) return false;
  if (plan->to.canonicalize) return true;
  if (plan->to.layout == SPW_DENSE || spw_holds_nothing(plan)) return false;
  const spw_steps s = spw_steps_of(plan);
  const int64_t offsets = spw_add_saturated(plan->C, plan->out_C);
  const int64_t known = spw_add_saturated(offsets, spw_source_elements(plan));
  return (s.explode && s.lines[0] > known) || (s.swap && s.lines[1] > known);
}

bool spw_writes_all(const spw_plan *plan)
{
  const bool lines = spw_is_compressed(plan->t->layout) && !plan->made, coo = plan->t->layout == SPW_COO && plan->ordered;
  return (lines || coo) && !spw_holds_nothing(plan) && plan->to.layout == SPW_DENSE;
}

int64_t spw_lines_with_elements(const spw_plan *plan, int64_t n)
{
  const int64_t stripes = n < plan->out_C ? n : plan->out_C;
  return spw_mul_saturated(stripes, plan->out_block[spw_major_of(plan->to.layout)]);
}
