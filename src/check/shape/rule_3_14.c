/* SPDX-License-Identifier: Apache-2.0 */
#include "../../core/lemmas.h"
#include "shape_rules.h"

/* the last storage position that an array reaches, at most INT64_MAX */
/*@ requires readable: array_readable(a) && non_negative(a->shape, a->ndim) && non_negative(a->strides, a->ndim) && 0 <= a->offset;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: positive(a->shape, a->ndim) ==> \result == saturated(a->offset + reach(a->shape, a->strides, a->ndim)); */
/* level L2 */
static int64_t last_position(const spw_array *a)
{
  int64_t last = a->offset;
  /*@ loop invariant range: 0 <= i <= a->ndim && 0 <= last;
      loop invariant exact: positive(a->shape, a->ndim) ==>
        0 <= reach(a->shape, a->strides, i) && last == saturated(a->offset + reach(a->shape, a->strides, i));
      loop assigns i, last;
      loop variant a->ndim - i; */
  for (int64_t i = 0; i < a->ndim; i++) {
    //@ assert step: reach(a->shape, a->strides, i + 1) == reach(a->shape, a->strides, i) + (a->shape[i] - 1) * a->strides[i];
    if (a->shape[i] > 0) {
      //@ ghost lem_mul_order(0, a->shape[i] - 1, a->strides[i]);
      last = spw_add_saturated(last, spw_mul_saturated(a->shape[i] - 1, a->strides[i]));
    }
  }
  return last;
}

/* one more condition: an array lies inside its storage */
/*@ requires readable: array_readable(a);
    requires state: f.state == SPW_HOLDS || f.state == SPW_VIOLATED || f.state == SPW_NOT_EVALUATED;
    requires count: 0 <= f.count && (f.state == SPW_VIOLATED ==> f.first.rule == SPW_RULE_3_14 && 1 <= f.count);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> f.state == SPW_HOLDS && member_inside(a);
    ensures open: \result.state == SPW_NOT_EVALUATED && f.state != SPW_NOT_EVALUATED ==> !non_negative(a->shape, a->ndim);
    ensures count: 0 <= \result.count && (\result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_14 && 1 <= \result.count);
    ensures first: f.state == SPW_VIOLATED ==> \result.state == SPW_VIOLATED && \result.first == f.first;
    ensures witness: f.state != SPW_VIOLATED && \result.state == SPW_VIOLATED ==> witness_inside(\result.first, member, a); */
/* level L2 */
static spw_finding spw_and_inside(spw_finding f, const spw_array *a, spw_member member)
{
  const spw_hits down = spw_negatives(a->strides, a->ndim);
  f = spw_and_hits(f, down, SPW_RULE_3_14, member, 0);
  f = spw_and(f, a->offset >= 0, spw_at(SPW_RULE_3_14, member, -1, a->offset, 0));
  if (spw_negatives(a->shape, a->ndim).count > 0) return spw_and_unknown(f);
  if (down.count > 0 || a->offset < 0) return f;
  return spw_and(f, spw_inside_storage(a->shape, a->strides, a->ndim, a->offset, a->length),
                 spw_at(SPW_RULE_3_14, member, -1, last_position(a), a->length));
}

/* level L2 */
spw_finding spw_rule_3_14(const spw_tensor *t)
{
  spw_finding f = spw_holds();
  if (t->layout != SPW_COO) f = spw_and_inside(f, &t->compressed.array, SPW_MEMBER_COMPRESSED);
  f = spw_and_inside(f, &t->plain.array, SPW_MEMBER_PLAIN);
  return spw_and_inside(f, &t->values.array, SPW_MEMBER_VALUES);
}
