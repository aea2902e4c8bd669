/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct numbers below a bound, put in order: a bit for each number, a byte for each word of these, and above them bits for
 * words, up to one. What is sorted costs by its length, not by the bound. */
#ifndef SPW_OPS_SPGEMM_DISTINCT_H
#define SPW_OPS_SPGEMM_DISTINCT_H

#include "../../convert/arena.h"

enum { SPW_DISTINCT_LEVELS = 9 }; /* 4096 * 64^9 > 2^63 */

/* All 0 between calls. */
typedef struct spw_distinct {
  uint64_t *bits;                        /* one for each number */
  uint8_t *has;                          /* 1 for each word of them that is not 0 */
  uint64_t *groups[SPW_DISTINCT_LEVELS]; /* a bit for each 64 words; a bit for each word of these that is not 0; up to one word */
  int levels;
} spw_distinct;

/* Takes the memory for numbers below `bound` from the arena. */
spw_distinct spw_take_distinct(spw_arena *arena, int64_t bound);

/* All becomes 0. */
void spw_clear_distinct(const spw_distinct *d, int64_t bound);

/* Brings n distinct numbers into ascending order. */
void spw_sort_distinct(const spw_distinct *d, uint64_t *numbers, int64_t n);

#endif
