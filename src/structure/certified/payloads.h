/* SPDX-License-Identifier: Apache-2.0 */
/* The storage of values, as payloads. */
#ifndef SPW_STRUCTURE_CERTIFIED_PAYLOADS_H
#define SPW_STRUCTURE_CERTIFIED_PAYLOADS_H

#include "side.h"

/*@ requires readable: \valid_read(values) && 0 <= values->array.length <= INT64_MAX / 2 && 1 <= parts <= 2;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result.first == values->data && \result.length == values->array.length * parts && \result.width == width; */
spw_payloads spw_payloads_of(const spw_value_array *values, int64_t parts, int64_t width);

/* A buffer for them. */
/*@ requires readable: \valid_read(b);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result.first == b->values && \result.length == b->room.values && \result.width == width; */
spw_payloads spw_payloads_of_buffer(const spw_buffers *b, int64_t width);

#endif
