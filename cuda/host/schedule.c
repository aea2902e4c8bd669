/* SPDX-License-Identifier: Apache-2.0 */
/* How threads come to their turns, end, and let others go first. */
#include "turn.h"

static const unsigned long long IDLE_LIMIT = 1000000;

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
void spw_run_threads(void)
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
      spw_retire_fiber(self);
      spw_set_current(&e->main);
      spw_fiber_switch(self, &self->at, e->main.fiber, e->main.is.at);
      continue;
    }
    thread *const next = spw_take(e);
    if (!next->fiber && !TSAN_ON) { /* no switch: the stack is free */
      next->fiber = self;
      spw_set_current(next);
    } else {
      spw_retire_fiber(self);
      if (!next->fiber) spw_give_fiber(next);
      spw_set_current(next);
      spw_fiber_switch(self, &self->at, next->fiber, next->is.at);
    }
  }
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
