/* SPDX-License-Identifier: Apache-2.0 */
/* How threads come to stacks, end, and let others go first. */
#include "turn.h"

#include <stdlib.h>

static const unsigned long long IDLE_LIMIT = 1000000;

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

/* A thread has returned from the kernel. */
static void end_thread(thread *t)
{
  block *const b = t->warp->block;
  spw_engine.idle_yields = 0;
  b->done++;
  t->warp->live &= ~(1u << t->is.number % SPW_WARP);
  spw_warp_check(t->warp);
  spw_barrier_check(b);
}

/* One CUDA thread after another, on one stack. */
static void fiber_main(void)
{
  engine *const e = &spw_engine;
  spw_fiber_entered();
  for (;;) {
    TSAN(__tsan_acquire(&e->launched);)
    e->kernel->run(e->arguments);
    TSAN(__tsan_release(&e->finished);)
    thread *const t = spw_current();
    fiber *const self = t->fiber;
    block *const b = t->warp->block;
    end_thread(t);
    if (b->done == b->threads) {
      b->running = false;
      retire(self);
      spw_set_current(&e->main);
      spw_fiber_switch(self, &self->at, e->main.fiber, e->main.is.at);
      continue;
    }
    thread *const next = spw_take(e);
    if (!next->fiber && !TSAN_ON) { /* no switch: the stack is free */
      next->fiber = self;
      spw_set_current(next);
    } else {
      retire(self);
      if (!next->fiber) spw_give_fiber(next);
      spw_set_current(next);
      spw_fiber_switch(self, &self->at, next->fiber, next->is.at);
    }
  }
}

static fiber *new_fiber(void)
{
  fiber *const f = spw_fiber_new(fiber_main);
  if (!f) spw_engine_fault("no memory for a stack", NULL);
  return f;
}

#ifdef SPW_ENGINE_TSAN
void spw_make_fibers(unsigned count)
{
  for (; spw_engine.fibers < count; spw_engine.fibers++) retire(new_fiber());
}
#endif

fiber *spw_free_fiber(void)
{
  fiber *const f = spw_engine.free;
  if (!f) return new_fiber();
  spw_engine.free = f->next;
  if (!spw_engine.free) spw_engine.free_end = &spw_engine.free;
  return f;
}

void spw_engine_pass(spw_engine_turn turn)
{
  thread *const from = (thread *)turn.from, *const to = (thread *)turn.to;
  if (from != to) {
    spw_set_current(to);
    spw_fiber_switch(from->fiber, &from->is.at, to->fiber, to->is.at);
  }
  TSAN(if (from->token) __tsan_acquire(from->token); from->token = NULL;)
}

void spw_run_until_block_ends(void)
{
  spw_engine_pass(spw_next(&spw_engine, &spw_engine.main));
  spw_engine_self = NULL;
}

static void let_others_go_first(void)
{
  if (!spw_engine.ready || !spw_engine.kernel->barriers) return;
  spw_make_ready(&spw_engine, spw_current());
  spw_engine_pass(spw_next(&spw_engine, spw_current()));
}

void spw_engine_yield(const char *where)
{
  if (spw_engine.idle_yields++ > IDLE_LIMIT) spw_engine_fault("waits for ever", where);
  let_others_go_first();
}

void spw_engine_maybe_yield(void)
{
  spw_engine.idle_yields = 0;
  if (spw_engine.seed && spw_engine_random(&spw_engine) % 4 == 0) let_others_go_first();
}

void spw_engine_between(void)
{
  if (spw_engine.seed && spw_engine_random(&spw_engine) % 16 == 0) let_others_go_first();
}
