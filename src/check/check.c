/* SPDX-License-Identifier: Apache-2.0 */
/* The public entry points of the checker. */
#include "../view/usable_lemmas.h"
#include "report/report.h"

/*@ requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false; assigns \nothing;
    ensures status: answers(\result.status, tensor, level);
    ensures flag: \result.valid == 0 || \result.valid == 1;
    ensures sound: \result.valid == 1 ==> shape_valid(tensor);
    ensures shape: \result.status == SPW_OK && level == SPW_SHAPE ==>
      (\result.valid == 1 <==> shape_valid(tensor));
    ensures structure: \result.status == SPW_OK && level == SPW_STRUCTURE ==>
      (\result.valid == 1 <==> structure_valid(tensor));
    ensures canonical: \result.status == SPW_OK && level == SPW_CANONICAL ==>
      (\result.valid == 1 <==> tensor_valid(tensor)); */
/* level L2 */
static spw_verdict judge(const spw_tensor *tensor, spw_level level, int threads)
{
  const spw_verdict misuse = {SPW_EINVAL, 0, -1};
  if (!spw_is_level(level) || !spw_usable(tensor)) return misuse;
  //@ ghost lem_readable(tensor);
  return spw_verdict_of(tensor, level, threads);
}

/* What became of every rule, for the verdict that judge() gave. */
/*@ requires tensor: tensor != \null && honest(tensor) && usable(tensor);
    requires verdict: verdict_on(tensor, level, verdict.valid);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 1 <==> verdict.valid == 1;
    ensures truthful: truthful(tensor, \result); */
/* level L1 */
static spw_report report_of(const spw_tensor *tensor, spw_level level, spw_verdict verdict)
{
  //@ ghost lem_readable(tensor);
  return spw_report_of(tensor, level, verdict);
}

/* A report, or why there is none. */
typedef struct checked {
  spw_status status;
  spw_report report;
} checked;

/*@ requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false; assigns \nothing;
    ensures status: answers(\result.status, tensor, level);
    ensures shape: \result.status == SPW_OK && level == SPW_SHAPE ==>
      (\result.report.valid == 1 <==> shape_valid(tensor));
    ensures structure: \result.status == SPW_OK && level == SPW_STRUCTURE ==>
      (\result.report.valid == 1 <==> structure_valid(tensor));
    ensures canonical: \result.status == SPW_OK && level == SPW_CANONICAL ==>
      (\result.report.valid == 1 <==> tensor_valid(tensor));
    ensures truthful: \result.status == SPW_OK ==> truthful(tensor, \result.report); */
/* level L2 */
static checked check(const spw_tensor *tensor, spw_level level)
{
  const spw_verdict verdict = judge(tensor, level, 1);
  checked c;
  c.status = verdict.status;
  if (verdict.status == SPW_OK) c.report = report_of(tensor, level, verdict);
  return c;
}

/*@ requires output: valid != \null ==> \valid(valid);
    requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false;
    assigns *valid;
    ensures misused: valid == \null || threads < 1 ==> \result == SPW_EINVAL;
    ensures status: valid != \null && threads >= 1 ==> answers{Pre}(\result, tensor, level);
    ensures misuse: valid != \null && \result != SPW_OK ==> *valid == \old(*valid);
    ensures shape: \result == SPW_OK && level == SPW_SHAPE ==>
      (*valid == 1 <==> shape_valid{Pre}(tensor));
    ensures structure: \result == SPW_OK && level == SPW_STRUCTURE ==>
      (*valid == 1 <==> structure_valid{Pre}(tensor));
    ensures canonical: \result == SPW_OK && level == SPW_CANONICAL ==>
      (*valid == 1 <==> tensor_valid{Pre}(tensor)); */
/* level L2 */
spw_status spw_is_valid_parallel(const spw_tensor *tensor, spw_level level, int threads,
                                 bool *valid)
{
  if (valid == NULL || threads < 1) return SPW_EINVAL;
  const spw_verdict verdict = judge(tensor, level, threads);
  if (verdict.status == SPW_OK) *valid = verdict.valid == 1;
  return verdict.status;
}

/*@ requires output: valid != \null ==> \valid(valid);
    requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false;
    assigns *valid;
    ensures misused: valid == \null ==> \result == SPW_EINVAL;
    ensures status: valid != \null ==> answers{Pre}(\result, tensor, level);
    ensures misuse: valid != \null && \result != SPW_OK ==> *valid == \old(*valid);
    ensures shape: \result == SPW_OK && level == SPW_SHAPE ==>
      (*valid == 1 <==> shape_valid{Pre}(tensor));
    ensures structure: \result == SPW_OK && level == SPW_STRUCTURE ==>
      (*valid == 1 <==> structure_valid{Pre}(tensor));
    ensures canonical: \result == SPW_OK && level == SPW_CANONICAL ==>
      (*valid == 1 <==> tensor_valid{Pre}(tensor)); */
/* level L2 */
spw_status spw_is_valid(const spw_tensor *tensor, spw_level level, bool *valid)
{
  return spw_is_valid_parallel(tensor, level, 1, valid);
}

/*@ requires output: report != \null ==> \valid(report);
    requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false;
    assigns *report;
    ensures misused: report == \null ==> \result == SPW_EINVAL;
    ensures status: report != \null ==> answers{Pre}(\result, tensor, level);
    ensures misuse: report != \null && \result != SPW_OK ==> *report == \old(*report);
    ensures shape: \result == SPW_OK && level == SPW_SHAPE ==>
      (report->valid == 1 <==> shape_valid{Pre}(tensor));
    ensures structure: \result == SPW_OK && level == SPW_STRUCTURE ==>
      (report->valid == 1 <==> structure_valid{Pre}(tensor));
    ensures canonical: \result == SPW_OK && level == SPW_CANONICAL ==>
      (report->valid == 1 <==> tensor_valid{Pre}(tensor));
    ensures truthful: \result == SPW_OK ==> truthful{Pre}(tensor, *report); */
/* level L2 */
spw_status spw_check(const spw_tensor *tensor, spw_level level, spw_report *report)
{
  if (report == NULL) return SPW_EINVAL;
  const checked c = check(tensor, level);
  if (c.status == SPW_OK) {
    *report = c.report;
    //@ assert copied: report->valid == c.report.valid;
  }
  return c.status;
}

/* The order of the rules is that of the phases for every layout: 1.x to 4.x and 6.1 to 6.4 are
 * shape rules, 5.1 to 5.5, 6.5 and 6.6 structure rules, 5.6 and 6.7 canonical ones. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures none: (\forall integer i; 0 <= i < SPW_RULE_COUNT ==> r.findings[i].state != SPW_VIOLATED) ==>
      no_violation(\result);
    ensures first: \forall integer i; 0 <= i < SPW_RULE_COUNT && r.findings[i].state == SPW_VIOLATED &&
      (\forall integer j; 0 <= j < i ==> r.findings[j].state != SPW_VIOLATED) ==> \result == r.findings[i].first; */
/* level L2 */
static spw_violation first_of(spw_report r)
{
  const spw_violation none = {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, -1, 0, 0};
  /*@ loop invariant range: 0 <= i <= SPW_RULE_COUNT;
      loop invariant none: \forall integer j; 0 <= j < i ==> r.findings[j].state != SPW_VIOLATED;
      loop assigns i;
      loop variant SPW_RULE_COUNT - i; */
  for (int i = 0; i < SPW_RULE_COUNT; i++)
    if (r.findings[i].state == SPW_VIOLATED) return r.findings[i].first;
  return none;
}

/* A violation, or why none was looked for. */
typedef struct located {
  spw_status status;
  spw_violation first;
} located;

/*@ requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false; assigns \nothing;
    ensures status: answers(\result.status, tensor, level);
    ensures shape: \result.status == SPW_OK && level == SPW_SHAPE && shape_valid(tensor) ==>
      no_violation(\result.first);
    ensures structure: \result.status == SPW_OK && level == SPW_STRUCTURE &&
      structure_valid(tensor) ==> no_violation(\result.first);
    ensures canonical: \result.status == SPW_OK && level == SPW_CANONICAL &&
      tensor_valid(tensor) ==> no_violation(\result.first); */
/* level L1 */
static located locate(const spw_tensor *tensor, spw_level level)
{
  const spw_verdict verdict = judge(tensor, level, 1);
  located l = {verdict.status, {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, -1, 0, 0}};
  if (verdict.status == SPW_OK && !verdict.valid)
    l.first = first_of(report_of(tensor, level, verdict));
  return l;
}

/*@ requires output: first != \null ==> \valid(first);
    requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false;
    assigns *first;
    ensures misused: first == \null ==> \result == SPW_EINVAL;
    ensures status: first != \null ==> answers{Pre}(\result, tensor, level);
    ensures misuse: first != \null && \result != SPW_OK ==> *first == \old(*first);
    ensures shape: \result == SPW_OK && level == SPW_SHAPE && shape_valid{Pre}(tensor) ==>
      no_violation(*first);
    ensures structure: \result == SPW_OK && level == SPW_STRUCTURE &&
      structure_valid{Pre}(tensor) ==> no_violation(*first);
    ensures canonical: \result == SPW_OK && level == SPW_CANONICAL &&
      tensor_valid{Pre}(tensor) ==> no_violation(*first); */
/* level L1 */
spw_status spw_first_violation(const spw_tensor *tensor, spw_level level, spw_violation *first)
{
  if (first == NULL) return SPW_EINVAL;
  const located l = locate(tensor, level);
  if (l.status == SPW_OK) *first = l.first;
  return l.status;
}
