/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that are one piece of work together, a stage each. A stage begins only where the check found
 * its tensor valid and the stage before came to its end, and only its last block says that it has; so
 * what was not launched, or did not end, stops all that follows, and is never read as done. */
#ifndef SPW_CUDA_STAGES_H
#define SPW_CUDA_STAGES_H

#include "conversion.h"

/* The same for all threads of a launch: nothing changes it before all have asked. */
SPW_DEVICE int spw_stage_begins(const spw_stage *s)
{
  return spw_observe(&s->checked->word) == SPW_WORD_VALID &&
         spw_observe(&s->memory->done) == (spw_word)s->number - 1;
}

/* All threads of a block, when its work is done. */
SPW_DEVICE void spw_stage_ends(const spw_stage *s)
{
  __syncthreads();
  if (threadIdx.x > 0) return;
  if (spw_fetch_add_ordered(&s->memory->ended, 1u) + 2 != gridDim.x) return; /* counted from -1 */
  s->memory->ended = s->memory->tickets = ~0u;
  spw_publish(&s->memory->done, (spw_word)s->number);
}

#endif
