/* SPDX-License-Identifier: Apache-2.0 */
/* Prepared operands: which are copied, and which into blocks; products of them have the bits of the operand's own, for any
 * number of threads; and what is refused. */
#include "../../src/sparsewright.h"
#include "../operands/specimen.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 240, COLUMNS = 120, MOST = 40000 };

/* A coalesced COO matrix of 240 rows. */
typedef struct matrix {
  int64_t nse, size[2], shape[2], strides[2], indices[2 * MOST];
  double values[MOST];
  spw_tensor coo;
} matrix;

static void end_matrix(matrix *m, dice *d)
{
  m->size[0] = LINES, m->size[1] = COLUMNS;
  m->shape[0] = 2, m->shape[1] = m->nse;
  m->strides[0] = MOST, m->strides[1] = 1;
  for (int64_t k = 0; k < m->nse; k++) m->values[k] = (double)(roll_below(d, 2000001) - 1000000) / 7;
  m->coo = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 2, .size = m->size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, m->shape, m->strides, 0, MOST + m->nse}, NULL, m->indices, m->indices},
                        .values = {{SPW_FLOAT64, 1, m->shape + 1, m->strides + 1, 0, m->nse}, m->values}};
}

/* Every element lies in a full block; element number `missing` is not there (-1: all are). */
static matrix *full_blocks(int64_t height, int64_t length, int64_t missing, dice *d)
{
  matrix *const m = calloc(1, sizeof *m);
  if (!m) abort();
  int64_t number = 0;
  for (int64_t r = 0; r < LINES; r++)
    for (int64_t c = 0; c < COLUMNS; c++) {
      const bool stored = (r / height * 31 + c / length * 17) % 5 == 0;
      if (!stored || number++ == missing) continue;
      m->indices[m->nse] = r;
      m->indices[MOST + m->nse++] = c;
    }
  end_matrix(m, d);
  return m;
}

static spw_owned *as(const matrix *m, spw_layout layout, int64_t block, spw_dtype index)
{
  const spw_conversion wanted = {.layout = layout, .block_rows = block, .block_columns = block, .batch_dims = -1,
                                 .dense_dims = -1, .index_dtype = index};
  spw_owned *made = NULL;
  cr_assert_eq(spw_convert_new(&m->coo, &wanted, 0, &made, NULL), SPW_OK);
  return made;
}

/* The handle of a tensor, and its memory. */
typedef struct prepared {
  spw_prepared handle;
  void *memory;
  size_t bytes;
} prepared;

static prepared prepare(const spw_tensor *a)
{
  prepared p = {0};
  cr_assert_eq(spw_prepare_size(a, &p.bytes, NULL), SPW_OK);
  p.memory = malloc(p.bytes + 1);
  if (!p.memory) abort();
  cr_assert_eq(spw_prepare(a, p.memory, p.bytes, &p.handle, NULL), SPW_OK);
  return p;
}

/* One product of either kind. */
static spw_status multiply(const spw_tensor *a, const spw_prepared *handle, const spw_tensor *b, const spw_factors *how,
                           const spw_output *c)
{
  size_t bytes = 0;
  spw_status status = handle ? spw_multiply_prepared_size(handle, b, how, c, &bytes, NULL)
                             : spw_multiply_size(a, b, how, c, &bytes, NULL);
  if (status != SPW_OK) return status;
  void *const work = malloc(bytes + 1);
  if (!work) abort();
  status = handle ? spw_multiply_prepared(handle, b, how, c, work, bytes, NULL)
                  : spw_multiply(a, b, how, c, work, bytes, NULL);
  free(work);
  return status;
}

/* Products with a vector (width 0) or matrix, by both ways and any number of threads. */
static void expect_same_bits(const spw_tensor *a, const spw_prepared *handle, int64_t width, dice *d)
{
  static const int threads[] = {0, 1, 2, 3, 7};
  const int64_t columns = width ? width : 1, ndim = width ? 2 : 1;
  const int64_t in[] = {COLUMNS, columns}, out[] = {LINES, columns}, strides[] = {columns, 1};
  double *const x = calloc((size_t)(COLUMNS * columns), sizeof *x), *const y = calloc((size_t)(2 * LINES * columns), sizeof *y);
  if (!x || !y) abort();
  for (int64_t k = 0; k < COLUMNS * columns; k++) x[k] = (double)(roll_below(d, 2001) - 1000) / 3;
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, ndim, in, strides, 0, COLUMNS * columns}, x}};
  const int64_t count = LINES * columns;
  const spw_output plain = {{SPW_FLOAT64, ndim, out, strides, 0, count}, y}, fast = {plain.array, y + count};
  const spw_factors alone = {0};
  cr_assert_eq(multiply(a, NULL, &b, &alone, &plain), SPW_OK);
  for (int i = 0; i < 5; i++) {
    const spw_factors how = {.threads = threads[i]};
    memset(y + count, 0xff, (size_t)count * sizeof *y);
    cr_assert_eq(multiply(NULL, handle, &b, &how, &fast), SPW_OK);
    cr_assert(memcmp(y, y + count, (size_t)count * sizeof *y) == 0, "%lld columns, %d threads", (long long)width, threads[i]);
  }
  free(x), free(y);
}

static void expect_prepared(const matrix *m, spw_layout layout, int64_t block, spw_dtype index, int64_t blocks, bool copied,
                            dice *d)
{
  spw_owned *const made = as(m, layout, block, index);
  const spw_tensor *const a = spw_owned_tensor(made);
  prepared p = prepare(a);
  cr_assert_eq(p.handle.has_blocks, blocks > 0, "layout %d, blocks of %lld", (int)layout, (long long)blocks);
  if (blocks > 0) {
    cr_assert_eq(p.handle.blocks.layout, SPW_BSR);
    cr_assert_eq(p.handle.blocks.values.array.shape[1], blocks);
    cr_assert_eq(p.handle.blocks.values.array.shape[2], blocks);
  }
  cr_assert_eq(p.handle.matrix.values.data != a->values.data, copied);
  cr_assert_eq(p.handle.matrix.plain.array.dtype, layout == SPW_COO ? index : SPW_INT32);
  cr_assert_eq(p.bytes > 0, copied || blocks > 0);
  for (int64_t width = 0; width < 40; width += width < 5 ? 1 : 13) expect_same_bits(a, &p.handle, width, d);
  free(p.memory);
  spw_owned_free(made);
}

static void expect_every_layout(const matrix *m, int64_t blocks, dice *d)
{
  expect_prepared(m, SPW_CSR, 0, SPW_INT32, blocks, false, d);
  expect_prepared(m, SPW_CSR, 0, SPW_INT64, blocks, true, d);
  expect_prepared(m, SPW_CSC, 0, SPW_INT32, blocks, true, d);
  expect_prepared(m, SPW_CSC, 0, SPW_INT64, blocks, true, d);
  expect_prepared(m, SPW_BSR, 4, SPW_INT32, 0, false, d);
  expect_prepared(m, SPW_BSR, 3, SPW_INT64, 0, true, d);
  expect_prepared(m, SPW_BSC, 2, SPW_INT32, 0, true, d);
  expect_prepared(m, SPW_COO, 0, SPW_INT64, 0, false, d);
}

Test(prepare, full_blocks)
{
  dice d = {1};
  for (int64_t size = 1; size <= 5; size++) {
    matrix *const m = full_blocks(size, size, -1, &d);
    expect_every_layout(m, size == 4 ? 4 : 0, &d);
    free(m);
  }
}

Test(prepare, blocks_that_are_no_square)
{
  dice d = {2};
  matrix *const high = full_blocks(8, 4, -1, &d), *const wide = full_blocks(4, 12, -1, &d);
  matrix *const flat = full_blocks(1, 4, -1, &d);
  expect_every_layout(high, 4, &d);
  expect_every_layout(wide, 4, &d);
  expect_every_layout(flat, 0, &d);
  free(high), free(wide), free(flat);
}

static void expect_no_blocks(const matrix *m, dice *d)
{
  expect_prepared(m, SPW_CSR, 0, SPW_INT32, 0, false, d);
  expect_prepared(m, SPW_CSC, 0, SPW_INT32, 0, true, d);
}

/* One element fewer, wherever it is, and there are no full blocks. */
Test(prepare, one_element_is_missing)
{
  dice d = {3};
  matrix *const all = full_blocks(4, 4, -1, &d);
  const int64_t last = all->nse - 1, numbers[] = {0, 1, 5, 21, last / 2, last - 1, last};
  for (int i = 0; i < 7; i++) {
    matrix *const m = full_blocks(4, 4, numbers[i], &d);
    expect_no_blocks(m, &d);
    free(m);
  }
  free(all);
}

/* The same after each element has gone where `moved` sends it; those that it sends to column -1 are left out. */
static void expect_no_blocks_moved(int64_t (*moved)(int64_t row, int64_t column), dice *d)
{
  matrix *const m = full_blocks(4, 4, -1, d);
  int64_t kept = 0;
  for (int64_t k = 0; k < m->nse; k++) {
    const int64_t row = m->indices[k], column = moved(row, m->indices[MOST + k]);
    if (column < 0) continue;
    m->indices[kept] = row;
    m->indices[MOST + kept++] = column;
  }
  cr_assert(kept > 1000);
  m->nse = kept;
  end_matrix(m, d);
  expect_no_blocks(m, d);
  free(m);
}

/* Full, but one column further on. */
static int64_t one_further(int64_t row, int64_t column)
{
  (void)row;
  return column >= COLUMNS - 4 ? -1 : column + 1;
}

/* Of every other block, the last column two further on. */
static int64_t with_gaps(int64_t row, int64_t column)
{
  (void)row;
  return column / 4 % 2 == 1 ? -1 : column + (column % 4 == 3 ? 2 : 0);
}

/* Only the last row of four has the last block. */
static int64_t longer_last_row(int64_t row, int64_t column)
{
  return column >= COLUMNS - 20 && row % 4 != 3 ? -1 : column;
}

Test(prepare, blocks_that_are_none)
{
  dice d = {4};
  expect_no_blocks_moved(one_further, &d);
  expect_no_blocks_moved(with_gaps, &d);
  expect_no_blocks_moved(longer_last_row, &d);
}

/* All elements lie in full blocks, but the size is no multiple of theirs. */
Test(prepare, sizes_that_blocks_do_not_divide)
{
  dice d = {7};
  matrix *const m = full_blocks(4, 4, -1, &d);
  for (int dim = 0; dim < 2; dim++)
    for (int64_t more = 0; more <= 4; more++) {
      m->size[0] = LINES, m->size[1] = COLUMNS;
      m->size[dim] += more;
      spw_owned *const made = as(m, SPW_CSR, 0, SPW_INT64);
      prepared p = prepare(spw_owned_tensor(made));
      cr_assert_eq(p.handle.has_blocks, more % 4 == 0, "%lld more", (long long)more);
      free(p.memory);
      spw_owned_free(made);
    }
  free(m);
}

/* ---- Stripes --------------------------------------------------------------------------------- */

enum { WIDE = 1700000, A_ROW = 64 }; /* vectors of 13 MB */

/* CSR of 240 rows with values that lie `step` apart: anywhere, or near the first columns. */
typedef struct wide_matrix {
  int64_t size[2], offsets[1], shape[2], one[1], step[1];
  int64_t c64[LINES + 1], p64[LINES * A_ROW];
  int32_t c32[LINES + 1], p32[LINES * A_ROW];
  double values[2 * LINES * A_ROW];
  spw_tensor tensor;
} wide_matrix;

static wide_matrix *make_wide(int64_t columns, bool anywhere, bool wide, int64_t step, dice *d)
{
  wide_matrix *const m = calloc(1, sizeof *m);
  if (!m) abort();
  int64_t nse = 0;
  for (int64_t r = 0; r < LINES; r++) {
    const int64_t gap = anywhere ? columns / A_ROW : 3;
    for (int64_t k = 0; k < A_ROW - r % 2; k++) m->p64[nse++] = k * gap + roll_below(d, gap);
    m->c64[r + 1] = nse;
  }
  for (int64_t k = 0; k < nse; k++) m->p32[k] = (int32_t)m->p64[k];
  for (int64_t r = 0; r <= LINES; r++) m->c32[r] = (int32_t)m->c64[r];
  for (int64_t k = 0; k < 2 * nse; k++) m->values[k] = (double)(roll_below(d, 2000001) - 1000000) / 7;
  const spw_dtype index = wide ? SPW_INT64 : SPW_INT32;
  m->size[0] = LINES, m->size[1] = columns;
  m->offsets[0] = LINES + 1, m->shape[0] = nse, m->one[0] = 1, m->step[0] = step;
  m->tensor = (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = m->size, .coalesced = SPW_CLAIM_NONE};
  m->tensor.compressed = (spw_index_array){{index, 1, m->offsets, m->one, 0, LINES + 1}, wide ? NULL : m->c32,
                                           wide ? m->c64 : NULL, NULL};
  m->tensor.plain = (spw_index_array){{index, 1, m->shape, m->one, 0, nse}, wide ? NULL : m->p32, wide ? m->p64 : NULL, NULL};
  m->tensor.values = (spw_value_array){{SPW_FLOAT64, 1, m->shape, m->step, 0, 2 * nse}, m->values};
  return m;
}

/* What one number of threads asks for is enough for all. */
static void expect_work_for_any_threads(const spw_prepared *handle, const spw_tensor *b, const spw_output *c)
{
  for (int asked = 1; asked <= 8; asked += 7) {
    const spw_factors how = {.threads = asked}, other = {.threads = 9 - asked};
    size_t bytes = 0;
    cr_assert_eq(spw_multiply_prepared_size(handle, b, &how, c, &bytes, NULL), SPW_OK);
    void *const work = malloc(bytes + 1);
    if (!work) abort();
    cr_assert_eq(spw_multiply_prepared(handle, b, &other, c, work, bytes, NULL), SPW_OK, "asked for %d threads", asked);
    free(work);
  }
}

/* beta * y + alpha * (A x), of the operand and of its handle, by any number of threads. */
static void expect_same_sums(const wide_matrix *m, const spw_prepared *handle, dice *d)
{
  static const double alpha = 0.7, beta = -1.5;
  const int64_t columns = m->size[1], in[] = {columns}, out[] = {LINES};
  double *const x = malloc((size_t)columns * sizeof *x), before[LINES], right[LINES], mine[LINES];
  if (!x) abort();
  for (int64_t k = 0; k < columns; k++) x[k] = (double)(roll_below(d, 2001) - 1000) / 3;
  for (int64_t r = 0; r < LINES; r++) before[r] = (double)(roll_below(d, 2001) - 1000) / 9;
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, in, m->one, 0, columns}, x}};
  const spw_output plain = {{SPW_FLOAT64, 1, out, m->one, 0, LINES}, right}, fast = {plain.array, mine};
  expect_work_for_any_threads(handle, &b, &fast);
  for (int threads = 0; threads < 8; threads++) {
    const spw_factors how = {threads % 2 ? &alpha : NULL, threads % 3 ? &beta : NULL, threads};
    memcpy(right, before, sizeof right), memcpy(mine, before, sizeof mine);
    cr_assert_eq(multiply(&m->tensor, NULL, &b, &how, &plain), SPW_OK);
    cr_assert_eq(multiply(NULL, handle, &b, &how, &fast), SPW_OK);
    cr_assert(memcmp(right, mine, sizeof right) == 0, "%d threads", threads);
  }
  free(x);
}

/* The values lie where the stripes would end. */
static void expect_no_stripes_on_values(const wide_matrix *m, size_t bytes)
{
  const size_t values = (size_t)m->tensor.values.array.length * sizeof(double);
  char *const memory = malloc(bytes + values);
  if (!memory) abort();
  spw_tensor a = m->tensor;
  memcpy(memory + bytes - 8, a.values.data, values);
  a.values.data = memory + bytes - 8;
  spw_prepared handle;
  spw_refusal why;
  cr_assert_eq(spw_prepare(&a, memory, bytes, &handle, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, SPW_OBSTACLE_OVERLAP);
  free(memory);
}

static void expect_stripes(bool expected, int64_t columns, bool anywhere, dice *d)
{
  for (int how = 0; how < 4; how++) {
    wide_matrix *const m = make_wide(columns, anywhere, how % 2, 1 + how / 2, d);
    prepared p = prepare(&m->tensor);
    cr_assert_eq(p.handle.has_stripes, expected, "%lld columns", (long long)columns);
    cr_assert(!p.handle.has_blocks);
    if (expected) {
      cr_assert_eq(p.handle.stripes.layout, SPW_COO);
      bool valid = false;
      cr_assert_eq(spw_is_valid(&p.handle.stripes, SPW_CANONICAL, &valid), SPW_OK);
      cr_assert(valid);
      expect_no_stripes_on_values(m, p.bytes);
    }
    expect_same_sums(m, &p.handle, d);
    free(p.memory), free(m);
  }
}

Test(prepare, stripes)
{
  dice d = {8};
  expect_stripes(true, WIDE, true, &d);
  expect_stripes(false, WIDE, false, &d);        /* what is asked for is near */
  expect_stripes(false, WIDE / 12, true, &d);    /* the vector is small */
}

/* Indices count blocks: int32 holds those of a matrix with 2^33 columns in blocks of 8. */
Test(prepare, indices_of_blocks)
{
  const int64_t size[] = {4, (int64_t)1 << 33}, two[] = {2}, nothing[] = {0}, block[] = {0, 4, 8}, strides[] = {32, 8, 1};
  const int32_t narrow[] = {0, 0};
  const int64_t wide[] = {0, 0};
  for (int is_wide = 0; is_wide < 2; is_wide++) {
    const spw_dtype type = is_wide ? SPW_INT64 : SPW_INT32;
    const spw_tensor a = {.layout = SPW_BSR, .has_size = true, .ndim = 2, .size = size,
                          .compressed = {{type, 1, two, strides + 2, 0, 2}, is_wide ? NULL : narrow, is_wide ? wide : NULL, NULL},
                          .plain = {{type, 1, nothing, strides + 2, 0, 0}, NULL, NULL, NULL},
                          .values = {{SPW_FLOAT64, 3, block, strides, 0, 0}, NULL}};
    spw_prepared handle;
    int64_t memory[64];
    size_t bytes = 0;
    cr_assert_eq(spw_prepare_size(&a, &bytes, NULL), SPW_OK);
    cr_assert(bytes <= sizeof memory && (is_wide || bytes == 0), "%zu bytes", bytes);
    cr_assert_eq(spw_prepare(&a, memory, sizeof memory, &handle, NULL), SPW_OK);
    cr_assert_eq(handle.matrix.plain.array.dtype, SPW_INT32);
  }
}

/* ---- Refused --------------------------------------------------------------------------------- */

Test(prepare, what_is_refused)
{
  dice d = {5};
  matrix *const m = full_blocks(4, 4, -1, &d);
  spw_owned *const made = as(m, SPW_CSR, 0, SPW_INT64);
  spw_tensor a = *spw_owned_tensor(made);
  const spw_prepared untouched = {.has_blocks = true};
  spw_prepared handle = untouched;
  spw_refusal why = {.operand = 7};
  size_t bytes = 77;
  const int64_t size[] = {COLUMNS}, one[] = {1};
  const spw_tensor x = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, size, one, 0, COLUMNS}, m->values}};
  cr_assert_eq(spw_prepare_size(&x, &bytes, &why), SPW_EINVAL);
  cr_assert_eq(spw_prepare_size(NULL, &bytes, &why), SPW_EINVAL);
  cr_assert_eq(spw_prepare_size(&a, NULL, &why), SPW_EINVAL);
  cr_assert_eq(bytes, 77);
  cr_assert_eq(spw_prepare_size(&a, &bytes, &why), SPW_OK);
  cr_assert_eq(why.operand, 7);
  char *const memory = malloc(bytes + 8);
  if (!memory) abort();
  cr_assert_eq(spw_prepare(&a, memory, bytes, NULL, &why), SPW_EINVAL);
  cr_assert_eq(spw_prepare(&a, NULL, bytes, &handle, &why), SPW_EINVAL);
  cr_assert_eq(spw_prepare(&a, memory, bytes - 1, &handle, &why), SPW_EINVAL);
  cr_assert_eq(spw_prepare(&a, memory + 4, bytes, &handle, &why), SPW_EINVAL);
  a.values.data = memory + 8;
  cr_assert_eq(spw_prepare(&a, memory, bytes, &handle, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, SPW_OBSTACLE_OVERLAP);
  a.size = m->shape; /* two rows */
  cr_assert_eq(spw_prepare(&a, memory, bytes, &handle, &why), SPW_EINVALID);
  cr_assert_eq(why.obstacle, SPW_OBSTACLE_RULE);
  cr_assert_eq(why.operand, 0);
  cr_assert(memcmp(&handle, &untouched, sizeof handle) == 0);
  cr_assert_eq(spw_multiply_prepared_size(NULL, &x, NULL, NULL, &bytes, &why), SPW_EINVAL);
  cr_assert_eq(spw_multiply_prepared(NULL, &x, NULL, NULL, NULL, 0, &why), SPW_EINVAL);
  free(memory);
  spw_owned_free(made);
  free(m);
}

/* The output may lie on no array that the handle has, its own or the operand's that it views. */
Test(prepare, outputs_that_overlap)
{
  dice d = {6};
  matrix *const m = full_blocks(4, 4, -1, &d);
  spw_owned *const made = as(m, SPW_CSR, 0, SPW_INT64);
  prepared p = prepare(spw_owned_tensor(made));
  const int64_t in[] = {COLUMNS}, out[] = {LINES}, one[] = {1};
  double x[COLUMNS];
  for (int i = 0; i < COLUMNS; i++) x[i] = i + 1;
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, in, one, 0, COLUMNS}, x}};
  const spw_prepared before = p.handle;
  const size_t bytes = p.bytes;
  char *const memory = malloc(bytes + 1);
  if (!memory) abort();
  memcpy(memory, p.memory, bytes);
  spw_output on_values = {{SPW_FLOAT64, 1, out, one, 0, LINES}, (void *)(uintptr_t)p.handle.blocks.values.data};
  const spw_factors alone = {0};
  cr_assert_eq(multiply(NULL, &p.handle, &b, &alone, &on_values), SPW_ERANGE);
  on_values.data = (void *)(uintptr_t)p.handle.matrix.values.data; /* which a vector does not need */
  cr_assert_eq(multiply(NULL, &p.handle, &b, &alone, &on_values), SPW_ERANGE);
  on_values.data = (void *)&p.handle.blocks;
  cr_assert_eq(multiply(NULL, &p.handle, &b, &alone, &on_values), SPW_ERANGE);
  cr_assert_eq(multiply(NULL, &p.handle, NULL, &alone, &on_values), SPW_EINVAL);
  cr_assert(memcmp(memory, p.memory, bytes) == 0 && memcmp(&before, &p.handle, sizeof before) == 0);
  free(memory);
  free(p.memory);
  spw_owned_free(made);
  free(m);
}
