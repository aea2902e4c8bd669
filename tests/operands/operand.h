/* SPDX-License-Identifier: Apache-2.0 */
/* What conversions are tried on: valid tensors of every layout and dense arrays, with values, in memory that
 * ends where they end; and what they are to become. */
#ifndef TESTS_OPERAND_H
#define TESTS_OPERAND_H

#include "specimen.h"

typedef struct operand {
  spw_tensor tensor;
  specimen specimen;
  int64_t shape[SPECIMEN_NDIM], strides[SPECIMEN_NDIM]; /* of the values */
  void *indices[2], *values;                            /* exactly as long as the arrays say */
  void *block;                                          /* what the values lie in, now and then at an odd place */
} operand;

/* Any tensor that spw_check calls valid, or only up to SPW_STRUCTURE if `canonical` is false. */
void operand_random(operand *o, bool canonical, dice *d);

/* The same, no dense array. */
void operand_random_sparse(operand *o, bool canonical, dice *d);

/* A dense array without gaps, row-major. */
void operand_dense(operand *o, spw_dtype dtype, int64_t ndim, const int64_t *shape);

/* Its values, or those of any operand, as class by class (fuzz/inputs/values.h) is drawn. */
void operand_draw_values(operand *o, int64_t classes, dice *d);

void operand_free(operand *o);

/* The size of a valid tensor of at most SPECIMEN_NDIM dimensions, that which it implies where it has none; gives their number. */
int64_t tensor_size(const spw_tensor *tensor, int64_t size[SPECIMEN_NDIM]);

/* A conversion that may be asked of a tensor; now and then one that must be refused. */
spw_conversion conversion_random(const spw_tensor *tensor, dice *d);

/* Asks for nothing but a layout, and for blocks of that size. */
spw_conversion conversion_to(spw_layout layout, int64_t block_rows, int64_t block_columns);

/* A conversion in words (in static storage). */
const char *conversion_text(const spw_conversion *wanted);

#endif
