/* SPDX-License-Identifier: Apache-2.0 */
/* Exact sums: terms are added to one of two large integers, by their signs. */
#include "seen.h"
#include "wide.h"

#include <string.h>

/* FAR: beyond what any exponent is. No precision takes 2^LEAST_KEPT for zero: it is the smallest number of float16. */
enum { FAR = 1 << 20, FLUSHED_TOP = -126, LEAST_KEPT = -24 };

void spw_exact_start(spw_exact *sum)
{
  memset(sum, 0, sizeof *sum);
  sum->operand_low = sum->unit = sum->lowest = sum->facing = sum->facing_after = sum->fine_top = FAR;
  sum->operand_top = sum->reach = sum->beside = -FAR;
}

static int32_t least_of(int32_t a, int32_t b)
{
  return a < b ? a : b;
}

static int32_t most_of(int32_t a, int32_t b)
{
  return a > b ? a : b;
}

/* That of a product that is zero too: what it is rounded to, or multiplied by alpha first, may be an infinity. */
static void see_operand(spw_exact *sum, spw_binary b)
{
  if (b.kind != SPW_KIND_FINITE) return;
  sum->operand_low = least_of(sum->operand_low, b.exponent);
  sum->operand_top = most_of(sum->operand_top, spw_binary_top(b));
  sum->operand_bits = most_of(sum->operand_bits, spw_bit_length(b.mantissa));
  if (b.exponent < LEAST_KEPT) sum->fine_top = least_of(sum->fine_top, spw_binary_top(b));
}

static void see_sign(spw_exact *sum, bool negative)
{
  sum->seen |= negative ? SPW_SEEN_NEGATIVE : SPW_SEEN_POSITIVE;
}

/* Of what is added: -0 and anything else do not sum to -0. */
static void see_added(spw_exact *sum, bool negative, bool zero)
{
  see_sign(sum, negative);
  if (!negative || !zero) sum->seen &= ~(uint32_t)SPW_SEEN_TURNED;
}

static void see_infinity(spw_exact *sum, bool negative)
{
  sum->seen |= negative ? SPW_SEEN_MINUS_INFINITY : SPW_SEEN_PLUS_INFINITY;
}

/* Does an infinity meet a finite number? */
static void see_facing(spw_exact *sum, spw_binary infinite, spw_binary finite)
{
  if (infinite.kind == SPW_KIND_INFINITE && finite.kind == SPW_KIND_FINITE)
    sum->facing = least_of(sum->facing, spw_binary_top(finite));
}

/* A term that is finite and not zero. */
static void add_term(spw_exact *sum, bool negative, uint64_t low, uint64_t high, int32_t exponent, bool flushed)
{
  spw_wide_add_at(negative ? sum->negative : sum->positive, low, high, exponent);
  if (flushed) spw_wide_add_at(sum->flushed, low, high, exponent);
  sum->unit = least_of(sum->unit, exponent);
  sum->lowest = least_of(sum->lowest, exponent);
  sum->nonzero++;
}

spw_status spw_exact_add(spw_exact *sum, double value)
{
  const spw_binary b = spw_binary_of(value);
  if (sum->terms >= SPW_EXACT_TERMS) return SPW_ERANGE;
  sum->terms++;
  sum->factors = most_of(sum->factors, 1);
  see_added(sum, b.negative, b.kind == SPW_KIND_ZERO);
  if (b.kind == SPW_KIND_NAN) sum->seen |= SPW_SEEN_NAN;
  if (b.kind == SPW_KIND_INFINITE) see_infinity(sum, b.negative);
  if (b.kind != SPW_KIND_FINITE) return SPW_OK;
  see_operand(sum, b);
  add_term(sum, b.negative, b.mantissa, 0, b.exponent, spw_binary_top(b) <= FLUSHED_TOP);
  return SPW_OK;
}

/* The product of two significands: 106 bits. */
static void multiply(uint64_t a, uint64_t b, uint64_t *low, uint64_t *high)
{
  const uint64_t mask = 0xffffffff;
  const uint64_t zero = (a & mask) * (b & mask), one = (a >> 32) * (b & mask), other = (a & mask) * (b >> 32);
  const uint64_t middle = one + other + (zero >> 32); /* below 2^54 + 2^54 + 2^32 */
  *low = middle << 32 | (zero & mask);
  *high = (a >> 32) * (b >> 32) + (middle >> 32);
}

spw_status spw_exact_add_product(spw_exact *sum, double a, double b)
{
  const spw_binary p = spw_binary_of(a), q = spw_binary_of(b);
  const bool negative = p.negative != q.negative, zero = p.kind == SPW_KIND_ZERO || q.kind == SPW_KIND_ZERO;
  const bool infinite = p.kind == SPW_KIND_INFINITE || q.kind == SPW_KIND_INFINITE;
  if (sum->terms >= SPW_EXACT_TERMS) return SPW_ERANGE;
  sum->terms++;
  sum->factors = most_of(sum->factors, 2);
  sum->seen |= SPW_SEEN_PRODUCT;
  see_added(sum, negative, zero);
  if (p.kind == SPW_KIND_NAN || q.kind == SPW_KIND_NAN || (infinite && zero)) sum->seen |= SPW_SEEN_NAN;
  else if (infinite) see_infinity(sum, negative);
  see_operand(sum, p);
  see_operand(sum, q);
  see_facing(sum, p, q);
  see_facing(sum, q, p);
  if (p.kind == SPW_KIND_FINITE && q.kind == SPW_KIND_FINITE) {
    uint64_t low, high;
    multiply(p.mantissa, q.mantissa, &low, &high);
    const bool flushed = spw_binary_top(p) <= FLUSHED_TOP || spw_binary_top(q) <= FLUSHED_TOP;
    add_term(sum, negative, low, high, p.exponent + q.exponent, flushed);
  }
  return SPW_OK;
}

/* ---- Sums times a factor ----------------------------------------------------------------------- */

/* The signs and infinities of another sum, exchanged where the factor is negative. */
static uint32_t seen_through(uint32_t seen, bool negative)
{
  const uint32_t plus = SPW_SEEN_POSITIVE | SPW_SEEN_PLUS_INFINITY;
  const uint32_t minus = SPW_SEEN_NEGATIVE | SPW_SEEN_MINUS_INFINITY;
  if (!negative) return seen;
  return (seen & ~(plus | minus)) | (seen & plus) << 1 | (seen & minus) >> 1 | SPW_SEEN_TURNED;
}

/* Every term, and every sum of terms, of `other` is below 2^this. */
static int32_t gauge_top(const spw_exact *other)
{
  return most_of(spw_wide_top(other->positive), spw_wide_top(other->negative)) + 1;
}

/* A number alone, of one factor, does not overflow. */
void spw_exact_see_beside(spw_exact *sum, const spw_exact *beside)
{
  if (spw_exact_is_special(beside)) sum->beside = FAR;
  else if (beside->factors > 1) sum->beside = most_of(sum->beside, gauge_top(beside));
}

/* Every operand, and every sum of such as are stored twice, is below 2^this. */
static int32_t operands_top(const spw_exact *other)
{
  return other->operand_top + (other->seen & SPW_SEEN_TWICE ? spw_bit_length((uint64_t)other->terms) : 0);
}

/* A complex factor may be applied to an operand first: a part of that is the sum of two products, of any number of bits. */
void spw_exact_see_both(spw_exact *sum, const spw_exact *products, double real, double imaginary)
{
  const spw_binary f = spw_binary_of(real), g = spw_binary_of(imaginary);
  if (f.kind != SPW_KIND_FINITE || g.kind != SPW_KIND_FINITE) return;
  sum->reach = most_of(sum->reach, operands_top(products) + most_of(spw_binary_top(f), spw_binary_top(g)) + 1);
  sum->factored_bits = FAR;
}

static void take_operands(spw_exact *sum, const spw_exact *other)
{
  sum->operand_low = least_of(sum->operand_low, other->operand_low);
  sum->operand_top = most_of(sum->operand_top, other->operand_top);
  sum->operand_bits = most_of(sum->operand_bits, other->operand_bits);
  sum->lowest = least_of(sum->lowest, other->lowest);
  sum->facing = least_of(sum->facing, other->facing);
  sum->fine_top = least_of(sum->fine_top, other->fine_top);
}

static void add_plain(spw_exact *sum, const spw_exact *other, bool negative)
{
  spw_wide_add(negative ? sum->negative : sum->positive, other->positive);
  spw_wide_add(negative ? sum->positive : sum->negative, other->negative);
  spw_wide_add(sum->flushed, other->flushed);
  sum->unit = least_of(sum->unit, other->unit);
  sum->factors = most_of(sum->factors, other->factors);
}

/* Applied to an operand first: a power of two changes none of its bits. */
static int32_t factored_bits(const spw_exact *other, spw_binary f)
{
  return f.mantissa == 1 ? other->operand_bits : other->operand_bits + spw_bit_length(f.mantissa);
}

static void add_multiple(spw_exact *sum, const spw_exact *other, spw_binary f)
{
  const bool flushed = spw_binary_top(f) <= FLUSHED_TOP;
  spw_wide_add_scaled(f.negative ? sum->negative : sum->positive, other->positive, f.mantissa, f.exponent);
  spw_wide_add_scaled(f.negative ? sum->positive : sum->negative, other->negative, f.mantissa, f.exponent);
  if (flushed) {
    spw_wide_add_scaled(sum->flushed, other->positive, f.mantissa, f.exponent);
    spw_wide_add_scaled(sum->flushed, other->negative, f.mantissa, f.exponent);
  } else {
    spw_wide_add_scaled(sum->flushed, other->flushed, f.mantissa, f.exponent);
  }
  sum->seen |= SPW_SEEN_SCALED;
  sum->factors = most_of(sum->factors, other->factors + 1);
  sum->reach = most_of(sum->reach, most_of(gauge_top(other), operands_top(other) + spw_binary_top(f)));
  sum->factored_bits = most_of(sum->factored_bits, factored_bits(other, f));
  see_operand(sum, f);
  sum->facing_after = least_of(sum->facing_after, other->facing + spw_binary_top(f));
  if (spw_exact_is_special(other)) sum->facing = least_of(sum->facing, spw_binary_top(f));
  if (other->nonzero == 0) return;
  sum->unit = least_of(sum->unit, other->unit + f.exponent);
  sum->lowest = least_of(sum->lowest, least_of(other->unit, other->operand_low) + f.exponent);
  sum->factor_top = most_of(sum->factor_top, spw_binary_top(f));
  sum->factored_top = most_of(sum->factored_top, other->operand_top);
}

/* May terms that are all negative sum to +0? A sum that begins with +0 does where each of them is zero, or is taken for it: then
 * all together are below 2^LEAST_KEPT times as many, or have an operand below the normal numbers. */
static bool may_vanish(const spw_exact *sum)
{
  return spw_wide_top(sum->negative) <= LEAST_KEPT + spw_bit_length((uint64_t)sum->nonzero) || !spw_wide_is_zero(sum->flushed);
}

/* May the sum, of some order, have this sign, as a number or a zero? With terms of both signs it may have either: of complex
 * numbers too, of which a factor may be applied to one operand first. */
static bool may_have_sign(const spw_exact *sum, bool negative)
{
  return (sum->seen & (negative ? SPW_SEEN_NEGATIVE : SPW_SEEN_POSITIVE)) || (!negative && may_vanish(sum));
}

/* An infinity times terms: one of a sign that they have, or a NaN; where they come to a NaN, that. */
static uint32_t seen_times_infinity(uint32_t seen, bool negative)
{
  const uint32_t both = SPW_SEEN_PLUS_INFINITY | SPW_SEEN_MINUS_INFINITY;
  const uint32_t plus = negative ? SPW_SEEN_NEGATIVE : SPW_SEEN_POSITIVE;
  const uint32_t minus = negative ? SPW_SEEN_POSITIVE : SPW_SEEN_NEGATIVE;
  if ((seen & SPW_SEEN_NAN) || (seen & both) == both) return SPW_SEEN_NAN;
  return (seen & plus ? SPW_SEEN_UNBOUNDED_PLUS : 0u) | (seen & minus ? SPW_SEEN_UNBOUNDED_MINUS : 0u);
}

/* By 0, an infinity or a NaN. Times 0 a sum is a zero of the sign of both; but a NaN where it overflows, or where an operand is
 * rounded to an infinity. One without terms may not be there at all: it is 0, or a NaN. */
static void add_special(spw_exact *sum, const spw_exact *other, spw_binary factor)
{
  const bool something = other->nonzero > 0 || spw_exact_is_special(other);
  sum->seen |= SPW_SEEN_SCALED;
  sum->reach = most_of(sum->reach, gauge_top(other));
  sum->operand_top = most_of(sum->operand_top, other->operand_top);
  sum->operand_bits = most_of(sum->operand_bits, other->operand_bits);
  if (factor.kind != SPW_KIND_ZERO && other->terms == 0) sum->beside = FAR;
  else if (factor.kind == SPW_KIND_INFINITE && something) sum->seen |= seen_times_infinity(other->seen, factor.negative);
  else if (factor.kind != SPW_KIND_ZERO || spw_exact_is_special(other)) sum->seen |= SPW_SEEN_NAN;
  else if (other->terms > 0) see_sign(sum, may_have_sign(other, !factor.negative));
}

spw_status spw_exact_add_scaled(spw_exact *sum, const spw_exact *other, double factor)
{
  const spw_binary f = spw_binary_of(factor);
  if (other->factors > 2 || (other->seen & SPW_SEEN_SCALED) || other->terms > SPW_EXACT_TERMS - sum->terms) return SPW_ERANGE;
  sum->terms += other->terms;
  if (f.kind != SPW_KIND_FINITE) {
    add_special(sum, other, f);
    return SPW_OK;
  }
  sum->nonzero += other->nonzero;
  sum->seen |= seen_through(other->seen, f.negative);
  take_operands(sum, other);
  if (f.mantissa == 1 && f.exponent == 0) add_plain(sum, other, f.negative);
  else add_multiple(sum, other, f);
  return SPW_OK;
}

/* ---- Rounding ---------------------------------------------------------------------------------- */

/* Of the classes that no finite sum has: 0 where there is none, else the bits. */
static uint64_t special_bits(uint32_t seen, spw_format f)
{
  const uint64_t infinity = (((uint64_t)1 << (f.width - f.bits)) - 1) << (f.bits - 1);
  const uint32_t both = SPW_SEEN_PLUS_INFINITY | SPW_SEEN_MINUS_INFINITY;
  if ((seen & (SPW_SEEN_NAN | SPW_SEEN_UNBOUNDED)) || (seen & both) == both) return infinity | (uint64_t)1 << (f.bits - 2);
  if (seen & SPW_SEEN_MINUS_INFINITY) return (uint64_t)1 << (f.width - 1) | infinity;
  return seen & SPW_SEEN_PLUS_INFINITY ? infinity : 0;
}

uint64_t spw_exact_round(const spw_exact *sum, spw_dtype dtype)
{
  const spw_format f = spw_format_of(dtype);
  uint32_t magnitude[SPW_EXACT_LIMBS];
  if (f.width == 0 || dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128) return 0;
  const uint64_t special = special_bits(sum->seen, f);
  if (special) return special;
  const int sign = spw_wide_difference(magnitude, sum->positive, sum->negative);
  return spw_wide_round(magnitude, sign < 0, f);
}
