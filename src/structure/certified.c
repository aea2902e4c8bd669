/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions that give a result only once it is checked and certified. Nothing here trusts what a conversion has made. */
#include "../convert/buffers.h"
#include "../convert/plan.h"
#include "../core/size.h"
#include "../operand/overlap.h"
#include "../sparsewright.h"
#include "certifier.h"

/* ---- What the certificate of duplicates takes -------------------------------------------------- */

/* What the elements of COO come to, in a part of the workspace; behind it lies the workspace of the calls. */
typedef struct sum_room {
  spw_room room;
  int64_t bytes; /* in all; where no sum is needed, what makes the certifier quicker */
} sum_room;

static bool may_repeat(const spw_tensor *t)
{
  return t->layout == SPW_COO && t->coalesced != SPW_CLAIM_YES;
}

static spw_conversion to_list(const spw_conversion *wanted)
{
  return (spw_conversion){.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1, .duplicates = wanted->duplicates};
}

/* Twice the values, and a byte for each element: as spw_certify_coalesced_size_unchecked tells of COO, of as many at most. */
static int64_t bytes_of_comparison(const spw_room *sum)
{
  const int64_t twice = spw_mul_saturated(sum->values, 2 * spw_dtype_size(sum->dtype));
  return spw_add_saturated(twice, sum->nse);
}

/* Of a tensor that is valid. */
static spw_status room_of_sum(const spw_tensor *t, const spw_conversion *wanted, sum_room *of, spw_refusal *refusal)
{
  *of = (sum_room){.bytes = may_repeat(t) ? 0 : spw_certify_quick_bytes(t, wanted->layout)};
  if (!spw_is_object_size(of->bytes)) of->bytes = 0;
  if (!may_repeat(t)) return SPW_OK;
  const spw_conversion list = to_list(wanted);
  const spw_status status = spw_convert_size_unchecked(t, &list, &of->room, refusal);
  if (status != SPW_OK) return status;
  spw_arena arena = {.base = NULL};
  spw_take_buffers(&arena, &of->room);
  const int64_t compared = bytes_of_comparison(&of->room);
  spw_take_bytes(&arena, of->room.work);
  const int64_t converted = arena.used;
  arena = (spw_arena){.base = NULL};
  spw_take_buffers(&arena, &of->room);
  spw_take(&arena, compared, 1);
  of->bytes = arena.used > converted ? arena.used : converted;
  return spw_is_object_size(of->bytes) ? SPW_OK : spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
}

/* ---- What was asked for ------------------------------------------------------------------------ */

static bool lies_in(const void *data, int64_t count, int64_t size, const void *buffer, int64_t room)
{
  const spw_byte_range part = spw_byte_range_of(data, count, size), all = spw_byte_range_of(buffer, room, size);
  return count == 0 || (data && count > 0 && count <= room && part.first >= all.first && part.last <= all.last);
}

static bool is_array_within(const spw_array *a, const void *data, int64_t size, const void *buffer, int64_t room,
                            const spw_buffers *b)
{
  const int64_t dims = b->room.dims;
  return lies_in(a->shape, a->ndim, 8, b->dims, dims) && lies_in(a->strides, a->ndim, 8, b->dims, dims) && a->length >= 0 &&
         lies_in(data, a->length, size, buffer, room);
}

static bool are_indices_within(const spw_index_array *i, const spw_buffers *b, bool compressed)
{
  const bool wide = i->array.dtype == SPW_INT64;
  const void *const i32 = compressed ? b->compressed_i32 : b->plain_i32;
  const void *const i64 = compressed ? b->compressed_i64 : b->plain_i64;
  return is_array_within(&i->array, wide ? (const void *)i->i64 : i->i32, wide ? 8 : 4, wide ? i64 : i32,
                         compressed ? b->room.compressed : b->room.plain, b);
}

/* Every array of the result lies inside a buffer; only then may it be read. */
static bool is_within(const spw_tensor *r, const spw_buffers *b)
{
  const spw_value_array *const v = &r->values;
  const int64_t scalar = spw_dtype_size(v->array.dtype);
  if (scalar == 0 || !is_array_within(&v->array, v->data, scalar, b->values, b->room.values, b)) return false;
  if (r->has_size && !lies_in(r->size, r->ndim, 8, b->dims, b->room.dims)) return false;
  if (r->layout != SPW_DENSE && !are_indices_within(&r->plain, b, false)) return false;
  return !spw_is_compressed(r->layout) || are_indices_within(&r->compressed, b, true);
}

static bool is_or_any(int64_t asked, int64_t has)
{
  return asked < 0 || asked == has;
}

static spw_dtype index_type_asked(const spw_tensor *t, const spw_conversion *w)
{
  if (w->index_dtype != SPW_DTYPE_NONE) return w->index_dtype;
  return t->layout == SPW_DENSE ? SPW_INT64 : t->plain.array.dtype;
}

/* Blocks, batches and dense dimensions of a valid result, which has them in its shapes. */
static bool has_dimensions(const spw_tensor *t, const spw_conversion *w, const spw_tensor *r)
{
  spw_numbers n, from;
  if (r->layout == SPW_DENSE) return true;
  if (spw_numbers_of(r, &n) != SPW_OK) return false;
  if (t->layout == SPW_DENSE) from = (spw_numbers){.block_rows = 1, .block_columns = 1, .dense_dims = 0};
  else if (spw_numbers_of(t, &from) != SPW_OK) return false;
  const bool same = w->block_rows == 0; /* blocks as before */
  const bool blocks = !spw_has_blocks(r->layout) || (n.block_rows == (same ? from.block_rows : w->block_rows) &&
                                                     n.block_columns == (same ? from.block_columns : w->block_columns));
  const int64_t dense_dims = t->layout == SPW_DENSE && w->dense_dims >= 0 ? w->dense_dims : from.dense_dims;
  return blocks && (r->layout == SPW_COO || is_or_any(w->batch_dims, n.batch_dims)) && n.dense_dims == dense_dims;
}

static bool is_as_asked(const spw_tensor *t, const spw_conversion *w, const spw_tensor *r)
{
  const spw_dtype index = index_type_asked(t, w);
  if (r->layout != w->layout || r->values.array.dtype != t->values.array.dtype) return false;
  if (r->layout == SPW_DENSE) return true;
  if (!r->has_size || r->plain.array.dtype != index) return false;
  return r->layout == SPW_COO ? r->coalesced == SPW_CLAIM_YES : r->compressed.array.dtype == index;
}

/* ---- The certificate --------------------------------------------------------------------------- */

/* Is `sum` what the elements of t come to? Judged before. */
static spw_status certify_sum(const spw_tensor *t, const spw_tensor *sum, spw_combine duplicates, void *work, int64_t bytes,
                              bool *same)
{
  size_t need = 0;
  const spw_status status = spw_certify_coalesced_size_unchecked(t, sum, &need);
  if (status != SPW_OK) return status;
  return need > (size_t)bytes ? SPW_EUNSUPPORTED
                              : spw_certify_coalesced_unchecked(t, sum, duplicates, work, need, same, NULL);
}

/* The sum of t, made in the workspace and certified. */
static spw_status make_sum(const spw_tensor *t, const spw_conversion *wanted, const sum_room *of, void *work, spw_tensor *sum,
                           bool *same)
{
  spw_arena arena = {.base = work};
  const spw_conversion list = to_list(wanted);
  spw_buffers b = spw_take_buffers(&arena, &of->room);
  const int64_t left = of->bytes - arena.used;
  b.work = arena.base + arena.used;
  spw_status status = spw_convert_unchecked(t, &list, &b, sum, NULL);
  if (status != SPW_OK) return status;
  *same = is_within(sum, &b) && is_as_asked(t, &list, sum) && spw_convert_judge(sum, false, 1, NULL) == SPW_OK;
  return *same ? certify_sum(t, sum, wanted->duplicates, b.work, left, same) : SPW_OK;
}

static spw_status certify(const spw_tensor *t, const spw_conversion *w, const sum_room *of, void *work, const spw_tensor *r,
                          bool *same)
{
  const unsigned added = spw_has_blocks(w->layout) ? SPW_ZEROS_ADDED : 0, dropped = w->prune ? SPW_ZEROS_DROPPED : 0;
  const spw_zeros zeros = (spw_zeros)(added | dropped);
  spw_tensor sum;
  if (!may_repeat(t)) return spw_certify_within(t, r, zeros, of->bytes > 0 ? work : NULL, of->bytes, same);
  if (w->layout == SPW_COO && !w->prune) return certify_sum(t, r, w->duplicates, work, of->bytes, same);
  const spw_status status = make_sum(t, w, of, work, &sum, same);
  return status == SPW_OK && *same ? spw_certify_unchecked(&sum, r, zeros, same) : status;
}

static spw_status refuse_result(spw_refusal *refusal)
{
  return spw_refuse(refusal, SPW_OBSTACLE_NONE, -1, -1, -1, -1);
}

/* ---- The calls --------------------------------------------------------------------------------- */

static bool can_be_certified(const spw_tensor *t, const spw_conversion *w)
{
  return (t->layout == SPW_DENSE || t->has_size) && !(w->canonicalize && spw_is_compressed(t->layout));
}

spw_status spw_convert_certified_size(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                      spw_refusal *refusal)
{
  sum_room of;
  spw_room own;
  if (!tensor || !wanted || !room) return SPW_EINVAL;
  spw_status status = spw_convert_size(tensor, wanted, &own, refusal);
  if (status == SPW_OK && !can_be_certified(tensor, wanted)) status = SPW_EUNSUPPORTED;
  if (status == SPW_OK) status = room_of_sum(tensor, wanted, &of, refusal);
  if (status != SPW_OK) return status;
  *room = own;
  if ((uint64_t)of.bytes > own.work) room->work = (size_t)of.bytes;
  return SPW_OK;
}

/* The certificate's workspace is long enough, and lies apart from what is read as long as it is written. */
static spw_status keep_work_apart(const spw_tensor *t, const spw_conversion *wanted, const sum_room *of, const spw_buffers *b,
                                  spw_refusal *refusal)
{
  spw_operand source;
  spw_room need;
  spw_status status = spw_convert_within(t, wanted, b, &need, refusal);
  if (status != SPW_OK) return status;
  if ((uint64_t)of->bytes > need.work) need.work = (size_t)of->bytes;
  if (!spw_buffers_hold(b, &need)) return SPW_EINVAL;
  status = spw_operand_read(t, &source);
  return status == SPW_OK ? spw_keep_apart(&source, 1, wanted, (int64_t)sizeof *wanted, b, &need, refusal) : status;
}

spw_status spw_convert_certified(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal)
{
  sum_room of;
  spw_tensor made;
  bool same = false;
  if (!tensor || !wanted || !buffers || !result) return SPW_EINVAL;
  spw_status status = spw_convert(tensor, wanted, buffers, &made, refusal);
  if (status == SPW_OK && !can_be_certified(tensor, wanted)) status = SPW_EUNSUPPORTED;
  if (status == SPW_OK) status = room_of_sum(tensor, wanted, &of, refusal);
  if (status == SPW_OK) status = keep_work_apart(tensor, wanted, &of, buffers, refusal);
  if (status != SPW_OK) return status;
  if (!is_as_asked(tensor, wanted, &made) || !is_within(&made, buffers)) return refuse_result(refusal);
  if (spw_convert_judge(&made, false, 1, NULL) != SPW_OK || !has_dimensions(tensor, wanted, &made)) return refuse_result(refusal);
  status = certify(tensor, wanted, &of, buffers->work, &made, &same);
  if (status != SPW_OK) return status;
  if (!same) return refuse_result(refusal);
  *result = made;
  return SPW_OK;
}
