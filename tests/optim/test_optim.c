/* SPDX-License-Identifier: Apache-2.0 */
/* Optimisers against a second opinion (optimised.h): drawn steps; known numbers; powers; wrong calls. */
#include "../expected/optimised.h"
#include "../expected/scalar.h"
#include "../operands/operand.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* COO of float32 or float64, four times in five. */
static void draw_operand(operand *o, dice *d)
{
  const bool any = roll_below(d, 5) == 0;
  for (int tries = 0;; tries++) {
    operand_random_sparse(o, true, d);
    const spw_dtype dtype = o->tensor.values.array.dtype;
    if (any || tries == 60 || (o->tensor.layout == SPW_COO && (dtype == SPW_FLOAT32 || dtype == SPW_FLOAT64))) return;
    operand_free(o);
  }
}

Test(optim, random_steps, .timeout = 300)
{
  static operand o;
  static int64_t kinds[3], nesterov, momentum, combined, hybrid, refused;
  const uint64_t seeds = SANITIZED ? 4000 : 20000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    spw_optimisation how;
    spw_status status;
    bool seen;
    draw_operand(&o, &d);
    const char *const wrong = attempt_any_steps(&o.tensor, &d, &how, &status, &seen);
    cr_assert(!wrong, "seed %llu, optimiser %d: %s", (unsigned long long)seed, (int)how.kind, wrong);
    refused += status != SPW_OK;
    if (seen && o.tensor.plain.array.shape[1] > 1) {
      kinds[how.kind]++;
      nesterov += how.nesterov;
      momentum += how.kind == SPW_SGD && how.momentum != 0;
      combined += o.tensor.coalesced != SPW_CLAIM_YES;
      hybrid += o.tensor.values.array.ndim > 1;
    }
    operand_free(&o);
  }
  const int64_t some = (int64_t)seeds / 1000;
  for (int k = 0; k < 3; k++) cr_assert(kinds[k] > 10 * some, "%d: %lld", k, (long long)kinds[k]);
  cr_assert(nesterov > 10 * some && momentum > 10 * some && combined > 10 * some && hybrid > 10 * some && refused > 100 * some);
  expect_no_leaks();
}

/* ---- Numbers that are known ---------------------------------------------------------------------- */

/* A 3x2 parameter of float64, and what a gradient with whole rows gives. */
typedef struct training {
  double p[6], m[6], v[6];
  spw_output out[3];
  spw_optimiser_state state;
  spw_tensor kept[2];
  int64_t dims[2][16], indices[2][8];
  double values[2][16];
} training;

static const int64_t size[] = {3, 2}, strides[] = {2, 1};

static void begin(training *t, double initial)
{
  memset(t, 0, sizeof *t);
  double *const data[] = {t->p, t->m, t->v};
  for (int i = 0; i < 6; i++) t->v[i] = initial;
  for (int i = 0; i < 3; i++) t->out[i] = (spw_output){{SPW_FLOAT64, 2, size, strides, 0, 6}, data[i]};
  t->state.first = &t->out[1];
  t->state.second = &t->out[2];
}

/* One step with n rows, each of one number. */
static void step(training *t, const spw_optimisation *how, int64_t n, const int64_t *rows, const double *numbers)
{
  const int64_t of_indices[] = {1, n}, of_values[] = {n, 2}, index_strides[] = {n > 0 ? n : 1, 1}, value_strides[] = {1, 0};
  static _Alignas(16) char work[4096];
  const int which = (int)(t->state.step & 1);
  const spw_tensor g = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, of_indices, index_strides, 0, n}, .i64 = rows},
                        .values = {{SPW_FLOAT64, 2, of_values, value_strides, 0, n}, numbers}};
  spw_buffers b = {.dims = t->dims[which], .plain_i64 = t->indices[which], .values = t->values[which], .work = work};
  cr_assert_eq(spw_optimise_size(&t->out[0], &g, how, &t->state, &b.room, NULL), SPW_OK);
  cr_assert(b.room.work <= sizeof work && b.room.dims <= 16 && b.room.plain <= 8 && b.room.values <= 16);
  cr_assert_eq(spw_optimise(&t->out[0], &g, how, &t->state, &b, &t->kept[which], NULL), SPW_OK);
  if (how->kind == SPW_SGD && how->momentum != 0) t->state.momentum = &t->kept[which];
}

static const int64_t rows[] = {0, 2}, scattered[] = {0, 2, 0}, last[] = {2};
static const double numbers[] = {2, 4}, parts[] = {1, 4, 1}, four[] = {4};

static void expect_rows(const training *t, double first, double third)
{
  const double want[] = {first, first, 0, 0, third, third};
  for (int i = 0; i < 6; i++) cr_assert(memcmp(&t->p[i], &want[i], 8) == 0, "%d: %.17g, not %.17g", i, t->p[i], want[i]);
}

static void expect_steps(const spw_optimisation *how, int steps, double initial, double first, double third)
{
  training t;
  for (int duplicates = 0; duplicates < 2; duplicates++) {
    begin(&t, initial);
    for (int i = 0; i < steps; i++) step(&t, how, 2 + duplicates, duplicates ? scattered : rows, duplicates ? parts : numbers);
    expect_rows(&t, first, third);
  }
}

Test(optim, known_numbers_of_sgd)
{
  spw_optimisation how = spw_optimiser_defaults(SPW_SGD);
  training t;
  how.lr = 0.1;
  expect_steps(&how, 1, 0, -0.2, -0.4);
  how.maximize = true;
  expect_steps(&how, 1, 0, 0.2, 0.4);
  how.maximize = false;
  how.momentum = 0.9;
  begin(&t, 0);
  for (int i = 0; i < 2; i++) step(&t, &how, 2, rows, numbers);
  expect_rows(&t, -0.5800000000000001, -1.1600000000000001); /* what the steps of O2 give in Python's doubles; so below */
  const double *const kept = t.state.momentum->values.data;
  cr_assert(kept[0] == 0.9 * 2 + 2 && kept[2] == 0.9 * 4 + 4 && t.state.momentum->plain.i64[1] == 2 && t.state.step == 2);
  how.dampening = 0.5;
  begin(&t, 0);
  for (int i = 0; i < 2; i++) step(&t, &how, 2, rows, numbers);
  expect_rows(&t, -0.48, -0.96);
  how.dampening = 0;
  how.nesterov = true;
  begin(&t, 0);
  for (int i = 0; i < 2; i++) step(&t, &how, 2, rows, numbers);
  expect_rows(&t, -0.922, -1.844);
  how.nesterov = false;
  begin(&t, 0);
  step(&t, &how, 1, rows, numbers); /* a row that was touched once keeps moving */
  step(&t, &how, 1, last, four);
  expect_rows(&t, -0.38, -0.4);
  step(&t, &how, 0, NULL, NULL);
  cr_assert(t.p[0] == -0.542 && t.state.step == 3);
}

Test(optim, known_numbers_of_adam_and_adagrad)
{
  spw_optimisation how = spw_optimiser_defaults(SPW_SPARSE_ADAM);
  training t;
  how.lr = 0.1;
  expect_steps(&how, 1, 0, -0.09999998418861421, -0.09999999209430649);
  expect_steps(&how, 2, 0, -0.19999997300547873, -0.1999999865027381);
  begin(&t, 0);
  step(&t, &how, 1, rows, numbers);
  cr_assert(t.m[0] == 0.19999999999999996 && t.v[0] == 0.0040000000000000036 && t.m[4] == 0 && t.v[4] == 0);
  step(&t, &how, 1, last, four);
  expect_rows(&t, -0.09999998418861421, -0.07441367647378054);
  begin(&t, 0);
  step(&t, &how, 0, NULL, NULL);
  cr_assert(t.state.step == 1 && t.p[0] == 0 && t.m[0] == 0 && t.v[0] == 0);
  step(&t, &how, 2, rows, numbers);
  expect_rows(&t, -0.0744136705908638, -0.07441367647378054);
  how = spw_optimiser_defaults(SPW_ADAGRAD);
  how.lr = 0.1;
  expect_steps(&how, 1, 0, -0.099999999995, -0.0999999999975);
  expect_steps(&how, 1, 1, -0.0894427190959916, -0.09701425001218025);
  how.lr_decay = 0.1;
  expect_steps(&how, 2, 0, -0.16428243464604977, -0.16428243464968614);
}

/* ---- Powers -------------------------------------------------------------------------------------- */

/* Of SparseAdam's first step: lr sqrt(1 - beta2^t) / (1 - beta1^t), seen through m / (sqrt(v) + eps) = 1. */
static double rate_of(double beta1, double beta2, int64_t t)
{
  training s;
  spw_optimisation how = {.kind = SPW_SPARSE_ADAM, .lr = 1, .beta1 = beta1, .beta2 = beta2, .eps = 1e-300};
  const double one[] = {1};
  begin(&s, 1); /* g = 1: v stays 1 */
  for (int i = 0; i < 6; i++) s.m[i] = 1;
  s.state.step = t - 1;
  step(&s, &how, 1, last, one);
  cr_assert(s.m[4] == 1 && s.v[4] == 1);
  return -s.p[4];
}

Test(optim, powers)
{
  dice d = {1};
  for (int i = 0; i < 3000; i++) {
    const int t = 1 + (int)roll_below(&d, 60);
    const double b1 = (double)roll_below(&d, (int64_t)1 << 53) * 0x1p-53, b2 = (double)roll_below(&d, 1 << 12) * 0x1p-12;
    const double want = sqrt(1 - whole_power_expected(b2, t)) / (1 - whole_power_expected(b1, t));
    cr_assert(rate_of(b1, b2, t) == want, "%a %a %d", b1, b2, t);
  }
  cr_assert(whole_power_expected(0x1.8p-1, 3) == 0.421875 && rate_of(0.9, 0.999, INT64_MAX - 1) == 1);
  cr_assert(rate_of(1 - 0x1p-53, 0, 2) == 0x1p52); /* (1 - u)^2 rounds to 1 - 2u */
}

/* ---- Calls --------------------------------------------------------------------------------------- */

static const spw_refusal *refused(const spw_output *p, const spw_tensor *g, const spw_optimisation *how,
                                  const spw_optimiser_state *state, spw_obstacle obstacle)
{
  static spw_refusal why;
  spw_room room;
  cr_assert_eq(spw_optimise_size(p, g, how, state, &room, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, obstacle, "%d", (int)why.obstacle);
  return &why;
}

Test(optim, wrong_calls)
{
  const int64_t of_indices[] = {1, 2}, of_values[] = {2, 2}, other[] = {3, 3};
  double g_values[] = {1, 2, 3, 4}, p_values[9] = {0}, m_values[9] = {0}, v_values[9] = {0};
  const spw_tensor g = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, of_indices, strides, 0, 2}, .i64 = rows},
                        .values = {{SPW_FLOAT64, 2, of_values, strides, 0, 4}, g_values}};
  const spw_output p = {{SPW_FLOAT64, 2, size, strides, 0, 6}, p_values}, m = {{SPW_FLOAT64, 2, size, strides, 0, 6}, m_values};
  const spw_output v = {{SPW_FLOAT64, 2, size, strides, 0, 6}, v_values};
  const int64_t wide[] = {3, 1}, flat[] = {1, 1};
  const spw_output larger = {{SPW_FLOAT64, 2, other, wide, 0, 9}, m_values};
  const spw_output narrow = {{SPW_FLOAT32, 2, size, strides, 0, 6}, m_values};
  const spw_output folded = {{SPW_FLOAT64, 2, size, flat, 0, 6}, p_values};
  const spw_optimisation adam = spw_optimiser_defaults(SPW_SPARSE_ADAM), sgd = spw_optimiser_defaults(SPW_SGD);
  spw_optimisation how = sgd;
  spw_optimiser_state state = {.first = &m, .second = &v}, bad = state;
  spw_room room;
  spw_refusal why;
  spw_tensor result = {.ndim = -3};
  char text[200];
  cr_assert_eq(spw_optimise_size(NULL, &g, &adam, &state, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_optimise_size(&p, NULL, &adam, &state, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_optimise_size(&p, &g, NULL, &state, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_optimise_size(&p, &g, &adam, NULL, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_optimise_size(&p, &g, &adam, &state, NULL, NULL), SPW_EINVAL);
  how.kind = (spw_optimiser)3;
  cr_assert_eq(spw_optimise_size(&p, &g, &how, &state, &room, NULL), SPW_EINVAL);
  bad.first = NULL;
  cr_assert_eq(spw_optimise_size(&p, &g, &adam, &bad, &room, NULL), SPW_EINVAL);
  bad.first = &larger;
  cr_assert(refused(&p, &g, &adam, &bad, SPW_OBSTACLE_SHAPES)->operand == 3);
  bad.first = &narrow;
  cr_assert(refused(&p, &g, &adam, &bad, SPW_OBSTACLE_TYPES)->operand == 3);
  cr_assert(refused(&folded, &g, &adam, &state, SPW_OBSTACLE_OVERLAP)->operand == 2);
  bad = state;
  bad.step = -1;
  cr_assert_eq(spw_optimise_size(&p, &g, &adam, &bad, &room, NULL), SPW_EINVAL);
  bad.step = INT64_MAX;
  cr_assert_eq(spw_optimise_size(&p, &g, &adam, &bad, &room, NULL), SPW_EOVERFLOW);
  how = sgd;
  how.momentum = 0.5;
  bad = state;
  bad.momentum = &g;
  spw_tensor huge = g;
  huge.size = other;
  bad.momentum = &huge; /* breaks rule 6.4: cells of 2, a size of 3 */
  cr_assert_eq(spw_optimise_size(&p, &g, &how, &bad, &room, &why), SPW_EINVALID);
  cr_assert(why.operand == 1);
  cr_assert(spw_optimise_refusal_text(SPW_EINVALID, &why, text, sizeof text) > 0 && strstr(text, "the momentum"));
  how.lr = (double)NAN;
  cr_assert(refused(&p, &g, &how, &state, SPW_OBSTACLE_SCALAR)->place == SPW_HYPER_LR);
  cr_assert(spw_optimise_size(&p, &g, &how, &state, &room, &why) == SPW_ERANGE &&
            spw_optimise_refusal_text(SPW_ERANGE, &why, text, sizeof text) == strlen("lr has to be at least 0, and is nan"));
  cr_assert_str_eq(text, "lr has to be at least 0, and is nan");
  for (int i = 0; i < SPW_HYPER_COUNT; i++) {
    const char *const name = spw_hyper_name((spw_hyper)i);
    why = (spw_refusal){.obstacle = SPW_OBSTACLE_SCALAR, .place = i};
    cr_assert(spw_optimise_refusal_text(SPW_ERANGE, &why, text, sizeof text) > 0 && strstr(text, name) == text);
  }
  cr_assert(!spw_hyper_name(SPW_HYPER_COUNT) && !spw_hyper_name((spw_hyper)-1));

  /* What is written lies on something else. */
  static _Alignas(16) char work[4096];
  spw_buffers b = {.work = work};
  cr_assert_eq(spw_optimise_size(&p, &g, &adam, &state, &b.room, NULL), SPW_OK);
  cr_assert_eq(spw_optimise(&p, &g, &adam, &state, NULL, NULL, NULL), SPW_EINVAL);
  b.room.work--;
  cr_assert_eq(spw_optimise(&p, &g, &adam, &state, &b, NULL, NULL), SPW_EINVAL);
  b.room.work++;
  bad = state;
  bad.second = &m;
  cr_assert_eq(spw_optimise(&p, &g, &adam, &bad, &b, NULL, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == 3);
  const spw_output on_g = {{SPW_FLOAT64, 2, size, strides, 0, 6}, work};
  cr_assert(spw_optimise(&on_g, &g, &adam, &state, &b, NULL, &why) == SPW_ERANGE && why.operand == 2);
  spw_tensor over = g;
  over.values.data = p_values;
  cr_assert(spw_optimise(&p, &over, &adam, &state, &b, NULL, &why) == SPW_ERANGE && why.operand == 2);
  how = sgd;
  how.momentum = 0.5;
  cr_assert_eq(spw_optimise_size(&p, &g, &how, &state, &b.room, NULL), SPW_OK);
  int64_t dims[16], indices[2];
  double kept[4];
  b.dims = dims, b.plain_i64 = indices, b.values = kept;
  cr_assert_eq(spw_optimise(&p, &g, &how, &state, &b, NULL, NULL), SPW_EINVAL); /* no place for the momentum */
  b.values = p_values;
  cr_assert(spw_optimise(&p, &g, &how, &state, &b, &result, &why) == SPW_ERANGE && why.operand == 2 && result.ndim == -3);
  cr_assert(state.step == 0 && p_values[0] == 0 && m_values[0] == 0 && v_values[0] == 0);
}
