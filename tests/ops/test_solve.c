/* SPDX-License-Identifier: Apache-2.0 */
/* Triangular systems against a second opinion (solved.h): random tensors of every layout; numbers that are known; calls that are
 * wrong. */
#include "../../src/klu/klu_api.h"
#include "../expected/solved.h"
#include "../operands/operand.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

Test(solve, random_tensors, .timeout = 300)
{
  static square s;
  static operand o;
  static int64_t results[SPW_LAYOUT_COUNT][2], types[SPW_DTYPE_COUNT], ways[2][2][2][2][2], pivots, refused, batched;
  const uint64_t seeds = SANITIZED ? 30000 : 100000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    spw_triangle w;
    spw_numbers n;
    spw_status status;
    bool seen;
    const bool any = roll_below(&d, 5) == 0;
    if (any) operand_random_sparse(&o, true, &d);
    else square_random(&s, &d);
    const spw_tensor *const a = any ? &o.tensor : &s.tensor;
    const char *const wrong = attempt_any_solve(a, &d, &w, &status, &seen);
    cr_assert(!wrong, "seed %llu: layout %d, type %d, upper %d transpose %d adjoint %d unit %d right %d: %s",
              (unsigned long long)seed, (int)a->layout, (int)a->values.array.dtype, w.upper, w.transpose, w.adjoint, w.unit,
              w.right, wrong);
    refused += status != SPW_OK;
    pivots += status == SPW_ERANGE && seen && a->has_size && a->ndim >= 2;
    if (status == SPW_OK && seen && spw_numbers_of(a, &n) == SPW_OK && n.nse > 1) {
      results[a->layout][a->plain.array.dtype == SPW_INT64]++;
      types[a->values.array.dtype]++;
      ways[w.upper][w.transpose][w.adjoint][w.unit][w.right]++;
      batched += a->ndim > 2;
    }
    if (any) operand_free(&o);
    else square_free(&s);
  }
  const int64_t some = (int64_t)seeds / 30000;
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++)
    for (int wide = 0; wide < 2; wide++)
      cr_assert(results[layout][wide] > 100 * some, "layout %d: %lld", layout, (long long)results[layout][wide]);
  for (int type = SPW_FLOAT32; type <= SPW_COMPLEX128; type++) cr_assert(types[type] > 100 * some, "type %d", type);
  for (int way = 0; way < 32; way++)
    if ((way & 6) != 6)
      cr_assert(ways[way & 1][way >> 1 & 1][way >> 2 & 1][way >> 3 & 1][way >> 4] > 20 * some, "way %d", way);
  cr_assert(refused > 100 * some && pivots > 100 * some && batched > 100 * some, "%lld %lld %lld", (long long)refused,
            (long long)pivots, (long long)batched);
  expect_no_leaks();
}

/* KLU is there: the tests' packages have it. */
Test(solve, random_general_systems, .timeout = 300)
{
  static square s;
  static operand o;
  static int64_t results[SPW_LAYOUT_COUNT], types[SPW_DTYPE_COUNT], batched;
  const uint64_t seeds = SANITIZED ? 10000 : 20000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    bool seen;
    const bool any = roll_below(&d, 8) == 0;
    if (any) operand_random_sparse(&o, true, &d);
    else square_random(&s, &d);
    const spw_tensor *const a = any ? &o.tensor : &s.tensor;
    const char *const wrong = attempt_any_general_solution(a, &d, &seen);
    cr_assert(!wrong, "seed %llu: layout %d, type %d: %s", (unsigned long long)seed, (int)a->layout, (int)a->values.array.dtype,
              wrong);
    results[a->layout] += seen;
    types[a->values.array.dtype] += seen;
    batched += seen && a->ndim > 2;
    if (any) operand_free(&o);
    else square_free(&s);
  }
  const int64_t some = (int64_t)seeds / 10000;
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++)
    cr_assert(layout == SPW_DENSE || results[layout] > 100 * some, "layout %d: %lld", layout, (long long)results[layout]);
  for (int type = SPW_FLOAT32; type <= SPW_COMPLEX128; type++) cr_assert(types[type] > 100 * some, "type %d", type);
  cr_assert(batched > 100 * some);
  expect_no_leaks();
}

/* ---- Numbers that are known ---------------------------------------------------------------------- */

static const int64_t n3[] = {3}, n4[] = {4}, one[] = {1}, size3[] = {3, 3};

/* A float64 CSR matrix of 3 rows. */
static spw_tensor csr(const int64_t *starts, const int64_t *columns, const double *values, const int64_t *nse)
{
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size3, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, n4, one, 0, 4}, .i64 = starts},
                        .plain = {{SPW_INT64, 1, nse, one, 0, nse[0]}, .i64 = columns},
                        .values = {{SPW_FLOAT64, 1, nse, one, 0, nse[0]}, values}};
  return t;
}

static const double side[] = {2, 3, 4};
static const spw_tensor b3 = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, n3, one, 0, 3}, side}};

/* The diagonal of row 1 is not there: the next row's first value is not taken for it. */
Test(solve, missing_diagonal)
{
  const int64_t starts[] = {0, 1, 2, 4}, columns[] = {0, 0, 1, 2}, nse[] = {4};
  const double values[] = {2, 1, 7, 5};
  const spw_tensor a = csr(starts, columns, values, nse);
  spw_owned *made = NULL;
  spw_refusal refusal;
  cr_assert_eq(spw_solve_triangular_new(&a, &b3, &(spw_triangle){0}, 0, &made, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_PIVOT && refusal.place == 1 && refusal.other == 0 && refusal.lhs == 0);
  cr_assert_eq(spw_solve_triangular_new(&a, &b3, &(spw_triangle){.unit = true}, 0, &made, NULL), SPW_OK);
  const double *const x = spw_owned_tensor(made)->values.data;
  cr_assert(x[0] == 2 && x[1] == 1 && x[2] == -3);
  spw_owned_free(made);
}

/* Only the lower triangle of [[2, 9], [1, 4]] is read. */
Test(solve, other_side_is_not_read)
{
  const int64_t starts[] = {0, 2, 4, 5}, columns[] = {0, 1, 0, 1, 2}, nse[] = {5};
  const double values[] = {2, NAN, 1, 4, 0}, stored_zero[] = {2, 9, 1, 4, -0.0};
  const spw_tensor a = csr(starts, columns, values, nse), zero = csr(starts, columns, stored_zero, nse);
  spw_owned *made = NULL;
  spw_refusal refusal;
  cr_assert_eq(spw_solve_triangular_new(&zero, &b3, &(spw_triangle){0}, 0, &made, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_PIVOT && refusal.place == 2 && refusal.lhs == 1);
  cr_assert_eq(spw_solve_triangular_new(&a, &b3, &(spw_triangle){0}, 0, &made, &refusal), SPW_ERANGE);
  const double good[] = {2, NAN, 1, 4, 8};
  const spw_tensor g = csr(starts, columns, good, nse);
  cr_assert_eq(spw_solve_triangular_new(&g, &b3, &(spw_triangle){0}, 0, &made, NULL), SPW_OK);
  const double *const x = spw_owned_tensor(made)->values.data;
  cr_assert(x[0] == 1 && x[1] == 0.5 && x[2] == 0.5);
  spw_owned_free(made);
}

/* ---- Any square matrix --------------------------------------------------------------------------- */

#if __has_include(<suitesparse/klu.h>)
#include <suitesparse/klu.h>
#define SAME(member) \
  _Static_assert(offsetof(spw_klu_common, member) == offsetof(klu_l_common, member), "KLU has " #member " elsewhere")
SAME(tol);
SAME(btf);
SAME(user_order);
SAME(halt_if_singular);
SAME(status);
SAME(structural_rank);
SAME(singular_col);
SAME(flops);
SAME(mempeak);
_Static_assert(sizeof(spw_klu_common) >= sizeof(klu_l_common), "KLU writes beyond the struct");
_Static_assert(SPW_KLU_SINGULAR == KLU_SINGULAR, "KLU calls it otherwise");
#endif

enum { CYCLE = 40 };

/* A row has three elements: one that is small beside the others, on the diagonal, where KLU likes to take pivots. */
static void cycle(uint64_t seed, int64_t *starts, int64_t *columns, double *values, double *b)
{
  for (int64_t i = 0; i < CYCLE; i++) {
    const int64_t places[] = {i, (i + 1) % CYCLE, (i + 3) % CYCLE};
    dice d = {seed * CYCLE + (uint64_t)i};
    starts[i] = 3 * i;
    b[i] = (double)(roll_below(&d, 7) - 3);
    for (int64_t column = 0, k = 3 * i; column < CYCLE; column++)
      for (int64_t p = 0; p < 3; p++)
        if (places[p] == column) {
          columns[k] = column;
          values[k++] = p == 0 ? 0x1p-9 : (double)(1 + roll_below(&d, 4));
        }
  }
  starts[CYCLE] = 3 * CYCLE;
}

/* What is solved without refinement is often not within 4u. */
Test(solve, refinement)
{
  static const int64_t ends[] = {CYCLE + 1}, nse[] = {3 * CYCLE}, n[] = {CYCLE}, size[] = {CYCLE, CYCLE};
  for (uint64_t seed = 0; seed < 50; seed++) {
    int64_t starts[CYCLE + 1], columns[3 * CYCLE];
    double values[3 * CYCLE], right[CYCLE], omega;
    spw_owned *made = NULL;
    cycle(seed, starts, columns, values, right);
    const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                          .compressed = {{SPW_INT64, 1, ends, one, 0, ends[0]}, .i64 = starts},
                          .plain = {{SPW_INT64, 1, nse, one, 0, nse[0]}, .i64 = columns},
                          .values = {{SPW_FLOAT64, 1, nse, one, 0, nse[0]}, values}};
    const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, n, one, 0, CYCLE}, right}};
    cr_assert_eq(spw_solve_new(&a, &b, &omega, 0, &made, NULL), SPW_OK, "seed %llu", (unsigned long long)seed);
    cr_assert(omega <= 0x1p-51);
    spw_owned_free(made);
  }
}

static int64_t add_one(spw_klu_symbolic *s, spw_klu_numeric *n, int64_t lead, int64_t columns, double *b, spw_klu_common *c)
{
  (void)s, (void)n, (void)c;
  for (int64_t i = 0; i < lead * columns; i++) b[i] += 1;
  return 1;
}

static spw_klu_symbolic *no_analysis(int64_t n, int64_t *starts, int64_t *rows, spw_klu_common *c)
{
  (void)n, (void)starts, (void)rows, (void)c;
  return NULL;
}

/* A factorisation that is wrong gives no solution, and nothing is written. */
Test(solve, libraries_are_not_believed)
{
  const int64_t starts[] = {0, 1, 2, 3}, columns[] = {0, 1, 2}, nse[] = {3};
  const double values[] = {2, 1, 4};
  const spw_tensor a = csr(starts, columns, values, nse);
  spw_owned *made = NULL;
  spw_refusal refusal;
  double omega = -1;
  spw_klu other = *spw_klu_find();
  other.real.solve = add_one;
  spw_klu_replace(&other);
  cr_assert_eq(spw_solve_new(&a, &b3, &omega, 0, &made, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_UNSOLVED && refusal.lhs == SPW_UNSOLVED_ROW && !made && omega == -1);
  other.analyze = no_analysis;
  cr_assert_eq(spw_solve_new(&a, &b3, &omega, 0, &made, &refusal), SPW_ENOMEM);
  other.analyze = NULL;
  cr_assert_eq(spw_solve_new(&a, &b3, &omega, 0, &made, &refusal), SPW_EUNSUPPORTED);
  spw_klu_replace(NULL);
  cr_assert_eq(spw_solve_new(&a, &b3, &omega, 0, &made, &refusal), SPW_OK);
  const double *const x = spw_owned_tensor(made)->values.data;
  cr_assert(x[0] == 1 && x[1] == 3 && x[2] == 1 && omega == 0);
  spw_owned_free(made);
  made = NULL;
  cr_assert_eq(spw_solve_new(&a, &b3, &omega, 100, &made, &refusal), SPW_ENOMEM);
  cr_assert_eq(spw_solve_new(&a, &b3, NULL, 0, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_new(NULL, &b3, NULL, 0, &made, NULL), SPW_EINVAL);
  cr_assert(!made);
}

/* ---- Calls --------------------------------------------------------------------------------------- */

Test(solve, wrong_calls)
{
  const int64_t starts[] = {0, 1, 2, 3}, columns[] = {0, 1, 2}, nse[] = {3};
  const double values[] = {2, 1, 4};
  const spw_tensor a = csr(starts, columns, values, nse);
  const spw_triangle lower = {0}, both = {.transpose = true, .adjoint = true};
  int64_t dims[8];
  double out[3];
  spw_buffers b = {.dims = dims, .values = out};
  spw_room room;
  spw_tensor result = {.ndim = -3};
  spw_owned *made = NULL;
  spw_refusal refusal;
  cr_assert_eq(spw_solve_triangular_size(NULL, &b3, &lower, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular_size(&a, NULL, &lower, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular_size(&a, &b3, NULL, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular_size(&a, &b3, &both, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular_size(&a, &b3, &lower, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular_size(&a, &a, &lower, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular_size(&b3, &b3, &lower, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular(&a, &b3, &lower, NULL, &result, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular(&a, &b3, &lower, &b, &result, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular_new(&a, &b3, &lower, 0, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_solve_triangular_new(&a, &b3, &lower, 8, &made, NULL), SPW_ENOMEM);
  cr_assert_eq(spw_solve_triangular_size(&a, &b3, &lower, &b.room, NULL), SPW_OK);
  cr_assert(b.room.work == 0 && b.room.dims == 2 && b.room.values == 3);
  spw_buffers bad = b;
  double kept[3];
  memcpy(kept, side, sizeof kept);
  const spw_tensor own = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, n3, one, 0, 3}, kept}};
  bad.values = kept;
  cr_assert_eq(spw_solve_triangular(&a, &own, &lower, &bad, &result, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == 1 && result.ndim == -3 && kept[0] == 2);
  cr_assert_eq(spw_solve_triangular(&a, &b3, &lower, &b, &result, &refusal), SPW_OK);
  cr_assert(out[0] == 1 && out[1] == 3 && out[2] == 1 && result.ndim == 1);
}
