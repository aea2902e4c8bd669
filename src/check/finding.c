/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

/* level L2 */
spw_finding spw_holds(void)
{
  const spw_finding f = {SPW_HOLDS, 0, {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, -1, 0, 0}};
  return f;
}

/* level L2 */
spw_finding spw_not_applicable(void)
{
  spw_finding f = spw_holds();
  f.state = SPW_NOT_APPLICABLE;
  return f;
}

/* level L2 */
spw_finding spw_and_unknown(spw_finding f)
{
  if (f.state == SPW_HOLDS) f.state = SPW_NOT_EVALUATED;
  return f;
}

/* level L2 */
spw_finding spw_and_violation(spw_finding f, spw_violation v)
{
  if (f.state != SPW_VIOLATED) {
    f.state = SPW_VIOLATED;
    f.count = 0;
    f.first = v;
  }
  if (f.count < INT64_MAX) f.count++;
  return f;
}

/* level L2 */
spw_violation spw_at(spw_rule rule, spw_member member, int64_t position, int64_t lhs, int64_t rhs)
{
  const spw_violation v = {rule, member, 0, position, lhs, rhs};
  return v;
}

/* level L2 */
spw_finding spw_and(spw_finding f, int ok, spw_violation v)
{
  return ok ? f : spw_and_violation(f, v);
}

/* level L2 */
spw_finding spw_and_hits(spw_finding f, spw_hits hits, spw_rule rule, spw_member member, int64_t base)
{
  if (hits.count == 0) return f;
  f = spw_and_violation(f, spw_at(rule, member, base + hits.position, hits.lhs, hits.rhs));
  f.count = spw_add_saturated(f.count, hits.count - 1);
  return f;
}

/* level L2 */
spw_hits spw_differences(const int64_t *a, const int64_t *b, int64_t n)
{
  spw_hits hits = {0, -1, 0, 0};
  /*@ loop invariant range: 0 <= i <= n && 0 <= hits.count <= i;
      loop invariant none: hits.count == 0 <==> \forall integer k; 0 <= k < i ==> a[k] == b[k];
      loop invariant first: hits.count > 0 ==> 0 <= hits.position < i && a[hits.position] != b[hits.position] &&
        hits.lhs == a[hits.position] && hits.rhs == b[hits.position] &&
        \forall integer k; 0 <= k < hits.position ==> a[k] == b[k];
      loop assigns i, hits;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    if (a[i] != b[i]) {
      if (hits.count == 0) {
        hits.position = i;
        hits.lhs = a[i];
        hits.rhs = b[i];
      }
      hits.count++;
    }
  }
  return hits;
}

/* level L2 */
spw_hits spw_outside(const int64_t *a, int64_t n, int64_t low, int64_t high)
{
  spw_hits hits = {0, -1, 0, 0};
  /*@ loop invariant range: 0 <= i <= n && 0 <= hits.count <= i;
      loop invariant none: hits.count == 0 <==> \forall integer k; 0 <= k < i ==> low <= a[k] <= high;
      loop invariant first: hits.count > 0 ==> 0 <= hits.position < i && !(low <= a[hits.position] <= high) &&
        hits.lhs == a[hits.position] && hits.rhs == (a[hits.position] < low ? low : high) &&
        \forall integer k; 0 <= k < hits.position ==> low <= a[k] <= high;
      loop assigns i, hits;
      loop variant n - i; */
  for (int64_t i = 0; i < n; i++) {
    if (a[i] < low || a[i] > high) {
      if (hits.count == 0) {
        hits.position = i;
        hits.lhs = a[i];
        hits.rhs = a[i] < low ? low : high;
      }
      hits.count++;
    }
  }
  return hits;
}

/* level L2 */
spw_hits spw_negatives(const int64_t *a, int64_t n)
{
  return spw_outside(a, n, 0, INT64_MAX);
}
