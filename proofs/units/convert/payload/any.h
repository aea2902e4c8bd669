/* SPDX-License-Identifier: Apache-2.0 */
/* The payload of the proofs, about which nothing is known: a struct, so that no operator of C applies to it. A template that
 * compiles with it does nothing with payloads but copy them and call the functions below. */
#ifndef SPW_PAYLOAD_ANY_H
#define SPW_PAYLOAD_ANY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct spw_any_payload {
  const void *any;
} spw_any_payload;

#include "../../../../spec/acsl/any_payload.acsl"

#define VAL spw_any_payload
#define V(name) SPW_CAT(N(name), any)

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == no_payload; */
VAL spw_without_payload(void);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == tells(x, mask); */
int spw_tells(VAL x, VAL mask);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == are_few(n, area); */
int spw_are_few(int64_t n, int64_t area);

#endif
