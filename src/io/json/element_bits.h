/* SPDX-License-Identifier: Apache-2.0 */
/* Element types as bits, for what prints and what reads one element. */
#ifndef SPW_IO_ELEMENT_BITS_H
#define SPW_IO_ELEMENT_BITS_H

#include "../../sparsewright.h"
#include "../numbers/float_format.h"

#include <string.h>

static const spw_float_format binary64 = {64, 52};

static inline bool is_complex(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
}

/* The format of a floating type or of a complex type's components; {0, 0} for other types. */
static inline spw_float_format float_format(spw_dtype dtype)
{
  switch (dtype) {
  case SPW_FLOAT16: return (spw_float_format){16, 10};
  case SPW_BFLOAT16: return (spw_float_format){16, 7};
  case SPW_FLOAT32:
  case SPW_COMPLEX64: return (spw_float_format){32, 23};
  case SPW_FLOAT64:
  case SPW_COMPLEX128: return binary64;
  default: return (spw_float_format){0, 0};
  }
}

/* The value range of an integer type or bool; false for other types. */
static inline bool integer_range(spw_dtype dtype, int64_t *lowest, int64_t *highest)
{
  *lowest = 0;
  switch (dtype) {
  case SPW_BOOL: *highest = 1; return true;
  case SPW_UINT8: *highest = UINT8_MAX; return true;
  case SPW_INT8: *lowest = INT8_MIN; *highest = INT8_MAX; return true;
  case SPW_INT16: *lowest = INT16_MIN; *highest = INT16_MAX; return true;
  case SPW_INT32: *lowest = INT32_MIN; *highest = INT32_MAX; return true;
  case SPW_INT64: *lowest = INT64_MIN; *highest = INT64_MAX; return true;
  default: return false;
  }
}

static inline void store_bits(uint64_t bits, int width, void *to)
{
  const uint8_t u8 = (uint8_t)bits;
  const uint16_t u16 = (uint16_t)bits;
  const uint32_t u32 = (uint32_t)bits;
  if (width == 8) memcpy(to, &u8, sizeof u8);
  if (width == 16) memcpy(to, &u16, sizeof u16);
  if (width == 32) memcpy(to, &u32, sizeof u32);
  if (width == 64) memcpy(to, &bits, sizeof bits);
}

static inline uint64_t load_bits(const void *from, int width)
{
  uint8_t u8 = 0;
  uint16_t u16 = 0;
  uint32_t u32 = 0;
  uint64_t u64 = 0;
  if (width == 8) memcpy(&u8, from, sizeof u8);
  if (width == 16) memcpy(&u16, from, sizeof u16);
  if (width == 32) memcpy(&u32, from, sizeof u32);
  if (width == 64) memcpy(&u64, from, sizeof u64);
  return u8 | u16 | u32 | u64;
}

static inline spw_scaled scaled_from_double(double number)
{
  return spw_float_unpack(binary64, load_bits(&number, 64));
}

#endif
