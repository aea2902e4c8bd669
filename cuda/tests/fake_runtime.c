/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_runtime.h"

#include "../kernels/check.h"
#include "../kernels/convert.h"

#include <pthread.h>
#include <stdlib.h>

fake_runtime fake;

static _Thread_local cudaError_t last;
/* The engine runs one grid at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

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

/* ---- Streams and graphs: what is queued is done at once, or captured -------------------------- */

typedef struct operation {
  enum { FILL, COPY, RUN } kind;
  void *to;
  const void *from;
  int value;
  size_t bytes;
  const spw_engine_kernel *kernel;
  struct dim3 grid, block;
  char arguments[4096]; /* the most that a launch takes */
} operation;

enum { CAPTURED = 256 };

struct CUstream_st {
  struct CUgraph_st *captured; /* what is queued now, if that is not done */
};

struct CUgraph_st {
  unsigned count;
  operation operations[CAPTURED];
};

static cudaError_t perform(const operation *o)
{
  int refused = SPW_ENGINE_OK;
  pthread_mutex_lock(&one_at_a_time);
  if (o->kind == FILL) memset(o->to, o->value, o->bytes);
  if (o->kind == COPY) memcpy(o->to, o->from, o->bytes);
  if (o->kind == RUN) {
    refused = spw_engine_launch(o->kernel, o->arguments, (spw_dim3){o->grid.x, o->grid.y, o->grid.z},
                                (spw_dim3){o->block.x, o->block.y, o->block.z}, o->bytes,
                                (spw_engine_schedule){.seed = 0});
    fake.verdicts += strstr(o->kernel->name, "verdict") != NULL;
  }
  pthread_mutex_unlock(&one_at_a_time);
  return refused ? (last = cudaErrorInvalidConfiguration) : cudaSuccess;
}

static cudaError_t queue(cudaStream_t stream, operation o)
{
  if (!stream || !stream->captured) return perform(&o);
  if (stream->captured->count == CAPTURED) abort();
  stream->captured->operations[stream->captured->count++] = o;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
  const cudaError_t error = call();
  (void)flags;
  if (!error) *stream = calloc(1, sizeof **stream);
  return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  free(stream);
  return call();
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
  const cudaError_t error = call();
  (void)mode;
  if (!error) stream->captured = calloc(1, sizeof *stream->captured);
  return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
  const cudaError_t error = call();
  *graph = stream->captured;
  stream->captured = NULL;
  return error;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *copy, cudaGraph_t graph, unsigned long long flags)
{
  const cudaError_t error = call();
  (void)flags;
  if (error) return error;
  struct CUgraph_st *const made = malloc(sizeof *made);
  if (!made) abort();
  *made = *graph;
  *copy = (cudaGraphExec_t)(void *)made;
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t copy, cudaStream_t stream)
{
  const struct CUgraph_st *const graph = (const struct CUgraph_st *)(void *)copy;
  cudaError_t error = call();
  for (unsigned i = 0; i < graph->count && !error; i++) error = queue(stream, graph->operations[i]);
  return error;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
  free(graph);
  return call();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t copy)
{
  free(copy);
  return call();
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

cudaError_t cudaSetDevice(int device)
{
  (void)device;
  return call();
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
  const cudaError_t error = call();
  if (!error) *memory = calloc(1, bytes);
  return error;
}

cudaError_t cudaFreeHost(void *memory)
{
  free(memory);
  return call();
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
  const operation o = {.kind = FILL, .to = memory, .value = value, .bytes = bytes};
  return error ? error : queue(stream, o);
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
  const cudaError_t error = call();
  const operation o = {.kind = COPY, .to = to, .from = from, .bytes = bytes};
  (void)kind;
  return error ? error : queue(stream, o);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  const cudaError_t error = call();
  return !error && stream && stream->captured ? (last = cudaErrorStreamCaptureUnsupported) : error;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* What nvcc's code tells the runtime before main: the function that stands for a kernel, and its
 * name. */
static struct {
  const void *function;
  const char *name;
} registered[128];
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
  static const spw_engine_kernel *const kernels[] = {SPW_CHECK_KERNELS(KERNEL) SPW_CONVERT_KERNELS(KERNEL)};
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
  fake.launches++;
  if (error) return error;
  if (!name || !kernel_of(name)) return last = cudaErrorInvalidDeviceFunction;
  if (is_one_of(name, fake.missing)) return last = cudaErrorNoKernelImageForDevice;
  if (fake.foreign_stream) return last = cudaErrorInvalidResourceHandle;
  if (is_one_of(name, fake.lost)) return cudaSuccess;
  operation o = {.kind = RUN, .kernel = kernel_of(name), .grid = grid, .block = block, .bytes = shared};
  if (o.kernel->arguments > sizeof o.arguments) return last = cudaErrorInvalidValue;
  memcpy(o.arguments, arguments[0], o.kernel->arguments);
  return queue(stream, o);
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
