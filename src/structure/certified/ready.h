/* SPDX-License-Identifier: Apache-2.0 */
/* Is a tensor, dense or not, valid? Then all of it may be read. */
#ifndef SPW_STRUCTURE_CERTIFIED_READY_H
#define SPW_STRUCTURE_CERTIFIED_READY_H

#include "same.h"

/* 1: valid at SPW_CANONICAL, and of a sparse one usable. */
/*@ requires honest: honest_operand(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures valid: \result == 1 <==> whole_valid(t); */
int spw_is_whole(const spw_tensor *t);

/* 1: it may be compared. */
/*@ requires honest: honest_operand(t) && whole_valid(t);
    terminates \true; exits \false; assigns \nothing;
    ensures ready: \result == 1 ==> ready(t); */
int spw_is_ready(const spw_tensor *t);

#endif
