/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the reserved name __builtin_elsewhere */
#include <stdint.h>

#define PASTED(a, b) a##b

/*@ requires sign: 0 <= n;
    terminates \true; exits \false; assigns \nothing;
    ensures \result == 0; */
int64_t PASTED(_, _builtin_elsewhere)(int64_t n);

/* level L1 */
/*@ requires sign: 0 <= n;
    terminates \true; exits \false; assigns \nothing;
    ensures \result == 0; */
int64_t caller(int64_t n)
{
  return PASTED(_, _builtin_elsewhere)(n);
}
