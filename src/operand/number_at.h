/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of floating and complex types, in float64. */
#ifndef SPW_OPERAND_NUMBER_AT_H
#define SPW_OPERAND_NUMBER_AT_H

#include "../sparsewright_core.h"

/* Both parts of the number at a place of the storage; the imaginary one of a real type is 0. */
static inline void spw_number_at(const spw_value_array *v, int64_t place, bool conjugate, double x[2])
{
  const spw_dtype dtype = v->array.dtype;
  const bool narrow = dtype == SPW_FLOAT32 || dtype == SPW_COMPLEX64, complex = dtype >= SPW_COMPLEX64;
  const char *const at = (const char *)v->data + place * spw_dtype_size(dtype);
  x[1] = 0;
  for (int part = 0; part < (complex ? 2 : 1); part++) {
    float single;
    if (narrow) {
      __builtin_memcpy(&single, at + 4 * part, 4);
      x[part] = (double)single;
    } else {
      __builtin_memcpy(&x[part], at + 8 * part, 8);
    }
  }
  if (conjugate) x[1] = -x[1];
}

#endif
