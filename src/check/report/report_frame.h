/* SPDX-License-Identifier: Apache-2.0 */
/* A report before any rule is judged: which rules apply, which hold by construction, and the
 * quantities. */
#ifndef SPW_CHECK_REPORT_REPORT_FRAME_H
#define SPW_CHECK_REPORT_REPORT_FRAME_H

#include "../shape/shape_rules.h"
#include "../verdict.h"

#define SPW_TEMPLATE "../../spec/acsl/index_findings.acsl"
#include "../../core/each_index_type.h"

#include "../../../spec/acsl/report.acsl"

/* Every rule in the same state, no quantity known. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures rules: \forall integer i; 0 <= i < SPW_RULE_COUNT ==> \result.findings[i].state == finding.state;
    ensures unknown: \result.valid == 0 && \result.size_inferred == 0 && \result.batches == -1 &&
      \result.compressed_size == -1 && \result.plain_size == -1 && \result.nse == -1; */
spw_report spw_blank_report(spw_finding finding);

#define SPW_SAYS(id) ensures rule_##id: finding_##id(t, \result.findings[SPW_RULE_##id]);
#define SPW_SAYS_OF_INDICES(id) ensures index_##id: index_finding_##id(t, \result.findings[SPW_RULE_##id]);
#define SPW_FRAME_HOLDS(id) ensures rule_##id: \result.findings[SPW_RULE_##id].state == SPW_HOLDS;
#define SPW_FRAME_UNKNOWN(id) \
  ensures rule_##id: \result.findings[SPW_RULE_##id].state == SPW_NOT_EVALUATED; \
  SPW_SAYS_OF_INDICES(id)
#define SPW_FRAME_NOTHING(id) ensures rule_##id: \result.findings[SPW_RULE_##id].state == SPW_NOT_APPLICABLE;

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    SPW_CONSTRUCTED_RULES(SPW_FRAME_HOLDS) SPW_FRAME_HOLDS(3_7)
    SPW_COMPRESSED_INDEX_RULES(SPW_FRAME_UNKNOWN) SPW_NOT_OF_COMPRESSED(SPW_FRAME_NOTHING)
    ensures valid: \result.valid == 0;
    ensures batches: \result.size_inferred == 0 && \result.batches == -1 && \result.plain_size == -1;
    ensures size: has_C(t) ==> \result.compressed_size == C_of(t);
    ensures no_size: !has_C(t) ==> \result.compressed_size == -1;
    ensures nse: has_nse(t) && 0 <= nse_of(t) ==> \result.nse == nse_of(t);
    ensures no_nse: !(has_nse(t) && 0 <= nse_of(t)) ==> \result.nse == -1; */
spw_report spw_compressed_frame(const spw_tensor *t);

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    SPW_CONSTRUCTED_RULES(SPW_FRAME_HOLDS) SPW_FRAME_UNKNOWN(6_5) SPW_FRAME_UNKNOWN(6_6)
    SPW_NOT_OF_COO(SPW_FRAME_NOTHING)
    ensures rule_6_7: \result.findings[SPW_RULE_6_7].state ==
      (t->coalesced == SPW_CLAIM_YES ? SPW_NOT_EVALUATED : SPW_NOT_APPLICABLE);
    ensures index_6_7: index_finding_6_7(t, \result.findings[SPW_RULE_6_7]);
    ensures valid: \result.valid == 0;
    ensures batches: \result.size_inferred == 0 && \result.batches == 1;
    ensures sizes: \result.compressed_size == -1 && \result.plain_size == -1;
    ensures nse: has_indices(t) && 0 <= coo_nse(t) ==> \result.nse == coo_nse(t);
    ensures no_nse: !(has_indices(t) && 0 <= coo_nse(t)) ==> \result.nse == -1; */
spw_report spw_coo_frame(const spw_tensor *t);

#endif
