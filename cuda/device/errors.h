/* SPDX-License-Identifier: Apache-2.0 */
/* What all public functions do with CUDA's errors. */
#ifndef SPW_CUDA_ERRORS_H
#define SPW_CUDA_ERRORS_H

#include <cuda_runtime_api.h>

#define EXPORT __attribute__((visibility("default")))

/* The error of an earlier call, sticky or not: work queued behind it would prove nothing. */
static inline int earlier_error(void)
{
  return (int)cudaPeekAtLastError();
}

/* An error of this library's own calls is returned, and not left for somebody else to find. */
static inline int returned(cudaError_t error)
{
  if (error != cudaSuccess) (void)cudaGetLastError();
  return (int)error;
}

#endif
