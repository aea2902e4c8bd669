/* SPDX-License-Identifier: Apache-2.0 */
/* expect: an array of a value that has no name */
#include <stdint.h>

struct row {
  int32_t a[2];
};

/* level L2 */
/*@ requires place: 0 <= i <= 1;
    terminates \true; exits \false; assigns \nothing;
    ensures same: \result == r.a[i]; */
int32_t first(struct row r, int32_t i)
{
  const int32_t *p = (i > 0 ? r : r).a;
  return p[i];
}
