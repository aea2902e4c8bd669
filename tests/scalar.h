/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars of the twelve types as bits: which are zero, and what a sum is. Shares nothing with src. */
#ifndef TESTS_SCALAR_H
#define TESTS_SCALAR_H

#include "../src/sparsewright.h"

/* Bytes of one scalar. */
int64_t scalar_width(spw_dtype dtype);

/* Does it compare == 0? Of complex types, both parts. */
bool scalar_is_zero(spw_dtype dtype, const void *scalar);

/* Is no bit of it set? */
bool scalar_has_no_bits(spw_dtype dtype, const void *scalar);

/* sum = sum + next: floats correctly rounded to their type, complex by parts, integers modulo 2^w,
 * bool: or. */
void scalar_add(spw_dtype dtype, void *sum, const void *next);

/* The nearest of a real floating type, ties to even; and the double that its bits are. */
uint64_t scalar_of_double(spw_dtype dtype, double value);
double scalar_to_double(spw_dtype dtype, uint64_t bits);

/* The same bits? Where both were `computed`, any NaN is as good as another, and of bools that were
 * neither 0 nor 1, 1 as good as all their bits. */
bool scalar_same(spw_dtype dtype, const void *expected, const void *actual, bool computed);

#endif
