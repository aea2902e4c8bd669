/* SPDX-License-Identifier: Apache-2.0 */
/* The size of a tensor that has none, from its indices, and what rules 1.6 and 3.11 say of it. */
#ifndef SPW_CHECK_INFER_INFERENCE_H
#define SPW_CHECK_INFER_INFERENCE_H

#include "../../view/members.h"
#include "inferred_fits.h"
#include "range_of.h"
#include "../coo/coo_rules.h"

/* known: no index is negative and every size fits in the index type. */
typedef struct spw_inference {
  int known;
  int64_t P; /* compressed layouts, when known: one more than the largest plain index, 0 for none */
  spw_finding rule_1_6;
  spw_finding rule_3_11;
} spw_inference;

/*@
  // what rule 3.11 says of a size with the plain size P
  predicate missing_3_11{L}(spw_tensor *t, integer P, spw_finding f) =
    (f.state == SPW_HOLDS ==> inferred_fits(t, P)) &&
    (f.state == SPW_VIOLATED ==> !inferred_fits(t, P) && witness_inferred_3_11(t, P, f.first));
*/

#define SPW_TEMPLATE "../check/infer/inference_of.inc"
#include "../../core/each_index_type.h"

#endif
