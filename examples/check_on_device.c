/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a program's own CSR arrays on the first CUDA device. */
#include <inttypes.h>
#include <sparsewright_cuda.h>
#include <stdio.h>

int main(void)
{
  const int64_t crow[] = {0, 6, 4}, col[] = {0, 1, 2, 3};
  const float val[] = {1, 1, 1, 1};
  spw_view view;
  const spw_tensor *csr = spw_csr(&view, 2, 6, 4, SPW_INT64, crow, col, SPW_FLOAT32, val);
  spw_violation v;
  const int status = spw_cuda_first_violation_copied(csr, SPW_CANONICAL, &v);
  if (spw_cuda_is_no_device(status)) return puts("no device"), 77;
  if (status != SPW_OK) return fprintf(stderr, "%s\n", spw_cuda_status_string(status)), 2;
  if (v.rule == SPW_RULE_NONE) return puts("valid"), 0;
  printf("rule %s at position %" PRId64 ": %" PRId64 " against %" PRId64 "\n", spw_rule_get(v.rule)->id, v.position, v.lhs,
         v.rhs);
  return 1;
}
