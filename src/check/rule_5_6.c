/* SPDX-License-Identifier: Apache-2.0 */
#include "index_rules.h"

#define SPW_TEMPLATE "../check/rule_5_6.inc"
#include "../core/each_index_type.h"
