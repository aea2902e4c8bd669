/* SPDX-License-Identifier: Apache-2.0 */
/* One element of any type, from JSON. */
#include "element.h"
#include "element_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

/* Integers beyond 64 bits have become real numbers before they were parsed. */
const char *spw_why_no_integer(const json_t *value)
{
  const double number = json_is_real(value) ? json_real_value(value) : 0;
  return number >= 0x1p63 || number <= -0x1p63 ? "beyond 64 bits" : "expected an integer";
}

static const char *read_integer(spw_dtype dtype, const json_t *value, void *element)
{
  int64_t lowest, highest, number;
  integer_range(dtype, &lowest, &highest);
  if (dtype == SPW_BOOL && json_is_boolean(value))
    number = json_is_true(value);
  else if (json_is_integer(value))
    number = json_integer_value(value);
  else
    return dtype == SPW_BOOL ? "expected true, false, 0 or 1" : spw_why_no_integer(value);
  if (number < lowest || number > highest) return "out of the range of its dtype";
  store_bits((uint64_t)number, (int)spw_dtype_size(dtype) * 8, element);
  return NULL;
}

static int hex_digit(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* Appends a digit while there is room, then only notes whether anything is lost. */
static void push_hex_digit(spw_scaled *value, int digit, bool in_fraction)
{
  if (value->significand >> 60) {
    value->inexact |= digit != 0;
    value->exponent += in_fraction ? 0 : 4;
  } else {
    value->significand = value->significand * 16 + (uint64_t)digit;
    value->exponent -= in_fraction ? 4 : 0;
  }
}

/* A decimal exponent with its sign, clamped far beyond every format. */
static bool scan_exponent(const char *at, int64_t *exponent)
{
  const int64_t clamp = (int64_t)1 << 60;
  const bool negative = *at == '-';
  if (*at == '-' || *at == '+') at++;
  if (!*at) return false;
  *exponent = 0;
  for (; *at; at++) {
    if (*at < '0' || *at > '9') return false;
    if (*exponent < clamp / 16) *exponent = *exponent * 10 + (*at - '0');
  }
  if (negative) *exponent = -*exponent;
  return true;
}

/* [-]0xH.Hp[+-]D with at least one H and D; the point may be missing. Read by hand, because strtod
 * depends on the locale and would round to double first. */
static bool scan_hex_float(const char *at, spw_scaled *value)
{
  *value = (spw_scaled){.negative = *at == '-'};
  if (*at == '-') at++;
  if (strncmp(at, "0x", 2) != 0) return false;
  bool in_fraction = false, any = false;
  for (at += 2; *at != 'p'; at++) {
    const int digit = hex_digit(*at);
    if (*at == '.' && !in_fraction)
      in_fraction = true;
    else if (digit < 0)
      return false;
    else
      push_hex_digit(value, digit, in_fraction);
    any |= digit >= 0;
  }
  int64_t exponent;
  if (!any || !scan_exponent(at + 1, &exponent)) return false;
  value->exponent += exponent;
  return true;
}

/* Exactly as many hexadecimal digits as the format has. */
static bool scan_bits(const char *digits, spw_float_format format, uint64_t *bits)
{
  if (strlen(digits) != (size_t)format.bits / 4) return false;
  *bits = 0;
  for (; *digits; digits++) {
    const int digit = hex_digit(*digits);
    if (digit < 0) return false;
    *bits = *bits * 16 + (uint64_t)digit;
  }
  return true;
}

static const char *round_to_format(spw_float_format format, spw_scaled value, uint64_t *bits)
{
  return spw_float_round(format, value, bits) ? NULL : "out of the range of its dtype";
}

static bool scan_name(const char *text, spw_float_format format, uint64_t *bits)
{
  const uint64_t infinity = spw_float_infinity(format), sign = spw_float_sign(format);
  if (strcmp(text, "nan") == 0)
    *bits = spw_float_quiet_nan(format);
  else if (strcmp(text, "inf") == 0)
    *bits = infinity;
  else if (strcmp(text, "-inf") == 0)
    *bits = sign | infinity;
  else if (strcmp(text, "-0.0") == 0)
    *bits = sign;
  else
    return false;
  return true;
}

static const char *read_float_string(spw_float_format format, const char *text, uint64_t *bits)
{
  spw_scaled value;
  if (scan_name(text, format, bits)) return NULL;
  if (strncmp(text, "bits:", 5) == 0)
    return scan_bits(text + 5, format, bits) ? NULL : "bits: needs all hex digits of its dtype";
  if (!scan_hex_float(text, &value)) return "expected nan, inf, -inf, -0.0, a hex float or bits:";
  return round_to_format(format, value, bits);
}

static const char *read_float(spw_float_format format, const json_t *value, void *element)
{
  const char *why;
  uint64_t bits = 0;
  if (json_is_string(value))
    why = read_float_string(format, json_string_value(value), &bits);
  else if (json_is_integer(value))
    why = round_to_format(format, scaled_from_double((double)json_integer_value(value)), &bits);
  else if (json_is_real(value))
    why = round_to_format(format, scaled_from_double(json_real_value(value)), &bits);
  else
    why = "expected a number or a string";
  if (!why) store_bits(bits, format.bits, element);
  return why;
}

static const char *read_complex(spw_float_format format, const json_t *value, char *element,
                                int *part)
{
  if (!json_is_array(value) || json_array_size(value) != 2) return "expected [re, im]";
  for (int i = 0; i < 2; i++) {
    const json_t *component = json_array_get(value, (size_t)i);
    const char *why = read_float(format, component, element + i * format.bits / 8);
    *part = i;
    if (why) return why;
  }
  return NULL;
}

const char *spw_element_read(spw_dtype dtype, const json_t *value, void *element, int *part)
{
  int64_t lowest, highest;
  *part = -1;
  if (integer_range(dtype, &lowest, &highest)) return read_integer(dtype, value, element);
  if (is_complex(dtype)) return read_complex(float_format(dtype), value, element, part);
  return read_float(float_format(dtype), value, element);
}
