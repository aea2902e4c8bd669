/* SPDX-License-Identifier: Apache-2.0 */
/* Where the words of metadata lie, in every order, and which word lies at a place. */
#include "semi.h"
#include "kernels/marlin.h"
#include "kernels/sm90.h"

static int64_t blocks_of(spw_semi_order order)
{
  return 1 + (int64_t)order - SPW_SEMI_SM90_1;
}

int64_t spw_semi_place_of(const spw_semi_words *w, int64_t row, int64_t column)
{
  switch (w->order) {
  case SPW_SEMI_PLAIN: return row * w->stride + column;
  case SPW_SEMI_CUTLASS: return spw_semi_place(w->interleave, row, column, w->rows, w->columns);
  case SPW_SEMI_MARLIN: return spw_semi_marlin_place(row, column, w->rows, w->columns);
  default: return spw_semi_sm90_place(w->halves, blocks_of(w->order), row, column, w->rows, w->columns);
  }
}

spw_semi_word spw_semi_word_of(const spw_semi_words *w, int64_t at)
{
  const spw_semi_word plain = {at / w->stride, at % w->stride};
  switch (w->order) {
  case SPW_SEMI_PLAIN: return plain;
  case SPW_SEMI_CUTLASS: return spw_semi_word_at(w->interleave, at, w->rows, w->columns);
  case SPW_SEMI_MARLIN: return spw_semi_marlin_word(at, w->rows, w->columns);
  default: return spw_semi_sm90_word(w->halves, blocks_of(w->order), at, w->rows, w->columns);
  }
}
