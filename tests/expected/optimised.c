/* SPDX-License-Identifier: Apache-2.0 */
#include "optimised.h"

#include "../attempts/fenced.h"
#include "scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, STEPS = 3, DENSE = 3 };

static char text[300];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* ---- Powers -------------------------------------------------------------------------------------- */

double whole_power_expected(double beta, int t)
{
  enum { DIGITS = 64 * 64 };
  static uint8_t digits[DIGITS], next[DIGITS]; /* bits of a whole number, the last one first */
  int exponent;
  if (beta == 0) return 0;
  const uint64_t m = (uint64_t)ldexp(frexp(beta, &exponent), 53);
  memset(digits, 0, sizeof digits);
  digits[0] = 1;
  for (int i = 0; i < t; i++) {
    memset(next, 0, sizeof next);
    for (int b = 0; b < 53; b++) {
      unsigned carry = 0;
      for (int k = 0; (m >> b & 1) && (k < 53 * i + 1 || carry); k++) {
        carry += (unsigned)digits[k] + next[b + k];
        next[b + k] = carry & 1;
        carry >>= 1;
      }
    }
    memcpy(digits, next, sizeof digits);
  }
  int top = DIGITS - 1;
  while (!digits[top]) top--;
  uint64_t first = 0;
  for (int k = top; k > top - 53; k--) first = first << 1 | (k >= 0 ? digits[k] : 0);
  bool half = top >= 53 && digits[top - 53], below = false;
  for (int k = 0; k < top - 53; k++) below = below || digits[k];
  if (half && (below || (first & 1))) first++;
  return ldexp((double)first, top - 52 + t * (exponent - 53));
}

/* ---- The model ----------------------------------------------------------------------------------- */

/* Numbers of the type, held as doubles: +, -, *, / and sqrt of floats, rounded to double and then to float, are rounded once. */
typedef struct model {
  spw_dtype dtype;
  int64_t count;
  double p[MOST], m[MOST], v[MOST], kept[MOST], g[MOST];
  bool has_kept[MOST], has_g[MOST];
  int64_t steps;
} model;

static double rn(const model *s, double x)
{
  return s->dtype == SPW_FLOAT32 ? (double)(float)x : x;
}

static int64_t flat_of(const meaning *m, const cell *c, int64_t scalar)
{
  int64_t flat = 0;
  for (int64_t d = 0; d < m->leading; d++) flat = flat * m->size[d] + c->at[d];
  return flat * m->scalars + scalar;
}

static double number_of(const meaning *m, const cell *c, int64_t i, bool negated)
{
  uint64_t bits = 0;
  memcpy(&bits, c->scalars + i * scalar_width(m->dtype), (size_t)scalar_width(m->dtype));
  const double x = scalar_to_double(m->dtype, bits);
  return negated ? -x : x;
}

static void plain_sgd(model *s, const meaning *m, const spw_optimisation *how)
{
  for (int64_t k = 0; k < m->count; k++)
    for (int64_t i = 0; i < m->scalars; i++) {
      double *const p = &s->p[flat_of(m, &m->cells[k], i)];
      *p = rn(s, *p + rn(s, rn(s, -how->lr) * number_of(m, &m->cells[k], i, how->maximize)));
    }
}

/* Sums of duplicates, in order of storage. */
static void combine(model *s, const meaning *m, bool negated)
{
  memset(s->has_g, 0, sizeof s->has_g);
  for (int64_t k = 0; k < m->count; k++)
    for (int64_t i = 0; i < m->scalars; i++) {
      const int64_t at = flat_of(m, &m->cells[k], i);
      const double x = number_of(m, &m->cells[k], i, negated);
      s->g[at] = s->has_g[at] ? rn(s, s->g[at] + x) : x;
      s->has_g[at] = true;
    }
}

static void momentum(model *s, const spw_optimisation *how, int64_t at)
{
  const double mu = rn(s, how->momentum), damped = rn(s, 1 - how->dampening), g = s->g[at];
  const bool has_g = s->has_g[at], has_kept = s->has_kept[at];
  if (!has_g && !has_kept) return;
  double buf = g;
  if (s->steps > 1) {
    buf = has_kept ? rn(s, mu * s->kept[at]) : rn(s, damped * g);
    if (has_kept && has_g) buf = rn(s, buf + rn(s, damped * g));
  }
  double d = buf;
  if (how->nesterov) d = has_g ? rn(s, g + rn(s, mu * buf)) : rn(s, mu * buf);
  s->kept[at] = buf;
  s->has_kept[at] = true;
  s->p[at] = rn(s, s->p[at] + rn(s, rn(s, -how->lr) * d));
}

static void adam(model *s, const spw_optimisation *how, int64_t at)
{
  const double c1 = rn(s, 1 - how->beta1), c2 = rn(s, 1 - how->beta2), eps = rn(s, how->eps), g = s->g[at];
  const double power2 = whole_power_expected(how->beta2, (int)s->steps), power1 = whole_power_expected(how->beta1, (int)s->steps);
  const double size = how->lr * sqrt(1 - power2) / (1 - power1);
  s->m[at] = rn(s, s->m[at] + rn(s, rn(s, g - s->m[at]) * c1));
  s->v[at] = rn(s, s->v[at] + rn(s, rn(s, rn(s, g * g) - s->v[at]) * c2));
  s->p[at] = rn(s, s->p[at] + rn(s, rn(s, -size) * rn(s, s->m[at] / rn(s, rn(s, sqrt(s->v[at])) + eps))));
}

static void adagrad(model *s, const spw_optimisation *how, int64_t at)
{
  const double c = how->lr / (1 + (double)(s->steps - 1) * how->lr_decay), eps = rn(s, how->eps), g = s->g[at];
  s->v[at] = rn(s, s->v[at] + rn(s, g * g));
  s->p[at] = rn(s, s->p[at] + rn(s, rn(s, -c) * rn(s, g / rn(s, rn(s, sqrt(s->v[at])) + eps))));
}

static void model_step(model *s, const meaning *m, const spw_optimisation *how)
{
  s->steps++;
  if (how->kind == SPW_SGD && how->momentum == 0) {
    plain_sgd(s, m, how);
    return;
  }
  combine(s, m, how->maximize);
  for (int64_t at = 0; at < s->count; at++) {
    if (how->kind == SPW_SGD) momentum(s, how, at);
    else if (s->has_g[at] && how->kind == SPW_SPARSE_ADAM) adam(s, how, at);
    else if (s->has_g[at]) adagrad(s, how, at);
  }
}

/* ---- What is stepped ----------------------------------------------------------------------------- */

/* Three dense arrays of one shape, with a gap behind each element now and then. */
typedef struct arrays {
  spw_output out[DENSE];
  int64_t strides[SPECIMEN_NDIM], gap, count, scalar;
  char *memory[DENSE];
} arrays;

static void put_number(spw_dtype dtype, char *to, double x)
{
  const uint64_t bits = scalar_of_double(dtype, x);
  memcpy(to, &bits, (size_t)scalar_width(dtype));
}

static void make_arrays(arrays *a, const spw_tensor *g, model *s, dice *d)
{
  a->gap = 1 + roll_below(d, 2);
  a->scalar = scalar_width(s->dtype);
  a->count = s->count;
  int64_t stride = a->gap;
  for (int64_t e = g->ndim - 1; e >= 0; e--) a->strides[e] = stride, stride *= s->count > 0 ? g->size[e] : 1;
  for (int i = 0; i < DENSE; i++) {
    const size_t bytes = (size_t)((1 + s->count * a->gap) * a->scalar);
    a->memory[i] = malloc(bytes);
    memset(a->memory[i], 0x5a, bytes);
    a->out[i] = (spw_output){{s->dtype, g->ndim, g->size, a->strides, 1, 1 + s->count * a->gap}, a->memory[i]};
    double *const of[DENSE] = {s->p, s->m, s->v};
    for (int64_t k = 0; k < s->count; k++) {
      const double x = i == 0 ? (double)(roll_below(d, 65) - 32) / 8 : 0;
      of[i][k] = x;
      put_number(s->dtype, a->memory[i] + (1 + k * a->gap) * a->scalar, x);
    }
  }
}

static void free_arrays(arrays *a)
{
  for (int i = 0; i < DENSE; i++) free(a->memory[i]);
}

static const char *wrong_arrays(const arrays *a, const model *s)
{
  const double *const want[DENSE] = {s->p, s->m, s->v};
  for (int i = 0; i < DENSE; i++)
    for (int64_t k = 0; k < 1 + a->count * a->gap; k++) {
      const char *const at = a->memory[i] + k * a->scalar;
      const int64_t n = (k - 1) / a->gap;
      char gap[8];
      memset(gap, 0x5a, sizeof gap);
      if (k == 0 || (k - 1) % a->gap != 0) {
        if (memcmp(at, gap, (size_t)a->scalar) != 0) return WRONG("array %d: written between its elements", i);
        continue;
      }
      const uint64_t bits = scalar_of_double(s->dtype, want[i][n]);
      if (!scalar_same(s->dtype, &bits, at, true))
        return WRONG("array %d, element %lld: %a is expected", i, (long long)n, want[i][n]);
    }
  return NULL;
}

static const char *wrong_kept(const spw_tensor *kept, const spw_tensor *g, const model *s)
{
  meaning m;
  bool valid = false;
  int64_t needed = 0, found = 0;
  if (spw_is_valid(kept, SPW_CANONICAL, &valid) != SPW_OK || !valid || kept->coalesced != SPW_CLAIM_YES)
    return "the momentum is not canonical";
  if (kept->plain.array.dtype != g->plain.array.dtype || kept->values.array.dtype != s->dtype)
    return "the momentum has other types";
  if (!meaning_of(kept, 0, &m)) return "the momentum is too large";
  const char *wrong = NULL;
  for (int64_t k = 0; k < m.count && !wrong; k++)
    for (int64_t i = 0; i < m.scalars && !wrong; i++) {
      const int64_t at = flat_of(&m, &m.cells[k], i);
      const uint64_t bits = scalar_of_double(s->dtype, s->kept[at]);
      found++;
      if (!s->has_kept[at]) wrong = "the momentum has a position too much";
      else if (!scalar_same(s->dtype, &bits, m.cells[k].scalars + i * scalar_width(s->dtype), true)) wrong = "another momentum";
    }
  for (int64_t at = 0; at < s->count; at++) needed += s->has_kept[at];
  meaning_free(&m);
  return wrong || needed == found ? wrong : "the momentum lacks a position";
}

/* ---- Drawing ------------------------------------------------------------------------------------- */

static double fraction(dice *d)
{
  return (double)roll_below(d, 1 << 20) / (1 << 20);
}

/* The hyper-parameter that is wrong, or SPW_HYPER_COUNT. */
static spw_hyper spoil(spw_optimisation *how, dice *d)
{
  const bool sgd = how->kind == SPW_SGD, adam = how->kind == SPW_SPARSE_ADAM;
  switch (roll_below(d, 24)) {
  case 0: how->lr = roll_below(d, 2) ? -1 : (double)NAN; return SPW_HYPER_LR;
  case 1: if (!sgd) break; how->momentum = -0.5; return SPW_HYPER_MOMENTUM;
  case 2: if (!sgd) break; how->dampening = (double)NAN; return SPW_HYPER_DAMPENING;
  case 3:
    if (!sgd) break;
    how->nesterov = true;
    how->dampening = roll_below(d, 2) ? 0.5 : 0;
    how->momentum *= how->dampening;
    return SPW_HYPER_NESTEROV;
  case 4: if (!adam) break; how->beta1 = 1; return SPW_HYPER_BETA1;
  case 5: if (!adam) break; how->beta2 = -0.25; return SPW_HYPER_BETA2;
  case 6: if (sgd) break; how->eps = adam ? 0 : -1; return SPW_HYPER_EPS;
  case 7: if (sgd || adam) break; how->lr_decay = -1; return SPW_HYPER_LR_DECAY;
  case 8: if (adam) break; how->weight_decay = 0.1; return SPW_HYPER_WEIGHT_DECAY;
  default: break;
  }
  return SPW_HYPER_COUNT;
}

static spw_hyper draw(spw_optimisation *how, dice *d)
{
  *how = spw_optimiser_defaults((spw_optimiser)roll_below(d, 3));
  if (roll_below(d, 2)) how->lr = fraction(d);
  how->maximize = roll_below(d, 3) == 0;
  if (how->kind == SPW_SGD && roll_below(d, 4)) {
    how->momentum = fraction(d) + 0x1p-20;
    how->nesterov = roll_below(d, 2);
    if (!how->nesterov && roll_below(d, 2)) how->dampening = fraction(d);
  }
  if (how->kind == SPW_SPARSE_ADAM && roll_below(d, 2)) {
    how->beta1 = roll_below(d, 8) ? fraction(d) : 0;
    how->beta2 = fraction(d);
    how->eps = fraction(d) + 0x1p-20;
  }
  if (how->kind == SPW_ADAGRAD && roll_below(d, 2)) how->lr_decay = fraction(d);
  return spoil(how, d);
}

/* ---- Steps --------------------------------------------------------------------------------------- */

/* Cells first .. first + count - 1 of a COO tensor. */
typedef struct part {
  spw_tensor t;
  int64_t indices[2], values[SPECIMEN_NDIM];
} part;

static void part_of(part *p, const spw_tensor *g, int64_t first, int64_t count)
{
  p->t = *g;
  p->indices[0] = g->plain.array.shape[0];
  p->indices[1] = count;
  p->values[0] = count;
  for (int64_t d = 1; d < g->values.array.ndim; d++) p->values[d] = g->values.array.shape[d];
  p->t.plain.array.shape = p->indices;
  p->t.values.array.shape = p->values;
  p->t.plain.array.offset += first * g->plain.array.strides[1];
  p->t.values.array.offset += first * g->values.array.strides[0];
}

static void draw_part(part *p, const spw_tensor *g, dice *d)
{
  const int64_t nse = g->plain.array.shape[1], count = roll_below(d, 2) ? nse : roll_below(d, nse + 1);
  const int64_t first = roll_below(d, nse - count + 1);
  bool empty = count == 0 || g->plain.array.shape[0] == 0; /* then an offset would point nowhere */
  for (int64_t e = 1; e < g->values.array.ndim; e++) empty = empty || g->values.array.shape[e] == 0;
  part_of(p, g, empty ? 0 : first, count);
}

static const char *one_step(arrays *a, model *s, const spw_tensor *g, const spw_optimisation *how, spw_optimiser_state *state,
                            fenced *f, spw_tensor *kept, bool judged)
{
  meaning m;
  spw_room room = {.dims = -77};
  spw_refusal why;
  const int64_t steps = state->step;
  spw_status status = (judged ? spw_optimise_size : spw_optimise_size_unchecked)(&a->out[0], g, how, state, &room, &why);
  if (status != SPW_OK) return WRONG("room: status %d, obstacle %d", (int)status, (int)why.obstacle);
  fenced_make(f, &room);
  status = (judged ? spw_optimise : spw_optimise_unchecked)(&a->out[0], g, how, state, &f->buffers, kept, &why);
  if (status != SPW_OK || state->step != steps + 1) return WRONG("step: status %d, obstacle %d", (int)status, (int)why.obstacle);
  if (!fences_hold(f)) return "something outside the buffers was written";
  if (!meaning_of(g, 0, &m)) return "the gradient is too large";
  model_step(s, &m, how);
  meaning_free(&m);
  const char *const wrong = wrong_arrays(a, s);
  return wrong || how->kind != SPW_SGD || how->momentum == 0 ? wrong : wrong_kept(kept, g, s);
}

/* Each step's momentum is read by the next. */
static const char *take_steps(const spw_tensor *g, const spw_optimisation *how, int64_t count, dice *d)
{
  static model s;
  static part parts[STEPS];
  fenced into[STEPS];
  spw_tensor kept[STEPS];
  arrays a;
  const char *wrong = NULL;
  memset(&s, 0, sizeof s);
  s.dtype = g->values.array.dtype;
  s.count = count;
  make_arrays(&a, g, &s, d);
  spw_optimiser_state state = {.first = &a.out[1], .second = &a.out[2]};
  int done = 0;
  const int steps = 1 + (int)roll_below(d, STEPS);
  for (int i = 0; i < steps && !wrong; i++, done++) {
    draw_part(&parts[i], g, d);
    wrong = one_step(&a, &s, &parts[i].t, how, &state, &into[i], &kept[i], roll_below(d, 2));
    if (how->kind == SPW_SGD && how->momentum != 0) state.momentum = &kept[i];
  }
  for (int i = 0; i < done; i++) fenced_free(&into[i]);
  free_arrays(&a);
  return wrong;
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static const char *expect_refused(const spw_tensor *g, const spw_optimisation *how, spw_hyper hyper, spw_status *status)
{
  double nothing[1] = {0};
  static const int64_t none[SPECIMEN_NDIM] = {0};
  spw_output p = {{g->values.array.dtype, g->has_size ? g->ndim : 0, g->has_size ? g->size : none, none, 0, 1}, nothing};
  spw_optimiser_state state = {.first = &p, .second = &p};
  spw_room room = {.dims = -77};
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  bool valid = false;
  spw_obstacle need = SPW_OBSTACLE_NONE;
  const spw_status checked = spw_is_valid(g, SPW_CANONICAL, &valid);
  *status = spw_optimise_size(&p, g, how, &state, &room, &why);
  if (room.dims != -77) return "it is not refused";
  if (checked != SPW_OK) return *status == checked ? NULL : "what the checker refuses is taken";
  if (!valid) return *status == SPW_EINVALID && why.operand == 0 ? NULL : "an invalid gradient is taken";
  if (g->layout != SPW_COO) need = SPW_OBSTACLE_LAYOUT;
  else if (!g->has_size) need = SPW_OBSTACLE_NO_SIZE;
  else if (g->ndim > SPW_STRUCTURE_DIMS) return *status == SPW_EUNSUPPORTED ? NULL : "many dimensions are taken";
  else if (hyper != SPW_HYPER_COUNT) need = SPW_OBSTACLE_SCALAR;
  else need = SPW_OBSTACLE_TYPES;
  if (*status != SPW_ERANGE || why.obstacle != need) return WRONG("status %d, obstacle %d", (int)*status, (int)why.obstacle);
  if (need == SPW_OBSTACLE_SCALAR && why.place != hyper) return WRONG("hyper-parameter %lld is refused", (long long)why.place);
  return NULL;
}

const char *attempt_any_steps(const spw_tensor *g, dice *d, spw_optimisation *how, spw_status *status, bool *seen)
{
  const spw_hyper hyper = draw(how, d);
  const spw_dtype dtype = g->values.array.dtype;
  bool valid = false;
  double count = 1;
  *seen = false;
  const bool judged = spw_is_valid(g, SPW_CANONICAL, &valid) == SPW_OK && valid;
  const bool taken = judged && g->layout == SPW_COO && g->has_size && (dtype == SPW_FLOAT32 || dtype == SPW_FLOAT64);
  if (!taken || hyper != SPW_HYPER_COUNT || g->ndim > SPW_STRUCTURE_DIMS) return expect_refused(g, how, hyper, status);
  *status = SPW_OK;
  for (int64_t e = 0; e < g->ndim; e++) count *= (double)g->size[e];
  if (count > MOST || g->ndim > SPECIMEN_NDIM) return NULL;
  *seen = true;
  return take_steps(g, how, (int64_t)count, d);
}
