/* SPDX-License-Identifier: Apache-2.0 */
/* Dense matrices to compressed lines of their rows, of values that are scalars of 4 or 8 bytes. */
#ifndef SPW_CONVERT_KERNELS_FROM_DENSE_H
#define SPW_CONVERT_KERNELS_FROM_DENSE_H

#include "lines.h"
#include "meaning.h"
#include "times_at.h"

#define SPW_VALUE_TEMPLATE "../convert/kernels/from_dense_contract.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#endif
