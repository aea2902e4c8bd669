/* SPDX-License-Identifier: Apache-2.0 */
#include "from_dense.h"

/* Zeros are skipped so many at a time. */
#define SPW_GROUP 8

#define SPW_VALUE_TEMPLATE "../convert/kernels/from_dense.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE
