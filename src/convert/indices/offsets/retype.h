/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed lines whose indices become those of the other type: spw_retype_lines_i32, spw_retype_lines_i64, named by the type
 * that is read. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_RETYPE_H
#define SPW_CONVERT_INDICES_OFFSETS_RETYPE_H

#include "../../../../proofs/lemmas/lines_fit.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../check/compressed.h"
#include "../../../view/grid.h"

#define SPW_TEMPLATE "../convert/indices/offsets/retype_contract.inc"
#include "../../../core/each_index_pair.h"

#endif
