/* SPDX-License-Identifier: Apache-2.0 */
#include "slots.h"

#define SPW_TEMPLATE "../convert/kernels/slots.inc"
#include "../../core/each_index_type.h"
