/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of all batches, as one matrix has them, become those of each batch: spw_cut_lines_i32, spw_cut_lines_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_CUT_LINES_H
#define SPW_CONVERT_INDICES_OFFSETS_CUT_LINES_H

#include "../../../../proofs/lemmas/lines_fit.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../../proofs/lemmas/times_apart.h"
#include "../../../../proofs/lemmas/times_at.h"

#define SPW_TEMPLATE "../convert/indices/offsets/cut_lines_contract.inc"
#include "../../../core/each_index_type.h"

#endif
