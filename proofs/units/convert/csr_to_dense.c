/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of CSR to dense, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/to_dense/uses.h"

#define SPW_TEMPLATE "../convert/kernels/to_dense/spread_line_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/to_dense/to_dense_contracts.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/to_dense/clear.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/dense_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/to_dense/csr_to_dense.inc"
#include "../../../src/core/each_index_type.h"
