/* SPDX-License-Identifier: Apache-2.0 */
#include "lemmas.h"

#define HOLDS(id) r.findings[SPW_RULE_##id] = holds;
#define UNKNOWN(id) r.findings[SPW_RULE_##id] = unknown;

/* level L2 */
spw_report spw_blank_report(spw_finding finding)
{
  spw_report r;
  /*@ loop invariant range: 0 <= i <= SPW_RULE_COUNT;
      loop invariant done: \forall integer k; 0 <= k < i ==> r.findings[k].state == finding.state;
      loop assigns i, r.findings[0 .. SPW_RULE_COUNT - 1];
      loop variant SPW_RULE_COUNT - i; */
  for (int i = 0; i < SPW_RULE_COUNT; i++) r.findings[i] = finding;
  r.valid = r.size_inferred = false;
  r.batches = r.compressed_size = r.plain_size = r.nse = -1;
  return r;
}

/* nse, when it is the entry `dim` of the plain indices' shape, else -1 */
/*@ requires readable: tensor_readable(t);
    requires entry: dim < t->plain.array.ndim;
    terminates \true; exits \false; assigns \nothing;
    ensures known: 0 <= dim && 0 <= t->plain.array.shape[dim] ==> \result == t->plain.array.shape[dim];
    ensures unknown: !(0 <= dim && 0 <= t->plain.array.shape[dim]) ==> \result == -1; */
/* level L2 */
static int64_t nse_at(const spw_tensor *t, int64_t dim)
{
  return dim >= 0 && t->plain.array.shape[dim] >= 0 ? t->plain.array.shape[dim] : -1;
}

/* level L2 */
spw_report spw_compressed_frame(const spw_tensor *t)
{
  const spw_finding holds = spw_holds(), unknown = spw_and_unknown(holds);
  //@ ghost lem_says_nothing(t, unknown);
  const spw_number C = spw_compressed_size(t);
  spw_report r = spw_blank_report(spw_not_applicable());
  SPW_CONSTRUCTED_RULES(HOLDS)
  HOLDS(3_7)
  SPW_COMPRESSED_INDEX_RULES(UNKNOWN)
  r.compressed_size = C.known ? C.value : -1;
  r.nse = nse_at(t, t->plain.array.ndim - 1);
  return r;
}

/* level L2 */
spw_report spw_coo_frame(const spw_tensor *t)
{
  const spw_finding holds = spw_holds(), unknown = spw_and_unknown(holds), none = spw_not_applicable();
  const spw_finding order = t->coalesced == SPW_CLAIM_YES ? unknown : none;
  //@ ghost lem_says_nothing(t, unknown);
  //@ ghost lem_says_nothing(t, order);
  spw_report r = spw_blank_report(none);
  SPW_CONSTRUCTED_RULES(HOLDS)
  UNKNOWN(6_5) UNKNOWN(6_6)
  r.findings[SPW_RULE_6_7] = order;
  r.batches = 1;
  r.nse = nse_at(t, t->plain.array.ndim == 2 ? 1 : -1);
  return r;
}
