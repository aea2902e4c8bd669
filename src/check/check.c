/* SPDX-License-Identifier: Apache-2.0 */
/* The public entry points of the checker. */
#include "../view/usable_lemmas.h"
#include "report/report.h"

/*@ requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false; assigns \nothing;
    ensures status: answers(\result.status, tensor, level);
    ensures flag: \result.valid == 0 || \result.valid == 1;
    ensures shape: \result.status != SPW_EINVAL ==> (\result.shape == 1 <==> shape_valid(tensor));
    ensures exact: \result.status == SPW_OK ==> (\result.valid == 1 <==> valid_up_to(tensor, level)); */
/* level L2 */
static spw_verdict judge(const spw_tensor *tensor, spw_level level, int threads)
{
  const spw_verdict misuse = {SPW_EINVAL, 0, 0, -1};
  if (!spw_is_level(level) || !spw_usable(tensor)) return misuse;
  //@ ghost lem_readable(tensor);
  return spw_verdict_of(tensor, level, threads);
}

/* What became of every rule, for the verdict that judge() gave. */
/*@ requires tensor: tensor != \null && honest(tensor) && usable(tensor);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires verdict: verdict.valid == 1 <==> valid_up_to(tensor, level);
    requires shape: verdict.shape == 1 <==> shape_valid(tensor);
    requires batches: level != SPW_SHAPE ==> !batches_overflow(tensor);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 1 <==> verdict.valid == 1;
    ensures exact: none_violated(\result) <==> verdict.valid == 1;
    ensures names: names_itself(\result);
    ensures truthful: truthful(tensor, \result);
    ensures complete: complete(tensor, \result, level); */
/* level L2 */
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
    ensures exact: \result.status == SPW_OK ==> (\result.report.valid == 1 <==> valid_up_to(tensor, level));
    ensures found: \result.status == SPW_OK ==> (none_violated(\result.report) <==> valid_up_to(tensor, level));
    ensures truthful: \result.status == SPW_OK ==> truthful(tensor, \result.report);
    ensures complete: \result.status == SPW_OK ==> complete(tensor, \result.report, level); */
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
    ensures found: \result == SPW_OK ==> (none_violated(*report) <==> valid_up_to{Pre}(tensor, level));
    ensures truthful: \result == SPW_OK ==> truthful{Pre}(tensor, *report);
    ensures complete: \result == SPW_OK ==> complete{Pre}(tensor, *report, level); */
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

/*@ terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == phase_of(rule); */
/* level L2 */
static spw_level phase_of(int rule)
{
  switch (rule) {
#define SPW_RULE(major, minor, phase, layouts, formula, prose, why, fix, torch, scipy)                                 \
  case SPW_RULE_##major##_##minor: return phase;
#include "../../spec/rules.def"
#undef SPW_RULE
  default: return SPW_SHAPE;
  }
}

/* The first violated rule of a phase. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures range: SPW_RULE_NONE <= \result < SPW_RULE_COUNT;
    ensures none: \result == SPW_RULE_NONE ==>
      \forall integer i; 0 <= i < SPW_RULE_COUNT && phase_of(i) == phase ==> r.findings[i].state != SPW_VIOLATED;
    ensures found: \result != SPW_RULE_NONE ==> r.findings[\result].state == SPW_VIOLATED && phase_of(\result) == phase;
    ensures first: \forall integer i; 0 <= i < \result && phase_of(i) == phase ==> r.findings[i].state != SPW_VIOLATED; */
/* level L2 */
static int first_of_phase(spw_report r, int phase)
{
  /*@ loop invariant range: 0 <= i <= SPW_RULE_COUNT;
      loop invariant none: \forall integer j; 0 <= j < i && phase_of(j) == phase ==> r.findings[j].state != SPW_VIOLATED;
      loop assigns i;
      loop variant SPW_RULE_COUNT - i; */
  for (int i = 0; i < SPW_RULE_COUNT; i++)
    if (r.findings[i].state == SPW_VIOLATED && (int64_t)phase_of(i) == phase) return i;
  return SPW_RULE_NONE;
}

/* The first violated rule, by phase, then by spec/rules.def. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures none: \result == SPW_RULE_NONE <==> none_violated(r);
    ensures first: \result != SPW_RULE_NONE ==> first_violated(r, \result); */
/* level L2 */
static int first_of(spw_report r)
{
  /*@ loop invariant range: SPW_SHAPE <= phase <= SPW_CANONICAL + 1;
      loop invariant none: \forall integer j; 0 <= j < SPW_RULE_COUNT && phase_of(j) < phase ==> r.findings[j].state != SPW_VIOLATED;
      loop assigns phase;
      loop variant SPW_CANONICAL - phase; */
  for (int phase = SPW_SHAPE; phase <= SPW_CANONICAL; phase++) {
    const int rule = first_of_phase(r, phase);
    if (rule != SPW_RULE_NONE) return rule;
  }
  return SPW_RULE_NONE;
}

/* A violation, or why none was looked for. */
typedef struct located {
  spw_status status;
  spw_violation first;
} located;

/*@ requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false; assigns \nothing;
    ensures status: answers(\result.status, tensor, level);
    ensures exact: \result.status == SPW_OK ==> (\result.first.rule == SPW_RULE_NONE <==> valid_up_to(tensor, level));
    ensures valid: \result.status == SPW_OK && valid_up_to(tensor, level) ==> no_violation(\result.first);
    ensures invalid: \result.status == SPW_OK && !valid_up_to(tensor, level) ==> first_violation(tensor, level, \result.first); */
/* level L2 */
static located locate(const spw_tensor *tensor, spw_level level)
{
  const spw_verdict verdict = judge(tensor, level, 1);
  located l = {verdict.status, {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, -1, 0, 0}};
  if (verdict.status != SPW_OK || verdict.valid) return l;
  const spw_report report = report_of(tensor, level, verdict);
  const int rule = first_of(report);
  //@ assert named: first_violated(report, rule) && names_rule(report.findings[rule], rule);
  l.first = report.findings[rule].first;
  //@ assert copied: l.first == report.findings[rule].first && l.first.rule == rule;
  return l;
}

/*@ requires output: first != \null ==> \valid(first);
    requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false;
    assigns *first;
    ensures misused: first == \null ==> \result == SPW_EINVAL;
    ensures status: first != \null ==> answers{Pre}(\result, tensor, level);
    ensures misuse: first != \null && \result != SPW_OK ==> *first == \old(*first);
    ensures exact: \result == SPW_OK ==> (first->rule == SPW_RULE_NONE <==> valid_up_to{Pre}(tensor, level));
    ensures valid: \result == SPW_OK && valid_up_to{Pre}(tensor, level) ==> no_violation(*first);
    ensures invalid: \result == SPW_OK && !valid_up_to{Pre}(tensor, level) ==> first_violation{Pre}(tensor, level, *first); */
/* level L2 */
spw_status spw_first_violation(const spw_tensor *tensor, spw_level level, spw_violation *first)
{
  if (first == NULL) return SPW_EINVAL;
  const located l = locate(tensor, level);
  if (l.status == SPW_OK) {
    *first = l.first;
    //@ assert copied: first->rule == l.first.rule;
  }
  return l.status;
}
