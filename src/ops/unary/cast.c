/* SPDX-License-Identifier: Apache-2.0 */
/* Casts: which values have a place in another type, and what they are there. */
#include "maps.h"
#include "round.h"
#include "../../core/names.h"

/* ---- Reals ------------------------------------------------------------------------------------------------ */

/* A float before a rounding to fewer bits. Integers of 64 bits are cut to the first 63 or fewer, whose last is odd. */
static inline float odd_of_integer(int64_t x)
{
  const uint64_t magnitude = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
  const uint64_t odd = magnitude >> 53 ? magnitude >> 11 << 11 | (uint64_t)((magnitude & 0x7ff) != 0) << 11 : magnitude;
  const float f = spw_odd_float((double)odd);
  return x < 0 ? -f : f;
}

#define IDENTITY(x) (x)
#define IS_TRUE(x) ((x) != 0)

#define ODD_FLOAT(x) odd_of_integer(x)
#define NUMBER int64_t
#define READ IS_TRUE
#define VAL uint8_t
#define TYPE b8
#include "cast.inc"
#undef TYPE
#undef READ

#define READ IDENTITY
#define TYPE u8
#include "cast.inc"
#undef TYPE
#undef VAL

#define VAL int8_t
#define TYPE i8
#include "cast.inc"
#undef TYPE
#undef VAL

#define VAL int16_t
#define TYPE i16
#include "cast.inc"
#undef TYPE
#undef VAL

#define VAL int32_t
#define TYPE i32
#include "cast.inc"
#undef TYPE
#undef VAL

#define VAL int64_t
#define TYPE i64
#include "cast.inc"
#undef TYPE
#undef VAL
#undef READ
#undef NUMBER
#undef ODD_FLOAT

#define ODD_FLOAT(x) (x)
#define NUMBER float
#define VAL uint16_t
#define READ spw_float_of_float16
#define TYPE f16
#include "cast.inc"
#undef TYPE
#undef READ

#define READ spw_float_of_bfloat16
#define TYPE bf16
#include "cast.inc"
#undef TYPE
#undef READ
#undef VAL

#define READ IDENTITY
#define VAL float
#define TYPE f32
#include "cast.inc"
#undef TYPE
#undef VAL
#undef NUMBER
#undef ODD_FLOAT

#define ODD_FLOAT(x) spw_odd_float(x)
#define NUMBER double
#define VAL double
#define TYPE f64
#include "cast.inc"
#undef TYPE
#undef VAL
#undef READ

/* ---- Complex numbers ---------------------------------------------------------------------------------------- */

enum { PART = 256 };

/* To a real type: the real parts are cast, of which a few are fetched at a time. To bool: whether a part is not 0. */
#define COMPLEX_CAST(PART_TYPE, REAL, IMAGE, whole, type, part)                                    \
  void spw_map_cast_##type(const void *in, void *out, int64_t n, const spw_map_how *how)           \
  {                                                                                                \
    const PART_TYPE(*const z)[2] = in;                                                             \
    const int64_t size = spw_dtype_size(how->dtype);                                               \
    spw_map_how parts = *how;                                                                      \
    parts.from = REAL;                                                                             \
    if (how->dtype == how->from) {                                                                 \
      spw_map_copy_any(in, out, n, how);                                                           \
    } else if (how->dtype == (IMAGE)) {                                                            \
      parts.dtype = whole;                                                                         \
      spw_map_cast_##part(in, out, 2 * n, &parts);                                                 \
    } else {                                                                                       \
      PART_TYPE few[PART];                                                                         \
      for (int64_t i = 0; i < n; i += PART) {                                                      \
        const int64_t count = n - i < PART ? n - i : PART;                                         \
        for (int64_t k = 0; k < count; k++) few[k] = z[i + k][0];                                  \
        for (int64_t k = 0; k < count && how->dtype == SPW_BOOL; k++) few[k] = z[i + k][0] != 0 || z[i + k][1] != 0; \
        spw_map_cast_##part(few, (char *)out + i * size, count, &parts);                           \
      }                                                                                            \
    }                                                                                              \
  }
COMPLEX_CAST(float, SPW_FLOAT32, SPW_COMPLEX128, SPW_FLOAT64, c64, f32)
COMPLEX_CAST(double, SPW_FLOAT64, SPW_COMPLEX64, SPW_FLOAT32, c128, f64)

/* ---- What has no place ---------------------------------------------------------------------------------------- */

/* The numbers between which a truncated one has to lie, both without themselves; those of int64 are no doubles, but there is no
 * double between them and the next. */
static void limits_of(spw_dtype dtype, double *below, double *above)
{
  switch (dtype) {
  case SPW_UINT8: *below = -1, *above = 256; break;
  case SPW_INT8: *below = -129, *above = 128; break;
  case SPW_INT16: *below = -32769, *above = 32768; break;
  case SPW_INT32: *below = -2147483649.0, *above = 2147483648.0; break;
  default: *below = -0x1.0000000000001p+63, *above = 0x1p+63; break;
  }
}

static void whole_limits_of(spw_dtype dtype, int64_t *least, int64_t *most)
{
  switch (dtype) {
  case SPW_UINT8: *least = 0, *most = UINT8_MAX; break;
  case SPW_INT8: *least = INT8_MIN, *most = INT8_MAX; break;
  case SPW_INT16: *least = INT16_MIN, *most = INT16_MAX; break;
  case SPW_INT32: *least = INT32_MIN, *most = INT32_MAX; break;
  default: *least = INT64_MIN, *most = INT64_MAX; break;
  }
}

static bool is_integer(spw_dtype dtype)
{
  return dtype >= SPW_UINT8 && dtype <= SPW_INT64;
}

static bool is_complex(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
}

#define FIRST(VAL, condition)                                                                      \
  {                                                                                                \
    const VAL *const v = values;                                                                   \
    for (int64_t i = 0; i < n; i++)                                                                \
      if (!(condition)) return i;                                                                  \
    return n;                                                                                      \
  }
#define INSIDE(x) ((double)(x) > below && (double)(x) < above)
#define BETWEEN(x) ((x) >= least && (x) <= most)

static int64_t first_beyond(const void *values, int64_t n, spw_dtype from, spw_dtype to)
{
  double below, above;
  int64_t least, most;
  limits_of(to, &below, &above);
  whole_limits_of(to, &least, &most);
  switch (from) {
  case SPW_UINT8: FIRST(uint8_t, BETWEEN(v[i]))
  case SPW_INT8: FIRST(int8_t, BETWEEN(v[i]))
  case SPW_INT16: FIRST(int16_t, BETWEEN(v[i]))
  case SPW_INT32: FIRST(int32_t, BETWEEN(v[i]))
  case SPW_INT64: FIRST(int64_t, BETWEEN(v[i]))
  case SPW_FLOAT16: FIRST(uint16_t, INSIDE(spw_float_of_float16(v[i])))
  case SPW_BFLOAT16: FIRST(uint16_t, INSIDE(spw_float_of_bfloat16(v[i])))
  case SPW_FLOAT32: FIRST(float, INSIDE(v[i]))
  case SPW_FLOAT64: FIRST(double, INSIDE(v[i]))
  case SPW_COMPLEX64: FIRST(float, INSIDE(v[2 * i]) && v[2 * i + 1] == 0)
  case SPW_COMPLEX128: FIRST(double, INSIDE(v[2 * i]) && v[2 * i + 1] == 0)
  default: return n;
  }
}

int64_t spw_first_misfit(const void *values, int64_t n, spw_dtype from, spw_dtype to)
{
  if (is_integer(to) && from != to) return first_beyond(values, n, from, to);
  if (!is_complex(from) || is_complex(to) || to == SPW_BOOL) return n;
  if (from == SPW_COMPLEX64) FIRST(float, v[2 * i + 1] == 0)
  FIRST(double, v[2 * i + 1] == 0)
}

void spw_widen_value(const void *value, spw_dtype from, int64_t wide[2])
{
  const bool whole = from < SPW_FLOAT16, complex = is_complex(from);
  spw_map_how how = {.from = complex ? (from == SPW_COMPLEX64 ? SPW_FLOAT32 : SPW_FLOAT64) : from,
                     .dtype = whole ? SPW_INT64 : SPW_FLOAT64};
  wide[1] = -1;
  switch (how.from) {
  case SPW_UINT8: spw_map_cast_u8(value, wide, 1, &how); break;
  case SPW_INT8: spw_map_cast_i8(value, wide, 1, &how); break;
  case SPW_INT16: spw_map_cast_i16(value, wide, 1, &how); break;
  case SPW_INT32: spw_map_cast_i32(value, wide, 1, &how); break;
  case SPW_INT64: spw_map_cast_i64(value, wide, 1, &how); break;
  case SPW_FLOAT16: spw_map_cast_f16(value, wide, 1, &how); break;
  case SPW_BFLOAT16: spw_map_cast_bf16(value, wide, 1, &how); break;
  case SPW_FLOAT32: spw_map_cast_f32(value, wide, complex ? 2 : 1, &how); break;
  default: spw_map_cast_f64(value, wide, complex ? 2 : 1, &how); break;
  }
}
