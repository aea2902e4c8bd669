/* SPDX-License-Identifier: Apache-2.0 */
#include "sort_cells.h"

/* Asks the processor for the memory at an address soon to be used, from the Makefile. */
#ifndef SPW_PREFETCH
#define SPW_PREFETCH(address) ((void)(address))
#endif

/* Digits of 8 bits: the runs of one are 256 streams, which the first-level cache holds. */
#define RADIX 256
#define DIGITS_MAX 8
/* Where a run is written, so many cells ahead are fetched. */
#define AHEAD 4

/* The digit of 8 bits at `shift`; scale 2^s leaves the s highest of them out, and orders the rest alike. */
static inline uint64_t digit_of(uint64_t key, int shift, uint64_t scale)
{
  return (key >> shift) % RADIX * scale % RADIX;
}

/* how often each digit occurs, for all digits from bit `low` on; `scale` is that of the last */
static void count_digits(const spw_cell *a, int64_t n, int low, int digits, uint64_t scale, int64_t *count)
{
  for (int t = 0; t < digits * RADIX; t++) count[t] = 0;
  for (int64_t k = 0; k < n; k++) {
    uint64_t rest = a[k].key >> low;
    for (int i = 0; i < digits - 1; i++) {
      count[RADIX * i + (int)(rest % RADIX)]++;
      rest /= RADIX;
    }
    count[RADIX * (digits - 1) + (int)(rest % RADIX * scale % RADIX)]++;
  }
}

/* where the run of each digit starts: the sums of the counts before it, in place */
static void start_digits(int64_t *cursor)
{
  int64_t sum = 0;
  for (int j = 0; j < RADIX; j++) {
    const int64_t count = cursor[j];
    cursor[j] = sum;
    sum += count;
  }
}

/* every cell to the run of its digit */
static void place_cells(const spw_cell *in, int64_t n, int shift, uint64_t scale, int64_t *cursor, spw_cell *out)
{
  for (int64_t k = 0; k < n; k++) {
    const uint64_t d = digit_of(in[k].key, shift, scale);
    const int64_t q = cursor[d];
    cursor[d] = q + 1;
    out[q].key = in[k].key;
    out[q].payload = in[k].payload;
    if (q < n - AHEAD) SPW_PREFETCH(&out[q + AHEAD]);
  }
}

int spw_sort_cells(spw_cell *a, spw_cell *b, int64_t n, int low, int high)
{
  int64_t count[DIGITS_MAX * RADIX];
  if (low == high || n == 0) return 0;
  const int digits = (high - low + 7) / 8;
  const uint64_t last = (uint64_t)1 << (8 * digits - (high - low));
  count_digits(a, n, low, digits, last, count);
  spw_cell *in = a, *out = b;
  int where = 0;
  for (int i = 0; i < digits; i++) {
    int64_t *const cursor = count + RADIX * i;
    const int shift = low + 8 * i;
    const uint64_t scale = i == digits - 1 ? last : 1;
    if (cursor[digit_of(a[0].key, shift, scale)] == n) continue;
    start_digits(cursor);
    place_cells(in, n, shift, scale, cursor, out);
    spw_cell *const swap = in;
    in = out;
    out = swap;
    where = 1 - where;
  }
  return where;
}
