/* SPDX-License-Identifier: Apache-2.0 */
/* Is an operand valid? And what is it about, once it is? */
#include "operand.h"
#include "overlap.h"
#include "../convert/plan.h"
#include "../core/size.h"
#include "../view/usable.h"

spw_status spw_refuse_invalid(spw_refusal *refusal, int number, spw_violation violation)
{
  const spw_refusal r = {SPW_OBSTACLE_RULE, violation, -1, -1, -1, -1, number};
  if (refusal) *refusal = r;
  return SPW_EINVALID;
}

/* ---- Dense arrays ----------------------------------------------------------------------------- */

static bool entries_given(const int64_t *entries, int64_t n)
{
  return n >= 0 && n <= SPW_NDIM_MAX && (n == 0 || entries);
}

bool spw_dense_given(const spw_array *a, const void *data)
{
  return a->length >= 0 && entries_given(a->shape, a->ndim) && entries_given(a->strides, a->ndim) && (a->length == 0 || data);
}

/* Is it evident that an array of one or two dimensions breaks no rule? No sum or product of such numbers is beyond int64. */
enum { EVIDENT = 1 << 30 };
static bool evidently_fits(const spw_array *a)
{
  int64_t last = a->offset;
  if (a->ndim > 2 || last < 0 || last > EVIDENT) return false;
  for (int64_t d = 0; d < a->ndim; d++) {
    if (a->shape[d] < 1 || a->shape[d] > EVIDENT || a->strides[d] < 0 || a->strides[d] > EVIDENT) return false;
    last += (a->shape[d] - 1) * a->strides[d];
  }
  return last < a->length;
}

/* As spw_dtype_size(dtype) > 0. */
static bool is_type(spw_dtype dtype)
{
  return dtype > SPW_DTYPE_NONE && dtype <= SPW_COMPLEX128;
}

static bool breaks(spw_violation *first, spw_rule rule, int64_t position, int64_t lhs, int64_t rhs)
{
  const spw_violation v = {rule, SPW_MEMBER_VALUES, 0, position, lhs, rhs};
  *first = v;
  return true;
}

/* The first negative of n entries; -1. */
static int64_t first_negative(const int64_t *entries, int64_t n)
{
  for (int64_t d = 0; d < n; d++)
    if (entries[d] < 0) return d;
  return -1;
}

bool spw_dense_breaks(const spw_array *a, spw_violation *first)
{
  if (!is_type(a->dtype)) return breaks(first, SPW_RULE_1_5, -1, (int64_t)a->dtype, SPW_COMPLEX128);
  if (evidently_fits(a)) return false;
  const int64_t shape = first_negative(a->shape, a->ndim), stride = first_negative(a->strides, a->ndim);
  if (shape >= 0) return breaks(first, SPW_RULE_3_12, shape, a->shape[shape], 0);
  if (spw_product(a->shape, a->ndim) < 0) return breaks(first, SPW_RULE_3_11, -1, INT64_MAX, INT64_MAX);
  if (stride >= 0) return breaks(first, SPW_RULE_3_14, stride, a->strides[stride], 0);
  if (!spw_inside_storage(a->shape, a->strides, a->ndim, a->offset, a->length))
    return breaks(first, SPW_RULE_3_14, -1, a->offset, a->length);
  return false;
}

/* And of what the tensor says of it, its type before and its size behind them. */
static bool dense_tensor_breaks(const spw_tensor *t, spw_violation *first)
{
  const spw_array *a = &t->values.array;
  if (t->dtype != SPW_DTYPE_NONE && t->dtype != a->dtype)
    return breaks(first, SPW_RULE_1_4, -1, (int64_t)a->dtype, (int64_t)t->dtype);
  if (spw_dense_breaks(a, first)) return true;
  if (!t->has_size) return false;
  if (t->ndim != a->ndim) return breaks(first, SPW_RULE_3_12, -1, a->ndim, t->ndim);
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] != t->size[d]) return breaks(first, SPW_RULE_3_12, d, a->shape[d], t->size[d]);
  return false;
}

static spw_status judge_dense(const spw_tensor *t, int number, spw_refusal *refusal)
{
  if (!spw_dense_given(&t->values.array, t->values.data) || (t->has_size && !entries_given(t->size, t->ndim))) return SPW_EINVAL;
  spw_violation first;
  return dense_tensor_breaks(t, &first) ? spw_refuse_invalid(refusal, number, first) : SPW_OK;
}

/* ---- Sparse tensors --------------------------------------------------------------------------- */

static spw_status judge_sparse(const spw_tensor *t, int number, spw_level level, int threads, spw_refusal *refusal)
{
  spw_violation v;
  bool valid = false;
  spw_status status = spw_is_valid_parallel(t, level, threads, &valid);
  if (status != SPW_OK || valid) return status;
  status = spw_first_violation(t, level, &v);
  return status == SPW_OK ? spw_refuse_invalid(refusal, number, v) : status;
}

spw_status spw_convert_judge(const spw_tensor *tensor, bool canonicalize, int threads, spw_refusal *refusal)
{
  const bool made = canonicalize && spw_is_compressed(tensor->layout);
  if (tensor->layout == SPW_DENSE) return judge_dense(tensor, 0, refusal);
  return judge_sparse(tensor, 0, made ? SPW_STRUCTURE : SPW_CANONICAL, threads, refusal);
}

spw_status spw_convert_judge_all(const spw_tensor *const *operands, int64_t count, spw_refusal *refusal)
{
  for (int64_t i = 0; i < count; i++) {
    const spw_status status = spw_convert_judge(operands[i], false, 1, refusal);
    if (status == SPW_EINVALID && refusal) refusal->other = i;
    if (status != SPW_OK) return status;
  }
  return SPW_OK;
}

/* ---- What a valid tensor is about --------------------------------------------------------------- */

/* What spw_numbers_of says, without asking whether the shapes tell it: they do. */
static void read_coo(const spw_tensor *t, spw_numbers *n)
{
  const spw_array *const values = &t->values.array;
  *n = (spw_numbers){.batch_dims = 0, .sparse_dims = t->plain.array.shape[0], .dense_dims = values->ndim - 1, .block_rows = 1,
                     .block_columns = 1, .batches = 1, .compressed_size = -1, .plain_size = -1,
                     .nse = t->plain.array.shape[1],
                     .dense_elements = values->ndim == 1 ? 1 : spw_product(values->shape + 1, values->ndim - 1)};
}

static void read_compressed(const spw_tensor *t, spw_numbers *n)
{
  const int64_t batch_dims = t->compressed.array.ndim - 1, *const values = t->values.array.shape + batch_dims;
  const bool blocks = spw_has_blocks(t->layout);
  const int64_t dense_at = blocks ? 3 : 1, dense_dims = t->values.array.ndim - batch_dims - dense_at;
  *n = (spw_numbers){.batch_dims = batch_dims, .sparse_dims = 2, .dense_dims = dense_dims, .block_rows = blocks ? values[1] : 1,
                     .block_columns = blocks ? values[2] : 1,
                     .batches = batch_dims == 0 ? 1 : spw_product(t->compressed.array.shape, batch_dims),
                     .compressed_size = t->compressed.array.shape[batch_dims] - 1, .plain_size = -1,
                     .nse = t->plain.array.shape[batch_dims],
                     .dense_elements = dense_dims == 0 ? 1 : spw_product(values + dense_at, dense_dims)};
  if (!t->has_size) return;
  const int plain = 1 - spw_major_of(t->layout);
  const int64_t block = plain == 0 ? n->block_rows : n->block_columns, size = t->size[batch_dims + plain];
  n->plain_size = block == 1 ? size : size / block;
}

static void describe(const spw_tensor *t, spw_operand *o)
{
  o->t = t;
  o->scalar = spw_dtype_size(t->values.array.dtype);
  if (t->layout == SPW_COO)
    read_coo(t, &o->numbers);
  else if (t->layout != SPW_DENSE)
    read_compressed(t, &o->numbers);
  spw_memory_of(t, o->scalar, &o->memory);
}

spw_status spw_operand_read(const spw_tensor *t, spw_operand *o)
{
  const bool given = t->layout == SPW_DENSE ? spw_dense_given(&t->values.array, t->values.data) : spw_usable(t);
  if (given) describe(t, o);
  return given ? SPW_OK : SPW_EINVAL;
}

spw_status spw_operand_take(const spw_tensor *t, int number, bool judged, int threads, spw_operand *o, spw_refusal *refusal)
{
  spw_status status = SPW_OK;
  if (t->layout == SPW_DENSE)
    status = judge_dense(t, number, refusal);
  else if (judged)
    status = judge_sparse(t, number, SPW_CANONICAL, threads < 1 ? 1 : threads, refusal);
  else
    return spw_operand_read(t, o);
  if (status == SPW_OK) describe(t, o);
  return status;
}

spw_status spw_operand_convert(const spw_tensor *t, bool canonicalize, bool judged, int threads, spw_operand *o,
                               spw_refusal *refusal)
{
  if (!judged) return spw_operand_read(t, o);
  const spw_status status = spw_convert_judge(t, canonicalize, threads, refusal);
  if (status == SPW_OK) describe(t, o);
  return status;
}
