/* SPDX-License-Identifier: Apache-2.0 */
/* Includes SPW_TEMPLATE once for each index type, with
 *   IDX        the element type
 *   IDX_MAX    its largest value
 *   IDX_DTYPE  its name
 *   SUF        i32 or i64
 *   N(name)    name_i32 or name_i64
 * No include guard: that is its purpose. */
#include "names.h"

#ifndef N
#define N(name) SPW_CAT(name, SUF)
#endif

#define IDX int32_t
#define IDX_DTYPE SPW_INT32
#define IDX_MAX INT32_MAX
#define SUF i32
#include SPW_TEMPLATE
#undef IDX
#undef IDX_DTYPE
#undef IDX_MAX
#undef SUF

#define IDX int64_t
#define IDX_DTYPE SPW_INT64
#define IDX_MAX INT64_MAX
#define SUF i64
#include SPW_TEMPLATE
#undef IDX
#undef IDX_DTYPE
#undef IDX_MAX
#undef SUF

#undef SPW_TEMPLATE
