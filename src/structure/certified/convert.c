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
static int certifies(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, const spw_tensor *made)
{
  if (spw_is_within(made, buffers) != 1 || spw_is_whole(made) != 1) return 0;
  if (spw_is_ready(tensor) != 1) return -1;
  if (spw_is_ready(made) != 1 || spw_is_as_asked(tensor, wanted, made) != 1) return 0;
  if (tensor->layout == SPW_COO && tensor->coalesced != SPW_CLAIM_YES) return spw_repeated_agree(tensor, wanted, made, buffers);
  const int drops = (int64_t)tensor->layout == SPW_LAYOUT_COUNT || wanted->prune;
  const int adds = (int64_t)made->layout == SPW_LAYOUT_COUNT || made->layout == SPW_BSR || made->layout == SPW_BSC;
  return spw_same_tensors(tensor, made, drops, adds, buffers, spw_certificate_bytes(tensor, wanted));
}

/*@ requires operand: honest_operand(tensor) && whole_valid(tensor) && \valid_read(wanted) && buffers_given(buffers);
    requires made: \valid_read(made) && (refusal != \null ==> \valid(refusal));
    terminates \true; exits \false; assigns *refusal;
    ensures certified: \result == SPW_OK ==> certified(tensor, wanted, buffers, made); */
/* level L1 */
static spw_status certify(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                          const spw_tensor *made, spw_refusal *refusal)
{
  const int certified = certifies(tensor, wanted, buffers, made);
  if (certified == 1) return SPW_OK;
  if (certified != 0) return SPW_EUNSUPPORTED;
  spw_refuse_made(refusal);
  return SPW_ERANGE;
}

/*@ requires given: conversion_given(tensor, wanted, buffers, made, refusal);
    terminates \true; exits \false;
    assigns *made, *refusal, buffers->dims[0 .. buffers->room.dims - 1],
      buffers->plain_i32[0 .. buffers->room.plain - 1], buffers->plain_i64[0 .. buffers->room.plain - 1],
      buffers->compressed_i32[0 .. buffers->room.compressed - 1], buffers->compressed_i64[0 .. buffers->room.compressed - 1];
    ensures certified: \result == SPW_OK ==> certified(tensor, wanted, buffers, made); */
/* level L1 */
static spw_status make_certified(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                 spw_tensor *made, spw_refusal *refusal)
{
  const int judged = spw_is_whole(tensor);
  const spw_status status = spw_attempt_conversion(tensor, wanted, buffers, judged, made, refusal);
  if (status != SPW_OK) return status;
  if (judged != 1) return SPW_EUNSUPPORTED;
  return certify(tensor, wanted, buffers, made, refusal);
}

/* What is made stands in *result until it is judged: a copy of it would have to be judged again. */
/* level L1 */
spw_status spw_convert_certified(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal)
{
  if (!tensor || !wanted || !buffers || !result) return SPW_EINVAL;
  const spw_tensor before = *result;
  const spw_status status = make_certified(tensor, wanted, buffers, result, refusal);
  if (status != SPW_OK) *result = before;
  return status;
}
