/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of the elements of one batch, from compressed to one by one and back: spw_expand_rows_i32,
 * spw_expand_rows_i64, spw_compress_rows_i32, spw_compress_rows_i64. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_ROWS_H
#define SPW_CONVERT_INDICES_OFFSETS_ROWS_H

#include "../../../../proofs/lemmas/lines.h"

#define SPW_TEMPLATE "../convert/indices/offsets/rows.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

/* out_row[k] is the line of element k: the i with ptr[i] <= k < ptr[i + 1].
 *   in    ptr[major + 1]: rules 5.1 to 5.3 (its steps may have any length)
 *   out   out_row[n], apart from ptr
 * major and n are at most the largest IDX. Time: n + major. */
/*@ requires sizes: 0 <= major <= IDX_MAX && major < INT64_MAX && 0 <= n <= IDX_MAX;
    requires readable: \valid_read(ptr + (0 .. major));
    requires lines: N(offsets)(ptr, major, n);
    requires writable: \valid(out_row + (0 .. n - 1));
    requires apart: \separated(ptr + (0 .. major), out_row + (0 .. n - 1));
    terminates \true; exits \false; assigns out_row[0 .. n - 1];
    ensures expanded: \forall integer k; 0 <= k < n ==> out_row[k] == N(line_of){Pre}(ptr, major, k);
    ensures range: N(minors)(out_row, n, major);
    ensures sorted: \forall integer a, b; 0 <= a <= b < n ==> out_row[a] <= out_row[b]; */
void N(spw_expand_rows)(const IDX *ptr, int64_t major, int64_t n, IDX *out_row);

/* The reverse: the elements of line i are those from out_ptr[i] to before out_ptr[i + 1].
 *   in    row[n]: never falls, each at least 0 and below major
 *   out   out_ptr[major + 1], apart from row
 * major and n are at most the largest IDX. Time: n + major. */
/*@ requires sizes: 0 <= major <= IDX_MAX && major < INT64_MAX && 0 <= n <= IDX_MAX;
    requires readable: \valid_read(row + (0 .. n - 1));
    requires range: N(minors)(row, n, major);
    requires sorted: \forall integer a, b; 0 <= a <= b < n ==> row[a] <= row[b];
    requires writable: \valid(out_ptr + (0 .. major));
    requires apart: \separated(out_ptr + (0 .. major), row + (0 .. n - 1));
    terminates \true; exits \false; assigns out_ptr[0 .. major];
    ensures compressed: N(offsets)(out_ptr, major, n);
    ensures lines: \forall integer i, k; 0 <= i < major && 0 <= k < n ==>
      (out_ptr[i] <= k < out_ptr[i + 1] <==> \at(row[k],Pre) == i); */
void N(spw_compress_rows)(const IDX *row, int64_t n, int64_t major, IDX *out_ptr);

#endif
