/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions over dimensions against a second opinion (reduced_dims.h): random tensors of every layout and type; numbers that are
 * known; and calls that are wrong. */
#include "../expected/magnitudes.h"
#include "../expected/reduced_dims.h"
#include "../expected/scalar.h"
#include "../operands/operand.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { KINDS = SPW_DIMS_IS_NONZERO + 1 };

Test(reduce_dims, random_reductions, .timeout = 300)
{
  static operand o;
  static int64_t results[SPW_LAYOUT_COUNT][KINDS], types[SPW_DTYPE_COUNT];
  spw_dims_kind kind;
  char words[200];
  int64_t refused = 0;
  const uint64_t seeds = SANITIZED ? 40000 : 120000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    spw_numbers n;
    spw_status status;
    bool seen;
    operand_random_sparse(&o, true, &d);
    const spw_tensor *const t = &o.tensor;
    const char *const wrong = attempt_any_dims_reduction(t, &d, &kind, words, &status, &seen);
    cr_assert(!wrong, "seed %llu: layout %d, type %d, %s: %s", (unsigned long long)seed, (int)t->layout,
              (int)t->values.array.dtype, words, wrong);
    refused += status != SPW_OK;
    if (status == SPW_OK && seen && spw_numbers_of(t, &n) == SPW_OK && n.nse > 0) {
      results[t->layout][kind]++;
      types[t->values.array.dtype]++;
    }
    operand_free(&o);
  }
  const int64_t some = (int64_t)seeds / 40000;
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++)
    for (int k = 0; k < KINDS; k++)
      cr_assert(results[layout][k] > 20 * some || k == SPW_DIMS_IS_NONZERO, "layout %d, kind %d: %lld", layout, k,
                (long long)results[layout][k]);
  int64_t single = 0; /* tensors of one position, which are rare */
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++) single += results[layout][SPW_DIMS_IS_NONZERO];
  cr_assert(single > 20 * some, "%lld", (long long)single);
  for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++) cr_assert(types[type] > 20 * some, "type %d", type);
  cr_assert(refused > 100 * some, "%lld", (long long)refused);
  expect_no_leaks();
}

Test(reduce_dims, random_positions, .timeout = 300)
{
  static operand o;
  static int64_t results[SPW_LAYOUT_COUNT];
  const uint64_t seeds = SANITIZED ? 40000 : 100000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    spw_status status;
    bool seen;
    operand_random_sparse(&o, true, &d);
    const char *const wrong = attempt_nonzero(&o.tensor, &status, &seen);
    cr_assert(!wrong, "seed %llu: layout %d, type %d: %s", (unsigned long long)seed, (int)o.tensor.layout,
              (int)o.tensor.values.array.dtype, wrong);
    results[o.tensor.layout] += status == SPW_OK && seen;
    operand_free(&o);
  }
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++) cr_assert(results[layout] > 1000, "layout %d", layout);
  expect_no_leaks();
}

/* ---- Numbers that are known ---------------------------------------------------------------------- */

static const int64_t one[] = {1};

/* Elements of a cube in no order: (1,0,2) twice, (0,1,0), (1,1,1). */
static spw_tensor cube_of(spw_dtype dtype, const void *values, spw_claim claim)
{
  static const int64_t size[] = {2, 2, 3}, shape[] = {3, 4}, strides[] = {4, 1}, nse[] = {4};
  static const int64_t indices[] = {1, 0, 1, 1, 0, 1, 0, 1, 2, 0, 2, 1};
  return (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 3, .size = size, .coalesced = claim,
                      .plain = {{SPW_INT64, 2, shape, strides, 0, 12}, .i64 = indices},
                      .values = {{dtype, 1, nse, one, 0, 4}, values}};
}

static spw_owned *reduced(const spw_tensor *t, spw_dims_kind kind, const int64_t *dims, int64_t count, spw_dtype dtype)
{
  const spw_dims_reduction wanted = {.kind = kind, .dims = dims, .count = count, .dtype = dtype};
  spw_owned *out = NULL;
  const spw_status status = spw_reduce_dims_new(t, &wanted, 0, &out, NULL);
  cr_assert_eq(status, SPW_OK, "kind %d: %d", (int)kind, (int)status);
  return out;
}

static void expect_doubles(spw_owned *made, spw_layout layout, int64_t n, const double *want)
{
  const spw_tensor *const r = spw_owned_tensor(made);
  cr_assert_eq(r->layout, layout);
  cr_assert_eq(r->values.array.length, n);
  for (int64_t i = 0; i < n; i++)
    cr_assert(scalar_same(SPW_FLOAT64, want + i, (const double *)r->values.data + i, true), "%lld is %g", (long long)i,
              ((const double *)r->values.data)[i]);
  spw_owned_free(made);
}

Test(reduce_dims, known_numbers)
{
  const double x[] = {0x1p53, 7, 1, -5};
  const spw_tensor t = cube_of(SPW_FLOAT64, x, SPW_CLAIM_NO);
  const int64_t first[] = {0}, last[] = {-1}, both[] = {2, 0}, none[] = {0};
  expect_doubles(reduced(&t, SPW_DIMS_SUM, first, 1, SPW_DTYPE_NONE), SPW_COO, 3, (const double[]){0x1p53, 7, -5});
  expect_doubles(reduced(&t, SPW_DIMS_SUM, last, 1, SPW_DTYPE_NONE), SPW_COO, 3, (const double[]){7, 0x1p53, -5});
  expect_doubles(reduced(&t, SPW_DIMS_SUM, both, 2, SPW_DTYPE_NONE), SPW_COO, 2, (const double[]){0x1p53, 2});
  expect_doubles(reduced(&t, SPW_DIMS_SUM, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){0x1p53 + 2});
  expect_doubles(reduced(&t, SPW_DIMS_SUM, none, 0, SPW_DTYPE_NONE), SPW_COO, 3, (const double[]){7, 0x1p53, -5});
  expect_doubles(reduced(&t, SPW_DIMS_MEAN_DENSE, both, 2, SPW_DTYPE_NONE), SPW_COO, 2, (const double[]){0x1p53 / 6, 2. / 6});
  expect_doubles(reduced(&t, SPW_DIMS_MEAN, both, 2, SPW_DTYPE_NONE), SPW_COO, 2, (const double[]){0x1p53, 1});
  expect_doubles(reduced(&t, SPW_DIMS_MAX, last, 1, SPW_DTYPE_NONE), SPW_COO, 3, (const double[]){7, 0x1p53, 0});
  expect_doubles(reduced(&t, SPW_DIMS_AMAX, last, 1, SPW_DTYPE_NONE), SPW_COO, 3, (const double[]){7, 0x1p53, -5});
  expect_doubles(reduced(&t, SPW_DIMS_MIN, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){-5});
}

/* Where each type that is widened ends: the sum of all, and what it is of doubles. */
Test(reduce_dims, widened_types)
{
  const uint8_t bits[] = {2, 0, 255, 1}, bytes[] = {255, 128, 127, 0};
  const int8_t i8[] = {INT8_MIN, INT8_MIN, INT8_MAX, 0};
  const int16_t i16[] = {INT16_MIN, INT16_MIN, INT16_MAX, 0};
  const int32_t i32[] = {INT32_MIN, INT32_MIN, INT32_MAX, 0};
  const struct {
    spw_dtype dtype;
    const void *values;
    double sum;
  } all[] = {{SPW_BOOL, bits, 3}, {SPW_UINT8, bytes, 510}, {SPW_INT8, i8, -129}, {SPW_INT16, i16, -32769},
             {SPW_INT32, i32, -2147483649.}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const spw_tensor t = cube_of(all[i].dtype, all[i].values, SPW_CLAIM_NO);
    expect_doubles(reduced(&t, SPW_DIMS_SUM, NULL, 0, SPW_FLOAT64), SPW_DENSE, 1, &all[i].sum);
    spw_owned *const made = reduced(&t, SPW_DIMS_SUM, NULL, 0, SPW_INT64);
    cr_assert(*(const int64_t *)spw_owned_tensor(made)->values.data == (int64_t)all[i].sum, "type %d", (int)all[i].dtype);
    spw_owned_free(made);
  }
}

/* 100 + 100 of int8, and of what holds more; what cancels is zero to `any`. */
Test(reduce_dims, types)
{
  const int8_t bytes[] = {100, 0, 100, 0}, cancels[] = {1, 0, -1, 0};
  const spw_tensor t = cube_of(SPW_INT8, bytes, SPW_CLAIM_NO), zero = cube_of(SPW_INT8, cancels, SPW_CLAIM_NO);
  const int64_t first[] = {0};
  spw_owned *made = reduced(&t, SPW_DIMS_SUM, NULL, 0, SPW_DTYPE_NONE);
  cr_assert_eq(*(const int8_t *)spw_owned_tensor(made)->values.data, -56);
  spw_owned_free(made);
  made = reduced(&t, SPW_DIMS_SUM, NULL, 0, SPW_INT64);
  cr_assert_eq(*(const int64_t *)spw_owned_tensor(made)->values.data, 200);
  spw_owned_free(made);
  made = reduced(&t, SPW_DIMS_ANY, first, 1, SPW_DTYPE_NONE);
  cr_assert_eq(memcmp(spw_owned_tensor(made)->values.data, (const uint8_t[]){0, 0, 1, 0, 0, 0}, 6), 0);
  spw_owned_free(made);
  made = reduced(&zero, SPW_DIMS_ANY, NULL, 0, SPW_DTYPE_NONE);
  cr_assert_eq(*(const uint8_t *)spw_owned_tensor(made)->values.data, 0);
  spw_owned_free(made);
}

/* No index of a vast dimension is looked at where another dimension is empty: of no numbers, each result is 0. */
Test(reduce_dims, vast_beside_empty, .timeout = 300)
{
  static const int64_t vast = INT64_C(1) << 40;
  const int64_t size[] = {2, vast, 0, 3}, at[] = {1, 2}, indices[] = {1, 1}, shape[] = {2, vast, 0, 3}, strides[] = {2, 1, 1, 1};
  const int64_t dims[][3] = {{1, 2, 0}, {1, 2, 3}};
  int results = 0;
  for (int kind = SPW_DIMS_SUM; kind <= SPW_DIMS_IS_NONZERO; kind++)
    for (int i = 0; i < 4; i++) {
      const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 4, .size = size, .coalesced = SPW_CLAIM_NO,
                            .plain = {{SPW_INT64, 2, at, strides, 0, 2}, .i64 = indices},
                            .values = {{SPW_FLOAT64, 4, shape, strides, 0, 0}, NULL}};
      const spw_dims_reduction wanted = {.kind = (spw_dims_kind)kind, .dims = dims[i / 2], .count = 2 + i % 2};
      spw_owned *out = NULL;
      const spw_status status = spw_reduce_dims_new(&t, &wanted, 0, &out, NULL);
      if (status == SPW_ERANGE) continue;
      cr_assert_eq(status, SPW_OK, "kind %d: %d", kind, (int)status);
      const spw_value_array *const v = &spw_owned_tensor(out)->values;
      const int64_t bytes = v->array.length * spw_dtype_size(v->array.dtype);
      for (int64_t k = 0; k < bytes; k++) cr_assert_eq(((const char *)v->data)[k], kind == SPW_DIMS_ALL, "kind %d", kind);
      results += bytes > 0;
      spw_owned_free(out);
    }
  cr_assert(results > 20, "%d", results);
}

/* What a double has no square of, on either side. */
Test(reduce_dims, norms)
{
  const double large[] = {0x3p600, 0, 0x4p600, 0}, small[] = {0x3p-700, 0, 0, 0x4p-700}, least[] = {0x1p-1074, 0, 0, 0};
  const double nan[] = {INFINITY, NAN, 1, 1}, infinite[] = {INFINITY, 1, 1, -INFINITY};
  spw_tensor t = cube_of(SPW_FLOAT64, large, SPW_CLAIM_YES);
  static const int64_t order[] = {0, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 2};
  t.plain.i64 = order;
  expect_doubles(reduced(&t, SPW_DIMS_NORM_2, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){0x5p600});
  expect_doubles(reduced(&t, SPW_DIMS_NORM_0, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){2});
  t.values.data = small;
  expect_doubles(reduced(&t, SPW_DIMS_NORM_2, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){0x5p-700});
  expect_doubles(reduced(&t, SPW_DIMS_NORM_INF, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){0x4p-700});
  t.values.data = least;
  expect_doubles(reduced(&t, SPW_DIMS_NORM_2, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){0x1p-1074});
  t.values.data = nan;
  expect_doubles(reduced(&t, SPW_DIMS_NORM_1, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){NAN});
  t.values.data = infinite;
  expect_doubles(reduced(&t, SPW_DIMS_NORM_2, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){INFINITY});
}

/* Numbers near 2^power whose exponents differ by up to `apart`, a few of them special. */
static double number_of(dice *d, int power, int64_t apart, bool special)
{
  static const double specials[] = {0, INFINITY, NAN, 0x1p-1074, 0x1p1000, 0x1p-500, 1, -1};
  if (special && roll_below(d, 40) == 0) return specials[roll_below(d, (int64_t)(sizeof specials / sizeof *specials))];
  const double size = (double)(roll(d) >> 11) * 0x1p-53;
  return ldexp(roll_below(d, 2) ? size : -size, power + (apart ? (int)(roll_below(d, apart) - apart / 2) : 0));
}

enum { MOST_IN_ROWS = 1500 };

/* So many rows of n numbers side by side. */
typedef struct rows_of_numbers {
  int64_t rows, n, size[2], shape[2], strides[2], length[1], indices[2 * MOST_IN_ROWS];
  union {
    double d[2 * MOST_IN_ROWS];
    float f[2 * MOST_IN_ROWS];
  } values;
  spw_tensor tensor;
} rows_of_numbers;

static void draw_rows(rows_of_numbers *r, spw_dtype dtype, int64_t rows, dice *d)
{
  static const int64_t aparts[] = {0, 20, 600, 2000};
  static const int powers[] = {0, 0, -535, 500}; /* squares that underflow, and that nearly overflow */
  const int64_t n = 1 + roll_below(d, MOST_IN_ROWS / rows), count = rows * n, apart = aparts[roll_below(d, 4)],
                parts = dtype >= SPW_COMPLEX64 ? 2 : 1;
  const bool special = roll_below(d, 4) == 0, wide = spw_dtype_size(dtype) == 8 * parts;
  const int power = powers[roll_below(d, 4)];
  for (int64_t i = 0; i < count * parts; i++) {
    const double x = number_of(d, power, apart, special);
    if (wide)
      r->values.d[i] = x;
    else
      r->values.f[i] = (float)x;
  }
  for (int64_t i = 0; i < count; i++) {
    r->indices[i] = i / n;
    r->indices[count + i] = i % n;
  }
  r->rows = r->size[0] = rows;
  r->n = r->size[1] = n;
  r->shape[0] = 2;
  r->shape[1] = r->strides[0] = r->length[0] = count;
  r->strides[1] = 1;
  r->tensor = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 2, .size = r->size, .coalesced = SPW_CLAIM_YES,
                           .plain = {{SPW_INT64, 2, r->shape, r->strides, 0, 2 * count}, .i64 = r->indices},
                           .values = {{dtype, 1, r->length, one, 0, count}, &r->values}};
}

/* Of the whole tensor and of its rows: sums that are near enough to decide, and sums that are not. */
Test(reduce_dims, long_norms, .timeout = 300)
{
  static const spw_dtype types[] = {SPW_FLOAT32, SPW_FLOAT64, SPW_COMPLEX64, SPW_COMPLEX128};
  static rows_of_numbers r;
  static magnitudes m;
  for (uint64_t seed = 0; seed < (SANITIZED ? 1000 : 6000); seed++) {
    dice d = {seed};
    const spw_dtype dtype = types[seed % 4], part = seed % 2 ? SPW_FLOAT64 : SPW_FLOAT32;
    const bool whole = roll_below(&d, 2);
    draw_rows(&r, dtype, 1 + roll_below(&d, 4), &d);
    const spw_dims_kind kind = dtype == part && roll_below(&d, 3) == 0 ? SPW_DIMS_NORM_1 : SPW_DIMS_NORM_2;
    spw_owned *const out = reduced(&r.tensor, kind, whole ? NULL : one, whole ? 0 : 1, SPW_DTYPE_NONE);
    const char *const got = spw_owned_tensor(out)->values.data, *const values = (const char *)&r.values;
    const int64_t rows = whole ? 1 : r.rows, n = whole ? r.rows * r.n : r.n;
    for (int64_t row = 0; row < rows; row++) {
      memset(&m, 0, sizeof m);
      for (int64_t i = row * n; i < (row + 1) * n; i++)
        magnitudes_add(&m, dtype, values + i * spw_dtype_size(dtype), kind == SPW_DIMS_NORM_1);
      cr_assert(magnitudes_give(&m, part, kind, got + row * spw_dtype_size(part)), "seed %d, row %d", (int)seed, (int)row);
    }
    spw_owned_free(out);
  }
}

/* Halfway between two numbers but for a term that sums in one or two doubles lose. */
Test(reduce_dims, norms_near_halfway)
{
  enum { COUNT = 40 };
  static rows_of_numbers r;
  dice d = {0};
  for (int wide = 0; wide < 2; wide++) {
    do draw_rows(&r, wide ? SPW_FLOAT64 : SPW_FLOAT32, 1, &d);
    while (r.n < COUNT);
    memset(&r.values, 0, sizeof r.values);
    const double terms[] = {1, wide ? 0x1p-53 : 0x1p-24, wide ? 0x1p-110 : 0x1p-60};
    for (int64_t i = 0; i < 3; i++)
      if (wide)
        r.values.d[8 * i] = terms[i];
      else
        r.values.f[8 * i] = (float)terms[i];
    spw_owned *const out = reduced(&r.tensor, SPW_DIMS_NORM_1, NULL, 0, SPW_DTYPE_NONE);
    const void *const got = spw_owned_tensor(out)->values.data;
    cr_assert(wide ? *(const double *)got == 1 + 0x1p-52 : *(const float *)got == 1 + 0x1p-23f);
    spw_owned_free(out);
  }
}

/* ---- Calls --------------------------------------------------------------------------------------- */

/* The largest element of a row of negative ones is the first that is not stored; -0 is as large as it. */
Test(reduce_dims, places)
{
  static const int64_t size[] = {3, 4}, shape[] = {2, 6}, strides[] = {6, 1}, nse[] = {6};
  static const int64_t indices[] = {0, 0, 1, 1, 1, 1, 0, 2, 0, 1, 2, 3}, last[] = {1};
  const double values[] = {-1, -2, 3, NAN, 3, NAN};
  const float zeros[] = {-0.0f, -1, -0.0f, -0.0f, 5, 5};
  const int64_t largest[] = {1, 1, 0}, smallest[] = {2, 1, 0}, of_zeros[] = {0, 2, 0};
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 12}, .i64 = indices},
                        .values = {{SPW_FLOAT64, 1, nse, one, 0, 6}, values}};
  spw_tensor z = t;
  z.values = (spw_value_array){{SPW_FLOAT32, 1, nse, one, 0, 6}, zeros};
  spw_owned *made = reduced(&t, SPW_DIMS_ARGMAX, last, 1, SPW_DTYPE_NONE);
  const spw_tensor *r = spw_owned_tensor(made);
  cr_assert(r->layout == SPW_COO && r->values.array.shape[0] == 2 && memcmp(r->values.data, largest, 16) == 0);
  spw_owned_free(made);
  made = reduced(&t, SPW_DIMS_ARGMIN, last, 1, SPW_DTYPE_NONE);
  cr_assert(memcmp(spw_owned_tensor(made)->values.data, smallest, 16) == 0);
  spw_owned_free(made);
  made = reduced(&z, SPW_DIMS_ARGMAX, last, 1, SPW_DTYPE_NONE);
  cr_assert(memcmp(spw_owned_tensor(made)->values.data, of_zeros, 16) == 0);
  spw_owned_free(made);
  made = reduced(&t, SPW_DIMS_ARGMAX, NULL, 0, SPW_DTYPE_NONE);
  r = spw_owned_tensor(made);
  cr_assert(r->layout == SPW_DENSE && r->ndim == 0 && *(const int64_t *)r->values.data == 5); /* the first NaN */
  spw_owned_free(made);
}

Test(reduce_dims, wrong_calls)
{
  const double x[] = {1, 2, 3, 4};
  const spw_tensor t = cube_of(SPW_FLOAT64, x, SPW_CLAIM_NO);
  const spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, t.values.array.shape, one, 0, 4}, x}};
  const int64_t dims[] = {0};
  const spw_dims_reduction sum = {.kind = SPW_DIMS_SUM};
  const spw_dims_reduction wrong[] = {{.kind = (spw_dims_kind)-1}, {.kind = (spw_dims_kind)(SPW_DIMS_IS_NONZERO + 1)},
                                      {.dims = dims, .count = -1}, {.count = 1}, {.dtype = (spw_dtype)SPW_DTYPE_COUNT},
                                      {.kind = SPW_DIMS_MAX, .dtype = SPW_FLOAT64}};
  spw_room room;
  spw_tensor result;
  spw_owned *made = NULL;
  for (int i = 0; i < 6; i++) cr_assert_eq(spw_reduce_dims_size(&t, &wrong[i], &room, NULL), SPW_EINVAL, "%d", i);
  cr_assert_eq(spw_reduce_dims_size(NULL, &sum, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_dims_size(&t, NULL, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_dims_size(&t, &sum, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_dims_size(&dense, &sum, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_dims(&t, &sum, NULL, &result, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_dims_new(&t, &sum, 0, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_dims_new(&t, &sum, 8, &made, NULL), SPW_ENOMEM);
}

/* Each buffer on the operand's arrays, on the request, and on another buffer. */
Test(reduce_dims, overlap)
{
  double x[40] = {1, 2, 3, 4}, out[40];
  int64_t dims[40], plain[40], dim[] = {0};
  _Alignas(16) char work[4096];
  const spw_tensor t = cube_of(SPW_FLOAT64, x, SPW_CLAIM_NO);
  spw_dims_reduction wanted[40] = {{.kind = SPW_DIMS_SUM, .dims = dim, .count = 1}};
  spw_buffers good = {.dims = dims, .plain_i64 = plain, .values = out, .work = work};
  spw_refusal refusal;
  spw_tensor result = {.ndim = -3};
  cr_assert_eq(spw_reduce_dims_size(&t, wanted, &good.room, NULL), SPW_OK);
  cr_assert(good.room.work <= sizeof work && good.room.dims <= 40 && good.room.plain <= 40 && good.room.values <= 40);
  void *const others[] = {x, wanted, out, plain};
  const int about[] = {0, 2, 2, 2};
  for (int i = 0; i < 4; i++)
    for (int which = 0; which < 3; which++) {
      spw_buffers bad = good;
      if (which == 0) bad.dims = others[i];
      if (which == 1) bad.values = others[i];
      if (which == 2) bad.plain_i64 = others[i];
      if ((which == 1 && others[i] == out) || (which == 2 && others[i] == plain)) continue;
      cr_assert_eq(spw_reduce_dims(&t, wanted, &bad, &result, &refusal), SPW_ERANGE, "%d on %d", which, i);
      cr_assert(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == about[i] && result.ndim == -3);
    }
  cr_assert_eq(spw_reduce_dims(&t, wanted, &good, &result, &refusal), SPW_OK);
  cr_assert(result.values.array.length == 3 && out[0] == 4 && out[1] == 2 && out[2] == 4);
}

/* Three elements in a space that nobody can go along. */
Test(reduce_dims, vast_sizes)
{
  const int64_t size[] = {(int64_t)1 << 31, (int64_t)1 << 31}, shape[] = {2, 3}, strides[] = {3, 1}, nse[] = {3};
  const int64_t indices[] = {1, 5, 2147483647, 5, 1, 0};
  const double x[] = {1, 2, 3};
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 6}, .i64 = indices},
                        .values = {{SPW_FLOAT64, 1, nse, one, 0, 3}, x}};
  const int64_t rows[] = {0}, columns[] = {1};
  const spw_reduction matrix = {SPW_REDUCE_SUM, SPW_EACH_MATRIX};
  spw_owned *made = NULL;
  expect_doubles(reduced(&t, SPW_DIMS_SUM, NULL, 0, SPW_DTYPE_NONE), SPW_DENSE, 1, (const double[]){6});
  expect_doubles(reduced(&t, SPW_DIMS_SUM, rows, 1, SPW_DTYPE_NONE), SPW_COO, 3, (const double[]){3, 2, 1});
  expect_doubles(reduced(&t, SPW_DIMS_MAX, columns, 1, SPW_DTYPE_NONE), SPW_COO, 3, (const double[]){1, 2, 3});
  cr_assert_eq(spw_reduce_new(&t, NULL, &matrix, 300, &made, NULL), SPW_OK);
  expect_doubles(made, SPW_DENSE, 1, (const double[]){6});
}
