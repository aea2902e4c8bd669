/* SPDX-License-Identifier: Apache-2.0 */
/* One number of a product, and what its terms sum to. */
#include "number.h"
#include "precision.h"
#include "seen.h"
#include "../convert/values.h"

#include <string.h>

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
static bool note(spw_judgement *j, const spw_spot *s, int part, spw_finding_of_sum finding)
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

/* ---- Where it is --------------------------------------------------------------------------------- */

spw_spot spw_dense_spot(const spw_judge_task *k, int64_t batch, int64_t line, int64_t column)
{
  const spw_spot s = {batch, line, column, spw_dense_place(k->o, k->claim->y, batch, line, column),
                      k->o->reads_c ? spw_dense_place(k->o, k->claim->c, batch, line, column) : -1};
  return s;
}

/* ---- Sums ---------------------------------------------------------------------------------------- */

static int parts_of(const spw_judge_task *k)
{
  return spw_is_complex(k->dtype) ? 2 : 1;
}

void spw_total_start(const spw_judge_task *k, spw_total *total)
{
  total->integer = 0;
  total->kept = total->crossed = total->turned = total->beyond = total->infinite = total->nan = false;
  for (int part = 0; spw_is_float(k->dtype) && part < parts_of(k); part++) spw_exact_start(&total->sums[part]);
}

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

static bool is_zero(double value)
{
  return spw_binary_of(value).kind == SPW_KIND_ZERO;
}

/* Has w[i] * v[j] the sign of -0 in the complex product w v? */
static bool has_minus(const double *w, const double *v, int i, int j)
{
  return (spw_binary_of(w[i]).negative ^ spw_binary_of(v[j]).negative ^ (i && j)) != 0;
}

static bool has_zero_part(const double *w)
{
  return is_zero(w[0]) || is_zero(w[1]);
}

/* Is a part of w v +0 although its product with what is not 0 of w is -0, because the other product is +0? Then it is another
 * zero that is multiplied further. Where no part of w is 0, products that are none may cancel, too. */
static bool may_turn(const double *w, const double *v)
{
  const int own = is_zero(w[0]);
  bool turns = !has_zero_part(w);
  for (int from = 0; from < 2; from++)
    turns |= is_zero(v[from]) && has_minus(w, v, own, from) && !has_minus(w, v, 1 - own, 1 - from);
  return turns;
}

/* May a part of w v be a zero, of either sign, because a product is too small, or an operand that is taken for zero? */
static bool may_vanish(const spw_judge_task *k, const double *w, const double *v)
{
  const spw_accumulation a = spw_accumulation_of(k->claim->precision);
  const int32_t smallest = a.flush ? a.sum.least : spw_format_lowest(a.sum);
  bool vanishes = false;
  for (int i = 0; i < 4; i++) {
    const spw_binary p = spw_binary_of(w[i / 2]), q = spw_binary_of(v[i % 2]);
    const int32_t top = spw_binary_top(p), other = spw_binary_top(q);
    const bool small = a.flush && (top <= smallest || other <= smallest);
    vanishes |= p.kind == SPW_KIND_FINITE && q.kind == SPW_KIND_FINITE && (small || top + other <= smallest + 1);
  }
  return vanishes;
}

/* Products of imaginary parts may be summed apart from those of real parts, and subtracted. */
static void see_planes(spw_total *total, const double *a, const double *x)
{
  const bool negative = spw_binary_of(a[0]).negative != spw_binary_of(x[0]).negative;
  total->kept |= !negative || (!is_zero(a[0]) && !is_zero(x[0]));
  total->crossed |= spw_binary_of(a[1]).negative == spw_binary_of(x[1]).negative;
}

/* An infinity times nothing is a NaN in both parts, whatever alpha is applied to. */
static void see_special(spw_total *total, const double *number, const double *other)
{
  const bool nothing = is_zero(other[0]) && is_zero(other[1]);
  for (int part = 0; part < 2; part++) {
    const spw_kind kind = spw_binary_of(number[part]).kind;
    total->infinite |= kind == SPW_KIND_INFINITE;
    total->nan |= kind == SPW_KIND_NAN || (kind == SPW_KIND_INFINITE && nothing);
  }
}

spw_status spw_total_add(const spw_judge_task *k, spw_total *total, int64_t a_place, int64_t x_place)
{
  const int parts = parts_of(k);
  double a[2], x[2];
  spw_status status = SPW_OK;
  if (!spw_is_float(k->dtype)) {
    const uint64_t p = integer_of(k->dtype, bits_at(k->claim->a, a_place, 0));
    const uint64_t q = integer_of(k->dtype, bits_at(k->claim->x, x_place, 0));
    total->integer = k->dtype == SPW_BOOL ? total->integer | (p & q) : total->integer + p * q;
    return SPW_OK;
  }
  read_number(a, k->claim->a, a_place, parts == 2);
  read_number(x, k->claim->x, x_place, parts == 2);
  const double alpha[2] = {k->claim->alpha.real, k->claim->alpha.imaginary};
  if (parts == 2) {
    total->turned |= may_turn(alpha, a) || may_turn(alpha, x) || may_vanish(k, alpha, a) || may_vanish(k, alpha, x);
    see_planes(total, a, x);
    see_special(total, a, x);
    see_special(total, x, a);
  }
  for (int part = 0; part < parts && status == SPW_OK; part++)
    status = add_number(&total->sums[part], a, x, part, parts == 2);
  return status;
}

void spw_total_see_twice(const spw_judge_task *k, spw_total *total, int64_t a_place, int64_t x_place, int64_t n)
{
  const int parts = parts_of(k);
  double a[2], x[2];
  if (!spw_is_float(k->dtype)) return;
  read_number(a, k->claim->a, a_place, parts == 2);
  read_number(x, k->claim->x, x_place, parts == 2);
  for (int part = 0; part < parts; part++) {
    total->sums[part].seen |= SPW_SEEN_TWICE;
    const spw_binary value = spw_binary_of(a[part]);
    const int32_t top = spw_binary_top(value) + spw_bit_length((uint64_t)n);
    total->beyond |= value.kind == SPW_KIND_FINITE && top > spw_format_of(k->dtype).most + 1;
    total->beyond |= spw_binary_of(x[part]).kind == SPW_KIND_INFINITE;
  }
}

/* Is what is called wrong a class of numbers that only elements which were added up first can have? */
static bool may_be_added_first(const spw_total *total, const spw_finding_of_sum *f, spw_binary y)
{
  const bool finite = y.kind == SPW_KIND_ZERO || y.kind == SPW_KIND_FINITE;
  const bool twice = (total->sums[0].seen & SPW_SEEN_TWICE) != 0;
  return f->verdict == SPW_WRONG && ((total->beyond && !finite) || (twice && f->fault == SPW_FAULT_SIGN_OF_ZERO));
}

/* ---- Floating types ------------------------------------------------------------------------------ */

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

/* Is an infinity called wrong that there is where alpha is applied first to what meets an infinity? Of their product both
 * parts are infinite, and alpha times that is a NaN in one part at least. */
static bool may_be_applied_first(const spw_judge_task *k, const spw_total *total, const spw_finding_of_sum *f, spw_binary y)
{
  const spw_weight alpha = k->claim->alpha;
  if (f->fault != SPW_FAULT_NOT_NAN || y.kind != SPW_KIND_INFINITE || !total->infinite || total->nan) return false;
  return k->o->reads_product && !is_one(alpha, 2) && spw_binary_of(alpha.real).kind != SPW_KIND_NAN
         && spw_binary_of(alpha.imaginary).kind != SPW_KIND_NAN;
}

/* total = alpha * sums, a part of it. Times 1 as it is: of complex types that may be a multiplication, or none. */
static spw_status apply_alpha(const spw_judge_task *k, const spw_exact *sums, spw_exact *total, int part, int parts)
{
  const spw_weight alpha = k->claim->alpha;
  if (!k->o->reads_product || is_one(alpha, parts)) {
    *total = sums[part];
    if (k->o->reads_product && parts == 2) spw_exact_see_beside(total, &sums[1 - part]);
    return SPW_OK;
  }
  spw_exact_start(total);
  spw_status status = spw_exact_add_scaled(total, &sums[part], alpha.real);
  if (parts == 2 && status == SPW_OK)
    status = spw_exact_add_scaled(total, &sums[1 - part], part ? alpha.imaginary : -alpha.imaginary);
  if (parts == 2) spw_exact_see_both(total, sums, alpha.real, alpha.imaginary);
  return status;
}

/* Is the real part of the products -0 less +0, where those of imaginary parts were summed apart? */
static bool may_be_apart(const spw_total *products)
{
  return products->sums[0].terms > 0 && !products->kept && products->crossed;
}

/* What alpha may have been applied to first can turn zeros: where the terms are nothing else, or may cancel in it. So can summing
 * the real part of the products in two parts; after alpha it is in each. */
static void see_turned(const spw_judge_task *k, const spw_total *products, spw_exact *total, int part, int parts)
{
  const double alpha[2] = {k->claim->alpha.real, k->claim->alpha.imaginary};
  const bool apart = parts == 2 && may_be_apart(products) && (part == 0 || !is_one(k->claim->alpha, parts));
  const bool turned = products->turned && (total->nonzero == 0 || !has_zero_part(alpha));
  if (!apart && !turned) return;
  total->seen = (total->seen & ~(uint32_t)SPW_SEEN_POSITIVE) | SPW_SEEN_NEGATIVE;
}

/* total += c, a part of it, as it is. */
static spw_status add_c(spw_exact *total, const double *c, int part, int parts)
{
  spw_exact beside;
  spw_exact_start(&beside);
  spw_status status = spw_exact_add(total, c[part]);
  if (parts == 2 && status == SPW_OK) status = spw_exact_add(&beside, c[1 - part]);
  spw_exact_see_beside(total, &beside);
  return status;
}

/* total += beta * c, a part of it. */
static spw_status add_beta(const spw_judge_task *k, const spw_spot *s, spw_exact *total, int part, int parts)
{
  const double beta[2] = {k->claim->beta.real, k->claim->beta.imaginary};
  double c[2];
  if (!k->o->reads_c) return SPW_OK;
  read_number(c, k->claim->c, s->c_place, parts == 2);
  if (is_one(k->claim->beta, parts)) return add_c(total, c, part, parts);
  return add_number(total, beta, c, part, parts == 2);
}

/* The bits of a part of what somebody says; what is not stored is 0. */
static uint64_t said(const spw_judge_task *k, const spw_spot *s, int part)
{
  return s->y_place < 0 ? 0 : bits_at(k->claim->y, s->y_place, part);
}

/* Is what is called wrong right where something is added up, or multiplied, first? Not where beta c alone is a NaN. */
static bool may_be_of_another_order(const spw_judge_task *k, const spw_spot *s, const spw_total *total, int part,
                                    const spw_finding_of_sum *f, spw_binary y)
{
  spw_exact beside;
  if (!may_be_added_first(total, f, y) && !may_be_applied_first(k, total, f, y)) return false;
  spw_exact_start(&beside);
  return add_beta(k, s, &beside, part, parts_of(k)) == SPW_OK && (beside.seen & SPW_SEEN_NAN) == 0;
}

static spw_status judge_float(spw_judge_task *k, const spw_spot *s, const spw_total *total)
{
  const spw_dtype dtype = k->claim->y->values.array.dtype;
  const int parts = parts_of(k);
  spw_status status = SPW_OK;
  spw_exact sum;
  for (int part = 0; part < parts && status == SPW_OK; part++) {
    status = apply_alpha(k, total->sums, &sum, part, parts);
    see_turned(k, total, &sum, part, parts);
    if (status == SPW_OK) status = add_beta(k, s, &sum, part, parts);
    if (status != SPW_OK) break;
    const uint64_t bits = said(k, s, part);
    spw_finding_of_sum f = spw_exact_judge(&sum, k->claim->precision, spw_part_type(dtype), bits);
    const spw_binary y = spw_binary_of_bits(spw_format_of(dtype), bits);
    if (may_be_of_another_order(k, s, total, part, &f, y)) {
      f.verdict = SPW_UNDECIDED;
      f.fault = SPW_FAULT_NONE;
      f.ratio = 0;
    }
    if (f.verdict == SPW_NOT_JUDGED) {
      k->j->fault = f.fault;
      status = SPW_ERANGE;
    } else if (note(k->j, s, part, f)) {
      k->j->found = spw_double_of_bits(spw_format_of(dtype), bits);
    }
  }
  return status;
}

/* ---- Integers and bool ----------------------------------------------------------------------------- */

static uint64_t weighted(spw_dtype dtype, int64_t weight, uint64_t number)
{
  return dtype == SPW_BOOL ? weight != 0 && number : (uint64_t)weight * number;
}

static void judge_integer(spw_judge_task *k, const spw_spot *s, uint64_t sum)
{
  sum = weighted(k->dtype, k->claim->alpha.integer, sum);
  if (k->o->reads_c) {
    const uint64_t number = integer_of(k->dtype, bits_at(k->claim->c, s->c_place, 0));
    sum += weighted(k->dtype, k->claim->beta.integer, number);
  }
  sum = integer_of(k->dtype, sum);
  const uint64_t found = integer_of(k->dtype, said(k, s, 0));
  const bool right = found == sum;
  const spw_finding_of_sum f = {right ? SPW_RIGHT_EXACT : SPW_WRONG, right ? SPW_FAULT_NONE : SPW_FAULT_VALUE, 0, 0, 0};
  if (note(k->j, s, 0, f)) {
    k->j->integer_found = signed_of(k->dtype, found);
    k->j->integer_sum = signed_of(k->dtype, sum);
  }
}

spw_status spw_judge_number(spw_judge_task *k, const spw_spot *s, const spw_total *total)
{
  if (spw_is_float(k->dtype)) return judge_float(k, s, total);
  judge_integer(k, s, total->integer);
  return SPW_OK;
}
