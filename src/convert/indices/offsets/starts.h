/* SPDX-License-Identifier: Apache-2.0 */
/* Where each line starts when the other dimension is compressed: spw_start_lines_i32,
 * spw_start_lines_i64, spw_write_starts_i32, spw_write_starts_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_STARTS_H
#define SPW_CONVERT_INDICES_OFFSETS_STARTS_H

#include "../../../../proofs/lemmas/slots.h"

#define SPW_TEMPLATE "../convert/indices/offsets/starts.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

/* Where lines start, of the same elements compressed by their minor index. */

/* cursor[j]: how many of the n minor indices are below j.
 *   in    minor[n], each at least 0 and below minor_size
 *   out   cursor[minor_size]
 * Time: n + minor_size. */
/*@ requires sizes: 0 <= n && 0 <= minor_size && N(minors)(minor, n, minor_size);
    requires memory: \valid_read(minor + (0 .. n - 1)) && \valid(cursor + (0 .. minor_size - 1));
    terminates \true; exits \false; assigns cursor[0 .. minor_size - 1];
    ensures starts: \forall integer j; 0 <= j < minor_size ==> cursor[j] == N(minor_below)(minor, j, n); */
void N(spw_start_lines)(const IDX *minor, int64_t n, int64_t minor_size, uint64_t *cursor);

/* out_ptr[0] is 0, out_ptr[j + 1] is cursor[j].
 *   in    cursor[size], each at most the largest IDX
 *   out   out_ptr[size + 1]
 * Time: size. */
/*@ requires sizes: 0 <= size < INT64_MAX;
    requires memory: \valid_read(cursor + (0 .. size - 1)) && \valid(out_ptr + (0 .. size));
    requires small: \forall integer j; 0 <= j < size ==> cursor[j] <= IDX_MAX;
    terminates \true; exits \false; assigns out_ptr[0 .. size];
    ensures first: out_ptr[0] == 0;
    ensures next: \forall integer j; 1 <= j <= size ==> out_ptr[j] == cursor[j - 1]; */
void N(spw_write_starts)(const uint64_t *cursor, int64_t size, IDX *out_ptr);

#endif
