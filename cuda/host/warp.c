/* SPDX-License-Identifier: Apache-2.0 */
/* The warp functions: lanes wait until all that the mask names have come. */
#include "turn.h"

#include <string.h>

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

static inline void shuffle(warp *w, spw_warp_op op, unsigned arrived)
{
  uint64_t given[SPW_WARP];
  memcpy(given, w->value, sizeof given);
  for (unsigned lane = 0; lane < SPW_WARP; lane++) {
    const unsigned source = source_lane(op, lane, w->argument[lane]);
    if (arrived >> lane & 1) w->value[lane] = arrived >> source & 1 ? given[source] : undefined();
  }
}

/* What the lanes came for; one call for each function, so that its loop knows which. */
static void exchange(warp *w, rendezvous r)
{
  switch (r.op) {
    case SPW_WARP_SYNC: return;
    case SPW_WARP_BALLOT:
      for (unsigned lane = 0; lane < SPW_WARP; lane++)
        if (r.arrived >> lane & 1) w->value[lane] = r.ballot;
      return;
    case SPW_WARP_SHUFFLE: shuffle(w, SPW_WARP_SHUFFLE, r.arrived); return;
    case SPW_WARP_UP: shuffle(w, SPW_WARP_UP, r.arrived); return;
    case SPW_WARP_DOWN: shuffle(w, SPW_WARP_DOWN, r.arrived); return;
    case SPW_WARP_XOR: shuffle(w, SPW_WARP_XOR, r.arrived); return;
  }
}

static void release_if_complete(warp *w, rendezvous *open)
{
  const rendezvous r = *open;
  if ((r.mask & w->live) != r.arrived) return;
  *open = w->open[--w->count];
  exchange(w, r);
  for (unsigned lane = 0; lane < SPW_WARP; lane++)
    if (r.arrived >> lane & 1) spw_make_ready(&spw_engine, &w->lanes[lane]);
}

void spw_warp_check(warp *w)
{
  for (unsigned i = w->count; i-- > 0;) release_if_complete(w, &w->open[i]);
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

uint64_t spw_engine_warp(spw_warp_op op, unsigned mask, uint64_t value, unsigned argument,
                         const char *where)
{
  engine *const e = &spw_engine;
  thread *const t = spw_current();
  warp *const w = t->warp;
  const unsigned lane = t->number % SPW_WARP, bit = 1u << lane;
  if (!w) spw_engine_fault("warp function in a kernel that is declared to have none", where);
  if (!(mask & bit)) spw_engine_fault("the calling lane is not in its own mask", where);
  e->idle_yields = 0;
  TSAN(char *const token = &t->block->tokens[TOKEN_WARP + t->number / SPW_WARP];
       if (op == SPW_WARP_SYNC) __tsan_release(token);)
  t->where = where;
  rendezvous *const r = rendezvous_of(w, op, mask, where);
  w->value[lane] = value;
  w->argument[lane] = argument;
  r->arrived |= bit;
  if (op == SPW_WARP_BALLOT && value) r->ballot |= bit;
  release_if_complete(w, r);
  spw_go_on(e);
  TSAN(if (op == SPW_WARP_SYNC) __tsan_acquire(token);)
  return w->value[lane];
}
