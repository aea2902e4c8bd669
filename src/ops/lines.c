/* SPDX-License-Identifier: Apache-2.0 */
/* Which instance multiplies values of a type. */
#include "product.h"
#include "instances/instances.h"

bool spw_spreads(spw_layout layout)
{
  return layout != SPW_CSR && layout != SPW_BSR;
}

int64_t spw_sum_size(spw_dtype dtype)
{
  const int64_t value = spw_dtype_size(dtype);
  return dtype == SPW_BOOL || value > 4 ? value : 4;
}

void spw_multiply_lines(const spw_line_product *p, spw_dtype dtype, int64_t from, int64_t to)
{
  switch (dtype) {
  case SPW_DTYPE_NONE: break;
  case SPW_BOOL: spw_multiply_b8(p, from, to); break;
  case SPW_UINT8: spw_multiply_u8(p, from, to); break;
  case SPW_INT8: spw_multiply_i8(p, from, to); break;
  case SPW_INT16: spw_multiply_i16(p, from, to); break;
  case SPW_INT32: spw_multiply_i32(p, from, to); break;
  case SPW_INT64: spw_multiply_i64(p, from, to); break;
  case SPW_FLOAT16: spw_multiply_f16(p, from, to); break;
  case SPW_BFLOAT16: spw_multiply_bf16(p, from, to); break;
  case SPW_FLOAT32: spw_multiply_f32(p, from, to); break;
  case SPW_FLOAT64: spw_multiply_f64(p, from, to); break;
  case SPW_COMPLEX64: spw_multiply_c64(p, from, to); break;
  case SPW_COMPLEX128: spw_multiply_c128(p, from, to); break;
  }
}
