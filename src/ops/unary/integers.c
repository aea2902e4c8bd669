/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of integers, and kernels that look at no number. */
#include "maps.h"
#include "../../core/names.h"

#include <string.h>

#define VAL uint8_t
#define BITS uint32_t
#define TYPE u8
#define IS_BELOW(x) ((void)(x), 0)
#include "integers.inc"
#undef VAL
#undef BITS
#undef TYPE
#undef IS_BELOW

#define IS_BELOW(x) ((x) < 0)
#define VAL int8_t
#define BITS uint32_t
#define TYPE i8
#include "integers.inc"
#undef VAL
#undef TYPE

#define VAL int16_t
#define TYPE i16
#include "integers.inc"
#undef VAL
#undef TYPE

#define VAL int32_t
#define TYPE i32
#include "integers.inc"
#undef VAL
#undef BITS
#undef TYPE

#define VAL int64_t
#define BITS uint64_t
#define TYPE i64
#include "integers.inc"

void spw_map_angle_b8(const void *in, void *out, int64_t n, const spw_map_how *how)
{
  (void)in;
  (void)how;
  memset(out, 0, (size_t)n * sizeof(float));
}

void spw_map_copy_any(const void *in, void *out, int64_t n, const spw_map_how *how)
{
  if (in != out && n > 0) memcpy(out, in, (size_t)(n * spw_dtype_size(how->dtype)));
}

void spw_map_none_any(const void *in, void *out, int64_t n, const spw_map_how *how)
{
  (void)in;
  (void)how;
  memset(out, 0, (size_t)n);
}
