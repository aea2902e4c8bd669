/* SPDX-License-Identifier: Apache-2.0 */
/* A violated rule for every report, of tensors and of 2:4 matrices. */
#include "report.h"

static void tell_of_tensor(const cli_judgement *j, const spw_finding *finding, told_violation *told)
{
  const spw_violation *const v = &finding->first;
  told->member = spw_member_name(j->input->tensor->layout, v->member);
  told->message = violation_message(j, v);
  told->position = v->position;
  told->lhs = v->lhs;
  told->rhs = v->rhs;
  told->count = finding->count;
}

static void tell_of_semi(const cli_judgement *j, const spw_semi_finding *finding, told_violation *told)
{
  const spw_semi_violation *const v = &finding->first;
  const size_t length = spw_semi_violation_text(j->semi, v, NULL, 0) + 1;
  told->member = spw_semi_member_name(v->member);
  told->message = allocate(length, 1);
  (void)spw_semi_violation_text(j->semi, v, told->message, length);
  told->position = v->column < 0 ? v->row : v->row * j->semi->metadata.array.shape[1] + v->column;
  told->lhs = v->lhs;
  told->rhs = v->rhs;
  told->count = finding->count;
}

bool tell_violation(const cli_judgement *j, int number, told_violation *told)
{
  if (j->verdict != VERDICT_INVALID || state_of_rule(j, number) != SPW_VIOLATED) return false;
  told->rule = any_rule(number);
  if (j->semi)
    tell_of_semi(j, &j->semi_report.findings[number - SPW_RULE_COUNT], told);
  else
    tell_of_tensor(j, &j->report.findings[number], told);
  return true;
}

void add_semi(cli_text *text, const spw_semi *semi)
{
  const int64_t size[2] = {semi->rows, semi->columns};
  add_text(text, "semi ");
  add_sizes(text, 2, size);
  add_format(text, ", %s order, %s", spw_semi_order_name(semi->order), spw_semi_dtype_name(semi->packed.array.dtype));
}
