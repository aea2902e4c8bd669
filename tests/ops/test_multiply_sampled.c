/* SPDX-License-Identifier: Apache-2.0 */
/* Products at stored positions: random tensors of every layout, random strides on all sides, and what must be refused. */
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../attempts/sampled_attempt.h"

#include <criterion/criterion.h>

Test(multiply_sampled, random_products, .timeout = 300)
{
  static operand o;
  static sampled_tally t;
  const uint64_t seeds = SANITIZED ? 6000 : 30000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    operand_random_sparse(&o, seed % 30 != 0, &d);
    const char *const wrong = attempt_sampled(&o.tensor, &d, &t);
    if (wrong) cr_assert(false, "seed %llu, layout %d: %s", (unsigned long long)seed, (int)o.tensor.layout, wrong);
    operand_free(&o);
  }
  const int64_t some = (int64_t)seeds / 300;
  cr_assert(t.results > 10 * some && t.worked > 5 * some && t.batched > some && t.too_short > 40 * some,
            "%lld %lld %lld %lld", (long long)t.results, (long long)t.worked, (long long)t.batched, (long long)t.too_short);
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++) cr_assert(t.by_layout[layout] > 20, "layout %d", layout);
  for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++) cr_assert(t.by_type[type] > 10, "type %d", type);
  const spw_obstacle met[] = {SPW_OBSTACLE_SHAPES, SPW_OBSTACLE_TYPES, SPW_OBSTACLE_HYBRID, SPW_OBSTACLE_DIMENSIONS};
  for (int i = 0; i < 4; i++) cr_assert(t.obstacles[met[i]] > 5, "obstacle %d", (int)met[i]);
  cr_assert(t.invalid > 5);
}

/* A dense matrix of any strides. */
static spw_tensor dense_of(spw_dtype dtype, const int64_t *shape, const int64_t *strides, int64_t length, const void *data)
{
  const spw_tensor t = {.layout = SPW_DENSE, .has_size = true, .ndim = 2, .size = shape, .coalesced = SPW_CLAIM_NONE,
                        .values = {{dtype, 2, shape, strides, 0, length}, data}};
  return t;
}

/* Strides of an array without an element may be any numbers: nothing is reckoned with them. */
Test(multiply_sampled, strides_of_nothing)
{
  const int32_t c[] = {0, 1, 1, 1}, p[] = {2};
  const float one[] = {1};
  const int64_t size[] = {3, 3}, four[] = {4}, single[] = {1}, step[] = {1};
  const int64_t wide[] = {3, 0}, far[] = {INT64_C(1) << 62, 1}, high[] = {0, 3}, near[] = {3, 1};
  const spw_tensor s = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT32, 1, four, step, 0, 4}, c, NULL, NULL},
                        .plain = {{SPW_INT32, 1, single, step, 0, 1}, p, NULL, NULL},
                        .values = {{SPW_FLOAT32, 1, single, step, 0, 1}, one}};
  const spw_tensor a = dense_of(SPW_FLOAT32, wide, far, 0, one);
  const spw_tensor b = dense_of(SPW_FLOAT32, high, near, 0, one);
  const spw_factors how = {0};
  spw_owned *result = NULL;
  cr_assert_eq(spw_sampled_multiply_new(&s, &a, &b, &how, 0, &result, NULL), SPW_OK);
  const float *const values = spw_owned_tensor(result)->values.data;
  cr_assert_eq(spw_owned_tensor(result)->values.array.length, 1);
  cr_assert(values[0] == 0);
  spw_owned_free(result);
}

/* The stride of a dimension of one entry may be any number, too, where the line has to be copied. */
Test(multiply_sampled, strides_of_one_line)
{
  const int32_t c[] = {0, 1}, p[] = {0};
  const double one[] = {1}, x[] = {2, 77, 3}, y[] = {5, 7};
  const int64_t size[] = {1, 1}, two[] = {2}, single[] = {1}, step[] = {1};
  const int64_t wide[] = {1, 2}, far[] = {INT64_MAX, 2}, high[] = {2, 1}, down[] = {1, INT64_MAX};
  const spw_tensor s = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT32, 1, two, step, 0, 2}, c, NULL, NULL},
                        .plain = {{SPW_INT32, 1, single, step, 0, 1}, p, NULL, NULL},
                        .values = {{SPW_FLOAT64, 1, single, step, 0, 1}, one}};
  const spw_tensor a = dense_of(SPW_FLOAT64, wide, far, 3, x);
  const spw_tensor b = dense_of(SPW_FLOAT64, high, down, 2, y);
  const spw_factors how = {0};
  spw_owned *result = NULL;
  cr_assert_eq(spw_sampled_multiply_new(&s, &a, &b, &how, 0, &result, NULL), SPW_OK);
  cr_assert_eq(*(const double *)spw_owned_tensor(result)->values.data, 2 * 5 + 3 * 7);
  spw_owned_free(result);
}

/* 2^40 batches of COO, of which one has an element, and dense operands that are the same in all: none is gone through. */
static void expect_of_many_batches(int64_t depth, const int64_t *steps_b, const void *alpha, float wanted)
{
  const int64_t many = (int64_t)1 << 40, size[] = {many, 1, 1}, of_a[] = {many, 1, depth}, of_b[] = {many, depth, 1};
  const int64_t at[] = {many - 1, 0, 0}, indices[] = {3, 1}, single[] = {1}, down[] = {1, 1}, stay[] = {0, 0, 1};
  const float three[] = {3}, two[] = {2};
  const spw_tensor s = {.layout = SPW_COO, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, indices, down, 0, 3}, .i64 = at},
                        .values = {{SPW_FLOAT32, 1, single, down, 0, 1}, three}};
  const spw_tensor a = {.layout = SPW_DENSE, .has_size = true, .ndim = 3, .size = of_a, .coalesced = SPW_CLAIM_NONE,
                        .values = {{SPW_FLOAT32, 3, of_a, stay, 0, 1}, three}};
  const spw_tensor b = {.layout = SPW_DENSE, .has_size = true, .ndim = 3, .size = of_b, .coalesced = SPW_CLAIM_NONE,
                        .values = {{SPW_FLOAT32, 3, of_b, steps_b, 0, 1}, two}};
  const spw_factors how = {.alpha = alpha};
  spw_owned *result = NULL;
  cr_assert_eq(spw_sampled_multiply_new(&s, &a, &b, &how, 0, &result, NULL), SPW_OK);
  cr_assert(*(const float *)spw_owned_tensor(result)->values.data == wanted);
  spw_owned_free(result);
}

Test(multiply_sampled, many_batches_in_one_place, .timeout = 60)
{
  static const int64_t stay[] = {0, 0, 1}, out_of_order[] = {0, 0, 2};
  static const float zero = 0;
  expect_of_many_batches(1, stay, NULL, 6);
  expect_of_many_batches(1, stay, &zero, 0);
  expect_of_many_batches(0, out_of_order, NULL, 0);
}
