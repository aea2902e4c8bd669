/* SPDX-License-Identifier: Apache-2.0 */
/* Whose turn it is: what the engine does whenever a thread waits, hence inline. */
#ifndef SPW_HOST_TURN_H
#define SPW_HOST_TURN_H

#include "state.h"

/* xorshift64; e->random is never 0. */
static inline uint32_t spw_engine_random(engine *e)
{
  uint64_t x = e->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  e->random = x;
  return (uint32_t)(x >> 20);
}

/* A random number below n. */
static inline uint32_t spw_engine_random_below(engine *e, uint32_t n)
{
  return (uint32_t)((uint64_t)spw_engine_random(e) * n >> 32);
}

/* Puts a thread among those that can go on. */
static inline void spw_make_ready(engine *e, thread *t)
{
  e->queue[(e->head + e->ready++) % SPW_ENGINE_QUEUE] = t;
}

/* The first of the queue, or any of it. */
static inline thread *spw_take(engine *e)
{
  if (!e->ready) spw_engine_fault("deadlock: no thread can go on", NULL);
  thread **const first = &e->queue[e->head % SPW_ENGINE_QUEUE];
  thread *next = *first;
  if (e->seed) {
    thread **const any =
        &e->queue[(e->head + spw_engine_random_below(e, e->ready)) % SPW_ENGINE_QUEUE];
    next = *any;
    *any = *first;
  }
  e->head++;
  e->ready--;
  return next;
}

static inline void spw_set_current(thread *t)
{
  spw_engine_self = &t->is;
  TSAN(__tsan_switch_to_fiber(t->fiber->tsan, 1);)
}

static inline void spw_switch_to(engine *e, fiber *to)
{
  fiber *const from = e->current;
  if (from == to) return;
  e->current = to;
  spw_fiber_switch(from, to);
}

/* The current thread cannot go on: another does. Returns when it is its turn again. */
static inline void spw_go_on(engine *e)
{
  thread *const next = spw_take(e);
  if (!next->fiber) next->fiber = spw_free_fiber();
  spw_set_current(next);
  spw_switch_to(e, next->fiber);
}

#endif
