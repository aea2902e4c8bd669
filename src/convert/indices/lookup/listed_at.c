/* SPDX-License-Identifier: Apache-2.0 */
#include "listed_at.h"
#include "../coordinates/coo_entry.h"

#define SPW_TEMPLATE "../convert/indices/lookup/listed_at.inc"
#include "../../../core/each_index_type.h"
