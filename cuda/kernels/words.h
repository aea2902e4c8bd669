/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a check: one word, in which the smallest violation wins.
 *
 * The upper 4 bits say which rule, in the order in which the checker reports them; the lower 60
 * where: batch * entries + position. So the least word is the first violation, whoever finds it,
 * and an atomic minimum is all that threads need to agree. */
#ifndef SPW_CUDA_WORDS_H
#define SPW_CUDA_WORDS_H

#include "dialect.h"

typedef enum spw_key {
  SPW_KEY_SHAPE = 0, /* found on the host; a workspace filled with 0 says this */
  SPW_KEY_1_6,
  SPW_KEY_3_11,
  SPW_KEY_5_1,
  SPW_KEY_5_2,
  SPW_KEY_5_3,
  SPW_KEY_5_4,
  SPW_KEY_5_5,
  SPW_KEY_5_6,
  SPW_KEY_6_5,
  SPW_KEY_6_6,
  SPW_KEY_6_7,
  SPW_KEY_NONE = 13,
  SPW_KEY_SUSPECT = 14 /* some rule is violated, and it is not yet known which */
} spw_key;

#define SPW_WORD_VALID (~(spw_word)0) /* a workspace filled with 0xff bytes says this */
#define SPW_WORD_POSITIONS ((int64_t)1 << 60)
#define SPW_WORD(key, position) ((spw_word)(key) << 60 | (spw_word)(position))
#define SPW_WORD_KEY(word) ((spw_key)((word) >> 60))
#define SPW_WORD_POSITION(word) ((int64_t)((word) & (((spw_word)1 << 60) - 1)))

/* What the kernels of one check write; all bytes are 0xff before. */
typedef struct spw_check_memory {
  spw_word word;
  int64_t lhs, rhs;
  unsigned tickets, unused; /* blocks that have ended, counted from -1 */
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
  r.any = low != SPW_WORD_VALID || high != SPW_WORD_VALID;
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
