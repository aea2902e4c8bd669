/* SPDX-License-Identifier: Apache-2.0 */
#include "coo_to_csr.h"

#define SPW_TEMPLATE "../convert/indices/offsets/coo_to_csr.inc"
#include "../../../core/each_index_type.h"
