/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of sparse and of sampled products that are wrong, refused, or at the ends of ranges; tensors that change between the
 * calls; and what sparse products have to do with each other. */
#include "../attempts/fenced.h"
#include "../operands/specimen.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

static const int64_t ones[] = {1, 1, 1};

/* A matrix of float64, CSR or CSC, or a batch of it. */
typedef struct matrix {
  spw_tensor tensor;
  int64_t size[3], shape[2][2], strides[2][2];
  int64_t starts[MOST], plain[MOST];
  int32_t starts32[MOST], plain32[MOST];
  double values[MOST];
} matrix;

/* Over `lines` lines that are written already. */
static void describe(matrix *m, spw_layout layout, int64_t rows, int64_t columns, bool narrow, bool batched)
{
  const int64_t lines = layout == SPW_CSR ? rows : columns, nse = m->starts[lines], b = batched ? 1 : 0;
  const spw_dtype dtype = narrow ? SPW_INT32 : SPW_INT64;
  for (int64_t i = 0; i < MOST; i++) {
    m->starts32[i] = (int32_t)m->starts[i];
    m->plain32[i] = (int32_t)m->plain[i];
  }
  m->size[0] = 1;
  m->size[b] = rows;
  m->size[b + 1] = columns;
  for (int i = 0; i < 2; i++) {
    m->shape[i][0] = 1;
    m->shape[i][b] = i == 0 ? lines + 1 : nse;
    m->strides[i][0] = 7;
    m->strides[i][b] = 1;
  }
  const spw_array starts = {dtype, b + 1, m->shape[0], m->strides[0], 0, MOST};
  const spw_array plain = {dtype, b + 1, m->shape[1], m->strides[1], 0, MOST};
  const spw_array values = {SPW_FLOAT64, b + 1, m->shape[1], m->strides[1], 0, MOST};
  m->tensor = (spw_tensor){.layout = layout, .has_size = true, .ndim = b + 2, .size = m->size, .coalesced = SPW_CLAIM_NONE,
                           .compressed = {starts, narrow ? m->starts32 : NULL, narrow ? NULL : m->starts, NULL},
                           .plain = {plain, narrow ? m->plain32 : NULL, narrow ? NULL : m->plain, NULL},
                           .values = {values, m->values}};
}

static double drawn(dice *d)
{
  return (double)(roll_below(d, 2000001) - 1000000) / 7 + 0.1;
}

static void draw(matrix *m, int64_t rows, int64_t columns, dice *d)
{
  int64_t k = 0;
  memset(m, 0, sizeof *m);
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++)
      if (roll_below(d, 3) == 0) {
        m->plain[k] = j;
        m->values[k++] = drawn(d);
      }
    m->starts[i + 1] = k;
  }
  describe(m, SPW_CSR, rows, columns, false, false);
}

static spw_owned *product(const spw_tensor *a, const spw_tensor *b)
{
  spw_owned *made = NULL;
  cr_assert_eq(spw_multiply_sparse_new(a, b, 0, 0, &made, NULL), SPW_OK);
  return made;
}

/* The same positions in the same order, and the same bits. */
static void expect_equal(const spw_tensor *a, const spw_tensor *b, const char *what)
{
  const int64_t nse = a->values.array.length, lines = a->compressed.array.length;
  cr_assert(nse == b->values.array.length && lines == b->compressed.array.length, "%s", what);
  for (int64_t i = 0; i < lines; i++)
    cr_assert((a->compressed.i64 ? a->compressed.i64[i] : a->compressed.i32[i]) ==
              (b->compressed.i64 ? b->compressed.i64[i] : b->compressed.i32[i]), "%s", what);
  for (int64_t k = 0; k < nse; k++)
    cr_assert((a->plain.i64 ? a->plain.i64[k] : a->plain.i32[k]) == (b->plain.i64 ? b->plain.i64[k] : b->plain.i32[k]), "%s",
              what);
  cr_assert(memcmp(a->values.data, b->values.data, (size_t)nse * sizeof(double)) == 0, "%s", what);
}

/* ---- Relations ----------------------------------------------------------------------------------- */

Test(multiply_sparse_relations, identity_transpose_batch_and_index_type)
{
  static matrix a, b, c, identity;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    dice d = {seed};
    draw(&a, 12, 14, &d);
    draw(&b, 14, 13, &d);
    memset(&identity, 0, sizeof identity);
    for (int64_t i = 0; i < 14; i++) {
      identity.starts[i + 1] = i + 1;
      identity.plain[i] = i;
      identity.values[i] = 1;
    }
    describe(&identity, SPW_CSR, 14, 14, false, false);
    spw_owned *const ab = product(&a.tensor, &b.tensor), *const same = product(&a.tensor, &identity.tensor);
    const spw_tensor *const left = spw_owned_tensor(same);
    cr_assert(left->values.array.length == a.starts[12] && memcmp(left->values.data, a.values, (size_t)a.starts[12] * 8) == 0 &&
              memcmp(left->plain.i64, a.plain, (size_t)a.starts[12] * 8) == 0, "A I");
    spw_tensor at, bt;
    int64_t da[16], db[16];
    cr_assert(spw_transpose(&a.tensor, da, 16, &at) == SPW_OK && spw_transpose(&b.tensor, db, 16, &bt) == SPW_OK);
    spw_owned *const turned = product(&bt, &at);
    cr_assert_eq(spw_owned_tensor(turned)->layout, SPW_CSC);
    expect_equal(spw_owned_tensor(turned), spw_owned_tensor(ab), "(A B)' = B' A'");
    c = a;
    describe(&c, SPW_CSR, 12, 14, true, false);
    describe(&b, SPW_CSR, 14, 13, true, false);
    spw_owned *const narrow = product(&c.tensor, &b.tensor);
    cr_assert_eq(spw_owned_tensor(narrow)->plain.array.dtype, SPW_INT32);
    expect_equal(spw_owned_tensor(narrow), spw_owned_tensor(ab), "int32");
    describe(&c, SPW_CSR, 12, 14, false, true);
    describe(&b, SPW_CSR, 14, 13, false, true);
    spw_owned *const batch = product(&c.tensor, &b.tensor);
    expect_equal(spw_owned_tensor(batch), spw_owned_tensor(ab), "a batch of one");
    spw_owned_free(batch);
    spw_owned_free(narrow);
    spw_owned_free(turned);
    spw_owned_free(same);
    spw_owned_free(ab);
  }
}

/* Where everything is finite, zeros that are not there change no bit: the product with a dense B is the same. */
Test(multiply_sparse_relations, the_same_bits_as_with_a_dense_operand)
{
  static matrix a, b;
  const spw_conversion dense = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  for (uint64_t seed = 1; seed <= 30; seed++) {
    dice d = {seed};
    spw_owned *x = NULL, *y = NULL, *z = NULL;
    draw(&a, 12, 14, &d);
    draw(&b, 14, 13, &d);
    spw_owned *const ab = product(&a.tensor, &b.tensor);
    cr_assert(spw_convert_new(&b.tensor, &dense, 0, &x, NULL) == SPW_OK &&
              spw_multiply_new(&a.tensor, spw_owned_tensor(x), 0, &y, NULL) == SPW_OK &&
              spw_convert_new(spw_owned_tensor(ab), &dense, 0, &z, NULL) == SPW_OK);
    cr_assert(memcmp(spw_owned_tensor(y)->values.data, spw_owned_tensor(z)->values.data, 12 * 13 * 8) == 0);
    spw_owned_free(x);
    spw_owned_free(y);
    spw_owned_free(z);
    spw_owned_free(ab);
  }
}

/* A sum that is zero stays; a stored zero meets an infinity; -0 becomes +0, for a sum begins there. */
Test(multiply_sparse_relations, zeros_and_infinities)
{
  static matrix a = {.starts = {0, 2, 3, 4}, .plain = {0, 1, 0, 2}, .values = {1, 1, 0, -0.0}};
  static matrix b = {.starts = {0, 1, 2, 3}, .plain = {0, 0, 1}, .values = {3, -3, 5}};
  describe(&a, SPW_CSR, 3, 3, false, false);
  describe(&b, SPW_CSR, 3, 2, false, false);
  b.values[0] = INFINITY;
  spw_owned *c = product(&a.tensor, &b.tensor);
  const double *v = spw_owned_tensor(c)->values.data;
  cr_assert(spw_owned_tensor(c)->values.array.length == 3 && isinf(v[0]) && isnan(v[1]) && v[2] == 0 && !signbit(v[2]));
  spw_owned_free(c);
  b.values[0] = 3;
  c = product(&a.tensor, &b.tensor);
  v = spw_owned_tensor(c)->values.data;
  cr_assert(spw_owned_tensor(c)->values.array.length == 3 && v[0] == 0 && v[1] == 0 && v[2] == 0);
  spw_owned_free(c);
}

/* ---- Ends of ranges ------------------------------------------------------------------------------ */

static spw_status ask(const spw_tensor *a, const spw_tensor *b, spw_room *room, spw_refusal *why)
{
  size_t bytes = 0;
  int64_t multiplications = 0;
  spw_status status = spw_multiply_sparse_work(a, b, &bytes, &multiplications, why);
  if (status != SPW_OK) return status;
  void *const work = malloc(bytes + 1);
  if (!work) abort();
  status = spw_multiply_sparse_size(a, b, work, bytes, room, why);
  free(work);
  return status;
}

/* 2^15 + 1 rows of one element each meet a row of 2^16: one element more than int32 can number. */
Test(multiply_sparse_calls, more_elements_than_the_index_type_holds)
{
  enum { ROWS = (1 << 15) + 1, COLUMNS = 1 << 16 };
  static int32_t rows[ROWS + 1], zeros[ROWS], all[] = {0, COLUMNS}, columns[COLUMNS];
  static int8_t values[COLUMNS];
  const int64_t size_a[] = {ROWS, 1}, size_b[] = {1, COLUMNS};
  const int64_t lines[] = {ROWS + 1}, of_a[] = {ROWS}, two[] = {2}, of_b[] = {COLUMNS};
  for (int32_t i = 0; i <= ROWS; i++) rows[i] = i;
  for (int32_t j = 0; j < COLUMNS; j++) columns[j] = j;
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size_a, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT32, 1, lines, ones, 0, ROWS + 1}, rows, NULL, NULL},
                        .plain = {{SPW_INT32, 1, of_a, ones, 0, ROWS}, zeros, NULL, NULL},
                        .values = {{SPW_INT8, 1, of_a, ones, 0, ROWS}, values}};
  const spw_tensor b = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size_b, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT32, 1, two, ones, 0, 2}, all, NULL, NULL},
                        .plain = {{SPW_INT32, 1, of_b, ones, 0, COLUMNS}, columns, NULL, NULL},
                        .values = {{SPW_INT8, 1, of_b, ones, 0, COLUMNS}, values}};
  spw_room room = {.nse = -77};
  spw_refusal why = {0};
  cr_assert_eq(ask(&a, &b, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_INDEX && why.operand == 2 && why.lhs == (int64_t)ROWS * COLUMNS && why.rhs == INT32_MAX);
  cr_assert_eq(room.nse, -77);
}

/* CSC of many rows in a few bytes: a workspace, then a size, beyond int64. */
Test(multiply_sparse_calls, sizes_beyond_int64)
{
  static matrix a = {.starts = {0, 1}, .values = {1}}, b = {.starts = {0, 1, 1, 1, 1}, .values = {1}};
  spw_refusal why = {0};
  spw_room room;
  describe(&a, SPW_CSC, (int64_t)1 << 62, 1, false, false);
  describe(&b, SPW_CSC, 1, 1, false, false);
  cr_assert_eq(ask(&a.tensor, &b.tensor, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_SIZE && why.operand == 2);
  for (int i = 2; i <= 70; i++) b.starts[i] = 1;
  describe(&a, SPW_CSC, (int64_t)1 << 57, 1, false, false);
  describe(&b, SPW_CSC, 1, 70, false, false);
  cr_assert_eq(ask(&a.tensor, &b.tensor, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_SIZE && why.operand == 2);
}

/* Two batches of [1 1]: the second of B has its elements in one column. */
Test(multiply_sparse_calls, batches_with_different_counts)
{
  const int64_t size_a[] = {2, 1, 2}, size_b[] = {2, 2, 2}, lines[] = {2, 2}, of[] = {2, 2}, three[] = {2, 3}, apart[] = {2, 1},
                far[] = {3, 1};
  const int64_t starts[] = {0, 2, 0, 2}, columns[] = {0, 1, 0, 1}, starts_b[] = {0, 1, 2, 0, 1, 2}, columns_b[] = {0, 1, 0, 0};
  const double v[] = {1, 1, 1, 1};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size_a, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 2, lines, apart, 0, 4}, NULL, starts, NULL},
                        .plain = {{SPW_INT64, 2, of, apart, 0, 4}, NULL, columns, NULL},
                        .values = {{SPW_FLOAT64, 2, of, apart, 0, 4}, v}};
  spw_tensor b = a;
  spw_refusal why = {0};
  spw_room room;
  b.size = size_b;
  b.compressed = (spw_index_array){{SPW_INT64, 2, three, far, 0, 6}, NULL, starts_b, NULL};
  b.plain = (spw_index_array){{SPW_INT64, 2, of, apart, 0, 4}, NULL, columns_b, NULL};
  cr_assert_eq(ask(&a, &b, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_BATCHES && why.place == 1 && why.other == 0 && why.lhs == 1 && why.rhs == 2);
  cr_assert_eq(why.operand, 2, "both operands are as they should be");
  why = (spw_refusal){0};
  double work[64], values[8];
  int64_t dims[32], rows[8], numbers[8];
  const spw_buffers buffers = {.dims = dims, .compressed_i64 = rows, .plain_i64 = numbers, .values = values, .work = work,
                               .room = {.index_dtype = SPW_INT64, .dtype = SPW_FLOAT64, .dims = 32, .compressed = 8, .plain = 8,
                                        .values = 8, .work = sizeof work}};
  spw_tensor result;
  cr_assert_eq(spw_multiply_sparse(&a, &b, &buffers, &result, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_BATCHES && why.place == 1 && why.lhs == 1 && why.rhs == 2 && why.operand == 2);
}

Test(multiply_sparse_calls, other_batches)
{
  static matrix a = {.starts = {0, 1}, .values = {1}}, b = {.starts = {0, 1}, .values = {1}};
  spw_room room;
  spw_refusal why = {0};
  describe(&a, SPW_CSR, 1, 1, false, true);
  describe(&b, SPW_CSR, 1, 1, false, true);
  cr_assert_eq(ask(&a.tensor, &b.tensor, &room, &why), SPW_OK);
  b.size[0] = b.shape[0][0] = b.shape[1][0] = 2;
  b.strides[0][0] = b.strides[1][0] = 0;
  cr_assert_eq(ask(&a.tensor, &b.tensor, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_SHAPES && why.operand == 1 && why.place == 0 && why.lhs == 2 && why.rhs == 1);
}

/* 2^40 batches, all of one matrix that is stored once: that they are too many for any result is said at once. */
Test(multiply_sparse_calls, batches_that_are_stored_once, .timeout = 60)
{
  const int64_t size[] = {(int64_t)1 << 40, 1, 1}, two[] = {(int64_t)1 << 40, 2}, one[] = {(int64_t)1 << 40, 1}, zero[] = {0, 1};
  const int64_t starts[] = {0, 1}, columns[] = {0};
  const double v[] = {2};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 2, two, zero, 0, 2}, NULL, starts, NULL},
                        .plain = {{SPW_INT64, 2, one, zero, 0, 1}, NULL, columns, NULL},
                        .values = {{SPW_FLOAT64, 2, one, zero, 0, 1}, v}};
  spw_room room;
  cr_assert_eq(ask(&a, &a, &room, NULL), SPW_OK);
  cr_assert(room.nse == 1 && room.values == (int64_t)1 << 40 && room.compressed == (int64_t)2 << 40);
  spw_refusal why = {0};
  spw_owned *made = NULL;
  cr_assert_eq(spw_multiply_sparse_new(&a, &a, 1 << 20, 0, &made, &why), SPW_ENOMEM);
  cr_assert_eq(spw_multiply_sparse_new(&a, &a, 0, 1000, &made, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_WORK && why.lhs == (int64_t)1 << 40 && why.rhs == 1000);
}

/* Where nothing is stored, strides of indices say nothing. */
Test(multiply_sparse_calls, batches_of_nothing_take_no_time, .timeout = 60)
{
  const int64_t many = (int64_t)1 << 60, size[] = {many, 1, 1}, two[] = {many, 2}, none[] = {many, 0};
  const int64_t once[] = {0, 1}, one[] = {1, 1}, starts[] = {0, 0};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 2, two, once, 0, 2}, NULL, starts, NULL},
                        .plain = {{SPW_INT64, 2, none, one, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_FLOAT64, 2, none, one, 0, 0}, NULL}};
  size_t work = 0;
  int64_t multiplications = -1;
  spw_owned *made = NULL;
  cr_assert_eq(spw_multiply_sparse_work(&a, &a, &work, &multiplications, NULL), SPW_OK);
  cr_assert_eq(multiplications, 0);
  cr_assert_eq(spw_multiply_sparse_new(&a, &a, 1 << 20, 1, &made, NULL), SPW_ENOMEM);
}

/* Where there is no batch, values need not be packed, however many there would be. */
Test(multiply_sparse_calls, no_batches_of_many)
{
  const int64_t size[] = {0, 2, 2}, three[] = {0, 3}, many[] = {0, (int64_t)1 << 60}, one[] = {0, 1}, apart[] = {0, 2};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 2, three, one, 0, 0}, NULL, NULL, NULL},
                        .plain = {{SPW_INT64, 2, many, one, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_FLOAT64, 2, many, apart, 0, 0}, NULL}};
  size_t work = 0;
  int64_t multiplications = -1;
  cr_assert_eq(spw_multiply_sparse_work(&a, &a, &work, &multiplications, NULL), SPW_OK);
  cr_assert(multiplications == 0 && work < 4096, "%zu", work);
}

/* ---- Wrong calls, overlaps and changes ----------------------------------------------------------- */

static matrix a, b;

static void make_pair(void)
{
  dice d = {5};
  draw(&a, 6, 7, &d);
  draw(&b, 7, 5, &d);
}

Test(multiply_sparse_calls, wrong_calls, .init = make_pair)
{
  const spw_tensor dense = {.layout = SPW_DENSE, .values = a.tensor.values};
  size_t bytes = 99;
  int64_t n = 99;
  double work[500] = {0};
  spw_room room = {.nse = -77};
  spw_tensor result = {.ndim = -77};
  spw_buffers buffers = {0};
  spw_owned *made = NULL;
  cr_assert_eq(spw_multiply_sparse_work(NULL, &b.tensor, &bytes, &n, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse_work(&a.tensor, NULL, &bytes, &n, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse_work(&a.tensor, &dense, &bytes, &n, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse_work(&dense, &b.tensor, &bytes, &n, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse_work(&a.tensor, &b.tensor, NULL, &n, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse_work(&a.tensor, &b.tensor, &bytes, NULL, NULL), SPW_EINVAL);
  cr_assert(bytes == 99 && n == 99);
  cr_assert_eq(spw_multiply_sparse_work(&a.tensor, &b.tensor, &bytes, &n, NULL), SPW_OK);
  cr_assert(bytes < sizeof work && n > 0);
  cr_assert_eq(spw_multiply_sparse_size(&a.tensor, &b.tensor, work, bytes, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse_size(&a.tensor, &b.tensor, NULL, bytes, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse_size(&a.tensor, &b.tensor, (char *)work + 4, bytes, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse(&a.tensor, &b.tensor, NULL, &result, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse(&a.tensor, &b.tensor, &buffers, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse(&a.tensor, &b.tensor, &buffers, &result, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse_new(&a.tensor, &b.tensor, 0, -1, &made, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_sparse_new(&a.tensor, &b.tensor, 0, 0, NULL, NULL), SPW_EINVAL);
  cr_assert(room.nse == -77 && result.ndim == -77 && !made);
}

static void expect_overlap(const spw_buffers *buffers, int operand, const char *what)
{
  const matrix before[] = {a, b};
  spw_tensor result = {.ndim = -77};
  spw_refusal why = {0};
  cr_assert_eq(spw_multiply_sparse(&a.tensor, &b.tensor, buffers, &result, &why), SPW_ERANGE, "%s", what);
  cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == operand, "%s: %d", what, why.operand);
  cr_assert(result.ndim == -77 && memcmp(&a, &before[0], sizeof a) == 0 && memcmp(&b, &before[1], sizeof b) == 0, "%s", what);
}

Test(multiply_sparse_calls, buffers_that_lie_where_they_must_not, .init = make_pair)
{
  static double room_for[2000];
  spw_room room;
  spw_refusal why = {0};
  size_t bytes;
  int64_t n;
  fenced f;
  cr_assert_eq(ask(&a.tensor, &b.tensor, &room, NULL), SPW_OK);
  cr_assert_eq(spw_multiply_sparse_work(&a.tensor, &b.tensor, &bytes, &n, NULL), SPW_OK);
  cr_assert_eq(spw_multiply_sparse_size(&a.tensor, &b.tensor, b.values, bytes, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == 1);
  fenced_make(&f, &room);
  spw_buffers on = f.buffers;
  on.values = a.values + a.starts[6] - 1;
  expect_overlap(&on, 0, "values on values");
  on = f.buffers;
  on.plain_i64 = b.starts;
  expect_overlap(&on, 1, "columns on rows");
  on = f.buffers;
  on.work = a.plain;
  expect_overlap(&on, 0, "workspace on columns");
  on = f.buffers;
  on.values = room_for;
  on.work = room_for + room.values - 1;
  expect_overlap(&on, 2, "workspace on values");
  on = f.buffers;
  on.dims = (int64_t *)(uintptr_t)b.tensor.size;
  expect_overlap(&on, 1, "dimensions on the size");
  on = f.buffers;
  on.compressed_i64 = on.dims;
  expect_overlap(&on, 2, "rows on dimensions");
  cr_assert(fences_hold(&f) && fenced_untouched(&f));
  fenced_free(&f);
}

/* B has become full since the room was asked for, or wrong. */
Test(multiply_sparse_calls, tensors_that_change, .init = make_pair)
{
  spw_room room;
  fenced f;
  spw_tensor result = {.ndim = -77};
  cr_assert_eq(ask(&a.tensor, &b.tensor, &room, NULL), SPW_OK);
  fenced_make(&f, &room);
  const matrix before = b;
  for (int64_t i = 0; i < 35; i++) {
    b.starts[i / 5 + 1] = i + 1;
    b.plain[i] = i % 5;
  }
  describe(&b, SPW_CSR, 7, 5, false, false);
  cr_assert_eq(spw_multiply_sparse(&a.tensor, &b.tensor, &f.buffers, &result, NULL), SPW_EINVAL);
  cr_assert(fences_hold(&f) && result.ndim == -77);
  fenced_free(&f);
  b = before;
  describe(&b, SPW_CSR, 7, 5, false, false);
  b.plain[1] = 1 << 30;
  fenced_make(&f, &room);
  spw_refusal why = {0};
  cr_assert_eq(spw_multiply_sparse(&a.tensor, &b.tensor, &f.buffers, &result, &why), SPW_EINVALID);
  cr_assert(why.operand == 1 && why.obstacle == SPW_OBSTACLE_RULE && fenced_untouched(&f) && fences_hold(&f));
  fenced_free(&f);
}

/* ---- At stored positions ------------------------------------------------------------------------- */

Test(multiply_sampled_calls, wrong_calls_and_overlaps, .init = make_pair)
{
  static double x[6 * 2], y[2 * 7];
  const int64_t sx[16] = {6, 2}, sy[16] = {2, 7}, tx[16] = {2, 1}, ty[16] = {7, 1}; /* `dims` reach one of them at a time */
  void *const described[] = {(void *)(uintptr_t)a.tensor.plain.array.shape, (void *)(uintptr_t)sx, (void *)(uintptr_t)ty};
  const spw_tensor dx = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, sx, tx, 0, 12}, x}};
  const spw_tensor dy = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, sy, ty, 0, 14}, y}};
  const spw_factors how = {0}, backwards = {.threads = -1};
  spw_room room = {.nse = -77};
  spw_refusal why = {0};
  spw_tensor result = {.ndim = -77};
  fenced f;
  cr_assert_eq(spw_sampled_multiply_size(NULL, &dx, &dy, &how, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_sampled_multiply_size(&dx, &dx, &dy, &how, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_sampled_multiply_size(&a.tensor, &b.tensor, &dy, &how, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_sampled_multiply_size(&a.tensor, &dx, &b.tensor, &how, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_sampled_multiply_size(&a.tensor, &dx, &dy, NULL, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_sampled_multiply_size(&a.tensor, &dx, &dy, &backwards, &room, NULL), SPW_EINVAL);
  cr_assert_eq(room.nse, -77);
  cr_assert_eq(spw_sampled_multiply_size(&a.tensor, &dx, &dy, &how, &room, NULL), SPW_OK);
  cr_assert(room.values == a.starts[6] && room.work == sizeof y); /* of a B in rows, with more elements in S than columns */
  spw_tensor columns = dy;
  const int64_t down[] = {1, 2};
  columns.values.array.strides = down;
  spw_room none;
  cr_assert_eq(spw_sampled_multiply_size(&a.tensor, &dx, &columns, &how, &none, NULL), SPW_OK);
  cr_assert(none.values == room.values && none.work == 0);
  fenced_make(&f, &room);
  const struct {
    void *values;
    int operand;
  } on[] = {{a.values, 0}, {x + 11, 1}, {y, 2}, {f.buffers.dims, 3}};
  for (int i = 0; i < 4; i++) {
    spw_buffers buffers = f.buffers;
    buffers.values = on[i].values;
    cr_assert_eq(spw_sampled_multiply(&a.tensor, &dx, &dy, &how, &buffers, &result, &why), SPW_ERANGE, "%d", i);
    cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == on[i].operand, "%d: %d", i, why.operand);
  }
  for (int i = 0; i < 3; i++) {
    spw_buffers buffers = f.buffers;
    buffers.dims = described[i];
    cr_assert_eq(spw_sampled_multiply(&a.tensor, &dx, &dy, &how, &buffers, &result, &why), SPW_ERANGE, "%d", i);
    cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == i, "%d: %d", i, why.operand);
  }
  cr_assert(result.ndim == -77 && fences_hold(&f) && fenced_untouched(&f));
  fenced_free(&f);
}

/* With beta == 0 the values of S are not read, with alpha == 0 neither are A and B; stored zeros are positions. */
Test(multiply_sampled_calls, what_is_not_read, .init = make_pair)
{
  static double x[6], y[7];
  const int64_t sx[] = {6, 1}, sy[] = {1, 7}, tx[] = {1, 1}, ty[] = {7, 1};
  const spw_tensor dx = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, sx, tx, 0, 6}, x}};
  const spw_tensor dy = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, sy, ty, 0, 7}, y}};
  const double zero = 0, two = 2;
  spw_owned *made = NULL;
  for (int i = 0; i < 7; i++) y[i] = i + 1;
  for (int i = 0; i < 6; i++) x[i] = 10;
  a.values[0] = NAN;
  a.values[1] = 0;
  spw_factors how = {.beta = &zero};
  cr_assert_eq(spw_sampled_multiply_new(&a.tensor, &dx, &dy, &how, 0, &made, NULL), SPW_OK);
  const double *v = spw_owned_tensor(made)->values.data;
  for (int64_t k = 0; k < a.starts[6]; k++) cr_assert(v[k] == 10.0 * (double)(a.plain[k] + 1));
  spw_owned_free(made);
  for (int i = 0; i < 6; i++) x[i] = NAN;
  a.values[0] = 3;
  how = (spw_factors){.alpha = &zero, .beta = &two};
  cr_assert_eq(spw_sampled_multiply_new(&a.tensor, &dx, &dy, &how, 0, &made, NULL), SPW_OK);
  v = spw_owned_tensor(made)->values.data;
  for (int64_t k = 0; k < a.starts[6]; k++) cr_assert(v[k] == 2 * a.values[k]);
  spw_owned_free(made);
}

/* A tensor of batches, and what describes it. */
typedef struct batched {
  int64_t size[3], of_rows[2], row_strides[2], of_elements[2], element_strides[2];
  spw_tensor tensor;
} batched;

/* CSR of so many batches; `each`: how far batches of rows and of elements lie apart. */
static void batched_make(batched *m, const int64_t *size, int64_t nse, const int64_t *each, const int32_t *rows,
                         const int32_t *columns, const float *values)
{
  *m = (batched){.size = {size[0], size[1], size[2]}, .of_rows = {size[0], size[1] + 1}, .row_strides = {each[0], 1},
                 .of_elements = {size[0], nse}, .element_strides = {each[1], 1}};
  const int64_t last = size[0] - 1, in_rows = last * each[0] + size[1] + 1, in_elements = last * each[1] + nse;
  m->tensor = (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = m->size, .coalesced = SPW_CLAIM_NONE,
                           .compressed = {{SPW_INT32, 2, m->of_rows, m->row_strides, 0, in_rows}, rows, NULL, NULL},
                           .plain = {{SPW_INT32, 2, m->of_elements, m->element_strides, 0, in_elements}, columns, NULL, NULL},
                           .values = {{SPW_FLOAT32, 2, m->of_elements, m->element_strides, 0, in_elements}, values}};
}

static void expect_counts(const batched *x, const batched *y, int64_t wanted_multiplications, int64_t wanted_nse)
{
  size_t bytes = 0;
  int64_t multiplications = 0;
  spw_room there;
  cr_assert_eq(spw_multiply_sparse_work(&x->tensor, &y->tensor, &bytes, &multiplications, NULL), SPW_OK);
  cr_assert(multiplications == wanted_multiplications);
  void *const work = malloc(bytes);
  cr_assert_eq(spw_multiply_sparse_size(&x->tensor, &y->tensor, work, bytes, &there, NULL), SPW_OK);
  cr_assert(there.nse == wanted_nse);
  free(work);
}

/* 2^20 batches of a row each, and 2^20 columns: what has been met is not cleared for each. */
Test(multiply_sparse_calls, many_batches_of_wide_rows)
{
  const int64_t batches = 1 << 20, left[] = {batches, 1, 1}, right[] = {batches, 1, 1 << 20};
  int32_t *const rows = malloc((size_t)batches * 2 * sizeof *rows);
  const int32_t columns[] = {3, 5}, none[] = {0}, all[] = {0, 2};
  const float values[] = {1, 2};
  batched x, y;
  for (int64_t k = 0; k < batches; k++) rows[2 * k] = 0, rows[2 * k + 1] = 1;
  batched_make(&x, left, 1, (const int64_t[]){2, 0}, rows, none, values);
  batched_make(&y, right, 2, (const int64_t[]){0, 0}, all, columns, values);
  expect_counts(&x, &y, 2 * batches, 2);
  free(rows);
}

/* A column that two elements of a row meet counts once, in every batch. */
Test(multiply_sparse_calls, rows_of_later_batches)
{
  const int64_t left[] = {3, 1, 2}, right[] = {3, 2, 4};
  const int32_t left_rows[] = {0, 2, 0, 2, 0, 2}, inner[] = {0, 1, 0, 1, 0, 1};
  const int32_t right_rows[] = {0, 1, 2, 0, 1, 2, 0, 1, 2}, columns[] = {3, 3, 3, 3, 3, 3};
  const float values[] = {1, 2, 3, 4, 5, 6};
  batched x, y;
  batched_make(&x, left, 2, (const int64_t[]){2, 2}, left_rows, inner, values);
  batched_make(&y, right, 2, (const int64_t[]){3, 2}, right_rows, columns, values);
  expect_counts(&x, &y, 6, 1);
}

/* 2^20 batches share values that do not lie in order: they are packed once. */
Test(multiply_sparse_calls, shared_values_out_of_order, .timeout = 60)
{
  enum { MANY = 1 << 20, LONG = 1 << 18 };
  const int64_t left[] = {MANY, 1, 2}, right[] = {MANY, 2, LONG};
  const int32_t rows[] = {0, 1}, first[] = {0}, right_rows[] = {0, 1, LONG};
  int32_t *const columns = malloc(LONG * sizeof *columns);
  float *const values = malloc(2 * LONG * sizeof *values);
  if (!columns || !values) abort();
  for (int32_t k = 0; k < LONG; k++) columns[k] = k == 0 ? 5 : k, values[2 * k] = 3, values[2 * k + 1] = 7;
  batched x, y;
  batched_make(&x, left, 1, (const int64_t[]){0, 0}, rows, first, values);
  batched_make(&y, right, LONG, (const int64_t[]){0, 0}, right_rows, columns, values);
  const int64_t apart[] = {0, 2};
  y.tensor.values.array.strides = apart;
  y.tensor.values.array.length = 2 * LONG;
  spw_owned *made = NULL;
  cr_assert_eq(spw_multiply_sparse_new(&x.tensor, &y.tensor, 0, 0, &made, NULL), SPW_OK);
  const float *const products = spw_owned_tensor(made)->values.data;
  for (int64_t k = 0; k < MANY; k++) cr_assert(products[k] == 9);
  spw_owned_free(made);
  free(columns), free(values);
}
