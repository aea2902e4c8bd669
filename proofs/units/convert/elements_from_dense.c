/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO from dense, of elements of several scalars, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/from_dense/uses.h"
#include "../../lemmas/lines_fit.h"
#include "../../../src/convert/indices/coordinates/place_columns.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/blocks_from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/elements_from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/elements_from_dense.inc"
#include "../../../src/core/each_index_type.h"
