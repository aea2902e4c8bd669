/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of BSR and BSC from dense, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/cells/from_dense_lemmas.h"
#include "../../../src/convert/kernels/lines_fit.h"

#define SPW_TEMPLATE "../convert/cells/from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/blocks_from_dense_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/lines_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/cells_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/each_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/blocks_of_dense_frame.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/product.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/copy_run.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/blocks_from_dense.inc"
#include "../../../src/core/each_index_type.h"
