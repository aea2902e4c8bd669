/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on products of two sparse tensors: every pair of elements is looked at. Shares nothing with src. */
#ifndef TESTS_SPARSE_PRODUCT_EXPECTED_H
#define TESTS_SPARSE_PRODUCT_EXPECTED_H

#include "../../src/sparsewright.h"

typedef struct sparse_product_expected {
  bool known;         /* small enough to be spelled out */
  spw_status status;
  unsigned obstacles; /* where it is SPW_ERANGE: bits 1u << spw_obstacle */
  int64_t ndim, size[16];
  int64_t count, nse; /* positions of the result, row-major; and how many are specified, of all batches */
  bool *specified;
  uint8_t *values;    /* 16 bytes for each position */
} sparse_product_expected;

/* The operands are ones that the checker does not refuse with SPW_EINVAL. `converts`: by the call that takes any layouts. */
void expect_sparse_product(const spw_tensor *a, const spw_tensor *b, bool converts, sparse_product_expected *e);
void sparse_product_expected_free(sparse_product_expected *e);

/* Null, or what is wrong (in static storage) with a result. */
const char *wrong_sparse_product(const sparse_product_expected *e, const spw_tensor *result);

#endif
