/* SPDX-License-Identifier: Apache-2.0 */
/* Element types as payloads. */
#ifndef SPW_STRUCTURE_CERTIFIED_TYPES_H
#define SPW_STRUCTURE_CERTIFIED_TYPES_H

#include "../../sparsewright_core.h"
#include "../../../spec/acsl/payload_types.acsl"

/* Payloads of an element. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == payload_parts(dtype) && 1 <= \result <= 2; */
int64_t spw_payload_parts(spw_dtype dtype);

/* Bytes of a payload; 0 of what is no element type. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == payload_width(dtype) && 0 <= \result <= 8; */
int64_t spw_payload_width(spw_dtype dtype);

#endif
