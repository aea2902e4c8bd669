/* SPDX-License-Identifier: Apache-2.0 */
/* Where each line starts when the other dimension is compressed: spw_start_lines_i32,
 * spw_start_lines_i64, spw_write_starts_i32, spw_write_starts_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_STARTS_H
#define SPW_CONVERT_INDICES_OFFSETS_STARTS_H

#include "../../../../proofs/lemmas/slots.h"

#define SPW_TEMPLATE "../convert/indices/offsets/starts_contract.inc"
#include "../../../core/each_index_type.h"

#endif
