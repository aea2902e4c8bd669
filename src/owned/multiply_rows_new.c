/* SPDX-License-Identifier: Apache-2.0 */
/* Products that are stored sparsely: the rows that have an element are multiplied as a matrix of their own. */
#include "compose.h"

#include <stdlib.h>
#include <string.h>

/* ---- The rows of a product --------------------------------------------------------------------- */

/* A product of the rows of A that have an element: `dense` has one row for each. */
typedef struct row_product {
  const spw_tensor *dense;
  int64_t *rows, count; /* in order */
  int64_t size[2];
  spw_dtype index_dtype;
} row_product;

static int64_t index_at(const spw_index_array *a, int64_t d, int64_t k)
{
  const int64_t place = a->array.offset + d * a->array.strides[0] + k * a->array.strides[1];
  return a->array.dtype == SPW_INT64 ? a->i64[place] : a->i32[place];
}

static int compare_numbers(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* Sorted, each once; gives their number. */
static int64_t make_distinct(int64_t *numbers, int64_t n)
{
  int64_t kept = 0;
  if (n > 0) qsort(numbers, (size_t)n, sizeof *numbers, compare_numbers);
  for (int64_t i = 0; i < n; i++)
    if (kept == 0 || numbers[kept - 1] != numbers[i]) numbers[kept++] = numbers[i];
  return kept;
}

static int64_t place_among(const int64_t *numbers, int64_t n, int64_t number)
{
  int64_t lo = 0, hi = n;
  while (lo < hi) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (numbers[middle] < number)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* The elements of a COO matrix in their order, with rows counted among those that are there. */
static const spw_tensor *renumber(spw_composition *c, const spw_tensor *coo, row_product *p)
{
  const int64_t nse = coo->plain.array.shape[1];
  spw_dims_view *const v = spw_compose_view(c, coo);
  int64_t *const indices = v ? spw_compose_memory(c, 2 * nse, sizeof *indices) : NULL;
  p->rows = spw_compose_memory(c, nse, sizeof *p->rows);
  if (!indices || !p->rows) return NULL;
  for (int64_t k = 0; k < nse; k++) p->rows[k] = index_at(&coo->plain, 0, k);
  p->count = make_distinct(p->rows, nse);
  for (int64_t k = 0; k < nse; k++) {
    indices[k] = place_among(p->rows, p->count, index_at(&coo->plain, 0, k));
    indices[nse + k] = index_at(&coo->plain, 1, k);
  }
  v->size[0] = p->count;
  v->t.index_dtype = SPW_DTYPE_NONE;
  v->t.plain = (spw_index_array){.array = v->t.plain.array, .i64 = indices};
  v->t.plain.array.dtype = SPW_INT64;
  spw_view_in_order(v, 1);
  return &v->t;
}

/* A matrix times a matrix, which spw_multiply would take. */
static bool judge_matrices(spw_composition *c, const spw_tensor *a, const spw_tensor *b)
{
  int64_t dimension, entry;
  if (c->status != SPW_OK) return false;
  if (!a || !b || a->layout == SPW_DENSE || b->layout != SPW_DENSE) return c->status = SPW_EINVAL, false;
  c->status = spw_multiply_shape(a, b, &dimension, &entry, c->refusal);
  if (c->status != SPW_OK) return false;
  if (a->ndim != 2) spw_compose_refuse(c, 0, SPW_OBSTACLE_DIMENSIONS, -1, a->ndim, 2);
  if (b->values.array.ndim != 2) spw_compose_refuse(c, 1, SPW_OBSTACLE_DIMENSIONS, -1, b->values.array.ndim, 2);
  return c->status == SPW_OK;
}

static bool multiply_rows(spw_composition *c, const spw_tensor *a, const spw_tensor *b, row_product *p)
{
  spw_owned *owned = NULL;
  if (!judge_matrices(c, a, b)) return false;
  p->size[0] = a->size[0];
  p->size[1] = b->values.array.shape[1];
  p->index_dtype = a->plain.array.dtype;
  const spw_tensor *const coo = a->layout == SPW_COO ? a : spw_compose_layout(c, a, SPW_COO, 0);
  const spw_tensor *const dense_rows = coo ? renumber(c, coo, p) : NULL;
  if (!dense_rows) return false;
  const spw_status status = spw_multiply_new(dense_rows, b, c->left, &owned, c->refusal);
  p->dense = spw_compose_keep(c, status, &owned);
  return p->dense;
}

/* ---- Results ----------------------------------------------------------------------------------- */

static void put_index(void *indices, spw_dtype dtype, int64_t at, int64_t index)
{
  if (dtype == SPW_INT64)
    ((int64_t *)indices)[at] = index;
  else
    ((int32_t *)indices)[at] = (int32_t)index;
}

/* COO of those rows: with `elements`, an index for each of their elements, else hybrid. In the memory of the product. */
static const spw_tensor *store_rows(spw_composition *c, row_product *p, bool elements)
{
  spw_owned *const owned = p->dense ? spw_compose_owner(c, p->dense) : NULL;
  const int64_t width = p->size[1], sparse_dims = elements ? 2 : 1;
  int64_t nse = p->count;
  if (!owned || c->status != SPW_OK) return NULL;
  if (elements && __builtin_mul_overflow(nse, width, &nse)) nse = INT64_MAX;
  const int64_t most = p->index_dtype == SPW_INT32 ? INT32_MAX : INT64_MAX - 1;
  if (nse > most || (elements && width > most)) {
    spw_compose_refuse(c, 2, SPW_OBSTACLE_INDEX, -1, nse > most ? nse : width, most);
    return NULL;
  }
  void *const indices = spw_owned_alloc(owned, (size_t)(sparse_dims * nse), (size_t)spw_dtype_size(p->index_dtype));
  int64_t *const dims = spw_owned_alloc(owned, 12, sizeof *dims);
  if (!indices || !dims) return c->status = SPW_ENOMEM, NULL;
  for (int64_t k = 0; k < nse; k++) put_index(indices, p->index_dtype, k, p->rows[elements ? k / width : k]);
  for (int64_t k = 0; elements && k < nse; k++) put_index(indices, p->index_dtype, nse + k, k % width);
  const int64_t numbers[12] = {p->size[0], width, sparse_dims, nse, nse, 1, nse, width, elements ? 1 : width, 1, 0, 0};
  memcpy(dims, numbers, sizeof numbers);
  spw_tensor *const t = spw_owned_edit(owned);
  const spw_value_array values = t->values;
  const bool wide = p->index_dtype == SPW_INT64;
  *t = (spw_tensor){.layout = SPW_COO,
                    .has_size = true,
                    .ndim = 2,
                    .size = dims,
                    .index_dtype = p->index_dtype,
                    .dtype = values.array.dtype,
                    .coalesced = SPW_CLAIM_YES,
                    .values = values};
  t->plain.array = (spw_array){p->index_dtype, 2, dims + 2, dims + 4, 0, sparse_dims * nse};
  t->plain.i32 = wide ? NULL : indices;
  t->plain.i64 = wide ? indices : NULL;
  t->values.array.ndim = elements ? 1 : 2;
  t->values.array.shape = dims + 6;
  t->values.array.strides = dims + 8;
  c->left = spw_owned_left(owned) ? spw_owned_left(owned) : 1;
  return t;
}

static spw_status rows_new(const spw_tensor *a, const spw_tensor *b, bool elements, size_t limit, spw_owned **out,
                           spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  row_product p = {.count = 0};
  if (!out) return SPW_EINVAL;
  const spw_tensor *const result = multiply_rows(&c, a, b, &p) ? store_rows(&c, &p, elements) : NULL;
  return spw_compose_end(&c, result, out);
}

spw_status spw_hspmm_new(const spw_tensor *a, const spw_tensor *b, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  return rows_new(a, b, false, limit, out, refusal);
}

spw_status spw_smm_new(const spw_tensor *a, const spw_tensor *b, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  return rows_new(a, b, true, limit, out, refusal);
}

/* ---- beta C + alpha A B -------------------------------------------------------------------------- */

/* A factor in the type that is computed in. */
typedef struct factor {
  const void *value; /* null: 1, and nothing is multiplied */
  bool zero;
  float wide;
} factor;

static void take_factor(spw_composition *c, const void *given, spw_dtype dtype, factor *f)
{
  static const int64_t one[1] = {1};
  *f = (factor){.value = given, .zero = given && spw_compares_zero(dtype, given)};
  if (!given || !spw_is_half(dtype)) return;
  const spw_tensor single = {.layout = SPW_DENSE, .values = {{dtype, 1, one, one, 0, 1}, given}};
  uint16_t copy;
  memcpy(&copy, given, sizeof copy);
  spw_tensor aligned = single;
  aligned.values.data = &copy;
  const spw_tensor *const widened = spw_compose_widened(c, &aligned);
  if (!widened) return;
  memcpy(&f->wide, widened->values.data, sizeof f->wide);
  f->value = &f->wide;
}

static const spw_tensor *scaled(spw_composition *c, const spw_tensor *t, const factor *f)
{
  const spw_elementwise_request times = {.kind = SPW_SCALE, .scalar = f->value};
  return f->value ? spw_compose_elementwise(c, t, NULL, &times) : t;
}

/* beta C + alpha P of one layout: of two tensors that steps have made, or that are as they come. */
static const spw_tensor *add_scaled(spw_composition *c, const spw_tensor *t, const spw_tensor *product, const factor *beta,
                                    const factor *alpha)
{
  const spw_elementwise_request plus = {.kind = SPW_PLUS, .scalar = alpha->value};
  if (beta->zero) return scaled(c, product, alpha);
  const spw_tensor *const first = scaled(c, t, beta);
  return alpha->zero ? first : spw_compose_elementwise(c, first, product, &plus);
}

/* C, a matrix of the product's size and type. */
static bool judge_added(spw_composition *c, const spw_tensor *t, const int64_t size[2], spw_dtype dtype)
{
  if (!spw_compose_judge(c, t, 2)) return false;
  if (t->layout == SPW_DENSE) return c->status = SPW_EINVAL, false;
  if (!t->has_size)
    spw_compose_refuse(c, 2, SPW_OBSTACLE_NO_SIZE, -1, -1, -1);
  else if (t->ndim != 2)
    spw_compose_refuse(c, 2, SPW_OBSTACLE_DIMENSIONS, -1, t->ndim, 2);
  else if (t->values.array.dtype != dtype)
    spw_compose_refuse(c, 2, SPW_OBSTACLE_TYPES, -1, (int64_t)t->values.array.dtype, (int64_t)dtype);
  for (int64_t d = 0; c->status == SPW_OK && d < 2; d++)
    if (t->size[d] != size[d]) spw_compose_refuse(c, 2, SPW_OBSTACLE_SHAPES, d, t->size[d], size[d]);
  if (c->status == SPW_OK && t->layout == SPW_COO && t->plain.array.shape[0] != 2)
    spw_compose_refuse(c, 2, SPW_OBSTACLE_HYBRID, -1, 2 - t->plain.array.shape[0], 0);
  return c->status == SPW_OK;
}

spw_status spw_sspaddmm_new(const spw_tensor *c, const spw_tensor *a, const spw_tensor *b, const spw_factors *how, size_t limit,
                            spw_owned **out, spw_refusal *refusal)
{
  spw_composition steps = spw_compose_begin(limit, refusal);
  row_product p = {.count = 0};
  factor alpha, beta;
  if (!out || !how) return SPW_EINVAL;
  if (!judge_matrices(&steps, a, b)) return spw_compose_end(&steps, NULL, out);
  const int64_t size[2] = {a->size[0], b->values.array.shape[1]};
  const spw_dtype dtype = a->values.array.dtype;
  if (!judge_added(&steps, c, size, dtype)) return spw_compose_end(&steps, NULL, out);
  take_factor(&steps, how->alpha, dtype, &alpha);
  take_factor(&steps, how->beta, dtype, &beta);
  if (!how->beta) beta.zero = true;
  const spw_tensor *const wide_b = spw_compose_widened(&steps, b), *const wide_a = spw_compose_widened(&steps, a);
  const spw_tensor *product = NULL;
  if (!alpha.zero && steps.status == SPW_OK && multiply_rows(&steps, wide_a, wide_b, &p))
    product = store_rows(&steps, &p, true);
  const spw_tensor *sum = beta.zero ? NULL : spw_compose_layout(&steps, c, SPW_COO, 2);
  sum = spw_compose_widened(&steps, sum);
  /* One index type: that of C. */
  const spw_conversion like_c = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1, .index_dtype = c->plain.array.dtype};
  if (product && product->plain.array.dtype != like_c.index_dtype) product = spw_compose_convert(&steps, product, &like_c, 2);
  const spw_tensor *result = NULL;
  if (alpha.zero && beta.zero) {
    spw_owned *owned = NULL;
    const spw_making nothing = {
        .kind = SPW_MAKE_ZEROS, .layout = SPW_COO, .index_dtype = like_c.index_dtype, .dtype = dtype, .size = size, .ndim = 2};
    if (steps.status == SPW_OK)
      result = spw_compose_keep(&steps, spw_make_new(NULL, 0, &nothing, steps.left, &owned, refusal), &owned);
    return spw_compose_end(&steps, result, out);
  }
  result = add_scaled(&steps, sum, product, &beta, &alpha);
  if (result && !spw_compose_owner(&steps, result)) result = spw_compose_layout(&steps, result, SPW_COO, 2);
  if (result && steps.status == SPW_OK) result = spw_compose_narrowed(&steps, result, dtype);
  return spw_compose_end(&steps, result, out);
}

/* ---- Of three compressed ones -------------------------------------------------------------------- */

/* All CSR, or all CSC. */
static bool judge_layouts(spw_composition *c, const spw_tensor *const t[3])
{
  for (int i = 0; i < 3; i++)
    if (!spw_compose_judge(c, t[i], i)) return false;
  const spw_layout layout = t[0]->layout == SPW_CSC ? SPW_CSC : SPW_CSR;
  for (int i = 0; i < 3; i++)
    if (t[i]->layout != layout) spw_compose_refuse(c, i, SPW_OBSTACLE_LAYOUT, -1, (int64_t)t[i]->layout, (int64_t)layout);
  for (int i = 0; c->status == SPW_OK && i < 3; i++) {
    const spw_dtype own = t[i]->plain.array.dtype, first = t[0]->plain.array.dtype;
    if (own != first) spw_compose_refuse(c, i, SPW_OBSTACLE_TYPES, -1, (int64_t)own, (int64_t)first);
    if (!t[i]->has_size)
      spw_compose_refuse(c, i, SPW_OBSTACLE_NO_SIZE, -1, -1, -1);
    else if (t[i]->ndim != 2)
      spw_compose_refuse(c, i, SPW_OBSTACLE_DIMENSIONS, -1, t[i]->ndim, 2);
  }
  return c->status == SPW_OK;
}

spw_status spw_multiply_add_sparse_new(const spw_tensor *c, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                       size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition steps = spw_compose_begin(limit, refusal);
  const spw_tensor *const all[3] = {a, b, c};
  size_t work;
  int64_t multiplications;
  factor alpha, beta;
  spw_owned *owned = NULL;
  if (!out || !how) return SPW_EINVAL;
  if (!judge_layouts(&steps, all)) return spw_compose_end(&steps, NULL, out);
  const int64_t size[2] = {a->size[0], b->size[1]};
  const spw_dtype dtype = a->values.array.dtype;
  if (steps.status == SPW_OK) steps.status = spw_multiply_sparse_work(a, b, &work, &multiplications, refusal);
  if (!judge_added(&steps, c, size, dtype)) return spw_compose_end(&steps, NULL, out);
  take_factor(&steps, how->alpha, dtype, &alpha);
  take_factor(&steps, how->beta, dtype, &beta);
  if (!how->beta) beta.zero = true;
  const spw_tensor *const wide_a = spw_compose_widened(&steps, a), *const wide_b = spw_compose_widened(&steps, b);
  const spw_tensor *product = NULL;
  if (steps.status == SPW_OK && !alpha.zero)
    product = spw_compose_keep(&steps, spw_multiply_sparse_new(wide_a, wide_b, steps.left, 0, &owned, refusal), &owned);
  const spw_tensor *const sum = beta.zero ? NULL : spw_compose_widened(&steps, spw_compose_layout(&steps, c, c->layout, 2));
  const spw_tensor *result = NULL;
  if (alpha.zero && beta.zero) {
    const spw_making nothing = {.kind = SPW_MAKE_ZEROS,
                                .layout = c->layout,
                                .index_dtype = c->plain.array.dtype,
                                .dtype = dtype,
                                .size = size,
                                .ndim = 2};
    owned = NULL;
    if (steps.status == SPW_OK)
      result = spw_compose_keep(&steps, spw_make_new(NULL, 0, &nothing, steps.left, &owned, refusal), &owned);
    return spw_compose_end(&steps, result, out);
  }
  result = add_scaled(&steps, sum, product, &beta, &alpha);
  if (result && !spw_compose_owner(&steps, result)) result = spw_compose_layout(&steps, result, c->layout, 2);
  if (result && steps.status == SPW_OK) result = spw_compose_narrowed(&steps, result, dtype);
  return spw_compose_end(&steps, result, out);
}
