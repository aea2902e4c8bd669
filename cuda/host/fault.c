/* SPDX-License-Identifier: Apache-2.0 */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>

/* The mask with which a thread waits in a warp function, or 0. */
static unsigned mask_of(const thread *t)
{
  for (unsigned i = 0; i < t->warp->count; i++)
    if (t->warp->open[i].arrived >> t->is.number % SPW_WARP & 1) return t->warp->open[i].mask;
  return 0;
}

static void print_waiting(const block *b)
{
  unsigned shown = 0;
  for (unsigned i = 0; i < b->threads && shown < 8; i++) {
    const thread *const t = &b->thread[i];
    const unsigned mask = mask_of(t);
    if (t->is.barriers == (uint16_t)b->generation && !mask) continue;
    fprintf(stderr, "  thread %u waits at %s", i, t->where);
    if (mask) fprintf(stderr, " with mask %08x", mask);
    fputc('\n', stderr);
    shown++;
  }
}

_Noreturn void spw_engine_fault(const char *what, const char *where)
{
  const thread *const t = spw_current();
  fprintf(stderr, "engine: %s: %s", spw_engine.kernel ? spw_engine.kernel->name : "no kernel",
          what);
  if (where) fprintf(stderr, " at %s", where);
  if (t)
    fprintf(stderr, " (block %u,%u,%u thread %u,%u,%u)", t->is.block->x, t->is.block->y,
            t->is.block->z, t->is.thread.x, t->is.thread.y, t->is.thread.z);
  fputc('\n', stderr);
  if (t && t->warp) print_waiting(t->warp->block);
  abort();
}
