/* SPDX-License-Identifier: Apache-2.0 */
/* Yes or no: the shape rules without findings, for the fast verdict. */
#ifndef SPW_CHECK_SHAPE_SHAPE_TESTS_H
#define SPW_CHECK_SHAPE_SHAPE_TESTS_H

#include "../../core/entries.h"
#include "shape_rules.h"

/* Rules 3.12 and 3.14 for one member. */
/*@ requires readable: array_readable(a);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> member_inside(a); */
int spw_member_inside(const spw_array *a);

/* The size along sparse dimension i in blocks, -1 when it does not consist of blocks. */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    requires size: aligned(t) && 0 <= i <= 1 && 0 <= t->size[batch_dims(t) + i];
    terminates \true; exits \false; assigns \nothing;
    ensures known: -1 <= \result && (\result >= 0 <==> divides(t, i));
    ensures exact: \result >= 0 ==> \result == blocks(t, i); */
int64_t spw_blocks_along(const spw_tensor *t, int64_t i);

/* All shape rules of a compressed layout. */
/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> compressed_shape(t); */
int spw_compressed_shape_holds(const spw_tensor *t);

/* All shape rules of COO. */
/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> coo_shape(t); */
int spw_coo_shape_holds(const spw_tensor *t);

#endif
