/* SPDX-License-Identifier: Apache-2.0 */
#include "sort_shared.h"
#include "share.h"
#include "../core/prefetch.h"

#define RADIX 256
/* Where a digit's cells are written, so many ahead are fetched. */
#define AHEAD 4

int64_t spw_sort_counts(int64_t parts)
{
  return parts * RADIX;
}

/* of the cells lo .. hi - 1, how many have each digit */
static void count_digits(const spw_cell *in, int64_t lo, int64_t hi, int shift, int64_t *count)
{
  for (int d = 0; d < RADIX; d++) count[d] = 0;
  for (int64_t k = lo; k < hi; k++) count[in[k].key >> shift & (RADIX - 1)]++;
}

static void place_digits(const spw_cell *in, int64_t lo, int64_t hi, int64_t n, int shift, int64_t *start, spw_cell *out)
{
  for (int64_t k = lo; k < hi; k++) {
    const int64_t q = start[in[k].key >> shift & (RADIX - 1)]++;
    out[q] = in[k];
    if (q < n - AHEAD) SPW_PREFETCH(&out[q + AHEAD]);
  }
}

/* Do all cells have the digit of the first one? */
static int have_one_digit(const spw_cell *in, int64_t n, int shift, int64_t parts, const int64_t *counts)
{
  int64_t same = 0;
  for (int64_t t = 0; t < parts; t++) same += counts[t * RADIX + (int64_t)(in[0].key >> shift & (RADIX - 1))];
  return same == n;
}

/* Digit by digit, the last one first. The cells of a digit lie part by part, so in the order in which they came. */
int spw_sort_shared(spw_cell *a, spw_cell *b, int64_t n, int bits, int64_t parts, int64_t *counts)
{
  spw_cell *in = a, *out = b;
  for (int shift = 0; n > 0 && shift < bits; shift += 8) {
    SPW_SHARE
    for (int64_t t = 0; t < parts; t++)
      count_digits(in, spw_part_at(n, t, parts), spw_part_at(n, t + 1, parts), shift, counts + t * RADIX);
    if (have_one_digit(in, n, shift, parts, counts)) continue;
    spw_counts_to_starts(counts, parts, RADIX, 0, RADIX, 0);
    SPW_SHARE
    for (int64_t t = 0; t < parts; t++)
      place_digits(in, spw_part_at(n, t, parts), spw_part_at(n, t + 1, parts), n, shift, counts + t * RADIX, out);
    spw_cell *const swap = in;
    in = out;
    out = swap;
  }
  return in == b;
}
