/* SPDX-License-Identifier: Apache-2.0 */
#include "element_print.h"
#include "element_bits.h"

#include <float.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
