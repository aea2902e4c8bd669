/* SPDX-License-Identifier: Apache-2.0 */
/* Is a call well formed? The only thing that is demanded of a caller. */
#ifndef SPW_VIEW_USABLE_H
#define SPW_VIEW_USABLE_H

#include "../sparsewright_core.h"
#include "../../spec/acsl/readable.acsl"

/* 1 when every pointer that has entries is not null and no number of entries is negative. */
/*@ requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> tensor != \null && usable(tensor); */
int spw_usable(const spw_tensor *tensor);

#endif
