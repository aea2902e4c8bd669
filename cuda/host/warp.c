/* SPDX-License-Identifier: Apache-2.0 */
/* The warp functions: lanes wait until all that the mask names have come. */
#include "state.h"

/* What a lane reads that does not take part: undefined on hardware. */
static const uint64_t POISON = 0xDEADBEEFDEADBEEFu;

static unsigned source_lane(spw_warp_op op, unsigned lane, unsigned argument)
{
  switch (op) {
    case SPW_WARP_SHUFFLE: return argument % SPW_WARP;
    case SPW_WARP_XOR: return (lane ^ argument) % SPW_WARP;
    case SPW_WARP_UP: return lane >= argument ? lane - argument : lane;
    case SPW_WARP_DOWN: return lane + argument < SPW_WARP ? lane + argument : lane;
    default: return lane;
  }
}

static uint64_t undefined(void)
{
  uint64_t value = POISON;
#ifdef SPW_ENGINE_MSAN
  __msan_poison(&value, sizeof value);
#endif
  return value;
}

/* Nobody is missing: exchange the values and let all go on. */
static void release(block *b, unsigned first, rendezvous r)
{
  uint64_t given[SPW_WARP];
  unsigned ballot = 0;
  for (unsigned left = r.arrived; left; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(left);
    given[lane] = b->thread[first + lane].value;
    if (r.op == SPW_WARP_BALLOT && given[lane]) ballot |= 1u << lane;
  }
  for (unsigned left = r.arrived; left; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(left);
    thread *const t = &b->thread[first + lane];
    if (r.op == SPW_WARP_BALLOT) {
      t->value = ballot;
    } else if (r.op != SPW_WARP_SYNC) {
      const unsigned source = source_lane(r.op, lane, t->argument);
      t->value = r.arrived >> source & 1 ? given[source] : undefined();
    }
    spw_make_ready(t);
  }
}

void spw_warp_check(block *b, unsigned warp_number)
{
  warp *const w = &b->warps[warp_number];
  for (unsigned i = w->count; i-- > 0;) {
    if ((w->open[i].mask & w->live) != w->open[i].arrived) continue;
    const rendezvous complete = w->open[i];
    w->open[i] = w->open[--w->count];
    release(b, warp_number * SPW_WARP, complete);
  }
}

static rendezvous *join(warp *w, spw_warp_op op, unsigned mask, const char *where)
{
  for (unsigned i = 0; i < w->count; i++) {
    if (w->open[i].mask == mask) {
      if (w->open[i].op != op)
        spw_engine_fault("different warp functions meet under one mask", where);
      return &w->open[i];
    }
    if (w->open[i].mask & mask) spw_engine_fault("overlapping warp masks", where);
  }
  w->open[w->count] = (rendezvous){mask, 0, op};
  return &w->open[w->count++];
}

uint64_t spw_engine_warp(spw_warp_op op, unsigned mask, uint64_t value, unsigned argument,
                         const char *where)
{
  thread *const t = spw_current();
  block *const b = t->block;
  const unsigned lane = t->number % SPW_WARP, number = t->number / SPW_WARP;
  if (!spw_engine.kernel->barriers)
    spw_engine_fault("warp function in a kernel that is declared to have none", where);
  if (!(mask >> lane & 1)) spw_engine_fault("the calling lane is not in its own mask", where);
  spw_engine.idle_yields = 0;
  TSAN(char *const token = &b->tokens[TOKEN_WARP + number];
       if (op == SPW_WARP_SYNC) __tsan_release(token);)
  t->state = AT_WARP;
  t->where = where;
  t->mask = mask;
  t->value = value;
  t->argument = argument;
  join(&b->warps[number], op, mask, where)->arrived |= 1u << lane;
  spw_warp_check(b, number);
  spw_go_on();
  TSAN(if (op == SPW_WARP_SYNC) __tsan_acquire(token);)
  return t->value;
}
