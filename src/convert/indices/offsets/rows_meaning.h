/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to COO and back, of one batch, with what the result means: spw_expand_meaning_i32 ... are the kernels of rows.h with
 * that as their contract. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_ROWS_MEANING_H
#define SPW_CONVERT_INDICES_OFFSETS_ROWS_MEANING_H

#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "rows.h"

#define SPW_TEMPLATE "../convert/indices/offsets/rows_meaning_contract.inc"
#include "../../../core/each_index_type.h"

#endif
