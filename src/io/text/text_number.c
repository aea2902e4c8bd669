/* SPDX-License-Identifier: Apache-2.0 */
/* Words as numbers. */
#define _GNU_SOURCE 1
#include "text_number.h"

#include <stdlib.h>
#include <string.h>

bool spw_word_int64(spw_word word, int64_t *number)
{
  const bool negative = word.length > 0 && word.at[0] == '-';
  const size_t sign = negative || (word.length > 0 && word.at[0] == '+');
  int64_t value = 0;
  for (size_t i = sign; i < word.length; i++) {
    const int digit = word.at[i] - '0';
    if (digit < 0 || digit > 9) return false;
    if (__builtin_mul_overflow(value, 10, &value)) return false;
    if (__builtin_add_overflow(value, negative ? -digit : digit, &value)) return false;
  }
  *number = value;
  return word.length > sign;
}

bool spw_word_is_uint64(spw_word word)
{
  uint64_t value = 0;
  const size_t sign = word.length > 0 && word.at[0] == '+';
  for (size_t i = sign; i < word.length; i++) {
    const int digit = word.at[i] - '0';
    if (digit < 0 || digit > 9) return false;
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value)) return false;
  }
  return word.length > sign;
}

/* Fortran writes the exponents of double precision with a D: 1.5D+03. */
static void mend_exponent(char *text, size_t length)
{
  for (size_t i = 1; i < length; i++)
    if ((text[i] == 'D' || text[i] == 'd') && (text[i - 1] == '.' || (text[i - 1] >= '0' && text[i - 1] <= '9'))) text[i] = 'e';
}

bool spw_word_double(spw_word word, locale_t c_locale, double *number)
{
  char text[SPW_WORD_MAX + 1], *end;
  memcpy(text, word.at, word.length);
  text[word.length] = '\0';
  mend_exponent(text, word.length);
  *number = strtod_l(text, &end, c_locale);
  return word.length > 0 && end == text + word.length && !strpbrk(text, "xX");
}
