/* SPDX-License-Identifier: Apache-2.0 */
/* Products and sums that are made of others, against plain sums over lists of elements (meaning.h): random operands of every
 * layout and type, what must be refused, and limits of memory. */
#include "../expected/meaning.h"
#include "../expected/oracle.h"
#include "../expected/scalar.h"
#include "../operands/strided.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NSE = 14, WIDE = 16, ROUNDS = 2500 };

/* ---- Operands ---------------------------------------------------------------------------------- */

/* COO in any order, with duplicates or not, perhaps converted. */
typedef struct sparse {
  int64_t size[4], shape[2], strides[2], indices[3 * MOST_NSE];
  int32_t narrow[3 * MOST_NSE];
  strided values;
  spw_tensor coo;
  spw_owned *converted;
  const spw_tensor *t;
} sparse;

static void sparse_make(sparse *x, spw_layout layout, int64_t dims, const int64_t *size, int64_t dense, spw_dtype dtype,
                        dice *d)
{
  const bool wide = roll_below(d, 2);
  int64_t places = 1;
  memset(x, 0, sizeof *x);
  for (int64_t i = 0; i < dims; i++) places *= x->size[i] = size[i];
  const int64_t nse = places == 0 ? 0 : roll_below(d, MOST_NSE + 1);
  for (int64_t i = 0; i < dims * nse; i++) {
    x->indices[i] = roll_below(d, size[i / nse]);
    x->narrow[i] = (int32_t)x->indices[i];
  }
  x->shape[0] = dims;
  x->shape[1] = x->strides[0] = nse;
  x->strides[1] = 1;
  x->values.array.ndim = dense > 0 ? 2 : 1;
  x->values.shape[0] = nse;
  x->values.shape[1] = x->size[dims] = dense;
  strided_make(&x->values, dtype, -1, true, d);
  x->coo = (spw_tensor){.layout = SPW_COO,
                        .has_size = true,
                        .ndim = dims + (dense > 0),
                        .size = x->size,
                        .coalesced = SPW_CLAIM_NO,
                        .plain = {{wide ? SPW_INT64 : SPW_INT32, 2, x->shape, x->strides, 0, dims * nse},
                                  .i32 = wide ? NULL : x->narrow,
                                  .i64 = wide ? x->indices : NULL},
                        .values = {x->values.array, x->values.data}};
  x->t = &x->coo;
  if (layout == SPW_COO && roll_below(d, 2)) return;
  const spw_conversion to = {
      .layout = layout, .block_rows = layout > SPW_CSC, .block_columns = layout > SPW_CSC, .batch_dims = -1, .dense_dims = -1};
  if (spw_convert_new(&x->coo, &to, 0, &x->converted, NULL) == SPW_OK) x->t = spw_owned_tensor(x->converted);
}

static void sparse_free(sparse *x)
{
  strided_free(&x->values);
  spw_owned_free(x->converted);
}

static spw_tensor dense_make(strided *x, int64_t ndim, const int64_t *shape, spw_dtype dtype, dice *d)
{
  x->array.ndim = ndim;
  for (int64_t i = 0; i < ndim; i++) x->shape[i] = shape[i];
  strided_make(x, dtype, -1, true, d);
  return (spw_tensor){.layout = SPW_DENSE, .values = {x->array, x->data}};
}

static const void *at_of(const spw_tensor *dense, const int64_t *at)
{
  const spw_array *const a = &dense->values.array;
  int64_t place = a->offset;
  for (int64_t d = 0; d < a->ndim; d++) place += at[d] * a->strides[d];
  return (const char *)dense->values.data + place * scalar_width(a->dtype);
}

static spw_dtype any_type(dice *d)
{
  return (spw_dtype)(SPW_BOOL + roll_below(d, 12));
}

static spw_layout any_layout(dice *d)
{
  return (spw_layout)roll_below(d, 5);
}

static void expect_valid(const spw_tensor *t, const char *what, uint64_t seed)
{
  spw_report report;
  cr_assert(oracle_check(t, SPW_CANONICAL, &report) && report.valid, "%s, seed %llu: rule %d", what, (unsigned long long)seed,
            (int)oracle_first_violation(&report).rule);
}

static bool find_cell(const meaning *m, const int64_t *at, const uint8_t **scalars)
{
  for (int64_t k = 0; k < m->count; k++)
    if (memcmp(m->cells[k].at, at, (size_t)m->leading * sizeof *at) == 0) return *scalars = m->cells[k].scalars, true;
  return false;
}

/* ---- Sparse products ----------------------------------------------------------------------------- */

/* The sum of row r times column j, by the elements of a in their order; false where there is none. */
static bool sum_of(const meaning *a, const spw_tensor *b, int64_t r, int64_t j, scalar_sum *sum)
{
  bool any = false;
  *sum = scalar_nothing(a->dtype);
  for (int64_t k = 0; k < a->count; k++) {
    const int64_t at[2] = {a->cells[k].at[1], j};
    if (a->cells[k].at[0] != r) continue;
    any = true;
    scalar_sum_add(sum, a->cells[k].scalars, at_of(b, at));
  }
  return any;
}

static bool sum_of_sparse(const meaning *a, const meaning *b, int64_t r, int64_t j, scalar_sum *sum)
{
  bool any = false;
  *sum = scalar_nothing(a->dtype);
  for (int64_t k = 0; k < a->count; k++) {
    const int64_t at[2] = {a->cells[k].at[1], j};
    const uint8_t *scalar;
    if (a->cells[k].at[0] != r || !find_cell(b, at, &scalar)) continue;
    any = true;
    scalar_sum_add(sum, a->cells[k].scalars, scalar);
  }
  return any;
}

Test(compose, rows_of_products)
{
  int64_t stored = 0;
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    dice d = {seed};
    static sparse a;
    strided y;
    const int64_t size[2] = {roll_below(&d, 7), roll_below(&d, 6)}, shape[2] = {size[1], roll_below(&d, 5)};
    const spw_dtype dtype = any_type(&d);
    const bool hybrid = roll_below(&d, 2);
    sparse_make(&a, any_layout(&d), 2, size, 0, dtype, &d);
    const spw_tensor b = dense_make(&y, 2, shape, dtype, &d);
    spw_owned *owned = NULL;
    const spw_status status = (hybrid ? spw_hspmm_new : spw_smm_new)(a.t, &b, 0, &owned, NULL);
    cr_assert_eq(status, SPW_OK, "seed %llu: %d", (unsigned long long)seed, (int)status);
    const spw_tensor *const made = spw_owned_tensor(owned);
    meaning m, got;
    expect_valid(made, "rows", seed);
    cr_assert(meaning_of(a.t, 0, &m) && meaning_of(made, 0, &got));
    cr_assert(made->coalesced == SPW_CLAIM_YES && made->size[0] == size[0] && made->size[1] == shape[1] &&
              got.leading == 2 - hybrid);
    int64_t cells = 0;
    for (int64_t r = 0; r < size[0]; r++)
      for (int64_t j = 0; j < shape[1]; j++) {
        scalar_sum sum;
        uint8_t wanted_bits[WIDE] = {0};
        const uint8_t *scalar = NULL;
        const int64_t at[2] = {r, j};
        const bool any = sum_of(&m, &b, r, j, &sum), there = find_cell(&got, at, &scalar);
        cr_assert_eq(any, there, "seed %llu: row %lld", (unsigned long long)seed, (long long)r);
        if (!any) continue;
        if (hybrid) scalar += j * scalar_width(dtype);
        scalar_sum_store(&sum, NULL, NULL, wanted_bits);
        cr_assert(scalar_same(dtype, wanted_bits, scalar, true), "seed %llu: [%lld, %lld]", (unsigned long long)seed,
                  (long long)r, (long long)j);
        cells += !hybrid || j == 0;
      }
    cr_assert(shape[1] == 0 || got.count == cells);
    stored += cells;
    meaning_free(&m);
    meaning_free(&got);
    spw_owned_free(owned);
    strided_free(&y);
    sparse_free(&a);
  }
  cr_assert(stored > ROUNDS, "%lld", (long long)stored);
  expect_no_leaks();
}

/* beta C + alpha A B at [r, j], or that nothing is specified there. */
static bool expected_sum(const meaning *c, const scalar_sum *sum, bool any, const spw_factors *how, const int64_t *at,
                         uint8_t *wanted_bits)
{
  const spw_dtype dtype = c->dtype;
  const uint8_t *scalar = NULL;
  const bool no_c = !how->beta || scalar_is_zero(dtype, how->beta),
             no_product = how->alpha && scalar_is_zero(dtype, how->alpha);
  const bool in_c = !no_c && find_cell(c, at, &scalar), in_product = !no_product && any;
  memset(wanted_bits, 0, WIDE);
  if (in_c) memcpy(wanted_bits, scalar, (size_t)scalar_width(dtype));
  if (in_c && in_product && !how->alpha && scalar_is_complex(dtype)) { /* not times 1, which may make a NaN */
    uint8_t product[WIDE] = {0};
    scalar_sum_store(sum, NULL, NULL, product);
    scalar_multiply(dtype, how->beta, wanted_bits);
    scalar_add(dtype, wanted_bits, product);
  } else if (in_c && in_product) {
    scalar_sum_store(sum, how->alpha, how->beta, wanted_bits);
  }
  if (in_c && !in_product) scalar_multiply(dtype, how->beta, wanted_bits);
  if (!in_c && in_product) scalar_sum_store(sum, how->alpha, NULL, wanted_bits);
  return in_c || in_product;
}

static void expect_sums(const meaning *c, const meaning *a, const meaning *b, const spw_tensor *dense, const spw_factors *how,
                        const spw_tensor *made, uint64_t seed)
{
  meaning got;
  int64_t cells = 0;
  expect_valid(made, "sum", seed);
  cr_assert(meaning_of(made, 0, &got) && got.dtype == c->dtype && made->size[0] == c->size[0] && made->size[1] == c->size[1]);
  for (int64_t r = 0; r < c->size[0]; r++)
    for (int64_t j = 0; j < c->size[1]; j++) {
      scalar_sum sum;
      uint8_t wanted_bits[WIDE];
      const uint8_t *scalar = NULL;
      const int64_t at[2] = {r, j};
      const bool any = dense ? sum_of(a, dense, r, j, &sum) : sum_of_sparse(a, b, r, j, &sum);
      const bool wanted = expected_sum(c, &sum, any, how, at, wanted_bits), there = find_cell(&got, at, &scalar);
      cr_assert_eq(wanted, there, "seed %llu: [%lld, %lld]", (unsigned long long)seed, (long long)r, (long long)j);
      if (!wanted) continue;
      cells++;
      cr_assert(scalar_same(c->dtype, wanted_bits, scalar, true), "seed %llu: type %d [%lld, %lld]", (unsigned long long)seed,
                (int)c->dtype, (long long)r, (long long)j);
    }
  cr_assert_eq(got.count, cells);
  meaning_free(&got);
}

Test(compose, sums_of_products)
{
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    dice d = {seed};
    static sparse a, b, c;
    strided y;
    uint64_t numbers[4];
    const int64_t rows = roll_below(&d, 6), inner = roll_below(&d, 6), columns = roll_below(&d, 6);
    const int64_t of_a[2] = {rows, inner}, of_b[2] = {inner, columns}, of_c[2] = {rows, columns};
    const spw_dtype dtype = any_type(&d);
    const bool compressed = roll_below(&d, 2);
    const spw_layout layout = roll_below(&d, 2) ? SPW_CSR : SPW_CSC;
    const spw_factors how = draw_factors(dtype, numbers, &d);
    sparse_make(&a, compressed ? layout : any_layout(&d), 2, of_a, 0, dtype, &d);
    sparse_make(&b, layout, 2, of_b, 0, dtype, &d);
    sparse_make(&c, compressed ? layout : any_layout(&d), 2, of_c, 0, dtype, &d);
    const spw_tensor x = dense_make(&y, 2, of_b, dtype, &d);
    spw_owned *owned = NULL;
    spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
    const spw_status status = compressed ? spw_multiply_add_sparse_new(c.t, a.t, b.t, &how, 0, &owned, &refusal)
                                         : spw_sspaddmm_new(c.t, a.t, &x, &how, 0, &owned, &refusal);
    const spw_dtype index = a.t->plain.array.dtype;
    const bool unlike = compressed && (b.t->plain.array.dtype != index || c.t->plain.array.dtype != index);
    cr_assert_eq(status, unlike ? SPW_ERANGE : SPW_OK, "seed %llu: %d, obstacle %d", (unsigned long long)seed, (int)status,
                 (int)refusal.obstacle);
    if (unlike) {
      cr_assert_eq(refusal.obstacle, SPW_OBSTACLE_TYPES);
    } else {
      meaning of[3];
      cr_assert(meaning_of(c.t, 0, &of[0]) && meaning_of(a.t, 0, &of[1]) && meaning_of(b.t, 0, &of[2]));
      meaning_sort(&of[0]);
      meaning_combine(&of[0], SPW_COMBINE_SUM);
      expect_sums(&of[0], &of[1], &of[2], compressed ? NULL : &x, &how, spw_owned_tensor(owned), seed);
      for (int i = 0; i < 3; i++) meaning_free(&of[i]);
    }
    spw_owned_free(owned);
    strided_free(&y);
    sparse_free(&a);
    sparse_free(&b);
    sparse_free(&c);
  }
  expect_no_leaks();
}

/* ---- Products of any dimensions ------------------------------------------------------------------- */

/* Element [batch, i, j] of a product with a sparse operand, whose cells are m; the other is dense. */
static void element_of(const meaning *m, const spw_tensor *dense, bool left, const int64_t *batch, int64_t dims, int64_t i,
                       int64_t j, const spw_tensor *bias, uint8_t *wanted_bits)
{
  const int64_t own = m->ndim - 2, its = dense->values.array.ndim - 2;
  scalar_sum sum = scalar_nothing(m->dtype);
  for (int64_t k = 0; k < m->count; k++) {
    const int64_t *const at = m->cells[k].at;
    int64_t other[8];
    bool here = at[own + !left] == (left ? i : j);
    for (int64_t b = 0; b < own; b++) here = here && at[b] == (m->size[b] == 1 ? 0 : batch[dims - own + b]);
    if (!here) continue;
    for (int64_t b = 0; b < its; b++) other[b] = dense->values.array.shape[b] == 1 ? 0 : batch[dims - its + b];
    other[its] = left ? at[own + 1] : i;
    other[its + 1] = left ? j : at[own];
    if (left)
      scalar_sum_add(&sum, m->cells[k].scalars, at_of(dense, other));
    else
      scalar_sum_add(&sum, at_of(dense, other), m->cells[k].scalars);
  }
  uint8_t one[WIDE];
  scalar_one(m->dtype, one);
  memset(wanted_bits, 0, WIDE);
  if (bias) memcpy(wanted_bits, at_of(bias, &j), (size_t)scalar_width(m->dtype));
  scalar_sum_store(&sum, NULL, bias ? one : NULL, wanted_bits);
}

Test(compose, matmul)
{
  int64_t results = 0, refused = 0;
  for (uint64_t seed = 0; seed < 2 * ROUNDS; seed++) {
    dice d = {seed};
    static sparse a;
    strided y;
    const spw_dtype dtype = any_type(&d);
    const bool left = roll_below(&d, 2), vector = roll_below(&d, 5) == 0;
    const int64_t batch_a = roll_below(&d, 2), batch_b = vector ? 0 : roll_below(&d, 3);
    const int64_t rows = roll_below(&d, 5), inner = roll_below(&d, 5), columns = roll_below(&d, 5), both = roll_below(&d, 4);
    int64_t size[3], shape[4], dims = batch_a > batch_b ? batch_a : batch_b, batch[2] = {1, 1};
    size[0] = roll_below(&d, 3) ? both : 1;
    size[batch_a] = left ? rows : inner;
    size[batch_a + 1] = left ? inner : columns;
    for (int64_t b = 0; b < batch_b; b++) shape[b] = b == batch_b - 1 ? (roll_below(&d, 3) ? both : 1) : roll_below(&d, 3);
    shape[batch_b] = left ? inner : rows;
    shape[batch_b + 1] = left ? columns : inner;
    if (vector) shape[0] = inner;
    for (int64_t b = 0; b < dims; b++) {
      const int64_t x = b < dims - batch_a ? 1 : size[b - (dims - batch_a)],
                    z = b < dims - batch_b ? 1 : shape[b - (dims - batch_b)];
      batch[b] = x == 1 ? z : x;
    }
    sparse_make(&a, roll_below(&d, 4) ? SPW_CSR + (spw_layout)roll_below(&d, 4) : SPW_COO, 2 + batch_a, size, 0, dtype, &d);
    const spw_tensor x = dense_make(&y, vector ? 1 : 2 + batch_b, shape, dtype, &d);
    const bool coo = a.t->layout == SPW_COO, broadcast = coo && (batch_a != dims || (dims == 1 && size[0] != batch[0]));
    spw_owned *owned = NULL;
    spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
    const spw_status status =
        left ? spw_matmul_new(a.t, &x, 0, &owned, &refusal) : spw_matmul_new(&x, a.t, 0, &owned, &refusal);
    cr_assert_eq(status, broadcast ? SPW_ERANGE : SPW_OK, "seed %llu: layout %d: %d, obstacle %d", (unsigned long long)seed,
                 (int)a.t->layout, (int)status, (int)refusal.obstacle);
    if (broadcast) {
      refused++;
      cr_assert(refusal.operand == !left &&
                (refusal.obstacle == SPW_OBSTACLE_DIMENSIONS || refusal.obstacle == SPW_OBSTACLE_SHAPES));
    } else {
      const spw_tensor *const made = spw_owned_tensor(owned);
      const int64_t ndim = dims + 2 - vector, m = left ? rows : vector ? 1 : rows, n = left ? (vector ? 1 : columns) : columns;
      meaning of;
      int64_t total = m * n;
      /* the vector as the matrix that it stands for */
      spw_tensor matrix = x;
      int64_t turned[4];
      if (vector) {
        turned[0] = left ? inner : 1, turned[1] = left ? 1 : inner;
        turned[2] = left ? x.values.array.strides[0] : 0, turned[3] = left ? 0 : x.values.array.strides[0];
        matrix.values.array.ndim = 2;
        matrix.values.array.shape = turned;
        matrix.values.array.strides = turned + 2;
      }
      cr_assert(made->layout == SPW_DENSE && made->values.array.ndim == ndim && made->ndim == ndim);
      cr_assert(meaning_of(a.t, 0, &of));
      for (int64_t b = 0; b < dims; b++) total *= batch[b];
      for (int64_t e = 0; e < total; e++) {
        int64_t at[4], place[2] = {0, 0}, rest = e / (m * n), to = 0;
        uint8_t wanted_bits[WIDE];
        for (int64_t b = dims - 1; b >= 0; b--) {
          place[b] = rest % batch[b];
          rest /= batch[b];
        }
        const int64_t i = e / n % m, j = e % n;
        for (int64_t b = 0; b < dims; b++) at[to++] = place[b];
        if (!(vector && !left)) at[to++] = i;
        if (!(vector && left)) at[to++] = j;
        element_of(&of, &matrix, left, place, dims, i, j, NULL, wanted_bits);
        cr_assert(scalar_same(dtype, wanted_bits, at_of(made, at), true), "seed %llu: element %lld", (unsigned long long)seed,
                  (long long)e);
      }
      results += total;
      meaning_free(&of);
    }
    spw_owned_free(owned);
    strided_free(&y);
    sparse_free(&a);
  }
  cr_assert(results > 4 * ROUNDS && refused > 50, "%lld %lld", (long long)results, (long long)refused);
  expect_no_leaks();
}

Test(compose, linear)
{
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    dice d = {seed};
    static sparse w;
    strided y, z;
    /* an infinite part of a complex bias times 1 is another number (P6) */
    const spw_dtype dtype = (spw_dtype)(SPW_BOOL + roll_below(&d, 10));
    const int64_t in = roll_below(&d, 5), outputs = roll_below(&d, 5), n = roll_below(&d, 4), more = roll_below(&d, 3);
    const bool sparse_x = roll_below(&d, 3) == 0, biased = roll_below(&d, 2);
    const int64_t of_w[2] = {outputs, in}, of_x[3] = {more == 2 ? 2 : n, more == 2 ? n : in, in}, flat[2] = {n, in};
    sparse_make(&w, any_layout(&d), 2, sparse_x ? flat : of_w, 0, dtype, &d);
    const spw_tensor x = sparse_x ? dense_make(&y, 2, of_w, dtype, &d)
                                  : dense_make(&y,
                                               more == 0   ? 1
                                               : more == 1 ? 2
                                                           : 3,
                                               more == 0 ? &in : of_x, dtype, &d);
    const spw_tensor bias = dense_make(&z, 1, &outputs, dtype, &d);
    spw_owned *owned = NULL;
    spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
    const spw_status status = sparse_x ? spw_linear_new(w.t, &x, biased ? &bias : NULL, 0, &owned, &refusal)
                                       : spw_linear_new(&x, w.t, biased ? &bias : NULL, 0, &owned, &refusal);
    cr_assert_eq(status, SPW_OK, "seed %llu: %d, obstacle %d", (unsigned long long)seed, (int)status, (int)refusal.obstacle);
    const spw_tensor *const made = spw_owned_tensor(owned);
    const int64_t rows = sparse_x ? n : more == 0 ? 1 : more == 1 ? n : 2 * n;
    cr_assert_eq(made->values.array.ndim, sparse_x ? 2 : x.values.array.ndim);
    meaning m;
    cr_assert(meaning_of(w.t, 0, &m));
    for (int64_t e = 0; e < rows * outputs; e++) {
      const int64_t i = e / outputs, j = e % outputs;
      const int64_t at[3] = {more == 2 && !sparse_x   ? i / n
                             : more == 0 && !sparse_x ? j
                                                      : i,
                             more == 2 && !sparse_x ? i % n : j, j};
      scalar_sum sum = scalar_nothing(dtype);
      for (int64_t k = 0; k < m.count; k++) {
        const int64_t *const c = m.cells[k].at;
        if (c[0] != (sparse_x ? i : j)) continue;
        const int64_t dense_at[3] = {more == 2   ? i / n
                                     : more == 0 ? c[1]
                                                 : i,
                                     more == 2 ? i % n : c[1], c[1]},
                      of_dense[2] = {j, c[1]};
        if (sparse_x)
          scalar_sum_add(&sum, m.cells[k].scalars, at_of(&x, of_dense));
        else
          scalar_sum_add(&sum, at_of(&x, dense_at), m.cells[k].scalars);
      }
      uint8_t wanted_bits[WIDE] = {0}, one[WIDE];
      scalar_one(dtype, one);
      if (biased) memcpy(wanted_bits, at_of(&bias, &j), (size_t)scalar_width(dtype));
      scalar_sum_store(&sum, NULL, biased ? one : NULL, wanted_bits);
      cr_assert(scalar_same(dtype, wanted_bits, at_of(made, at), true), "seed %llu: element %lld", (unsigned long long)seed,
                (long long)e);
    }
    meaning_free(&m);
    spw_owned_free(owned);
    strided_free(&y);
    strided_free(&z);
    sparse_free(&w);
  }
  expect_no_leaks();
}

/* COO of rows times a matrix: each cell by itself, zeros and duplicates too. */
Test(compose, hybrid)
{
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    dice d = {seed};
    static sparse a;
    strided y;
    const spw_dtype dtype = any_type(&d);
    const int64_t rows = roll_below(&d, 5), n = 1 + roll_below(&d, 4), shape[2] = {n, roll_below(&d, 4)};
    sparse_make(&a, SPW_COO, 1, &rows, n, dtype, &d);
    const spw_tensor b = dense_make(&y, 2, shape, dtype, &d);
    spw_owned *owned = NULL;
    cr_assert_eq(spw_matmul_new(a.t, &b, 0, &owned, NULL), SPW_OK);
    const spw_tensor *const made = spw_owned_tensor(owned);
    meaning m, got;
    cr_assert(meaning_of(a.t, 0, &m) && meaning_of(made, 0, &got));
    cr_assert(made->coalesced == a.t->coalesced && got.count == m.count && got.leading == 1 && made->size[1] == shape[1]);
    for (int64_t k = 0; k < m.count; k++) {
      cr_assert_eq(got.cells[k].at[0], m.cells[k].at[0]);
      for (int64_t j = 0; j < shape[1]; j++) {
        scalar_sum sum = scalar_nothing(dtype);
        uint8_t wanted_bits[WIDE] = {0};
        for (int64_t i = 0; i < n; i++) {
          const int64_t at[2] = {i, j};
          scalar_sum_add(&sum, m.cells[k].scalars + i * scalar_width(dtype), at_of(&b, at));
        }
        scalar_sum_store(&sum, NULL, NULL, wanted_bits);
        cr_assert(scalar_same(dtype, wanted_bits, got.cells[k].scalars + j * scalar_width(dtype), true), "seed %llu",
                  (unsigned long long)seed);
      }
    }
    meaning_free(&m);
    meaning_free(&got);
    spw_owned_free(owned);
    strided_free(&y);
    sparse_free(&a);
  }
  expect_no_leaks();
}

/* ---- Element by element ---------------------------------------------------------------------------- */

/* A tensor, repeated to a size, as COO of all its positions in order of storage: by its definition. */
typedef struct spread_out {
  int64_t ndim, size[4], nse, shape[2], strides[2], vshape[1], one[1], *indices;
  uint8_t *values;
  spw_tensor t;
} spread_out;

static void spread_make(spread_out *s, const spw_tensor *t, int64_t ndim, const int64_t *size)
{
  meaning m;
  int64_t places = 1, n = 0;
  memset(s, 0, sizeof *s);
  cr_assert(meaning_of(t, 0, &m));
  for (int64_t d = 0; d < ndim; d++) places *= s->size[d] = size[d];
  const int64_t width = scalar_width(m.dtype), more = ndim - m.ndim;
  s->indices = calloc((size_t)(ndim * places * (m.count + 1)) + 1, sizeof *s->indices);
  s->values = calloc((size_t)(places * (m.count + 1) * width) + 16, 1);
  int64_t *const flat = calloc((size_t)(places * (m.count + 1)) + 1, sizeof *flat);
  for (int64_t k = 0; k < m.count; k++)
    for (int64_t e = 0; e < m.scalars; e++)
      for (int64_t p = 0; p < places; p++) {
        int64_t at[4], within = 0;
        bool here = true;
        for (int64_t d = ndim - 1, rest = p; d >= 0; d--) {
          at[d] = rest % size[d];
          rest /= size[d];
        }
        for (int64_t d = 0; d < m.ndim; d++) {
          const int64_t own = m.size[d] == 1 ? 0 : at[d + more];
          if (d < m.leading)
            here = here && own == m.cells[k].at[d];
          else
            within = within * m.size[d] + own;
        }
        if (!here || within != e) continue;
        flat[n] = p;
        memcpy(s->values + n++ * width, m.cells[k].scalars + e * width, (size_t)width);
      }
  for (int64_t k = 0; k < n; k++)
    for (int64_t d = ndim - 1, rest = flat[k]; d >= 0; d--) {
      s->indices[d * n + k] = rest % size[d];
      rest /= size[d];
    }
  free(flat);
  s->shape[0] = ndim;
  s->shape[1] = s->strides[0] = s->vshape[0] = n;
  s->strides[1] = s->one[0] = 1;
  s->t = (spw_tensor){.layout = SPW_COO,
                      .has_size = true,
                      .ndim = ndim,
                      .size = s->size,
                      .coalesced = SPW_CLAIM_NO,
                      .plain = {{SPW_INT64, 2, s->shape, s->strides, 0, ndim * n}, .i64 = s->indices},
                      .values = {{m.dtype, 1, s->vshape, s->one, 0, n}, s->values}};
  meaning_free(&m);
}

static void spread_free(spread_out *s)
{
  free(s->indices);
  free(s->values);
}

/* The result has the same elements as that of operands that are spread_out out, which spw_elementwise makes. */
static void expect_combined(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *w, int64_t ndim,
                            const int64_t *size, const spw_tensor *made, uint64_t seed)
{
  spread_out x, y;
  spw_owned *owned = NULL;
  spread_make(&x, a, ndim, size);
  spread_make(&y, b, ndim, size);
  cr_assert_eq(spw_elementwise_new(&x.t, &y.t, w, 0, &owned, NULL), SPW_OK);
  meaning wanted, got;
  const spw_tensor *view = made;
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  spw_owned *again = NULL;
  if (made->layout != SPW_DENSE) {
    expect_valid(made, "combined", seed);
    cr_assert_eq(spw_convert_new(made, &coo, 0, &again, NULL), SPW_OK);
    view = spw_owned_tensor(again);
  }
  spread_out z;
  cr_assert(meaning_of(spw_owned_tensor(owned), 0, &wanted));
  spread_make(&z, view, ndim, size);
  cr_assert(meaning_of(&z.t, 0, &got));
  meaning_sort(&got);
  cr_assert_eq(got.count, wanted.count, "seed %llu: %lld elements and not %lld", (unsigned long long)seed, (long long)got.count,
               (long long)wanted.count);
  for (int64_t k = 0; k < got.count; k++) {
    cr_assert(memcmp(got.cells[k].at, wanted.cells[k].at, (size_t)ndim * sizeof(int64_t)) == 0, "seed %llu",
              (unsigned long long)seed);
    cr_assert(scalar_same(got.dtype, wanted.cells[k].scalars, got.cells[k].scalars, true), "seed %llu: element %lld",
              (unsigned long long)seed, (long long)k);
  }
  meaning_free(&wanted);
  meaning_free(&got);
  spread_free(&x);
  spread_free(&y);
  spread_free(&z);
  spw_owned_free(owned);
  spw_owned_free(again);
}

Test(compose, sizes_and_layouts)
{
  int64_t results = 0, refused = 0, by_kind[3] = {0};
  for (uint64_t seed = 0; seed < 2 * ROUNDS; seed++) {
    dice d = {seed};
    static sparse a, b;
    strided y;
    uint8_t scalar[WIDE];
    const spw_dtype dtype = any_type(&d);
    const int64_t dims = 2 + roll_below(&d, 2), other = dims - (roll_below(&d, 4) == 0);
    const int64_t dense_of = roll_below(&d, 3) == 0; /* 1: the second is dense */
    const bool swaps = roll_below(&d, 2);
    int64_t full[3], size[3], of_b[3];
    for (int64_t i = 0; i < dims; i++) {
      full[i] = roll_below(&d, 4);
      size[i] = roll_below(&d, 3) ? full[i] : 1;
      of_b[i] = roll_below(&d, 3) ? full[i] : 1;
    }
    spw_elementwise_request w = {.kind = (spw_elementwise_kind)roll_below(&d, 3)};
    if (w.kind != SPW_TIMES && roll_below(&d, 2)) {
      for (int i = 0; i < WIDE; i++) scalar[i] = (uint8_t)roll_below(&d, 256);
      if (dtype == SPW_BOOL) scalar[0] &= 1;
      w.scalar = scalar;
    }
    sparse_make(&a, any_layout(&d), dims, size, 0, dtype, &d);
    sparse_make(&b, any_layout(&d), other, of_b + dims - other, 0, dtype, &d);
    const spw_tensor x = dense_make(&y, other, of_b + dims - other, dtype, &d), *const second = dense_of ? &x : b.t;
    const spw_tensor *const first = swaps ? second : a.t, *const last = swaps ? a.t : second;
    int64_t joined[3];
    bool fits = true;
    for (int64_t i = 0; i < dims; i++) {
      const int64_t e = i < dims - other ? 1 : of_b[i];
      joined[i] = size[i] == 1 ? e : size[i];
      fits = fits && (e == 1 || e == joined[i]);
    }
    spw_owned *owned = NULL;
    spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
    const spw_status status = spw_combine_new(first, last, &w, 0, &owned, &refusal);
    /* Batches of a result that have different numbers of cells, and a compressed one that would need COO's sparse dimensions. */
    const bool may_refuse = refusal.obstacle == SPW_OBSTACLE_BATCHES || (dtype == SPW_BOOL && w.kind == SPW_MINUS) ||
                            refusal.obstacle == SPW_OBSTACLE_OPERAND || refusal.obstacle == SPW_OBSTACLE_DIMENSIONS;
    cr_assert(status == SPW_OK ? fits : status == SPW_ERANGE && may_refuse, "seed %llu: %d, obstacle %d",
              (unsigned long long)seed, (int)status, (int)refusal.obstacle);
    /* Of a product with a dense array duplicates stay, each for itself (E3), and are no product of their sum. */
    const bool apart = dense_of && w.kind == SPW_TIMES && a.t->coalesced != SPW_CLAIM_YES && a.t->layout == SPW_COO;
    if (status == SPW_OK) {
      const spw_tensor *const made = spw_owned_tensor(owned);
      cr_assert_eq(made->layout, dense_of && w.kind != SPW_TIMES ? SPW_DENSE : dense_of ? a.t->layout : first->layout);
      if (!apart) expect_combined(first, last, &w, dims, joined, made, seed);
      by_kind[w.kind]++;
      results++;
    } else {
      refused++;
    }
    spw_owned_free(owned);
    strided_free(&y);
    sparse_free(&a);
    sparse_free(&b);
  }
  cr_assert(results > ROUNDS && refused > 50, "%lld %lld", (long long)results, (long long)refused);
  for (int k = 0; k < 3; k++) cr_assert(by_kind[k] > ROUNDS / 8, "%d: %lld", k, (long long)by_kind[k]);
  expect_no_leaks();
}
