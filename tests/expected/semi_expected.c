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

/* Rows are interleaved, blocks of 2 x 2 are transposed, and pairs of columns written row by row: each step moves the numbers of
 * words in a matrix. */
void semi_expected_places(int bytes, int64_t rows, int64_t columns, int64_t *places)
{
  const int64_t block = bytes == 2 ? 32 : 16, lanes = block / 8, all = rows * columns;
  int64_t *const a = malloc((size_t)(all + 1) * sizeof *a), *const b = malloc((size_t)(all + 1) * sizeof *b);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < columns; c++)
      a[(r / block * block + r % 8 * lanes + r % block / 8) * columns + c] = r * columns + c;
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

static int64_t word_columns(spw_dtype dtype, int64_t columns)
{
  return (columns / semi_group(dtype) + semi_codes(dtype) - 1) / semi_codes(dtype);
}

/* The place of every word in an order. */
static int64_t *places_of(spw_dtype dtype, spw_semi_order order, int64_t rows, int64_t columns)
{
  const int64_t n = word_columns(dtype, columns);
  int64_t *const places = malloc((size_t)(rows * n + 1) * sizeof *places);
  for (int64_t i = 0; i < rows * n; i++) places[i] = i;
  if (order == SPW_SEMI_CUTLASS) semi_expected_places(semi_codes(dtype) / 2, rows, n, places);
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
