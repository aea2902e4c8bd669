/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of several threads against that of one, around the edges of what each of them takes. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>

#include "../../src/check/fast/parts.h"
#include "../operands/specimen.h"
#include "../support/memory.h"

/* A batched CSR tensor in both index types; the batches lie one behind the other. */
typedef struct pair {
  int64_t batches, C, P, nse;
  int64_t *c64, *p64;
  int32_t *c32, *p32;
} pair;

static pair pair_make(int64_t batches, int64_t C, int64_t P, int64_t a_row)
{
  pair m = {batches, C, P, C * a_row, NULL, NULL, NULL, NULL};
  const size_t rows = (size_t)(batches * (C + 1)), entries = (size_t)(batches * m.nse + 1);
  m.c64 = malloc(rows * sizeof *m.c64), m.p64 = malloc(entries * sizeof *m.p64);
  m.c32 = malloc(rows * sizeof *m.c32), m.p32 = malloc(entries * sizeof *m.p32);
  cr_assert(m.c64 && m.p64 && m.c32 && m.p32);
  for (int64_t at = 0; at < batches * (C + 1); at++) m.c32[at] = (int32_t)(m.c64[at] = at % (C + 1) * a_row);
  for (int64_t at = 0; at < batches * m.nse; at++) m.p32[at] = (int32_t)(m.p64[at] = at % a_row + 1);
  return m;
}

static void pair_free(pair *m)
{
  free(m->c64), free(m->p64), free(m->c32), free(m->p32);
}

/* Is m valid, to the first `teams` numbers of threads, in both types? 8 are more than there are parts. */
static bool is_valid_by(const pair *m, size_t teams)
{
  static const int threads[] = {2, 3, 1, 8, INT_MAX};
  const int64_t c_shape[] = {m->batches, m->C + 1}, p_shape[] = {m->batches, m->nse}, size[] = {m->batches, m->C, m->P};
  const int64_t c_strides[] = {m->C + 1, 1}, p_strides[] = {m->nse, 1};
  const spw_array c = {SPW_INT64, 2, c_shape, c_strides, 0, m->batches * (m->C + 1)};
  const spw_array p = {SPW_INT64, 2, p_shape, p_strides, 0, m->batches * m->nse};
  spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                  .compressed = {c, m->c32, m->c64, NULL}, .plain = {p, m->p32, m->p64, NULL}, .values = {p, m->p64}};
  t.values.array.dtype = SPW_FLOAT64;
  bool one = false;
  cr_assert(spw_is_valid(&t, SPW_CANONICAL, &one) == SPW_OK);
  for (int type = 0; type < 2; type++) {
    t.compressed.array.dtype = t.plain.array.dtype = type ? SPW_INT64 : SPW_INT32;
    for (size_t n = 0; n < teams; n++) {
      bool valid = !one;
      cr_assert(spw_is_valid_parallel(&t, SPW_CANONICAL, threads[n], &valid) == SPW_OK);
      cr_assert(valid == one, "%d threads, int%d: %d instead of %d", threads[n], type ? 64 : 32, valid, one);
    }
  }
  return one;
}

static bool is_valid(const pair *m)
{
  return is_valid_by(m, 5);
}

/* The verdict with another number at one place. To begin the most threads there may be takes far longer than what they do. */
static bool is_valid_with(const pair *m, int64_t *at64, int32_t *at32, int64_t value)
{
  const int64_t before = *at64;
  *at32 = (int32_t)(*at64 = value);
  const bool valid = is_valid_by(m, SANITIZED ? 2 : 4);
  *at32 = (int32_t)(*at64 = before);
  return valid;
}

static void spoil_row(const pair *m, int64_t batch, int64_t row)
{
  const int64_t c = batch * (m->C + 1) + row;
  const int64_t bad[] = {-1, INT32_MIN, INT32_MAX, m->c64[c] + (row == m->C ? 1 : m->nse), m->nse + 1};
  for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) cr_assert(!is_valid_with(m, m->c64 + c, m->c32 + c, bad[b]));
  if (row == m->C) return;
  const int64_t first = batch * m->nse + m->c64[c], a_row = m->c64[c + 1] - m->c64[c];
  for (int64_t k = first; k < first + a_row; k += a_row > 1 ? a_row - 1 : 1) {
    cr_assert(!is_valid_with(m, m->p64 + k, m->p32 + k, -1));
    cr_assert(!is_valid_with(m, m->p64 + k, m->p32 + k, m->P));
    if (k > first) cr_assert(!is_valid_with(m, m->p64 + k, m->p32 + k, m->p64[k - 1]));
    cr_assert(is_valid_with(m, m->p64 + k, m->p32 + k, k > first ? m->p64[k] + 1 : 0));
  }
}

/* A fault in each row around each edge between the parts of one batch. */
Test(threads, edges_of_parts)
{
  for (int64_t a_row = 1; a_row <= 64; a_row *= 4) {
    pair m = pair_make(1, 400000 / (a_row + 1), 70, a_row);
    const spw_parts parts = spw_parts_of(1, m.C, m.nse);
    cr_assert(parts.rows > 2 && 3 * parts.rows < m.C && parts.chunk == 1);
    cr_assert(is_valid(&m));
    for (int64_t edge = 0; edge <= m.C + parts.rows; edge += parts.rows) {
      const int64_t at = edge < m.C ? edge : m.C;
      for (int64_t row = at > 1 ? at - 2 : 0; row <= at + 1 && row <= m.C; row++) spoil_row(&m, 0, row);
    }
    pair_free(&m);
  }
}

/* A fault around each edge between the runs of small batches that a thread takes. */
Test(threads, edges_between_batches)
{
  pair m = pair_make(4000, 20, 9, 3);
  const spw_parts parts = spw_parts_of(m.batches, m.C, m.nse);
  cr_assert(parts.rows >= m.C && parts.chunk > 2 && 3 * parts.chunk < m.batches);
  cr_assert(is_valid(&m));
  for (int64_t edge = 0; edge <= m.batches + parts.chunk; edge += parts.chunk) {
    const int64_t at = edge < m.batches ? edge : m.batches;
    for (int64_t b = at > 0 ? at - 1 : 0; b <= at && b < m.batches; b++) {
      spoil_row(&m, b, 0);
      spoil_row(&m, b, m.C - 1);
      spoil_row(&m, b, m.C);
    }
  }
  pair_free(&m);
}

/* All contents of up to 3 rows and 3 entries, values -1 .. 3, in parts of 1 to 3 rows. */
Test(threads, all_small_contents)
{
  static const int64_t one[] = {1}, zero[] = {0};
  int64_t valid = 0, all = 0, c[4], p[3];
  for (int64_t C = 1; C <= 3; C++) {
    for (int64_t nse = 0; nse <= 3; nse++) {
      int64_t contents = 1;
      for (int64_t t = 0; t < C + 1 + nse; t++) contents *= 5;
      for (int64_t content = 0; content < contents; content++) {
        int64_t rest = content;
        for (int64_t t = 0; t <= C; t++, rest /= 5) c[t] = rest % 5 - 1;
        for (int64_t t = 0; t < nse; t++, rest /= 5) p[t] = rest % 5 - 1;
        const spw_grid g = {1, 1, one, zero, zero, 0, 0, C, 1 + content % 3, nse};
        const int whole = spw_rows_valid_i64(c, p, C, g.P, nse);
        for (int64_t rows = 1; rows <= C; rows++) {
          const spw_parts parts = {rows, 1, 1};
          cr_assert(spw_parts_valid_i64(c, C + 1, p, nse, g, 1, parts, 2) == whole);
        }
        valid += whole;
        all++;
      }
    }
  }
  cr_assert(all > 90000 && valid > 50, "%lld of %lld", (long long)valid, (long long)all);
}

/* Batches that share one structure, no rows, no entries, one row of all entries. */
Test(threads, odd_forms)
{
  static const int64_t crow[] = {0, 1, 2}, col[] = {1, 0}, size[] = {100000, 2, 2}, shape[] = {100000, 3};
  static const int64_t entries[] = {100000, 2}, strides[] = {0, 1};
  static const float value[2];
  spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                  .compressed = {{SPW_INT64, 2, shape, strides, 0, 3}, .i64 = crow},
                  .plain = {{SPW_INT64, 2, entries, strides, 0, 2}, .i64 = col},
                  .values = {{SPW_FLOAT32, 2, entries, strides, 0, 2}, value}};
  bool valid = false;
  cr_assert(spw_is_valid_parallel(&t, SPW_CANONICAL, 2, &valid) == SPW_OK && valid);
  const int64_t low[] = {1, -1};
  t.plain.i64 = low;
  cr_assert(spw_is_valid_parallel(&t, SPW_CANONICAL, 2, &valid) == SPW_OK && !valid);

  pair none = pair_make(300000, 0, 5, 1), row = pair_make(1, 1, 300002, 300000);
  cr_assert(is_valid(&none) && is_valid(&row));
  cr_assert(!is_valid_with(&none, none.c64 + 299999, none.c32 + 299999, 1));
  spoil_row(&row, 0, 0);
  spoil_row(&row, 0, 1);
  pair_free(&none);
  pair_free(&row);
  pair empty = pair_make(1, 300000, 5, 1);
  for (int64_t i = 0; i <= empty.C; i++) empty.c32[i] = (int32_t)(empty.c64[i] = 0);
  empty.nse = 0;
  cr_assert(is_valid(&empty));
  for (int64_t i = 0; i <= empty.C; i += 65536) cr_assert(!is_valid_with(&empty, empty.c64 + i, empty.c32 + i, 1));
  pair_free(&empty);
}

/* More batches than there are numbers for their parts: all share offsets that are too low, and nothing is
 * stored. The answer comes from the first batches. */
Test(threads, more_parts_than_numbers, .timeout = 60)
{
  enum { C = 200000 };
  static int64_t offsets[C + 1];
  static const int64_t columns[] = {0, 0};
  for (int log2 = 40; log2 <= 61; log2++) {
    const int64_t size[] = {(int64_t)1 << log2, 2, C, C, 0};
    const int64_t c_shape[] = {size[0], 2, C + 1}, p_shape[] = {size[0], 2, 1}, v_shape[] = {size[0], 2, 1, 0};
    static const int64_t c_strides[] = {0, 0, 1}, p_strides[] = {0, 1, 1}, v_strides[] = {0, 0, 0, 1};
    const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 5, .size = size, .coalesced = SPW_CLAIM_NONE,
                          .compressed = {{SPW_INT64, 3, c_shape, c_strides, 0, C + 1}, .i64 = offsets},
                          .plain = {{SPW_INT64, 3, p_shape, p_strides, 0, 2}, .i64 = columns},
                          .values = {{SPW_FLOAT32, 4, v_shape, v_strides, 0, 0}, NULL}};
    bool one = true, more = true;
    cr_assert(spw_is_valid(&t, SPW_CANONICAL, &one) == SPW_OK && !one);
    cr_assert(spw_is_valid_parallel(&t, SPW_CANONICAL, 2, &more) == SPW_OK && !more, "2^%d batches", log2 + 1);
  }
}

/* Every layout and level, and misuse. */
Test(threads, any_tensor)
{
  static specimen s;
  dice d = {11};
  int64_t valid = 0;
  enum { TIMES = SANITIZED ? 5000 : 20000 };
  for (int64_t t = 0; t < TIMES; t++) {
    const plan p = plan_random(&d);
    specimen_make(&s, &p, &d);
    if (t % 2) specimen_disturb(&s, &d);
    const spw_level level = (spw_level)(1 + t % 3);
    bool one = false, two = true;
    const spw_status status = spw_is_valid(&s.tensor, level, &one);
    if (status == SPW_OK) two = !one;
    else two = one;
    cr_assert(spw_is_valid_parallel(&s.tensor, level, 2, &two) == status && two == one);
    for (int threads = -1; threads <= 0; threads++)
      cr_assert(spw_is_valid_parallel(&s.tensor, level, threads, &two) == SPW_EINVAL && two == one);
    cr_assert(spw_is_valid_parallel(&s.tensor, level, 2, NULL) == SPW_EINVAL);
    cr_assert(spw_is_valid_parallel(NULL, level, 2, &two) == SPW_EINVAL && two == one);
    valid += status == SPW_OK && one;
  }
  cr_assert(valid > TIMES / 10 && valid < TIMES, "%lld", (long long)valid);
}
