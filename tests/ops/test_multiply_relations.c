/* SPDX-License-Identifier: Apache-2.0 */
/* What products have to do with each other, whatever is multiplied: rows in another order, the transposed matrix from the
 * other side, zeros that are stored, a batch of one, indices of the other type. The same bits. */
#include "../../src/sparsewright.h"
#include "../operands/specimen.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 12, COLUMNS = 12, WIDTH = 5, MOST = ROWS * COLUMNS };

/* Elements of a matrix in row-major order of their places; batch, row and column are lines of COO indices. */
typedef struct elements {
  int64_t nse, indices[3 * MOST];
  double values[MOST];
} elements;

static void add(elements *e, int64_t row, int64_t column, double value)
{
  e->indices[MOST + e->nse] = row;
  e->indices[2 * MOST + e->nse] = column;
  e->values[e->nse++] = value;
}

static double drawn(dice *d)
{
  return (double)(roll_below(d, 2000001) - 1000000) / 7;
}

static void draw(elements *e, dice *d)
{
  memset(e, 0, sizeof *e);
  for (int64_t r = 0; r < ROWS; r++)
    for (int64_t c = 0; c < COLUMNS; c++)
      if (roll_below(d, 3) == 0) add(e, r, c, drawn(d));
}

/* How a product is asked for. */
typedef struct form {
  spw_conversion to;
  bool batched;   /* one batch */
  bool from_left; /* (A X)' = X' A', with views */
} form;

/* y = A x with x and y in row-major order, A given by its elements and made what the form says. */
static void product(const elements *e, const form *f, const double *x, double *y)
{
  static const int64_t sizes[] = {1, ROWS, COLUMNS};
  const int64_t first = f->batched ? 0 : 1, dims = 3 - first;
  const int64_t shape[] = {dims, e->nse}, index_strides[] = {MOST, 1}, one[] = {1};
  const int64_t in[] = {1, COLUMNS, WIDTH}, out[] = {1, ROWS, WIDTH}, strides[] = {MOST, WIDTH, 1};
  const int64_t in_turned[] = {WIDTH, COLUMNS}, out_turned[] = {WIDTH, ROWS}, turned[] = {1, WIDTH};
  const spw_tensor coo = {.layout = SPW_COO, .has_size = true, .ndim = dims, .size = sizes + first, .coalesced = SPW_CLAIM_NO,
                          .plain = {{SPW_INT64, 2, shape, index_strides, first * MOST, 3 * MOST}, NULL, e->indices, e->indices},
                          .values = {{SPW_FLOAT64, 1, shape + 1, one, 0, MOST}, e->values}};
  const int64_t n = f->from_left ? 2 : dims;
  const int64_t *const in_shape = f->from_left ? in_turned : in + first;
  const int64_t *const out_shape = f->from_left ? out_turned : out + first;
  const int64_t *const steps = f->from_left ? turned : strides + first;
  const spw_tensor b = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, n, in_shape, steps, 0, COLUMNS * WIDTH}, x}};
  const spw_output c = {{SPW_FLOAT64, n, out_shape, steps, 0, ROWS * WIDTH}, y};
  const spw_factors how = {0};
  spw_owned *made = NULL;
  size_t bytes = 0;
  cr_assert_eq(spw_convert_new(&coo, &f->to, 0, &made, NULL), SPW_OK);
  const spw_tensor *const a = spw_owned_tensor(made), *const left = f->from_left ? &b : a, *const right = f->from_left ? a : &b;
  cr_assert_eq(spw_multiply_size(left, right, &how, &c, &bytes, NULL), SPW_OK);
  void *const work = malloc(bytes + 1);
  if (!work) abort();
  cr_assert_eq(spw_multiply(left, right, &how, &c, work, bytes, NULL), SPW_OK);
  free(work);
  spw_owned_free(made);
}

static const spw_layout layouts[] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_BSR, SPW_BSC};

static form plain_form(int layout)
{
  const bool blocks = layouts[layout] == SPW_BSR || layouts[layout] == SPW_BSC;
  const form f = {.to = {.layout = layouts[layout], .block_rows = blocks ? 3 : 0, .block_columns = blocks ? 2 : 0,
                         .batch_dims = -1, .dense_dims = -1, .index_dtype = SPW_INT64}};
  return f;
}

typedef void relation(const elements *e, const form *f, const double *x, const double *y, double *other, dice *d);

static void expect_for_every_layout(relation *related)
{
  static elements e;
  double x[COLUMNS * WIDTH], y[ROWS * WIDTH], other[ROWS * WIDTH];
  for (uint64_t seed = 1; seed <= 20; seed++)
    for (int layout = 0; layout < 5; layout++) {
      dice d = {seed};
      const form f = plain_form(layout);
      draw(&e, &d);
      for (int64_t k = 0; k < COLUMNS * WIDTH; k++) x[k] = drawn(&d);
      memset(y, 0xff, sizeof y);
      memset(other, 0xee, sizeof other);
      product(&e, &f, x, y);
      related(&e, &f, x, y, other, &d);
      cr_assert(memcmp(y, other, sizeof y) == 0, "seed %llu, layout %d", (unsigned long long)seed, layout);
    }
}

/* `other` is put back into the order of y. */
static void rows_turned(const elements *e, const form *f, const double *x, const double *y, double *other, dice *d)
{
  static elements turned;
  double moved[ROWS * WIDTH];
  const int64_t by = 1 + roll_below(d, ROWS - 1);
  (void)y;
  turned = *e;
  for (int64_t k = 0; k < e->nse; k++) turned.indices[MOST + k] = (e->indices[MOST + k] + by) % ROWS;
  product(&turned, f, x, moved);
  for (int64_t r = 0; r < ROWS; r++) memcpy(other + r * WIDTH, moved + (r + by) % ROWS * WIDTH, WIDTH * sizeof *other);
}

static void from_the_left(const elements *e, const form *f, const double *x, const double *y, double *other, dice *d)
{
  static elements turned;
  form g = *f;
  (void)y, (void)d;
  turned = *e;
  memcpy(turned.indices + MOST, e->indices + 2 * MOST, sizeof turned.indices / 3);
  memcpy(turned.indices + 2 * MOST, e->indices + MOST, sizeof turned.indices / 3);
  g.from_left = true;
  product(&turned, &g, x, other);
}

/* x is finite, and a sum that begins with +0 is never -0. */
static void zeros_stored(const elements *e, const form *f, const double *x, const double *y, double *other, dice *d)
{
  static elements more;
  (void)y;
  memset(&more, 0, sizeof more);
  for (int64_t r = 0, k = 0; r < ROWS; r++)
    for (int64_t c = 0; c < COLUMNS; c++) {
      const bool here = k < e->nse && e->indices[MOST + k] == r && e->indices[2 * MOST + k] == c;
      if (here) add(&more, r, c, e->values[k++]);
      else if (roll_below(d, 4) == 0) add(&more, r, c, roll_below(d, 2) ? 0.0 : -0.0);
    }
  cr_assert(more.nse > e->nse);
  product(&more, f, x, other);
}

static void batch_of_one(const elements *e, const form *f, const double *x, const double *y, double *other, dice *d)
{
  form g = *f;
  (void)y, (void)d;
  g.batched = true;
  if (g.to.layout != SPW_COO) g.to.batch_dims = 1;
  product(e, &g, x, other);
}

static void narrow_indices(const elements *e, const form *f, const double *x, const double *y, double *other, dice *d)
{
  form g = *f;
  (void)y, (void)d;
  if (g.to.layout == SPW_COO) g.to.layout = SPW_CSR; /* indices of COO are int64 */
  g.to.index_dtype = SPW_INT32;
  product(e, &g, x, other);
}

Test(multiply_relations, rows_in_another_order)
{
  expect_for_every_layout(rows_turned);
}

Test(multiply_relations, transposed_matrix_from_the_left)
{
  expect_for_every_layout(from_the_left);
}

Test(multiply_relations, stored_zeros)
{
  expect_for_every_layout(zeros_stored);
}

Test(multiply_relations, batch_of_one)
{
  expect_for_every_layout(batch_of_one);
}

Test(multiply_relations, narrow_indices)
{
  expect_for_every_layout(narrow_indices);
}
