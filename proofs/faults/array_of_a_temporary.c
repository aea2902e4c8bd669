/* SPDX-License-Identifier: Apache-2.0 */
/* expect: an array of a value that has no name */
#include <stdint.h>

struct row {
  int32_t a[2];
};

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures first: \result.a[0] == x;
    ensures second: \result.a[1] == x; */
static struct row make(int32_t x)
{
  struct row r = {{0, 0}};
  r.a[0] = x;
  r.a[1] = x;
  return r;
}

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures same: \result == x; */
int32_t first(int32_t x)
{
  const int32_t *const p = make(x).a;
  return *p;
}
