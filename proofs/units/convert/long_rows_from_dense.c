/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO from dense, of any number of dimensions with long rows, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/cells/from_dense_lemmas.h"
#include "../../../src/convert/kernels/place_columns.h"

#define SPW_TEMPLATE "../convert/cells/from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/dense_to_coo_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/dense_to_columns_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/long_rows_from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/listed_entries.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/long_rows_from_dense.inc"
#include "../../../src/core/each_index_type.h"
