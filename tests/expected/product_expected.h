/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on products of a sparse and a dense tensor: slow and plain, and sharing nothing with src. */
#ifndef TESTS_PRODUCT_EXPECTED_H
#define TESTS_PRODUCT_EXPECTED_H

#include "../../src/sparsewright.h"

/* What a product may answer. */
typedef struct product_expected {
  bool known;          /* small enough to be spelled out */
  spw_status status;
  unsigned obstacles;  /* where it is SPW_ERANGE: bits 1u << spw_obstacle */
  int64_t count;       /* elements of the output, row-major */
  uint8_t *elements;   /* what it is to hold */
} product_expected;

/* The operands are ones that the checker does not refuse with SPW_EINVAL. */
void expect_product(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c, product_expected *e);
void product_expected_free(product_expected *e);

/* Null, or what is wrong (in static storage) with what the output holds. */
const char *wrong_product(const product_expected *e, const spw_output *c);

#endif
