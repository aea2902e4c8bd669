/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

spw_owned *map_values(const spw_tensor *a, const spw_unary_request *wanted, const cli_input *about, const check_request *request,
                      size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  if (!may_spend(about, request, "mapping", count_elements(a), problem)) return NULL;
  const spw_status status = spw_unary_new(a, wanted, memory, &result, &refusal);
  if (status == SPW_OK) return result;
  if (!refused_for_reason(status, &refusal, "result", "a function of a valid tensor", memory, operand, problem)) return NULL;
  cli_text text = new_text();
  add_refusal(&text, &(spw_refused){.operation = SPW_MAPPING, .a = a, .unary = wanted}, &refusal);
  set_reason(problem, &text);
  return NULL;
}
