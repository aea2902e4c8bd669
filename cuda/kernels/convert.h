/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of conversions. Of each some are launched behind the kernels of the check, a stage each. */
#ifndef SPW_CUDA_CONVERT_H
#define SPW_CUDA_CONVERT_H

#include "block.h"
#include "bounds.h"
#include "cast.h"
#include "coalesce.h"
#include "gather.h"
#include "lines.h"
#include "marks.h"
#include "order.h"
#include "prune.h"
#include "scatter.h"
#include "sort.h"
#include "unblock.h"
#include "unfold.h"

/* X(name) for each kernel. */
#define SPW_CONVERT_KERNELS_OF(X, suffix)                                                        \
  X(spw_unblock_##suffix) X(spw_unfold_##suffix) X(spw_block_##suffix) X(spw_number_blocks_##suffix)                      \
  X(spw_expand_##suffix) X(spw_compress_##suffix) X(spw_collect_##suffix)                          \
  X(spw_key_##suffix) X(spw_permute_##suffix)                                                      \
  X(spw_scatter_1_##suffix) X(spw_scatter_2_##suffix) X(spw_scatter_4_##suffix)                    \
  X(spw_scatter_8_##suffix) X(spw_scatter_16_##suffix)
#define SPW_CONVERT_KERNELS(X)                                                                     \
  SPW_CONVERT_KERNELS_OF(X, i32)                                                                   \
  SPW_CONVERT_KERNELS_OF(X, i64)                                                                   \
  X(spw_mark_1) X(spw_mark_2) X(spw_mark_4) X(spw_mark_8)                                          \
  X(spw_mark_told_1) X(spw_mark_told_2) X(spw_mark_told_4) X(spw_mark_told_8) X(spw_scan_words) X(spw_settle) X(spw_pick) \
  X(spw_bound) X(spw_widen) X(spw_narrow)                                                            \
  X(spw_count_digits) X(spw_scatter_digits)                                                          \
  X(spw_mark_firsts) X(spw_choose) X(spw_sum_bool) X(spw_sum_1) X(spw_sum_2) X(spw_sum_4) X(spw_sum_8)   \
  X(spw_sum_float16) X(spw_sum_bfloat16) X(spw_sum_float32) X(spw_sum_float64)                     \
  X(spw_clear) X(spw_gather_1) X(spw_gather_2) X(spw_gather_4) X(spw_gather_8) X(spw_gather_16)

#endif
