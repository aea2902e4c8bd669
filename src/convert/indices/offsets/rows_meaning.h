/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to COO and back, of one batch, with what the result means: spw_expand_meaning_i32 ... are the kernels of rows.h with
 * that as their contract. */
#ifndef SPW_CONVERT_INDICES_OFFSETS_ROWS_MEANING_H
#define SPW_CONVERT_INDICES_OFFSETS_ROWS_MEANING_H

#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "rows.h"

#define SPW_TEMPLATE "../convert/indices/offsets/rows_meaning.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

/* The cells of a list and those of compressed lines are the same, each at the same place (statements M1 to M4): plain
 * indices and values stay where they are. */

/* spw_expand_rows of a batch that satisfies rules 5.1 to 5.6; plain are its plain indices, below columns. */
/*@ requires sizes: 0 <= major <= IDX_MAX && major < INT64_MAX && 0 <= columns && 0 <= n <= IDX_MAX;
    requires readable: \valid_read(ptr + (0 .. major)) && \valid_read(plain + (0 .. n - 1));
    requires lines: N(offsets)(ptr, major, n) && N(minors)(plain, n, columns) && N(rule_5_6)(ptr, plain, major, columns, n);
    requires writable: \valid(out_row + (0 .. n - 1));
    requires apart: \separated(ptr + (0 .. major), out_row + (0 .. n - 1)) &&
      \separated(plain + (0 .. n - 1), out_row + (0 .. n - 1));
    terminates \true; exits \false; assigns out_row[0 .. n - 1];
    ensures range: N(minors)(out_row, n, major);
    ensures ordered: N(list_ascends)(out_row, plain, n);
    ensures meaning: N(same_cells)(ptr, plain, major, columns, out_row, n); */
void N(spw_expand_meaning)(const IDX *ptr, const IDX *plain, int64_t major, int64_t columns, int64_t n, IDX *out_row);

/* spw_compress_rows of a list of positions in ascending order, each once. */
/*@ requires sizes: 0 <= major <= IDX_MAX && major < INT64_MAX && 0 <= columns && 0 <= n <= IDX_MAX;
    requires readable: \valid_read(row + (0 .. n - 1)) && \valid_read(plain + (0 .. n - 1));
    requires list: N(minors)(row, n, major) && N(minors)(plain, n, columns) && N(list_ascends)(row, plain, n);
    requires writable: \valid(out_ptr + (0 .. major));
    requires apart: \separated(out_ptr + (0 .. major), row + (0 .. n - 1)) &&
      \separated(out_ptr + (0 .. major), plain + (0 .. n - 1));
    terminates \true; exits \false; assigns out_ptr[0 .. major];
    ensures valid: N(offsets)(out_ptr, major, n) && N(rule_5_6)(out_ptr, plain, major, columns, n);
    ensures meaning: N(same_cells)(out_ptr, plain, major, columns, row, n); */
void N(spw_compress_meaning)(const IDX *row, const IDX *plain, int64_t n, int64_t major, int64_t columns, IDX *out_ptr);

#endif
