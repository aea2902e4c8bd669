/* SPDX-License-Identifier: Apache-2.0 */
/* expect: uses the contract of chosen, whose body is proved in no unit */
#include <stdint.h>

typedef struct value {
  int64_t inside;
} value;

/*@ axiomatic of_values {
      logic value choice_of(value a);
      logic value none;
    } */

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == choice_of(a); */
value chosen(value a, value b);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == choice_of(a); */
value asks(value a, value b)
{
  return chosen(a, b);
}
