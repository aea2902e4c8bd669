/* SPDX-License-Identifier: Apache-2.0 */
/* Products of any dimensions: vectors become matrices, batches are repeated by strides of 0, and one product is made. */
#include "matmul.h"

#include <string.h>

/* ---- Operands as batches of matrices ------------------------------------------------------------- */

/* An operand whose last two dimensions are a matrix. */
typedef struct factor {
  const spw_tensor *t;
  bool vector; /* it had one dimension */
  int64_t ndim;
  const int64_t *size;
} factor;

static void take_size(factor *f)
{
  const bool dense = f->t->layout == SPW_DENSE;
  f->ndim = dense ? f->t->values.array.ndim : f->t->ndim;
  f->size = dense ? f->t->values.array.shape : f->t->size;
}

/* A dense vector as a row, or as a column. */
static const spw_tensor *dense_matrix(spw_composition *c, const spw_tensor *t, bool row)
{
  spw_dims_view *const v = spw_compose_view(c, t);
  if (!v) return NULL;
  const int at = row ? 1 : 0;
  v->shape[2][at] = t->values.array.shape[0];
  v->strides[2][at] = t->values.array.strides[0];
  v->shape[2][1 - at] = 1;
  v->strides[2][1 - at] = 0;
  v->t.values.array.ndim = 2;
  v->t.has_size = false;
  return &v->t;
}

/* The same of a COO vector: one more row of indices, of zeros. */
static const spw_tensor *coo_matrix(spw_composition *c, const spw_tensor *t, bool row)
{
  const spw_array *const p = &t->plain.array;
  const int64_t nse = p->shape[1];
  spw_dims_view *const v = spw_compose_view(c, t);
  const bool wide = p->dtype == SPW_INT64;
  void *const indices = v ? spw_compose_memory(c, 2 * nse, wide ? sizeof(int64_t) : sizeof(int32_t)) : NULL;
  if (!indices) return NULL;
  for (int64_t k = 0; k < nse; k++) {
    const int64_t from = p->offset + k * p->strides[1], to = (row ? nse : 0) + k;
    if (wide)
      ((int64_t *)indices)[to] = t->plain.i64[from];
    else
      ((int32_t *)indices)[to] = t->plain.i32[from];
  }
  v->shape[1][0] = 2;
  spw_view_in_order(v, 1);
  v->t.plain.i32 = wide ? NULL : indices;
  v->t.plain.i64 = wide ? indices : NULL;
  v->t.plain.raw = NULL;
  v->size[row ? 1 : 0] = t->size[0];
  v->size[row ? 0 : 1] = 1;
  v->t.ndim = 2;
  return &v->t;
}

static bool take_factor(spw_composition *c, const spw_tensor *t, int number, factor *f)
{
  *f = (factor){.t = t};
  if (!spw_compose_judge(c, t, number)) return false;
  if (t->layout != SPW_DENSE && !t->has_size) return spw_compose_refuse(c, number, SPW_OBSTACLE_NO_SIZE, -1, -1, -1), false;
  take_size(f);
  if (f->ndim == 0) return spw_compose_refuse(c, number, SPW_OBSTACLE_DIMENSIONS, -1, 0, 1), false;
  f->vector = f->ndim == 1;
  if (!f->vector) return true;
  if (t->layout == SPW_COO && t->plain.array.shape[0] != 1)
    return spw_compose_refuse(c, number, SPW_OBSTACLE_HYBRID, -1, 1, 0), false;
  f->t = t->layout == SPW_DENSE ? dense_matrix(c, t, number == 0) : coo_matrix(c, t, number == 0);
  if (!f->t) return false;
  take_size(f);
  return true;
}

/* ---- Batches ----------------------------------------------------------------------------------- */

/* Those of both, from the last to the first, one beside the other. */
static bool join_batches(spw_composition *c, const factor f[2], int64_t *batch, int64_t *dims)
{
  const int64_t own[2] = {f[0].ndim - 2, f[1].ndim - 2};
  *dims = own[0] > own[1] ? own[0] : own[1];
  if (*dims > SPW_STRUCTURE_DIMS - 2) return c->status = SPW_EUNSUPPORTED, false;
  for (int64_t d = 0; d < *dims; d++) {
    int64_t entry[2];
    for (int i = 0; i < 2; i++) entry[i] = own[i] < *dims - d ? 1 : f[i].size[own[i] - (*dims - d)];
    batch[d] = entry[0] == 1 ? entry[1] : entry[0];
    if (entry[1] == 1 || entry[1] == batch[d]) continue;
    return spw_compose_refuse(c, 1, SPW_OBSTACLE_SHAPES, d, entry[1], batch[d]), false;
  }
  return true;
}

/* An array whose first `own` dimensions become `dims` of these sizes. */
static void repeat_array(spw_array *a, int64_t *shape, int64_t *strides, const int64_t *batch, int64_t dims, int64_t own)
{
  const int64_t rest = a->ndim - own, more = dims - own;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    shape[d + more] = shape[d];
    strides[d + more] = strides[d];
  }
  for (int64_t d = 0; d < dims; d++) {
    if (d < more || shape[d] != batch[d]) strides[d] = 0;
    shape[d] = batch[d];
  }
  a->ndim = dims + rest;
}

/* Repeats what has fewer batches. */
static void repeat_batches(spw_composition *c, factor *f, int number, const int64_t *batch, int64_t dims)
{
  const int64_t own = f->ndim - 2;
  bool same = own == dims;
  for (int64_t d = 0; same && d < dims; d++) same = f->size[d] == batch[d];
  if (same || c->status != SPW_OK) return;
  if (f->t->layout == SPW_COO) {
    if (own != dims) spw_compose_refuse(c, number, SPW_OBSTACLE_DIMENSIONS, -1, f->ndim, dims + 2);
    for (int64_t d = 0; d < dims && own == dims; d++)
      if (f->size[d] != batch[d]) spw_compose_refuse(c, number, SPW_OBSTACLE_SHAPES, d, f->size[d], batch[d]);
    return;
  }
  spw_dims_view *const v = spw_compose_view(c, f->t);
  if (!v) return;
  repeat_array(&v->t.values.array, v->shape[2], v->strides[2], batch, dims, own);
  if (f->t->layout != SPW_DENSE) {
    repeat_array(&v->t.compressed.array, v->shape[0], v->strides[0], batch, dims, own);
    repeat_array(&v->t.plain.array, v->shape[1], v->strides[1], batch, dims, own);
    for (int64_t d = f->ndim - 1; d >= own; d--) v->size[d + dims - own] = v->size[d];
    for (int64_t d = 0; d < dims; d++) v->size[d] = batch[d];
    v->t.ndim = dims + 2;
  } else {
    v->t.has_size = false;
  }
  f->t = &v->t;
  take_size(f);
}

/* ---- Results ----------------------------------------------------------------------------------- */

/* A dense result without one of its last two dimensions, or both, whose size is 1. */
static const spw_tensor *drop_dense(spw_composition *c, const spw_tensor *made, bool row, bool column)
{
  if (!made || (!row && !column)) return made;
  spw_owned *const owned = spw_compose_owner(c, made);
  spw_tensor *const t = spw_owned_edit(owned);
  const int64_t ndim = t->values.array.ndim, kept = ndim - row - column;
  int64_t *const dims = spw_owned_alloc(owned, (size_t)(2 * kept) + 1, sizeof *dims);
  if (!dims) return c->status = SPW_ENOMEM, NULL;
  for (int64_t d = 0, to = 0; d < ndim; d++) {
    if ((d == ndim - 2 && row) || (d == ndim - 1 && column)) continue;
    dims[to] = t->values.array.shape[d];
    dims[kept + to++] = t->values.array.strides[d];
  }
  t->values.array.ndim = kept;
  t->values.array.shape = dims;
  t->values.array.strides = dims + kept;
  t->ndim = kept;
  t->size = dims;
  return t;
}

static const spw_tensor *drop_sparse(spw_composition *c, const spw_tensor *made, bool row, bool column)
{
  for (int i = 0; made && i < 2; i++) {
    const spw_structure select = {.kind = SPW_SELECT, .dim = made->ndim - (i == 0 ? 1 : 1 + !column)};
    if (i == 0 ? column : row) made = spw_compose_restructure(c, made, &select, 2);
  }
  return made;
}

/* The product of two that fit, with `bias` added to each row; or without. */
static const spw_tensor *product_of(spw_composition *c, const spw_tensor *a, const spw_tensor *b)
{
  spw_owned *owned = NULL;
  if (c->status != SPW_OK) return NULL;
  const bool sparse = a->layout != SPW_DENSE && b->layout != SPW_DENSE;
  const spw_status status = sparse ? spw_multiply_sparse_new(a, b, c->left, 0, &owned, c->refusal)
                                   : spw_multiply_new(a, b, c->left, &owned, c->refusal);
  return spw_compose_keep(c, status, &owned);
}

/* ---- Hybrid COO --------------------------------------------------------------------------------- */

bool spw_matmul_is_of_rows(const spw_tensor *t)
{
  return t && t->layout == SPW_COO && t->plain.array.ndim == 2 && t->plain.array.shape[0] == 1 && t->values.array.ndim == 2;
}

/* Each row of values as a matrix of one row, all of whose elements are stored. */
static const spw_tensor *rows_of_values(spw_composition *c, const spw_tensor *t)
{
  const int64_t nse = t->values.array.shape[0], n = t->values.array.shape[1];
  spw_dims_view *const v = spw_compose_memory(c, 1, sizeof *v);
  int64_t *const indices = v ? spw_compose_memory(c, n + 2, sizeof *indices) : NULL;
  if (!indices) return NULL;
  indices[0] = 0;
  indices[1] = n;
  for (int64_t k = 0; k < n; k++) indices[2 + k] = k;
  v->t = (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = v->size, .values = t->values};
  v->size[0] = nse, v->size[1] = 1, v->size[2] = n;
  v->shape[0][0] = v->shape[1][0] = nse;
  v->shape[0][1] = 2;
  v->shape[1][1] = n;
  v->strides[0][1] = v->strides[1][1] = 1;
  v->t.compressed = (spw_index_array){.array = {SPW_INT64, 2, v->shape[0], v->strides[0], 0, 2}, .i64 = indices};
  v->t.plain = (spw_index_array){.array = {SPW_INT64, 2, v->shape[1], v->strides[1], 0, n}, .i64 = indices + 2};
  return &v->t;
}

static const spw_tensor *multiply_hybrid(spw_composition *c, const spw_tensor *a, const spw_tensor *b)
{
  if (!spw_compose_judge(c, a, 0) || !spw_compose_judge(c, b, 1)) return NULL;
  if (!a->has_size) return spw_compose_refuse(c, 0, SPW_OBSTACLE_NO_SIZE, -1, -1, -1), NULL;
  if (b->layout != SPW_DENSE) return spw_compose_refuse(c, 1, SPW_OBSTACLE_LAYOUT, -1, (int64_t)b->layout, SPW_DENSE), NULL;
  if (b->values.array.ndim != 2) return spw_compose_refuse(c, 1, SPW_OBSTACLE_DIMENSIONS, -1, b->values.array.ndim, 2), NULL;
  if (b->values.array.shape[0] != a->size[1])
    return spw_compose_refuse(c, 1, SPW_OBSTACLE_SHAPES, 0, b->values.array.shape[0], a->size[1]), NULL;
  const int64_t nse = a->values.array.shape[0], k = b->values.array.shape[1], size[2] = {a->size[0], k};
  factor f = {.t = b};
  take_size(&f);
  repeat_batches(c, &f, 1, &nse, 1);
  const spw_tensor *const rows = rows_of_values(c, a);
  const spw_tensor *const product = rows && f.t ? product_of(c, rows, f.t) : NULL;
  /* The index array of A, order and claim: a clone, whose values are those of the product. */
  const spw_making clone = {.kind = SPW_MAKE_CLONE};
  spw_owned *owned = NULL;
  if (!product) return NULL;
  spw_dims_view *const v = spw_compose_view(c, a);
  if (!v) return NULL;
  v->size[0] = size[0], v->size[1] = size[1];
  v->shape[2][1] = k;
  v->t.values = product->values;
  v->t.values.array.ndim = 2;
  v->t.values.array.shape = v->shape[2];
  v->t.values.array.strides = v->strides[2];
  spw_view_in_order(v, 2);
  const spw_tensor *const view = &v->t;
  return spw_compose_keep(c, spw_make_new(&view, 1, &clone, c->left, &owned, c->refusal), &owned);
}

/* ---- The calls --------------------------------------------------------------------------------- */

bool spw_matmul_operands(spw_composition *c, const spw_tensor *a, const spw_tensor *b, spw_matmul *m)
{
  factor f[2];
  if (!take_factor(c, a, 0, &f[0]) || !take_factor(c, b, 1, &f[1])) return false;
  if (!join_batches(c, f, m->batch, &m->dims)) return false;
  for (int i = 0; i < 2; i++) {
    m->size[i] = f[i].size[f[i].ndim - 2 + i];
    m->repeats[i] = false;
    for (int64_t d = 0; d < m->dims; d++) {
      const int64_t at = d - (m->dims - (f[i].ndim - 2));
      m->repeated[i][d] = at < 0 || f[i].size[at] != m->batch[d];
      m->repeats[i] = m->repeats[i] || m->repeated[i][d];
    }
    repeat_batches(c, &f[i], i, m->batch, m->dims);
    m->t[i] = f[i].t;
    m->vector[i] = f[i].vector;
  }
  return c->status == SPW_OK;
}

static const spw_tensor *matmul(spw_composition *c, const spw_tensor *a, const spw_tensor *b)
{
  spw_matmul m;
  if (!a || !b || (a->layout == SPW_DENSE && b->layout == SPW_DENSE)) return c->status = SPW_EINVAL, NULL;
  if (spw_matmul_is_of_rows(a)) return multiply_hybrid(c, a, b);
  if (!spw_matmul_operands(c, a, b, &m)) return NULL;
  const spw_tensor *const made = product_of(c, m.t[0], m.t[1]);
  if (made && made->layout != SPW_DENSE) return drop_sparse(c, made, m.vector[0], m.vector[1]);
  return drop_dense(c, made, m.vector[0], m.vector[1]);
}

spw_status spw_matmul_new(const spw_tensor *a, const spw_tensor *b, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!out) return SPW_EINVAL;
  return spw_compose_end(&c, matmul(&c, a, b), out);
}

/* A dense X with all but its last dimension as rows, without gaps. */
static const spw_tensor *flattened(spw_composition *c, const spw_tensor *x)
{
  return spw_compose_rows(c, spw_compose_layout(c, x, SPW_DENSE, 0));
}

/* The dense result with the leading dimensions of X again. */
static const spw_tensor *unflattened(spw_composition *c, const spw_tensor *made, const spw_tensor *x)
{
  spw_owned *const owned = made ? spw_compose_owner(c, made) : NULL;
  const int64_t ndim = x->layout == SPW_DENSE ? x->values.array.ndim : 2;
  if (!owned || (ndim == 2)) return made;
  spw_tensor *const t = spw_owned_edit(owned);
  int64_t *const dims = spw_owned_alloc(owned, (size_t)(2 * ndim), sizeof *dims), stride = 1;
  if (!dims) return c->status = SPW_ENOMEM, NULL;
  for (int64_t d = ndim - 1; d >= 0; d--) {
    dims[d] = d == ndim - 1 ? t->values.array.shape[1] : x->values.array.shape[d];
    dims[ndim + d] = stride;
    if (__builtin_mul_overflow(stride, dims[d], &stride)) stride = 0;
  }
  t->values.array.ndim = t->ndim = ndim;
  t->values.array.shape = t->size = dims;
  t->values.array.strides = dims + ndim;
  return t;
}

/* The bias, a vector, in every row. */
static const spw_tensor *repeated_bias(spw_composition *c, const spw_tensor *bias, const spw_tensor *x, int64_t rows,
                                       int64_t columns)
{
  if (!spw_compose_judge(c, bias, 2)) return NULL;
  if (bias->layout != SPW_DENSE)
    return spw_compose_refuse(c, 2, SPW_OBSTACLE_LAYOUT, -1, (int64_t)bias->layout, SPW_DENSE), NULL;
  if (bias->values.array.ndim != 1)
    return spw_compose_refuse(c, 2, SPW_OBSTACLE_DIMENSIONS, -1, bias->values.array.ndim, 1), NULL;
  if (bias->values.array.shape[0] != columns)
    return spw_compose_refuse(c, 2, SPW_OBSTACLE_SHAPES, 0, bias->values.array.shape[0], columns), NULL;
  if (bias->values.array.dtype != x->values.array.dtype)
    return spw_compose_refuse(c, 2, SPW_OBSTACLE_TYPES, -1, (int64_t)bias->values.array.dtype, (int64_t)x->values.array.dtype),
           NULL;
  spw_dims_view *const v = spw_compose_view(c, bias);
  if (!v) return NULL;
  v->shape[2][0] = rows;
  v->shape[2][1] = columns;
  v->strides[2][1] = bias->values.array.strides[0];
  v->strides[2][0] = 0;
  v->t.values.array.ndim = 2;
  v->t.has_size = false;
  return &v->t;
}

/* 1 of a type, as the values of a diagonal matrix. */
static const void *one_of(spw_composition *c, spw_dtype dtype)
{
  static const int64_t size[2] = {1, 1}, main_diagonal[1] = {0};
  const spw_making eye = {
      .kind = SPW_MAKE_DIAGONALS, .size = size, .ndim = 2, .numbers = main_diagonal, .count = 1, .dtype = dtype};
  spw_owned *owned = NULL;
  if (c->status != SPW_OK) return NULL;
  const spw_tensor *const one = spw_compose_keep(c, spw_make_new(NULL, 0, &eye, c->left, &owned, c->refusal), &owned);
  return one ? one->values.data : NULL;
}

static const spw_tensor *linear(spw_composition *c, const spw_tensor *x, const spw_tensor *w, const spw_tensor *bias)
{
  factor f[2];
  if (!x || !w || (x->layout == SPW_DENSE) == (w->layout == SPW_DENSE)) return c->status = SPW_EINVAL, NULL;
  if (!take_factor(c, x, 0, &f[0]) || !take_factor(c, w, 1, &f[1])) return NULL;
  if (f[1].vector || f[1].ndim != 2)
    return spw_compose_refuse(c, 1, SPW_OBSTACLE_DIMENSIONS, -1, f[1].vector ? 1 : f[1].ndim, 2), NULL;
  if (x->layout != SPW_DENSE && x->ndim != 2) return spw_compose_refuse(c, 0, SPW_OBSTACLE_DIMENSIONS, -1, x->ndim, 2), NULL;
  const spw_tensor *const rows = x->layout == SPW_DENSE ? flattened(c, x) : x, *const turned = spw_compose_transposed(c, w);
  if (!rows || !turned) return NULL;
  if (!bias) return unflattened(c, product_of(c, rows, turned), x);
  const int64_t count = rows->layout == SPW_DENSE ? rows->values.array.shape[0] : rows->size[0];
  const int64_t columns = f[1].size[0];
  const spw_tensor *const added = repeated_bias(c, bias, x, count, columns);
  const spw_factors once = {.beta = one_of(c, x->values.array.dtype)};
  spw_owned *owned = NULL;
  if (!added || !once.beta) return NULL;
  const spw_status status = spw_multiply_add_new(rows, turned, added, &once, c->left, &owned, c->refusal);
  return unflattened(c, spw_compose_keep(c, status, &owned), x);
}

spw_status spw_linear_new(const spw_tensor *x, const spw_tensor *w, const spw_tensor *bias, size_t limit, spw_owned **out,
                          spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  if (!out) return SPW_EINVAL;
  return spw_compose_end(&c, linear(&c, x, w, bias), out);
}
