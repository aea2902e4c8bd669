/* SPDX-License-Identifier: Apache-2.0 */
/* Products of two sparse operands in memory of their own. */
#include "owned.h"

#include <stdlib.h>

/* The operands as they are multiplied. What is converted is `made`. */
typedef struct operands {
  const spw_tensor *of[2];
  spw_owned *made[2];
  size_t left; /* bytes that may still be taken */
  int64_t most;
} operands;

static const spw_refusal unsaid = {.violation = {.rule = SPW_RULE_NONE, .position = -1}, .place = -1, .other = -1, .lhs = -1,
                                   .rhs = -1};

static spw_status refuse(spw_refusal *refusal, int operand, spw_obstacle obstacle, int64_t lhs, int64_t rhs)
{
  spw_refusal why = unsaid;
  why.operand = operand;
  why.obstacle = obstacle;
  why.lhs = lhs;
  why.rhs = rhs;
  if (refusal) *refusal = why;
  return SPW_ERANGE;
}

static bool multiplied_as_they_are(const spw_tensor *a, const spw_tensor *b)
{
  return a->layout == b->layout && (a->layout == SPW_CSR || a->layout == SPW_CSC) &&
         a->plain.array.dtype == b->plain.array.dtype;
}

/* A limit of 0 would be none. */
static size_t at_least_one(size_t limit)
{
  return limit ? limit : 1;
}

/* Operand i as CSR. A size that is not given is not guessed. */
static spw_status convert_operand(operands *o, int i, spw_dtype index_dtype, spw_refusal *refusal)
{
  const spw_conversion rows = {.layout = SPW_CSR, .batch_dims = -1, .dense_dims = -1, .index_dtype = index_dtype};
  if (!o->of[i]->has_size) {
    spw_violation v;
    const spw_status status = spw_first_violation(o->of[i], SPW_CANONICAL, &v);
    if (status == SPW_OK && v.rule == SPW_RULE_NONE) return refuse(refusal, i, SPW_OBSTACLE_NO_SIZE, -1, -1);
  }
  const spw_status status = spw_convert_new(o->of[i], &rows, at_least_one(o->left), &o->made[i], refusal);
  if ((status == SPW_ERANGE || status == SPW_EINVALID) && refusal) refusal->operand = i;
  if (status != SPW_OK) return status;
  o->of[i] = spw_owned_tensor(o->made[i]);
  o->left = spw_owned_left(o->made[i]);
  return SPW_OK;
}

static spw_status convert_operands(operands *o, spw_refusal *refusal)
{
  const spw_dtype first = o->of[0]->plain.array.dtype, second = o->of[1]->plain.array.dtype;
  const spw_dtype index_dtype = first == SPW_INT32 && second == SPW_INT32 ? SPW_INT32 : SPW_INT64;
  const spw_status status = convert_operand(o, 0, index_dtype, refusal);
  return status == SPW_OK ? convert_operand(o, 1, index_dtype, refusal) : status;
}

/* Counts, takes what the result needs, and fills it. */
static spw_status multiply_within(const operands *o, spw_buffers *b, void *work, size_t work_bytes, spw_owned **out,
                                  spw_refusal *refusal)
{
  spw_status status = spw_multiply_sparse_size_unchecked(o->of[0], o->of[1], work, work_bytes, &b->room, refusal);
  if (status != SPW_OK) return status;
  spw_owned *const owned = spw_owned_new(o->left - work_bytes);
  if (!owned) return SPW_ENOMEM;
  b->work = work;
  status = spw_owned_buffers(owned, b) ? SPW_OK : SPW_ENOMEM;
  if (status == SPW_OK)
    status = spw_multiply_sparse_unchecked(o->of[0], o->of[1], b, spw_owned_edit(owned), refusal);
  if (status == SPW_OK)
    *out = owned;
  else
    spw_owned_free(owned);
  return status;
}

static spw_status multiply(const operands *o, spw_owned **out, spw_refusal *refusal)
{
  spw_buffers b = {0};
  size_t bytes = 0;
  int64_t multiplications = 0;
  const bool judged = o->made[0]; /* results of conversions are valid */
  const spw_status status = (judged ? spw_multiply_sparse_work_unchecked : spw_multiply_sparse_work)(
      o->of[0], o->of[1], &bytes, &multiplications, refusal);
  if (status != SPW_OK) return status;
  if (o->most > 0 && multiplications > o->most) return refuse(refusal, 2, SPW_OBSTACLE_WORK, multiplications, o->most);
  void *const work = bytes <= o->left ? malloc(bytes ? bytes : 1) : NULL;
  const spw_status made = work ? multiply_within(o, &b, work, bytes, out, refusal) : SPW_ENOMEM;
  free(work);
  if (made == SPW_OK) spw_owned_give(*out, bytes);
  return made;
}

/* The result, which takes memory already, as COO. */
static spw_status list_elements(spw_owned **out, spw_refusal *refusal)
{
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  spw_owned *const rows = *out;
  *out = NULL;
  const spw_status status = spw_convert_new(spw_owned_tensor(rows), &coo, at_least_one(spw_owned_left(rows)), out, refusal);
  if (status == SPW_ERANGE && refusal) refusal->operand = 2;
  spw_owned_free(rows);
  return status;
}

spw_status spw_multiply_sparse_new(const spw_tensor *a, const spw_tensor *b, size_t limit, int64_t most, spw_owned **out,
                                   spw_refusal *refusal)
{
  if (!a || !b || !out || most < 0 || a->layout == SPW_DENSE || b->layout == SPW_DENSE) return SPW_EINVAL;
  operands o = {.of = {a, b}, .left = limit ? limit : SIZE_MAX, .most = most};
  spw_owned *made = NULL;
  spw_status status = multiplied_as_they_are(a, b) ? SPW_OK : convert_operands(&o, refusal);
  if (status == SPW_OK) status = multiply(&o, &made, refusal);
  if (status == SPW_OK && a->layout == SPW_COO && b->layout == SPW_COO) status = list_elements(&made, refusal);
  spw_owned_free(o.made[0]);
  spw_owned_free(o.made[1]);
  if (status == SPW_OK) *out = made;
  return status;
}
