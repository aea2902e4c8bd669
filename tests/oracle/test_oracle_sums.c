/* SPDX-License-Identifier: Apache-2.0 */
/* Exact sums and bounds against MPFR, and against all pairs of float16 that there is time for. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../fuzz/inputs/values.h"
#include "../../src/oracle/wide.h"
#include "../support/memory.h"
#include "../expected/scalar.h"
#include "../operands/specimen.h"

enum { EXACT = 8000 }; /* bits in which no sum here is rounded */

static const spw_dtype reals[] = {SPW_FLOAT16, SPW_BFLOAT16, SPW_FLOAT32, SPW_FLOAT64};

/* `make oracle-report` runs more of everything, as many times. */
static int64_t more(int64_t few, int64_t many)
{
  const char *const times = getenv("ORACLE_REPORT");
  return times ? many * strtol(times, NULL, 10) : few;
}

/* ---- MPFR -------------------------------------------------------------------------------------- */

static void wide_range(void)
{
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

static void expect_exact(int ternary)
{
  cr_assert(ternary == 0, "%d bits are too few", EXACT);
}

/* Rounded by MPFR to a format of `bits` significant bits from 2^least to below 2^(most + 1). */
static double rounded_by_mpfr(mpfr_srcptr x, int bits, int least, int most)
{
  mpfr_t y;
  mpfr_init2(y, bits);
  mpfr_set_emin(least - bits + 2);
  mpfr_set_emax(most + 1);
  int ternary = mpfr_set(y, x, MPFR_RNDN);
  ternary = mpfr_check_range(y, ternary, MPFR_RNDN);
  mpfr_subnormalize(y, ternary, MPFR_RNDN);
  wide_range();
  const double value = mpfr_get_d(y, MPFR_RNDN);
  mpfr_clear(y);
  return value;
}

static double nearest(mpfr_srcptr x, spw_dtype dtype)
{
  switch (dtype) {
    case SPW_FLOAT16: return rounded_by_mpfr(x, 11, -14, 15);
    case SPW_BFLOAT16: return rounded_by_mpfr(x, 8, -126, 127);
    case SPW_FLOAT32: return rounded_by_mpfr(x, 24, -126, 127);
    default: return rounded_by_mpfr(x, 53, -1022, 1023);
  }
}

static void expect_rounded(const spw_exact *sum, mpfr_srcptr truth, const char *what)
{
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
    const double wanted = nearest(truth, reals[i]), got = scalar_to_double(reals[i], spw_exact_round(sum, reals[i]));
    cr_assert(got == wanted, "%s: %s %a, by MPFR %a", what, spw_dtype_name(reals[i]), got, wanted);
  }
}

/* ---- Terms ------------------------------------------------------------------------------------- */

static double draw(spw_dtype dtype, int64_t classes, dice *d)
{
  return scalar_to_double(dtype, fuzz_draw(dtype, classes, roll(d)));
}

static int64_t any_classes(dice *d)
{
  static const int64_t choices[] = {
      1 << FUZZ_NUMBER, 1 << FUZZ_SUBNORMAL | 1 << FUZZ_EXTREME, 1 << FUZZ_SMALL, 1 << FUZZ_EXTREME,
      1 << FUZZ_NUMBER | 1 << FUZZ_SUBNORMAL | 1 << FUZZ_EXTREME | 1 << FUZZ_ZERO | 1 << FUZZ_MINUS_ZERO | 1 << FUZZ_SMALL};
  return choices[roll_below(d, 5)];
}

/* A sum in both, of products and values; now and then a term is taken away again, so that much cancels. */
typedef struct both {
  spw_exact sum;
  mpfr_t truth, gauge, product;
} both;

static void both_start(both *b)
{
  spw_exact_start(&b->sum);
  mpfr_inits2(EXACT, b->truth, b->gauge, b->product, (mpfr_ptr)0);
  mpfr_set_zero(b->truth, 1);
  mpfr_set_zero(b->gauge, 1);
}

static void both_end(both *b)
{
  mpfr_clears(b->truth, b->gauge, b->product, (mpfr_ptr)0);
}

static void both_add(both *b, double x, double y, bool product)
{
  cr_assert(product ? spw_exact_add_product(&b->sum, x, y) == SPW_OK : spw_exact_add(&b->sum, x) == SPW_OK);
  expect_exact(mpfr_set_d(b->product, x, MPFR_RNDN));
  if (product) expect_exact(mpfr_mul_d(b->product, b->product, y, MPFR_RNDN));
  expect_exact(mpfr_add(b->truth, b->truth, b->product, MPFR_RNDN));
  mpfr_abs(b->product, b->product, MPFR_RNDN);
  expect_exact(mpfr_add(b->gauge, b->gauge, b->product, MPFR_RNDN));
}

static void both_draw(both *b, dice *d, int64_t most)
{
  const spw_dtype dtype = reals[roll_below(d, 4)];
  const int64_t n = roll_below(d, most), classes = any_classes(d);
  for (int64_t i = 0; i < n; i++) {
    const double x = draw(dtype, classes, d), y = draw(dtype, classes, d);
    const bool product = roll_below(d, 8) > 0;
    both_add(b, x, y, product);
    if (roll_below(d, 3) == 0) both_add(b, -x, y, product);
  }
}

Test(oracle_sums, round_as_mpfr_does)
{
  dice d = {101};
  const int64_t trials = more(20000, 1000000);
  for (int64_t trial = 0; trial < trials; trial++) {
    both b;
    both_start(&b);
    both_draw(&b, &d, 12);
    expect_rounded(&b.sum, b.truth, "sum");
    both_end(&b);
  }
  mpfr_free_cache();
  printf("exact sums rounded to four formats as by MPFR: %lld\n", (long long)trials);
}

/* Half-way between two numbers, and a hair beside it: added to a number as halves of its last place. */
Test(oracle_sums, round_ties_to_even)
{
  dice d = {102};
  for (int trial = 0; trial < 20000; trial++) {
    const spw_dtype dtype = reals[roll_below(&d, 4)];
    const uint64_t bits = fuzz_draw(dtype, 1 << FUZZ_NUMBER | 1 << FUZZ_SUBNORMAL | 1 << FUZZ_EXTREME, roll(&d));
    const double x = scalar_to_double(dtype, bits), next = scalar_to_double(dtype, bits + 1);
    both b;
    if (next != next || isinf(next)) continue;
    both_start(&b);
    both_add(&b, x, 0.5, true);
    both_add(&b, next, 0.5, true);
    if (roll_below(&d, 2)) both_add(&b, 0x1p-1074, roll_below(&d, 2) ? 0x1p-1074 : -0x1p-1074, true);
    expect_rounded(&b.sum, b.truth, "tie");
    both_end(&b);
  }
}

/* The largest and smallest terms that there are, in numbers that carry through every limb. */
Test(oracle_sums, hold_their_range)
{
  both b;
  both_start(&b);
  for (int i = 0; i < 5000; i++)
    both_add(&b, 0x1.fffffffffffffp1023, i % 2 ? -0x1.fffffffffffffp1023 : 0x1.fffffffffffffp1023, true);
  both_add(&b, 0x1p-1074, 0x1p-1074, true);
  expect_rounded(&b.sum, b.truth, "range");
  both_add(&b, -0x1p-1074, 0x1p-1074, true);
  for (int i = 0; i < 4; i++) both_add(&b, 0x1.fffffffffffffp1023, 1, true);
  expect_rounded(&b.sum, b.truth, "overflow");
  both_end(&b);
  spw_exact sum, other;
  spw_exact_start(&sum);
  spw_exact_start(&other);
  sum.terms = other.terms = SPW_EXACT_TERMS;
  cr_expect(spw_exact_add(&sum, 1) == SPW_ERANGE && spw_exact_add_product(&sum, 1, 1) == SPW_ERANGE);
  cr_expect(spw_exact_add_scaled(&sum, &other, 3) == SPW_ERANGE);
  cr_expect(sum.terms == SPW_EXACT_TERMS && spw_exact_round(&sum, SPW_FLOAT64) == 0, "a refused term was added");
}

/* A sum of carries: 2^40 times the largest product that a counter holds is below the last limb. */
Test(oracle_sums, do_not_carry_out)
{
  spw_exact sum, total;
  spw_exact_start(&sum);
  cr_assert(spw_exact_add_product(&sum, 0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023) == SPW_OK);
  spw_exact_start(&total);
  cr_assert(spw_exact_add_scaled(&total, &sum, 0x1.fffffffffffffp1023) == SPW_OK);
  int last = SPW_EXACT_LIMBS - 1;
  while (total.positive[last] == 0) last--;
  cr_expect(SPW_EXACT_LEAST + 32 * (last + 1) <= 3072 + 32);
  /* SPW_EXACT_TERMS of these, and a gauge twice as large, fit. */
  cr_expect(3072 + 60 + 2 < SPW_EXACT_LEAST + 32 * SPW_EXACT_LIMBS);
}

Test(oracle_sums, are_scaled_exactly)
{
  dice d = {103};
  const int64_t trials = more(5000, 200000);
  for (int64_t trial = 0; trial < trials; trial++) {
    both b;
    spw_exact total;
    mpfr_t truth;
    both_start(&b);
    both_draw(&b, &d, 6);
    mpfr_init2(truth, EXACT);
    mpfr_set_zero(truth, 1);
    spw_exact_start(&total);
    for (int times = 0; times < 2; times++) {
      const double factor = roll_below(&d, 4) ? draw(SPW_FLOAT64, any_classes(&d), &d) : (double)roll_below(&d, 3) - 1;
      cr_assert(spw_exact_add_scaled(&total, &b.sum, factor) == SPW_OK);
      expect_exact(mpfr_mul_d(b.product, b.truth, factor, MPFR_RNDN));
      expect_exact(mpfr_add(truth, truth, b.product, MPFR_RNDN));
    }
    expect_rounded(&total, truth, "scaled");
    mpfr_clear(truth);
    both_end(&b);
  }
}

Test(oracle_sums, refuse_a_second_factor)
{
  spw_exact one, two, three;
  spw_exact_start(&one);
  spw_exact_start(&two);
  spw_exact_start(&three);
  cr_assert(spw_exact_add(&one, 3) == SPW_OK && spw_exact_add_scaled(&two, &one, 5) == SPW_OK);
  cr_expect(spw_exact_add_scaled(&three, &two, 5) == SPW_ERANGE);
  cr_expect(three.terms == 0 && spw_exact_round(&three, SPW_FLOAT64) == 0);
}

/* ---- The bound --------------------------------------------------------------------------------- */

/* ((1 + 2^-bits)^n - 1) * gauge + n * 2^smallest * (1 + 2^-bits)^n, as MPFR has it; the power is
 * (1 + 2^-(bits + 10))^n times as large. */
static double bound_by_mpfr(const both *b, int bits, long n, int smallest)
{
  mpfr_t grown, wider, g, bound;
  mpfr_inits2(2000, grown, wider, g, bound, (mpfr_ptr)0);
  mpfr_set_ui_2exp(grown, 1, -bits, MPFR_RNDN);
  mpfr_add_ui(grown, grown, 1, MPFR_RNDN);
  mpfr_pow_ui(grown, grown, (unsigned long)n, MPFR_RNDU);
  mpfr_set_ui_2exp(wider, 1, -bits - 10, MPFR_RNDN);
  mpfr_add_ui(wider, wider, 1, MPFR_RNDN);
  mpfr_pow_ui(wider, wider, (unsigned long)n, MPFR_RNDU);
  mpfr_mul(grown, grown, wider, MPFR_RNDU);
  mpfr_sub_ui(g, grown, 1, MPFR_RNDU);
  mpfr_mul(bound, g, b->gauge, MPFR_RNDU);
  mpfr_mul_ui(grown, grown, (unsigned long)n, MPFR_RNDU);
  mpfr_mul_2si(grown, grown, smallest, MPFR_RNDU);
  if (smallest > -2000) mpfr_add(bound, bound, grown, MPFR_RNDU);
  const double value = mpfr_get_d(bound, MPFR_RNDU);
  mpfr_clears(grown, wider, g, bound, (mpfr_ptr)0);
  return value;
}

/* Of any size, or of 1 to 2. */
static double draw_number(spw_dtype dtype, bool any, dice *d)
{
  const double x = draw(dtype, 1 << FUZZ_NUMBER, d);
  return any ? x : scalar_to_double(dtype, scalar_of_double(dtype, copysign(1 + fmod(fabs(x), 1), x)));
}

/* Never below what J3 says, and above it by no more than what 64 bits cannot tell. */
Test(oracle_sums, have_the_bound_that_is_stated)
{
  static const struct { spw_precision precision; spw_dtype dtype; int bits, smallest; } kinds[] = {
      {SPW_IN_FLOAT64, SPW_FLOAT64, 53, -1075}, {SPW_IN_FLOAT32, SPW_FLOAT32, 24, -150},
      {SPW_IN_FLOAT16, SPW_FLOAT16, 11, -25}, {SPW_IN_BFLOAT16, SPW_BFLOAT16, 8, -134}};
  dice d = {104};
  int bounded = 0, tiny = 0;
  for (int trial = 0; trial < 4000; trial++) {
    const int kind = (int)roll_below(&d, 4);
    const long n = 1 + (long)roll_below(&d, roll_below(&d, 50) ? 20 : 2000);
    const bool small = roll_below(&d, 2);
    both b;
    both_start(&b);
    for (long i = 0; i < n; i++) {
      const double x = draw_number(kinds[kind].dtype, small, &d), y = draw_number(kinds[kind].dtype, small, &d);
      both_add(&b, x, y, true);
    }
    const uint64_t y = spw_exact_round(&b.sum, SPW_FLOAT64);
    const spw_finding_of_sum f = spw_exact_judge(&b.sum, kinds[kind].precision, SPW_FLOAT64, y);
    if (f.bound > 0 && f.bound < 1e300) {
      const double least = bound_by_mpfr(&b, kinds[kind].bits, n, -3000),
                   most = bound_by_mpfr(&b, kinds[kind].bits, n, kinds[kind].smallest);
      cr_assert(f.bound >= least && f.bound <= most * (1 + 0x1p-40) + 0x1p-1000, "%s, %ld terms: %a is not in %a .. %a",
                spw_precision_name(kinds[kind].precision), n, f.bound, least, most);
      bounded++;
      tiny += small;
    }
    both_end(&b);
  }
  cr_expect(bounded > 1000 && tiny > 200, "%d, %d", bounded, tiny);
}

/* ---- Rounding up ------------------------------------------------------------------------------- */

static void set_upper(mpfr_ptr x, spw_upper u)
{
  mpfr_set_uj_2exp(x, u.m, u.e, MPFR_RNDN);
}

/* Not below what it should be, and above it by less than two units of 64 bits; normal, or zero. */
static void expect_above(const char *what, spw_upper u, mpfr_srcptr exact)
{
  mpfr_t x, most;
  mpfr_inits2(EXACT, x, most, (mpfr_ptr)0);
  set_upper(x, u);
  mpfr_mul_2si(most, exact, -62, MPFR_RNDN);
  mpfr_add(most, most, exact, MPFR_RNDN);
  cr_assert(u.m == 0 || u.m >> 63 == 1, "%s", what);
  cr_assert(mpfr_cmp(x, exact) >= 0 && mpfr_cmp(x, most) <= 0, "%s: %llx * 2^%lld", what, (unsigned long long)u.m,
            (long long)u.e);
  mpfr_clears(x, most, (mpfr_ptr)0);
}

/* Many bits set, or few, so that something is carried out of 64 bits, and now and then nothing is cut off. */
static spw_upper any_upper(dice *d)
{
  const uint64_t bits = roll(d), m = roll_below(d, 3) == 0 ? ~(bits >> roll_below(d, 63))
                                     : roll_below(d, 3)    ? bits
                                                           : bits << 40;
  return spw_upper_of(m, roll_below(d, 140) - 70, false);
}

Test(oracle_sums, round_bounds_up)
{
  dice d = {105};
  mpfr_t x, y, exact;
  mpfr_inits2(EXACT, x, y, exact, (mpfr_ptr)0);
  for (int trial = 0; trial < 20000; trial++) {
    const spw_upper a = any_upper(&d), b = roll_below(&d, 50) ? any_upper(&d) : (spw_upper){0, 0};
    set_upper(x, a);
    set_upper(y, b);
    expect_exact(mpfr_add(exact, x, y, MPFR_RNDN));
    expect_above("a + b", spw_upper_add(a, b), exact);
    expect_exact(mpfr_mul(exact, x, y, MPFR_RNDN));
    expect_above("a * b", spw_upper_mul(a, b), exact);
    cr_assert(spw_upper_reaches(a, b) == (mpfr_cmp(x, y) >= 0));
    expect_above("a double", spw_upper_of(a.m, a.e, false), x);
  }
  mpfr_clears(x, y, exact, (mpfr_ptr)0);
}

/* A sum and its next larger number of 64 bits; and what is added to a sum is rounded up to its unit. */
Test(oracle_sums, are_bounded_by_64_bits)
{
  dice d = {106};
  for (int trial = 0; trial < 3000; trial++) {
    both b;
    both_start(&b);
    both_draw(&b, &d, 8);
    uint32_t magnitude[SPW_EXACT_LIMBS];
    spw_wide_difference(magnitude, b.sum.positive, b.sum.negative);
    mpfr_abs(b.truth, b.truth, MPFR_RNDN);
    expect_above("a sum", spw_wide_upper(magnitude), b.truth);
    both_end(&b);
  }
  for (int e = -80; e < 8; e++) {
    uint32_t wide[SPW_EXACT_LIMBS] = {0};
    const spw_upper one = spw_upper_of(((uint64_t)1 << 63) + 1, SPW_EXACT_LEAST + e, false);
    cr_assert(spw_wide_add_upper(wide, one));
    const uint64_t got = wide[0] | (uint64_t)wide[1] << 32;
    const uint64_t rounded = e <= -64 ? 1 : e < 0 ? (((uint64_t)1 << 63) >> -e) + 1 : (((uint64_t)1 << 63) + 1) << e;
    cr_expect(got == rounded, "2^%d: %llx, not %llx", e, (unsigned long long)got, (unsigned long long)rounded);
  }
}

/* ---- All of float16 ---------------------------------------------------------------------------- */

/* The float16 nearest to a double, by looking: `from` is one that is not above it. */
static uint64_t nearest_half(double value)
{
  uint64_t low = 0, high = 0x7c00;
  const double size = fabs(value);
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    if (scalar_to_double(SPW_FLOAT16, middle) <= size) low = middle;
    else high = middle;
  }
  const double below = scalar_to_double(SPW_FLOAT16, low),
               above = low == 0x7bff ? 65536 : scalar_to_double(SPW_FLOAT16, low + 1);
  if (size - below > above - size || (size - below == above - size && low % 2 != 0)) low++;
  return low | (value < 0 ? 0x8000 : 0);
}

/* Every number of float16 times and plus others, of which `make oracle-report` takes more. */
Test(oracle_sums, round_pairs_of_float16)
{
  const uint64_t step = getenv("ORACLE_REPORT") ? 61 : 4093;
  int64_t pairs = 0;
  for (uint64_t a = 0; a < 0x10000; a++)
    for (uint64_t b = a % step; b < 0x10000; b += step) {
      const double x = scalar_to_double(SPW_FLOAT16, a), y = scalar_to_double(SPW_FLOAT16, b);
      spw_exact product, sum;
      uint64_t plain = a;
      if (!isfinite(x) || !isfinite(y)) continue;
      spw_exact_start(&product);
      spw_exact_start(&sum);
      spw_exact_add_product(&product, x, y);
      spw_exact_add(&sum, x);
      spw_exact_add(&sum, y);
      const uint64_t got = spw_exact_round(&product, SPW_FLOAT16), wanted = nearest_half(x * y);
      cr_assert((got == wanted) || (x * y == 0 && got == 0), "%a * %a is %llx, not %llx", x, y, (unsigned long long)got,
                (unsigned long long)wanted);
      scalar_add(SPW_FLOAT16, &plain, &b);
      const uint64_t added = spw_exact_round(&sum, SPW_FLOAT16);
      cr_assert(added == (plain & 0xffff) || (x + y == 0 && added == 0), "%a + %a", x, y);
      pairs++;
    }
  cr_expect(pairs > 900000);
  printf("pairs of float16, each multiplied and added: %lld\n", (long long)pairs);
}

/* ---- Special values ---------------------------------------------------------------------------- */

Test(oracle_sums, tell_the_class_of_special_values)
{
  static const struct { double a, b, c, d; spw_dtype dtype; uint64_t bits; } cases[] = {
      {INFINITY, 2, 1, 1, SPW_FLOAT32, 0x7f800000}, {INFINITY, -2, 1, 1, SPW_FLOAT32, 0xff800000},
      {INFINITY, 2, -INFINITY, 1, SPW_FLOAT32, 0x7fc00000}, {INFINITY, 0, 1, 1, SPW_FLOAT16, 0x7e00},
      {NAN, 1, 1, 1, SPW_BFLOAT16, 0x7fc0}, {INFINITY, NAN, 1, 1, SPW_FLOAT64, (uint64_t)0x7ff8 << 48},
      {0, -1, 0, 1, SPW_FLOAT64, 0}, {0x1p1000, 0x1p1000, 1, 1, SPW_FLOAT64, (uint64_t)0x7ff << 52}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    spw_exact sum;
    spw_exact_start(&sum);
    spw_exact_add_product(&sum, cases[i].a, cases[i].b);
    spw_exact_add_product(&sum, cases[i].c, cases[i].d);
    cr_expect(spw_exact_round(&sum, cases[i].dtype) == cases[i].bits, "case %zu", i);
    cr_expect(spw_exact_round(&sum, SPW_INT32) == 0 && spw_exact_round(&sum, SPW_COMPLEX64) == 0);
  }
}
