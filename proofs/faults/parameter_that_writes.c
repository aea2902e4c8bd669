/* SPDX-License-Identifier: Apache-2.0 */
/* expect: uses the contract of chosen, whose body is proved in no unit */
#include <stdint.h>

typedef struct value {
  int64_t inside;
} value;

/*@ axiomatic of_values {
      logic value choice_of(value a, value b);
      logic value none;
    } */

/*@ terminates \true; exits \false; assigns *here; ensures meaning: \result == choice_of(a, b); */
value chosen(value a, value b, value *here);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == choice_of(a, b); */
value asks(value a, value b)
{
  value here;
  return chosen(a, b, &here);
}
