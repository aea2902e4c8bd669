/* SPDX-License-Identifier: Apache-2.0 */
#include "widen.h"
#include "../../convert/values.h"
#include "../../core/size.h"
#include "../../number/half.h"

#include <string.h>

/* Bits of the largest integer below which all are numbers of the type. */
static int bits_of(spw_dtype dtype)
{
  static const int bits[SPW_DTYPE_COUNT] = {0, 1, 8, 7, 15, 31, 63, 11, 8, 24, 53, 24, 53};
  return bits[dtype];
}

bool spw_widens(spw_dtype from, spw_dtype to)
{
  const spw_dtype own = spw_part_type(from), other = spw_part_type(to);
  const bool whole = own < SPW_FLOAT16, signless = to == SPW_BOOL || to == SPW_UINT8;
  if (from == to) return true;
  if (own != from && other == to) return false;
  if (!whole) return own == other || (own < other && other >= SPW_FLOAT32);
  if (signless && from != SPW_BOOL && from != SPW_UINT8) return false;
  return bits_of(own) <= bits_of(other);
}

typedef struct number {
  int64_t whole;
  double part[2];
} number;

double spw_real_at(spw_dtype dtype, const char *at)
{
  uint16_t half;
  float f;
  double d;
  if (dtype == SPW_FLOAT64) return memcpy(&d, at, sizeof d), d;
  if (dtype == SPW_FLOAT32) return memcpy(&f, at, sizeof f), f;
  memcpy(&half, at, sizeof half);
  return dtype == SPW_FLOAT16 ? spw_float_of_float16(half) : spw_float_of_bfloat16(half);
}

int64_t spw_whole_at(spw_dtype dtype, const char *at)
{
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  switch (dtype) {
  case SPW_INT8: return memcpy(&i8, at, sizeof i8), i8;
  case SPW_INT16: return memcpy(&i16, at, sizeof i16), i16;
  case SPW_INT32: return memcpy(&i32, at, sizeof i32), i32;
  case SPW_INT64: return memcpy(&i64, at, sizeof i64), i64;
  case SPW_BOOL: return *at != 0;
  default: return (uint8_t)*at;
  }
}

static number read_number(spw_dtype dtype, const char *at)
{
  const spw_dtype part = spw_part_type(dtype);
  number x = {0, {0, 0}};
  if (dtype < SPW_FLOAT16) {
    x.whole = spw_whole_at(dtype, at);
    x.part[0] = (double)x.whole;
  } else {
    x.part[0] = spw_real_at(part, at);
    if (part != dtype) x.part[1] = spw_real_at(part, at + spw_dtype_size(part));
  }
  return x;
}

void spw_put_real(spw_dtype dtype, double x, char *out)
{
  const float f = (float)x;
  const uint16_t half = dtype == SPW_FLOAT16 ? spw_float16_of_float(f) : spw_bfloat16_of_float(f);
  if (dtype == SPW_FLOAT64)
    memcpy(out, &x, sizeof x);
  else if (dtype == SPW_FLOAT32)
    memcpy(out, &f, sizeof f);
  else
    memcpy(out, &half, sizeof half);
}

/* Little-endian machines: the lowest bytes of an integer come first. */
static void put_number(spw_dtype dtype, const number *x, char *out)
{
  const spw_dtype part = spw_part_type(dtype);
  if (dtype < SPW_FLOAT16) {
    memcpy(out, &x->whole, (size_t)spw_dtype_size(dtype));
  } else {
    spw_put_real(part, x->part[0], out);
    if (part != dtype) spw_put_real(part, x->part[1], out + spw_dtype_size(part));
  }
}

void spw_widen_values(const spw_value_array *values, spw_dtype to, void *out)
{
  const spw_array *const a = &values->array;
  const int64_t count = spw_count_values(a), size = spw_dtype_size(to);
  char *at = out;
  for (int64_t i = 0; i < count; i++, at += size) {
    const number x = read_number(a->dtype, spw_value_at(values, a->offset + spw_position_of(a->shape, a->strides, a->ndim, i)));
    put_number(to, &x, at);
  }
}
