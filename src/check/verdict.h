/* SPDX-License-Identifier: Apache-2.0 */
/* The one answer: is the tensor valid, up to a phase? */
#ifndef SPW_CHECK_VERDICT_H
#define SPW_CHECK_VERDICT_H

#include "compressed.h"
#include "usable.h"
#include "../../spec/acsl/valid.acsl"

typedef struct spw_verdict {
  spw_status status; /* SPW_OK or SPW_EOVERFLOW (more batches than int64 can number) */
  int valid;
} spw_verdict;

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires storage: t->layout != SPW_COO ==> readable_indices(&t->compressed);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing;
    ensures flag: \result.valid == 0 || \result.valid == 1;
    ensures status: \result.status == SPW_OK || \result.status == SPW_EOVERFLOW;
    ensures layout: \result.status == SPW_OK && \result.valid == 1 ==> t->layout == SPW_COO || compressed_layout(t);
    ensures shape: \result.status == SPW_OK && level == SPW_SHAPE ==> (\result.valid == 1 <==> shape_valid(t));
    ensures structure: \result.status == SPW_OK && level == SPW_STRUCTURE && sized(t) ==>
      (\result.valid == 1 <==> structure_valid(t));
    ensures canonical: \result.status == SPW_OK && level == SPW_CANONICAL && sized(t) ==>
      (\result.valid == 1 <==> tensor_valid(t)); */
spw_verdict spw_verdict_of(const spw_tensor *t, spw_level level, int threads);

#endif
