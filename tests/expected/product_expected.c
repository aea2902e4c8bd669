/* SPDX-License-Identifier: Apache-2.0 */
#include "product_expected.h"

#include "meaning.h"
#include "scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *element_of(const spw_array *a, const void *data, int64_t number)
{
  return (const char *)data + meaning_place(a, number) * scalar_width(a->dtype);
}

/* The shapes as matrices: batches are alike, and a vector is one line that the other side of it lacks. */
typedef struct shapes {
  bool from_left; /* the dense operand is the left one */
  bool vector;
  int64_t batch_dims, rows, inner, columns;
} shapes;

static unsigned misfits(const spw_tensor *a, const spw_tensor *b, const spw_array *c, shapes *s)
{
  const spw_tensor *const sparse = a->layout == SPW_DENSE ? b : a;
  const spw_array *const dense = a->layout == SPW_DENSE ? &a->values.array : &b->values.array;
  const int64_t n = sparse->ndim - 2, *const size = sparse->size;
  unsigned why = 0;
  s->from_left = a->layout == SPW_DENSE;
  s->batch_dims = n;
  s->vector = n == 0 && dense->ndim == 1;
  if (dense->ndim != (s->vector ? 1 : n + 2)) return 1u << SPW_OBSTACLE_DIMENSIONS;
  s->inner = s->from_left ? size[n] : size[n + 1];
  const int64_t outer = s->from_left ? size[n + 1] : size[n];
  const int64_t free_at = s->from_left ? n : n + 1, bound_at = s->from_left ? n + 1 : n;
  const int64_t freely = s->vector ? 1 : dense->shape[free_at];
  if (dense->shape[s->vector ? 0 : bound_at] != s->inner) why |= 1u << SPW_OBSTACLE_SHAPES;
  for (int64_t d = 0; d < n; d++)
    if (dense->shape[d] != size[d]) why |= 1u << SPW_OBSTACLE_SHAPES;
  if (c->ndim != dense->ndim) return why | 1u << SPW_OBSTACLE_DIMENSIONS;
  for (int64_t d = 0; d < n; d++)
    if (c->shape[d] != size[d]) why |= 1u << SPW_OBSTACLE_SHAPES;
  s->rows = s->from_left ? freely : outer;
  s->columns = s->from_left ? outer : freely;
  const bool fits = s->vector ? c->shape[0] == outer : c->shape[n] == s->rows && c->shape[n + 1] == s->columns;
  return fits ? why : why | 1u << SPW_OBSTACLE_SHAPES;
}

/* Cells of a compressed tensor in the order of their columns, of COO in the order of storage; where the sparse operand
 * is on the right the same of its rows: then row-major order does it. */
static void add_all(const meaning *m, const shapes *s, const spw_value_array *dense, scalar_sum *sums)
{
  for (int64_t k = 0; k < m->count; k++) {
    const cell *const x = &m->cells[k];
    const int64_t i = x->at[s->batch_dims], j = x->at[s->batch_dims + 1];
    int64_t batch = 0;
    for (int64_t d = 0; d < s->batch_dims; d++) batch = batch * m->size[d] + x->at[d];
    for (int64_t t = 0; t < (s->from_left ? s->rows : s->columns); t++) {
      const int64_t to = s->from_left ? (batch * s->rows + t) * s->columns + j : (batch * s->rows + i) * s->columns + t;
      const int64_t from = s->from_left ? (batch * s->rows + t) * s->inner + i : (batch * s->inner + j) * s->columns + t;
      scalar_sum_add(&sums[to], x->scalars, element_of(&dense->array, dense->data, from));
    }
  }
}

static void finish(const spw_factors *how, const spw_output *c, const scalar_sum *sums, product_expected *e)
{
  const spw_dtype dtype = c->array.dtype;
  const int64_t width = scalar_width(dtype);
  const void *const beta = how->beta && !scalar_is_zero(dtype, how->beta) ? how->beta : NULL;
  for (int64_t k = 0; k < e->count; k++) {
    uint8_t *const to = e->elements + k * width;
    if (beta) memcpy(to, element_of(&c->array, c->data, k), (size_t)width);
    if (!how->alpha || !scalar_is_zero(dtype, how->alpha)) scalar_sum_store(&sums[k], how->alpha, beta, to);
    else if (beta) scalar_multiply(dtype, beta, to);
  }
}

void expect_product(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c, product_expected *e)
{
  const spw_tensor *const sparse = a->layout == SPW_DENSE ? b : a, *const dense = a->layout == SPW_DENSE ? a : b;
  meaning m;
  shapes s = {0};
  bool valid = false;
  memset(e, 0, sizeof *e);
  e->known = true;
  e->status = spw_is_valid(sparse, SPW_CANONICAL, &valid);
  if (e->status == SPW_OK && !valid) e->status = SPW_EINVALID;
  if (e->status != SPW_OK) return;
  e->status = SPW_ERANGE;
  const spw_dtype dtype = sparse->values.array.dtype;
  spw_numbers n;
  spw_numbers_of(sparse, &n);
  if (!sparse->has_size) e->obstacles |= 1u << SPW_OBSTACLE_NO_SIZE;
  if (n.dense_dims > 0) e->obstacles |= 1u << SPW_OBSTACLE_HYBRID;
  if (sparse->has_size && sparse->ndim < 2) e->obstacles |= 1u << SPW_OBSTACLE_DIMENSIONS;
  if (e->obstacles == 0) e->obstacles = misfits(a, b, &c->array, &s);
  if (dense->values.array.dtype != dtype || c->array.dtype != dtype) e->obstacles |= 1u << SPW_OBSTACLE_TYPES;
  if (e->obstacles != 0) return;
  e->status = SPW_OK;
  e->count = meaning_count(&c->array);
  e->known = meaning_of(sparse, 0, &m);
  if (!e->known) return;
  if (sparse->layout != SPW_COO) meaning_sort(&m);
  e->elements = calloc((size_t)e->count + 1, 16);
  scalar_sum *const sums = calloc((size_t)e->count + 1, sizeof *sums);
  if (!e->elements || !sums) abort();
  for (int64_t k = 0; k < e->count; k++) sums[k] = scalar_nothing(dtype);
  add_all(&m, &s, &dense->values, sums);
  finish(how, c, sums, e);
  free(sums);
  meaning_free(&m);
}

void product_expected_free(product_expected *e)
{
  free(e->elements);
  e->elements = NULL;
}

static const char *text_of(const void *scalar, int64_t width, char *text)
{
  for (int64_t i = 0; i < width; i++) snprintf(text + 2 * i, 3, "%02x", ((const uint8_t *)scalar)[width - 1 - i]);
  return text;
}

const char *wrong_product(const product_expected *e, const spw_output *c)
{
  static char message[160];
  char have[40], want[40];
  const int64_t width = scalar_width(c->array.dtype);
  for (int64_t k = 0; k < e->count; k++) {
    const char *const element = element_of(&c->array, c->data, k);
    if (scalar_same(c->array.dtype, e->elements + k * width, element, true)) continue;
    snprintf(message, sizeof message, "element %lld is %s and should be %s", (long long)k, text_of(element, width, have),
             text_of(e->elements + k * width, width, want));
    return message;
  }
  return NULL;
}
