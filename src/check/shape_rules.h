/* SPDX-License-Identifier: Apache-2.0 */
/* The shape rules, one function each: spw_rule_3_8(t) judges rule 3.8 of a tensor whose numbers may
 * be anything. Cost: O(dimensions). */
#ifndef SPW_CHECK_SHAPE_RULES_H
#define SPW_CHECK_SHAPE_RULES_H

#include "finding.h"
#include "quantities.h"

/* The shape rules of the compressed layouts and of COO, in the order of spec/rules.def. */
#define SPW_COMPRESSED_SHAPE_RULES(X) \
  X(1_1) X(1_2) X(1_3) X(1_4) X(1_5) X(1_6) X(3_1) X(3_2) X(3_3) X(3_4) \
  X(3_5) X(3_6) X(3_8) X(3_9) X(3_10) X(3_11) X(3_12) X(3_13) X(3_14)
#define SPW_COO_SHAPE_RULES(X) \
  X(1_3) X(1_4) X(1_5) X(1_6) X(3_11) X(3_12) X(3_14) X(6_1) X(6_2) X(6_3) X(6_4)
/* Rules that strided arrays on the host satisfy by construction. */
#define SPW_CONSTRUCTED_RULES(X) X(2_1) X(2_2) X(2_3) X(2_4) X(4_1) X(4_2) X(4_3) X(4_4)
/* The rules over indices, and those that are not about the layout. */
#define SPW_COMPRESSED_INDEX_RULES(X) X(5_1) X(5_2) X(5_3) X(5_4) X(5_5) X(5_6)
#define SPW_COO_INDEX_RULES(X) X(6_5) X(6_6) X(6_7)
#define SPW_NOT_OF_COMPRESSED(X) X(6_1) X(6_2) X(6_3) X(6_4) SPW_COO_INDEX_RULES(X)
#define SPW_NOT_OF_COO(X) \
  X(1_1) X(1_2) X(3_1) X(3_2) X(3_3) X(3_4) X(3_5) X(3_6) X(3_7) X(3_8) X(3_9) X(3_10) X(3_13) \
  SPW_COMPRESSED_INDEX_RULES(X)

#include "../../spec/acsl/rule_1_1.acsl"
#include "../../spec/acsl/rule_1_2.acsl"
#include "../../spec/acsl/rule_1_3.acsl"
#include "../../spec/acsl/rule_1_4.acsl"
#include "../../spec/acsl/rule_1_5.acsl"
#include "../../spec/acsl/rule_1_6.acsl"
#include "../../spec/acsl/rule_3_1.acsl"
#include "../../spec/acsl/rule_3_2.acsl"
#include "../../spec/acsl/rule_3_3.acsl"
#include "../../spec/acsl/rule_3_4.acsl"
#include "../../spec/acsl/rule_3_5.acsl"
#include "../../spec/acsl/rule_3_6.acsl"
#include "../../spec/acsl/rule_3_8.acsl"
#include "../../spec/acsl/rule_3_9.acsl"
#include "../../spec/acsl/rule_3_10.acsl"
#include "../../spec/acsl/rule_3_11.acsl"
#include "../../spec/acsl/rule_3_12.acsl"
#include "../../spec/acsl/rule_3_13.acsl"
#include "../../spec/acsl/rule_3_14.acsl"
#include "../../spec/acsl/rule_6_1.acsl"
#include "../../spec/acsl/rule_6_2.acsl"
#include "../../spec/acsl/rule_6_3.acsl"
#include "../../spec/acsl/rule_6_4.acsl"
#include "../../spec/acsl/findings.acsl"

/*@
  predicate compressed_shape{L}(spw_tensor *t) =
    rule_1_1(t) && rule_1_2(t) && rule_1_3(t) && rule_1_4(t) && rule_1_5(t) && rule_1_6(t) && rule_3_1(t) && rule_3_2(t) && rule_3_3(t) && rule_3_4(t) && 
    rule_3_5(t) && rule_3_6(t) && rule_3_8(t) && rule_3_9(t) && rule_3_10(t) && rule_3_11(t) && 
    rule_3_12(t) && rule_3_13(t) && rule_3_14(t);
  predicate coo_shape{L}(spw_tensor *t) =
    rule_1_3(t) && rule_1_4(t) && rule_1_5(t) && rule_1_6(t) && rule_3_11(t) && rule_3_12(t) && rule_3_14(t) && rule_6_1(t) && rule_6_2(t) && rule_6_3(t) && rule_6_4(t);
*/

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_1(t);
    ensures finding: finding_1_1(t, \result); */
spw_finding spw_rule_1_1(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_2(t);
    ensures finding: finding_1_2(t, \result); */
spw_finding spw_rule_1_2(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_3(t);
    ensures finding: finding_1_3(t, \result); */
spw_finding spw_rule_1_3(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_4(t);
    ensures finding: finding_1_4(t, \result); */
spw_finding spw_rule_1_4(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_5(t);
    ensures finding: finding_1_5(t, \result); */
spw_finding spw_rule_1_5(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_6(t);
    ensures finding: finding_1_6(t, \result); */
spw_finding spw_rule_1_6(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_1(t);
    ensures finding: finding_3_1(t, \result); */
spw_finding spw_rule_3_1(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_2(t);
    ensures finding: finding_3_2(t, \result); */
spw_finding spw_rule_3_2(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_3(t);
    ensures finding: finding_3_3(t, \result); */
spw_finding spw_rule_3_3(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_4(t);
    ensures finding: finding_3_4(t, \result); */
spw_finding spw_rule_3_4(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_5(t);
    ensures finding: finding_3_5(t, \result); */
spw_finding spw_rule_3_5(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_6(t);
    ensures finding: finding_3_6(t, \result); */
spw_finding spw_rule_3_6(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_8(t);
    ensures finding: finding_3_8(t, \result); */
spw_finding spw_rule_3_8(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_9(t);
    ensures finding: finding_3_9(t, \result); */
spw_finding spw_rule_3_9(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_10(t);
    ensures finding: finding_3_10(t, \result); */
spw_finding spw_rule_3_10(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_11(t);
    ensures finding: finding_3_11(t, \result); */
spw_finding spw_rule_3_11(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_12(t);
    ensures finding: finding_3_12(t, \result); */
spw_finding spw_rule_3_12(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_13(t);
    ensures finding: finding_3_13(t, \result); */
spw_finding spw_rule_3_13(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_14(t);
    ensures finding: finding_3_14(t, \result); */
spw_finding spw_rule_3_14(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_6_1(t);
    ensures finding: finding_6_1(t, \result); */
spw_finding spw_rule_6_1(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_6_2(t);
    ensures finding: finding_6_2(t, \result); */
spw_finding spw_rule_6_2(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_6_3(t);
    ensures finding: finding_6_3(t, \result); */
spw_finding spw_rule_6_3(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures holds: \result.state == SPW_HOLDS <==> rule_6_4(t);
    ensures finding: finding_6_4(t, \result); */
spw_finding spw_rule_6_4(const spw_tensor *t);

/* Do all shape rules of the tensor's layout hold? */
/*@ requires readable: tensor_readable(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures coo: t->layout == SPW_COO ==> (\result == 1 <==> coo_shape(t));
    ensures compressed: compressed_layout(t) ==> (\result == 1 <==> compressed_shape(t));
    ensures layout: \result == 1 ==> t->layout == SPW_COO || compressed_layout(t); */
int spw_shape_holds(const spw_tensor *t);

#endif
