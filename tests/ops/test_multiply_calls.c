/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of products that are wrong, refused, or at the ends of ranges: statuses with their numbers, and nothing written. */
#include "../../src/sparsewright.h"
#include "../operands/specimen.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF ((int64_t)1 << 40) /* its square is beyond int64 */

static const int64_t ones[] = {1, 1, 1, 1};

static spw_array dense_array(int64_t ndim, const int64_t *shape, const int64_t *strides, int64_t length)
{
  return (spw_array){SPW_FLOAT64, ndim, shape, strides, 0, length};
}

static spw_tensor dense(int64_t ndim, const int64_t *shape, const int64_t *strides, const double *data, int64_t length)
{
  return (spw_tensor){.layout = SPW_DENSE, .values = {dense_array(ndim, shape, strides, length), data}};
}

/* 2 x 3, CSR: [1 0 2; 0 3 0]. */
static const int64_t size_2_3[] = {2, 3}, three[] = {3}, starts[] = {0, 2, 3}, columns[] = {0, 2, 1};
static const double elements[] = {1, 2, 3};

static spw_tensor small_csr(void)
{
  return (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size_2_3, .coalesced = SPW_CLAIM_NONE,
                      .compressed = {{SPW_INT64, 1, three, ones, 0, 3}, NULL, starts, starts},
                      .plain = {{SPW_INT64, 1, three, ones, 0, 3}, NULL, columns, columns},
                      .values = {{SPW_FLOAT64, 1, three, ones, 0, 3}, elements}};
}

static spw_status multiply(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                           spw_refusal *why)
{
  size_t bytes = 0;
  spw_status status = spw_multiply_size(a, b, how, c, &bytes, why);
  if (status != SPW_OK) {
    cr_assert_eq(bytes, 0);
    return status;
  }
  cr_assert(bytes < 1 << 20, "%zu bytes of workspace", bytes);
  void *const work = malloc(bytes + 1);
  if (!work) abort();
  status = spw_multiply(a, b, how, c, work, bytes, why);
  free(work);
  return status;
}

/* alpha == 0: operands are not read, and no workspace is asked for, which would be beyond int64 for them. */
Test(multiply_calls, alpha_of_zero_takes_no_workspace)
{
  const int64_t inner = (int64_t)1 << 60, size[] = {2, inner}, in[] = {inner, 4}, across[] = {0, 1}, out[] = {2, 4};
  const int64_t none[] = {0}, by_row[] = {4, 1}, no_starts[] = {0, 0, 0};
  const double x[] = {NAN, NAN, NAN, NAN}, zero = 0, two = 2;
  double y[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, three, ones, 0, 3}, .i64 = no_starts},
                        .plain = {{SPW_INT64, 1, none, ones, 0, 0}, .i64 = no_starts},
                        .values = {{SPW_FLOAT64, 1, none, ones, 0, 0}, x}};
  const spw_tensor b = dense(2, in, across, x, 4);
  const spw_output c = {dense_array(2, out, by_row, 8), y};
  const spw_factors how = {.alpha = &zero, .beta = &two}, all = {0};
  size_t bytes = 77;
  cr_assert_eq(spw_multiply_size(&a, &b, &all, &c, &bytes, NULL), SPW_ERANGE);
  cr_assert_eq(spw_multiply_size(&a, &b, &how, &c, &bytes, NULL), SPW_OK);
  cr_assert_eq(bytes, 0);
  cr_assert_eq(spw_multiply(&a, &b, &how, &c, NULL, 0, NULL), SPW_OK);
  for (int i = 0; i < 8; i++) cr_assert(y[i] == 2 * (i + 1));
}

/* ---- In memory of its own --------------------------------------------------------------------- */

/* C is read through its strides, and stays what it was. */
Test(multiply_calls, added_to_a_copy)
{
  const int64_t in[] = {3, 2}, by_row[] = {2, 1}, out[] = {2, 2}, by_column[] = {1, 2};
  const double x[] = {1, 10, 2, 20, 3, 30}, y[] = {1, 3, 2, 4}, two = 2;
  const spw_tensor a = small_csr(), b = dense(2, in, by_row, x, 6), c = dense(2, out, by_column, y, 4);
  const spw_factors how = {.beta = &two};
  spw_owned *made = NULL;
  cr_assert_eq(spw_multiply_add_new(&a, &b, &c, &how, 0, &made, NULL), SPW_OK);
  const double *const sums = spw_owned_tensor(made)->values.data;
  cr_assert(sums[0] == 9 && sums[1] == 74 && sums[2] == 12 && sums[3] == 68, "%g %g %g %g", sums[0], sums[1], sums[2], sums[3]);
  cr_assert(y[0] == 1 && y[1] == 3 && y[2] == 2 && y[3] == 4);
  spw_owned_free(made);
}

Test(multiply_calls, added_to_what_does_not_fit)
{
  const int64_t in[] = {3}, out[] = {2}, negative[] = {-2};
  const double x[] = {1, 10, 100}, y[] = {1, 2, 3};
  const spw_tensor a = small_csr(), b = dense(1, in, ones, x, 3), c = dense(1, out, ones, y, 2);
  const spw_tensor longer = dense(1, in, ones, y, 3), broken = dense(1, negative, ones, y, 2);
  const spw_factors alone = {0};
  spw_owned *made = NULL;
  spw_refusal why;
  cr_assert_eq(spw_multiply_add_new(&a, &b, &longer, &alone, 0, &made, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_SHAPES && why.operand == 2 && why.place == 0 && why.lhs == 3 && why.rhs == 2);
  cr_assert_eq(spw_multiply_add_new(&a, &b, &broken, &alone, 0, &made, &why), SPW_EINVALID);
  cr_assert(why.obstacle == SPW_OBSTACLE_RULE && why.operand == 2);
  cr_assert_eq(spw_multiply_add_new(&a, &a, &c, &alone, 0, &made, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_add_new(&a, &b, &a, &alone, 0, &made, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_add_new(&a, &b, NULL, &alone, 0, &made, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_add_new(&a, &b, &c, NULL, 0, &made, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_add_new(&a, &b, &c, &alone, 0, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_add_new(&a, &b, &c, &alone, 8, &made, NULL), SPW_ENOMEM);
  cr_assert_null(made);
}

/* ---- Factors -------------------------------------------------------------------------------- */

/* They are values: where they lie in the output, they are read before anything is written. */
Test(multiply_calls, factors_that_lie_in_the_output)
{
  const int64_t in[] = {3}, out[] = {2};
  const double x[] = {1, 10, 100};
  const spw_tensor a = small_csr(), b = dense(1, in, ones, x, 3);
  double y[] = {2, 5};
  const spw_output c = {dense_array(1, out, ones, 2), y};
  spw_factors how = {.alpha = y, .beta = y + 1};
  cr_assert_eq(multiply(&a, &b, &how, &c, NULL), SPW_OK);
  cr_assert(y[0] == 5 * 2 + 2 * 201 && y[1] == 5 * 5 + 2 * 30, "%g %g", y[0], y[1]);
}

/* The same of batches, which are multiplied one after the other: the first one writes what the second would read. */
Test(multiply_calls, factors_that_lie_in_the_output_of_another_batch)
{
  const int64_t size[] = {2, 1, 1}, in[] = {2, 1, 1}, shape[] = {2, 2}, one[] = {2, 1}, steps[] = {2, 1}, unit[] = {1, 1, 1};
  const int64_t begin[] = {0, 1, 0, 1}, column[] = {0, 0};
  const double v[] = {3, 4}, x[] = {10, 20};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 2, shape, steps, 0, 4}, NULL, begin, begin},
                        .plain = {{SPW_INT64, 2, one, unit, 0, 2}, NULL, column, column},
                        .values = {{SPW_FLOAT64, 2, one, unit, 0, 2}, v}};
  const spw_tensor b = dense(3, in, ones, x, 2);
  double y[] = {2, 7};
  const spw_output c = {dense_array(3, in, ones, 2), y};
  const spw_factors how = {.alpha = y};
  cr_assert_eq(multiply(&a, &b, &how, &c, NULL), SPW_OK);
  cr_assert(y[0] == 60 && y[1] == 160, "%g %g", y[0], y[1]);
}

/* ---- Empty dimensions beside huge ones ------------------------------------------------------- */

/* More batches than can be numbered, of matrices of which one dimension is empty: the product has no element. */
Test(multiply_calls, batches_beyond_int64_of_nothing)
{
  for (int empty = 0; empty < 2; empty++) {
    const int64_t size[] = {HALF, HALF, empty == 0 ? 0 : 3, empty == 0 ? 5 : 0}, shape[] = {4, 0}, none[] = {0};
    const int64_t in[] = {HALF, HALF, size[3], 0}, out[] = {HALF, HALF, size[2], 0};
    const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 4, .size = size, .coalesced = SPW_CLAIM_NO,
                          .plain = {{SPW_INT64, 2, shape, ones, 0, 0}, NULL, NULL, NULL},
                          .values = {{SPW_FLOAT64, 1, none, ones, 0, 0}, NULL}};
    const spw_tensor b = dense(4, in, ones, NULL, 0);
    const spw_output c = {dense_array(4, out, ones, 0), NULL};
    const spw_factors how = {.threads = 7};
    bool valid = false;
    int64_t dimension = -1, entry = -1;
    cr_assert(spw_is_valid(&a, SPW_CANONICAL, &valid) == SPW_OK && valid);
    cr_assert_eq(multiply(&a, &b, &how, &c, NULL), SPW_OK);
    cr_assert_eq(spw_multiply_shape(&a, &b, &dimension, &entry, NULL), SPW_OK);
    cr_assert(dimension == 2 && entry == size[2]);
  }
}

/* A block would have 2^64 elements, but there is none: all lines of the result are 0. */
Test(multiply_calls, blocks_beyond_int64_that_are_none)
{
  const int64_t size[] = {4, 0}, two[] = {2}, nothing[] = {0}, block[] = {0, 4, HALF << 22}, in[] = {0, 2}, out[] = {4, 2};
  const int64_t by_rows[] = {2, 1};
  const int32_t offsets[] = {0, 0};
  double y[] = {7, 7, 7, 7, 7, 7, 7, 7};
  const spw_tensor a = {.layout = SPW_BSR, .has_size = true, .ndim = 2, .size = size,
                        .compressed = {{SPW_INT32, 1, two, ones, 0, 2}, offsets, NULL, NULL},
                        .plain = {{SPW_INT32, 1, nothing, ones, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_FLOAT64, 3, block, ones, 0, 0}, NULL}};
  const spw_tensor b = dense(2, in, by_rows, NULL, 0);
  const spw_output c = {dense_array(2, out, by_rows, 8), y};
  bool valid = false;
  cr_assert(spw_is_valid(&a, SPW_CANONICAL, &valid) == SPW_OK && valid);
  cr_assert_eq(multiply(&a, &b, &(spw_factors){0}, &c, NULL), SPW_OK);
  for (int i = 0; i < 8; i++) cr_assert(y[i] == 0);
}

/* One value that stands for all of a vector with 2^62 elements; the result is empty, and takes no memory. */
Test(multiply_calls, huge_inner_dimension_and_no_rows)
{
  const int64_t size[] = {0, HALF << 22}, in[] = {HALF << 22}, out[] = {0}, zero[] = {0}, shape[] = {2, 0}, none[] = {0};
  const double x = 1;
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, shape, ones, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_FLOAT64, 1, none, ones, 0, 0}, NULL}};
  const spw_tensor b = dense(1, in, zero, &x, 1);
  const spw_output c = {dense_array(1, out, ones, 0), NULL};
  const spw_factors how = {0};
  cr_assert_eq(multiply(&a, &b, &how, &c, NULL), SPW_OK);
}

/* The workspace would have 2^65 bytes. */
Test(multiply_calls, workspace_beyond_what_can_be_numbered)
{
  const int64_t size[] = {1, HALF << 22}, in[] = {HALF << 22}, out[] = {1}, zero[] = {0}, shape[] = {2, 0}, none[] = {0};
  const double x = 1;
  double y = 77;
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, shape, ones, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_FLOAT64, 1, none, ones, 0, 0}, NULL}};
  const spw_tensor b = dense(1, in, zero, &x, 1);
  const spw_output c = {dense_array(1, out, ones, 1), &y};
  const spw_factors how = {0};
  spw_refusal why = {0};
  cr_assert_eq(multiply(&a, &b, &how, &c, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, SPW_OBSTACLE_SIZE);
  cr_assert_eq(y, 77);
}

/* ---- Overlaps -------------------------------------------------------------------------------- */

static void expect_overlap(const spw_tensor *b, const spw_output *c, int operand, const char *what)
{
  const spw_tensor a = small_csr();
  const spw_factors how = {0};
  spw_refusal why = {0};
  cr_assert_eq(multiply(&a, b, &how, c, &why), SPW_ERANGE, "%s", what);
  cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == operand, "%s: %d %d", what, (int)why.obstacle, why.operand);
}

Test(multiply_calls, outputs_that_lie_where_they_must_not)
{
  const int64_t in[5] = {3, 2}, out[5] = {2, 2}, rows[] = {2, 1}, same[] = {0, 1}, crossed[] = {1, 1}, near[] = {2, 2};
  const int64_t apart[5] = {2, 1};
  double x[6] = {1, 2, 3, 4, 5, 6}, y[8] = {0};
  const spw_tensor b = dense(2, in, rows, x, 6);
  expect_overlap(&b, &(spw_output){dense_array(2, out, rows, 4), x + 5 - 3}, 1, "its end");
  expect_overlap(&b, &(spw_output){dense_array(2, out, rows, 4), x}, 1, "the dense operand");
  expect_overlap(&b, &(spw_output){dense_array(2, out, same, 2), y}, 2, "one line for all");
  expect_overlap(&b, &(spw_output){dense_array(2, out, crossed, 3), y}, 2, "lines that meet");
  expect_overlap(&b, &(spw_output){dense_array(2, out, near, 5), y}, 2, "equal strides");
  expect_overlap(&b, &(spw_output){dense_array(2, out, rows, 4), (void *)(uintptr_t)(in + 1)}, 1, "the operand's shape");
  expect_overlap(&b, &(spw_output){dense_array(2, out, apart, 4), (void *)(uintptr_t)(out + 1)}, 2, "its own shape");
  expect_overlap(&b, &(spw_output){dense_array(2, out, apart, 4), (void *)(uintptr_t)(apart + 1)}, 2, "its own strides");
  for (int i = 0; i < 6; i++) cr_assert_eq(x[i], i + 1);
  for (int i = 0; i < 8; i++) cr_assert_eq(y[i], 0);
}

/* An output may begin where an operand ends. */
Test(multiply_calls, an_output_beside_an_operand)
{
  const int64_t in[] = {3}, out[] = {2};
  double room[] = {7, 1, 10, 100, 7, 7};
  const spw_tensor a = small_csr(), b = dense(1, in, ones, room + 1, 3);
  const spw_output c = {dense_array(1, out, ones, 2), room + 4};
  const spw_factors how = {0};
  cr_assert_eq(multiply(&a, &b, &how, &c, NULL), SPW_OK);
  cr_assert(room[0] == 7 && room[3] == 100 && room[4] == 201 && room[5] == 30);
}

/* A workspace on the output, on the dense operand, or misaligned. */
Test(multiply_calls, workspaces_that_lie_where_they_must_not)
{
  const int64_t in[] = {3, 2}, out[] = {2, 2}, turned[] = {1, 3}, rows[] = {2, 1};
  double room[64], y[64];
  for (int i = 0; i < 64; i++) room[i] = i + 1, y[i] = -7;
  const spw_tensor a = small_csr(), b = dense(2, in, turned, room, 6);
  const spw_output c = {dense_array(2, out, rows, 4), y};
  const spw_factors how = {0};
  spw_refusal why = {0};
  size_t bytes = 0;
  cr_assert_eq(spw_multiply_size(&a, &b, &how, &c, &bytes, NULL), SPW_OK);
  cr_assert_eq(bytes, 3 * 2 * 8);
  cr_assert_eq(spw_multiply(&a, &b, &how, &c, room + 5, bytes, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == 1, "%d", why.operand);
  cr_assert_eq(spw_multiply(&a, &b, &how, &c, y + 3, bytes, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == 2, "%d", why.operand);
  cr_assert_eq(spw_multiply(&a, &b, &how, &c, (char *)(room + 20) + 4, bytes, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply(&a, &b, &how, &c, NULL, bytes, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply(&a, &b, &how, &c, room + 20, bytes - 1, NULL), SPW_EINVAL);
  for (int i = 0; i < 64; i++) cr_assert(room[i] == i + 1 && y[i] == -7);
  cr_assert_eq(spw_multiply(&a, &b, &how, &c, room + 6, bytes, NULL), SPW_OK);
  cr_assert(y[0] == 7 && y[1] == 16 && y[2] == 6 && y[3] == 15);
}

/* What describes the output, and what is wanted, may lie beside each other in memory that is lent further. */
Test(multiply_calls, workspaces_on_what_describes_the_output)
{
  const int64_t in[] = {3, 2}, out[] = {2, 2}, turned[] = {1, 3}, rows[] = {2, 1};
  static union {
    spw_output output;
    spw_factors how;
    double room[64];
  } lent;
  double x[6] = {1, 2, 3, 4, 5, 6}, y[4] = {0};
  const double two = 2;
  const spw_tensor a = small_csr(), b = dense(2, in, turned, x, 6);
  const spw_factors how = {.alpha = &two};
  spw_refusal why = {0};
  size_t bytes = 0;
  lent.output = (spw_output){dense_array(2, out, rows, 4), y};
  const spw_output c = lent.output;
  cr_assert_eq(spw_multiply_size(&a, &b, &how, &lent.output, &bytes, NULL), SPW_OK);
  cr_assert_eq(spw_multiply(&a, &b, &how, &lent.output, lent.room, bytes, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == 2, "%d", why.operand);
  lent.how = how; /* which is read before anything is written */
  cr_assert_eq(spw_multiply(&a, &b, &lent.how, &c, lent.room, bytes, NULL), SPW_OK);
  const double once[4] = {y[0], y[1], y[2], y[3]};
  cr_assert_eq(spw_multiply(&a, &b, &how, &c, lent.room, bytes, NULL), SPW_OK);
  for (int i = 0; i < 4; i++) cr_assert_eq(y[i], once[i]);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static void expect_dimensions(const spw_tensor *b, const spw_output *c, int operand, int64_t have, int64_t need)
{
  const spw_tensor a = small_csr();
  const spw_factors how = {0};
  spw_refusal why = {0};
  cr_assert_eq(multiply(&a, b, &how, c, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_DIMENSIONS && why.operand == operand && why.lhs == have && why.rhs == need,
            "%d of %d: %lld %lld", (int)why.obstacle, why.operand, (long long)why.lhs, (long long)why.rhs);
}

/* One dimension too many, or too few, though what is there fits. */
Test(multiply_calls, dimensions_that_do_not_fit)
{
  const int64_t in[] = {3, 2, 1}, out[] = {2, 2, 1}, strides[] = {2, 1, 1};
  const double x[6] = {1, 2, 3, 4, 5, 6};
  double y[4] = {7, 7, 7, 7};
  const spw_tensor matrix = dense(2, in, strides, x, 6), more = dense(3, in, strides, x, 6), vector = dense(1, in, ones, x, 3);
  expect_dimensions(&more, &(spw_output){dense_array(3, out, strides, 4), y}, 1, 3, 2);
  expect_dimensions(&matrix, &(spw_output){dense_array(3, out, strides, 4), y}, 2, 3, 2);
  expect_dimensions(&matrix, &(spw_output){dense_array(1, out, ones, 2), y}, 2, 1, 2);
  expect_dimensions(&vector, &(spw_output){dense_array(2, out, strides, 4), y}, 2, 2, 1);
  for (int i = 0; i < 4; i++) cr_assert_eq(y[i], 7);
}

/* ---- Wrong calls ----------------------------------------------------------------------------- */

Test(multiply_calls, wrong_calls)
{
  const int64_t in[] = {3}, out[] = {2};
  const double x[] = {1, 10, 100};
  const spw_tensor a = small_csr(), b = dense(1, in, ones, x, 3);
  double y[] = {7, 7};
  const spw_output c = {dense_array(1, out, ones, 2), y};
  const spw_factors how = {0}, backwards = {.threads = -1};
  size_t bytes = 99;
  cr_assert_eq(spw_multiply_size(&a, &b, &how, &c, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_size(NULL, &b, &how, &c, &bytes, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_size(&a, NULL, &how, &c, &bytes, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_size(&a, &b, NULL, &c, &bytes, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_size(&a, &b, &how, NULL, &bytes, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_size(&a, &b, &backwards, &c, &bytes, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_size(&a, &a, &how, &c, &bytes, NULL), SPW_EINVAL);
  cr_assert_eq(spw_multiply_size(&b, &b, &how, &c, &bytes, NULL), SPW_EINVAL);
  cr_assert_eq(bytes, 99);
  cr_assert(y[0] == 7 && y[1] == 7);
}

/* A sparse operand without values, or of blocks of no size, is refused by a rule, not by accident. */
Test(multiply_calls, operands_without_values_or_with_empty_blocks)
{
  const int64_t in[] = {3}, out[] = {2}, block[] = {0, 0, 0};
  const double x[] = {1, 10, 100};
  spw_tensor a = small_csr();
  const spw_tensor b = dense(1, in, ones, x, 3);
  double y[] = {7, 7};
  const spw_output c = {dense_array(1, out, ones, 2), y};
  const spw_factors how = {0};
  spw_refusal why = {0};
  a.values = (spw_value_array){0};
  cr_assert_eq(multiply(&a, &b, &how, &c, &why), SPW_EINVALID);
  a = small_csr();
  a.layout = SPW_BSR;
  a.values = (spw_value_array){dense_array(3, block, ones, 0), NULL};
  cr_assert_eq(multiply(&a, &b, &how, &c, &why), SPW_EINVALID);
  cr_assert(y[0] == 7 && y[1] == 7);
}
