/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of threads: those that are free, and new ones. */
#include "state.h"

void spw_retire_fiber(fiber *f)
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

static fiber *new_fiber(void)
{
  fiber *const f = spw_fiber_new(spw_engine.run_threads);
  if (!f) spw_engine_fault("no memory for a stack", NULL);
  return f;
}

#ifdef SPW_ENGINE_TSAN
void spw_make_fibers(unsigned count)
{
  for (; spw_engine.fibers < count; spw_engine.fibers++) spw_retire_fiber(new_fiber());
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
