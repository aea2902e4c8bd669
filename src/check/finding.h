/* SPDX-License-Identifier: Apache-2.0 */
/* How a rule's finding is built up, one condition at a time. A rule is a conjunction: it is violated
 * when a condition is false, holds when all are known to be true, and else is not evaluated. */
#ifndef SPW_CHECK_FINDING_H
#define SPW_CHECK_FINDING_H

#include "../sparsewright.h"

/* no condition so far */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_HOLDS && \result.count == 0; */
spw_finding spw_holds(void);

/*@ terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_NOT_APPLICABLE && \result.count == 0; */
spw_finding spw_not_applicable(void);

/* one more condition, which cannot be evaluated */
/*@ requires count: 0 <= f.count;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == (f.state == SPW_HOLDS ? SPW_NOT_EVALUATED : f.state);
    ensures count: \result.count == f.count; */
spw_finding spw_and_unknown(spw_finding f);

/* one more condition, which is false: the first one is the witness */
/*@ requires count: 0 <= f.count;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_VIOLATED;
    ensures count: 1 <= \result.count;
    ensures first: f.state == SPW_VIOLATED ==> \result.first == f.first;
    ensures new: f.state != SPW_VIOLATED ==> \result.first == v; */
spw_finding spw_and_violation(spw_finding f, spw_violation v);

/* a violation of a shape rule: no batch */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures copy: \result.rule == rule && \result.member == member && \result.batch == 0 &&
                  \result.position == position && \result.lhs == lhs && \result.rhs == rhs; */
spw_violation spw_at(spw_rule rule, spw_member member, int64_t position, int64_t lhs, int64_t rhs);

#endif
