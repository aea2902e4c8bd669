/* SPDX-License-Identifier: Apache-2.0 */
/* COO tensors whose elements lie in the order of the result: they are copied, without any cells. */
#ifndef SPW_CONVERT_IN_ORDER_H
#define SPW_CONVERT_IN_ORDER_H

#include "target.h"

/* Would row-major order be that of the result? */
bool spw_wants_row_order(const spw_plan *plan);

/* Are its elements in row-major order, without duplicates: by its claim, or found so? */
bool spw_in_row_order(const spw_plan *plan);

/* Both of the above hold. */
spw_status spw_copy_in_order(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal);

#endif
