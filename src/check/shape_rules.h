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
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_1(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_1_1 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_1_1(t, \result.first); */
spw_finding spw_rule_1_1(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_2(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_1_2 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_1_2(t, \result.first); */
spw_finding spw_rule_1_2(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_3(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_1_3 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_1_3(t, \result.first); */
spw_finding spw_rule_1_3(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_4(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_1_4 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_1_4(t, \result.first); */
spw_finding spw_rule_1_4(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_5(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_1_5 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_1_5(t, \result.first); */
spw_finding spw_rule_1_5(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_1_6(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_1_6 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_1_6(t, \result.first); */
spw_finding spw_rule_1_6(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_1(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_1 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_1(t, \result.first); */
spw_finding spw_rule_3_1(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_2(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_2 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_2(t, \result.first); */
spw_finding spw_rule_3_2(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_3(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_3 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_3(t, \result.first); */
spw_finding spw_rule_3_3(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_4(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_4 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_4(t, \result.first); */
spw_finding spw_rule_3_4(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_5(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_5 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_5(t, \result.first); */
spw_finding spw_rule_3_5(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_6(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_6 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_6(t, \result.first); */
spw_finding spw_rule_3_6(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_8(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_8 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_8(t, \result.first); */
spw_finding spw_rule_3_8(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_9(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_9 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_9(t, \result.first); */
spw_finding spw_rule_3_9(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_10(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_10 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_10(t, \result.first); */
spw_finding spw_rule_3_10(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_11(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_11 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_11(t, \result.first); */
spw_finding spw_rule_3_11(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_12(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_12 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_12(t, \result.first); */
spw_finding spw_rule_3_12(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_13(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_13 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_13(t, \result.first); */
spw_finding spw_rule_3_13(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO || compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_3_14(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_3_14 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_3_14(t, \result.first); */
spw_finding spw_rule_3_14(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_6_1(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_6_1 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_6_1(t, \result.first); */
spw_finding spw_rule_6_1(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_6_2(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_6_2 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_6_2(t, \result.first); */
spw_finding spw_rule_6_2(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_6_3(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_6_3 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_6_3(t, \result.first); */
spw_finding spw_rule_6_3(const spw_tensor *t);

/*@ requires readable: tensor_readable(t);
    requires layout: t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS || \result.state == SPW_VIOLATED || \result.state == SPW_NOT_EVALUATED;
    ensures count: 0 <= \result.count;
    ensures holds: \result.state == SPW_HOLDS <==> rule_6_4(t);
    ensures rule: \result.state == SPW_VIOLATED ==> \result.first.rule == SPW_RULE_6_4 && 1 <= \result.count;
    ensures witness: \result.state == SPW_VIOLATED ==> witness_6_4(t, \result.first); */
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
