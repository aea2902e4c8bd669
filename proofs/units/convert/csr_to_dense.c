/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of CSR to dense, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/cells/to_dense_lemmas.h"

#define SPW_TEMPLATE "../convert/cells/spread_line_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/to_dense_contracts.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/clear.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/dense_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/csr_to_dense.inc"
#include "../../../src/core/each_index_type.h"
