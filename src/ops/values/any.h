/* SPDX-License-Identifier: Apache-2.0 */
/* The value type of the proofs, about which nothing is known. Structs, so that no operator of C applies to them: a template that
 * compiles with these types does nothing with values but copy them and call the functions below. In the proof there are
 * infinitely many values and 2^128 sums: every value type can be embedded. */
#ifndef SPW_OPS_VALUES_ANY_H
#define SPW_OPS_VALUES_ANY_H

#include <stdint.h>

typedef struct spw_any_value {
  const void *any;
} spw_any_value;

typedef struct spw_any_sum {
  uint32_t a, b, c, d;
} spw_any_sum;

#include "../../../spec/acsl/any_value.acsl"

#define VAL spw_any_value
#define SUM spw_any_sum
#define SPW_VALUE any

/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == no_sum; */
SUM spw_nothing(void);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == product_of(a, b); */
SUM spw_mul(VAL a, VAL b);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == sum_of(a, b); */
SUM spw_add(SUM a, SUM b);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == value_of(s); */
VAL spw_store(SUM s);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == scaled(s, alpha); */
VAL spw_scale(SUM s, VAL alpha);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == blended(s, alpha, old, beta); */
VAL spw_blend(SUM s, VAL alpha, VAL old, VAL beta);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == both(a, alpha, b); */
VAL spw_both(VAL a, VAL alpha, VAL b);
/*@ terminates \true; exits \false; assigns \nothing; ensures meaning: \result == times_alpha(alpha, b); */
VAL spw_times_alpha(VAL alpha, VAL b);

#endif
