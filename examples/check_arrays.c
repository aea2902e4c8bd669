/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a program's own CSR arrays before it trusts them. */
#include <sparsewright.h>
#include <stdio.h>

int main(void)
{
  const int64_t crow[] = {0, 6, 4}, col[] = {0, 1, 2, 3};
  const float val[] = {1, 1, 1, 1};
  spw_view view;
  const spw_tensor *csr = spw_csr(&view, 2, 6, 4, SPW_INT64, crow, col, SPW_FLOAT32, val);
  spw_violation v;
  char text[256];
  const spw_status status = spw_first_violation(csr, SPW_CANONICAL, &v);
  if (status != SPW_OK) return fprintf(stderr, "%s\n", spw_status_string(status)), 2;
  if (v.rule == SPW_RULE_NONE) return puts("valid"), 0;
  spw_violation_text(csr, &v, text, sizeof text);
  printf("rule %s: %s\n%s\n", spw_rule_get(v.rule)->id, spw_rule_get(v.rule)->formula, text);
  return 1;
}
