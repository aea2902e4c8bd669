/* SPDX-License-Identifier: Apache-2.0 */
/* The library's sentence about a violation, and what the format of the file adds, in memory of its own. */
#include "report.h"

#include <string.h>

/* Zero-based indices in a file that counts from 1. */
static const char *note_of(const cli_judgement *judgement, const spw_violation *violation)
{
  const bool is_zero = violation->rule == SPW_RULE_6_5 && violation->lhs == -1;
  return is_zero && judgement->input->format == SPW_FORMAT_MTX ? ": the file has 0 there, and Matrix Market counts from 1" : "";
}

char *violation_message(const cli_judgement *judgement, const spw_violation *violation)
{
  const spw_tensor *const tensor = judgement->input->tensor;
  const char *const note = note_of(judgement, violation);
  const size_t length = spw_violation_text(tensor, violation, NULL, 0) + 1;
  char *const text = allocate(length + strlen(note), 1);
  (void)spw_violation_text(tensor, violation, text, length);
  strcpy(text + length - 1, note);
  return text;
}
