/* SPDX-License-Identifier: Apache-2.0 */
/* The fast verdict on the indices of a COO tensor. */
#ifndef SPW_CHECK_FAST_COUNT_COLUMNS_H
#define SPW_CHECK_FAST_COUNT_COLUMNS_H

#include "../coo/coo_rules.h"

#define SPW_TEMPLATE "../check/fast/count_columns_contract.inc"
#include "../../core/each_index_type.h"

#endif
