/* SPDX-License-Identifier: Apache-2.0 */
/* Which instance multiplies values of a type. */
#include "product.h"
#include "../instances/instances.h"

int64_t spw_sum_size(spw_dtype dtype)
{
  const int64_t value = spw_dtype_size(dtype);
  return dtype == SPW_BOOL || value > 4 ? value : 4;
}

#define MULTIPLY(type, name) case type: spw_multiply_##name(p, from, to); break;

void spw_multiply_lines(const spw_line_product *p, spw_dtype dtype, int64_t from, int64_t to)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  SPW_EACH_VALUE_TYPE(MULTIPLY)
  }
}
