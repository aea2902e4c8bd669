/* SPDX-License-Identifier: Apache-2.0 */
/* Whose turn it is: what the engine does whenever a thread waits, hence inline. */
#ifndef SPW_HOST_TURN_H
#define SPW_HOST_TURN_H

#include "state.h"

/* The upper half of a linear congruential generator. */
static inline uint32_t spw_engine_random(engine *e)
{
  e->random = e->random * 0xD1342543DE82EF95u + 1;
  return (uint32_t)(e->random >> 32);
}

/* A random number below n. */
static inline uint32_t spw_engine_random_below(engine *e, uint32_t n)
{
  return (uint32_t)((uint64_t)spw_engine_random(e) * n >> 32);
}

/* Puts a thread among those that can go on. */
static inline void spw_make_ready(engine *e, thread *t)
{
  e->queue[(e->head + e->ready++) & e->mask] = t;
}

/* The first of the queue, or any of the first. */
static inline thread *spw_take(engine *e)
{
  if (!e->ready) spw_engine_fault("deadlock: no thread can go on", NULL);
  thread **const first = &e->queue[e->head & e->mask];
  thread *next = *first;
  if (e->seed) {
    const unsigned among = e->ready < e->window ? e->ready : e->window;
    thread **const any = &e->queue[(e->head + spw_engine_random_below(e, among)) & e->mask];
    next = *any;
    *any = *first;
  }
  e->head++;
  e->ready--;
  return next;
}

/* A stack for a thread that starts. */
static inline void spw_give_fiber(thread *t)
{
  t->fiber = spw_free_fiber();
  t->is.at = t->fiber->at;
}

/* Whose turn it is when one waits. */
static inline spw_engine_turn spw_next(engine *e, thread *from)
{
  thread *const to = spw_take(e);
  if (!to->fiber) spw_give_fiber(to);
  return (spw_engine_turn){&from->is, &to->is};
}

/* Now it is the turn of another: announces it, before its stack is gone on with. */
static inline void spw_set_current(thread *t)
{
  spw_engine_self = &t->is;
  TSAN(__tsan_switch_to_fiber(t->fiber->tsan, 1);)
}

#endif
