/* SPDX-License-Identifier: Apache-2.0 */
#include "on_host.h"

#include "../kernels/check.h"
#include "../kernels/convert.h"

#include <string.h>

#define STREAM spw_engine_schedule
#define DIM(x, y) ((spw_dim3){x, y, 1})
#include "../check/run.inc"
#include "run.inc"

spw_status spw_convert_on_host(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                               unsigned blocks, unsigned threads, uint64_t seed, spw_tensor *result,
                               spw_refusal *refusal)
{
  spw_convert_plan plan;
  if (!buffers || !result) return SPW_EINVAL;
  spw_status status = spw_convert_plan_make(tensor, wanted, &plan, refusal);
  if (status == SPW_OK) status = spw_convert_plan_judge_buffers(&plan, buffers);
  if (status != SPW_OK) return status;
  spw_convert_told *const told = buffers->work;
  memset(told, 0xff, plan.begun);
  memset(&told->checked, plan.check.fill, plan.check.bytes);
  const spw_geometry geometry = {blocks, threads};
  const spw_engine_schedule schedule = {.seed = seed};
  if (plan.check.kind != SPW_CHECK_DECIDED &&
      spw_run_check(&plan.check, &told->checked, geometry, schedule) != SPW_ENGINE_OK)
    return SPW_EINVAL;
  if (spw_run_convert(&plan, buffers, geometry, schedule) != SPW_ENGINE_OK) return SPW_EINVAL;
  return spw_convert_plan_read(&plan, told, buffers, result, refusal);
}
