/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: which two elements of a group are kept. */
#ifndef SPW_SEMI_KERNELS_PRUNE_H
#define SPW_SEMI_KERNELS_PRUNE_H

#include <stdint.h>

#include "../../../spec/acsl/semi_codes.acsl"

/*@ predicate ranks_before(integer ki, integer i, integer kj, integer j) = ki > kj || (ki == kj && i < j);
    predicate is_kept(integer c, integer j) = j == kept_first(c) || j == kept_second(c); */

/* The code of the two with the largest keys; of equal keys the earlier is larger. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures legal: legal_code(\result);
    ensures largest: \forall integer i, j; 0 <= i < 4 && 0 <= j < 4 && is_kept(\result, i) && !is_kept(\result, j) ==>
      ranks_before(pick_of(i, a, b, c, d), i, pick_of(j, a, b, c, d), j); */
uint8_t spw_semi_prune_code(uint32_t a, uint32_t b, uint32_t c, uint32_t d);

#endif
