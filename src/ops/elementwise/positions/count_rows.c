/* SPDX-License-Identifier: Apache-2.0 */
/* What rows of two CSR matrices have in common. */
#include <stdbool.h>
#include <stdint.h>

#define SPW_TEMPLATE "../ops/kernels/elementwise/common.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../spec/acsl/common_rows.acsl"
#include "../../../core/each_index_type.h"

#include "count_rows.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

/* So many indices of one row are compared with each of the other one at once. */
#define BLOCK (64 / (int64_t)sizeof(IDX))

#define SPW_TEMPLATE "../ops/kernels/elementwise/same_columns.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../ops/elementwise/positions/count_rows.inc"
#include "../../../core/each_index_type.h"
