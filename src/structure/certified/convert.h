/* SPDX-License-Identifier: Apache-2.0 */
/* The theorem about certified conversions. */
#ifndef SPW_STRUCTURE_CERTIFIED_CONVERT_H
#define SPW_STRUCTURE_CERTIFIED_CONVERT_H

#include "assumed.h"

/*@ predicate certified_given{L}(spw_tensor *t, spw_conversion *w, spw_buffers *b, spw_tensor *r, spw_refusal *refusal) =
      t != \null && w != \null && b != \null && r != \null ==> conversion_given(t, w, b, r, refusal); */

/* What sparsewright_certified.h says of it. */
/*@ requires given: certified_given(tensor, wanted, buffers, result, refusal);
    terminates \true; exits \false;
    assigns *result, *refusal, buffers->dims[0 .. buffers->room.dims - 1],
      buffers->plain_i32[0 .. buffers->room.plain - 1], buffers->plain_i64[0 .. buffers->room.plain - 1],
      buffers->compressed_i32[0 .. buffers->room.compressed - 1], buffers->compressed_i64[0 .. buffers->room.compressed - 1];
    ensures certified: \result == SPW_OK ==> certified(tensor, wanted, buffers, result);
    ensures untouched: result != \null && \result != SPW_OK ==> *result == \old(*result); */
spw_status spw_convert_certified(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal);

#endif
