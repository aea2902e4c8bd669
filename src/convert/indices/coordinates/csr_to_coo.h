/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to COO, all batches at once: spw_csr_to_coo_i32, spw_csr_to_coo_i64. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_CSR_TO_COO_H
#define SPW_CONVERT_INDICES_COORDINATES_CSR_TO_COO_H

#include "../../../../proofs/lemmas/batch_columns.h"
#include "batch_lines.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/csr_to_coo_contract.inc"
#include "../../../core/each_index_type.h"

#endif
