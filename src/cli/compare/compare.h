/* SPDX-License-Identifier: Apache-2.0 */
/* Where two tensors differ first. */
#ifndef SPW_CLI_COMPARE_H
#define SPW_CLI_COMPARE_H

#include "../posix.h"

#include "../../sparsewright.h"
#include "../text/text.h"

/* A tensor that the library has made canonical COO with int64 indices; of a dense one, which has nothing unspecified, what
 * has a bit set. */
typedef struct meaning {
  const spw_tensor *tensor;
  bool is_dense;
} meaning;

/* Do they differ in size, type, specified positions or bits of values? Then adds how. `as_dense`, and where
 * one is dense: what is unspecified counts as zero bits. */
bool add_difference_of_meaning(cli_text *text, const meaning *a, const meaning *b, bool as_dense);

/* Of two valid tensors: do they differ in layout, size, types, shapes, or an element of an array? */
bool add_difference_of_bits(cli_text *text, const spw_tensor *a, const spw_tensor *b);

/* The same of two sizes, and of the element types of two arrays. */
bool add_difference_of_sizes(cli_text *text, int64_t ndim, const int64_t *size, int64_t other_ndim,
                             const int64_t *other);
bool add_difference_of_types(cli_text *text, const char *name, const spw_array *a, const spw_array *b);

/* Are two lists of numbers, such as sizes, the same? */
bool are_equal(int64_t count, const int64_t *numbers, int64_t other_count, const int64_t *others);

/* The value as a number from which its bits can be told. */
void add_value(cli_text *text, spw_dtype dtype, const void *value);

#endif
