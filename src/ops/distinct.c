/* SPDX-License-Identifier: Apache-2.0 */
#include "distinct.h"

#include <string.h>

enum { FEW = 12 }; /* sorted by insertion */

static int64_t words_of(int64_t bound)
{
  return bound / 64 + (bound % 64 > 0 ? 1 : 0);
}

spw_distinct spw_take_distinct(spw_arena *arena, int64_t bound)
{
  spw_distinct d = {{0}, 0};
  for (int64_t n = words_of(bound); n > 0; n = n > 1 ? words_of(n) : 0) d.words[d.levels++] = spw_take(arena, n, 8);
  return d;
}

void spw_clear_distinct(const spw_distinct *d, int64_t bound)
{
  int64_t n = bound;
  for (int i = 0; i < d->levels; i++) {
    n = words_of(n);
    memset(d->words[i], 0, (size_t)n * 8);
  }
}

static void insert_each(uint64_t *numbers, int64_t n)
{
  for (int64_t i = 1; i < n; i++) {
    const uint64_t number = numbers[i];
    int64_t at = i;
    for (; at > 0 && numbers[at - 1] > number; at--) numbers[at] = numbers[at - 1];
    numbers[at] = number;
  }
}

/* A word that has a bit already has one above it, too. */
static inline void mark(const spw_distinct *d, uint64_t number)
{
  for (int i = 0; i < d->levels; i++) {
    uint64_t *const word = d->words[i] + (number >> 6);
    const uint64_t old = *word;
    *word = old | (uint64_t)1 << (number & 63);
    if (old != 0) return;
    number >>= 6;
  }
}

/* Writes the numbers below a word down, and clears it. */
static uint64_t *list(const spw_distinct *d, int level, uint64_t word, uint64_t *to)
{
  uint64_t bits = d->words[level][word];
  d->words[level][word] = 0;
  for (; bits != 0; bits &= bits - 1) {
    const uint64_t number = word << 6 | (uint64_t)__builtin_ctzll(bits);
    if (level == 0)
      *to++ = number;
    else
      to = list(d, level - 1, number, to);
  }
  return to;
}

void spw_sort_distinct(const spw_distinct *d, uint64_t *numbers, int64_t n)
{
  if (n <= FEW) {
    insert_each(numbers, n);
    return;
  }
  for (int64_t i = 0; i < n; i++) mark(d, numbers[i]);
  list(d, d->levels - 1, 0, numbers);
}
