/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of chosen classes, put together from sign, exponent and fraction. */
#include "values.h"

#include "../../tests/operands/specimen.h"

int64_t fuzz_words(spw_dtype dtype)
{
  return spw_dtype_size(dtype) > 8 ? 2 : 1;
}

/* ---- Floating types -------------------------------------------------------------------------- */

/* Bits of the whole and of the fraction, as IEEE 754 lays them out; width 0: no floating type. */
typedef struct layout {
  int width, fraction;
} layout;

/* Of a complex type: that of its parts. */
static layout layout_of(spw_dtype dtype)
{
  switch (dtype) {
    case SPW_FLOAT16: return (layout){16, 10};
    case SPW_BFLOAT16: return (layout){16, 7};
    case SPW_FLOAT32: case SPW_COMPLEX64: return (layout){32, 23};
    case SPW_FLOAT64: case SPW_COMPLEX128: return (layout){64, 52};
    default: return (layout){0, 0};
  }
}

static uint64_t ones(int bits)
{
  return ((uint64_t)1 << bits) - 1;
}

static uint64_t any_below(dice *d, uint64_t end)
{
  return roll(d) % end;
}

/* 1 .. 8 */
static uint64_t small_float(layout l, uint64_t bias, uint64_t number)
{
  int power = 0;
  while (number >> (power + 1)) power++;
  const uint64_t rest = number - ((uint64_t)1 << power);
  return ((bias + (uint64_t)power) << l.fraction) | rest << (l.fraction - power);
}

static uint64_t extreme_float(layout l, uint64_t bias, uint64_t highest, dice *d)
{
  const uint64_t one = bias << l.fraction;
  const uint64_t choices[] = {(uint64_t)1 << l.fraction, (highest << l.fraction) - 1, one - 1,
                              one + 1};
  return choices[any_below(d, sizeof choices / sizeof *choices)];
}

static uint64_t payload(layout l, dice *d)
{
  if (any_below(d, 2)) return (uint64_t)1 << (l.fraction - 1);
  return 1 + any_below(d, ones(l.fraction));
}

/* Without the sign. */
static uint64_t magnitude(layout l, fuzz_class which, dice *d)
{
  const uint64_t highest = ones(l.width - 1 - l.fraction), bias = highest >> 1;
  switch (which) {
    case FUZZ_SMALL: return small_float(l, bias, 1 + any_below(d, 8));
    case FUZZ_NUMBER:
      return (1 + any_below(d, highest - 1)) << l.fraction | any_below(d, ones(l.fraction) + 1);
    case FUZZ_SUBNORMAL: return 1 + any_below(d, ones(l.fraction));
    case FUZZ_EXTREME: return extreme_float(l, bias, highest, d);
    case FUZZ_INFINITY: return highest << l.fraction;
    case FUZZ_NAN: return highest << l.fraction | payload(l, d);
    default: return 0;
  }
}

static uint64_t float_word(layout l, fuzz_class which, dice *d)
{
  const uint64_t sign = (uint64_t)1 << (l.width - 1), mask = sign | (sign - 1);
  if (which == FUZZ_BITS) return roll(d) & mask;
  const bool negative = which == FUZZ_MINUS_ZERO || (which != FUZZ_ZERO && any_below(d, 2));
  return (negative ? sign : 0) | magnitude(l, which, d);
}

/* ---- Integers -------------------------------------------------------------------------------- */

/* A word of which the type takes the lowest bytes; sign-extended, so that it is a short number. */
static uint64_t integer_word(spw_dtype dtype, fuzz_class which, dice *d)
{
  const bool is_signed = dtype != SPW_UINT8;
  const int width = (int)(8 * spw_dtype_size(dtype));
  const uint64_t highest = ones(is_signed ? width - 1 : width);
  const uint64_t lowest = is_signed ? ~highest : 0;
  const uint64_t ends[] = {highest, lowest, highest - 1, lowest + 1};
  switch (which) {
    case FUZZ_ZERO: return 0;
    case FUZZ_SMALL: {
      const uint64_t number = 1 + any_below(d, 8);
      return is_signed && any_below(d, 2) ? 0 - number : number;
    }
    case FUZZ_NUMBER: case FUZZ_BITS: return roll(d);
    default: return ends[any_below(d, 4)];
  }
}

/* ---- All types ------------------------------------------------------------------------------- */

static uint64_t part_word(spw_dtype dtype, fuzz_class which, dice *d)
{
  const layout l = layout_of(dtype);
  if (l.width) return float_word(l, which, d);
  if (dtype == SPW_BOOL && which == FUZZ_BITS) return roll(d) & 255;
  if (dtype == SPW_BOOL) return which == FUZZ_ZERO ? 0 : roll(d) & 1;
  return spw_dtype_size(dtype) ? integer_word(dtype, which, d) : roll(d);
}

/* The parts of complex64 share a word. */
static uint64_t word_of_two(spw_dtype dtype, fuzz_class first, fuzz_class second, dice *d)
{
  const uint64_t low = part_word(dtype, first, d);
  return dtype == SPW_COMPLEX64 ? low | part_word(dtype, second, d) << 32 : low;
}

uint64_t fuzz_word(spw_dtype dtype, fuzz_class which, uint64_t seed)
{
  dice d = {seed};
  return word_of_two(dtype, which, which, &d);
}

static fuzz_class one_of(int64_t classes, dice *d)
{
  int chosen[FUZZ_CLASSES], count = 0;
  for (int c = 0; c < FUZZ_CLASSES; c++)
    if (classes >> c & 1) chosen[count++] = c;
  return (fuzz_class)chosen[roll_below(d, count)];
}

uint64_t fuzz_draw(spw_dtype dtype, int64_t classes, uint64_t seed)
{
  dice d = {seed};
  const fuzz_class first = one_of(classes, &d);
  return word_of_two(dtype, first, one_of(classes, &d), &d);
}
