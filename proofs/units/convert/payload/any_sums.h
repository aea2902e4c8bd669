/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads that travel in cells, as bits, and are added up there. */
#ifndef SPW_PAYLOAD_ANY_SUMS_H
#define SPW_PAYLOAD_ANY_SUMS_H

#include "any_bits.h"
#include "../../../../spec/acsl/any_sums.acsl"
#include "../../../../spec/acsl/bits_sum.acsl"

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == bits_sum(type, before, next); */
uint64_t spw_bits_sum(int type, uint64_t before, uint64_t next);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == payload_from(bits); */
VAL spw_payload_from(uint64_t bits);

#endif
