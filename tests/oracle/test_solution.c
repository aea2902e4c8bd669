/* SPDX-License-Identifier: Apache-2.0 */
/* The judges of solutions, eigenpairs and singular triples against fractions (GMP); substitution of the library and with one
 * number changed; and calls that are wrong. */
#include "../attempts/enclosure_attempt.h"
#include "../expected/solved.h"
#include "../operands/operand.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fractions ----------------------------------------------------------------------------------- */

/* A system of n real equations, dense: those of complex ones are twice as many. */
enum { MOST = 12 };
typedef struct real_system {
  int64_t n;
  double a[MOST][MOST], x[MOST], b[MOST];
} real_system;

/* The exact backward error of an equation is at most omega. */
static bool is_within(const real_system *s, int64_t i, double omega)
{
  mpq_t residual, gauge, term, x;
  mpq_inits(residual, gauge, term, x, NULL);
  mpq_set_d(residual, s->b[i]);
  mpq_abs(gauge, residual);
  for (int64_t k = 0; k < s->n; k++) {
    mpq_set_d(term, s->a[i][k]);
    mpq_set_d(x, s->x[k]);
    mpq_mul(term, term, x);
    mpq_sub(residual, residual, term);
    mpq_abs(term, term);
    mpq_add(gauge, gauge, term);
  }
  mpq_abs(residual, residual);
  mpq_set_d(term, omega);
  mpq_mul(gauge, gauge, term);
  const bool within = mpq_cmp(residual, gauge) <= 0;
  mpq_clears(residual, gauge, term, x, NULL);
  return within;
}

/* ---- Claims -------------------------------------------------------------------------------------- */

static spw_status judge(const spw_solution_claim *claim, spw_solution_judgement *j, spw_refusal *refusal)
{
  size_t bytes = 0;
  spw_status status = spw_judge_solution_work(claim, &bytes, refusal);
  if (status != SPW_OK) return status;
  void *const work = malloc(bytes + 8);
  cr_assert_eq(spw_judge_solution(claim, work, bytes - 1, j, refusal), SPW_EINVAL);
  status = spw_judge_solution(claim, work, bytes, j, refusal);
  free(work);
  return status;
}

static const int64_t one[] = {1};

typedef struct dense_system {
  int64_t shape[2], strides[2], vector[1];
  spw_tensor a, x, b;
  spw_owned *sparse;
} dense_system;

static spw_tensor dense_of(spw_dtype dtype, int64_t ndim, const int64_t *shape, const int64_t *strides, const void *data)
{
  const int64_t length = ndim == 1 ? shape[0] : shape[0] * shape[1];
  const spw_tensor t = {.layout = SPW_DENSE, .values = {{dtype, ndim, shape, strides, 0, length}, data}};
  return t;
}

/* A float64 system as COO, CSR, CSC, BSR or BSC. */
static void make_sparse(dense_system *d, spw_dtype dtype, int64_t n, const void *a, const void *x, const void *b,
                        spw_layout layout)
{
  d->shape[0] = d->shape[1] = d->strides[0] = d->vector[0] = n;
  d->strides[1] = 1;
  d->x = dense_of(dtype, 1, d->vector, one, x);
  d->b = dense_of(dtype, 1, d->vector, one, b);
  const spw_tensor dense = dense_of(dtype, 2, d->shape, d->strides, a);
  const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
  const spw_conversion to = conversion_to(layout, blocks, blocks);
  cr_assert_eq(spw_convert_new(&dense, &to, 0, &d->sparse, NULL), SPW_OK);
  d->a = *spw_owned_tensor(d->sparse);
}

/* The largest backward error lies between the double below the one that is told and it, and every verdict is that of
 * fractions. */
Test(solution, backward_error_is_exact, .timeout = 300)
{
  const uint64_t seeds = SANITIZED ? 1000 : 4000;
  int64_t right = 0, wrong = 0;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    real_system s = {.n = 1 + roll_below(&d, 4)};
    double a[16];
    for (int64_t i = 0; i < s.n; i++) {
      for (int64_t k = 0; k < s.n; k++) {
        s.a[i][k] = roll_below(&d, 3) ? ldexp((double)(roll(&d) >> 12), (int)roll_below(&d, 60) - 80) : 0;
        a[i * s.n + k] = s.a[i][k];
      }
      s.x[i] = ldexp((double)(roll(&d) >> 11), -60);
    }
    for (int64_t i = 0; i < s.n; i++) {
      s.b[i] = 0;
      for (int64_t k = 0; k < s.n; k++) s.b[i] += s.a[i][k] * s.x[k];
      if (roll_below(&d, 4) == 0) s.b[i] *= 1 + 0x1p-51;
    }
    dense_system sys;
    make_sparse(&sys, SPW_FLOAT64, s.n, a, s.x, s.b, (spw_layout)roll_below(&d, 5));
    static const double omegas[] = {0, 0x1p-55, 0x1p-53, 0x1p-52, 0x1.8p-52, 0x1p-50};
    spw_solution_claim claim = {.a = &sys.a, .x = &sys.x, .b = &sys.b, .omega = omegas[roll_below(&d, 6)]};
    spw_solution_judgement j;
    cr_assert_eq(judge(&claim, &j, NULL), SPW_OK);
    int64_t bad = 0, first = -1;
    bool above = true, below = true;
    for (int64_t i = 0; i < s.n; i++) {
      const bool within = is_within(&s, i, claim.omega);
      if (!within && first < 0) first = i;
      bad += !within;
      above = above && is_within(&s, i, j.omega);
      below = below && is_within(&s, i, j.omega * (1 - 0x1p-50));
    }
    cr_assert_eq(j.wrong, bad, "seed %llu", (unsigned long long)seed);
    cr_assert_eq(j.verdict, bad ? SPW_WRONG : SPW_RIGHT_BOUNDED);
    cr_assert(bad == 0 || j.row == first);
    cr_assert(above && (j.omega == 0 || !below), "seed %llu: %a", (unsigned long long)seed, j.omega);
    right += bad == 0;
    wrong += bad > 0;
    spw_owned_free(sys.sparse);
  }
  cr_assert(right > 100 && wrong > 100, "%lld %lld", (long long)right, (long long)wrong);
  expect_no_leaks();
}

/* ---- Substitution ------------------------------------------------------------------------------- */

/* What the library solves is right, of every layout, type and way; and with a number changed it is not. */
Test(solution, substitution, .timeout = 300)
{
  static square s;
  static int64_t judged[SPW_LAYOUT_COUNT][SPW_DTYPE_COUNT];
  const uint64_t seeds = SANITIZED ? 20000 : 60000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    bool seen;
    square_random(&s, &d);
    const char *const wrong = attempt_any_solution(&s.tensor, &d, &seen);
    cr_assert(!wrong, "seed %llu: layout %d, type %d: %s", (unsigned long long)seed, (int)s.tensor.layout,
              (int)s.tensor.values.array.dtype, wrong);
    judged[s.tensor.layout][s.tensor.values.array.dtype] += seen;
    square_free(&s);
  }
  const int64_t some = (int64_t)seeds / 20000;
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++)
    for (int type = SPW_FLOAT32; type <= SPW_COMPLEX128; type++)
      cr_assert(judged[layout][type] > 50 * some, "layout %d, type %d: %lld", layout, type, (long long)judged[layout][type]);
  expect_no_leaks();
}

static const int64_t two[] = {2}, size2[] = {2, 2}, strides2[] = {2, 1};

static spw_solution_judgement judge_2(const double *a, const double *x, const double *b, const spw_triangle *w)
{
  dense_system s;
  spw_solution_judgement j;
  make_sparse(&s, SPW_FLOAT64, 2, a, x, b, SPW_CSR);
  const spw_solution_claim claim = {.a = &s.a, .x = &s.x, .b = &s.b, .triangle = w};
  cr_assert_eq(judge(&claim, &j, NULL), SPW_OK);
  spw_owned_free(s.sparse);
  return j;
}

/* All NaN is wrong, one unit in the last place is not, and four are. */
Test(solution, known_claims)
{
  const spw_triangle lower = {0};
  const double a[] = {3, 9, 1, 4}, b[] = {1, 5}, nans[] = {NAN, NAN};
  const double right[] = {1.0 / 3, (5 - 1.0 / 3) / 4}, off[] = {1.0 / 3, (5 - 1.0 / 3) / 4 * (1 + 0x1p-52)};
  const double far[] = {1.0 / 3, (5 - 1.0 / 3) / 4 * (1 + 0x1p-48)}, large[] = {INFINITY, -INFINITY};
  const double tiny[] = {0x1p-1000, 0, 1, 1}, huge[] = {0x1p100, 1}, of_infinity[] = {INFINITY, 1}, zero[] = {INFINITY, 0, 1, 1};
  cr_assert_eq(judge_2(a, right, b, &lower).verdict, SPW_RIGHT_BOUNDED);
  cr_assert_eq(judge_2(a, off, b, &lower).verdict, SPW_RIGHT_BOUNDED);
  cr_assert_eq(judge_2(a, far, b, &lower).verdict, SPW_WRONG);
  cr_assert_eq(judge_2(a, nans, b, &lower).verdict, SPW_WRONG);
  cr_assert_eq(judge_2(a, nans, b, &lower).wrong, 1); /* what follows from a NaN may be one */
  cr_assert_eq(judge_2(a, large, b, &lower).verdict, SPW_WRONG);
  cr_assert_eq(judge_2(tiny, large, huge, &lower).verdict, SPW_UNDECIDED);
  cr_assert_eq(judge_2(tiny, large, huge, &lower).special, 1);
  cr_assert_eq(judge_2(a, large, of_infinity, &lower).verdict, SPW_RIGHT_SPECIAL);
  cr_assert_eq(judge_2(zero, (const double[]){0, 1}, b, &lower).wrong, 1);
  cr_assert_eq(judge_2(zero, (const double[]){0, 5}, b, &lower).wrong, 0);
}

Test(solution, wrong_calls)
{
  const double a[] = {3, 9, 1, 4}, b[] = {1, 5};
  const spw_triangle lower = {0}, both = {.transpose = true, .adjoint = true};
  dense_system s;
  spw_solution_judgement j = {.numbers = -3};
  spw_refusal refusal;
  size_t bytes;
  make_sparse(&s, SPW_FLOAT64, 2, a, b, b, SPW_CSR);
  const spw_solution_claim good = {.a = &s.a, .x = &s.x, .b = &s.b, .triangle = &lower};
  spw_solution_claim bad = good;
  cr_assert_eq(spw_judge_solution_work(NULL, &bytes, NULL), SPW_EINVAL);
  cr_assert_eq(spw_judge_solution_work(&good, NULL, NULL), SPW_EINVAL);
  bad.x = &s.a;
  cr_assert_eq(spw_judge_solution_work(&bad, &bytes, NULL), SPW_EINVAL);
  bad = good;
  bad.triangle = &both;
  cr_assert_eq(spw_judge_solution_work(&bad, &bytes, NULL), SPW_EINVAL);
  for (int i = 0; i < 3; i++) {
    bad = (spw_solution_claim){.a = &s.a, .x = &s.x, .b = &s.b, .omega = (const double[]){-1, NAN, INFINITY}[i]};
    cr_assert_eq(spw_judge_solution_work(&bad, &bytes, NULL), SPW_EINVAL);
  }
  cr_assert_eq(spw_judge_solution_work(&good, &bytes, NULL), SPW_OK);
  _Alignas(16) char work[512];
  cr_assert(bytes <= sizeof work);
  cr_assert_eq(spw_judge_solution(&good, NULL, bytes, &j, NULL), SPW_EINVAL);
  cr_assert_eq(spw_judge_solution(&good, work + 1, bytes, &j, NULL), SPW_EINVAL);
  cr_assert_eq(spw_judge_solution(&good, (void *)&good, 512, &j, NULL), SPW_EINVAL);
  cr_assert_eq(spw_judge_solution(&good, work, bytes, NULL, NULL), SPW_EINVAL);
  const float narrow[] = {1, 2};
  const spw_tensor other = dense_of(SPW_FLOAT32, 1, two, one, narrow);
  bad = good;
  bad.x = &other;
  cr_assert_eq(spw_judge_solution(&bad, work, bytes, &j, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_TYPES && refusal.operand == 2 && j.numbers == -3);
  spw_owned_free(s.sparse);
}

/* ---- Eigenpairs and singular triples -------------------------------------------------------------- */

static spw_owned *csr_of(spw_dtype dtype, int64_t m, int64_t n, const void *values)
{
  const int64_t shape[] = {m, n}, strides[] = {n, 1};
  const spw_tensor dense = dense_of(dtype, 2, shape, strides, values);
  const spw_conversion to = conversion_to(SPW_CSR, 0, 0);
  spw_owned *made = NULL;
  cr_assert_eq(spw_convert_new(&dense, &to, 0, &made, NULL), SPW_OK);
  return made;
}

static spw_status judge_eigen(const spw_eigen_claim *claim, spw_enclosure *e, double *apart, spw_refusal *refusal)
{
  size_t bytes = 0;
  spw_status status = spw_judge_eigenpairs_work(claim, &bytes, refusal);
  if (status != SPW_OK) return status;
  void *const work = malloc(bytes);
  cr_assert_eq(spw_judge_eigenpairs(claim, e, apart, work, bytes - 1, refusal), SPW_EINVAL);
  status = spw_judge_eigenpairs(claim, e, apart, work, bytes, refusal);
  free(work);
  return status;
}

/* [[2, 1], [1, 2]] has the eigenvalues 1 and 3. */
Test(solution, eigenpairs)
{
  const double a[] = {2, 1, 1, 2}, values[] = {3, 1.25}, vectors[] = {1, 1, 1, -1}, weights[] = {1, 4};
  spw_owned *const made = csr_of(SPW_FLOAT64, 2, 2, a);
  const spw_tensor v = dense_of(SPW_FLOAT64, 1, two, one, values), x = dense_of(SPW_FLOAT64, 2, size2, strides2, vectors);
  const spw_tensor w = dense_of(SPW_FLOAT64, 1, two, one, weights);
  spw_eigen_claim claim = {spw_owned_tensor(made), &v, &x, NULL};
  spw_enclosure e[2];
  double apart = -1;
  cr_assert_eq(judge_eigen(&claim, e, &apart, NULL), SPW_OK);
  cr_assert(e[0].certified && e[0].radius == 0 && e[0].low == 3 && e[0].high == 3);
  cr_assert(e[1].certified && e[1].radius >= 0.25 && e[1].radius < 0.25 * (1 + 0x1p-50) && e[1].low < 1 && e[1].high > 1.5 &&
            e[1].high < 1.5 + 0x1p-40);
  cr_assert(apart >= 1 && apart < 1 + 0x1p-50); /* |x|^2 = 2 */
  claim.weights = &w;
  cr_assert_eq(judge_eigen(&claim, e, NULL, NULL), SPW_OK);
  /* r = A x - 3 W x = (0, -9); rho^2 = (81 / 4) / 5 */
  cr_assert(e[0].certified && e[0].radius * e[0].radius >= 4.05 && e[0].radius * e[0].radius < 4.05 + 1e-12);
  const double not_positive[] = {1, 0}, infinite[] = {INFINITY, 1}, zeros[] = {0, 1, 0, 1};
  const spw_tensor bad = dense_of(SPW_FLOAT64, 1, two, one, not_positive), inf = dense_of(SPW_FLOAT64, 1, two, one, infinite);
  const spw_tensor none = dense_of(SPW_FLOAT64, 2, size2, strides2, zeros);
  spw_refusal refusal;
  claim.weights = &bad;
  cr_assert_eq(judge_eigen(&claim, e, NULL, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_VALUE && refusal.operand == 3 && refusal.place == 1);
  claim = (spw_eigen_claim){spw_owned_tensor(made), &inf, &x, NULL};
  cr_assert_eq(judge_eigen(&claim, e, NULL, NULL), SPW_OK);
  cr_assert(!e[0].certified && e[1].certified);
  claim = (spw_eigen_claim){spw_owned_tensor(made), &v, &none, NULL};
  cr_assert_eq(judge_eigen(&claim, e, NULL, NULL), SPW_OK);
  cr_assert(!e[0].certified && isinf(e[0].radius) && e[1].certified);
  spw_owned_free(made);
  const double skew[] = {2, 1, 0, 2};
  spw_owned *const other = csr_of(SPW_FLOAT64, 2, 2, skew);
  claim = (spw_eigen_claim){spw_owned_tensor(other), &v, &x, NULL};
  cr_assert_eq(judge_eigen(&claim, e, NULL, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_HERMITIAN && refusal.place == 0 && refusal.other == 1);
  spw_owned_free(other);
}

/* Right and wrong claims of matrices whose eigenvalues are known. */
Test(solution, enclosures, .timeout = 300)
{
  const uint64_t seeds = SANITIZED ? 5000 : 50000;
  int64_t certified = 0;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    const char *const wrong = attempt_any_enclosure(&d, &certified);
    cr_assert(!wrong, "seed %llu: %s", (unsigned long long)seed, wrong);
  }
  cr_assert(certified > (int64_t)seeds / 2, "%lld", (long long)certified);
  expect_no_leaks();
}

/* [[1, i], [-i, 1]] has the eigenvalues 0 and 2, of (1, i) and (1, -i). */
Test(solution, complex_eigenpairs)
{
  const double a[] = {1, 0, 0, 1, 0, -1, 1, 0}, values[] = {0, 2}, vectors[] = {1, 0, 1, 0, 0, 1, 0, -1};
  spw_owned *const made = csr_of(SPW_COMPLEX128, 2, 2, a);
  const spw_tensor v = dense_of(SPW_FLOAT64, 1, two, one, values), x = dense_of(SPW_COMPLEX128, 2, size2, strides2, vectors);
  const spw_eigen_claim claim = {spw_owned_tensor(made), &v, &x, NULL};
  spw_enclosure e[2];
  double apart;
  cr_assert_eq(judge_eigen(&claim, e, &apart, NULL), SPW_OK);
  cr_assert(e[0].certified && e[0].radius == 0 && e[1].certified && e[1].radius == 0);
  spw_owned_free(made);
}

static spw_status judge_triples(const spw_singular_claim *claim, spw_enclosure *e, double *apart, spw_refusal *refusal)
{
  size_t bytes = 0;
  spw_status status = spw_judge_singular_work(claim, &bytes, refusal);
  if (status != SPW_OK) return status;
  void *const work = malloc(bytes);
  status = spw_judge_singular(claim, e, apart, work, bytes, refusal);
  free(work);
  return status;
}

/* [[3, 0], [0, 0], [0, 2]]; and with the center (1, 0), [[2, 0], [-1, 0], [-1, 2]]. */
Test(solution, singular_triples)
{
  const double a[] = {3, 0, 0, 0, 0, 2}, values[] = {3, 2.5}, left[] = {1, 0, 0, 0, 0, 1}, right[] = {1, 0, 0, 1}, c[] = {1, 0};
  const int64_t size32[] = {3, 2};
  spw_owned *const made = csr_of(SPW_FLOAT64, 3, 2, a);
  const spw_tensor v = dense_of(SPW_FLOAT64, 1, two, one, values), u = dense_of(SPW_FLOAT64, 2, size32, strides2, left);
  const spw_tensor w = dense_of(SPW_FLOAT64, 2, size2, strides2, right), center = dense_of(SPW_FLOAT64, 1, two, one, c);
  spw_singular_claim claim = {spw_owned_tensor(made), &v, &u, &w, NULL};
  spw_enclosure e[2];
  double apart = -1;
  cr_assert_eq(judge_triples(&claim, e, &apart, NULL), SPW_OK);
  cr_assert(e[0].certified && e[0].radius == 0 && e[0].low == 3 && apart == 0);
  cr_assert(e[1].certified && e[1].radius >= 0.5 && e[1].radius < 0.5 + 0x1p-50 && e[1].low <= 2);
  claim.center = &center;
  cr_assert_eq(judge_triples(&claim, e, NULL, NULL), SPW_OK);
  /* A v - 3 u = (-1, -1, -1), A^T u - 3 v = (-1, 0): rho^2 = 4 / 2 */
  cr_assert(e[0].certified && e[0].radius * e[0].radius >= 2 && e[0].radius * e[0].radius < 2 + 1e-12);
  const double low[] = {0.5, 2};
  const spw_tensor small = dense_of(SPW_FLOAT64, 1, two, one, low);
  claim = (spw_singular_claim){spw_owned_tensor(made), &small, &u, &w, NULL};
  cr_assert_eq(judge_triples(&claim, e, NULL, NULL), SPW_OK);
  cr_assert(!e[0].certified && e[1].certified);
  spw_refusal refusal;
  claim = (spw_singular_claim){spw_owned_tensor(made), &v, &w, &w, NULL};
  cr_assert_eq(judge_triples(&claim, e, NULL, &refusal), SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_SHAPES && refusal.operand == 2 && refusal.lhs == 2 && refusal.rhs == 3);
  spw_owned_free(made);
}
