/* SPDX-License-Identifier: Apache-2.0 */
/* Includes SPW_VALUE_TEMPLATE once for each width of a value, whose bits are moved and never looked at, with
 *   VAL        the unsigned type of that width
 *   V(name)    name_u8 ... name_u64
 * As the template of each_index_type.h it goes over all pairs of an index type and a payload, which is what
 * travels beside an index: the bits of a value of 4 or 8 bytes, or a position. Then V(name) is name_i32_u32
 * ... name_i64_u64:
 *   #define SPW_VALUE_TEMPLATE "../convert/kernels/transpose/swap_contract.inc"
 *   #define SPW_TEMPLATE "each_value_width.h"
 *   #include "../../core/each_index_type.h"
 *   #undef SPW_VALUE_TEMPLATE
 * No include guard: that is its purpose. */
#include "names.h"

#undef V
#ifdef IDX
#define V(name) SPW_CAT(N(name), WIDTH)
#else
#define V(name) SPW_CAT(name, WIDTH)
#endif

#ifndef IDX
#define VAL uint8_t
#define WIDTH u8
#include SPW_VALUE_TEMPLATE
#undef VAL
#undef WIDTH

#define VAL uint16_t
#define WIDTH u16
#include SPW_VALUE_TEMPLATE
#undef VAL
#undef WIDTH
#endif

#define VAL uint32_t
#define WIDTH u32
#include SPW_VALUE_TEMPLATE
#undef VAL
#undef WIDTH

#define VAL uint64_t
#define WIDTH u64
#include SPW_VALUE_TEMPLATE
#undef VAL
#undef WIDTH
