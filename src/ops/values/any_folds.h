/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of values that only reductions need: apart from any.h, so that the proofs of products do not depend on them. */
#ifndef SPW_OPS_VALUES_ANY_FOLDS_H
#define SPW_OPS_VALUES_ANY_FOLDS_H

#include "any.h"
#include "../../../spec/acsl/any_fold.acsl"

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == widened(a); */
SUM spw_widened(VAL a);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == farthest(least); */
SUM spw_farthest(int least);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == extreme_of(least, a, b); */
SUM spw_extreme(int least, SUM a, SUM b);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == average_of(s, n); */
VAL spw_average(SUM s, int64_t n);

#endif
