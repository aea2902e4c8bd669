/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of the elements of one batch, from compressed to one by one and back: spw_expand_rows_i32,
 * spw_expand_rows_i64, spw_compress_rows_i32, spw_compress_rows_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_ROWS_H
#define SPW_CONVERT_INDICES_OFFSETS_ROWS_H

#include "../../../../proofs/lemmas/lines.h"

#define SPW_TEMPLATE "../convert/indices/offsets/rows_contract.inc"
#include "../../../core/each_index_type.h"

#endif
