/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads that are compared, too: 64 bits hold all of one. */
#ifndef SPW_PAYLOAD_ANY_BITS_H
#define SPW_PAYLOAD_ANY_BITS_H

#include "any.h"
#include "../../../../spec/acsl/any_bits.acsl"

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == payload_bits(x); */
uint64_t spw_payload_bits(VAL x);

#endif
