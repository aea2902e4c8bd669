/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a program's own CSR arrays on the first CUDA device. */
#include <inttypes.h>
#include <sparsewright_cuda.h>
#include <stdio.h>

int main(void)
{
  const int64_t crow[] = {0, 6, 4}, col[] = {0, 1, 2, 3};
  const float val[] = {1, 1, 1, 1};
  const int64_t size[] = {2, 6}, rows1[] = {3}, nse[] = {4}, one[] = {1};
  const spw_tensor csr = {
      .layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
      .compressed = {.array = {SPW_INT64, 1, rows1, one, 0, 3}, .i64 = crow},
      .plain = {.array = {SPW_INT64, 1, nse, one, 0, 4}, .i64 = col},
      .values = {.array = {SPW_FLOAT32, 1, nse, one, 0, 4}, .data = val}};
  spw_violation v;
  const int status = spw_cuda_first_violation_copied(&csr, SPW_CANONICAL, &v);
  if (spw_cuda_is_no_device(status)) return puts("no device"), 77;
  if (status != SPW_OK) return fprintf(stderr, "%s\n", spw_cuda_status_string(status)), 2;
  if (v.rule == SPW_RULE_NONE) return puts("valid"), 0;
  printf("rule %s at position %" PRId64 ": %" PRId64 " against %" PRId64 "\n",
         spw_rule_get(v.rule)->id, v.position, v.lhs, v.rhs);
  return 1;
}
