/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

bool refused_for_reason(spw_status status, const spw_refusal *refusal, const char *result, const char *making, size_t memory,
                        int *operand, cli_problem *problem)
{
  const bool reason = status == SPW_ERANGE;
  *operand = reason ? refusal->operand : -1;
  if (status == SPW_ENOMEM)
    set_problem(problem, "limit", "the %s takes more than the limit of %zu bytes; --max-memory=N changes the limit", result,
                memory);
  else if (status == SPW_EUNSUPPORTED)
    set_problem(problem, "impossible", "there are more than %d dimensions", SPW_STRUCTURE_DIMS);
  else if (!reason)
    set_problem(problem, "internal", "%s failed: %s", making, spw_status_string(status));
  return reason;
}
