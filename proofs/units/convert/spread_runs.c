/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of a row of each block of a compressed line to a dense array, for any payload. */
#include "../../../src/convert/payloads/any.h"
#include "../../../src/convert/cells/to_dense_lemmas.h"

#define SPW_TEMPLATE "../convert/cells/spread_runs_contract.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/copy_run.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/spread_runs.inc"
#include "../../../src/core/each_index_type.h"
