/* SPDX-License-Identifier: Apache-2.0 */
/* How fast conversions are on this device, beside a copy that reads and writes as many bytes as a conversion
 * must: its tensor and its result, each once. What is measured is spw_cuda_convert_start: the check, and
 * all kernels behind it. float32, int32; caches overwritten before every run. */
#include "bench.h"

#include <string>

namespace {

/* A result in memory of the device, of which `tensor` is a view. */
struct Result {
  spw_buffers buffers;
  spw_tensor tensor;
  std::vector<int64_t> dims;
  std::vector<void *> memory;

  ~Result()
  {
    for (void *m : memory) cudaFree(m);
  }
  void *allocate(int64_t n, int64_t size)
  {
    memory.push_back(device_array<char>(n * size));
    return memory.back();
  }
  Result(const spw_tensor &from, const spw_conversion &wanted)
  {
    spw_room room;
    must(spw_cuda_convert_size(&from, &wanted, &room, nullptr), "spw_cuda_convert_size");
    dims.resize(size_t(room.dims) + 1);
    buffers = spw_buffers();
    buffers.room = room;
    buffers.dims = dims.data();
    buffers.compressed_i32 = static_cast<int32_t *>(allocate(room.compressed, 4));
    buffers.plain_i32 = static_cast<int32_t *>(allocate(room.plain, 4));
    buffers.values = allocate(room.values, spw_dtype_size(room.dtype));
    buffers.work = allocate(int64_t(room.work), 1);
    must(spw_cuda_convert_start(&from, &wanted, &buffers, nullptr, nullptr), "spw_cuda_convert_start");
    tensor = spw_tensor();
    spw_cuda_converted told;
    must(spw_cuda_convert_fetch(buffers.work, &told, nullptr), "spw_cuda_convert_fetch");
    must(int(cudaStreamSynchronize(nullptr)), "a conversion");
    must(spw_cuda_convert_result(&from, &wanted, &buffers, &told, &tensor, nullptr), "spw_cuda_convert_result");
  }
  Result(const Result &) = delete;
  Result &operator=(const Result &) = delete;
};

spw_conversion conversion(spw_layout layout, int64_t block = 0)
{
  spw_conversion wanted = spw_conversion();
  wanted.layout = layout;
  wanted.block_rows = wanted.block_columns = block;
  wanted.batch_dims = wanted.dense_dims = -1;
  wanted.index_dtype = SPW_INT32;
  return wanted;
}

int64_t bytes_of(const spw_tensor &t)
{
  return t.values.array.length * 4 + (t.layout == SPW_DENSE ? 0 : t.plain.array.length * 4) +
         (t.layout == SPW_DENSE || t.layout == SPW_COO ? 0 : t.compressed.array.length * 4);
}

void measure(const char *name, const spw_tensor &from, const spw_conversion &wanted, void *flush)
{
  Result result(from, wanted);
  const int64_t bytes = bytes_of(from) + bytes_of(result.tensor);
  char *const there = device_array<char>(bytes / 2), *const here = device_array<char>(bytes / 2);
  Samples s, copy;
  for (int round = -WARM_UP; round < (rounds + 1) / 2; round++) {
    if (s.wants_more(round)) s.add(round, time_once([&] {
      must(spw_cuda_convert_start(&from, &wanted, &result.buffers, nullptr, nullptr), "spw_cuda_convert_start");
    }, true, flush));
    copy.add(round, time_once([&] {
      must(int(cudaMemcpyAsync(there, here, size_t(bytes / 2), cudaMemcpyDeviceToDevice, nullptr)), "copy");
    }, true, flush));
  }
  cudaFree(there);
  cudaFree(here);
  const int64_t nse = from.layout == SPW_DENSE ? result.tensor.values.array.length : from.values.array.length;
  print_row(name, "int32", "sparsewright", "cold", nse, double(bytes), s);
  print_row(name, "int32", "copy of as much", "cold", nse, double(bytes), copy);
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* As uniform of the check: rows of `length` elements, spread over `columns`; or beside each other, for blocks. */
__global__ void fill_rows(int32_t *c, int32_t *p, float *v, int64_t rows, int64_t length, int64_t columns, bool beside)
{
  const int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x, step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = first; i <= rows; i += step) c[i] = int32_t(i * length);
  for (int64_t k = first; k < rows * length; k += step) {
    const int64_t row = k / length, j = k % length, wide = columns / length;
    p[k] = int32_t(beside ? row / 4 * 7919 % (columns / length) * length + j : j * wide + k * 7919 % wide);
    v[k] = float(k % 1021) + 0.5f;
  }
}

struct Rows {
  int64_t size[2], c_shape[1], p_shape[1], one[1] = {1};
  int32_t *c, *p;
  float *v;
  spw_tensor tensor = spw_tensor();

  Rows(int64_t rows, int64_t length, int64_t columns, bool beside)
      : size{rows, columns}, c_shape{rows + 1}, p_shape{rows * length}, c(device_array<int32_t>(rows + 1)),
        p(device_array<int32_t>(rows * length)), v(device_array<float>(rows * length))
  {
    fill_rows<<<4096, THREADS>>>(c, p, v, rows, length, columns, beside);
    tensor.layout = SPW_CSR;
    tensor.has_size = true;
    tensor.ndim = 2;
    tensor.size = size;
    tensor.coalesced = SPW_CLAIM_NONE;
    tensor.index_dtype = SPW_INT32;
    tensor.dtype = SPW_FLOAT32;
    tensor.compressed.array = {SPW_INT32, 1, c_shape, one, 0, c_shape[0]};
    tensor.plain.array = {SPW_INT32, 1, p_shape, one, 0, p_shape[0]};
    tensor.values.array = {SPW_FLOAT32, 1, p_shape, one, 0, p_shape[0]};
    tensor.compressed.i32 = c;
    tensor.plain.i32 = p;
    tensor.values.data = v;
  }
  ~Rows()
  {
    cudaFree(c);
    cudaFree(p);
    cudaFree(v);
  }
  Rows(const Rows &) = delete;
  Rows &operator=(const Rows &) = delete;
};

/* The coordinates of a tensor in another order, of which `most` are different. */
__global__ void shuffle(const int32_t *from, int32_t *to, int64_t n, int64_t most)
{
  for (int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < n; k += int64_t(gridDim.x) * blockDim.x)
    for (int i = 0; i < 2; i++) to[i * n + k] = from[i * n + k * 7919 % n % most];
}

void coordinates(const spw_tensor &csr, const std::string &count, void *flush)
{
  Result coo(csr, conversion(SPW_COO));
  measure(("csr-to-coo-" + count).c_str(), csr, conversion(SPW_COO), flush);
  measure(("coo-to-csr-" + count).c_str(), coo.tensor, conversion(SPW_CSR), flush);
  const int64_t n = coo.tensor.values.array.length;
  int32_t *const other = device_array<int32_t>(2 * n);
  shuffle<<<4096, THREADS>>>(coo.tensor.plain.i32, other, n, n / 4 * 3);
  coo.tensor.plain.i32 = other;
  coo.tensor.coalesced = SPW_CLAIM_NO;
  measure(("coalesce-" + count).c_str(), coo.tensor, conversion(SPW_COO), flush);
  cudaFree(other);
}

} // namespace

void bench_conversions(int64_t elements, void *flush)
{
  const std::string count = std::to_string(elements / 1000000) + "M";
  {
    Rows rows(elements / 16, 16, elements / 16, false);
    coordinates(rows.tensor, count, flush);
    measure(("csr-to-csc-" + count).c_str(), rows.tensor, conversion(SPW_CSC), flush);
  }
  Rows blocks(elements / 16, 16, elements / 16, true);
  {
    Result bsr(blocks.tensor, conversion(SPW_BSR, 4));
    measure(("csr-to-bsr-" + count).c_str(), blocks.tensor, conversion(SPW_BSR, 4), flush);
    measure(("bsr-to-csr-" + count).c_str(), bsr.tensor, conversion(SPW_CSR), flush);
  }
  Rows narrow(elements / 16, 16, 128, false);
  Result dense(narrow.tensor, conversion(SPW_DENSE));
  measure(("csr-to-dense-" + count).c_str(), narrow.tensor, conversion(SPW_DENSE), flush);
  measure(("dense-to-csr-" + count).c_str(), dense.tensor, conversion(SPW_CSR), flush);
}
