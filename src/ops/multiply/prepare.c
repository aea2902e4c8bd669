/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse operands that products are prepared for: judged once, by rows, with narrow indices, and in blocks where all are full. */
#include "../../operand/fits.h"
#include "product.h"
#include "stripes.h"
#include "../../convert/buffers.h"
#include "../../convert/indices.h"
#include "../../operand/overlap.h"
#include "../../convert/plan.h"
#include "../../core/size.h"

/* ---- What is prepared ------------------------------------------------------------------------ */

/* What is made of an operand: itself, or a copy; and blocks besides, 0: none, or stripes of its `nse` elements. */
typedef struct choice {
  bool copied, striped;
  spw_conversion matrix, blocks;
  int64_t block, nse;
} choice;

static bool by_rows(spw_layout layout)
{
  return layout == SPW_CSR || layout == SPW_BSR;
}

/* Are `size` lines from line `first` on the same, and do they consist of full blocks? */
static bool has_full_blocks(const spw_tensor *a, int64_t first, int64_t size)
{
  const spw_index_array *const c = &a->compressed, *const p = &a->plain;
  const int64_t at = c->array.offset + first, lo = spw_index_at(c, at), length = spw_index_at(c, at + 1) - lo;
  const int64_t start = p->array.offset + lo;
  if (length % size != 0) return false;
  for (int64_t i = 1; i < size; i++)
    if (spw_index_at(c, at + i + 1) - spw_index_at(c, at + i) != length) return false;
  for (int64_t k = 0; k < length; k++) {
    const int64_t lane = k % size, index = spw_index_at(p, start + k);
    if (lane == 0 ? index % size != 0 : index != spw_index_at(p, start + k - lane) + lane) return false;
    for (int64_t i = 1; i < size; i++)
      if (spw_index_at(p, start + i * length + k) != index) return false;
  }
  return true;
}

static bool consists_of_blocks(const spw_tensor *a, const spw_numbers *n, int64_t size)
{
  if (a->size[0] % size != 0 || a->size[1] % size != 0) return false;
  for (int64_t line = 0; line < n->compressed_size; line += size)
    if (!has_full_blocks(a, line, size)) return false;
  return true;
}

/* Vectors times smaller blocks are slower than times rows. */
enum { BLOCK = 4 };

/* One matrix, compressed and with a size; anything else stays what it is. */
static choice choose(const spw_tensor *a, const spw_numbers *n)
{
  choice made = {0};
  if (!spw_is_compressed(a->layout) || !a->has_size || a->ndim != 2 || n->dense_dims > 0) return made;
  const bool fits = n->compressed_size <= INT32_MAX && n->plain_size <= INT32_MAX && n->nse <= INT32_MAX;
  const spw_dtype index = fits ? SPW_INT32 : SPW_INT64;
  made.matrix = (spw_conversion){.layout = by_rows(a->layout) ? a->layout : spw_transposed_layout(a->layout), .batch_dims = -1,
                                 .dense_dims = -1, .index_dtype = index};
  made.copied = !by_rows(a->layout) || a->plain.array.dtype != index;
  if (spw_has_blocks(a->layout)) return made;
  made.block = n->nse > 0 && consists_of_blocks(a, n, BLOCK) ? BLOCK : 0;
  made.blocks = made.matrix;
  made.blocks.layout = SPW_BSR;
  made.blocks.block_rows = made.blocks.block_columns = made.block;
  made.striped = made.block == 0 && fits && spw_gains_by_stripes(a, n->nse);
  made.nse = n->nse;
  return made;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* What conversions need while they run, one after the other, lies behind what stays. */
typedef struct memory {
  spw_buffers matrix, blocks;
  spw_stripes stripes;
  int64_t bytes; /* INT64_MAX beyond */
} memory;

static spw_status lay_out(const spw_tensor *a, const choice *made, char *base, memory *m, spw_refusal *refusal)
{
  spw_room matrix = {0}, blocks = {0};
  spw_status status = SPW_OK;
  spw_arena arena = {base, 0};
  *m = (memory){0};
  if (made->copied) status = spw_convert_size_unchecked(a, &made->matrix, &matrix, refusal);
  if (status == SPW_OK && made->block > 0) status = spw_convert_size_unchecked(a, &made->blocks, &blocks, refusal);
  if (status != SPW_OK) return status;
  if (made->copied) m->matrix = spw_take_buffers(&arena, &matrix);
  if (made->block > 0) m->blocks = spw_take_buffers(&arena, &blocks);
  if (made->striped) m->stripes = spw_take_stripes(&arena, a, made->nse);
  m->matrix.work = m->blocks.work = spw_take_bytes(&arena, matrix.work > blocks.work ? matrix.work : blocks.work);
  m->bytes = arena.used;
  if (!spw_is_object_size(m->bytes)) return spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
  return SPW_OK;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static spw_status read_operand(const spw_tensor *a, choice *made, spw_refusal *refusal)
{
  spw_operand o;
  if (!a || a->layout == SPW_DENSE) return SPW_EINVAL;
  const spw_status status = spw_operand_take(a, 0, true, 1, &o, refusal);
  if (status == SPW_OK) *made = choose(a, &o.numbers);
  return status;
}

spw_status spw_prepare_size(const spw_tensor *a, size_t *bytes, spw_refusal *refusal)
{
  choice made;
  memory m;
  if (!bytes) return SPW_EINVAL;
  spw_status status = read_operand(a, &made, refusal);
  if (status == SPW_OK) status = lay_out(a, &made, NULL, &m, refusal);
  if (status == SPW_OK) *bytes = (size_t)m.bytes;
  return status;
}

spw_status spw_prepare(const spw_tensor *a, void *room, size_t bytes, spw_prepared *handle, spw_refusal *refusal)
{
  choice made;
  memory m;
  if (!handle) return SPW_EINVAL;
  spw_status status = read_operand(a, &made, refusal);
  if (status == SPW_OK) status = lay_out(a, &made, NULL, &m, refusal);
  if (status != SPW_OK) return status;
  if (bytes < (size_t)m.bytes || (m.bytes > 0 && (!room || (uintptr_t)room % 8 != 0))) return SPW_EINVAL;
  status = lay_out(a, &made, room, &m, refusal);
  if (status != SPW_OK) return status;
  if (spw_work_overlapping(&a, 1, room, (size_t)m.bytes) >= 0) return spw_refuse(refusal, SPW_OBSTACLE_OVERLAP, -1, -1, -1, -1);
  spw_prepared p = {.matrix = *a, .has_blocks = made.block > 0, .has_stripes = made.striped};
  if (made.copied) status = spw_convert_unchecked(a, &made.matrix, &m.matrix, &p.matrix, refusal);
  if (status == SPW_OK && p.has_blocks) status = spw_convert_unchecked(a, &made.blocks, &m.blocks, &p.blocks, refusal);
  if (status == SPW_OK && p.has_stripes) p.stripes = spw_cut_stripes(&p.matrix, made.nse, &m.stripes);
  if (status == SPW_OK) *handle = p;
  return status;
}

/* A vector, or a matrix of one column. `b` has not been judged yet. */
static bool is_vector(const spw_tensor *b)
{
  const spw_array *const x = b ? &b->values.array : NULL;
  return x && (x->ndim == 1 || (x->ndim == 2 && x->shape && x->shape[1] == 1));
}

/* Each of the threads looks at the rows of all elements of stripes: of more threads rows are quicker. */
enum { THREADS = 4 };

/* Vectors are multiplied by blocks, whose indices are fewer, or by stripes. The kernel for rows keeps more sums of a matrix in
 * registers. */
static const spw_tensor *operand_for(const spw_prepared *p, const spw_tensor *b, const spw_factors *how)
{
  if (!is_vector(b)) return &p->matrix;
  if (p->has_stripes && how && how->threads <= THREADS) return &p->stripes;
  return p->has_blocks ? &p->blocks : &p->matrix;
}

spw_status spw_multiply_prepared_size(const spw_prepared *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                      size_t *work, spw_refusal *refusal)
{
  if (!a || !work) return SPW_EINVAL;
  const bool either = a->has_stripes && is_vector(b); /* how many threads there are decides, and *work is for any number */
  size_t bytes = 0, other = 0;
  spw_status status = spw_multiply_size_unchecked(either ? &a->matrix : operand_for(a, b, how), b, how, c, &bytes, refusal);
  if (status == SPW_OK && either) status = spw_multiply_size_unchecked(&a->stripes, b, how, c, &other, refusal);
  if (status == SPW_OK) *work = bytes > other ? bytes : other;
  return status;
}

/* What other products need of the handle; how many there are. */
static int64_t other_parts(const spw_prepared *p, const spw_tensor *operand, const spw_tensor *parts[2])
{
  const spw_tensor *const all[] = {&p->matrix, p->has_blocks ? &p->blocks : NULL, p->has_stripes ? &p->stripes : NULL};
  int64_t count = 0;
  for (int i = 0; i < 3; i++)
    if (all[i] && all[i] != operand) parts[count++] = all[i];
  return count;
}

spw_status spw_multiply_prepared(const spw_prepared *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                 void *work, size_t work_bytes, spw_refusal *refusal)
{
  if (!a) return SPW_EINVAL;
  const spw_tensor *parts[2];
  const spw_tensor *const operand = operand_for(a, b, how);
  return spw_multiply_part(operand, b, how, c, parts, other_parts(a, operand, parts), work, work_bytes, refusal);
}
