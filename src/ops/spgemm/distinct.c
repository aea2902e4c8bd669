/* SPDX-License-Identifier: Apache-2.0 */
#include "distinct.h"
#include "../../core/size.h"

#include <string.h>

enum {
  FEW = 12,  /* sorted by insertion */
  GROUP = 64 /* words */
};

static int64_t words_of(int64_t bound)
{
  return bound / 64 + (bound % 64 > 0 ? 1 : 0);
}

spw_distinct spw_take_distinct(spw_arena *arena, int64_t bound)
{
  spw_distinct d = {0};
  const int64_t words = words_of(bound), groups = words_of(words);
  d.bits = spw_take(arena, words, 8);
  d.has = spw_take(arena, spw_mul_saturated(groups, GROUP), 1);
  for (int64_t n = words_of(groups); n > 0; n = n > 1 ? words_of(n) : 0) d.groups[d.levels++] = spw_take(arena, n, 8);
  return d;
}

void spw_clear_distinct(const spw_distinct *d, int64_t bound)
{
  int64_t n = words_of(bound);
  if (d->levels == 0) return;
  memset(d->bits, 0, (size_t)n * 8);
  n = words_of(n);
  memset(d->has, 0, (size_t)n * GROUP);
  for (int i = 0; i < d->levels; i++) {
    n = words_of(n);
    memset(d->groups[i], 0, (size_t)n * 8);
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

/* A word that has bits already has one above it, too. */
static void mark_group(const spw_distinct *d, uint64_t group)
{
  for (int i = 0; i < d->levels; i++) {
    uint64_t *const word = d->groups[i] + (group >> 6);
    const uint64_t old = *word;
    *word = old | (uint64_t)1 << (group & 63);
    if (old != 0) return;
    group >>= 6;
  }
}

/* Bytes are stored and not read, so that only numbers of one word wait for each other. */
static void mark(const spw_distinct *d, const uint64_t *numbers, int64_t n)
{
  uint64_t *const bits = d->bits, *const groups = d->groups[0];
  uint8_t *const has = d->has;
  for (int64_t i = 0; i < n; i++) {
    const uint64_t number = numbers[i], group = number >> 12;
    bits[number >> 6] |= (uint64_t)1 << (number & 63);
    has[number >> 6] = 1;
    if ((groups[group >> 6] >> (group & 63) & 1) == 0) mark_group(d, group);
  }
}

static uint64_t take_word(uint64_t *at)
{
  const uint64_t word = *at;
  *at = 0;
  return word;
}

/* A bit for each of 64 bytes that are 0 or 1, which become 0. */
static uint64_t take_bytes(uint8_t *at)
{
  uint64_t bits = 0;
  for (int i = 0; i < 8; i++) {
    uint64_t eight = 0;
    for (int k = 0; k < 8; k++) eight |= (uint64_t)at[8 * i + k] << 8 * k;
    bits |= (eight * 0x0102040810204080u >> 56) << 8 * i; /* byte k comes to bit 56 + k */
  }
  memset(at, 0, GROUP);
  return bits;
}

static uint64_t *list_group(const spw_distinct *d, uint64_t group, uint64_t *to)
{
  for (uint64_t has = take_bytes(d->has + group * GROUP); has != 0; has &= has - 1) {
    const uint64_t word = group * GROUP + (uint64_t)__builtin_ctzll(has);
    for (uint64_t bits = take_word(d->bits + word); bits != 0; bits &= bits - 1)
      *to++ = word << 6 | (uint64_t)__builtin_ctzll(bits);
  }
  return to;
}

/* Writes the numbers below a word down, and clears it. */
static uint64_t *list(const spw_distinct *d, int level, uint64_t word, uint64_t *to)
{
  for (uint64_t bits = take_word(d->groups[level] + word); bits != 0; bits &= bits - 1) {
    const uint64_t below = word << 6 | (uint64_t)__builtin_ctzll(bits);
    to = level > 0 ? list(d, level - 1, below, to) : list_group(d, below, to);
  }
  return to;
}

void spw_sort_distinct(const spw_distinct *d, uint64_t *numbers, int64_t n)
{
  if (n <= FEW) {
    insert_each(numbers, n);
    return;
  }
  mark(d, numbers, n);
  list(d, d->levels - 1, 0, numbers);
}
