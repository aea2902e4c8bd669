/* SPDX-License-Identifier: Apache-2.0 */
/* spw_swap (instances/transpose.h) with room to do it faster where columns jump: spw_transpose_lines_i32_u32 ... i64_u64. */
#ifndef SPW_CONVERT_TRANSPOSE_LINES_H
#define SPW_CONVERT_TRANSPOSE_LINES_H

#include "band_room.h"
#include "share.h"

/* For as many elements or more; null: there is none. */
typedef struct spw_transpose_room {
  void *cells;     /* n, each of SPW_BAND_CELL_BYTES */
  int64_t *starts; /* spw_transpose_starts(n, minor_size, threads) */
  int threads;     /* at most; fewer than 2: one */
} spw_transpose_room;

/* The bands by which n elements of `major` lines are transposed, as spw_count_bands (count_bands.h) has them: none where
 * columns do not jump, or there is no room. The cells of the room are written to in any case. */
spw_band_room spw_choose_bands_i32(const int32_t *minor, int64_t n, int64_t major, int64_t minor_size, spw_transpose_room room);
spw_band_room spw_choose_bands_i64(const int64_t *minor, int64_t n, int64_t major, int64_t minor_size, spw_transpose_room room);

/* Are the cells of that room worth having, for n elements? */
int spw_wants_transpose_room(int64_t n);

/* Do so many threads transpose elements by parts, in the starts that they have room for? */
int spw_is_transposed_by_parts(int64_t n, int64_t minor_size, int threads);

/* Starts of parts of bands, or of lines where these are not many more than elements; 0: none are needed. */
int64_t spw_transpose_starts(int64_t n, int64_t minor_size, int threads);

#define SPW_VALUE_TEMPLATE "../convert/transpose_lines_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
