/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of BSR and BSC from dense, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/kernels/from_dense/uses.h"
#include "../../lemmas/lines_fit.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/blocks_from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/cells_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/each_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/blocks_of_dense_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/product.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/copy_run.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/from_dense/blocks_from_dense.inc"
#include "../../../src/core/each_index_type.h"
