/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks of a device share: memory, time between two events, rows of the result. */
#ifndef SPW_CUDA_DEVICE_BENCH_H
#define SPW_CUDA_DEVICE_BENCH_H

#include "../sparsewright_cuda.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

extern int rounds; /* of each kind of work */
const int WARM_UP = 5, THREADS = 256;
const double LONG = 0.05, TOO_LONG = 1; /* seconds: what takes so long is measured in three rounds, and in one */
const size_t FLUSH = size_t(256) << 20; /* more than any L2 */

inline void must(int status, const char *what)
{
  if (status == 0) return;
  fprintf(stderr, "gpu_bench: %s: %s\n", what, spw_cuda_status_string(status));
  exit(1);
}

template <typename T> T *device_array(int64_t n)
{
  void *memory = nullptr;
  must(int(cudaMalloc(&memory, size_t(n > 0 ? n : 1) * sizeof(T))), "cudaMalloc");
  return static_cast<T *>(memory);
}

struct Samples {
  std::vector<double> seconds;
  double last = 0;
  double at(double quantile)
  {
    std::sort(seconds.begin(), seconds.end());
    return seconds[size_t(quantile * double(seconds.size() - 1) + 0.5)];
  }
  /* Is another run worth its time? Rounds below 0 warm up. */
  bool wants_more(int round) const
  {
    if (last < LONG) return true;
    return last < TOO_LONG ? round >= 0 && seconds.size() < 3 : seconds.empty();
  }
  void add(int round, double took)
  {
    last = took;
    if (round >= 0 || took > TOO_LONG) seconds.push_back(took);
  }
};

/* One line of the JSON array `rows`, of which this is the first or not. */
inline void print_row(const char *name, const char *index, const char *what, const char *cache,
                      int64_t nse, double bytes, Samples &s)
{
  static bool first_row = true;
  printf("%s\n  {\"case\": \"%s\", \"index\": \"%s\", \"nse\": %lld, \"impl\": \"%s\", \"cache\": "
         "\"%s\", \"median_s\": %.9f, "
         "\"p10_s\": %.9f, \"p90_s\": %.9f, \"runs\": %zu, \"bytes\": %.0f, \"GB_per_s\": %.1f}",
         first_row ? "" : ",", name, index, (long long)nse, what, cache, s.at(0.5), s.at(0.1),
         s.at(0.9), s.seconds.size(), bytes, bytes / s.at(0.5) * 1e-9);
  first_row = false;
}

template <typename Work> double time_once(Work work, bool cold, void *flush)
{
  cudaEvent_t before, after;
  float milliseconds = 0;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  if (cold) cudaMemsetAsync(flush, 1, FLUSH, nullptr);
  cudaEventRecord(before, nullptr);
  work();
  cudaEventRecord(after, nullptr);
  must(int(cudaEventSynchronize(after)), "a measured run");
  must(int(cudaEventElapsedTime(&milliseconds, before, after)), "a measured run");
  cudaEventDestroy(before);
  cudaEventDestroy(after);
  return milliseconds * 1e-3;
}

/* bench_convert.cu: conversions of tensors of so many elements. */
void bench_conversions(int64_t elements, void *flush);

#endif
