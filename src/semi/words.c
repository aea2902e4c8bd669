/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of metadata, and the groups that they are about, whatever their order and width. */
#include "semi.h"
#include "kernels/groups.h"
#include "kernels/pairs.h"
#include "kernels/words.h"
#include "../core/prefetch.h"

#include <string.h>

/* So many pairs of columns ahead are fetched, by lines of memory: they lie far from each other. */
enum { AHEAD = 8, LINE = 32 };

/* Where a pair of words of each row lies. From a pair to the next one there are 2 * rows words: spec/acsl/semi_order.acsl. */
typedef struct pair_places {
  int64_t even[SPW_SEMI_BLOCK], odd[SPW_SEMI_BLOCK];
} pair_places;

static void find_pairs(const spw_semi_words *w, int64_t row, int64_t rows, int64_t column, pair_places *p)
{
  for (int64_t r = 0; r < rows; r++) {
    p->even[r] = spw_semi_place(w->interleave, row + r, column, w->rows, w->columns);
    p->odd[r] = spw_semi_place(w->interleave, row + r, column + 1, w->rows, w->columns);
  }
}

/* The words of one pair of columns in a block of rows lie side by side. */
static void gather(const spw_semi_words *w, const uint16_t *metadata, int64_t row, int64_t rows, int64_t first, int64_t count,
                   uint16_t *halves)
{
  pair_places p;
  find_pairs(w, row, rows, first / w->halves, &p);
  const int64_t step = 2 * w->rows * w->halves;
  for (int64_t i = 0; i < count; i += 2 * w->halves, metadata += step) {
    const int64_t known = i + 2 * w->halves * AHEAD < count ? 2 * rows * w->halves : 0;
    for (int64_t k = 0; k < known; k += LINE) SPW_PREFETCH(metadata + AHEAD * step + w->halves * p.even[0] + k);
    for (int64_t r = 0; r < rows; r++) {
      uint16_t *const to = halves + r * SPW_SEMI_ROW_HALVES + i;
      if (w->halves == 1) {
        to[0] = metadata[p.even[r]];
        to[1] = metadata[p.odd[r]];
      } else {
        memcpy(to, metadata + 2 * p.even[r], 4);
        memcpy(to + 2, metadata + 2 * p.odd[r], 4);
      }
    }
  }
}

static void scatter(const spw_semi_words *w, uint16_t *metadata, int64_t row, int64_t rows, int64_t first, int64_t count,
                    const uint16_t *halves)
{
  pair_places p;
  find_pairs(w, row, rows, first / w->halves, &p);
  const int64_t step = 2 * w->rows * w->halves;
  for (int64_t i = 0; i < count; i += 2 * w->halves, metadata += step) {
    const int64_t known = i + 2 * w->halves * AHEAD < count ? 2 * rows * w->halves : 0;
    for (int64_t k = 0; k < known; k += LINE) SPW_PREFETCH(metadata + AHEAD * step + w->halves * p.even[0] + k);
    for (int64_t r = 0; r < rows; r++) {
      const uint16_t *const from = halves + r * SPW_SEMI_ROW_HALVES + i;
      if (w->halves == 1) {
        metadata[p.even[r]] = from[0];
        metadata[p.odd[r]] = from[1];
      } else {
        memcpy(metadata + 2 * p.even[r], from, 4);
        memcpy(metadata + 2 * p.odd[r], from + 2, 4);
      }
    }
  }
}

/* Word by word. */
static void gather_any(const spw_semi_words *w, const uint16_t *metadata, int64_t row, int64_t first, int64_t count,
                       uint16_t *halves)
{
  for (int64_t i = 0; i < count; i += w->halves)
    memcpy(halves + i, metadata + w->halves * spw_semi_place_of(w, row, (first + i) / w->halves),
           (size_t)w->halves * sizeof *halves);
}

static void scatter_any(const spw_semi_words *w, uint16_t *metadata, int64_t row, int64_t first, int64_t count,
                        const uint16_t *halves)
{
  for (int64_t i = 0; i < count; i += w->halves)
    memcpy(metadata + w->halves * spw_semi_place_of(w, row, (first + i) / w->halves), halves + i,
           (size_t)w->halves * sizeof *halves);
}

void spw_semi_get_words(const spw_semi_words *w, const uint16_t *metadata, int64_t row, int64_t rows, int64_t first,
                        int64_t count,
                        uint16_t *halves)
{
  if (count == 0) return;
  if (w->order == SPW_SEMI_CUTLASS)
    gather(w, metadata, row, rows, first, count, halves);
  else if (w->order == SPW_SEMI_PLAIN)
    for (int64_t r = 0; r < rows; r++)
      memcpy(halves + r * SPW_SEMI_ROW_HALVES, metadata + (row + r) * w->stride * w->halves + first,
             (size_t)count * sizeof *halves);
  else
    for (int64_t r = 0; r < rows; r++) gather_any(w, metadata, row + r, first, count, halves + r * SPW_SEMI_ROW_HALVES);
}

void spw_semi_put_words(const spw_semi_words *w, uint16_t *metadata, int64_t row, int64_t rows, int64_t first, int64_t count,
                        const uint16_t *halves)
{
  if (count == 0) return;
  if (w->order == SPW_SEMI_CUTLASS)
    scatter(w, metadata, row, rows, first, count, halves);
  else if (w->order == SPW_SEMI_PLAIN)
    for (int64_t r = 0; r < rows; r++)
      memcpy(metadata + (row + r) * w->stride * w->halves + first, halves + r * SPW_SEMI_ROW_HALVES,
             (size_t)count * sizeof *halves);
  else
    for (int64_t r = 0; r < rows; r++) scatter_any(w, metadata, row + r, first, count, halves + r * SPW_SEMI_ROW_HALVES);
}

bool spw_semi_groups_fit(const spw_semi_kind *kind, const void *x, int64_t groups, uint32_t other)
{
  switch (kind->scalar) {
  case 1: return spw_semi_fits_u8(x, groups, (uint8_t)other) == 1;
  case 2: return spw_semi_fits_u16(x, groups, (uint16_t)other) == 1;
  default: return spw_semi_pairs_fit(x, groups, other) == 1;
  }
}

int64_t spw_semi_unfit_group(const spw_semi_kind *kind, const void *x, int64_t groups, uint32_t other)
{
  switch (kind->scalar) {
  case 1: return spw_semi_first_unfit_u8(x, groups, (uint8_t)other);
  case 2: return spw_semi_first_unfit_u16(x, groups, (uint16_t)other);
  default: return spw_semi_first_unfit_pair(x, groups, other);
  }
}

void spw_semi_encode_any(const spw_semi_kind *kind, const void *x, int64_t groups, uint32_t other, void *packed, int8_t *code)
{
  switch (kind->scalar) {
  case 1: spw_semi_encode_groups_u8(x, groups, (uint8_t)other, packed, code); return;
  case 2: spw_semi_encode_groups_u16(x, groups, (uint16_t)other, packed, code); return;
  default: spw_semi_encode_pairs(x, groups, other, packed, code);
  }
}

void spw_semi_decode_any(const spw_semi_kind *kind, const void *packed, const int8_t *code, int64_t groups, void *x)
{
  switch (kind->scalar) {
  case 1: spw_semi_decode_groups_u8(packed, code, groups, x); return;
  case 2: spw_semi_decode_groups_u16(packed, code, groups, x); return;
  default: spw_semi_decode_pairs(packed, code, groups, x);
  }
}
