/* SPDX-License-Identifier: Apache-2.0 */
/* Words as numbers, exactly and in no locale but "C". */
#ifndef SPW_IO_TEXT_NUMBER_H
#define SPW_IO_TEXT_NUMBER_H

#include <locale.h>

#include "text_source.h"

/* The whole word is a decimal integer, with or without a sign, that fits. */
bool spw_word_int64(spw_word word, int64_t *number);

/* The same from 0 to 2^64 - 1. */
bool spw_word_is_uint64(spw_word word);

/* The whole word is what strtod reads in the locale `c_locale`: decimal, inf, nan, and with D or d for the E
 * of an exponent, as Fortran writes it; but not hexadecimal, where SciPy
 * and others read the 0 before the x and leave the rest. */
bool spw_word_double(spw_word word, locale_t c_locale, double *number);

#endif
