/* SPDX-License-Identifier: Apache-2.0 */
#include "grad.h"

#include <string.h>

/* ---- Operands ---------------------------------------------------------------------------------- */

spw_variable spw_grad_variable(spw_composition *c, const spw_tensor *t, int number)
{
  spw_variable v = {t, t, false};
  if (!spw_compose_judge(c, t, number)) return v;
  if (t->layout == SPW_DENSE) {
    c->status = SPW_EINVAL;
    return v;
  }
  if (!t->has_size) spw_compose_refuse(c, number, SPW_OBSTACLE_NO_SIZE, -1, -1, -1);
  if (c->status == SPW_OK && t->ndim > SPW_STRUCTURE_DIMS) c->status = SPW_EUNSUPPORTED;
  v.combined = c->status == SPW_OK && t->layout == SPW_COO && t->coalesced != SPW_CLAIM_YES && t->plain.array.shape[1] > 1;
  if (v.combined) v.pattern = spw_compose_layout(c, t, SPW_COO, number);
  return v;
}

bool spw_grad_judge_upstream(spw_composition *c, const spw_tensor *g, spw_dtype dtype, int number)
{
  if (!spw_compose_judge(c, g, number)) return false;
  const spw_dtype own = g->values.array.dtype;
  if (g->layout != SPW_DENSE && !g->has_size) spw_compose_refuse(c, number, SPW_OBSTACLE_NO_SIZE, -1, -1, -1);
  if (own != dtype) spw_compose_refuse(c, number, SPW_OBSTACLE_TYPES, -1, (int64_t)own, (int64_t)dtype);
  return c->status == SPW_OK;
}

void spw_grad_judge_size(spw_composition *c, const spw_tensor *t, int number, int64_t ndim, const int64_t *size)
{
  const bool dense = t->layout == SPW_DENSE;
  const int64_t own = dense ? t->values.array.ndim : t->ndim, *const entries = dense ? t->values.array.shape : t->size;
  if (own != ndim) spw_compose_refuse(c, number, SPW_OBSTACLE_DIMENSIONS, -1, own, ndim);
  for (int64_t d = 0; d < ndim && c->status == SPW_OK; d++)
    if (entries[d] != size[d]) spw_compose_refuse(c, number, SPW_OBSTACLE_SHAPES, d, entries[d], size[d]);
}

/* ---- Patterns ---------------------------------------------------------------------------------- */

int64_t spw_grad_count(const spw_tensor *t)
{
  const spw_array *const a = &t->values.array;
  int64_t count = 1;
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] == 0) return 0;
  for (int64_t d = 0; d < a->ndim; d++) count *= a->shape[d]; /* which lie in memory, or are one value by strides of 0 */
  return count;
}

/* The same index arrays with one zero of another type for all values. */
static const spw_tensor *with_zero(spw_composition *c, const spw_tensor *t, spw_dtype dtype)
{
  static const uint64_t zero[2];
  spw_dims_view *const v = t ? spw_compose_view(c, t) : NULL;
  if (!v) return NULL;
  const int64_t ndim = t->values.array.ndim;
  bool empty = false;
  for (int64_t d = 0; d < ndim; d++) {
    v->strides[2][d] = 0;
    empty = empty || v->shape[2][d] == 0;
  }
  v->t.values.array.dtype = v->t.dtype = dtype;
  v->t.values.array.offset = 0;
  v->t.values.array.length = empty ? 0 : 1;
  v->t.values.data = zero;
  return &v->t;
}

const spw_tensor *spw_grad_zeros(spw_composition *c, const spw_tensor *pattern, spw_dtype dtype)
{
  const spw_making clone = {.kind = SPW_MAKE_CLONE};
  const spw_tensor *const view = with_zero(c, pattern, dtype);
  spw_owned *made = NULL;
  if (!view) return NULL;
  const spw_status status = spw_make_new(&view, 1, &clone, c->left, &made, c->refusal);
  return spw_compose_keep(c, status, &made);
}

void *spw_grad_values(const spw_tensor *made)
{
  return (void *)(uintptr_t)made->values.data;
}

static bool same_shape(const spw_array *a, const spw_array *b)
{
  bool same = a->ndim == b->ndim;
  for (int64_t d = 0; same && d < a->ndim; d++) same = a->shape[d] == b->shape[d];
  return same;
}

static int64_t index_at(const spw_index_array *a, int64_t place)
{
  return a->array.dtype == SPW_INT64 ? a->i64[place] : a->i32[place];
}

/* Do two index arrays of one shape hold the same, from dimension d on? */
static bool same_indices(const spw_index_array *a, const spw_index_array *b, int64_t d, int64_t at_a, int64_t at_b)
{
  const int64_t n = d < a->array.ndim ? a->array.shape[d] : 0, step_a = n > 0 ? a->array.strides[d] : 0,
                step_b = n > 0 ? b->array.strides[d] : 0;
  for (int64_t i = 0; i < n; i++) {
    const int64_t x = at_a + i * step_a, y = at_b + i * step_b;
    if (d + 1 < a->array.ndim ? !same_indices(a, b, d + 1, x, y) : index_at(a, x) != index_at(b, y)) return false;
  }
  return true;
}

/* The same memory, or the same numbers. */
static bool same_array(const spw_index_array *a, const spw_index_array *b)
{
  bool same = a->i32 == b->i32 && a->i64 == b->i64 && a->array.offset == b->array.offset;
  if (!same_shape(&a->array, &b->array)) return false;
  for (int64_t d = 0; d < a->array.ndim; d++)
    if (a->array.shape[d] == 0) return true; /* then offsets and strides may be anything */
  for (int64_t d = 0; same && d < a->array.ndim; d++) same = a->array.strides[d] == b->array.strides[d];
  return same || same_indices(a, b, 0, a->array.offset, b->array.offset);
}

/* Are the values of g those of the pattern already, each position once? */
static bool lies_there(const spw_tensor *g, const spw_tensor *pattern)
{
  const bool coo = g->layout == SPW_COO;
  if (g->layout == SPW_DENSE || g->layout != pattern->layout || g->ndim != pattern->ndim) return false;
  if (coo && (g->coalesced != SPW_CLAIM_YES || pattern->coalesced != SPW_CLAIM_YES)) return false;
  for (int64_t d = 0; d < g->ndim; d++)
    if (g->size[d] != pattern->size[d]) return false;
  if (!same_shape(&g->values.array, &pattern->values.array)) return false;
  return (coo || same_array(&g->compressed, &pattern->compressed)) && same_array(&g->plain, &pattern->plain);
}

/* The index arrays of the pattern with the values of g. */
static const spw_tensor *values_there(spw_composition *c, const spw_tensor *g, const spw_tensor *pattern)
{
  const spw_making clone = {.kind = SPW_MAKE_CLONE};
  spw_owned *made = NULL;
  spw_tensor view = *pattern;
  const spw_tensor *const from = &view;
  view.values = g->values;
  view.dtype = g->values.array.dtype;
  const spw_status status = spw_make_new(&from, 1, &clone, c->left, &made, c->refusal);
  return spw_compose_keep(c, status, &made);
}

const spw_tensor *spw_grad_at(spw_composition *c, const spw_tensor *g, const spw_tensor *pattern, int number)
{
  const spw_structure mask = {.kind = SPW_SPARSE_MASK};
  const spw_tensor *const at = pattern && g ? with_zero(c, pattern, g->values.array.dtype) : NULL;
  spw_owned *made = NULL;
  if (!at || c->status != SPW_OK) return NULL;
  if (lies_there(g, pattern)) return values_there(c, g, pattern);
  const spw_status status = spw_restructure_new((const spw_tensor *[]){g, at}, 2, &mask, c->left, &made, c->refusal);
  if (status == SPW_ERANGE && c->refusal) c->refusal->operand = number;
  return spw_compose_keep(c, status, &made);
}

static bool lies_in_order(const spw_array *a)
{
  int64_t stride = 1;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    if (a->shape[d] > 1 && a->strides[d] != stride) return false;
    if (__builtin_mul_overflow(stride, a->shape[d], &stride)) return false;
  }
  return a->offset == 0;
}

const spw_tensor *spw_grad_read_at(spw_composition *c, const spw_tensor *g, const spw_tensor *pattern, int number)
{
  const bool there = g && pattern && c->status == SPW_OK && lies_in_order(&g->values.array) && lies_there(g, pattern);
  return there ? g : spw_grad_at(c, g, pattern, number);
}

spw_status spw_grad_end(spw_composition *c, const spw_variable *v, const spw_vjp_request *how, const spw_tensor *gradient,
                        spw_owned **out)
{
  if (c->status == SPW_OK && how->full) c->status = SPW_EINVAL;
  if (gradient && v->combined && how->values) gradient = spw_grad_at(c, gradient, v->t, how->operand);
  return spw_compose_end(c, gradient, out);
}

/* ---- Dense arrays ------------------------------------------------------------------------------ */

const spw_tensor *spw_grad_dense_like(spw_composition *c, const spw_tensor *t)
{
  static const uint64_t zero[2];
  spw_dims_view *const v = spw_compose_memory(c, 1, sizeof *v);
  if (!v) return NULL;
  v->t = (spw_tensor){.layout = SPW_DENSE};
  v->t.values.array = (spw_array){t->values.array.dtype, t->ndim, v->shape[2], v->strides[2], 0, 1};
  v->t.values.data = zero;
  for (int64_t d = 0; d < t->ndim; d++) {
    v->shape[2][d] = t->size[d];
    if (t->size[d] == 0) v->t.values.array.length = 0;
  }
  return &v->t;
}

const spw_tensor *spw_grad_as_cell(spw_composition *c, const spw_tensor *dense)
{
  spw_dims_view *const v = dense ? spw_compose_view(c, dense) : NULL;
  if (!v) return NULL;
  const int64_t ndim = dense->values.array.ndim;
  for (int64_t d = ndim; d > 0; d--) {
    v->shape[2][d] = v->shape[2][d - 1];
    v->strides[2][d] = v->strides[2][d - 1];
  }
  for (int64_t d = 0; d < ndim; d++) v->size[d] = v->shape[2][d + 1];
  v->shape[2][0] = 1;
  v->strides[2][0] = 0;
  v->shape[1][0] = 0;
  v->shape[1][1] = 1;
  v->strides[1][0] = v->strides[1][1] = 1;
  v->t.layout = SPW_COO;
  v->t.coalesced = SPW_CLAIM_YES;
  v->t.has_size = true;
  v->t.ndim = ndim;
  v->t.size = v->size;
  v->t.index_dtype = SPW_INT64;
  v->t.plain = (spw_index_array){.array = {SPW_INT64, 2, v->shape[1], v->strides[1], 0, 0}};
  v->t.values.array.ndim = ndim + 1;
  v->t.values.array.shape = v->shape[2];
  v->t.values.array.strides = v->strides[2];
  return &v->t;
}

const spw_tensor *spw_grad_as_dense(spw_composition *c, const spw_tensor *cell)
{
  spw_owned *const owner = cell ? spw_compose_owner(c, cell) : NULL;
  if (!owner) return NULL;
  spw_tensor *const t = spw_owned_edit(owner);
  t->layout = SPW_DENSE;
  t->coalesced = SPW_CLAIM_NONE;
  t->index_dtype = SPW_DTYPE_NONE;
  t->plain = (spw_index_array){.i32 = NULL};
  t->values.array.ndim--;
  t->values.array.shape++;
  t->values.array.strides++;
  return t;
}

static bool is_complex(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
}

const spw_tensor *spw_grad_conjugate(spw_composition *c, const spw_tensor *t)
{
  const spw_unary_request wanted = {.function = SPW_UNARY_CONJ_PHYSICAL};
  const bool dense = t && t->layout == SPW_DENSE;
  if (!t || !is_complex(t->values.array.dtype)) return t;
  const spw_tensor *const from = dense ? spw_grad_as_cell(c, t) : t;
  spw_owned *made = NULL;
  if (!from || c->status != SPW_OK) return NULL;
  const spw_tensor *const to = spw_compose_keep(c, spw_unary_new(from, &wanted, c->left, &made, c->refusal), &made);
  return dense ? spw_grad_as_dense(c, to) : to;
}

const spw_tensor *spw_grad_scaled(spw_composition *c, const spw_tensor *t, const void *scalar, spw_elementwise_kind kind)
{
  const spw_elementwise_request wanted = {.kind = kind, .scalar = scalar};
  const bool dense = t && t->layout == SPW_DENSE;
  const spw_tensor *const from = dense ? spw_grad_as_cell(c, t) : t;
  const spw_tensor *const to = spw_compose_elementwise(c, from, NULL, &wanted);
  return dense ? spw_grad_as_dense(c, to) : to;
}

const void *spw_grad_conjugate_of(spw_dtype dtype, const void *scalar, unsigned char room[16])
{
  if (!scalar) return NULL;
  memcpy(room, scalar, (size_t)spw_dtype_size(dtype));
  if (is_complex(dtype)) room[spw_dtype_size(dtype) - 1] ^= 0x80; /* the sign of the imaginary part */
  return room;
}
