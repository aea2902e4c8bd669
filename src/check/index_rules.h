/* SPDX-License-Identifier: Apache-2.0 */
/* The structure and canonical rules of the compressed layouts, for int32 and int64 indices:
 *   spw_rule_5_x_i32(c, p, C, P, nse)   one batch
 *   spw_batches_5_x_i32(c, p, grid)     all batches
 * Contracts: index_rules.inc. */
#ifndef SPW_CHECK_INDEX_RULES_H
#define SPW_CHECK_INDEX_RULES_H

#include "finding.h"
#include "grid.h"

/* What a finding says: the rule holds in every batch, or it is broken, first at the place that is named. */
#define SPW_FINDING_OF(id, where) \
  0 <= f.count && (f.state == SPW_HOLDS ==> N(batches_##id)(c, p, g)) && \
  (f.state == SPW_VIOLATED ==> 1 <= f.count && !N(batches_##id)(c, p, g) && f.first.rule == SPW_RULE_##id && \
    f.first.member == where && 0 <= f.first.batch < g.batches && \
    N(first_##id)(c + compressed_start(g, f.first.batch), p + plain_start(g, f.first.batch), \
                  g.C, g.P, g.nse, f.first.position, f.first.lhs, f.first.rhs) && \
    (\forall integer b; 0 <= b < f.first.batch ==> \
      N(rule_##id)(c + compressed_start(g, b), p + plain_start(g, b), g.C, g.P, g.nse)))

#define SPW_TEMPLATE "../check/index_rules.inc"
#include "../core/each_index_type.h"

#endif
