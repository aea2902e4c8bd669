/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of products as libraries compute them: in five orders, with and without fused multiply-add, in every
 * precision that can be declared, and wrongly. Shares nothing with src/oracle. */
#ifndef TESTS_SUMMATION_H
#define TESTS_SUMMATION_H

#include "../operands/specimen.h"

typedef enum summation_order { ASCENDING, DESCENDING, PAIRWISE, BLOCKED, SHUFFLED, ORDERS } summation_order;

const char *summation_name(summation_order order);

/* Where alpha and beta enter. */
typedef enum summation_form {
  PLAIN,          /* the sum of a x */
  SUM_FIRST,      /* beta c + alpha (sum of a x) */
  ALPHA_ON_A,     /* beta c + sum of (alpha a) x */
  ALPHA_ON_X,     /* beta c + sum of a (alpha x) */
  ONTO_C,         /* as the last, begun with beta c */
  FORMS
} summation_form;

typedef struct summation {
  spw_precision precision;
  summation_order order;
  summation_form form;
  bool fused; /* float32 and float64 only */
  double alpha, beta, c;
} summation;

enum { SUMMATION_TERMS = 4096 };

/* What a correct library gives for n <= SUMMATION_TERMS terms, as the bits of `result`. */
uint64_t summation_result(const summation *s, spw_dtype result, int64_t n, const double *a, const double *x, dice *d);

/* Is fused multiply-add something else than two operations in this precision here? */
bool summation_fuses(spw_precision precision);

#endif
