/* SPDX-License-Identifier: Apache-2.0 */
/* __syncthreads: every thread of the block that has not returned must come, to the same one. */
#include "turn.h"

#include <string.h>

static void release(block *b)
{
  for (unsigned i = 0; i < b->threads; i++) spw_make_ready(&spw_engine, &b->thread[i]);
  b->votes = b->voting;
  b->voting = b->waiting = 0;
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

spw_engine_turn spw_engine_at_barrier(bool vote, const char *where)
{
  thread *const t = spw_current();
  if (!spw_engine.kernel->barriers)
    spw_engine_fault("barrier in a kernel that is declared to have none", where);
  block *const b = t->warp->block;
  spw_engine.idle_yields = 0;
  TSAN(t->token = &b->tokens[TOKEN_BARRIER + b->generation % 2]; __tsan_release(t->token);)
  t->is.barriers++;
  t->where = where;
  if (b->waiting++ == 0) b->where = where;
  else if (b->where != where && strcmp(b->where, where) != 0)
    spw_engine_fault("divergent barrier: threads of one block meet in different places", where);
  b->voting += vote;
  spw_barrier_check(b);
  return spw_next(&spw_engine, t);
}

unsigned spw_engine_votes(void)
{
  return spw_current()->warp->block->votes;
}
