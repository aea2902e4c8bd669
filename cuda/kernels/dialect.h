/* SPDX-License-Identifier: Apache-2.0 */
/* The language of the kernels: C11 that is also CUDA C++. nvcc compiles it for the device, gcc and
 * clang for the host engine. A kernel is launched with one struct by value, which it sees as `a`,
 * a pointer to const:
 *
 *   SPW_KERNEL(name, arguments_type) { ... }         with barriers or warp functions
 *   SPW_KERNEL_FREE(name, arguments_type) { ... }    without; runs without fibers on the host
 *   SPW_KERNEL_WITHIN(name, arguments_type, threads, blocks) { ... }   with; takes no more registers than there are where
 *                                                    so many blocks of so many threads are on a multiprocessor
 *   SPW_DEVICE                                       before every function that kernels call
 *   SPW_SHARED(type, array, n);                      a static shared array
 *   SPW_DYNAMIC_SHARED(type, array);                 the one whose size the launch gives
 *   SPW_LAUNCH(stream, name, grid, block, dynamic, arguments)   0, or an error of CUDA
 *
 * Inside, CUDA's names: threadIdx, blockIdx, blockDim, gridDim, __syncthreads, __syncwarp, the
 * __shfl and __ballot functions, __popc, __ffs, and atomicAdd, atomicMin, atomicOr, which order
 * nothing. What orders is below under its own name. Words that several threads change are
 * `spw_word`. */
#ifndef SPW_CUDA_DIALECT_H
#define SPW_CUDA_DIALECT_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned long long spw_word; /* CUDA's atomics know no uint64_t */

#define SPW_WARP_LANES 32u
#define SPW_ALL_LANES 0xffffffffu
#define SPW_BLOCK_MAX 1024u

#ifdef __CUDACC__
#include <cuda_runtime.h>

#define SPW_DEVICE static __device__ __forceinline__
#define SPW_UNROLL _Pragma("unroll")
/* `a` points into the constant memory that holds the arguments: no thread has a copy. */
#define SPW_KERNEL(name, type) SPW_KERNEL_AS(name, type, )
#define SPW_KERNEL_WITHIN(name, type, threads, blocks) SPW_KERNEL_AS(name, type, __launch_bounds__(threads, blocks))
#define SPW_KERNEL_AS(name, type, bounds)                                    \
  SPW_DEVICE void name##_body(const type *a);                                \
  extern "C" __global__ void bounds name(const __grid_constant__ type given) \
  {                                                                          \
    name##_body(&given);                                                     \
  }                                                                          \
  SPW_DEVICE void name##_body(const type *a)
#define SPW_KERNEL_FREE SPW_KERNEL
#define SPW_SHARED(type, array, n) __shared__ type array[n]
#define SPW_DYNAMIC_SHARED(type, array) \
  extern __shared__ __align__(16) unsigned char spw_dynamic_shared[]; \
  type *const array = (type *)spw_dynamic_shared
#define SPW_LAUNCH(stream, name, grid, block, dynamic, arguments) \
  spw_launch(name, grid, block, dynamic, stream, arguments)

/* As much dynamic shared memory as the device has: without this a launch gets 48 KiB. The same for
 * every launch, so that threads that launch at a time do not take it from each other. */
static inline cudaError_t spw_allow_shared(const void *kernel)
{
  int device = 0, most = 0;
  cudaFuncAttributes is;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&is, kernel);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 most - (int)is.sharedSizeBytes);
  return error;
}

/* The error of this launch itself, which is not left behind for somebody else to find: what <<<>>>
 * tells, a last error, may be another's. */
extern "C++" { /* also where a file is included as C */
extern "C++" template <typename T>
static inline int spw_launch(void (*kernel)(const T), dim3 grid, dim3 block, size_t dynamic,
                             cudaStream_t stream, T arguments)
{
  void *parameters[] = {&arguments};
  cudaError_t error = dynamic > 0 ? spw_allow_shared((const void *)kernel) : cudaSuccess;
  if (error == cudaSuccess)
    error = cudaLaunchKernel((const void *)kernel, grid, block, parameters, dynamic, stream);
  if (error != cudaSuccess) (void)cudaGetLastError();
  return (int)error;
}
}

/* 16 bytes at once, from an address that is a multiple of 16. */
SPW_DEVICE void spw_load_16(void *to, const void *from)
{
  const int4 bits = __ldg((const int4 *)from);
  memcpy(to, &bits, sizeof bits);
}

/* Sees what was written before another thread's call with the same counter, and shows to later
 * ones what this thread wrote. */
SPW_DEVICE unsigned spw_fetch_add_ordered(unsigned *counter, unsigned by)
{
  __threadfence();
  const unsigned before = atomicAdd(counter, by);
  __threadfence();
  return before;
}

SPW_DEVICE void spw_publish(spw_word *where, spw_word value)
{
  __threadfence();
  *(volatile spw_word *)where = value;
}

SPW_DEVICE spw_word spw_observe(const spw_word *where)
{
  const spw_word value = *(const volatile spw_word *)where;
  __threadfence();
  return value;
}

/* In the body of a loop that waits for another block. */
#define SPW_WAIT() __nanosleep(20)
#else
#include "../host/dialect.h"
#endif

#endif
