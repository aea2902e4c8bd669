/* SPDX-License-Identifier: Apache-2.0 */
/* How the blocks of one launch agree on the verdict and on the first violation. */
#ifndef SPW_CUDA_OFFER_H
#define SPW_CUDA_OFFER_H

#include "words.h"

/* One thread of each block lowers the least word. */
SPW_DEVICE void spw_lower(spw_check_memory *memory, spw_word found)
{
  if (found != SPW_WORD_NONE) atomicMin(&memory->least, found);
}

/* One thread of each block says that it has ended. True for the last of them, which then sees
 * what all blocks did before. */
SPW_DEVICE int spw_is_last(unsigned *ended)
{
  return spw_fetch_add_ordered(ended, 1u) + 2 == gridDim.x; /* counted from -1 */
}

/* All threads of a block: is something wrong with what it judged? The tensor is valid when every
 * block has said no; nothing else says so. */
SPW_DEVICE void spw_vote(spw_check_memory *memory, int wrong)
{
  wrong = __syncthreads_or(wrong);
  if (threadIdx.x > 0) return;
  spw_lower(memory, wrong ? SPW_WORD(SPW_KEY_SUSPECT, 0) : SPW_WORD_NONE);
  if (spw_is_last(&memory->judged) && spw_observe(&memory->least) == SPW_WORD_NONE)
    spw_publish(&memory->word, SPW_WORD_VALID);
}

#endif
