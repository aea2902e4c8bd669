/* SPDX-License-Identifier: Apache-2.0 */
/* A second copy of the fast verdict on one batch, small_spw_rows_valid_i32 and small_spw_rows_valid_i64,
 * with tiles so small that every small matrix has edges of tiles in it. It reads what the original only
 * asks the processor to fetch. */
#ifndef TESTS_SMALL_TILES_H
#define TESTS_SMALL_TILES_H

#include "../../src/check/fast/count_rows.h"

#undef N
#define N(name) SPW_CAT(small_##name, SUF)
#define SPW_TEMPLATE "../check/fast/count_rows_contract.inc"
#include "../../src/core/each_index_type.h"
#undef N
#define N(name) SPW_CAT(name, SUF)

#endif
