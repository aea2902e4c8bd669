/* SPDX-License-Identifier: Apache-2.0 */
/* Whole products of every layout and type: plain loops over what a second reader makes of the tensor are right, and
 * whatever is changed in them is found where it is. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../fuzz/inputs/values.h"
#include "../expected/meaning.h"
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../expected/scalar.h"

enum { DIMS = MEANING_DIMS };

/* ---- Dense arrays -------------------------------------------------------------------------------- */

typedef struct dense {
  spw_tensor tensor;
  int64_t shape[DIMS], strides[DIMS];
  char *memory;
} dense;

/* By rows or by columns, with or without gaps, behind an offset or none. */
static void dense_make(dense *a, spw_dtype dtype, int64_t ndim, const int64_t *shape, dice *d)
{
  const bool columns = roll_below(d, 2) != 0;
  const int64_t gap = roll_below(d, 3) ? 0 : 2, offset = roll_below(d, 3) ? 0 : 5;
  int64_t step = 1 + roll_below(d, 2), last = 0;
  bool empty = false;
  for (int64_t i = 0; i < ndim; i++) {
    const int64_t dim = columns ? i : ndim - 1 - i;
    a->shape[dim] = shape[dim];
    a->strides[dim] = step;
    last += (shape[dim] - 1) * step;
    step = step * (shape[dim] > 0 ? shape[dim] : 1) + gap;
    empty |= shape[dim] == 0;
  }
  const int64_t length = empty ? 0 : offset + last + 1;
  a->tensor = (spw_tensor){.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE};
  a->tensor.values.array = (spw_array){dtype, ndim, a->shape, a->strides, empty ? 0 : offset, length};
  a->memory = malloc((size_t)(length * scalar_width(dtype)) + 1);
  memset(a->memory, 0xff, (size_t)(length * scalar_width(dtype)) + 1);
  a->tensor.values.data = a->memory;
}

static int64_t element_count(const dense *a)
{
  int64_t count = 1;
  for (int64_t i = 0; i < a->tensor.values.array.ndim; i++) count *= a->shape[i];
  return count;
}

static char *element_at(const dense *a, const int64_t *index)
{
  int64_t place = a->tensor.values.array.offset;
  for (int64_t i = 0; i < a->tensor.values.array.ndim; i++) place += index[i] * a->strides[i];
  return a->memory + place * scalar_width(a->tensor.values.array.dtype);
}

static void unravel(const dense *a, int64_t number, int64_t *index)
{
  for (int64_t i = a->tensor.values.array.ndim - 1; i >= 0; i--) {
    index[i] = number % a->shape[i];
    number /= a->shape[i];
  }
}

/* As one of the tensors, which its own draws would be. */
static void draw_scalar(char *at, spw_dtype dtype, int64_t classes, dice *d)
{
  const int64_t size = scalar_width(dtype);
  for (int64_t word = 0; word < fuzz_words(dtype); word++) {
    const uint64_t bits = fuzz_draw(dtype, classes, roll(d));
    memcpy(at + 8 * word, &bits, size < 8 ? (size_t)size : 8);
  }
}

static void dense_draw(dense *a, int64_t classes, dice *d)
{
  int64_t index[DIMS];
  for (int64_t i = 0; i < element_count(a); i++) {
    unravel(a, i, index);
    draw_scalar(element_at(a, index), a->tensor.values.array.dtype, classes, d);
  }
}

/* ---- A plain product ----------------------------------------------------------------------------- */

typedef struct scalar {
  double part[2];
  uint64_t integer;
} scalar;

static scalar get(spw_dtype dtype, const void *at)
{
  scalar s = {{0, 0}, 0};
  for (int part = 0; part <= scalar_is_complex(dtype); part++) {
    const uint64_t bits = scalar_bits(dtype, at, part);
    if (scalar_is_float(dtype)) s.part[part] = scalar_to_double(scalar_part_type(dtype), bits);
    else s.integer = dtype == SPW_BOOL ? bits != 0 : bits;
  }
  return s;
}

static void put(spw_dtype dtype, void *at, scalar s)
{
  const size_t width = (size_t)scalar_width(scalar_part_type(dtype));
  for (int part = 0; part <= scalar_is_complex(dtype); part++) {
    const uint64_t bits = scalar_is_float(dtype) ? scalar_of_double(scalar_part_type(dtype), s.part[part]) : s.integer;
    memcpy((char *)at + (size_t)part * width, &bits, width);
  }
}

/* In float64 of float64, else in float32. */
static double times(spw_dtype dtype, double a, double b)
{
  return scalar_part_type(dtype) == SPW_FLOAT64 ? a * b : (double)((float)a * (float)b);
}

static double plus(spw_dtype dtype, double a, double b)
{
  return scalar_part_type(dtype) == SPW_FLOAT64 ? a + b : (double)((float)a + (float)b);
}

static scalar multiply(spw_dtype dtype, scalar a, scalar b)
{
  scalar p = {{times(dtype, a.part[0], b.part[0]), 0}, dtype == SPW_BOOL ? a.integer & b.integer : a.integer * b.integer};
  if (scalar_is_complex(dtype)) {
    p.part[0] = plus(dtype, p.part[0], -times(dtype, a.part[1], b.part[1]));
    p.part[1] = plus(dtype, times(dtype, a.part[0], b.part[1]), times(dtype, a.part[1], b.part[0]));
  }
  return p;
}

static scalar add(spw_dtype dtype, scalar a, scalar b)
{
  const scalar s = {{plus(dtype, a.part[0], b.part[0]), plus(dtype, a.part[1], b.part[1])},
                    dtype == SPW_BOOL ? a.integer | b.integer : a.integer + b.integer};
  return s;
}

typedef struct problem {
  operand a;
  meaning m;
  dense x, c, y;
  bool is_vector;
  spw_product_claim claim;
  void *work;
  size_t bytes;
} problem;

static scalar of_weight(spw_dtype dtype, spw_weight w)
{
  const scalar s = {{w.real, scalar_is_complex(dtype) ? w.imaginary : 0},
                    dtype == SPW_BOOL ? w.integer != 0 : (uint64_t)w.integer};
  return s;
}

static bool is_weight(spw_dtype dtype, spw_weight w, int number)
{
  return scalar_is_float(dtype) ? w.real == number && (!scalar_is_complex(dtype) || w.imaginary == 0) : w.integer == number;
}

/* y[row, column], by looking at every cell of the tensor. */
static scalar element_of_product(const problem *p, const int64_t *at)
{
  const spw_dtype dtype = p->m.dtype;
  const int64_t B = p->m.ndim - 2;
  const spw_weight alpha = p->claim.alpha, beta = p->claim.beta;
  scalar sum = {{0, 0}, 0};
  for (int64_t k = 0; k < p->m.count && !is_weight(dtype, alpha, 0); k++) {
    const cell *const here = &p->m.cells[k];
    int64_t from[DIMS];
    if (memcmp(here->at, at, (size_t)(B + 1) * sizeof *at) != 0) continue;
    memcpy(from, at, (size_t)(B + 2) * sizeof *at);
    from[B] = here->at[B + 1];
    sum = add(dtype, sum, multiply(dtype, get(dtype, here->scalars), get(dtype, element_at(&p->x, from))));
  }
  if (!is_weight(dtype, alpha, 0) && !is_weight(dtype, alpha, 1)) sum = multiply(dtype, of_weight(dtype, alpha), sum);
  if (is_weight(dtype, beta, 0)) return sum;
  scalar c = get(dtype, element_at(&p->c, at));
  if (!is_weight(dtype, beta, 1)) c = multiply(dtype, of_weight(dtype, beta), c);
  return add(dtype, c, sum);
}

static void compute(problem *p)
{
  int64_t index[DIMS] = {0};
  for (int64_t i = 0; i < element_count(&p->y); i++) {
    unravel(&p->y, i, index);
    put(p->m.dtype, element_at(&p->y, index), element_of_product(p, index));
  }
}

/* ---- Problems ------------------------------------------------------------------------------------ */

static bool can_be_multiplied(const operand *a, const meaning *m)
{
  return a->tensor.layout != SPW_DENSE && m->ndim == m->leading && m->ndim >= 2;
}

static spw_weight any_weight(dice *d)
{
  static const double few[] = {0, 1, 1, -1, 0.5, 3};
  const int64_t i = roll_below(d, 6);
  const spw_weight w = {few[i], roll_below(d, 3) ? 0 : few[roll_below(d, 6)], (int64_t)(few[i] * 2) - (few[i] == 1)};
  return w;
}

static void problem_make(problem *p, int64_t classes, dice *d)
{
  memset(p, 0, sizeof *p);
  for (bool found = false; !found;) {
    operand_random(&p->a, true, d);
    found = meaning_of(&p->a.tensor, 0, &p->m) && can_be_multiplied(&p->a, &p->m);
    if (!found) operand_free(&p->a), meaning_free(&p->m), memset(&p->m, 0, sizeof p->m);
  }
  meaning_free(&p->m);
  operand_draw_values(&p->a, classes, d);
  cr_assert(meaning_of(&p->a.tensor, 0, &p->m));
  int64_t shape[DIMS];
  const int64_t B = p->m.ndim - 2;
  p->is_vector = roll_below(d, 3) == 0;
  const int64_t ndim = B + (p->is_vector ? 1 : 2);
  memcpy(shape, p->m.size, sizeof shape);
  shape[B + 1] = roll_below(d, 8) ? 1 + roll_below(d, 3) : 0;
  p->claim = (spw_product_claim){
      .a = &p->a.tensor, .alpha = any_weight(d), .beta = any_weight(d), .precision = spw_precision_of(p->m.dtype)};
  dense_make(&p->y, p->m.dtype, ndim, shape, d);
  dense_make(&p->c, p->m.dtype, ndim, shape, d);
  shape[B] = p->m.size[B + 1];
  dense_make(&p->x, p->m.dtype, ndim, shape, d);
  dense_draw(&p->x, classes, d);
  dense_draw(&p->c, classes, d);
  p->claim.x = &p->x.tensor;
  p->claim.y = &p->y.tensor;
  p->claim.c = is_weight(p->m.dtype, p->claim.beta, 0) ? NULL : &p->c.tensor;
  compute(p);
  spw_judgement j;
  cr_assert(spw_judge_work(&p->claim, &p->bytes, &j) == SPW_OK, "%s", spw_fault_name(j.fault));
  p->work = malloc(p->bytes);
}

static void problem_free(problem *p)
{
  operand_free(&p->a);
  meaning_free(&p->m);
  free(p->x.memory);
  free(p->c.memory);
  free(p->y.memory);
  free(p->work);
}

static spw_judgement judge(problem *p)
{
  spw_judgement j;
  cr_assert(spw_judge_product(&p->claim, p->work, p->bytes, &j) == SPW_OK, "%s", spw_fault_name(j.fault));
  return j;
}

static const char *problem_text(const problem *p)
{
  static char text[120];
  snprintf(text, sizeof text, "%s of %s, %d dimensions, %s", spw_layout_name(p->a.tensor.layout),
           spw_dtype_name(p->m.dtype), (int)p->m.ndim, p->is_vector ? "vector" : "matrix");
  return text;
}

enum { SMALL = 1 << FUZZ_SMALL };

static const int64_t WILD =
    1 << FUZZ_NUMBER | 1 << FUZZ_SUBNORMAL | 1 << FUZZ_EXTREME | 1 << FUZZ_ZERO | 1 << FUZZ_MINUS_ZERO;

static int64_t more(int64_t few, int64_t many)
{
  const char *const times = getenv("ORACLE_REPORT");
  return times ? many * strtol(times, NULL, 10) : few;
}

/* ---- Right products ------------------------------------------------------------------------------ */

Test(oracle_products, call_no_plain_loop_wrong)
{
  const int64_t classes[] = {SMALL, 1 << FUZZ_NUMBER, WILD, WILD | 1 << FUZZ_INFINITY, FUZZ_EVERY_CLASS};
  int64_t numbers = 0, exact = 0, bounded = 0, special = 0, seen[SPW_LAYOUT_COUNT][SPW_DTYPE_COUNT] = {{0}};
  dice d = {301};
  const int64_t trials = more(4000, 100000);
  for (int64_t trial = 0; trial < trials; trial++) {
    problem p;
    problem_make(&p, classes[roll_below(&d, 5)], &d);
    const spw_judgement j = judge(&p);
    cr_assert(j.verdict != SPW_WRONG && j.verdict != SPW_NOT_JUDGED && j.wrong == 0,
              "trial %d, %s: %s at %d, %d, %d, part %d: %a for %a, alpha %g %g, beta %g %g", (int)trial, problem_text(&p),
              spw_fault_name(j.fault), (int)j.batch, (int)j.row, (int)j.column, (int)j.part, j.found, j.worst.sum,
              p.claim.alpha.real, p.claim.alpha.imaginary, p.claim.beta.real, p.claim.beta.imaginary);
    cr_assert(j.numbers == element_count(&p.y) * (1 + scalar_is_complex(p.m.dtype)));
    cr_assert(j.numbers == j.exact + j.bounded + j.special + j.undecided);
    numbers += j.numbers;
    exact += j.exact;
    bounded += j.bounded;
    special += j.special;
    seen[p.a.tensor.layout][p.m.dtype] += j.numbers > 0;
    problem_free(&p);
  }
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++)
    for (int dtype = SPW_BOOL; dtype < SPW_DTYPE_COUNT; dtype++)
      cr_expect(seen[layout][dtype] > 0, "%s of %s was not tried", spw_layout_name((spw_layout)layout),
                spw_dtype_name((spw_dtype)dtype));
  cr_expect(exact > numbers / 10 && bounded > numbers / 20 && special > 100);
  printf("correct products of %lld numbers judged, none called wrong: %lld exact, %lld bounded, %lld special\n",
         (long long)numbers, (long long)exact, (long long)bounded, (long long)special);
  expect_no_leaks();
}

/* ---- Wrong ones ---------------------------------------------------------------------------------- */

/* The next number, in the part of an element; of bool, the other one. */
static void disturb(const problem *p, char *at, int part)
{
  const spw_dtype dtype = p->m.dtype;
  const size_t width = (size_t)scalar_width(scalar_part_type(dtype));
  uint64_t bits = 0;
  memcpy(&bits, at + (size_t)part * width, width);
  bits = dtype == SPW_BOOL ? !bits : bits + 1;
  memcpy(at + (size_t)part * width, &bits, width);
}

Test(oracle_products, are_wrong_where_a_number_is)
{
  dice d = {302};
  int64_t planted = 0;
  const int64_t trials = more(4000, 40000);
  for (int64_t trial = 0; trial < trials; trial++) {
    problem p;
    int64_t index[DIMS] = {0};
    problem_make(&p, SMALL, &d);
    const int64_t count = element_count(&p.y), B = p.m.ndim - 2;
    if (count > 0) {
      const int part = scalar_is_complex(p.m.dtype) ? (int)roll_below(&d, 2) : 0;
      int64_t batch = 0;
      unravel(&p.y, roll_below(&d, count), index);
      for (int64_t i = 0; i < B; i++) batch = batch * p.y.shape[i] + index[i];
      disturb(&p, element_at(&p.y, index), part);
      const spw_judgement j = judge(&p);
      cr_assert(j.verdict == SPW_WRONG && j.fault == SPW_FAULT_VALUE && j.wrong == 1, "trial %d, %s: %s", (int)trial,
                problem_text(&p), spw_verdict_name(j.verdict));
      cr_assert(j.batch == batch && j.row == index[B] && j.column == (p.is_vector ? 0 : index[B + 1]) && j.part == part,
                "%s", problem_text(&p));
      planted++;
    }
    problem_free(&p);
  }
  cr_expect(planted > trials / 2);
  printf("one number of a product changed by the least that there is: %lld times, found at its place each time\n",
         (long long)planted);
}

/* An operation that never ran leaves what was there before: here NaN, or minus one. */
Test(oracle_products, are_wrong_where_nothing_was_computed)
{
  dice d = {303};
  int64_t seen = 0;
  for (int trial = 0; trial < 500; trial++) {
    problem p;
    problem_make(&p, SMALL, &d);
    const spw_array *a = &p.y.tensor.values.array;
    memset(p.y.memory, 0xff, (size_t)(a->length * scalar_width(a->dtype)));
    if (element_count(&p.y) > 0 && scalar_is_float(p.m.dtype)) {
      const spw_judgement j = judge(&p);
      cr_expect(j.verdict == SPW_WRONG && j.wrong == j.numbers && j.fault == SPW_FAULT_NAN, "%s", problem_text(&p));
      seen++;
    }
    problem_free(&p);
  }
  cr_expect(seen > 100);
}

Test(oracle_products, of_another_shape_or_type_are_wrong)
{
  dice d = {304};
  for (int trial = 0; trial < 500; trial++) {
    problem p;
    problem_make(&p, SMALL, &d);
    spw_array *a = &p.y.tensor.values.array;
    const spw_dtype dtype = a->dtype;
    if (element_count(&p.y) == 0) {
      problem_free(&p);
      continue;
    }
    const int64_t dim = roll_below(&d, a->ndim), entry = p.y.shape[dim];
    p.y.shape[dim] = 0;
    spw_judgement j = judge(&p);
    cr_expect(j.verdict == SPW_WRONG && j.fault == SPW_FAULT_SHAPE && j.operand == p.claim.y && j.place == dim
                  && j.lhs == 0 && j.rhs == entry,
              "%s: %s", problem_text(&p), spw_fault_name(j.fault));
    p.y.shape[dim] = entry;
    a->ndim--;
    j = judge(&p);
    cr_expect(j.verdict == SPW_WRONG && j.fault == SPW_FAULT_SHAPE && j.place == -1 && j.lhs == a->ndim
              && j.rhs == a->ndim + 1);
    a->ndim++;
    a->dtype = dtype == SPW_INT8 ? SPW_UINT8 : SPW_INT8;
    j = judge(&p);
    cr_expect(j.verdict == SPW_WRONG && j.fault == SPW_FAULT_TYPE && j.lhs == a->dtype && j.rhs == dtype, "%s",
              problem_text(&p));
    a->dtype = dtype;
    problem_free(&p);
  }
}

/* ---- What is not judged -------------------------------------------------------------------------- */

static void expect_refused(problem *p, spw_status status, spw_fault fault, const spw_tensor *blamed)
{
  spw_judgement j;
  size_t bytes = 77;
  memset(&j, 1, sizeof j);
  const spw_status judged = spw_judge_product(&p->claim, p->work, p->bytes, &j);
  cr_expect(judged == status && j.verdict == SPW_NOT_JUDGED && j.fault == fault && j.operand == blamed && j.numbers == 0,
            "%s: %s, %s", problem_text(p), spw_status_string(judged), spw_fault_name(j.fault));
  cr_expect(spw_judge_work(&p->claim, &bytes, &j) == status && bytes == 77 && j.verdict == SPW_NOT_JUDGED
            && j.fault == fault);
}

/* The first problem of a kind. */
static void problem_of(problem *p, spw_layout layout, spw_dtype dtype, dice *d)
{
  for (;; problem_free(p)) {
    problem_make(p, SMALL, d);
    if (p->a.tensor.layout == layout && p->m.dtype == dtype && p->m.count > 0 && element_count(&p->x) > 0 && p->claim.c)
      return;
  }
}

Test(oracle_products, of_invalid_operands_are_not_judged)
{
  dice d = {305};
  for (int trial = 0; trial < 3000; trial++) {
    problem p;
    spw_violation v;
    problem_make(&p, SMALL, &d);
    specimen_disturb(&p.a.specimen, &d);
    spw_tensor broken = p.a.specimen.tensor;
    broken.values = p.a.tensor.values;
    p.claim.a = &broken;
    if (spw_first_violation(&broken, SPW_CANONICAL, &v) == SPW_OK && v.rule != SPW_RULE_NONE) {
      spw_judgement j;
      expect_refused(&p, SPW_EINVALID, SPW_FAULT_RULE, &broken);
      cr_expect(spw_judge_product(&p.claim, p.work, p.bytes, &j) == SPW_EINVALID && memcmp(&j.violation, &v, sizeof v) == 0);
    }
    p.claim.a = &p.a.tensor;
    problem_free(&p);
  }
}

Test(oracle_products, of_operands_that_do_not_fit_are_not_judged)
{
  dice d = {306};
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++) {
    problem p;
    problem_of(&p, (spw_layout)layout, SPW_FLOAT64, &d);
    spw_array *x = &p.x.tensor.values.array, *c = &p.c.tensor.values.array;
    const int64_t B = p.m.ndim - 2;
    p.x.shape[B]--;
    expect_refused(&p, SPW_ERANGE, SPW_FAULT_SHAPE, p.claim.x);
    p.x.shape[B]++;
    x->ndim = 0;
    expect_refused(&p, SPW_ERANGE, SPW_FAULT_SHAPE, p.claim.x);
    x->ndim = c->ndim;
    x->dtype = SPW_FLOAT32;
    expect_refused(&p, SPW_ERANGE, SPW_FAULT_TYPE, p.claim.x);
    x->dtype = SPW_FLOAT64;
    c->dtype = SPW_INT32;
    expect_refused(&p, SPW_ERANGE, SPW_FAULT_TYPE, p.claim.c);
    c->dtype = SPW_FLOAT64;
    x->length = 1;
    if (element_count(&p.x) > 1) expect_refused(&p, SPW_EINVALID, SPW_FAULT_RULE, p.claim.x);
    x->length = 0;
    expect_refused(&p, SPW_EINVALID, SPW_FAULT_RULE, p.claim.x);
    problem_free(&p);
  }
}

Test(oracle_products, in_a_precision_without_the_range_are_not_judged)
{
  dice d = {307};
  problem p;
  problem_of(&p, SPW_CSR, SPW_FLOAT64, &d);
  p.claim.precision = SPW_IN_FLOAT32;
  expect_refused(&p, SPW_ERANGE, SPW_FAULT_PRECISION, p.claim.a);
  p.claim.precision = SPW_PRECISION_NONE;
  expect_refused(&p, SPW_ERANGE, SPW_FAULT_PRECISION, p.claim.a);
  problem_free(&p);
  problem_of(&p, SPW_COO, SPW_BFLOAT16, &d);
  p.claim.precision = SPW_IN_FLOAT16;
  expect_refused(&p, SPW_ERANGE, SPW_FAULT_PRECISION, p.claim.a);
  problem_free(&p);
  /* A factor that the precision does not hold is found when it is applied. */
  problem_of(&p, SPW_CSR, SPW_FLOAT32, &d);
  p.claim.alpha.real = 1e300;
  spw_judgement j;
  cr_expect(spw_judge_product(&p.claim, p.work, p.bytes, &j) == SPW_ERANGE && j.verdict == SPW_NOT_JUDGED
            && j.fault == SPW_FAULT_PRECISION);
  problem_free(&p);
}

Test(oracle_products, are_not_judged_by_a_wrong_call)
{
  dice d = {308};
  problem p;
  spw_judgement j;
  problem_of(&p, SPW_BSR, SPW_FLOAT32, &d);
  cr_expect(spw_judge_product(&p.claim, p.work, p.bytes, NULL) == SPW_EINVAL);
  cr_expect(spw_judge_product(NULL, p.work, p.bytes, &j) == SPW_EINVAL && j.verdict == SPW_NOT_JUDGED);
  cr_expect(spw_judge_product(&p.claim, NULL, p.bytes, &j) == SPW_EINVAL && j.verdict == SPW_NOT_JUDGED);
  cr_expect(spw_judge_product(&p.claim, p.work, p.bytes - 1, &j) == SPW_EINVAL && j.verdict == SPW_NOT_JUDGED);
  j.verdict = SPW_RIGHT_EXACT;
  cr_expect(spw_judge_work(&p.claim, NULL, &j) == SPW_EINVAL && j.verdict == SPW_NOT_JUDGED);
  cr_expect(spw_judge_work(&p.claim, &p.bytes, NULL) == SPW_EINVAL);
  for (int i = 0; i < 4; i++) {
    spw_product_claim claim = p.claim;
    const spw_tensor **const members[] = {&claim.a, &claim.x, &claim.c, &claim.y};
    *members[i] = NULL;
    cr_expect(spw_judge_product(&claim, p.work, p.bytes, &j) == SPW_EINVAL && j.verdict == SPW_NOT_JUDGED, "%d", i);
    if (i == 1) continue; /* a sparse one is possible, too */
    *members[i] = i == 0 ? &p.x.tensor : &p.a.tensor; /* dense, where it has to be sparse, and the reverse */
    cr_expect(spw_judge_product(&claim, p.work, p.bytes, &j) == SPW_EUNSUPPORTED && j.fault == SPW_FAULT_LAYOUT
                  && j.operand == *members[i],
              "%d", i);
  }
  problem_free(&p);
}

/* A workspace on something that is still read. */
Test(oracle_products, are_not_judged_in_their_own_memory)
{
  dice d = {312};
  problem p;
  spw_judgement j;
  problem_of(&p, SPW_CSR, SPW_FLOAT64, &d);
  void *const parts[] = {&p.claim, &p.a.tensor, &p.x.tensor, &p.c.tensor, &p.y.tensor, p.x.memory, p.x.shape, p.y.strides};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    cr_expect(spw_judge_product(&p.claim, parts[i], p.bytes, &j) == SPW_EINVAL && j.verdict == SPW_NOT_JUDGED, "%zu", i);
  cr_expect(judge(&p).verdict != SPW_WRONG);
  problem_free(&p);
}

/* Tensors with dense dimensions, and of one dimension, have no such product here. */
Test(oracle_products, of_hybrid_tensors_are_not_judged)
{
  dice d = {309};
  int seen = 0;
  for (int trial = 0; trial < 400; trial++) {
    operand a;
    problem p;
    meaning m = {0};
    problem_make(&p, SMALL, &d);
    operand_random(&a, true, &d);
    if (a.tensor.layout != SPW_DENSE && meaning_of(&a.tensor, 0, &m)) {
      p.claim.a = &a.tensor;
      if (!p.claim.c) p.claim.c = p.claim.x; /* the weight that was 0 may be another in this type */
      if (!can_be_multiplied(&a, &m)) expect_refused(&p, SPW_EUNSUPPORTED, SPW_FAULT_LAYOUT, &a.tensor), seen++;
      meaning_free(&m);
    }
    operand_free(&a);
    problem_free(&p);
  }
  cr_expect(seen > 50);
}

/* ---- Rows of complex numbers ---------------------------------------------------------------------- */

enum { ROW = 3 };

/* y = beta * c + alpha * (a x), of which a has one row. */
typedef struct row {
  int64_t n;
  scalar a[ROW], x[ROW], c, alpha, beta;
  scalar y;
  spw_precision precision; /* 0: float32 */
} row;

static spw_weight weight_of(scalar s)
{
  return (spw_weight){s.part[0], s.part[1], 0};
}

static spw_judgement judge_row(const row *r)
{
  static const int64_t indices[] = {0, 1, 2};
  const int64_t size[] = {1, ROW}, ends[] = {0, r->n}, one[] = {1}, two[] = {2}, all[] = {ROW};
  float a[2 * ROW], x[2 * ROW], c[2], y[2];
  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < ROW; i++) a[2 * i + part] = (float)r->a[i].part[part], x[2 * i + part] = (float)r->x[i].part[part];
    c[part] = (float)r->c.part[part];
    y[part] = (float)r->y.part[part];
  }
  const spw_tensor csr = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                          .compressed = {.array = {SPW_INT64, 1, two, one, 0, 2}, .i64 = ends},
                          .plain = {.array = {SPW_INT64, 1, &r->n, one, 0, ROW}, .i64 = indices},
                          .values = {.array = {SPW_COMPLEX64, 1, &r->n, one, 0, ROW}, .data = a}};
  const spw_tensor from = {.layout = SPW_DENSE, .values = {{SPW_COMPLEX64, 1, all, one, 0, ROW}, x}};
  const spw_tensor onto = {.layout = SPW_DENSE, .values = {{SPW_COMPLEX64, 1, one, one, 0, 1}, c}};
  const spw_tensor result = {.layout = SPW_DENSE, .values = {{SPW_COMPLEX64, 1, one, one, 0, 1}, y}};
  const spw_product_claim claim = {&csr, &from, &onto, &result, weight_of(r->alpha), weight_of(r->beta),
                                   r->precision ? r->precision : SPW_IN_FLOAT32, 0};
  int64_t work[2 + 2 * ROW];
  spw_judgement j;
  cr_assert(spw_judge_product(&claim, work, sizeof work, &j) == SPW_OK, "%s", spw_fault_name(j.fault));
  return j;
}

/* Where a correct library multiplies by alpha. */
typedef enum place { ON_SUM, ON_A, ON_X, PLACES } place;

/* The sum begins with +0, with beta * c, or with its first term. */
typedef enum beginning { WITH_ZERO, WITH_C, WITH_TERM, BEGINNINGS } beginning;

static scalar weighted_row(const row *r, place where, beginning from, bool applies_one)
{
  const spw_dtype t = SPW_COMPLEX64;
  const scalar zero = {{0, 0}, 0};
  const bool has_c = !is_weight(t, weight_of(r->beta), 0), c_first = has_c && from == WITH_C;
  const bool applies = applies_one || !is_weight(t, weight_of(r->alpha), 1);
  const scalar c = applies_one || !is_weight(t, weight_of(r->beta), 1) ? multiply(t, r->beta, r->c) : r->c;
  scalar sum = c_first ? c : zero;
  for (int64_t i = 0; i < r->n; i++) {
    const scalar a = applies && where == ON_A ? multiply(t, r->alpha, r->a[i]) : r->a[i];
    const scalar x = applies && where == ON_X ? multiply(t, r->alpha, r->x[i]) : r->x[i];
    sum = i == 0 && from == WITH_TERM ? multiply(t, a, x) : add(t, sum, multiply(t, a, x));
  }
  if (applies && where == ON_SUM) sum = multiply(t, r->alpha, sum);
  return has_c && !c_first ? add(t, c, sum) : sum;
}

static scalar any_zero_or_small(dice *d)
{
  static const double few[] = {0, -0.0, 0, -0.0, 1, -1, 2, -3};
  return (scalar){{few[roll_below(d, 8)], few[roll_below(d, 8)]}, 0};
}

static void row_draw(row *r, dice *d)
{
  *r = (row){.n = roll_below(d, ROW + 1), .c = any_zero_or_small(d), .alpha = any_zero_or_small(d), .beta = any_zero_or_small(d)};
  for (int i = 0; i < ROW; i++) r->a[i] = any_zero_or_small(d), r->x[i] = any_zero_or_small(d);
  if (roll_below(d, 4) == 0) r->alpha = (scalar){{1, 0}, 0};
  if (roll_below(d, 2) == 0) r->beta = (scalar){{(double)roll_below(d, 2), 0}, 0};
  if (is_weight(SPW_COMPLEX64, weight_of(r->alpha), 0)) r->alpha.part[0] = 2;
}

/* Zeros of both signs, weights with parts that are zeros, every way to put them together: none of them is a wrong zero. */
Test(oracle_products, call_no_sign_of_a_complex_zero_wrong)
{
  dice d = {310};
  int64_t minus = 0;
  const int64_t trials = more(60000, 1000000);
  for (int64_t trial = 0; trial < trials; trial++) {
    row r;
    row_draw(&r, &d);
    const place where = (place)roll_below(&d, PLACES);
    const beginning from = where == ON_SUM ? (beginning)(2 * roll_below(&d, 2)) : (beginning)roll_below(&d, BEGINNINGS);
    r.y = weighted_row(&r, where, from, roll_below(&d, 2) != 0);
    const spw_judgement j = judge_row(&r);
    minus += (r.y.part[0] == 0 && signbit(r.y.part[0])) || (r.y.part[1] == 0 && signbit(r.y.part[1]));
    cr_assert(j.verdict == SPW_RIGHT_EXACT, "trial %d, %d terms, alpha %g%+gi on %d, beta %g%+gi, from %d: %s, part %d of %g%+gi",
              (int)trial, (int)r.n, r.alpha.part[0], r.alpha.part[1], (int)where, r.beta.part[0], r.beta.part[1], (int)from,
              spw_fault_name(j.fault), (int)j.part, r.y.part[0], r.y.part[1]);
  }
  cr_expect(minus > trials / 50, "%d", (int)minus);
}

static void expect_of_row(const char *what, const row *r, spw_verdict verdict, spw_fault fault, int part)
{
  const spw_judgement j = judge_row(r);
  cr_expect(j.verdict == verdict && j.fault == fault && j.part == part, "%s: %s, %s, part %d", what, spw_verdict_name(j.verdict),
            spw_fault_name(j.fault), (int)j.part);
}

/* (1 + i) (1 + 2^-12 i) has parts of more than 11 bits, although no operand has: tf32 makes 1 + i of it. */
Test(oracle_products, may_be_rounded_behind_a_complex_factor)
{
  row r = {.n = 1, .a = {{{1, 0x1p-12}, 0}}, .x = {{{1, 0}, 0}}, .alpha = {{1, 1}, 0}, .y = {{1, 1}, 0}};
  r.precision = SPW_FROM_TF32;
  expect_of_row("rounded", &r, SPW_RIGHT_BOUNDED, SPW_FAULT_NONE, 0);
  r.precision = SPW_IN_FLOAT32;
  expect_of_row("not rounded", &r, SPW_WRONG, SPW_FAULT_VALUE, 0);
}

/* Products of real parts that sum to -0, less those of imaginary parts, which cancel: -0, where each are summed apart. */
Test(oracle_products, may_be_summed_by_planes)
{
  const scalar one = {{1, 0}, 0}, weights[] = {one, {{2, 0}, 0}, {{0, 1}, 0}};
  row r = {.n = 2, .a = {{{-0.0, 1}, 0}, {{-0.0, -1}, 0}}, .x = {{{1, 1}, 0}, {{1, 1}, 0}}};
  for (int i = 0; i < 3; i++) {
    const int part = i == 2;
    r.alpha = weights[i];
    r.y = (scalar){{0, 0}, 0};
    r.y.part[part] = -0.0;
    cr_expect_eq(judge_row(&r).verdict, SPW_RIGHT_EXACT, "%d", i);
  }
  r.alpha = one;
  r.y = (scalar){{0, -0.0}, 0};
  expect_of_row("of the other part", &r, SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO, 1);
  r.y = (scalar){{-0.0, 0}, 0};
  r.a[0].part[0] = 0;
  expect_of_row("where one is +0", &r, SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO, 0);
  r.a[0].part[0] = -0.0;
  r.a[0].part[1] = -1;
  r.a[1].part[1] = -0.0;
  r.y = (scalar){{-0.0, -1}, 0};
  expect_of_row("where they do not cancel", &r, SPW_WRONG, SPW_FAULT_VALUE, 0);
  r = (row){.n = 1, .a = {{{-0.0, 0}, 0}}, .x = {{{1, -1}, 0}}, .alpha = one, .y = {{-0.0, 0}, 0}};
  expect_of_row("where both are -0", &r, SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO, 0);
}

/* -0 where no way gives it: of nothing, of numbers that cancel, and beside a c that is +0. */
Test(oracle_products, have_wrong_complex_zeros)
{
  const scalar two = {{2, 0}, 0};
  row r = {.alpha = two, .y = {{-0.0, 0}, 0}};
  expect_of_row("of nothing", &r, SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO, 0);
  r = (row){.n = 2, .a = {{{5, 3}, 0}, {{-5, 3}, 0}}, .x = {{{1, 1}, 0}, {{1, 1}, 0}}, .alpha = two};
  r.x[1] = (scalar){{1, -1}, 0}; /* 5 - 3 + (-5 + 3), and 5 + 3 + (5 + 3) */
  r.y = (scalar){{-0.0, 32}, 0};
  expect_of_row("that cancel", &r, SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO, 0);
  r = (row){.n = 1, .a = {{{-5, -0.0}, 0}}, .x = {{{1, 0}, 0}}, .alpha = two, .y = {{-10, -0.0}, 0}};
  expect_of_row("as the terms", &r, SPW_RIGHT_EXACT, SPW_FAULT_NONE, 0);
  r.beta = two;
  r.c = (scalar){{1, 0}, 0};
  r.y.part[0] = -8;
  expect_of_row("beside +0", &r, SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO, 1);
  /* alpha a is nothing but zeros, if it is computed first, and not of the signs of its products */
  r = (row){.n = 1, .a = {{{0x1.cp-100, 0}, 0}}, .x = {{{-0x1.cp64, 0}, 0}}, .alpha = {{0, -0x1p-60}, 0}, .y = {{-0.0, 0}, 0}};
  expect_of_row("too small", &r, SPW_RIGHT_BOUNDED, SPW_FAULT_NONE, 1);
  r.a[0].part[0] = 0x1.cp-80;
  r.y.part[1] = 0x1.88p-75;
  expect_of_row("not too small", &r, SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO, 0);
}

/* Parts of alpha times an operand are sums of two products, which may overflow where no product does. */
Test(oracle_products, may_overflow_in_a_complex_factor)
{
  const scalar large = {{0x1.cp63, -0x1.cp63}, 0};
  row r = {.n = 1, .a = {large}, .x = {{{0, 0x1p-60}, 0}}, .alpha = large};
  r.y = (scalar){{0x1.88p68, 0}, 0};
  expect_of_row("the sum first", &r, SPW_RIGHT_BOUNDED, SPW_FAULT_NONE, 0);
  r.y = weighted_row(&r, ON_A, WITH_TERM, true);
  cr_assert(isinf(r.y.part[0]) && isnan(r.y.part[1]));
  expect_of_row("alpha * a", &r, SPW_UNDECIDED, SPW_FAULT_NONE, 0);
  r = (row){.n = 1, .a = {{{0x1p127, -0x1p127}, 0}}, .x = {{{0x1p-60, 0}, 0}}, .alpha = {{1, 1}, 0}};
  r.y = weighted_row(&r, ON_A, WITH_TERM, true);
  cr_assert(isinf(r.y.part[0]) && isnan(r.y.part[1]));
  expect_of_row("1 + i", &r, SPW_UNDECIDED, SPW_FAULT_NONE, 0);
  r.a[0] = (scalar){{0x1p124, -0x1p124}, 0};
  expect_of_row("no overflow", &r, SPW_WRONG, SPW_FAULT_INFINITE, 0);
  r.y = (scalar){{0x1p65, 0}, 0};
  expect_of_row("no overflow, right", &r, SPW_RIGHT_EXACT, SPW_FAULT_NONE, 0);
}

/* (2 + 0i) (a x) has a NaN where a is infinite, and a (2 x) has none: both are right, but not where an operand is a NaN. */
Test(oracle_products, may_have_a_complex_factor_of_what_meets_an_infinity)
{
  row r = {.n = 1, .a = {{{INFINITY, 1}, 0}}, .x = {{{1, 2}, 0}}, .alpha = {{2, 0}, 0}};
  r.y = weighted_row(&r, ON_SUM, WITH_TERM, true);
  cr_assert(isnan(r.y.part[0]) && isnan(r.y.part[1]));
  expect_of_row("of the sum", &r, SPW_RIGHT_SPECIAL, SPW_FAULT_NONE, 0);
  r.y = weighted_row(&r, ON_X, WITH_TERM, true);
  cr_assert(isinf(r.y.part[0]) && isinf(r.y.part[1]));
  expect_of_row("of x", &r, SPW_UNDECIDED, SPW_FAULT_NONE, 0);
  r.y.part[1] = 1;
  expect_of_row("a number", &r, SPW_WRONG, SPW_FAULT_NOT_NAN, 1);
  r.y.part[1] = INFINITY;
  r.x[0].part[1] = NAN;
  expect_of_row("beside a NaN", &r, SPW_WRONG, SPW_FAULT_NOT_NAN, 0);
  r.x[0].part[1] = 2;
  r.alpha.part[1] = NAN;
  expect_of_row("times a NaN", &r, SPW_WRONG, SPW_FAULT_NOT_NAN, 0);
  r.alpha.part[1] = 0;
  r.c = (scalar){{NAN, NAN}, 0};
  r.beta = (scalar){{1, 0}, 0};
  expect_of_row("where c is a NaN", &r, SPW_WRONG, SPW_FAULT_NOT_NAN, 0);
  const row nothing = {.n = 1, .a = {{{0, 0}, 0}}, .x = {{{INFINITY, 0}, 0}}, .alpha = {{2, 0}, 0},
                       .y = {{INFINITY, INFINITY}, 0}};
  expect_of_row("nothing times an infinity", &nothing, SPW_WRONG, SPW_FAULT_NOT_NAN, 0);
}

static scalar any_of_far_ranges(dice *d)
{
  static const double few[] = {1, -1, 0x1.cp0, -0x1.cp0, 0x1.000002p0, 0};
  static const double ranges[] = {0x1p-149, 0x1p-100, 0x1p-60, 1, 0x1p63, 0x1p64, 0x1p127};
  scalar s = {{0, 0}, 0};
  for (int part = 0; part < 2; part++)
    s.part[part] = roll_below(d, 40) ? (double)(float)(few[roll_below(d, 6)] * ranges[roll_below(d, 7)]) : INFINITY;
  return s;
}

/* Whatever overflows or vanishes on the way, alpha may be applied where one likes. */
Test(oracle_products, call_no_complex_product_of_far_ranges_wrong)
{
  dice d = {313};
  int64_t seen[SPW_WRONG + 1] = {0};
  const int64_t trials = more(60000, 1000000);
  for (int64_t trial = 0; trial < trials; trial++) {
    row r = {.n = 1 + roll_below(&d, ROW), .c = any_of_far_ranges(&d), .alpha = any_of_far_ranges(&d)};
    for (int i = 0; i < ROW; i++) r.a[i] = any_of_far_ranges(&d), r.x[i] = any_of_far_ranges(&d);
    if (roll_below(&d, 2)) r.beta = any_of_far_ranges(&d);
    if (roll_below(&d, 3) == 0) r.alpha = (scalar){{1, roll_below(&d, 2) ? 1 : -1}, 0};
    if (is_weight(SPW_COMPLEX64, weight_of(r.alpha), 0)) r.alpha.part[0] = 2;
    const place where = (place)roll_below(&d, PLACES);
    r.y = weighted_row(&r, where, where == ON_SUM ? WITH_TERM : (beginning)roll_below(&d, BEGINNINGS), roll_below(&d, 2) != 0);
    const spw_judgement j = judge_row(&r);
    seen[j.verdict]++;
    cr_assert(j.verdict != SPW_WRONG, "trial %d: alpha %a %a on %d, %d terms, a %a %a, x %a %a: %s, part %d of %a %a", (int)trial,
              r.alpha.part[0], r.alpha.part[1], (int)where, (int)r.n, r.a[0].part[0], r.a[0].part[1], r.x[0].part[0],
              r.x[0].part[1], spw_fault_name(j.fault), (int)j.part, r.y.part[0], r.y.part[1]);
  }
  for (int v = SPW_RIGHT_EXACT; v < SPW_WRONG; v++)
    cr_expect(seen[v] > trials / 200, "%s: %lld", spw_verdict_name((spw_verdict)v), (long long)seen[v]);
}

/* 1 + 0i times an infinity has a NaN, where somebody multiplies: both ways are right, and nothing else is. */
Test(oracle_products, may_multiply_by_one)
{
  const scalar one = {{1, 0}, 0}, infinite = {{INFINITY, 1}, 0}, large = {{0x1p100, 1}, 0};
  row r = {.n = 1, .a = {one}, .x = {one}, .c = infinite, .alpha = one, .beta = one};
  r.y = (scalar){{INFINITY, 1}, 0};
  expect_of_row("c as it is", &r, SPW_RIGHT_SPECIAL, SPW_FAULT_NONE, 0);
  r.y.part[1] = NAN;
  expect_of_row("beta * c", &r, SPW_UNDECIDED, SPW_FAULT_NONE, 0);
  r.y.part[1] = INFINITY;
  expect_of_row("beta * c, infinite", &r, SPW_WRONG, SPW_FAULT_INFINITE, 1);
  r.y = (scalar){{NAN, 1}, 0};
  expect_of_row("the infinity itself", &r, SPW_WRONG, SPW_FAULT_NAN, 0);
  r.c = (scalar){{NAN, 1}, 0};
  r.y.part[1] = NAN;
  expect_of_row("beta * c of a NaN", &r, SPW_UNDECIDED, SPW_FAULT_NONE, 0);
  r = (row){.n = 1, .a = {infinite}, .x = {{{1, 2}, 0}}, .alpha = one, .y = {{INFINITY, INFINITY}, 0}};
  expect_of_row("the sum as it is", &r, SPW_RIGHT_SPECIAL, SPW_FAULT_NONE, 0);
  r.y = (scalar){{NAN, NAN}, 0};
  expect_of_row("alpha * the sum", &r, SPW_UNDECIDED, SPW_FAULT_NONE, 0);
  r = (row){.n = 1, .a = {large}, .x = {large}, .alpha = one, .y = {{INFINITY, NAN}, 0}};
  expect_of_row("a sum that overflows", &r, SPW_UNDECIDED, SPW_FAULT_NONE, 0);
  r.x[0].part[0] = 1;
  r.y = (scalar){{0x1p100, NAN}, 0};
  expect_of_row("a sum that does not", &r, SPW_WRONG, SPW_FAULT_NAN, 1);
}

/* What spw_multiply gives is right. */
Test(oracle_products, of_infinities_are_those_of_multiply)
{
  const int64_t size[] = {1, 1}, ends[] = {0, 1}, one[] = {1}, two[] = {2}, none[] = {0};
  const float value[] = {1, 0}, c[] = {INFINITY, 1};
  float y[] = {INFINITY, 1};
  const spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {.array = {SPW_INT64, 1, two, one, 0, 2}, .i64 = ends},
                        .plain = {.array = {SPW_INT64, 1, one, one, 0, 1}, .i64 = none},
                        .values = {.array = {SPW_COMPLEX64, 1, one, one, 0, 1}, .data = value}};
  const spw_array vector = {SPW_COMPLEX64, 1, one, one, 0, 1};
  const spw_tensor x = {.layout = SPW_DENSE, .values = {vector, value}}, onto = {.layout = SPW_DENSE, .values = {vector, c}};
  const spw_tensor result = {.layout = SPW_DENSE, .values = {vector, y}};
  const spw_output out = {vector, y};
  const spw_factors factors = {.beta = value};
  spw_refusal refusal;
  size_t bytes = 0;
  cr_assert(spw_multiply_size(&a, &x, &factors, &out, &bytes, &refusal) == SPW_OK);
  void *const work_of_product = malloc(bytes + 1);
  cr_assert(spw_multiply(&a, &x, &factors, &out, work_of_product, bytes, &refusal) == SPW_OK && isinf(y[0]) && isnan(y[1]));
  free(work_of_product);
  const spw_product_claim claim = {&a, &x, &onto, &result, {1, 0, 0}, {1, 0, 0}, SPW_IN_FLOAT32, 0};
  int64_t work[4];
  spw_judgement j;
  cr_assert(spw_judge_product(&claim, work, sizeof work, &j) == SPW_OK);
  cr_expect(j.verdict == SPW_UNDECIDED && j.wrong == 0 && j.undecided == 1, "%s", spw_fault_name(j.fault));
}

/* ---- Others ---------------------------------------------------------------------------------------- */

/* More batches than anybody can walk over, of no rows: there is nothing to be judged. With a sparse x of no columns it is x that
 * has them. */
Test(oracle_products, of_empty_batches_take_no_time, .timeout = 60)
{
  const int64_t batches = (int64_t)1 << 40, ends[6] = {0}, strides[] = {0, 1, 1}, dense_strides[] = {0, 0, 0};
  const int64_t size[] = {batches, 0, 5}, compressed[] = {batches, 6}, plain[] = {batches, 0};
  const int64_t of_x[] = {batches, 5, 1}, of_y[] = {batches, 0, 1}, wide[] = {batches, 0, 0}, square[] = {batches, 1};
  const float numbers[5] = {0};
  spw_tensor a = {.layout = SPW_CSC, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                  .compressed = {.array = {SPW_INT64, 2, compressed, strides, 0, 6}, .i64 = ends},
                  .plain = {.array = {SPW_INT64, 2, plain, strides, 0, 0}},
                  .values = {.array = {SPW_FLOAT32, 2, plain, strides, 0, 0}}};
  spw_tensor x = {.layout = SPW_DENSE, .values = {{SPW_FLOAT32, 3, of_x, strides, 0, 5}, numbers}};
  const spw_tensor y = {.layout = SPW_DENSE, .values = {{SPW_FLOAT32, 3, of_y, dense_strides, 0, 0}, NULL}};
  const spw_product_claim claim = {&a, &x, NULL, &y, {1, 0, 0}, {0, 0, 0}, SPW_IN_FLOAT32, 0};
  int64_t work[2];
  spw_judgement j;
  cr_assert(spw_judge_product(&claim, work, sizeof work, &j) == SPW_OK, "%s", spw_fault_name(j.fault));
  cr_expect(j.verdict == SPW_RIGHT_EXACT && j.numbers == 0);
  x = a;
  a.size = wide;
  a.compressed.array.shape = square;
  x.size = size;
  const spw_tensor none = {.layout = SPW_DENSE, .values = {{SPW_FLOAT32, 3, size, dense_strides, 0, 0}, NULL}};
  const spw_product_claim sparse = {&a, &x, NULL, &none, {1, 0, 0}, {0, 0, 0}, SPW_IN_FLOAT32, 0};
  cr_assert(spw_judge_product(&sparse, work, sizeof work, &j) == SPW_OK, "%s", spw_fault_name(j.fault));
  cr_expect(j.verdict == SPW_RIGHT_EXACT && j.numbers == 0);
}

/* Any byte but 0 is true, in a result as in an operand. */
Test(oracle_products, of_bools_are_true_by_any_byte)
{
  dice d = {311};
  int64_t index[DIMS], seen = 0;
  for (int trial = 0; trial < 20; trial++) {
    problem p;
    problem_of(&p, SPW_CSR, SPW_BOOL, &d);
    for (int64_t i = 0; i < element_count(&p.y); i++) {
      unravel(&p.y, i, index);
      char *const at = element_at(&p.y, index);
      seen += *at != 0;
      *at = (char)(*at ? 2 + i : 0);
    }
    cr_expect(judge(&p).verdict == SPW_RIGHT_EXACT);
    problem_free(&p);
  }
  cr_expect(seen > 10, "%d", (int)seen);
}

/* A row of COO of one position that is stored n times, or of none, times one number; what is found of y. */
static spw_judgement judgement_in(spw_precision precision, const double *a, int64_t n, double x, double alpha, double y)
{
  static const int64_t zeros[8], one[] = {1};
  const int64_t size[] = {1, 1}, shape[] = {2, n}, strides[] = {n, 1};
  const bool wide = precision == SPW_IN_FLOAT64;
  const spw_dtype dtype = wide ? SPW_FLOAT64 : SPW_FLOAT32;
  const float x_narrow = (float)x, y_narrow = (float)y;
  float narrow[8];
  for (int64_t k = 0; k < n; k++) narrow[k] = (float)a[k];
  const void *const values = wide ? (const void *)a : narrow;
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 2 * n}, NULL, n ? zeros : NULL, NULL},
                        .values = {{dtype, 1, &n, one, 0, n}, n ? values : NULL}};
  const spw_tensor in = {.layout = SPW_DENSE, .values = {{dtype, 1, one, one, 0, 1}, wide ? (const void *)&x : &x_narrow}};
  const spw_tensor out = {.layout = SPW_DENSE, .values = {{dtype, 1, one, one, 0, 1}, wide ? (const void *)&y : &y_narrow}};
  const spw_product_claim claim = {&t, &in, NULL, &out, {alpha, 0, 0}, {0, 0, 0}, precision, 0};
  int64_t work[32];
  size_t bytes;
  spw_judgement j;
  cr_assert(spw_judge_work(&claim, &bytes, &j) == SPW_OK && bytes + 8 <= sizeof work);
  cr_assert_eq(spw_judge_product(&claim, (char *)work + 1, bytes, &j), SPW_EINVAL);
  cr_assert(spw_judge_product(&claim, work, bytes, &j) == SPW_OK, "%s", spw_fault_name(j.fault));
  return j;
}

static spw_judgement judgement_of(const double *a, int64_t n, double x, double alpha, double y)
{
  return judgement_in(SPW_IN_FLOAT64, a, n, x, alpha, y);
}

static spw_verdict verdict_of(const double *a, int64_t n, double x, double alpha, double y)
{
  return judgement_of(a, n, x, alpha, y).verdict;
}

/* What a library gives that adds up elements of one position before it multiplies is not called wrong; nor right. */
Test(oracle_products, of_what_is_stored_twice)
{
  const double large[] = {0x1p1023, 0x1p1023}, huge[] = {0x1p1022}, half[] = {1, -0.5}, none[] = {5, -5}, few[] = {5, -4};
  cr_expect_eq(verdict_of(large, 2, 0.25, 1, INFINITY), SPW_UNDECIDED);
  cr_expect_eq(verdict_of(large, 2, 0, 1, (double)NAN), SPW_UNDECIDED);
  cr_expect_eq(verdict_of(large, 2, 0.25, 1, 0x1p1022), SPW_RIGHT_EXACT);
  cr_expect_eq(verdict_of(large, 2, 0.25, 1, 0x1p1021), SPW_WRONG);
  cr_expect_eq(verdict_of(large, 1, 0.25, 1, INFINITY), SPW_WRONG);
  cr_expect_eq(verdict_of(huge, 1, 0.25, 1, (double)NAN), SPW_WRONG);
  cr_expect_eq(verdict_of(half, 2, INFINITY, 1, INFINITY), SPW_UNDECIDED);
  cr_expect_eq(verdict_of(half, 2, INFINITY, 1, (double)NAN), SPW_RIGHT_SPECIAL);
  cr_expect_eq(verdict_of(half, 2, INFINITY, 1, 7), SPW_WRONG);
  cr_expect_eq(verdict_of(none, 2, -1, 1, -0.0), SPW_UNDECIDED);
  cr_expect_eq(verdict_of(none, 2, -1, 1, 0.0), SPW_RIGHT_EXACT);
  cr_expect_eq(verdict_of(none, 2, -1, 1, (double)NAN), SPW_WRONG);
  cr_expect_eq(verdict_of(few, 2, -1, 1, -0.0), SPW_WRONG);
  cr_expect_eq(verdict_of(few, 2, -1, 1, -1), SPW_RIGHT_EXACT);
  cr_expect_eq(judgement_of(half, 2, INFINITY, 1, INFINITY).worst.ratio, 0);
  cr_expect_eq(judgement_of(large, 2, 0, 1, (double)NAN).worst.ratio, 0);
}

/* Such a library rounds what they add up to; and that, times alpha, may be more than the range has. */
Test(oracle_products, of_what_is_stored_twice_and_rounded)
{
  const double ones[] = {1, 0x1p-11}, large[] = {0x1.fffffep124, 0x1.fffffep124, 0x1.fffffep124};
  const float factor = 4 - 0x1p-22f;
  const double alpha = (double)factor;
  cr_expect_eq(judgement_in(SPW_FROM_TF32, ones, 2, 1, 1, 1).verdict, SPW_RIGHT_BOUNDED);
  cr_expect_eq(judgement_in(SPW_FROM_TF32, ones, 2, 1, 1, 1 + 0x1p-11).verdict, SPW_RIGHT_BOUNDED);
  cr_expect_eq(judgement_in(SPW_FROM_TF32, ones, 2, 1, 1, 1 - 0x1p-5).verdict, SPW_WRONG);
  cr_expect_eq(judgement_in(SPW_IN_FLOAT32, ones, 2, 1, 1, 1).verdict, SPW_WRONG);
  cr_expect_eq(judgement_in(SPW_IN_FLOAT32, large, 3, 0, alpha, (double)NAN).verdict, SPW_UNDECIDED);
  cr_expect_eq(judgement_in(SPW_IN_FLOAT32, large, 3, 0x1p-60, alpha, INFINITY).verdict, SPW_UNDECIDED);
  cr_expect_eq(judgement_in(SPW_IN_FLOAT32, large, 1, 0, alpha, (double)NAN).verdict, SPW_WRONG);
}

/* alpha may be applied to operands, of which there are none. */
Test(oracle_products, of_nothing_and_special_factors)
{
  const double special[] = {(double)NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    cr_expect_eq(verdict_of(NULL, 0, 1, special[i], 0), SPW_RIGHT_EXACT, "%d", i);
    cr_expect_eq(verdict_of(NULL, 0, 1, special[i], (double)NAN), SPW_UNDECIDED, "%d", i);
    cr_expect_eq(verdict_of(NULL, 0, 1, special[i], 1), SPW_WRONG, "%d", i);
    cr_expect_eq(verdict_of((const double[]){1}, 1, 1, special[i], 0), SPW_WRONG, "%d", i);
  }
  cr_expect_eq(verdict_of(NULL, 0, 1, 2, (double)NAN), SPW_WRONG);
}
