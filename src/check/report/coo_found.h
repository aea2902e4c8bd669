/* SPDX-License-Identifier: Apache-2.0 */
/* The rules over the indices of a COO tensor whose shape rules hold. */
#ifndef SPW_CHECK_REPORT_COO_FOUND_H
#define SPW_CHECK_REPORT_COO_FOUND_H

#include "report_frame.h"

/* What is found. */
typedef struct spw_coo_found {
  int bounded; /* the size is known, or has been inferred */
  spw_finding rule_1_6, rule_3_11; /* of the size, when it is inferred */
  spw_finding rule_6_5, rule_6_6, rule_6_7;
} spw_coo_found;

#define SPW_COO_UNVIOLATED(id) && f.rule_##id.state != SPW_VIOLATED
/*@ predicate coo_unviolated(spw_coo_found f) =
      f.rule_1_6.state != SPW_VIOLATED && f.rule_3_11.state != SPW_VIOLATED SPW_COO_INDEX_RULES(SPW_COO_UNVIOLATED); */
/*@ predicate coo_judged{L}(spw_tensor *t, integer level, spw_coo_found f) =
      columns_judged(t, level, f.rule_1_6, f.rule_3_11, f.rule_6_5, f.rule_6_6, f.rule_6_7); */
#define SPW_COO_SAYS(id) ensures index_##id: index_finding_##id(t, \result.rule_##id);

/* Looks at no index of a valid tensor; `order` is what is known of rule 6.7. */
/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    requires level: level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires verdict: verdict.valid == 1 <==> valid_up_to(t, level);
    requires order: order.state == (t->coalesced == SPW_CLAIM_YES ? SPW_NOT_EVALUATED : SPW_NOT_APPLICABLE);
    terminates \true; exits \false; assigns \nothing;
    SPW_COO_INDEX_RULES(SPW_COO_SAYS)
    ensures size: missing_size(t, \result.rule_1_6, \result.rule_3_11);
    ensures given: sized(t) ==> \result.rule_1_6.state != SPW_VIOLATED && \result.rule_3_11.state != SPW_VIOLATED;
    ensures judged: coo_judged(t, level, \result);
    ensures exact: coo_unviolated(\result) <==> verdict.valid == 1; */
spw_coo_found spw_look_at_coo(const spw_tensor *t, spw_level level, spw_verdict verdict, spw_finding order);

#endif
