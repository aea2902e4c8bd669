/* SPDX-License-Identifier: Apache-2.0 */
/* The indices of a COO tensor. */
#ifndef SPW_VIEW_COLUMNS_H
#define SPW_VIEW_COLUMNS_H

#include "../core/size.h"

/* Where the indices of a COO tensor lie, which satisfies rule 3.14. */
typedef struct spw_columns {
  int64_t sparse_dim;
  int64_t nse;
  int64_t start;      /* storage element of entry (0, 0) */
  int64_t dim_stride; /* from one sparse dimension to the next */
  int64_t stride;     /* from one element to the next */
} spw_columns;

/*@ predicate columns_inside(spw_columns g, integer length) =
      0 <= g.sparse_dim && 0 <= g.nse && 0 <= g.start && 0 <= g.dim_stride && 0 <= g.stride &&
      0 <= length <= INT64_MAX &&
      (g.sparse_dim > 0 && g.nse > 0 ==>
        g.start + (g.sparse_dim - 1) * g.dim_stride + (g.nse - 1) * g.stride < length); */

/* Storage element of entry (d, k). */
/*@ requires inside: columns_inside(g, length);
    requires entry: 0 <= d < g.sparse_dim && 0 <= k < g.nse;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == g.start + d * g.dim_stride + k * g.stride;
    ensures inside: 0 <= \result < length; */
int64_t spw_column_at(spw_columns g, int64_t length, int64_t d, int64_t k);

#define SPW_TEMPLATE "../../spec/acsl/coo.acsl"
#include "../core/each_index_type.h"

#endif
