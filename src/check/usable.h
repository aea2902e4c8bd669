/* SPDX-License-Identifier: Apache-2.0 */
/* Is a call well formed? The only thing that is demanded of a caller. */
#ifndef SPW_CHECK_USABLE_H
#define SPW_CHECK_USABLE_H

#include "../sparsewright.h"

/* 1 when every pointer that has entries is not null and no number of entries is negative; then the
 * arrays are readable, provided that the pointers point to what they are said to point to. */
/*@ requires tensor: tensor == \null || \valid_read(tensor);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures null: \result == 1 ==> tensor != \null; */
int spw_usable(const spw_tensor *tensor);

#endif
