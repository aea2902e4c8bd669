/* SPDX-License-Identifier: Apache-2.0 */
/* The one answer: is the tensor valid, up to a phase? */
#ifndef SPW_CHECK_VERDICT_H
#define SPW_CHECK_VERDICT_H

#include "compressed.h"
#include "coo/coo_rules.h"
#include "../view/usable.h"

#define SPW_TEMPLATE "../../spec/acsl/valid_indices.acsl"
#include "../core/each_index_type.h"

#include "../../spec/acsl/valid.acsl"

typedef struct spw_verdict {
  spw_status status; /* SPW_OK or SPW_EOVERFLOW (more batches than int64 can number) */
  int valid;
  int shape; /* do the shape rules hold? */
  int64_t P; /* of a valid compressed tensor: the plain size, -1 when it was not inferred */
} spw_verdict;

/* P as the size gives it, -1 without a size. */
/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    requires shape: rule_3_1(t) && rule_3_12(t);
    terminates \true; exits \false; assigns \nothing;
    ensures range: -1 <= \result && (\result >= 0 <==> sized(t));
    ensures exact: sized(t) ==> \result == blocks(t, plain_dim(t)); */
int64_t spw_given_plain_size(const spw_tensor *t);

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires storage: t->layout != SPW_COO ==> readable_indices(&t->compressed);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing;
    ensures flag: \result.valid == 0 || \result.valid == 1;
    ensures status: \result.status == SPW_OK || \result.status == SPW_EOVERFLOW;
    ensures overflow: \result.status == SPW_EOVERFLOW <==> level != SPW_SHAPE && batches_overflow(t);
    ensures looked: \result.shape == 0 || \result.shape == 1;
    ensures known: \result.shape == 1 <==> shape_valid(t);
    ensures sound: \result.valid == 1 ==> shape_valid(t);
    ensures shape: \result.status == SPW_OK && level == SPW_SHAPE ==>
      (\result.valid == 1 <==> shape_valid(t));
    ensures structure: \result.status == SPW_OK && level == SPW_STRUCTURE ==>
      (\result.valid == 1 <==> structure_valid(t));
    ensures canonical: \result.status == SPW_OK && level == SPW_CANONICAL ==>
      (\result.valid == 1 <==> tensor_valid(t)); */
spw_verdict spw_verdict_of(const spw_tensor *t, spw_level level, int threads);

/*@ terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> known_level(level); */
int spw_is_level(spw_level level);

#endif
