/* SPDX-License-Identifier: Apache-2.0 */
/* How many blocks lines have an element of, without memory: spw_count_blocks_i32, spw_count_blocks_i64. */
#ifndef SPW_CONVERT_COUNT_BLOCKS_H
#define SPW_CONVERT_COUNT_BLOCKS_H

#include <stdint.h>

/* Blocks of more lines than this are counted otherwise. */
enum { SPW_COUNTED_HEIGHT = 64 };

/* Lines have ascending indices; their number is a multiple of the height, which is at most SPW_COUNTED_HEIGHT. */
int64_t spw_count_blocks_i32(const int32_t *ptr, const int32_t *minor, int64_t major, int64_t height, int64_t width);
int64_t spw_count_blocks_i64(const int64_t *ptr, const int64_t *minor, int64_t major, int64_t height, int64_t width);

#endif
