/* SPDX-License-Identifier: Apache-2.0 */
/* From dense to 2:4, and back. */
#include "semi.h"
#include "kernels/words.h"

#include <string.h>

static int64_t smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* Group `g` of a row, of which `first` is the first: bits of the elements that are not zero. */
static int64_t nonzeros(const spw_semi_kind *kind, const char *group, uint32_t other)
{
  int64_t bits = 0;
  for (int64_t i = 0; i < kind->group; i++) {
    uint32_t v = 0;
    memcpy(&v, group + i * kind->scalar, (size_t)kind->scalar);
    bits |= (int64_t)(v != 0 && v != other) << i;
  }
  return bits;
}

static spw_status judge_pattern(const spw_semi_dense *d, uint32_t other, spw_semi_refusal *refusal)
{
  _Alignas(4) char buffer[SPW_SEMI_CHUNK_BYTES];
  const int64_t groups = d->columns / d->kind.group;
  for (int64_t r = 0; r < d->rows; r++)
    for (int64_t g = 0; g < groups; g += SPW_SEMI_CHUNK) {
      const int64_t n = smaller(groups - g, SPW_SEMI_CHUNK);
      const char *const x = spw_semi_dense_chunk(d, r, g, n, buffer);
      if (spw_semi_groups_fit(&d->kind, x, n, other)) continue;
      const int64_t unfit = spw_semi_unfit_group(&d->kind, x, n, other);
      return spw_semi_refuse(refusal, SPW_EINVALID, SPW_SEMI_OBSTACLE_PATTERN, r, g + unfit,
                             nonzeros(&d->kind, x + unfit * d->kind.group * d->kind.scalar, other), -1);
    }
  return SPW_OK;
}

/* A chunk of a row: its codes as halves of words; those behind the last group are 0. */
static void encode_chunk(const spw_semi_dense *d, uint32_t other, int64_t row, int64_t first, int64_t groups, int64_t all,
                         char *packed,
                         uint16_t *halves)
{
  _Alignas(4) char buffer[SPW_SEMI_CHUNK_BYTES];
  int8_t code[SPW_SEMI_CHUNK];
  const void *const x = spw_semi_dense_chunk(d, row, first, groups, buffer);
  char *const to = packed + (row * (d->columns / 2) + first * d->kind.kept) * d->kind.scalar;
  spw_semi_encode_any(&d->kind, x, groups, other, to, code);
  for (int64_t g = groups; g < 4 * all; g++) code[g] = 0;
  spw_semi_pack_codes(code, all, halves);
}

static void encode_rows(const spw_semi_dense *d, uint32_t other, const spw_semi_words *w, char *packed, uint16_t *metadata)
{
  uint16_t halves[SPW_SEMI_BLOCK * SPW_SEMI_ROW_HALVES];
  const int64_t groups = d->columns / d->kind.group, rows = spw_semi_block_of(w), codes = d->kind.codes;
  for (int64_t block = 0; block < d->rows; block += rows)
    for (int64_t g = 0; g < groups; g += SPW_SEMI_CHUNK) {
      const int64_t n = smaller(groups - g, SPW_SEMI_CHUNK), all = (n / codes + (n % codes != 0)) * w->halves;
      for (int64_t r = 0; r < rows; r++)
        encode_chunk(d, other, block + r, g, n, all, packed, halves + r * SPW_SEMI_ROW_HALVES);
      spw_semi_put_words(w, metadata, block, rows, g / 4, all, halves);
    }
}

/* Where a result of so many rows and columns lies. */
static spw_semi_words words_of_result(spw_semi_order order, const spw_semi_kind *kind, int64_t rows, const spw_semi_room *room)
{
  const spw_semi_words w = {order, (int)kind->interleave, rows, room->metadata_columns, room->metadata_columns, kind->codes / 4};
  return w;
}

static spw_status keep_apart(const void *read, int64_t bytes, const void *a, int64_t a_bytes, const void *b, int64_t b_bytes,
                             spw_semi_refusal *refusal)
{
  if (spw_semi_apart(a, a_bytes, b, b_bytes) && spw_semi_apart(read, bytes, a, a_bytes) && spw_semi_apart(read, bytes, b,
      b_bytes))
    return SPW_OK;
  return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1, -1, -1);
}

spw_status spw_semi_encode(const spw_tensor *dense, const spw_semi_request *request, void *packed, void *metadata,
                           spw_semi_refusal *refusal)
{
  spw_semi_dense d;
  if (!dense || !request || !spw_semi_order_name(request->order)) return SPW_EINVAL;
  spw_dtype dtype = request->dtype;
  spw_status status = spw_semi_take_dense(dense, &dtype, &d, refusal);
  if (status != SPW_OK) return status;
  const spw_semi_violation size = spw_semi_size_violation(request->order, &d.kind, d.rows, d.columns);
  if (size.rule != SPW_SEMI_RULE_NONE) return spw_semi_refuse_rule(refusal, SPW_ERANGE, &size);
  const spw_semi_room room = spw_semi_room_of(&d.kind, d.rows, d.columns);
  if ((room.packed > 0 && !packed) || (room.metadata > 0 && !metadata)) return SPW_EINVAL;
  status = keep_apart(d.data, spw_semi_reach(&dense->values, d.kind.scalar), packed, room.packed * d.kind.scalar, metadata,
                      room.metadata * (d.kind.codes / 2), refusal);
  const uint32_t other = request->bits ? 0 : d.kind.other;
  if (status == SPW_OK) status = judge_pattern(&d, other, refusal);
  if (status != SPW_OK) return status;
  const spw_semi_words w = words_of_result(request->order, &d.kind, d.rows, &room);
  encode_rows(&d, other, &w, packed, metadata);
  return SPW_OK;
}

spw_status spw_semi_decode(const spw_semi *semi, void *values, spw_semi_refusal *refusal)
{
  spw_semi_operand o;
  spw_status status = spw_semi_take(semi, &o, refusal);
  if (status != SPW_OK) return status;
  const int64_t row_bytes = semi->columns * o.kind.scalar, bytes = semi->rows * row_bytes;
  if (bytes > 0 && !values) return SPW_EINVAL;
  status = keep_apart(o.packed, spw_semi_reach(&semi->packed, o.kind.scalar), values, bytes, NULL, 0, refusal);
  if (status == SPW_OK)
    status = keep_apart(o.metadata, spw_semi_reach(&semi->metadata, o.kind.codes / 2), values, bytes, NULL, 0, refusal);
  if (status != SPW_OK) return status;
  const int64_t rows = spw_semi_block_of(&o.words), group_bytes = o.kind.group * o.kind.scalar;
  for (int64_t block = 0; block < semi->rows; block += rows)
    for (int64_t g = 0; g < o.groups; g += SPW_SEMI_CHUNK)
      spw_semi_decode_chunk(&o, block, rows, g, smaller(o.groups - g, SPW_SEMI_CHUNK), (char *)values + block * row_bytes +
                            g * group_bytes,
                            row_bytes);
  return SPW_OK;
}

/* ---- Other orders ------------------------------------------------------------------------------- */

spw_status spw_semi_reorder(const spw_semi *semi, spw_semi_order order, void *metadata, spw_semi_refusal *refusal)
{
  spw_semi_operand o;
  if (!spw_semi_order_name(order)) return SPW_EINVAL;
  spw_status status = spw_semi_take(semi, &o, refusal);
  if (status != SPW_OK) return status;
  const spw_semi_violation size = spw_semi_size_violation(order, &o.kind, semi->rows, semi->columns);
  if (size.rule != SPW_SEMI_RULE_NONE) return spw_semi_refuse_rule(refusal, SPW_ERANGE, &size);
  if (o.room.metadata > 0 && !metadata) return SPW_EINVAL;
  const int64_t word = o.kind.codes / 2;
  status = keep_apart(o.metadata, spw_semi_reach(&semi->metadata, word), metadata, o.room.metadata * word, NULL, 0, refusal);
  if (status != SPW_OK) return status;
  const spw_semi_words w = words_of_result(order, &o.kind, semi->rows, &o.room);
  uint16_t halves[SPW_SEMI_BLOCK * SPW_SEMI_ROW_HALVES];
  const int64_t all = o.room.metadata_columns * w.halves, rows = larger(spw_semi_block_of(&w), spw_semi_block_of(&o.words));
  for (int64_t block = 0; block < semi->rows; block += rows)
    for (int64_t i = 0; i < all; i += SPW_SEMI_ROW_HALVES) {
      const int64_t n = smaller(all - i, SPW_SEMI_ROW_HALVES);
      spw_semi_get_words(&o.words, o.metadata, block, rows, i, n, halves);
      spw_semi_put_words(&w, metadata, block, rows, i, n, halves);
    }
  return SPW_OK;
}
