/* SPDX-License-Identifier: Apache-2.0 */
/* What rule 3.11 says of the size of a compressed tensor that has none, once its plain size is known. */
#ifndef SPW_CHECK_INFER_INFERRED_FITS_H
#define SPW_CHECK_INFER_INFERRED_FITS_H

#include "../../view/members.h"
#include "../finding.h"

#include "../../../spec/acsl/inferred_product.acsl"

/* Does n, in blocks, make an entry along sparse dimension i (0: rows, 1: columns) that fits in int64? */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires index: 0 <= i <= 1 && 0 <= n;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> n * block_size(t, i) <= INT64_MAX; */
int spw_entry_fits(const spw_tensor *t, int64_t i, int64_t n);

/* P is the plain size; the one in g is not looked at. */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires grid: is_grid(t, g);
    requires size: 0 <= g.batches && 0 <= g.C && 0 <= P;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED;
    ensures exact: \result.state == SPW_HOLDS <==> inferred_fits(t, P);
    ensures count: 0 <= \result.count && (\result.state == SPW_VIOLATED ==> 1 <= \result.count);
    ensures witness: \result.state == SPW_VIOLATED ==>
      \result.first.rule == SPW_RULE_3_11 && witness_inferred_3_11(t, P, \result.first); */
spw_finding spw_inferred_product(const spw_tensor *t, spw_grid g, int64_t P);

#endif
