/* SPDX-License-Identifier: Apache-2.0 */
/* Includes SPW_TEMPLATE once for each index type and the other one: what each_index_type.h defines, and
 *   OUT        the other type
 *   OUT_MAX    its largest value
 *   O(name)    name_i64 beside name_i32, and the other way round
 * No include guard: that is its purpose. */
#include "names.h"

#ifndef N
#define N(name) SPW_CAT(name, SUF)
#endif
#define O(name) SPW_CAT(name, OUT_SUF)

#define IDX int32_t
#define IDX_DTYPE SPW_INT32
#define IDX_MAX INT32_MAX
#define SUF i32
#define OUT int64_t
#define OUT_MAX INT64_MAX
#define OUT_SUF i64
#include SPW_TEMPLATE
#undef IDX
#undef IDX_DTYPE
#undef IDX_MAX
#undef SUF
#undef OUT
#undef OUT_MAX
#undef OUT_SUF

#define IDX int64_t
#define IDX_DTYPE SPW_INT64
#define IDX_MAX INT64_MAX
#define SUF i64
#define OUT int32_t
#define OUT_MAX INT32_MAX
#define OUT_SUF i32
#include SPW_TEMPLATE
#undef IDX
#undef IDX_DTYPE
#undef IDX_MAX
#undef SUF
#undef OUT
#undef OUT_MAX
#undef OUT_SUF

#undef O
#undef SPW_TEMPLATE
