/* SPDX-License-Identifier: Apache-2.0 */
/* Whose turn it is. */
#include "state.h"

#include <stdlib.h>

enum { QUEUE = SPW_ENGINE_RESIDENT * SPW_ENGINE_BLOCK };
static const unsigned long long IDLE_LIMIT = 1000000;

uint32_t spw_engine_random(void)
{
  uint64_t x = spw_engine.random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  spw_engine.random = x;
  return (uint32_t)(x >> 20);
}

void spw_make_ready(thread *t)
{
  if (t->state != FRESH) t->state = READY;
  spw_engine.queue[(spw_engine.head + spw_engine.ready++) % QUEUE] = t;
}

/* The first of the queue, or any of it. */
static thread *take(void)
{
  engine *const e = &spw_engine;
  if (e->seed) {
    thread **const any = &e->queue[(e->head + spw_engine_random() % e->ready) % QUEUE];
    thread *const chosen = *any;
    *any = e->queue[e->head];
    e->queue[e->head] = chosen;
  }
  thread *const t = e->queue[e->head];
  e->head = (e->head + 1) % QUEUE;
  e->ready--;
  return t;
}

static void set_current(thread *t)
{
  t->state = RUNNING;
  spw_engine_self = &t->is;
  TSAN(__tsan_switch_to_fiber(t->fiber->tsan, 1);)
}

static void switch_to(fiber *to)
{
  fiber *const from = spw_engine.current;
  if (from == to) return;
  spw_engine.current = to;
  spw_fiber_switch(from, to);
}

static void retire(fiber *f)
{
#ifdef SPW_ENGINE_TSAN /* to the end of the line: the same fiber would hide a race with itself */
  f->next = NULL;
  *spw_engine.free_end = f;
  spw_engine.free_end = &f->next;
#else
  f->next = spw_engine.free;
  spw_engine.free = f;
#endif
}

/* One CUDA thread after another, on one stack. */
static void fiber_main(void)
{
  spw_fiber_entered();
  for (;;) {
    TSAN(__tsan_acquire(&spw_engine.launched);)
    spw_engine.kernel->run(spw_engine.arguments);
    TSAN(__tsan_release(&spw_engine.finished);)
    thread *const t = spw_current();
    block *const b = t->block;
    spw_engine.idle_yields = 0;
    t->state = DONE;
    b->done++;
    b->warps[t->number / SPW_WARP].live &= ~(1u << t->number % SPW_WARP);
    spw_warp_check(b, t->number / SPW_WARP);
    spw_barrier_check(b);
    fiber *const self = t->fiber;
    if (b->done == b->threads) {
      b->running = false;
      retire(self);
      TSAN(__tsan_switch_to_fiber(spw_engine.main.tsan, 1);)
      switch_to(&spw_engine.main);
      continue;
    }
    if (!spw_engine.ready) spw_engine_fault("deadlock: no thread can go on", NULL);
    thread *const next = take();
#ifndef SPW_ENGINE_TSAN
    if (next->state == FRESH) { /* no switch: the stack is free */
      next->fiber = self;
      set_current(next);
      continue;
    }
#endif
    retire(self);
    if (next->state == FRESH) {
      next->fiber = spw_engine.free;
      spw_engine.free = next->fiber->next;
      if (!spw_engine.free) spw_engine.free_end = &spw_engine.free;
    }
    set_current(next);
    switch_to(next->fiber);
  }
}

static fiber *new_fiber(void)
{
  fiber *const f = spw_fiber_new(fiber_main);
  if (!f) spw_engine_fault("no memory for a stack", NULL);
  return f;
}

#ifdef SPW_ENGINE_TSAN
/* A TSan fiber knows what its creator knew, so all are made before any thread runs. */
void spw_make_fibers(unsigned count);
void spw_make_fibers(unsigned count)
{
  for (; spw_engine.fibers < count; spw_engine.fibers++) retire(new_fiber());
}
#endif

static fiber *free_fiber(void)
{
  fiber *const f = spw_engine.free;
  if (!f) return new_fiber();
  spw_engine.free = f->next;
  if (!spw_engine.free) spw_engine.free_end = &spw_engine.free;
  return f;
}

void spw_go_on(void)
{
  if (!spw_engine.ready) spw_engine_fault("deadlock: no thread can go on", NULL);
  thread *const t = take();
  if (t->state == FRESH) t->fiber = free_fiber();
  set_current(t);
  switch_to(t->fiber);
}

void spw_run_until_block_ends(void)
{
  spw_go_on();
  spw_engine_self = NULL;
}

void spw_engine_yield(const char *where)
{
  if (spw_engine.idle_yields++ > IDLE_LIMIT) spw_engine_fault("waits for ever", where);
  if (!spw_engine.ready || !spw_engine.kernel->barriers) return;
  spw_make_ready(spw_current());
  spw_go_on();
}

void spw_engine_maybe_yield(void)
{
  spw_engine.idle_yields = 0;
  if (!spw_engine.seed || !spw_engine.ready || !spw_engine.kernel->barriers) return;
  if (spw_engine_random() % 4) return;
  spw_make_ready(spw_current());
  spw_go_on();
}
