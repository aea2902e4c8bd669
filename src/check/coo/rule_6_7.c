/* SPDX-License-Identifier: Apache-2.0 */
#include "coo_rules.h"

#define SPW_TEMPLATE "../check/coo/rule_6_7.inc"
#include "../../core/each_index_type.h"
