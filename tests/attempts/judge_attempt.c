/* SPDX-License-Identifier: Apache-2.0 */
#include "judge_attempt.h"

#include "../expected/scalar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static spw_weight weight_of(spw_dtype dtype, const void *at, int otherwise)
{
  const spw_dtype part = scalar_part_type(dtype);
  spw_weight w = {otherwise, 0, otherwise};
  if (!at) return w;
  if (!scalar_is_float(dtype)) {
    const int unused = dtype == SPW_BOOL ? 0 : 64 - 8 * (int)scalar_width(dtype); /* integers modulo 2^w: any sign does */
    w.integer = (int64_t)(scalar_bits(dtype, at, 0) << unused) >> unused;
    return w;
  }
  w.real = scalar_to_double(part, scalar_bits(dtype, at, 0));
  if (scalar_is_complex(dtype)) w.imaginary = scalar_to_double(part, scalar_bits(dtype, at, 1));
  return w;
}

/* ---- What is claimed ----------------------------------------------------------------------------- */

typedef struct claimed {
  spw_tensor y, c;
  spw_product_claim claim;
} claimed;

static void claim_of(claimed *k, const spw_tensor *a, const spw_tensor *x, const spw_factors *how, const strided *c)
{
  const spw_dtype dtype = a->values.array.dtype;
  const spw_tensor y = {.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE, .values = {c->array, c->data}};
  k->y = k->c = y;
  k->c.values.data = c->before;
  k->claim = (spw_product_claim){.a = a, .x = x, .y = &k->y, .precision = spw_precision_of(dtype)};
  k->claim.alpha = weight_of(dtype, how ? how->alpha : NULL, 1);
  k->claim.beta = weight_of(dtype, how ? how->beta : NULL, 0);
  k->claim.c = how && how->beta && !scalar_is_zero(dtype, how->beta) ? &k->c : NULL;
}

static const char *judge(const claimed *k, spw_judgement *j)
{
  size_t bytes = 0;
  if (spw_judge_work(&k->claim, &bytes, j) != SPW_OK) return "the oracle is not asked";
  void *const work = malloc(bytes + 1);
  if (!work) abort();
  const spw_status status = spw_judge_product(&k->claim, work, bytes, j);
  free(work);
  if (status != SPW_OK || j->verdict == SPW_NOT_JUDGED) return "the oracle does not judge";
  if (j->numbers != j->exact + j->bounded + j->special + j->undecided + j->wrong) return "the oracle's numbers do not add up";
  return NULL;
}

/* ---- One wrong number ---------------------------------------------------------------------------- */

static char *element(const strided *c, const int64_t *at)
{
  int64_t place = c->array.offset;
  for (int64_t i = 0; i < c->array.ndim; i++) place += at[i] * c->strides[i];
  return c->data + place * scalar_width(c->array.dtype);
}

/* An integer becomes another one, a finite number NaN (which infinities on the way of a correct library may give: then
 * the oracle decides nothing). False where there is nothing to change. */
static bool spoil(spw_dtype dtype, char *at)
{
  if (scalar_is_float(dtype)) {
    const spw_dtype part = scalar_part_type(dtype);
    const uint64_t nan_bits = scalar_of_double(part, (double)NAN);
    if (!isfinite(scalar_to_double(part, scalar_bits(dtype, at, 0)))) return false;
    memcpy(at, &nan_bits, (size_t)scalar_width(part));
  } else {
    *at = dtype == SPW_BOOL ? *at == 0 : (char)(*at ^ 1);
  }
  return true;
}

static bool is_at(const strided *c, const int64_t *at, const spw_judgement *j, bool is_vector)
{
  const int64_t batches = c->array.ndim - (is_vector ? 1 : 2);
  int64_t batch = 0;
  for (int64_t i = 0; i < batches; i++) batch = batch * c->shape[i] + at[i];
  return j->batch == batch && j->row == at[batches] && j->column == (is_vector ? 0 : at[batches + 1]);
}

/* Judges with another number there. *decided: j says where it is. */
static const char *judge_spoiled(const claimed *k, spw_dtype dtype, char *there, spw_judgement *j, bool *decided)
{
  char before[16];
  *decided = false;
  memcpy(before, there, (size_t)scalar_width(dtype));
  if (!spoil(dtype, there)) return NULL;
  const char *const wrong = judge(k, j);
  memcpy(there, before, (size_t)scalar_width(dtype));
  if (wrong || (scalar_is_float(dtype) && j->undecided == 1)) return wrong;
  *decided = true;
  return j->verdict != SPW_WRONG || j->wrong != 1 ? "the oracle passes over a wrong number" : NULL;
}

static const char *change_one(const claimed *k, const strided *c, dice *d, int64_t *found)
{
  int64_t at[STRIDED_DIMS];
  for (int64_t i = 0; i < c->array.ndim; i++) {
    if (c->shape[i] == 0) return NULL;
    at[i] = roll_below(d, c->shape[i]);
  }
  spw_judgement j;
  bool decided;
  const char *const wrong = judge_spoiled(k, c->array.dtype, element(c, at), &j, &decided);
  if (wrong || !decided) return wrong;
  (*found)++;
  return is_at(c, at, &j, c->array.ndim == k->claim.a->ndim - 1) ? NULL : "the oracle finds a wrong number elsewhere";
}

const char *attempt_judgement(const spw_tensor *a, const spw_tensor *x, const spw_factors *how, const strided *c, dice *d,
                              int64_t *found)
{
  claimed k;
  spw_judgement j;
  claim_of(&k, a, x, how, c);
  const char *const wrong = judge(&k, &j);
  if (wrong) return wrong;
  if (j.verdict == SPW_WRONG || j.wrong > 0) return "the oracle calls a right product wrong";
  return j.undecided == 0 ? change_one(&k, c, d, found) : NULL;
}

const char *attempt_sparse_judgement(const spw_tensor *a, const spw_tensor *x, const spw_tensor *y, dice *d, int64_t *found)
{
  const spw_array *const values = &y->values.array;
  claimed k = {.claim = {.a = a, .x = x, .y = y, .alpha = {1, 0, 1}, .precision = spw_precision_of(values->dtype)}};
  spw_judgement j;
  bool decided;
  const char *wrong = judge(&k, &j);
  if (wrong && a->layout == SPW_COO && j.fault == SPW_FAULT_DUPLICATE && j.operand != y) return NULL;
  if (wrong) return wrong;
  if (j.verdict == SPW_WRONG || j.wrong > 0) return "the oracle calls a right sparse product wrong";
  if (j.absent > 0 || j.extra > 0) return "the oracle misses elements, or has too many";
  if (j.undecided > 0 || values->length == 0) return NULL;
  char *const first = (char *)(uintptr_t)y->values.data; /* the caller's own memory */
  wrong = judge_spoiled(&k, values->dtype, first + roll_below(d, values->length) * scalar_width(values->dtype), &j, &decided);
  *found += !wrong && decided;
  return wrong;
}

const char *attempt_refused_judgement(const spw_tensor *a, const spw_tensor *x, const strided *c, spw_status status)
{
  claimed k;
  spw_judgement j;
  size_t bytes = 77;
  claim_of(&k, a, x, NULL, c);
  const spw_status given = spw_judge_work(&k.claim, &bytes, &j);
  if (given != SPW_OK && (bytes != 77 || j.verdict != SPW_NOT_JUDGED)) return "the oracle judges what it refuses";
  return status == SPW_EINVALID && given != SPW_EINVALID ? "the oracle takes an invalid operand" : NULL;
}
