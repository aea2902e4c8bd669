/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct numbers below a bound, put in order: a bit for each number, and above it a bit for each word that is not 0, up
 * to one word. What is sorted costs by its length, not by the bound. */
#ifndef SPW_OPS_DISTINCT_H
#define SPW_OPS_DISTINCT_H

#include "../convert/arena.h"

enum { SPW_DISTINCT_LEVELS = 11 }; /* 64^11 > 2^63 */

typedef struct spw_distinct {
  uint64_t *words[SPW_DISTINCT_LEVELS]; /* all 0 between calls */
  int levels;
} spw_distinct;

/* Takes the words of numbers below `bound` from the arena. */
spw_distinct spw_take_distinct(spw_arena *arena, int64_t bound);

/* All words become 0. */
void spw_clear_distinct(const spw_distinct *d, int64_t bound);

/* Brings n distinct numbers into ascending order. */
void spw_sort_distinct(const spw_distinct *d, uint64_t *numbers, int64_t n);

#endif
