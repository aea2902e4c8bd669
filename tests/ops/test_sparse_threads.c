/* SPDX-License-Identifier: Apache-2.0 */
/* Larger sparse results by any number of threads, of elementwise operations and of products: the bits of a plain loop. In a
 * library built with OPENMP=1 the threads are there. */
#include "../../src/sparsewright.h"
#include "../operands/specimen.h"
#include "../support/memory.h"
#include "../../src/convert/indices.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void *memory_for(int64_t count, size_t size)
{
  void *zeros = calloc((size_t)count + 1, size);
  if (!zeros) abort();
  return zeros;
}

/* ---- Matrices ---------------------------------------------------------------------------------- */

/* CSR with indices of both types. */
typedef struct matrix {
  int64_t rows, columns, nse;
  int64_t *c, *p;
  int32_t *c32, *p32;
  double *v;
} matrix;

/* How many elements row r has. */
typedef int64_t row_length(int64_t r);

static int64_t even_rows(int64_t r)
{
  return 30 + r % 37;
}

static int64_t one_long_row(int64_t r)
{
  return r == 311 ? 90000 : r % 3 * 40;
}

static int64_t short_rows(int64_t r)
{
  return r % 5;
}

/* Every third row has the same columns in any two matrices whose row has as many. */
static matrix make(int64_t rows, int64_t columns, row_length *length, uint64_t seed)
{
  matrix m = {.rows = rows, .columns = columns, .c = memory_for(rows + 1, 8), .c32 = memory_for(rows + 1, 4)};
  dice d = {seed};
  for (int64_t r = 0; r < rows; r++) m.nse += length(r);
  m.p = memory_for(m.nse, 8);
  m.p32 = memory_for(m.nse, 4);
  m.v = memory_for(m.nse, 8);
  for (int64_t r = 0, k = 0; r < rows; r++) {
    const int64_t n = length(r), step = n ? columns / n : 1;
    for (int64_t i = 0; i < n; i++, k++) {
      m.p[k] = m.p32[k] = (int32_t)(i * step + (r % 3 ? roll_below(&d, step < 3 ? step : 3) : 0));
      m.v[k] = (double)(roll_below(&d, 2000001) - 1000000) / 7;
    }
    m.c[r + 1] = m.c32[r + 1] = (int32_t)k;
  }
  return m;
}

static void free_matrix(matrix *m)
{
  free(m->c), free(m->p), free(m->c32), free(m->p32), free(m->v);
}

typedef struct view {
  int64_t size[2], lines[1], nse[1], one[1];
  spw_tensor t;
} view;

static const spw_tensor *view_of(const matrix *m, bool wide, view *w)
{
  *w = (view){.size = {m->rows, m->columns}, .lines = {m->rows + 1}, .nse = {m->nse}, .one = {1}};
  const spw_dtype index = wide ? SPW_INT64 : SPW_INT32;
  w->t = (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = w->size, .coalesced = SPW_CLAIM_NONE};
  const spw_array lines = {index, 1, w->lines, w->one, 0, m->rows + 1};
  w->t.compressed = (spw_index_array){lines, wide ? NULL : m->c32, wide ? m->c : NULL, NULL};
  w->t.plain = (spw_index_array){{index, 1, w->nse, w->one, 0, m->nse}, wide ? NULL : m->p32, wide ? m->p : NULL, NULL};
  w->t.values = (spw_value_array){{SPW_FLOAT64, 1, w->nse, w->one, 0, m->nse}, m->v};
  return &w->t;
}

/* ---- What has to come out ---------------------------------------------------------------------- */

static double sum_of(double a, double b, const spw_elementwise_request *w)
{
  const double part = w->scalar ? *(const double *)w->scalar * b : b;
  return w->kind == SPW_TIMES ? a * b : w->kind == SPW_MINUS ? a - part : a + part;
}

/* Row by row, through a dense row of each. */
static matrix expected_of(const matrix *a, const matrix *b, const spw_elementwise_request *w)
{
  matrix m = {.rows = a->rows, .columns = a->columns, .c = memory_for(a->rows + 1, 8), .p = memory_for(a->nse + b->nse, 8),
              .v = memory_for(a->nse + b->nse, 8)};
  const matrix *const both[] = {a, b};
  double *const row[] = {memory_for(m.columns, 8), memory_for(m.columns, 8)};
  char *const has = memory_for(m.columns, 1);
  for (int64_t r = 0; r < m.rows; r++) {
    memset(has, 0, (size_t)m.columns);
    for (int i = 0; i < 2; i++)
      for (int64_t k = both[i]->c[r]; k < both[i]->c[r + 1]; k++) {
        row[i][both[i]->p[k]] = both[i]->v[k];
        has[both[i]->p[k]] |= (char)(1 << i);
      }
    for (int64_t j = 0; j < m.columns; j++) {
      const double part = w->scalar ? *(const double *)w->scalar * row[1][j] : row[1][j];
      if (has[j] == 0 || (w->kind == SPW_TIMES && has[j] != 3)) continue;
      m.p[m.nse] = j;
      const double alone = has[j] == 1 ? row[0][j] : w->kind == SPW_MINUS ? -part : part;
      m.v[m.nse++] = has[j] == 3 ? sum_of(row[0][j], row[1][j], w) : alone;
    }
    m.c[r + 1] = m.nse;
  }
  free(row[0]), free(row[1]), free(has);
  return m;
}

static bool is(const spw_tensor *t, const matrix *m)
{
  bool same = t->plain.array.length == m->nse && t->compressed.array.length == m->rows + 1;
  for (int64_t r = 0; same && r <= m->rows; r++) same = spw_index_at(&t->compressed, r) == m->c[r];
  for (int64_t k = 0; same && k < m->nse; k++) same = spw_index_at(&t->plain, k) == m->p[k];
  return same && (m->nse == 0 || memcmp(t->values.data, m->v, (size_t)m->nse * 8) == 0);
}

static spw_buffers buffers_for(const spw_room *room)
{
  const bool wide = room->index_dtype == SPW_INT64;
  void *const c = memory_for(room->compressed, 8), *const p = memory_for(room->plain, 8);
  const spw_buffers b = {.room = *room, .dims = memory_for(room->dims, 8), .values = memory_for(room->values, 8),
                         .work = memory_for((int64_t)room->work, 1), .compressed_i32 = wide ? NULL : c,
                         .compressed_i64 = wide ? c : NULL, .plain_i32 = wide ? NULL : p, .plain_i64 = wide ? p : NULL};
  return b;
}

static void free_buffers(spw_buffers *b)
{
  free(b->dims), free(b->values), free(b->work);
  free(b->compressed_i32), free(b->compressed_i64), free(b->plain_i32), free(b->plain_i64);
}

static void expect_by(const matrix *a, const matrix *b, spw_elementwise_request w, bool wide, const matrix *m, const char *what)
{
  static const int threads[] = {2, 50, 0, 1, 3, 7};
  view left, right;
  const spw_tensor *const s = view_of(a, wide, &left), *const t = view_of(b, wide, &right);
  for (int i = 0; i < (SANITIZED ? 2 : 6); i++) {
    spw_room room;
    spw_tensor result;
    w.threads = threads[i];
    cr_assert(spw_elementwise_size(s, t, &w, &room, NULL) == SPW_OK, "%s", what);
    const bool enough = w.upper_bound ? room.nse >= m->nse : room.nse == m->nse;
    cr_assert(enough, "%s, %d threads: %lld elements, not %lld", what, threads[i], (long long)room.nse,
              (long long)m->nse);
    spw_buffers buffers = buffers_for(&room);
    memset(buffers.work, 0x5a, room.work);
    buffers.room.work--;
    cr_assert(spw_elementwise(s, t, &w, &buffers, &result, NULL) == SPW_EINVAL, "%s, %d threads", what, threads[i]);
    buffers.room.work++;
    cr_assert(spw_elementwise(s, t, &w, &buffers, &result, NULL) == SPW_OK, "%s, %d threads", what, threads[i]);
    cr_assert(is(&result, m), "%s, %d threads: other bits", what, threads[i]);
    free_buffers(&buffers);
  }
}

static void expect(const matrix *a, const matrix *b, spw_elementwise_request w, const char *what)
{
  matrix m = expected_of(a, b, &w);
  for (int wide = 0; wide < 2; wide++) expect_by(a, b, w, wide, &m, what);
  free_matrix(&m);
}

static void expect_all(int64_t rows, int64_t columns, row_length *length, row_length *other, const char *what)
{
  static const double third = 1.0 / 3;
  matrix a = make(rows, columns, length, 1), b = make(rows, columns, other, 2);
  expect(&a, &b, (spw_elementwise_request){.kind = SPW_PLUS}, what);
  expect(&a, &b, (spw_elementwise_request){.kind = SPW_MINUS}, what);
  expect(&a, &b, (spw_elementwise_request){.kind = SPW_PLUS, .scalar = &third}, what);
  expect(&a, &b, (spw_elementwise_request){.kind = SPW_TIMES}, what);
  expect(&a, &b, (spw_elementwise_request){.kind = SPW_PLUS, .upper_bound = true}, what);
  expect(&a, &b, (spw_elementwise_request){.kind = SPW_TIMES, .upper_bound = true}, what);
  free_matrix(&a), free_matrix(&b);
}

Test(sparse_threads, even_rows)
{
  expect_all(5000, 400, even_rows, even_rows, "even rows");
}

Test(sparse_threads, one_long_row)
{
  expect_all(2000, 100000, one_long_row, one_long_row, "one long row");
  expect_all(2000, 100000, one_long_row, short_rows, "a long row and a short one");
}

Test(sparse_threads, short_rows)
{
  expect_all(90000, 60, short_rows, short_rows, "short rows");
}

/* ---- Products of matrices ---------------------------------------------------------------------- */

/* Row by row, into a dense row. */
static matrix product_of(const matrix *a, const matrix *b, int64_t multiplications)
{
  matrix m = {.rows = a->rows, .columns = b->columns, .c = memory_for(a->rows + 1, 8), .p = memory_for(multiplications, 8),
              .v = memory_for(multiplications, 8)};
  double *const row = memory_for(m.columns, 8);
  char *const has = memory_for(m.columns, 1);
  for (int64_t r = 0; r < m.rows; r++) {
    for (int64_t k = a->c[r]; k < a->c[r + 1]; k++)
      for (int64_t l = b->c[a->p[k]]; l < b->c[a->p[k] + 1]; l++) {
        row[b->p[l]] += a->v[k] * b->v[l];
        has[b->p[l]] = 1;
      }
    for (int64_t j = 0; j < m.columns; j++) {
      if (!has[j]) continue;
      m.p[m.nse] = j;
      m.v[m.nse++] = row[j];
      row[j] = has[j] = 0;
    }
    m.c[r + 1] = m.nse;
  }
  free(row), free(has);
  return m;
}

/* expected: made at the first call. */
static void expect_product(const matrix *a, const matrix *b, bool wide, matrix *expected, const char *what)
{
  static const int threads[] = {2, 50, 1, 3, 7};
  view left, right;
  const spw_tensor *const s = view_of(a, wide, &left), *const t = view_of(b, wide, &right);
  for (int i = 0; i < (SANITIZED ? 2 : 5); i++) {
    size_t work = 0;
    int64_t multiplications = 0;
    spw_room room;
    spw_tensor result;
    cr_assert(spw_multiply_sparse_work_parallel(s, t, threads[i], &work, &multiplications, NULL) == SPW_OK, "%s", what);
    if (!expected->c) *expected = product_of(a, b, multiplications);
    void *const scratch = memory_for((int64_t)work, 1);
    memset(scratch, 0x5a, work);
    cr_assert(spw_multiply_sparse_size_parallel(s, t, threads[i], scratch, work, &room, NULL) == SPW_OK, "%s", what);
    cr_assert(room.nse == expected->nse && room.work == work, "%s, %d threads: %lld elements, not %lld", what, threads[i],
              (long long)room.nse, (long long)expected->nse);
    free(scratch);
    spw_buffers buffers = buffers_for(&room);
    memset(buffers.work, 0x5a, room.work);
    buffers.room.work--;
    cr_assert(spw_multiply_sparse_parallel(s, t, threads[i], &buffers, &result, NULL) == SPW_EINVAL, "%s, %d", what, threads[i]);
    buffers.room = room;
    buffers.room.values--;
    cr_assert(spw_multiply_sparse_parallel(s, t, threads[i], &buffers, &result, NULL) == SPW_EINVAL, "%s, %d", what, threads[i]);
    buffers.room = room;
    cr_assert(spw_multiply_sparse_parallel(s, t, threads[i], &buffers, &result, NULL) == SPW_OK, "%s, %d", what, threads[i]);
    cr_assert(is(&result, expected), "%s, %d threads: other bits", what, threads[i]);
    free_buffers(&buffers);
  }
}

static void expect_products(matrix a, matrix b, const char *what)
{
  matrix expected = {0};
  for (int wide = 0; wide < 2; wide++) expect_product(&a, &b, wide, &expected, what);
  free_matrix(&a), free_matrix(&b), free_matrix(&expected);
}

static int64_t longer_rows(int64_t r)
{
  return r % 21;
}

static int64_t one_row_of_all(int64_t r)
{
  return r == 77 ? 2000 : r % 2;
}

static int64_t no_rows(int64_t r)
{
  return r - r;
}

/* Columns on both sides of what the upper levels of a set of columns are about. */
Test(sparse_threads, products_of_many_columns)
{
  expect_products(make(800, 2000, longer_rows, 3), make(2000, 300000, even_rows, 4), "many columns");
}

Test(sparse_threads, products_of_a_row_with_most_of_the_work)
{
  expect_products(make(500, 2000, one_row_of_all, 5), make(2000, 700, even_rows, 6), "one row of all");
}

Test(sparse_threads, products_of_nothing)
{
  expect_products(make(500, 2000, even_rows, 5), make(2000, 0, no_rows, 6), "no columns");
}

Test(sparse_threads, wrong_calls)
{
  matrix a = make(5, 5, short_rows, 1);
  view w;
  size_t work = 77;
  int64_t multiplications = 77;
  const spw_tensor *const t = view_of(&a, false, &w);
  cr_assert(spw_multiply_sparse_work_parallel(t, t, 0, &work, &multiplications, NULL) == SPW_EINVAL);
  cr_assert(work == 77 && multiplications == 77);
  free_matrix(&a);
}
