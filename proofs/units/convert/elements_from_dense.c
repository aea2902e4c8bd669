/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO from dense, of elements of several scalars, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/cells/from_dense_lemmas.h"
#include "../../../src/convert/kernels/lines_fit.h"
#include "../../../src/convert/kernels/place_columns.h"

#define SPW_TEMPLATE "../convert/cells/from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/blocks_from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/elements_from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/elements_from_dense.inc"
#include "../../../src/core/each_index_type.h"
