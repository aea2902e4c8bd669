/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of values and casts against a second opinion (mapped.h): random tensors of every layout and type; float64 against
 * MPFR; numbers that are known; and calls that are wrong. make exhaustive looks at all floats of up to 32 bits. */
#include "../expected/mapped.h"
#include "../expected/reals.h"
#include "../expected/scalar.h"
#include "../operands/operand.h"
#include "../support/memory.h"

#include "../../fuzz/inputs/values.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

Test(unary, random_tensors, .timeout = 300)
{
  static operand o;
  static int64_t results[SPW_LAYOUT_COUNT], types[SPW_DTYPE_COUNT][SPW_UNARY_COUNT], functions[SPW_UNARY_COUNT];
  int64_t refused = 0, batched = 0, twice = 0, strided = 0;
  const uint64_t seeds = SANITIZED ? 40000 : 150000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    spw_unary_request w;
    spw_numbers n;
    spw_status status;
    bool seen;
    operand_random_sparse(&o, true, &d);
    const spw_tensor *const a = &o.tensor;
    const char *const wrong = attempt_any_unary(a, &d, &w, &status, &seen);
    cr_assert(!wrong, "seed %llu: layout %d, type %s, %s: %s", (unsigned long long)seed, (int)a->layout,
              spw_dtype_name(a->values.array.dtype), spw_unary_name(w.function), wrong);
    refused += status != SPW_OK;
    functions[w.function]++;
    if (status == SPW_OK && seen && spw_numbers_of(a, &n) == SPW_OK && n.nse > 0) {
      results[a->layout]++;
      types[a->values.array.dtype][w.function]++;
      batched += a->layout != SPW_COO && a->plain.array.ndim > 1;
      twice += a->layout == SPW_COO && a->coalesced != SPW_CLAIM_YES && n.nse > 1;
      strided += a->values.array.ndim > 0 && a->values.array.strides[a->values.array.ndim - 1] > 1;
    }
    operand_free(&o);
  }
  const int64_t some = (int64_t)seeds / 40000;
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++) cr_assert(results[layout] > 500 * some, "layout %d", layout);
  for (int f = 0; f < SPW_UNARY_COUNT; f++) {
    cr_assert(functions[f] > 20 * some, "%s", spw_unary_name((spw_unary_function)f));
    for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++) {
      const bool exists = spw_unary_dtype((spw_unary_function)f, (spw_dtype)type) != SPW_DTYPE_NONE;
      cr_assert(exists || types[type][f] == 0, "%s of type %d", spw_unary_name((spw_unary_function)f), type);
      cr_assert(!exists || SANITIZED || types[type][f] > 0, "%s of type %d", spw_unary_name((spw_unary_function)f), type);
    }
  }
  cr_assert(refused > 1000 * some && batched > 300 * some && twice > 50 * some && strided > 100 * some, "%lld %lld %lld %lld",
            (long long)refused, (long long)batched, (long long)twice, (long long)strided);
  expect_no_leaks();
}

/* ---- Single values ---------------------------------------------------------------------------------------------- */

/* Maps values of a vector of COO whose positions are 0, 1, 2 ... */
static spw_status map_values(const spw_unary_request *w, spw_dtype dtype, int64_t n, const void *values, spw_owned **made)
{
  static int64_t indices[1 << 12];
  const int64_t shape[] = {1, n}, size[] = {n}, strides[] = {n, 1}, one[] = {1};
  for (int64_t i = 0; i < n; i++) indices[i] = i;
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 1, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, n}, .i64 = indices},
                        .values = {{dtype, 1, size, one, 0, n}, values}};
  return spw_unary_new(&t, w, 0, made, NULL);
}

/* Values of every class and every type, more than a tensor of the test above has. */
Test(unary, random_values, .timeout = 300)
{
  enum { VALUES = 1 << 10 };
  static uint64_t words[2 * VALUES], scalar[2];
  int64_t compared = 0;
  for (uint64_t seed = 0; seed < (SANITIZED ? 4000u : 20000u); seed++) {
    dice d = {seed};
    const spw_unary_function f = (spw_unary_function)roll_below(&d, SPW_UNARY_COUNT);
    const spw_dtype dtype = (spw_dtype)(1 + roll_below(&d, SPW_DTYPE_COUNT - 1));
    const int64_t width = spw_dtype_size(dtype), classes = roll_below(&d, 2) ? 0x7ff >> 2 : 1 << 8;
    for (int i = 0; i < VALUES; i++)
      for (int k = 0; k < (width + 7) / 8; k++) {
        const uint64_t word = fuzz_draw(dtype, classes & FUZZ_EVERY_CLASS, roll(&d));
        memcpy((char *)words + i * width + 8 * k, &word, (size_t)(width < 8 ? width : 8));
      }
    for (int k = 0; k < 2; k++) scalar[k] = fuzz_draw(dtype, roll_below(&d, 2) ? 0x0c : FUZZ_EVERY_CLASS, roll(&d));
    const spw_unary_request w = {.function = f, .dtype = (spw_dtype)(1 + roll_below(&d, SPW_DTYPE_COUNT - 1)), .scalar = scalar};
    spw_owned *made = NULL;
    if (map_values(&w, dtype, VALUES, words, &made) != SPW_OK) continue;
    const spw_value_array *const got = &spw_owned_tensor(made)->values;
    for (int i = 0; i < VALUES; i++) {
      bool fits;
      const char *const wrong = wrong_scalar(&w, dtype, (const char *)words + i * width,
                                             (const char *)got->data + i * spw_dtype_size(got->array.dtype), &fits);
      cr_assert(!wrong && fits, "seed %llu: %s", (unsigned long long)seed, wrong ? wrong : "it has no place");
      compared++;
    }
    spw_owned_free(made);
  }
  cr_assert(compared > 500000, "%lld", (long long)compared);
}

/* The least number above all of an integer type. */
static long double above(spw_dtype dtype)
{
  return ldexpl(1, (int)scalar_width(dtype) * 8 - (dtype != SPW_UINT8));
}

/* The least of it. */
static long double least(spw_dtype dtype)
{
  return dtype == SPW_UINT8 ? 0 : -above(dtype);
}

/* A number as a value of a type, if it has one there; of floats the nearest. */
static bool put_number(spw_dtype dtype, long double number, void *value)
{
  memset(value, 0, 16);
  if (scalar_is_float(dtype)) {
    const spw_dtype part = scalar_part_type(dtype);
    const uint64_t bits = scalar_of_double(part, (double)number);
    memcpy(value, &bits, (size_t)scalar_width(part));
    return true;
  }
  if (number != truncl(number) || number >= above(dtype) || number < least(dtype)) return false;
  const int64_t whole = (int64_t)number;
  memcpy(value, &whole, (size_t)scalar_width(dtype));
  return true;
}

/* Cast, or refused because it has no place, as it should be. Counts both. */
static void expect_cast(spw_dtype from, spw_dtype to, const void *value, int64_t *cast, int64_t *refused)
{
  const spw_unary_request w = {.function = SPW_UNARY_CAST, .dtype = to};
  const uint8_t nothing[16] = {0};
  spw_owned *made = NULL;
  bool fits;
  (void)wrong_scalar(&w, from, value, nothing, &fits);
  const spw_status status = map_values(&w, from, 1, value, &made);
  cr_assert_eq(status, fits ? SPW_OK : SPW_ERANGE, "%s %llx to %s", spw_dtype_name(from),
               (unsigned long long)scalar_bits(from, value, 0), spw_dtype_name(to));
  if (status == SPW_OK) {
    const char *const wrong = wrong_scalar(&w, from, value, spw_owned_tensor(made)->values.data, &fits);
    cr_assert(!wrong, "to %s: %s", spw_dtype_name(to), wrong);
    spw_owned_free(made);
  }
  *(status == SPW_OK ? cast : refused) += 1;
}

/* Where each integer type ends, from each type. */
Test(unary, casts_at_ends)
{
  int64_t cast = 0, refused = 0;
  for (int to = SPW_UINT8; to <= SPW_INT64; to++) {
    const long double ends[] = {least((spw_dtype)to), above((spw_dtype)to) - 1};
    for (int from = SPW_UINT8; from < SPW_DTYPE_COUNT; from++)
      for (int end = 0; end < 2; end++)
        for (int half = -4; half <= 4; half++) {
          uint64_t value[2];
          if (from != to && put_number((spw_dtype)from, ends[end] + half * 0.5L, value))
            expect_cast((spw_dtype)from, (spw_dtype)to, value, &cast, &refused);
        }
  }
  cr_assert(cast > 300 && refused > 100, "%lld %lld", (long long)cast, (long long)refused);
  expect_no_leaks();
}

/* A double on one side of a tie of 16 bits, which a float is no more. */
Test(unary, casts_round_once)
{
  int64_t cast = 0, refused = 0;
  for (int to = SPW_FLOAT16; to <= SPW_BFLOAT16; to++)
    for (int from = SPW_FLOAT64; from <= SPW_COMPLEX128; from += SPW_COMPLEX128 - SPW_FLOAT64)
      for (int i = 0; i < 32; i++) {
        const double unit = to == SPW_FLOAT16 ? 0x1p-10 : 0x1p-7, tie = 1 + (i / 4 + 0.5) * unit;
        uint64_t value[2];
        put_number((spw_dtype)from, (i & 1 ? -1 : 1) * (i & 2 ? tie + 0x1p-40 : tie - 0x1p-40), value);
        expect_cast((spw_dtype)from, (spw_dtype)to, value, &cast, &refused);
      }
  cr_assert(cast == 128 && refused == 0, "%lld %lld", (long long)cast, (long long)refused);
}

static double map_double(spw_unary_function f, double x, const double *scalar)
{
  const spw_unary_request w = {.function = f, .scalar = scalar};
  spw_owned *made = NULL;
  cr_assert_eq(map_values(&w, SPW_FLOAT64, 1, &x, &made), SPW_OK);
  const double y = *(const double *)spw_owned_tensor(made)->values.data;
  spw_owned_free(made);
  return y;
}

static float map_float(spw_unary_function f, float x, const float *scalar)
{
  const spw_unary_request w = {.function = f, .scalar = scalar};
  spw_owned *made = NULL;
  cr_assert_eq(map_values(&w, SPW_FLOAT32, 1, &x, &made), SPW_OK);
  const float y = *(const float *)spw_owned_tensor(made)->values.data;
  spw_owned_free(made);
  return y;
}

static void expect_double(spw_unary_function f, double x, const double *scalar, double want)
{
  const double y = map_double(f, x, scalar);
  cr_expect(scalar_same(SPW_FLOAT64, &want, &y, true), "%s(%a) is %a, not %a", spw_unary_name(f), x, y, want);
}

static void expect_float(spw_unary_function f, float x, const float *scalar, float want)
{
  const float y = map_float(f, x, scalar);
  cr_expect(scalar_same(SPW_FLOAT32, &want, &y, true), "%s(%a) is %a, not %a", spw_unary_name(f), (double)x, (double)y,
            (double)want);
}

/* Special values (U2, U3), and what others compute wrong. */
Test(unary, known_numbers)
{
  const double tenth = 0.1, two = 2, half = 0.5, three = 3, inf = INFINITY;
  const float f_tenth = 0.1f, f_half = 0.5f;
  for (int f = 0; f < SPW_UNARY_COUNT; f++) {
    const spw_unary_function function = (spw_unary_function)f;
    const char *const name = spw_unary_name(function);
    if (spw_unary_dtype(function, SPW_FLOAT64) != SPW_FLOAT64 || strstr(name, "_specified")) continue;
    if (function == SPW_UNARY_CAST || function == SPW_UNARY_NEG) continue; /* -0 */
    expect_double(function, 0.0, &three, 0.0);
  }
  expect_double(SPW_UNARY_SIN, -0.0, NULL, -0.0);
  expect_double(SPW_UNARY_SIN, INFINITY, NULL, NAN);
  expect_double(SPW_UNARY_TAN, -INFINITY, NULL, NAN);
  expect_double(SPW_UNARY_ASIN, 1.5, NULL, NAN);
  expect_double(SPW_UNARY_ATANH, 1, NULL, INFINITY);
  expect_double(SPW_UNARY_ATANH, -1, NULL, -INFINITY);
  expect_double(SPW_UNARY_ATANH, 1.5, NULL, NAN);
  expect_double(SPW_UNARY_ERFINV, 1, NULL, INFINITY);
  expect_double(SPW_UNARY_ERFINV, -1, NULL, -INFINITY);
  expect_double(SPW_UNARY_ERFINV, 2, NULL, NAN);
  expect_double(SPW_UNARY_LOG1P, -1, NULL, -INFINITY);
  expect_double(SPW_UNARY_LOG1P, -2, NULL, NAN);
  expect_double(SPW_UNARY_SQRT, -1, NULL, NAN);
  expect_double(SPW_UNARY_SQRT, -0.0, NULL, -0.0);
  expect_double(SPW_UNARY_ATAN, INFINITY, NULL, 0x1.921fb54442d18p+0);
  expect_double(SPW_UNARY_TANH, -INFINITY, NULL, -1);
  expect_double(SPW_UNARY_EXPM1, -INFINITY, NULL, -1);
  expect_double(SPW_UNARY_ANGLE, -3, NULL, 0x1.921fb54442d18p+1);
  expect_double(SPW_UNARY_ANGLE, -0.0, NULL, 0);
  expect_double(SPW_UNARY_SIGN, NAN, NULL, 0);
  expect_double(SPW_UNARY_FRAC, -INFINITY, NULL, NAN);
  expect_double(SPW_UNARY_FRAC, -1, NULL, 0);
  expect_double(SPW_UNARY_ROUND, -2.5, NULL, -2);
  expect_double(SPW_UNARY_CEIL, -0.5, NULL, -0.0);
  expect_double(SPW_UNARY_RELU, -0.0, NULL, -0.0);
  expect_double(SPW_UNARY_POW, -0.0, &three, -0.0);
  expect_double(SPW_UNARY_POW, -0.0, &half, 0);
  expect_double(SPW_UNARY_POW, 0.5, &inf, 0);
  expect_double(SPW_UNARY_DIV_TRUNC, 1, &tenth, 9);
  expect_double(SPW_UNARY_DIV_FLOOR, 1, &tenth, 9);
  expect_double(SPW_UNARY_DIV_FLOOR, INFINITY, &two, INFINITY);
  expect_double(SPW_UNARY_DIV_FLOOR, -0.5, &two, -1);
  expect_double(SPW_UNARY_DIV_TRUNC, -0.5, &two, -0.0);
  expect_float(SPW_UNARY_DIV_TRUNC, 1, &f_tenth, 9);
  expect_float(SPW_UNARY_SQRT, 331719808.0f, NULL, 18213.177734375f);
  expect_float(SPW_UNARY_POW, 16777215.0f, &f_half, 4095.9998779f);
  expect_float(SPW_UNARY_LOG1P, 0x1.800006p-21f, NULL, 0x1.7ffffep-21f);
  expect_float(SPW_UNARY_SIN, 0x1.33333p+13f, NULL, -0x1.63f4bap-2f);
  expect_float(SPW_UNARY_ATANH, 0.012671335600316525f, NULL, 0.012672013603150845f);
}

static float exact_power(float x, float e)
{
  mpfr_t y, b;
  mpfr_init2(y, 400);
  mpfr_init2(b, 53);
  mpfr_set_flt(y, x, MPFR_RNDN);
  mpfr_set_flt(b, e, MPFR_RNDN);
  mpfr_pow(y, y, b, MPFR_RNDN);
  const float right = mpfr_get_flt(y, MPFR_RNDN);
  mpfr_clears(y, b, (mpfr_ptr)0);
  return right;
}

/* Powers that are exact, in the middle of two floats, or nearly so. */
Test(unary, powers)
{
  static const float exponents[] = {0.5f, 0.25f, 0.75f, 1.5f, 2, 2.5f, 3, 5, 7, 15, 0.125f, 1, 0.1f, 1.0f / 3,
                                    1e-3f, 1e-7f, 88.5f, 1e4f};
  dice d = {7};
  for (int i = 0; i < (SANITIZED ? 20000 : 200000); i++) {
    const float e = exponents[roll_below(&d, 18)], root = (float)(1 + roll_below(&d, i % 2 ? 1 << 24 : 5000));
    const int64_t kind = roll_below(&d, 4);
    const float near_1 = 1 + ldexpf((float)roll_below(&d, 5000) - 2500, -23);
    float x = kind == 0 ? root * root : kind == 1 ? root : kind == 2 ? powf(root, 1 / e) : near_1;
    if (roll_below(&d, 3) == 0) x = ldexpf(x, (int)roll_below(&d, 260) - 140);
    expect_float(SPW_UNARY_POW, x, &e, exact_power(x, e));
  }
}

/* ---- float64 ------------------------------------------------------------------------------------------------------ */

/* Doubles of every binade, neighbours of multiples of pi / 2, and of 0 and 1. */
static double draw_double(dice *d)
{
  const int64_t kind = roll_below(d, 4);
  double x = ldexp(1 + (double)roll_below(d, INT64_C(1) << 52) * 0x1p-52, (int)roll_below(d, 2098) - 1074);
  if (kind == 0) x = ldexp(1 + (double)roll_below(d, INT64_C(1) << 52) * 0x1p-52, (int)roll_below(d, 40) - 30);
  if (kind == 1) x = (double)(1 + roll_below(d, 1 << 20)) * 0x1.921fb54442d18p+0;
  if (kind == 2 && roll_below(d, 2)) x = 1 - ldexp((double)(1 + roll_below(d, 1000)), -53 + (int)roll_below(d, 40));
  return roll_below(d, 2) ? x : -x;
}

/* Within the declared bound of 2 units in the last place (U4). */
Test(unary, doubles, .timeout = 300)
{
  const int each = SANITIZED ? 500 : 5000;
  mpfr_t x, y;
  mpfr_init2(x, 53);
  mpfr_init2(y, 120);
  for (int f = 0; f < REAL_FORMULAS; f++) {
    const char *const name = spw_unary_name(real_formulas[f].function);
    dice d = {(uint64_t)f};
    double worst = 0;
    for (int i = 0; i < each; i++) {
      const double at = draw_double(&d), got = map_double(real_formulas[f].function, at, NULL);
      mpfr_set_d(x, at, MPFR_RNDN);
      real_formulas[f].formula(y, x, MPFR_RNDN);
      const double right = mpfr_get_d(y, MPFR_RNDN);
      if (right - right != 0) {
        cr_assert(scalar_same(SPW_FLOAT64, &right, &got, true), "%s(%a) is %a", name, at, got);
        continue;
      }
      int e;
      (void)frexp(right, &e);
      mpfr_sub_d(y, y, got, MPFR_RNDN);
      mpfr_mul_2si(y, y, 53 - (right != 0 && e > -1021 ? e : -1021), MPFR_RNDN);
      const double error = fabs(mpfr_get_d(y, MPFR_RNDN));
      if (error > worst) worst = error;
      cr_assert(error <= 2, "%s(%a) is %a: %g units from %a", name, at, got, error, right);
    }
    cr_assert(worst > 0.1, "%s: %g", name, worst);
  }
  mpfr_clears(x, y, (mpfr_ptr)0);
  mpfr_free_cache();
}

/* Another way than the table's: erf of what is a little smaller and a little larger has x between them. */
Test(unary, inverse_of_erf)
{
  const int each = SANITIZED ? 500 : 5000;
  dice d = {11};
  mpfr_t y;
  mpfr_init2(y, 200);
  for (int i = 0; i < each; i++) {
    const double x = fabs(draw_double(&d)), got = x < 1 ? map_double(SPW_UNARY_ERFINV, x, NULL) : 0;
    if (!(x < 1) || x < 0x1p-1000) continue;
    const double unit = nextafter(got, INFINITY) - got;
    mpfr_set_d(y, got, MPFR_RNDN);
    mpfr_add_d(y, y, 2 * unit, MPFR_RNDN);
    mpfr_erf(y, y, MPFR_RNDN);
    cr_assert(mpfr_cmp_d(y, x) > 0, "erfinv(%a) is %a", x, got);
    mpfr_set_d(y, got, MPFR_RNDN);
    mpfr_sub_d(y, y, 2 * unit, MPFR_RNDN);
    mpfr_erf(y, y, MPFR_RNDN);
    cr_assert(mpfr_cmp_d(y, x) < 0, "erfinv(%a) is %a", x, got);
  }
  mpfr_clear(y);
  mpfr_free_cache();
}

/* Magnitudes and directions of complex numbers against MPFR: exact ones, ties and small parts among them. */
Test(unary, complex_numbers)
{
  mpfr_t a, b, s;
  mpfr_inits2(4400, a, b, s, (mpfr_ptr)0);
  dice d = {13};
  for (int i = 0; i < (SANITIZED ? 2000 : 10000); i++) {
    const int64_t kind = roll_below(&d, 4);
    double z[2];
    for (int k = 0; k < 2; k++) {
      const int power = kind == 1 ? (int)roll_below(&d, 160) - 80 : kind == 2 ? -1074 + (int)roll_below(&d, 3) : 0;
      z[k] = ldexp((double)(1 + roll_below(&d, kind == 0 ? 4000 : INT64_C(1) << 53)), power);
    }
    if (kind == 3) {
      z[0] = ldexp((double)(1 + roll_below(&d, 1 << 20)), (int)roll_below(&d, 1800) - 1000);
      z[1] = ldexp(1 + (double)roll_below(&d, 2), (int)roll_below(&d, 900));
    }
    for (int f = 0; f < 2; f++) {
      const spw_unary_request w = {.function = f ? SPW_UNARY_SGN : SPW_UNARY_ABS};
      spw_owned *made = NULL;
      cr_assert_eq(map_values(&w, SPW_COMPLEX128, 1, z, &made), SPW_OK);
      const double *const got = spw_owned_tensor(made)->values.data;
      mpfr_set_d(a, z[0], MPFR_RNDN);
      mpfr_set_d(b, z[1], MPFR_RNDN);
      mpfr_sqr(s, a, MPFR_RNDN);
      mpfr_fma(s, b, b, s, MPFR_RNDN);
      mpfr_sqrt(s, s, MPFR_RNDN);
      if (f) mpfr_div(s, a, s, MPFR_RNDN);
      const double right = mpfr_get_d(s, MPFR_RNDN);
      cr_assert(*got == right, "%s(%a, %a) is %a, not %a", f ? "sgn" : "abs", z[0], z[1], *got, right);
      spw_owned_free(made);
    }
  }
  mpfr_clears(a, b, s, (mpfr_ptr)0);
  mpfr_free_cache();
}

/* ---- Calls -------------------------------------------------------------------------------------------------------- */

/* The first value that has no place is named, with the sum of its parts. */
Test(unary, misfits)
{
  const int64_t indices[] = {0, 1, 1, 0, 0, 2, 2, 1}, shape[] = {2, 4}, strides[] = {4, 1};
  const int64_t n[] = {4}, one[] = {1}, size[] = {2, 3};
  const double values[] = {1.5, 200, 100, 7};
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 8}, .i64 = indices},
                        .values = {{SPW_FLOAT64, 1, n, one, 0, 4}, values}};
  const spw_unary_request w = {.function = SPW_UNARY_CAST, .dtype = SPW_UINT8};
  spw_owned *made = NULL;
  spw_refusal r;
  char said[200];
  const spw_status status = spw_unary_new(&t, &w, 0, &made, &r);
  cr_assert(status == SPW_ERANGE && r.obstacle == SPW_OBSTACLE_VALUE, "%d", (int)status);
  cr_assert(r.place == 1 && r.rhs == SPW_UINT8);
  spw_refused what = SPW_REFUSED(SPW_MAPPING, &t, NULL);
  what.unary = &w;
  spw_refusal_text(&what, status, &r, said, sizeof said);
  cr_assert_str_eq(said, "the value 300 at position (1, 2) has no place in uint8");
  cr_assert_eq(spw_unary_in_place(&t, &(spw_unary_request){.function = SPW_UNARY_SIN}, &r), SPW_ERANGE);
  cr_assert_eq(r.obstacle, SPW_OBSTACLE_DUPLICATE);
}

Test(unary, wrong_calls)
{
  const double x = 1, zero = 0;
  spw_owned *made = NULL;
  const spw_unary_request wrong[] = {{.function = SPW_UNARY_COUNT}, {.function = (spw_unary_function)-1},
                                     {.function = SPW_UNARY_POW}, {.function = SPW_UNARY_DIV}, {.function = SPW_UNARY_CAST},
                                     {.function = SPW_UNARY_CAST, .dtype = (spw_dtype)SPW_DTYPE_COUNT},
                                     {.function = SPW_UNARY_SIN, .duplicates = (spw_combine)4}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    cr_assert_eq(map_values(&wrong[i], SPW_FLOAT64, 1, &x, &made), SPW_EINVAL, "%zu", i);
  const spw_unary_request sine = {.function = SPW_UNARY_SIN};
  spw_room room;
  spw_tensor result;
  const int64_t shape[] = {1}, strides[] = {1};
  const spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, shape, strides, 0, 1}, &x}};
  cr_assert_eq(spw_unary_size(NULL, &sine, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_unary_size(&dense, &sine, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_unary_size(&dense, NULL, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_unary(&dense, &sine, NULL, &result, NULL), SPW_EINVAL);
  cr_assert_eq(spw_unary_new(&dense, &sine, 0, NULL, NULL), SPW_EINVAL);
  const spw_unary_request power = {.function = SPW_UNARY_POW, .scalar = &zero};
  cr_assert_eq(map_values(&power, SPW_FLOAT64, 1, &x, &made), SPW_ERANGE);
  cr_assert_eq(spw_unary_dtype(SPW_UNARY_COUNT, SPW_FLOAT64), SPW_DTYPE_NONE);
  cr_assert_eq(spw_unary_dtype(SPW_UNARY_SIN, (spw_dtype)99), SPW_DTYPE_NONE);
  cr_assert(!spw_unary_name(SPW_UNARY_COUNT) && !spw_unary_of_zero((spw_unary_function)-1));
}

Test(unary, names)
{
  for (int f = 0; f < SPW_UNARY_COUNT; f++) cr_assert_eq(spw_unary_from_name(spw_unary_name((spw_unary_function)f)), f);
  cr_assert_eq(spw_unary_from_name("fix"), SPW_UNARY_TRUNC);
  cr_assert_eq(spw_unary_from_name("floor_divide"), SPW_UNARY_DIV_FLOOR);
  cr_assert_eq(spw_unary_from_name("sine"), -1);
  cr_assert_eq(spw_unary_from_name(NULL), -1);
  cr_assert_str_eq(spw_unary_of_zero(SPW_UNARY_COS), "1");
  cr_assert_str_eq(spw_unary_of_zero(SPW_UNARY_SIN), "");
}

/* Buffers may not lie on the operand, and values that share memory are not mapped in place. */
Test(unary, overlap)
{
  int64_t shape[] = {1, 3}, size[] = {3}, strides[] = {3, 1}, none[] = {0}, one[] = {1}, indices[] = {0, 1, 2};
  int64_t dims[16], plain[3];
  double values[] = {1, 2, 3};
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 1, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 3}, .i64 = indices},
                        .values = {{SPW_FLOAT64, 1, size, one, 0, 3}, values}};
  const spw_unary_request w = {.function = SPW_UNARY_NEG};
  spw_buffers b = {.dims = dims, .plain_i64 = plain, .values = values};
  spw_tensor result = {.ndim = -3};
  spw_refusal r;
  cr_assert_eq(spw_unary_size(&t, &w, &b.room, NULL), SPW_OK);
  cr_assert(b.room.dims <= 16 && b.room.work == 0);
  cr_assert_eq(spw_unary(&t, &w, &b, &result, &r), SPW_ERANGE);
  cr_assert(r.obstacle == SPW_OBSTACLE_OVERLAP && r.operand == 0 && result.ndim == -3 && values[0] == 1);
  cr_assert_eq(spw_unary_in_place(&t, &w, &r), SPW_OK);
  cr_assert(values[0] == -1 && values[2] == -3);
  spw_tensor shared = t;
  shared.values.array.strides = none;
  shared.values.array.length = 1;
  cr_assert_eq(spw_unary_in_place(&shared, &w, &r), SPW_ERANGE);
  cr_assert_eq(r.obstacle, SPW_OBSTACLE_OVERLAP);
  shared = t;
  shared.values.data = indices;
  cr_assert_eq(spw_unary_in_place(&shared, &w, &r), SPW_ERANGE);
  cr_assert_eq(r.obstacle, SPW_OBSTACLE_OVERLAP);
  cr_assert_eq(spw_unary_in_place(&t, &(spw_unary_request){.function = SPW_UNARY_ISNAN}, &r), SPW_ERANGE);
  cr_assert(r.obstacle == SPW_OBSTACLE_TYPES && r.rhs == SPW_BOOL);
}
