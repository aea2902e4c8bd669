/* SPDX-License-Identifier: Apache-2.0 */
/* What is made, in memory of its own. */
#include "owned.h"

typedef struct making {
  const spw_tensor *const *operands;
  int64_t count;
  const spw_making *wanted;
} making;

static spw_status fill(const void *context, const spw_buffers *b, spw_tensor *result, spw_refusal *refusal)
{
  const making *const m = context;
  return spw_make_unchecked(m->operands, m->count, m->wanted, b, result, refusal);
}

/* Operands whose duplicates are summed first: kron and resplit need each position once. */
typedef struct summed {
  const spw_tensor *of[2];
  spw_owned *made[2];
  size_t left;
} summed;

static spw_status sum_duplicates(summed *s, const spw_tensor *const *operands, int64_t count, spw_refusal *refusal)
{
  static const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  for (int64_t i = 0; i < count; i++) {
    s->of[i] = operands[i];
    if (operands[i]->layout != SPW_COO || operands[i]->coalesced == SPW_CLAIM_YES) continue;
    const spw_status status = spw_convert_new(operands[i], &coo, s->left, &s->made[i], refusal);
    if (status != SPW_OK) return status;
    s->of[i] = spw_owned_tensor(s->made[i]);
    s->left = spw_owned_left(s->made[i]);
    if (s->left == 0) return SPW_ENOMEM;
  }
  return SPW_OK;
}

static spw_status make_of_sums(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, size_t limit,
                               spw_owned **out, spw_refusal *refusal)
{
  summed s = {.left = limit};
  spw_buffers b = {0};
  const making m = {s.of, count, wanted};
  spw_status status = sum_duplicates(&s, operands, count, refusal);
  if (status == SPW_OK) status = spw_make_size(s.of, count, wanted, &b.room, refusal);
  if (status == SPW_OK) status = spw_owned_make(fill, &m, s.left, &b, out, refusal);
  if (status == SPW_OK) spw_owned_give(*out, limit - s.left);
  for (int i = 0; i < 2; i++) spw_owned_free(s.made[i]);
  return status;
}

spw_status spw_make_new(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, size_t limit, spw_owned **out,
                        spw_refusal *refusal)
{
  spw_buffers b = {0};
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  const making m = {operands, count, wanted};
  const size_t most = limit ? limit : SIZE_MAX;
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_make_size(operands, count, wanted, &b.room, &why);
  const bool repeats = wanted && (wanted->kind == SPW_MAKE_KRON || wanted->kind == SPW_MAKE_RESPLIT);
  if (repeats && status == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_DUPLICATE)
    return make_of_sums(operands, count, wanted, most, out, refusal);
  if (refusal && (status == SPW_ERANGE || status == SPW_EINVALID)) *refusal = why;
  return status == SPW_OK ? spw_owned_make(fill, &m, most, &b, out, refusal) : status;
}
