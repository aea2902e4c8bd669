/* SPDX-License-Identifier: Apache-2.0 */
/* The structure and canonical rules of the compressed layouts, for int32 and int64 indices:
 *   spw_rule_5_x_i32(c, p, C, P, nse)   one batch
 *   spw_batches_5_x_i32(c, p, grid)     all batches
 * Contracts: index_rule.inc. */
#ifndef SPW_CHECK_INDEX_INDEX_RULES_H
#define SPW_CHECK_INDEX_INDEX_RULES_H

#include "../finding.h"
#include "../../view/grid.h"

#define SPW_TEMPLATE "../check/index/index_rules.inc"
#include "../../core/each_index_type.h"

#endif
