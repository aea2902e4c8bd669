/* SPDX-License-Identifier: Apache-2.0 */
/* throughput [SECONDS]: launches a second of the host engine, 4 blocks of 64 threads, in seconds
 * that the process ran, so that other work on the machine counts little. One line of JSON. */
#define _GNU_SOURCE
#include "../check/on_host.h"
#include "../kernels/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 200, LENGTH = 4, NSE = ROWS * LENGTH };

static int32_t c[ROWS + 1], p[NSE];
static spw_check_memory memory;

/* One barrier, and a shuffle tree: what most kernels do once. */
SPW_KERNEL(minimum, spw_compressed_i32)
{
  SPW_SHARED(spw_word, shared, 32);
  const spw_word least = spw_block_min(threadIdx.x, shared);
  if (threadIdx.x == 0 && least < a.memory->word) atomicMin(&a.memory->word, least);
}

/* Two barriers and no shuffle. */
SPW_KERNEL(two_barriers, spw_compressed_i32)
{
  SPW_SHARED(int32_t, s, 64);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < ROWS ? a.c[i + 1] - a.c[i] : 0;
  __syncthreads();
  const int32_t other = s[63 - threadIdx.x];
  __syncthreads();
  s[threadIdx.x] = other;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double launches_a_second(const spw_engine_kernel *kernel, const spw_compressed_i32 *a,
                                double seconds)
{
  const double start = now();
  long launches = 0;
  do {
    for (int i = 0; i < 50; i++, launches++)
      if (spw_engine_launch(kernel, a, (spw_dim3){4, 1, 1}, (spw_dim3){64, 1, 1}, 0,
                            (spw_engine_schedule){0, 0}))
        exit(1);
  } while (now() - start < seconds);
  return (double)launches / (now() - start);
}

int main(int argc, char **argv)
{
  const double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
  for (int i = 0; i <= ROWS; i++) c[i] = i * LENGTH;
  for (int k = 0; k < NSE; k++) p[k] = 7 * (k % LENGTH);
  memset(&memory, 0xff, sizeof memory);
  const spw_compressed_i32 a = {.c = c,
                                .p = p,
                                .batches = {.count = 1},
                                .C = ROWS,
                                .nse = NSE,
                                .P = 30,
                                .sized = 1,
                                .canonical = 1,
                                .memory = &memory};
  printf("{\"blocks\": 4, \"threads\": 64, \"verdict\": %.0f",
         launches_a_second(&spw_verdict_compressed_i32, &a, seconds));
  if (memory.word != SPW_WORD_VALID) return 1;
  printf(", \"find\": %.0f", launches_a_second(&spw_find_compressed_i32, &a, seconds));
  printf(", \"minimum\": %.0f", launches_a_second(&minimum, &a, seconds));
  printf(", \"two barriers\": %.0f}\n", launches_a_second(&two_barriers, &a, seconds));
  spw_engine_release();
  return 0;
}
