/* SPDX-License-Identifier: Apache-2.0 */
/* Where the words of metadata lie, in every order, and which word lies at a place. */
#include "semi.h"

/* ---- Marlin: other rows than CUTLASS', then as there ---------------------------------------------- */

/* In a group of 64 rows the bits of a number change places: 5 4 3 2 1 0 becomes 1 5 4 3 0 2. */
static int64_t marlin_row(int64_t r)
{
  return r / 64 * 64 + r / 2 % 2 * 32 + r / 8 % 8 * 4 + r % 2 * 2 + r / 4 % 2;
}

static int64_t row_of_marlin(int64_t t)
{
  return t / 64 * 64 + t / 4 % 8 * 8 + t % 2 * 4 + t / 32 % 2 * 2 + t / 2 % 2;
}

/* The upper right word of each 2 x 2 block changes places with the lower left one: its own inverse. */
static spw_semi_word exchanged(spw_semi_word w)
{
  const int64_t step = w.column % 2 - w.row % 2;
  const spw_semi_word other = {w.row + step, w.column - step};
  return other;
}

static int64_t marlin_place(const spw_semi_words *w, int64_t row, int64_t column)
{
  const spw_semi_word to = exchanged((spw_semi_word){marlin_row(row), column});
  return to.column / 2 * 2 * w->rows + 2 * to.row + to.column % 2;
}

static spw_semi_word marlin_word(const spw_semi_words *w, int64_t at)
{
  const int64_t pair = at / (2 * w->rows), rest = at % (2 * w->rows);
  const spw_semi_word from = exchanged((spw_semi_word){rest / 2, 2 * pair + rest % 2});
  const spw_semi_word word = {row_of_marlin(from.row), from.column};
  return word;
}

/* ---- SM90: tiles of 64 rows and 2 * blocks words ------------------------------------------------- */

/* Words of 32 bits lie row by row in a tile. Of words of 16 bits, rows r and r + 8 are neighbours; then come the blocks, the
 * eight rows, the two words of a block, and the four times 16 rows. */
static int64_t place_in_tile(int64_t blocks, bool wide, int64_t r, int64_t c)
{
  if (wide) return r * 2 * blocks + c;
  return r / 8 % 2 + 2 * (c / 2 + blocks * (r % 8 + 8 * (c % 2 + 2 * (r / 16))));
}

static spw_semi_word word_in_tile(int64_t blocks, bool wide, int64_t at)
{
  spw_semi_word word = {at / (2 * blocks), at % (2 * blocks)};
  if (wide) return word;
  const int64_t block = at / 2 % blocks, rest = at / 2 / blocks;
  word.row = rest / 16 * 16 + at % 2 * 8 + rest % 8;
  word.column = 2 * block + rest / 8 % 2;
  return word;
}

static int64_t blocks_of(spw_semi_order order)
{
  return 1 + (int64_t)order - SPW_SEMI_SM90_1;
}

/* The tiles of one column of tiles lie behind each other. */
static int64_t sm90_place(const spw_semi_words *w, int64_t row, int64_t column)
{
  const int64_t blocks = blocks_of(w->order), wide = 2 * blocks;
  const int64_t tile = column / wide * (w->rows / 64) + row / 64;
  return tile * 64 * wide + place_in_tile(blocks, w->halves == 2, row % 64, column % wide);
}

static spw_semi_word sm90_word(const spw_semi_words *w, int64_t at)
{
  const int64_t blocks = blocks_of(w->order), wide = 2 * blocks, tiles = w->rows / 64, tile = at / (64 * wide);
  const spw_semi_word inside = word_in_tile(blocks, w->halves == 2, at % (64 * wide));
  const spw_semi_word word = {tile % tiles * 64 + inside.row, tile / tiles * wide + inside.column};
  return word;
}

/* ---- All ----------------------------------------------------------------------------------------- */

int64_t spw_semi_place_of(const spw_semi_words *w, int64_t row, int64_t column)
{
  switch (w->order) {
  case SPW_SEMI_PLAIN: return row * w->stride + column;
  case SPW_SEMI_CUTLASS: return spw_semi_place(w->interleave, row, column, w->rows, w->columns);
  case SPW_SEMI_MARLIN: return marlin_place(w, row, column);
  default: return sm90_place(w, row, column);
  }
}

spw_semi_word spw_semi_word_of(const spw_semi_words *w, int64_t at)
{
  const spw_semi_word plain = {at / w->stride, at % w->stride};
  switch (w->order) {
  case SPW_SEMI_PLAIN: return plain;
  case SPW_SEMI_CUTLASS: return spw_semi_word_at(w->interleave, at, w->rows, w->columns);
  case SPW_SEMI_MARLIN: return marlin_word(w, at);
  default: return sm90_word(w, at);
  }
}
