/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions that give a result only once it is checked and certified. Nothing here trusts what a conversion has made. */
#include "../../check/verdict.h"
#include "asked.h"
#include "convert.h"
#include "ready.h"
#include "within.h"

/* 1: what was made is certified; 0: it is not; -1: this is left to others. */
/*@ requires operand: honest_operand(tensor) && whole_valid(tensor) && \valid_read(wanted) && buffers_given(buffers);
    requires made: \valid_read(made);
    terminates \true; exits \false; assigns \nothing;
    ensures certified: \result == 1 ==> certified(tensor, wanted, buffers, made); */
/* level L1 */
static int certifies(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, const spw_tensor *made,
                     int64_t bytes)
{
  if (spw_is_within(made, buffers) != 1 || spw_is_whole(made) != 1) return 0;
  if (spw_is_ready(tensor) != 1) return -1;
  if (spw_is_ready(made) != 1 || spw_is_as_asked(tensor, wanted, made) != 1) return 0;
  if (tensor->layout == SPW_COO && tensor->coalesced != SPW_CLAIM_YES) return spw_repeated_agree(tensor, wanted, made, buffers);
  const int drops = (int64_t)tensor->layout == SPW_LAYOUT_COUNT || wanted->prune;
  const int adds = (int64_t)made->layout == SPW_LAYOUT_COUNT || made->layout == SPW_BSR || made->layout == SPW_BSC;
  return spw_same_tensors(tensor, made, drops, adds, buffers, bytes);
}

/*@ requires operand: honest_operand(tensor) && whole_valid(tensor) && \valid_read(wanted) && buffers_given(buffers);
    requires made: \valid_read(made) && (refusal != \null ==> \valid(refusal));
    terminates \true; exits \false; assigns *refusal;
    ensures certified: \result == SPW_OK ==> certified(tensor, wanted, buffers, made); */
/* level L1 */
static spw_status certify(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                          const spw_tensor *made, int64_t bytes, spw_refusal *refusal)
{
  const int certified = certifies(tensor, wanted, buffers, made, bytes);
  if (certified == 1) return SPW_OK;
  if (certified != 0) return SPW_EUNSUPPORTED;
  spw_refuse_made(refusal);
  return SPW_ERANGE;
}

/* level L1 */
spw_status spw_attempt_certified(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                 spw_attempt *a, spw_refusal *refusal)
{
  const int judged = spw_is_whole(tensor);
  const spw_status status = spw_attempt_conversion(tensor, wanted, buffers, judged, a, refusal);
  if (status != SPW_OK) return status;
  if (judged != 1) return SPW_EUNSUPPORTED;
  return certify(tensor, wanted, buffers, &a->made, a->bytes, refusal);
}
