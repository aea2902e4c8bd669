/* SPDX-License-Identifier: Apache-2.0 */
#include "sampled_attempt.h"

#include "fenced.h"
#include "../expected/scalar.h"
#include "../operands/strided.h"

#include "../../fuzz/inputs/values.h"

#include <stdlib.h>
#include <string.h>

typedef struct sampling {
  const spw_tensor *s;
  const spw_factors *how;
  strided a, b;
  spw_tensor dense[2];
} sampling;

/* ---- What it must be ----------------------------------------------------------------------------- */

/* Element [.., i, j] of batch b. */
static const char *element(const strided *x, int64_t batch, int64_t i, int64_t j)
{
  const int64_t n = x->array.ndim - 2;
  int64_t place = x->array.offset + i * x->strides[n] + j * x->strides[n + 1];
  for (int64_t d = n - 1; d >= 0; d--) {
    place += batch % x->shape[d] * x->strides[d];
    batch /= x->shape[d];
  }
  return x->data + place * spw_dtype_size(x->array.dtype);
}

static bool cell_is_right(const sampling *p, const meaning *m, const cell *from, const cell *to)
{
  const int64_t n = m->ndim - 2, depth = p->a.shape[n + 1];
  const spw_factors *const how = p->how;
  const void *const beta = how->beta && !scalar_is_zero(m->dtype, how->beta) ? how->beta : NULL;
  int64_t batch = 0;
  uint8_t want[16] = {0};
  scalar_sum sum = scalar_nothing(m->dtype);
  if (memcmp(from->at, to->at, (size_t)m->ndim * sizeof *from->at) != 0) return false;
  for (int64_t d = 0; d < n; d++) batch = batch * m->size[d] + from->at[d];
  for (int64_t k = 0; k < depth; k++)
    scalar_sum_add(&sum, element(&p->a, batch, from->at[n], k), element(&p->b, batch, k, from->at[n + 1]));
  if (beta) memcpy(want, from->scalars, (size_t)scalar_width(m->dtype));
  if (!how->alpha || !scalar_is_zero(m->dtype, how->alpha)) scalar_sum_store(&sum, how->alpha, beta, want);
  else if (beta) scalar_multiply(m->dtype, beta, want);
  return scalar_same(m->dtype, want, to->scalars, true);
}

static const char *wrong_sample(const sampling *p, const spw_tensor *result)
{
  bool valid = false;
  meaning x, y;
  if (spw_is_valid(result, SPW_CANONICAL, &valid) != SPW_OK || !valid) return "the result is invalid";
  if (result->layout != p->s->layout || result->coalesced != p->s->coalesced) return "another layout or claim";
  if (result->plain.array.dtype != p->s->plain.array.dtype) return "another index type";
  if (!meaning_of(p->s, 0, &x)) return NULL;
  if (!meaning_of(result, 0, &y)) return meaning_free(&x), "it is beyond what is spelled out";
  const char *wrong = x.count == y.count && x.ndim == y.ndim ? NULL : "other elements";
  for (int64_t k = 0; !wrong && k < x.count; k++)
    if (!cell_is_right(p, &x, &x.cells[k], &y.cells[k])) wrong = "a value is another one";
  meaning_free(&x);
  meaning_free(&y);
  return wrong;
}

/* Bits 1u << spw_obstacle; 0: it is not refused. */
static unsigned obstacles_of(const sampling *p)
{
  const spw_tensor *const s = p->s;
  const int64_t n = s->ndim - 2;
  unsigned why = 0;
  spw_numbers numbers;
  spw_numbers_of(s, &numbers);
  if (numbers.dense_dims > 0) why |= 1u << SPW_OBSTACLE_HYBRID;
  const spw_dtype dtype = s->values.array.dtype;
  if (p->a.array.dtype != dtype || p->b.array.dtype != dtype) why |= 1u << SPW_OBSTACLE_TYPES;
  if (p->a.array.ndim != n + 2) return why | 1u << SPW_OBSTACLE_DIMENSIONS;
  bool fits = p->a.shape[n] == s->size[n];
  for (int64_t d = 0; d < n; d++) fits = fits && p->a.shape[d] == s->size[d];
  if (!fits) why |= 1u << SPW_OBSTACLE_SHAPES;
  if (p->b.array.ndim != n + 2) return why | 1u << SPW_OBSTACLE_DIMENSIONS;
  fits = p->b.shape[n + 1] == s->size[n + 1] && p->a.shape[n + 1] == p->b.shape[n];
  for (int64_t d = 0; d < n; d++) fits = fits && p->b.shape[d] == s->size[d];
  return fits ? why : why | 1u << SPW_OBSTACLE_SHAPES;
}

/* ---- Trying -------------------------------------------------------------------------------------- */

static const char *try_fill(const sampling *p, const spw_room *room, bool judged)
{
  fenced f;
  spw_refusal why = {0};
  spw_tensor result;
  const char *wrong = NULL;
  fenced_make(&f, room);
  const spw_status status = (judged ? spw_sampled_multiply : spw_sampled_multiply_unchecked)(
      p->s, &p->dense[0], &p->dense[1], p->how, &f.buffers, &result, &why);
  if (status != SPW_OK) wrong = "it is refused";
  if (!wrong && !fences_hold(&f)) wrong = "something beside the buffers is written";
  if (!wrong) wrong = wrong_sample(p, &result);
  fenced_free(&f);
  return wrong;
}

static const char *try_short(const sampling *p, const spw_room *room, sampled_tally *t)
{
  for (int which = 0; which < FENCED_BUFFERS; which++) {
    spw_room less;
    if (!fenced_shorten(room, which, &less)) continue;
    fenced f;
    spw_tensor result = {.ndim = -77};
    fenced_make(&f, &less);
    const spw_status status = spw_sampled_multiply(p->s, &p->dense[0], &p->dense[1], p->how, &f.buffers, &result, NULL);
    const bool untouched = fences_hold(&f) && fenced_untouched(&f);
    t->too_short++;
    fenced_free(&f);
    if (status != SPW_EINVAL) return "a short buffer does";
    if (!untouched || result.ndim != -77) return "short buffers are written";
  }
  return NULL;
}

static const char *try_new(const sampling *p)
{
  spw_owned *made = NULL;
  if (spw_sampled_multiply_new(p->s, &p->dense[0], &p->dense[1], p->how, 0, &made, NULL) != SPW_OK)
    return "it is refused memory of its own";
  const char *const wrong = wrong_sample(p, spw_owned_tensor(made));
  spw_owned_free(made);
  return wrong;
}

static const char *try_all(const sampling *p, bool valid, sampled_tally *t)
{
  const unsigned obstacles = obstacles_of(p);
  spw_room room = {.nse = -77};
  spw_refusal why = {0};
  const spw_status status = spw_sampled_multiply_size(p->s, &p->dense[0], &p->dense[1], p->how, &room, &why);
  if (status != SPW_OK && room.nse != -77) return "the room is written";
  t->invalid += !valid;
  if (!valid) return status == SPW_EINVALID && why.operand == 0 ? NULL : "an invalid operand is not refused";
  if (obstacles) {
    if (status != SPW_ERANGE || !(obstacles >> why.obstacle & 1)) return "the obstacle is another one";
    t->obstacles[why.obstacle]++;
    return NULL;
  }
  if (status != SPW_OK) return "the status is another one";
  t->results++;
  t->worked += room.work > 0;
  t->batched += p->s->ndim > 2 && room.values > 0;
  t->by_layout[p->s->layout]++;
  t->by_type[p->s->values.array.dtype]++;
  const char *wrong = try_fill(p, &room, true);
  if (!wrong) wrong = try_fill(p, &room, false);
  if (!wrong) wrong = try_short(p, &room, t);
  return wrong ? wrong : try_new(p);
}

static int64_t *any_entry(strided *x, dice *d)
{
  return &x->shape[roll_below(d, x->array.ndim)];
}

static void fit_shapes(sampling *p, dice *d)
{
  const spw_tensor *const s = p->s;
  const int64_t n = s->ndim - 2, depth = roll_below(d, 8) ? roll_below(d, 6) : 20 + roll_below(d, 60);
  p->a.array.ndim = p->b.array.ndim = n + 2;
  for (int64_t i = 0; i < n; i++) p->a.shape[i] = p->b.shape[i] = s->size[i];
  p->a.shape[n] = s->size[n];
  p->a.shape[n + 1] = p->b.shape[n] = depth;
  p->b.shape[n + 1] = s->size[n + 1];
  if (roll_below(d, 20) == 0) ++*any_entry(roll_below(d, 2) ? &p->a : &p->b, d);
  if (roll_below(d, 40) == 0) (roll_below(d, 2) ? &p->a : &p->b)->array.ndim--;
}

const char *attempt_sampled(const spw_tensor *s, dice *d, sampled_tally *t)
{
  sampling p = {.s = s};
  uint64_t numbers[4];
  bool valid = false;
  const spw_dtype dtype = s->values.array.dtype;
  const int64_t classes = roll_below(d, 2) ? 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER | 1 << FUZZ_MINUS_ZERO : FUZZ_EVERY_CLASS;
  if (spw_dtype_size(dtype) == 0 || !s->has_size || s->ndim < 2 || s->ndim > STRIDED_DIMS) return NULL;
  for (int64_t i = 0; i < s->ndim; i++)
    if (s->size[i] < 0) return NULL;
  if (spw_is_valid(s, SPW_CANONICAL, &valid) != SPW_OK) return NULL;
  fit_shapes(&p, d);
  if (!strided_small(&p.a) || !strided_small(&p.b)) return NULL;
  strided_make(&p.a, roll_below(d, 40) ? dtype : SPW_FLOAT32, classes, true, d);
  strided_make(&p.b, roll_below(d, 40) ? dtype : SPW_FLOAT32, classes, true, d);
  p.dense[0] = (spw_tensor){.layout = SPW_DENSE, .values = {p.a.array, p.a.data}};
  p.dense[1] = (spw_tensor){.layout = SPW_DENSE, .values = {p.b.array, p.b.data}};
  const spw_factors how = draw_factors(dtype, numbers, d);
  p.how = &how;
  const char *const wrong = try_all(&p, valid, t);
  strided_free(&p.a);
  strided_free(&p.b);
  return wrong;
}
