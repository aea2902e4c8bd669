/* SPDX-License-Identifier: Apache-2.0 */
/* The fast verdict on COO indices against the plain scans of the rules, which share no code with it. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "../../src/check/fast/count_columns.h"
#include "../operands/specimen.h"

#define SPW_TEMPLATE "../../tests/check/count_columns_agree.inc"
#include "../../src/core/each_index_type.h"

/* The one answer for both types; bit 0: in range, bit 1: ascending. */
static int agree(const int64_t *x, int64_t length, spw_columns g, const int64_t *size)
{
  int32_t *const narrow = malloc((size_t)(length + 1) * sizeof *narrow);
  cr_assert(narrow != NULL);
  for (int64_t at = 0; at < length; at++) narrow[at] = (int32_t)x[at];
  const int answer = agree_i64(x, length, g, size);
  cr_assert(agree_i32(narrow, length, g, size) == answer);
  free(narrow);
  return answer;
}

/* Every content of up to 3 dimensions and 4 elements, coordinates -1 .. 2. */
Test(count_columns, all_small_contents)
{
  static const int64_t size[] = {2, 1, 2};
  int64_t answers[4] = {0}, x[12];
  for (int64_t dims = 0; dims <= 3; dims++) {
    for (int64_t nse = 0; nse <= (dims < 3 ? 4 : 3); nse++) {
      int64_t contents = 1;
      for (int64_t at = 0; at < dims * nse; at++) contents *= 4;
      for (int64_t content = 0; content < contents; content++) {
        int64_t rest = content;
        for (int64_t at = 0; at < dims * nse; at++, rest /= 4) x[at] = rest % 4 - 1;
        const spw_columns lines = {dims, nse, 0, nse, 1}, columns = {dims, nse, 0, 1, dims};
        answers[agree(x, dims * nse, lines, size)]++;
        answers[agree(x, dims * nse, columns, size)]++;
      }
    }
  }
  for (int a = 0; a < 4; a++) cr_assert(answers[a] > 10, "answer %d: %lld times", a, (long long)answers[a]);
}

/* One fault at every place around the edges of the runs, at the ends of the types. */
Test(count_columns, edges_of_runs)
{
  enum { N = 2 * 4096 + 3 };
  static const int64_t wrong[] = {INT32_MIN, -1, INT32_MAX};
  int64_t *const x = malloc(2 * N * sizeof *x);
  for (int64_t k = 0; k < N; k++) x[k] = k / 3, x[N + k] = 5 + k % 3;
  const spw_columns pairs = {2, N, 0, N, 1}, same = {2, N, 0, 0, 1};
  const int64_t size[] = {N, 9};
  cr_assert(agree(x, 2 * N, pairs, size) == 3);
  cr_assert(agree(x, 2 * N, same, size) == 0);
  for (int64_t edge = 0; edge <= 2 * 4096; edge += 4096) {
    for (int64_t at = edge > 2 ? edge - 2 : 0; at < edge + 3; at++) {
      for (int64_t d = 0; d < 2; d++) {
        const int64_t before = x[d * N + at];
        for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
          x[d * N + at] = wrong[w];
          cr_assert(!(agree(x, 2 * N, pairs, size) & 1));
        }
        x[d * N + at] = INT64_MIN;
        cr_assert(!(agree_i64(x, 2 * N, pairs, size) & 1));
        x[d * N + at] = at > 0 ? x[d * N + at - 1] : before;
        (void)agree(x, 2 * N, pairs, size);
        x[d * N + at] = before;
      }
    }
  }
  free(x);
}

/* Limits beyond the type. */
Test(count_columns, ends_of_the_types)
{
  static const int64_t wide[] = {INT64_MAX, (int64_t)INT32_MAX + 1}, narrow[] = {INT32_MAX, 3}, none[] = {0, 0};
  static const int32_t x[] = {INT32_MAX - 1, INT32_MAX, 0, 2};
  static const int64_t y[] = {INT64_MAX - 1, INT64_MAX, 0, 2};
  const spw_columns g = {2, 2, 0, 2, 1};
  cr_assert(agree_i32(x, 4, g, wide) == 3);
  cr_assert(agree_i32(x, 4, g, narrow) == 2);
  cr_assert(agree_i32(x, 4, g, none) == 2);
  cr_assert(agree_i64(y, 4, g, wide) == 2);
}
