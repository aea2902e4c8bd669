/* SPDX-License-Identifier: Apache-2.0 */
/* Structure operations against a second opinion (restructured.h): random operands of every layout, what must be refused,
 * tensors that change between the calls, and huge numbers in few bytes. */
#include "../attempts/fenced.h"
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../expected/restructured.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 8, MOST = 12, ROUNDS = SANITIZED ? 15000 : 40000 };

static int64_t results[KINDS], refused[KINDS];

static void try_all(const spw_tensor *const *operands, int64_t count, const spw_structure *w, uint64_t seed)
{
  spw_status status;
  bool seen;
  const char *wrong = attempt_restructure(operands, count, w, &status, &seen);
  cr_assert(!wrong, "seed %llu: layout %d: %s: %s", (unsigned long long)seed, (int)operands[0]->layout, restructure_text(w),
            wrong);
  if (seen && status == SPW_OK) results[w->kind]++;
  if (seen && status == SPW_ERANGE) refused[w->kind]++;
}

static int64_t block_of(const spw_tensor *t, int64_t dim)
{
  spw_numbers n;
  cr_assert(spw_numbers_of(t, &n) == SPW_OK);
  if (t->layout == SPW_COO) return 1;
  return dim == n.batch_dims ? n.block_rows : dim == n.batch_dims + 1 ? n.block_columns : 1;
}

static int64_t multiple(int64_t number, int64_t block, dice *d)
{
  return roll_below(d, 6) ? number / block * block : number;
}

/* Mostly numbers that fit, now and then others. */
static spw_structure any_operation(const spw_tensor *t, int64_t *numbers, dice *d)
{
  int64_t size[16];
  const int64_t ndim = tensor_size(t, size);
  spw_structure w = {.kind = (spw_structure_kind)roll_below(d, KINDS), .numbers = numbers};
  w.duplicates = (spw_combine)(roll_below(d, 3) ? 0 : roll_below(d, 4));
  w.dim = roll_below(d, 30) == 0 ? roll_below(d, 9) - 2 : ndim > 0 ? roll_below(d, ndim) : 0;
  const bool there = w.dim >= 0 && w.dim < ndim;
  const int64_t side = there ? size[w.dim] : 1, block = there ? block_of(t, w.dim) : 1;
  if (w.kind == SPW_SELECT) w.start = roll_below(d, 2 * side + 1 + (roll_below(d, 9) == 0)) - side;
  if (w.kind == SPW_NARROW) {
    w.start = multiple(roll_below(d, side + 1), block, d);
    w.length = multiple(roll_below(d, side - w.start + 1 + (roll_below(d, 9) == 0)), block, d);
    if (roll_below(d, 40) == 0) w.start = roll_extreme(d);
    if (roll_below(d, 40) == 0) w.length = roll_extreme(d);
  }
  if (w.kind == SPW_INDEX_SELECT) {
    w.count = multiple(roll_below(d, MOST), block, d);
    for (int64_t i = 0; i < w.count; i++)
      numbers[i] = i % block ? numbers[i - 1] + 1 : side == 0 ? 0 : multiple(roll_below(d, side), block, d);
    if (w.count > 0 && roll_below(d, 8) == 0) numbers[w.count - 1] += numbers[w.count - 1] < block ? block : -block;
    if (w.count > 0 && roll_below(d, 20) == 0) numbers[roll_below(d, w.count)] = roll_below(d, 2) ? -1 : side;
  }
  if (w.kind == SPW_BROADCAST) w.length = roll_below(d, 5) - (roll_below(d, 20) == 0);
  if ((w.kind == SPW_STACK || w.kind == SPW_UNSQUEEZE) && roll_below(d, 3)) w.dim = roll_below(d, ndim + 1);
  if (w.kind == SPW_RESIZE) {
    w.count = ndim + (roll_below(d, 20) == 0);
    for (int64_t i = 0; i < w.count; i++) {
      const int64_t b = i < ndim ? block_of(t, i) : 1, old = i < ndim ? size[i] : 0;
      numbers[i] = old + (roll_below(d, 3) ? 0 : b * (roll_below(d, 4) - 1)) + (roll_below(d, 30) == 0);
    }
  }
  return w;
}

/* Another tensor of the same form: rows, columns or whatever else in another order, perhaps more of them. */
static spw_owned *another(const spw_tensor *t, int64_t dim, dice *d)
{
  int64_t size[16], numbers[MOST];
  const int64_t ndim = tensor_size(t, size);
  if (ndim == 0) return NULL;
  const int64_t along = roll_below(d, 2) && dim >= 0 && dim < ndim ? dim : roll_below(d, ndim), block = block_of(t, along);
  spw_structure w = {.kind = SPW_INDEX_SELECT, .dim = along, .numbers = numbers, .duplicates = SPW_COMBINE_FIRST};
  w.count = (along == dim && roll_below(d, 2)) || roll_below(d, 12) == 0 ? roll_below(d, MOST) / block * block : size[along];
  if (w.count > MOST || (size[along] == 0 && w.count > 0)) return NULL;
  for (int64_t i = 0; i < w.count; i++) numbers[i] = i % block ? numbers[i - 1] + 1 : roll_below(d, size[along] / block) * block;
  spw_owned *owned = NULL;
  return spw_restructure_new(&t, 1, &w, 0, &owned, NULL) == SPW_OK ? owned : NULL;
}

Test(restructure, random_operations)
{
  static operand o, p;
  memset(results, 0, sizeof results);
  memset(refused, 0, sizeof refused);
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    dice d = {seed};
    int64_t numbers[MOST + 16];
    spw_owned *more[3] = {NULL};
    operand_random_sparse(&o, true, &d);
    const spw_structure w = any_operation(&o.tensor, numbers, &d);
    const spw_tensor *operands[4] = {&o.tensor};
    int64_t count = 1;
    bool foreign = false;
    if (w.kind == SPW_CAT || w.kind == SPW_STACK) {
      for (int i = 0; i < 3 && roll_below(&d, 4); i++) {
        more[i] = roll_below(&d, 2) ? another(&o.tensor, w.kind == SPW_CAT ? w.dim : -1, &d) : NULL;
        operands[count++] = more[i] ? spw_owned_tensor(more[i]) : &o.tensor;
      }
      foreign = roll_below(&d, 20) == 0;
      if (foreign) operand_random(&p, true, &d);
      if (foreign && p.tensor.layout != SPW_DENSE && count < 4) operands[count++] = &p.tensor;
    }
    try_all(operands, count, &w, seed);
    for (int i = 0; i < 3; i++) spw_owned_free(more[i]);
    if (foreign) operand_free(&p);
    operand_free(&o);
  }
  for (int kind = 0; kind < KINDS; kind++)
    cr_assert(results[kind] > 3 * ROUNDS / 200 && (kind == SPW_UNSQUEEZE || refused[kind] > 3 * ROUNDS / 2000),
              "%d: %lld results, %lld refusals", kind, (long long)results[kind], (long long)refused[kind]);
  expect_no_leaks();
}

/* Masks of any layout over values of any layout, dense arrays too. */
enum { MASKS = SANITIZED ? 4000 : 12000 };
Test(restructure, random_masks)
{
  static operand o;
  int64_t masked = 0, unlike = 0, uncoalesced = 0, dense = 0;
  for (uint64_t seed = 0; seed < MASKS; seed++) {
    dice d = {seed};
    spw_status status;
    bool seen;
    operand_random_sparse(&o, true, &d);
    const spw_tensor *const m = &o.tensor;
    spw_owned *first = another(m, roll_below(&d, 8) ? -1 : 0, &d), *second = NULL;
    const spw_tensor *x = first ? spw_owned_tensor(first) : m;
    spw_conversion to = conversion_to((spw_layout)roll_below(&d, 6), 0, 0);
    if (to.layout == SPW_BSR || to.layout == SPW_BSC) to.block_rows = to.block_columns = 1;
    if (roll_below(&d, 2) && spw_convert_new(x, &to, 0, &second, NULL) == SPW_OK) x = spw_owned_tensor(second);
    const spw_structure w = {.kind = SPW_SPARSE_MASK, .duplicates = (spw_combine)roll_below(&d, 4)};
    const spw_tensor *const operands[] = {x, m};
    const char *wrong = attempt_restructure(operands, 2, &w, &status, &seen);
    cr_assert(!wrong, "seed %llu: %d by %d: %s", (unsigned long long)seed, (int)x->layout, (int)m->layout, wrong);
    masked += seen && status == SPW_OK;
    unlike += seen && status == SPW_ERANGE;
    uncoalesced += seen && status == SPW_OK && m->layout == SPW_COO && m->coalesced != SPW_CLAIM_YES;
    dense += seen && status == SPW_OK && x->layout == SPW_DENSE;
    spw_owned_free(second);
    spw_owned_free(first);
    operand_free(&o);
  }
  cr_assert(masked > MASKS / 3 * 2 && unlike > MASKS / 60 && uncoalesced > MASKS / 24 && dense > MASKS / 40,
            "%lld, %lld, %lld, %lld", (long long)masked, (long long)unlike, (long long)uncoalesced, (long long)dense);
  expect_no_leaks();
}

/* ---- All small ones ---------------------------------------------------------------------------- */

static void try_one(const spw_tensor *t, spw_structure_kind kind, int64_t dim, int64_t start, int64_t length,
                    const int64_t *numbers, int64_t count)
{
  const spw_structure w = {.kind = kind, .dim = dim, .start = start, .length = length, .numbers = numbers, .count = count};
  const spw_tensor *const operands[] = {t, t};
  try_all(operands, kind == SPW_CAT || kind == SPW_STACK ? 2 : 1, &w, 0);
}

static void try_everything(const spw_tensor *t)
{
  for (int64_t dim = 0; dim < 3; dim++) {
    for (int64_t start = -4; start < 5; start++) {
      try_one(t, SPW_SELECT, dim, start, 0, NULL, 0);
      for (int64_t length = -1; length < 5; length++) try_one(t, SPW_NARROW, dim, start, length, NULL, 0);
    }
    for (int64_t list = 0; list < 64; list++) {
      const int64_t numbers[] = {list % 4, list / 4 % 4, list / 16};
      try_one(t, SPW_INDEX_SELECT, dim, 0, 0, numbers, list % 4);
      try_one(t, SPW_RESIZE, 0, 0, 0, numbers, 2);
    }
    try_one(t, SPW_CAT, dim, 0, 0, NULL, 0);
    try_one(t, SPW_STACK, dim, 0, 0, NULL, 0);
    try_one(t, SPW_UNSQUEEZE, dim, 0, 0, NULL, 0);
    for (int64_t length = 0; length < 3; length++) try_one(t, SPW_BROADCAST, dim, 0, length, NULL, 0);
  }
}

Test(restructure, all_small_tensors)
{
  static const int64_t shapes[][2] = {{2, 3}, {3, 2}, {1, 3}, {3, 1}, {2, 2}, {0, 2}, {2, 0}};
  memset(results, 0, sizeof results);
  for (int s = 0; s < 7; s++)
    for (int pattern = 0; pattern < 1 << (shapes[s][0] * shapes[s][1]); pattern++)
      for (int layout = SPW_COO; layout <= SPW_BSC; layout++) {
        static operand o;
        spw_owned *owned = NULL;
        operand_dense(&o, SPW_INT16, 2, shapes[s]);
        for (int i = 0; i < shapes[s][0] * shapes[s][1]; i++) ((int16_t *)o.values)[i] = (int16_t)(pattern >> i & 1 ? i + 1 : 0);
        const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
        spw_conversion w = conversion_to((spw_layout)layout, 0, 0);
        if (blocks) w.block_rows = shapes[s][0] > 0 ? shapes[s][0] % 2 + 1 : 1, w.block_columns = 1;
        if (blocks && shapes[s][0] % w.block_rows) w.block_rows = 1;
        cr_assert(spw_convert_new(&o.tensor, &w, 0, &owned, NULL) == SPW_OK);
        try_everything(spw_owned_tensor(owned));
        spw_owned_free(owned);
        operand_free(&o);
      }
  for (int kind = 0; kind < KINDS; kind++) cr_assert(results[kind] > 200, "%d: %lld", kind, (long long)results[kind]);
}

/* ---- Calls ------------------------------------------------------------------------------------- */

/* Another tensor comes into buffers that were made for one: either they are too short for it, or its result is right. */
Test(restructure, what_changes_between_the_calls)
{
  static operand o, p;
  int64_t used = 0, short_of = 0;
  for (uint64_t seed = 0; seed < ROUNDS / 2; seed++) {
    dice d = {seed};
    int64_t numbers[MOST + 16];
    spw_room room;
    spw_refusal refusal;
    operand_random(&o, true, &d);
    operand_random(&p, true, &d);
    const spw_tensor *first[] = {&o.tensor, &o.tensor}, *then[] = {&p.tensor, &p.tensor};
    if (o.tensor.layout != SPW_DENSE && p.tensor.layout != SPW_DENSE) {
      spw_structure w = any_operation(&o.tensor, numbers, &d);
      if (roll_below(&d, 5) == 0) w.kind = SPW_SPARSE_MASK;
      const int64_t count = w.kind == SPW_CAT || w.kind == SPW_STACK || w.kind == SPW_SPARSE_MASK ? 2 : 1;
      if (spw_restructure_size(first, count, &w, &room, NULL) == SPW_OK) {
        fenced f;
        spw_tensor result;
        bool seen;
        room.dtype = p.tensor.values.array.dtype;
        room.values /= roll_below(&d, 2) ? 1 : 2;
        fenced_make(&f, &room);
        if (w.kind == SPW_RESIZE && w.count != p.tensor.ndim) w.kind = SPW_NARROW;
        const spw_status status = spw_restructure(then, count, &w, &f.buffers, &result, &refusal);
        cr_assert(fences_hold(&f), "seed %llu: outside the buffers", (unsigned long long)seed);
        const char *wrong = status == SPW_EINVAL ? NULL : wrong_restructure(then, count, &w, status, &refusal, &result, &seen);
        cr_assert(!wrong, "seed %llu: %s: %s", (unsigned long long)seed, restructure_text(&w), wrong);
        used += status == SPW_OK;
        short_of += status == SPW_EINVAL;
        fenced_free(&f);
      }
    }
    operand_free(&o);
    operand_free(&p);
  }
  cr_assert(used > ROUNDS / 80 && short_of > ROUNDS / 80, "%lld, %lld", (long long)used, (long long)short_of);
}

/* Each buffer one element shorter. */
Test(restructure, buffers_that_are_too_short)
{
  static const int64_t c[] = {0, 2, 3}, x[] = {0, 1, 1}, size[] = {2, 2}, three[] = {3}, one[] = {1};
  static const float v[] = {1, 2, 3};
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, three, one, 0, 3}, NULL, c, NULL},
                        .plain = {{SPW_INT64, 1, three, one, 0, 3}, NULL, x, NULL},
                        .values = {{SPW_FLOAT32, 1, three, one, 0, 3}, v}};
  const spw_tensor *const operands[] = {&t, &t};
  for (int kind = 0; kind < 2; kind++) {
    const spw_structure w = {.kind = kind ? SPW_SPARSE_MASK : SPW_CAT, .dim = 1};
    spw_room room;
    spw_tensor result;
    cr_assert(spw_restructure_size(operands, 2, &w, &room, NULL) == SPW_OK);
    for (int which = 0; which < 5; which++) {
      fenced f;
      spw_room less;
      cr_assert(fenced_shorten(&room, which, &less));
      fenced_make(&f, &less);
      cr_assert(spw_restructure(operands, 2, &w, &f.buffers, &result, NULL) == SPW_EINVAL, "%d, %d", kind, which);
      cr_assert(fences_hold(&f));
      fenced_free(&f);
    }
  }
}

Test(restructure, calls_that_are_wrong)
{
  const int64_t shape[] = {1, 0}, strides[] = {1, 1};
  int64_t size[] = {3};
  spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 1, .size = size, .coalesced = SPW_CLAIM_YES,
                  .plain = {{SPW_INT32, 2, shape, strides, 0, 0}, NULL, NULL, NULL},
                  .values = {{SPW_FLOAT32, 1, shape + 1, strides, 0, 0}, NULL}};
  const spw_tensor *operands[] = {&t, &t}, *nothing[] = {&t, NULL};
  spw_structure w = {.kind = SPW_BROADCAST, .length = 2};
  spw_room room;
  spw_refusal refusal;
  spw_owned *owned = NULL;
  cr_assert(spw_restructure_size(NULL, 1, &w, &room, NULL) == SPW_EINVAL);
  cr_assert(spw_restructure_size(operands, 0, &w, &room, NULL) == SPW_EINVAL);
  cr_assert(spw_restructure_size(operands, 2, &w, &room, NULL) == SPW_EINVAL);
  cr_assert(spw_restructure_size(operands, 1, NULL, &room, NULL) == SPW_EINVAL);
  cr_assert(spw_restructure_size(operands, 1, &w, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_restructure_new(operands, 1, &w, 0, NULL, NULL) == SPW_EINVAL);
  w.kind = SPW_CAT;
  cr_assert(spw_restructure_size(nothing, 2, &w, &room, NULL) == SPW_EINVAL);
  for (int kind = -1; kind < 10; kind += 10) {
    w.kind = (spw_structure_kind)kind;
    cr_assert(spw_restructure_size(operands, 1, &w, &room, NULL) == SPW_EINVAL, "%d", kind);
  }
  w = (spw_structure){.kind = SPW_INDEX_SELECT, .count = 1};
  cr_assert(spw_restructure_size(operands, 1, &w, &room, NULL) == SPW_EINVAL);
  w = (spw_structure){.kind = SPW_UNSQUEEZE, .duplicates = (spw_combine)4};
  cr_assert(spw_restructure_size(operands, 1, &w, &room, NULL) == SPW_EINVAL);
  /* numbers that nothing can hold */
  const int64_t huge = (int64_t)1 << 31;
  w = (spw_structure){.kind = SPW_RESIZE, .numbers = &huge, .count = 1};
  cr_assert(spw_restructure_size(operands, 1, &w, &room, &refusal) == SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_INDEX && refusal.lhs == huge);
  const int64_t most = INT64_MAX;
  w.numbers = &most;
  t.plain.array.dtype = SPW_INT64;
  cr_assert(spw_restructure_size(operands, 1, &w, &room, &refusal) == SPW_OK);
  size[0] = 1;
  w = (spw_structure){.kind = SPW_UNSQUEEZE};
  cr_assert(spw_restructure_new(operands, 1, &w, 0, &owned, NULL) == SPW_OK);
  const spw_tensor *two = spw_owned_tensor(owned);
  const int64_t sides[] = {INT64_MAX, 2};
  w = (spw_structure){.kind = SPW_RESIZE, .numbers = sides, .count = 2};
  cr_assert(spw_restructure_size(&two, 1, &w, &room, &refusal) == SPW_ERANGE && refusal.obstacle == SPW_OBSTACLE_SIZE);
  spw_owned_free(owned);
  /* an operand that breaks a rule, and which */
  spw_tensor broken = t;
  broken.ndim = 0;
  operands[1] = &broken;
  w = (spw_structure){.kind = SPW_STACK};
  cr_assert(spw_restructure_size(operands, 2, &w, &room, &refusal) == SPW_EINVALID);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_RULE && refusal.violation.rule == SPW_RULE_6_3 && refusal.other == 1);
  broken.layout = SPW_DENSE;
  cr_assert(spw_restructure_size(operands, 2, &w, &room, &refusal) == SPW_EUNSUPPORTED);
}

/* More dimensions than are taken. */
Test(restructure, too_many_dimensions)
{
  enum { DIMS = SPW_STRUCTURE_DIMS };
  int64_t size[DIMS + 1], shape[] = {DIMS + 1, 0}, strides[] = {0, 0};
  spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = DIMS + 1, .size = size, .coalesced = SPW_CLAIM_YES,
                  .plain = {{SPW_INT64, 2, shape, strides, 0, 0}, NULL, NULL, NULL},
                  .values = {{SPW_FLOAT32, 1, shape + 1, strides, 0, 0}, NULL}};
  const spw_tensor *const operands[] = {&t, &t};
  spw_structure w = {.kind = SPW_NARROW, .length = 1};
  spw_room room;
  for (int d = 0; d <= DIMS; d++) size[d] = 1;
  cr_assert(spw_restructure_size(operands, 1, &w, &room, NULL) == SPW_EUNSUPPORTED);
  w.kind = SPW_SPARSE_MASK;
  cr_assert(spw_restructure_size(operands, 2, &w, &room, NULL) == SPW_EUNSUPPORTED);
  t.ndim = shape[0] = DIMS;
  w.kind = SPW_NARROW;
  cr_assert(spw_restructure_size(operands, 1, &w, &room, NULL) == SPW_OK);
  w.kind = SPW_UNSQUEEZE;
  cr_assert(spw_restructure_size(operands, 1, &w, &room, NULL) == SPW_EUNSUPPORTED);
}

/* Strides of values of which there is none may be any numbers: no place is computed from them (a sanitizer would see it). */
Test(restructure, strides_of_no_values)
{
  const int64_t size[] = {4, 0}, by_one[] = {3, 1}, shape[] = {3, 0}, strides[] = {INT64_MAX, INT64_MAX};
  const int64_t at[] = {0, 2, 3}, numbers[] = {3, 0, 3, 2};
  const spw_tensor t = {.layout = SPW_COO,
                        .has_size = true,
                        .ndim = 2,
                        .size = size,
                        .coalesced = SPW_CLAIM_YES,
                        .plain = {.array = {SPW_INT64, 2, (const int64_t[]){1, 3}, by_one, 0, 3}, .i64 = at},
                        .values = {.array = {SPW_FLOAT64, 2, shape, strides, 0, 0}}};
  const spw_tensor *const operands[] = {&t, &t};
  const spw_structure wanted[] = {{.kind = SPW_SELECT, .dim = 0, .start = 2},
                                  {.kind = SPW_NARROW, .dim = 0, .start = 1, .length = 3},
                                  {.kind = SPW_INDEX_SELECT, .dim = 0, .numbers = numbers, .count = 4},
                                  {.kind = SPW_CAT, .dim = 0}};
  const int64_t left[] = {-1, 2, 4, 6};
  for (int i = 0; i < 4; i++) {
    spw_owned *made = NULL;
    const spw_status status = spw_restructure_new(operands, wanted[i].kind == SPW_CAT ? 2 : 1, &wanted[i], 0, &made, NULL);
    cr_assert_eq(status, SPW_OK, "%d: %s", i, spw_status_string(status));
    const spw_tensor *const r = spw_owned_tensor(made);
    cr_expect(r->values.array.length == 0 && (left[i] < 0 || r->plain.array.shape[1] == left[i]), "%d", i);
    spw_owned_free(made);
  }
}

/* Nor where the result has values, as beside an operand that has some. */
Test(restructure, strides_of_no_values_beside_some)
{
  const int64_t none[] = {4, 0}, some[] = {4, 2}, shapes[][2] = {{3, 0}, {3, 2}}, far[] = {INT64_MAX, INT64_MAX};
  const int64_t at[] = {0, 2, 3}, by_one[] = {3, 1}, by_two[] = {2, 1};
  const double values[] = {1, 2, 3, 4, 5, 6};
  const spw_index_array plain = {.array = {SPW_INT64, 2, (const int64_t[]){1, 3}, by_one, 0, 3}, .i64 = at};
  spw_tensor t[2] = {{.has_size = true, .ndim = 2, .size = none, .coalesced = SPW_CLAIM_YES, .plain = plain}};
  t[1] = t[0];
  t[1].size = some;
  t[0].values = (spw_value_array){.array = {SPW_FLOAT64, 2, shapes[0], far, 0, 0}};
  t[1].values = (spw_value_array){.array = {SPW_FLOAT64, 2, shapes[1], by_two, 0, 6}, .data = values};
  for (int first = 0; first < 2; first++) {
    const spw_tensor *const operands[] = {&t[first], &t[1 - first]};
    const spw_structure w = {.kind = SPW_CAT, .dim = 1};
    spw_owned *made = NULL;
    const spw_status status = spw_restructure_new(operands, 2, &w, 0, &made, NULL);
    cr_assert_eq(status, SPW_OK, "%s", spw_status_string(status));
    const spw_tensor *const r = spw_owned_tensor(made);
    cr_expect(r->size[1] == 2 && r->values.array.length == 6 && memcmp(r->values.data, values, sizeof values) == 0, "%d", first);
    spw_owned_free(made);
  }
}

/* ---- What refusals name --------------------------------------------------------------------------- */

/* Three elements of a vector, each a number, at 0, 2 and 2; or, of the other operand, at 0, 1 and 2. */
static spw_tensor vector_at(const int64_t *at)
{
  static const int64_t size[] = {3}, shape[] = {1, 3}, strides[] = {3, 1}, one[] = {1};
  static const float values[] = {1, 2, 3};
  return (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 1, .size = size, .coalesced = SPW_CLAIM_NO,
                      .plain = {{SPW_INT64, 2, shape, strides, 0, 3}, NULL, at, NULL},
                      .values = {{SPW_FLOAT32, 1, size, one, 0, 3}, values}};
}

static void expect_duplicates(const spw_tensor *const *operands, int64_t count, spw_structure w, int64_t of, const char *what)
{
  spw_owned *owned = NULL;
  spw_refusal r = {.obstacle = SPW_OBSTACLE_NONE};
  w.duplicates = SPW_COMBINE_REFUSE;
  cr_assert_eq(spw_restructure_new(operands, count, &w, 0, &owned, &r), SPW_ERANGE, "%s", what);
  cr_assert(r.obstacle == SPW_OBSTACLE_DUPLICATE && r.other == of && r.lhs == 1 && r.rhs == 2, "%s: %lld and %lld of %lld",
            what, (long long)r.lhs, (long long)r.rhs, (long long)r.other);
}

/* Elements that lie at one position are named as their operand numbers them, not as the list does that the result is made of. */
Test(restructure, names_the_elements_of_an_operand)
{
  const int64_t twice[] = {0, 2, 2}, once[] = {0, 1, 2}, last[] = {2, 2};
  const spw_tensor t = vector_at(twice), u = vector_at(once);
  const spw_tensor *const operands[] = {&u, &t};
  expect_duplicates(operands + 1, 1, (spw_structure){.kind = SPW_NARROW, .start = 2, .length = 1}, 0, "narrow");
  expect_duplicates(operands + 1, 1, (spw_structure){.kind = SPW_INDEX_SELECT, .numbers = last, .count = 2}, 0, "index_select");
  expect_duplicates(operands, 2, (spw_structure){.kind = SPW_CAT}, 1, "cat");
  expect_duplicates(operands, 2, (spw_structure){.kind = SPW_STACK}, 1, "stack");
}

static void expect_resize(const spw_tensor *t, int64_t rows, int64_t dense, spw_obstacle obstacle, int64_t dim, int64_t lhs,
                          int64_t rhs)
{
  const int64_t numbers[] = {rows, dense};
  const spw_structure w = {.kind = SPW_RESIZE, .numbers = numbers, .count = 2};
  spw_room room;
  spw_refusal r = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_restructure_size(&t, 1, &w, &room, &r);
  cr_assert_eq(status, obstacle == SPW_OBSTACLE_NONE ? SPW_OK : SPW_ERANGE);
  if (status == SPW_OK) return;
  cr_assert(r.obstacle == obstacle && r.place == dim && r.lhs == lhs && r.rhs == rhs, "%d: %lld, %lld and %lld", (int)r.obstacle,
            (long long)r.place, (long long)r.lhs, (long long)r.rhs);
}

/* One cell at row 2, of five numbers or of none. */
Test(restructure, resizes_of_dense_dimensions)
{
  int64_t size[] = {4, 5}, shape[] = {1, 5};
  const int64_t ones[] = {1, 1}, strides[] = {5, 1}, at[] = {2}, fewer[] = {1, 3};
  const float values[5] = {0};
  spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                  .plain = {{SPW_INT64, 2, ones, ones, 0, 1}, NULL, at, NULL},
                  .values = {{SPW_FLOAT32, 2, shape, strides, 0, 5}, values}};
  expect_resize(&t, 4, 3, SPW_OBSTACLE_LOST, 1, 3, 3);
  expect_resize(&t, 4, 8, SPW_OBSTACLE_OPERAND, 1, 5, 8);
  expect_resize(&t, 2, 5, SPW_OBSTACLE_LOST, 0, 2, 2);
  expect_resize(&t, 3, 5, SPW_OBSTACLE_NONE, 0, 0, 0);
  size[1] = shape[1] = t.values.array.length = 0;
  for (int64_t rows = 0; rows < 6; rows++)
    for (int64_t dense = 0; dense < 3; dense++) expect_resize(&t, rows, dense, SPW_OBSTACLE_NONE, 0, 0, 0);
  const spw_tensor *const only = &t;
  const spw_structure w = {.kind = SPW_RESIZE, .numbers = fewer, .count = 2};
  spw_owned *owned = NULL;
  cr_assert_eq(spw_restructure_new(&only, 1, &w, 0, &owned, NULL), SPW_OK);
  const spw_tensor *const made = spw_owned_tensor(owned);
  bool valid = false;
  cr_assert(spw_is_valid(made, SPW_CANONICAL, &valid) == SPW_OK && valid && made->plain.array.shape[1] == 0);
  cr_assert(made->size[0] == 1 && made->size[1] == 3);
  spw_owned_free(owned);
}

/* Operands without an element: where the last would begin is beyond int64, and nobody has to know. */
Test(restructure, beginnings_of_nothing)
{
  const int64_t size[] = {0, 1, 1, INT64_C(1) << 62, 4}, one[] = {1}, none[] = {0}, step[] = {1};
  const int64_t shape[] = {0, 1, INT64_C(1) << 62, 4}, strides[] = {0, 0, 0, 0}, zero[] = {0};
  const float value[] = {1};
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 5, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, one, step, 0, 1}, NULL, zero, NULL},
                        .plain = {{SPW_INT64, 1, none, step, 0, 0}, NULL, zero, NULL},
                        .values = {{SPW_FLOAT32, 4, shape, strides, 0, 0}, value}};
  const spw_tensor *const three[] = {&t, &t, &t};
  for (int stacks = 0; stacks < 2; stacks++) {
    const spw_structure wanted = {.kind = stacks ? SPW_STACK : SPW_CAT, .dim = 2};
    spw_owned *result = NULL;
    cr_assert_eq(spw_restructure_new(three, 3, &wanted, 0, &result, NULL), SPW_OK);
    cr_assert_eq(spw_owned_tensor(result)->size[2], 3);
    spw_owned_free(result);
  }
}

Test(restructure, transpose_of_a_dense_array)
{
  const int64_t size[] = {1, 1};
  const float value[] = {1};
  int64_t dims[16];
  spw_tensor result;
  spw_tensor dense = {.layout = SPW_DENSE, .has_size = true, .ndim = 2, .size = size,
                      .values = {{SPW_FLOAT32, 2, size, size, 0, 1}, value}};
  dense.plain.array.ndim = -1; /* it has none */
  cr_assert_eq(spw_transpose(&dense, dims, 16, &result), SPW_EUNSUPPORTED);
}

/* 2^62 elements in a few bytes: what they say is found out at one of them. */
Test(restructure, repeated_without_memory)
{
  enum { REQUESTS = 4 };
  const int64_t many = (int64_t)1 << 62, size[] = {1}, shape[] = {1, many}, strides[] = {1, 0}, of_values[] = {many}, two[] = {2};
  const int64_t index[] = {0}, zeros[] = {0, 0};
  const float value = 1;
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 1, .size = size, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 1}, NULL, index, NULL},
                        .values = {{SPW_FLOAT32, 1, of_values, strides + 1, 0, 1}, &value}};
  const spw_structure wanted[REQUESTS] = {{.kind = SPW_RESIZE, .numbers = two, .count = 1},
                                       {.kind = SPW_NARROW, .dim = 0, .start = 0, .length = 1},
                                       {.kind = SPW_INDEX_SELECT, .dim = 0, .numbers = zeros, .count = 1},
                                       {.kind = SPW_INDEX_SELECT, .dim = 0, .numbers = zeros, .count = 2}};
  const spw_tensor *const operands[] = {&t};
  for (int i = 0; i < REQUESTS; i++) {
    spw_room room = {.nse = -1};
    spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
    const spw_status status = spw_restructure_size(operands, 1, &wanted[i], &room, &refusal);
    cr_assert(status == SPW_OK ? room.nse == many : status == SPW_ERANGE && refusal.obstacle == SPW_OBSTACLE_SIZE,
              "%d: status %d, nse %lld, obstacle %d", i, (int)status, (long long)room.nse, (int)refusal.obstacle);
  }
  /* so many that their number can be told */
  const int64_t few = 1 << 20, of_few[] = {few}, few_shape[] = {1, few};
  spw_tensor small = t;
  small.plain.array.shape = few_shape;
  small.values.array.shape = of_few;
  const spw_tensor *const smaller[] = {&small};
  for (int i = 0; i < REQUESTS; i++) {
    spw_room there;
    cr_assert(spw_restructure_size(smaller, 1, &wanted[i], &there, NULL) == SPW_OK);
    cr_assert(there.nse == (i == 3 ? 2 * few : few), "%d: %lld", i, (long long)there.nse);
  }
  const int64_t zero[] = {0};
  const spw_structure lost = {.kind = SPW_RESIZE, .numbers = zero, .count = 1};
  spw_refusal refusal;
  spw_room room;
  cr_assert(spw_restructure_size(operands, 1, &lost, &room, &refusal) == SPW_ERANGE && refusal.obstacle == SPW_OBSTACLE_LOST);
}

/* As many batches, whose strides say that they are one, next to a dimension whose stride says nothing; the checker, which goes
 * over them, is not asked. */
Test(restructure, batches_without_memory)
{
  const int64_t many = (int64_t)1 << 58, size[] = {1, many, 1, 1}, of_rows[] = {1, many, 2}, of_elements[] = {1, many, 1};
  const int64_t strides[] = {7, 0, 1}, two[] = {1, many, 2, 2};
  const int32_t rows[] = {0, 1}, column[] = {0};
  const float value = 1;
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 4, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT32, 3, of_rows, strides, 0, 2}, rows, NULL, NULL},
                        .plain = {{SPW_INT32, 3, of_elements, strides, 0, 1}, column, NULL, NULL},
                        .values = {{SPW_FLOAT32, 3, of_elements, strides, 0, 1}, &value}};
  const spw_structure wanted[] = {{.kind = SPW_RESIZE, .numbers = two, .count = 4},
                                  {.kind = SPW_NARROW, .dim = 3, .start = 0, .length = 1}};
  const spw_tensor *const operands[] = {&t};
  for (int i = 0; i < 2; i++) {
    spw_room room;
    spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
    const spw_status status = spw_restructure_size_unchecked(operands, 1, &wanted[i], &room, &refusal);
    const bool told = status == SPW_OK || (status == SPW_ERANGE && refusal.obstacle == SPW_OBSTACLE_SIZE);
    cr_assert(told, "%d: status %d, obstacle %d", i, (int)status, (int)refusal.obstacle);
  }
}
