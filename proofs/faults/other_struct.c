/* SPDX-License-Identifier: Apache-2.0 */
/* expect: 'struct pair' is defined otherwise in */
/* with: a_struct.c */
#include <stdint.h>

struct pair { int32_t second; int32_t first; };
/*@ terminates \true; exits \false; assigns \nothing;
    ensures first: \result == pair.first; */
int32_t first_of(struct pair pair);

/* level L1 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures one: \result == 1; */
int32_t caller(void)
{
  const struct pair pair = {2, 1};
  return first_of(pair);
}
