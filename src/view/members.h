/* SPDX-License-Identifier: Apache-2.0 */
/* From a tensor whose shape rules hold to the views that the index rules take. */
#ifndef SPW_VIEW_MEMBERS_H
#define SPW_VIEW_MEMBERS_H

#include "columns.h"
#include "grid.h"
#include "quantities.h"
#include "rules.h"
#include "../../spec/acsl/shape.acsl"
#include "../../spec/acsl/members.acsl"

/* The batches of a compressed tensor; P is its plain size. */
/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    requires batches: batches == product(t->compressed.array.shape, batch_dims(t)) && 0 <= batches && 0 <= P;
    terminates \true; exits \false; assigns \nothing;
    ensures grid: is_grid(t, \result) && \result.P == P && \result.batches == batches;
    ensures inside: grid_inside(\result, t->compressed.array.length, t->plain.array.length); */
spw_grid spw_grid_of(const spw_tensor *t, int64_t batches, int64_t P);

/* The columns of a COO tensor. */
/*@ requires readable: tensor_readable(t);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    terminates \true; exits \false; assigns \nothing;
    ensures columns: is_columns(t, \result);
    ensures inside: columns_inside(\result, t->plain.array.length); */
spw_columns spw_columns_of(const spw_tensor *t);

#endif
