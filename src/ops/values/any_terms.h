/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of values that only sums of elements need: apart from any.h, so that the proofs of products do not depend on them. */
#ifndef SPW_OPS_VALUES_ANY_TERMS_H
#define SPW_OPS_VALUES_ANY_TERMS_H

#include "any.h"
#include "../../../spec/acsl/any_term.acsl"

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == plus(a, b); */
VAL spw_plus(VAL a, VAL b);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == negated(a); */
VAL spw_negated(VAL a);

#endif
