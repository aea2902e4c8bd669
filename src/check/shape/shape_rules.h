/* SPDX-License-Identifier: Apache-2.0 */
/* The shape rules, one function each: spw_rule_3_8(t) judges rule 3.8 of a tensor whose numbers may
 * be anything. Cost: O(dimensions). */
#ifndef SPW_CHECK_SHAPE_SHAPE_RULES_H
#define SPW_CHECK_SHAPE_SHAPE_RULES_H

#include "../../core/names.h"
#include "../finding.h"
#include "../../view/quantities.h"
#include "../../view/rules.h"
#include "../../../spec/acsl/shape.acsl"
#include "../../../spec/acsl/findings.acsl"

/* The layouts that a rule is about. */
#define SPW_ONLY_COMPRESSED compressed_layout(t)
#define SPW_ONLY_COO t->layout == SPW_COO
#define SPW_ANY_LAYOUT t->layout == SPW_COO || compressed_layout(t)

/* One function a rule; shape_rule.inc has the contract. */
#define RULE 1_1
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 1_2
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 1_3
#define RULE_LAYOUTS SPW_ANY_LAYOUT
#include "shape_rule.inc"
#define RULE 1_4
#define RULE_LAYOUTS SPW_ANY_LAYOUT
#include "shape_rule.inc"
#define RULE 1_5
#define RULE_LAYOUTS SPW_ANY_LAYOUT
#include "shape_rule.inc"
#define RULE 1_6
#define RULE_LAYOUTS SPW_ANY_LAYOUT
#include "shape_rule.inc"
#define RULE 3_1
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_2
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_3
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_4
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_5
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_6
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_8
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_9
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_10
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_11
#define RULE_LAYOUTS SPW_ANY_LAYOUT
#include "shape_rule.inc"
#define RULE 3_12
#define RULE_LAYOUTS SPW_ANY_LAYOUT
#include "shape_rule.inc"
#define RULE 3_13
#define RULE_LAYOUTS SPW_ONLY_COMPRESSED
#include "shape_rule.inc"
#define RULE 3_14
#define RULE_LAYOUTS SPW_ANY_LAYOUT
#include "shape_rule.inc"
#define RULE 6_1
#define RULE_LAYOUTS SPW_ONLY_COO
#include "shape_rule.inc"
#define RULE 6_2
#define RULE_LAYOUTS SPW_ONLY_COO
#include "shape_rule.inc"
#define RULE 6_3
#define RULE_LAYOUTS SPW_ONLY_COO
#include "shape_rule.inc"
#define RULE 6_4
#define RULE_LAYOUTS SPW_ONLY_COO
#include "shape_rule.inc"

/* Do all shape rules of the tensor's layout hold? */
/*@ requires readable: tensor_readable(t);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures coo: t->layout == SPW_COO ==> (\result == 1 <==> coo_shape(t));
    ensures compressed: compressed_layout(t) ==> (\result == 1 <==> compressed_shape(t));
    ensures layout: \result == 1 ==> t->layout == SPW_COO || compressed_layout(t); */
int spw_shape_holds(const spw_tensor *t);

#endif
