/* SPDX-License-Identifier: Apache-2.0 */
/* Rules 6.5, 6.6 and 6.7 over the indices of a COO tensor, for int32 and int64.
 * Contracts: coo_rules.inc. */
#ifndef SPW_CHECK_COO_COO_RULES_H
#define SPW_CHECK_COO_COO_RULES_H

#include "../../view/columns.h"
#include "../finding.h"

/* What a scan of the indices found. */
typedef struct spw_column_hits {
  int64_t count;
  int64_t dim; /* the first violation is at entry (dim, column) */
  int64_t column;
  int64_t lhs;
  int64_t rhs;
} spw_column_hits;

#define SPW_TEMPLATE "../check/coo/coo_rules.inc"
#include "../../core/each_index_type.h"

#endif
