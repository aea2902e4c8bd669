/* SPDX-License-Identifier: Apache-2.0 */
/* Products of two sparse tensors are judged: a tensor times its own transpose, of every layout and type, in every layout, with
 * zeros left out or added and in any order, is right; and whatever is changed in it is found where it is. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../../fuzz/inputs/values.h"
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../expected/scalar.h"

typedef struct problem {
  operand a;
  int64_t dims[64];
  spw_tensor turned;
  spw_owned *rows, *x, *y; /* COO as CSR, which can be turned; another layout of what is turned; the product */
  spw_product_claim claim;
} problem;

static spw_conversion to_any(dice *d)
{
  const spw_layout layout = (spw_layout)roll_below(d, SPW_LAYOUT_COUNT);
  const int64_t block = layout == SPW_BSR || layout == SPW_BSC;
  return conversion_to(layout, block, block);
}

static spw_owned *converted(const spw_tensor *t, dice *d)
{
  const spw_conversion wanted = to_any(d);
  spw_owned *made = NULL;
  return spw_convert_new(t, &wanted, 0, &made, NULL) == SPW_OK ? made : NULL;
}

static void problem_free(problem *p)
{
  spw_owned_free(p->rows);
  spw_owned_free(p->x);
  spw_owned_free(p->y);
  operand_free(&p->a);
}

/* Is there more than one element at a place? */
static bool repeats(const spw_tensor *a)
{
  return a->layout == SPW_COO && a->coalesced != SPW_CLAIM_YES && a->values.array.shape[0] > 1;
}

/* False where the tensor has no such product. */
static bool problem_make(problem *p, int64_t classes, dice *d)
{
  memset(p, 0, sizeof *p);
  operand_random_sparse(&p->a, true, d);
  operand_draw_values(&p->a, classes, d);
  const spw_tensor *const a = &p->a.tensor;
  const spw_conversion by_rows = conversion_to(SPW_CSR, 0, 0);
  if (a->layout == SPW_COO) (void)spw_convert_new(a, &by_rows, 0, &p->rows, NULL);
  const spw_tensor *const turnable = p->rows ? spw_owned_tensor(p->rows) : a;
  if (a->has_size && a->ndim >= 2 && !repeats(a) && spw_transpose(turnable, p->dims, 64, &p->turned) == SPW_OK &&
      spw_multiply_sparse_new(a, &p->turned, 0, 1 << 16, &p->y, NULL) == SPW_OK) {
    p->x = converted(&p->turned, d);
    const spw_dtype dtype = a->values.array.dtype;
    const spw_product_claim claim = {.a = a, .x = p->x ? spw_owned_tensor(p->x) : &p->turned, .y = spw_owned_tensor(p->y),
                                     .alpha = {1, 0, 1}, .precision = spw_precision_of(dtype)};
    p->claim = claim;
    return true;
  }
  problem_free(p);
  return false;
}

static spw_judgement judge(const spw_product_claim *claim, spw_status wanted)
{
  spw_judgement j;
  size_t bytes = 0;
  memset(&j, 7, sizeof j);
  const spw_status sized = spw_judge_work(claim, &bytes, &j);
  void *const work = sized == SPW_OK ? malloc(bytes ? bytes : 1) : NULL;
  const spw_status status = sized == SPW_OK ? spw_judge_product(claim, work, bytes, &j) : sized;
  if (sized == SPW_OK && bytes > 0) {
    spw_judgement none;
    cr_expect(spw_judge_product(claim, work, bytes - 1, &none) == SPW_EINVAL || j.verdict == SPW_WRONG);
  }
  free(work);
  cr_expect(status == wanted, "%s instead of %s: %s", spw_status_string(status), spw_status_string(wanted),
            spw_fault_name(j.fault));
  return j;
}

static bool is_right(const spw_judgement *j)
{
  return j->verdict != SPW_WRONG && j->verdict != SPW_NOT_JUDGED && j->wrong == 0;
}

enum { SMALL = 1 << FUZZ_SMALL, ANY_NUMBER = SMALL | 1 << FUZZ_NUMBER | 1 << FUZZ_ZERO };

/* ---- Right --------------------------------------------------------------------------------------- */

Test(oracle_sparse, calls_right_products_right, .timeout = 300)
{
  static problem p;
  static int64_t layouts[SPW_LAYOUT_COUNT][SPW_LAYOUT_COUNT], types[SPW_DTYPE_COUNT];
  const int64_t classes[] = {SMALL, ANY_NUMBER, FUZZ_EVERY_CLASS};
  const uint64_t seeds = SANITIZED ? 6000 : 20000;
  int64_t batched = 0, absent = 0, dense = 0, special = 0;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    if (!problem_make(&p, classes[seed % 3], &d)) continue;
    spw_judgement j = judge(&p.claim, SPW_OK);
    cr_assert(is_right(&j) && j.absent == 0 && j.extra == 0, "seed %llu: %s at %lld, %lld, %lld: %g, not %g",
              (unsigned long long)seed, spw_fault_name(j.fault), (long long)j.batch, (long long)j.row, (long long)j.column,
              j.found, j.worst.sum);
    const int64_t numbers = j.numbers;
    special += j.special;
    layouts[p.claim.a->layout][p.claim.x->layout] += numbers > 0;
    types[p.claim.a->values.array.dtype] += numbers > 0;
    batched += numbers > 0 && p.claim.a->ndim > 2;
    spw_conversion wanted = to_any(&d);
    spw_owned *other = NULL;
    wanted.prune = roll_below(&d, 2) != 0;
    if (spw_convert_new(p.claim.y, &wanted, 0, &other, NULL) == SPW_OK) {
      p.claim.y = spw_owned_tensor(other);
      j = judge(&p.claim, SPW_OK);
      cr_assert(is_right(&j) && j.numbers == numbers && j.extra == 0 && (wanted.prune || j.absent == 0), "seed %llu",
                (unsigned long long)seed);
      absent += j.absent;
      spw_owned_free(other);
      other = NULL;
      p.claim.y = spw_owned_tensor(p.y);
    }
    const spw_conversion flat = conversion_to(SPW_DENSE, 0, 0);
    if (spw_convert_new(p.claim.y, &flat, 1 << 16, &other, NULL) == SPW_OK) {
      p.claim.y = spw_owned_tensor(other);
      j = judge(&p.claim, SPW_OK);
      cr_assert(is_right(&j) && j.numbers >= numbers && j.absent == 0 && j.extra == 0, "seed %llu", (unsigned long long)seed);
      dense++;
      spw_owned_free(other);
    }
    problem_free(&p);
  }
  for (int a = SPW_COO; a <= SPW_BSC; a++)
    for (int x = SPW_COO; x <= SPW_BSC; x++) cr_expect(layouts[a][x] > 2, "%d times %d: %lld", a, x, (long long)layouts[a][x]);
  for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++) cr_expect(types[type] > 5, "type %d", type);
  cr_expect(batched > 50 && absent > 20 && dense > 100 && special > 10, "%lld %lld %lld %lld", (long long)batched,
            (long long)absent, (long long)dense, (long long)special);
  expect_no_leaks();
}

/* ---- Wrong --------------------------------------------------------------------------------------- */

/* A sparse matrix by hand: n elements of COO, in any order. */
typedef struct matrix {
  spw_tensor tensor;
  int64_t size[2], shape[2], strides[2], count, places[2 * 8];
  double values[8];
} matrix;

static void matrix_make(matrix *m, int64_t rows, int64_t columns, int64_t n, const int64_t (*places)[2], const double *values)
{
  static const int64_t one = 1;
  memset(m, 0, sizeof *m);
  m->size[0] = rows;
  m->size[1] = columns;
  m->shape[0] = 2;
  m->shape[1] = m->strides[0] = m->count = n;
  m->strides[1] = 1;
  for (int64_t k = 0; k < n; k++) {
    m->places[k] = places[k][0];
    m->places[n + k] = places[k][1];
    m->values[k] = values[k];
  }
  m->tensor = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 2, .size = m->size, .coalesced = SPW_CLAIM_NO};
  m->tensor.plain = (spw_index_array){.array = {SPW_INT64, 2, m->shape, m->strides, 0, 2 * n}, .i64 = m->places};
  m->tensor.values = (spw_value_array){.array = {SPW_FLOAT64, 1, &m->count, &one, 0, n}, .data = m->values};
}

/* (1 2 0; 0 0 3) times (0 4; 5 0; 0 6): (10 4; 0 18) */
typedef struct small {
  matrix a, x, y;
  spw_product_claim claim;
} small;

static void small_make(small *s, int64_t n, const int64_t (*places)[2], const double *values)
{
  static const int64_t in_a[][2] = {{0, 1}, {0, 0}, {1, 2}}, in_x[][2] = {{1, 0}, {0, 1}, {2, 1}};
  static const double of_a[] = {2, 1, 3}, of_x[] = {5, 4, 6};
  matrix_make(&s->a, 2, 3, 3, in_a, of_a);
  matrix_make(&s->x, 3, 2, 3, in_x, of_x);
  matrix_make(&s->y, 2, 2, n, places, values);
  const spw_product_claim claim = {.a = &s->a.tensor, .x = &s->x.tensor, .y = &s->y.tensor, .alpha = {1, 0, 1},
                                   .precision = SPW_IN_FLOAT64};
  s->claim = claim;
}

typedef struct answer {
  int64_t n, places[4][2];
  double values[4];
  spw_verdict verdict;
  spw_fault fault;
  int64_t row, column, numbers, absent, extra;
  double found, sum;
} answer;

Test(oracle_sparse, finds_what_is_wrong)
{
  static small s;
  const answer answers[] = {
    {3, {{0, 0}, {0, 1}, {1, 1}}, {10, 4, 18}, SPW_RIGHT_EXACT, SPW_FAULT_NONE, 0, 0, 3, 0, 0, 10, 10},
    {3, {{1, 1}, {0, 1}, {0, 0}}, {18, 4, 10}, SPW_RIGHT_EXACT, SPW_FAULT_NONE, 0, 0, 3, 0, 0, 10, 10},
    {4, {{1, 1}, {0, 1}, {0, 0}, {1, 0}}, {18, 4, 10, 0}, SPW_RIGHT_EXACT, SPW_FAULT_NONE, 0, 0, 4, 0, 1, 10, 10},
    {3, {{0, 0}, {0, 1}, {1, 1}}, {10, 4, 17}, SPW_WRONG, SPW_FAULT_VALUE, 1, 1, 3, 0, 0, 17, 18},
    {2, {{0, 0}, {1, 1}}, {10, 18}, SPW_WRONG, SPW_FAULT_VALUE, 0, 1, 3, 1, 0, 0, 4},
    {3, {{0, 0}, {1, 0}, {1, 1}}, {10, 4, 18}, SPW_WRONG, SPW_FAULT_VALUE, 0, 1, 4, 1, 1, 0, 4},
    {4, {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {10, 4, 18, 1}, SPW_WRONG, SPW_FAULT_VALUE, 1, 0, 4, 0, 1, 1, 0},
    {0, {{0, 0}}, {0}, SPW_WRONG, SPW_FAULT_VALUE, 0, 0, 3, 3, 0, 0, 10},
  };
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
    const answer *const w = &answers[i];
    small_make(&s, w->n, w->places, w->values);
    const spw_judgement j = judge(&s.claim, SPW_OK);
    cr_expect(j.verdict == w->verdict && j.fault == w->fault && j.row == w->row && j.column == w->column && j.batch == 0 &&
                  j.numbers == w->numbers && j.absent == w->absent && j.extra == w->extra && j.found == w->found &&
                  j.worst.sum == w->sum,
              "answer %zu: %s, %s at %lld, %lld: %g, not %g; %lld numbers, %lld absent, %lld extra", i,
              spw_verdict_name(j.verdict), spw_fault_name(j.fault), (long long)j.row, (long long)j.column, j.found, j.worst.sum,
              (long long)j.numbers, (long long)j.absent, (long long)j.extra);
  }
}

/* A number that is changed, in any layout and type whose sums are exact. */
Test(oracle_sparse, finds_changed_values, .timeout = 300)
{
  static problem p;
  int64_t changed = 0;
  for (uint64_t seed = 0; seed < 6000; seed++) {
    dice d = {seed};
    if (!problem_make(&p, SMALL, &d)) continue;
    const spw_value_array *const v = &p.claim.y->values;
    const int64_t size = scalar_width(v->array.dtype);
    if (v->array.length > 0) {
      char *const at = (char *)(uintptr_t)v->data + roll_below(&d, v->array.length) * size;
      at[size - 1] = (char)(at[size - 1] ^ (v->array.dtype == SPW_BOOL ? 1 : 64));
      const spw_judgement j = judge(&p.claim, SPW_OK);
      cr_assert(j.verdict == SPW_WRONG && j.wrong == 1, "seed %llu: %s", (unsigned long long)seed, spw_verdict_name(j.verdict));
      changed++;
    }
    problem_free(&p);
  }
  cr_assert(changed > 500, "%lld", (long long)changed);
}

/* ---- Not judged ---------------------------------------------------------------------------------- */

Test(oracle_sparse, says_why_nothing_is_judged)
{
  static small s;
  static const int64_t places[][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 1}};
  static const double values[] = {10, 9, 4, 9};
  small_make(&s, 4, places, values);
  spw_judgement j = judge(&s.claim, SPW_ERANGE);
  cr_expect(j.fault == SPW_FAULT_DUPLICATE && j.operand == s.claim.y && j.row == 1 && j.column == 1);
  cr_expect(j.verdict == SPW_NOT_JUDGED);
  small_make(&s, 3, places, values);
  s.a.places[4] = 1;
  j = judge(&s.claim, SPW_ERANGE);
  cr_expect(j.fault == SPW_FAULT_DUPLICATE && j.operand == s.claim.a && j.row == 0 && j.column == 1);
  s.a.places[4] = 0;
  s.claim.most = 5;
  j = judge(&s.claim, SPW_ERANGE);
  cr_expect(j.fault == SPW_FAULT_WORK && j.lhs == 6 && j.rhs == 5 && j.verdict == SPW_NOT_JUDGED, "%lld", (long long)j.lhs);
  s.claim.most = 6;
  (void)judge(&s.claim, SPW_OK);
  s.claim.most = -1;
  (void)judge(&s.claim, SPW_EINVAL);
  s.claim.most = 0;
  s.y.size[1] = 3;
  j = judge(&s.claim, SPW_OK);
  cr_expect(j.verdict == SPW_WRONG && j.fault == SPW_FAULT_SHAPE && j.place == 1 && j.lhs == 3 && j.rhs == 2);
  s.y.size[1] = 2;
  /* matrices that cannot be numbered, and no matrix at all */
  const int64_t shape[] = {1, 0}, strides[] = {1, 1}, one[] = {10}, huge[] = {(int64_t)1 << 40, (int64_t)1 << 40, 0};
  const spw_tensor y = s.y.tensor, line = {.layout = SPW_COO, .has_size = true, .ndim = 1, .size = one, .coalesced = SPW_CLAIM_NO,
                                           .plain = {{SPW_INT64, 2, shape, strides, 0, 0}, NULL, NULL, NULL},
                                           .values = {{SPW_FLOAT64, 1, shape + 1, strides, 0, 0}, NULL}};
  s.y.tensor = line;
  j = judge(&s.claim, SPW_OK);
  cr_expect(j.verdict == SPW_WRONG && j.fault == SPW_FAULT_SHAPE && j.place == -1 && j.lhs == 1 && j.rhs == 2);
  const int64_t three[] = {3, 0};
  s.y.tensor.ndim = 3;
  s.y.tensor.size = huge;
  s.y.tensor.plain.array.shape = three;
  j = judge(&s.claim, SPW_OK);
  cr_expect(j.verdict == SPW_WRONG && j.fault == SPW_FAULT_SHAPE && j.lhs == 3 && j.rhs == 2);
  s.y.tensor = y;
  s.y.tensor.has_size = false;
  j = judge(&s.claim, SPW_ERANGE);
  cr_expect(j.fault == SPW_FAULT_SHAPE && j.operand == s.claim.y && j.verdict == SPW_NOT_JUDGED && j.lhs == -1);
  s.y.tensor.has_size = true;
  s.x.size[0] = 4;
  j = judge(&s.claim, SPW_ERANGE);
  cr_expect(j.fault == SPW_FAULT_SHAPE && j.operand == s.claim.x && j.place == 0 && j.lhs == 4 && j.rhs == 3);
  s.x.size[0] = 3;
  s.x.places[0] = 3;
  j = judge(&s.claim, SPW_EINVALID);
  cr_expect(j.fault == SPW_FAULT_RULE && j.operand == s.claim.x && j.violation.rule != SPW_RULE_NONE);
  s.x.places[0] = 1;
  s.claim.beta.real = 1;
  (void)judge(&s.claim, SPW_EINVAL);
  s.claim.c = &s.y.tensor;
  j = judge(&s.claim, SPW_EUNSUPPORTED);
  cr_expect(j.fault == SPW_FAULT_LAYOUT && j.operand == s.claim.c);
}

/* One element in each of two batches of CSR. */
static spw_tensor batches_of(const int64_t *size, const int64_t *shape, const int64_t *c, const int64_t *p, const double *v)
{
  static const int64_t three[] = {3, 1}, two[] = {2, 1}, one[] = {1, 1};
  return (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                      .compressed = {{SPW_INT64, 2, shape, shape[1] == 3 ? three : two, 0, 2 * shape[1]}, NULL, c, NULL},
                      .plain = {{SPW_INT64, 2, two, one, 0, 2}, NULL, p, NULL},
                      .values = {{SPW_FLOAT64, 2, two, one, 0, 2}, v}};
}

/* Terms are counted batch by batch, and a second element is found behind a first one of another column. */
Test(oracle_sparse, batches_and_columns)
{
  static const int64_t size_a[] = {2, 1, 2}, size_x[] = {2, 2, 1}, size_y[] = {2, 1, 1};
  static const int64_t short_lines[] = {2, 2}, long_lines[] = {2, 3};
  static const int64_t one_line[] = {0, 1, 0, 1}, first_and_second[] = {0, 1, 1, 0, 0, 1}, in_a[] = {0, 1}, zeros[] = {0, 0};
  static const double of_a[] = {2, 3}, of_x[] = {5, 7}, of_y[] = {10, 21};
  const spw_tensor a = batches_of(size_a, short_lines, one_line, in_a, of_a);
  const spw_tensor x = batches_of(size_x, long_lines, first_and_second, zeros, of_x);
  const spw_tensor y = batches_of(size_y, short_lines, one_line, zeros, of_y);
  spw_product_claim claim = {.a = &a, .x = &x, .y = &y, .alpha = {1, 0, 1}, .precision = SPW_IN_FLOAT64, .most = 4};
  spw_judgement j = judge(&claim, SPW_OK);
  cr_expect(is_right(&j) && j.numbers == 2 && j.absent == 0, "%g, not %g", j.found, j.worst.sum);
  claim.most = 3;
  j = judge(&claim, SPW_ERANGE);
  cr_expect(j.fault == SPW_FAULT_WORK && j.lhs == 4, "%lld", (long long)j.lhs);

  static small s;
  static const int64_t places[][2] = {{1, 1}, {1, 0}, {0, 0}, {1, 1}};
  static const double values[] = {9, 0, 10, 9};
  small_make(&s, 4, places, values);
  j = judge(&s.claim, SPW_ERANGE);
  cr_expect(j.fault == SPW_FAULT_DUPLICATE && j.operand == s.claim.y && j.row == 1 && j.column == 1);
}

/* alpha is applied to each sum, and 0 reads no operand. */
Test(oracle_sparse, alpha_is_applied)
{
  static small s;
  static const int64_t places[][2] = {{0, 0}, {0, 1}, {1, 1}};
  static const double halves[] = {5, 2, 9}, zeros[] = {0, 0, 0};
  small_make(&s, 3, places, halves);
  s.claim.alpha.real = 0.5;
  spw_judgement j = judge(&s.claim, SPW_OK);
  cr_expect(is_right(&j) && j.numbers == 3);
  small_make(&s, 3, places, zeros);
  s.claim.alpha.real = 0;
  j = judge(&s.claim, SPW_OK);
  cr_expect(is_right(&j) && j.numbers == 3 && j.extra == 3);
}
