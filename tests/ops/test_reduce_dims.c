/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions over dimensions against a second opinion (reduced_dims.h): random tensors of every layout and type; numbers that are
 * known; and calls that are wrong. */
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
