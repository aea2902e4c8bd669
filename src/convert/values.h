/* SPDX-License-Identifier: Apache-2.0 */
/* Values, as bits; and what compares == 0. */
#ifndef SPW_CONVERT_VALUES_H
#define SPW_CONVERT_VALUES_H

#include "../sparsewright.h"

/* Do the values lie one behind the other in row-major order, aligned as their type? */
bool spw_values_in_order(const spw_value_array *values);

/* The same of values that are not none. */
bool spw_elements_in_order(const spw_value_array *values);

/* How many there are; INT64_MAX beyond. */
int64_t spw_count_values(const spw_array *a);

/* Of an element type of so many bytes, as the compiler has it for the parts of a complex one. */
static inline uintptr_t spw_alignment_of(spw_dtype dtype, int64_t bytes)
{
  return dtype == SPW_COMPLEX64 ? 4 : (uintptr_t)(bytes > 8 ? 8 : bytes);
}

static inline uintptr_t spw_alignment(spw_dtype dtype)
{
  return spw_alignment_of(dtype, spw_dtype_size(dtype));
}
bool spw_is_aligned(const void *data, spw_dtype dtype);

/* The type of the parts of a complex one; another one is its own part. */
static inline spw_dtype spw_part_type(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 ? SPW_FLOAT32 : dtype == SPW_COMPLEX128 ? SPW_FLOAT64 : dtype;
}

/* Where element `place` of their storage lies. */
const char *spw_value_at(const spw_value_array *values, int64_t place);

/* Copies all of them to `to`, in row-major order. */
void spw_pack_values(const spw_value_array *values, char *to);

/* Does any of n scalars compare != 0; or, with `bits`, have a bit set? */
bool spw_any_nonzero(const char *scalars, int64_t n, spw_dtype dtype, bool bits);

#endif
