/* SPDX-License-Identifier: Apache-2.0 */
/* What every conversion must give, from the meaning of the tensor: cells are made distinct, put together
 * to blocks, left out, sorted and written down. */
#include "meaning.h"

#include "oracle.h"
#include "scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

#define ANY (INT64_MIN + 77) /* a number that the header leaves open */
#define BIT(status) (1u << -(status))

static void *memory_for(int64_t count, size_t size)
{
  void *memory = calloc((size_t)count + 1, size);
  if (!memory) abort();
  return memory;
}

static int64_t saturated(wide number)
{
  return number > INT64_MAX ? INT64_MAX : number < INT64_MIN ? INT64_MIN : (int64_t)number;
}

static bool is_compressed(spw_layout layout)
{
  return layout == SPW_CSR || layout == SPW_CSC || is_blocked(layout);
}

static bool by_columns(spw_layout layout)
{
  return layout == SPW_CSC || layout == SPW_BSC;
}

/* ---- What is asked --------------------------------------------------------------------------- */

/* A conversion with all that follows from the shapes. */
typedef struct task {
  const spw_tensor *from;
  const spw_conversion *wanted;
  bool wrong, open; /* the call is; or may be called so */
  int64_t ndim, size[MEANING_DIMS];
  int64_t leading, K;     /* batch and sparse dimensions; dense ones */
  int64_t B;              /* batch dimensions of the result */
  int64_t rows, columns;  /* sizes of the two sparse dimensions of a compressed result */
  int64_t b0, b1, C, P;   /* blocks and grid of the result */
  wide dense_elements, batches;
  spw_dtype index_dtype;
  int64_t index_max;
} task;

static void judge_blocks(task *t)
{
  const spw_conversion *w = t->wanted;
  const spw_array *v = &t->from->values.array;
  const bool none = w->block_rows == 0 && w->block_columns == 0;
  t->b0 = t->b1 = 1;
  if (!is_blocked(w->layout)) {
    t->open |= !none;
  } else if (!none) {
    t->wrong |= w->block_rows < 1 || w->block_columns < 1;
    t->b0 = w->block_rows;
    t->b1 = w->block_columns;
  } else if (!is_blocked(t->from->layout)) {
    t->wrong = true;
  } else if (t->from->compressed.array.ndim >= 1 && v->ndim >= t->from->compressed.array.ndim + 2) {
    t->b0 = v->shape[t->from->compressed.array.ndim];
    t->b1 = v->shape[t->from->compressed.array.ndim + 1];
  }
}

/* Of a valid tensor. */
static bool keeps_blocks(const task *t)
{
  const int64_t B = t->from->compressed.array.ndim - 1;
  return is_blocked(t->from->layout) && is_blocked(t->wanted->layout) && t->b0 == t->from->values.array.shape[B + 1] &&
         t->b1 == t->from->values.array.shape[B + 2];
}

/* What a request says that is wrong whatever the tensor is. */
static void judge_request(task *t)
{
  const spw_conversion *w = t->wanted;
  const bool gives_batches = is_compressed(w->layout) && !is_compressed(t->from->layout);
  t->wrong |= (int)w->layout < 0 || w->layout > SPW_DENSE || w->duplicates < SPW_COMBINE_SUM ||
              w->duplicates > SPW_COMBINE_REFUSE;
  t->wrong |= w->index_dtype != SPW_DTYPE_NONE && w->index_dtype != SPW_INT32 && w->index_dtype != SPW_INT64;
  t->wrong |= w->batch_dims < -1 && gives_batches;
  t->open |= w->batch_dims != -1 && !gives_batches;
  t->wrong |= w->dense_dims < -1;
  t->open |= w->dense_dims != -1 && t->from->layout == SPW_DENSE && w->layout == SPW_DENSE;
  judge_blocks(t);
}

/* ---- Is the tensor valid? -------------------------------------------------------------------- */

static void broken(expected *e, spw_rule rule)
{
  e->report.findings[rule].state = SPW_VIOLATED;
  e->report.valid = false;
}

static bool dense_reaches_outside(const spw_array *v)
{
  wide last = v->offset;
  if (v->offset < 0) return true;
  for (int64_t d = 0; d < v->ndim; d++)
    if (v->strides[d] < 0) return true;
  for (int64_t d = 0; d < v->ndim; d++)
    if (v->shape[d] <= 0) return false; /* nothing is reached */
  for (int64_t d = 0; d < v->ndim; d++) {
    last += (wide)(v->shape[d] - 1) * v->strides[d];
    if (last > INT64_MAX) return true;
  }
  return last >= v->length;
}

/* 1.4, 1.5, 3.11, 3.12 and 3.14 of the values. */
static void judge_dense(const spw_tensor *x, expected *e)
{
  const spw_array *v = &x->values.array;
  wide product = 1;
  bool zero = false, negative = false;
  e->report.valid = true;
  if (v->dtype < SPW_BOOL || v->dtype > SPW_COMPLEX128) broken(e, SPW_RULE_1_5);
  if (x->dtype != SPW_DTYPE_NONE && x->dtype != v->dtype) broken(e, SPW_RULE_1_4);
  for (int64_t d = 0; d < v->ndim; d++) {
    zero |= v->shape[d] == 0;
    negative |= v->shape[d] < 0;
    if (!negative && product <= INT64_MAX) product *= v->shape[d];
  }
  if (negative) broken(e, SPW_RULE_3_12);
  if (negative || (!zero && product > INT64_MAX)) broken(e, SPW_RULE_3_11);
  if (dense_reaches_outside(v)) broken(e, SPW_RULE_3_14);
}

/* False: it takes too long to tell. */
static bool judge_tensor(const spw_tensor *x, const spw_conversion *w, expected *e)
{
  if (x->layout == SPW_DENSE) judge_dense(x, e);
  else return oracle_check(x, w->canonicalize ? SPW_STRUCTURE : SPW_CANONICAL, &e->report);
  return true;
}

static bool has_too_many_batches(const spw_tensor *x)
{
  const spw_array *c = &x->compressed.array;
  wide product = 1;
  if (!is_compressed(x->layout)) return false;
  for (int64_t d = 0; d + 1 < c->ndim; d++)
    if (c->shape[d] <= 0) return false;
  for (int64_t d = 0; d + 1 < c->ndim && product <= INT64_MAX; d++) product *= c->shape[d];
  return product > INT64_MAX;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static wide product_of(int64_t n, const int64_t *factors)
{
  wide product = 1;
  for (int64_t i = 0; i < n; i++)
    if (factors[i] == 0) return 0;
  for (int64_t i = 0; i < n && product <= INT64_MAX; i++) product *= factors[i];
  return product;
}

/* Of a valid tensor; false when only its indices tell its size, and they are too many. */
static bool take_size(task *t, const meaning *m)
{
  const spw_tensor *x = t->from;
  if (x->values.array.ndim > MEANING_DIMS + 2) return false;
  if (x->layout == SPW_DENSE) {
    t->ndim = x->values.array.ndim;
    t->K = t->wanted->dense_dims < 0 || t->wanted->layout == SPW_DENSE ? 0 : t->wanted->dense_dims;
  } else if (x->layout == SPW_COO) {
    t->K = x->values.array.ndim - 1;
    t->ndim = x->plain.array.shape[0] > MEANING_DIMS ? MEANING_DIMS + 1 : x->plain.array.shape[0] + t->K;
  } else {
    t->K = x->values.array.ndim - x->compressed.array.ndim - (is_blocked(x->layout) ? 2 : 0);
    t->ndim = x->compressed.array.ndim + 1 + t->K;
  }
  const int64_t *size = x->layout == SPW_DENSE ? x->values.array.shape : x->has_size ? x->size : m ? m->size : NULL;
  if (t->ndim > MEANING_DIMS || (t->ndim > 0 && !size)) return false;
  if (t->ndim > 0) memcpy(t->size, size, (size_t)t->ndim * sizeof *size);
  t->leading = t->ndim - t->K;
  return true;
}

static void take_index_type(task *t)
{
  t->index_dtype = t->wanted->index_dtype;
  if (t->index_dtype == SPW_DTYPE_NONE)
    t->index_dtype = t->from->layout == SPW_DENSE ? SPW_INT64 : t->from->plain.array.dtype;
  t->index_max = t->index_dtype == SPW_INT32 ? INT32_MAX : INT64_MAX;
}

static void obstacle(expected *e, spw_obstacle which, int64_t place, int64_t lhs, int64_t rhs)
{
  if (e->obstacles == MEANING_OBSTACLES) return;
  e->obstacle[e->obstacles++] = (spw_refusal){.obstacle = which, .place = place, .other = -1, .lhs = lhs, .rhs = rhs};
}

static void expect_index(const task *t, expected *e, wide number)
{
  if (number > t->index_max && t->wanted->layout != SPW_DENSE)
    obstacle(e, SPW_OBSTACLE_INDEX, ANY, saturated(number), t->index_max);
}

static void expect_length(expected *e, wide length)
{
  if (length > INT64_MAX) obstacle(e, SPW_OBSTACLE_SIZE, ANY, ANY, ANY);
}

/* Fills in the dimensions of a compressed result. False: there are not two left. */
static bool split_dimensions(task *t, expected *e)
{
  const spw_conversion *w = t->wanted;
  const int64_t S = t->leading;
  if (is_compressed(t->from->layout)) t->B = S - 2;
  else t->B = w->batch_dims == -1 ? (S < 2 ? 0 : S - 2) : w->batch_dims;
  if (S >= 2 && t->B == S - 2) return true;
  obstacle(e, SPW_OBSTACLE_DIMENSIONS, ANY, S, saturated((wide)t->B + 2));
  obstacle(e, SPW_OBSTACLE_DIMENSIONS, ANY, saturated((wide)S - t->B), 2);
  return false;
}

static bool divide(const task *t, expected *e, int which, int64_t block)
{
  const int64_t size = t->size[t->B + which];
  if (size % block == 0) return true;
  obstacle(e, SPW_OBSTACLE_BLOCKS, t->B + which, size, block);
  return false;
}

/* What the shapes forbid. */
static void judge_shapes(task *t, expected *e)
{
  t->batches = 1;
  take_index_type(t);
  t->dense_elements = product_of(t->K, t->size + t->leading);
  if (t->wanted->layout == SPW_DENSE) return;
  if (t->wanted->layout == SPW_COO) {
    for (int64_t d = 0; d < t->leading; d++) expect_index(t, e, t->size[d]);
    return;
  }
  if (!split_dimensions(t, e)) return;
  const bool rows = divide(t, e, 0, t->b0), columns = divide(t, e, 1, t->b1);
  if (!rows || !columns) return;
  t->rows = t->size[t->B] / t->b0;
  t->columns = t->size[t->B + 1] / t->b1;
  t->C = by_columns(t->wanted->layout) ? t->columns : t->rows;
  t->P = by_columns(t->wanted->layout) ? t->rows : t->columns;
  t->batches = product_of(t->B, t->size);
  expect_index(t, e, t->C);
  expect_index(t, e, t->P);
  expect_length(e, t->batches);
  expect_length(e, (wide)t->C + 1);
  if (t->batches <= INT64_MAX) expect_length(e, t->batches * ((wide)t->C + 1));
}

/* The lengths of a result with so many cells a batch; `open`: there may be fewer. */
static void judge_lengths(task *t, expected *e, wide nse, bool open)
{
  const bool coo = t->wanted->layout == SPW_COO, dense = t->wanted->layout == SPW_DENSE;
  const wide lengths[] = {
      dense || coo ? 0 : t->batches * ((wide)t->C + 1),
      dense ? 0 : coo ? (wide)t->leading * nse : t->batches * nse,
      dense ? product_of(t->ndim, t->size)
            : (wide)product_of(4, (const int64_t[]){saturated(t->batches), saturated(nse), t->b0, t->b1})};
  wide values = lengths[2];
  if (!dense && values <= INT64_MAX)
    values = product_of(2, (const int64_t[]){(int64_t)values, saturated(t->dense_elements)});
  const bool fits = lengths[0] <= INT64_MAX && lengths[1] <= INT64_MAX && values <= INT64_MAX;
  if (!fits && !open) obstacle(e, SPW_OBSTACLE_SIZE, ANY, ANY, ANY);
  if (!fits && open) e->statuses |= BIT(SPW_ERANGE);
  /* Bytes may be too many to number where elements are not. */
  if (lengths[0] > INT64_MAX / 16 || lengths[1] > INT64_MAX / 16 || values > INT64_MAX / 16) e->statuses |= BIT(SPW_ERANGE);
  e->room_known = fits && !open;
  e->room = (spw_room){.index_dtype = t->index_dtype, .dtype = t->from->values.array.dtype,
                       .compressed = saturated(lengths[0]), .plain = saturated(lengths[1]), .values = saturated(values)};
}

/* ---- Duplicates ------------------------------------------------------------------------------ */

static int compare_positions(const int64_t *a, const int64_t *b, int64_t leading, bool columns_first)
{
  for (int64_t i = 0; i < leading; i++) {
    const bool swapped = columns_first && leading >= 2 && i >= leading - 2;
    const int64_t d = !swapped ? i : i == leading - 2 ? i + 1 : i - 1;
    if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
  }
  return 0;
}

/* Cells are sorted: the first two of those at the first position, by rows or by columns. */
static void expect_no_duplicates(const meaning *m, expected *e)
{
  const cell *first[2] = {NULL, NULL};
  for (int64_t i = 1; i < m->count; i++) {
    const cell *c = &m->cells[i - 1];
    if (compare_positions(c->at, c[1].at, m->leading, false) != 0) continue;
    for (int columns = 0; columns < 2; columns++)
      if (!first[columns] || compare_positions(c->at, first[columns]->at, m->leading, columns) < 0) first[columns] = c;
  }
  for (int columns = 0; columns < 2 && first[columns]; columns++) {
    obstacle(e, SPW_OBSTACLE_DUPLICATE, first[columns]->batch, first[columns]->place, first[columns][1].place);
    e->late = true;
  }
}

/* ---- Units: what one index of the result addresses ------------------------------------------- */

typedef struct unit {
  int64_t at[MEANING_DIMS]; /* of a block, its row and column of blocks */
  int64_t within;           /* at first: one cell, its place in the block */
  const cell *from;
  uint8_t *scalars;
  bool *computed;
} unit;

typedef struct units {
  int64_t count, scalars, width; /* scalars of a unit, bytes of a scalar */
  unit *all;
  uint8_t *memory;
  bool *computed;
} units;

static void units_free(units *u)
{
  free(u->all);
  free(u->memory);
  free(u->computed);
}

static int64_t sorted_leading;
static bool sorted_by_columns;

static int compare_units(const void *left, const void *right)
{
  const unit *a = left, *b = right;
  return compare_positions(a->at, b->at, sorted_leading, sorted_by_columns);
}

static void one_unit_a_cell(const meaning *m, const task *t, units *u)
{
  for (int64_t i = 0; i < m->count; i++) {
    unit *one = &u->all[i];
    memcpy(one->at, m->cells[i].at, sizeof one->at);
    one->from = &m->cells[i];
    if (!is_blocked(t->wanted->layout)) continue;
    one->within = one->at[t->B] % t->b0 * t->b1 + one->at[t->B + 1] % t->b1;
    one->at[t->B] /= t->b0;
    one->at[t->B + 1] /= t->b1;
  }
  sorted_leading = m->leading;
  sorted_by_columns = by_columns(t->wanted->layout);
  if (m->count > 0) qsort(u->all, (size_t)m->count, sizeof *u->all, compare_units);
}

/* In the order of the result. False when they are too many. */
static bool units_of(const meaning *m, const task *t, units *u)
{
  const wide scalars = product_of(3, (const int64_t[]){t->b0, t->b1, m->scalars});
  *u = (units){.width = scalar_width(m->dtype)};
  if (scalars * m->count > MEANING_SCALARS) return false;
  u->scalars = m->count > 0 ? (int64_t)scalars : 0;
  u->all = memory_for(m->count, sizeof *u->all);
  u->memory = memory_for(m->count * u->scalars, (size_t)u->width);
  u->computed = memory_for(m->count * u->scalars, sizeof *u->computed);
  one_unit_a_cell(m, t, u);
  for (int64_t i = 0; i < m->count; i++) {
    const unit one = u->all[i];
    if (u->count == 0 || compare_units(&u->all[u->count - 1], &one) != 0) {
      u->all[u->count] = one;
      u->all[u->count].scalars = u->memory + u->count * u->scalars * u->width;
      u->all[u->count].computed = u->computed + u->count * u->scalars;
      u->count++;
    }
    const unit *into = &u->all[u->count - 1];
    memcpy(into->scalars + one.within * m->scalars * u->width, one.from->scalars, (size_t)(m->scalars * u->width));
    for (int64_t e = 0; e < m->scalars; e++) into->computed[one.within * m->scalars + e] = one.from->computed;
  }
  return true;
}

typedef bool is_nothing(spw_dtype dtype, const void *scalar);

/* Leaves out the units all of whose scalars are nothing. */
static void leave_out(units *u, spw_dtype dtype, is_nothing *nothing)
{
  int64_t kept = 0;
  for (int64_t i = 0; i < u->count; i++) {
    bool keep = false;
    for (int64_t e = 0; e < u->scalars; e++) keep |= !nothing(dtype, u->all[i].scalars + e * u->width);
    if (keep) u->all[kept++] = u->all[i];
  }
  u->count = kept;
}

/* ---- The result ------------------------------------------------------------------------------ */

static int64_t flat(int64_t n, const int64_t *shape, const int64_t *index)
{
  int64_t number = 0;
  for (int64_t d = 0; d < n; d++) number = number * shape[d] + index[d];
  return number;
}

/* An array of the result: row-major, without gaps. */
static void *array_for(expected *e, int which, spw_array *a, spw_dtype dtype, size_t element, int64_t length)
{
  wide stride = 1;
  a->dtype = dtype;
  a->shape = e->shapes[which];
  a->strides = e->strides[which];
  a->length = length;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    e->strides[which][d] = saturated(stride);
    if (stride <= INT64_MAX) stride *= e->shapes[which][d];
  }
  return e->memory[which] = memory_for(length, element);
}

static void append(expected *e, int which, spw_array *a, int64_t entry)
{
  e->shapes[which][a->ndim++] = entry;
}

static void make_values(const task *t, expected *e, int64_t nse)
{
  spw_array *a = &e->result.values.array;
  const bool dense = t->wanted->layout == SPW_DENSE, coo = t->wanted->layout == SPW_COO;
  for (int64_t d = 0; d < (dense ? t->ndim : coo ? 0 : t->B); d++) append(e, 2, a, t->size[d]);
  if (!dense) append(e, 2, a, nse);
  if (is_blocked(t->wanted->layout)) append(e, 2, a, t->b0);
  if (is_blocked(t->wanted->layout)) append(e, 2, a, t->b1);
  for (int64_t d = 0; d < (dense ? 0 : t->K); d++) append(e, 2, a, t->size[t->leading + d]);
  const spw_dtype dtype = t->from->values.array.dtype;
  e->result.values.data = array_for(e, 2, a, dtype, (size_t)scalar_width(dtype), e->room.values);
  e->computed = memory_for(e->room.values, sizeof *e->computed);
}

static void put_values(expected *e, int64_t number, const units *u, const unit *one)
{
  memcpy((uint8_t *)e->memory[2] + number * u->scalars * u->width, one->scalars, (size_t)(u->scalars * u->width));
  if (u->scalars > 0) memcpy(e->computed + number * u->scalars, one->computed, (size_t)u->scalars);
}

static void make_index_array(const task *t, expected *e, int which, spw_index_array *a, int64_t length)
{
  int64_t *memory = array_for(e, which, &a->array, t->index_dtype, sizeof(int64_t), length);
  if (t->index_dtype == SPW_INT32) a->i32 = (int32_t *)memory;
  else a->i64 = memory;
}

static void put_index(expected *e, int which, int64_t number, int64_t index)
{
  const spw_index_array *a = which == 0 ? &e->result.compressed : &e->result.plain;
  if (a->i32) ((int32_t *)e->memory[which])[number] = (int32_t)index;
  else ((int64_t *)e->memory[which])[number] = index;
}

static void write_coo(const task *t, expected *e, const units *u)
{
  spw_array *a = &e->result.plain.array;
  append(e, 1, a, t->leading);
  append(e, 1, a, u->count);
  make_index_array(t, e, 1, &e->result.plain, t->leading * u->count);
  e->result.coalesced = SPW_CLAIM_YES;
  for (int64_t k = 0; k < u->count; k++) {
    for (int64_t d = 0; d < t->leading; d++) put_index(e, 1, d * u->count + k, u->all[k].at[d]);
    put_values(e, k, u, &u->all[k]);
  }
}

/* The line and the place in it of a unit. */
static int64_t line_of(const task *t, const unit *one)
{
  return one->at[t->B + (by_columns(t->wanted->layout) ? 1 : 0)];
}

static void write_compressed(const task *t, expected *e, const units *u, int64_t nse)
{
  const int64_t batches = (int64_t)t->batches;
  for (int64_t d = 0; d < t->B; d++) {
    append(e, 0, &e->result.compressed.array, t->size[d]);
    append(e, 1, &e->result.plain.array, t->size[d]);
  }
  append(e, 0, &e->result.compressed.array, t->C + 1);
  append(e, 1, &e->result.plain.array, nse);
  make_index_array(t, e, 0, &e->result.compressed, batches * (t->C + 1));
  make_index_array(t, e, 1, &e->result.plain, batches * nse);
  for (int64_t i = 0; i < u->count; i++) {
    const int64_t batch = flat(t->B, t->size, u->all[i].at);
    put_index(e, 1, i, u->all[i].at[t->B + (by_columns(t->wanted->layout) ? 0 : 1)]);
    put_values(e, i, u, &u->all[i]);
    for (int64_t line = line_of(t, &u->all[i]) + 1; line <= t->C; line++) {
      const int64_t at = batch * (t->C + 1) + line;
      if (e->result.compressed.i32) ((int32_t *)e->memory[0])[at]++;
      else ((int64_t *)e->memory[0])[at]++;
    }
  }
}

static void write_dense(const task *t, expected *e, const units *u)
{
  if (u->scalars == 0) return; /* the sizes may be any */
  for (int64_t i = 0; i < u->count; i++) put_values(e, flat(t->leading, t->size, u->all[i].at), u, &u->all[i]);
}

static void write_result(const task *t, expected *e, const units *u, int64_t nse)
{
  e->has_result = true;
  e->result = (spw_tensor){.layout = t->wanted->layout, .has_size = true, .ndim = t->ndim, .size = e->numbers,
                           .coalesced = SPW_CLAIM_NONE};
  memcpy(e->numbers, t->size, sizeof t->size);
  make_values(t, e, nse);
  if (t->wanted->layout == SPW_DENSE) write_dense(t, e, u);
  else if (t->wanted->layout == SPW_COO) write_coo(t, e, u);
  else write_compressed(t, e, u, nse);
}

/* ---- All together ---------------------------------------------------------------------------- */

/* The cells of each batch are as many. */
static bool count_batches(const task *t, expected *e, const units *u)
{
  free(e->cells_of_batch);
  e->batches = (int64_t)t->batches;
  e->cells_of_batch = memory_for(e->batches, sizeof *e->cells_of_batch);
  for (int64_t i = 0; i < u->count; i++) e->cells_of_batch[flat(t->B, t->size, u->all[i].at)]++;
  for (int64_t b = 1; b < e->batches; b++)
    if (e->cells_of_batch[b] != e->cells_of_batch[0]) {
      obstacle(e, SPW_OBSTACLE_BATCHES, ANY, ANY, ANY);
      e->late = true;
      return false;
    }
  return true;
}

/* Batches are counted after zeros are left out. False: there are too many batches to look at. */
static bool finish(task *t, expected *e, units *u, int64_t cells)
{
  const bool compressed = is_compressed(t->wanted->layout);
  if (compressed && t->batches > MEANING_SCALARS) return false;
  if (t->wanted->prune && t->wanted->layout != SPW_DENSE) leave_out(u, t->from->values.array.dtype, scalar_is_zero);
  if (compressed && !count_batches(t, e, u)) return true;
  int64_t nse = u->count;
  if (compressed) nse = t->batches > 0 ? (int64_t)(u->count / t->batches) : 0;
  judge_lengths(t, e, cells, true); /* the room that is asked for first may be too large to number */
  e->room_most = e->room;
  judge_lengths(t, e, nse, false);
  expect_index(t, e, nse);
  e->any_nse = compressed && t->batches == 0;
  const bool small = e->room.compressed <= 4 * MEANING_SCALARS && e->room.plain <= 4 * MEANING_SCALARS &&
                     e->room.values <= 4 * MEANING_SCALARS;
  if (e->obstacles == 0 && small) write_result(t, e, u, nse);
  return true;
}

/* The number of cells that a batch of the result has where no cell is lost or met by another. */
static wide cells_without_loss(const task *t)
{
  const spw_tensor *x = t->from;
  if (!is_compressed(x->layout) || t->wanted->canonicalize || t->wanted->prune) return -1;
  if (is_blocked(t->wanted->layout) && !keeps_blocks(t)) return -1;
  const int64_t B = x->compressed.array.ndim - 1;
  wide cells = x->plain.array.shape[B];
  if (is_blocked(x->layout) && !keeps_blocks(t)) cells *= product_of(2, x->values.array.shape + B + 1);
  if (t->wanted->layout == SPW_COO) cells = product_of(2, (const int64_t[]){saturated(cells), saturated(product_of(B, t->size))});
  return cells;
}

/* Too many cells to look at. */
static void judge_unseen(task *t, expected *e)
{
  e->room_exact = true;
  const wide nse = cells_without_loss(t);
  if (t->wanted->layout == SPW_DENSE) judge_lengths(t, e, 0, false);
  if (nse >= 0 && t->wanted->layout != SPW_DENSE) {
    judge_lengths(t, e, nse, false);
    expect_index(t, e, nse);
  }
  if (e->obstacles > 0 || !e->room_known) e->statuses = e->obstacles > 0 ? BIT(SPW_ERANGE) : 0;
  else e->statuses |= BIT(SPW_OK);
}

/* Fewer cells may come out than there are: the room is then an upper bound. */
static bool may_shrink(const task *t)
{
  const bool certain = t->from->layout != SPW_COO || (t->from->coalesced == SPW_CLAIM_YES && !is_blocked(t->wanted->layout));
  return t->wanted->layout != SPW_DENSE && (t->wanted->prune || t->wanted->canonicalize || !certain);
}

static bool has_wide_strides(const task *t)
{
  wide product = 1;
  for (int64_t d = 0; d < t->ndim && product <= INT64_MAX; d++) product *= t->size[d] > 1 ? t->size[d] : 1;
  return product > INT64_MAX;
}

/* Of blocks, their elements; whether there is a batch or not. Of a compressed tensor. */
static wide elements_of_batch(const task *t)
{
  const spw_tensor *x = t->from;
  return product_of(is_blocked(x->layout) ? 3 : 1, x->values.array.shape + x->compressed.array.ndim - 1);
}

/* Lines, or elements of the blocks of a batch even where there is no batch: so many that the workspace may have
 * more bytes than int64 can number. */
static bool has_long_lines(const task *t)
{
  if (is_blocked(t->from->layout) && elements_of_batch(t) > INT64_MAX / 256) return true;
  for (int64_t d = 0; d < t->leading; d++)
    if (t->size[d] > INT64_MAX / 256) return true;
  return false;
}

/* No batch has them, and yet nse counts them where they are not counted anew. */
static void allow_for_cells_of_no_batch(const task *t, expected *e)
{
  if (!e->any_nse || !is_compressed(t->from->layout)) return;
  const wide cells = elements_of_batch(t);
  if (cells <= t->index_max) return;
  e->of_no_batch = saturated(cells);
  e->statuses |= BIT(SPW_ERANGE);
}

static void convert_cells(task *t, expected *e, meaning *m)
{
  units u = {0};
  const int64_t cells = m->count;
  const bool dense = t->wanted->layout == SPW_DENSE;
  e->room_exact = !may_shrink(t);
  meaning_sort(m);
  if (t->wanted->duplicates == SPW_COMBINE_REFUSE) expect_no_duplicates(m, e);
  meaning_combine(m, t->wanted->duplicates);
  if (e->obstacles == 0) {
    bool seen = units_of(m, t, &u);
    if (seen && t->from->layout == SPW_DENSE && !dense)
      leave_out(&u, m->dtype, t->wanted->bits ? scalar_has_no_bits : scalar_is_zero);
    seen = seen && finish(t, e, &u, cells);
    units_free(&u);
    if (!seen) {
      judge_unseen(t, e);
      return;
    }
  }
  e->statuses |= e->obstacles > 0 ? BIT(SPW_ERANGE) : BIT(SPW_OK);
}

static void expect_from_valid(task *t, expected *e)
{
  meaning m = {.count = 0};
  bool seen = false;
  if (t->wanted->dense_dims > MEANING_DIMS && t->from->layout == SPW_DENSE) {
    obstacle(e, SPW_OBSTACLE_DIMENSIONS, ANY, ANY, ANY);
    e->statuses = BIT(SPW_ERANGE) | BIT(SPW_EINVAL);
    return;
  }
  const int64_t K = t->wanted->layout == SPW_DENSE || t->wanted->dense_dims < 0 ? 0 : t->wanted->dense_dims;
  if (t->from->layout == SPW_DENSE && K > t->from->values.array.ndim) {
    obstacle(e, SPW_OBSTACLE_DIMENSIONS, ANY, ANY, ANY);
    e->statuses = BIT(SPW_ERANGE) | BIT(SPW_EINVAL);
    return;
  }
  seen = meaning_of(t->from, K, &m);
  if (take_size(t, seen ? &m : NULL)) {
    if (t->from->layout != SPW_DENSE && t->wanted->dense_dims != -1 && t->wanted->dense_dims != t->K) t->wrong = true;
    judge_shapes(t, e);
    if (t->wrong) e->statuses = 0;
    else if (e->obstacles > 0) e->statuses = BIT(SPW_ERANGE);
    else if (!seen) judge_unseen(t, e);
    else convert_cells(t, e, &m);
    if (e->statuses && (has_wide_strides(t) || has_long_lines(t))) e->statuses |= BIT(SPW_ERANGE);
    allow_for_cells_of_no_batch(t, e);
    if (t->wrong) e->statuses = BIT(SPW_EINVAL);
    else if (t->open && e->statuses) e->statuses |= BIT(SPW_EINVAL);
  }
  meaning_free(&m);
}

/* What has no meaning for a tensor is not asked: COO and dense tensors are not made canonical, and of a dense
 * array cells that compare == 0 are not stored in the first place. */
static spw_conversion what_is_asked(const spw_tensor *tensor, const spw_conversion *wanted)
{
  spw_conversion asked = *wanted;
  if (!is_compressed(tensor->layout)) asked.canonicalize = false;
  if (tensor->layout == SPW_DENSE && asked.prune) asked.bits = asked.prune = false;
  return asked;
}

void expected_conversion(const spw_tensor *tensor, const spw_conversion *wanted, expected *e)
{
  const spw_conversion asked = what_is_asked(tensor, wanted);
  task t = {.from = tensor, .wanted = &asked};
  *e = (expected){.from_dense = tensor->layout == SPW_DENSE};
  judge_request(&t);
  if (has_too_many_batches(tensor)) return;
  if (!judge_tensor(tensor, &asked, e)) return;
  if (!e->report.valid) e->statuses = BIT(SPW_EINVALID) | (t.wrong || t.open ? BIT(SPW_EINVAL) : 0);
  else if (t.wrong) e->statuses = BIT(SPW_EINVAL);
  else expect_from_valid(&t, e);
}

void expected_free(expected *e)
{
  for (int which = 0; which < 3; which++) free(e->memory[which]);
  free(e->computed);
  free(e->cells_of_batch);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static char text[600];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static bool fits(int64_t expected_number, int64_t actual)
{
  return expected_number == ANY || expected_number == actual;
}

static bool names_batches(const expected *e, const spw_refusal *r)
{
  return r->place >= 0 && r->place < e->batches && r->other >= 0 && r->other < e->batches && r->lhs != r->rhs &&
         r->lhs == e->cells_of_batch[r->place] && r->rhs == e->cells_of_batch[r->other];
}

static const char *wrong_refusal(const expected *e, const spw_refusal *r)
{
  for (int i = 0; i < e->obstacles; i++) {
    const spw_refusal *o = &e->obstacle[i];
    if (o->obstacle != r->obstacle || !fits(o->place, r->place) || !fits(o->lhs, r->lhs) || !fits(o->rhs, r->rhs)) continue;
    if (o->obstacle != SPW_OBSTACLE_BATCHES || names_batches(e, r)) return NULL;
  }
  /* Where the room may be too large or strides too wide, that alone can be the reason. */
  if (r->obstacle == SPW_OBSTACLE_SIZE && e->obstacles == 0) return NULL;
  if (r->obstacle == SPW_OBSTACLE_INDEX && e->of_no_batch > 0 && r->lhs == e->of_no_batch) return NULL;
  const spw_refusal *o = &e->obstacle[0];
  return WRONG("refused for obstacle %d place %lld other %lld: %lld, %lld; expected one of %d, such as %d place %lld: %lld, %lld",
               (int)r->obstacle, (long long)r->place, (long long)r->other, (long long)r->lhs, (long long)r->rhs,
               e->obstacles, (int)o->obstacle, (long long)o->place, (long long)o->lhs, (long long)o->rhs);
}

static const char *wrong_violation(const expected *e, const spw_refusal *r)
{
  const spw_violation *v = &r->violation;
  if (r->obstacle != SPW_OBSTACLE_RULE) return WRONG("an invalid tensor is refused for obstacle %d", (int)r->obstacle);
  if (v->rule < 0 || v->rule >= SPW_RULE_COUNT) return WRONG("rule %d is violated", (int)v->rule);
  if (e->from_dense)
    return e->report.findings[v->rule].state == SPW_VIOLATED ? NULL : WRONG("rule %d is not violated", (int)v->rule);
  const spw_violation first = oracle_first_violation(&e->report);
  if (first.rule != v->rule || first.batch != v->batch || first.position != v->position || first.member != v->member ||
      first.lhs != v->lhs || first.rhs != v->rhs)
    return WRONG("rule %d at %lld of batch %lld is named, and %d at %lld of batch %lld is the first", (int)v->rule,
                 (long long)v->position, (long long)v->batch, (int)first.rule, (long long)first.position,
                 (long long)first.batch);
  return NULL;
}

const char *wrong_answer(const expected *e, spw_status status, const spw_refusal *refusal, bool of_size)
{
  unsigned may = e->statuses;
  if (may == 0) return NULL;
  if (of_size && e->late) may |= BIT(SPW_OK);
  if (status > 0 || status < SPW_ERANGE || !(may & BIT(status)))
    return WRONG("status %d, and of the statuses only %#x may be (obstacle %d)", (int)status, may,
                 e->obstacles ? (int)e->obstacle[0].obstacle : 0);
  if (status == SPW_EINVALID) return wrong_violation(e, refusal);
  return status == SPW_ERANGE ? wrong_refusal(e, refusal) : NULL;
}

const char *wrong_room(const expected *e, const spw_room *room)
{
  const spw_room *x = &e->room, *most = e->room_exact ? x : &e->room_most;
  if (!e->room_known) return NULL;
  if (room->dtype != x->dtype) return WRONG("values of type %d", (int)room->dtype);
  if (room->plain > 0 && room->index_dtype != x->index_dtype) return WRONG("indices of type %d", (int)room->index_dtype);
  if (room->dims < 0 || room->dims > 1000) return WRONG("%lld numbers", (long long)room->dims);
  if (room->compressed != x->compressed || room->plain < x->plain || room->plain > most->plain ||
      room->values < x->values || room->values > most->values)
    return WRONG("room for %lld, %lld and %lld; there are %lld, %lld .. %lld and %lld .. %lld", (long long)room->compressed,
                 (long long)room->plain, (long long)room->values, (long long)x->compressed, (long long)x->plain,
                 (long long)most->plain, (long long)x->values, (long long)most->values);
  return NULL;
}

static const char *wrong_shape(const char *name, const spw_array *x, const spw_array *a, int64_t free_dim)
{
  int64_t count = 1;
  if (a->dtype != x->dtype) return WRONG("%s: type %d and not %d", name, (int)a->dtype, (int)x->dtype);
  if (a->ndim != x->ndim) return WRONG("%s: %lld dimensions and not %lld", name, (long long)a->ndim, (long long)x->ndim);
  for (int64_t d = 0; d < x->ndim; d++) {
    count *= x->shape[d] != 0;
    if (a->shape[d] < 0 || (a->shape[d] != x->shape[d] && d != free_dim))
      return WRONG("%s: shape[%lld] is %lld and not %lld", name, (long long)d, (long long)a->shape[d], (long long)x->shape[d]);
  }
  for (int64_t d = 0; d < x->ndim; d++)
    if (a->strides[d] < 0 || (count > 0 && a->strides[d] != x->strides[d]))
      return WRONG("%s: strides[%lld] is %lld and not %lld", name, (long long)d, (long long)a->strides[d],
                   (long long)x->strides[d]);
  if (a->offset != 0) return WRONG("%s: offset %lld", name, (long long)a->offset);
  if (a->length != x->length) return WRONG("%s: length %lld and not %lld", name, (long long)a->length, (long long)x->length);
  return NULL;
}

static int64_t index_number(const spw_index_array *a, int64_t i)
{
  return a->array.dtype == SPW_INT32 ? a->i32[i] : a->i64[i];
}

static const char *wrong_indices(const char *name, const spw_index_array *x, const spw_index_array *a, int64_t free_dim)
{
  const char *wrong = wrong_shape(name, &x->array, &a->array, free_dim);
  for (int64_t i = 0; !wrong && i < x->array.length; i++)
    if (index_number(x, i) != index_number(a, i))
      wrong = WRONG("%s[%lld] is %lld and not %lld", name, (long long)i, (long long)index_number(a, i),
                    (long long)index_number(x, i));
  return wrong;
}

static const char *wrong_values(const expected *e, const spw_value_array *a, int64_t free_dim)
{
  const spw_value_array *x = &e->result.values;
  const int64_t width = scalar_width(x->array.dtype);
  const char *wrong = wrong_shape("values", &x->array, &a->array, free_dim);
  for (int64_t i = 0; !wrong && i < x->array.length; i++) {
    const uint8_t *want = (const uint8_t *)x->data + i * width, *got = (const uint8_t *)a->data + i * width;
    if (scalar_same(x->array.dtype, want, got, e->computed[i])) continue;
    wrong = WRONG("values[%lld] of type %d has other bits", (long long)i, (int)x->array.dtype);
    for (int64_t byte = width - 1; byte >= 0; byte--)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%02x/%02x", byte == width - 1 ? ": " : " ",
               got[byte], want[byte]);
  }
  return wrong;
}

static const char *wrong_size(const spw_tensor *x, const spw_tensor *a)
{
  if (a->layout == SPW_DENSE && !a->has_size) return NULL;
  if (!a->has_size || a->ndim != x->ndim)
    return WRONG("a size of %lld dimensions and not %lld", (long long)a->ndim, (long long)x->ndim);
  for (int64_t d = 0; d < x->ndim; d++)
    if (a->size[d] != x->size[d])
      return WRONG("size[%lld] is %lld and not %lld", (long long)d, (long long)a->size[d], (long long)x->size[d]);
  return NULL;
}

const char *wrong_result(const expected *e, const spw_tensor *a)
{
  const spw_tensor *x = &e->result;
  const int64_t nse_dim = e->any_nse ? x->plain.array.ndim - 1 : -1;
  const char *wrong = NULL;
  if (a->layout != x->layout) return WRONG("layout %d and not %d", (int)a->layout, (int)x->layout);
  if (a->dtype != SPW_DTYPE_NONE && a->dtype != x->values.array.dtype) return WRONG("values are declared as %d", (int)a->dtype);
  wrong = wrong_size(x, a);
  if (wrong) return wrong;
  if (x->layout != SPW_DENSE) {
    if (a->index_dtype != SPW_DTYPE_NONE && a->index_dtype != x->plain.array.dtype)
      return WRONG("indices are declared as %d", (int)a->index_dtype);
    if (x->layout == SPW_COO && a->coalesced != SPW_CLAIM_YES) return WRONG("it does not claim to be coalesced");
    if (x->layout != SPW_COO) wrong = wrong_indices("compressed", &x->compressed, &a->compressed, -1);
    if (!wrong) wrong = wrong_indices("plain", &x->plain, &a->plain, nse_dim);
  }
  return wrong ? wrong : wrong_values(e, &a->values, nse_dim);
}
