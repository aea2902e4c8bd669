/* SPDX-License-Identifier: Apache-2.0 */
/* The rules over the indices of a compressed tensor whose shape rules hold. */
#ifndef SPW_CHECK_REPORT_COMPRESSED_FOUND_H
#define SPW_CHECK_REPORT_COMPRESSED_FOUND_H

#include "report_frame.h"

/* What is found. */
typedef struct spw_compressed_found {
  int64_t batches;    /* -1: more than int64 can number, nothing is looked at */
  int64_t plain_size; /* -1: unknown */
  spw_finding rule_1_6, rule_3_11; /* of the size, when it is inferred */
  spw_finding rule_5_1, rule_5_2, rule_5_3, rule_5_4, rule_5_5, rule_5_6;
} spw_compressed_found;

#define SPW_FOUND_UNVIOLATED(id) && f.rule_##id.state != SPW_VIOLATED
/*@ predicate compressed_unviolated(spw_compressed_found f) =
      f.rule_1_6.state != SPW_VIOLATED && f.rule_3_11.state != SPW_VIOLATED SPW_COMPRESSED_INDEX_RULES(SPW_FOUND_UNVIOLATED); */
/*@ predicate found_judged{L}(spw_tensor *t, integer level, spw_compressed_found f) =
      compressed_judged(t, level, f.rule_1_6, f.rule_3_11, f.rule_5_1, f.rule_5_2, f.rule_5_3, f.rule_5_4, f.rule_5_5, f.rule_5_6); */
#define SPW_FOUND_SAYS(id) ensures index_##id: index_finding_##id(t, \result.rule_##id);

/* Looks at no index of a valid tensor. */
/*@ requires readable: tensor_readable(t);
    requires storage: readable_indices(&t->compressed) && readable_indices(&t->plain);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires verdict: verdict.valid == 1 <==> valid_up_to(t, level);
    requires batches: level != SPW_SHAPE ==> !batches_overflow(t);
    terminates \true; exits \false; assigns \nothing;
    SPW_COMPRESSED_INDEX_RULES(SPW_FOUND_SAYS)
    ensures size: missing_size(t, \result.rule_1_6, \result.rule_3_11);
    ensures given: sized(t) ==> \result.rule_1_6.state != SPW_VIOLATED && \result.rule_3_11.state != SPW_VIOLATED;
    ensures judged: found_judged(t, level, \result);
    ensures exact: compressed_unviolated(\result) <==> verdict.valid == 1; */
spw_compressed_found spw_look_at_compressed(const spw_tensor *t, spw_level level, spw_verdict verdict);

#endif
