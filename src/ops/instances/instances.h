/* SPDX-License-Identifier: Apache-2.0 */
/* The product of one value type each: lines from .. to - 1, rows or block rows. */
#ifndef SPW_OPS_INSTANCES_H
#define SPW_OPS_INSTANCES_H

#include "../product.h"

void spw_multiply_u8(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_i8(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_i16(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_i32(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_i64(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_b8(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_f16(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_bf16(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_f32(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_f64(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_c64(const spw_line_product *p, int64_t from, int64_t to);
void spw_multiply_c128(const spw_line_product *p, int64_t from, int64_t to);

#endif
