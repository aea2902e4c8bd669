/* SPDX-License-Identifier: Apache-2.0 */
/* One element of any type, as JSON. */
#include "element.h"
#include "float_format.h"

#include <float.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const spw_float_format binary64 = {64, 52};

/* ---- Types ---- */

static bool is_complex(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
}

/* The format of a floating type or of a complex type's components; {0, 0} for other types. */
static spw_float_format float_format(spw_dtype dtype)
{
  switch (dtype) {
  case SPW_FLOAT16: return (spw_float_format){16, 10};
  case SPW_BFLOAT16: return (spw_float_format){16, 7};
  case SPW_FLOAT32:
  case SPW_COMPLEX64: return (spw_float_format){32, 23};
  case SPW_FLOAT64:
  case SPW_COMPLEX128: return binary64;
  default: return (spw_float_format){0, 0};
  }
}

/* The value range of an integer type or bool; false for other types. */
static bool integer_range(spw_dtype dtype, int64_t *lowest, int64_t *highest)
{
  *lowest = 0;
  switch (dtype) {
  case SPW_BOOL: *highest = 1; return true;
  case SPW_UINT8: *highest = UINT8_MAX; return true;
  case SPW_INT8: *lowest = INT8_MIN; *highest = INT8_MAX; return true;
  case SPW_INT16: *lowest = INT16_MIN; *highest = INT16_MAX; return true;
  case SPW_INT32: *lowest = INT32_MIN; *highest = INT32_MAX; return true;
  case SPW_INT64: *lowest = INT64_MIN; *highest = INT64_MAX; return true;
  default: return false;
  }
}

static void store_bits(uint64_t bits, int width, void *to)
{
  const uint8_t u8 = (uint8_t)bits;
  const uint16_t u16 = (uint16_t)bits;
  const uint32_t u32 = (uint32_t)bits;
  if (width == 8) memcpy(to, &u8, sizeof u8);
  if (width == 16) memcpy(to, &u16, sizeof u16);
  if (width == 32) memcpy(to, &u32, sizeof u32);
  if (width == 64) memcpy(to, &bits, sizeof bits);
}

static uint64_t load_bits(const void *from, int width)
{
  uint8_t u8 = 0;
  uint16_t u16 = 0;
  uint32_t u32 = 0;
  uint64_t u64 = 0;
  if (width == 8) memcpy(&u8, from, sizeof u8);
  if (width == 16) memcpy(&u16, from, sizeof u16);
  if (width == 32) memcpy(&u32, from, sizeof u32);
  if (width == 64) memcpy(&u64, from, sizeof u64);
  return u8 | u16 | u32 | u64;
}

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

static spw_scaled scaled_from_double(double number)
{
  return spw_float_unpack(binary64, load_bits(&number, 64));
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

/* ---- Printing ---- */

static bool print_integer(spw_dtype dtype, const void *element, char *text)
{
  const int width = (int)spw_dtype_size(dtype) * 8;
  uint64_t bits = load_bits(element, width);
  if (dtype == SPW_BOOL) {
    strcpy(text, bits ? "true" : "false");
    return bits <= 1;
  }
  const uint64_t sign = (uint64_t)1 << (width - 1);
  if (dtype != SPW_UINT8) bits = (bits ^ sign) - sign; /* extend the sign */
  int64_t number;
  memcpy(&number, &bits, sizeof number);
  sprintf(text, "%" PRId64, number);
  return true;
}

static bool reads_back(spw_float_format format, const char *text, uint64_t bits)
{
  uint64_t back;
  const double number = strtod(text, NULL); /* infinite when the digits round up beyond the range */
  if (number < -DBL_MAX || number > DBL_MAX) return false;
  return spw_float_round(format, scaled_from_double(number), &back) && back == bits;
}

/* JSON has a point, whatever the program's locale prints. */
static void use_point(char *text)
{
  const char *separator = nl_langinfo(RADIXCHAR); /* of this thread, unlike what localeconv() shares with the others */
  char *at = strstr(text, separator);
  if (!at || !*separator) return;
  const char *rest = at + strlen(separator);
  *at = '.';
  memmove(at + 1, rest, strlen(rest) + 1);
}

/* As few digits as give the same bits, from the number that every such decimal survives. */
static void print_finite(spw_float_format format, uint64_t bits, char *text)
{
  double number;
  uint64_t wide = 0;
  spw_float_round(binary64, spw_float_unpack(format, bits), &wide);
  memcpy(&number, &wide, sizeof number);
  for (int digits = format.fraction * 301 / 1000; digits <= 17; digits++) {
    snprintf(text, SPW_ELEMENT_TEXT / 2, "%.*g", digits, number);
    if (reads_back(format, text, bits)) break;
  }
  use_point(text);
}

static void print_float(spw_float_format format, const void *element, char *text)
{
  const uint64_t bits = load_bits(element, format.bits);
  const uint64_t infinity = spw_float_infinity(format), sign = spw_float_sign(format);
  if (bits == spw_float_quiet_nan(format))
    strcpy(text, "\"nan\"");
  else if (bits == infinity)
    strcpy(text, "\"inf\"");
  else if (bits == (infinity | sign))
    strcpy(text, "\"-inf\"");
  else if ((bits & ~sign) > infinity)
    sprintf(text, "\"bits:%0*" PRIx64 "\"", format.bits / 4, bits);
  else if (bits == sign)
    strcpy(text, "\"-0.0\"");
  else
    print_finite(format, bits, text);
}

static void print_complex(spw_float_format format, const char *element, char *text)
{
  char re[SPW_ELEMENT_TEXT / 2], im[SPW_ELEMENT_TEXT / 2];
  print_float(format, element, re);
  print_float(format, element + format.bits / 8, im);
  snprintf(text, SPW_ELEMENT_TEXT, "[%.40s,%.40s]", re, im);
}

bool spw_element_print(spw_dtype dtype, const void *element, char text[SPW_ELEMENT_TEXT])
{
  int64_t lowest, highest;
  const spw_float_format format = float_format(dtype);
  if (integer_range(dtype, &lowest, &highest)) return print_integer(dtype, element, text);
  if (!format.bits) return false;
  if (is_complex(dtype))
    print_complex(format, element, text);
  else
    print_float(format, element, text);
  return true;
}
