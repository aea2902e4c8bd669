/* SPDX-License-Identifier: Apache-2.0 */
/* A COO matrix in order to CSR: spw_coo_to_csr_i32, spw_coo_to_csr_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_COO_TO_CSR_H
#define SPW_CONVERT_INDICES_OFFSETS_COO_TO_CSR_H

#include "rows_meaning.h"
#include "../../../../proofs/lemmas/lines_fit.h"
#include "../../../check/coo/coo_rules.h"
#include "../../../view/columns.h"

#define SPW_TEMPLATE "../convert/indices/offsets/coo_to_csr_contract.inc"
#include "../../../core/each_index_type.h"

#endif
