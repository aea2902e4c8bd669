/* SPDX-License-Identifier: Apache-2.0 */
/* The fast verdict on one batch against the plain scans of the rules, which share no code with it.
 * So does a copy of it with small tiles. */
#define _DEFAULT_SOURCE
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "small_tiles.h"
#include "../operands/specimen.h"

#define SPW_TEMPLATE "../../tests/check/count_rows_agree.inc"
#include "../../src/core/each_index_type.h"

static const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, INT32_MIN, INT32_MIN + 1, -2, -1, 0, 1, 2, 3,
                                   INT32_MAX - 1, INT32_MAX, INT64_MAX - 1, INT64_MAX};
#define EXTREMES ((int64_t)(sizeof extremes / sizeof extremes[0]))

/* The answer for the same numbers cut to 32 bits. */
static int agree_from_i32(const int64_t *c, const int64_t *p, int64_t C, int64_t P, int64_t nse)
{
  int32_t *const c32 = malloc((size_t)(C + 1) * sizeof *c32), *const p32 = malloc((size_t)(nse + 1) * sizeof *p32);
  for (int64_t i = 0; i <= C; i++) c32[i] = (int32_t)c[i];
  for (int64_t k = 0; k < nse; k++) p32[k] = (int32_t)p[k];
  const int verdict = agree_i32(c32, p32, C, P, nse);
  free(c32);
  free(p32);
  return verdict;
}

/* A valid batch of C rows, its row lengths up to `longest`, as wide as P. */
static int64_t fill(dice *d, int64_t *c, int64_t *p, int64_t C, int64_t P, int64_t longest)
{
  int64_t nse = 0;
  c[0] = 0;
  for (int64_t r = 0; r < C; r++) {
    const int64_t most = longest < P ? longest : P;
    const int64_t length = roll_below(d, 3) == 0 ? 0 : roll_below(d, most + 1);
    const int64_t gap = length > 0 ? P / length : 1;
    for (int64_t t = 0; t < length; t++) p[nse + t] = t * gap + roll_below(d, gap);
    nse += length;
    c[r + 1] = nse;
  }
  return nse;
}

/* Every content of up to 3 rows and 3 entries, values -1 .. 4. */
Test(count_rows, all_small_contents)
{
  int64_t valid = 0, all = 0, c[4], p[3];
  for (int64_t C = 0; C <= 3; C++) {
    for (int64_t nse = 0; nse <= 3; nse++) {
      int64_t contents = 1;
      for (int64_t t = 0; t < C + 1 + nse; t++) contents *= 6;
      for (int64_t content = 0; content < contents; content++) {
        int64_t rest = content;
        for (int64_t t = 0; t <= C; t++, rest /= 6) c[t] = rest % 6 - 1;
        for (int64_t t = 0; t < nse; t++, rest /= 6) p[t] = rest % 6 - 1;
        const int64_t P = content % 5;
        const int verdict = agree_i64(c, p, C, P, nse);
        cr_assert(verdict == agree_from_i32(c, p, C, P, nse));
        valid += verdict;
        all++;
      }
    }
  }
  cr_assert(all > 300000 && valid > 100, "%lld of %lld", (long long)valid, (long long)all);
}

/* Larger ones, valid but for at most two numbers. */
Test(count_rows, random_contents)
{
  dice d = {20261121};
  int64_t valid = 0, *const c = malloc(9001 * sizeof *c), *const p = malloc(60000 * sizeof *p);
  enum { TIMES = 30000 };
  for (int64_t t = 0; t < TIMES; t++) {
    const int large = t % 50 == 0;
    const int64_t C = roll_below(&d, large ? 9000 : 40), P = 1 + roll_below(&d, large ? 400 : 20);
    const int64_t nse = fill(&d, c, p, C, P, 1 + roll_below(&d, 6));
    for (int64_t changes = roll_below(&d, 3); changes > 0; changes--) {
      int64_t *const at = roll_below(&d, 2) || nse == 0 ? c + roll_below(&d, C + 1) : p + roll_below(&d, nse);
      switch (roll_below(&d, 3)) {
      case 0: *at = extremes[roll_below(&d, EXTREMES)]; break;
      case 1: *at = *at > 0 ? *at - 1 : *at + 1; break;
      default: *at = roll_below(&d, 2 * P) - 1; break;
      }
    }
    const int64_t limit = roll_below(&d, 4) ? P : extremes[6 + roll_below(&d, EXTREMES - 6)];
    const int verdict = agree_i64(c, p, C, limit, nse);
    (void)agree_from_i32(c, p, C, limit, nse);
    valid += verdict;
  }
  cr_assert(valid > TIMES / 10 && valid < TIMES - TIMES / 10, "%lld", (long long)valid);
  free(c);
  free(p);
}

/* One fault at every place around the edges of the real tiles, in rows of several lengths. */
Test(count_rows, edges_of_tiles)
{
  enum { ROWS = 8200, ENTRIES = 5 * ROWS };
  int64_t *const c = malloc((ROWS + 1) * sizeof *c), *const p = malloc(ENTRIES * sizeof *p);
  for (int64_t length = 1; length <= 5; length++) {
    for (int64_t r = 0; r <= ROWS; r++) c[r] = r * length;
    for (int64_t k = 0; k < ROWS * length; k++) p[k] = 10 + k % length;
    const int64_t rows = 4096 / (length + 1), nse = ROWS * length;
    cr_assert(agree_i64(c, p, ROWS, 20, nse) == 1);
    for (int64_t tile = 0; tile <= 3 * rows; tile += rows) {
      for (int64_t r = tile > 2 ? tile - 2 : 0; r <= tile + 2; r++) {
        for (int64_t e = 0; e < EXTREMES; e++) {
          const int64_t row = c[r], entry = p[r * length];
          c[r] = extremes[e];
          (void)agree_from_i32(c, p, ROWS, 20, nse), (void)agree_i64(c, p, ROWS, 20, nse);
          c[r] = row + (e % 2 ? 1 : -1);
          (void)agree_from_i32(c, p, ROWS, 20, nse), (void)agree_i64(c, p, ROWS, 20, nse);
          c[r] = row;
          p[r * length] = extremes[e];
          (void)agree_from_i32(c, p, ROWS, 20, nse), (void)agree_i64(c, p, ROWS, 20, nse);
          p[r * length] = entry;
        }
      }
    }
    /* empty rows around the end of a tile, and one long row behind them */
    for (int64_t r = rows - 3; r < rows + 3; r++) c[r] = c[rows - 3];
    cr_assert(agree_i64(c, p, ROWS, 40, nse) == 0);
    for (int64_t k = c[rows + 2]; k < c[rows + 3]; k++) p[k] = k - c[rows + 2];
    cr_assert(agree_i64(c, p, ROWS, 40, nse) == 1);
    p[c[rows + 3] - 1] = 0;
    cr_assert(agree_i64(c, p, ROWS, 40, nse) == 0);
  }
  free(c);
  free(p);
}

/* The same number for every length of the arrays, their ends against a page that cannot be read. */
Test(count_rows, nothing_beyond_the_ends)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = 16 * page;
  char *const bytes = mmap(NULL, 2 * (room + page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  cr_assert(bytes != MAP_FAILED);
  int64_t *const c_end = (int64_t *)(void *)(bytes + room), *const p_end = (int64_t *)(void *)(bytes + 2 * room + page);
  cr_assert(mprotect(bytes + room, page, PROT_NONE) == 0 && mprotect(bytes + 2 * room + page, page, PROT_NONE) == 0);
  dice d = {7};
  int64_t valid = 0, c[2001], p[8000];
  for (int64_t t = 0; t < 4000; t++) {
    const int64_t C = roll_below(&d, t % 40 ? 20 : 2000), P = 1 + roll_below(&d, 12);
    const int64_t nse = fill(&d, c, p, C, P, 1 + roll_below(&d, 4));
    if (roll_below(&d, 2)) c[roll_below(&d, C + 1)] = extremes[roll_below(&d, EXTREMES)];
    if (roll_below(&d, 4) == 0) c[roll_below(&d, C + 1)] = nse + roll_below(&d, 5);
    int64_t *const c64 = c_end - (C + 1), *const p64 = p_end - nse;
    memcpy(c64, c, (size_t)(C + 1) * sizeof *c);
    memcpy(p64, p, (size_t)nse * sizeof *p);
    valid += agree_i64(c64, p64, C, P, nse);
    int32_t *const c32 = (int32_t *)(void *)c_end - (C + 1), *const p32 = (int32_t *)(void *)p_end - nse;
    for (int64_t i = 0; i <= C; i++) c32[i] = (int32_t)c[i];
    for (int64_t k = 0; k < nse; k++) p32[k] = (int32_t)p[k];
    (void)agree_i32(c32, p32, C, P, nse);
  }
  cr_assert(valid > 500);
  munmap(bytes, 2 * (room + page));
}

/* Rows as long as the type allows, wide limits, and an nse that no int32 equals. */
Test(count_rows, ends_of_the_types)
{
  const int32_t c[] = {0, 2}, p[] = {INT32_MAX - 1, INT32_MAX};
  cr_assert(agree_i32(c, p, 1, INT32_MAX, 2) == 0);
  cr_assert(agree_i32(c, p, 1, (int64_t)INT32_MAX + 1, 2) == 1);
  cr_assert(agree_i32(c, p, 1, INT64_MAX, 2) == 1);
  const int64_t wide_c[] = {0, 2}, wide_p[] = {0, INT64_MAX - 1};
  cr_assert(agree_i64(wide_c, wide_p, 1, INT64_MAX, 2) == 1);
  cr_assert(agree_i64(wide_c, wide_p, 1, INT64_MAX - 1, 2) == 0);
  const int32_t none[] = {0};
  cr_assert(agree_i32(none, NULL, 0, 0, 0) == 1);
  /* only the first and the last compressed index may be looked at */
  cr_assert(spw_rows_valid_i32(c, p, 1, 5, (int64_t)INT32_MAX + 3) == 0);
  cr_assert(spw_rows_valid_i32(c, p, 1, 5, ((int64_t)1 << 32) + 2) == 0);
}
