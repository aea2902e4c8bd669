/* SPDX-License-Identifier: Apache-2.0 */
/* no fault */
#include <stdint.h>

typedef enum kind { FIRST, SECOND } kind;
/* level L2 */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures second: \result == (n > 0 ? 1 : 0); */
int64_t chosen(int64_t n)
{
  const kind k = n > 0 ? SECOND : FIRST;
  return (int64_t)k;
}
