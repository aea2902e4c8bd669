/* SPDX-License-Identifier: Apache-2.0 */
/* expect: chosen and taken tell of choice_of */
/* with: second_teller_elsewhere.c */
#include <stdint.h>

typedef struct value {
  int64_t inside;
} value;

/*@ axiomatic of_values {
      logic value choice_of(value a, value b);
      logic value none;
    } */

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == choice_of(a, b); */
value taken(value a, value b);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == choice_of(a, b); */
value asks_too(value a, value b)
{
  return taken(a, b);
}
