/* SPDX-License-Identifier: Apache-2.0 */
#include "semi_expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int semi_scalar(spw_dtype dtype)
{
  return dtype == SPW_FLOAT32 ? 4 : dtype == SPW_FLOAT16 || dtype == SPW_BFLOAT16 ? 2 : 1;
}

int semi_group(spw_dtype dtype)
{
  return dtype == SPW_FLOAT32 ? 2 : 4;
}

int semi_codes(spw_dtype dtype)
{
  return semi_scalar(dtype) == 1 ? 8 : 4;
}

static bool has_sign(spw_dtype dtype)
{
  return dtype != SPW_UINT8 && dtype != SPW_INT8;
}

bool semi_is_zero(spw_dtype dtype, uint32_t element, bool bits)
{
  const uint32_t sign = 1u << (8 * semi_scalar(dtype) - 1);
  return element == 0 || (!bits && has_sign(dtype) && element == sign);
}

uint32_t semi_element(const void *data, int scalar, int64_t at)
{
  uint32_t v = 0;
  memcpy(&v, (const char *)data + at * scalar, (size_t)scalar);
  return v;
}

void semi_set_element(void *data, int scalar, int64_t at, uint32_t element)
{
  memcpy((char *)data + at * scalar, &element, (size_t)scalar);
}

/* PyTorch's table of groups of four, from 0000 on, element 0 in the lowest bit. */
unsigned semi_code_of(spw_dtype dtype, unsigned nonzeros)
{
  static const unsigned four[16] = {14, 8, 9, 4, 14, 8, 9, 0, 14, 12, 13, 0, 14, 0, 0, 0}, two[4] = {14, 4, 14, 0};
  return semi_group(dtype) == 4 ? four[nonzeros] : two[nonzeros];
}

static void first_and_second(spw_dtype dtype, unsigned code, int *first, int *second)
{
  *first = (int)(code & 3);
  *second = (int)(code >> 2);
  if (semi_group(dtype) == 2) *first = *second = code == 4 ? 0 : 1;
}

/* ---- Metadata ----------------------------------------------------------------------------------- */

/* Where a row of words goes: bit i of the number within a block becomes bit bits[i]. */
static int64_t moved_row(spw_semi_order order, int bytes, int64_t r)
{
  static const int wide[] = {1, 2, 3, 0}, narrow[] = {2, 3, 4, 0, 1}, marlin[] = {1, 5, 0, 2, 3, 4};
  const int n = order == SPW_SEMI_MARLIN ? 6 : bytes == 2 ? 5 : 4, *const bits = n == 6 ? marlin : n == 5 ? narrow : wide;
  int64_t to = r >> n << n;
  for (int i = 0; i < n; i++) to |= (r >> i & 1) << bits[i];
  return to;
}

/* Rows are interleaved, blocks of 2 x 2 are transposed, and pairs of columns written row by row: each step moves the numbers of
 * words in a matrix. */
static void interleaved_places(spw_semi_order order, int bytes, int64_t rows, int64_t columns, int64_t *places)
{
  const int64_t all = rows * columns;
  int64_t *const a = malloc((size_t)(all + 1) * sizeof *a), *const b = malloc((size_t)(all + 1) * sizeof *b);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < columns; c++) a[moved_row(order, bytes, r) * columns + c] = r * columns + c;
  for (int64_t r = 0; r < rows; r += 2)
    for (int64_t c = 0; c < columns; c += 2) {
      b[r * columns + c] = a[r * columns + c];
      b[(r + 1) * columns + c + 1] = a[(r + 1) * columns + c + 1];
      b[(r + 1) * columns + c] = a[r * columns + c + 1];
      b[r * columns + c + 1] = a[(r + 1) * columns + c];
    }
  int64_t next = 0;
  for (int64_t c = 0; c < columns; c += 2)
    for (int64_t r = 0; r < rows; r++)
      for (int64_t i = 0; i < 2; i++) places[b[r * columns + c + i]] = next++;
  free(a);
  free(b);
}

/* As the words follow each other in memory: a loop for each mode of the layout of a tile, the innermost last. */
static void tiled_places(int64_t blocks, int bytes, int64_t rows, int64_t columns, int64_t *places)
{
  int64_t next = 0;
  for (int64_t left = 0; left < columns; left += 2 * blocks)
    for (int64_t top = 0; top < rows; top += 64)
      if (bytes == 4) {
        for (int64_t i = 0; i < 64; i++)
          for (int64_t j = 0; j < 2 * blocks; j++) places[(top + i) * columns + left + j] = next++;
      } else {
        for (int64_t quarter = 0; quarter < 4; quarter++)
          for (int64_t half = 0; half < 2; half++)
            for (int64_t i = 0; i < 8; i++)
              for (int64_t block = 0; block < blocks; block++)
                for (int64_t second = 0; second < 2; second++)
                  places[(top + 16 * quarter + 8 * second + i) * columns + left + 2 * block + half] = next++;
      }
}

void semi_expected_places(spw_semi_order order, int bytes, int64_t rows, int64_t columns, int64_t *places)
{
  for (int64_t i = 0; i < rows * columns && order == SPW_SEMI_PLAIN; i++) places[i] = i;
  if (order == SPW_SEMI_CUTLASS || order == SPW_SEMI_MARLIN) interleaved_places(order, bytes, rows, columns, places);
  if (order >= SPW_SEMI_SM90_1) tiled_places((int64_t)order - SPW_SEMI_SM90_1 + 1, bytes, rows, columns, places);
}

static int64_t word_columns(spw_dtype dtype, int64_t columns)
{
  return (columns / semi_group(dtype) + semi_codes(dtype) - 1) / semi_codes(dtype);
}

/* The place of every word in an order. */
static int64_t *places_of(spw_dtype dtype, spw_semi_order order, int64_t rows, int64_t columns)
{
  const int64_t n = word_columns(dtype, columns);
  int64_t *const places = malloc((size_t)(rows * n + 1) * sizeof *places);
  semi_expected_places(order, semi_codes(dtype) / 2, rows, n, places);
  return places;
}

bool semi_expected_encode(spw_dtype dtype, spw_semi_order order, bool bits, int64_t rows, int64_t columns, const void *dense,
                          void *packed, void *metadata, int64_t *row, int64_t *group)
{
  const int scalar = semi_scalar(dtype), side = semi_group(dtype), codes = semi_codes(dtype);
  const int64_t n = word_columns(dtype, columns);
  int64_t *const places = places_of(dtype, order, rows, columns);
  bool fits = true;
  memset(metadata, 0, (size_t)(rows * n * codes / 2));
  for (int64_t r = 0; r < rows && fits; r++)
    for (int64_t g = 0; g < columns / side && fits; g++) {
      unsigned nonzeros = 0;
      int first, second;
      for (int i = 0; i < side; i++)
        nonzeros |= (unsigned)!semi_is_zero(dtype, semi_element(dense, scalar, r * columns + g * side + i), bits) << i;
      const unsigned code = semi_code_of(dtype, nonzeros);
      fits = code != 0;
      *row = r;
      *group = g;
      if (!fits) continue;
      first_and_second(dtype, code, &first, &second);
      const int64_t from = r * columns + g * side, to = r * (columns / 2) + g * side / 2;
      semi_set_element(packed, scalar, to, semi_element(dense, scalar, from + first));
      if (side == 4) semi_set_element(packed, scalar, to + 1, semi_element(dense, scalar, from + second));
      unsigned char *const byte = (unsigned char *)metadata + places[r * n + g / codes] * (codes / 2) + g % codes / 2;
      *byte = (unsigned char)(*byte | code << (g % 2 * 4));
    }
  free(places);
  return fits;
}

void semi_expected_decode(spw_dtype dtype, spw_semi_order order, int64_t rows, int64_t columns, const void *packed,
                          const void *metadata, void *dense)
{
  const int scalar = semi_scalar(dtype), side = semi_group(dtype), codes = semi_codes(dtype);
  const int64_t n = word_columns(dtype, columns);
  int64_t *const places = places_of(dtype, order, rows, columns);
  memset(dense, 0, (size_t)(rows * columns * scalar));
  for (int64_t r = 0; r < rows; r++)
    for (int64_t g = 0; g < columns / side; g++) {
      const unsigned char byte = ((const unsigned char *)metadata)[places[r * n + g / codes] * (codes / 2) + g % codes / 2];
      const int64_t to = r * columns + g * side, from = r * (columns / 2) + g * side / 2;
      int first, second;
      first_and_second(dtype, byte >> (g % 2 * 4) & 15, &first, &second);
      semi_set_element(dense, scalar, to + first, semi_element(packed, scalar, from));
      if (side == 4) semi_set_element(dense, scalar, to + second, semi_element(packed, scalar, from + 1));
    }
  free(places);
}

bool semi_expected_fits(spw_dtype dtype, spw_semi_order order, int64_t rows, int64_t columns)
{
  const int64_t word = semi_group(dtype) * semi_codes(dtype), blocks = order >= SPW_SEMI_SM90_1 ? (int64_t)order - 2 : 1;
  const int64_t step = order == SPW_SEMI_PLAIN ? 1 : order == SPW_SEMI_CUTLASS ? (semi_codes(dtype) == 8 ? 16 : 32) : 64;
  const int64_t wide = order == SPW_SEMI_PLAIN ? semi_group(dtype) : 2 * blocks * word;
  return rows % step == 0 && columns % wide == 0;
}

void semi_expected_mask(spw_dtype dtype, int64_t rows, int64_t columns, const void *metadata, uint8_t *mask)
{
  const int side = semi_group(dtype), codes = semi_codes(dtype);
  const int64_t n = word_columns(dtype, columns), wide = (columns + 7) / 8;
  memset(mask, 0, (size_t)(rows * wide));
  for (int64_t r = 0; r < rows; r++)
    for (int64_t g = 0; g < columns / side; g++) {
      const unsigned char byte = ((const unsigned char *)metadata)[(r * n + g / codes) * (codes / 2) + g % codes / 2];
      int place[2];
      first_and_second(dtype, byte >> (g % 2 * 4) & 15, &place[0], &place[1]);
      for (int i = 0; i < 2; i++) {
        uint8_t *const at = &mask[r * wide + (g * side + place[i]) / 8];
        *at = (uint8_t)(*at | 1u << (g * side + place[i]) % 8);
      }
    }
}

/* ---- Rules -------------------------------------------------------------------------------------- */

static void note(spw_semi_report *r, int rule, spw_semi_member member, int64_t row, int64_t lhs, int64_t rhs)
{
  spw_semi_finding *const f = &r->findings[rule];
  if (f->count++ == 0)
    f->first = (spw_semi_violation){.rule = (spw_semi_rule)rule, .member = member, .row = row, .column = -1, .group = -1,
                                    .at_row = -1, .at_column = -1, .lhs = lhs, .rhs = rhs};
  f->state = SPW_VIOLATED;
}

static bool has_kind(spw_dtype dtype)
{
  return dtype == SPW_UINT8 || dtype == SPW_INT8 || dtype == SPW_FLOAT8_E4M3FN || dtype == SPW_FLOAT8_E5M2 ||
         dtype == SPW_FLOAT16 || dtype == SPW_BFLOAT16 || dtype == SPW_FLOAT32;
}

static void note_size(const spw_semi *s, spw_dtype dtype, spw_semi_report *r)
{
  const int64_t word = semi_group(dtype) * semi_codes(dtype), blocks = s->order >= SPW_SEMI_SM90_1 ? (int64_t)s->order - 2 : 1;
  const int64_t step = s->order == SPW_SEMI_PLAIN ? 1 : s->order == SPW_SEMI_CUTLASS ? (semi_codes(dtype) == 8 ? 16 : 32) : 64;
  const int64_t wide = s->order == SPW_SEMI_PLAIN ? semi_group(dtype) : 2 * blocks * word;
  if (s->rows < 0) note(r, 0, SPW_SEMI_MEMBER_SIZE, 0, s->rows, 0);
  else if (s->columns < 0) note(r, 0, SPW_SEMI_MEMBER_SIZE, 1, s->columns, 0);
  else if (s->rows > 0 && s->columns > INT64_MAX / s->rows) note(r, 0, SPW_SEMI_MEMBER_SIZE, -1, s->rows, s->columns);
  else if (s->rows % step) note(r, 0, SPW_SEMI_MEMBER_SIZE, 0, s->rows, step);
  else if (s->columns % wide) note(r, 0, SPW_SEMI_MEMBER_SIZE, 1, s->columns, wide);
}

static void note_shape(const spw_array *a, spw_semi_member member, int64_t rows, int64_t columns, spw_semi_report *r)
{
  if (a->ndim != 2) {
    note(r, 1, member, -1, a->ndim, 2);
    return;
  }
  if (a->shape[0] != rows) note(r, 1, member, 0, a->shape[0], rows);
  if (a->shape[1] != columns) note(r, 1, member, 1, a->shape[1], columns);
}

/* Strides and the last element, in numbers that cannot overflow. */
static void note_storage(const spw_array *a, spw_semi_member member, bool gapless, spw_semi_report *r)
{
  for (int d = 0; d < 2; d++)
    if (a->strides[d] < 0) {
      note(r, 4, member, d, a->strides[d], 0);
      return;
    }
  if (a->shape[1] > 1 && a->strides[1] != 1) note(r, 4, member, 1, a->strides[1], 1);
  if (gapless && a->shape[0] > 1 && a->shape[1] > 0 && a->strides[0] != a->shape[1])
    note(r, 4, member, 0, a->strides[0], a->shape[1]);
  __int128 last = a->offset;
  bool empty = false;
  for (int d = 0; d < 2; d++) {
    empty = empty || a->shape[d] == 0;
    last += (__int128)(a->shape[d] - 1) * a->strides[d];
  }
  if (a->offset < 0 || (!empty && last >= a->length)) note(r, 4, member, -1, a->offset, a->length);
}

/* Goes through the words in their order in memory. */
static void note_codes(const spw_semi *s, spw_dtype dtype, spw_semi_report *r)
{
  const int codes = semi_codes(dtype), side = semi_group(dtype);
  const int64_t n = word_columns(dtype, s->columns), all = s->rows * n, stride = s->metadata.array.strides[0];
  int64_t *const places = places_of(dtype, s->order, s->rows, s->columns);
  int64_t *const words = malloc((size_t)(all + 1) * sizeof *words);
  for (int64_t i = 0; i < all; i++) words[places[i]] = i;
  for (int64_t at = 0; at < all; at++) {
    const int64_t word_row = words[at] / n, word_column = words[at] % n;
    const int64_t element = s->metadata.array.offset + at / n * (s->rows > 1 ? stride : 0) + at % n;
    const unsigned char *const bytes = (const unsigned char *)s->metadata.data + element * (codes / 2);
    int64_t word = 0;
    for (int i = codes / 2 - 1; i >= 0; i--) word = word * 256 + bytes[i];
    for (int k = 0; k < codes; k++) {
      const int64_t code = word >> (4 * k) & 15, column = (word_column * codes + k) * side;
      const bool slack = column >= s->columns, legal = side == 2 ? code == 4 || code == 14 : (code & 3) < code >> 2;
      if (slack ? code == 0 : legal) continue;
      const bool first = r->findings[slack ? 5 : 3].count == 0;
      note(r, slack ? 5 : 3, SPW_SEMI_MEMBER_METADATA, at / n, code, word);
      spw_semi_violation *const v = &r->findings[slack ? 5 : 3].first;
      if (!first) continue;
      v->column = at % n;
      v->group = k;
      v->at_row = slack ? -1 : word_row;
      v->at_column = slack ? -1 : column;
    }
  }
  free(places);
  free(words);
}

static bool settle(spw_semi_report *r, int rule)
{
  if (r->findings[rule].state != SPW_VIOLATED) r->findings[rule].state = SPW_HOLDS;
  return r->findings[rule].state == SPW_HOLDS;
}

static bool note_shapes(const spw_semi *s, spw_semi_report *r)
{
  const spw_dtype dtype = s->packed.array.dtype, metadata = s->metadata.array.dtype;
  if (!has_kind(dtype)) {
    note(r, 2, SPW_SEMI_MEMBER_PACKED, -1, (int64_t)dtype, SPW_DTYPE_NONE);
    if (metadata != SPW_INT16 && metadata != SPW_INT32)
      note(r, 2, SPW_SEMI_MEMBER_METADATA, -1, (int64_t)metadata, SPW_DTYPE_NONE);
    return false;
  }
  const spw_dtype wanted = semi_codes(dtype) == 8 ? SPW_INT32 : SPW_INT16;
  if (s->dtype != SPW_DTYPE_NONE && s->dtype != dtype)
    note(r, 2, SPW_SEMI_MEMBER_PACKED, -1, (int64_t)dtype, (int64_t)s->dtype);
  if (metadata != wanted) note(r, 2, SPW_SEMI_MEMBER_METADATA, -1, (int64_t)metadata, (int64_t)wanted);
  const bool typed = settle(r, 2);
  note_size(s, dtype, r);
  if (!settle(r, 0)) return false;
  note_shape(&s->packed.array, SPW_SEMI_MEMBER_PACKED, s->rows, s->columns / 2, r);
  note_shape(&s->metadata.array, SPW_SEMI_MEMBER_METADATA, s->rows, word_columns(dtype, s->columns), r);
  if (!settle(r, 1)) return false;
  note_storage(&s->packed.array, SPW_SEMI_MEMBER_PACKED, false, r);
  note_storage(&s->metadata.array, SPW_SEMI_MEMBER_METADATA, s->order != SPW_SEMI_PLAIN, r);
  return settle(r, 4) && typed;
}

void semi_expected_check(const spw_semi *s, spw_level level, spw_semi_report *r)
{
  *r = (spw_semi_report){.valid = false};
  const bool shaped = note_shapes(s, r);
  r->valid = shaped;
  if (!shaped || level == SPW_SHAPE) return;
  note_codes(s, s->packed.array.dtype, r);
  const bool legal = settle(r, 3), tidy = settle(r, 5);
  r->valid = legal && tidy;
}

/* ---- Pruning ------------------------------------------------------------------------------------ */

/* The magnitude of a number with so many bits of exponent and of mantissa, computed and not read from the bits. */
static double magnitude_of(uint32_t v, int exponent, int mantissa, bool has_infinity)
{
  const uint32_t most = (1u << exponent) - 1, e = v >> mantissa & most, m = v & ((1u << mantissa) - 1);
  const int bias = (int)(most / 2);
  if (e == most && has_infinity) return m ? NAN : INFINITY;
  if (e == most && m == (1u << mantissa) - 1) return NAN;
  return e == 0 ? ldexp(m, 1 - bias - mantissa) : ldexp(m + (1u << mantissa), (int)e - bias - mantissa);
}

static double magnitude(spw_dtype dtype, uint32_t v)
{
  if (dtype == SPW_UINT8) return v;
  if (dtype == SPW_INT8) return fabs((double)(int8_t)v);
  if (dtype == SPW_FLOAT16) return magnitude_of(v, 5, 10, true);
  if (dtype == SPW_BFLOAT16) return magnitude_of(v, 8, 7, true);
  if (dtype == SPW_FLOAT32) return magnitude_of(v, 8, 23, true);
  return dtype == SPW_FLOAT8_E5M2 ? magnitude_of(v, 5, 2, true) : magnitude_of(v, 4, 3, false);
}

bool semi_is_larger(spw_dtype dtype, uint32_t a, uint32_t b)
{
  const double x = magnitude(dtype, a), y = magnitude(dtype, b);
  return isnan(x) ? !isnan(y) : x > y;
}

/* The largest that is not taken yet and may be; of equal ones the first. -1: there is none. */
static int largest(spw_dtype dtype, const uint32_t *v, const bool *open, int n)
{
  int best = -1;
  for (int i = 0; i < n; i++)
    if (open[i] && (best < 0 || semi_is_larger(dtype, v[i], v[best]))) best = i;
  return best;
}

/* A tile of so many rows: its rows and columns get at most half of `side` each. */
static void choose(spw_dtype dtype, const uint32_t *v, int tall, int side, bool *kept)
{
  bool open[16];
  int in_row[4] = {0}, in_column[4] = {0};
  for (int i = 0; i < tall * side; i++) open[i] = true, kept[i] = false;
  for (int i = largest(dtype, v, open, tall * side); i >= 0; i = largest(dtype, v, open, tall * side)) {
    open[i] = false;
    kept[i] = in_row[i / side] < side / 2 && in_column[i % side] < side / 2;
    if (kept[i]) in_row[i / side]++, in_column[i % side]++;
  }
}

void semi_expected_prune(spw_dtype dtype, spw_semi_pruning pruning, int64_t rows, int64_t columns, const void *dense, void *out)
{
  const int scalar = semi_scalar(dtype), side = semi_group(dtype), tall = pruning == SPW_SEMI_TILES ? side : 1;
  uint32_t v[16];
  bool kept[16];
  for (int64_t r = 0; r < rows; r += tall)
    for (int64_t c = 0; c < columns; c += side) {
      for (int i = 0; i < tall * side; i++) v[i] = semi_element(dense, scalar, (r + i / side) * columns + c + i % side);
      choose(dtype, v, tall, side, kept);
      for (int i = 0; i < tall * side; i++)
        semi_set_element(out, scalar, (r + i / side) * columns + c + i % side, kept[i] ? v[i] : 0);
    }
}
