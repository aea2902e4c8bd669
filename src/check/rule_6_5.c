/* SPDX-License-Identifier: Apache-2.0 */
#include "columns.h"

#define SPW_TEMPLATE "../check/rule_6_5.inc"
#include "../core/each_index_type.h"
