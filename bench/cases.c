/* SPDX-License-Identifier: Apache-2.0 */
/* For bench.py: matrices of known structure, always the same, and loops that do nothing but read. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "../src/sparsewright.h"
#include "peers/peer.h"

#ifndef SPW_CLONES
#define SPW_CLONES
#endif

typedef spw_status bench_product(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                 void *work, size_t work_bytes, spw_refusal *refusal);
typedef spw_status bench_prepared_product(const spw_prepared *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                          void *work, size_t work_bytes, spw_refusal *refusal);

uint64_t bench_read_i32(const int32_t *c, int64_t c_length, const int32_t *p, int64_t p_length, int threads);
uint64_t bench_read_i64(const int64_t *c, int64_t c_length, const int64_t *p, int64_t p_length, int threads);
int64_t bench_stencil(int64_t n, int32_t *c, int32_t *p);
int64_t bench_uniform(int64_t rows, int64_t columns, int64_t a_row, int32_t *c, int32_t *p);
int64_t bench_poisson(int64_t rows, int64_t columns, int64_t entries, int32_t *c, int32_t *p);
int64_t bench_rmat(int64_t scale, int64_t edges, int32_t *c, int32_t *p);
int64_t bench_banded(int64_t rows, int64_t width, int32_t *c, int32_t *p);
int64_t bench_fem(int64_t n, int64_t unknowns, int32_t *c, int32_t *p);
int64_t bench_grid(int64_t n, int32_t *c, int32_t *p);
int64_t bench_full_row(int64_t rows, int32_t *c, int32_t *p);
int64_t bench_mostly_empty(int64_t rows, int64_t every, int64_t a_row, int32_t *c, int32_t *p);
double bench_repeat(spw_status (*is_valid)(const spw_tensor *, spw_level, bool *),
                    const spw_tensor *tensor, int64_t times);
double bench_repeat_product(bench_product *multiply, bench_prepared_product *prepared, const spw_tensor *a,
                            const spw_prepared *handle, const spw_tensor *b, const spw_output *c, int64_t times);

/* ---- What the compiler says ---------------------------------------------------------------------- */

/* Sizes, offsets and numbers of the public header, ended by a null name: bench.py compares its own. */
typedef struct fact {
  const char *name;
  int64_t number;
} fact;

#define SIZE(type) {#type, (int64_t)sizeof(type)}
#define OFFSET(type, field) {#type "." #field, (int64_t)offsetof(type, field)}
#define NUMBER(name) {#name, name}

extern const fact bench_facts[];
const fact bench_facts[] = {
    SIZE(spw_array), OFFSET(spw_array, dtype), OFFSET(spw_array, ndim), OFFSET(spw_array, shape),
    OFFSET(spw_array, strides), OFFSET(spw_array, offset), OFFSET(spw_array, length),
    SIZE(spw_index_array), OFFSET(spw_index_array, array), OFFSET(spw_index_array, i32),
    OFFSET(spw_index_array, i64), OFFSET(spw_index_array, raw),
    SIZE(spw_value_array), OFFSET(spw_value_array, array), OFFSET(spw_value_array, data),
    SIZE(spw_tensor), OFFSET(spw_tensor, layout), OFFSET(spw_tensor, has_size), OFFSET(spw_tensor, ndim),
    OFFSET(spw_tensor, size), OFFSET(spw_tensor, index_dtype), OFFSET(spw_tensor, dtype),
    OFFSET(spw_tensor, coalesced), OFFSET(spw_tensor, compressed), OFFSET(spw_tensor, plain),
    OFFSET(spw_tensor, values),
    SIZE(spw_conversion), OFFSET(spw_conversion, layout), OFFSET(spw_conversion, block_rows),
    OFFSET(spw_conversion, block_columns), OFFSET(spw_conversion, batch_dims), OFFSET(spw_conversion, dense_dims),
    OFFSET(spw_conversion, index_dtype), OFFSET(spw_conversion, duplicates), OFFSET(spw_conversion, prune),
    OFFSET(spw_conversion, bits), OFFSET(spw_conversion, canonicalize),
    SIZE(spw_room), OFFSET(spw_room, index_dtype), OFFSET(spw_room, dtype), OFFSET(spw_room, nse),
    OFFSET(spw_room, dims), OFFSET(spw_room, compressed), OFFSET(spw_room, plain), OFFSET(spw_room, values),
    OFFSET(spw_room, work),
    SIZE(spw_buffers), OFFSET(spw_buffers, dims), OFFSET(spw_buffers, compressed_i32),
    OFFSET(spw_buffers, plain_i32), OFFSET(spw_buffers, compressed_i64), OFFSET(spw_buffers, plain_i64),
    OFFSET(spw_buffers, values), OFFSET(spw_buffers, work), OFFSET(spw_buffers, room),
    SIZE(spw_output), OFFSET(spw_output, array), OFFSET(spw_output, data),
    SIZE(spw_factors), OFFSET(spw_factors, alpha), OFFSET(spw_factors, beta), OFFSET(spw_factors, threads),
    SIZE(spw_prepared), OFFSET(spw_prepared, matrix), OFFSET(spw_prepared, blocks), OFFSET(spw_prepared, has_blocks),
    OFFSET(spw_prepared, stripes), OFFSET(spw_prepared, has_stripes),
    SIZE(spw_triangle), OFFSET(spw_triangle, upper), OFFSET(spw_triangle, transpose), OFFSET(spw_triangle, adjoint),
    OFFSET(spw_triangle, unit), OFFSET(spw_triangle, right),
    SIZE(spw_reduction), OFFSET(spw_reduction, kind), OFFSET(spw_reduction, span),
    SIZE(spw_elementwise_request), OFFSET(spw_elementwise_request, kind), OFFSET(spw_elementwise_request, scalar),
    OFFSET(spw_elementwise_request, duplicates), OFFSET(spw_elementwise_request, threads),
    OFFSET(spw_elementwise_request, upper_bound),
    SIZE(spw_unary_request), OFFSET(spw_unary_request, function), OFFSET(spw_unary_request, dtype),
    OFFSET(spw_unary_request, scalar), OFFSET(spw_unary_request, nan), OFFSET(spw_unary_request, posinf),
    OFFSET(spw_unary_request, neginf), OFFSET(spw_unary_request, duplicates),
    SIZE(spw_softmax_request), OFFSET(spw_softmax_request, dim), OFFSET(spw_softmax_request, logarithm),
    SIZE(spw_dims_reduction), OFFSET(spw_dims_reduction, kind), OFFSET(spw_dims_reduction, dims),
    OFFSET(spw_dims_reduction, count), OFFSET(spw_dims_reduction, keepdim), OFFSET(spw_dims_reduction, sparse),
    OFFSET(spw_dims_reduction, dtype), NUMBER(SPW_DIMS_SUM), NUMBER(SPW_DIMS_NORM_2),
    SIZE(spw_semi), OFFSET(spw_semi, order), OFFSET(spw_semi, rows), OFFSET(spw_semi, columns), OFFSET(spw_semi, dtype),
    OFFSET(spw_semi, packed), OFFSET(spw_semi, metadata), SIZE(spw_semi_view), OFFSET(spw_semi_view, semi),
    OFFSET(spw_semi_view, numbers), SIZE(spw_semi_request), OFFSET(spw_semi_request, order), OFFSET(spw_semi_request, dtype),
    OFFSET(spw_semi_request, bits), SIZE(spw_semi_report), OFFSET(spw_semi_report, valid), OFFSET(spw_semi_report, findings),
    NUMBER(SPW_SEMI_PLAIN), NUMBER(SPW_SEMI_CUTLASS), NUMBER(SPW_STRUCTURE), NUMBER(SPW_FLOAT16),
    SIZE(peer_csr), OFFSET(peer_csr, compressed), OFFSET(peer_csr, plain), OFFSET(peer_csr, values),
    SIZE(peer_request), OFFSET(peer_request, rows), OFFSET(peer_request, columns), OFFSET(peer_request, nse),
    OFFSET(peer_request, width), OFFSET(peer_request, nse_b), OFFSET(peer_request, a), OFFSET(peer_request, b),
    OFFSET(peer_request, x), OFFSET(peer_request, y), OFFSET(peer_request, operation), OFFSET(peer_request, index_bytes),
    OFFSET(peer_request, value_bytes), OFFSET(peer_request, threads),
    NUMBER(PEER_MV), NUMBER(PEER_MM), NUMBER(PEER_SQUARE), NUMBER(PEER_PLUS), NUMBER(PEER_SAMPLED),
    NUMBER(SPW_COO), NUMBER(SPW_CSR), NUMBER(SPW_CSC), NUMBER(SPW_BSR), NUMBER(SPW_BSC), NUMBER(SPW_DENSE),
    NUMBER(SPW_CANONICAL), NUMBER(SPW_INT8), NUMBER(SPW_INT32), NUMBER(SPW_INT64), NUMBER(SPW_FLOAT32),
    NUMBER(SPW_FLOAT64), NUMBER(SPW_CLAIM_NONE), NUMBER(SPW_CLAIM_YES), NUMBER(SPW_OK), {NULL, 0}};

/* ---- Reading ------------------------------------------------------------------------------------ */

/* With more than one thread, each reads its share. */
SPW_CLONES
static uint64_t sum_i32(const int32_t *a, int64_t length)
{
  uint32_t sum = 0;
  for (int64_t i = 0; i < length; i++) sum += (uint32_t)a[i];
  return sum;
}

SPW_CLONES
static uint64_t sum_i64(const int64_t *a, int64_t length)
{
  uint64_t sum = 0;
  for (int64_t i = 0; i < length; i++) sum += (uint64_t)a[i];
  return sum;
}

uint64_t bench_read_i32(const int32_t *c, int64_t c_length, const int32_t *p, int64_t p_length, int threads)
{
  if (threads == 1) return sum_i32(c, c_length) + sum_i32(p, p_length);
  uint64_t sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum) num_threads(threads)
  for (int64_t t = 0; t < threads; t++) {
    const int64_t c0 = c_length * t / threads, c1 = c_length * (t + 1) / threads;
    const int64_t p0 = p_length * t / threads, p1 = p_length * (t + 1) / threads;
    sum += sum_i32(c + c0, c1 - c0) + sum_i32(p + p0, p1 - p0);
  }
  return sum;
}

uint64_t bench_read_i64(const int64_t *c, int64_t c_length, const int64_t *p, int64_t p_length, int threads)
{
  if (threads == 1) return sum_i64(c, c_length) + sum_i64(p, p_length);
  uint64_t sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum) num_threads(threads)
  for (int64_t t = 0; t < threads; t++) {
    const int64_t c0 = c_length * t / threads, c1 = c_length * (t + 1) / threads;
    const int64_t p0 = p_length * t / threads, p1 = p_length * (t + 1) / threads;
    sum += sum_i64(c + c0, c1 - c0) + sum_i64(p + p0, p1 - p0);
  }
  return sum;
}

/* Seconds that one of many calls takes, without the way through Python. */
double bench_repeat(spw_status (*is_valid)(const spw_tensor *, spw_level, bool *),
                    const spw_tensor *tensor, int64_t times)
{
  struct timespec start, end;
  bool valid = true;
  (void)timespec_get(&start, TIME_UTC);
  for (int64_t t = 0; t < times; t++) {
    bool one = false;
    if (is_valid(tensor, SPW_CANONICAL, &one) != SPW_OK || !one) valid = false;
  }
  (void)timespec_get(&end, TIME_UTC);
  const double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
  return valid ? seconds / (double)times : -1;
}

/* Seconds of the processor that a product without a workspace takes: of a handle, where there is one. */
double bench_repeat_product(bench_product *multiply, bench_prepared_product *prepared, const spw_tensor *a,
                            const spw_prepared *handle, const spw_tensor *b, const spw_output *c, int64_t times)
{
  const spw_factors alone = {0};
  bool done = true;
  const clock_t start = clock();
  for (int64_t t = 0; t < times; t++) {
    const spw_status status = handle ? prepared(handle, b, &alone, c, NULL, 0, NULL) : multiply(a, b, &alone, c, NULL, 0, NULL);
    done = done && status == SPW_OK;
  }
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  return done ? seconds / (double)times : -1;
}

/* ---- Matrices ----------------------------------------------------------------------------------- */

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int64_t random_below(uint64_t *state, int64_t limit)
{
  return (int64_t)(next_random(state) % (uint64_t)limit);
}

/* Each grid point of an n x n x n cube and its up to 26 neighbours: bench_fem with one unknown a point. */
int64_t bench_stencil(int64_t n, int32_t *c, int32_t *p)
{
  return bench_fem(n, 1, c, p);
}

/* The neighbours of a point of an n x n x n cube, and the point itself, in ascending order. */
static int64_t neighbours_of(int64_t n, int64_t point, int64_t *neighbours)
{
  const int64_t x = point / (n * n), y = point / n % n, z = point % n;
  int64_t count = 0;
  for (int64_t neighbour = 0; neighbour < 27; neighbour++) {
    const int64_t X = x + neighbour / 9 - 1, Y = y + neighbour / 3 % 3 - 1, Z = z + neighbour % 3 - 1;
    if (X < 0 || Y < 0 || Z < 0 || X >= n || Y >= n || Z >= n) continue;
    neighbours[count++] = (X * n + Y) * n + Z;
  }
  return count;
}

/* `unknowns` at every grid point, each with those of the neighbours: dense blocks. */
int64_t bench_fem(int64_t n, int64_t unknowns, int32_t *c, int32_t *p)
{
  int64_t nse = 0, row = 0, neighbours[27];
  c[0] = 0;
  for (int64_t point = 0; point < n * n * n; point++) {
    const int64_t count = neighbours_of(n, point, neighbours);
    for (int64_t r = 0; r < unknowns; r++) {
      for (int64_t i = 0; i < count; i++)
        for (int64_t t = 0; t < unknowns; t++) p[nse++] = (int32_t)(neighbours[i] * unknowns + t);
      c[++row] = (int32_t)nse;
    }
  }
  return nse;
}

/* The diagonal, and `width` entries to both sides of it. */
int64_t bench_banded(int64_t rows, int64_t width, int32_t *c, int32_t *p)
{
  int64_t nse = 0;
  c[0] = 0;
  for (int64_t r = 0; r < rows; r++) {
    const int64_t first = r < width ? 0 : r - width, last = r + width < rows ? r + width : rows - 1;
    for (int64_t j = first; j <= last; j++) p[nse++] = (int32_t)j;
    c[r + 1] = (int32_t)nse;
  }
  return nse;
}

/* Each point of an n x n grid and its up to 4 neighbours. */
int64_t bench_grid(int64_t n, int32_t *c, int32_t *p)
{
  int64_t nse = 0;
  c[0] = 0;
  for (int64_t point = 0; point < n * n; point++) {
    const int64_t y = point / n, x = point % n;
    if (y > 0) p[nse++] = (int32_t)(point - n);
    if (x > 0) p[nse++] = (int32_t)(point - 1);
    p[nse++] = (int32_t)point;
    if (x < n - 1) p[nse++] = (int32_t)(point + 1);
    if (y < n - 1) p[nse++] = (int32_t)(point + n);
    c[point + 1] = (int32_t)nse;
  }
  return nse;
}

/* The diagonal, and one row in the middle that has every column. */
int64_t bench_full_row(int64_t rows, int32_t *c, int32_t *p)
{
  int64_t nse = 0;
  c[0] = 0;
  for (int64_t r = 0; r < rows; r++) {
    if (r == rows / 2)
      for (int64_t j = 0; j < rows; j++) p[nse++] = (int32_t)j;
    else
      p[nse++] = (int32_t)r;
    c[r + 1] = (int32_t)nse;
  }
  return nse;
}

/* Random columns, ascending, in every row. */
static void fill_rows(int64_t rows, int64_t columns, const int32_t *c, int32_t *p, uint64_t *state)
{
  for (int64_t r = 0; r < rows; r++) {
    const int64_t length = c[r + 1] - c[r], gap = length > 0 ? columns / length : 1;
    for (int64_t t = 0; t < length; t++) p[c[r] + t] = (int32_t)(t * gap + random_below(state, gap));
  }
}

/* `a_row` entries in every row. */
int64_t bench_uniform(int64_t rows, int64_t columns, int64_t a_row, int32_t *c, int32_t *p)
{
  uint64_t state = 1;
  for (int64_t r = 0; r <= rows; r++) c[r] = (int32_t)(r * a_row);
  fill_rows(rows, columns, c, p, &state);
  return c[rows];
}

/* `a_row` entries in one of `every` rows, a random one of them, and none in the others. */
int64_t bench_mostly_empty(int64_t rows, int64_t every, int64_t a_row, int32_t *c, int32_t *p)
{
  uint64_t state = 4;
  int64_t chosen = 0;
  c[0] = 0;
  for (int64_t r = 0; r < rows; r++) {
    if (r % every == 0) chosen = r + random_below(&state, every);
    c[r + 1] = (int32_t)(c[r] + (r == chosen ? a_row : 0));
  }
  fill_rows(rows, rows, c, p, &state);
  return c[rows];
}

/* Each entry in a random row: many rows are empty. */
int64_t bench_poisson(int64_t rows, int64_t columns, int64_t entries, int32_t *c, int32_t *p)
{
  uint64_t state = 2;
  for (int64_t r = 0; r <= rows; r++) c[r] = 0;
  for (int64_t k = 0; k < entries; k++) c[1 + random_below(&state, rows)]++;
  for (int64_t r = 0; r < rows; r++) c[r + 1] += c[r];
  fill_rows(rows, columns, c, p, &state);
  return entries;
}

static int ascending(const void *a, const void *b)
{
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* One edge: at each level a quadrant, with the probabilities 0.57, 0.19, 0.19, 0.05. */
static void rmat_edge(int64_t scale, uint64_t *state, int32_t *row, int32_t *column)
{
  int32_t r = 0, col = 0;
  for (int64_t level = 0; level < scale; level++) {
    const int64_t die = random_below(state, 100);
    r = 2 * r + (die >= 76);
    col = 2 * col + ((die >= 57 && die < 76) || die >= 95);
  }
  *row = r;
  *column = col;
}

/* A graph of 2^scale vertices; repeated edges are dropped. Draws the edges twice: once to count. */
int64_t bench_rmat(int64_t scale, int64_t edges, int32_t *c, int32_t *p)
{
  const int64_t rows = (int64_t)1 << scale;
  int32_t row, column;
  for (int64_t r = 0; r <= rows; r++) c[r] = 0;
  uint64_t state = 3;
  for (int64_t e = 0; e < edges; e++) {
    rmat_edge(scale, &state, &row, &column);
    c[row]++;
  }
  for (int64_t r = 0; r < rows; r++) c[r + 1] += c[r];
  state = 3;
  for (int64_t e = 0; e < edges; e++) { /* from the back of each row: c[r] ends at its start */
    rmat_edge(scale, &state, &row, &column);
    p[--c[row]] = column;
  }
  c[rows] = (int32_t)edges;
  int64_t nse = 0, begin = 0;
  for (int64_t r = 0; r < rows; r++) {
    const int64_t end = c[r + 1];
    qsort(p + begin, (size_t)(end - begin), sizeof *p, ascending);
    c[r] = (int32_t)nse;
    for (int64_t k = begin; k < end; k++)
      if (k == begin || p[k] != p[nse - 1]) p[nse++] = p[k];
    begin = end;
  }
  c[rows] = (int32_t)nse;
  return nse;
}
