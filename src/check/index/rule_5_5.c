/* SPDX-License-Identifier: Apache-2.0 */
#include "index_rules.h"

#define SPW_TEMPLATE "../check/index/rule_5_5.inc"
#include "../../core/each_index_type.h"

#define RULE 5_5
#define RULE_ID SPW_RULE_5_5
#define RULE_MEMBER SPW_MEMBER_PLAIN
#define SPW_TEMPLATE "../check/index/batches.inc"
#include "../../core/each_index_type.h"
