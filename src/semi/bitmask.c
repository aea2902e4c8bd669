/* SPDX-License-Identifier: Apache-2.0 */
/* Which elements are stored, as bits: from metadata, and back. */
#include "semi.h"
#include "kernels/words.h"

/* As many groups of a row as are handled at once: their bits fill whole bytes. */
enum { GROUPS = SPW_SEMI_CHUNK };

static int64_t bytes_of_row(int64_t columns)
{
  return columns / 8 + (columns % 8 != 0);
}

/* The bits of the elements that a code stores, and the code of such bits; 0 where they are not half of the group. */
static unsigned bits_of(const spw_semi_kind *kind, unsigned code)
{
  if (kind->group == 2) return code == 4 ? 1 : 2;
  return 1u << code % 4 | 1u << code / 4;
}

static unsigned code_of(const spw_semi_kind *kind, unsigned bits)
{
  static const uint8_t fours[16] = {0, 0, 0, 4, 0, 8, 9, 0, 0, 12, 13, 0, 14, 0, 0, 0}, pairs[4] = {0, 4, 14, 0};
  return kind->group == 2 ? pairs[bits] : fours[bits];
}

static unsigned take_bits(const uint8_t *row, int64_t column, int64_t group)
{
  return (unsigned)row[column / 8] >> column % 8 & ((1u << group) - 1);
}

static void put_bits(uint8_t *row, int64_t column, unsigned bits)
{
  const unsigned before = column % 8 == 0 ? 0 : row[column / 8];
  row[column / 8] = (uint8_t)(before | bits << column % 8);
}


/* ---- From metadata ------------------------------------------------------------------------------ */

static void put_row(const spw_semi_operand *o, int64_t row, uint8_t *to)
{
  uint16_t halves[SPW_SEMI_ROW_HALVES];
  int8_t code[SPW_SEMI_CHUNK];
  const int64_t codes = o->kind.codes, side = o->kind.group;
  for (int64_t g = 0; g < o->groups; g += GROUPS) {
    const int64_t n = o->groups - g < GROUPS ? o->groups - g : GROUPS;
    const int64_t count = (n / codes + (n % codes != 0)) * o->words.halves;
    spw_semi_get_words(&o->words, o->metadata, row, 1, g / 4, count, halves);
    spw_semi_unpack_codes(halves, count, code);
    for (int64_t i = 0; i < n; i++) put_bits(to, (g + i) * side, bits_of(&o->kind, (unsigned)code[i]));
  }
}

spw_status spw_semi_to_bitmask(const spw_semi *semi, uint8_t *bitmask, spw_semi_refusal *refusal)
{
  spw_semi_operand o;
  const spw_status status = spw_semi_take(semi, &o, refusal);
  if (status != SPW_OK) return status;
  const int64_t wide = bytes_of_row(semi->columns), bytes = semi->rows * wide;
  if (bytes > 0 && !bitmask) return SPW_EINVAL;
  if (!spw_semi_apart(o.packed, spw_semi_reach(&semi->packed, o.kind.scalar), bitmask, bytes) ||
      !spw_semi_apart(o.metadata, spw_semi_reach(&semi->metadata, o.kind.codes / 2), bitmask, bytes))
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1, -1, -1);
  for (int64_t r = 0; r < semi->rows; r++) put_row(&o, r, bitmask + r * wide);
  return SPW_OK;
}

/* ---- To metadata -------------------------------------------------------------------------------- */

typedef struct mask {
  spw_semi_kind kind;
  int64_t rows, columns, groups;
  const uint8_t *bits;
} mask;

static spw_status judge_row(const mask *m, int64_t row, spw_semi_refusal *refusal)
{
  const int64_t wide = bytes_of_row(m->columns);
  const uint8_t *const bits = m->bits + row * wide;
  for (int64_t g = 0; g < m->groups; g++) {
    const unsigned own = take_bits(bits, g * m->kind.group, m->kind.group);
    if (code_of(&m->kind, own) == 0)
      return spw_semi_refuse(refusal, SPW_EINVALID, SPW_SEMI_OBSTACLE_MASK, row, g, own, -1);
  }
  const unsigned slack = m->columns % 8 == 0 ? 0 : (unsigned)bits[wide - 1] >> m->columns % 8;
  return slack == 0 ? SPW_OK : spw_semi_refuse(refusal, SPW_EINVALID, SPW_SEMI_OBSTACLE_MASK, row, -1, slack, -1);
}

static void take_row(const mask *m, const spw_semi_words *w, int64_t row, uint16_t *metadata)
{
  uint16_t halves[SPW_SEMI_ROW_HALVES];
  int8_t code[SPW_SEMI_CHUNK];
  const int64_t codes = m->kind.codes, side = m->kind.group;
  const uint8_t *const bits = m->bits + row * bytes_of_row(m->columns);
  for (int64_t g = 0; g < m->groups; g += GROUPS) {
    const int64_t n = m->groups - g < GROUPS ? m->groups - g : GROUPS, all = (n / codes + (n % codes != 0)) * w->halves;
    for (int64_t i = 0; i < n; i++) code[i] = (int8_t)code_of(&m->kind, take_bits(bits, (g + i) * side, side));
    for (int64_t i = n; i < 4 * all; i++) code[i] = 0;
    spw_semi_pack_codes(code, all, halves);
    spw_semi_put_words(w, metadata, row, 1, g / 4, all, halves);
  }
}

spw_status spw_semi_from_bitmask(spw_semi_order order, spw_dtype dtype, int64_t rows, int64_t columns, const uint8_t *bitmask,
                                 void *metadata, spw_semi_refusal *refusal)
{
  mask m = {.rows = rows, .columns = columns, .bits = bitmask};
  if (!spw_semi_order_name(order)) return SPW_EINVAL;
  if (!spw_semi_kind_of(dtype, &m.kind))
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_TYPE, -1, -1, (int64_t)dtype, (int64_t)dtype);
  const spw_semi_violation size = spw_semi_size_violation(order, &m.kind, rows, columns);
  if (size.rule != SPW_SEMI_RULE_NONE) return spw_semi_refuse_rule(refusal, SPW_ERANGE, &size);
  const spw_semi_room room = spw_semi_room_of(&m.kind, rows, columns);
  if (room.metadata > 0 && (!bitmask || !metadata)) return SPW_EINVAL;
  if (!spw_semi_apart(bitmask, rows * bytes_of_row(columns), metadata, room.metadata * (m.kind.codes / 2)))
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1, -1, -1);
  m.groups = columns / m.kind.group;
  for (int64_t r = 0; r < rows; r++) {
    const spw_status status = judge_row(&m, r, refusal);
    if (status != SPW_OK) return status;
  }
  const spw_semi_words w = {order, (int)m.kind.interleave, rows, room.metadata_columns, room.metadata_columns, m.kind.codes / 4};
  for (int64_t r = 0; r < rows; r++) take_row(&m, &w, r, metadata);
  return SPW_OK;
}
