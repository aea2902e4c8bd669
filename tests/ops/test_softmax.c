/* SPDX-License-Identifier: Apache-2.0 */
/* Softmax against a second opinion (softmaxed.h): random tensors of every layout; numbers that are known; sizes that nobody
   can go
 * along; and calls that are wrong. */
#include "../expected/scalar.h"
#include "../expected/softmaxed.h"
#include "../operands/operand.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* A tensor of the types that have a softmax, four times in five. */
static void draw_operand(operand *o, dice *d)
{
  const bool any = roll_below(d, 5) == 0;
  for (int tries = 0; tries < 8; tries++) {
    operand_random_sparse(o, true, d);
    const spw_dtype dtype = o->tensor.values.array.dtype;
    if (any || tries == 7 || (dtype >= SPW_FLOAT16 && dtype <= SPW_FLOAT64)) return;
    operand_free(o);
  }
}

Test(softmax, random_tensors, .timeout = 300)
{
  static operand o;
  static int64_t results[SPW_LAYOUT_COUNT][2], types[SPW_DTYPE_COUNT];
  int64_t refused = 0, dense = 0;
  const uint64_t seeds = SANITIZED ? 30000 : 100000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    spw_softmax_request w;
    spw_numbers n;
    spw_status status;
    bool seen;
    draw_operand(&o, &d);
    const spw_tensor *const t = &o.tensor;
    const char *const wrong = attempt_any_softmax(t, &d, &w, &status, &seen);
    cr_assert(!wrong, "seed %llu: layout %d, type %d, dim %lld, %d: %s", (unsigned long long)seed, (int)t->layout,
              (int)t->values.array.dtype, (long long)w.dim, w.logarithm, wrong);
    refused += status != SPW_OK;
    if (status == SPW_OK && seen && spw_numbers_of(t, &n) == SPW_OK && n.nse > 1) {
      results[t->layout][w.logarithm]++;
      types[t->values.array.dtype]++;
      dense += n.dense_dims > 0;
    }
    operand_free(&o);
  }
  const int64_t some = (int64_t)seeds / 30000;
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++)
    for (int k = 0; k < 2; k++) cr_assert(results[layout][k] > 100 * some, "layout %d: %lld", layout,
                                          (long long)results[layout][k]);
  for (int type = SPW_FLOAT16; type <= SPW_FLOAT64; type++) cr_assert(types[type] > 100 * some, "type %d", type);
  cr_assert(refused > 100 * some && dense > 100 * some, "%lld %lld", (long long)refused, (long long)dense);
  expect_no_leaks();
}

/* ---- Numbers that are known ---------------------------------------------------------------------- */

static const int64_t one[] = {1};

/* One row of so many elements in a vast matrix. */
static void expect_row(spw_dtype dtype, const void *values, int64_t n, bool logarithm, const double *want)
{
  static const int64_t size[] = {100000000000, 50000000}, c[] = {5, 5, 5, 5, 1, 3, 7, 9};
  const int64_t shape[] = {2, n}, strides[] = {4, 1}, nse[] = {n};
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 8}, .i64 = c},
                        .values = {{dtype, 1, nse, one, 0, n}, values}};
  const spw_softmax_request wanted = {-1, logarithm};
  spw_owned *made = NULL;
  cr_assert_eq(spw_softmax_new(&t, &wanted, 2000, &made, NULL), SPW_OK);
  const char *const got = spw_owned_tensor(made)->values.data;
  for (int64_t i = 0; i < n; i++) {
    const uint64_t bits = scalar_of_double(dtype, want[i]);
    cr_assert(scalar_same(dtype, &bits, got + i * spw_dtype_size(dtype), true), "%lld of type %d", (long long)i, (int)dtype);
  }
  spw_owned_free(made);
}

Test(softmax, known_numbers)
{
  const float big[] = {1e30f, 1e30f}, zero[] = {-0.0f}, infinite[] = {-INFINITY, -INFINITY}, with_nan[] = {1, NAN};
  const float some[] = {-INFINITY, 2};
  const double near[] = {1e9, 1e9 + 1};
  expect_row(SPW_FLOAT32, big, 2, false, (const double[]){0.5, 0.5});
  expect_row(SPW_FLOAT32, big, 2, true, (const double[]){-0x1.62e43p-1, -0x1.62e43p-1});
  expect_row(SPW_FLOAT32, zero, 1, true, (const double[]){0});
  expect_row(SPW_FLOAT32, zero, 1, false, (const double[]){1});
  expect_row(SPW_FLOAT32, infinite, 2, false, (const double[]){NAN, NAN});
  expect_row(SPW_FLOAT32, with_nan, 2, true, (const double[]){NAN, NAN});
  expect_row(SPW_FLOAT32, some, 2, false, (const double[]){0, 1});
  expect_row(SPW_FLOAT32, some, 2, true, (const double[]){-INFINITY, 0});
  expect_row(SPW_FLOAT64, near, 2, true, (const double[]){-1.3132616875182228, -0.31326168751822286});
}

/* ---- Calls --------------------------------------------------------------------------------------- */

Test(softmax, wrong_calls)
{
  const int64_t size[] = {3}, shape[] = {1, 2}, strides[] = {2, 1}, nse[] = {2}, indices[] = {0, 2};
  float x[] = {1, 2};
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 1, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 2}, .i64 = indices},
                        .values = {{SPW_FLOAT32, 1, nse, one, 0, 2}, x}};
  const spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT32, 1, nse, one, 0, 2}, x}};
  const spw_softmax_request wanted = {0, false};
  int64_t dims[16], plain[2];
  float out[2];
  _Alignas(16) char work[256];
  spw_buffers b = {.dims = dims, .plain_i64 = plain, .values = out, .work = work};
  spw_room room;
  spw_tensor result = {.ndim = -3};
  spw_owned *made = NULL;
  spw_refusal refusal;
  cr_assert_eq(spw_softmax_size(NULL, &wanted, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_softmax_size(&t, NULL, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_softmax_size(&t, &wanted, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_softmax_size(&dense, &wanted, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_softmax(&t, &wanted, NULL, &result, NULL), SPW_EINVAL);
  cr_assert_eq(spw_softmax(&t, &wanted, &b, &result, NULL), SPW_EINVAL);
  cr_assert_eq(spw_softmax_new(&t, &wanted, 0, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_softmax_new(&t, &wanted, 8, &made, NULL), SPW_ENOMEM);
  cr_assert_eq(spw_softmax_size(&t, &wanted, &b.room, NULL), SPW_OK);
  cr_assert(b.room.work <= sizeof work && b.room.dims <= 16);
  spw_buffers bad = b;
  bad.values = x;
  cr_assert_eq(spw_softmax(&t, &wanted, &bad, &result, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == 0 && result.ndim == -3 && x[0] == 1);
  bad = b;
  bad.values = plain;
  cr_assert_eq(spw_softmax(&t, &wanted, &bad, &result, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == 2);
  cr_assert_eq(spw_softmax(&t, &wanted, &b, &result, &refusal), SPW_OK);
  cr_assert(out[0] + out[1] == 1 && plain[1] == 2);
}
