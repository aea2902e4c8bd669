/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4 matrices a second time, element by element, from the description of the format and not from the library. */
#ifndef TESTS_SEMI_EXPECTED_H
#define TESTS_SEMI_EXPECTED_H

#include "../../src/sparsewright.h"

/* Bytes of an element, elements of a group, codes of a word of metadata. */
int semi_scalar(spw_dtype dtype);
int semi_group(spw_dtype dtype);
int semi_codes(spw_dtype dtype);

/* Is an element zero? -0.0 is, unless `bits`. */
bool semi_is_zero(spw_dtype dtype, uint32_t element, bool bits);

uint32_t semi_element(const void *data, int scalar, int64_t at);
void semi_set_element(void *data, int scalar, int64_t at, uint32_t element);

/* The code of a group with these elements that are not zero: bit i for element i; 0 if there are too many. */
unsigned semi_code_of(spw_dtype dtype, unsigned nonzeros);

/* Encodes; row-major in both members, metadata in `order`. False, with the first group, if a group has too many. */
bool semi_expected_encode(spw_dtype dtype, spw_semi_order order, bool bits, int64_t rows, int64_t columns, const void *dense,
                          void *packed, void *metadata, int64_t *row, int64_t *group);

/* The place of every word, of rows x columns words of so many bytes: places[row * columns + column]. */
void semi_expected_places(spw_semi_order order, int bytes, int64_t rows, int64_t columns, int64_t *places);

/* Does the order allow a matrix of these rows and columns? */
bool semi_expected_fits(spw_dtype dtype, spw_semi_order order, int64_t rows, int64_t columns);

/* The bits of the elements that are stored, of legal metadata in the plain order without gaps. */
void semi_expected_mask(spw_dtype dtype, int64_t rows, int64_t columns, const void *metadata, uint8_t *mask);

/* The report of the rules, of members with data. */
void semi_expected_check(const spw_semi *s, spw_level level, spw_semi_report *report);

/* Decodes a matrix whose codes are legal. */
void semi_expected_decode(spw_dtype dtype, spw_semi_order order, int64_t rows, int64_t columns, const void *packed,
                          const void *metadata, void *dense);

/* Is `a` larger in magnitude than `b`? NaN is the largest. */
bool semi_is_larger(spw_dtype dtype, uint32_t a, uint32_t b);

void semi_expected_prune(spw_dtype dtype, spw_semi_pruning pruning, int64_t rows, int64_t columns, const void *dense, void *out);

#endif
