/* SPDX-License-Identifier: Apache-2.0 */
/* Is a number a right result for an exact sum? */
#include "precision.h"
#include "seen.h"
#include "wide.h"

#include <string.h>

enum { LIMBS = SPW_EXACT_LIMBS };

/* ---- The bound --------------------------------------------------------------------------------- */

/* What a sum may come to in a precision. */
typedef struct bound {
  spw_upper error;
  bool exact;              /* every order gives the sum itself */
  bool says_nothing;       /* the relative error is 1 or more: the error may be as large as the gauge */
  bool may_plus, may_minus; /* a partial sum may overflow to this side, */
  bool may_any;            /* or an operand that is rounded, or a product with the factor, to any: times 0 that is NaN */
  bool may_nan;            /* an infinity, or what stands beside the sum and may be one, may be multiplied by 0 */
} bound;

/* Are all operands numbers of the precision, as they are stored? */
static bool operands_fit(const spw_exact *s, spw_accumulation a)
{
  return s->operand_bits <= a.operand_bits && s->operand_top <= a.sum.most + 1
         && s->operand_low >= a.sum.least - (a.operand_bits - 1);
}

/* And as they are multiplied: alpha may be applied to one first, and such as are stored twice may be added up first. Where sums
 * have as many bits as operands, that is rounded as a product or a sum is. */
static bool operands_are_kept(const spw_exact *s, spw_accumulation a)
{
  const bool other = (s->seen & SPW_SEEN_TWICE) || s->factored_bits > a.operand_bits;
  return operands_fit(s, a) && (a.operand_bits == a.sum.bits || !other);
}

/* Rounding an operand has a relative error where it stays in the range, and is a normal number or needs no rounding; where
 * float32 has its smallest normal number, what is smaller was gathered in `flushed`. */
static bool is_suited(const spw_exact *s, spw_accumulation a)
{
  if (operands_fit(s, a)) return true;
  return s->operand_top <= a.sum.most + 1 && (a.sum.least == -126 || s->fine_top > a.sum.least);
}

/* A gauge is below 2^this, or is 2^(this - 1) if it is a power of two. */
static int32_t top_of_gauge(const uint32_t *gauge, bool *is_power)
{
  const int32_t top = spw_wide_top(gauge);
  uint32_t power[LIMBS] = {0}, rest[LIMBS];
  spw_wide_add_at(power, 1, 0, top - 1 < SPW_EXACT_LEAST ? SPW_EXACT_LEAST : top - 1);
  *is_power = spw_wide_difference(rest, gauge, power) == 0;
  return top;
}

/* The smallest number that nothing is lost above: of operands, where alpha may be applied to one first. */
static int32_t smallest_of(const spw_exact *s, spw_accumulation a)
{
  const bool scaled = (s->seen & SPW_SEEN_SCALED) != 0;
  return a.flush ? a.sum.least : scaled ? a.sum.least - (a.operand_bits - 1) : spw_format_lowest(a.sum);
}

/* May something on the way be no multiple of the smallest number? Duplicates may be added before they are multiplied,
 * which loses something only where small numbers are taken for zero. */
static bool may_be_lost(const spw_exact *s, spw_accumulation a)
{
  return s->lowest < smallest_of(s, a) || (a.flush && s->operand_low < a.sum.least);
}

/* The lattice: in units of 2^unit no partial sum exceeds 2^p, and nothing on the way is too small or too large. */
static bool is_lattice(const spw_exact *s, const uint32_t *gauge, spw_accumulation a)
{
  bool is_power = false;
  const int32_t top = top_of_gauge(gauge, &is_power);
  const bool fits = top <= s->unit + a.sum.bits || (is_power && top == s->unit + a.sum.bits + 1);
  return operands_are_kept(s, a) && fits && top <= a.sum.most + 1 && s->reach <= a.sum.most + 1
         && !may_be_lost(s, a) && (!a.flush || spw_wide_is_zero(s->flushed));
}

/* (1 + a) (1 + b) - 1 */
static spw_upper both_errors(spw_upper a, spw_upper b)
{
  return spw_upper_add(spw_upper_add(a, b), spw_upper_mul(a, b));
}

/* A wider format has so many bits more, at least. */
enum { WIDER = 10 };

/* The relative error: every term is rounded at most once for each other term, once for its product, and once for
 * the factor, each time in a wider format before; and so are its operands, where they are not kept, and an operand that the
 * factor was applied to, once more. */
static spw_upper growth(const spw_exact *s, spw_accumulation a)
{
  const int64_t product = (s->seen & SPW_SEEN_PRODUCT) != 0, scaled = (s->seen & SPW_SEEN_SCALED) != 0;
  const int64_t again = product && scaled && a.operand_bits < a.sum.bits;
  const int64_t roundings = (s->nonzero > 0 ? s->nonzero - 1 : 0) + product + scaled;
  const spw_upper sums = both_errors(spw_upper_growth(a.sum.bits, roundings), spw_upper_growth(a.sum.bits + WIDER, roundings));
  if (operands_are_kept(s, a)) return sums;
  return both_errors(sums, spw_upper_growth(a.operand_error, 1 + product + scaled + again));
}

/* What an error on the way is multiplied by is below 2^this: by the factor, or by the other operand where the factor was applied
 * to one first; by both where such as are stored twice are added up first, and their sum is taken for zero. */
static int32_t gain_of(const spw_exact *s, spw_accumulation a)
{
  const int32_t one = s->factor_top > s->factored_top ? s->factor_top : s->factored_top, both = s->factor_top + s->factored_top;
  if (!a.flush) return one;
  return s->operand_top > both ? s->operand_top : both;
}

/* The absolute error of what falls below the normal numbers: of products, half of the smallest number, and of operands, to either
 * side, all of it; where it is taken for zero, of sums too, all of the smallest normal one. */
static spw_upper underflow(const spw_exact *s, spw_accumulation a)
{
  const spw_upper none = {0, 0};
  const bool scaled = (s->seen & SPW_SEEN_SCALED) != 0;
  const int32_t smallest = smallest_of(s, a), half = smallest == spw_format_lowest(a.sum);
  const int64_t each = (a.flush ? 3 : scaled ? 2 : 1), steps = each * (s->nonzero + (each > 1));
  if (!may_be_lost(s, a)) return none;
  return spw_upper_mul(spw_upper_of((uint64_t)steps, 0, false), spw_upper_power(smallest - half + gain_of(s, a)));
}

/* Does rounding make an infinity of it? */
static bool overflows(spw_accumulation a, spw_upper magnitude)
{
  return spw_upper_reaches(magnitude, spw_upper_of(((uint64_t)1 << (a.sum.bits + 1)) - 1, a.sum.most - a.sum.bits, false));
}

/* May something on the way be an infinity that the sum need not show: times 0 it is a NaN? */
static bool may_be_any(const spw_exact *s, spw_accumulation a, spw_upper grown)
{
  const bool rounded = !operands_fit(s, a);
  return overflows(a, spw_upper_mul(spw_upper_power(s->reach), grown)) || (rounded && s->operand_top > a.sum.most);
}

/* May what an infinity is multiplied by become zero before? An operand does that is below all that the precision keeps of
 * operands. Of a product half of the smallest number does, too, and one below 2^n may be as small as 2^(n - 2). */
static bool may_meet_zero(const spw_exact *s, spw_accumulation a)
{
  const int32_t kept = a.flush ? a.sum.least : a.sum.least - (a.operand_bits - 1);
  return s->facing <= kept || s->facing_after <= smallest_of(s, a) + 1;
}

static spw_upper error_bound(const spw_exact *s, spw_accumulation a, const uint32_t *gauge, spw_upper g, spw_upper grown)
{
  const spw_upper relative = spw_upper_mul(g, spw_wide_upper(gauge)), absolute = spw_upper_mul(underflow(s, a), grown);
  const spw_upper error = spw_upper_add(relative, absolute);
  if (!a.flush && operands_are_kept(s, a)) return error;
  /* An operand below the normal numbers may become 0, or the next number: products at most 4 times as large. */
  return spw_upper_add(error, spw_upper_mul(spw_upper_mul(spw_wide_upper(s->flushed), spw_upper_power(2)), grown));
}

static bound bound_of(const spw_exact *s, spw_accumulation a)
{
  bound b = {{0, 0}, true, false, false, false, false, may_meet_zero(s, a)};
  uint32_t gauge[LIMBS];
  memcpy(gauge, s->positive, sizeof gauge);
  spw_wide_add(gauge, s->negative);
  const bool lattice = s->nonzero > 0 && is_lattice(s, gauge, a), alone = s->beside < SPW_EXACT_LEAST;
  if (lattice && alone) return b;
  const spw_upper g = growth(s, a), grown = spw_upper_add(spw_upper_power(0), g);
  b.may_nan = b.may_nan || (!alone && overflows(a, spw_upper_mul(spw_upper_power(s->beside), grown)));
  if (lattice) return b;
  b.may_any = may_be_any(s, a, grown);
  if (s->nonzero == 0) return b;
  b.exact = false;
  b.says_nothing = spw_upper_reaches(g, spw_upper_power(0));
  b.error = error_bound(s, a, gauge, g, grown);
  b.may_plus = overflows(a, spw_upper_add(spw_wide_upper(s->positive), b.error));
  b.may_minus = overflows(a, spw_upper_add(spw_wide_upper(s->negative), b.error));
  return b;
}

/* ---- One number -------------------------------------------------------------------------------- */

/* Numbers in their order, as integers; both zeros are 0. */
static int64_t order_of(spw_format f, uint64_t bits)
{
  const int64_t magnitude = (int64_t)(bits & (((uint64_t)1 << (f.width - 1)) - 1));
  return bits >> (f.width - 1) & 1 ? -magnitude : magnitude;
}

/* The sum plus (minus) the error. False where that is beyond all. */
static bool end_of(const spw_exact *s, spw_upper error, bool upper, uint32_t *magnitude, int *sign)
{
  uint32_t part[LIMBS];
  memcpy(part, upper ? s->positive : s->negative, sizeof part);
  if (!spw_wide_add_upper(part, error)) return false;
  *sign = upper ? spw_wide_difference(magnitude, part, s->negative) : spw_wide_difference(magnitude, s->positive, part);
  return true;
}

/* Is a number of a narrower type between both ends, rounded? */
static bool is_between(const spw_exact *s, spw_upper error, spw_format f, uint64_t y)
{
  uint32_t magnitude[LIMBS];
  const int64_t order = order_of(f, y);
  bool right = true;
  for (int upper = 0; upper < 2; upper++) {
    int sign = 0;
    if (!end_of(s, error, upper != 0, magnitude, &sign)) continue;
    const int64_t end = order_of(f, spw_wide_round(magnitude, sign < 0, f));
    right = right && (upper ? order <= end : order >= end);
  }
  return right;
}

/* |y - sum|, of a finite y */
static void error_of(const spw_exact *s, spw_binary y, uint32_t *error)
{
  uint32_t positive[LIMBS], negative[LIMBS];
  memcpy(positive, s->positive, sizeof positive);
  memcpy(negative, s->negative, sizeof negative);
  if (y.kind == SPW_KIND_FINITE) spw_wide_add_at(y.negative ? positive : negative, y.mantissa, 0, y.exponent);
  spw_wide_difference(error, positive, negative);
}

static bool is_within(const uint32_t *error, spw_upper most)
{
  uint32_t limit[LIMBS] = {0}, rest[LIMBS];
  return !spw_wide_add_upper(limit, most) || spw_wide_difference(rest, error, limit) <= 0;
}

static bool is_right_value(const spw_exact *s, const bound *b, spw_accumulation a, spw_format f, uint64_t bits)
{
  uint32_t error[LIMBS];
  const spw_binary y = spw_binary_of_bits(f, bits);
  if (y.kind == SPW_KIND_INFINITE || !spw_format_holds(f, a.sum)) return is_between(s, b->error, f, bits);
  error_of(s, y, error);
  return is_within(error, b->error);
}

/* Does more than the bound say so? Where that is as large as the gauge, never-written memory is within it; and an infinity may
 * be within it only as what a larger sum is rounded to. */
static bool is_vouched_for(const spw_exact *s, const bound *b, spw_format f, uint64_t bits)
{
  uint32_t magnitude[LIMBS];
  if (!b->says_nothing && spw_binary_of_bits(f, bits).kind != SPW_KIND_INFINITE) return true;
  const int sign = spw_wide_difference(magnitude, s->positive, s->negative);
  return order_of(f, bits) == order_of(f, spw_wide_round(magnitude, sign < 0, f));
}

/* x + -x and 0 + -0 are +0: only where every term is negative, or a negative result may have become too small to
 * be told from zero, is -0 right. A fused operation gives such a result where a product is no multiple of the
 * smallest number; and rounding operands does where they are that small. */
static bool may_be_minus_zero(const spw_exact *s, const bound *b, spw_accumulation a, spw_format f)
{
  uint32_t magnitude[LIMBS];
  int sign = -1;
  if ((s->seen & SPW_SEEN_TURNED) || (s->terms > 0 && !(s->seen & SPW_SEEN_POSITIVE))) return true;
  const bool rounded = !operands_are_kept(s, a) && !spw_wide_is_zero(s->flushed);
  const bool too_small = a.flush || rounded || (s->seen & SPW_SEEN_SCALED) || s->unit < spw_format_lowest(a.sum);
  if (!too_small && spw_format_holds(f, a.sum)) return false;
  return !end_of(s, b->error, false, magnitude, &sign) || sign < 0;
}

static spw_finding_of_sum found(spw_verdict verdict, spw_fault fault)
{
  const spw_finding_of_sum f = {verdict, fault, 0, 0, 0};
  return f;
}

static spw_finding_of_sum right_if(bool right, spw_verdict verdict, spw_fault fault)
{
  return right ? found(verdict, SPW_FAULT_NONE) : found(SPW_WRONG, fault);
}

/* Where a factor is an infinity: is there one of this sign? Beside one of the other it may be, where a complex factor was applied
 * to an operand first and made nothing of that. */
static bool may_be_unbounded(uint32_t seen, bool negative)
{
  const uint32_t plus = SPW_SEEN_UNBOUNDED_PLUS | SPW_SEEN_PLUS_INFINITY;
  const uint32_t minus = SPW_SEEN_UNBOUNDED_MINUS | SPW_SEEN_MINUS_INFINITY;
  return (seen & (negative ? minus : plus)) != 0;
}

/* Where the terms are not all finite. */
static spw_finding_of_sum judge_special(const spw_exact *s, const bound *b, spw_binary y)
{
  const uint32_t plus = SPW_SEEN_PLUS_INFINITY, both = plus | SPW_SEEN_MINUS_INFINITY;
  const bool nan = y.kind == SPW_KIND_NAN, infinite = y.kind == SPW_KIND_INFINITE;
  if ((s->seen & SPW_SEEN_NAN) || (s->seen & both) == both) return right_if(nan, SPW_RIGHT_SPECIAL, SPW_FAULT_NOT_NAN);
  if (s->seen & SPW_SEEN_UNBOUNDED)
    return right_if(nan || (infinite && may_be_unbounded(s->seen, y.negative)), SPW_UNDECIDED, SPW_FAULT_NOT_INFINITE);
  const bool positive = (s->seen & plus) != 0;
  if (nan && (b->may_any || b->may_nan || (positive ? b->may_minus : b->may_plus))) return found(SPW_UNDECIDED, SPW_FAULT_NONE);
  if (nan) return found(SPW_WRONG, SPW_FAULT_NAN);
  return right_if(infinite && y.negative != positive, SPW_RIGHT_SPECIAL, SPW_FAULT_NOT_INFINITE);
}

static spw_finding_of_sum judge_finite(const spw_exact *s, const bound *b, spw_accumulation a, spw_format f, uint64_t bits)
{
  const spw_binary y = spw_binary_of_bits(f, bits);
  if (y.kind == SPW_KIND_NAN)
    return right_if(b->may_any || b->may_nan || (b->may_plus && b->may_minus), SPW_UNDECIDED, SPW_FAULT_NAN);
  if (is_right_value(s, b, a, f, bits)) {
    if (y.kind == SPW_KIND_ZERO && y.negative && !may_be_minus_zero(s, b, a, f))
      return found(SPW_WRONG, SPW_FAULT_SIGN_OF_ZERO);
    if (!is_vouched_for(s, b, f, bits)) return found(SPW_UNDECIDED, SPW_FAULT_NONE);
    return found(b->exact ? SPW_RIGHT_EXACT : SPW_RIGHT_BOUNDED, SPW_FAULT_NONE);
  }
  if (y.kind == SPW_KIND_FINITE || y.kind == SPW_KIND_ZERO) return found(SPW_WRONG, SPW_FAULT_VALUE);
  return right_if(b->may_any || (y.negative ? b->may_minus : b->may_plus), SPW_UNDECIDED, SPW_FAULT_INFINITE);
}

/* The numbers for people. */
static void describe(const spw_exact *s, const bound *b, spw_binary y, spw_finding_of_sum *finding)
{
  const uint64_t sum = spw_exact_round(s, SPW_FLOAT64);
  uint32_t error[LIMBS];
  memcpy(&finding->sum, &sum, sizeof sum);
  if (!spw_exact_is_special(s)) finding->bound = spw_upper_double(b->error);
  if (spw_exact_is_special(s) || y.kind == SPW_KIND_NAN || y.kind == SPW_KIND_INFINITE) {
    const spw_upper all = spw_upper_power(0), nothing = {0, 0};
    if (finding->verdict == SPW_WRONG) finding->ratio = spw_upper_ratio(all, nothing);
    return;
  }
  error_of(s, y, error);
  finding->ratio = spw_upper_ratio(spw_wide_upper(error), b->error);
}

spw_finding_of_sum spw_exact_judge(const spw_exact *sum, spw_precision precision, spw_dtype dtype, uint64_t y)
{
  const spw_accumulation a = spw_accumulation_of(precision);
  const spw_format f = spw_format_of(dtype);
  const bool complex = dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
  if (f.width == 0 || complex) return found(SPW_NOT_JUDGED, SPW_FAULT_TYPE);
  if (a.sum.width == 0 || !is_suited(sum, a)) return found(SPW_NOT_JUDGED, SPW_FAULT_PRECISION);
  const bound b = bound_of(sum, a);
  const spw_binary number = spw_binary_of_bits(f, y);
  spw_finding_of_sum finding = spw_exact_is_special(sum) ? judge_special(sum, &b, number) : judge_finite(sum, &b, a, f, y);
  describe(sum, &b, number, &finding);
  return finding;
}
