/* SPDX-License-Identifier: Apache-2.0 */
/* Values as bits: numbers of a class, in any of the element types. */
#ifndef FUZZ_VALUES_H
#define FUZZ_VALUES_H

#include "../../src/sparsewright.h"

/* Integers have no classes but zero, small, number, extreme and bits: where one of the others is
 * wanted, they give an extreme. A bool is 0 or 1; of the class bits, any byte. */
typedef enum fuzz_class {
  FUZZ_ZERO,       /* +0 */
  FUZZ_MINUS_ZERO,
  FUZZ_SMALL,      /* an integer of -8 .. 8, not 0, that sums hold exactly */
  FUZZ_NUMBER,     /* finite, normal */
  FUZZ_SUBNORMAL,
  FUZZ_EXTREME,    /* the ends of the normal numbers, and the neighbours of 1 */
  FUZZ_INFINITY,   /* of either sign */
  FUZZ_NAN,        /* of either sign; half of them quiet without a payload, the others any */
  FUZZ_BITS,       /* any bits at all */
  FUZZ_CLASSES
} fuzz_class;

#define FUZZ_EVERY_CLASS ((1 << FUZZ_CLASSES) - 1)

/* 8-byte words of an element in memory: two for complex128, else one, of which the type takes the
 * lowest bytes. */
int64_t fuzz_words(spw_dtype dtype);

/* A word of a class; of complex64, both parts are of it. The seed alone decides. */
uint64_t fuzz_word(spw_dtype dtype, fuzz_class which, uint64_t seed);

/* A word of one of the classes (bits 1 << fuzz_class, not 0); of complex64, each part of one. */
uint64_t fuzz_draw(spw_dtype dtype, int64_t classes, uint64_t seed);

#endif
