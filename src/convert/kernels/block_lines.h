/* SPDX-License-Identifier: Apache-2.0 */
/* Where the lines of blocks lie, for both index types. */
#ifndef SPW_CONVERT_KERNELS_BLOCK_LINES_H
#define SPW_CONVERT_KERNELS_BLOCK_LINES_H

#include <stdint.h>

#define SPW_TEMPLATE "../convert/kernels/block_lines.inc"
#include "../../core/each_index_type.h"

#endif
