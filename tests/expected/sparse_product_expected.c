/* SPDX-License-Identifier: Apache-2.0 */
#include "sparse_product_expected.h"

#include "meaning.h"
#include "scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200000 };

static unsigned bit(spw_obstacle obstacle)
{
  return 1u << obstacle;
}

/* What can be said of one operand. */
static unsigned alone(const spw_tensor *t, bool converts)
{
  spw_numbers n;
  unsigned why = 0;
  spw_numbers_of(t, &n);
  if (!t->has_size) why |= bit(SPW_OBSTACLE_NO_SIZE);
  if (n.dense_dims > 0) why |= bit(SPW_OBSTACLE_HYBRID);
  if (converts && t->layout == SPW_COO && n.sparse_dims < 2) why |= bit(SPW_OBSTACLE_DIMENSIONS);
  if (t->has_size && t->ndim < 2) why |= bit(SPW_OBSTACLE_DIMENSIONS);
  return why;
}

/* The operands have a size of two dimensions at least. */
static unsigned together(const spw_tensor *a, const spw_tensor *b)
{
  const int64_t n = a->ndim - 2;
  if (a->ndim != b->ndim) return bit(SPW_OBSTACLE_DIMENSIONS);
  if (a->size[n + 1] != b->size[n]) return bit(SPW_OBSTACLE_SHAPES);
  for (int64_t d = 0; d < n; d++)
    if (a->size[d] != b->size[d]) return bit(SPW_OBSTACLE_SHAPES);
  return 0;
}

static unsigned layouts(const spw_tensor *a, const spw_tensor *b)
{
  const bool lines = a->layout == SPW_CSR || a->layout == SPW_CSC;
  return lines && a->layout == b->layout ? 0 : bit(SPW_OBSTACLE_LAYOUT);
}

/* The batches of a compressed tensor have one number of elements. */
static bool batches_alike(const bool *specified, int64_t batches, int64_t positions)
{
  int64_t first = 0;
  for (int64_t b = 0; b < batches; b++) {
    int64_t n = 0;
    for (int64_t p = 0; p < positions; p++) n += specified[b * positions + p];
    if (b == 0) first = n;
    if (n != first) return false;
  }
  return true;
}

static int64_t batch_of(const meaning *m, const cell *x)
{
  int64_t batch = 0;
  for (int64_t d = 0; d < m->ndim - 2; d++) batch = batch * m->size[d] + x->at[d];
  return batch;
}

static void add_pairs(const meaning *a, const meaning *b, scalar_sum *sums, bool *specified)
{
  const int64_t n = a->ndim - 2, rows = a->size[n], columns = b->size[n + 1];
  for (int64_t i = 0; i < a->count; i++)
    for (int64_t j = 0; j < b->count; j++) {
      const cell *const x = &a->cells[i], *const y = &b->cells[j];
      if (x->at[n + 1] != y->at[n] || batch_of(a, x) != batch_of(b, y)) continue;
      const int64_t to = (batch_of(a, x) * rows + x->at[n]) * columns + y->at[n + 1];
      specified[to] = true;
      scalar_sum_add(&sums[to], x->scalars, y->scalars);
    }
}

static bool spell_out(const spw_tensor *a, const spw_tensor *b, sparse_product_expected *e)
{
  const int64_t n = a->ndim - 2;
  int64_t batches = 1;
  e->ndim = a->ndim;
  e->count = 1;
  for (int64_t d = 0; d < a->ndim; d++) {
    e->size[d] = d == n + 1 ? b->size[d] : a->size[d];
    if (e->size[d] > MOST || e->count > MOST) return false;
    e->count *= e->size[d];
    if (d < n) batches *= e->size[d];
  }
  meaning x, y;
  if (e->count > MOST || !meaning_of(a, 0, &x)) return false;
  if (!meaning_of(b, 0, &y)) return meaning_free(&x), false;
  meaning_sort(&x);
  meaning_sort(&y);
  meaning_combine(&x, SPW_COMBINE_SUM);
  meaning_combine(&y, SPW_COMBINE_SUM);
  scalar_sum *const sums = calloc((size_t)e->count + 1, sizeof *sums);
  e->specified = calloc((size_t)e->count + 1, sizeof *e->specified);
  e->values = calloc((size_t)e->count + 1, 16);
  if (!sums || !e->specified || !e->values) abort();
  for (int64_t p = 0; p < e->count; p++) sums[p] = scalar_nothing(x.dtype);
  add_pairs(&x, &y, sums, e->specified);
  for (int64_t p = 0; p < e->count; p++) {
    e->nse += e->specified[p];
    scalar_sum_store(&sums[p], NULL, NULL, e->values + 16 * p);
  }
  if (!batches_alike(e->specified, batches, batches > 0 ? e->count / batches : 0)) e->obstacles |= bit(SPW_OBSTACLE_BATCHES);
  free(sums);
  meaning_free(&x);
  meaning_free(&y);
  return e->nse <= MEANING_SCALARS; /* a result with more is not read */
}

/* COO of several matrices becomes CSR only where all have as many elements. */
static bool may_be_uneven(const spw_tensor *t)
{
  return t->layout == SPW_COO && t->ndim > 2;
}

void expect_sparse_product(const spw_tensor *a, const spw_tensor *b, bool converts, sparse_product_expected *e)
{
  bool valid[2] = {false, false};
  memset(e, 0, sizeof *e);
  e->known = true;
  e->status = spw_is_valid(a, SPW_CANONICAL, &valid[0]);
  if (e->status == SPW_OK) e->status = spw_is_valid(b, SPW_CANONICAL, &valid[1]);
  if (e->status == SPW_OK && !(valid[0] && valid[1])) e->status = SPW_EINVALID;
  if (e->status != SPW_OK) return;
  e->obstacles = alone(a, converts) | alone(b, converts);
  if (a->has_size && a->ndim >= 2 && b->has_size && b->ndim >= 2) e->obstacles |= together(a, b);
  if (a->values.array.dtype != b->values.array.dtype) e->obstacles |= bit(SPW_OBSTACLE_TYPES);
  if (!converts) e->obstacles |= layouts(a, b);
  if (!converts && a->plain.array.dtype != b->plain.array.dtype) e->obstacles |= bit(SPW_OBSTACLE_TYPES);
  const bool uneven = converts && (may_be_uneven(a) || may_be_uneven(b));
  if (e->obstacles == 0) e->known = !uneven && spell_out(a, b, e);
  if (uneven) e->obstacles |= bit(SPW_OBSTACLE_BATCHES);
  if (e->obstacles != 0) e->status = SPW_ERANGE;
}

void sparse_product_expected_free(sparse_product_expected *e)
{
  free(e->specified);
  free(e->values);
  e->specified = NULL;
  e->values = NULL;
}

static char message[200];

#define WRONG(...) (snprintf(message, sizeof message, __VA_ARGS__), message)

static const char *wrong_cells(const sparse_product_expected *e, const meaning *m)
{
  if (m->count != e->nse) return WRONG("%lld elements, not %lld", (long long)m->count, (long long)e->nse);
  for (int64_t k = 0; k < m->count; k++) {
    int64_t p = 0;
    for (int64_t d = 0; d < e->ndim; d++) p = p * e->size[d] + m->cells[k].at[d];
    if (!e->specified[p]) return WRONG("position %lld is specified", (long long)p);
    if (!scalar_same(m->dtype, e->values + 16 * p, m->cells[k].scalars, true)) return WRONG("the value at %lld", (long long)p);
  }
  return NULL;
}

const char *wrong_sparse_product(const sparse_product_expected *e, const spw_tensor *result)
{
  bool valid = false;
  meaning m;
  if (spw_is_valid(result, SPW_CANONICAL, &valid) != SPW_OK || !valid) return "the result is invalid";
  if (!result->has_size || result->ndim != e->ndim) return "it has other dimensions";
  for (int64_t d = 0; d < e->ndim; d++)
    if (result->size[d] != e->size[d]) return "it has another size";
  if (!meaning_of(result, 0, &m)) return "it is beyond what is spelled out";
  const char *const wrong = wrong_cells(e, &m);
  meaning_free(&m);
  return wrong;
}
