/* SPDX-License-Identifier: Apache-2.0 */
/* From a tensor that spw_is_valid accepts to its scalars. Proofs include check/verdict.h before, which says what that means;
 * a name in it is one of sparsewright_oracle.h, too. */
#ifndef SPW_CONVERT_INDICES_LOOKUP_SCALARS_OF_H
#define SPW_CONVERT_INDICES_LOOKUP_SCALARS_OF_H

#include "scalars.h"
#include "../../../view/members.h"
#include "../../../../spec/acsl/scalars_of.acsl"

/* Of a compressed tensor that has a size without a zero; an element has `run` scalars. count is -1 where a number is beyond
 * int64. */
/*@ requires readable: tensor_readable(t) && readable_indices(&t->compressed) && readable_indices(&t->plain);
    requires valid: compressed_layout(t) && sized(t) && tensor_valid(t);
    requires sizes: positive(t->size, t->ndim) && 1 <= run;
    terminates \true; exits \false; assigns \nothing;
    ensures taken: \result.count == -1 || (scalars_valid(\result) && lines_of_tensor(t, run, \result)); */
spw_scalars spw_scalars_of_lines(const spw_tensor *t, int64_t run);

/* Of COO in any order, with duplicates or not. count is -1, too, where it has no sparse dimension. */
/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires valid: t->layout == SPW_COO && sized(t) && tensor_valid(t);
    requires sizes: positive(t->size, t->ndim) && 1 <= run;
    terminates \true; exits \false; assigns \nothing;
    ensures taken: \result.count == -1 || (listed_inside(\result) && list_of_tensor(t, run, \result)); */
spw_scalars spw_scalars_of_unordered(const spw_tensor *t, int64_t run);

/* Of COO. count is -1, too, where it has no sparse dimension, or is not in order, each position once: that is looked through. */
/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires valid: t->layout == SPW_COO && sized(t) && tensor_valid(t);
    requires sizes: positive(t->size, t->ndim) && 1 <= run;
    terminates \true; exits \false; assigns \nothing;
    ensures taken: \result.count == -1 || (scalars_valid(\result) && list_of_tensor(t, run, \result)); */
spw_scalars spw_scalars_of_list(const spw_tensor *t, int64_t run);

/* Do the elements of an array lie one behind the other in row-major order? 0, too, where there are more than int64 can number. */
/*@ requires readable: array_readable(a) && non_negative(a->shape, a->ndim);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures order: \result == 1 ==> in_row_major_order(a); */
int spw_lies_in_order(const spw_array *a);

/* Of a dense array in row-major order. */
/*@ requires sizes: 0 <= batches && 0 <= rows && 0 <= columns;
    terminates \true; exits \false; assigns \nothing;
    ensures taken: \result.count == -1 || (scalars_valid(\result) && \result.order == SPW_EVERYWHERE &&
      \result.batches == batches && \result.rows == rows && \result.columns == columns); */
spw_scalars spw_scalars_of_all(int64_t batches, int64_t rows, int64_t columns);

#endif
