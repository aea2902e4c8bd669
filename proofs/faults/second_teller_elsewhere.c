/* SPDX-License-Identifier: Apache-2.0 */
/* expect: chosen and taken tell of choice_of */
/* with: second_teller_elsewhere_too.c */
#include <stdint.h>

typedef struct value {
  int64_t inside;
} value;

/*@ axiomatic of_values {
      logic value choice_of(value a, value b);
      logic value none;
    } */

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == choice_of(a, b); */
value chosen(value a, value b);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == choice_of(a, b); */
value asks(value a, value b)
{
  return chosen(a, b);
}
