/* SPDX-License-Identifier: Apache-2.0 */
/* One number of a product, and what its terms sum to. */
#ifndef SPW_ORACLE_NUMBER_H
#define SPW_ORACLE_NUMBER_H

#include "operands.h"

/* What is judged: all of it is valid and fits. */
typedef struct spw_judge_task {
  const spw_product_claim *claim;
  const spw_operands *o;
  spw_dtype dtype; /* of a and x */
  spw_judgement *j;
} spw_judge_task;

/* A number of the result, or two of complex types. */
typedef struct spw_spot {
  int64_t batch, line, column;
  int64_t y_place, c_place; /* in the storage of values; y_place below 0: it is not stored */
} spw_spot;

/* Of a dense result. */
spw_spot spw_dense_spot(const spw_judge_task *k, int64_t batch, int64_t line, int64_t column);

/* The exact sum of terms: of complex types, of both parts; of integers modulo 2^64; of bool 0 or 1. */
typedef struct spw_total {
  spw_exact sums[2];
  bool kept;    /* a product of real parts is something else than -0 */
  bool crossed; /* one of imaginary parts has the sign of +0 */
  bool turned; /* with complex alpha applied to an operand first, -0 may come of terms of which not all are negative */
  bool beyond; /* what is stored twice and was added up first may have given an infinity, or not given one times 0, or two that
                * cancel */
  bool infinite, nan; /* an operand of complex types is an infinity; or a NaN, or meets an infinity as nothing */
  uint64_t integer;
} spw_total;

void spw_total_start(const spw_judge_task *k, spw_total *total);

/* Adds a value of a times one of x. */
spw_status spw_total_add(const spw_judge_task *k, spw_total *total, int64_t a_place, int64_t x_place);

/* Notes that the value of a is one of n at its position. */
void spw_total_see_twice(const spw_judge_task *k, spw_total *total, int64_t a_place, int64_t x_place, int64_t n);

/* Judges the number by the sum of its products, and notes what became of it. SPW_ERANGE: it cannot be judged. */
spw_status spw_judge_number(spw_judge_task *k, const spw_spot *s, const spw_total *total);

#endif
