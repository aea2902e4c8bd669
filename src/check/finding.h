/* SPDX-License-Identifier: Apache-2.0 */
/* How a rule's finding is built up, one condition at a time. A rule is a conjunction: it is violated
 * when a condition is false, holds when all are known to be true, and else is not evaluated. */
#ifndef SPW_CHECK_FINDING_H
#define SPW_CHECK_FINDING_H

#include "../core/size.h"
#include "../../spec/acsl/witness.acsl"

/* What a scan found. */
typedef struct spw_hits {
  int64_t count;    /* how many positions violate the rule */
  int64_t position; /* the first of them, -1 when there is none */
  int64_t lhs;      /* the two numbers compared there */
  int64_t rhs;
} spw_hits;

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
    ensures kept: \result.count == f.count && \result.first == f.first && \result.first.rule == f.first.rule; */
spw_finding spw_and_unknown(spw_finding f);

/* one more condition, which is false: the first one is the witness */
/*@ requires count: 0 <= f.count;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == SPW_VIOLATED;
    ensures count: \result.count == (f.state == SPW_VIOLATED ? saturated(f.count + 1) : 1);
    ensures first: f.state == SPW_VIOLATED ==> \result.first == f.first;
    ensures new: f.state != SPW_VIOLATED ==> \result.first == v;
    ensures rule: \result.first.rule == (f.state == SPW_VIOLATED ? f.first.rule : v.rule); */
spw_finding spw_and_violation(spw_finding f, spw_violation v);

/* one more condition, true if `ok`; v says what is wrong otherwise */
/*@ requires count: 0 <= f.count;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == (ok != 0 ? f.state : SPW_VIOLATED);
    ensures count: 0 <= \result.count && (ok != 0 ==> \result == f);
    ensures new: ok == 0 ==> \result.count == (f.state == SPW_VIOLATED ? saturated(f.count + 1) : 1);
    ensures old: ok == 0 && f.state == SPW_VIOLATED ==> \result.first == f.first;
    ensures first: ok == 0 && f.state != SPW_VIOLATED ==> \result.first == v;
    ensures rule: ok == 0 ==> \result.first.rule == (f.state == SPW_VIOLATED ? f.first.rule : v.rule); */
spw_finding spw_and(spw_finding f, int ok, spw_violation v);

/* more conditions, those which a scan of a shape judged: its place 0 is dimension `base` of `member` */
/*@ requires count: 0 <= f.count && 0 <= hits.count;
    requires place: hits.count > 0 ==> 0 <= hits.position <= SPW_NDIM_MAX && 0 <= base <= 2 * SPW_NDIM_MAX;
    terminates \true; exits \false; assigns \nothing;
    ensures state: \result.state == (hits.count == 0 ? f.state : SPW_VIOLATED);
    ensures count: 0 <= \result.count && (hits.count == 0 ==> \result == f);
    ensures new: hits.count > 0 ==>
      \result.count == (f.state == SPW_VIOLATED ? saturated(f.count + hits.count) : hits.count);
    ensures first: hits.count > 0 && f.state == SPW_VIOLATED ==> \result.first == f.first;
    ensures witness: hits.count > 0 && f.state != SPW_VIOLATED ==>
      place(\result.first, member, base + hits.position, hits.lhs, hits.rhs);
    ensures rule: hits.count > 0 ==> \result.first.rule == (f.state == SPW_VIOLATED ? f.first.rule : rule); */
spw_finding spw_and_hits(spw_finding f, spw_hits hits, spw_rule rule, spw_member member, int64_t base);

/* a violation of a shape rule: no batch */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures copy: \result.rule == rule && \result.member == member && \result.batch == 0 &&
                  \result.position == position && \result.lhs == lhs && \result.rhs == rhs; */
spw_violation spw_at(spw_rule rule, spw_member member, int64_t position, int64_t lhs, int64_t rhs);

/* Where two shapes of n entries differ: lhs is a's entry, rhs b's. */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures none: \result.count == 0 <==> equal(a, b, n);
    ensures range: 0 <= \result.count <= n;
    ensures first: \result.count > 0 ==> 0 <= \result.position < n && a[\result.position] != b[\result.position] &&
      \result.lhs == a[\result.position] && \result.rhs == b[\result.position] &&
      equal(a, b, \result.position); */
spw_hits spw_differences(const int64_t *a, const int64_t *b, int64_t n);

/* Which of n entries lie outside [low, high]: lhs is the entry, rhs the bound that it passes. */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures none: \result.count == 0 <==> \forall integer i; 0 <= i < n ==> low <= a[i] <= high;
    ensures range: 0 <= \result.count <= n;
    ensures first: \result.count > 0 ==> 0 <= \result.position < n && !(low <= a[\result.position] <= high) &&
      \result.lhs == a[\result.position] && \result.rhs == (a[\result.position] < low ? low : high) &&
      \forall integer i; 0 <= i < \result.position ==> low <= a[i] <= high; */
spw_hits spw_outside(const int64_t *a, int64_t n, int64_t low, int64_t high);

/* Which of n entries are negative. */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures none: \result.count == 0 <==> non_negative(a, n);
    ensures range: 0 <= \result.count <= n;
    ensures first: \result.count > 0 ==> 0 <= \result.position < n && a[\result.position] < 0 &&
      \result.lhs == a[\result.position] && \result.rhs == 0 &&
      non_negative(a, \result.position); */
spw_hits spw_negatives(const int64_t *a, int64_t n);

#endif
