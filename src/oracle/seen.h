/* SPDX-License-Identifier: Apache-2.0 */
/* What an exact sum has seen of its terms, as bits of `seen`. */
#ifndef SPW_ORACLE_SEEN_H
#define SPW_ORACLE_SEEN_H

#include "../sparsewright_oracle.h"

enum {
  SPW_SEEN_POSITIVE = 1,   /* a term with the sign of +0 */
  SPW_SEEN_NEGATIVE = 2,
  SPW_SEEN_PLUS_INFINITY = 4,
  SPW_SEEN_MINUS_INFINITY = 8,
  SPW_SEEN_NAN = 16,
  SPW_SEEN_UNBOUNDED_PLUS = 32, /* an infinite factor of terms of this sign: that infinity, or a NaN */
  SPW_SEEN_PRODUCT = 64,
  SPW_SEEN_SCALED = 128,   /* a factor that is neither 1 nor -1 was applied */
  SPW_SEEN_TURNED = 256,   /* a negative one was: it may turn +0 into -0; and nothing was added to that but -0 */
  SPW_SEEN_UNBOUNDED_MINUS = 512,
  SPW_SEEN_UNBOUNDED = SPW_SEEN_UNBOUNDED_PLUS | SPW_SEEN_UNBOUNDED_MINUS,
  SPW_SEEN_TWICE = 1024    /* an operand is stored twice, and may have been added up before it was multiplied */
};

/* Is something among the terms, or a factor of them, that makes the sum an infinity or a NaN? */
static inline bool spw_exact_is_special(const spw_exact *sum)
{
  return (sum->seen & (SPW_SEEN_PLUS_INFINITY | SPW_SEEN_MINUS_INFINITY | SPW_SEEN_NAN | SPW_SEEN_UNBOUNDED)) != 0;
}

/* `beside`, the other part of a complex number, may be added to the sum times 0, or not: where it is an infinity or a NaN, or may
 * become one, a NaN may come of that. */
void spw_exact_see_beside(spw_exact *sum, const spw_exact *beside);

/* `products`, a part of which the sum was made, or their operands before they were multiplied, may have been multiplied by both
 * parts of a factor. */
void spw_exact_see_both(spw_exact *sum, const spw_exact *products, double real, double imaginary);

#endif
