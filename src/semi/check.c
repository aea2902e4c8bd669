/* SPDX-License-Identifier: Apache-2.0 */
/* Rules 7.1 to 7.6. */
#include "semi.h"
#include "kernels/words.h"

#include "../core/size.h"
#include "../operand/operand.h"

static spw_semi_violation at(spw_semi_rule rule, spw_semi_member member, int64_t dimension, int64_t lhs, int64_t rhs)
{
  const spw_semi_violation v = {rule, member, dimension, -1, -1, -1, -1, lhs, rhs};
  return v;
}

static void find(spw_semi_report *report, spw_semi_violation v)
{
  spw_semi_finding *const f = &report->findings[v.rule];
  if (f->state != SPW_VIOLATED) f->first = v;
  f->state = SPW_VIOLATED;
  f->count++;
}

/* What no violation contradicted holds. */
static bool close_finding(spw_semi_report *report, spw_semi_rule rule)
{
  spw_semi_finding *const f = &report->findings[rule];
  if (f->state != SPW_VIOLATED) f->state = SPW_HOLDS;
  return f->state == SPW_HOLDS;
}

/* ---- Shape rules ------------------------------------------------------------------------------- */

static bool judge_types(const spw_semi *s, spw_semi_kind *kind, spw_semi_report *report)
{
  const spw_dtype packed = s->packed.array.dtype, metadata = s->metadata.array.dtype;
  const bool known = spw_semi_kind_of(packed, kind);
  if (!known)
    find(report, at(SPW_SEMI_RULE_7_3, SPW_SEMI_MEMBER_PACKED, -1, (int64_t)packed, SPW_DTYPE_NONE));
  else if (s->dtype != SPW_DTYPE_NONE && packed != s->dtype)
    find(report, at(SPW_SEMI_RULE_7_3, SPW_SEMI_MEMBER_PACKED, -1, (int64_t)packed, (int64_t)s->dtype));
  if (known ? metadata != spw_semi_metadata_dtype(kind) : metadata != SPW_INT16 && metadata != SPW_INT32)
    find(report, at(SPW_SEMI_RULE_7_3, SPW_SEMI_MEMBER_METADATA, -1, (int64_t)metadata,
                    known ? (int64_t)spw_semi_metadata_dtype(kind) : (int64_t)SPW_DTYPE_NONE));
  close_finding(report, SPW_SEMI_RULE_7_3);
  return known;
}

static void judge_shape(const spw_array *a, spw_semi_member member, int64_t rows, int64_t columns, spw_semi_report *report)
{
  const int64_t shape[2] = {rows, columns};
  if (a->ndim != 2) {
    find(report, at(SPW_SEMI_RULE_7_2, member, -1, a->ndim, 2));
    return;
  }
  for (int d = 0; d < 2; d++)
    if (a->shape[d] != shape[d]) find(report, at(SPW_SEMI_RULE_7_2, member, d, a->shape[d], shape[d]));
}

/* Of an array whose shape is right. `whole`: rows lie behind each other without a gap. */
static void judge_storage(const spw_array *a, spw_semi_member member, bool whole, spw_semi_report *report)
{
  for (int d = 0; d < 2; d++)
    if (a->strides[d] < 0) {
      find(report, at(SPW_SEMI_RULE_7_5, member, d, a->strides[d], 0));
      return;
    }
  if (a->shape[1] > 1 && a->strides[1] != 1) find(report, at(SPW_SEMI_RULE_7_5, member, 1, a->strides[1], 1));
  if (whole && a->shape[0] > 1 && a->shape[1] > 0 && a->strides[0] != a->shape[1])
    find(report, at(SPW_SEMI_RULE_7_5, member, 0, a->strides[0], a->shape[1]));
  if (!spw_inside_storage(a->shape, a->strides, 2, a->offset, a->length))
    find(report, at(SPW_SEMI_RULE_7_5, member, -1, a->offset, a->length));
}

static bool judge_shapes(const spw_semi *s, spw_semi_kind *kind, spw_semi_report *report)
{
  if (!judge_types(s, kind, report)) return false;
  const spw_semi_violation size = spw_semi_size_violation(s->order, kind, s->rows, s->columns);
  if (size.rule != SPW_SEMI_RULE_NONE) find(report, size);
  if (!close_finding(report, SPW_SEMI_RULE_7_1)) return false;
  const spw_semi_room room = spw_semi_room_of(kind, s->rows, s->columns);
  judge_shape(&s->packed.array, SPW_SEMI_MEMBER_PACKED, s->rows, room.packed_columns, report);
  judge_shape(&s->metadata.array, SPW_SEMI_MEMBER_METADATA, s->rows, room.metadata_columns, report);
  if (!close_finding(report, SPW_SEMI_RULE_7_2)) return false;
  judge_storage(&s->packed.array, SPW_SEMI_MEMBER_PACKED, false, report);
  judge_storage(&s->metadata.array, SPW_SEMI_MEMBER_METADATA, s->order != SPW_SEMI_PLAIN, report);
  return close_finding(report, SPW_SEMI_RULE_7_5) && report->findings[SPW_SEMI_RULE_7_3].state == SPW_HOLDS;
}

/* ---- Structure rules --------------------------------------------------------------------------- */

/* What is read of the metadata. */
typedef struct words_of {
  const spw_semi *s;
  const spw_semi_kind *kind;
  const uint16_t *first;
  int64_t columns, halves, groups, stride; /* of a row: words, halves of a word, groups, halves to the next row */
} words_of;

static words_of words_to_judge(const spw_semi *s, const spw_semi_kind *kind)
{
  const words_of w = {s, kind, spw_semi_first(&s->metadata, kind->codes / 2), s->metadata.array.shape[1], kind->codes / 4,
                      s->columns / kind->group, spw_semi_stride(&s->metadata.array, 0) * (kind->codes / 4)};
  return w;
}

static bool all_legal(const spw_semi_kind *kind, const uint16_t *halves, int64_t n)
{
  return (kind->group == 2 ? spw_semi_pair_words_legal(halves, n) : spw_semi_words_legal(halves, n)) == 1;
}

static bool is_legal(const spw_semi_kind *kind, unsigned code)
{
  return kind->group == 2 ? code == 4 || code == 14 : code % 4 < code / 4;
}

static int64_t whole_word(const words_of *w, const uint16_t *row, int64_t column)
{
  const uint16_t *const halves = row + column * w->halves;
  return w->halves == 1 ? halves[0] : halves[0] + 65536LL * halves[1];
}

/* The element that code `k` of the word of a row and column is about, in whatever order the words are. */
static void locate(const words_of *w, spw_semi_violation *v)
{
  const spw_semi_words words = {w->s->order, (int)w->kind->interleave, w->s->rows, w->columns, w->columns, w->halves};
  const spw_semi_word word = spw_semi_word_of(&words, v->row * w->columns + v->column);
  v->at_row = word.row;
  v->at_column = (word.column * w->kind->codes + v->group) * w->kind->group;
}

static void judge_code(const words_of *w, const uint16_t *row, int64_t r, int64_t g, spw_semi_report *report)
{
  const int64_t column = g / w->kind->codes, k = g % w->kind->codes, word = whole_word(w, row, column);
  const unsigned code = row[g / 4] >> (g % 4 * 4) & 15;
  const bool slack = g >= w->groups;
  if (slack ? code == 0 : is_legal(w->kind, code)) return;
  spw_semi_violation v = {slack ? SPW_SEMI_RULE_7_6 : SPW_SEMI_RULE_7_4, SPW_SEMI_MEMBER_METADATA, r, column, k, -1, -1,
                          code, word};
  if (!slack) locate(w, &v);
  find(report, v);
}

static void judge_row(const words_of *w, int64_t r, spw_semi_report *report)
{
  const uint16_t *const row = w->first + r * w->stride;
  const int64_t whole = w->groups / 4, codes = w->columns * w->kind->codes;
  const int64_t from = all_legal(w->kind, row, whole) ? whole * 4 : 0;
  for (int64_t g = from; g < codes; g++) judge_code(w, row, r, g, report);
}

static void judge_codes(const spw_semi *s, const spw_semi_kind *kind, spw_semi_report *report)
{
  const words_of w = words_to_judge(s, kind);
  const int64_t all = s->rows * w.columns * w.halves;
  const bool gapless = s->rows <= 1 || w.stride == w.columns * w.halves;
  if (all > 0 && !(gapless && w.groups % kind->codes == 0 && all_legal(kind, w.first, all)))
    for (int64_t r = 0; r < s->rows; r++) judge_row(&w, r, report);
  close_finding(report, SPW_SEMI_RULE_7_4);
  close_finding(report, SPW_SEMI_RULE_7_6);
}

spw_status spw_semi_check(const spw_semi *s, spw_level level, spw_semi_report *report)
{
  spw_semi_kind kind;
  spw_semi_report r = {.valid = false};
  if (!s || !report || level < SPW_SHAPE || level > SPW_CANONICAL || !spw_semi_order_name(s->order)) return SPW_EINVAL;
  if (!spw_dense_given(&s->packed.array, s->packed.data) || !spw_dense_given(&s->metadata.array, s->metadata.data))
    return SPW_EINVAL;
  const bool shaped = judge_shapes(s, &kind, &r);
  if (shaped && level >= SPW_STRUCTURE) judge_codes(s, &kind, &r);
  r.valid = shaped;
  for (int n = 0; n < SPW_SEMI_RULE_COUNT; n++) r.valid = r.valid && r.findings[n].state != SPW_VIOLATED;
  *report = r;
  return SPW_OK;
}
