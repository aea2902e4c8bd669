/* SPDX-License-Identifier: Apache-2.0 */
/* The library's sentence about a violation, in memory of its own. */
#include "report.h"

char *violation_message(const cli_judgement *judgement, const spw_violation *violation)
{
  const spw_tensor *const tensor = judgement->input->tensor;
  const size_t length = spw_violation_text(tensor, violation, NULL, 0) + 1;
  char *const text = allocate(length, 1);
  (void)spw_violation_text(tensor, violation, text, length);
  return text;
}
