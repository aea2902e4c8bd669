/* SPDX-License-Identifier: Apache-2.0 */
/* Products of larger matrices, of every layout and with any number of threads, against a plain loop over CSR: the same
 * bits. In a library built with OPENMP=1 the threads are there. */
#include "../../src/sparsewright.h"
#include "../operands/specimen.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 900, COLUMNS = 640, WIDTH = 21 };

/* A matrix as COO, as plain CSR, and converted. */
typedef struct matrix {
  int64_t nse, *coo, *begin, *column;
  double *values, *sorted;
} matrix;

static void *memory_for(int64_t count, size_t size)
{
  void *memory = calloc((size_t)count + 1, size);
  if (!memory) abort();
  return memory;
}

/* Elements of row r. */
typedef int64_t row_length(int64_t r);

static int64_t even_rows(int64_t r)
{
  return 30 + r % 7;
}

static int64_t one_long_row(int64_t r)
{
  return r == 411 ? COLUMNS : r % 3;
}

static int64_t empty_rows(int64_t r)
{
  return r % 10 == 3 ? 200 : 0;
}

static matrix make(row_length *length, dice *d)
{
  matrix m = {0};
  for (int64_t r = 0; r < ROWS; r++) m.nse += length(r);
  m.coo = memory_for(2 * m.nse, sizeof *m.coo);
  m.begin = memory_for(ROWS + 1, sizeof *m.begin);
  m.column = memory_for(m.nse, sizeof *m.column);
  m.values = memory_for(m.nse, sizeof *m.values);
  m.sorted = memory_for(m.nse, sizeof *m.sorted);
  for (int64_t r = 0, k = 0; r < ROWS; r++) {
    const int64_t n = length(r), step = n ? COLUMNS / n : 1;
    for (int64_t i = 0; i < n; i++, k++) {
      m.column[k] = i * step + roll_below(d, step);
      m.sorted[k] = (double)(roll_below(d, 2000001) - 1000000) / 7;
    }
    m.begin[r + 1] = k;
  }
  /* stored in an order that leaves neighbours apart; the number of elements has no factor 7919 */
  for (int64_t r = 0; r < ROWS; r++)
    for (int64_t k = m.begin[r]; k < m.begin[r + 1]; k++) {
      const int64_t at = k * 7919 % m.nse;
      m.coo[at] = r;
      m.coo[m.nse + at] = m.column[k];
      m.values[at] = m.sorted[k];
    }
  return m;
}

static void free_matrix(matrix *m)
{
  free(m->coo), free(m->begin), free(m->column), free(m->values), free(m->sorted);
}

static void expect_same(const spw_tensor *a, const double *x, int64_t width, const double *expected, const char *what)
{
  static const int threads[] = {0, 1, 2, 3, 7, 50};
  const int64_t in[] = {COLUMNS, width}, out[] = {ROWS, width}, strides[] = {width, 1};
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, in, strides, 0, COLUMNS * width}, x}};
  double *const y = memory_for(ROWS * width, sizeof *y);
  const spw_output c = {{SPW_FLOAT64, 2, out, strides, 0, ROWS * width}, y};
  for (int i = 0; i < 6; i++) {
    const spw_factors how = {.threads = threads[i]};
    size_t bytes;
    cr_assert_eq(spw_multiply_size(a, &b, &how, &c, &bytes, NULL), SPW_OK);
    void *const work = memory_for((int64_t)bytes, 1);
    memset(y, 0xff, (size_t)(ROWS * width) * sizeof *y);
    cr_assert_eq(spw_multiply(a, &b, &how, &c, work, bytes, NULL), SPW_OK);
    for (int64_t k = 0; k < ROWS * width; k++)
      cr_assert(memcmp(y + k, expected + k, sizeof *y) == 0, "%s, %d threads: element %lld is %a and should be %a", what,
                threads[i], (long long)k, y[k], expected[k]);
    free(work);
  }
  free(y);
}

/* COO as it is, and what is made of it. */
static void expect_every_layout(row_length *length, int64_t width, uint64_t seed)
{
  static const struct { spw_layout layout; int64_t height, length; const char *name; } to[] = {
      {SPW_COO, 0, 0, "coo"}, {SPW_CSR, 0, 0, "csr"}, {SPW_CSC, 0, 0, "csc"}, {SPW_BSR, 4, 4, "bsr 4x4"},
      {SPW_BSR, 3, 1, "bsr 3x1"}, {SPW_BSC, 2, 5, "bsc 2x5"}, {SPW_BSR, 4, 5, "bsr 4x5"}};
  dice d = {seed};
  matrix m = make(length, &d);
  const int64_t size[] = {ROWS, COLUMNS}, shape[] = {2, m.nse}, strides[] = {m.nse, 1}, one[] = {1};
  const spw_tensor coo = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                          .plain = {{SPW_INT64, 2, shape, strides, 0, 2 * m.nse}, NULL, m.coo, m.coo},
                          .values = {{SPW_FLOAT64, 1, shape + 1, one, 0, m.nse}, m.values}};
  double *const x = memory_for(COLUMNS * width, sizeof *x), *const expected = memory_for(ROWS * width, sizeof *x);
  for (int64_t k = 0; k < COLUMNS * width; k++) x[k] = (double)(roll_below(&d, 2001) - 1000) / 3;
  for (int64_t r = 0; r < ROWS; r++)
    for (int64_t j = 0; j < width; j++) {
      double sum = 0;
      for (int64_t k = m.begin[r]; k < m.begin[r + 1]; k++) sum += m.sorted[k] * x[m.column[k] * width + j];
      expected[r * width + j] = sum;
    }
  for (int i = 0; i < 7; i++) {
    const spw_conversion wanted = {.layout = to[i].layout, .block_rows = to[i].height, .block_columns = to[i].length,
                                   .batch_dims = -1, .dense_dims = -1, .index_dtype = i % 2 ? SPW_INT32 : SPW_INT64};
    spw_owned *made = NULL;
    cr_assert_eq(spw_convert_new(&coo, &wanted, 0, &made, NULL), SPW_OK);
    expect_same(spw_owned_tensor(made), x, width, expected, to[i].name);
    spw_owned_free(made);
  }
  free(x), free(expected);
  free_matrix(&m);
}

Test(multiply_threads, even_rows)
{
  expect_every_layout(even_rows, 1, 1);
  expect_every_layout(even_rows, WIDTH, 2);
}

Test(multiply_threads, one_long_row)
{
  expect_every_layout(one_long_row, WIDTH, 3);
  expect_every_layout(one_long_row, 70, 4);
}

Test(multiply_threads, empty_rows)
{
  expect_every_layout(empty_rows, 1, 5);
  expect_every_layout(empty_rows, WIDTH, 6);
}

/* ---- Judged by threads --------------------------------------------------------------------------- */

enum { MANY = 1000, EACH = 200 }; /* more elements than one thread judges by itself */

/* What refuses an operand is the same for any number of threads, and nothing is written. */
static void expect_refused(const spw_tensor *a, const char *what)
{
  static const int threads[] = {0, 1, 2, 3, 7};
  static double x[MANY], y[MANY], before[MANY];
  const int64_t shape[] = {MANY}, one[] = {1};
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, shape, one, 0, MANY}, x}};
  const spw_output c = {{SPW_FLOAT64, 1, shape, one, 0, MANY}, y};
  spw_violation first;
  cr_assert_eq(spw_first_violation(a, SPW_CANONICAL, &first), SPW_OK);
  cr_assert_neq(first.rule, SPW_RULE_NONE);
  memset(y, 0x5a, sizeof y);
  memcpy(before, y, sizeof y);
  for (int i = 0; i < 5; i++) {
    const spw_factors how = {.threads = threads[i]};
    const spw_elementwise_request plus = {.kind = SPW_PLUS, .threads = threads[i]};
    spw_refusal by[3];
    spw_room room;
    size_t work;
    int64_t multiplications;
    cr_assert_eq(spw_multiply(a, &b, &how, &c, NULL, 0, by), SPW_EINVALID, "%s, %d threads", what, threads[i]);
    cr_assert_eq(spw_elementwise_size(a, a, &plus, &room, by + 1), SPW_EINVALID, "%s, %d threads", what, threads[i]);
    const int at_least_one = threads[i] ? threads[i] : 1;
    cr_assert_eq(spw_multiply_sparse_work_parallel(a, a, at_least_one, &work, &multiplications, by + 2), SPW_EINVALID,
                 "%s, %d threads", what, threads[i]);
    for (int k = 0; k < 3; k++) {
      cr_assert_eq(by[k].operand, 0);
      cr_assert(by[k].violation.rule == first.rule && by[k].violation.position == first.position &&
                by[k].violation.lhs == first.lhs && by[k].violation.rhs == first.rhs, "%s, %d threads", what, threads[i]);
    }
    cr_assert_eq(memcmp(y, before, sizeof y), 0);
  }
}

Test(multiply_threads, invalid_operands)
{
  static int32_t begin[MANY + 1], column[MANY * EACH];
  static double values[MANY * EACH];
  const int64_t size[] = {MANY, MANY}, lines[] = {MANY + 1}, nse[] = {MANY * EACH}, one[] = {1};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                        .compressed = {{SPW_INT32, 1, lines, one, 0, MANY + 1}, begin, NULL, begin},
                        .plain = {{SPW_INT32, 1, nse, one, 0, MANY * EACH}, column, NULL, column},
                        .values = {{SPW_FLOAT64, 1, nse, one, 0, MANY * EACH}, values}};
  static const int64_t places[] = {0, 1, 131071, 131072, MANY * EACH / 2, MANY * EACH - 1};
  for (int64_t r = 0; r < MANY; r++) {
    begin[r + 1] = (int32_t)((r + 1) * EACH);
    for (int64_t k = 0; k < EACH; k++) column[r * EACH + k] = (int32_t)(k * 5);
  }
  for (int i = 0; i < 6; i++) {
    const int32_t kept = column[places[i]];
    column[places[i]] = MANY;
    expect_refused(&a, "a column behind the last one");
    column[places[i]] = kept;
    if (places[i] % EACH == 0) continue;
    column[places[i]] = column[places[i] - 1];
    expect_refused(&a, "a column twice");
    column[places[i]] = kept;
  }
}

/* Whoever says INT_MAX means as many as there are. */
Test(multiply_threads, as_many_threads_as_can_be_said, .timeout = 60)
{
  enum { LINES = 200000 };
  const int64_t size[] = {LINES, 2}, starts[] = {LINES + 1}, nse[] = {LINES}, in[] = {2}, one[] = {1};
  int64_t *const begin = memory_for(LINES + 1, sizeof *begin), *const column = memory_for(LINES, sizeof *column);
  double *const values = memory_for(LINES, sizeof *values), *const y = memory_for(LINES, sizeof *y), x[] = {2, 3};
  for (int64_t i = 0; i < LINES; i++) {
    begin[i + 1] = i + 1;
    column[i] = i % 2;
    values[i] = (double)i;
  }
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {.array = {SPW_INT64, 1, starts, one, 0, LINES + 1}, .i64 = begin},
                        .plain = {.array = {SPW_INT64, 1, nse, one, 0, LINES}, .i64 = column},
                        .values = {.array = {SPW_FLOAT64, 1, nse, one, 0, LINES}, .data = values}};
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, in, one, 0, 2}, x}};
  const spw_output c = {{SPW_FLOAT64, 1, nse, one, 0, LINES}, y};
  const spw_factors how = {.threads = INT_MAX};
  cr_assert_eq(spw_multiply(&a, &b, &how, &c, NULL, 0, NULL), SPW_OK);
  for (int64_t i = 0; i < LINES; i++) cr_assert_eq(y[i], (double)(i * (2 + i % 2)));
  free(begin);
  free(column);
  free(values);
  free(y);
}
