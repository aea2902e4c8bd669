/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions of tensors that have several tiles, held against spw_convert: one long line, as many lines as elements, lines
 * without any, batches, nothing at all; of both index types. */
#include "converted.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { DIMS = 3 };

/* A tensor of float32 with `nse` elements in each of `batches` batches (1: it has none), drawn by a rule that names a line
 * for element k. */
typedef struct made {
  spw_tensor tensor;
  int64_t size[DIMS], shape[3][DIMS], strides[3][DIMS];
  void *c, *p;
  float *values;
} made;

static void put(bool wide, void *memory, int64_t at, int64_t value)
{
  if (wide) ((int64_t *)memory)[at] = value;
  else ((int32_t *)memory)[at] = (int32_t)value;
}

static spw_array array_over(made *m, int which, spw_dtype dtype, int64_t outer, int64_t entries)
{
  const int64_t skip = outer == 1;
  m->shape[which][0] = skip ? entries : outer, m->shape[which][1] = entries;
  m->strides[which][0] = skip ? 1 : entries, m->strides[which][1] = 1;
  const spw_array a = {dtype, 2 - skip, m->shape[which], m->strides[which], 0, outer * entries};
  return a;
}

static spw_index_array indices_over(spw_array array, const void *memory)
{
  const bool wide = array.dtype == SPW_INT64;
  return (spw_index_array){array, wide ? NULL : memory, wide ? memory : NULL, NULL};
}

static void *room_for(int64_t n)
{
  void *const memory = calloc((size_t)(n > 0 ? n : 1), 8);
  cr_assert(memory != NULL);
  return memory;
}

typedef struct form {
  int64_t lines, width, nse, batches;
  bool spread; /* over all lines as evenly as may be; else all in the line before the last */
} form;

static void make(made *m, form f, spw_layout layout, bool wide)
{
  const spw_dtype index = wide ? SPW_INT64 : SPW_INT32;
  const int64_t all = f.batches * f.nse;
  m->c = room_for(f.batches * (f.lines + 1)), m->p = room_for(all), m->values = room_for(all);
  for (int64_t b = 0; b < f.batches; b++) {
    int64_t k = 0;
    for (int64_t i = 0; i < f.lines; i++) {
      const int64_t end = f.spread ? f.nse * (i + 1) / f.lines : i + 2 >= f.lines ? f.nse : 0;
      for (int64_t first = k; k < end; k++) put(wide, m->p, b * f.nse + k, (b + i) % 2 + 2 * (k - first));
      put(wide, m->c, b * (f.lines + 1) + i + 1, k);
    }
  }
  for (int64_t k = 0; k < all; k++) m->values[k] = (float)k;
  const bool rows = layout == SPW_CSR;
  const int64_t size[DIMS] = {f.batches, rows ? f.lines : f.width, rows ? f.width : f.lines};
  const int skip = f.batches == 1;
  for (int d = skip; d < DIMS; d++) m->size[d - skip] = size[d];
  m->tensor = (spw_tensor){.layout = layout, .has_size = true, .ndim = DIMS - skip, .size = m->size, .coalesced = SPW_CLAIM_NONE};
  m->tensor.compressed = indices_over(array_over(m, 0, index, f.batches, f.lines + 1), m->c);
  m->tensor.plain = indices_over(array_over(m, 1, index, f.batches, f.nse), m->p);
  m->tensor.values = (spw_value_array){array_over(m, 2, SPW_FLOAT32, f.batches, f.nse), m->values};
}

static void convert_to(const spw_tensor *t, spw_layout layout, spw_combine duplicates, dice *d, uint64_t *done)
{
  converted_tally count = {0};
  const spw_conversion wanted = {.layout = layout, .batch_dims = -1, .dense_dims = -1, .duplicates = duplicates};
  cr_assert(converted_alike(t, &wanted, d, 2, &count));
  *done += converted_done(&count);
}

static const form forms[] = {{2, 14000, 6000, 1, false}, {3000, 8, 3000, 1, true},  {5000, 9, 700, 1, true},
                             {70, 200, 2500, 3, true},   {1, 12000, 5000, 1, true}, {40, 40, 0, 1, true},
                             {40, 40, 0, 3, true},       {3000, 3, 0, 1, true},     {4, 4200, 2100, 2, false}};

Test(convert, lines_of_all_lengths)
{
  dice d = {11};
  uint64_t done = 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    for (int how = 0; how < 4; how++) {
      made m;
      make(&m, forms[i], how % 2 ? SPW_CSR : SPW_CSC, how / 2);
      convert_to(&m.tensor, SPW_COO, SPW_COMBINE_SUM, &d, &done);
      convert_to(&m.tensor, how % 2 ? SPW_CSC : SPW_CSR, SPW_COMBINE_SUM, &d, &done);
      free(m.c), free(m.p), free(m.values);
    }
  cr_assert_eq(done, 2 * 4 * sizeof forms / sizeof *forms);
}

/* Lines in no order, in which every plain index is there several times or none is; batches that are alike, to every layout. */
Test(convert, lines_to_mend)
{
  dice d = {17};
  converted_tally count = {0};
  uint64_t conversions = 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    for (int how = 0; how < 8; how++) {
      made m;
      const form f = forms[i];
      make(&m, f, how % 2 ? SPW_CSR : SPW_CSC, how / 2 % 2);
      for (int64_t b = 0; b < f.batches; b++) {
        dice same = {5};
        for (int64_t k = 0; k < f.nse; k++)
          put(how / 2 % 2, m.p, b * f.nse + k, how / 4 ? roll_below(&same, f.width) : f.width - 1 - k % f.width);
      }
      for (int to = SPW_COO; to <= SPW_CSC; to++, conversions++) {
        const spw_conversion wanted = {.layout = (spw_layout)to, .batch_dims = -1, .dense_dims = -1, .canonicalize = true,
                                       .duplicates = (spw_combine)(i % 3)};
        cr_assert(converted_alike(&m.tensor, &wanted, &d, 1, &count));
      }
      free(m.c), free(m.p), free(m.values);
    }
  cr_assert_eq(converted_done(&count), conversions);
}

/* Several tiles of cells, of which none, all, or some of each batch are zero, with a sign or without; also where only sums are,
 * and blocks. */
Test(convert, zeros_left_out)
{
  dice d = {18};
  converted_tally count = {0};
  uint64_t conversions = 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    for (int how = 0; how < 8; how++) {
      static const int64_t blocks[][2] = {{1, 1}, {2, 2}, {1, 4}, {2, 1}};
      const int64_t rows = blocks[i % 4][0], columns = blocks[i % 4][1], one_in = how / 4 ? 7 : (int64_t)i % 3;
      made m;
      make(&m, forms[i], how % 2 ? SPW_CSR : SPW_CSC, how / 2 % 2);
      for (int64_t k = 0; k < forms[i].batches * forms[i].nse; k++)
        if (one_in > 0 && k % forms[i].nse % one_in == 0) m.values[k] = k % 2 ? 0.0f : -0.0f;
      const int64_t *const size = m.size + (forms[i].batches > 1);
      for (int to = SPW_COO; to <= SPW_BSC; to++, conversions++) {
        spw_conversion wanted = {.layout = (spw_layout)to, .batch_dims = -1, .dense_dims = -1, .prune = true};
        if (to > SPW_CSC) wanted.block_rows = size[0] % rows ? 1 : rows, wanted.block_columns = size[1] % columns ? 1 : columns;
        wanted.canonicalize = how / 4;
        cr_assert(converted_alike(&m.tensor, &wanted, &d, 1, &count));
      }
      free(m.c), free(m.p), free(m.values);
    }
  cr_assert_eq(converted_done(&count) + count.pruning_refused, conversions);
  cr_assert(count.pruning_refused < conversions / 9);
  cr_assert(count.left_out > conversions / 5);
}

/* Blocks of all shapes, of which each line has several tiles of elements, or none. */
Test(convert, of_blocks)
{
  static const int64_t blocks[][2] = {{1, 1}, {3, 2}, {1, 7}, {5, 1}, {16, 16}};
  dice d = {14};
  uint64_t done = 0, conversions = 0;
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    for (int how = 0; how < 8; how++) {
      const int64_t r = blocks[i][0], c = blocks[i][1], of_block = r * c, nse = 3000 / of_block;
      const int64_t batches = how / 4 ? 3 : 1, skip = batches == 1, all = batches * nse * of_block;
      const form f = {60, 200, nse, batches, how % 2};
      const bool rows = how / 2 % 2;
      made m;
      make(&m, f, rows ? SPW_CSR : SPW_CSC, how % 2);
      m.size[DIMS - 2 - skip] *= r, m.size[DIMS - 1 - skip] *= c;
      m.size[DIMS - (rows ? 1 : 2) - skip] *= 80; /* wide enough for all of them in one line */
      m.tensor.layout = rows ? SPW_BSR : SPW_BSC;
      const int64_t shape[] = {batches, nse, r, c}, strides[] = {nse * of_block, of_block, c, 1};
      float *const values = room_for(all);
      for (int64_t k = 0; k < all; k++) values[k] = (float)(k % 9999);
      m.tensor.values = (spw_value_array){{SPW_FLOAT32, 4 - skip, shape + skip, strides + skip, 0, all}, values};
      for (int to = SPW_COO; to <= SPW_CSC; to++, conversions++)
        convert_to(&m.tensor, (spw_layout)to, SPW_COMBINE_SUM, &d, &done);
      convert_to(&m.tensor, rows ? SPW_BSC : SPW_BSR, SPW_COMBINE_SUM, &d, &done), conversions++;
      free(m.c), free(m.p), free(m.values), free(values);
    }
  cr_assert_eq(done, conversions);
}

/* To blocks that have many elements or one each, and from those to others; and without any element. */
Test(convert, elements_to_blocks)
{
  dice d = {16};
  converted_tally count = {0};
  uint64_t conversions = 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    for (int how = 0; how < 8; how++, conversions++) {
      static const int64_t blocks[][2] = {{1, 1}, {2, 2}, {1, 4}, {2, 1}};
      made m;
      make(&m, forms[i], how % 2 ? SPW_CSR : SPW_CSC, how / 2 % 2);
      const int64_t *const size = m.size + (forms[i].batches > 1);
      const int64_t rows = blocks[i % 4][0], columns = blocks[i % 4][1];
      const spw_conversion wanted = {.layout = how / 4 ? SPW_BSR : SPW_BSC,
                                     .block_rows = size[0] % rows ? 1 : rows,
                                     .block_columns = size[1] % columns ? 1 : columns,
                                     .batch_dims = -1,
                                     .dense_dims = -1};
      cr_assert(converted_alike(&m.tensor, &wanted, &d, 1, &count));
      free(m.c), free(m.p), free(m.values);
    }
  cr_assert_eq(converted_done(&count), conversions);
}

/* Blocks that are cut across tiles of cells, of which one in `one_in` has an element; some values lie by columns. */
Test(convert, blocks_from_dense)
{
  static const int64_t shapes[][4] = {{90, 90, 3, 2},    {1, 8000, 1, 8}, {8000, 1, 5, 1},
                                      {64, 128, 16, 16}, {96, 80, 1, 1},  {0, 40, 3, 4}};
  dice d = {15};
  uint64_t done = 0, conversions = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int64_t one_in = 1; one_in < 300; one_in *= 17) {
      const int64_t *const s = shapes[i], n = s[0] * s[1], strides[] = {one_in > 1 ? 1 : s[1], one_in > 1 ? s[0] : 1};
      float *const values = room_for(n);
      for (int64_t k = 0; k < n; k++) values[k] = roll_below(&d, one_in) == 0 ? (float)(k + 1) : k % 5 ? 0.0f : -0.0f;
      const spw_tensor t = {.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE,
                            .values = {{SPW_FLOAT32, 2, s, strides, 0, n}, values}};
      for (int to = SPW_BSR; to <= SPW_BSC; to++, conversions++) {
        converted_tally count = {0};
        const spw_conversion wanted = {.layout = (spw_layout)to, .block_rows = s[2], .block_columns = s[3], .batch_dims = -1,
                                       .dense_dims = -1};
        cr_assert(converted_alike(&t, &wanted, &d, 2, &count));
        done += converted_done(&count);
      }
      free(values);
    }
  cr_assert_eq(done, conversions);
}

/* Coordinates in no order, of which many are the same; first all are, and in the end none. */
Test(convert, elements_in_any_order)
{
  enum { N = 5000 };
  dice d = {12};
  uint64_t done = 0, conversions = 0;
  for (int how = 0; how < 8; how++) {
    const bool wide = how % 2;
    static const int64_t sizes[][2] = {{1, 1}, {90, 40}, {400, 500}, {4000, 5000}};
    const int64_t *const size = sizes[how / 2], shape[] = {2, N}, strides[] = {N, 1}, n[] = {N}, one[] = {1};
    void *const x = room_for(2 * N);
    double *const values = room_for(N);
    for (int64_t k = 0; k < N; k++) {
      put(wide, x, k, how < 6 ? roll_below(&d, size[0]) : (k * 7) % 4000);
      put(wide, x, N + k, how < 6 ? roll_below(&d, size[1]) : (k * 11) % 5000);
      values[k] = 1.0 / (double)(k + 1);
    }
    spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO};
    t.plain = indices_over((spw_array){wide ? SPW_INT64 : SPW_INT32, 2, shape, strides, 0, 2 * N}, x);
    t.values = (spw_value_array){{SPW_FLOAT64, 1, n, one, 0, N}, values};
    for (int c = SPW_COMBINE_SUM; c <= SPW_COMBINE_REFUSE; c++, conversions += 3) {
      convert_to(&t, SPW_COO, (spw_combine)c, &d, &done);
      convert_to(&t, SPW_CSR, (spw_combine)c, &d, &done);
      convert_to(&t, SPW_CSC, (spw_combine)c, &d, &done);
    }
    free(x), free(values);
  }
  cr_assert_eq(done, conversions - 6 * 3); /* where there are duplicates they are refused as they should be */
}

/* Elements of COO with three sparse dimensions, of which the first says the batch: as many of each, in order or in none, some
 * several times; or one that is missing in the last batch; or more batches than elements. */
typedef struct of_batches {
  int64_t batches, in_batch;
  bool wide, coalesced, repeated, missing;
} of_batches;

static void put_element(const of_batches *f, void *x, int64_t n, int64_t at, int64_t b, int64_t k)
{
  const int64_t row = f->repeated ? k / 2 / 40 : k / 40, column = f->repeated ? k / 2 % 40 : k % 40;
  put(f->wide, x, at, b), put(f->wide, x, n + at, row), put(f->wide, x, 2 * n + at, column * 2 + b % 17);
}

/* Gives how many conversions that were. */
static uint64_t convert_batches(of_batches f, dice *d, converted_tally *count)
{
  const int64_t n = f.batches * f.in_batch - f.missing, step = f.coalesced ? 1 : 1999; /* a prime that divides no n */
  const int64_t size[] = {f.batches, 120, 98}, shape[] = {3, n}, strides[] = {n, 1}, all[] = {n}, one[] = {1};
  void *const x = room_for(3 * n);
  double *const values = room_for(n);
  for (int64_t e = 0; e < n; e++) {
    const int64_t at = e * step % n;
    put_element(&f, x, n, at, e / f.in_batch, e % f.in_batch);
    values[at] = e % f.in_batch % 5 == 0 ? -0.0 : 1.0 / (double)(at + 1);
  }
  spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 3, .size = size,
                  .coalesced = f.coalesced ? SPW_CLAIM_YES : SPW_CLAIM_NO};
  t.plain = indices_over((spw_array){f.wide ? SPW_INT64 : SPW_INT32, 2, shape, strides, 0, 3 * n}, x);
  t.values = (spw_value_array){{SPW_FLOAT64, 1, all, one, 0, n}, values};
  uint64_t conversions = 0;
  for (int to = SPW_CSR; to <= (n > 2000 ? SPW_CSC : SPW_BSC); to++) /* blocks take room for 8 elements each */
    for (int prune = 0; prune < 2; prune++, conversions++) {
      spw_conversion wanted = {.layout = (spw_layout)to, .batch_dims = -1, .dense_dims = -1, .prune = prune};
      if (to > SPW_CSC) wanted.block_rows = 4, wanted.block_columns = 2;
      cr_assert(converted_alike(&t, &wanted, d, 1, count));
    }
  free(x), free(values);
  return conversions;
}

Test(convert, batches_from_coordinates)
{
  static const int64_t forms_of[][2] = {{2, 3000}, {3, 600}, {40, 26}, {1500, 1}};
  dice d = {19};
  converted_tally count = {0}, refused = {0};
  uint64_t conversions = 0;
  for (size_t i = 0; i < sizeof forms_of / sizeof *forms_of; i++)
    for (int how = 0; how < 8; how++) {
      of_batches f = {forms_of[i][0], forms_of[i][1], how % 2, how / 2 % 2, how / 4 && how / 2 % 2 == 0, false};
      conversions += convert_batches(f, &d, &count);
      f.missing = true;
      (void)convert_batches(f, &d, &refused);
    }
  cr_assert_eq(converted_done(&count), conversions);
  cr_assert_eq(converted_done(&refused) + refused.invalid, conversions);
  cr_assert_eq(refused.unsupported + refused.refused, 0);
  /* A missing element may be one of several, of a block that stays, or a zero that is left out anyway. */
  cr_assert(refused.invalid > conversions / 4);
}

/* Rows that begin in the middle of a tile, and rows of several; with one element in `one_in`. */
Test(convert, from_dense)
{
  static const int64_t shapes[][2] = {{1, 8000}, {8000, 1}, {3, 2700}, {2700, 3}, {90, 90}, {0, 40}, {40, 0}};
  dice d = {13};
  uint64_t done = 0, conversions = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int64_t one_in = 1; one_in < 300; one_in *= 9) {
      const int64_t *const s = shapes[i], n = s[0] * s[1], strides[] = {s[1], 1};
      float *const values = room_for(n);
      for (int64_t k = 0; k < n; k++) values[k] = roll_below(&d, one_in) == 0 ? (float)(k + 1) : k % 5 ? 0.0f : -0.0f;
      const spw_tensor t = {.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE,
                            .values = {{SPW_FLOAT32, 2, s, strides, 0, n}, values}};
      convert_to(&t, SPW_COO, SPW_COMBINE_SUM, &d, &done);
      convert_to(&t, SPW_CSR, SPW_COMBINE_SUM, &d, &done);
      convert_to(&t, SPW_CSC, SPW_COMBINE_SUM, &d, &done);
      conversions += 3;
      free(values);
    }
  cr_assert_eq(done, conversions);
}

/* ---- Numbers that few tensors have ------------------------------------------------------------- */

static const int64_t one[] = {1};

static spw_conversion to_layout(spw_layout layout, spw_dtype index)
{
  return (spw_conversion){.layout = layout, .batch_dims = -1, .dense_dims = -1, .index_dtype = index};
}

static converted_tally tally_of(const spw_tensor *t, const spw_conversion *wanted, dice *d)
{
  converted_tally count = {0};
  cr_assert(converted_alike(t, wanted, d, 2, &count));
  return count;
}

/* A block at the end of a row of 2^32 elements: int32 holds its number, and not those of its elements. */
Test(convert, indices_of_elements_beyond_those_of_blocks)
{
  dice d = {41};
  const int32_t c[] = {0, 1}, p[] = {((int32_t)1 << 30) - 1};
  const uint8_t v[] = {1, 2, 3, 4};
  const int64_t size[] = {1, (int64_t)1 << 32}, two[] = {2}, shape[] = {1, 1, 4}, strides[] = {4, 4, 1};
  const spw_tensor t = {.layout = SPW_BSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT32, 1, two, one, 0, 2}, c, NULL, NULL},
                        .plain = {{SPW_INT32, 1, one, one, 0, 1}, p, NULL, NULL},
                        .values = {{SPW_UINT8, 3, shape, strides, 0, 4}, v}};
  const spw_layout layouts[] = {SPW_CSR, SPW_CSC, SPW_COO};
  for (int i = 0; i < 3; i++) {
    const spw_conversion wanted = to_layout(layouts[i], SPW_INT64);
    cr_assert_eq(tally_of(&t, &wanted, &d).unsupported, 1, "%d", i);
  }
}

/* The last batch of 2^31 + 1 that share their arrays has no number in int32. */
Test(convert, batches_beyond_the_index_type)
{
  dice d = {42};
  const int64_t many = ((int64_t)1 << 31) + 1, size[] = {many, 1, 1}, two[] = {many, 2}, nse[] = {many, 1}, zero[] = {0, 1};
  const int32_t c[] = {0, 1}, p[] = {0};
  const uint8_t v[] = {1};
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT32, 2, two, zero, 0, 2}, c, NULL, NULL},
                        .plain = {{SPW_INT32, 2, nse, zero, 0, 1}, p, NULL, NULL},
                        .values = {{SPW_UINT8, 2, nse, zero, 0, 1}, v}};
  const spw_conversion dense = to_layout(SPW_DENSE, SPW_DTYPE_NONE), coo = to_layout(SPW_COO, SPW_INT64);
  cr_assert_eq(tally_of(&t, &dense, &d).unsupported, 1);
  cr_assert_eq(tally_of(&t, &coo, &d).unsupported, 1);
}

/* COO has an element where no position is: not valid, however it is to be converted. */
Test(convert, elements_of_no_batch)
{
  dice d = {43};
  const int64_t size[] = {0, 4, 4}, shape[] = {3, 1}, ones[] = {1, 1}, x[] = {0, 0, 0};
  const float v[] = {1};
  for (int i = 0; i < 12; i++) {
    const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 3, .size = size,
                          .coalesced = i % 2 ? SPW_CLAIM_YES : SPW_CLAIM_NO,
                          .plain = {{SPW_INT64, 2, shape, ones, 0, 3}, NULL, x, NULL},
                          .values = {{SPW_FLOAT32, 1, one, one, 0, 1}, v}};
    spw_conversion wanted = to_layout(i < 6 ? SPW_CSR : SPW_BSR, SPW_INT64);
    if (i >= 6) wanted.block_rows = wanted.block_columns = 2;
    wanted.prune = i / 2 % 3 == 1;
    wanted.duplicates = i / 2 % 3 == 2 ? SPW_COMBINE_REFUSE : SPW_COMBINE_SUM;
    cr_assert_eq(tally_of(&t, &wanted, &d).invalid, 1, "%d", i);
  }
}

/* As many dimensions as kernels handle, and a block more; and batches of nothing, which take no time. */
Test(convert, dimensions_and_batches_at_the_limits, .timeout = 60)
{
  enum { MOST = 66 };
  dice d = {44};
  int64_t size[MOST], c_shape[MOST - 1], p_shape[MOST - 1], strides[MOST - 1] = {0};
  const int64_t c[] = {0, 1}, p[] = {1};
  const float v[] = {1};
  for (int i = 0; i < MOST; i++) size[i] = 1;
  for (int i = 0; i < MOST - 1; i++) c_shape[i] = p_shape[i] = 1;
  size[MOST - 1] = c_shape[MOST - 2] = 2;
  strides[MOST - 2] = 1;
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = MOST, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, MOST - 1, c_shape, strides, 0, 2}, NULL, c, NULL},
                        .plain = {{SPW_INT64, MOST - 1, p_shape, strides, 0, 1}, NULL, p, NULL},
                        .values = {{SPW_FLOAT32, MOST - 1, p_shape, strides, 0, 1}, v}};
  spw_conversion wanted = to_layout(SPW_BSR, SPW_DTYPE_NONE);
  wanted.block_rows = 1, wanted.block_columns = 2, wanted.canonicalize = true;
  cr_assert_eq(tally_of(&t, &wanted, &d).unsupported, 1);
  const int64_t many = (int64_t)1 << 45, large[] = {many, 1, 1}, two[] = {many, 2}, none[] = {many, 0}, zero[] = {0, 1};
  const int64_t nothing[] = {0, 0};
  const spw_tensor empty = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = large, .coalesced = SPW_CLAIM_NONE,
                            .compressed = {{SPW_INT64, 2, two, zero, 0, 2}, NULL, nothing, NULL},
                            .plain = {{SPW_INT64, 2, none, zero, 0, 0}, NULL, nothing, NULL},
                            .values = {{SPW_FLOAT32, 2, none, zero, 0, 0}, v}};
  wanted = to_layout(SPW_COO, SPW_DTYPE_NONE);
  const converted_tally count = tally_of(&empty, &wanted, &d);
  cr_assert_eq(converted_done(&count), 1);
}

/* Sizes whose product is beyond int64 but for a dense dimension of 0, and coordinates that are all at one place. */
Test(convert, sizes_beyond_int64_and_strides_of_nothing)
{
  dice d = {46};
  const int64_t size[] = {(int64_t)1 << 32, (int64_t)1 << 32, 0}, shape[] = {2, 3}, strides[] = {3, 1}, cells[] = {3, 0};
  const int64_t x[] = {0, 1, 2, 5, 4, 3}, small[] = {2, 2}, once[] = {2, 1}, at_once[] = {0, 1};
  const float v[] = {1};
  for (int i = 0; i < 4; i++) {
    const spw_tensor wide = {.layout = SPW_COO, .has_size = true, .ndim = 3, .size = size,
                             .coalesced = i % 2 ? SPW_CLAIM_YES : SPW_CLAIM_NO,
                             .plain = {{SPW_INT64, 2, shape, strides, 0, 6}, NULL, x, NULL},
                             .values = {{SPW_FLOAT32, 2, cells, strides, 0, 0}, v}};
    const spw_tensor shared = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = small,
                               .coalesced = i % 2 ? SPW_CLAIM_YES : SPW_CLAIM_NO,
                               .plain = {{SPW_INT64, 2, once, at_once, 0, 1}, NULL, x, NULL},
                               .values = {{SPW_FLOAT32, 1, one, one, 0, 1}, v}};
    spw_conversion wanted = to_layout(i < 2 ? SPW_COO : SPW_BSR, SPW_DTYPE_NONE);
    wanted.block_rows = wanted.block_columns = i < 2 ? 0 : 2;
    const converted_tally of_wide = tally_of(&wide, &wanted, &d), of_shared = tally_of(&shared, &wanted, &d);
    cr_assert_eq(converted_done(&of_shared), 1, "%d", i);
    cr_assert(i != 1 || converted_done(&of_wide) == 1); /* keys of the others are too large, and 2^31 offsets too many */
  }
}

Test(convert, values_that_are_not_there)
{
  const int64_t size[] = {1, 1}, two[] = {2}, c[] = {0, 1}, p[] = {0};
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, two, one, 0, 2}, NULL, c, NULL},
                        .plain = {{SPW_INT64, 1, one, one, 0, 1}, NULL, p, NULL},
                        .values = {{SPW_FLOAT32, 1, one, one, 0, 1}, NULL}};
  const spw_conversion wanted = to_layout(SPW_COO, SPW_DTYPE_NONE);
  dice d = {45};
  cr_assert_eq(tally_of(&t, &wanted, &d).refused, 1);
}
