/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the reserved name Frama_C_elsewhere */
#include <stdint.h>

/*@ requires sign: 0 <= n;
    terminates \true; exits \false; assigns \nothing;
    ensures \result == 0; */
int64_t Frama_C_elsewhere(int64_t n);

/* level L1 */
/*@ requires sign: 0 <= n;
    terminates \true; exits \false; assigns \nothing;
    ensures \result == 0; */
int64_t caller(int64_t n)
{
  return Frama_C_elsewhere(n);
}
