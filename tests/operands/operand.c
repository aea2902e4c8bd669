/* SPDX-License-Identifier: Apache-2.0 */
#include "operand.h"

#include "../../fuzz/inputs/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCALARS = 1500 };

static void *exactly(const void *bytes, size_t size)
{
  void *memory = malloc(size);
  if (!memory && size > 0) abort();
  if (bytes && size > 0) memcpy(memory, bytes, size);
  return memory;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void put_word(char *at, spw_dtype dtype, uint64_t word)
{
  const int64_t size = spw_dtype_size(dtype);
  memcpy(at, &word, size < 8 ? (size_t)size : 8);
}

void operand_draw_values(operand *o, int64_t classes, dice *d)
{
  const spw_array *a = &o->tensor.values.array;
  const int64_t size = spw_dtype_size(a->dtype), words = fuzz_words(a->dtype);
  for (int64_t i = 0; i < a->length; i++)
    for (int64_t w = 0; w < words; w++)
      put_word((char *)o->values + i * size + 8 * w, a->dtype, fuzz_draw(a->dtype, classes, roll(d)));
}

/* Strides over a storage: packed, with gaps, the first dimension fastest, or some of them 0. */
static void lay_out_values(operand *o, dice *d)
{
  spw_array *a = &o->tensor.values.array;
  const int64_t style = roll_below(d, 6), gap = style == 1 ? 1 + roll_below(d, 3) : 0;
  int64_t step = 1 + (style == 2 ? roll_below(d, 2) : 0), last = 0;
  bool empty = false;
  for (int64_t i = 0; i < a->ndim; i++) {
    const int64_t dim = style == 3 ? i : a->ndim - 1 - i;
    o->strides[dim] = style == 4 && roll_below(d, 2) ? 0 : step;
    step = step * (o->shape[dim] > 0 ? o->shape[dim] : 1) + gap;
    empty |= o->shape[dim] == 0;
    last += (o->shape[dim] - 1) * o->strides[dim];
  }
  a->offset = roll_below(d, 3) ? 0 : roll_below(d, 4);
  a->length = empty ? a->offset : a->offset + last + 1;
  if (roll_below(d, 4) == 0) a->length += roll_below(d, 3);
  a->shape = o->shape;
  a->strides = o->strides;
}

static void make_values(operand *o, dice *d)
{
  spw_array *a = &o->tensor.values.array;
  lay_out_values(o, d);
  const size_t odd = roll_below(d, 8) ? 0 : 1;
  o->block = exactly(NULL, (size_t)(a->length * spw_dtype_size(a->dtype)) + odd);
  o->values = odd ? (char *)o->block + odd : o->block;
  o->tensor.values.data = o->values;
}

static spw_dtype any_type(dice *d)
{
  return (spw_dtype)(1 + roll_below(d, SPW_DTYPE_COUNT - 1));
}

/* Many zeros, or many numbers whose sums are rounded, or anything. */
static int64_t any_classes(dice *d)
{
  switch (roll_below(d, 5)) {
    case 0: return 1 << FUZZ_ZERO | 1 << FUZZ_MINUS_ZERO | 1 << FUZZ_SMALL;
    case 1: return 1 << FUZZ_EXTREME | 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER;
    case 2: return 1 << FUZZ_SMALL;
    case 3: return 1 << FUZZ_SUBNORMAL | 1 << FUZZ_MINUS_ZERO | 1 << FUZZ_INFINITY | 1 << FUZZ_ZERO;
    default: return FUZZ_EVERY_CLASS;
  }
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static int64_t scalars_of(const spw_array *a)
{
  int64_t product = 1;
  for (int64_t i = 0; i < a->ndim; i++) product *= a->shape[i];
  return product;
}

/* Columns in any order, now and then the same. */
static void jumble(operand *o, const plan *p, dice *d)
{
  int64_t batches = 1;
  for (int64_t i = 0; i < p->batch_ndim; i++) batches *= p->batch[i];
  for (int64_t batch = 0; batch < batches; batch++)
    for (int64_t k = 0; k < p->nse; k++) specimen_set(&o->specimen, 1, batch, k, roll_below(d, p->P));
}

static void take_indices(operand *o, spw_index_array *a, int which)
{
  const size_t length = (size_t)a->array.length;
  const bool narrow = a->array.dtype == SPW_INT32;
  o->indices[which] = narrow ? exactly(o->specimen.i32[which], length * sizeof(int32_t))
                             : exactly(o->specimen.i64[which], length * sizeof(int64_t));
  a->i32 = narrow ? o->indices[which] : NULL;
  a->i64 = narrow ? NULL : o->indices[which];
  a->raw = o->indices[which];
}

static void make_sparse(operand *o, bool canonical, dice *d)
{
  plan p;
  do {
    p = plan_random(d);
    if (roll_below(d, 2)) p.dense_ndim = 0;
    if (p.layout == SPW_COO) canonical = true;
    int64_t grid = 1;
    for (int64_t i = 0; i < p.sparse_dim; i++) grid *= p.sparse_size[i];
    p.scattered = p.layout == SPW_COO && p.coalesced != SPW_CLAIM_YES && grid > 0 && roll_below(d, 4) > 0;
    if (p.scattered) p.nse = roll_below(d, 12);
    specimen_make(&o->specimen, &p, d);
  } while (scalars_of(&o->specimen.tensor.values.array) > MOST_SCALARS);
  if (!canonical) jumble(o, &p, d);
  o->tensor = o->specimen.tensor;
  memcpy(o->shape, o->specimen.shape[2], sizeof o->shape);
  if (p.layout != SPW_COO) take_indices(o, &o->tensor.compressed, 0);
  take_indices(o, &o->tensor.plain, 1);
  o->tensor.values.array.dtype = any_type(d);
  if (p.declares) o->tensor.dtype = o->tensor.values.array.dtype;
}

static void make_dense(operand *o, dice *d)
{
  spw_array *a = &o->tensor.values.array;
  o->tensor = (spw_tensor){.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE};
  a->dtype = any_type(d);
  a->ndim = roll_below(d, 6);
  for (int64_t i = 0; i < a->ndim; i++) o->shape[i] = roll_below(d, 12) ? 1 + roll_below(d, 4) : 0;
}

/* An array without elements may lie anywhere, with any strides but the last one of indices (3.5, 3.6). */
static void stretch(spw_array *a, bool indices, dice *d)
{
  int64_t *const strides = (int64_t *)a->strides;
  if (scalars_of(a) > 0 || roll_below(d, 2)) return;
  for (int64_t i = 0; i < a->ndim; i++)
    if (!indices || i + 1 < a->ndim || a->shape[i] < 2) strides[i] = INT64_MAX - roll_below(d, 3);
  a->offset = INT64_MAX - roll_below(d, 3);
}

void operand_random(operand *o, bool canonical, dice *d)
{
  memset(o->indices, 0, sizeof o->indices);
  if (roll_below(d, 4) == 0) make_dense(o, d);
  else make_sparse(o, canonical, d);
  make_values(o, d);
  int64_t classes = any_classes(d);
  if (o->tensor.layout == SPW_DENSE && roll_below(d, 2)) classes = 1 << FUZZ_ZERO | 1 << FUZZ_MINUS_ZERO | 1 << FUZZ_NAN;
  operand_draw_values(o, classes, d);
  stretch(&o->tensor.values.array, false, d);
  if (o->tensor.layout == SPW_DENSE) return;
  stretch(&o->tensor.plain.array, o->tensor.layout != SPW_COO, d);
  if (o->tensor.layout != SPW_COO) stretch(&o->tensor.compressed.array, true, d);
}

void operand_random_sparse(operand *o, bool canonical, dice *d)
{
  for (;;) {
    operand_random(o, canonical, d);
    if (o->tensor.layout != SPW_DENSE) return;
    operand_free(o);
  }
}

void operand_dense(operand *o, spw_dtype dtype, int64_t ndim, const int64_t *shape)
{
  spw_array *a = &o->tensor.values.array;
  memset(o, 0, offsetof(operand, specimen));
  memset(o->indices, 0, sizeof o->indices);
  o->tensor.layout = SPW_DENSE;
  *a = (spw_array){dtype, ndim, o->shape, o->strides, 0, 1};
  for (int64_t d = ndim - 1; d >= 0; d--) {
    o->shape[d] = shape[d];
    o->strides[d] = a->length;
    a->length *= shape[d];
  }
  o->block = o->values = exactly(NULL, (size_t)(a->length * spw_dtype_size(dtype)));
  o->tensor.values.data = o->values;
}

void operand_free(operand *o)
{
  free(o->indices[0]);
  free(o->indices[1]);
  free(o->block);
}

int64_t tensor_size(const spw_tensor *t, int64_t size[SPECIMEN_NDIM])
{
  int64_t ndim = t->ndim;
  if (t->has_size)
    memcpy(size, t->size, (size_t)t->ndim * sizeof *size);
  else if (spw_infer_size(t, size, SPECIMEN_NDIM, &ndim) != SPW_OK)
    abort();
  return ndim;
}

/* ---- Conversions ----------------------------------------------------------------------------- */

spw_conversion conversion_to(spw_layout layout, int64_t block_rows, int64_t block_columns)
{
  return (spw_conversion){
      .layout = layout, .block_rows = block_rows, .block_columns = block_columns, .batch_dims = -1, .dense_dims = -1};
}

/* Dense dimensions, and as many batch dimensions as leave two; or nearly. */
static void split_dimensions(spw_conversion *w, const spw_tensor *tensor, dice *d)
{
  const bool compressed = w->layout != SPW_COO && w->layout != SPW_DENSE;
  int64_t ndim = tensor->layout == SPW_DENSE ? tensor->values.array.ndim
                 : tensor->layout == SPW_COO ? tensor->plain.array.shape[0] : -1;
  if (tensor->layout == SPW_DENSE && w->layout != SPW_DENSE && roll_below(d, 2)) {
    w->dense_dims = roll_below(d, 1 + (ndim < 3 ? ndim : 3));
    ndim -= w->dense_dims;
  }
  if (compressed && ndim >= 0 && roll_below(d, 2))
    w->batch_dims = ndim >= 2 && roll_below(d, 4) ? ndim - 2 : roll_below(d, 4);
}

spw_conversion conversion_random(const spw_tensor *tensor, dice *d)
{
  static const spw_dtype types[] = {SPW_DTYPE_NONE, SPW_DTYPE_NONE, SPW_INT32, SPW_INT64};
  spw_conversion w = conversion_to((spw_layout)roll_below(d, 6), 0, 0);
  const bool has_blocks = tensor->layout == SPW_BSR || tensor->layout == SPW_BSC;
  if ((w.layout == SPW_BSR || w.layout == SPW_BSC) && !(has_blocks && roll_below(d, 3) == 0)) {
    w.block_rows = 1 + roll_below(d, 3);
    w.block_columns = 1 + roll_below(d, 3);
  }
  split_dimensions(&w, tensor, d);
  w.index_dtype = types[roll_below(d, 4)];
  w.duplicates = (spw_combine)(roll_below(d, 2) ? 0 : roll_below(d, 4));
  w.prune = roll_below(d, 4) == 0;
  w.bits = roll_below(d, 3) == 0;
  w.canonicalize = roll_below(d, 6) == 0;
  return w;
}

const char *conversion_text(const spw_conversion *w)
{
  static char text[300];
  snprintf(text, sizeof text, "to %d blocks %lld x %lld batch %lld dense %lld index %d duplicates %d%s%s%s", (int)w->layout,
           (long long)w->block_rows, (long long)w->block_columns, (long long)w->batch_dims, (long long)w->dense_dims,
           (int)w->index_dtype, (int)w->duplicates, w->prune ? " prune" : "", w->bits ? " bits" : "",
           w->canonicalize ? " canonicalize" : "");
  return text;
}
