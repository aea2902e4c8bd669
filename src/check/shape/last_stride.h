/* SPDX-License-Identifier: Apache-2.0 */
/* What rules 3.5 and 3.6 share. */
#ifndef SPW_CHECK_SHAPE_LAST_STRIDE_H
#define SPW_CHECK_SHAPE_LAST_STRIDE_H

#include "../finding.h"
#include "../../../spec/acsl/quantities.acsl"

/* Is the last stride of an array 1, where that dimension has more than one element? */
/*@ requires readable: array_readable(a);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures open: \result.state == SPW_NOT_EVALUATED <==> a->ndim < 1;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==>
      1 <= a->ndim && (a->shape[a->ndim - 1] > 1 ==> a->strides[a->ndim - 1] == 1);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == rule && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==>
      place(\result.first, member, a->ndim - 1, a->strides[a->ndim - 1], 1); */
spw_finding spw_last_stride(const spw_array *a, spw_rule rule, spw_member member);

#endif
