/* SPDX-License-Identifier: Apache-2.0 */
#include "compose.h"
#include "../io/numbers/float_format.h"
#include "../io/numbers/widen.h"

#include <stdlib.h>
#include <string.h>

spw_composition spw_compose_begin(size_t limit, spw_refusal *refusal)
{
  return (spw_composition){.left = limit ? limit : SIZE_MAX, .refusal = refusal};
}

spw_status spw_compose_end(spw_composition *c, const spw_tensor *result, spw_owned **out)
{
  if (c->status == SPW_OK && !result) c->status = SPW_ENOMEM;
  for (int64_t i = 0; i < c->made_count; i++) {
    const bool wanted = c->status == SPW_OK && spw_owned_tensor(c->made[i]) == result;
    if (wanted)
      *out = c->made[i];
    else
      spw_owned_free(c->made[i]);
  }
  for (int64_t i = 0; i < c->memory_count; i++) free(c->memory[i]);
  free(c->made);
  free(c->memory);
  return c->status;
}

static void fail(spw_composition *c, spw_status status)
{
  if (c->status == SPW_OK) c->status = status;
}

/* Room for one more; null without memory, and the old list stays. */
static void *grown(void *list, int64_t count, int64_t *room, size_t size)
{
  if (count < *room) return list;
  void *const more = realloc(list, (size_t)(2 * *room + 8) * size);
  if (more) *room = 2 * *room + 8;
  return more;
}

const spw_tensor *spw_compose_keep(spw_composition *c, spw_status status, spw_owned *const *owned)
{
  if (status != SPW_OK) {
    fail(c, status);
    return NULL;
  }
  c->left = spw_owned_left(*owned);
  if (c->left == 0) c->left = 1; /* 0 would be no limit */
  spw_owned **const made = grown(c->made, c->made_count, &c->made_room, sizeof *made);
  if (!made) {
    spw_owned_free(*owned);
    fail(c, SPW_ENOMEM);
    return NULL;
  }
  c->made = made;
  c->made[c->made_count++] = *owned;
  return spw_owned_tensor(*owned);
}

spw_owned *spw_compose_owner(const spw_composition *c, const spw_tensor *made)
{
  for (int64_t i = 0; i < c->made_count; i++)
    if (spw_owned_tensor(c->made[i]) == made) return c->made[i];
  return NULL;
}

void *spw_compose_memory(spw_composition *c, int64_t count, size_t size)
{
  const size_t n = count > 0 ? (size_t)count : 0;
  if (c->status != SPW_OK) return NULL;
  void **const list = n > c->left / size ? NULL : grown(c->memory, c->memory_count, &c->memory_room, sizeof *list);
  if (list) c->memory = list;
  void *const memory = list ? calloc(n + 1, size) : NULL;
  if (!memory) {
    fail(c, SPW_ENOMEM);
    return NULL;
  }
  c->left -= n * size;
  if (c->left == 0) c->left = 1;
  return c->memory[c->memory_count++] = memory;
}

void spw_compose_refuse(spw_composition *c, int operand, spw_obstacle obstacle, int64_t place, int64_t lhs, int64_t rhs)
{
  const spw_refusal why = {.obstacle = obstacle, .violation = {.rule = SPW_RULE_NONE, .position = -1}, .place = place,
                           .other = operand, .lhs = lhs, .rhs = rhs, .operand = operand};
  if (c->status != SPW_OK) return;
  c->status = SPW_ERANGE;
  if (c->refusal) *c->refusal = why;
}

static void name_operand(spw_composition *c, spw_status status, int number)
{
  if (c->refusal && (status == SPW_ERANGE || status == SPW_EINVALID)) c->refusal->operand = number;
}

/* Dense arrays are judged by a conversion to themselves, which counts their elements and copies nothing. */
static spw_status judge_dense(const spw_tensor *t, spw_refusal *refusal)
{
  const spw_conversion same = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  spw_room room;
  return spw_convert_size(t, &same, &room, refusal);
}

bool spw_compose_judge(spw_composition *c, const spw_tensor *t, int number)
{
  spw_violation v;
  if (c->status != SPW_OK) return false;
  if (!t) return fail(c, SPW_EINVAL), false;
  if (t->layout == SPW_DENSE) {
    const spw_status status = judge_dense(t, c->refusal);
    name_operand(c, status, number);
    fail(c, status);
    return status == SPW_OK;
  }
  const spw_status status = spw_first_violation(t, SPW_CANONICAL, &v);
  if (status == SPW_OK && v.rule == SPW_RULE_NONE) return true;
  if (status != SPW_OK) return fail(c, status), false;
  const spw_refusal why = {.obstacle = SPW_OBSTACLE_RULE, .violation = v, .place = -1, .other = number, .lhs = -1, .rhs = -1,
                           .operand = number};
  if (c->refusal) *c->refusal = why;
  return fail(c, SPW_EINVALID), false;
}

/* ---- Steps ------------------------------------------------------------------------------------- */

static bool goes_on(spw_composition *c, const void *operand)
{
  return c->status == SPW_OK && operand;
}

const spw_tensor *spw_compose_convert(spw_composition *c, const spw_tensor *t, const spw_conversion *wanted, int number)
{
  spw_owned *owned = NULL;
  if (!goes_on(c, t)) return NULL;
  const spw_status status = spw_convert_new(t, wanted, c->left, &owned, c->refusal);
  name_operand(c, status, number);
  return spw_compose_keep(c, status, &owned);
}

const spw_tensor *spw_compose_layout(spw_composition *c, const spw_tensor *t, spw_layout layout, int number)
{
  const spw_conversion wanted = {.layout = layout, .batch_dims = -1, .dense_dims = -1};
  return spw_compose_convert(c, t, &wanted, number);
}

const spw_tensor *spw_compose_restructure(spw_composition *c, const spw_tensor *t, const spw_structure *wanted, int number)
{
  spw_owned *owned = NULL;
  if (!goes_on(c, t)) return NULL;
  const spw_status status = spw_restructure_new(&t, 1, wanted, c->left, &owned, c->refusal);
  name_operand(c, status, number);
  return spw_compose_keep(c, status, &owned);
}

const spw_tensor *spw_compose_elementwise(spw_composition *c, const spw_tensor *a, const spw_tensor *b,
                                          const spw_elementwise_request *wanted)
{
  const bool two = wanted->kind <= SPW_TIMES;
  spw_owned *owned = NULL;
  if (!goes_on(c, a) || (two && !b)) return NULL;
  const spw_status status = spw_elementwise_new(a, b, wanted, c->left, &owned, c->refusal);
  return spw_compose_keep(c, status, &owned);
}

/* ---- Halves ------------------------------------------------------------------------------------ */

bool spw_is_half(spw_dtype dtype)
{
  return dtype == SPW_FLOAT16 || dtype == SPW_BFLOAT16;
}

/* Of an element in row-major order. */
static int64_t place_of(const spw_array *a, int64_t number)
{
  int64_t place = a->offset;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    place += number % a->shape[d] * a->strides[d];
    number /= a->shape[d];
  }
  return place;
}

static int64_t count_of(const spw_array *a)
{
  int64_t count = 1;
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] == 0) return 0;
  for (int64_t d = 0; d < a->ndim; d++)
    if (__builtin_mul_overflow(count, a->shape[d], &count)) return INT64_MAX;
  return count;
}

const spw_tensor *spw_compose_widened(spw_composition *c, const spw_tensor *t)
{
  if (!t || !spw_is_half(t->values.array.dtype)) return t;
  spw_dims_view *const view = spw_compose_view(c, t);
  const int64_t n = view ? count_of(&t->values.array) : 0;
  float *const values = view ? spw_compose_memory(c, n, sizeof *values) : NULL;
  if (!values) return NULL;
  const uint16_t *const from = t->values.data;
  for (int64_t i = 0; i < n; i++)
    values[i] = (float)spw_widen_float(t->values.array.dtype, from + place_of(&t->values.array, i));
  spw_view_in_order(view, 2);
  view->t.values.array.dtype = SPW_FLOAT32;
  view->t.values.data = values;
  if (view->t.dtype != SPW_DTYPE_NONE) view->t.dtype = SPW_FLOAT32;
  return &view->t;
}

static uint16_t narrow(spw_dtype dtype, float value)
{
  static const spw_float_format single = {32, 23};
  const spw_float_format half = {16, dtype == SPW_FLOAT16 ? 10 : 7};
  uint32_t bits;
  uint64_t to = 0;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t sign = bits >> 31 ? spw_float_sign(half) : 0;
  if (value != value) return (uint16_t)(spw_float_quiet_nan(half) | sign);
  if (value - value != 0) return (uint16_t)(spw_float_infinity(half) | sign);
  if (!spw_float_round(half, spw_float_unpack(single, bits), &to)) to = spw_float_infinity(half) | sign;
  return (uint16_t)to;
}

/* Of a tensor that a step has made: in its own memory. */
const spw_tensor *spw_compose_narrowed(spw_composition *c, const spw_tensor *t, spw_dtype dtype)
{
  if (!t || !spw_is_half(dtype)) return t;
  spw_tensor *const made = spw_owned_edit(spw_compose_owner(c, t));
  const float *const from = t->values.data;
  const int64_t n = count_of(&t->values.array);
  uint16_t *const to = (uint16_t *)(uintptr_t)t->values.data; /* behind what is still to be read */
  for (int64_t i = 0; i < n; i++) {
    float value;
    memcpy(&value, from + i, sizeof value);
    const uint16_t half = narrow(dtype, value);
    memcpy(to + i, &half, sizeof half);
  }
  made->values.array.dtype = dtype;
  made->dtype = dtype;
  return t;
}

/* ---- Numbers ----------------------------------------------------------------------------------- */

/* All bits but those of signs are 0. */
bool spw_compares_zero(spw_dtype dtype, const void *value)
{
  unsigned char bytes[16];
  const int64_t n = spw_dtype_size(dtype), part = dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128 ? n / 2 : n;
  memcpy(bytes, value, (size_t)n);
  for (int64_t i = part - 1; dtype >= SPW_FLOAT16 && i < n; i += part) bytes[i] &= 0x7f;
  for (int64_t i = 0; i < n; i++)
    if (bytes[i]) return false;
  return true;
}

spw_dims_view *spw_compose_view(spw_composition *c, const spw_tensor *t)
{
  const spw_array *const of[3] = {&t->compressed.array, &t->plain.array, &t->values.array};
  const bool unused[3] = {t->layout == SPW_COO || t->layout == SPW_DENSE, t->layout == SPW_DENSE, false};
  spw_dims_view *const v = spw_compose_memory(c, 1, sizeof *v);
  if (!v) return NULL;
  v->t = *t;
  spw_array *const to[3] = {&v->t.compressed.array, &v->t.plain.array, &v->t.values.array};
  bool fits = !t->has_size || t->ndim <= SPW_STRUCTURE_DIMS;
  for (int i = 0; i < 3 && fits; i++) fits = unused[i] || of[i]->ndim <= SPW_STRUCTURE_DIMS + 3;
  if (!fits) {
    fail(c, SPW_EUNSUPPORTED);
    return NULL;
  }
  for (int64_t d = 0; t->has_size && d < t->ndim; d++) v->size[d] = t->size[d];
  if (t->has_size) v->t.size = v->size;
  for (int i = 0; i < 3; i++) {
    if (unused[i]) continue;
    for (int64_t d = 0; d < of[i]->ndim; d++) {
      v->shape[i][d] = of[i]->shape[d];
      v->strides[i][d] = of[i]->strides[d];
    }
    to[i]->shape = v->shape[i];
    to[i]->strides = v->strides[i];
  }
  return v;
}

void spw_view_in_order(spw_dims_view *v, int which)
{
  spw_array *const a = which == 0 ? &v->t.compressed.array : which == 1 ? &v->t.plain.array : &v->t.values.array;
  int64_t stride = 1;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    v->strides[which][d] = stride;
    if (__builtin_mul_overflow(stride, v->shape[which][d], &stride)) stride = INT64_MAX;
  }
  a->offset = 0;
  a->length = count_of(a);
}

const spw_tensor *spw_compose_rows(spw_composition *c, const spw_tensor *t)
{
  spw_dims_view *const v = t ? spw_compose_view(c, t) : NULL;
  if (!v) return NULL;
  const int64_t ndim = t->values.array.ndim, last = ndim > 0 ? t->values.array.shape[ndim - 1] : 1;
  int64_t rows = 1;
  for (int64_t d = 0; d + 1 < ndim; d++)
    if (__builtin_mul_overflow(rows, t->values.array.shape[d], &rows)) rows = 0; /* another one is 0 */
  v->shape[2][0] = rows;
  v->shape[2][1] = last;
  v->t.values.array.ndim = 2;
  v->t.has_size = false;
  spw_view_in_order(v, 2);
  return &v->t;
}

/* ---- Transposes -------------------------------------------------------------------------------- */

static spw_status exchange_rows(spw_composition *c, const spw_tensor *t, spw_tensor *to)
{
  int64_t order[SPW_STRUCTURE_DIMS];
  spw_buffers b = {.dims = NULL};
  for (int64_t d = 0; d < t->ndim; d++) order[d] = d < t->ndim - 2 ? d : 2 * t->ndim - 3 - d;
  spw_status status = spw_permute_size(t, order, &b.room, c->refusal);
  if (status != SPW_OK) return status;
  b.dims = spw_compose_memory(c, b.room.dims, sizeof *b.dims);
  if (b.room.index_dtype == SPW_INT64)
    b.plain_i64 = spw_compose_memory(c, b.room.plain, sizeof *b.plain_i64);
  else
    b.plain_i32 = spw_compose_memory(c, b.room.plain, sizeof *b.plain_i32);
  return c->status == SPW_OK ? spw_permute(t, order, &b, to, c->refusal) : c->status;
}

const spw_tensor *spw_compose_transposed(spw_composition *c, const spw_tensor *t)
{
  spw_dims_view *const v = t ? spw_compose_view(c, t) : NULL;
  if (!v) return NULL;
  if (t->layout == SPW_COO) {
    const spw_status status = exchange_rows(c, t, &v->t);
    if (status != SPW_OK) fail(c, status);
  } else if (t->layout != SPW_DENSE) {
    int64_t *const dims = spw_compose_memory(c, 3 * SPW_VIEW_DIMS, sizeof *dims);
    if (dims) c->status = spw_transpose(t, dims, 3 * SPW_VIEW_DIMS, &v->t);
  } else {
    const spw_array *const from = &t->values.array;
    const int64_t n = from->ndim;
    if (n < 2) return NULL;
    for (int64_t d = 0; d < 2; d++) {
      v->shape[2][n - 2 + d] = from->shape[n - 1 - d];
      v->strides[2][n - 2 + d] = from->strides[n - 1 - d];
    }
    v->t.has_size = false;
  }
  return c->status == SPW_OK ? &v->t : NULL;
}
