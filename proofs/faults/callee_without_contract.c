/* SPDX-License-Identifier: Apache-2.0 */
/* expect: Neither code nor specification for function elsewhere */
#include <stdint.h>

int64_t elsewhere(int64_t n);

/* level L0 */
/*@ terminates \true; exits \false; assigns \nothing; */
int64_t caller(int64_t n)
{
  return elsewhere(n);
}
