/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads that are added up, too. Totals are a type of their own, in whose memory no payload lies; there are
 * 2^128 of them, so that every type can be embedded. */
#ifndef SPW_PAYLOAD_ANY_TOTAL_H
#define SPW_PAYLOAD_ANY_TOTAL_H

#include "any.h"

typedef struct spw_any_total {
  uint32_t a, b, c, d;
} spw_any_total;

#include "../../../../spec/acsl/any_total.acsl"

#define TOTAL spw_any_total

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == total_of(x); */
TOTAL spw_total_of(VAL x);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == total_with(type, before, next); */
TOTAL spw_total_with(int type, TOTAL before, VAL next);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == total_is(type, s, x); */
int spw_total_is(int type, TOTAL s, VAL x);

#endif
