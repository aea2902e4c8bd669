/* SPDX-License-Identifier: Apache-2.0 */
/* The host engine: what it computes, in any schedule, and what it refuses. */
#include "../kernels/dialect.h"
#include "fault_message.h"

#include <criterion/criterion.h>
#include <stdlib.h>

typedef struct numbers {
  unsigned *out;
  unsigned n;
} numbers;

static const spw_dim3 one = {1, 1, 1};

static spw_engine_schedule in_order(void)
{
  return (spw_engine_schedule){.seed = 0};
}

static int run(const spw_engine_kernel *kernel, unsigned blocks, unsigned threads, unsigned *out,
               uint64_t seed)
{
  const numbers a = {out, blocks * threads};
  return spw_engine_launch(kernel, &a, (spw_dim3){blocks, 1, 1}, (spw_dim3){threads, 1, 1}, 0,
                           (spw_engine_schedule){.seed = seed});
}

/* ---- Right kernels --------------------------------------------------------------------------- */

SPW_KERNEL(reversed, numbers)
{
  SPW_SHARED(unsigned, s, 256);
  const unsigned t = threadIdx.x, base = blockIdx.x * blockDim.x;
  for (unsigned round = 0; round < 3; round++) {
    s[t] = base + t + round;
    __syncthreads();
    a->out[base + t] = s[blockDim.x - 1 - t];
    __syncthreads();
  }
}

Test(engine, shared_memory_and_barriers_in_any_schedule)
{
  unsigned out[5 * 70];
  for (uint64_t seed = 0; seed < 100; seed++) {
    cr_assert_eq(run(&reversed, 5, 70, out, seed), SPW_ENGINE_OK);
    for (unsigned i = 0; i < 350; i++) cr_assert_eq(out[i], i / 70 * 70 + 69 - i % 70 + 2);
  }
  spw_engine_release();
}

SPW_KERNEL(lanes, numbers)
{
  const unsigned t = threadIdx.x, lane = t % 32, whole = SPW_ALL_LANES;
  unsigned *const out = a->out + t * 8;
  out[0] = __shfl_sync(whole, t, (int)(lane ^ 5));
  out[1] = __shfl_up_sync(whole, t, 3u);
  out[2] = __shfl_down_sync(whole, t, 3u);
  out[3] = __shfl_xor_sync(whole, t, 9);
  out[4] = __ballot_sync(whole, lane % 3 == 0);
  out[5] = 0;
  if (lane < 16) out[5] = __ballot_sync(0xffffu, lane % 2);
  else out[5] = __ballot_sync(0xffff0000u, lane % 4 == 0);
  out[6] = (unsigned)__syncthreads_count(lane == 4);
  out[7] = (unsigned)__shfl_sync(whole, -(long long)t, 7);
}

Test(engine, warp_functions)
{
  unsigned out[64 * 8];
  for (uint64_t seed = 0; seed < 50; seed++) {
    cr_assert_eq(run(&lanes, 1, 64, out, seed), SPW_ENGINE_OK);
    for (unsigned t = 0; t < 64; t++) {
      const unsigned *const o = out + t * 8, lane = t % 32;
      cr_assert_eq(o[0], t ^ 5);
      cr_assert_eq(o[1], lane < 3 ? t : t - 3);
      cr_assert_eq(o[2], lane > 28 ? t : t + 3);
      cr_assert_eq(o[3], t ^ 9);
      cr_assert_eq(o[4], 0x49249249u);
      cr_assert_eq(o[5], lane < 16 ? 0xaaaau : 0x11110000u);
      cr_assert_eq(o[6], 2);
      cr_assert_eq(o[7], (unsigned)-(int)(t - lane + 7));
    }
  }
  spw_engine_release();
}

SPW_KERNEL(counting, numbers)
{
  for (int i = 0; i < 3; i++) atomicAdd(a->out, 1u);
  atomicMin(a->out + 1, a->n + blockIdx.x * blockDim.x - threadIdx.x);
  atomicOr(a->out + 2, 1u << blockIdx.x);
}

Test(engine, atomics)
{
  for (uint64_t seed = 0; seed < 50; seed++) {
    unsigned out[3] = {0, 1000000, 0};
    cr_assert_eq(run(&counting, 4, 33, out, seed), SPW_ENGINE_OK);
    cr_assert_eq(out[0], 3 * 4 * 33);
    cr_assert_eq(out[1], 4 * 33 - 32);
    cr_assert_eq(out[2], 15);
  }
  spw_engine_release();
}

SPW_KERNEL_FREE(places, numbers)
{
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  a->out[block * blockDim.x * blockDim.y * blockDim.z + t] += 1 + block * 1000 + t;
}

SPW_KERNEL(places_with_fibers, numbers)
{
  places_body(a);
}

Test(engine, grids_of_three_dimensions)
{
  const spw_engine_kernel *const kernels[] = {&places, &places_with_fibers};
  for (int which = 0; which < 2; which++)
    for (uint64_t seed = 0; seed < 20; seed++) {
      unsigned out[2 * 3 * 4 * 30] = {0};
      const numbers a = {out, 0};
      cr_assert_eq(spw_engine_launch(kernels[which], &a, (spw_dim3){2, 3, 4}, (spw_dim3){5, 3, 2},
                                     0, (spw_engine_schedule){.seed = seed, .resident = 3}),
                   SPW_ENGINE_OK);
      for (unsigned i = 0; i < 720; i++) cr_assert_eq(out[i], 1 + i / 30 * 1000 + i % 30);
    }
  spw_engine_release();
}

SPW_KERNEL(order_of_blocks, numbers)
{
  if (threadIdx.x == 0) a->out[atomicAdd(a->out, 1u) + 1] = blockIdx.x;
  __syncthreads();
}

Test(engine, schedules_differ_and_repeat)
{
  unsigned first[9] = {0}, again[9] = {0};
  bool differs = false;
  run(&order_of_blocks, 8, 32, first, 0);
  for (unsigned i = 0; i < 8; i++) cr_assert_eq(first[i + 1], i);
  for (uint64_t seed = 1; seed < 20; seed++) {
    memset(first, 0, sizeof first), memset(again, 0, sizeof again);
    run(&order_of_blocks, 8, 32, first, seed), run(&order_of_blocks, 8, 32, again, seed);
    cr_assert_eq(memcmp(first, again, sizeof first), 0);
    unsigned seen = 0;
    for (unsigned i = 0; i < 8; i++) seen |= 1u << first[i + 1], differs |= first[i + 1] != i;
    cr_assert_eq(seen, 255);
  }
  cr_assert(differs);
  spw_engine_release();
}

/* Blocks that wait for one another: fine when they come in the order of their tickets. */
SPW_KERNEL(chain, numbers)
{
  SPW_SHARED(unsigned, s, 1);
  spw_word *const flags = (spw_word *)(void *)(a->out + 2);
  if (threadIdx.x == 0) s[0] = atomicAdd(a->out, 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    while (s[0] > 0 && spw_observe(&flags[s[0] - 1]) == 0) SPW_WAIT();
    spw_publish(&flags[s[0]], (s[0] ? spw_observe(&flags[s[0] - 1]) : 0) + 1);
  }
}

Test(engine, blocks_that_wait_for_each_other)
{
  for (uint64_t seed = 0; seed < 50; seed++) {
    spw_word memory[11] = {0};
    cr_assert_eq(run(&chain, 10, 40, (unsigned *)(void *)memory, seed), SPW_ENGINE_OK);
    for (unsigned i = 0; i < 10; i++) cr_assert_eq(memory[i + 1], i + 1);
  }
  spw_engine_release();
}

SPW_KERNEL(dynamic_sizes, numbers)
{
  SPW_DYNAMIC_SHARED(unsigned, s);
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a->out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

SPW_KERNEL(unwritten, numbers)
{
  SPW_SHARED(unsigned, s, 4);
  if (threadIdx.x == 0) s[0] = 1;
  __syncthreads();
  a->out[threadIdx.x] = s[1];
}

Test(engine, dynamic_and_poisoned_shared_memory)
{
  unsigned out[64];
  const numbers a = {out, 64};
  cr_assert_eq(spw_engine_launch(&dynamic_sizes, &a, one, (spw_dim3){64, 1, 1}, 64 * sizeof *out,
                                 in_order()),
               0);
  for (unsigned i = 0; i < 64; i++) cr_assert_eq(out[i], 63 - i);
  cr_assert_eq(run(&unwritten, 2, 8, out, 0), 0);
  cr_assert_eq(out[3], 0xa5a5a5a5u);
  spw_engine_release();
}

/* ---- Launch limits --------------------------------------------------------------------------- */

Test(engine, launch_limits)
{
  unsigned out[8] = {0};
  const numbers a = {out, 0};
  const struct {
    spw_dim3 grid, block;
  } refused[] = {
      {{0, 1, 1}, {1, 1, 1}},
      {{1, 1, 1}, {0, 1, 1}},
      {{1, 1, 1}, {1025, 1, 1}},
      {{1, 1, 1}, {33, 32, 1}},
      {{1, 1, 1}, {1, 1, 65}},
      {{1, 65536, 1}, {1, 1, 1}},
      {{1, 1, 65536}, {1, 1, 1}},
      {{1u << 31, 1, 1}, {1, 1, 1}},
      {{1, 1, 1}, {1u << 31, 2, 1}},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    cr_assert_eq(spw_engine_launch(&counting, &a, refused[i].grid, refused[i].block,
                                   0, in_order()),
                 SPW_ENGINE_INVALID_CONFIGURATION, "%zu", i);
  cr_assert_eq(out[0], 0);
  cr_assert_eq(spw_engine_launch(&counting, &a, one, (spw_dim3){32, 32, 1}, 0, in_order()),
               SPW_ENGINE_OK);
  cr_assert_eq(out[0], 3072);
  spw_engine_release();
}

/* What needs more than 48 KiB says so first, and gets no more than the device has. */
Test(engine, limits_of_shared_memory)
{
  static const size_t devices[] = {SPW_ENGINE_A100_SHARED, SPW_ENGINE_H100_SHARED};
  unsigned out[64];
  const numbers a = {out, 64};
  const spw_dim3 block = {64, 1, 1};
  for (int d = 0; d < 2; d++) {
    spw_engine_pretend(devices[d]);
    dynamic_sizes_allowed = 0;
    cr_assert_eq(spw_engine_launch(&dynamic_sizes, &a, one, block, 48u << 10, in_order()),
                 SPW_ENGINE_OK);
    cr_assert_eq(spw_engine_launch(&dynamic_sizes, &a, one, block, (48u << 10) + 1, in_order()),
                 SPW_ENGINE_INVALID_VALUE);
    cr_assert_eq(SPW_LAUNCH(in_order(), dynamic_sizes, one, block, (48u << 10) + 1, a), SPW_ENGINE_OK);
    out[0] = 7;
    cr_assert_eq(SPW_LAUNCH(in_order(), dynamic_sizes, one, block, devices[d] + 1, a),
                 SPW_ENGINE_INVALID_VALUE);
    cr_assert_eq(out[0], 7);
    cr_assert_eq(SPW_LAUNCH(in_order(), dynamic_sizes, one, block, devices[d], a), SPW_ENGINE_OK);
    cr_assert_eq(out[0], 63);
  }
  /* what was allowed on the larger device is not there on the smaller */
  spw_engine_pretend(SPW_ENGINE_A100_SHARED);
  cr_assert_eq(spw_engine_launch(&dynamic_sizes, &a, one, block, SPW_ENGINE_H100_SHARED, in_order()),
               SPW_ENGINE_INVALID_VALUE);
  spw_engine_release();
}

SPW_KERNEL(static_and_dynamic, numbers)
{
  SPW_SHARED(char, s, 1);
  SPW_DYNAMIC_SHARED(char, more);
  s[0] = more[0] = (char)a->n;
}

static void run_static_and_dynamic(void)
{
  unsigned out[1];
  const numbers a = {out, 64};
  (void)SPW_LAUNCH(in_order(), static_and_dynamic, one, one, 48u << 10, a);
}

Test(engine_stops, static_and_dynamic_shared_together)
{
  const char *const message = fault_message(run_static_and_dynamic);
  cr_assert_not_null(strstr(message, "more than the launch may have"), "%s", message);
}

/* ---- Wrong kernels --------------------------------------------------------------------------- */

#define STOPS(test, threads, text, ...) \
  SPW_KERNEL(test, numbers) { (void)a; __VA_ARGS__ } \
  static void run_##test(void) \
  { \
    static unsigned out[1024]; \
    run(&test, 2, threads, out, 0); \
  } \
  Test(engine_stops, test) \
  { \
    const char *const message = fault_message(run_##test); \
    cr_assert_not_null(strstr(message, text), "%s", message); \
    cr_assert_not_null(strstr(message, #test), "%s", message); \
  }

STOPS(two_barriers, 64, "different places", if (threadIdx.x % 2) __syncthreads();
  else
    __syncthreads();)
STOPS(early_return, 64, "a thread returned before it", if (threadIdx.x == 63) return;
      __syncthreads();)
STOPS(barrier_in_a_branch, 64, "divergent barrier", if (threadIdx.x < 32) __syncthreads();)
STOPS(barrier_against_warp, 32, "deadlock",
      if (threadIdx.x == 3) __syncthreads(); a->out[0] = __ballot_sync(SPW_ALL_LANES, 1);)
STOPS(absent_lanes, 32, "deadlock",
      if (threadIdx.x < 16) a->out[0] = __ballot_sync(SPW_ALL_LANES, 1); __syncthreads();)
STOPS(foreign_mask, 32, "not in its own mask", a->out[0] = __ballot_sync(0xfffffffeu, 1);)
STOPS(overlapping_masks, 32, "overlapping warp masks",
      __syncwarp(threadIdx.x < 16 ? SPW_ALL_LANES : 0xffff0000u);)
STOPS(mixed_functions, 32, "different warp functions",
      if (threadIdx.x < 16) __syncwarp(SPW_ALL_LANES);
      else a->out[0] = __ballot_sync(SPW_ALL_LANES, 1);)
STOPS(too_much_shared, 32, "48 KiB", SPW_SHARED(char, s, 48 * 1024 + 1); s[threadIdx.x] = 0;)
STOPS(misaligned_vector, 32, "no multiple of 16", uint64_t pair[2];
      spw_load_16(pair, (const char *)a->out + ((uintptr_t)a->out % 16 == 8 ? 0 : 8));
      a->out[0] = (unsigned)pair[0];)
STOPS(no_dynamic, 32, "none was asked for", SPW_DYNAMIC_SHARED(char, s); s[threadIdx.x] = 0;)
STOPS(waits_for_ever, 32, "waits for ever",
      while (spw_observe((spw_word *)(void *)a->out) == 0) SPW_WAIT();)

SPW_KERNEL_FREE(not_free_of_barriers, numbers)
{
  (void)a;
  __syncthreads();
}

static void run_not_free(void)
{
  unsigned out[1];
  run(&not_free_of_barriers, 1, 2, out, 0);
}

Test(engine_stops, barrier_where_none_was_declared)
{
  cr_assert_not_null(strstr(fault_message(run_not_free), "declared to have none"));
}

/* Hardware gives a lane that asks an absent one anything; here it is always the same. */
SPW_KERNEL(absent_source, numbers)
{
  if (threadIdx.x < 8) a->out[threadIdx.x] = __shfl_down_sync(0xffu, threadIdx.x, 1u);
}

Test(engine, absent_sources_give_poison)
{
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
  return;
#endif
#endif
  unsigned out[8];
  cr_assert_eq(run(&absent_source, 1, 32, out, 0), 0);
  for (unsigned i = 0; i < 7; i++) cr_assert_eq(out[i], i + 1);
  cr_assert_eq(out[7], 0xdeadbeefu);
  spw_engine_release();
}
