/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a COO tensor that has all batches of a compressed one: spw_list_rows_i32, spw_list_plain_i32,
 * spw_list_coordinates_i32, and _i64. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_BATCH_LINES_H
#define SPW_CONVERT_INDICES_COORDINATES_BATCH_LINES_H

#include "batch_coordinate.h"
#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../check/compressed.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/batch_lines_contract.inc"
#include "../../../core/each_index_type.h"

#endif
