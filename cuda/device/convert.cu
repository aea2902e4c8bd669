/* SPDX-License-Identifier: Apache-2.0 */
/* The conversion kernels compiled for the device, and their launches. */
extern "C" {
#include "../convert/plan.h"
}
#include "../kernels/convert.h"
#include "launch.h"

#define STREAM cudaStream_t
#define DIM(x, y) dim3(x, y, 1)
#include "../convert/run.inc"

extern "C" int spw_cuda_launch_convert(const spw_convert_plan *plan, const spw_buffers *buffers, cudaStream_t stream)
{
  spw_geometry geometry;
  const cudaError_t error = spw_cuda_geometry(SPW_CUDA_CONVERT_BLOCKS_PER_PROCESSOR, SPW_CONVERT_THREADS, &geometry);
  return error != cudaSuccess ? (int)error : spw_run_convert(plan, buffers, geometry, stream);
}

extern "C" int spw_cuda_load_convert_kernels(void)
{
#define KERNEL(name) (const void *)name,
  static const void *const kernels[] = {SPW_CONVERT_KERNELS(KERNEL)};
#undef KERNEL
  return spw_cuda_load(kernels, sizeof kernels / sizeof *kernels);
}
