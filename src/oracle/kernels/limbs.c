/* SPDX-License-Identifier: Apache-2.0 */
#include "limbs.h"

#define BASE ((uint64_t)1 << 32)

uint32_t spw_limbs_add(uint32_t *sum, int64_t n, const uint32_t *digits, int64_t count, int64_t at)
{
  uint64_t carry = 0;
  for (int64_t i = 0; i < count; i++) {
    carry += (uint64_t)sum[at + i] + digits[i];
    sum[at + i] = (uint32_t)(carry % BASE);
    carry /= BASE;
  }
  for (int64_t i = at + count; i < n && carry > 0; i++) {
    carry += sum[i];
    sum[i] = (uint32_t)(carry % BASE);
    carry /= BASE;
  }
  return (uint32_t)carry;
}

uint32_t spw_limbs_subtract(uint32_t *a, const uint32_t *b, int64_t n)
{
  uint64_t borrow = 0;
  for (int64_t i = 0; i < n; i++) {
    const uint64_t difference = BASE + a[i] - b[i] - borrow;
    a[i] = (uint32_t)(difference % BASE);
    borrow = difference < BASE ? 1 : 0;
  }
  return (uint32_t)borrow;
}

int spw_limbs_compare(const uint32_t *a, const uint32_t *b, int64_t n)
{
  for (int64_t i = n; i > 0; i--)
    if (a[i - 1] != b[i - 1]) return a[i - 1] < b[i - 1] ? -1 : 1;
  return 0;
}

int64_t spw_limbs_length(const uint32_t *a, int64_t n)
{
  while (n > 0 && a[n - 1] == 0) n--;
  return n;
}
