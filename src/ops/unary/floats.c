/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of floats that are exact, or rounded once. */
#include "maps.h"
#include "round.h"
#include "../../core/names.h"

#include <math.h>

#define C(name) name##f
#define WIDE float
#define BITS uint16_t
#define SIGN 0x8000u
#define VAL uint16_t

#define INFINITE 0x7c00u
#define LOAD spw_float_of_float16
#define STORE spw_float16_of_float
#define TYPE f16
#include "floats.inc"
#undef INFINITE
#undef LOAD
#undef STORE
#undef TYPE

#define INFINITE 0x7f80u
#define LOAD spw_float_of_bfloat16
#define STORE spw_bfloat16_of_float
#define TYPE bf16
#include "floats.inc"
#undef INFINITE
#undef LOAD
#undef STORE
#undef TYPE
#undef BITS
#undef SIGN
#undef VAL

#define LOAD(x) (x)
#define STORE(x) (x)
#define VAL float
#define BITS uint32_t
#define SIGN 0x80000000u
#define INFINITE 0x7f800000u
#define TYPE f32
#include "floats.inc"
#undef C
#undef WIDE
#undef VAL
#undef BITS
#undef SIGN
#undef INFINITE
#undef TYPE

#define C(name) name
#define WIDE double
#define VAL double
#define BITS uint64_t
#define SIGN 0x8000000000000000u
#define INFINITE 0x7ff0000000000000u
#define TYPE f64
#include "floats.inc"

/* ---- What nan_to_num replaces by ----------------------------------------------------------------------- */

/* The largest finite number of a type of reals, and the lowest, by their bits. */
static uint64_t largest(spw_dtype part)
{
  switch (part) {
  case SPW_FLOAT16: return 0x7bff;
  case SPW_BFLOAT16: return 0x7f7f;
  case SPW_FLOAT32: return 0x7f7fffff;
  default: return 0x7fefffffffffffff;
  }
}

static void replace(char *to, const void *given, uint64_t otherwise, size_t size)
{
  memcpy(to, given ? given : &otherwise, size);
}

void spw_default_replacements(spw_dtype dtype, const spw_unary_request *wanted, spw_map_how *how)
{
  const spw_dtype part = dtype == SPW_COMPLEX64 ? SPW_FLOAT32 : dtype == SPW_COMPLEX128 ? SPW_FLOAT64 : dtype;
  const size_t size = (size_t)spw_dtype_size(part);
  if (part < SPW_FLOAT16) return;
  replace(how->nan, wanted->nan, 0, size);
  replace(how->posinf, wanted->posinf, largest(part), size);
  replace(how->neginf, wanted->neginf, largest(part) | (uint64_t)1 << (8 * size - 1), size);
}
