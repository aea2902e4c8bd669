/* SPDX-License-Identifier: Apache-2.0 */
/* expect: 'requires \false' */
#include <stdint.h>

typedef struct value {
  int64_t inside;
} value;

/*@ axiomatic of_values {
      logic value choice_of(value a, value b);
      logic value none;
    } */

/*@ requires never: \false; terminates \true; exits \false; assigns \nothing; ensures meaning: \result == choice_of(a, b); */
value chosen(value a, value b);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == choice_of(a, b); */
value asks(value a, value b)
{
  return chosen(a, b);
}
