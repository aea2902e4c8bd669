/* SPDX-License-Identifier: Apache-2.0 */
/* The transpose of a 2:4 matrix, in its packed form. */
#include "semi.h"

#include <string.h>

/* As many groups of a row as are decoded at once. */
enum { GROUPS = SPW_SEMI_CHUNK / 4 };

/* What is written: the groups of the transpose that a strip of `group` rows is. */
typedef struct target {
  spw_semi_words words;
  spw_semi_room room;
  uint32_t other;
  char *packed;       /* null: the pattern is judged, and nothing is written */
  uint16_t *metadata;
} target;

/* Sets one code of a word, or pair of words; the first one clears the others. */
static void put_code(const target *t, int64_t row, int64_t group, int8_t code)
{
  uint16_t words[4] = {0, 0, 0, 0};
  const int64_t halves = t->words.halves * (t->words.order == SPW_SEMI_PLAIN ? 1 : 2), k = group % (4 * halves);
  const int64_t first = group / 4 - k / 4;
  if (k > 0) spw_semi_get_words(&t->words, t->metadata, row, 1, first, halves, words);
  words[k / 4] = (uint16_t)(words[k / 4] | code << (k % 4 * 4));
  spw_semi_put_words(&t->words, t->metadata, row, 1, first, halves, words);
}

/* Column `column` of a strip as group `group` of a row of the transpose. */
static bool take_column(const target *t, const spw_semi_kind *kind, const char *x, int64_t row, int64_t group)
{
  int8_t code;
  if (!spw_semi_groups_fit(kind, x, 1, t->other)) return false;
  if (!t->packed) return true;
  spw_semi_encode_any(kind, x, 1, t->other, t->packed + (row * t->room.packed_columns + group * kind->kept) * kind->scalar,
                      &code);
  put_code(t, row, group, code);
  return true;
}

/* A strip of the matrix, which is one column of groups of the transpose. The row of the first group that does not fit, or -1. */
static int64_t take_strip(const spw_semi_operand *o, const target *t, int64_t strip)
{
  _Alignas(4) char rows[4][GROUPS * 8], x[8];
  const int64_t side = o->kind.group, scalar = o->kind.scalar;
  for (int64_t g = 0; g < o->groups; g += GROUPS) {
    const int64_t n = o->groups - g < GROUPS ? o->groups - g : GROUPS;
    spw_semi_decode_chunk(o, strip * side, side, g, n, rows, GROUPS * 8);
    for (int64_t c = 0; c < n * side; c++) {
      for (int64_t i = 0; i < side; i++) memcpy(x + i * scalar, rows[i] + c * scalar, (size_t)scalar);
      if (!take_column(t, &o->kind, x, g * side + c, strip)) return g * side + c;
    }
  }
  return -1;
}

static spw_status take_strips(const spw_semi_operand *o, const target *t, spw_semi_refusal *refusal)
{
  for (int64_t strip = 0; strip < o->s->rows / o->kind.group; strip++) {
    const int64_t row = take_strip(o, t, strip);
    if (row >= 0) return spw_semi_refuse(refusal, SPW_EINVALID, SPW_SEMI_OBSTACLE_PATTERN, row, strip, -1, -1);
  }
  return SPW_OK;
}

/* Is anything that is written apart from all else? */
static bool are_apart(const spw_semi_operand *o, const void *packed, int64_t packed_bytes, const void *metadata,
                      int64_t metadata_bytes)
{
  const int64_t a = spw_semi_reach(&o->s->packed, o->kind.scalar), b = spw_semi_reach(&o->s->metadata, o->kind.codes / 2);
  return spw_semi_apart(packed, packed_bytes, metadata, metadata_bytes) && spw_semi_apart(o->packed, a, packed, packed_bytes) &&
         spw_semi_apart(o->packed, a, metadata, metadata_bytes) && spw_semi_apart(o->metadata, b, packed, packed_bytes) &&
         spw_semi_apart(o->metadata, b, metadata, metadata_bytes);
}

spw_status spw_semi_transpose(const spw_semi *semi, const spw_semi_request *request, void *packed, void *metadata,
                              spw_semi_refusal *refusal)
{
  spw_semi_operand o;
  if (!request || !spw_semi_order_name(request->order)) return SPW_EINVAL;
  spw_status status = spw_semi_take(semi, &o, refusal);
  if (status != SPW_OK) return status;
  const spw_dtype dtype = semi->packed.array.dtype;
  if (request->dtype != SPW_DTYPE_NONE && request->dtype != dtype)
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_TYPE, -1, -1, (int64_t)dtype, (int64_t)request->dtype);
  const spw_semi_violation size = spw_semi_size_violation(request->order, &o.kind, semi->columns, semi->rows);
  if (size.rule != SPW_SEMI_RULE_NONE) return spw_semi_refuse_rule(refusal, SPW_ERANGE, &size);
  const spw_semi_room room = spw_semi_room_of(&o.kind, semi->columns, semi->rows);
  if ((room.packed > 0 && !packed) || (room.metadata > 0 && !metadata)) return SPW_EINVAL;
  if (!are_apart(&o, packed, room.packed * o.kind.scalar, metadata, room.metadata * (o.kind.codes / 2)))
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1, -1, -1);
  const spw_semi_words words = {request->order, (int)o.kind.interleave, semi->columns, room.metadata_columns,
                                room.metadata_columns, o.kind.codes / 4};
  target t = {words, room, request->bits ? 0 : o.kind.other, NULL, NULL};
  status = take_strips(&o, &t, refusal);
  if (status != SPW_OK) return status;
  t.packed = packed;
  t.metadata = metadata;
  return take_strips(&o, &t, refusal);
}
