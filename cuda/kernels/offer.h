/* SPDX-License-Identifier: Apache-2.0 */
/* How the blocks of one launch agree on the first violation. */
#ifndef SPW_CUDA_OFFER_H
#define SPW_CUDA_OFFER_H

#include "words.h"

/* One thread of each block hands in the least word that the block found. True for the last of them,
 * which then sees the least of all blocks. */
SPW_DEVICE int spw_offer(spw_check_memory *memory, spw_word least)
{
#ifdef SPW_FAULT_MINIMUM_NOT_ATOMIC
  if (least < memory->word) memory->word = least;
#elif defined SPW_FAULT_MINIMUM_SIGNED
  if (least != SPW_WORD_VALID) atomicMin((long long *)&memory->word, (long long)least);
#else
  if (least != SPW_WORD_VALID) atomicMin(&memory->word, least);
#endif
#ifdef SPW_FAULT_FIRST_BLOCK_IS_LAST
  return spw_fetch_add_ordered(&memory->tickets, 1u) + 1 == 0;
#else
  return spw_fetch_add_ordered(&memory->tickets, 1u) + 2 == gridDim.x; /* counted from -1 */
#endif
}

#endif
