/* SPDX-License-Identifier: Apache-2.0 */
#include "on_host.h"

#include "../kernels/check.h"

#include <stdlib.h>
#include <string.h>

#define STREAM spw_engine_schedule
#define DIM(x, y) ((spw_dim3){x, y, 1})
#include "run.inc"

spw_status spw_first_violation_on_host(const spw_tensor *tensor, spw_level level, unsigned blocks,
                                       unsigned threads, uint64_t seed, spw_violation *first)
{
  spw_check_plan plan;
  if (first == NULL) return SPW_EINVAL;
  spw_status status = spw_check_plan_make(tensor, level, &plan);
  if (status != SPW_OK) return status;
  if (plan.kind == SPW_CHECK_DECIDED) return spw_check_plan_read(&plan, plan.word, 0, 0, first);
  spw_check_memory *const memory =
      malloc(plan.bytes); /* as the device has it, no byte more */
  if (!memory) return SPW_ENOMEM;
  memset(memory, plan.fill, plan.bytes);
  const spw_geometry geometry = {blocks, threads};
  const spw_engine_schedule schedule = {.seed = seed};
  if (spw_run_check(&plan, memory, geometry, schedule) != SPW_ENGINE_OK) status = SPW_EINVAL;
  else status = spw_check_plan_read(&plan, memory->word, memory->lhs, memory->rhs, first);
  free(memory);
  return status;
}
