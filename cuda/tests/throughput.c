/* SPDX-License-Identifier: Apache-2.0 */
/* throughput [SECONDS]: launches a second of the host engine; one line of JSON.
 *
 * A launch is one call of spw_engine_launch, from its beginning to its end, of one kernel over a
 * grid of 4 blocks of 64 threads: 256 threads, each of which runs the whole kernel. Each kernel is
 * launched for SECONDS in threads' order and as long in random schedules; the fastest tenth of
 * that time counts, in seconds that the process ran: other work on the machine can only slow a
 * part down. */
#define _GNU_SOURCE
#include "../check/on_host.h"
#include "../kernels/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 200, LENGTH = 4, NSE = ROWS * LENGTH, PARTS = 10, AT_ONCE = 20 };

static int32_t c[ROWS + 1], p[NSE];
static spw_check_memory memory;

/* Two barriers and no warp function. */
SPW_KERNEL(reverse, spw_compressed_i32)
{
  SPW_SHARED(int32_t, s, 64);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < ROWS ? a->c[i + 1] - a->c[i] : 0;
  __syncthreads();
  const int32_t other = s[63 - threadIdx.x];
  __syncthreads();
  s[threadIdx.x] = other;
}

/* One barrier, and five or ten shuffles. */
SPW_KERNEL(minimum, spw_compressed_i32)
{
  SPW_SHARED(spw_word, shared, 32);
  const spw_word least = spw_block_min(threadIdx.x, shared);
  if (threadIdx.x == 0 && least < a->memory->least) atomicMin(&a->memory->least, least);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double launches_a_second(const spw_engine_kernel *kernel, const spw_compressed_i32 *a,
                                bool in_order, double seconds)
{
  double best = 0;
  uint64_t seed = 0;
  for (int part = 0; part < PARTS; part++) {
    const double start = now();
    double taken;
    int launches = 0;
    do {
      for (int i = 0; i < AT_ONCE; i++, launches++)
        if (spw_engine_launch(kernel, a, (spw_dim3){4, 1, 1}, (spw_dim3){64, 1, 1}, 0,
                              (spw_engine_schedule){.seed = in_order ? 0 : ++seed}))
          exit(1);
      taken = now() - start;
    } while (taken < seconds / PARTS);
    if (launches / taken > best) best = launches / taken;
  }
  return best;
}

static void print_rates(const spw_engine_kernel *kernel, const char *name,
                        const spw_compressed_i32 *a, double seconds)
{
  static const char *separator = "";
  printf("%s\"%s\": {\"in order\": %.0f, \"random\": %.0f}", separator, name,
         launches_a_second(kernel, a, true, seconds), launches_a_second(kernel, a, false, seconds));
  separator = ", ";
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
  printf("{");
  print_rates(&spw_verdict_compressed_i32, "verdict", &a, seconds);
  if (memory.word != SPW_WORD_VALID) return 1;
  print_rates(&reverse, "reverse", &a, seconds);
  print_rates(&minimum, "minimum", &a, seconds);
  memory.word = SPW_WORD_NOT_RUN;
  memory.least = SPW_WORD(SPW_KEY_SUSPECT, 0);
  print_rates(&spw_find_compressed_i32, "find", &a, seconds);
  printf("}\n");
  spw_engine_release();
  return 0;
}
