/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_bench [--only check|convert] [--rounds N]: how fast the check is on this device, beside reading and
 * copying the same bytes and beside the two passes of PyTorch's validator, written here as plain kernels.
 * Prints one JSON object.
 *
 * Cold: the caches are overwritten before every run. Warm: they are not. Medians of 41 runs, of conversions 21, or of
 * fewer where one takes long, each between two events; the kinds of work take turns in every round.
 * `latency`: seconds on the host from the start of a check to its verdict on the host. Then conversions
 * (bench_convert.cu). Exit code 77 without a device. */
#include "bench.h"

#include <chrono>
#include <cstring>

int rounds = 41;

namespace {

int processors;

/* ---- What is measured beside the check ------------------------------------------------------- */

__global__ void read_all(const int4 *from, int64_t n, int *sink)
{
  int sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += int64_t(gridDim.x) * blockDim.x) {
    const int4 v = from[i];
    sum ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == 0x7fedcba1) *sink = sum; /* keeps the loads */
}

__global__ void copy_all(const int4 *from, int4 *to, int64_t n)
{
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += int64_t(gridDim.x) * blockDim.x)
    to[i] = from[i];
}

/* The two passes: all plain indices against their bounds; then one thread for each row, which walks
 * it from its beginning to its end. */
template <typename T> __global__ void bounds_pass(const T *p, int64_t nse, int64_t P, int *bad)
{
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < nse;
       k += int64_t(gridDim.x) * blockDim.x)
    if (p[k] < 0 || p[k] >= P) *bad = 1;
}

template <typename T>
__global__ void rows_pass(const T *c, const T *p, int64_t C, int64_t P, int64_t nse, int *bad)
{
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < C;
       i += int64_t(gridDim.x) * blockDim.x) {
    const T from = c[i], to = c[i + 1];
    if (i == 0 && from != 0) *bad = 1;
    if (i == C - 1 && to != nse) *bad = 1;
    if (to < from || to - from > P) *bad = 1;
    else for (T k = from + 1; k < to; k++) if (p[k - 1] >= p[k]) *bad = 1;
  }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* Rows of `length` elements, spread over P columns. */
template <typename T> __global__ void even_rows(T *c, T *p, int64_t C, int64_t length, int64_t P)
{
  const int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x,
                step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = first; i <= C; i += step) c[i] = T(i * length);
  for (int64_t k = first; k < C * length; k += step)
    p[k] = T(k % length * (P / length) + (k * 7919) % (P / length));
}

/* Nothing but one dense row, in the middle. */
template <typename T> __global__ void dense_row(T *c, T *p, int64_t C, int64_t nse)
{
  const int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x,
                step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = first; i <= C; i += step) c[i] = T(i <= C / 2 ? 0 : nse);
  for (int64_t k = first; k < nse; k += step) p[k] = T(k);
}

template <typename T> struct Csr {
  int64_t C, P, nse;
  T *c, *p;
  int64_t size[2], c_shape[1], p_shape[1], one[1] = {1};
  spw_tensor tensor;

  Csr(int64_t rows, int64_t columns, int64_t elements)
      : C(rows), P(columns), nse(elements), c(device_array<T>(rows + 1)),
        p(device_array<T>(elements)), size{rows, columns}, c_shape{rows + 1}, p_shape{elements} {
    memset(&tensor, 0, sizeof tensor);
    tensor.layout = SPW_CSR;
    tensor.has_size = true;
    tensor.ndim = 2;
    tensor.size = size;
    tensor.coalesced = SPW_CLAIM_NONE;
    describe(tensor.compressed.array, sizeof(T) == 4 ? SPW_INT32 : SPW_INT64, c_shape);
    describe(tensor.plain.array, sizeof(T) == 4 ? SPW_INT32 : SPW_INT64, p_shape);
    describe(tensor.values.array, SPW_INT8, p_shape);
    tensor.compressed.i32 = (const int32_t *)(const void *)c;
    tensor.compressed.i64 = (const int64_t *)(const void *)c;
    tensor.plain.i32 = (const int32_t *)(const void *)p;
    tensor.plain.i64 = (const int64_t *)(const void *)p;
    tensor.values.data = p; /* never read */
  }
  ~Csr()
  {
    cudaFree(c);
    cudaFree(p);
  }
  Csr(const Csr &) = delete;
  Csr &operator=(const Csr &) = delete;
  void describe(spw_array &a, spw_dtype dtype, const int64_t *shape)
  {
    a = {dtype, 1, shape, one, 0, shape[0]};
  }
};

template <typename T> void measure(const char *name, Csr<T> &m, void *flush)
{
  const char *const index = sizeof(T) == 4 ? "int32" : "int64";
  const int64_t index_bytes = (m.C + 1 + m.nse) * int64_t(sizeof(T)),
                vectors = m.nse * int64_t(sizeof(T)) / 16;
  const int blocks = processors * 16;
  size_t bytes = 0;
  must(spw_cuda_check_bytes(&m.tensor, SPW_CANONICAL, &bytes), "spw_cuda_check_bytes");
  void *const workspace = device_array<char>(int64_t(bytes));
  int *const bad = device_array<int>(1);
  int4 *const copy = device_array<int4>(vectors);
  spw_cuda_result *result = nullptr;
  must(int(cudaMallocHost((void **)&result, sizeof *result)), "cudaMallocHost");
  cudaMemset(bad, 0, sizeof *bad);

  auto check = [&] {
    must(spw_cuda_check_start(&m.tensor, SPW_CANONICAL, workspace, bytes, nullptr), "check");
  };
  auto two_pass = [&] {
    bounds_pass<T><<<blocks, THREADS>>>(m.p, m.nse, m.P, bad);
    rows_pass<T><<<blocks, THREADS>>>(m.c, m.p, m.C, m.P, m.nse, bad);
  };
  auto read = [&] { read_all<<<blocks, THREADS>>>((const int4 *)(const void *)m.p, vectors, bad); };
  auto copy_over = [&] {
    copy_all<<<blocks, THREADS>>>((const int4 *)(const void *)m.p, copy, vectors);
  };

  Samples s[2][4], latency;
  for (int round = -WARM_UP; round < rounds; round++)
    for (int cold = 0; cold < 2; cold++)
      for (int turn = 0; turn < 4; turn++) {
        const int which = (turn + round + 4 * WARM_UP) % 4;
        if (!s[cold][which].wants_more(round)) continue;
        const double t = which == 0   ? time_once(check, cold, flush)
                         : which == 1 ? time_once(two_pass, cold, flush)
                         : which == 2 ? time_once(read, cold, flush)
                                      : time_once(copy_over, cold, flush);
        s[cold][which].add(round, t);
      }
  for (int round = -WARM_UP; round < rounds; round++) {
    cudaDeviceSynchronize();
    const auto begin = std::chrono::steady_clock::now();
    check();
    must(spw_cuda_check_fetch(workspace, result, nullptr), "fetch");
    must(int(cudaStreamSynchronize(nullptr)), "wait");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (result->word != SPW_CUDA_VALID) must(-1, "a valid tensor is said to be invalid");
    latency.add(round, took.count());
  }
  int found = 0;
  must(int(cudaMemcpy(&found, bad, sizeof found, cudaMemcpyDeviceToHost)), "copy back");
  if (found) must(-1, "the two passes say that a valid tensor is invalid");
  for (int cold = 0; cold < 2; cold++) {
    const char *const cache = cold ? "cold" : "warm";
    print_row(name, index, "sparsewright", cache, m.nse, double(index_bytes), s[cold][0]);
    print_row(name, index, "two passes", cache, m.nse, double(index_bytes), s[cold][1]);
    print_row(name, index, "read", cache, m.nse, double(vectors) * 16, s[cold][2]);
    print_row(name, index, "copy", cache, m.nse, double(vectors) * 32, s[cold][3]);
  }
  print_row(name, index, "latency", "warm", m.nse, double(index_bytes), latency);
  cudaFree(workspace);
  cudaFree(bad);
  cudaFree(copy);
  cudaFreeHost(result);
}

template <typename T> void uniform(const char *name, int64_t rows, int64_t length, void *flush)
{
  Csr<T> m(rows, rows < 4 * length ? 4 * length : rows, rows * length);
  even_rows<T><<<processors * 16, THREADS>>>(m.c, m.p, m.C, length, m.P);
  measure(name, m, flush);
}

template <typename T> void one_dense_row(const char *name, int64_t rows, int64_t nse, void *flush)
{
  Csr<T> m(rows, nse, nse);
  dense_row<T><<<processors * 16, THREADS>>>(m.c, m.p, m.C, nse);
  measure(name, m, flush);
}

void measure_checks(void *flush)
{
  uniform<int32_t>("uniform-1e5", 6250, 16, flush);
  uniform<int32_t>("uniform-1e6", 62500, 16, flush);
  uniform<int32_t>("uniform-1e7", 625000, 16, flush);
  uniform<int32_t>("uniform-1e8", 6250000, 16, flush);
  uniform<int64_t>("uniform-1e8", 6250000, 16, flush);
  uniform<int32_t>("uniform-1e9", 62500000, 16, flush);
  uniform<int32_t>("one-a-row-1e8", 100000000, 1, flush);
  one_dense_row<int32_t>("one-dense-row-1e7", 1000, 10000000, flush);
  one_dense_row<int32_t>("one-dense-row-1e8", 1000, 100000000, flush);
}

} // namespace

int main(int argc, char **argv)
{
  int count = 0, runtime = 0, driver = 0;
  bool checks = true, conversions = true;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--only")) (strcmp(argv[i + 1], "check") ? checks : conversions) = false;
    if (!strcmp(argv[i], "--rounds")) rounds = atoi(argv[i + 1]);
  }
  if (rounds < 1) return 2;
  const int status = spw_cuda_device_count(&count);
  if (spw_cuda_is_no_device(status)) {
    fprintf(stderr, "gpu_bench: no device: %s\n", spw_cuda_status_string(status));
    return 77;
  }
  must(status, "device");
  cudaDeviceProp properties;
  must(int(cudaGetDeviceProperties(&properties, 0)), "properties");
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  processors = properties.multiProcessorCount;
  void *const flush = device_array<char>(int64_t(FLUSH));
  printf("{\"device\": \"%s\", \"processors\": %d, \"runtime\": %d, \"driver\": %d, \"rows\": [",
         properties.name, processors, runtime, driver);
  if (checks) measure_checks(flush);
  if (conversions) bench_conversions(10000000, flush), bench_conversions(50000000, flush);
  printf("\n]}\n");
  return 0;
}
