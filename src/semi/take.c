/* SPDX-License-Identifier: Apache-2.0 */
/* Operands, judged; refusals; and groups of a row, whatever lies where. */
#include "semi.h"
#include "kernels/words.h"

#include "../operand/operand.h"

#include <string.h>

/* ---- Refusals ----------------------------------------------------------------------------------- */

spw_status spw_semi_refuse(spw_semi_refusal *refusal, spw_status status, spw_semi_obstacle obstacle, int64_t row, int64_t group,
                           int64_t lhs, int64_t rhs)
{
  const spw_semi_refusal r = {.obstacle = obstacle, .dense = {.rule = SPW_RULE_NONE, .position = -1},
                              .violation = {.rule = SPW_SEMI_RULE_NONE, .row = -1, .column = -1, .group = -1, .at_row = -1,
                                            .at_column = -1},
                              .row = row, .group = group, .lhs = lhs, .rhs = rhs};
  if (refusal) *refusal = r;
  return status;
}

spw_status spw_semi_refuse_rule(spw_semi_refusal *refusal, spw_status status, const spw_semi_violation *violation)
{
  spw_semi_refuse(refusal, status, SPW_SEMI_OBSTACLE_RULE, -1, -1, -1, -1);
  if (refusal) refusal->violation = *violation;
  return status;
}

/* ---- Memory ------------------------------------------------------------------------------------- */

int64_t spw_semi_reach(const spw_value_array *a, int64_t scalar)
{
  int64_t last = 0;
  for (int64_t d = 0; d < a->array.ndim; d++)
    if (a->array.shape[d] == 0) return 0;
  for (int64_t d = 0; d < a->array.ndim; d++)
    last += (a->array.shape[d] - 1) * a->array.strides[d];
  return (last + 1) * scalar;
}

const void *spw_semi_first(const spw_value_array *a, int64_t scalar)
{
  return spw_semi_reach(a, scalar) == 0 ? a->data : (const char *)a->data + a->array.offset * scalar;
}

int64_t spw_semi_stride(const spw_array *a, int dimension)
{
  return a->shape[dimension] > 1 ? a->strides[dimension] : dimension == 0 ? 0 : 1;
}

bool spw_semi_apart(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes)
{
  const uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;
  return a_bytes == 0 || b_bytes == 0 || p + (uint64_t)a_bytes <= q || q + (uint64_t)b_bytes <= p;
}

/* ---- Operands ----------------------------------------------------------------------------------- */

spw_status spw_semi_take(const spw_semi *s, spw_semi_operand *o, spw_semi_refusal *refusal)
{
  spw_semi_report report;
  const spw_status status = spw_semi_check(s, SPW_STRUCTURE, &report);
  if (status != SPW_OK) return status;
  for (int n = 0; n < SPW_SEMI_RULE_COUNT; n++)
    if (report.findings[n].state == SPW_VIOLATED) return spw_semi_refuse_rule(refusal, SPW_EINVALID, &report.findings[n].first);
  spw_semi_kind *const kind = &o->kind;
  spw_semi_kind_of(s->packed.array.dtype, kind);
  o->s = s;
  o->room = spw_semi_room_of(kind, s->rows, s->columns);
  o->packed = spw_semi_first(&s->packed, kind->scalar);
  o->metadata = spw_semi_first(&s->metadata, kind->codes / 2);
  o->packed_stride = spw_semi_stride(&s->packed.array, 0) * kind->scalar;
  o->groups = s->columns / kind->group;
  const spw_semi_words words = {s->order, (int)kind->interleave, s->rows, o->room.metadata_columns,
                                spw_semi_stride(&s->metadata.array, 0),
                                kind->codes / 4};
  o->words = words;
  return SPW_OK;
}

static spw_status refuse_dense(spw_semi_refusal *refusal, spw_violation v)
{
  spw_semi_refuse(refusal, SPW_EINVALID, SPW_SEMI_OBSTACLE_DENSE, -1, -1, -1, -1);
  if (refusal) refusal->dense = v;
  return SPW_EINVALID;
}

/* The requested type, which bytes may be given another of. */
static bool is_taken_as(spw_dtype have, spw_dtype *dtype)
{
  spw_semi_kind kind;
  if (*dtype == SPW_DTYPE_NONE) *dtype = have;
  if (!spw_semi_kind_of(*dtype, &kind)) return false;
  return *dtype == have || (have == SPW_UINT8 && kind.scalar == 1);
}

spw_status spw_semi_take_dense(const spw_tensor *t, spw_dtype *dtype, spw_semi_dense *d, spw_semi_refusal *refusal)
{
  spw_operand operand;
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_array *const a = &t->values.array;
  if (t->layout != SPW_DENSE)
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_LAYOUT, -1, -1, (int64_t)t->layout, (int64_t)SPW_DENSE);
  const spw_status status = spw_operand_take(t, 0, true, 1, &operand, &why);
  if (status != SPW_OK) return status == SPW_EINVALID ? refuse_dense(refusal, why.violation) : status;
  if (a->ndim != 2) return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_DIMENSIONS, -1, -1, a->ndim, 2);
  if (!is_taken_as(a->dtype, dtype))
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_TYPE, -1, -1, (int64_t)a->dtype, (int64_t)*dtype);
  spw_semi_kind_of(*dtype, &d->kind);
  d->data = spw_semi_first(&t->values, d->kind.scalar);
  d->rows = a->shape[0];
  d->columns = a->shape[1];
  d->row_stride = spw_semi_stride(a, 0) * d->kind.scalar;
  d->column_stride = spw_semi_stride(a, 1) * d->kind.scalar;
  return SPW_OK;
}

/* ---- Groups of a row ---------------------------------------------------------------------------- */

const void *spw_semi_dense_chunk(const spw_semi_dense *d, int64_t row, int64_t first, int64_t groups, char *buffer)
{
  const int64_t scalar = d->kind.scalar, elements = groups * d->kind.group;
  const char *const from = d->data + row * d->row_stride + first * d->kind.group * d->column_stride;
  if (d->column_stride == scalar) return from;
  for (int64_t i = 0; i < elements; i++) memcpy(buffer + i * scalar, from + i * d->column_stride, (size_t)scalar);
  return buffer;
}

void spw_semi_decode_chunk(const spw_semi_operand *o, int64_t row, int64_t rows, int64_t first, int64_t groups, void *x,
                           int64_t stride)
{
  uint16_t halves[SPW_SEMI_BLOCK * SPW_SEMI_ROW_HALVES];
  int8_t code[SPW_SEMI_CHUNK];
  const int64_t codes = o->kind.codes, words = groups / codes + (groups % codes != 0), count = words * o->words.halves;
  spw_semi_get_words(&o->words, o->metadata, row, rows, first / 4, count, halves);
  for (int64_t r = 0; r < rows; r++) {
    const char *const packed = o->packed + (row + r) * o->packed_stride + first * o->kind.kept * o->kind.scalar;
    spw_semi_unpack_codes(halves + r * SPW_SEMI_ROW_HALVES, count, code);
    spw_semi_decode_any(&o->kind, packed, code, groups, (char *)x + r * stride);
  }
}
