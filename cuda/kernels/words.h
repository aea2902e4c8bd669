/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a check: one word, in which the smallest violation wins.
 *
 * The upper 8 bits are a key. Keys of rules are in the order in which the checker reports them, with
 * room for more between; the lower 56 bits then say where: batch * entries + position. So the least
 * word is the first violation, whoever finds it, and an atomic minimum is all that threads need to
 * agree. Keys above those of rules are statuses. The workspace begins as SPW_WORD_NOT_RUN, and
 * nothing but the last block of a verdict makes a valid word of it: whatever did not run, or not to
 * its end, leaves no verdict behind. */
#ifndef SPW_CUDA_WORDS_H
#define SPW_CUDA_WORDS_H

#include "dialect.h"

typedef enum spw_key {
  SPW_KEY_CLEARED = 0, /* no check leaves this */
  SPW_KEY_SHAPE = 1,   /* found on the host */
  SPW_KEY_1_6 = 0x10,
  SPW_KEY_3_11 = 0x20,
  SPW_KEY_5_1 = 0x30,
  SPW_KEY_5_2,
  SPW_KEY_5_3,
  SPW_KEY_5_4,
  SPW_KEY_5_5,
  SPW_KEY_5_6,
  SPW_KEY_6_5 = 0x40,
  SPW_KEY_6_6,
  SPW_KEY_6_7,
  SPW_KEY_RULES_END,
  SPW_KEY_NONE = 0xc0,    /* of an inferred size: it violates no rule */
  SPW_KEY_VALID = 0xd6,
  SPW_KEY_SUSPECT = 0xe0, /* some rule is violated, and it is not yet known which */
  SPW_KEY_NOT_RUN = 0xff
} spw_key;

/* The words that a workspace can be filled with, each of one byte eight times. */
#define SPW_WORD_OF_BYTE(byte) (~(spw_word)0 / 0xff * (byte))
#define SPW_WORD_SHAPE SPW_WORD_OF_BYTE(SPW_KEY_SHAPE)
#define SPW_WORD_VALID SPW_WORD_OF_BYTE(SPW_KEY_VALID)
#define SPW_WORD_NOT_RUN SPW_WORD_OF_BYTE(SPW_KEY_NOT_RUN)
/* No violation: greater than any word that a block finds. */
#define SPW_WORD_NONE (~(spw_word)0)

#define SPW_WORD_POSITION_BITS 56
#define SPW_WORD_POSITIONS ((int64_t)1 << SPW_WORD_POSITION_BITS)
#define SPW_WORD(key, position) ((spw_word)(key) << SPW_WORD_POSITION_BITS | (spw_word)(position))
#define SPW_WORD_KEY(word) ((spw_key)((word) >> SPW_WORD_POSITION_BITS))
#define SPW_WORD_POSITION(word) ((int64_t)((word) & (spw_word)(SPW_WORD_POSITIONS - 1)))

/* What the kernels of one check write; all bytes are 0xff before. */
typedef struct spw_check_memory {
  spw_word word; /* the result: written once, by the last block of the verdict or of the search */
  int64_t lhs, rhs;
  spw_word least;               /* of what blocks found so far */
  unsigned judged, searched;    /* blocks of verdict and of find that have ended, from -1 on */
} spw_check_memory;

/* Behind it two words for each range: one for P, in COO one for each sparse dimension. */
SPW_DEVICE spw_word *spw_range(spw_check_memory *memory, int64_t number)
{
  return (spw_word *)(memory + 1) + 2 * number;
}

/* The least and the largest of some numbers, in a form in which both are minima of words. */
#define SPW_RANGE_SIGN ((spw_word)1 << 63)

SPW_DEVICE spw_word spw_range_low(int64_t value)
{
  return (spw_word)value ^ SPW_RANGE_SIGN;
}

SPW_DEVICE spw_word spw_range_high(int64_t value)
{
  return ~((spw_word)value ^ SPW_RANGE_SIGN);
}

typedef struct spw_least_most {
  int any;
  int64_t low, high;
} spw_least_most;

SPW_DEVICE spw_least_most spw_range_read(const spw_word *range)
{
  const spw_word low = spw_observe(&range[0]), high = spw_observe(&range[1]);
  spw_least_most r;
  r.any = low != SPW_WORD_NONE || high != SPW_WORD_NONE;
  r.low = (int64_t)(low ^ SPW_RANGE_SIGN);
  r.high = (int64_t)(~high ^ SPW_RANGE_SIGN);
  return r;
}

SPW_DEVICE int64_t spw_difference(int64_t x, int64_t y)
{
  const int64_t wrapped = (int64_t)((uint64_t)x - (uint64_t)y);
  if (x >= y) return wrapped >= 0 ? wrapped : INT64_MAX;
  return wrapped < 0 ? wrapped : INT64_MIN;
}

#endif
