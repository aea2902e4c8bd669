/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#define SPW_TEMPLATE "../convert/kernels/lines.inc"
#include "../../core/each_index_type.h"
