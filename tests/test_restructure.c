/* SPDX-License-Identifier: Apache-2.0 */
/* Structure operations against a second opinion (restructured.h): random operands of every layout, what must be refused,
 * tensors that change between the calls, and huge numbers in few bytes. */
#include "fenced.h"
#include "memory.h"
#include "operand.h"
#include "restructured.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 8, MOST = 12, ROUNDS = 40000 };

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

/* Size entries: of a tensor without a size those that it implies. */
static int64_t size_of(const spw_tensor *t, int64_t size[16])
{
  int64_t ndim = t->ndim;
  if (t->has_size)
    memcpy(size, t->size, (size_t)t->ndim * sizeof *size);
  else
    cr_assert(spw_infer_size(t, size, 16, &ndim) == SPW_OK);
  return ndim;
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
  const int64_t ndim = size_of(t, size);
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
  const int64_t ndim = size_of(t, size);
  if (ndim == 0) return NULL;
  const int64_t along = roll_below(d, 2) && dim >= 0 && dim < ndim ? dim : roll_below(d, ndim), block = block_of(t, along);
  spw_structure w = {.kind = SPW_INDEX_SELECT, .dim = along, .numbers = numbers, .duplicates = SPW_COMBINE_FIRST};
  w.count = along == dim && roll_below(d, 2) ? roll_below(d, MOST) / block * block : size[along];
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
    do {
      operand_random(&o, true, &d);
      if (o.tensor.layout == SPW_DENSE) operand_free(&o);
    } while (o.tensor.layout == SPW_DENSE);
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
    cr_assert(results[kind] > 600 && (kind == SPW_UNSQUEEZE || refused[kind] > 60), "%d: %lld results, %lld refusals", kind,
              (long long)results[kind], (long long)refused[kind]);
  expect_no_leaks();
}

/* Masks of any layout over values of any layout, dense arrays too. */
Test(restructure, random_masks)
{
  static operand o;
  int64_t masked = 0, unlike = 0, uncoalesced = 0, dense = 0;
  for (uint64_t seed = 0; seed < 12000; seed++) {
    dice d = {seed};
    spw_status status;
    bool seen;
    do {
      operand_random(&o, true, &d);
      if (o.tensor.layout == SPW_DENSE) operand_free(&o);
    } while (o.tensor.layout == SPW_DENSE);
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
  cr_assert(masked > 8000 && unlike > 200 && uncoalesced > 500 && dense > 300, "%lld, %lld, %lld, %lld", (long long)masked,
            (long long)unlike, (long long)uncoalesced, (long long)dense);
  expect_no_leaks();
}
