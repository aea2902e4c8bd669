/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include <stdalign.h>
#include <string.h>

static bool by_columns(spw_layout layout)
{
  return layout == SPW_CSC || layout == SPW_BSC;
}

static bool has_blocks(spw_layout layout)
{
  return layout == SPW_BSR || layout == SPW_BSC;
}

/* From blocks to the same ones, by the other dimension: they stay what they are. */
static bool keeps_blocks(const spw_tensor *t, const spw_conversion *wanted)
{
  spw_numbers n;
  if (!has_blocks(t->layout) || !has_blocks(wanted->layout) || spw_numbers_of(t, &n) != SPW_OK) return false;
  const bool own = wanted->block_rows == 0 && wanted->block_columns == 0;
  return own || (wanted->block_rows == n.block_rows && wanted->block_columns == n.block_columns);
}

/* A compressed tensor that need not be in order, and may repeat indices. */
static bool mends(const spw_tensor *t, const spw_conversion *wanted)
{
  return wanted->canonicalize && t->layout != SPW_COO && t->layout != SPW_DENSE;
}

/* May several elements lie at one position? */
static bool repeats_positions(const spw_tensor *t, const spw_conversion *wanted)
{
  return mends(t, wanted) || (t->layout == SPW_COO && t->coalesced != SPW_CLAIM_YES);
}

/* Is there a conversion of this kind among the kernels? */
static spw_status kind_of(const spw_tensor *t, const spw_conversion *wanted, spw_convert_kind *kind)
{
  const bool indices = wanted->layout == SPW_COO || wanted->layout == SPW_CSR || wanted->layout == SPW_CSC;
  if (t->layout == SPW_DENSE) {
    *kind = SPW_CONVERT_COLLECT;
    return indices || has_blocks(wanted->layout) ? SPW_OK : SPW_EUNSUPPORTED;
  }
  if (!t->has_size) return SPW_EUNSUPPORTED;
  const bool lines = t->layout == SPW_CSR && !mends(t, wanted) && !wanted->prune;
  if (wanted->layout == SPW_DENSE) *kind = SPW_CONVERT_FILL;
  else if (wanted->layout == SPW_COO) *kind = lines ? SPW_CONVERT_EXPAND : SPW_CONVERT_PERMUTE;
  else *kind = SPW_CONVERT_COMPRESS;
  return SPW_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static bool add_dimension(spw_strided *s, int64_t entries, int64_t stride)
{
  if (entries == 1) return true;
  if (s->ndim > 0 && s->strides[s->ndim - 1] == stride * entries) { /* goes on where the last one would */
    s->shape[s->ndim - 1] *= entries;
    s->strides[s->ndim - 1] = stride;
    return true;
  }
  if (s->ndim == SPW_STRIDED_DIMS) return false;
  s->shape[s->ndim] = entries;
  s->strides[s->ndim++] = stride;
  return true;
}

/* Does `unit` divide address, strides and the bytes that lie together? */
static bool is_unit(const spw_gather *g, const spw_strided *inner, int64_t unit)
{
  const spw_strided *const both[] = {&g->cells, &g->within};
  if ((uintptr_t)g->in % (uintptr_t)unit != 0 || inner->shape[inner->ndim - 1] % unit != 0) return false;
  for (int i = 0; i < 2; i++)
    for (int d = 0; d < both[i]->ndim - (both[i] == inner); d++)
      if (both[i]->strides[d] % unit != 0) return false;
  return true;
}

/* Behind the others, the bytes of a scalar: they lie together. */
static bool add_bytes(spw_strided *s, int64_t scalar)
{
  if (!add_dimension(s, scalar, 1)) return false;
  if (s->ndim > 0 && s->strides[s->ndim - 1] == 1) return true;
  if (s->ndim == SPW_STRIDED_DIMS) return false;
  s->shape[s->ndim] = s->strides[s->ndim] = 1;
  s->ndim++;
  return true;
}

/* Each dimension of the values as it is: the first `leading` say which cell, and the others what lies within it. With
 * -1 cells are of no interest. `turned`: the last two of the leading ones change places. How many bytes a unit has is known
 * when the output is. */
static spw_status plan_values(const spw_value_array *v, int64_t leading, bool turned, spw_gather *g)
{
  const spw_array *const a = &v->array;
  const int64_t scalar = (int64_t)spw_dtype_size(a->dtype);
  int64_t n = scalar;
  g->inner = 1;
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] == 0 || __builtin_mul_overflow(n, a->shape[d], &n)) n = 0;
  if (n == 0) return SPW_OK; /* nothing to copy; what would be too much the room has refused */
  for (int64_t d = 0; d < a->ndim; d++) {
    const bool within = leading >= 0 && d >= leading;
    const int64_t at = turned && (d == leading - 2 || d == leading - 1) ? 2 * leading - 3 - d : d;
    const int64_t stride = a->shape[at] > 1 ? a->strides[at] * scalar : 0; /* that of one entry may be any number */
    if (!add_dimension(within ? &g->within : &g->cells, a->shape[at], stride)) return SPW_EUNSUPPORTED;
    if (within) g->inner *= a->shape[d];
  }
  if (!add_bytes(leading < 0 ? &g->cells : &g->within, scalar)) return SPW_EUNSUPPORTED;
  if (leading >= 0) g->inner *= scalar;
  g->in = (const unsigned char *)v->data + a->offset * scalar;
  g->units = n;
  return SPW_OK;
}

int64_t spw_gather_in_units(spw_gather *g, int64_t most)
{
  const bool cells = g->within.ndim == 0; /* are of no interest */
  spw_strided *const inner = cells ? &g->cells : &g->within;
  const int last = inner->ndim - 1;
  int64_t unit = most;
  if (g->units == 0) return 1;
  while (!is_unit(g, inner, unit) || (uintptr_t)g->out % (uintptr_t)unit != 0) unit /= 2;
  g->units /= unit;
  if (!cells) g->inner /= unit;
  inner->shape[last] /= unit;
  inner->strides[last] = unit;
  if (last > 0 && inner->shape[last] == 1) inner->ndim--;
  return unit;
}

/* ---- Indices --------------------------------------------------------------------------------- */

/* INT64_MAX where it is more: sizes may be, beside a dense dimension of 0. */
static int64_t product(const int64_t *entries, int64_t n)
{
  int64_t of_all = 1;
  for (int64_t d = 0; d < n; d++)
    if (entries[d] == 0) return 0;
  for (int64_t d = 0; d < n; d++)
    if (__builtin_mul_overflow(of_all, entries[d], &of_all)) return INT64_MAX;
  return of_all;
}

/* All batches, also those that share their arrays: each has cells of its own in the result. Their indices are written in the
 * tensor's type. */
static bool every_batch(const spw_tensor *t, int64_t dims, spw_batches *batches)
{
  if (dims > SPW_CUDA_DIMS) return false;
  for (int64_t d = 0; d < dims; d++) {
    if (t->plain.array.dtype == SPW_INT32 && t->compressed.array.shape[d] - 1 > INT32_MAX) return false;
    batches->shape[d] = t->compressed.array.shape[d];
    batches->c_strides[d] = t->compressed.array.strides[d];
    batches->p_strides[d] = t->plain.array.strides[d];
  }
  batches->count = product(batches->shape, dims); /* within int64: the numbers have been told */
  batches->ndim = (int)dims;
  return true;
}

/* Says the same of both index types; `type` is that of this one. */
#define EITHER(plan, statement)                                                                    \
  do {                                                                                             \
    if ((plan)->check.int64) {                                                                     \
      statement(i64);                                                                              \
    } else {                                                                                       \
      statement(i32);                                                                              \
    }                                                                                              \
  } while (0)

static spw_status plan_expand(spw_convert_plan *plan, const spw_numbers *n)
{
  const spw_index_array *const c = &plan->tensor.compressed, *const p = &plan->tensor.plain;
  spw_batches batches;
  memset(&batches, 0, sizeof batches);
  if (!every_batch(&plan->tensor, n->batch_dims, &batches)) return SPW_EUNSUPPORTED;
  int64_t items = 0; /* of a batch */
  if (n->nse == 0)
    batches.count = 0; /* nothing to write, in however many */
  else if (__builtin_add_overflow(n->compressed_size, n->nse, &items) || items == INT64_MAX)
    return SPW_EUNSUPPORTED;
  if (__builtin_mul_overflow(batches.count, items + 1, &plan->expand_items)) return SPW_EUNSUPPORTED;
#define FILL(type)                                                                                 \
  plan->type.expand = (spw_expanding_##type){                                                      \
      .c = c->type + c->array.offset, .p = n->nse > 0 ? p->type + p->array.offset : p->type,       \
      .batches = batches, .C = n->compressed_size, .nse = n->nse}
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

/* Where the coordinates of elements are: in the tensor, or, once it is expanded, in the workspace. */
typedef struct coordinates {
  int64_t dims, elements, dim_stride, stride;
  int64_t in_batch;    /* elements of each */
  int64_t row, column; /* which dimensions these are */
} coordinates;

static spw_status find_coordinates(const spw_convert_plan *plan, const spw_numbers *n, coordinates *x)
{
  const spw_tensor *const t = &plan->tensor;
  const spw_array *const a = &t->plain.array;
  const bool coo = t->layout == SPW_COO;
  *x = (coordinates){.dims = coo ? n->sparse_dims : n->batch_dims + 2, .elements = n->nse, .in_batch = n->nse, .stride = 1};
  if (x->dims > SPW_CUDA_DIMS + 2) return SPW_EUNSUPPORTED;
  if (plan->unblocks && (__builtin_mul_overflow(n->nse, n->block_rows, &x->in_batch) ||
                         __builtin_mul_overflow(x->in_batch, n->block_columns, &x->in_batch)))
    return SPW_EUNSUPPORTED;
  if (!coo && __builtin_mul_overflow(n->batches, x->in_batch, &x->elements)) return SPW_EUNSUPPORTED;
  /* Where a size is 0 only a tensor that is not valid has elements, and no stage behind the check begins. */
  if (coo && product(plan->size, x->dims) == 0) x->elements = 0;
  x->dim_stride = x->elements;
  x->row = x->dims - (by_columns(t->layout) ? 1 : 2);
  x->column = x->dims - (by_columns(t->layout) ? 2 : 1);
  if (coo && n->nse > 0) x->dim_stride = a->strides[0], x->stride = a->strides[1];
  return SPW_OK;
}

/* Indices of elements are written in the index type of the tensor, which may hold those of blocks alone. */
static bool elements_fit(const spw_convert_plan *plan, const coordinates *x)
{
  const int64_t *const size = plan->size + x->dims - 2;
  return plan->check.int64 || (size[0] <= INT32_MAX && size[1] <= INT32_MAX);
}

static spw_status plan_unblock(spw_convert_plan *plan, const spw_numbers *n, const coordinates *x)
{
  if (!elements_fit(plan, x)) return SPW_EUNSUPPORTED;
#define FILL(type)                                                                                 \
  plan->type.unblock = (spw_unblocking_##type){.n = n->batches * n->nse, .dims = x->dims, .row = x->row, .column = x->column, \
                                               .rows = n->block_rows, .columns = n->block_columns}
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

/* Of a COO tensor; null where there is nothing. */
#define COORDINATES_OF(plan, x, type)                                                              \
  ((plan)->tensor.layout == SPW_COO && (x)->elements > 0 && (x)->dims > 0                          \
       ? (plan)->tensor.plain.type + (plan)->tensor.plain.array.offset                             \
       : NULL)

/* The number of each element, by these weights. */
static void plan_numbers(spw_convert_plan *plan, const coordinates *x, const int64_t *weights)
{
#define FILL(type)                                                                                 \
  plan->type.keys = (spw_keying_##type){.of = {.x = COORDINATES_OF(plan, x, type), .dim_stride = x->dim_stride, \
                                               .stride = x->stride, .dims = (int)x->dims},         \
                                        .n = x->elements};                                         \
  memcpy(plan->type.keys.of.weights, weights, sizeof plan->type.keys.of.weights)
  EITHER(plan, FILL);
#undef FILL
}

/* The dimension that comes k-th in the order of the result: lines before plain indices. */
static int64_t dimension_of(const spw_convert_plan *plan, const coordinates *x, int64_t k)
{
  const bool rows_first = !by_columns(plan->layout);
  if (x->dims < 2 || k < x->dims - 2) return k;
  return (k == x->dims - 2) == rows_first ? x->row : x->column;
}

static int64_t size_of(const spw_convert_plan *plan, const coordinates *x, int64_t d)
{
  if (d == x->column) return plan->size[x->dims - 1] / plan->cell[1];
  return d == x->row ? plan->size[x->dims - 2] / plan->cell[0] : plan->size[d];
}

/* Weights for coordinates up to the k-th in the order of the result, behind what counts less than `end`. Gives the passes of a
 * sort by them; -1: keys are too large. */
static int weigh(const spw_convert_plan *plan, const coordinates *x, int64_t k, int64_t end, int64_t *weights)
{
  int passes = 0;
  for (; k >= 0; k--) {
    const int64_t d = dimension_of(plan, x, k);
    weights[d] = end;
    if (__builtin_mul_overflow(end, size_of(plan, x, d), &end)) return -1;
  }
  for (uint64_t most = (uint64_t)end - 1; most > 0; most >>= SPW_SORT_BITS) passes++;
  return passes;
}

/* Of elements, as if they were to become lines of elements. */
static spw_status plan_refuse(spw_convert_plan *plan, const coordinates *x)
{
  int64_t weights[SPW_CUDA_DIMS + 2] = {0};
  plan->cell[0] = plan->cell[1] = 1;
  plan->line_passes = weigh(plan, x, x->dims - 1, 1, weights);
  memcpy(plan->cell, plan->block, sizeof plan->cell);
  if (plan->line_passes < 0) return SPW_EUNSUPPORTED;
  plan_numbers(plan, x, weights);
#define FILL(type) plan->type.lines = plan->type.keys
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

/* By batches and lines of the result, where in each line elements are in order as they are; by all coordinates where
 * they are in no order. */
static spw_status plan_sort(spw_convert_plan *plan, const coordinates *x)
{
  const bool as_lines = by_columns(plan->tensor.layout) == by_columns(plan->layout) && !plan->unblocks;
  const bool ordered = as_lines && !plan->coalesces && !plan->blocks;
  int64_t weights[SPW_CUDA_DIMS + 2] = {0}, end = 1;
  if ((ordered && !plan->bounded) || x->elements == 0) return SPW_OK;
  if (plan->blocks && x->dims > SPW_CUDA_DIMS) return SPW_EUNSUPPORTED; /* one more weight is needed, and one number */
  if (plan->blocks && plan->coalesces) { /* and in blocks by places, as those which are the same have to be neighbours */
    int64_t of_block;
    if (__builtin_mul_overflow(plan->block[0], plan->block[1], &of_block)) return SPW_EUNSUPPORTED;
    weights[x->dims] = 1;
    for (; end < of_block; plan->place_bits++) /* a power of 2: kernels need not divide by it */
      if (__builtin_mul_overflow(end, 2, &end)) return SPW_EUNSUPPORTED;
  }
  plan->passes = weigh(plan, x, x->dims - (ordered ? 3 : plan->coalesces || plan->blocks ? 1 : 2), end, weights);
  if (plan->passes < 0) return SPW_EUNSUPPORTED;
  if (ordered) plan->passes = 0; /* batches have numbers, and are in order */
  if (plan->bounded) plan->bounds.weight = weights[x->dims - 3];
  plan->sort.n = x->elements;
  plan->sort.tiles = (x->elements - 1) / SPW_SORT_TILE + 1;
  plan_numbers(plan, x, weights);
  if (!plan->blocks) return SPW_OK;
#define FILL(type) plan->type.keys.of.dim_stride = x->elements, plan->type.keys.of.stride = 1, \
                   plan->type.keys.of.dims += plan->coalesces
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

/* ---- Positions that may repeat ----------------------------------------------------------------- */

int64_t spw_convert_plan_part(const spw_convert_plan *plan)
{
  const spw_dtype dtype = plan->room.dtype;
  if (!plan->coalesces || plan->duplicates != SPW_COMBINE_SUM) return 0;
  return spw_dtype_size(dtype) / (dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128 ? 2 : 1);
}

/* `cells` at most, one behind the other in the workspace; `batches`: of each of so many there are as many. */
static spw_gather packed(int64_t cell, int64_t cells, int64_t batches)
{
  const spw_gather values = {.units = cell * batches, .inner = cell > 0 ? cell : 1, .counted = 1,
                             .cells = {1, {cells}, {cell}}, .within = {1, {cell}, {1}}};
  return values;
}

/* How many batches the lines of the result are of. */
static int64_t batches_of_lines(const spw_convert_plan *plan)
{
  return plan->check.int64 ? plan->i64.compress.batches : plan->i32.compress.batches;
}

/* Cells are found by their positions; how many there are is known when duplicates are. What is added on its way to
 * a dense array or to blocks, or before it is pruned, waits in the workspace. */
static spw_status plan_coalesce(spw_convert_plan *plan, const coordinates *x)
{
  if (!plan->check.int64 && x->elements > INT32_MAX) return SPW_EUNSUPPORTED;
  const int64_t cell = plan->values.units / x->elements;
  const int64_t batches = plan->settles ? batches_of_lines(plan) : 1;
  plan->values.units = cell * batches;
  plan->values.counted = 1;
  plan->summed = packed(cell, x->elements, batches);
  const int64_t part = spw_convert_plan_part(plan);
  if (part > 0 && (uintptr_t)plan->values.in % (uintptr_t)part != 0) return SPW_EUNSUPPORTED;
#define FILL(type) plan->type.compress.counted = plan->type.permute.counted = 1
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

static spw_status plan_compress(spw_convert_plan *plan, const spw_numbers *n, const coordinates *x)
{
  const bool columns = by_columns(plan->layout);
  const int64_t C = size_of(plan, x, columns ? x->column : x->row);
  const int64_t batches = plan->tensor.layout == SPW_COO ? product(plan->size, plan->batch_dims) : n->batches;
  int64_t offsets;
  if (__builtin_mul_overflow(C + 1, batches, &offsets) || /* C + 1 lines have a room */
      __builtin_add_overflow(offsets, x->elements, &plan->compress_items))
    return SPW_EUNSUPPORTED;
#define FILL(type)                                                                                 \
  plan->type.compress = (spw_compressing_##type){                                                  \
      .x = COORDINATES_OF(plan, x, type), .lines = (columns ? x->column : x->row) * x->dim_stride, \
      .plain = (columns ? x->row : x->column) * x->dim_stride, .stride = x->stride, .batches = batches, .C = C, \
      .nse = x->in_batch, .counted = plan->bounded}
  EITHER(plan, FILL);
#undef FILL
  plan->bounds.n = x->elements;
  plan->bounds.batches = batches;
  return SPW_OK;
}

/* In lines of the result, from those of the tensor or from the ones that they are turned to. */
static spw_status plan_unfold(spw_convert_plan *plan, const spw_numbers *n, const coordinates *x)
{
  const bool columns = by_columns(plan->layout);
  const int64_t C = size_of(plan, x, columns ? x->column : x->row);
  const int64_t height = plan->cell[columns], width = plan->cell[!columns];
  int64_t stride = C + 1;
  if (!elements_fit(plan, x) || (!plan->check.int64 && plan->in_batch > INT32_MAX)) return SPW_EUNSUPPORTED;
  plan->unfold_lines = (columns ? x->column : x->row) * x->dim_stride;
  plan->unfold_plain = (columns ? x->row : x->column) * x->dim_stride;
  if (__builtin_mul_overflow(C, height, &plan->unfold_items) ||
      __builtin_add_overflow(plan->unfold_items, plan->in_batch + 1, &plan->unfold_items) ||
      __builtin_mul_overflow(plan->unfold_items, n->batches, &plan->unfold_items))
    return SPW_EUNSUPPORTED;
#define FILL(type)                                                                                 \
  plan->type.unfold = (spw_unfolding_##type){                                                      \
      .c = plan->type.expand.c, .batches = plan->type.expand.batches, .C = C, .nse = n->nse, .height = height, .width = width, \
      .line_step = columns ? 1 : n->block_columns, .step = columns ? n->block_columns : 1};        \
  plan->type.unfold.batches.count = n->batches;                                                    \
  for (int d = plan->type.unfold.batches.ndim - 1; plan->turns && d >= 0; d--) {                   \
    plan->type.unfold.batches.c_strides[d] = stride;                                               \
    stride *= plan->type.unfold.batches.shape[d];                                                  \
  }
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

/* The blocks of elements: their coordinates, how these become lines, and where in the result each element goes. */
static spw_status plan_blocks(spw_convert_plan *plan, const coordinates *x)
{
  int64_t of_block, cell;
  if (x->dims > SPW_CUDA_DIMS || __builtin_mul_overflow(plan->block[0], plan->block[1], &of_block)) return SPW_EUNSUPPORTED;
  if (!plan->check.int64 && (of_block > INT32_MAX || x->elements > INT32_MAX)) return SPW_EUNSUPPORTED;
  const int64_t scalar = spw_dtype_size(plan->room.dtype), batches = batches_of_lines(plan);
  const int64_t most = plan->room.nse > 0 ? plan->room.nse : 1; /* fewer than batches: these will be refused */
  if (__builtin_mul_overflow(plan->room.values / most, scalar, &cell)) return SPW_EUNSUPPORTED;
  plan->bytes = cell; /* of one block of each batch */
  const bool columns = by_columns(plan->layout);
  if (plan->prunes) plan->formed = packed(cell / batches, most * batches, batches);
#define FILL(type)                                                                                 \
  plan->type.block = (spw_blocking_##type){.x = COORDINATES_OF(plan, x, type), .dim_stride = x->dim_stride, .stride = x->stride, \
                                           .n = x->elements, .dims = x->dims, .row = x->row, .column = x->column, \
                                           .rows = plan->block[0], .columns = plan->block[1]};     \
  plan->type.compress.lines = (columns ? x->column : x->row) * x->elements;                        \
  plan->type.compress.plain = (columns ? x->row : x->column) * x->elements;                        \
  plan->type.compress.stride = 1;                                                                  \
  plan->type.compress.counted = 1;                                                                 \
  plan->type.fill.of = (spw_numbering_##type){.dim_stride = x->elements, .stride = 1, .dims = (int)x->dims + 2}; \
  plan->type.fill.of.weights[x->dims] = 1;                                                         \
  plan->type.fill.of.weights[x->dims + 1] = of_block
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

static void plan_permute(spw_convert_plan *plan, const coordinates *x)
{
#define FILL(type)                                                                                 \
  plan->type.permute = (spw_permuting_##type){.x = COORDINATES_OF(plan, x, type), .dim_stride = x->dim_stride, \
                                              .stride = x->stride, .n = x->elements, .dims = (int)x->dims, \
                                              .turned = by_columns(plan->tensor.layout)}
  EITHER(plan, FILL);
#undef FILL
}

/* A weight for each coordinate: how many cells of the result come before the next. */
static spw_status plan_fill(spw_convert_plan *plan, const coordinates *x)
{
  const int64_t *const size = plan->size;
  int64_t weights[SPW_CUDA_DIMS + 2] = {0}, cell = 1;
  for (int64_t d = x->dims - 1; d >= 0; d--) {
    const bool turned = by_columns(plan->tensor.layout) && d >= x->dims - 2; /* lines are columns */
    weights[turned ? 2 * x->dims - 3 - d : d] = cell;
    if (size[d] > 0 && __builtin_mul_overflow(cell, size[d], &cell)) cell = 0; /* the result has no element then */
  }
  if (__builtin_mul_overflow(plan->room.values, spw_dtype_size(plan->room.dtype), &plan->bytes)) return SPW_EUNSUPPORTED;
  plan_numbers(plan, x, weights);
#define FILL(type) plan->type.fill.of = plan->type.keys.of
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

/* ---- From dense ------------------------------------------------------------------------------ */

/* What makes a scalar differ from zero: in 8 bytes of them, one after another. */
static spw_word telling_bits(spw_dtype dtype, bool bits)
{
  if (!bits) switch (dtype) {
    case SPW_FLOAT16: case SPW_BFLOAT16: return 0x7fff7fff7fff7fffu;
    case SPW_FLOAT32: case SPW_COMPLEX64: return 0x7fffffff7fffffffu;
    case SPW_FLOAT64: case SPW_COMPLEX128: return INT64_MAX;
    default: break;
    }
  return ~(spw_word)0;
}

/* The room for as many cells as there are: how many of them are stored only the kernels can tell. The contents of an
 * array of which all elements are one, and that not zero, are asked about in place of the tensor's. */
static spw_status plan_most(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room, spw_refusal *refusal)
{
  static const alignas(16) unsigned char other[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  static const int64_t zeros[SPW_STRIDED_DIMS];
  const spw_conversion as_it_is = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  spw_tensor full = *tensor;
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  spw_status status = spw_convert_size(tensor, &as_it_is, room, &why); /* judges shapes, and reads nothing */
  if (status == SPW_OK) {
    if (tensor->values.array.ndim > SPW_STRIDED_DIMS) return SPW_EUNSUPPORTED;
    full.values.array.strides = zeros;
    full.values.array.offset = 0;
    full.values.array.length = 1;
    full.values.data = other;
    status = spw_convert_size_unchecked(&full, wanted, room, &why);
  }
  const bool numbers = why.obstacle == SPW_OBSTACLE_SIZE || (why.obstacle == SPW_OBSTACLE_INDEX && why.place < 0);
  if (status == SPW_ERANGE && numbers) return SPW_EUNSUPPORTED; /* of cells that may not be stored */
  if (refusal && (status == SPW_EINVALID || status == SPW_ERANGE)) *refusal = why;
  return status;
}

/* The array as cells of the result, each a block: behind rows and columns of blocks those of one block. */
static spw_status plan_cells(const spw_convert_plan *plan, spw_gather *values)
{
  int64_t shape[SPW_STRIDED_DIMS + 2], strides[SPW_STRIDED_DIMS + 2];
  const int64_t sparse = plan->sparse_dims;
  spw_value_array cells = plan->tensor.values;
  const spw_array *const a = &plan->tensor.values.array;
  if (!has_blocks(plan->layout)) return plan_values(&cells, sparse, by_columns(plan->layout), values);
  for (int64_t d = 0; d < a->ndim; d++) {
    const int64_t to = d < sparse ? d : d + 2;
    shape[to] = a->shape[d], strides[to] = a->strides[d];
  }
  for (int64_t i = 0; i < 2; i++) {
    const int64_t d = sparse - 2 + i;
    shape[sparse + i] = plan->block[i], strides[sparse + i] = strides[d];
    shape[d] /= plan->block[i];
    strides[d] = shape[d] > 1 ? strides[d] * plan->block[i] : 0; /* no more than the array reaches */
  }
  cells.array.ndim += 2;
  cells.array.shape = shape;
  cells.array.strides = strides;
  return plan_values(&cells, sparse, by_columns(plan->layout), values);
}

static spw_status plan_marks(spw_convert_plan *plan, const spw_conversion *wanted)
{
  const spw_value_array *const v = &plan->tensor.values;
  const bool turned = by_columns(plan->layout);
  const int64_t sparse = plan->sparse_dims, batches = product(plan->size, plan->batch_dims);
  const bool lines = plan->layout != SPW_COO;
  int64_t size[SPW_CUDA_DIMS + 2] = {0};
  if (sparse > SPW_CUDA_DIMS + 2) return SPW_EUNSUPPORTED;
  for (int64_t d = 0; d < sparse; d++) size[d] = plan->size[d];
  if (lines) size[sparse - 2] /= plan->block[0], size[sparse - 1] /= plan->block[1];
  const int64_t cells = product(size + plan->batch_dims, sparse - plan->batch_dims);
  const int64_t C = lines ? size[sparse - (turned ? 1 : 2)] : 1, P = lines ? size[sparse - (turned ? 2 : 1)] : cells;
  const spw_status status = plan_cells(plan, &plan->marking.values);
  if (status != SPW_OK) return status;
  plan->values = plan->marking.values;
  plan->values.counted = 1;
  plan->counted = plan->values.units > 0;
  if (plan->counted) plan->values.units /= cells; /* of one cell of each batch */
  plan->marking.mask = telling_bits(v->array.dtype, wanted->bits && !wanted->prune);
  plan->marking.batches = batches;
  plan->marking.cells = cells;
  plan->marking.tiles = cells / SPW_MARK_CELLS + (cells % SPW_MARK_CELLS != 0);
#define FILL(type)                                                                                 \
  plan->type.collect = (spw_collecting_##type){.batches = batches, .tiles = plan->marking.tiles, .C = C, .P = P, \
                                               .dims = (int)sparse};                               \
  memcpy(plan->type.collect.size, size, sizeof size)
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

static spw_status plan_collect(spw_convert_plan *plan, const spw_conversion *wanted)
{
  spw_carver work = {0, 0};
  const spw_marking *const m = &plan->marking;
  int64_t tiles, cells;
  const spw_status status = plan_marks(plan, wanted);
  if (status != SPW_OK) return status;
  spw_carve(&work, 1, offsetof(spw_convert_told, checked) + plan->check.bytes);
  plan->begun = work.bytes;
  if (plan->counted) {
    if (__builtin_mul_overflow(m->batches, m->tiles, &tiles) || __builtin_mul_overflow(m->batches, m->cells, &cells) ||
        tiles > INT64_MAX / SPW_MARK_WORDS)
      return SPW_EUNSUPPORTED;
    plan->states_at = spw_carve(&work, SPW_SCAN_STATES(tiles), sizeof(spw_word));
    plan->begun = work.bytes;
    plan->marks_at = spw_carve(&work, tiles * SPW_MARK_WORDS, sizeof(unsigned));
    plan->counts_at = spw_carve(&work, tiles, sizeof(spw_word));
    plan->starts_at = spw_carve(&work, tiles + 1, sizeof(spw_word));
    plan->order_at = spw_carve(&work, cells, sizeof(spw_word));
  }
  plan->room.work = work.bytes;
  plan->last = plan->counted ? 4 : 0;
  plan->bytes = plan->room.compressed * (plan->check.int64 ? 8 : 4); /* within int64: so is its room */
  return work.too_large ? SPW_EUNSUPPORTED : SPW_OK;
}

/* Of what there would be without, in order of the result, what is not zero is marked, as the cells of a dense array are. */
static spw_status plan_prune(spw_convert_plan *plan, const coordinates *x)
{
  const bool lines = plan->kind == SPW_CONVERT_COMPRESS;
  spw_marking *const m = &plan->marking;
  if (!plan->check.int64 && x->elements > INT32_MAX) return SPW_EUNSUPPORTED;
  m->batches = lines ? batches_of_lines(plan) : 1;
  m->cells = plan->room.nse;
  m->tiles = (m->cells - 1) / SPW_MARK_CELLS + 1;
  m->counted = plan->coalesces || plan->blocks || plan->bounded;
  m->mask = plan->values.units > 0 ? telling_bits(plan->room.dtype, false) : 0; /* what has no value is zero */
  if (!m->counted) plan->values.units /= m->cells, plan->values.counted = 1; /* of one of each batch */
#define FILL(type) plan->type.compress.counted = plan->type.permute.counted = 1
  EITHER(plan, FILL);
#undef FILL
  return SPW_OK;
}

/* What is filled before the first stage, at the beginning of the workspace: what stages tell, and where each tile of a scan says
 * what it knows. `digits` are those that passes of sorts count. */
static void carve_begun(spw_convert_plan *plan, int64_t n, int passes, int64_t digits, spw_carver *work)
{
  int64_t tiles;
  spw_carve(work, 1, offsetof(spw_convert_told, checked) + plan->check.bytes);
  if (passes > 0) plan->states_at = spw_carve(work, passes * SPW_SCAN_STATES(digits), sizeof(spw_word));
  if (plan->coalesces || plan->refuses) plan->position_states_at = spw_carve(work, SPW_SCAN_STATES(n), sizeof(spw_word));
  if (plan->blocks) plan->block_states_at = spw_carve(work, SPW_SCAN_STATES(n), sizeof(spw_word));
  if (plan->prunes && __builtin_mul_overflow(plan->marking.batches, plan->marking.tiles, &tiles)) work->too_large = 1, tiles = 0;
  if (plan->prunes) plan->kept_states_at = spw_carve(work, SPW_SCAN_STATES(tiles), sizeof(spw_word));
  plan->begun = work->bytes;
}

static void carve_pruned(spw_convert_plan *plan, spw_carver *work)
{
  const spw_marking *const m = &plan->marking;
  const bool formed = plan->blocks || spw_convert_plan_part(plan) > 0;
  int64_t tiles, words, cells, bytes = 0;
  if (__builtin_mul_overflow(m->batches, m->tiles, &tiles) || __builtin_mul_overflow(tiles, SPW_MARK_WORDS, &words) ||
      __builtin_mul_overflow(m->batches, m->cells, &cells) ||
      (plan->blocks && __builtin_mul_overflow(plan->room.values, spw_dtype_size(plan->room.dtype), &bytes))) {
    work->too_large = 1;
    return;
  }
  plan->marks_at = spw_carve(work, words, sizeof(unsigned));
  plan->kept_counts_at = spw_carve(work, tiles, sizeof(spw_word));
  plan->kept_starts_at = spw_carve(work, tiles + 1, sizeof(spw_word));
  plan->kept_at = spw_carve(work, cells, sizeof(spw_word));
  if (formed) plan->kept_numbers_at = spw_carve(work, cells, sizeof(spw_word));
  plan->formed_at = spw_carve(work, bytes, 1);
}

static void carve_blocks(spw_convert_plan *plan, const coordinates *x, spw_carver *work)
{
  const int64_t n = x->elements;
  int64_t numbers;
  if (__builtin_mul_overflow(n, x->dims + 2, &numbers)) work->too_large = 1, numbers = 0;
  plan->y_at = spw_carve(work, numbers, plan->check.int64 ? 8 : 4);
  const bool chooses = plan->coalesces || plan->refuses; /* which has room for these */
  if (!chooses) plan->firsts_at = spw_carve(work, n, sizeof(spw_word));
  plan->block_positions_at = spw_carve(work, n + 1, sizeof(spw_word));
  plan->block_chosen_at = spw_carve(work, n, sizeof(spw_word));
  plan->block_begins_at = spw_carve(work, n + 1, sizeof(spw_word));
}

static void carve_unfolded(spw_convert_plan *plan, const coordinates *x, spw_carver *work)
{
  const int64_t C = plan->check.int64 ? plan->i64.unfold.C : plan->i32.unfold.C;
  const int64_t batches = plan->check.int64 ? plan->i64.unfold.batches.count : plan->i32.unfold.batches.count;
  const size_t index = plan->check.int64 ? 8 : 4;
  if (plan->turns) plan->turned_c_at = spw_carve(work, batches * (C + 1), index); /* less than items */
  if (plan->turns) plan->turned_p_at = spw_carve(work, x->elements, index);
  plan->unfolded_at = spw_carve(work, batches * plan->in_batch, sizeof(spw_word));
}

bool spw_convert_plan_has_keys(const spw_convert_plan *plan)
{
  return plan->passes > 0 || plan->coalesces || plan->blocks || plan->bounded;
}

/* The workspace, and the number of stages. */
static spw_status plan_work(spw_convert_plan *plan, const coordinates *x)
{
  spw_carver work = {0, 0};
  int64_t numbers = 0;
  const int64_t n = x->elements, digits = plan->sort.tiles * SPW_SORT_DIGITS;
  const int passes = plan->passes + plan->line_passes, keys = spw_convert_plan_has_keys(plan);
  carve_begun(plan, n, passes, digits, &work);
  if (plan->unblocks) {
    const int64_t blocks = plan->check.int64 ? plan->i64.unblock.n : plan->i32.unblock.n;
    if (__builtin_mul_overflow(blocks, x->dims, &numbers)) return SPW_EUNSUPPORTED;
    plan->blocks_at = spw_carve(&work, numbers, plan->check.int64 ? 8 : 4);
  }
  if (plan->expands && __builtin_mul_overflow(n, x->dims, &numbers)) return SPW_EUNSUPPORTED;
  plan->x_at = spw_carve(&work, numbers, plan->check.int64 ? 8 : 4);
  if (plan->unfolds) carve_unfolded(plan, x, &work);
  if (keys || plan->refuses) plan->key_at = spw_carve(&work, n, sizeof(spw_word));
  if (passes > 0) {
    plan->keys_at = spw_carve(&work, n, sizeof(spw_word));
    plan->order_at = spw_carve(&work, n, sizeof(spw_word));
    plan->orders_at = spw_carve(&work, n, sizeof(spw_word));
    plan->counts_at = spw_carve(&work, digits, sizeof(spw_word));
    plan->starts_at = spw_carve(&work, digits + 1, sizeof(spw_word));
  }
  if (plan->coalesces || plan->refuses) {
    plan->firsts_at = spw_carve(&work, n, sizeof(spw_word));
    plan->positions_at = spw_carve(&work, n + 1, sizeof(spw_word));
    plan->chosen_at = spw_carve(&work, n, sizeof(spw_word));
    plan->begins_at = spw_carve(&work, n + 1, sizeof(spw_word));
  }
  if (plan->blocks) carve_blocks(plan, x, &work);
  if (plan->prunes) carve_pruned(plan, &work);
  if (plan->bounded) plan->bounds_at = spw_carve(&work, plan->bounds.batches + 1, sizeof(spw_word));
  const size_t index = plan->check.int64 ? 8 : 4;
  if (plan->casts) plan->cast_c_at = spw_carve(&work, plan->room.compressed, index);
  if (plan->casts) plan->cast_p_at = spw_carve(&work, plan->room.plain, index);
  const bool waits = plan->kind == SPW_CONVERT_FILL || plan->blocks || plan->prunes;
  const bool sums = waits && spw_convert_plan_part(plan) > 0;
  if (sums && __builtin_mul_overflow(plan->summed.cells.strides[0], n, &numbers)) return SPW_EUNSUPPORTED;
  if (sums) plan->sums_at = spw_carve(&work, numbers, 1);
  plan->room.work = work.bytes;
  /* and then indices or zeros, and values */
  const int before = plan->expands + plan->unblocks + keys + 3 * passes + 3 * plan->coalesces + plan->bounded + plan->settles +
                     sums + (plan->unfolds && plan->turns) + 4 * plan->refuses;
  /* a stage that blocks come from, 4 to choose, their numbers, zeros; of what is pruned, marks, sums, elements, batches */
  const int stages = before + (plan->blocks ? 9 + plan->prunes : 2) + 4 * plan->prunes + (plan->casts ? 2 : 0);
  plan->last = (spw_word)stages - 1;
  return work.too_large ? SPW_EUNSUPPORTED : SPW_OK;
}

/* ---- The plan -------------------------------------------------------------------------------- */

static spw_status plan_of_dense(spw_convert_plan *plan, const spw_conversion *wanted, spw_refusal *refusal)
{
  const spw_array *const a = &plan->tensor.values.array;
  const spw_status status = plan_most(&plan->tensor, wanted, &plan->room, refusal);
  if (status != SPW_OK) return status;
  spw_check_plan_decide(&plan->check, SPW_WORD_VALID);
  plan->check.int64 = plan->room.index_dtype == SPW_INT64;
  plan->size = a->shape;
  plan->ndim = a->ndim;
  plan->sparse_dims = a->ndim - (wanted->dense_dims < 0 ? 0 : wanted->dense_dims);
  plan->batch_dims = plan->layout == SPW_COO ? 0 : plan->sparse_dims - 2;
  return plan_collect(plan, wanted);
}

/* Room for as many blocks as there are elements, or places for them: what COO of these elements is told, of which nothing
 * is read. */
static spw_status plan_most_blocks(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                   spw_refusal *refusal)
{
  int64_t shape[SPW_STRIDED_DIMS], strides[SPW_STRIDED_DIMS] = {0}, entries[2], steps[2] = {0};
  spw_numbers n;
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  if (spw_numbers_of(tensor, &n) != SPW_OK || n.dense_dims + 1 > SPW_STRIDED_DIMS) return SPW_EUNSUPPORTED;
  spw_tensor elements = {.layout = SPW_COO, .has_size = true, .ndim = tensor->ndim, .size = tensor->size,
                         .coalesced = SPW_CLAIM_NO, .plain.array.dtype = tensor->plain.array.dtype, .values = tensor->values};
  entries[0] = n.batch_dims + n.sparse_dims;
  if (__builtin_mul_overflow(n.nse, n.block_rows, &entries[1]) ||
      __builtin_mul_overflow(entries[1], n.block_columns, &entries[1]) ||
      __builtin_mul_overflow(entries[1], tensor->layout == SPW_COO ? 1 : n.batches, &entries[1]))
    return SPW_EUNSUPPORTED;
  shape[0] = entries[1];
  for (int64_t d = 0; d < n.dense_dims; d++) shape[d + 1] = tensor->size[tensor->ndim - n.dense_dims + d];
  elements.plain.array.ndim = 2, elements.plain.array.shape = entries, elements.plain.array.strides = steps;
  elements.values.array.ndim = n.dense_dims + 1;
  elements.values.array.shape = shape, elements.values.array.strides = strides;
  const spw_status status = spw_convert_size_unchecked(&elements, wanted, room, &why);
  const bool numbers = why.obstacle == SPW_OBSTACLE_SIZE || (why.obstacle == SPW_OBSTACLE_INDEX && why.place < 0);
  if (status == SPW_ERANGE && numbers) return SPW_EUNSUPPORTED; /* of blocks that may not be there */
  if (status == SPW_ERANGE && refusal) *refusal = why;
  return status;
}

static spw_status plan_of_sparse(spw_convert_plan *plan, const spw_conversion *wanted, spw_refusal *refusal)
{
  const spw_tensor *const tensor = &plan->tensor;
  plan->check.int64 = tensor->plain.array.dtype == SPW_INT64; /* also where it is decided */
  const bool blocks = has_blocks(plan->layout) && !keeps_blocks(tensor, wanted);
  spw_numbers numbers = {0};
  spw_numbers_of(tensor, &numbers);
  spw_status status = blocks && numbers.batches > 0
                          ? plan_most_blocks(tensor, wanted, &plan->room, refusal)
                          : spw_convert_size_unchecked(tensor, wanted, &plan->room, refusal); /* shapes say all of it */
  if (status != SPW_OK) return status;
  coordinates x;
  const bool fills = plan->kind == SPW_CONVERT_FILL;
  plan->size = tensor->size;
  plan->ndim = tensor->ndim;
  plan->sparse_dims = fills ? tensor->ndim : numbers.batch_dims + numbers.sparse_dims;
  const bool coo = tensor->layout == SPW_COO, compresses = plan->kind == SPW_CONVERT_COMPRESS;
  plan->batch_dims = compresses ? plan->sparse_dims - 2 : 0;
  plan->expands = tensor->layout != SPW_COO && plan->kind != SPW_CONVERT_EXPAND;
  const bool mended = mends(tensor, wanted), repeats = repeats_positions(tensor, wanted);
  const bool opens = has_blocks(tensor->layout) && (blocks || !has_blocks(plan->layout));
  plan->unfolds = opens && !blocks && !fills && !mended && !wanted->prune;
  plan->unblocks = opens && !plan->unfolds;
  plan->turns = by_columns(tensor->layout) != by_columns(plan->layout);
  if (has_blocks(plan->layout) && !blocks) plan->block[0] = numbers.block_rows, plan->block[1] = numbers.block_columns;
  memcpy(plan->cell, plan->block, sizeof plan->cell);
  if (plan->unfolds) plan->cell[0] = numbers.block_rows, plan->cell[1] = numbers.block_columns;
  plan->duplicates = wanted->duplicates;
  status = find_coordinates(plan, &numbers, &x);
  plan->in_batch = x.in_batch;
  plan->of_stored = numbers.nse > 0 ? x.in_batch / numbers.nse : 1;
  if (plan->unfolds && (__builtin_mul_overflow(x.in_batch, plan->cell[0], &plan->in_batch) ||
                        __builtin_mul_overflow(plan->in_batch, plan->cell[1], &plan->in_batch)))
    return SPW_EUNSUPPORTED;
  plan->refuses = repeats && x.elements > 0 && blocks && wanted->duplicates == SPW_COMBINE_REFUSE;
  plan->coalesces = repeats && x.elements > 0 && !plan->refuses;
  plan->bounded = coo && compresses && x.elements > 0 && product(plan->size, plan->batch_dims) > 1;
  plan->settles = !blocks && (plan->bounded || (plan->coalesces && compresses && numbers.batches > 1));
  plan->counted = plan->coalesces && !fills;
  if (mended && x.elements == 0) plan->room.nse = 0; /* of no batch */
  plan->blocks = blocks && x.elements > 0;
  plan->prunes = wanted->prune && !fills && x.elements > 0;
  plan->counted = plan->counted || plan->blocks || plan->prunes || plan->bounded;
  plan->casts = !fills && plan->room.index_dtype != tensor->plain.array.dtype;
  if (plan->casts && plan->check.int64 && plan->counted && x.elements > INT32_MAX) return SPW_EUNSUPPORTED;
  if (status == SPW_OK && !coo) status = plan_expand(plan, &numbers);
  if (status == SPW_OK && plan->unblocks) status = plan_unblock(plan, &numbers, &x);
  if (status == SPW_OK && plan->refuses) status = plan_refuse(plan, &x);
  if (status == SPW_OK && (!fills || plan->coalesces) && plan->kind != SPW_CONVERT_EXPAND) status = plan_sort(plan, &x);
  if (status == SPW_OK && (plan->kind == SPW_CONVERT_COMPRESS || plan->unfolds)) status = plan_compress(plan, &numbers, &x);
  if (status == SPW_OK && plan->unfolds) status = plan_unfold(plan, &numbers, &x);
  if (status == SPW_OK && plan->blocks) status = plan_blocks(plan, &x);
  if (status == SPW_OK && plan->kind == SPW_CONVERT_PERMUTE) plan_permute(plan, &x);
  if (status == SPW_OK && fills) status = plan_fill(plan, &x);
  /* of each cell the values have to be found */
  const bool cells = fills || plan->blocks || plan->passes > 0 || plan->coalesces || plan->prunes || plan->unfolds ||
                     plan->bounded;
  const int64_t leading = numbers.batch_dims + (opens ? 3 : 1); /* an element of a block is a cell of the result */
  if (status == SPW_OK) status = plan_values(&tensor->values, cells ? leading : -1, false, &plan->values);
  if (status == SPW_OK && plan->bounded && !plan->coalesces && !blocks) {
    plan->values.units = plan->values.units / x.elements * batches_of_lines(plan); /* of one cell of each */
    plan->values.counted = 1;
  }
  if (status == SPW_OK && plan->coalesces) status = plan_coalesce(plan, &x);
  if (status == SPW_OK && plan->prunes) status = plan_prune(plan, &x);
  return status == SPW_OK ? plan_work(plan, &x) : status;
}

spw_status spw_convert_plan_make(const spw_tensor *tensor, const spw_conversion *wanted, spw_convert_plan *plan,
                                 spw_refusal *refusal)
{
  if (!tensor || !wanted || (!tensor->values.data && tensor->values.array.length > 0)) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  const bool dense = tensor->layout == SPW_DENSE;
  const spw_level level = mends(tensor, wanted) ? SPW_STRUCTURE : SPW_CANONICAL;
  spw_status status = dense ? SPW_OK : spw_check_plan_make(tensor, level, &plan->check);
  if (status != SPW_OK) return status;
  if (plan->check.kind == SPW_CHECK_DECIDED && plan->check.word == SPW_WORD_SHAPE) {
    const spw_refusal broken = {SPW_OBSTACLE_RULE, plan->check.shape, -1, -1, -1, -1, 0};
    if (refusal) *refusal = broken;
    return SPW_EINVALID;
  }
  status = kind_of(tensor, wanted, &plan->kind);
  if (status != SPW_OK) return status;
  plan->tensor = *tensor;
  plan->layout = wanted->layout;
  for (int i = 0; i < 2; i++) plan->block[i] = 1;
  if (has_blocks(wanted->layout)) plan->block[0] = wanted->block_rows, plan->block[1] = wanted->block_columns;
  return dense ? plan_of_dense(plan, wanted, refusal) : plan_of_sparse(plan, wanted, refusal);
}

static bool lies_well(const void *at, int64_t needed, int64_t there, size_t multiple)
{
  return needed == 0 || (at && there >= needed && (uintptr_t)at % multiple == 0);
}

/* A type of values aligns as its parts do; what copies them looks at the address itself. */
spw_status spw_convert_plan_judge_buffers(const spw_convert_plan *plan, const spw_buffers *b)
{
  const spw_room *const need = &plan->room;
  const bool wide = need->index_dtype == SPW_INT64;
  const size_t index = wide ? sizeof(int64_t) : sizeof(int32_t);
  const void *const c = wide ? (const void *)b->compressed_i64 : b->compressed_i32,
             *const p = wide ? (const void *)b->plain_i64 : b->plain_i32;
  if (b->room.index_dtype != need->index_dtype || b->room.dtype != need->dtype) return SPW_EINVAL;
  if (!lies_well(b->dims, need->dims, b->room.dims, sizeof(int64_t))) return SPW_EINVAL;
  if (!lies_well(c, need->compressed, b->room.compressed, index)) return SPW_EINVAL;
  if (!lies_well(p, need->plain, b->room.plain, index)) return SPW_EINVAL;
  const bool adds = plan->counted && spw_convert_plan_part(plan) > 0; /* and stores it as what it is */
  const size_t part = adds ? (size_t)spw_convert_plan_part(plan) : 1;
  if (!lies_well(b->values, need->values, b->room.values, part)) return SPW_EINVAL;
  if (!b->work || b->room.work < need->work || (uintptr_t)b->work % 16 != 0) return SPW_EINVAL;
  return SPW_OK;
}

/* ---- The result ------------------------------------------------------------------------------ */

spw_room spw_convert_plan_took(const spw_convert_plan *plan, const spw_convert_told *told)
{
  spw_room took = plan->room;
  if (!plan->counted || plan->room.nse == 0) return took;
  took.nse = told->stages.nse;
  took.plain = took.plain / plan->room.nse * took.nse;
  took.values = took.values / plan->room.nse * took.nse;
  return took;
}

/* Entries of an array's shape, strides behind them. */
static int64_t *take_entries(int64_t **dims, int64_t ndim)
{
  int64_t *const entries = *dims;
  *dims += 2 * ndim;
  return entries;
}

/* A contiguous array whose `ndim` entries are written down already. */
static spw_array array_of(spw_dtype dtype, int64_t *entries, int64_t ndim)
{
  int64_t *const strides = entries + ndim;
  int64_t length = 1, stride = 1;
  for (int64_t d = 0; d < ndim; d++)
    if (entries[d] == 0) length = 0;
  for (int64_t d = ndim - 1; d >= 0; d--) {
    strides[d] = stride;
    const int64_t factor = entries[d] > 1 ? entries[d] : 1;
    stride = stride > INT64_MAX / factor ? 0 : stride * factor; /* only where there is no element */
  }
  for (int64_t d = 0; length > 0 && d < ndim; d++) length *= entries[d];
  const spw_array array = {dtype, ndim, entries, strides, 0, length};
  return array;
}

static spw_index_array indices_of(const spw_convert_plan *plan, const int32_t *narrow, const int64_t *wide,
                                  int64_t *entries, int64_t ndim)
{
  const bool int64 = plan->room.index_dtype == SPW_INT64;
  const spw_index_array array = {array_of(plan->room.index_dtype, entries, ndim), int64 ? NULL : narrow,
                                 int64 ? wide : NULL, NULL};
  return array;
}

static void view_result(const spw_convert_plan *plan, int64_t nse, const spw_buffers *b, spw_tensor *result)
{
  const int64_t ndim = plan->ndim, sparse = plan->sparse_dims, batch_dims = plan->batch_dims;
  const bool coo = plan->layout == SPW_COO, dense = plan->layout == SPW_DENSE;
  int64_t *dims = b->dims;
  memcpy(dims, plan->size, (size_t)ndim * sizeof *dims);
  const int64_t *const size = dims;
  spw_tensor r = {.layout = plan->layout, .has_size = true, .ndim = ndim, .size = size,
                  .index_dtype = dense ? SPW_DTYPE_NONE : plan->room.index_dtype, .dtype = plan->room.dtype,
                  .coalesced = coo ? SPW_CLAIM_YES : SPW_CLAIM_NONE};
  dims += ndim;
  if (coo) {
    int64_t *const x = take_entries(&dims, 2);
    x[0] = sparse, x[1] = nse;
    r.plain = indices_of(plan, b->plain_i32, b->plain_i64, x, 2);
  } else if (!dense) {
    int64_t *const c = take_entries(&dims, batch_dims + 1), *const p = take_entries(&dims, batch_dims + 1);
    for (int64_t d = 0; d < batch_dims; d++) c[d] = p[d] = size[d];
    const int major = by_columns(plan->layout);
    c[batch_dims] = size[sparse - 2 + major] / plan->block[major] + 1;
    p[batch_dims] = nse;
    r.compressed = indices_of(plan, b->compressed_i32, b->compressed_i64, c, batch_dims + 1);
    r.plain = indices_of(plan, b->plain_i32, b->plain_i64, p, batch_dims + 1);
  }
  int64_t *const v = dims; /* batches and cells, where they are not dense themselves, and dense dimensions */
  int64_t at = 0;
  for (int64_t d = 0; d < (dense ? ndim : batch_dims); d++) v[at++] = size[d];
  if (!dense) v[at++] = nse;
  for (int i = 0; has_blocks(plan->layout) && i < 2; i++) v[at++] = plan->block[i];
  for (int64_t d = sparse; d < ndim; d++) v[at++] = size[d];
  r.values = (spw_value_array){array_of(plan->room.dtype, v, at), b->values};
  *result = r;
}

/* What contents told the kernels that no shape does: another batch that has another number of cells, or two elements, as
 * they are numbered in all batches, of which the place in their batch is told, or the block there. */
static spw_status refused(const spw_convert_plan *plan, const spw_stages *s, spw_refusal *refusal)
{
  const spw_violation none = {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, -1, 0, 0};
  if ((!plan->counted && !plan->coalesces) || s->lhs == s->rhs) return SPW_EINVAL; /* they did not run */
  spw_refusal r = {SPW_OBSTACLE_BATCHES, none, s->place, s->other, s->lhs, s->rhs, 0};
  if (s->other < 0) {
    if (s->lhs < 0 || s->rhs < 0 || plan->in_batch == 0) return SPW_EINVAL;
    r.obstacle = SPW_OBSTACLE_DUPLICATE;
    r.place = s->lhs / plan->in_batch;
    r.lhs = s->lhs % plan->in_batch / plan->of_stored;
    r.rhs = s->rhs % plan->in_batch / plan->of_stored;
  }
  if (refusal) *refusal = r;
  return SPW_ERANGE;
}

spw_status spw_convert_plan_read(const spw_convert_plan *plan, const spw_convert_told *told, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal)
{
  spw_violation first;
  spw_status status = spw_check_plan_read(&plan->check, told->checked.word, told->checked.lhs, told->checked.rhs, &first);
  if (status == SPW_OK && first.rule != SPW_RULE_NONE) {
    const spw_refusal broken = {SPW_OBSTACLE_RULE, first, -1, -1, -1, -1, 0};
    if (refusal) *refusal = broken;
    return SPW_EINVALID;
  }
  if (status == SPW_OK && told->stages.done != plan->last) status = refused(plan, &told->stages, refusal);
  const int64_t nse = told->stages.nse;
  if (status == SPW_OK && plan->counted && (nse < 0 || nse > plan->room.nse)) status = SPW_EINVAL;
  if (status == SPW_OK) status = spw_convert_plan_judge_buffers(plan, buffers);
  if (status == SPW_OK) view_result(plan, spw_convert_plan_took(plan, told).nse, buffers, result);
  return status;
}
