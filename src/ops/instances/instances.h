/* SPDX-License-Identifier: Apache-2.0 */
/* What is done with values of one type each: products of lines from .. to - 1, rows or block rows; elementwise.h,
 * reduce.h. */
#ifndef SPW_OPS_INSTANCES_H
#define SPW_OPS_INSTANCES_H

#include "../elementwise/elementwise.h"
#include "../multiply/product.h"
#include "../reduce/dims.h"
#include "../reduce/reduce.h"
#include "../sampled/sampled.h"
#include "../spgemm/spgemm.h"

/* X(type, name) for each: its header is ../values/name.h, its instance name.c. */
#define SPW_EACH_VALUE_TYPE(X)                                                                     \
  X(SPW_BOOL, b8)                                                                                  \
  X(SPW_UINT8, u8)                                                                                 \
  X(SPW_INT8, i8)                                                                                  \
  X(SPW_INT16, i16)                                                                                \
  X(SPW_INT32, i32)                                                                                \
  X(SPW_INT64, i64)                                                                                \
  X(SPW_FLOAT16, f16)                                                                              \
  X(SPW_BFLOAT16, bf16)                                                                            \
  X(SPW_FLOAT32, f32)                                                                              \
  X(SPW_FLOAT64, f64)                                                                              \
  X(SPW_COMPLEX64, c64)                                                                            \
  X(SPW_COMPLEX128, c128)

#define SPW_DECLARE_MULTIPLY(type, name) void spw_multiply_##name(const spw_line_product *p, int64_t from, int64_t to);
SPW_EACH_VALUE_TYPE(SPW_DECLARE_MULTIPLY)
#undef SPW_DECLARE_MULTIPLY

#define SPW_DECLARE_FILL_ROWS(type, name) \
  int64_t spw_fill_rows_##name(const spw_row_products *p, const spw_row_work *work, int64_t from, int64_t to, int64_t done);
SPW_EACH_VALUE_TYPE(SPW_DECLARE_FILL_ROWS)
#undef SPW_DECLARE_FILL_ROWS

#define SPW_DECLARE_SAMPLE_ROWS(type, name) void spw_sample_rows_##name(const spw_sampled_rows *q);
SPW_EACH_VALUE_TYPE(SPW_DECLARE_SAMPLE_ROWS)
#undef SPW_DECLARE_SAMPLE_ROWS

#define SPW_DECLARE_ELEMENTWISE(type, name)                                                        \
  void spw_unite_lines_##name(const spw_line_union *u, int64_t from, int64_t to, int64_t done);    \
  void spw_unite_values_##name(const spw_line_union *u, int64_t n, int64_t done);                  \
  void spw_scale_values_##name(void *values, int64_t n, const void *by, int64_t step);
SPW_EACH_VALUE_TYPE(SPW_DECLARE_ELEMENTWISE)
#undef SPW_DECLARE_ELEMENTWISE

#define SPW_DECLARE_REDUCE(type, name)                                                             \
  void spw_fold_lines_##name(const spw_fold *f, void *out);                                        \
  void spw_begin_folds_##name(const spw_fold *f);                                                  \
  void spw_fold_list_##name(const spw_fold *f);                                                    \
  void spw_conclude_folds_##name(const spw_fold *f, int64_t from, int64_t lines, void *out);
SPW_EACH_VALUE_TYPE(SPW_DECLARE_REDUCE)
#undef SPW_DECLARE_REDUCE

#define SPW_DECLARE_REDUCE_DIMS(type, name) void spw_fold_dims_##name(const spw_dims_fold *f, void *out);
SPW_EACH_VALUE_TYPE(SPW_DECLARE_REDUCE_DIMS)
#undef SPW_DECLARE_REDUCE_DIMS

#endif
