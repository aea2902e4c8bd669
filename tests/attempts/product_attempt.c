/* SPDX-License-Identifier: Apache-2.0 */
#include "product_attempt.h"

#include "judge_attempt.h"
#include "../expected/product_expected.h"
#include "../operands/strided.h"

#include "../../fuzz/inputs/values.h"

#include <stdlib.h>
#include <string.h>

enum { FENCE = 0xa5 };

/* ---- Trying ---------------------------------------------------------------------------------- */

/* The same product, of an operand that is prepared in memory with fences. */
static const char *try_prepared(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const product_expected *e,
                                strided *c, product_tally *t)
{
  const spw_output out = {c->array, c->data};
  spw_prepared p;
  size_t bytes = 0, work = 0;
  if (spw_prepare_size(a, &bytes, NULL) != SPW_OK) return "nothing is prepared";
  char *const room = malloc(bytes + 2 * FENCE);
  if (!room) abort();
  memset(room, FENCE, bytes + 2 * FENCE);
  const char *wrong = NULL;
  if (bytes > 0 && spw_prepare(a, room + 160, bytes - 1, &p, NULL) != SPW_EINVAL) wrong = "short memory is enough";
  if (!wrong && spw_prepare(a, room + 160, bytes, &p, NULL) != SPW_OK) wrong = "preparing is refused";
  if (!wrong && spw_multiply_prepared_size(&p, b, how, &out, &work, NULL) != SPW_OK) wrong = "the prepared size is refused";
  if (!wrong) {
    void *const used = malloc(work + 1);
    if (!used) abort();
    memcpy(c->data, c->before, (size_t)c->bytes);
    if (spw_multiply_prepared(&p, b, how, &out, used, work, NULL) != SPW_OK) wrong = "it is refused, prepared";
    free(used);
  }
  if (!wrong) wrong = wrong_product(e, &out);
  if (!wrong && !strided_gaps_hold(c)) wrong = "gaps are written, prepared";
  for (int i = 0; i < 2 * FENCE && !wrong; i++)
    if ((unsigned char)room[i < 160 ? i : (int64_t)bytes + i] != FENCE) wrong = "something beside the handle's memory is written";
  t->prepared += !wrong && bytes > 0;
  free(room);
  return wrong;
}

static const char *try_product(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, strided *c, product_tally *t,
                               dice *d)
{
  const spw_tensor *const sparse = a->layout == SPW_DENSE ? b : a;
  const spw_output out = {c->array, c->data};
  product_expected e;
  spw_refusal why = {0};
  size_t work = 77;
  expect_product(a, b, how, &out, &e);
  const char *wrong = NULL;
  const spw_status status = spw_multiply_size(a, b, how, &out, &work, &why);
  if (status != e.status) wrong = "the status is another one";
  if (!wrong && status == SPW_ERANGE && !(e.obstacles >> why.obstacle & 1)) wrong = "the obstacle is another one";
  if (!wrong && status == SPW_ERANGE) t->obstacles[why.obstacle]++;
  t->invalid += status == SPW_EINVALID;
  if (status != SPW_OK && work != 77) wrong = "the size is written";
  if (!wrong && status == SPW_OK && e.known) {
    char *const room = malloc(work + 2 * FENCE);
    if (!room) abort();
    memset(room, FENCE, work + 2 * FENCE);
    char *const aligned = room + 160;
    if (work > 0 && spw_multiply(a, b, how, &out, aligned, work - 1, &why) != SPW_EINVAL) wrong = "a short workspace does";
    if (!wrong && memcmp(c->data, c->before, (size_t)c->bytes) != 0) wrong = "a short workspace is used";
    if (!wrong && spw_multiply(a, b, how, &out, aligned, work, &why) != SPW_OK) wrong = "it is refused";
    if (!wrong) wrong = wrong_product(&e, &out);
    if (!wrong && !strided_gaps_hold(c)) wrong = "gaps are written";
    if (!wrong) {
      memcpy(c->data, c->before, (size_t)c->bytes);
      if (spw_multiply_unchecked(a, b, how, &out, aligned, work, &why) != SPW_OK) wrong = "it is refused unchecked";
      if (!wrong) wrong = wrong_product(&e, &out);
    }
    if (!wrong && sparse == a && roll_below(d, 4) == 0) wrong = attempt_judgement(a, b, how, c, d, &t->judged);
    if (!wrong && sparse == a) wrong = try_prepared(a, b, how, &e, c, t);
    for (int i = 0; i < 2 * FENCE && !wrong; i++)
      if ((unsigned char)room[i < 160 ? i : (int64_t)work + i] != FENCE) wrong = "something beside the workspace is written";
    t->results++;
    t->worked += work > 0;
    t->by_layout[sparse->layout][a->layout == SPW_DENSE]++;
    t->by_type[sparse->values.array.dtype]++;
    free(room);
  }
  if (status != SPW_OK && memcmp(c->data, c->before, (size_t)c->bytes) != 0) wrong = "a refused output is written";
  if (!wrong && status != SPW_OK && sparse == a) wrong = attempt_refused_judgement(a, b, c, status);
  product_expected_free(&e);
  return wrong;
}

/* The size may be invalid: then the operand is refused, whatever the shapes of the others are. */
static int64_t at_least_0(int64_t entry)
{
  return entry < 0 ? 0 : entry;
}

/* One more or, where there is none, one less. */
static void miss(int64_t *entry)
{
  *entry += *entry < INT64_MAX ? 1 : -1;
}

/* Shapes that fit a sparse operand, or now and then do not. */
static void fit_shapes(const spw_tensor *sparse, bool from_left, strided *dense, strided *c, dice *d)
{
  const int64_t n = sparse->has_size && sparse->ndim >= 2 ? sparse->ndim - 2 : 0;
  const int64_t rows = sparse->has_size && sparse->ndim >= 2 ? sparse->size[n] : 2;
  const int64_t columns = sparse->has_size && sparse->ndim >= 2 ? sparse->size[n + 1] : 2;
  const bool vector = n == 0 && roll_below(d, 3) == 0;
  const int64_t width = roll_below(d, 8) ? roll_below(d, 6) : 30 + roll_below(d, 50);
  const int64_t inner = at_least_0(from_left ? rows : columns), outer = at_least_0(from_left ? columns : rows);
  for (int64_t i = 0; i < n; i++) dense->shape[i] = c->shape[i] = at_least_0(sparse->size[i]);
  dense->array.ndim = c->array.ndim = vector ? 1 : n + 2;
  dense->shape[n] = vector || !from_left ? inner : width;
  c->shape[n] = vector || !from_left ? outer : width;
  if (!vector) dense->shape[n + 1] = from_left ? inner : width;
  if (!vector) c->shape[n + 1] = from_left ? outer : width;
  if (roll_below(d, 20) == 0) miss(&dense->shape[roll_below(d, dense->array.ndim)]);
  if (roll_below(d, 20) == 0) miss(&c->shape[roll_below(d, c->array.ndim)]);
  if (roll_below(d, 40) == 0) c->array.ndim -= 1;
}

const char *attempt_product(const spw_tensor *sparse, bool from_left, dice *d, product_tally *tally)
{
  strided dense, c;
  uint64_t numbers[4];
  const spw_dtype dtype = sparse->values.array.dtype, other = roll_below(d, 30) ? dtype : SPW_FLOAT32;
  const int64_t classes = roll_below(d, 2) ? 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER | 1 << FUZZ_MINUS_ZERO : FUZZ_EVERY_CLASS;
  if (spw_dtype_size(dtype) == 0 || (sparse->has_size && sparse->ndim > STRIDED_DIMS)) return NULL;
  fit_shapes(sparse, from_left, &dense, &c, d);
  if (!strided_small(&dense) || !strided_small(&c)) return NULL;
  strided_make(&dense, dtype, classes, true, d);
  strided_make(&c, other, classes, false, d);
  const spw_tensor x = {.layout = SPW_DENSE, .values = {dense.array, dense.data}};
  const spw_factors how = draw_factors(dtype, numbers, d);
  const char *const wrong = try_product(from_left ? &x : sparse, from_left ? sparse : &x, &how, &c, tally, d);
  strided_free(&dense);
  strided_free(&c);
  return wrong;
}
