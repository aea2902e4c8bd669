/* SPDX-License-Identifier: Apache-2.0 */
#include "report_frame.h"

#define HOLDS(id) r.findings[SPW_RULE_##id] = spw_holds();
#define UNKNOWN(id) r.findings[SPW_RULE_##id] = spw_and_unknown(spw_holds());

/* level L0 */
spw_report spw_blank_report(spw_finding finding)
{
  spw_report r;
  /*@ loop invariant range: 0 <= i <= SPW_RULE_COUNT;
      loop assigns i, r.findings[0 .. SPW_RULE_COUNT - 1];
      loop variant SPW_RULE_COUNT - i; */
  for (int i = 0; i < SPW_RULE_COUNT; i++) r.findings[i] = finding;
  r.valid = r.size_inferred = false;
  r.batches = r.compressed_size = r.plain_size = r.nse = -1;
  return r;
}

/* The rules that strided arrays on the host satisfy by construction. */
/*@ terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report hold_by_construction(spw_report r)
{
  r.findings[SPW_RULE_2_1] = r.findings[SPW_RULE_2_2] = r.findings[SPW_RULE_2_3] = spw_holds();
  r.findings[SPW_RULE_2_4] = spw_holds();
  r.findings[SPW_RULE_4_1] = r.findings[SPW_RULE_4_2] = spw_holds();
  r.findings[SPW_RULE_4_3] = r.findings[SPW_RULE_4_4] = spw_holds();
  return r;
}

/* level L0 */
spw_report spw_compressed_frame(const spw_tensor *t)
{
  spw_report r = hold_by_construction(spw_blank_report(spw_not_applicable()));
  HOLDS(3_7)
  UNKNOWN(5_1) UNKNOWN(5_2) UNKNOWN(5_3) UNKNOWN(5_4) UNKNOWN(5_5) UNKNOWN(5_6)
  const spw_number C = spw_compressed_size(t);
  if (C.known) r.compressed_size = C.value;
  const int64_t last = t->plain.array.ndim - 1;
  if (last >= 0 && t->plain.array.shape[last] >= 0) r.nse = t->plain.array.shape[last];
  return r;
}

/* level L0 */
spw_report spw_coo_frame(const spw_tensor *t)
{
  spw_report r = hold_by_construction(spw_blank_report(spw_not_applicable()));
  UNKNOWN(6_5) UNKNOWN(6_6)
  if (t->coalesced == SPW_CLAIM_YES) UNKNOWN(6_7)
  r.batches = 1;
  if (t->plain.array.ndim == 2 && t->plain.array.shape[1] >= 0) r.nse = t->plain.array.shape[1];
  return r;
}
