/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients: the adjoint identity in integers on drawn operations (gradient_attempt.h); formulas of functions; duplicates; signs
 * of zero; wrong calls. */
#include "../attempts/gradient_attempt.h"
#include "../expected/meaning.h"
#include "../expected/reals.h"
#include "../expected/scalar.h"
#include "../operands/operand.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <string.h>

Test(gradients, adjoint_identity, .timeout = 600)
{
  static operand o;
  static int64_t layouts[GRADIENT_KINDS][SPW_LAYOUT_COUNT], hybrid, batched, copies, refused;
  const uint64_t seeds = SANITIZED ? 20000 : 60000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    gradient_kind kind;
    spw_status status;
    bool seen;
    operand_random_sparse(&o, true, &d);
    const char *const wrong = attempt_any_gradient(&o.tensor, &d, &kind, &status, &seen);
    cr_assert(!wrong, "seed %llu, operation %d, layout %d: %s", (unsigned long long)seed, (int)kind, (int)o.tensor.layout, wrong);
    spw_numbers n;
    refused += status != SPW_OK;
    if (seen && spw_numbers_of(&o.tensor, &n) == SPW_OK && n.nse > 0) {
      layouts[kind][o.tensor.layout]++;
      hybrid += n.dense_dims > 0;
      batched += n.batch_dims > 0;
      copies += o.tensor.layout == SPW_COO && o.tensor.coalesced != SPW_CLAIM_YES;
    }
    operand_free(&o);
  }
  const int64_t some = (int64_t)seeds / 20000;
  for (int k = 0; k < GRADIENT_KINDS; k++)
    for (int l = 0; l < SPW_LAYOUT_COUNT; l++)
      cr_assert(layouts[k][l] > 5 * some, "operation %d, layout %d: %lld", k, l, (long long)layouts[k][l]);
  cr_assert(hybrid > 100 * some && batched > 100 * some && copies > 100 * some && refused > 50 * some);
  expect_no_leaks();
}

/* ---- Known tensors ------------------------------------------------------------------------------- */

static const int64_t one[] = {1};

/* A vector of 8 in COO with n elements. */
static spw_tensor vector(int64_t n, const int64_t *shape, const int64_t *of_values, const int64_t *indices, const double *values,
                         spw_claim claim)
{
  static const int64_t size[] = {8}, strides[] = {8, 1};
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 1, .size = size, .coalesced = claim,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, n}, .i64 = indices},
                        .values = {{SPW_FLOAT64, 1, of_values, one, 0, n}, values}};
  return t;
}

static void expect_numbers(const spw_owned *made, int64_t n, const double *want)
{
  const spw_tensor *const t = spw_owned_tensor(made);
  cr_assert_eq(t->values.array.shape[0], n, "%lld", (long long)t->values.array.shape[0]);
  cr_assert(memcmp(t->values.data, want, (size_t)n * sizeof *want) == 0);
}

Test(gradients, duplicates)
{
  const int64_t shape[] = {1, 3}, nse[] = {3}, indices[] = {5, 1, 5};
  const double values[] = {0.5, 2, 1.5}, upstream[] = {0, 10, 0, 0, 0, 50, 0, 0};
  const int64_t dense_shape[] = {8};
  const spw_tensor t = vector(3, shape, nse, indices, values, SPW_CLAIM_NO);
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, dense_shape, one, 0, 8}, upstream}};
  const spw_conversion coalesced = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  const spw_unary_request square = {.function = SPW_UNARY_SQUARE};
  spw_vjp_request how = {.values = false};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_convert_new(&t, &coalesced, &g, &how, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 2, (const double[]){10, 50});
  spw_owned_free(made);
  cr_assert_eq(spw_vjp_unary_new(&t, &square, &g, &how, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 2, (const double[]){40, 200});
  spw_owned_free(made);
  how.values = true;
  cr_assert_eq(spw_vjp_unary_new(&t, &square, &g, &how, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 3, (const double[]){200, 40, 200});
  cr_assert(spw_owned_tensor(made)->coalesced == SPW_CLAIM_NO && spw_owned_tensor(made)->plain.i64[0] == 5);
  spw_owned_free(made);
}

/* Bits go through conversions; folds begin with +0; positions without an image hold +0. */
Test(gradients, signs_of_zero)
{
  const int64_t shape[] = {1, 2}, nse[] = {2}, indices[] = {1, 5}, dense_shape[] = {8}, four[] = {4};
  const double values[] = {1, 2}, upstream[] = {0, -0.0, 0, 0, 0, 7, 0, 0};
  const spw_tensor t = vector(2, shape, nse, indices, values, SPW_CLAIM_YES);
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, dense_shape, one, 0, 8}, upstream}};
  const spw_tensor short_g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, four, one, 0, 8}, upstream}};
  const spw_conversion to_dense = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  const spw_structure narrow = {.kind = SPW_NARROW, .start = 0, .length = 4};
  const spw_vjp_request how = {.values = false};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_convert_new(&t, &to_dense, &g, &how, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 2, (const double[]){-0.0, 7});
  spw_owned_free(made);
  const spw_tensor *const vectors = &t;
  cr_assert_eq(spw_vjp_restructure_new(&vectors, 1, &narrow, &short_g, &how, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 2, (const double[]){0, 0});
  spw_owned_free(made);
}

/* The gradient of a conversion from a dense array is dense: that of what is stored. */
Test(gradients, from_dense)
{
  const int64_t dense_shape[] = {8};
  const double values[] = {0, 1, -0.0, 0, 2, 0, 0, 0}, upstream[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const spw_tensor x = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, dense_shape, one, 0, 8}, values}};
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, dense_shape, one, 0, 8}, upstream}};
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  const spw_vjp_request how = {.values = false};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_convert_new(&x, &coo, &g, &how, 0, &made, NULL), SPW_OK);
  cr_assert_eq(spw_owned_tensor(made)->layout, SPW_DENSE);
  expect_numbers(made, 8, (const double[]){0, 2, 0, 0, 5, 0, 0, 0});
  spw_owned_free(made);
}

/* Of two sparse factors with other positions: +0 where the other one is unspecified. */
Test(gradients, factors_of_other_positions)
{
  const int64_t shape[] = {1, 2}, nse[] = {2}, indices[] = {1, 5}, others[] = {5, 6}, dense_shape[] = {8};
  const double values[] = {1, 2}, factors[] = {3, 4}, upstream[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const spw_tensor a = vector(2, shape, nse, indices, values, SPW_CLAIM_YES);
  const spw_tensor b = vector(2, shape, nse, others, factors, SPW_CLAIM_YES);
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, dense_shape, one, 0, 8}, upstream}};
  const spw_elementwise_request times = {.kind = SPW_TIMES};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_elementwise_new(&a, &b, &times, &g, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 2, (const double[]){0, 18});
  spw_owned_free(made);
  cr_assert_eq(spw_vjp_elementwise_new(&a, &b, &times, &g, &(spw_vjp_request){.operand = 1}, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 2, (const double[]){12, 0});
  spw_owned_free(made);
}

/* ---- What is added, and factors -------------------------------------------------------------------- */

Test(gradients, of_what_is_added)
{
  const int64_t size[] = {2, 3}, strides[] = {1, 1}, b_shape[] = {3, 2}, b_strides[] = {2, 1}, g_shape[] = {2, 2}, two[] = {2};
  const int64_t crow[] = {0, 1, 2}, col[] = {2, 0}, three[] = {3};
  const double values[] = {5, 6}, b_values[] = {1, 2, 3, 4, 5, 6}, upstream[] = {1, -1, 0.5, 2}, alpha = 3, beta = -2;
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                        .compressed = {{SPW_INT64, 1, three, strides, 0, 3}, .i64 = crow},
                        .plain = {{SPW_INT64, 1, two, strides, 0, 2}, .i64 = col},
                        .values = {{SPW_FLOAT64, 1, two, strides, 0, 2}, values}};
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, b_shape, b_strides, 0, 6}, b_values}};
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, g_shape, b_strides, 0, 4}, upstream}};
  const spw_factors factors = {.alpha = &alpha, .beta = &beta};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_multiply_new(&a, &b, &factors, &g, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 2, (const double[]){3 * (1 * 5 - 6), 3 * (0.5 * 1 + 2 * 2)});
  spw_owned_free(made);
  cr_assert_eq(spw_vjp_multiply_new(&a, &b, &factors, &g, &(spw_vjp_request){.operand = 2}, 0, &made, NULL), SPW_OK);
  cr_assert(memcmp(spw_owned_tensor(made)->values.data, (const double[]){-2, 2, -1, -4}, 32) == 0);
  spw_owned_free(made);
  cr_assert_eq(spw_vjp_multiply_new(&a, &b, NULL, &g, &(spw_vjp_request){.operand = 2}, 0, &made, NULL), SPW_OK);
  cr_assert(memcmp(spw_owned_tensor(made)->values.data, (const double[]){0, 0, 0, 0}, 32) == 0);
  spw_owned_free(made);
}

/* What is added is judged whatever the gradient is of, and `g` is the operand behind it. */
Test(gradients, beside_what_is_added)
{
  const int64_t size[] = {2, 2}, at[] = {2, 1}, fine[] = {1, 0}, bad[] = {1, 2}, one_value[] = {1}, strides[] = {1, 1};
  const int64_t shape[] = {2, 2}, rows[] = {2, 1}, one_row[] = {1, 2};
  const double value[] = {3}, four[] = {1, 2, 3, 4};
  const spw_tensor good = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                           .plain = {{SPW_INT64, 2, at, strides, 0, 2}, .i64 = fine},
                           .values = {{SPW_FLOAT64, 1, one_value, strides, 0, 1}, value}};
  spw_tensor added = good;
  added.plain.i64 = bad;
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, shape, rows, 0, 4}, four}};
  for (int of = 0; of < 3; of++) {
    const spw_vjp_request how = {.operand = of};
    spw_tensor g = b;
    spw_owned *made = NULL;
    spw_refusal r;
    cr_assert_eq(spw_vjp_sspaddmm_new(&good, &good, &b, NULL, &g, &how, 0, &made, NULL), SPW_OK);
    spw_owned_free(made);
    cr_assert_eq(spw_vjp_sspaddmm_new(&added, &good, &b, NULL, &g, &how, 0, &made, &r), SPW_EINVALID);
    cr_assert(r.operand == 2 && r.violation.rule == SPW_RULE_6_6);
    g.values.array.shape = one_row;
    g.values.array.length = 2;
    cr_assert_eq(spw_vjp_sspaddmm_new(&good, &good, &b, NULL, &g, &how, 0, &made, &r), SPW_ERANGE);
    cr_assert_eq(r.operand, 3, "of %d: %d", of, r.operand);
  }
}

/* Every position of A, whether it is stored or not. */
Test(gradients, full)
{
  const int64_t size[] = {2, 3}, strides[] = {1, 1}, b_shape[] = {3, 2}, b_strides[] = {2, 1}, g_shape[] = {2, 2}, two[] = {2};
  const int64_t crow[] = {0, 1, 2}, col[] = {2, 0}, three[] = {3};
  const double values[] = {5, 6}, b_values[] = {1, 2, 3, 4, 5, 6}, upstream[] = {1, -1, 0.5, 2};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                        .compressed = {{SPW_INT64, 1, three, strides, 0, 3}, .i64 = crow},
                        .plain = {{SPW_INT64, 1, two, strides, 0, 2}, .i64 = col},
                        .values = {{SPW_FLOAT64, 1, two, strides, 0, 2}, values}};
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, b_shape, b_strides, 0, 6}, b_values}};
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, g_shape, b_strides, 0, 4}, upstream}};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_multiply_new(&a, &b, NULL, &g, &(spw_vjp_request){.full = true}, 0, &made, NULL), SPW_OK);
  const spw_tensor *const t = spw_owned_tensor(made);
  cr_assert(t->layout == SPW_DENSE && t->values.array.ndim == 2 && t->values.array.shape[1] == 3);
  cr_assert(memcmp(t->values.data, (const double[]){-1, -1, -1, 4.5, 9.5, 14.5}, 48) == 0);
  spw_owned_free(made);
  const spw_unary_request tangent = {.function = SPW_UNARY_TAN};
  cr_assert_eq(spw_vjp_unary_new(&a, &tangent, &a, &(spw_vjp_request){.full = true}, 0, &made, NULL), SPW_EINVAL);
  const int64_t none[] = {0, 3}, crow_of_none[] = {0};
  const spw_tensor empty = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = none,
                            .compressed = {{SPW_INT64, 1, one, strides, 0, 1}, .i64 = crow_of_none},
                            .plain = {{SPW_INT64, 1, none, strides, 0, 0}, .i64 = NULL},
                            .values = {{SPW_FLOAT64, 1, none, strides, 0, 0}, NULL}};
  const int64_t no_rows[] = {0, 2};
  const spw_tensor none_up = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, no_rows, b_strides, 0, 0}, NULL}};
  cr_assert_eq(spw_vjp_multiply_new(&empty, &b, NULL, &none_up, &(spw_vjp_request){.full = true}, 0, &made, NULL), SPW_OK);
  cr_assert(spw_owned_tensor(made)->values.array.shape[0] == 0 && spw_owned_tensor(made)->values.array.shape[1] == 3);
  spw_owned_free(made);
}

enum { UNKNOWNS = 4, ALL = 2 * UNKNOWNS * UNKNOWNS };

/* Two upper triangular matrices whose pivots are powers of two: a factorisation of them rounds nothing. */
static void draw_upper(double *a, dice *d)
{
  for (int64_t i = 0; i < ALL; i++) {
    const int64_t row = i / UNKNOWNS % UNKNOWNS, column = i % UNKNOWNS;
    a[i] = column < row ? 0 : column > row ? (double)(roll_below(d, 5) - 2) : roll_below(d, 2) ? 1 : -2;
  }
}

/* The gradients of a general system are those of a triangular one, if it is one: positions of the other side are not stored. */
Test(gradients, general_systems)
{
  static const int64_t size[] = {2, UNKNOWNS, UNKNOWNS}, strides[] = {UNKNOWNS * UNKNOWNS, UNKNOWNS, 1};
  static const spw_triangle upper = {.upper = true};
  int64_t compared = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    dice d = {seed};
    double numbers[3][ALL];
    draw_upper(numbers[0], &d);
    for (int64_t i = 0; i < 2 * ALL; i++) numbers[1 + i / ALL][i % ALL] = (double)(roll_below(&d, 9) - 4);
    spw_tensor t[3];
    for (int i = 0; i < 3; i++)
      t[i] = (spw_tensor){.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 3, size, strides, 0, ALL}, numbers[i]}};
    const spw_conversion sparse = {.layout = (spw_layout)(SPW_COO + (int)(seed % 5)), .batch_dims = 1, .dense_dims = 0,
                                   .block_rows = 2, .block_columns = 2};
    spw_owned *a = NULL, *made[2] = {NULL, NULL};
    if (spw_convert_new(&t[0], &sparse, 0, &a, NULL) != SPW_OK) continue; /* batches of different nse */
    for (int wrt = 0; wrt < 2; wrt++) {
      const spw_vjp_request how = {.operand = wrt};
      for (int general = 0; general < 2; general++)
        cr_assert_eq(spw_vjp_solve_triangular_new(spw_owned_tensor(a), &t[1], general ? NULL : &upper, &t[2], &how, 0,
                                                  &made[general], NULL), SPW_OK, "seed %llu", (unsigned long long)seed);
      const char *const other = meaning_difference(spw_owned_tensor(made[0]), spw_owned_tensor(made[1]), SPW_COMBINE_SUM, true);
      const bool blocks = sparse.layout == SPW_BSR || sparse.layout == SPW_BSC; /* which store the other side, too */
      cr_assert(!other || (wrt == 0 && blocks), "seed %llu, operand %d: %s", (unsigned long long)seed, wrt, other);
      compared += !other;
      for (int general = 0; general < 2; general++) spw_owned_free(made[general]);
    }
    spw_owned_free(a);
  }
  cr_assert(compared > 100, "%lld", (long long)compared);
  expect_no_leaks();
}


/* As many elements as the operand, but not at its positions. */
Test(gradients, upstream_of_other_positions)
{
  const int64_t size[] = {2, 3}, three[] = {3}, two[] = {2}, crow[] = {0, 1, 2}, col[] = {0, 2}, other_crow[] = {0, 2, 2};
  const int64_t other_col[] = {1, 2};
  const double values[] = {1, 2}, upstream[] = {7, 8};
  const spw_unary_request same = {.function = SPW_UNARY_POSITIVE};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                        .compressed = {{SPW_INT64, 1, three, one, 0, 3}, .i64 = crow},
                        .plain = {{SPW_INT64, 1, two, one, 0, 2}, .i64 = col},
                        .values = {{SPW_FLOAT64, 1, two, one, 0, 2}, values}};
  const double want[3][2] = {{7, 8}, {7, 0}, {0, 8}};
  for (int i = 0; i < 3; i++) {
    spw_tensor g = a;
    spw_owned *made = NULL;
    g.values.data = upstream;
    if (i == 1) g.compressed.i64 = other_crow;
    if (i == 2) g.plain.i64 = other_col;
    cr_assert_eq(spw_vjp_unary_new(&a, &same, &g, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK);
    expect_numbers(made, 2, want[i]);
    spw_owned_free(made);
  }
}

/* What a resplit leaves out has no gradient. */
Test(gradients, resplit)
{
  const int64_t size[] = {2, 2}, shape[] = {1, 2}, of_values[] = {2, 2}, strides[] = {2, 1}, rows[] = {0, 1};
  const double values[] = {1, 0, 0, 2}, upstream[] = {1, 2, 3, 4};
  const spw_making wanted = {.kind = SPW_MAKE_RESPLIT, .sparse_dims = 2};
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 2}, .i64 = rows},
                        .values = {{SPW_FLOAT64, 2, of_values, strides, 0, 4}, values}};
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, size, strides, 0, 4}, upstream}};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_make_new(&a, &wanted, &g, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK);
  cr_assert(memcmp(spw_owned_tensor(made)->values.data, (const double[]){1, 0, 0, 4}, 32) == 0);
  spw_owned_free(made);
}

/* ---- Extremes and norms --------------------------------------------------------------------------- */

static spw_owned *reduced(const spw_tensor *t, spw_dims_kind kind, const spw_tensor *g)
{
  const spw_dims_reduction wanted = {.kind = kind};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_reduce_dims_new(t, &wanted, g, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK);
  return made;
}

/* The first that attains: zeros of either sign are equal, NaN attains NaN; norm 2 divides first. */
Test(gradients, extremes)
{
  enum { N = 4 };
  const int64_t shape[] = {1, N}, nse[] = {N}, indices[] = {0, 1, 2, 3};
  const double zeros[] = {-1, -0.0, 0, -0.0}, nans[] = {1, NAN, INFINITY, NAN}, root[] = {2, -1, 4, -2}, up[] = {10};
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 0, NULL, NULL, 0, 1}, up}};
  const struct {
    const double *values;
    spw_dims_kind kind;
    double want[N];
  } known[] = {{zeros, SPW_DIMS_AMAX, {0, 10, 0, 0}}, {zeros, SPW_DIMS_AMIN, {10, 0, 0, 0}}, {zeros, SPW_DIMS_MAX, {0, 0, 0, 0}},
               {zeros, SPW_DIMS_MIN, {10, 0, 0, 0}}, {nans, SPW_DIMS_AMAX, {0, 10, 0, 0}}, {nans, SPW_DIMS_MIN, {0, 10, 0, 0}},
               {root, SPW_DIMS_NORM_2, {4, -2, 8, -4}}, {root, SPW_DIMS_NORM_0, {0, 0, 0, 0}},
               {root, SPW_DIMS_NORM_INF, {0, 0, 10, 0}},
               {root, SPW_DIMS_NORM_1, {10, -10, 10, -10}}, {(const double[N]){0, -0.0, 0, 0}, SPW_DIMS_NORM_2, {0, 0, 0, 0}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const spw_tensor t = vector(N, shape, nse, indices, known[i].values, SPW_CLAIM_YES);
    spw_owned *const made = reduced(&t, known[i].kind, &g);
    expect_numbers(made, N, known[i].want);
    spw_owned_free(made);
  }
}

/* The quotient is rounded once: 3 elements are specified, of 7 positions. */
Test(gradients, means_round)
{
  const int64_t shape[] = {1, 3}, nse[] = {3}, indices[] = {0, 2, 5}, seven[] = {7};
  const double values[] = {4, -2, 9}, up[] = {1};
  spw_tensor t = vector(3, shape, nse, indices, values, SPW_CLAIM_YES);
  t.size = seven;
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 0, NULL, NULL, 0, 1}, up}};
  const double third = 0x1.5555555555555p-2, seventh = 0x1.2492492492492p-3;
  spw_owned *made = reduced(&t, SPW_DIMS_MEAN, &g);
  expect_numbers(made, 3, (const double[]){third, third, third});
  spw_owned_free(made);
  made = reduced(&t, SPW_DIMS_MEAN_DENSE, &g);
  expect_numbers(made, 3, (const double[]){seventh, seventh, seventh});
  spw_owned_free(made);
}

/* Of a full vector of 4, zeros compete with nothing unspecified. */
Test(gradients, extremes_without_implied_zeros)
{
  const int64_t shape[] = {1, 2}, nse[] = {2}, indices[] = {0, 1}, two[] = {2}, strides[] = {2, 1};
  const double values[] = {-3, 0}, up[] = {10};
  spw_tensor t = vector(2, shape, nse, indices, values, SPW_CLAIM_YES);
  t.size = two;
  t.plain.array.strides = strides;
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 0, NULL, NULL, 0, 1}, up}};
  spw_owned *const made = reduced(&t, SPW_DIMS_MAX, &g);
  expect_numbers(made, 2, (const double[]){0, 10});
  spw_owned_free(made);
}

/* Complex norms have real gradients upstream. */
Test(gradients, complex_norms)
{
  const int64_t shape[] = {1, 2}, nse[] = {2}, indices[] = {1, 5};
  const double values[] = {3, 4, 0, -12}, up[] = {26}, want[] = {26 * (3.0 / 13), 26 * (4.0 / 13), 0, 26 * (-12.0 / 13)};
  const double largest[] = {0, 0, 0, -26};
  spw_tensor t = vector(2, shape, nse, indices, values, SPW_CLAIM_YES);
  t.values.array.dtype = SPW_COMPLEX128;
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 0, NULL, NULL, 0, 1}, up}};
  spw_owned *made = reduced(&t, SPW_DIMS_NORM_2, &g);
  cr_assert(memcmp(spw_owned_tensor(made)->values.data, want, sizeof want) == 0);
  spw_owned_free(made);
  made = reduced(&t, SPW_DIMS_NORM_INF, &g);
  const double *const got = spw_owned_tensor(made)->values.data;
  for (int i = 0; i < 4; i++) cr_assert(got[i] == largest[i]);
  spw_owned_free(made);
}

/* (1 + i) times the conjugates of 3 + i and 2 - i. */
Test(gradients, complex_rows)
{
  const int64_t size[] = {3, 2}, at[] = {1, 1}, index[] = {1}, row[] = {1, 2}, column[] = {2, 1}, three[] = {3, 1};
  const int64_t strides[] = {1, 1};
  const double values[] = {1, 2, 0, 1}, factor[] = {3, 1, 2, -1}, upstream[] = {7, 0, 1, 1, 0, 7}, want[] = {4, 2, 1, 3};
  const spw_tensor rows = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                           .plain = {{SPW_INT64, 2, at, strides, 0, 1}, .i64 = index},
                           .values = {{SPW_COMPLEX128, 2, row, strides, 0, 2}, values}};
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_COMPLEX128, 2, column, strides, 0, 2}, factor}};
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_COMPLEX128, 2, three, strides, 0, 3}, upstream}};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_multiply_new(&rows, &b, NULL, &g, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK);
  cr_assert(memcmp(spw_owned_tensor(made)->values.data, want, sizeof want) == 0);
  spw_owned_free(made);
}

/* What an unspecified upstream gradient would meet is not multiplied. */
Test(gradients, sparse_factors_do_not_meet_nothing)
{
  const int64_t size[] = {1, 1}, pair[] = {1, 2}, strides[] = {1, 1}, shape_a[] = {2, 1}, zeros[] = {0, 0}, shape_b[] = {2, 2};
  const int64_t nse[] = {2};
  const int64_t b_indices[] = {0, 0, 0, 1}, b_strides[] = {2, 1}, g_indices[] = {0, 1};
  const double one_value[] = {1}, infinite[] = {INFINITY, 3}, up[] = {2};
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape_a, strides, 0, 2}, .i64 = zeros},
                        .values = {{SPW_FLOAT64, 1, one, one, 0, 1}, one_value}};
  const spw_tensor b = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = pair, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape_b, b_strides, 0, 4}, .i64 = b_indices},
                        .values = {{SPW_FLOAT64, 1, nse, one, 0, 2}, infinite}};
  const spw_tensor g = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = pair, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape_a, strides, 0, 2}, .i64 = g_indices},
                        .values = {{SPW_FLOAT64, 1, one, one, 0, 1}, up}};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_multiply_sparse_new(&a, &b, NULL, NULL, &g, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 1, (const double[]){6});
  spw_owned_free(made);
}

/* ---- Functions: the formula beside a difference of 400 bits ---------------------------------------- */

static int real_cube(mpfr_t y, const mpfr_t x, mpfr_rnd_t how)
{
  return mpfr_pow_ui(y, x, 3, how);
}

static int real_quarter(mpfr_t y, const mpfr_t x, mpfr_rnd_t how)
{
  return mpfr_div_ui(y, x, 4, how);
}

static int real_same(mpfr_t y, const mpfr_t x, mpfr_rnd_t how)
{
  return mpfr_set(y, x, how);
}

typedef struct differentiated {
  spw_unary_function f;
  real_formula *real; /* null: that of reals.h */
  double from, to;
} differentiated;

static const differentiated functions[] = {
    {SPW_UNARY_SIN, NULL, -9, 9}, {SPW_UNARY_TAN, NULL, -1.4, 1.4}, {SPW_UNARY_ASIN, NULL, -0.9, 0.9},
    {SPW_UNARY_ATAN, NULL, -9, 9}, {SPW_UNARY_SINH, NULL, -5, 5}, {SPW_UNARY_TANH, NULL, -0.5, 0.5},
    {SPW_UNARY_ASINH, NULL, -9, 9}, {SPW_UNARY_ATANH, NULL, -0.9, 0.9}, {SPW_UNARY_EXPM1, NULL, 0, 5},
    {SPW_UNARY_LOG1P, NULL, 0, 9}, {SPW_UNARY_ERF, NULL, -1, 1}, {SPW_UNARY_ERFINV, NULL, -0.6, 0.6},
    {SPW_UNARY_DEG2RAD, NULL, -99, 99}, {SPW_UNARY_RAD2DEG, NULL, -9, 9}, {SPW_UNARY_SQRT, NULL, 0.1, 9},
    {SPW_UNARY_SQUARE, mpfr_sqr, -9, 9}, {SPW_UNARY_POW, real_cube, 0.1, 9}, {SPW_UNARY_DIV, real_quarter, -9, 9},
    {SPW_UNARY_ABS, mpfr_abs, -9, 9}, {SPW_UNARY_NEG, mpfr_neg, -9, 9}, {SPW_UNARY_POSITIVE, real_same, -9, 9},
    {SPW_UNARY_CONJ_PHYSICAL, real_same, -9, 9}, {SPW_UNARY_NAN_TO_NUM, real_same, -9, 9}, {SPW_UNARY_FRAC, mpfr_frac, 0.1, 0.9},
    {SPW_UNARY_CEIL, mpfr_rint_ceil, 0.1, 0.9}, {SPW_UNARY_FLOOR, mpfr_rint_floor, 0.1, 0.9},
    {SPW_UNARY_TRUNC, mpfr_rint_trunc, 0.1, 0.9}, {SPW_UNARY_RELU, real_same, 0.1, 9},
    {SPW_UNARY_ACOS_SPECIFIED, NULL, -0.9, 0.9}, {SPW_UNARY_COS_SPECIFIED, NULL, 0.1, 3}, {SPW_UNARY_COSH_SPECIFIED, NULL, -5, 5},
    {SPW_UNARY_EXP_SPECIFIED, NULL, -9, 9}, {SPW_UNARY_LOG_SPECIFIED, NULL, 0.1, 9}, {SPW_UNARY_LOG10_SPECIFIED, NULL, 0.1, 9},
    {SPW_UNARY_LOG2_SPECIFIED, NULL, 0.1, 9}, {SPW_UNARY_RSQRT_SPECIFIED, NULL, 0.1, 9},
    {SPW_UNARY_RECIPROCAL_SPECIFIED, NULL, 0.1, 9}, {SPW_UNARY_SIGMOID_SPECIFIED, NULL, -9, 1}};

/* (f(x + h) - f(x - h)) / 2h times g, h = 2^-100: off by h^2 f''' / 6, far below a unit of a double. */
static double slope_times(const differentiated *f, double x, double g)
{
  mpfr_t a, b, up, down;
  mpfr_inits2(400, a, b, up, down, (mpfr_ptr)0);
  mpfr_set_d(up, x, MPFR_RNDN);
  mpfr_set(down, up, MPFR_RNDN);
  mpfr_set_d(a, 0x1p-100, MPFR_RNDN);
  mpfr_add(up, up, a, MPFR_RNDN);
  mpfr_sub(down, down, a, MPFR_RNDN);
  real_formula *const real = f->real ? f->real : real_formula_of(f->f);
  real(a, up, MPFR_RNDN);
  real(b, down, MPFR_RNDN);
  mpfr_sub(a, a, b, MPFR_RNDN);
  mpfr_mul_2si(a, a, 99, MPFR_RNDN);
  mpfr_mul_d(a, a, g, MPFR_RNDN);
  const double slope = mpfr_get_d(a, MPFR_RNDN);
  mpfr_clears(a, b, up, down, (mpfr_ptr)0);
  return slope;
}

/* No formula has more than 7 roundings, two of which are within 2 units. */
enum { UNITS = 12 };

static void expect_slopes(const differentiated *f, spw_dtype dtype, dice *d)
{
  enum { N = 8 };
  const int64_t shape[] = {1, N}, nse[] = {N}, indices[] = {0, 1, 2, 3, 4, 5, 6, 7}, width = spw_dtype_size(dtype);
  char values[N * 8], upstream[N * 8], scalar[8];
  double x[N], g[N];
  for (int i = 0; i < N; i++) {
    const double at = f->from + (f->to - f->from) * ((double)roll_below(d, 1 << 30) / (1 << 30));
    const double up = (double)(roll_below(d, 9) - 4);
    const uint64_t bits = scalar_of_double(dtype, at), up_bits = scalar_of_double(dtype, up);
    memcpy(values + i * width, &bits, (size_t)width);
    memcpy(upstream + i * width, &up_bits, (size_t)width);
    x[i] = scalar_to_double(dtype, bits);
    g[i] = up;
  }
  const uint64_t number = scalar_of_double(dtype, f->f == SPW_UNARY_POW ? 3 : 4);
  memcpy(scalar, &number, sizeof scalar);
  spw_tensor t = vector(N, shape, nse, indices, NULL, SPW_CLAIM_YES), up = t;
  t.values.array.dtype = up.values.array.dtype = dtype;
  t.values.data = values;
  up.values.data = upstream;
  const spw_unary_request wanted = {.function = f->f, .scalar = scalar};
  spw_owned *made = NULL;
  cr_assert_eq(spw_vjp_unary_new(&t, &wanted, &up, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK, "%s",
               spw_unary_name(f->f));
  for (int i = 0; i < N; i++) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)spw_owned_tensor(made)->values.data + i * width, (size_t)width);
    const double got = scalar_to_double(dtype, bits), want = slope_times(f, x[i], g[i]);
    const double unit = dtype == SPW_FLOAT64 ? 0x1p-53 : dtype == SPW_FLOAT32 ? 0x1p-24 : dtype == SPW_FLOAT16 ? 0x1p-11 : 0x1p-8;
    const double units = dtype == SPW_FLOAT64 || dtype == SPW_FLOAT32 ? UNITS : 1 + 0x1p-8;
    const double least = dtype == SPW_FLOAT16 ? 0x1p-25 : 0;
    cr_assert(fabs(got - want) <= units * unit * fabs(want) + least, "%s of %a, times %g: %a, not %a", spw_unary_name(f->f), x[i],
              g[i], got, want);
  }
  spw_owned_free(made);
}

Test(gradients, functions)
{
  dice d = {7};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    for (int round = 0; round < 20; round++)
      for (spw_dtype dtype = SPW_FLOAT16; dtype <= SPW_FLOAT64; dtype++) expect_slopes(&functions[i], dtype, &d);
}

/* Points where a formula has a corner, a pole, or what is not finite. */
Test(gradients, special_values)
{
  enum { N = 5 };
  const int64_t shape[] = {1, N}, nse[] = {N}, indices[] = {0, 1, 2, 3, 4};
  const double values[] = {0, -0.0, INFINITY, NAN, -3}, ones[] = {1, 1, 1, 1, 1};
  const spw_tensor t = vector(N, shape, nse, indices, values, SPW_CLAIM_YES);
  const spw_tensor g = vector(N, shape, nse, indices, ones, SPW_CLAIM_YES);
  const struct {
    spw_unary_function f;
    double want[N];
  } known[] = {{SPW_UNARY_ABS, {0, 0, 1, 0, -1}}, {SPW_UNARY_RELU, {0, 0, 1, 0, 0}}, {SPW_UNARY_NAN_TO_NUM, {1, 1, 0, 0, 1}},
               {SPW_UNARY_CEIL, {0, 0, 0, 0, 0}}, {SPW_UNARY_FRAC, {1, 1, 1, 1, 1}}, {SPW_UNARY_SIGN, {0, 0, 0, 0, 0}},
               {SPW_UNARY_NEG, {-1, -1, -1, -1, -1}}};
  spw_owned *made = NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const spw_unary_request wanted = {.function = known[i].f};
    cr_assert_eq(spw_vjp_unary_new(&t, &wanted, &g, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK);
    expect_numbers(made, N, known[i].want);
    spw_owned_free(made);
  }
  const spw_unary_request root = {.function = SPW_UNARY_SQRT}, angle = {.function = SPW_UNARY_ANGLE};
  cr_assert_eq(spw_vjp_unary_new(&t, &root, &g, &(spw_vjp_request){.operand = 0}, 0, &made, NULL), SPW_OK);
  const double *const slopes = spw_owned_tensor(made)->values.data;
  cr_assert(slopes[0] == INFINITY && slopes[1] == -INFINITY && slopes[2] == 0);
  cr_assert(slopes[3] != slopes[3] && slopes[4] != slopes[4]);
  spw_owned_free(made);
  spw_refusal why;
  cr_assert_eq(spw_vjp_unary_new(&t, &angle, &g, &(spw_vjp_request){.operand = 0}, 0, &made, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, SPW_OBSTACLE_TYPES);
}

/* ---- Calls --------------------------------------------------------------------------------------- */

Test(gradients, wrong_calls)
{
  const int64_t shape[] = {1, 2}, nse[] = {2}, indices[] = {1, 5}, bad[] = {5, 9}, dense_shape[] = {8}, other_shape[] = {7};
  const double values[] = {1, 2}, upstream[8] = {0};
  const spw_tensor t = vector(2, shape, nse, indices, values, SPW_CLAIM_YES);
  const spw_tensor invalid = vector(2, shape, nse, bad, values, SPW_CLAIM_NO);
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, dense_shape, one, 0, 8}, upstream}};
  const spw_tensor short_g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, other_shape, one, 0, 8}, upstream}};
  const spw_tensor narrow_g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT32, 1, dense_shape, one, 0, 8}, upstream}};
  const spw_conversion to = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  const spw_dims_reduction sum = {.kind = SPW_DIMS_SUM}, any = {.kind = SPW_DIMS_ANY};
  const spw_vjp_request how = {.operand = 0}, second = {.operand = 1};
  const int64_t order[] = {1};
  spw_conversion first = to;
  spw_owned *made = NULL;
  spw_refusal why;
  cr_assert_eq(spw_vjp_convert_new(NULL, &to, &g, &how, 0, &made, &why), SPW_EINVAL);
  cr_assert_eq(spw_vjp_convert_new(&t, &to, &g, &second, 0, &made, &why), SPW_EINVAL);
  cr_assert_eq(spw_vjp_convert_new(&t, &to, &g, &how, 0, NULL, &why), SPW_EINVAL);
  first.duplicates = SPW_COMBINE_FIRST;
  cr_assert_eq(spw_vjp_convert_new(&t, &first, &g, &how, 0, &made, &why), SPW_EINVAL);
  cr_assert(spw_vjp_convert_new(&invalid, &to, &g, &how, 0, &made, &why) == SPW_EINVALID && why.operand == 0);
  cr_assert(spw_vjp_convert_new(&t, &to, &invalid, &how, 0, &made, &why) == SPW_EINVALID && why.operand == 1);
  cr_assert(spw_vjp_convert_new(&t, &to, &short_g, &how, 0, &made, &why) == SPW_ERANGE && why.operand == 1);
  cr_assert(spw_vjp_convert_new(&t, &to, &narrow_g, &how, 0, &made, &why) == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_TYPES);
  cr_assert_eq(why.operand, 1);
  cr_assert_eq(spw_vjp_convert_new(&t, &to, &g, &how, 8, &made, &why), SPW_ENOMEM);
  cr_assert_eq(spw_vjp_reduce_dims_new(&t, &any, &g, &how, 0, &made, &why), SPW_EINVAL);
  cr_assert(spw_vjp_reduce_dims_new(&t, &sum, &g, &how, 0, &made, &why) == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_DIMENSIONS);
  cr_assert(spw_vjp_permute_new(&t, order, &g, &how, 0, &made, &why) == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_DIMENSION);
  const int64_t matrix[] = {8, 8}, two[] = {2, 1}, strides[] = {1, 1}, at[] = {1, 1}, twice[] = {0, 0};
  const spw_tensor m = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = matrix, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, two, strides, 0, 2}, .i64 = at},
                        .values = {{SPW_FLOAT64, 1, one, one, 0, 1}, values}};
  cr_assert(spw_vjp_permute_new(&m, twice, &m, &how, 0, &made, &why) == SPW_ERANGE && why.place == 1);
  cr_assert_null(made);
}

/* Each allocation of a composition fails in turn, and nothing is lost. */
Test(gradients, no_memory)
{
  const int64_t shape[] = {1, 3}, nse[] = {3}, indices[] = {5, 1, 5}, dense_shape[] = {8};
  const double values[] = {0.5, 2, 1.5}, upstream[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const spw_tensor t = vector(3, shape, nse, indices, values, SPW_CLAIM_NO);
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, dense_shape, one, 0, 8}, upstream}};
  const spw_unary_request tangent = {.function = SPW_UNARY_TAN};
  spw_owned *made = NULL;
  size_t limit = 1;
  while (spw_vjp_unary_new(&t, &tangent, &g, &(spw_vjp_request){.values = true}, limit, &made, NULL) == SPW_ENOMEM) limit++;
  cr_assert(made && limit > 100 && limit < 100000);
  spw_owned_free(made);
  expect_no_leaks();
}

/* One matrix, [1], times three batches: their gradients 3, 1e16 and -1e16 are added in this order. */
Test(gradients, matmul_folds_batches_in_order)
{
  const int64_t offsets_shape[] = {2}, offsets[] = {0, 1}, column[] = {0}, size[] = {1, 1};
  const int64_t cube[] = {3, 1, 1}, steps[] = {1, 1, 1};
  const double number[] = {1}, ones[] = {1, 1, 1}, upstream[] = {3, 1e16, -1e16};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                        .compressed = {{SPW_INT64, 1, offsets_shape, one, 0, 2}, .i64 = offsets},
                        .plain = {{SPW_INT64, 1, one, one, 0, 1}, .i64 = column},
                        .values = {{SPW_FLOAT64, 1, one, one, 0, 1}, number}};
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 3, cube, steps, 0, 3}, ones}};
  const spw_tensor g = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 3, cube, steps, 0, 3}, upstream}};
  const spw_tensor flat = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, cube, one, 0, 3}, upstream}};
  spw_owned *made = NULL;
  spw_refusal why;
  for (int full = 0; full < 2; full++) {
    cr_assert_eq(spw_vjp_matmul_new(&a, &b, &g, &(spw_vjp_request){.full = full}, 0, &made, NULL), SPW_OK);
    expect_numbers(made, 1, (const double[]){4});
    spw_owned_free(made);
  }
  cr_assert_eq(spw_vjp_matmul_new(&a, &b, &g, &(spw_vjp_request){.operand = 1}, 0, &made, NULL), SPW_OK);
  expect_numbers(made, 3, upstream);
  spw_owned_free(made);
  made = NULL;
  cr_assert_eq(spw_vjp_matmul_new(&a, &b, &g, &(spw_vjp_request){.operand = 2}, 0, &made, &why), SPW_EINVAL);
  cr_assert_eq(spw_vjp_matmul_new(&b, &b, &g, &(spw_vjp_request){.operand = 0}, 0, &made, &why), SPW_EINVAL);
  cr_assert_eq(spw_vjp_matmul_new(&a, &b, &flat, &(spw_vjp_request){.operand = 0}, 0, &made, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_DIMENSIONS && why.operand == 2 && !made);
  size_t limit = 1;
  while (spw_vjp_matmul_new(&a, &b, &g, &(spw_vjp_request){.operand = 0}, limit, &made, NULL) == SPW_ENOMEM) limit++;
  cr_assert(made && limit > 100 && limit < 100000);
  spw_owned_free(made);
  expect_no_leaks();
}

/* ---- The table, and memory ------------------------------------------------------------------------- */

#define BUILT(function) (void (*)(void))function
#define NOT_BUILT NULL
#define REFUSED NULL
#define SPW_GRADIENT(operation, state, masked, dense) state,
static void (*const built[])(void) = {
#include "../../spec/gradients.def"
};
#undef BUILT
#undef NOT_BUILT
#undef REFUSED
#undef SPW_GRADIENT

/* This program is not linked without the functions that the table names. */
Test(gradients, table)
{
  int64_t count = 0;
  for (size_t i = 0; i < sizeof built / sizeof *built; i++) count += built[i] != NULL;
  cr_assert(count > 0);
}

#if !SANITIZED
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>

static void limit_address_space(size_t bytes)
{
  unsigned long pages = 0;
  FILE *const f = fopen("/proc/self/statm", "r");
  cr_assert(f && fscanf(f, "%lu", &pages) == 1);
  fclose(f);
  const struct rlimit limit = {pages * 4096 + bytes, pages * 4096 + bytes};
  cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

/* n x n with `nse` elements, times n x 2: both gradients within 4 times operands, upstream gradient and result. */
static void expect_little_memory(int64_t n, int64_t nse)
{
  enum { K = 2 };
  int64_t *const crow = calloc((size_t)n + 1, 8), *const col = calloc((size_t)nse, 8);
  double *const values = calloc((size_t)nse, 8), *const b = calloc((size_t)n * K, 8), *const g = calloc((size_t)n * K, 8);
  dice d = {3};
  int64_t at = 0;
  for (int64_t row = 0; row < n; row++) { /* nse in all, each row one or more apart */
    const int64_t until = (row + 1) * nse / n;
    for (int64_t k = at; k < until; k++) col[k] = (row * 7 + (k - at) * 1001) % (n - 6000) + 1 + k - at;
    for (int64_t k = at + 1; k < until; k++) col[k] = col[k - 1] + 1 + roll_below(&d, 5);
    crow[row + 1] = at = until;
  }
  for (int64_t k = 0; k < nse; k++) values[k] = (double)(roll_below(&d, 9) - 4);
  for (int64_t i = 0; i < n * K; i++) b[i] = g[i] = (double)(roll_below(&d, 9) - 4);
  spw_view of_a, of_b, of_g;
  const spw_tensor *const a = spw_csr(&of_a, n, n, nse, SPW_INT64, crow, col, SPW_FLOAT64, values);
  const spw_tensor *const dense_b = spw_dense(&of_b, n, K, SPW_FLOAT64, b);
  const spw_tensor *const dense_g = spw_dense(&of_g, n, K, SPW_FLOAT64, g);
  const size_t operands = (size_t)(8 * (n + 1 + 2 * nse + 2 * n * K)), result = (size_t)(8 * (n + 1 + 2 * nse));
  spw_owned *made[2] = {NULL, NULL};
  limit_address_space(4 * (operands + result));
  cr_assert_eq(spw_vjp_multiply_new(a, dense_b, NULL, dense_g, &(spw_vjp_request){.operand = 0}, 0, &made[0], NULL), SPW_OK);
  cr_assert_eq(spw_vjp_multiply_new(a, dense_b, NULL, dense_g, &(spw_vjp_request){.operand = 1}, 0, &made[1], NULL), SPW_OK);
  const double *const da = spw_owned_tensor(made[0])->values.data;
  for (int64_t row = 0; row < n; row += 997)
    for (int64_t k = crow[row]; k < crow[row + 1]; k++)
      cr_assert(da[k] == g[row * K] * b[col[k] * K] + g[row * K + 1] * b[col[k] * K + 1]);
  spw_owned_free(made[0]);
  spw_owned_free(made[1]);
  free(crow), free(col), free(values), free(b), free(g);
}

Test(gradients, memory_of_a_product)
{
  expect_little_memory(20000, 100000);
}

Test(gradients, memory_of_a_vast_product)
{
  expect_little_memory(1000000, 100000);
}
#endif
