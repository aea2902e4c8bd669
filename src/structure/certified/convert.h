/* SPDX-License-Identifier: Apache-2.0 */
/* The theorem about certified conversions. */
#ifndef SPW_STRUCTURE_CERTIFIED_CONVERT_H
#define SPW_STRUCTURE_CERTIFIED_CONVERT_H

#include "assumed.h"

/* Converts into the buffers and *a. SPW_OK: a->made is certified. */
/*@ requires given: attempt_given(tensor, wanted, buffers, a, refusal);
    terminates \true; exits \false;
    assigns *a, *refusal, buffers->dims[0 .. buffers->room.dims - 1],
      buffers->plain_i32[0 .. buffers->room.plain - 1], buffers->plain_i64[0 .. buffers->room.plain - 1],
      buffers->compressed_i32[0 .. buffers->room.compressed - 1], buffers->compressed_i64[0 .. buffers->room.compressed - 1];
    ensures certified: \result == SPW_OK ==> certified(tensor, wanted, buffers, &a->made); */
spw_status spw_attempt_certified(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                 spw_attempt *a, spw_refusal *refusal);

#endif
