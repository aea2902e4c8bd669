/* SPDX-License-Identifier: Apache-2.0 */
/* The size that a tensor's members imply, for each kind of layout. */
#ifndef SPW_CHECK_INFER_INFERRED_SIZE_H
#define SPW_CHECK_INFER_INFERRED_SIZE_H

#include "../verdict.h"
#include "copy_entries.h"
#include "extent_of.h"
#include "inferred_fits.h"

#define SPW_TEMPLATE "../../spec/acsl/inferred_entry.acsl"
#include "../../core/each_index_type.h"
#include "../../../spec/acsl/inferred_size.acsl"

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    requires room: inferred_ndim(t) <= INT64_MAX && \valid(size + (0 .. inferred_ndim(t) - 1));
    requires apart: apart(t, size, inferred_ndim(t));
    terminates \true; exits \false;
    assigns size[0 .. inferred_ndim(t) - 1];
    ensures status: \result == SPW_OK || \result == SPW_EINVALID || \result == SPW_ERANGE;
    ensures invalid: \result == SPW_EINVALID <==> !natural_indices{Pre}(t);
    ensures range: \result == SPW_ERANGE <==> natural_indices{Pre}(t) && !inferred_size_fits{Pre}(t);
    ensures size: \result == SPW_OK ==> \forall integer i; 0 <= i < \old(inferred_ndim(t)) ==>
      inferred_entry{Pre}(t, i, size[i]);
    ensures untouched: \result != SPW_OK ==>
      \forall integer i; 0 <= i < \old(inferred_ndim(t)) ==> size[i] == \old(size[i]); */
spw_status spw_infer_coo(const spw_tensor *t, int64_t *size);

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires shape: compressed_layout(t) && compressed_shape(t) && !sized(t);
    requires room: \valid(size + (0 .. inferred_ndim(t) - 1)) && apart(t, size, inferred_ndim(t));
    terminates \true; exits \false;
    assigns size[0 .. inferred_ndim(t) - 1];
    ensures status: \result == SPW_OK || \result == SPW_EOVERFLOW || \result == SPW_EINVALID || \result == SPW_ERANGE;
    ensures overflow: \result == SPW_EOVERFLOW <==> batches_overflow{Pre}(t);
    ensures invalid: \result == SPW_EINVALID <==> !batches_overflow{Pre}(t) && !natural_indices{Pre}(t);
    ensures range: \result == SPW_ERANGE <==>
      !batches_overflow{Pre}(t) && natural_indices{Pre}(t) && !inferred_size_fits{Pre}(t);
    ensures size: \result == SPW_OK ==> \forall integer i; 0 <= i < \old(inferred_ndim(t)) ==>
      inferred_entry{Pre}(t, i, size[i]);
    ensures untouched: \result != SPW_OK ==>
      \forall integer i; 0 <= i < \old(inferred_ndim(t)) ==> size[i] == \old(size[i]); */
spw_status spw_infer_compressed(const spw_tensor *t, int64_t *size);

#endif
