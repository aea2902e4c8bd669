/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels, each named by its function and its type: spw_map_abs_f32. table.c says which a group has. */
#ifndef SPW_OPS_UNARY_MAPS_H
#define SPW_OPS_UNARY_MAPS_H

#include "unary.h"

#define SPW_MAP(name, type) void spw_map_##name##_##type(const void *in, void *out, int64_t n, const spw_map_how *how);
#define SPW_MAP_INTEGERS(name) SPW_MAP(name, u8) SPW_MAP(name, i8) SPW_MAP(name, i16) SPW_MAP(name, i32) SPW_MAP(name, i64)
#define SPW_MAP_FLOATS(name) SPW_MAP(name, f16) SPW_MAP(name, bf16) SPW_MAP(name, f32) SPW_MAP(name, f64)
#define SPW_MAP_COMPLEX(name) SPW_MAP(name, c64) SPW_MAP(name, c128)
#define SPW_MAP_NUMBERS(name) SPW_MAP_INTEGERS(name) SPW_MAP_FLOATS(name)

/* Each group declares its own. */
#define SPW_MAPS_ROUNDING(name) SPW_MAP_FLOATS(name)
#define SPW_MAPS_FRAC(name) SPW_MAP_FLOATS(name)
#define SPW_MAPS_RELU(name) SPW_MAP_NUMBERS(name)
#define SPW_MAPS_SCALAR(name) SPW_MAP_NUMBERS(name)
#define SPW_MAPS_ABS(name) SPW_MAP_NUMBERS(name) SPW_MAP_COMPLEX(name)
#define SPW_MAPS_NEG(name) SPW_MAP_NUMBERS(name) SPW_MAP_COMPLEX(name)
#define SPW_MAPS_IDENTITY(name)
#define SPW_MAPS_CONJ(name) SPW_MAP_COMPLEX(name)
#define SPW_MAPS_SIGN(name) SPW_MAP_NUMBERS(name)
#define SPW_MAPS_SGN(name) SPW_MAP_COMPLEX(name)
#define SPW_MAPS_ANGLE(name) SPW_MAP_NUMBERS(name) SPW_MAP(name, b8)
#define SPW_MAPS_NAN_TO_NUM(name) SPW_MAP_FLOATS(name) SPW_MAP_COMPLEX(name)
#define SPW_MAPS_TEST(name) SPW_MAP_FLOATS(name) SPW_MAP_COMPLEX(name)
#define SPW_MAPS_REAL_TEST(name) SPW_MAP_FLOATS(name)
#define SPW_MAPS_SIGNBIT(name) SPW_MAP_NUMBERS(name)
#define SPW_MAPS_SQUARE(name) SPW_MAP_NUMBERS(name) SPW_MAP_COMPLEX(name)
#define SPW_MAPS_DIV(name) SPW_MAP_FLOATS(name)
#define SPW_MAPS(ENUM, name, group, zero) SPW_MAPS_##group(name)
SPW_EACH_OTHER_UNARY(SPW_MAPS)
#undef SPW_MAPS

SPW_MAP(real, b8)
SPW_MAP_NUMBERS(real)

/* Of any type: the values themselves, of the type of the result; and false. */
SPW_MAP(copy, any)
SPW_MAP(none, any)
SPW_MAP(cast, b8)
SPW_MAP_NUMBERS(cast)
SPW_MAP_COMPLEX(cast)

#endif
