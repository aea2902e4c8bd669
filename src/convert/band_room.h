/* SPDX-License-Identifier: Apache-2.0 */
/* Bands of minor indices (kernels/transpose/band_cells.inc) for payloads of any width. */
#ifndef SPW_CONVERT_BAND_ROOM_H
#define SPW_CONVERT_BAND_ROOM_H

#include <stdint.h>

/* What a cell takes with a payload of so many bytes: 8 for its key, and as many as the payload, aligned as a key is. */
#define SPW_BAND_CELL_BYTES(payload) (8 + ((payload) + 7) / 8 * 8)

typedef struct spw_band_room {
  int64_t count; /* 0: none, and then size is 0 */
  int bits;
  uint64_t width;
  uint64_t *next; /* count */
  int64_t size;
  void *cells; /* size */
} spw_band_room;

#endif
