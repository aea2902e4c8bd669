/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise operations of different sizes and layouts: sizes are made equal first, by strides of 0 where those can say it. */
#include "compose.h"

#include <string.h>

/* ---- One size ----------------------------------------------------------------------------------- */

typedef struct extent {
  int64_t ndim, size[SPW_STRUCTURE_DIMS];
} extent;

static int64_t count_dims(const spw_tensor *t)
{
  return t->layout == SPW_DENSE ? t->values.array.ndim : t->ndim;
}

static const int64_t *size_of(const spw_tensor *t)
{
  return t->layout == SPW_DENSE ? t->values.array.shape : t->size;
}

/* What NumPy makes of both sizes. */
static bool join_sizes(spw_composition *c, const spw_tensor *const t[2], extent *e)
{
  int64_t own[2];
  for (int i = 0; i < 2; i++) {
    if (!spw_compose_judge(c, t[i], i)) return false;
    if (t[i]->layout != SPW_DENSE && !t[i]->has_size) return spw_compose_refuse(c, i, SPW_OBSTACLE_NO_SIZE, -1, -1, -1), false;
    own[i] = count_dims(t[i]);
    if (own[i] > SPW_STRUCTURE_DIMS) return c->status = SPW_EUNSUPPORTED, false;
  }
  e->ndim = own[0] > own[1] ? own[0] : own[1];
  for (int64_t d = 0; d < e->ndim; d++) {
    int64_t entry[2];
    for (int i = 0; i < 2; i++) entry[i] = own[i] < e->ndim - d ? 1 : size_of(t[i])[own[i] - (e->ndim - d)];
    e->size[d] = entry[0] == 1 ? entry[1] : entry[0];
    if (entry[1] != 1 && entry[1] != e->size[d])
      return spw_compose_refuse(c, 1, SPW_OBSTACLE_OPERAND, d, entry[1], e->size[d]), false;
  }
  return true;
}

static bool has_size(const spw_tensor *t, const extent *e)
{
  bool same = count_dims(t) == e->ndim;
  for (int64_t d = 0; same && d < e->ndim; d++) same = size_of(t)[d] == e->size[d];
  return same;
}

static const spw_tensor *repeat_dense(spw_composition *c, const spw_tensor *t, const extent *e)
{
  spw_dims_view *const v = spw_compose_view(c, t);
  const int64_t own = t->values.array.ndim, more = e->ndim - own;
  if (!v) return NULL;
  for (int64_t d = own - 1; d >= 0; d--) {
    v->strides[2][d + more] = v->shape[2][d] == e->size[d + more] ? v->strides[2][d] : 0;
  }
  for (int64_t d = 0; d < more; d++) v->strides[2][d] = 0;
  for (int64_t d = 0; d < e->ndim; d++) v->shape[2][d] = e->size[d];
  v->t.values.array.ndim = e->ndim;
  v->t.has_size = false;
  return &v->t;
}

/* Dense dimensions of any layout, and batch dimensions of a compressed one: new ones before the first, and those of size 1. */
static const spw_tensor *repeat_by_strides(spw_composition *c, const spw_tensor *t, const extent *e)
{
  spw_dims_view *const v = spw_compose_view(c, t);
  spw_numbers n;
  if (!v) return NULL;
  if (spw_numbers_of(t, &n) != SPW_OK) return c->status = SPW_EINVAL, NULL;
  const int64_t more = t->layout == SPW_COO ? 0 : e->ndim - t->ndim, batches = n.batch_dims + more;
  const int64_t dense = t->ndim - n.dense_dims, place = t->values.array.ndim - n.dense_dims;
  spw_array *const arrays[3] = {&v->t.compressed.array, &v->t.plain.array, &v->t.values.array};
  for (int64_t d = 0; d < n.dense_dims; d++) {
    const int64_t wanted = e->size[dense + d + e->ndim - t->ndim];
    if (t->size[dense + d] == wanted) continue;
    v->shape[2][place + d] = v->size[dense + d] = wanted;
    v->strides[2][place + d] = 0;
  }
  for (int i = 0; t->layout != SPW_COO && i < 3; i++) {
    for (int64_t d = arrays[i]->ndim - 1; d >= 0; d--) {
      v->shape[i][d + more] = v->shape[i][d];
      v->strides[i][d + more] = v->strides[i][d];
    }
    for (int64_t d = 0; d < batches; d++) {
      if (d < more || v->shape[i][d] != e->size[d]) v->strides[i][d] = 0;
      v->shape[i][d] = e->size[d];
    }
    arrays[i]->ndim += more;
  }
  for (int64_t d = t->ndim - 1; d >= 0 && more > 0; d--) v->size[d + more] = v->size[d];
  for (int64_t d = 0; d < batches; d++) v->size[d] = e->size[d];
  v->t.ndim = t->ndim + more;
  return &v->t;
}

/* What strides cannot say: sparse dimensions are repeated as copies. */
static const spw_tensor *repeat_by_copies(spw_composition *c, const spw_tensor *t, const extent *e, int number)
{
  while (t && t->layout == SPW_COO && t->ndim < e->ndim) {
    const spw_structure first = {.kind = SPW_UNSQUEEZE, .dim = 0};
    t = spw_compose_restructure(c, t, &first, number);
  }
  for (int64_t d = 0; t && d < e->ndim; d++) {
    const spw_structure repeat = {.kind = SPW_BROADCAST, .dim = d, .length = e->size[d]};
    if (t->size[d] != e->size[d]) t = spw_compose_restructure(c, t, &repeat, number);
  }
  return t;
}

static const spw_tensor *repeated(spw_composition *c, const spw_tensor *t, const extent *e, int number)
{
  if (c->status != SPW_OK || has_size(t, e)) return t;
  if (t->layout == SPW_DENSE) return repeat_dense(c, t, e);
  return repeat_by_copies(c, repeat_by_strides(c, t, e), e, number);
}

/* ---- One layout --------------------------------------------------------------------------------- */

/* b in the layout of a, with its blocks, batches and index type. */
static const spw_tensor *like_first(spw_composition *c, const spw_tensor *a, const spw_tensor *b)
{
  spw_numbers n, own;
  if (!a || !b || c->status != SPW_OK) return NULL;
  if (spw_numbers_of(a, &n) != SPW_OK || spw_numbers_of(b, &own) != SPW_OK) return c->status = SPW_EINVAL, NULL;
  const bool blocks = a->layout == SPW_BSR || a->layout == SPW_BSC;
  const bool same = a->layout == b->layout && n.block_rows == own.block_rows && n.block_columns == own.block_columns &&
                    a->plain.array.dtype == b->plain.array.dtype;
  const spw_conversion wanted = {.layout = a->layout,
                                 .block_rows = blocks ? n.block_rows : 0,
                                 .block_columns = blocks ? n.block_columns : 0,
                                 .batch_dims = a->layout == SPW_COO ? -1 : n.batch_dims,
                                 .dense_dims = -1,
                                 .index_dtype = a->plain.array.dtype};
  if (own.dense_dims != n.dense_dims)
    return spw_compose_refuse(c, 1, SPW_OBSTACLE_OPERAND, -1, own.dense_dims, n.dense_dims), NULL;
  return same ? b : spw_compose_convert(c, b, &wanted, 1);
}

/* ---- Sums with a dense array ---------------------------------------------------------------------- */

/* A dense array as COO without sparse dimensions, of one cell; or of none. */
static const spw_tensor *one_cell(spw_composition *c, const spw_tensor *dense, bool there)
{
  spw_dims_view *const v = spw_compose_view(c, dense);
  int64_t *const none = v ? spw_compose_memory(c, 1, sizeof *none) : NULL;
  if (!none) return NULL;
  const int64_t ndim = dense->values.array.ndim;
  for (int64_t d = 0; d < ndim; d++) {
    v->size[d] = dense->values.array.shape[d];
    v->shape[2][d + 1] = dense->values.array.shape[d];
    v->strides[2][d + 1] = dense->values.array.strides[d];
  }
  v->shape[2][0] = v->shape[1][1] = there;
  v->strides[2][0] = 0;
  v->strides[1][0] = v->strides[1][1] = 1;
  v->t.layout = SPW_COO;
  v->t.coalesced = SPW_CLAIM_YES;
  v->t.has_size = true;
  v->t.ndim = ndim;
  v->t.size = v->size;
  v->t.plain = (spw_index_array){.array = {SPW_INT64, 2, v->shape[1], v->strides[1], 0, 0}, .i64 = none};
  v->t.values.array.ndim = ndim + 1;
  return &v->t;
}

/* The numbers of a tensor's elements replace those of a dense array. */
static void put_elements(const spw_tensor *coo, char *values, const spw_array *a)
{
  const int64_t scalar = spw_dtype_size(a->dtype), leading = coo->plain.array.shape[0], nse = coo->plain.array.shape[1];
  int64_t cell = 1;
  for (int64_t d = leading; d < a->ndim; d++) cell *= a->shape[d];
  for (int64_t k = 0; k < nse && cell > 0; k++) {
    int64_t place = 0;
    for (int64_t d = 0; d < leading; d++) {
      const int64_t at = coo->plain.array.offset + d * coo->plain.array.strides[0] + k * coo->plain.array.strides[1];
      place = place * a->shape[d] + (coo->plain.array.dtype == SPW_INT64 ? coo->plain.i64[at] : coo->plain.i32[at]);
    }
    memcpy(values + place * cell * scalar, (const char *)coo->values.data + k * cell * scalar, (size_t)(cell * scalar));
  }
}

/* Where only the dense array is specified: itself; or, as the second operand, what the operation makes of it. */
static const spw_tensor *dense_alone(spw_composition *c, const spw_tensor *dense, const spw_elementwise_request *wanted,
                                     bool dense_first)
{
  const spw_conversion to_dense = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  if (dense_first || (wanted->kind == SPW_PLUS && !wanted->scalar)) return spw_compose_convert(c, dense, &to_dense, !dense_first);
  const spw_tensor *const nothing = one_cell(c, dense, false), *const all = one_cell(c, dense, true);
  const spw_tensor *const made = spw_compose_elementwise(c, nothing, all, wanted);
  return spw_compose_convert(c, made, &to_dense, 1);
}

/* The values of the dense array at the positions of the sparse tensor. */
static const spw_tensor *dense_at(spw_composition *c, const spw_tensor *dense, const spw_tensor *coo)
{
  const spw_structure mask = {.kind = SPW_SPARSE_MASK};
  const spw_tensor *const both[2] = {dense, coo};
  spw_owned *owned = NULL;
  if (c->status != SPW_OK || !coo) return NULL;
  return spw_compose_keep(c, spw_restructure_new(both, 2, &mask, c->left, &owned, c->refusal), &owned);
}

static const spw_tensor *add_dense(spw_composition *c, const spw_tensor *a, const spw_tensor *b,
                                   const spw_elementwise_request *wanted)
{
  const bool first = a->layout == SPW_DENSE;
  const spw_tensor *const dense = first ? a : b, *const sparse = first ? b : a;
  if (dense->values.array.dtype != sparse->values.array.dtype)
    return spw_compose_refuse(c, 1, SPW_OBSTACLE_TYPES, -1, (int64_t)b->values.array.dtype, (int64_t)a->values.array.dtype), NULL;
  const spw_conversion coalesced = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1, .duplicates = wanted->duplicates};
  const spw_tensor *const coo = spw_compose_convert(c, sparse, &coalesced, first);
  const spw_tensor *const there = dense_at(c, dense, coo);
  const spw_tensor *const sum = there ? spw_compose_elementwise(c, first ? there : coo, first ? coo : there, wanted) : NULL;
  const spw_tensor *const result = sum ? dense_alone(c, dense, wanted, first) : NULL;
  if (!result || c->status != SPW_OK) return NULL;
  put_elements(sum, (char *)(uintptr_t)result->values.data, &result->values.array);
  return result;
}

/* ---- The call ---------------------------------------------------------------------------------- */

static const spw_tensor *combine(spw_composition *c, const spw_tensor *a, const spw_tensor *b,
                                 const spw_elementwise_request *wanted)
{
  const spw_tensor *const t[2] = {a, b};
  extent e;
  if (!a || !b || !wanted || wanted->kind > SPW_TIMES || (a->layout == SPW_DENSE && b->layout == SPW_DENSE))
    return c->status = SPW_EINVAL, NULL;
  if (!join_sizes(c, t, &e)) return NULL;
  a = repeated(c, a, &e, 0);
  b = repeated(c, b, &e, 1);
  if (!a || !b || c->status != SPW_OK) return NULL;
  const bool dense = a->layout == SPW_DENSE || b->layout == SPW_DENSE;
  if (!dense) return spw_compose_elementwise(c, a, like_first(c, a, b), wanted);
  if (wanted->kind != SPW_TIMES) return add_dense(c, a, b, wanted);
  return a->layout == SPW_DENSE ? spw_compose_elementwise(c, b, a, wanted) : spw_compose_elementwise(c, a, b, wanted);
}

spw_status spw_combine_new(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, size_t limit,
                           spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!out) return SPW_EINVAL;
  return spw_compose_end(&c, combine(&c, a, b, wanted), out);
}
