/* SPDX-License-Identifier: Apache-2.0 */
/* Is a whole product right? Each element of the result is judged by the exact sum of its products. */
#include "operands.h"
#include "binary.h"
#include "../core/size.h"

#include <string.h>

/* One stored element of a row. */
typedef struct entry {
  int64_t column, place;
} entry;

/* What is judged: all of it is valid and fits. */
typedef struct task {
  const spw_product_claim *claim;
  const spw_operands *o;
  spw_dtype dtype; /* of a and x */
  const int64_t *starts;
  const entry *entries;
  spw_judgement *j;
} task;

/* A number of the result. */
typedef struct spot {
  int64_t row; /* of all batches */
  int64_t batch, line, column;
} spot;

/* ---- Rows -------------------------------------------------------------------------------------- */

/* The elements of each row, one behind the other. starts[row + 1] counts, then is where the row's next element goes. */
static void gather_rows(const spw_tensor *a, const spw_matrices *m, int64_t *starts, entry *entries)
{
  spw_element e;
  memset(starts, 0, (size_t)(m->rows + 1) * sizeof *starts);
  for (spw_walk w = spw_walk_start(a, m); spw_walk_next(&w, &e);) starts[e.row]++;
  int64_t sum = 0;
  for (int64_t row = 0; row <= m->rows; row++) {
    const int64_t count = starts[row];
    starts[row] = sum;
    sum += count;
  }
  for (spw_walk w = spw_walk_start(a, m); spw_walk_next(&w, &e);) {
    const entry here = {e.column, e.place};
    entries[starts[e.row]++] = here;
  }
  for (int64_t row = m->rows; row > 0; row--) starts[row] = starts[row - 1];
  starts[0] = 0;
}

/* Where element (batch, line, column) of a dense array lies. */
static int64_t dense_place(const task *k, const spw_tensor *t, int64_t batch, int64_t line, int64_t column)
{
  const spw_array *a = &t->values.array;
  const int64_t B = k->o->m.batch_dims, base = a->offset + spw_position_of(a->shape, a->strides, B, batch);
  return base + line * a->strides[B] + (k->o->is_vector ? 0 : column * a->strides[B + 1]);
}

/* ---- Scalars ----------------------------------------------------------------------------------- */

/* The bits of a part of an element, by its width: nothing is read in floating point. */
static uint64_t bits_at(const spw_tensor *t, int64_t place, int part)
{
  const spw_dtype dtype = t->values.array.dtype;
  const size_t size = (size_t)spw_dtype_size(dtype), width = spw_is_complex(dtype) ? size / 2 : size;
  const char *from = (const char *)t->values.data + (size_t)place * size + (size_t)part * width;
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  uint64_t u64;
  switch (width) {
    case 1: return memcpy(&u8, from, 1), u8;
    case 2: return memcpy(&u16, from, 2), u16;
    case 4: return memcpy(&u32, from, 4), u32;
    default: return memcpy(&u64, from, 8), u64;
  }
}

static spw_dtype part_type(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 ? SPW_FLOAT32 : dtype == SPW_COMPLEX128 ? SPW_FLOAT64 : dtype;
}

static double double_at(const spw_tensor *t, int64_t place, int part)
{
  return spw_double_of_bits(spw_format_of(t->values.array.dtype), bits_at(t, place, part));
}

/* A number modulo 2^w; a bool as 0 or 1. */
static uint64_t integer_of(spw_dtype dtype, uint64_t bits)
{
  const int64_t width = 8 * spw_dtype_size(dtype);
  return dtype == SPW_BOOL ? bits != 0 : width == 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

/* The same with its sign. */
static int64_t signed_of(spw_dtype dtype, uint64_t bits)
{
  const int64_t width = 8 * spw_dtype_size(dtype);
  const bool has_sign = dtype != SPW_BOOL && dtype != SPW_UINT8 && (bits >> (width - 1) & 1) != 0;
  const uint64_t high = width == 64 ? 0 : ~(uint64_t)0 << width;
  const uint64_t all = has_sign ? bits | high : bits;
  int64_t number;
  memcpy(&number, &all, sizeof number);
  return number;
}

/* ---- What became of a number --------------------------------------------------------------------- */

static void count_verdict(spw_judgement *j, spw_verdict verdict)
{
  j->numbers++;
  j->exact += verdict == SPW_RIGHT_EXACT;
  j->bounded += verdict == SPW_RIGHT_BOUNDED;
  j->special += verdict == SPW_RIGHT_SPECIAL;
  j->undecided += verdict == SPW_UNDECIDED;
  j->wrong += verdict == SPW_WRONG;
  if (verdict > j->verdict) j->verdict = verdict;
}

/* Counts it. True when it is the one to be shown: the first wrong one, or until then the one of the largest ratio. */
static bool note(spw_judgement *j, const spot *s, int part, spw_finding_of_sum finding)
{
  const bool first_wrong = finding.verdict == SPW_WRONG && j->wrong == 0;
  const bool larger = j->wrong == 0 && finding.verdict != SPW_WRONG && (j->row < 0 || finding.ratio > j->worst.ratio);
  count_verdict(j, finding.verdict);
  if (!first_wrong && !larger) return false;
  j->fault = finding.fault;
  j->worst = finding;
  j->batch = s->batch;
  j->row = s->line;
  j->column = s->column;
  j->part = part;
  return true;
}

/* ---- Floating types ------------------------------------------------------------------------------ */

/* sum += the product of two numbers; of complex ones, a part of it. */
static spw_status add_number(spw_exact *sum, const double *a, const double *b, int part, bool complex)
{
  if (!complex) return spw_exact_add_product(sum, a[0], b[0]);
  const spw_status status = spw_exact_add_product(sum, a[0], b[part]);
  return status != SPW_OK ? status : spw_exact_add_product(sum, part ? a[1] : -a[1], b[1 - part]);
}

static void read_number(double *number, const spw_tensor *t, int64_t place, bool complex)
{
  number[0] = double_at(t, place, 0);
  number[1] = complex ? double_at(t, place, 1) : 0;
}

/* The sums of a row of a times a column of x, part by part. */
static spw_status sum_products(const task *k, const spot *s, spw_exact *sums, int parts)
{
  spw_status status = SPW_OK;
  for (int part = 0; part < parts; part++) spw_exact_start(&sums[part]);
  if (!k->o->reads_product) return SPW_OK;
  for (int64_t i = k->starts[s->row]; i < k->starts[s->row + 1] && status == SPW_OK; i++) {
    double a[2], x[2];
    read_number(a, k->claim->a, k->entries[i].place, parts == 2);
    read_number(x, k->claim->x, dense_place(k, k->claim->x, s->batch, k->entries[i].column, s->column), parts == 2);
    for (int part = 0; part < parts && status == SPW_OK; part++) status = add_number(&sums[part], a, x, part, parts == 2);
  }
  return status;
}

static bool is_number(double value, uint64_t mantissa)
{
  const spw_binary b = spw_binary_of(value);
  return mantissa == 0 ? b.kind == SPW_KIND_ZERO
                       : b.kind == SPW_KIND_FINITE && !b.negative && b.mantissa == mantissa && b.exponent == 0;
}

static bool is_one(spw_weight w, int parts)
{
  return is_number(w.real, 1) && (parts == 1 || is_number(w.imaginary, 0));
}

/* total = alpha * sums, a part of it. */
static spw_status apply_alpha(const task *k, const spw_exact *sums, spw_exact *total, int part, int parts)
{
  const spw_weight alpha = k->claim->alpha;
  if (!k->o->reads_product || is_one(alpha, parts)) {
    *total = sums[part];
    return SPW_OK;
  }
  spw_exact_start(total);
  spw_status status = spw_exact_add_scaled(total, &sums[part], alpha.real);
  if (parts == 2 && status == SPW_OK)
    status = spw_exact_add_scaled(total, &sums[1 - part], part ? alpha.imaginary : -alpha.imaginary);
  return status;
}

/* total += beta * c, a part of it. */
static spw_status add_beta(const task *k, const spot *s, spw_exact *total, int part, int parts)
{
  const double beta[2] = {k->claim->beta.real, k->claim->beta.imaginary};
  double c[2];
  if (!k->o->reads_c) return SPW_OK;
  read_number(c, k->claim->c, dense_place(k, k->claim->c, s->batch, s->line, s->column), parts == 2);
  if (is_one(k->claim->beta, parts)) return spw_exact_add(total, c[part]);
  return add_number(total, beta, c, part, parts == 2);
}

static spw_status judge_float(task *k, const spot *s)
{
  const spw_dtype dtype = k->claim->y->values.array.dtype;
  const int64_t place = dense_place(k, k->claim->y, s->batch, s->line, s->column);
  const int parts = spw_is_complex(dtype) ? 2 : 1;
  spw_exact sums[2], total;
  spw_status status = sum_products(k, s, sums, parts);
  for (int part = 0; part < parts && status == SPW_OK; part++) {
    status = apply_alpha(k, sums, &total, part, parts);
    if (status == SPW_OK) status = add_beta(k, s, &total, part, parts);
    if (status != SPW_OK) break;
    const spw_finding_of_sum f =
        spw_exact_judge(&total, k->claim->precision, part_type(dtype), bits_at(k->claim->y, place, part));
    if (f.verdict == SPW_NOT_JUDGED) {
      k->j->fault = f.fault;
      status = SPW_ERANGE;
    } else if (note(k->j, s, part, f)) {
      k->j->found = double_at(k->claim->y, place, part);
    }
  }
  return status;
}

/* ---- Integers and bool ----------------------------------------------------------------------------- */

static uint64_t weighted(spw_dtype dtype, int64_t weight, uint64_t number)
{
  return dtype == SPW_BOOL ? weight != 0 && number : (uint64_t)weight * number;
}

static void judge_integer(task *k, const spot *s)
{
  const spw_tensor *a = k->claim->a, *x = k->claim->x, *c = k->claim->c, *y = k->claim->y;
  uint64_t sum = 0;
  if (k->o->reads_product)
    for (int64_t i = k->starts[s->row]; i < k->starts[s->row + 1]; i++) {
      const uint64_t p = integer_of(k->dtype, bits_at(a, k->entries[i].place, 0));
      const uint64_t q = integer_of(k->dtype, bits_at(x, dense_place(k, x, s->batch, k->entries[i].column, s->column), 0));
      sum = k->dtype == SPW_BOOL ? sum | (p & q) : sum + p * q;
    }
  sum = weighted(k->dtype, k->claim->alpha.integer, sum);
  if (k->o->reads_c) {
    const uint64_t number = integer_of(k->dtype, bits_at(c, dense_place(k, c, s->batch, s->line, s->column), 0));
    sum += weighted(k->dtype, k->claim->beta.integer, number);
  }
  sum = integer_of(k->dtype, sum);
  const uint64_t found = bits_at(y, dense_place(k, y, s->batch, s->line, s->column), 0);
  const bool right = found == sum;
  const spw_finding_of_sum f = {right ? SPW_RIGHT_EXACT : SPW_WRONG, right ? SPW_FAULT_NONE : SPW_FAULT_VALUE, 0, 0, 0};
  if (note(k->j, s, 0, f)) {
    k->j->integer_found = signed_of(k->dtype, found);
    k->j->integer_sum = signed_of(k->dtype, sum);
  }
}

/* ---- All of it ------------------------------------------------------------------------------------- */

static spw_status judge_all(task *k)
{
  const int64_t rows = k->o->m.size[k->o->m.batch_dims];
  k->j->verdict = SPW_RIGHT_EXACT;
  for (int64_t row = 0; row < k->o->m.rows; row++)
    for (int64_t column = 0; column < k->o->columns; column++) {
      const spot s = {row, row / rows, row % rows, column};
      if (!spw_is_float(k->dtype)) judge_integer(k, &s);
      else if (judge_float(k, &s) != SPW_OK) return SPW_ERANGE;
    }
  return SPW_OK;
}

static void start(spw_judgement *j)
{
  memset(j, 0, sizeof *j);
  j->batch = j->row = j->column = j->place = -1;
  j->violation.rule = SPW_RULE_NONE;
}

spw_status spw_judge_work(const spw_product_claim *claim, size_t *bytes, spw_judgement *judgement)
{
  spw_operands o;
  if (!bytes || !judgement) return SPW_EINVAL;
  start(judgement);
  const spw_status status = spw_operands_of(claim, &o, judgement);
  if (status == SPW_OK) *bytes = o.bytes;
  return status;
}

spw_status spw_judge_product(const spw_product_claim *claim, void *work, size_t bytes, spw_judgement *judgement)
{
  spw_operands o;
  if (!judgement) return SPW_EINVAL;
  start(judgement);
  spw_status status = spw_operands_of(claim, &o, judgement);
  if (status != SPW_OK || judgement->verdict == SPW_WRONG) return status;
  if (!work || bytes < o.bytes) return SPW_EINVAL;
  int64_t *starts = work;
  entry *entries = (entry *)(starts + o.m.rows + 1);
  gather_rows(claim->a, &o.m, starts, entries);
  task k = {claim, &o, claim->a->values.array.dtype, starts, entries, judgement};
  status = judge_all(&k);
  if (status != SPW_OK) judgement->verdict = SPW_NOT_JUDGED;
  return status;
}
