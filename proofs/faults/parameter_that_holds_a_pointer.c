/* SPDX-License-Identifier: Apache-2.0 */
/* expect: uses the contract of seen, whose body is proved in no unit */
#include <stdint.h>

typedef struct place {
  int32_t *at;
} place;

/*@ axiomatic of_places { logic integer seen_at(place a); } */

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == seen_at(a); */
int64_t seen(place a);

/* level L1 */
/*@ requires there: \valid(a.at); terminates \true; exits \false; assigns *a.at;
    ensures same: \result == 1; */
int64_t asks(place a)
{
  *a.at = 1;
  const int64_t first = seen(a);
  *a.at = 2;
  const int64_t second = seen(a);
  return first == second;
}
