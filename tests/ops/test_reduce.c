/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions against a second opinion (reduced.h): random tensors of every layout and type, with and without a dense operand;
 * what layouts and products have to do with them; numbers that are known; and calls that are wrong. */
#include "../attempts/fenced.h"
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../expected/reduced.h"
#include "../expected/scalar.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { KINDS = REDUCED_KINDS, SPANS = SPW_EACH_MATRIX + 1 };

Test(reduce, random_reductions, .timeout = 300)
{
  static operand o;
  static int64_t results[SPW_LAYOUT_COUNT][KINDS][SPANS], with[SPW_LAYOUT_COUNT][KINDS], types[SPW_DTYPE_COUNT][KINDS];
  int64_t refused = 0, batched = 0, twice = 0;
  const uint64_t seeds = SANITIZED ? 60000 : 200000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    spw_reduction w;
    spw_numbers n;
    spw_status status;
    bool dense, seen;
    operand_random_sparse(&o, true, &d);
    const spw_tensor *const a = &o.tensor;
    const char *const wrong = attempt_any_reduction(a, &d, &w, &dense, &status, &seen);
    cr_assert(!wrong, "seed %llu: layout %d, type %d, kind %d, span %d, %s: %s", (unsigned long long)seed, (int)a->layout,
              (int)a->values.array.dtype, (int)w.kind, (int)w.span, dense ? "with b" : "alone", wrong);
    refused += status != SPW_OK;
    if (status == SPW_OK && seen && spw_numbers_of(a, &n) == SPW_OK && n.nse > 0) {
      if (dense) with[a->layout][w.kind]++;
      else results[a->layout][w.kind][w.span]++;
      types[a->values.array.dtype][w.kind]++;
      batched += a->ndim > 2;
      twice += a->layout == SPW_COO && a->coalesced != SPW_CLAIM_YES && n.nse > 1;
    }
    operand_free(&o);
  }
  const int64_t some = (int64_t)seeds / 60000;
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++)
    for (int kind = 0; kind < KINDS; kind++) {
      cr_assert(with[layout][kind] > 3 * some, "layout %d, kind %d: %lld", layout, kind, (long long)with[layout][kind]);
      for (int span = 0; span < SPANS; span++)
        cr_assert(results[layout][kind][span] > some, "layout %d, kind %d, span %d: %lld", layout, kind, span,
                  (long long)results[layout][kind][span]);
    }
  for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++) cr_assert(types[type][SPW_REDUCE_SUM] > 20 * some, "type %d", type);
  for (int type = SPW_BOOL; type < SPW_COMPLEX64; type++) cr_assert(types[type][SPW_REDUCE_AMIN] > 5 * some, "type %d", type);
  cr_assert(refused > 100 * some && batched > 100 * some && twice > 10 * some, "%lld %lld %lld", (long long)refused,
            (long long)batched, (long long)twice);
  expect_no_leaks();
}

/* ---- What layouts and products have to do with them ---------------------------------------------- */

static spw_owned *reduced(const spw_tensor *a, const spw_tensor *b, spw_reduction_kind kind, spw_reduction_span span)
{
  const spw_reduction w = {kind, span};
  spw_owned *made = NULL;
  return spw_reduce_new(a, b, &w, 0, &made, NULL) == SPW_OK ? made : NULL;
}

static bool same_bits(const spw_owned *x, const spw_owned *y)
{
  const spw_value_array *const a = &spw_owned_tensor(x)->values, *const b = &spw_owned_tensor(y)->values;
  const int64_t size = spw_dtype_size(a->array.dtype);
  if (a->array.length != b->array.length || a->array.dtype != b->array.dtype) return false;
  for (int64_t i = 0; i < a->array.length; i++)
    if (!scalar_same(a->array.dtype, (const char *)a->data + i * size, (const char *)b->data + i * size, true)) return false;
  return true;
}

/* Compares what all layouts give, blocks of `block` by `block`; how often. */
static int64_t compare_layouts(const spw_tensor *rows, int64_t block, uint64_t seed)
{
  int64_t compared = 0;
  for (int layout = SPW_COO; layout <= SPW_BSC; layout++) {
    spw_owned *other = NULL;
    const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
    const spw_conversion to = conversion_to((spw_layout)layout, blocks ? block : 0, blocks ? block : 0);
    if (spw_convert_new(rows, &to, 1 << 20, &other, NULL) != SPW_OK) continue;
    for (int i = 0; i < KINDS * SPANS; i++) {
      const spw_reduction_kind kind = (spw_reduction_kind)(i % KINDS);
      const spw_reduction_span span = (spw_reduction_span)(i / KINDS);
      spw_owned *const x = reduced(rows, NULL, kind, span);
      spw_owned *const y = reduced(spw_owned_tensor(other), NULL, kind, span);
      cr_assert((x == NULL) == (y == NULL), "seed %llu", (unsigned long long)seed);
      if (x)
        cr_assert(same_bits(x, y), "seed %llu: layout %d, kind %d, span %d", (unsigned long long)seed, layout, i % KINDS,
                  i / KINDS);
      compared += x != NULL && layout != SPW_CSR;
      spw_owned_free(x);
      spw_owned_free(y);
    }
    spw_owned_free(other);
  }
  return compared;
}

/* Every layout gives the same bits; and, where nothing is added to or left out, so does COO. */
Test(reduce, layouts)
{
  static operand o;
  int64_t compared = 0;
  for (uint64_t seed = 0; seed < 6000; seed++) {
    dice d = {seed};
    operand_random_sparse(&o, true, &d);
    const spw_tensor *const a = &o.tensor;
    const spw_conversion csr = conversion_to(SPW_CSR, 0, 0);
    spw_owned *rows = NULL;
    const bool some = a->layout != SPW_COO || a->coalesced == SPW_CLAIM_YES;
    if (some && a->ndim == 2 && spw_convert_new(a, &csr, 1 << 20, &rows, NULL) == SPW_OK)
      compared += compare_layouts(spw_owned_tensor(rows), 1, seed);
    spw_owned_free(rows);
    operand_free(&o);
  }
  cr_assert(compared > 3000, "%lld", (long long)compared);
}

/* More elements than are listed at a time, in blocks without a hole, in which no element is 0. */
Test(reduce, many_elements)
{
  static operand o;
  const int64_t shape[] = {36, 48};
  dice d = {29};
  operand_dense(&o, SPW_FLOAT64, 2, shape);
  for (int64_t i = 0; i < shape[0] * shape[1]; i++) ((double *)o.values)[i] = (double)(1 + roll_below(&d, 1 << 30)) / 3 - 1e8;
  const spw_conversion csr = conversion_to(SPW_CSR, 0, 0);
  spw_owned *rows = NULL;
  cr_assert_eq(spw_convert_new(&o.tensor, &csr, 0, &rows, NULL), SPW_OK);
  cr_assert_eq(spw_owned_tensor(rows)->values.array.length, shape[0] * shape[1]);
  for (int64_t block = 1; block <= 4; block++)
    cr_assert_eq(compare_layouts(spw_owned_tensor(rows), block, (uint64_t)block), (SPW_LAYOUT_COUNT - 1) * KINDS * SPANS);
  spw_owned_free(rows);
  operand_free(&o);
}

/* A sum with a dense operand is the product; and a sum alone is the product with ones, of numbers that have one part. */
Test(reduce, products)
{
  static operand o, b;
  int64_t compared = 0, ones = 0;
  for (uint64_t seed = 0; seed < 8000; seed++) {
    dice d = {seed};
    operand_random_sparse(&o, true, &d);
    const spw_tensor *const a = &o.tensor;
    const spw_dtype dtype = a->values.array.dtype;
    if (a->has_size && a->ndim == 2 && a->size[1] < 500) {
      const int64_t shape[] = {a->size[1], 1 + roll_below(&d, 3)};
      operand_dense(&b, dtype, 2, shape);
      if (roll_below(&d, 2)) operand_draw_values(&b, 0x1f, &d);
      else
        for (int64_t i = 0; i < shape[0] * shape[1]; i++) scalar_one(dtype, (char *)b.values + i * spw_dtype_size(dtype));
      spw_owned *product = NULL;
      spw_owned *const sum = reduced(a, &b.tensor, SPW_REDUCE_SUM, SPW_EACH_ROW);
      const spw_status status = spw_multiply_new(a, &b.tensor, 0, &product, NULL);
      cr_assert((sum != NULL) == (status == SPW_OK), "seed %llu", (unsigned long long)seed);
      if (sum) cr_assert(same_bits(sum, product), "seed %llu", (unsigned long long)seed);
      compared += sum != NULL;
      spw_owned_free(product);
      spw_owned_free(sum);
      operand_free(&b);
      const int64_t length[] = {a->size[1]};
      operand_dense(&b, dtype, 1, length);
      for (int64_t i = 0; i < length[0]; i++) scalar_one(dtype, (char *)b.values + i * spw_dtype_size(dtype));
      spw_owned *const alone = dtype < SPW_COMPLEX64 ? reduced(a, NULL, SPW_REDUCE_SUM, SPW_EACH_ROW) : NULL;
      product = NULL;
      if (alone) {
        cr_assert(spw_multiply_new(a, &b.tensor, 0, &product, NULL) == SPW_OK);
        cr_assert(same_bits(alone, product), "seed %llu", (unsigned long long)seed);
        ones++;
      }
      spw_owned_free(product);
      spw_owned_free(alone);
      operand_free(&b);
    }
    operand_free(&o);
  }
  cr_assert(compared > 1000 && ones > 1000, "%lld %lld", (long long)compared, (long long)ones);
}

/* ---- Numbers that are known ---------------------------------------------------------------------- */

static const int64_t one[] = {1};

/* Three rows of three columns: the values, none, and -0. */
static spw_tensor matrix_of(const int64_t *count, const int64_t *size, const int64_t *c, const int64_t *p, spw_dtype dtype,
                            const void *values)
{
  static const int64_t rows[] = {4};
  return (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                      .compressed = {{SPW_INT64, 1, rows, one, 0, 4}, NULL, c, c},
                      .plain = {{SPW_INT64, 1, count, one, 0, *count}, NULL, p, p},
                      .values = {{dtype, 1, count, one, 0, *count}, values}};
}

static void expect_doubles(const double *values, spw_reduction_kind kind, spw_reduction_span span, int64_t n, const double *want)
{
  const int64_t count[] = {4}, size[] = {3, 3}, c[] = {0, 3, 3, 4}, p[] = {0, 1, 2, 1};
  const spw_tensor a = matrix_of(count, size, c, p, SPW_FLOAT64, values);
  spw_owned *const made = reduced(&a, NULL, kind, span);
  cr_assert(made);
  const spw_tensor *const r = spw_owned_tensor(made);
  cr_assert_eq(r->values.array.length, n);
  for (int64_t i = 0; i < n; i++)
    cr_assert(scalar_same(SPW_FLOAT64, want + i, (const double *)r->values.data + i, true), "kind %d, span %d: %lld is %g",
              (int)kind, (int)span, (long long)i, ((const double *)r->values.data)[i]);
  spw_owned_free(made);
}

Test(reduce, known_numbers)
{
  const double x[] = {1, 0x1p53, 1, -0.0}, zeros[] = {-0.0, 0.0, -0.0, -0.0}, nans[] = {INFINITY, NAN, -INFINITY, -0.0};
  expect_doubles(x, SPW_REDUCE_SUM, SPW_EACH_ROW, 3, (const double[]){0x1p53, 0, 0});
  expect_doubles(x, SPW_REDUCE_SUM, SPW_EACH_COLUMN, 3, (const double[]){1, 0x1p53, 1});
  expect_doubles(x, SPW_REDUCE_SUM, SPW_EACH_MATRIX, 1, (const double[]){0x1p53});
  expect_doubles(x, SPW_REDUCE_MEAN, SPW_EACH_ROW, 3, (const double[]){0x1p53 / 3, 0, 0});
  expect_doubles(x, SPW_REDUCE_MEAN, SPW_EACH_MATRIX, 1, (const double[]){0x1p51});
  expect_doubles(x, SPW_REDUCE_AMIN, SPW_EACH_ROW, 3, (const double[]){1, 0, -0.0});
  expect_doubles(x, SPW_REDUCE_AMIN, SPW_EACH_MATRIX, 1, (const double[]){-0.0});
  expect_doubles(zeros, SPW_REDUCE_AMAX, SPW_EACH_ROW, 3, (const double[]){0, 0, -0.0});
  expect_doubles(zeros, SPW_REDUCE_AMAX, SPW_EACH_COLUMN, 3, (const double[]){-0.0, 0, -0.0});
  expect_doubles(zeros, SPW_REDUCE_AMIN, SPW_EACH_ROW, 3, (const double[]){-0.0, 0, -0.0});
  expect_doubles(zeros, SPW_REDUCE_SUM, SPW_EACH_ROW, 3, (const double[]){0, 0, 0});
  expect_doubles(nans, SPW_REDUCE_AMAX, SPW_EACH_ROW, 3, (const double[]){NAN, 0, -0.0});
  expect_doubles(nans, SPW_REDUCE_AMIN, SPW_EACH_COLUMN, 3, (const double[]){INFINITY, NAN, -INFINITY});
}

/* 2049 ones of float16: added in float, where float16 stays at 2048; divided before it is rounded. */
/* Elements of different matrices of COO with two batch dimensions. */
Test(reduce, batches_of_coo)
{
  const int64_t size[] = {2, 3, 2, 2}, shape[] = {4, 3}, strides[] = {3, 1}, nse[] = {3};
  const int64_t indices[] = {1, 0, 1, 0, 1, 2, 0, 1, 1, 1, 0, 1};
  const double values[] = {5, 7, 9}, want[12] = {[3] = 7, [6] = 5, [11] = 9};
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 4, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 12}, .i64 = indices},
                        .values = {{SPW_FLOAT64, 1, nse, one, 0, 3}, values}};
  spw_owned *const made = reduced(&a, NULL, SPW_REDUCE_SUM, SPW_EACH_ROW);
  const spw_tensor *const r = spw_owned_tensor(made);
  cr_assert(r->ndim == 3 && r->size[0] == 2 && r->size[1] == 3 && r->size[2] == 2);
  cr_assert_eq(memcmp(r->values.data, want, sizeof want), 0);
  spw_owned_free(made);
}

Test(reduce, halves_are_rounded_once)
{
  enum { MANY = 2050 };
  static int64_t p[MANY];
  static uint16_t ones[MANY];
  const int64_t count[] = {MANY}, size[] = {3, MANY}, c[] = {0, MANY, MANY, MANY};
  for (int64_t i = 0; i < MANY; i++) p[i] = i, ones[i] = 0x3c00;
  const spw_tensor a = matrix_of(count, size, c, p, SPW_FLOAT16, ones);
  spw_owned *const sum = reduced(&a, NULL, SPW_REDUCE_SUM, SPW_EACH_ROW);
  spw_owned *const mean = reduced(&a, NULL, SPW_REDUCE_MEAN, SPW_EACH_ROW);
  cr_assert(sum && mean);
  cr_assert_eq(*(const uint16_t *)spw_owned_tensor(sum)->values.data, scalar_of_double(SPW_FLOAT16, 2050));
  cr_assert_eq(*(const uint16_t *)spw_owned_tensor(mean)->values.data, 0x3c00);
  spw_owned_free(sum);
  spw_owned_free(mean);
}

/* ---- Calls --------------------------------------------------------------------------------------- */

Test(reduce, wrong_calls)
{
  const double values[] = {1, 2, 3, 4};
  const int64_t count[] = {4}, size[] = {3, 3}, c[] = {0, 3, 3, 4}, p[] = {0, 1, 2, 1};
  const spw_tensor a = matrix_of(count, size, c, p, SPW_FLOAT64, values);
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, size + 1, one, 0, 3}, values}};
  const spw_reduction sum = {SPW_REDUCE_SUM, SPW_EACH_ROW}, columns = {SPW_REDUCE_SUM, SPW_EACH_COLUMN};
  const spw_reduction kinds[] = {{(spw_reduction_kind)KINDS, SPW_EACH_ROW}, {(spw_reduction_kind)-1, SPW_EACH_ROW},
                                 {SPW_REDUCE_SUM, (spw_reduction_span)3}, {SPW_REDUCE_SUM, (spw_reduction_span)-1}};
  spw_room room;
  spw_tensor result;
  spw_owned *made = NULL;
  for (int i = 0; i < 4; i++) cr_assert_eq(spw_reduce_size(&a, NULL, &kinds[i], &room, NULL), SPW_EINVAL, "%d", i);
  cr_assert_eq(spw_reduce_size(NULL, NULL, &sum, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_size(&a, NULL, NULL, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_size(&a, NULL, &sum, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_size(&b, NULL, &sum, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_size(&a, &a, &sum, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_size(&a, &b, &columns, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce(&a, NULL, &sum, NULL, &result, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_new(&a, NULL, &sum, 0, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_reduce_new(&a, NULL, &sum, 8, &made, NULL), SPW_ENOMEM);
  cr_assert_eq(spw_reduce_size(&a, &b, &sum, &room, NULL), SPW_OK);
}

Test(reduce, invalid_operands)
{
  const double values[] = {1, 2, 3, 4};
  const int64_t count[] = {4}, size[] = {3, 3}, c[] = {0, 3, 3, 4}, p[] = {0, 1, 3, 1}, stride[] = {-1};
  const spw_tensor a = matrix_of(count, size, c, p, SPW_FLOAT64, values);
  const int64_t fine[] = {0, 1, 2, 1};
  const spw_tensor good = matrix_of(count, size, c, fine, SPW_FLOAT64, values);
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, size, stride, 0, 3}, values}};
  const spw_reduction sum = {SPW_REDUCE_SUM, SPW_EACH_ROW};
  spw_room room;
  spw_refusal refusal = {.operand = -5};
  cr_assert_eq(spw_reduce_size(&a, NULL, &sum, &room, &refusal), SPW_EINVALID);
  cr_assert(refusal.operand == 0 && refusal.violation.rule != SPW_RULE_NONE);
  refusal.operand = -5;
  cr_assert_eq(spw_reduce_size(&good, &b, &sum, &room, &refusal), SPW_EINVALID);
  cr_assert_eq(refusal.operand, 1);
}

/* Each buffer on each array of the operands, and on another buffer. */
Test(reduce, overlap)
{
  double values[32] = {1, 2, 3, 4}, dense[32] = {1, 2, 3};
  /* with room behind them, so that the workspace reaches one of them at a time */
  int64_t count[32] = {4}, size[32] = {3, 3}, c[32] = {0, 3, 3, 4}, p[32] = {0, 1, 2, 1}, dims[32];
  _Alignas(16) char work[256];
  double out[32] = {7, 7, 7};
  const spw_tensor a = matrix_of(count, size, c, p, SPW_FLOAT64, values);
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, size, one, 0, 3}, dense}};
  const spw_reduction sum = {SPW_REDUCE_SUM, SPW_EACH_ROW};
  const spw_reduction columns = {SPW_REDUCE_SUM, SPW_EACH_COLUMN};
  spw_buffers good = {.dims = dims, .values = out, .work = work};
  spw_refusal refusal;
  spw_tensor result = {.ndim = -3};
  cr_assert_eq(spw_reduce_size(&a, &b, &sum, &good.room, NULL), SPW_OK);
  cr_assert(good.room.work > 0 && good.room.work <= sizeof work && good.room.dims == 2);
  void *const others[] = {values, c, p, dense, out, work, size, (void *)(uintptr_t)a.compressed.array.shape, count};
  const int about[] = {0, 0, 0, 1, 2, 2, 0, 0, 0};
  for (int i = 0; i < 9; i++)
    for (int which = 0; which < 3; which++) {
      spw_buffers bad = good;
      if (which == 0) bad.dims = others[i];
      if (which == 1) bad.values = others[i];
      if (which == 2) bad.work = others[i];
      if ((which == 1 && others[i] == out) || (which == 2 && others[i] == work)) continue;
      cr_assert_eq(spw_reduce(&a, &b, &sum, &bad, &result, &refusal), SPW_ERANGE, "%d on %d", which, i);
      cr_assert(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == about[i], "%d on %d: %d", which, i,
                refusal.operand);
      cr_assert(result.ndim == -3 && out[0] == 7);
    }
  spw_buffers bad = good;
  bad.dims = (int64_t *)(void *)work;
  cr_assert_eq(spw_reduce(&a, NULL, &columns, &bad, &result, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == 2 && result.ndim == -3, "%d", refusal.operand);
  union {
    spw_buffers buffers;
    char work[sizeof work];
  } lent = {.buffers = good}; /* the buffers' own struct */
  lent.buffers.work = lent.work;
  cr_assert_eq(spw_reduce(&a, &b, &sum, &lent.buffers, &result, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == 2 && result.ndim == -3, "%d", refusal.operand);
  cr_assert_eq(spw_reduce(&a, &b, &sum, &good, &result, &refusal), SPW_OK);
  cr_assert(out[0] == 14 && out[1] == 0 && out[2] == 8);
}

/* Nothing is stored: nothing is read, however large what might be there; and a result that no memory holds is refused. */
Test(reduce, nothing_and_too_much)
{
  const int64_t none[] = {0}, two[] = {2, 0}, vast[] = {(int64_t)1 << 40, 3}, strides[] = {1, 1}, shape[] = {3, (int64_t)1 << 30};
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = vast, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, two, strides, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_INT8, 1, none, one, 0, 0}, NULL}};
  const int64_t zero[] = {0, 0};
  const int8_t byte = 1;
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_INT8, 2, shape, zero, 0, 1}, &byte}};
  const spw_reduction columns = {SPW_REDUCE_AMAX, SPW_EACH_COLUMN}, sum = {SPW_REDUCE_SUM, SPW_EACH_ROW};
  spw_room room;
  spw_refusal refusal;
  spw_owned *made = NULL;
  cr_assert_eq(spw_reduce_new(&a, NULL, &columns, 1000, &made, NULL), SPW_OK);
  for (int i = 0; i < 3; i++) cr_assert_eq(((const int8_t *)spw_owned_tensor(made)->values.data)[i], 0);
  spw_owned_free(made);
  cr_assert_eq(spw_reduce_size(&a, NULL, &sum, &room, NULL), SPW_OK);
  cr_assert(room.values == vast[0] && room.work == 0);
  cr_assert_eq(spw_reduce_size(&a, &b, &sum, &room, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_SIZE && refusal.operand == 2);
}
