/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_runtime.h"

#include "../kernels/check.h"

#include <stdlib.h>

fake_runtime fake;

static cudaError_t last;

/* Every function of the runtime begins here. */
static cudaError_t call(void)
{
  fake.calls++;
  const bool fails = fake.fail_at > 0 && (fake.calls == fake.fail_at ||
                                          (fake.sticky && fake.calls > fake.fail_at));
  if (!fails) return cudaSuccess;
  fake.failed = true;
  return last = fake.error;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

cudaError_t cudaPeekAtLastError(void)
{
  const cudaError_t error = call();
  return error ? error : last;
}

cudaError_t cudaGetLastError(void)
{
  const cudaError_t error = call(), before = last;
  last = cudaSuccess;
  return error ? error : before;
}

const char *cudaGetErrorName(cudaError_t error)
{
  return error == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "an error";
}

const char *cudaGetErrorString(cudaError_t error)
{
  return cudaGetErrorName(error);
}

/* ---- Devices and memory ---------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
  const cudaError_t error = call();
  if (!error) *count = 2;
  return error;
}

cudaError_t cudaGetDevice(int *device)
{
  const cudaError_t error = call();
  if (!error) *device = 0;
  return error;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int device)
{
  const cudaError_t error = call();
  (void)device;
  if (!error) *value = which == cudaDevAttrMultiProcessorCount ? 1 : 0;
  return error;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
  const cudaError_t error = call();
  if (error) return error;
  *memory = malloc(bytes);
  if (!*memory) return last = cudaErrorMemoryAllocation;
  memset(*memory, fake.allocated, bytes);
  fake.allocations++;
  return cudaSuccess;
}

/* Frees also when it fails: what an error of an earlier launch looks like. */
cudaError_t cudaFree(void *memory)
{
  const cudaError_t error = call();
  if (memory) fake.allocations--;
  free(memory);
  return error;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
  const cudaError_t error = call();
  (void)stream;
  if (!error) memset(memory, value, bytes);
  return error;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
  const cudaError_t error = call();
  (void)kind;
  if (!error) memcpy(to, from, bytes);
  return error;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
  (void)stream;
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  (void)stream;
  return call();
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* What nvcc's code tells the runtime before main: the function that stands for a kernel, and its
 * name. */
static struct {
  const void *function;
  const char *name;
} registered[64];
static unsigned registrations;

void **__cudaRegisterFatBinary(void *binary);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *function, char *device_function,
                            const char *name, int limit, void *tid, void *bid, void *block,
                            void *grid, int *warp);
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                                       void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block,
                               void **arguments, size_t shared, cudaStream_t stream);

void **__cudaRegisterFatBinary(void *binary)
{
  (void)binary;
  static void *handle;
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
  (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
  (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *function, char *device_function,
                            const char *name, int limit, void *tid, void *bid, void *block,
                            void *grid, int *warp)
{
  (void)handle, (void)device_function, (void)limit, (void)tid, (void)bid, (void)block, (void)grid,
      (void)warp;
  if (registrations == sizeof registered / sizeof *registered) abort();
  registered[registrations].function = function;
  registered[registrations++].name = name;
}

static const char *name_of(const void *function)
{
  for (unsigned i = 0; i < registrations; i++)
    if (registered[i].function == function) return registered[i].name;
  return NULL;
}

static const spw_engine_kernel *kernel_of(const char *name)
{
#define KERNEL(name) &name,
  static const spw_engine_kernel *const kernels[] = {SPW_CHECK_KERNELS(KERNEL)};
#undef KERNEL
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    if (!strcmp(kernels[i]->name, name)) return kernels[i];
  return NULL;
}

static bool is_one_of(const char *name, const char *part)
{
  return part != NULL && strstr(name, part) != NULL;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *is, const void *function)
{
  const cudaError_t error = call();
  const char *const name = name_of(function);
  if (error) return error;
  if (!name) return last = cudaErrorInvalidDeviceFunction;
  if (is_one_of(name, fake.missing)) return last = cudaErrorNoKernelImageForDevice;
  memset(is, 0, sizeof *is);
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute which, int value)
{
  (void)function, (void)which, (void)value;
  return call();
}

cudaError_t cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block,
                             void **arguments, size_t shared, cudaStream_t stream)
{
  const cudaError_t error = call();
  const char *const name = name_of(function);
  (void)stream;
  fake.launches++;
  if (error) return error;
  if (!name || !kernel_of(name)) return last = cudaErrorInvalidDeviceFunction;
  if (is_one_of(name, fake.missing)) return last = cudaErrorNoKernelImageForDevice;
  if (fake.foreign_stream) return last = cudaErrorInvalidResourceHandle;
  if (is_one_of(name, fake.lost)) return cudaSuccess;
  if (spw_engine_launch(kernel_of(name), arguments[0], (spw_dim3){grid.x, grid.y, grid.z},
                        (spw_dim3){block.x, block.y, block.z}, shared,
                        (spw_engine_schedule){.seed = 0}) != SPW_ENGINE_OK)
    return last = cudaErrorInvalidConfiguration;
  fake.verdicts += is_one_of(name, "verdict");
  return cudaSuccess;
}

/* Launches with <<<>>>: the library has none. */
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     struct CUstream_st *stream)
{
  (void)grid, (void)block, (void)shared, (void)stream;
  abort();
}

cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                                       void *stream)
{
  (void)grid, (void)block, (void)shared, (void)stream;
  abort();
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
  (void)kernel, (void)function;
  abort();
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block,
                               void **arguments, size_t shared, cudaStream_t stream)
{
  (void)kernel, (void)grid, (void)block, (void)arguments, (void)shared, (void)stream;
  abort();
}
