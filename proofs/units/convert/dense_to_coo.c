/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO from dense, of a matrix, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/from_dense/uses.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/dense_to_coo_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/dense_to_coo.inc"
#include "../../../src/core/each_index_type.h"
