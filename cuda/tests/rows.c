/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers --------------------------------------------------------------------------------- */

static int64_t narrow(spw_dtype dtype, int64_t value)
{
  return dtype == SPW_INT32 ? (int32_t)value : value;
}

static void put(spw_index_array *a, void *memory, int64_t at, int64_t value)
{
  if (a->array.dtype == SPW_INT32) ((int32_t *)memory)[at] = (int32_t)value;
  else ((int64_t *)memory)[at] = narrow(SPW_INT64, value);
}

static int64_t get(const spw_index_array *a, int64_t at)
{
  return a->array.dtype == SPW_INT32 ? a->i32[at] : a->i64[at];
}

static int64_t odd_number(dice *d, int64_t near)
{
  switch (roll_below(d, 6)) {
    case 0: return roll_below(d, 2) ? roll_extreme(d) : roll_below(d, 2) ? INT64_MIN : INT64_MAX;
    case 1: return near + 1 + roll_below(d, 3);
    case 2: return near - 1 - roll_below(d, 3);
    case 3: return -near;
    default: return roll_below(d, near > 0 ? 2 * near : 3);
  }
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

static void *allocate(spw_index_array *a, spw_dtype dtype)
{
  const size_t bytes = (size_t)a->array.length * (dtype == SPW_INT32 ? 4 : 8);
  void *const memory = malloc(bytes ? bytes : 1);
  if (!memory) abort();
  memset(memory, 0xee, bytes);
  a->array.dtype = dtype;
  a->i32 = dtype == SPW_INT32 ? memory : NULL;
  a->i64 = dtype == SPW_INT64 ? memory : NULL;
  return memory;
}

static void describe(rows_tensor *r, spw_array *a, int which)
{
  a->shape = r->shape[which];
  a->strides = r->strides[which];
}

/* Batches one after another with `gap` elements between them and `gap` before, or all in one
 * place. */
static void lay_out(rows_tensor *r, spw_array *a, int which, int64_t batches, int64_t entries,
                    int64_t gap, bool shared)
{
  describe(r, a, which);
  int64_t *const shape = r->shape[which], *const strides = r->strides[which];
  a->ndim = batches >= 0 ? 2 : 1;
  if (batches >= 0) {
    shape[0] = batches;
    strides[0] = shared ? 0 : entries + gap;
  }
  shape[a->ndim - 1] = entries;
  strides[a->ndim - 1] = 1;
  const int64_t others = batches > 1 && !shared ? batches - 1 : 0;
  a->offset = gap;
  a->length = gap + others * (entries + gap) + entries;
}

static void values_of(rows_tensor *r, int64_t batches, int64_t nse, const int64_t *block)
{
  spw_array *const a = &r->tensor.values.array;
  describe(r, a, 2);
  a->dtype = SPW_FLOAT32;
  if (batches >= 0) r->shape[2][a->ndim++] = batches;
  r->shape[2][a->ndim++] = nse;
  if (block) r->shape[2][a->ndim++] = block[0];
  if (block) r->shape[2][a->ndim++] = block[1];
  a->length = 1;
  for (int64_t i = a->ndim - 1; i >= 0; i--) {
    r->strides[2][i] = a->length;
    a->length *= r->shape[2][i];
  }
  r->tensor.values.data = r; /* never read */
}

/* A dense dimension that makes the elements of the inferred size, `others` without it, just fit or just
 * not: all of it in one place. */
static void add_dense(rows_tensor *r, dice *d, int64_t others)
{
  spw_array *const a = &r->tensor.values.array;
  r->shape[2][a->ndim] = INT64_MAX / others + roll_below(d, 2);
  r->strides[2][a->ndim++] = 0;
}

static int64_t largest(const spw_index_array *a, int64_t from, int64_t count)
{
  int64_t most = -1;
  for (int64_t k = from; k < from + count; k++)
    if (get(a, k) > most) most = get(a, k);
  return most;
}

/* ---- Compressed layouts ---------------------------------------------------------------------- */

/* `nse` elements in C rows of at most P: mostly even, or a few long rows, or only the last. */
static void draw_lengths(dice *d, int64_t *lengths, int64_t C, int64_t P, int64_t nse)
{
  const int64_t style = roll_below(d, 4);
  for (int64_t i = 0; i < C; i++) lengths[i] = 0;
  for (int64_t left = nse; left > 0;) {
    const int64_t row = style == 0   ? C - 1
                        : style == 1 ? roll_below(d, C) * roll_below(d, C) / C
                                     : roll_below(d, C);
    int64_t more = style == 3 ? 1 : 1 + roll_below(d, P);
    if (more > left) more = left;
    int64_t at = row;
    for (int64_t tries = 0; tries < C && lengths[at] == P; tries++) at = (at + 1) % C;
    if (more > P - lengths[at]) more = P - lengths[at];
    lengths[at] += more;
    left -= more;
  }
}

static void fill_row(rows_tensor *r, dice *d, int64_t at, int64_t length, int64_t P)
{
  int64_t column = 0;
  for (int64_t k = 0; k < length; k++) {
    const int64_t room = P - column - (length - k);
    column += room > 0 ? roll_below(d, room < 5 ? room + 1 : 5) : 0;
    put(&r->tensor.plain, r->memory[1], at + k, column++);
  }
}

static void fill_batch(rows_tensor *r, dice *d, int64_t c_at, int64_t p_at, int64_t C, int64_t P,
                       int64_t nse)
{
  int64_t *const lengths = malloc((size_t)(C + 1) * sizeof *lengths), from = 0;
  if (!lengths) abort();
  draw_lengths(d, lengths, C, P, nse);
  put(&r->tensor.compressed, r->memory[0], c_at, 0);
  for (int64_t i = 0; i < C; i++) {
    fill_row(r, d, p_at + from, lengths[i], P);
    from += lengths[i];
    put(&r->tensor.compressed, r->memory[0], c_at + i + 1, from);
  }
  free(lengths);
}

static void spoil(rows_tensor *r, dice *d, int64_t near)
{
  spw_index_array *const members[] = {&r->tensor.compressed, &r->tensor.plain};
  const int which = r->tensor.layout == SPW_COO || roll_below(d, 3) ? 1 : 0;
  spw_index_array *const a = members[which];
  if (a->array.length == 0) return;
  const int64_t anywhere = roll_below(d, a->array.length);
  const int64_t at = anywhere - (roll_below(d, 4) ? 0 : anywhere % 128); /* where a tile may begin */
  switch (roll_below(d, 3)) {
    case 0: put(a, r->memory[which], at, odd_number(d, near)); break;
    case 1:
      put(a, r->memory[which], at,
          get(a, at) +
              (roll_below(d, 2) ? 1 : -1) * (get(a, at) != INT64_MIN && get(a, at) != INT64_MAX));
      break;
    default: if (at > 0) put(a, r->memory[which], at, get(a, at - 1)); break;
  }
}

static void fill_with_garbage(rows_tensor *r, dice *d, int64_t near)
{
  const int64_t style = roll_below(d, 3);
  for (int which = r->tensor.layout == SPW_COO ? 1 : 0; which < 2; which++) {
    spw_index_array *const a = which ? &r->tensor.plain : &r->tensor.compressed;
    int64_t last = 0;
    for (int64_t i = 0; i < a->array.length; i++) {
      last = style == 0   ? (int64_t)roll(d)
             : style == 1 ? odd_number(d, near)
                          : last + roll_below(d, 4) - (roll_below(d, 9) == 0) * 20;
      put(a, r->memory[which], i, last);
    }
  }
}

static void make_compressed(rows_tensor *r, dice *d, rows_kind kind)
{
  spw_tensor *const t = &r->tensor;
  const bool blocked = t->layout == SPW_BSR || t->layout == SPW_BSC,
             by_rows = t->layout == SPW_CSR || t->layout == SPW_BSR;
  const int64_t block[2] = {1 + roll_below(d, 3), 1 + roll_below(d, 3)};
  const bool is_long = kind == ROWS_LONG;
  const int64_t batches = roll_below(d, 3)   ? -1
                          : roll_below(d, 8) ? 1 + roll_below(d, 40)
                                             : 1 + roll_below(d, 3);
  const int64_t most = is_long ? 7000 : 700, limit = batches > 4 ? most / 23 : 1 + roll_below(d, most);
  const int64_t C = roll_below(d, roll_below(d, 2) ? 8 : limit),
                P = 1 + roll_below(d, is_long ? 3 * most : roll_below(d, 2) ? 9 : 400);
  int64_t nse = roll_below(d, 2) ? roll_below(d, 40) : roll_below(d, 3 * limit + 1);
  if (nse > C * P) nse = C * P;
  const int64_t gap = roll_below(d, 3) ? 0 : 1 + roll_below(d, 5);
  const bool shared = batches > 0 && roll_below(d, 5) == 0;
  lay_out(r, &t->compressed.array, 0, batches, C + 1, gap, shared);
  lay_out(r, &t->plain.array, 1, batches, nse, roll_below(d, 2) ? gap : 0, shared);
  values_of(r, batches, nse, blocked ? block : NULL);
  const spw_dtype dtype = roll_below(d, 2) ? SPW_INT32 : SPW_INT64;
  r->memory[0] = allocate(&t->compressed, dtype);
  r->memory[1] = allocate(&t->plain, dtype);
  if (batches >= 0) r->size[t->ndim++] = batches;
  r->size[t->ndim++] = (by_rows ? C : P) * (blocked ? block[0] : 1);
  r->size[t->ndim++] = (by_rows ? P : C) * (blocked ? block[1] : 1);
  if (kind == ROWS_GARBAGE) {
    fill_with_garbage(r, d, nse);
    return;
  }
  const int64_t different = batches < 0 || shared ? 1 : batches;
  for (int64_t b = 0; b < different; b++)
    fill_batch(r, d, t->compressed.array.offset + (b ? b * r->strides[0][0] : 0),
               t->plain.array.offset + (b ? b * r->strides[1][0] : 0), C, P, nse);
  const int64_t width = largest(&t->plain, t->plain.array.offset, nse) + 1;
  if (!t->has_size && different == 1 && C > 1 && width > 1 && roll_below(d, 4) == 0)
    add_dense(r, d, (batches < 0 ? 1 : batches) * C * width * (blocked ? block[0] * block[1] : 1));
  for (int64_t faults = roll_below(d, 4); faults > 0; faults--) spoil(r, d, nse);
}

/* ---- COO ------------------------------------------------------------------------------------- */

static void make_coo(rows_tensor *r, dice *d, rows_kind kind)
{
  spw_tensor *const t = &r->tensor;
  spw_array *const a = &t->plain.array;
  const int64_t sparse_dim = roll_below(d, 9) ? roll_below(d, 4) : roll_below(d, ROWS_DIMS - 1),
                nse = roll_below(d, kind == ROWS_LONG ? 9000 : roll_below(d, 2) ? 20 : 600),
                gap = roll_below(d, 2) ? 0 : roll_below(d, 4);
  const bool turned = roll_below(d, 3) == 0;
  describe(r, a, 1);
  a->ndim = 2;
  r->shape[1][0] = sparse_dim;
  r->shape[1][1] = nse;
  r->strides[1][0] = turned ? 1 : nse + gap;
  r->strides[1][1] = turned ? sparse_dim + gap : 1;
  a->offset = gap;
  a->length = sparse_dim * nse == 0
                  ? gap
                  : gap + (sparse_dim - 1) * r->strides[1][0] + (nse - 1) * r->strides[1][1] + 1;
  r->memory[1] = allocate(&t->plain, roll_below(d, 2) ? SPW_INT32 : SPW_INT64);
  t->compressed.array.shape = t->compressed.array.strides = r->shape[0];
  values_of(r, -1, nse, NULL);
  for (int64_t i = 0; i < sparse_dim; i++) r->size[t->ndim++] = i == 0 ? nse + 1 : 5;
  if (kind == ROWS_GARBAGE) {
    fill_with_garbage(r, d, nse);
    return;
  }
  for (int64_t k = 0; k < nse && sparse_dim > 0; k++)
    for (int64_t i = 0; i < sparse_dim; i++)
      put(&t->plain, r->memory[1], a->offset + i * r->strides[1][0] + k * r->strides[1][1],
          sparse_dim == 1 ? k : i == 0 ? k / 3 : i == 1 ? k % 3 : roll_below(d, 5));
  const bool far = !t->has_size && nse > 0 && roll_below(d, 4) == 0; /* a size with a large product */
  for (int64_t i = 0; far && i < sparse_dim; i++)
    put(&t->plain, r->memory[1], a->offset + i * r->strides[1][0] + (nse - 1) * r->strides[1][1],
        t->plain.array.dtype == SPW_INT32 ? INT32_MAX - 1 : (int64_t)1 << 40);
  for (int64_t faults = roll_below(d, 4); faults > 0; faults--) spoil(r, d, nse);
}

void rows_make(rows_tensor *r, dice *d, rows_kind kind)
{
  memset(r, 0, sizeof *r);
  r->tensor.layout = (spw_layout)roll_below(d, SPW_LAYOUT_COUNT);
  r->tensor.has_size = roll_below(d, 4) > 0;
  r->tensor.size = r->size;
  r->tensor.coalesced = (spw_claim)(roll_below(d, 3) - 1);
  if (r->tensor.layout == SPW_COO) make_coo(r, d, kind);
  else make_compressed(r, d, kind);
}

void rows_free(rows_tensor *r)
{
  free(r->memory[0]);
  free(r->memory[1]);
}
