/* SPDX-License-Identifier: Apache-2.0 */
/* How many sums are held at a time. */
#ifndef SPW_OPS_KERNELS_MULTIPLY_TILE_H
#define SPW_OPS_KERNELS_MULTIPLY_TILE_H

#define TILE 64

#endif
