/* SPDX-License-Identifier: Apache-2.0 */
#include "count_blocks.h"

/* Marks of so many blocks in a row, which the first-level cache holds: block k has a bit of word k % WORDS, so that
 * those of neighbours do not wait for each other. */
enum { WORDS = 4096, WINDOW = 64 * WORDS };

/* The shift that divides by `width`; -1: none does. */
static int shift_of(int64_t width)
{
  int shift = 0;
  while (shift < 62 && (int64_t)1 << shift < width) shift++;
  return (int64_t)1 << shift == width ? shift : -1;
}

#define SPW_TEMPLATE "../convert/count_blocks.inc"
#include "../core/each_index_type.h"
