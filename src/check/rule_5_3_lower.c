/* SPDX-License-Identifier: Apache-2.0 */
#include "index_rules.h"

#define SPW_TEMPLATE "../check/rule_5_3_lower.inc"
#include "../core/each_index_type.h"
