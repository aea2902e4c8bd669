/* SPDX-License-Identifier: Apache-2.0 */
#include "sm90.h"
#include "in_line.inc"

/*@ lemma tiles_product: \forall integer k, q, b; (k * q) * (128 * b) == (64 * q) * ((2 * b) * k); */

/*@ requires order: (h == 1 || h == 2) && 1 <= b <= 4;
    requires inside: 0 <= r < 64 && 0 <= c < 2 * b;
    terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == sm90_in_tile(h, b, r, c);
    ensures inside: 0 <= \result < 128 * b;
    ensures row: sm90_row_in(h, b, \result) == r;
    ensures column: sm90_column_in(h, b, \result) == c; */
/* level L2 */
static inline int64_t place_in_tile(int64_t h, int64_t b, int64_t r, int64_t c)
{
  //@ assert wide: r * (2 * b) + 2 * b <= 64 * (2 * b);
  if (h == 2) return in_line(r, 2 * b, c);
  const int64_t low = r % 8, up = r / 8 % 2, four = r / 16, half = c % 2, t = low + 8 * (half + 2 * four);
  //@ assert digits: r == 16 * four + 8 * up + low && 0 <= low < 8 && 0 <= up < 2 && 0 <= four < 4 && 0 <= half < 2;
  //@ assert t: 0 <= t < 64 && t % 8 == low && t / 8 == half + 2 * four && t / 8 % 2 == half && t / 16 == four;
  //@ assert fits: t * b + b <= 64 * b;
  const int64_t u = in_line(t, b, c / 2), x = up + 2 * u;
  //@ assert parts: x % 2 == up && x / 2 == u;
  return x;
}

/*@ requires order: (h == 1 || h == 2) && 1 <= b <= 4;
    requires inside: 0 <= x < 128 * b;
    terminates \true; exits \false; assigns \nothing;
    ensures row: \result.row == sm90_row_in(h, b, x);
    ensures column: \result.column == sm90_column_in(h, b, x);
    ensures inside: 0 <= \result.row < 64 && 0 <= \result.column < 2 * b;
    ensures inverse: sm90_in_tile(h, b, \result.row, \result.column) == x; */
/* level L2 */
static inline spw_semi_word word_in_tile(int64_t h, int64_t b, int64_t x)
{
  const int64_t w = 2 * b;
  //@ assert positive: w > 0;
  const spw_semi_word wide = {x / w, x % w};
  //@ assert wide: x == wide.row * w + wide.column && 0 <= wide.column < w && 0 <= wide.row;
  //@ assert wide_less: wide.row * w < 64 * w;
  if (h == 2) return wide;
  //@ assert positive: b > 0;
  const int64_t u = x / 2, t = u / b, block = u % b;
  //@ assert split: u == t * b + block && 0 <= block < b && 0 <= t;
  //@ assert less: t * b < 64 * b;
  //@ assert below: t < 64;
  const int64_t low = t % 8, half = t / 8 % 2, four = t / 16;
  //@ assert digits: t == low + 8 * (half + 2 * four) && 0 <= low < 8 && 0 <= half < 2 && 0 <= four < 4;
  const spw_semi_word word = {four * 16 + x % 2 * 8 + low, 2 * block + half};
  //@ assert row: word.row / 8 % 2 == x % 2 && word.row % 8 == low && word.row / 16 == four;
  //@ assert column: word.column % 2 == half && word.column / 2 == block;
  return word;
}

/* level L2 */
int64_t spw_semi_sm90_place(int64_t h, int64_t b, int64_t r, int64_t c, int64_t m, int64_t n)
{
  (void)n;
  const int64_t w = 2 * b, tiles = m / 64, size = 128 * b;
  //@ assert positive: w > 0;
  const int64_t p = c / w, q = c % w;
  //@ assert whole: m == 64 * tiles && n == w * (n / w) && 0 < tiles && 0 <= p < n / w;
  //@ assert all: ((n / w) * tiles) * size == m * n;
  //@ assert tile: p * tiles + tiles <= (n / w) * tiles;
  //@ assert column: c == p * w + q && 0 <= q < w;
  const int64_t line = in_line(p, tiles, r / 64);
  //@ assert tile_of: line == sm90_tile(b, r, c, m);
  const int64_t x = place_in_tile(h, b, r % 64, q);
  //@ assert less: 0 <= line < (n / w) * tiles;
  //@ assert size: 0 <= x < size;
  //@ assert fits: line * size + size <= ((n / w) * tiles) * size;
  const int64_t at = in_line(line, size, x);
  //@ assert parts: sm90_tile_at(b, at) == line && sm90_rest_at(b, at) == x && line / (m / 64) == p && line % (m / 64) == r / 64;
  return at;
}

/* level L2 */
spw_semi_word spw_semi_sm90_word(int64_t h, int64_t b, int64_t at, int64_t m, int64_t n)
{
  (void)n;
  const int64_t w = 2 * b, tiles = m / 64, size = 128 * b;
  //@ assert positive: size > 0;
  const int64_t line = at / size, x = at % size;
  //@ assert whole: m == 64 * tiles && n == w * (n / w) && 0 < tiles;
  //@ assert all: ((n / w) * tiles) * size == m * n;
  //@ assert split: at == line * size + x && 0 <= x < size && 0 <= line;
  //@ assert below: line * size < ((n / w) * tiles) * size;
  //@ assert less: line < (n / w) * tiles;
  //@ assert some: tiles > 0;
  const int64_t p = line / tiles, q = line % tiles;
  //@ assert lines: line == p * tiles + q && 0 <= q < tiles && 0 <= p;
  //@ assert columns: p * tiles < (n / w) * tiles;
  //@ assert column: p < n / w;
  const spw_semi_word in = word_in_tile(h, b, x);
  //@ assert last: p * w + w <= (n / w) * w;
  const int64_t row = q * 64 + in.row, column = in_line(p, w, in.column);
  //@ assert back: row / 64 == q && row % 64 == in.row && column / w == p && column % w == in.column;
  //@ assert tile_of: sm90_tile(b, row, column, m) == line;
  //@ assert again: sm90_in_tile(h, b, row % 64, column % (2 * b)) == x;
  const spw_semi_word word = {row, column};
  return word;
}
