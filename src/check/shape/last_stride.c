/* SPDX-License-Identifier: Apache-2.0 */
#include "last_stride.h"

/* level L2 */
spw_finding spw_last_stride(const spw_array *a, spw_rule rule, spw_member member)
{
  if (a->ndim < 1) return spw_and_unknown(spw_holds());
  const int64_t last = a->ndim - 1;
  return spw_and(spw_holds(), a->shape[last] <= 1 || a->strides[last] == 1,
                 spw_at(rule, member, last, a->strides[last], 1));
}
