/* SPDX-License-Identifier: Apache-2.0 */
#include "listed_at.h"
#include "../cells/coo_entry.h"

#define SPW_TEMPLATE "../convert/kernels/listed_at.inc"
#include "../../core/each_index_type.h"
