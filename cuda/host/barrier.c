/* SPDX-License-Identifier: Apache-2.0 */
/* __syncthreads: every thread of the block that has not returned must come, to the same one. */
#include "turn.h"

#include <string.h>

static void release(block *b)
{
  const char *where = NULL;
  b->votes = 0;
  for (unsigned i = 0; i < b->threads; i++) {
    thread *const t = &b->thread[i];
    if (!t->at_barrier) continue;
    if (where && where != t->where && strcmp(where, t->where) != 0)
      spw_engine_fault("divergent barrier: threads of one block meet in different places",
                       t->where);
    where = t->where;
    b->votes += t->vote;
  }
  for (unsigned i = 0; i < b->threads; i++) {
    if (!b->thread[i].at_barrier) continue;
    b->thread[i].at_barrier = false;
    spw_make_ready(&spw_engine, &b->thread[i]);
  }
  b->waiting = 0;
  b->generation++;
}

void spw_barrier_check(block *b)
{
  if (b->waiting == 0 || b->waiting + b->done < b->threads) return;
  /* Some left the kernel and others wait for them: hardware lets them pass, and the kernel is
   * wrong. */
  if (b->done > 0) spw_engine_fault("divergent barrier: a thread returned before it", NULL);
  release(b);
}

unsigned spw_engine_barrier(bool vote, const char *where)
{
  thread *const t = spw_current();
  block *const b = t->block;
  if (!t->warp)
    spw_engine_fault("barrier in a kernel that is declared to have none", where);
  spw_engine.idle_yields = 0;
  TSAN(char *const token = &b->tokens[TOKEN_BARRIER + b->generation % 2]; __tsan_release(token);)
  t->at_barrier = true;
  t->where = where;
  t->vote = vote;
  b->waiting++;
  spw_barrier_check(b);
  spw_go_on(&spw_engine);
  TSAN(__tsan_acquire(token);)
  return b->votes;
}
