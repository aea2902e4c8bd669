/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernel each function has for each type: by its group, from the one line that it has in sparsewright_unary.h. */
#include "hard.h"
#include "maps.h"
#include "real.h"

#define BOOL(kernel) [SPW_BOOL] = kernel
#define INTEGERS(kernel)                                                                           \
  [SPW_UINT8] = kernel##_u8, [SPW_INT8] = kernel##_i8, [SPW_INT16] = kernel##_i16, [SPW_INT32] = kernel##_i32, \
  [SPW_INT64] = kernel##_i64
#define FLOATS(kernel)                                                                             \
  [SPW_FLOAT16] = kernel##_f16, [SPW_BFLOAT16] = kernel##_bf16, [SPW_FLOAT32] = kernel##_f32, [SPW_FLOAT64] = kernel##_f64
#define COMPLEX(kernel) [SPW_COMPLEX64] = kernel##_c64, [SPW_COMPLEX128] = kernel##_c128
#define NUMBERS(kernel) INTEGERS(kernel), FLOATS(kernel)

/* One kernel for all. */
#define EACH_INTEGER(kernel)                                                                       \
  [SPW_UINT8] = kernel, [SPW_INT8] = kernel, [SPW_INT16] = kernel, [SPW_INT32] = kernel, [SPW_INT64] = kernel
#define EACH_FLOAT(kernel) [SPW_FLOAT16] = kernel, [SPW_BFLOAT16] = kernel, [SPW_FLOAT32] = kernel, [SPW_FLOAT64] = kernel
#define EACH_COMPLEX(kernel) [SPW_COMPLEX64] = kernel, [SPW_COMPLEX128] = kernel
#define COPY spw_map_copy_any
#define NONE spw_map_none_any

#define ROW_REAL(name)                                                                             \
  {.kernel = {BOOL(spw_map_real_b8), NUMBERS(spw_map_real)}, .result = SPW_RESULT_FLOATS, .real = real_##name, \
   .precise = long_##name, .hard = spw_hard_##name, .hard_count = SPW_HARD_##name}
#define ROW_ROUNDING(name) {.kernel = {EACH_INTEGER(COPY), FLOATS(spw_map_##name)}}
#define ROW_FRAC(name) {.kernel = {FLOATS(spw_map_##name)}}
#define ROW_RELU(name) {.kernel = {NUMBERS(spw_map_##name)}}
#define ROW_SQUARE(name) {.kernel = {NUMBERS(spw_map_##name), COMPLEX(spw_map_##name)}}
#define ROW_ABS(name) {.kernel = {NUMBERS(spw_map_##name), COMPLEX(spw_map_##name)}, .result = SPW_RESULT_REAL}
#define ROW_NEG(name) {.kernel = {NUMBERS(spw_map_##name), COMPLEX(spw_map_##name)}, .linear = true}
#define ROW_IDENTITY(name)                                                                         \
  {.kernel = {BOOL(COPY), EACH_INTEGER(COPY), EACH_FLOAT(COPY), EACH_COMPLEX(COPY)}, .linear = true}
#define ROW_CONJ(name)                                                                             \
  {.kernel = {BOOL(COPY), EACH_INTEGER(COPY), EACH_FLOAT(COPY), COMPLEX(spw_map_##name)}, .linear = true}
#define ROW_SIGN(name) {.kernel = {BOOL(COPY), NUMBERS(spw_map_##name)}}
#define ROW_SGN(name) {.kernel = {BOOL(COPY), NUMBERS(spw_map_sign), COMPLEX(spw_map_##name)}}
#define ROW_ANGLE(name) {.kernel = {BOOL(spw_map_angle_b8), NUMBERS(spw_map_##name)}, .result = SPW_RESULT_FLOATS}
#define ROW_NAN_TO_NUM(name) {.kernel = {EACH_INTEGER(COPY), FLOATS(spw_map_##name), COMPLEX(spw_map_##name)}}
#define ROW_TEST(name)                                                                             \
  {.kernel = {BOOL(NONE), EACH_INTEGER(NONE), FLOATS(spw_map_##name), COMPLEX(spw_map_##name)}, .result = SPW_RESULT_BOOL}
#define ROW_REAL_TEST(name) {.kernel = {BOOL(NONE), EACH_INTEGER(NONE), FLOATS(spw_map_##name)}, .result = SPW_RESULT_BOOL}
#define ROW_SIGNBIT(name) {.kernel = {BOOL(NONE), NUMBERS(spw_map_##name)}, .result = SPW_RESULT_BOOL}
#define ROW_SCALAR(name) {.kernel = {NUMBERS(spw_map_##name)}, .has_scalar = true}
#define ROW_DIV(name) {.kernel = {FLOATS(spw_map_##name)}, .linear = true, .has_scalar = true}
#define ROW_CAST(name)                                                                             \
  {.kernel = {BOOL(spw_map_cast_b8), NUMBERS(spw_map_cast), COMPLEX(spw_map_cast)}, .result = SPW_RESULT_ASKED}
#define ROW_REFUSED(name) {.linear = false}

/* The functions of real.h have addresses here. */
#define REAL(ENUM, name, group, zero)                                                              \
  static double real_##name(double x)                                                              \
  {                                                                                                \
    return spw_real_##name(x);                                                                     \
  }                                                                                                \
  static long double long_##name(long double x)                                                    \
  {                                                                                                \
    return spw_long_##name(x);                                                                     \
  }
SPW_EACH_REAL_UNARY(REAL)

#define ROW(ENUM, name, group, zero) [SPW_UNARY_##ENUM] = ROW_##group(name),
static const spw_function functions[SPW_UNARY_COUNT] = {SPW_EACH_UNARY(ROW)};

static bool is_function(spw_unary_function function)
{
  return (int)function >= 0 && function < SPW_UNARY_COUNT;
}

const spw_function *spw_function_get(spw_unary_function function)
{
  return is_function(function) && spw_unary_of_zero(function)[0] == '\0' ? &functions[function] : NULL;
}

spw_dtype spw_unary_dtype(spw_unary_function function, spw_dtype dtype)
{
  const spw_function *const f = spw_function_get(function);
  const bool known = dtype > SPW_DTYPE_NONE && (int)dtype < SPW_DTYPE_COUNT;
  if (!f || !known || !f->kernel[dtype]) return SPW_DTYPE_NONE;
  switch (f->result) {
  case SPW_RESULT_FLOATS: return dtype < SPW_FLOAT16 ? SPW_FLOAT32 : dtype;
  case SPW_RESULT_REAL: return dtype == SPW_COMPLEX64 ? SPW_FLOAT32 : dtype == SPW_COMPLEX128 ? SPW_FLOAT64 : dtype;
  case SPW_RESULT_BOOL: return SPW_BOOL;
  default: return dtype;
  }
}
