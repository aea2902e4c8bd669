/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of COO in order to dense, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/coordinates/coo_entry.h"

#define SPW_TEMPLATE "../convert/kernels/to_dense/coo_to_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/to_dense/clear.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/coo_places.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/copy_run.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/to_dense/coo_to_dense.inc"
#include "../../../src/core/each_index_type.h"
