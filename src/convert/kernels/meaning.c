/* SPDX-License-Identifier: Apache-2.0 */
#include "meaning.h"

#define SPW_TEMPLATE "../convert/kernels/meaning.inc"
#include "../../core/each_index_type.h"
