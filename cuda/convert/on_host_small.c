/* SPDX-License-Identifier: Apache-2.0 */
/* The same kernels with small tiles, so that small tensors have several of them. */
#define SPW_TILE_VECTORS 1
#define SPW_LINES_ITEMS 1
#define SPW_GATHER_UNITS 1
#define spw_convert_on_host spw_convert_in_small_tiles
#include "on_host.c"
