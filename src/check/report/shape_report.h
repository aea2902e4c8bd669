/* SPDX-License-Identifier: Apache-2.0 */
/* A report once the shape rules are judged, which look at no index. */
#ifndef SPW_CHECK_REPORT_SHAPE_REPORT_H
#define SPW_CHECK_REPORT_SHAPE_REPORT_H

#include "report_frame.h"

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 0;
    SPW_COMPRESSED_SHAPE_RULES(SPW_SAYS)
    SPW_CONSTRUCTED_RULES(SPW_FRAME_HOLDS) SPW_FRAME_HOLDS(3_7)
    SPW_COMPRESSED_INDEX_RULES(SPW_FRAME_UNKNOWN) SPW_NOT_OF_COMPRESSED(SPW_FRAME_NOTHING)
    ensures found: each_unviolated(\result) ==> compressed_shape(t);
    ensures missing_1_6: !sized(t) ==> \result.findings[SPW_RULE_1_6].state != SPW_HOLDS;
    ensures missing_3_11: !sized(t) ==> \result.findings[SPW_RULE_3_11].state != SPW_HOLDS; */
spw_report spw_compressed_shape_report(const spw_tensor *t);

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 0;
    SPW_COO_SHAPE_RULES(SPW_SAYS)
    SPW_CONSTRUCTED_RULES(SPW_FRAME_HOLDS) SPW_FRAME_UNKNOWN(6_5) SPW_FRAME_UNKNOWN(6_6)
    SPW_NOT_OF_COO(SPW_FRAME_NOTHING)
    ensures rule_6_7: \result.findings[SPW_RULE_6_7].state ==
      (t->coalesced == SPW_CLAIM_YES ? SPW_NOT_EVALUATED : SPW_NOT_APPLICABLE);
    ensures index_6_7: index_finding_6_7(t, \result.findings[SPW_RULE_6_7]);
    ensures found: each_unviolated(\result) ==> coo_shape(t);
    ensures missing_1_6: !sized(t) ==> \result.findings[SPW_RULE_1_6].state != SPW_HOLDS;
    ensures missing_3_11: !sized(t) ==> \result.findings[SPW_RULE_3_11].state != SPW_HOLDS; */
spw_report spw_coo_shape_report(const spw_tensor *t);

/* The layout is none of the five: nothing else can be said. */
/*@ requires readable: \valid_read(t);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 0;
    ensures layout: unknown_layout(t, \result); */
spw_report spw_unknown_layout_report(const spw_tensor *t);

#endif
