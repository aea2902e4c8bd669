/* SPDX-License-Identifier: Apache-2.0 */
/* What the template of blocks as lines stands on. */
#ifndef SPW_CONVERT_CELLS_BLOCKS_TO_LINES_LEMMAS_H
#define SPW_CONVERT_CELLS_BLOCKS_TO_LINES_LEMMAS_H

#include "../kernels/block_lines.h"
#include "../kernels/lines.h"
#include "../kernels/times_at.h"

#endif
