/* SPDX-License-Identifier: Apache-2.0 */
#include "starts.h"

#define SPW_TEMPLATE "../convert/indices/offsets/starts.inc"
#include "../../../core/each_index_type.h"
