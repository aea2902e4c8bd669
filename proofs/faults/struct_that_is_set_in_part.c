/* SPDX-License-Identifier: Apache-2.0 */
/* expect: r has no initializer */
#include <stdint.h>

struct pair {
  int32_t a, b;
};

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures a: \result.a == x; */
static struct pair make(int32_t x)
{
  struct pair r;
  r.a = x;
  return r;
}

/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures same: \result == 0; */
int32_t zero(int32_t x)
{
  const struct pair p = make(x);
  return p.b - p.b;
}
