/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO from dense, of any number of dimensions, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/from_dense/uses.h"
#include "../../../src/convert/indices/coordinates/place_columns.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/dense_to_columns_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/dense_to_columns.inc"
#include "../../../src/core/each_index_type.h"
