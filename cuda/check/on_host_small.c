/* SPDX-License-Identifier: Apache-2.0 */
/* The same kernels with a small tile, so that small tensors have several of them. */
#define SPW_TILE_VECTORS 1
#define spw_first_violation_on_host spw_first_violation_in_small_tiles
#include "on_host.c"
