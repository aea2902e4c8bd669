/* SPDX-License-Identifier: Apache-2.0 */
#include "lines_fit.h"

#define SPW_TEMPLATE "../convert/kernels/lines_fit.inc"
#include "../../core/each_index_type.h"
