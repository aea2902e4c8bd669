/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise operations against a second opinion (united.h): random operands of every layout and type, all small patterns,
 * what must be refused, and what operations have to do with each other. */
#include "fenced.h"
#include "memory.h"
#include "operand.h"
#include "scalar.h"
#include "united.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 5, LAYOUTS = 5, MOST = 12, ROUNDS = 40000 };

static int64_t results[LAYOUTS][KINDS], refused[KINDS], types[SPW_DTYPE_COUNT], batched, hybrid, duplicated;

static void count(const spw_tensor *a, const spw_elementwise_request *w, spw_status status)
{
  spw_numbers n;
  refused[w->kind] += status == SPW_ERANGE;
  if (status != SPW_OK || spw_numbers_of(a, &n) != SPW_OK) return;
  results[a->layout][w->kind]++;
  types[a->values.array.dtype]++;
  batched += n.batch_dims > 0 && n.batches > 1 && n.nse > 0;
  hybrid += n.dense_dims > 0 && n.nse > 0;
  duplicated += a->layout == SPW_COO && a->coalesced != SPW_CLAIM_YES && n.nse > 1;
}

static void try_it(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *w, uint64_t seed)
{
  spw_status status;
  bool seen;
  const char *wrong = attempt_elementwise(a, b, w, &status, &seen);
  cr_assert(!wrong, "seed %llu: layout %d, type %d, kind %d, %s: %s", (unsigned long long)seed, (int)a->layout,
            (int)a->values.array.dtype, (int)w->kind, w->scalar ? "scaled" : "plain", wrong);
  if (seen) count(a, w, status);
}

static int64_t size_of(const spw_tensor *t, int64_t size[16])
{
  int64_t ndim = t->ndim;
  if (t->has_size)
    memcpy(size, t->size, (size_t)t->ndim * sizeof *size);
  else
    cr_assert(spw_infer_size(t, size, 16, &ndim) == SPW_OK);
  return ndim;
}

/* A tensor of the same form: its parts along some dimension in another order, some of them twice. */
static spw_owned *another(const spw_tensor *t, dice *d)
{
  int64_t size[16], numbers[MOST];
  spw_numbers n;
  const int64_t ndim = size_of(t, size);
  cr_assert(spw_numbers_of(t, &n) == SPW_OK);
  if (ndim == 0) return NULL;
  const int64_t along = roll_below(d, ndim), sparse = t->layout == SPW_COO ? -1 : along - n.batch_dims;
  const int64_t block = sparse == 0 ? n.block_rows : sparse == 1 ? n.block_columns : 1;
  spw_structure w = {.kind = SPW_INDEX_SELECT, .dim = along, .numbers = numbers, .duplicates = SPW_COMBINE_FIRST};
  w.count = size[along];
  if (w.count > MOST) return NULL;
  for (int64_t i = 0; i < w.count; i++) numbers[i] = i % block ? numbers[i - 1] + 1 : roll_below(d, size[along] / block) * block;
  spw_owned *owned = NULL;
  return spw_restructure_new(&t, 1, &w, 0, &owned, NULL) == SPW_OK ? owned : NULL;
}

/* A scalar from among the values, or any bytes. */
static const void *any_scalar(const spw_tensor *t, uint8_t bytes[16], dice *d)
{
  const spw_value_array *const v = &t->values;
  for (int i = 0; i < 16; i++) bytes[i] = (uint8_t)roll(d);
  if (roll_below(d, 3) && v->array.length > 0) {
    const int64_t width = scalar_width(v->array.dtype);
    memcpy(bytes, (const uint8_t *)v->data + roll_below(d, v->array.length) * width, (size_t)width);
  }
  if (roll_below(d, 4) == 0) scalar_one(v->array.dtype, bytes);
  return bytes;
}

static spw_owned *as_dense(const spw_tensor *t)
{
  spw_owned *owned = NULL;
  const spw_conversion to = conversion_to(SPW_DENSE, 0, 0);
  return spw_convert_new(t, &to, 1 << 20, &owned, NULL) == SPW_OK ? owned : NULL;
}

Test(elementwise, random_operations)
{
  static operand o, p;
  int64_t dense = 0;
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    dice d = {seed};
    uint8_t bytes[16];
    operand_random_sparse(&o, true, &d);
    const bool foreign = roll_below(&d, 10) == 0;
    if (foreign) operand_random_sparse(&p, true, &d);
    spw_elementwise_request w = {.kind = (spw_elementwise_kind)roll_below(&d, KINDS),
                                 .duplicates = (spw_combine)(roll_below(&d, 3) ? 0 : roll_below(&d, 4))};
    const bool two = w.kind <= SPW_TIMES;
    if (!two || (w.kind != SPW_TIMES && roll_below(&d, 2))) w.scalar = any_scalar(&o.tensor, bytes, &d);
    spw_owned *const more = two && !foreign && roll_below(&d, 8) ? another(&o.tensor, &d) : NULL;
    const spw_tensor *b = !two ? NULL : foreign ? &p.tensor : more ? spw_owned_tensor(more) : &o.tensor;
    spw_owned *const full = w.kind == SPW_TIMES && roll_below(&d, 3) == 0 ? as_dense(b) : NULL;
    if (full) b = spw_owned_tensor(full);
    dense += full != NULL;
    if (b && b->layout != SPW_DENSE && roll_below(&d, 2))
      try_it(b, &o.tensor, &w, seed);
    else
      try_it(&o.tensor, b, &w, seed);
    spw_owned_free(full);
    spw_owned_free(more);
    if (foreign) operand_free(&p);
    operand_free(&o);
  }
  for (int layout = 0; layout < LAYOUTS; layout++)
    for (int kind = 0; kind < KINDS; kind++)
      cr_assert(results[layout][kind] > 200, "layout %d, kind %d: %lld", layout, kind, (long long)results[layout][kind]);
  for (int kind = 0; kind < KINDS; kind++)
    cr_assert(kind == SPW_SCALE || refused[kind] > 300, "kind %d: %lld refused", kind, (long long)refused[kind]);
  for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++) cr_assert(types[type] > 300, "%d: %lld", type, (long long)types[type]);
  cr_assert(batched > 500 && hybrid > 2000 && duplicated > 500 && dense > 500, "%lld %lld %lld %lld", (long long)batched,
            (long long)hybrid, (long long)duplicated, (long long)dense);
  expect_no_leaks();
}
