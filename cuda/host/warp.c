/* SPDX-License-Identifier: Apache-2.0 */
/* The warp functions: lanes wait until all that the mask names have come. */
#include "turn.h"

/* What a lane reads that does not take part: undefined on hardware. */
static const uint64_t POISON = 0xDEADBEEFDEADBEEFu;

static uint64_t undefined(void)
{
  uint64_t value = POISON;
#ifdef SPW_ENGINE_MSAN
  __msan_poison(&value, sizeof value);
#endif
  return value;
}

static inline unsigned source_lane(spw_warp_op op, unsigned lane, unsigned argument)
{
  switch (op) {
    case SPW_WARP_SHUFFLE: return argument % SPW_WARP;
    case SPW_WARP_XOR: return (lane ^ argument) % SPW_WARP;
    case SPW_WARP_UP: return lane >= argument ? lane - argument : lane;
    case SPW_WARP_DOWN: return argument < SPW_WARP - lane ? lane + argument : lane;
    default: return lane;
  }
}

/* One loop for each function, which knows which it is. */
static inline __attribute__((always_inline)) void shuffle(warp *w, spw_warp_op op, unsigned arrived)
{
  for (unsigned lane = 0; lane < SPW_WARP; lane++) {
    const unsigned source = source_lane(op, lane, w->argument[lane]);
    if (arrived >> lane & 1)
      w->lanes[lane].is.got = arrived >> source & 1 ? w->value[source] : undefined();
  }
}

/* What the lanes came for. */
static void exchange(warp *w, const rendezvous *r)
{
  switch (r->op) {
    case SPW_WARP_SYNC: return;
    case SPW_WARP_BALLOT:
      for (unsigned lane = 0; lane < SPW_WARP; lane++)
        if (r->arrived >> lane & 1) w->lanes[lane].is.got = r->ballot;
      return;
    case SPW_WARP_SHUFFLE: shuffle(w, SPW_WARP_SHUFFLE, r->arrived); return;
    case SPW_WARP_UP: shuffle(w, SPW_WARP_UP, r->arrived); return;
    case SPW_WARP_DOWN: shuffle(w, SPW_WARP_DOWN, r->arrived); return;
    case SPW_WARP_XOR: shuffle(w, SPW_WARP_XOR, r->arrived); return;
  }
}

/* All lanes have come. They go on at once, before all other threads, or after them: so some warps are ahead of others by much. */
static __attribute__((noinline)) void release(engine *e, warp *w, rendezvous *open)
{
  const rendezvous r = *open;
  const unsigned lanes = (unsigned)__builtin_popcount(r.arrived);
  const bool at_once = e->seed && spw_engine_random(e) % 4;
  unsigned to = at_once ? e->head -= lanes : e->head + e->ready;
  *open = w->open[--w->count];
  exchange(w, &r);
  e->ready += lanes;
  for (unsigned lane = 0; lane < SPW_WARP; lane++)
    if (r.arrived >> lane & 1) e->queue[to++ & e->mask] = &w->lanes[lane];
}

static inline void release_if_complete(engine *e, warp *w, rendezvous *open)
{
  if ((open->mask & w->live) == open->arrived) release(e, w, open);
}

void spw_warp_check(warp *w)
{
  for (unsigned i = w->count; i-- > 0;) release_if_complete(&spw_engine, w, &w->open[i]);
}

/* The rendezvous of these lanes: an open one, or a new one. */
static rendezvous *rendezvous_of(warp *w, spw_warp_op op, unsigned mask, const char *where)
{
  for (unsigned i = 0; i < w->count; i++) {
    rendezvous *const r = &w->open[i];
    if (r->mask == mask && r->op == op) return r;
    if (r->mask == mask) spw_engine_fault("different warp functions meet under one mask", where);
    if (r->mask & mask) spw_engine_fault("overlapping warp masks", where);
  }
  w->open[w->count] = (rendezvous){mask, 0, 0, op};
  return &w->open[w->count++];
}

spw_engine_turn spw_engine_at_warp(spw_warp_op op, unsigned mask, uint64_t value, unsigned argument,
                                   const char *where)
{
  engine *const e = &spw_engine;
  thread *const t = spw_current();
  warp *const w = t->warp;
  const unsigned lane = t->is.number % SPW_WARP, bit = 1u << lane;
  if (!e->kernel->barriers) spw_engine_fault("warp function in a kernel that is declared to have none", where);
  if (!(mask & bit)) spw_engine_fault("the calling lane is not in its own mask", where);
  e->idle_yields = 0;
  TSAN(if (op == SPW_WARP_SYNC) __tsan_release(t->token = &w->block->tokens[TOKEN_WARP + t->is.number / SPW_WARP]);)
  t->where = where;
  rendezvous *const r = rendezvous_of(w, op, mask, where);
  w->value[lane] = value;
  w->argument[lane] = argument;
  r->arrived |= bit;
  if (op == SPW_WARP_BALLOT && value) r->ballot |= bit;
  release_if_complete(e, w, r);
  return spw_next(e, t);
}
