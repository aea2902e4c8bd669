/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions by any number of threads against those by one: the same bits. In a library built with OPENMP=1 the threads
 * are there. */
#include "../../src/sparsewright.h"
#include "../../src/convert/share.h"
#include "../operands/specimen.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* So many elements are worth several threads, and, where columns jump, a sort by blocks. */
enum { FEW = 200000, MANY = 450000 };

static void *memory_for(int64_t count, size_t size)
{
  void *zeros = calloc((size_t)count + 1, size);
  if (!zeros) abort();
  return zeros;
}

static int64_t value_bytes(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX128 ? 16 : dtype == SPW_FLOAT64 ? 8 : dtype == SPW_FLOAT32 ? 4 : 2;
}

/* ---- What is compared ------------------------------------------------------------------------ */

static spw_buffers buffers_for(const spw_room *room)
{
  const bool wide = room->index_dtype == SPW_INT64;
  spw_buffers b = {.room = *room, .dims = memory_for(room->dims, 8), .values = memory_for(room->values, 16)};
  b.work = memory_for((int64_t)room->work, 1);
  memset(b.values, 0xa5, (size_t)room->values * 16);
  memset(b.work, 0x5a, room->work);
  b.compressed_i32 = wide ? NULL : memory_for(room->compressed, 4);
  b.plain_i32 = wide ? NULL : memory_for(room->plain, 4);
  b.compressed_i64 = wide ? memory_for(room->compressed, 8) : NULL;
  b.plain_i64 = wide ? memory_for(room->plain, 8) : NULL;
  return b;
}

static void free_buffers(spw_buffers *b)
{
  free(b->dims), free(b->values), free(b->work);
  free(b->compressed_i32), free(b->compressed_i64), free(b->plain_i32), free(b->plain_i64);
}

static int64_t elements_of(const spw_array *a)
{
  int64_t n = a->ndim == 0 ? 0 : 1;
  for (int64_t d = 0; d < a->ndim; d++) n *= a->shape[d];
  return n;
}

static bool same_indices(const spw_index_array *a, const spw_index_array *b)
{
  const int64_t n = elements_of(&a->array);
  if (n != elements_of(&b->array)) return false;
  if (n == 0) return true;
  return a->array.dtype == SPW_INT64 ? memcmp(a->i64, b->i64, (size_t)n * 8) == 0 : memcmp(a->i32, b->i32, (size_t)n * 4) == 0;
}

static bool same_result(const spw_tensor *a, const spw_tensor *b)
{
  const int64_t n = elements_of(&a->values.array), bytes = value_bytes(a->values.array.dtype);
  const bool compressed = a->layout == SPW_CSR || a->layout == SPW_CSC;
  return a->layout == b->layout && (!compressed || same_indices(&a->compressed, &b->compressed)) &&
         same_indices(&a->plain, &b->plain) && n == elements_of(&b->values.array) &&
         (n == 0 || memcmp(a->values.data, b->values.data, (size_t)(n * bytes)) == 0);
}

static void expect_same(const spw_tensor *t, const spw_conversion *wanted, const char *what)
{
  static const int threads[] = {2, 50, 1, 3, 7};
  spw_room room;
  spw_tensor alone, shared;
  spw_refusal refusal, told;
  cr_assert(spw_convert_size(t, wanted, &room, NULL) == SPW_OK, "%s", what);
  spw_buffers expected = buffers_for(&room);
  const spw_status status = spw_convert(t, wanted, &expected, &alone, &refusal);
  for (int i = 0; i < (SANITIZED ? 2 : 5); i++) {
    spw_room need;
    cr_assert(spw_convert_size_parallel(t, wanted, threads[i], &need, NULL) == SPW_OK);
    cr_assert(need.nse == room.nse && need.values == room.values && need.plain == room.plain, "%s, %d threads", what, threads[i]);
    spw_buffers b = buffers_for(&need);
    const spw_status got = spw_convert_parallel(t, wanted, threads[i], &b, &shared, &told);
    cr_assert(got == status, "%s, %d threads: status %d", what, threads[i], (int)got);
    if (status == SPW_OK)
      cr_assert(same_result(&alone, &shared), "%s, %d threads: other bits", what, threads[i]);
    else
      cr_assert(told.obstacle == refusal.obstacle && told.place == refusal.place && told.lhs == refusal.lhs &&
                    told.rhs == refusal.rhs, "%s, %d threads: another refusal", what, threads[i]);
    if (status == SPW_OK && need.work > 0) { /* a workspace that is too short */
      b.room.work--;
      cr_assert(spw_convert_parallel(t, wanted, threads[i], &b, &shared, NULL) == SPW_EINVAL);
    }
    free_buffers(&b);
  }
  free_buffers(&expected);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

typedef struct matrix {
  int64_t rows, columns, nse;
  int32_t *row, *column; /* in order, each position once */
} matrix;

/* Row after row about `nse` elements, at steps that `dice` chooses; row `full`, if any, has them all. */
static matrix make(int64_t rows, int64_t columns, int64_t nse, int64_t full, bool banded)
{
  matrix m = {rows, columns, 0, memory_for(nse + columns, 4), memory_for(nse + columns, 4)};
  dice d = {(uint64_t)(nse + full)};
  for (int64_t i = 0; i < rows; i++) {
    const int64_t n = i == full ? columns : nse / rows, step = i == full ? 1 : banded ? 2 : columns / n;
    for (int64_t k = 0; k < n && m.nse < nse + columns; k++) {
      const int64_t first = banded && i != full ? (columns - 2 * n) * i / rows : 0;
      m.row[m.nse] = (int32_t)i;
      m.column[m.nse++] = (int32_t)(first + k * step + (step > 1 ? roll_below(&d, step) : 0));
    }
  }
  return m;
}

static void free_matrix(matrix *m)
{
  free(m->row), free(m->column);
}

/* Values all of whose bytes differ from element to element. */
static void *values_for(int64_t n, spw_dtype dtype)
{
  char *const values = memory_for(n, 16);
  dice d = {99};
  for (int64_t k = 0; k < n * value_bytes(dtype); k++) values[k] = (char)roll_below(&d, 256);
  return values;
}

/* As many as shape[0] says. */
static spw_index_array indices_of(spw_dtype dtype, const int64_t *shape, const int64_t *one, const int32_t *narrow,
                                  const int64_t *wide)
{
  const spw_index_array narrow_ones = {{dtype, 1, shape, one, 0, *shape}, narrow, NULL, narrow};
  const spw_index_array wide_ones = {{dtype, 1, shape, one, 0, *shape}, NULL, wide, wide};
  return dtype == SPW_INT64 ? wide_ones : narrow_ones;
}

static void expect_swap_of(const matrix *m, spw_dtype index, spw_dtype dtype, const char *what)
{
  int64_t *const c = memory_for(m->rows + 1, 8), *const p = memory_for(m->nse, 8);
  int32_t *const c32 = memory_for(m->rows + 1, 4), *const p32 = memory_for(m->nse, 4);
  for (int64_t k = 0; k < m->nse; k++) c[m->row[k] + 1]++, p[k] = p32[k] = m->column[k];
  for (int64_t i = 0; i < m->rows; i++) c[i + 1] += c[i];
  for (int64_t i = 0; i <= m->rows; i++) c32[i] = (int32_t)c[i];
  void *const v = values_for(m->nse, dtype);
  const int64_t size[] = {m->rows, m->columns}, lines[] = {m->rows + 1}, n[] = {m->nse}, one[] = {1};
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                        .compressed = indices_of(index, lines, one, c32, c), .plain = indices_of(index, n, one, p32, p),
                        .values = {{dtype, 1, n, one, 0, m->nse}, v}};
  const spw_conversion wanted = {.layout = SPW_CSC, .batch_dims = -1, .dense_dims = -1};
  expect_same(&t, &wanted, what);
  free(c), free(p), free(c32), free(p32), free(v);
}

static void expect_swap(int64_t rows, int64_t columns, int64_t nse, int64_t full, bool banded, const char *what)
{
  matrix m = make(rows, columns, nse, full, banded);
  expect_swap_of(&m, SPW_INT32, SPW_FLOAT32, what);
  expect_swap_of(&m, SPW_INT64, SPW_FLOAT64, what);
  expect_swap_of(&m, SPW_INT32, SPW_COMPLEX128, what);
  free_matrix(&m);
}

Test(convert_threads, lines_of_columns_that_jump)
{
  expect_swap(3000, 100000, MANY, -1, false, "many columns");
  expect_swap(50000, 500, MANY, -1, false, "few columns");
}

Test(convert_threads, lines_of_columns_side_by_side)
{
  expect_swap(4000, 4000, FEW, -1, true, "banded");
  expect_swap(20000, 20000, MANY, -1, true, "banded, more of them");
}

Test(convert_threads, one_long_line)
{
  expect_swap(100, 150000, FEW, 50, false, "a full row");
  expect_swap(1, FEW, FEW, 0, false, "a row");
  expect_swap(FEW, 1, FEW, -1, false, "a column");
}

/* ---- COO ------------------------------------------------------------------------------------- */

/* Positions in any order; of each, as many as `duplicates` says lie one behind the other and elsewhere. */
static void expect_coo(int64_t rows, int64_t columns, int64_t nse, spw_dtype dtype, spw_combine duplicates, const char *what)
{
  const int64_t size[] = {rows, columns}, shape[] = {2, nse}, strides[] = {nse, 1}, one[] = {1};
  int64_t *const p = memory_for(2 * nse, 8);
  int32_t *const p32 = memory_for(2 * nse, 4);
  dice d = {17};
  for (int64_t k = 0; k < nse; k++) {
    p[k] = roll_below(&d, rows) / 2 + (rows > 1 ? roll_below(&d, rows / 2) : 0);
    p[nse + k] = roll_below(&d, columns);
    if (k > 0 && roll_below(&d, 5) == 0) p[k] = p[k - 1], p[nse + k] = p[nse + k - 1];
  }
  for (int64_t k = 0; k < 2 * nse; k++) p32[k] = (int32_t)p[k];
  void *const v = values_for(nse, dtype);
  static const spw_layout to[] = {SPW_CSR, SPW_CSC, SPW_COO};
  for (int i = 0; i < 6; i += SANITIZED ? 2 : 1) {
    const bool wide = i / 3;
    const spw_index_array coo = {{wide ? SPW_INT64 : SPW_INT32, 2, shape, strides, 0, 2 * nse}, wide ? NULL : p32,
                                 wide ? p : NULL, wide ? (const void *)p : p32};
    const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                          .plain = coo,
                          .values = {{dtype, 1, shape + 1, one, 0, nse}, v}};
    const spw_conversion wanted = {.layout = to[i % 3], .batch_dims = -1, .dense_dims = -1, .duplicates = duplicates};
    expect_same(&t, &wanted, what);
  }
  free(p), free(p32), free(v);
}

Test(convert_threads, coo)
{
  expect_coo(3000, 4000, FEW, SPW_FLOAT32, SPW_COMBINE_SUM, "shuffled, sums");
  expect_coo(400, 40, FEW, SPW_FLOAT64, SPW_COMBINE_SUM, "many at a position");
  expect_coo(3000, 4000, FEW, SPW_FLOAT64, SPW_COMBINE_FIRST, "shuffled, first");
  expect_coo(70000, 9, FEW, SPW_FLOAT32, SPW_COMBINE_LAST, "shuffled, last");
}

Test(convert_threads, coo_by_places)
{
  expect_coo(3000, 4000, FEW, SPW_COMPLEX128, SPW_COMBINE_SUM, "sums of places");
  expect_coo(3000, 4000, FEW, SPW_COMPLEX128, SPW_COMBINE_LAST, "last places");
  expect_coo(3000, 4000, FEW, SPW_FLOAT32, SPW_COMBINE_REFUSE, "refused");
}

Test(convert_threads, coo_at_one_position)
{
  expect_coo(1, 1, FEW, SPW_FLOAT64, SPW_COMBINE_SUM, "one position");
  expect_coo(1, 3, FEW, SPW_FLOAT32, SPW_COMBINE_SUM, "three positions");
}

/* ---- Dense ----------------------------------------------------------------------------------- */

/* One element in `rare` is not zero, of those some are -0.0; the last rows are empty. */
static void expect_dense(int64_t batches, int64_t rows, int64_t columns, int64_t rare, spw_dtype dtype, const char *what)
{
  const int64_t n = batches * rows * columns, bytes = value_bytes(dtype), each = rows * columns;
  const int64_t shape[] = {batches, rows, columns}, strides[] = {rows * columns, columns, 1};
  char *const v = memory_for(n, 16);
  dice d = {7};
  for (int64_t k = 0; k < each - each / 10; k++)
    if (roll_below(&d, rare) == 0)
      for (int64_t b = 0; b < batches; b++) v[(b * each + k + 1) * bytes - 1] = roll_below(&d, 9) ? '\x40' : '\x80';
  const int first = batches == 1; /* then there is no batch dimension */
  const spw_tensor t = {.layout = SPW_DENSE, .values = {{dtype, 3 - first, shape + first, strides + first, 0, n}, v}};
  for (int i = 0; i < 4; i += SANITIZED ? 3 : 1) {
    const spw_conversion wanted = {.layout = i % 2 ? SPW_CSC : SPW_CSR, .batch_dims = -1, .dense_dims = -1, .bits = batches > 1,
                                   .index_dtype = i / 2 ? SPW_INT32 : SPW_INT64};
    expect_same(&t, &wanted, what);
  }
  free(v);
}

Test(convert_threads, dense)
{
  expect_dense(1, 700, 640, 2, SPW_FLOAT32, "half of it");
  expect_dense(1, 700, 640, 50, SPW_FLOAT64, "a fiftieth");
  expect_dense(1, 3, 150000, 30, SPW_FLOAT64, "three rows");
  expect_dense(1, 300000, 1, 3, SPW_FLOAT32, "a column");
  expect_dense(1, 500, 400, 3, SPW_COMPLEX128, "places");
}

Test(convert_threads, dense_batches)
{
  expect_dense(2, 400, 400, 4, SPW_FLOAT64, "two batches");
}

/* Nothing is stored: there need be no array for it. */
Test(convert_threads, dense_of_zeros)
{
  const double zero = 0;
  const int64_t size[] = {400, 500}, strides[] = {0, 0};
  const spw_tensor t = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, size, strides, 0, 1}, &zero}};
  const spw_conversion wanted = {.layout = SPW_CSC, .batch_dims = -1, .dense_dims = -1};
  spw_room room;
  spw_tensor result;
  cr_assert(spw_convert_size_parallel(&t, &wanted, 7, &room, NULL) == SPW_OK && room.plain == 0 && room.values == 0);
  spw_buffers b = buffers_for(&room);
  free(b.plain_i64), free(b.values);
  b.plain_i64 = b.values = NULL;
  memset(b.compressed_i64, 0x5a, (size_t)room.compressed * 8);
  cr_assert(spw_convert_parallel(&t, &wanted, 7, &b, &result, NULL) == SPW_OK);
  for (int64_t j = 0; j <= 500; j++) cr_assert(result.compressed.i64[j] == 0, "%d", (int)j);
  free_buffers(&b);
}

Test(convert_threads, misuse)
{
  const int64_t size[] = {2, 2};
  const spw_tensor t = {.layout = SPW_DENSE, .values = {{SPW_FLOAT32, 2, size, size, 0, 0}, NULL}};
  const spw_conversion wanted = {.layout = SPW_CSR, .batch_dims = -1, .dense_dims = -1};
  spw_room room = {.nse = -77};
  spw_buffers none = {0};
  spw_tensor result;
  cr_assert(spw_convert_size_parallel(&t, &wanted, 0, &room, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_size_parallel(&t, &wanted, -3, &room, NULL) == SPW_EINVAL);
  cr_assert(room.nse == -77);
  cr_assert(spw_convert_parallel(&t, &wanted, 0, &none, &result, NULL) == SPW_EINVAL);
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static void note_step(void *context, spw_explained what, const char *name, const char *words)
{
  char *const names = context;
  cr_assert(name[0] && (words[0] || what <= SPW_EXPLAINED_TO));
  if (what == SPW_EXPLAINED_STEP) strcat(strcat(names, name), ";");
}

/* Whether several threads have a plan of their own. */
static bool expect_plan(const spw_tensor *t, spw_layout to, const char *of_one, const char *of_many)
{
  const spw_conversion wanted = {.layout = to, .batch_dims = -1, .dense_dims = -1};
  char one[256] = "", many[256] = "";
  cr_assert(spw_convert_explain(t, &wanted, 1, note_step, one, NULL) == SPW_OK);
  cr_assert(spw_convert_explain(t, &wanted, 7, note_step, many, NULL) == SPW_OK);
  cr_assert(strcmp(one, of_one) == 0, "%s", one);
  if (strcmp(many, of_many) == 0) return true;
  cr_assert(!SPW_HAS_PARTS && strcmp(many, of_one) == 0, "%s", many);
  return false;
}

Test(convert_threads, plans)
{
  const int64_t size[] = {700, 640}, strides[] = {0, 0}, shape[] = {2, FEW}, nse[] = {FEW}, stay[] = {0};
  const int64_t zero = 0;
  const double value = 1;
  const spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, size, strides, 0, 1}, &value}};
  const spw_tensor coo = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                          .plain = {{SPW_INT64, 2, shape, strides, 0, 1}, NULL, &zero, &zero},
                          .values = {{SPW_FLOAT64, 1, nse, stay, 0, 1}, &value}};
  const bool shared = expect_plan(&dense, SPW_CSC, "pack;store batches;", "pack;store lines;transpose shared;");
  cr_assert(shared == expect_plan(&coo, SPW_CSR, "pack;copy if sorted;coalesce matrix;sort;combine;write lines;",
                                  "pack;copy if sorted;sort;emit matrix;"));
  spw_refusal refusal;
  const spw_conversion lines = {.layout = SPW_CSR, .batch_dims = -1, .dense_dims = -1}, none = {.layout = (spw_layout)77};
  char names[256] = "";
  cr_assert(spw_convert_explain(&coo, &lines, 0, note_step, names, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_explain(&coo, &lines, 1, NULL, names, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_explain(NULL, &lines, 1, note_step, names, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_explain(&coo, NULL, 1, note_step, names, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_explain(&coo, &none, 1, note_step, names, NULL) == SPW_EINVAL);
  spw_tensor wrong = coo;
  wrong.coalesced = SPW_CLAIM_YES;
  cr_assert(spw_convert_explain(&wrong, &lines, 1, note_step, names, &refusal) == SPW_EINVALID);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_RULE && !names[0]);
}
