/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars of the twelve types as bits: which are zero, and what a sum is. Shares nothing with src. */
#ifndef TESTS_SCALAR_H
#define TESTS_SCALAR_H

#include "../../src/sparsewright.h"

/* Bytes of one scalar. */
int64_t scalar_width(spw_dtype dtype);

/* Floating, complex ones too; and of two parts, whose type is the type itself of all others. */
bool scalar_is_float(spw_dtype dtype);
bool scalar_is_complex(spw_dtype dtype);
spw_dtype scalar_part_type(spw_dtype dtype);

/* The bits of one part. */
uint64_t scalar_bits(spw_dtype dtype, const void *scalar, int part);

/* Does it compare == 0? Of complex types, both parts. */
bool scalar_is_zero(spw_dtype dtype, const void *scalar);

/* Is no bit of it set? */
bool scalar_has_no_bits(spw_dtype dtype, const void *scalar);

/* sum = sum + next: floats correctly rounded to their type, complex by parts, integers modulo 2^w,
 * bool: or. */
void scalar_add(spw_dtype dtype, void *sum, const void *next);

/* A sum of products as spec/semantics.def says: of floats of 16 bits in float, rounded once at the end. Parts of a complex
 * number, or one; integers in `whole`. */
typedef struct scalar_sum {
  spw_dtype dtype;
  double part[2];
  uint64_t whole;
} scalar_sum;

scalar_sum scalar_nothing(spw_dtype dtype);
void scalar_sum_add(scalar_sum *sum, const void *a, const void *b);

/* sum + a, without a product; sum + another sum; and what is stored of the n-th part of the sum of a real floating type. */
void scalar_sum_grow(scalar_sum *sum, const void *a);
void scalar_sum_join(scalar_sum *sum, const scalar_sum *other);
void scalar_sum_mean(const scalar_sum *sum, int64_t n, void *result);

/* What is stored: the sum; with `alpha` that times the sum; with `beta` (and `alpha`, null: 1) beta times what is at
 * `result`, and alpha times the sum. */
void scalar_sum_store(const scalar_sum *sum, const void *alpha, const void *beta, void *result);

/* The product of two scalars, rounded to their type: result = a * result. */
void scalar_multiply(spw_dtype dtype, const void *a, void *result);

/* 1 of the type. */
void scalar_one(spw_dtype dtype, void *one);

/* The nearest of a real floating type, ties to even; and the double that its bits are. */
uint64_t scalar_of_double(spw_dtype dtype, double value);
double scalar_to_double(spw_dtype dtype, uint64_t bits);

/* The same bits? Where both were `computed`, any NaN is as good as another, and of bools that were
 * neither 0 nor 1, 1 as good as all their bits. */
bool scalar_same(spw_dtype dtype, const void *expected, const void *actual, bool computed);

#endif
