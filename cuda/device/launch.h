/* SPDX-License-Identifier: Apache-2.0 */
/* Between the host code of the device side and the file that nvcc compiles. */
#ifndef SPW_CUDA_LAUNCH_H
#define SPW_CUDA_LAUNCH_H

#include "../convert/plan.h"

#include <cuda_runtime_api.h>

#define SPW_CUDA_CONVERT_BLOCKS_PER_PROCESSOR 8 /* all threads that a multiprocessor has */

#ifdef __cplusplus
extern "C" {
#endif
/* Launches the kernels of a plan that is not decided; 0 or the cudaError_t. `memory` is filled
 * with the plan's byte. */
int spw_cuda_launch_check(const spw_check_plan *plan, void *memory, cudaStream_t stream);

/* Loads every kernel on the current device; 0 or the cudaError_t, also of a kernel that is not there
 * for its architecture. */
int spw_cuda_load_kernels(void);

/* The same of conversions: the kernels behind those of the check. */
int spw_cuda_launch_convert(const spw_convert_plan *plan, const spw_buffers *buffers, cudaStream_t stream);
int spw_cuda_load_convert_kernels(void);

#ifdef __cplusplus
}
#endif

/* Loads kernels on the current device; 0 or the cudaError_t. */
static inline int spw_cuda_load(const void *const *kernels, size_t count)
{
  struct cudaFuncAttributes is;
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < count && error == cudaSuccess; i++) error = cudaFuncGetAttributes(&is, kernels[i]);
  return (int)error;
}

/* As many blocks as the current device holds. */
static inline cudaError_t spw_cuda_geometry(unsigned blocks_per_processor, unsigned threads, spw_geometry *g)
{
  int device = 0, processors = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  g->blocks = (unsigned)processors * blocks_per_processor;
  g->threads = threads;
  return error;
}

#endif
