/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on a sum: no correct result is called wrong, whatever the order; no planted fault is missed on the
 * lattice; and NaN, infinities and zeros are what they have to be. `make oracle-report` runs more, and prints tables. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../fuzz/inputs/values.h"
#include "../expected/scalar.h"
#include "summation.h"

static bool is_report(void)
{
  return getenv("ORACLE_REPORT") != NULL;
}

/* As many times. */
static int64_t more(int64_t few, int64_t many)
{
  return is_report() ? many * strtol(getenv("ORACLE_REPORT"), NULL, 10) : few;
}

/* What is summed, in which type, under which declaration, to which type. */
typedef struct kind {
  spw_precision precision;
  spw_dtype operands, result;
} kind;

static const kind kinds[] = {
    {SPW_IN_FLOAT64, SPW_FLOAT64, SPW_FLOAT64},      {SPW_IN_FLOAT64, SPW_FLOAT32, SPW_FLOAT32},
    {SPW_IN_FLOAT32, SPW_FLOAT32, SPW_FLOAT32},      {SPW_IN_FLOAT32, SPW_FLOAT16, SPW_FLOAT16},
    {SPW_IN_FLOAT32, SPW_BFLOAT16, SPW_BFLOAT16},    {SPW_IN_FLOAT32, SPW_FLOAT16, SPW_FLOAT32},
    {SPW_IN_FLOAT32_FTZ, SPW_FLOAT32, SPW_FLOAT32},  {SPW_FROM_TF32, SPW_FLOAT32, SPW_FLOAT32},
    {SPW_FROM_BFLOAT16, SPW_FLOAT32, SPW_FLOAT32},   {SPW_IN_FLOAT16, SPW_FLOAT16, SPW_FLOAT16},
    {SPW_IN_BFLOAT16, SPW_BFLOAT16, SPW_BFLOAT16}};

enum { KINDS = sizeof kinds / sizeof *kinds, TERMS = 64 };

static const char *kind_text(const kind *k)
{
  static char text[80];
  snprintf(text, sizeof text, "%s of %s to %s", spw_precision_name(k->precision), spw_dtype_name(k->operands),
           spw_dtype_name(k->result));
  return text;
}

/* ---- Operands ------------------------------------------------------------------------------------ */

typedef enum family { UNIFORM, SPREAD, CANCELLING, SUBNORMAL, LARGE, ANY_FINITE, LATTICE, FAMILIES } family;

static const char *const family_names[] = {"uniform", "2^-16..2^16", "cancelling", "subnormal",
                                           "large",   "any finite",  "lattice"};

typedef struct terms {
  int64_t n;
  double a[TERMS + 1], x[TERMS + 1]; /* with a neighbour behind the last */
} terms;

static double in_type(spw_dtype dtype, double value)
{
  return scalar_to_double(dtype, scalar_of_double(dtype, value));
}

static double unit(dice *d)
{
  return (double)(roll(d) >> 11) * 0x1p-52 - 1;
}

static double one_of(const kind *k, family f, dice *d)
{
  const int64_t wild = 1 << FUZZ_NUMBER | 1 << FUZZ_SUBNORMAL | 1 << FUZZ_EXTREME | 1 << FUZZ_ZERO | 1 << FUZZ_MINUS_ZERO
                       | 1 << FUZZ_SMALL;
  const int64_t edge = 1 << FUZZ_SUBNORMAL | 1 << FUZZ_EXTREME | 1 << FUZZ_SMALL;
  switch (f) {
    case SPREAD: return in_type(k->operands, ldexp(unit(d), (int)roll_below(d, 33) - 16));
    case SUBNORMAL: return scalar_to_double(k->operands, fuzz_draw(k->operands, edge, roll(d)));
    case ANY_FINITE: return scalar_to_double(k->operands, fuzz_draw(k->operands, wild, roll(d)));
    case LARGE: {
      const int top = k->operands == SPW_FLOAT16 ? 8 : k->operands == SPW_FLOAT64 ? 512 : 64;
      return in_type(k->operands, ldexp(unit(d), top));
    }
    default: return in_type(k->operands, unit(d));
  }
}

static void draw_lattice(terms *t, const kind *k, dice *d)
{
  spw_lattice l;
  cr_assert(spw_lattice_for(k->operands, k->precision, t->n + 1, &l) == SPW_OK, "%s, %d terms", kind_text(k), (int)t->n + 1);
  for (int64_t i = 0; i <= t->n; i++) {
    t->a[i] = scalar_to_double(k->operands, spw_lattice_a(&l, roll(d)));
    t->x[i] = scalar_to_double(k->operands, spw_lattice_x(&l, i, roll(d)));
  }
}

/* The widest lattice needs room: of bfloat16 sums, for 2^5 terms. */
static void draw_terms(terms *t, const kind *k, family f, dice *d)
{
  t->n = 1 + roll_below(d, f == LATTICE && k->precision == SPW_IN_BFLOAT16 ? 31 : TERMS - 1);
  if (f == LATTICE) {
    draw_lattice(t, k, d);
    return;
  }
  for (int64_t i = 0; i <= t->n; i++) {
    t->a[i] = one_of(k, f, d);
    t->x[i] = one_of(k, f, d);
    if (f == CANCELLING && i % 2 != 0) {
      t->a[i] = t->a[i - 1];
      t->x[i] = in_type(k->operands, -t->x[i - 1] * (1 + ldexp(unit(d), -7)));
    }
  }
}

static void sum_exactly(spw_exact *sum, const terms *t)
{
  spw_exact_start(sum);
  for (int64_t i = 0; i < t->n; i++) cr_assert(spw_exact_add_product(sum, t->a[i], t->x[i]) == SPW_OK);
}

static bool is_right(spw_verdict verdict)
{
  return verdict == SPW_RIGHT_EXACT || verdict == SPW_RIGHT_BOUNDED || verdict == SPW_RIGHT_SPECIAL;
}

/* ---- No false alarm ------------------------------------------------------------------------------ */

typedef struct tally {
  int64_t results, exact, undecided, alarms;
  double largest;
} tally;

/* A result of every order, fused too. */
static void judge_orders(tally *t, const kind *k, const terms *operands, const spw_exact *sum, summation *s, dice *d)
{
  for (int order = 0; order < ORDERS; order++)
    for (int fused = 0; fused <= summation_fuses(k->precision); fused++) {
      s->order = (summation_order)order;
      s->fused = fused != 0;
      const uint64_t y = summation_result(s, k->result, operands->n, operands->a, operands->x, d);
      const spw_finding_of_sum f = spw_exact_judge(sum, k->precision, k->result, y);
      t->results++;
      t->exact += f.verdict == SPW_RIGHT_EXACT;
      t->undecided += f.verdict == SPW_UNDECIDED;
      t->alarms += !is_right(f.verdict) && f.verdict != SPW_UNDECIDED;
      if (is_right(f.verdict) && f.bound > 0 && f.ratio > t->largest && spw_dtype_size(k->result) >= 4) t->largest = f.ratio;
      cr_expect(is_right(f.verdict) || f.verdict == SPW_UNDECIDED, "%s, %s, %d terms, form %d%s: %s, %a for %a, ratio %g",
                kind_text(k), summation_name(s->order), (int)operands->n, (int)s->form, fused ? ", fused" : "",
                spw_fault_name(f.fault), scalar_to_double(k->result, y), f.sum, f.ratio);
    }
}

Test(oracle_verdicts, call_no_correct_sum_wrong)
{
  dice d = {201};
  int64_t all = 0;
  const int64_t trials = more(60, 3000);
  if (is_report())
    printf("\nFalse alarms among correct sums of 1 to %d products, in five orders, fused and not\n%-40s %-12s %9s %9s "
           "%9s %6s %s\n",
           TERMS - 1, "precision, types", "operands", "results", "exact", "undecided", "alarms", "largest error / bound");
  for (int i = 0; i < KINDS; i++)
    for (int f = 0; f < FAMILIES; f++) {
      tally t = {0};
      for (int64_t trial = 0; trial < trials; trial++) {
        terms operands;
        spw_exact sum;
        summation s = {.precision = kinds[i].precision};
        draw_terms(&operands, &kinds[i], (family)f, &d);
        sum_exactly(&sum, &operands);
        judge_orders(&t, &kinds[i], &operands, &sum, &s, &d);
      }
      cr_expect(t.alarms == 0, "%s, %s: %d", kind_text(&kinds[i]), family_names[f], (int)t.alarms);
      cr_expect(f != LATTICE || t.exact == t.results, "%s: %d of %d on the lattice are exact", kind_text(&kinds[i]),
                (int)t.exact, (int)t.results);
      const bool tame = f == UNIFORM || f == LATTICE || (f == SPREAD && kinds[i].precision != SPW_IN_FLOAT16);
      cr_expect(!tame || t.undecided == 0, "%s, %s", kind_text(&kinds[i]), family_names[f]);
      if (is_report())
        printf("%-40s %-12s %9lld %9lld %9lld %6lld %.2f\n", kind_text(&kinds[i]), family_names[f], (long long)t.results,
               (long long)t.exact, (long long)t.undecided, (long long)t.alarms, t.largest);
      all += t.results;
    }
  printf("correct sums judged, none called wrong: %lld\n", (long long)all);
}

/* beta c + alpha (a x), put together in every way. */
Test(oracle_verdicts, call_no_correct_weighted_sum_wrong)
{
  dice d = {202};
  const int64_t trials = more(30, 1000);
  tally t = {0};
  for (int i = 0; i < KINDS; i++)
    for (int f = 0; f < FAMILIES; f++)
      for (int64_t trial = 0; trial < trials; trial++) {
        static const double few[] = {1, -1, 0.5, -3, 0x1p-14, 8, 0, -0.0};
        terms operands;
        spw_exact products, total;
        draw_terms(&operands, &kinds[i], f == LATTICE ? UNIFORM : (family)f, &d);
        const bool chosen = roll_below(&d, 2) != 0;
        summation s = {.precision = kinds[i].precision, .form = (summation_form)(1 + roll_below(&d, FORMS - 1)),
                       .alpha = chosen ? few[roll_below(&d, 8)] : one_of(&kinds[i], (family)f, &d),
                       .beta = chosen ? few[roll_below(&d, 8)] : one_of(&kinds[i], (family)f, &d),
                       .c = one_of(&kinds[i], (family)f, &d)};
        sum_exactly(&products, &operands);
        spw_exact_start(&total);
        cr_assert(spw_exact_add_scaled(&total, &products, s.alpha) == SPW_OK
                  && spw_exact_add_product(&total, s.beta, s.c) == SPW_OK);
        judge_orders(&t, &kinds[i], &operands, &total, &s, &d);
      }
  cr_expect(t.alarms == 0 && t.undecided * 2 < t.results);
  printf("correct weighted sums judged, none called wrong: %lld, of which undecided %lld\n", (long long)t.results,
         (long long)t.undecided);
}

/* One x is an infinity: whatever its a, or alpha times that, is rounded to. */
Test(oracle_verdicts, call_no_correct_sum_with_an_infinity_wrong)
{
  dice d = {204};
  const int64_t trials = more(30, 1000);
  tally t = {0};
  for (int i = 0; i < KINDS; i++)
    for (int f = 0; f < LATTICE; f++)
      for (int64_t trial = 0; trial < trials; trial++) {
        terms operands;
        spw_exact products, total;
        draw_terms(&operands, &kinds[i], (family)f, &d);
        operands.x[roll_below(&d, operands.n)] = roll_below(&d, 2) ? INFINITY : -INFINITY;
        summation s = {.precision = kinds[i].precision, .form = (summation_form)roll_below(&d, FORMS),
                       .alpha = one_of(&kinds[i], roll_below(&d, 2) ? SUBNORMAL : (family)f, &d),
                       .beta = one_of(&kinds[i], (family)f, &d), .c = one_of(&kinds[i], (family)f, &d)};
        sum_exactly(&products, &operands);
        spw_exact_start(&total);
        if (s.form == PLAIN) total = products;
        else cr_assert(spw_exact_add_scaled(&total, &products, s.alpha) == SPW_OK
                       && spw_exact_add_product(&total, s.beta, s.c) == SPW_OK);
        judge_orders(&t, &kinds[i], &operands, &total, &s, &d);
      }
  cr_expect(t.alarms == 0 && t.undecided > 0 && t.undecided * 2 < t.results);
  printf("correct sums with an infinity judged, none called wrong: %lld, of which undecided %lld\n", (long long)t.results,
         (long long)t.undecided);
}

/* ---- No fault missed ----------------------------------------------------------------------------- */

typedef enum mistake { DROPPED, NEIGHBOUR, TWICE, SIGN, IS_NAN, LOWER, STALE, MISTAKES } mistake;

static const char *const mistake_names[] = {"term dropped", "neighbour",       "term twice", "sign",
                                            "NaN",          "lower precision", "stale"};

/* Operands of a lattice fit in fewer bits than sums do: sums are what a lower precision spoils. */
static spw_precision lower_than(spw_precision p)
{
  return p == SPW_IN_FLOAT64 ? SPW_IN_FLOAT32 : SPW_IN_BFLOAT16;
}

/* Has a lower precision to offer: what is narrower than the result, or than the sum. */
static bool has_lower(const kind *k)
{
  return k->precision != SPW_IN_BFLOAT16 && !(k->precision == SPW_IN_FLOAT32 && k->result != SPW_FLOAT32)
         && !(k->precision == SPW_IN_FLOAT64 && k->result != SPW_FLOAT64);
}

static uint64_t faulty(mistake m, const kind *k, const terms *right, uint64_t stale, dice *d)
{
  terms t = *right;
  summation s = {.precision = k->precision, .order = (summation_order)roll_below(d, ORDERS)};
  const int64_t i = roll_below(d, t.n);
  if (m == IS_NAN) return scalar_of_double(k->result, NAN);
  if (m == STALE) return stale;
  if (m == LOWER) s.precision = lower_than(k->precision);
  if (m == NEIGHBOUR) t.x[i] = right->x[i + 1];
  if (m == SIGN) t.a[i] = -t.a[i];
  if (m == TWICE) {
    t.a[t.n] = t.a[i];
    t.x[t.n++] = right->x[i];
  }
  if (m == DROPPED) {
    t.n--;
    t.a[i] = right->a[t.n];
    t.x[i] = right->x[t.n];
  }
  return summation_result(&s, k->result, t.n, t.a, t.x, d);
}

typedef struct score {
  int64_t planted, visible, found; /* visible: other bits than a right result of the same order has */
} score;

static void plant(score *count, mistake m, const kind *k, family f, uint64_t *stale, dice *d)
{
  terms t;
  spw_exact sum;
  draw_terms(&t, k, f, d);
  sum_exactly(&sum, &t);
  const summation s = {.precision = k->precision};
  const uint64_t right = summation_result(&s, k->result, t.n, t.a, t.x, d), wrong = faulty(m, k, &t, *stale, d);
  const spw_finding_of_sum finding = spw_exact_judge(&sum, k->precision, k->result, wrong);
  const bool same = right == wrong || (scalar_to_double(k->result, right) == 0 && scalar_to_double(k->result, wrong) == 0);
  count->planted++;
  count->visible += !same;
  count->found += !same && finding.verdict == SPW_WRONG;
  *stale = right;
}

/* float16 as result may round away what changes by one unit of a float32 lattice. */
static bool always_visible(const kind *k, mistake m)
{
  return m == IS_NAN || (m != LOWER && m != STALE && spw_dtype_size(k->result) >= 4)
         || (m != LOWER && m != STALE && k->precision != SPW_IN_FLOAT32);
}

static void score_family(family f, int64_t trials, dice *d)
{
  if (is_report())
    printf("\nPlanted on operands of the family '%s': found of those that change the result\n%-40s", family_names[f],
           "precision, types");
  for (int m = 0; is_report() && m < MISTAKES; m++) printf(" %17s", mistake_names[m]);
  for (int i = 0; i < KINDS; i++) {
    if (is_report()) printf("\n%-40s", kind_text(&kinds[i]));
    for (int m = 0; m < MISTAKES; m++) {
      score s = {0};
      uint64_t stale = scalar_of_double(kinds[i].result, 1e9);
      for (int64_t trial = 0; (m != LOWER || has_lower(&kinds[i])) && trial < trials; trial++)
        plant(&s, (mistake)m, &kinds[i], f, &stale, d);
      if (f == LATTICE) {
        cr_expect(s.found == s.visible, "%s, %s: %d of %d", kind_text(&kinds[i]), mistake_names[m], (int)s.found,
                  (int)s.visible);
        cr_expect(s.visible * 10 >= s.planted * 9 || spw_dtype_size(kinds[i].result) < 4, "%s, %s: %d of %d are visible",
                  kind_text(&kinds[i]), mistake_names[m], (int)s.visible, (int)s.planted);
        cr_expect(!always_visible(&kinds[i], (mistake)m) || s.visible == s.planted, "%s, %s: %d of %d are visible",
                  kind_text(&kinds[i]), mistake_names[m], (int)s.visible, (int)s.planted);
      }
      if (is_report()) printf(" %8lld/%8lld", (long long)s.found, (long long)s.visible);
    }
  }
  if (is_report()) printf("\n");
}

Test(oracle_verdicts, find_every_fault_on_the_lattice)
{
  dice d = {203};
  score_family(LATTICE, more(300, 10000), &d);
  for (int f = 0; is_report() && f < LATTICE; f++) score_family((family)f, more(0, 2000), &d);
}

/* ---- What never passes ----------------------------------------------------------------------------- */

static spw_finding_of_sum judge(const spw_exact *sum, spw_dtype dtype, double y)
{
  return spw_exact_judge(sum, spw_precision_of(dtype), dtype, scalar_of_double(dtype, y));
}

static void expect_fault(const char *what, spw_finding_of_sum f, spw_verdict verdict, spw_fault fault)
{
  cr_expect(f.verdict == verdict && f.fault == fault, "%s: %s, %s", what, spw_verdict_name(f.verdict),
            spw_fault_name(f.fault));
}

static spw_exact product(double a, double b)
{
  spw_exact sum;
  spw_exact_start(&sum);
  spw_exact_add_product(&sum, a, b);
  return sum;
}

Test(oracle_verdicts, judge_nothing_without_a_precision_and_a_type)
{
  spw_exact sum = product(1, 1);
  const uint64_t one = scalar_of_double(SPW_FLOAT32, 1);
  expect_fault("no precision", spw_exact_judge(&sum, SPW_PRECISION_NONE, SPW_FLOAT32, one), SPW_NOT_JUDGED,
               SPW_FAULT_PRECISION);
  expect_fault("no such precision", spw_exact_judge(&sum, (spw_precision)77, SPW_FLOAT32, one), SPW_NOT_JUDGED,
               SPW_FAULT_PRECISION);
  expect_fault("below all", spw_exact_judge(&sum, (spw_precision)-3, SPW_FLOAT32, one), SPW_NOT_JUDGED, SPW_FAULT_PRECISION);
  expect_fault("an integer", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_INT32, one), SPW_NOT_JUDGED, SPW_FAULT_TYPE);
  expect_fault("a complex number", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_COMPLEX64, one), SPW_NOT_JUDGED, SPW_FAULT_TYPE);
  sum = product(0x1p200, 1);
  expect_fault("float32 has no 2^200", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT64, 0), SPW_NOT_JUDGED,
               SPW_FAULT_PRECISION);
  sum = product(0x1p-30, 1);
  expect_fault("float16 has no 2^-30", spw_exact_judge(&sum, SPW_IN_FLOAT16, SPW_FLOAT16, 0), SPW_NOT_JUDGED,
               SPW_FAULT_PRECISION);
}

/* Memory of zeros, as of a report that nobody filled. */
Test(oracle_verdicts, do_not_pass_before_they_are_given)
{
  spw_finding_of_sum finding;
  spw_judgement judgement;
  memset(&finding, 0, sizeof finding);
  memset(&judgement, 0, sizeof judgement);
  cr_expect(finding.verdict == SPW_NOT_JUDGED && judgement.verdict == SPW_NOT_JUDGED);
  cr_expect(!is_right(finding.verdict));
}

Test(oracle_verdicts, class_special_values)
{
  static const spw_dtype types[] = {SPW_FLOAT16, SPW_BFLOAT16, SPW_FLOAT32, SPW_FLOAT64};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const spw_dtype t = types[i];
    spw_exact sum = product(2, 3);
    expect_fault("NaN for 6", judge(&sum, t, NAN), SPW_WRONG, SPW_FAULT_NAN);
    expect_fault("-NaN for 6", judge(&sum, t, -NAN), SPW_WRONG, SPW_FAULT_NAN);
    expect_fault("infinity for 6", judge(&sum, t, INFINITY), SPW_WRONG, SPW_FAULT_INFINITE);
    expect_fault("-6 for 6", judge(&sum, t, -6), SPW_WRONG, SPW_FAULT_VALUE);
    expect_fault("6", judge(&sum, t, 6), SPW_RIGHT_EXACT, SPW_FAULT_NONE);
    sum = product(INFINITY, 2);
    expect_fault("infinity", judge(&sum, t, INFINITY), SPW_RIGHT_SPECIAL, SPW_FAULT_NONE);
    expect_fault("-infinity for infinity", judge(&sum, t, -INFINITY), SPW_WRONG, SPW_FAULT_NOT_INFINITE);
    expect_fault("NaN for infinity", judge(&sum, t, NAN), SPW_WRONG, SPW_FAULT_NAN);
    expect_fault("6 for infinity", judge(&sum, t, 6), SPW_WRONG, SPW_FAULT_NOT_INFINITE);
    sum = product(INFINITY, 0);
    expect_fault("NaN for 0 * infinity", judge(&sum, t, NAN), SPW_RIGHT_SPECIAL, SPW_FAULT_NONE);
    expect_fault("0 for 0 * infinity", judge(&sum, t, 0), SPW_WRONG, SPW_FAULT_NOT_NAN);
    expect_fault("infinity for 0 * infinity", judge(&sum, t, INFINITY), SPW_WRONG, SPW_FAULT_NOT_NAN);
    sum = product(INFINITY, 1);
    spw_exact_add_product(&sum, -INFINITY, 1);
    expect_fault("NaN for infinity - infinity", judge(&sum, t, NAN), SPW_RIGHT_SPECIAL, SPW_FAULT_NONE);
    expect_fault("infinity for infinity - infinity", judge(&sum, t, INFINITY), SPW_WRONG, SPW_FAULT_NOT_NAN);
  }
}

/* An infinity, and NaN where what it is multiplied by may be taken for zero, or rounded to it. */
static void expect_infinity(const char *what, const spw_exact *sum, spw_precision precision, bool may_be_nan)
{
  const uint64_t nan = scalar_of_double(SPW_FLOAT32, NAN), infinity = scalar_of_double(SPW_FLOAT32, INFINITY);
  expect_fault(what, spw_exact_judge(sum, precision, SPW_FLOAT32, nan), may_be_nan ? SPW_UNDECIDED : SPW_WRONG,
               may_be_nan ? SPW_FAULT_NONE : SPW_FAULT_NAN);
  expect_fault(what, spw_exact_judge(sum, precision, SPW_FLOAT32, infinity), SPW_RIGHT_SPECIAL, SPW_FAULT_NONE);
  expect_fault(what, spw_exact_judge(sum, precision, SPW_FLOAT32, infinity | 1u << 31), SPW_WRONG, SPW_FAULT_NOT_INFINITE);
  expect_fault(what, spw_exact_judge(sum, precision, SPW_FLOAT32, 0), SPW_WRONG, SPW_FAULT_NOT_INFINITE);
}

Test(oracle_verdicts, allow_what_an_infinity_times_almost_nothing_may_be)
{
  static const struct { spw_precision precision; double a; bool may_be_nan; } few[] = {
      {SPW_IN_FLOAT32_FTZ, 0x1p-140, true},     {SPW_IN_FLOAT32_FTZ, 0x1.fffffcp-127, true},
      {SPW_IN_FLOAT32_FTZ, 0x1p-126, false},    {SPW_FROM_BFLOAT16, 0x1p-140, true},
      {SPW_FROM_BFLOAT16, 0x1.8p-134, true},    {SPW_FROM_BFLOAT16, 0x1p-133, false},
      {SPW_FROM_BFLOAT16, 0x1.234p-130, false}, {SPW_FROM_TF32, 0x1p-140, true},
      {SPW_FROM_TF32, 0x1p-136, false},         {SPW_IN_BFLOAT16, 0x1p-140, true},
      {SPW_IN_FLOAT32, 0x1p-149, false},        {SPW_IN_FLOAT32, 0x1p-160, true},
      {SPW_IN_FLOAT16, 0x1p-24, false},         {SPW_IN_FLOAT64, 0x1p-1074, false}};
  for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
    const char *const what = spw_precision_name(few[i].precision);
    spw_exact sum = product(few[i].a, INFINITY), negated;
    expect_infinity(what, &sum, few[i].precision, few[i].may_be_nan);
    sum = product(-INFINITY, few[i].a);
    spw_exact_start(&negated);
    cr_assert(spw_exact_add_product(&negated, 1, 1) == SPW_OK && spw_exact_add_scaled(&negated, &sum, -1) == SPW_OK);
    expect_infinity(what, &negated, few[i].precision, few[i].may_be_nan);
  }
  spw_exact beside = product(0x1p-140, 1);
  cr_assert(spw_exact_add_product(&beside, 1, INFINITY) == SPW_OK);
  expect_infinity("in another term", &beside, SPW_IN_FLOAT32_FTZ, false);
}

static void expect_scaled_infinity(const char *what, double a, double alpha, spw_precision precision, bool may_be_nan)
{
  const spw_exact products = product(a, INFINITY);
  spw_exact sum = product(1, 1); /* what is added decides nothing */
  cr_assert(spw_exact_add_scaled(&sum, &products, alpha) == SPW_OK);
  expect_infinity(what, &sum, precision, may_be_nan);
}

/* (alpha * a) * x */
Test(oracle_verdicts, allow_what_a_factor_makes_of_almost_nothing)
{
  expect_scaled_infinity("2^-200", 0x1p-100, 0x1p-100, SPW_IN_FLOAT32, true);
  expect_scaled_infinity("half of the smallest", 0x1p-100, 0x1p-50, SPW_IN_FLOAT32, true);
  expect_scaled_infinity("the smallest", 0x1p-100, 0x1p-49, SPW_IN_FLOAT32, false);
  expect_scaled_infinity("below the normal numbers", 0x1p-100, 0x1p-40, SPW_IN_FLOAT32, false);
  expect_scaled_infinity("taken for zero", 0x1p-100, 0x1p-40, SPW_IN_FLOAT32_FTZ, true);
  expect_scaled_infinity("normal", 0x1p-100, 0x1p-26, SPW_IN_FLOAT32_FTZ, false);
  expect_scaled_infinity("alpha alone", 2, 0x1p-130, SPW_IN_FLOAT32_FTZ, true);
  expect_scaled_infinity("alpha alone, kept", 1, 0x1p-130, SPW_IN_FLOAT32, false);
  expect_scaled_infinity("alpha of bfloat16", 0x1p20, 0x1p-140, SPW_FROM_BFLOAT16, true);
  expect_scaled_infinity("of float64", 0x1p-1000, 0x1p-1000, SPW_IN_FLOAT64, true);
}

/* For people: what it should be, and how far beyond all bounds it is. */
Test(oracle_verdicts, tell_what_special_values_should_be)
{
  const spw_exact sums[] = {product(INFINITY, 2), product(-INFINITY, 2), product(INFINITY, 0)};
  const double ys[] = {INFINITY, -INFINITY, NAN, 6, 0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 5; k++) {
      const spw_finding_of_sum f = judge(&sums[i], SPW_FLOAT32, ys[k]);
      cr_expect(i == 2 ? isnan(f.sum) : f.sum == ys[i], "%d, %g: %g", i, ys[k], f.sum);
      cr_expect(f.bound == 0 && (f.verdict == SPW_WRONG) == (i != k));
      cr_expect(i == k ? f.ratio == 0 : isinf(f.ratio), "%d, %g: %g", i, ys[k], f.ratio);
    }
}

Test(oracle_verdicts, tell_the_sign_of_zero)
{
  spw_exact sum;
  spw_exact_start(&sum);
  expect_fault("+0 for nothing", judge(&sum, SPW_FLOAT32, 0), SPW_RIGHT_EXACT, SPW_FAULT_NONE);
  expect_fault("-0 for nothing", judge(&sum, SPW_FLOAT32, -0.0), SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO);
  sum = product(0, -1);
  expect_fault("-0 for 0 * -1", judge(&sum, SPW_FLOAT32, -0.0), SPW_RIGHT_EXACT, SPW_FAULT_NONE);
  expect_fault("+0 for 0 * -1", judge(&sum, SPW_FLOAT32, 0), SPW_RIGHT_EXACT, SPW_FAULT_NONE);
  sum = product(1, -1);
  spw_exact_add_product(&sum, 1, 1);
  expect_fault("-0 for 1 - 1", judge(&sum, SPW_FLOAT32, -0.0), SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO);
  sum = product(0x1p-600, -0x1p-600);
  spw_exact_add_product(&sum, 0, 1);
  expect_fault("-0 of a fused operation onto +0", judge(&sum, SPW_FLOAT64, fma(0x1p-600, -0x1p-600, 0)), SPW_RIGHT_BOUNDED,
               SPW_FAULT_NONE);
  sum = product(-0x1p-140, 1); /* of float32, which float16 cannot tell from zero */
  expect_fault("-0 for -2^-140", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT16, 0x8000), SPW_RIGHT_EXACT, SPW_FAULT_NONE);
  expect_fault("smallest for -2^-140", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT16, 1), SPW_WRONG, SPW_FAULT_VALUE);
}

static void expect_zero(const char *what, double factor, const double *few, int64_t n, bool may_be_minus)
{
  spw_exact sum, total;
  spw_exact_start(&sum);
  spw_exact_start(&total);
  for (int64_t i = 0; i < n; i++) cr_assert(spw_exact_add(&sum, few[i]) == SPW_OK);
  cr_assert(spw_exact_add_scaled(&total, &sum, factor) == SPW_OK);
  expect_fault(what, judge(&total, SPW_FLOAT32, 0), SPW_RIGHT_EXACT, SPW_FAULT_NONE);
  expect_fault(what, judge(&total, SPW_FLOAT32, -0.0), may_be_minus ? SPW_RIGHT_EXACT : SPW_WRONG,
               may_be_minus ? SPW_FAULT_NONE : SPW_FAULT_SIGN_OF_ZERO);
}

/* A zero factor gives a zero of the sign of both, whatever sign the sum has, or a sum of so small terms may have. */
Test(oracle_verdicts, tell_the_sign_of_zero_times_a_sum)
{
  const double negative[] = {-5, -0.0}, positive[] = {5, 0}, mixed[] = {-5, 3}, zeros[] = {-0.0, -0.0}, tiny[] = {-0x1p-149};
  expect_zero("0 * -5", 0, negative, 2, true);
  expect_zero("0 * 5", 0, positive, 2, false);
  expect_zero("0 * (3 - 5)", 0, mixed, 2, true);
  expect_zero("0 * -0", 0, zeros, 2, true);
  expect_zero("0 * nothing", 0, zeros, 0, false);
  expect_zero("-0 * -5", -0.0, negative, 2, false);
  expect_zero("-0 * 5", -0.0, positive, 2, true);
  expect_zero("-0 * (3 - 5)", -0.0, mixed, 2, true);
  expect_zero("-0 * -0, begun with +0", -0.0, zeros, 2, true);
  expect_zero("-0 * what may be lost", -0.0, tiny, 1, true);
}

/* 2^127 + 2^127 - 2^127 is 2^127, unless both first terms come first. */
Test(oracle_verdicts, allow_what_partial_sums_may_overflow_to)
{
  spw_exact sum = product(0x1p127, 1);
  spw_exact_add_product(&sum, 0x1p127, 1);
  spw_exact_add_product(&sum, -0x1p127, 1);
  cr_expect(is_right(judge(&sum, SPW_FLOAT32, 0x1p127).verdict));
  expect_fault("infinity", judge(&sum, SPW_FLOAT32, INFINITY), SPW_UNDECIDED, SPW_FAULT_NONE);
  expect_fault("-infinity", judge(&sum, SPW_FLOAT32, -INFINITY), SPW_WRONG, SPW_FAULT_INFINITE);
  expect_fault("NaN", judge(&sum, SPW_FLOAT32, NAN), SPW_WRONG, SPW_FAULT_NAN);
  expect_fault("another number", judge(&sum, SPW_FLOAT32, 0x1p126), SPW_WRONG, SPW_FAULT_VALUE);
  spw_exact_add_product(&sum, -0x1p127, 1);
  expect_fault("NaN of infinities", judge(&sum, SPW_FLOAT32, NAN), SPW_UNDECIDED, SPW_FAULT_NONE);
  sum = product(0x1p100, 0x1p100);
  expect_fault("2^200 as infinity", judge(&sum, SPW_FLOAT32, INFINITY), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("2^200 as the largest", judge(&sum, SPW_FLOAT32, 0x1.fffffep127), SPW_WRONG, SPW_FAULT_VALUE);
}

/* float32 subnormals that were taken for zero are right where that was declared, and wrong else. */
Test(oracle_verdicts, know_what_was_declared)
{
  spw_exact sum = product(0x1p-130, 0x1p20);
  const uint64_t zero = 0, kept = scalar_of_double(SPW_FLOAT32, 0x1p-110);
  expect_fault("taken for zero", spw_exact_judge(&sum, SPW_IN_FLOAT32_FTZ, SPW_FLOAT32, zero), SPW_RIGHT_BOUNDED,
               SPW_FAULT_NONE);
  expect_fault("kept", spw_exact_judge(&sum, SPW_IN_FLOAT32_FTZ, SPW_FLOAT32, kept), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("not declared", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT32, zero), SPW_WRONG, SPW_FAULT_VALUE);
  const double third = (double)(1.0f / 3);
  const float cut = 0x1.554p-2f; /* 11 bits */
  sum = product(third, 1);
  const uint64_t y = scalar_of_double(SPW_FLOAT32, (double)cut);
  expect_fault("rounded to tf32", spw_exact_judge(&sum, SPW_FROM_TF32, SPW_FLOAT32, y), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("float32 declared", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT32, y), SPW_WRONG, SPW_FAULT_VALUE);
  expect_fault("float64 declared",
               spw_exact_judge(&sum, SPW_IN_FLOAT64, SPW_FLOAT64, scalar_of_double(SPW_FLOAT64, (double)cut)), SPW_WRONG,
               SPW_FAULT_VALUE);
}

/* Alpha may be applied to an operand before that is rounded: 3 * 1025 / 1024 has 12 bits. */
Test(oracle_verdicts, allow_a_factor_to_be_applied_before_operands_are_rounded)
{
  static const struct { spw_precision precision; double a, alpha, below, above, beyond; } few[] = {
      {SPW_FROM_TF32, 0x1.004p0, 3, 0x1.804p1, 0x1.808p1, 0x1.83p1},
      {SPW_FROM_BFLOAT16, 0x1.02p0, 3, 0x1.82p1, 0x1.84p1, 0x1.98p1}};
  for (int i = 0; i < 2; i++) {
    const spw_exact products = product(few[i].a, 1);
    spw_exact sum, half;
    const double ys[] = {few[i].a * few[i].alpha, few[i].below, few[i].above, few[i].beyond};
    spw_exact_start(&sum);
    cr_assert(spw_exact_add_scaled(&sum, &products, few[i].alpha) == SPW_OK);
    for (int k = 0; k < 4; k++) {
      const spw_finding_of_sum f = spw_exact_judge(&sum, few[i].precision, SPW_FLOAT32, scalar_of_double(SPW_FLOAT32, ys[k]));
      cr_expect(f.verdict == (k < 3 ? SPW_RIGHT_BOUNDED : SPW_WRONG), "%d, %d: %s", i, k, spw_verdict_name(f.verdict));
    }
    spw_exact_start(&half);
    cr_assert(spw_exact_add_scaled(&half, &products, 0.5) == SPW_OK);
    const uint64_t y = scalar_of_double(SPW_FLOAT32, few[i].a / 2);
    expect_fault("a power of two", spw_exact_judge(&half, few[i].precision, SPW_FLOAT32, y), SPW_RIGHT_EXACT, SPW_FAULT_NONE);
  }
  spw_exact products = product(1 + 34 * 0x1p-10 - 0x1p-23, 1 + 0x1p-10 - 0x1p-23), sum;
  spw_exact_start(&sum);
  cr_assert(spw_exact_add_scaled(&sum, &products, 1 + 32 * 0x1p-10 - 0x1p-23) == SPW_OK);
  const uint64_t cut = scalar_of_double(SPW_FLOAT32, 0x1.1p0); /* 1 + 31 / 1024 times 1 + 33 / 1024, cut off once more */
  expect_fault("cut off four times", spw_exact_judge(&sum, SPW_FROM_TF32, SPW_FLOAT32, cut), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  products = product(0x1p-100, 0x1p20);
  spw_exact_start(&sum);
  cr_assert(spw_exact_add_scaled(&sum, &products, 0x1p-40) == SPW_OK);
  expect_fault("tf32 has no 2^-140", spw_exact_judge(&sum, SPW_FROM_TF32, SPW_FLOAT32, 0), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("float32 has", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT32, 0), SPW_WRONG, SPW_FAULT_VALUE);
}

/* 0.1 is no number of float16, and is one when it is rounded; what is too small to be rounded relatively is not judged. */
Test(oracle_verdicts, allow_operands_to_be_rounded_where_they_are_normal)
{
  const spw_exact products = product(1, 1);
  spw_exact sum;
  spw_exact_start(&sum);
  cr_assert(spw_exact_add_scaled(&sum, &products, 0.1) == SPW_OK);
  const uint64_t tenth = scalar_of_double(SPW_FLOAT16, 0.1);
  expect_fault("0.1", spw_exact_judge(&sum, SPW_IN_FLOAT16, SPW_FLOAT16, tenth), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("beside", spw_exact_judge(&sum, SPW_IN_FLOAT16, SPW_FLOAT16, tenth + 9), SPW_WRONG, SPW_FAULT_VALUE);
  sum = product(0x1.5555p-14, 1);
  spw_exact_add_product(&sum, 0x1p-24, 1);
  expect_fault("normal", spw_exact_judge(&sum, SPW_IN_FLOAT16, SPW_FLOAT16, 0x0556), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  sum = product(0x1.5555p-15, 1);
  expect_fault("subnormal", spw_exact_judge(&sum, SPW_IN_FLOAT16, SPW_FLOAT16, 0x02ab), SPW_NOT_JUDGED, SPW_FAULT_PRECISION);
}

/* Where the bound is as large as the gauge, only the exact sum is known to be right. */
Test(oracle_verdicts, are_open_where_the_bound_says_nothing)
{
  static const struct { double x; int64_t terms, fewer; spw_precision precision; spw_dtype dtype; } few[] = {
      {1 + 0x1p-7, 178, 177, SPW_IN_BFLOAT16, SPW_BFLOAT16}, {1 + 0x1p-10, 1419, 1418, SPW_IN_FLOAT16, SPW_FLOAT16}};
  for (int i = 0; i < 2; i++) {
    spw_exact sum;
    spw_exact_start(&sum);
    for (int64_t n = 1; n <= few[i].terms; n++) {
      spw_exact_add_product(&sum, 1, few[i].x);
      const uint64_t right = spw_exact_round(&sum, few[i].dtype);
      const spw_finding_of_sum none = spw_exact_judge(&sum, few[i].precision, few[i].dtype, 0);
      const spw_finding_of_sum near = spw_exact_judge(&sum, few[i].precision, few[i].dtype, right + 1);
      if (n == few[i].fewer) {
        expect_fault("nothing written, below", none, SPW_WRONG, SPW_FAULT_VALUE);
        expect_fault("beside, below", near, SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
      }
      if (n < few[i].terms) continue;
      expect_fault("nothing written", none, SPW_UNDECIDED, SPW_FAULT_NONE);
      expect_fault("beside", near, SPW_UNDECIDED, SPW_FAULT_NONE);
      expect_fault("rounded", spw_exact_judge(&sum, few[i].precision, few[i].dtype, right), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
    }
  }
}

/* An infinity is right where the exact sum is rounded to it; beside that it may be, and nothing vouches for it. */
Test(oracle_verdicts, let_no_infinity_pass_by_its_bound)
{
  spw_exact sum;
  spw_exact_start(&sum);
  for (int i = 0; i < 30000; i++) spw_exact_add_product(&sum, 1, 0x1p-15);
  for (uint64_t sign = 0; sign < 2; sign++)
    expect_fault("of a large bound", spw_exact_judge(&sum, SPW_IN_BFLOAT16, SPW_BFLOAT16, 0x7f80 | sign << 15), SPW_UNDECIDED,
                 SPW_FAULT_NONE);
  spw_exact_start(&sum);
  for (int i = 0; i < 3; i++) spw_exact_add_product(&sum, 0x1.ffdffep15 / 3, 1);
  cr_assert(spw_exact_round(&sum, SPW_FLOAT16) == 0x7bff);
  expect_fault("rounded up", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT16, 0x7c00), SPW_UNDECIDED, SPW_FAULT_NONE);
  expect_fault("the largest", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT16, 0x7bff), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("of the other sign", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT16, 0xfc00), SPW_WRONG, SPW_FAULT_INFINITE);
}

/* An infinite alpha: an infinity of a sign that the terms have, or a NaN; which it is wherever they come to one. */
Test(oracle_verdicts, allow_what_an_infinite_factor_gives)
{
  static const struct { double a, b, c; bool plus, minus; } few[] = {
      {1, 2, 0, true, false}, {-1, -2, 0, false, true}, {1, -2, 0, true, true}, {1, 0, 0, true, false}, {1, -0.0, 0, true, true},
      {INFINITY, 1, 0, true, false}, {1, 2, -INFINITY, true, true}, {1, 2, INFINITY, true, false},
      {(double)NAN, 1, 0, false, false}, {INFINITY, -INFINITY, 0, false, false}};
  for (size_t i = 0; i < sizeof few / sizeof *few; i++)
    for (double sign = -1; sign <= 1; sign += 2) {
      spw_exact products = product(few[i].a, 1), sum;
      spw_exact_add_product(&products, few[i].b, 1);
      spw_exact_start(&sum);
      cr_assert(spw_exact_add_scaled(&sum, &products, sign * (double)INFINITY) == SPW_OK
                && spw_exact_add(&sum, sign * few[i].c) == SPW_OK);
      const spw_verdict plus = judge(&sum, SPW_FLOAT32, sign * (double)INFINITY).verdict;
      const spw_verdict minus = judge(&sum, SPW_FLOAT32, -sign * (double)INFINITY).verdict;
      const spw_verdict nan = judge(&sum, SPW_FLOAT32, NAN).verdict;
      cr_expect(plus == (few[i].plus ? SPW_UNDECIDED : SPW_WRONG), "%zu: %s", i, spw_verdict_name(plus));
      cr_expect(minus == (few[i].minus ? SPW_UNDECIDED : SPW_WRONG), "%zu: %s", i, spw_verdict_name(minus));
      cr_expect(nan == (few[i].plus || few[i].minus ? SPW_UNDECIDED : SPW_RIGHT_SPECIAL), "%zu: %s", i, spw_verdict_name(nan));
      cr_expect(judge(&sum, SPW_FLOAT32, 1).verdict == SPW_WRONG, "%zu", i);
    }
}

static void expect_turned(const char *what, double a, double alpha, double c, bool may_be_minus)
{
  const spw_exact products = product(a, 1);
  spw_exact sum;
  spw_exact_start(&sum);
  cr_assert(spw_exact_add_scaled(&sum, &products, alpha) == SPW_OK && spw_exact_add(&sum, c) == SPW_OK);
  expect_fault(what, judge(&sum, SPW_FLOAT32, -0.0), may_be_minus ? SPW_RIGHT_EXACT : SPW_WRONG,
               may_be_minus ? SPW_FAULT_NONE : SPW_FAULT_SIGN_OF_ZERO);
}

/* A negative alpha turns a zero, and what is added to it turns it back. */
Test(oracle_verdicts, tell_the_sign_of_a_turned_zero)
{
  expect_turned("-5 + 5", 5, -1, 5, false);
  expect_turned("5 - 5", -5, -1, -5, false);
  expect_turned("-10 + 10", 5, -2, 10, false);
  expect_turned("-0 + 0", 0, -1, 0, false);
  expect_turned("-0 - 0", 0, -1, -0.0, true);
  spw_exact sum, nothing;
  spw_exact_start(&sum);
  spw_exact_start(&nothing);
  cr_assert(spw_exact_add_scaled(&sum, &nothing, -1) == SPW_OK && spw_exact_add_product(&sum, 1, 0) == SPW_OK);
  expect_fault("of nothing", judge(&sum, SPW_FLOAT32, -0.0), SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO);
  spw_exact products = product(1, 1);
  spw_exact_add_product(&products, -1, 1);
  spw_exact_start(&sum);
  cr_assert(spw_exact_add_scaled(&sum, &products, -1) == SPW_OK && spw_exact_add_product(&sum, -0x1p-140, 1) == SPW_OK);
  expect_fault("-0 of bfloat16", spw_exact_judge(&sum, SPW_FROM_BFLOAT16, SPW_FLOAT32, (uint64_t)1 << 31), SPW_RIGHT_BOUNDED,
               SPW_FAULT_NONE);
  expect_fault("-0 of float32", judge(&sum, SPW_FLOAT32, -0.0), SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO);
}

/* What falls below all numbers on the way, and is large again in the end, in libraries that are as right as others. */
Test(oracle_verdicts, know_what_may_be_lost_on_the_way)
{
  spw_exact products = product(0x1p20, 0x1.08p-140), sum;
  spw_exact_start(&sum);
  cr_assert(spw_exact_add_scaled(&sum, &products, 0x1p-14) == SPW_OK);
  const double whole = 0x1.08p-134;
  expect_fault("sum first", judge(&sum, SPW_FLOAT32, whole), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("alpha * x is 0", judge(&sum, SPW_FLOAT32, 0), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("-0", judge(&sum, SPW_FLOAT32, -0.0), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("twice as much", judge(&sum, SPW_FLOAT32, 0x1p-120), SPW_WRONG, SPW_FAULT_VALUE);
  /* Duplicates that are added before they are multiplied: 2^-127 is no normal number. */
  sum = product(0x1.8p-126, 0x1p100);
  spw_exact_add_product(&sum, -0x1p-126, 0x1p100);
  const uint64_t zero = 0, kept = scalar_of_double(SPW_FLOAT32, 0x1p-27);
  expect_fault("kept", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT32, kept), SPW_RIGHT_EXACT, SPW_FAULT_NONE);
  expect_fault("lost", spw_exact_judge(&sum, SPW_IN_FLOAT32, SPW_FLOAT32, zero), SPW_WRONG, SPW_FAULT_VALUE);
  expect_fault("taken for zero", spw_exact_judge(&sum, SPW_IN_FLOAT32_FTZ, SPW_FLOAT32, zero), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  products = sum;
  spw_exact_start(&sum);
  cr_assert(spw_exact_add_scaled(&sum, &products, 0x1p20) == SPW_OK);
  expect_fault("times alpha", spw_exact_judge(&sum, SPW_IN_FLOAT32_FTZ, SPW_FLOAT32, zero), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
}

/* In 64 significant bits, and then in 53: 1 + 2^-53 + 2^-65 is a tie to even then. One unit beside it is wrong. */
Test(oracle_verdicts, allow_a_wider_format_on_the_way)
{
  spw_exact sum;
  spw_exact_start(&sum);
  cr_assert(spw_exact_add(&sum, 1) == SPW_OK && spw_exact_add(&sum, 0x1.001p-53) == SPW_OK);
  expect_fault("rounded twice", judge(&sum, SPW_FLOAT64, 1), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("rounded once", judge(&sum, SPW_FLOAT64, 0x1.0000000000001p0), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("below", judge(&sum, SPW_FLOAT64, 0x1.fffffffffffffp-1), SPW_WRONG, SPW_FAULT_VALUE);
  expect_fault("above", judge(&sum, SPW_FLOAT64, 0x1.0000000000002p0), SPW_WRONG, SPW_FAULT_VALUE);
  sum = product(1 + 0x1p-27 + 0x1p-38, 1 + 0x1p-26);
  expect_fault("a product", judge(&sum, SPW_FLOAT64, 1 + 0x1p-26 + 0x1p-27 + 0x1p-38), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("beside", judge(&sum, SPW_FLOAT64, 1 + 0x1p-26 + 0x1p-27 + 0x1p-38 - 0x1p-52), SPW_WRONG, SPW_FAULT_VALUE);
  sum = product(0x1.0000002d3e68bp+0, 0x1.ffffffa5832ecp-1); /* each of two operations is rounded to 64 bits, and then to 53 */
  spw_exact_add_product(&sum, 1, 0x1.002p-53);
  expect_fault("stored each time", judge(&sum, SPW_FLOAT64, 1), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("beside that", judge(&sum, SPW_FLOAT64, 0x1.fffffffffffffp-1), SPW_WRONG, SPW_FAULT_VALUE);
}

/* One unit in the last place of a long sum is far within the bound; on the lattice it is wrong. */
Test(oracle_verdicts, are_exact_on_the_lattice_only)
{
  spw_exact sum, other;
  spw_exact_start(&sum);
  spw_exact_start(&other);
  for (int i = 0; i < 100; i++) {
    spw_exact_add_product(&sum, 3, 0.5);
    spw_exact_add_product(&other, (double)(1.0f / 3), (double)(1.0f / 3));
  }
  expect_fault("150", judge(&sum, SPW_FLOAT32, 150), SPW_RIGHT_EXACT, SPW_FAULT_NONE);
  expect_fault("beside 150", judge(&sum, SPW_FLOAT32, (double)nextafterf(150, 200)), SPW_WRONG, SPW_FAULT_VALUE);
  const float near = (float)(100.0 * (double)(1.0f / 3) * (double)(1.0f / 3));
  expect_fault("100 / 9", judge(&other, SPW_FLOAT32, (double)near), SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  expect_fault("beside 100 / 9", judge(&other, SPW_FLOAT32, (double)nextafterf(near, 200)), SPW_RIGHT_BOUNDED,
               SPW_FAULT_NONE);
  expect_fault("1 % off", judge(&other, SPW_FLOAT32, (double)near * 1.01), SPW_WRONG, SPW_FAULT_VALUE);
}

Test(oracle_verdicts, name_themselves)
{
  for (int p = 1; p <= SPW_IN_BFLOAT16; p++) {
    cr_assert(spw_precision_name((spw_precision)p) != NULL);
    cr_expect(spw_precision_from_name(spw_precision_name((spw_precision)p)) == (spw_precision)p);
  }
  cr_expect(!spw_precision_name(SPW_PRECISION_NONE) && !spw_precision_name((spw_precision)99)
            && !spw_precision_name((spw_precision)-1));
  cr_expect(spw_precision_from_name("float8") == SPW_PRECISION_NONE && spw_precision_from_name(NULL) == SPW_PRECISION_NONE);
  cr_expect_str_eq(spw_verdict_name(SPW_NOT_JUDGED), "not judged");
  cr_expect_str_eq(spw_verdict_name(SPW_WRONG), "wrong");
  cr_expect_str_eq(spw_verdict_name((spw_verdict)9), "unknown");
  cr_expect_str_eq(spw_fault_name(SPW_FAULT_WORK), "work");
  cr_expect_str_eq(spw_fault_name(SPW_FAULT_SIGN_OF_ZERO), "sign of zero");
  cr_expect_str_eq(spw_fault_name(SPW_FAULT_DUPLICATE), "duplicate");
  cr_expect_str_eq(spw_fault_name((spw_fault)99), "unknown");
}

Test(oracle_verdicts, have_lattices_only_where_there_is_room)
{
  spw_lattice l;
  cr_expect(spw_lattice_for(SPW_FLOAT32, SPW_IN_FLOAT32, 1 << 21, &l) == SPW_OK && l.a_bits + l.x_bits == 3);
  cr_expect(spw_lattice_for(SPW_FLOAT32, SPW_IN_FLOAT32, (1 << 21) + 1, &l) == SPW_ERANGE);
  cr_expect(spw_lattice_for(SPW_BFLOAT16, SPW_IN_BFLOAT16, 33, &l) == SPW_ERANGE);
  cr_expect(spw_lattice_for(SPW_COMPLEX64, SPW_IN_FLOAT32, 16, &l) == SPW_OK && l.a_bits + l.x_bits == 19);
  cr_expect(spw_lattice_for(SPW_FLOAT64, SPW_IN_FLOAT32, 1, &l) == SPW_EINVAL, "float32 has not the range of float64");
  cr_expect(spw_lattice_for(SPW_INT32, SPW_IN_FLOAT32, 1, &l) == SPW_EINVAL
            && spw_lattice_for(SPW_FLOAT32, SPW_IN_FLOAT32, 0, &l) == SPW_EINVAL);
  cr_expect(spw_lattice_for(SPW_FLOAT32, SPW_PRECISION_NONE, 1, &l) == SPW_EINVAL
            && spw_lattice_for(SPW_FLOAT32, SPW_IN_FLOAT32, 1, NULL) == SPW_EINVAL);
}
