/* SPDX-License-Identifier: Apache-2.0 */
/* The check kernels compiled for the device, and their launches. */
extern "C" {
#include "../convert/plan.h"
}
#include "../kernels/check.h"
#include "launch.h"

#define STREAM cudaStream_t
#define DIM(x, y) dim3(x, y, 1)
#include "../check/run.inc"

extern "C" int spw_cuda_launch_check(const spw_check_plan *plan, void *memory, cudaStream_t stream)
{
  spw_geometry geometry;
  const cudaError_t error = spw_cuda_geometry(SPW_CHECK_BLOCKS, SPW_CHECK_THREADS, &geometry);
  if (error != cudaSuccess) return (int)error;
  return spw_run_check(plan, (spw_check_memory *)memory, geometry, stream);
}

extern "C" int spw_cuda_load_kernels(void)
{
#define KERNEL(name) (const void *)name,
  static const void *const kernels[] = {SPW_CHECK_KERNELS(KERNEL)};
#undef KERNEL
  return spw_cuda_load(kernels, sizeof kernels / sizeof *kernels);
}
