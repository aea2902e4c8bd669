/* SPDX-License-Identifier: Apache-2.0 */
/* Where the lines of blocks lie, for both index types. */
#ifndef SPW_LEMMAS_BLOCK_LINES_H
#define SPW_LEMMAS_BLOCK_LINES_H

#include <stdint.h>

#define SPW_TEMPLATE "../../spec/acsl/block_lines.acsl"
#include "../../src/core/each_index_type.h"

#endif
