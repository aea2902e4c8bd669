/* SPDX-License-Identifier: Apache-2.0 */
/* A launch: checks its limits, then runs all blocks of the grid, a few of them at a time. */
#include "turn.h"

#include <stdlib.h>
#include <string.h>

engine spw_engine;
spw_engine_thread *spw_engine_self;
spw_dim3 spw_engine_block_dim, spw_engine_grid_dim;

static size_t most_shared = SPW_ENGINE_A100_SHARED;

void spw_engine_pretend(size_t most)
{
  most_shared = most;
}

int spw_engine_allow_shared(const spw_engine_kernel *kernel, size_t dynamic_shared)
{
  if (dynamic_shared > most_shared) return SPW_ENGINE_INVALID_VALUE;
  *kernel->allowed = dynamic_shared;
  return SPW_ENGINE_OK;
}

/* Of static and dynamic shared memory together. */
static size_t shared_limit(const spw_engine_kernel *kernel)
{
  return *kernel->allowed > SPW_ENGINE_STATIC ? most_shared : SPW_ENGINE_STATIC;
}

static size_t dynamic_limit(const spw_engine_kernel *kernel)
{
  const size_t allowed = *kernel->allowed > SPW_ENGINE_STATIC ? *kernel->allowed : SPW_ENGINE_STATIC;
  return allowed < most_shared ? allowed : most_shared; /* of a device chosen since then */
}

static bool within_limits(spw_dim3 grid, spw_dim3 threads)
{
  if (grid.x < 1 || grid.y < 1 || grid.z < 1 || threads.x < 1 || threads.y < 1 || threads.z < 1)
    return false;
  if (grid.x > INT32_MAX || grid.y > 65535 || grid.z > 65535)
    return false;
  if (threads.x > SPW_ENGINE_BLOCK || threads.y > SPW_ENGINE_BLOCK || threads.z > 64) return false;
  return (uint64_t)threads.x * threads.y * threads.z <= SPW_ENGINE_BLOCK;
}

static spw_dim3 unravel(uint64_t number, spw_dim3 size)
{
  return (spw_dim3){(unsigned)(number % size.x), (unsigned)(number / size.x % size.y),
                    (unsigned)(number / size.x / size.y)};
}

/* The next thread of a block, x first. */
static spw_dim3 step(spw_dim3 at)
{
  if (++at.x < spw_engine_block_dim.x) return at;
  at.x = 0;
  if (++at.y < spw_engine_block_dim.y) return at;
  at.y = 0;
  at.z++;
  return at;
}

static void start_threads(block *b)
{
  spw_dim3 at = {0, 0, 0};
  for (unsigned i = 0; i < b->threads; i++, at = step(at)) {
    thread *const t = &b->thread[i];
    t->is = (spw_engine_thread){.thread = at, .number = (uint16_t)i, .block = &b->place};
    t->warp = &b->warps[i / SPW_WARP];
    t->fiber = NULL;
    spw_make_ready(&spw_engine, t);
  }
}

static void start_block(block *b, spw_dim3 place, unsigned threads, size_t dynamic_shared)
{
  b->running = true;
  b->place = place;
  b->threads = threads;
  b->done = b->waiting = b->voting = b->generation = 0;
  for (unsigned w = 0; w * SPW_WARP < threads; w++) {
    const unsigned lanes = threads - w * SPW_WARP;
    b->warps[w].block = b;
    b->warps[w].lanes = &b->thread[w * SPW_WARP];
    b->warps[w].count = 0;
    b->warps[w].live = lanes >= SPW_WARP ? ~0u : (1u << lanes) - 1;
  }
  spw_shared_begin(b, dynamic_shared);
  TSAN(b->tokens = spw_fresh(TOKENS); __tsan_release(&spw_engine.launched);)
  start_threads(b);
}

static block *room(unsigned i)
{
  block **const b = &spw_engine.blocks[i];
  if (*b) return *b;
  *b = aligned_alloc(_Alignof(block), sizeof **b);
  if (!*b) spw_engine_fault("no memory", NULL);
  return memset(*b, 0, sizeof **b);
}

/* Blocks in an order of the seed: start + i * stride, where stride has no factor in common with
 * blocks. */
static uint64_t common_factor(uint64_t a, uint64_t b)
{
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static void run_with_fibers(spw_dim3 grid, unsigned threads, size_t dynamic_shared,
                            spw_engine_schedule schedule, unsigned resident)
{
  const uint64_t blocks = schedule.some ? schedule.some : (uint64_t)grid.x * grid.y * grid.z;
  uint64_t next = spw_engine.seed ? spw_engine_random(&spw_engine) % blocks : 0;
  uint64_t stride = spw_engine.seed ? 1 + spw_engine_random(&spw_engine) % blocks : 1;
  while (common_factor(stride, blocks) != 1) stride++;
  for (uint64_t started = 0, ended = 0; ended < blocks;) {
    for (unsigned i = 0; i < resident && started < blocks; i++) {
      if (room(i)->running) continue;
      start_block(room(i), unravel(schedule.first + next, grid), threads, dynamic_shared);
      next = (next + stride) % blocks; /* a grid has fewer than 2^63 blocks */
      started++;
    }
    spw_run_until_block_ends();
    ended++;
  }
}

/* Threads that never wait for each other need no stacks of their own. */
static void run_directly(spw_dim3 grid, unsigned threads, spw_engine_schedule schedule)
{
  static thread alone;
  spw_engine_self = &alone.is;
  const uint64_t blocks = schedule.some ? schedule.some : (uint64_t)grid.x * grid.y * grid.z;
  for (uint64_t b = 0; b < blocks; b++) {
    const spw_dim3 place = unravel(schedule.first + b, grid);
    alone.is = (spw_engine_thread){.block = &place};
    for (unsigned i = 0; i < threads; i++, alone.is.thread = step(alone.is.thread))
      spw_engine.kernel->run(spw_engine.arguments);
  }
  spw_engine_self = NULL;
}

static unsigned residency(spw_engine_schedule schedule)
{
  if (schedule.resident)
    return schedule.resident < SPW_ENGINE_RESIDENT ? schedule.resident : SPW_ENGINE_RESIDENT;
  return schedule.seed ? 1 + spw_engine_random_below(&spw_engine, SPW_ENGINE_RESIDENT) : 1;
}

int spw_engine_launch(const spw_engine_kernel *kernel, const void *arguments, spw_dim3 grid,
                      spw_dim3 threads, size_t dynamic_shared, spw_engine_schedule schedule)
{
  engine *const e = &spw_engine;
  if (e->running) spw_engine_fault("a launch from within a kernel", NULL);
  if (!within_limits(grid, threads)) return SPW_ENGINE_INVALID_CONFIGURATION;
  const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
  if (schedule.first > blocks || schedule.some > blocks - schedule.first) return SPW_ENGINE_INVALID_VALUE;
  if (dynamic_shared > dynamic_limit(kernel)) return SPW_ENGINE_INVALID_VALUE;
  e->running = true;
  e->kernel = kernel;
  e->arguments = arguments;
  e->shared_left = shared_limit(kernel) - dynamic_shared;
  e->seed = schedule.seed;
  e->random = schedule.seed * 0x9E3779B97F4A7C15u | 1;
  e->main.fiber = &e->main_fiber;
  e->head = e->ready = 0;
  /* Any thread may be next in some launches; in most one of a few, mostly of one warp: their stacks are at hand. */
  e->window = spw_engine_random(e) % 8 ? SPW_ENGINE_NEAR : SPW_ENGINE_QUEUE;
  e->idle_yields = 0;
  if (!e->free) e->free_end = &e->free;
  e->run_threads = spw_run_threads;
  spw_engine_grid_dim = grid;
  spw_engine_block_dim = threads;
  const unsigned block_threads = threads.x * threads.y * threads.z, resident = residency(schedule);
  for (e->mask = 0; e->mask + 1 < resident * block_threads; e->mask = 2 * e->mask + 1) {}
  TSAN(e->main_fiber.tsan = __tsan_get_current_fiber(); spw_make_fibers(resident * block_threads + 1);)
  if (!kernel->barriers && !TSAN_ON) run_directly(grid, block_threads, schedule);
  else run_with_fibers(grid, block_threads, dynamic_shared, schedule, resident);
  TSAN(__tsan_acquire(&e->finished);)
  spw_shared_end_of_grid();
  e->running = false;
  e->kernel = NULL;
  return SPW_ENGINE_OK;
}

void spw_engine_release(void)
{
  while (spw_engine.free) {
    fiber *const f = spw_engine.free;
    spw_engine.free = f->next;
    spw_fiber_free(f);
  }
  for (unsigned i = 0; i < SPW_ENGINE_RESIDENT; i++) {
    if (spw_engine.blocks[i]) spw_shared_release(spw_engine.blocks[i]);
    free(spw_engine.blocks[i]);
    spw_engine.blocks[i] = NULL;
  }
  memset(&spw_engine, 0, sizeof spw_engine);
}
