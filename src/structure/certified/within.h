/* SPDX-License-Identifier: Apache-2.0 */
/* Does every array of a result lie inside a buffer? Only then may it be read. */
#ifndef SPW_STRUCTURE_CERTIFIED_WITHIN_H
#define SPW_STRUCTURE_CERTIFIED_WITHIN_H

#include "assumed.h"

/*@ requires readable: \valid_read(r) && buffers_given(b);
    terminates \true; exits \false; assigns \nothing;
    ensures within: \result == 1 ==> arrays_within(r, b);
    ensures honest: \result == 1 ==> honest_operand(r); */
int spw_is_within(const spw_tensor *r, const spw_buffers *b);

#endif
