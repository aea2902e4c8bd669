/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise operations against a second opinion (united.h): random operands of every layout and type, all small patterns,
 * what must be refused, and what operations have to do with each other. */
#include "../attempts/fenced.h"
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../expected/scalar.h"
#include "../expected/united.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = UNITED_KINDS, LAYOUTS = 5, MOST = 12, ROUNDS = SANITIZED ? 15000 : 40000 };

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

/* A tensor of the same form: its parts along some dimension in another order, some of them twice. */
static spw_owned *another(const spw_tensor *t, dice *d)
{
  int64_t size[16], numbers[MOST];
  spw_numbers n;
  const int64_t ndim = tensor_size(t, size);
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
                                 .duplicates = (spw_combine)(roll_below(&d, 3) ? 0 : roll_below(&d, 4)),
                                 .upper_bound = roll_below(&d, 3) == 0};
    const united_kind takes = united_kinds[w.kind];
    const bool two = takes.operands == 2;
    if (!takes.no_scalar || (takes.scalar && roll_below(&d, 2))) w.scalar = any_scalar(&o.tensor, bytes, &d);
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
      cr_assert(results[layout][kind] > ROUNDS / 200, "layout %d, kind %d: %lld", layout, kind, (long long)results[layout][kind]);
  for (int kind = 0; kind < KINDS; kind++)
    cr_assert(kind == SPW_SCALE || refused[kind] > 3 * ROUNDS / 400, "kind %d: %lld refused", kind, (long long)refused[kind]);
  for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++)
    cr_assert(types[type] > 3 * ROUNDS / 400, "%d: %lld", type, (long long)types[type]);
  cr_assert(batched > ROUNDS / 80 && hybrid > ROUNDS / 20 && duplicated > ROUNDS / 80 && dense > ROUNDS / 80,
            "%lld %lld %lld %lld", (long long)batched, (long long)hybrid, (long long)duplicated, (long long)dense);
  expect_no_leaks();
}

/* ---- All small patterns -------------------------------------------------------------------------- */

static spw_owned *small(int pattern, spw_layout layout, int first)
{
  static const int64_t shape[] = {2, 3};
  static operand o;
  spw_owned *owned = NULL;
  operand_dense(&o, SPW_INT8, 2, shape);
  for (int i = 0; i < 6; i++) ((int8_t *)o.values)[i] = (int8_t)(pattern >> i & 1 ? first + 37 * i : 0);
  const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
  const spw_conversion w = conversion_to(layout, blocks ? 2 : 0, blocks ? 1 : 0);
  cr_assert(spw_convert_new(&o.tensor, &w, 0, &owned, NULL) == SPW_OK);
  operand_free(&o);
  return owned;
}

Test(elementwise, all_small_patterns)
{
  const int8_t three = 3;
  memset(results, 0, sizeof results);
  for (int layout = SPW_COO; layout <= SPW_BSC; layout++)
    for (int left = 0; left < 64; left++) {
      spw_owned *const a = small(left, (spw_layout)layout, 5);
      for (int right = 0; right < 64; right++) {
        spw_owned *const b = small(right, (spw_layout)layout, -100);
        for (int kind = SPW_PLUS; kind <= SPW_TIMES; kind++) {
          const spw_elementwise_request w = {.kind = (spw_elementwise_kind)kind,
                                             .scalar = kind != SPW_TIMES && (left + right) % 2 ? &three : NULL};
          try_it(spw_owned_tensor(a), spw_owned_tensor(b), &w, (uint64_t)(64 * left + right));
        }
        spw_owned_free(b);
      }
      spw_owned_free(a);
    }
  for (int layout = 0; layout < LAYOUTS; layout++)
    for (int kind = SPW_PLUS; kind <= SPW_TIMES; kind++) cr_assert_eq(results[layout][kind], 64 * 64);
}

/* Lines so long that places are known part by part, and one that is longer than a part. */
Test(elementwise, long_lines)
{
  enum { ROWS = 6, COLUMNS = 7000 };
  static const int64_t shape[] = {ROWS, COLUMNS};
  for (int layout = SPW_COO; layout <= SPW_BSC; layout++)
    for (int kind = SPW_PLUS; kind <= SPW_TIMES; kind++) {
      spw_owned *made[2];
      const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
      for (int i = 0; i < 2; i++) {
        static operand o;
        dice d = {(uint64_t)(i + 2)};
        operand_dense(&o, SPW_INT16, 2, shape);
        for (int64_t k = 0; k < ROWS * COLUMNS; k++) {
          const int64_t row = k / COLUMNS, chance = row == 2 ? 1 : row == 4 ? 2 : 40;
          ((int16_t *)o.values)[k] = (int16_t)(roll_below(&d, chance) == 0 ? 1 + roll_below(&d, 30000) : 0);
        }
        const spw_conversion w = conversion_to((spw_layout)layout, blocks ? 1 : 0, blocks ? 2 : 0);
        cr_assert(spw_convert_new(&o.tensor, &w, 0, &made[i], NULL) == SPW_OK);
        operand_free(&o);
      }
      const int16_t factor = -7;
      const spw_elementwise_request w = {.kind = (spw_elementwise_kind)kind, .scalar = kind == SPW_MINUS ? &factor : NULL};
      try_it(spw_owned_tensor(made[0]), spw_owned_tensor(made[1]), &w, 0);
      spw_owned *const full = kind == SPW_TIMES ? as_dense(spw_owned_tensor(made[1])) : NULL;
      cr_assert((kind == SPW_TIMES) == (full != NULL));
      if (full) try_it(spw_owned_tensor(made[0]), spw_owned_tensor(full), &w, 0);
      spw_owned_free(full);
      spw_owned_free(made[0]);
      spw_owned_free(made[1]);
    }
}

/* ---- What operations have to do with each other -------------------------------------------------- */

static spw_owned *result_of(const spw_tensor *a, const spw_tensor *b, spw_elementwise_kind kind, const void *scalar)
{
  spw_owned *owned = NULL;
  const spw_elementwise_request w = {.kind = kind, .scalar = scalar};
  return spw_elementwise_new(a, b, &w, 0, &owned, NULL) == SPW_OK ? owned : NULL;
}

/* A NaN that is computed may have any payload. */
static bool is_nan_somewhere(const spw_tensor *t)
{
  const spw_dtype dtype = t->values.array.dtype;
  const int64_t part = dtype == SPW_COMPLEX64 ? 4 : dtype == SPW_COMPLEX128 ? 8 : scalar_width(dtype);
  const spw_dtype real = dtype == SPW_COMPLEX64 ? SPW_FLOAT32 : dtype == SPW_COMPLEX128 ? SPW_FLOAT64 : dtype;
  if (dtype < SPW_FLOAT16) return false;
  for (int64_t i = 0; i < t->values.array.length * scalar_width(dtype); i += part) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)t->values.data + i, (size_t)part);
    const double value = scalar_to_double(real, bits);
    if (value != value) return true;
  }
  return false;
}

static bool same_bits(const spw_tensor *a, const spw_tensor *b)
{
  const int64_t width = scalar_width(a->values.array.dtype), index = a->plain.array.dtype == SPW_INT64 ? 8 : 4;
  if (a->values.array.length != b->values.array.length || a->plain.array.length != b->plain.array.length) return false;
  const void *const x = index == 8 ? (const void *)a->plain.i64 : a->plain.i32;
  const void *const y = index == 8 ? (const void *)b->plain.i64 : b->plain.i32;
  const size_t values = (size_t)(a->values.array.length * width), indices = (size_t)(a->plain.array.length * index);
  return (values == 0 || memcmp(a->values.data, b->values.data, values) == 0) && (indices == 0 || memcmp(x, y, indices) == 0);
}

Test(elementwise, relations)
{
  static operand o;
  int64_t turned = 0, cancelled = 0, halved = 0;
  for (uint64_t seed = 0; seed < ROUNDS / 2; seed++) {
    dice d = {seed};
    operand_random_sparse(&o, true, &d);
    const spw_tensor *const a = &o.tensor;
    const spw_dtype dtype = a->values.array.dtype;
    spw_owned *const more = another(a, &d);
    const spw_tensor *const b = more ? spw_owned_tensor(more) : a;
    /* A + B has the bits of B + A, and A B those of B A. */
    for (int kind = SPW_PLUS; kind <= SPW_TIMES; kind += SPW_TIMES) {
      spw_owned *const x = result_of(a, b, (spw_elementwise_kind)kind, NULL);
      spw_owned *const y = result_of(b, a, (spw_elementwise_kind)kind, NULL);
      cr_assert((x == NULL) == (y == NULL), "seed %llu", (unsigned long long)seed);
      if (x && !is_nan_somewhere(spw_owned_tensor(x))) {
        cr_assert(same_bits(spw_owned_tensor(x), spw_owned_tensor(y)), "seed %llu, kind %d", (unsigned long long)seed, kind);
        turned += spw_owned_tensor(x)->values.array.length > 0 && a != b;
      }
      spw_owned_free(x);
      spw_owned_free(y);
    }
    /* A - A has every cell of A, and nothing but zeros in them; and A + A is 2 A. */
    spw_owned *const nothing = dtype == SPW_BOOL ? NULL : result_of(a, a, SPW_MINUS, NULL);
    if (nothing && !is_nan_somewhere(spw_owned_tensor(nothing))) {
      const spw_tensor *const zero = spw_owned_tensor(nothing);
      for (int64_t i = 0; i < zero->values.array.length * scalar_width(dtype); i++)
        cr_assert_eq(((const uint8_t *)zero->values.data)[i], 0, "seed %llu: %lld", (unsigned long long)seed, (long long)i);
      cancelled += zero->values.array.length > 0;
    }
    uint8_t two[16] = {0}, one[16];
    scalar_one(dtype, one);
    memcpy(two, one, sizeof two);
    scalar_add(dtype, two, one);
    spw_owned *const sum = a->layout == SPW_COO && a->coalesced != SPW_CLAIM_YES ? NULL : result_of(a, a, SPW_PLUS, NULL);
    spw_owned *const twice = result_of(a, NULL, SPW_SCALE, two);
    cr_assert(twice, "seed %llu", (unsigned long long)seed);
    const bool infinite = dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128; /* 0 times an infinite part */
    if (sum && dtype != SPW_BOOL && !infinite && !is_nan_somewhere(spw_owned_tensor(sum))) {
      cr_assert(same_bits(spw_owned_tensor(sum), spw_owned_tensor(twice)), "seed %llu", (unsigned long long)seed);
      halved += spw_owned_tensor(sum)->values.array.length > 0;
    }
    spw_owned_free(twice);
    spw_owned_free(sum);
    spw_owned_free(nothing);
    spw_owned_free(more);
    operand_free(&o);
  }
  const int64_t some = 3 * ROUNDS / 40;
  cr_assert(turned > some && cancelled > some && halved > some, "%lld %lld %lld", (long long)turned, (long long)cancelled,
            (long long)halved);
  expect_no_leaks();
}

/* ---- Between the calls ---------------------------------------------------------------------------- */

/* Other tensors come into buffers that were made for two: either they are too short, or the result is right. */
Test(elementwise, what_changes_between_the_calls)
{
  static operand o, p;
  int64_t used = 0, short_of = 0;
  for (uint64_t seed = 0; seed < ROUNDS / 2; seed++) {
    dice d = {seed};
    spw_room room;
    const spw_elementwise_request w = {.kind = (spw_elementwise_kind)roll_below(&d, 3)};
    operand_random_sparse(&o, true, &d);
    operand_random_sparse(&p, true, &d);
    if (spw_elementwise_size(&o.tensor, &o.tensor, &w, &room, NULL) == SPW_OK) {
      fenced f;
      spw_tensor result;
      spw_refusal refusal;
      bool seen;
      const spw_tensor *const then = roll_below(&d, 2) ? &p.tensor : &o.tensor;
      room.dtype = then->values.array.dtype;
      room.values /= roll_below(&d, 2) ? 1 : 2;
      fenced_make(&f, &room);
      const spw_status status = spw_elementwise(then, then, &w, &f.buffers, &result, &refusal);
      cr_assert(fences_hold(&f), "seed %llu: outside the buffers", (unsigned long long)seed);
      const char *wrong = status == SPW_EINVAL ? NULL : wrong_elementwise(then, then, &w, status, &refusal, &result, &seen);
      cr_assert(!wrong, "seed %llu: %s", (unsigned long long)seed, wrong);
      cr_assert(status != SPW_EINVAL || fenced_untouched(&f), "seed %llu: written", (unsigned long long)seed);
      used += status == SPW_OK;
      short_of += status == SPW_EINVAL;
      fenced_free(&f);
    }
    operand_free(&o);
    operand_free(&p);
  }
  cr_assert(used > ROUNDS / 80 && short_of > ROUNDS / 80, "%lld, %lld", (long long)used, (long long)short_of);
}
