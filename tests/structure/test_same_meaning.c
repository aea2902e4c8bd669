/* SPDX-License-Identifier: Apache-2.0 */
/* spw_same_meaning against tables of all positions: of tensors and what they are converted to, as they are and after a
 * change. */
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../expected/scalar.h"

#include "../expected/meaning.h"
#include "../../src/convert/indices.h"
#include "../../src/structure/listed.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 20000 };

typedef struct table {
  int64_t count, ndim, size[MEANING_DIMS];
  spw_dtype dtype;
  bool computed; /* some value is a sum: a NaN may be any */
  bool specified[POSITIONS];
  uint8_t value[POSITIONS][16];
} table;

/* False: too large. */
static bool fill_table(const spw_tensor *t, table *x)
{
  meaning m;
  memset(x, 0, sizeof *x);
  if (!meaning_of(t, 0, &m)) return false;
  meaning_sort(&m);
  meaning_combine(&m, SPW_COMBINE_SUM);
  x->count = 1;
  x->ndim = m.ndim;
  x->dtype = m.dtype;
  memcpy(x->size, m.size, sizeof m.size);
  for (int64_t d = 0; d < m.ndim; d++) x->count *= m.size[d] <= POSITIONS && x->count <= POSITIONS ? m.size[d] : POSITIONS + 1;
  const bool fits = x->count <= POSITIONS;
  for (int64_t k = 0; fits && k < m.count; k++)
    for (int64_t e = 0; e < m.scalars; e++) {
      int64_t at = 0, step = m.scalars, rest = e;
      for (int64_t d = 0; d < m.leading; d++) at = at * m.size[d] + m.cells[k].at[d];
      at = at * step + rest;
      x->specified[at] = t->layout != SPW_DENSE;
      memcpy(x->value[at], m.cells[k].scalars + e * scalar_width(m.dtype), (size_t)scalar_width(m.dtype));
      x->computed = x->computed || m.cells[k].computed;
    }
  meaning_free(&m);
  return fits;
}

/* The first position that differs, -1: none; -2: the sizes do, -3: the types. */
static int64_t first_difference(const table *a, const table *b, bool dense)
{
  if (a->ndim != b->ndim) return -2;
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->size[d] != b->size[d]) return -2;
  if (a->dtype != b->dtype) return -3;
  for (int64_t i = 0; i < a->count; i++)
    if ((!dense && a->specified[i] != b->specified[i]) || memcmp(a->value[i], b->value[i], 16) != 0) return i;
  return -1;
}

static int64_t compared, different, certified, refused;

/* Positions that one specifies and the other does not, where all bits are the same. */
static spw_zeros zeros_between(const table *x, const table *y)
{
  unsigned zeros = SPW_ZEROS_KEPT;
  for (int64_t i = 0; i < x->count; i++)
    if (x->specified[i] != y->specified[i]) zeros |= x->specified[i] ? SPW_ZEROS_DROPPED : SPW_ZEROS_ADDED;
  return (spw_zeros)zeros;
}

/* The certifier says what the tables say, where it says anything. */
static void certify(const spw_tensor *a, const spw_tensor *b, const table *x, const table *y, uint64_t seed)
{
  const bool bits = first_difference(x, y, true) == -1;
  unsigned found = bits ? zeros_between(x, y) : SPW_ZEROS_KEPT;
  if (a->layout == SPW_DENSE) found &= ~(unsigned)SPW_ZEROS_DROPPED;
  if (b->layout == SPW_DENSE) found &= ~(unsigned)SPW_ZEROS_ADDED;
  if (a->layout == SPW_DENSE && b->layout != SPW_DENSE) found = SPW_ZEROS_KEPT;
  if (b->layout == SPW_DENSE && a->layout != SPW_DENSE) found = SPW_ZEROS_KEPT;
  for (unsigned zeros = SPW_ZEROS_KEPT; zeros <= SPW_ZEROS_ANY; zeros++) {
    const bool expected_same = bits && (found & ~zeros) == 0;
    bool same = !expected_same;
    const spw_status status = spw_certify(a, b, (spw_zeros)zeros, &same, NULL);
    cr_assert(status == SPW_OK || status == SPW_EUNSUPPORTED, "seed %llu: status %d", (unsigned long long)seed, (int)status);
    cr_assert(same == (status == SPW_OK ? expected_same : !expected_same), "seed %llu, zeros %u, %u found: certified otherwise",
              (unsigned long long)seed, zeros, found);
    certified += status == SPW_OK && same;
    refused += status == SPW_OK && !same;
  }
}

static void compare(const spw_tensor *a, const spw_tensor *b, bool as_dense, uint64_t seed)
{
  static table x, y;
  size_t bytes = 0;
  int64_t position[MEANING_DIMS] = {0};
  spw_first_difference first = {SPW_NO_DIFFERENCE, NULL, NULL};
  if (!fill_table(a, &x) || !fill_table(b, &y) || x.computed || y.computed) return;
  cr_assert(spw_same_meaning_size(a, b, SPW_COMBINE_SUM, &bytes, NULL) == SPW_OK);
  char *work = malloc(bytes + 16);
  memset(work, 0x5a, bytes + 16);
  if (bytes > 0)
    cr_assert(spw_same_meaning(a, b, SPW_COMBINE_SUM, as_dense, work, bytes - 1, position, 16, &first, NULL) == SPW_EINVAL);
  cr_assert(spw_same_meaning(a, b, SPW_COMBINE_SUM, as_dense, work, bytes, position, MEANING_DIMS, &first, NULL) == SPW_OK);
  for (int i = 0; i < 16; i++) cr_assert(work[bytes + (size_t)i] == 0x5a, "beyond the workspace");
  const bool dense = as_dense || a->layout == SPW_DENSE || b->layout == SPW_DENSE;
  const int64_t expected_at = first_difference(&x, &y, dense);
  const spw_difference_kind kind = expected_at == -1   ? SPW_NO_DIFFERENCE
                                   : expected_at == -2 ? SPW_OTHER_SIZE
                                   : expected_at == -3 ? SPW_OTHER_TYPE : SPW_OTHER_VALUE;
  certify(a, b, &x, &y, seed);
  cr_assert(first.kind == kind, "seed %llu: kind %d and not %d", (unsigned long long)seed, (int)first.kind, (int)kind);
  compared++;
  different += kind == SPW_OTHER_VALUE;
  if (kind == SPW_OTHER_VALUE) {
    const size_t width = (size_t)scalar_width(x.dtype);
    int64_t at = 0;
    for (int64_t d = 0; d < x.ndim; d++) at = at * x.size[d] + position[d];
    cr_assert(at == expected_at, "seed %llu: position %lld and not %lld", (unsigned long long)seed, (long long)at,
              (long long)expected_at);
    static const char zero[16]; /* what is not specified, as dense */
    cr_assert(first.a || first.b);
    cr_assert(memcmp(first.a ? first.a : zero, x.value[at], width) == 0, "seed %llu: the first value", (unsigned long long)seed);
    cr_assert(memcmp(first.b ? first.b : zero, y.value[at], width) == 0, "seed %llu: the second value", (unsigned long long)seed);
    cr_assert(dense || ((first.a != NULL) == x.specified[at] && (first.b != NULL) == y.specified[at]));
  }
  free(work);
}

/* One bit of one value is another, if there is a value. */
static void flip(const spw_tensor *t, dice *d)
{
  const spw_array *v = &t->values.array;
  const int64_t bytes = v->length * spw_dtype_size(v->dtype);
  if (bytes > 0) ((char *)(uintptr_t)t->values.data)[roll_below(d, bytes)] ^= (char)(1 << roll_below(d, 8));
}

Test(same_meaning, random_pairs)
{
  static operand o, p;
  for (uint64_t seed = 0; seed < 12000; seed++) {
    dice d = {seed};
    spw_owned *owned = NULL;
    operand_random(&o, true, &d);
    spw_conversion w = conversion_to((spw_layout)roll_below(&d, 6), 0, 0);
    if (w.layout == SPW_BSR || w.layout == SPW_BSC) w.block_rows = w.block_columns = 1 + roll_below(&d, 2);
    w.prune = roll_below(&d, 4) == 0;
    w.bits = true;
    compare(&o.tensor, &o.tensor, roll_below(&d, 2), seed);
    if (spw_convert_new(&o.tensor, &w, 0, &owned, NULL) == SPW_OK) {
      const spw_tensor *b = spw_owned_tensor(owned);
      compare(&o.tensor, b, roll_below(&d, 2), seed);
      if (roll_below(&d, 2)) flip(b, &d);
      compare(b, &o.tensor, roll_below(&d, 2), seed);
      spw_owned_free(owned);
    }
    if (roll_below(&d, 10) == 0) {
      operand_random(&p, true, &d);
      compare(&o.tensor, &p.tensor, roll_below(&d, 2), seed);
      operand_free(&p);
    }
    operand_free(&o);
  }
  cr_assert(compared > 15000 && different > 2000 && certified > 40000 && refused > 5000, "%lld, %lld, %lld, %lld",
            (long long)compared, (long long)different, (long long)certified, (long long)refused);
  expect_no_leaks();
}

/* Two tensors of a size that no table has: the last element of a billion billion positions. */
Test(same_meaning, far_apart)
{
  const int64_t size[] = {(int64_t)1 << 40, 1 << 20}, shape[] = {2, 1}, strides[] = {1, 1}, nse[] = {1};
  int64_t index[] = {((int64_t)1 << 40) - 1, 7}, other[] = {((int64_t)1 << 40) - 1, 8}, position[2], work[64];
  const double value = -0.0;
  spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                  .plain = {{SPW_INT64, 2, shape, strides, 0, 2}, NULL, index, NULL},
                  .values = {{SPW_FLOAT64, 1, nse, strides, 0, 1}, &value}};
  spw_tensor b = a;
  spw_first_difference first;
  size_t bytes = 0;
  b.plain.i64 = other;
  cr_assert(spw_same_meaning_size(&a, &b, SPW_COMBINE_SUM, &bytes, NULL) == SPW_OK && bytes <= sizeof work);
  cr_assert(spw_same_meaning(&a, &b, SPW_COMBINE_SUM, false, work, bytes, position, 2, &first, NULL) == SPW_OK);
  cr_assert(first.kind == SPW_OTHER_VALUE && first.a == &value && first.b == NULL && position[0] == index[0] && position[1] == 7);
  first.kind = SPW_OTHER_SIZE;
  cr_assert(spw_same_meaning(&a, &b, SPW_COMBINE_SUM, false, work, bytes, position, 1, &first, NULL) == SPW_EINVAL);
  cr_assert(spw_same_meaning(&a, &b, SPW_COMBINE_SUM, false, NULL, bytes, position, 2, &first, NULL) == SPW_EINVAL);
  cr_assert(first.kind == SPW_OTHER_SIZE);
  index[0] = -1;
  spw_refusal refusal;
  cr_assert(spw_same_meaning(&b, &a, SPW_COMBINE_SUM, false, work, bytes, position, 2, &first, &refusal) == SPW_EINVALID);
  cr_assert(refusal.violation.rule == SPW_RULE_6_5 && refusal.other == 1);
}

/* Arrays without dimensions, whose shapes are nowhere. */
Test(same_meaning, without_dimensions)
{
  const double one = 1, two = 2;
  const spw_tensor a = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 0, NULL, NULL, 0, 1}, &one}};
  spw_tensor b = a;
  bool same = false;
  cr_assert(spw_certify(&a, &b, SPW_ZEROS_KEPT, &same, NULL) == SPW_OK && same);
  b.values.data = &two;
  cr_assert(spw_certify(&a, &b, SPW_ZEROS_ANY, &same, NULL) == SPW_OK && !same);
  cr_assert(spw_certify(&a, &b, (spw_zeros)4, &same, NULL) == SPW_EINVAL);
  cr_assert(spw_certify(&a, &b, SPW_ZEROS_ANY, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_certify(NULL, &b, SPW_ZEROS_ANY, &same, NULL) == SPW_EINVAL);
}

/* Elements 0 and 1 of one of two tensors lie at one position, which is refused: of which, is told. */
Test(same_meaning, duplicates_are_of_an_operand)
{
  const int64_t size[] = {3, 4}, shape[] = {2, 2}, strides[] = {2, 1}, nse[] = {2}, one[] = {1};
  const int64_t index[] = {0, 1, 1, 2}, twice[] = {1, 1, 2, 2};
  const double values[] = {1, 2};
  const spw_tensor single = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                             .plain = {{SPW_INT64, 2, shape, strides, 0, 4}, NULL, index, NULL},
                             .values = {{SPW_FLOAT64, 1, nse, one, 0, 2}, values}};
  spw_tensor twofold = single;
  twofold.plain.i64 = twice;
  int64_t position[2], work[512];
  for (int which = 0; which < 2; which++) {
    const spw_tensor *const a = which ? &single : &twofold, *const b = which ? &twofold : &single;
    spw_first_difference first;
    spw_refusal refusal;
    size_t bytes = 0;
    cr_assert(spw_same_meaning_size(a, b, SPW_COMBINE_REFUSE, &bytes, NULL) == SPW_OK && bytes <= sizeof work);
    cr_assert(spw_same_meaning(a, b, SPW_COMBINE_REFUSE, false, work, bytes, position, 2, &first, &refusal) == SPW_ERANGE);
    cr_assert(refusal.obstacle == SPW_OBSTACLE_DUPLICATE && refusal.operand == which && refusal.lhs == 0 && refusal.rhs == 1);
  }
}

/* ---- What duplicates come to ------------------------------------------------------------------- */

/* Scalars, of whatever shape. */
static int64_t count_specified(const spw_tensor *t)
{
  int64_t count = 1;
  for (int64_t d = 0; d < t->values.array.ndim; d++) count *= t->values.array.shape[d];
  return count;
}

static bool has_positions(const spw_tensor *t)
{
  for (int64_t d = 0; d < t->ndim; d++)
    if (t->size[d] == 0) return false;
  return true;
}

/* Values that lie one behind the other, aligned; and some sparse dimension. */
static bool is_taken(const spw_tensor *t)
{
  const spw_array *const v = &t->values.array;
  const int64_t width = scalar_width(v->dtype), parts = v->dtype == SPW_COMPLEX64 || v->dtype == SPW_COMPLEX128 ? 2 : 1;
  int64_t step = 1;
  if (t->layout == SPW_COO && t->plain.array.shape[0] == 0) return false;
  if (count_specified(t) == 0) return true;
  for (int64_t d = v->ndim - 1; d >= 0; d--) {
    if (v->shape[d] != 1 && v->strides[d] != step) return false;
    step *= v->shape[d];
  }
  return (uintptr_t)t->values.data % (uintptr_t)(width / parts) == 0;
}

static int64_t summed[2], other_sums[2]; /* of COO, and of lines */

/* The certifier says of a result, and of one with another bit, what the second opinion does. */
static void certify_sum(const spw_tensor *a, const spw_tensor *c, spw_combine how, uint64_t seed)
{
  size_t bytes = 0;
  bool same = false;
  const bool refuse = how == SPW_COMBINE_REFUSE; /* none may be there twice */
  const spw_status status = spw_certify_coalesced_size(a, c, &bytes, NULL);
  cr_assert(status == SPW_OK, "seed %llu: status %d", (unsigned long long)seed, (int)status);
  char *const work = malloc(bytes + 16);
  memset(work, 0x5a, bytes + 16);
  if (bytes > 0) cr_assert(spw_certify_coalesced(a, c, how, work, bytes - 1, &same, NULL) == SPW_EINVAL);
  const spw_status told = spw_certify_coalesced(a, c, how, work, bytes, &same, NULL);
  for (int i = 0; i < 16; i++) cr_assert(work[bytes + (size_t)i] == 0x5a, "beyond the workspace");
  const bool taken = !has_positions(c) || (is_taken(a) && is_taken(c));
  cr_assert(told == (taken ? SPW_OK : SPW_EUNSUPPORTED), "seed %llu: told %d", (unsigned long long)seed, (int)told);
  if (told == SPW_OK) {
    const bool right = !has_positions(c) || ((!refuse || count_specified(a) == count_specified(c)) &&
                                             !meaning_difference(a, c, refuse ? SPW_COMBINE_FIRST : how, false));
    const int lines = a->layout != SPW_COO;
    cr_assert(same == right, "seed %llu, how %d: certified %d", (unsigned long long)seed, (int)how, (int)same);
    summed[lines] += same;
    other_sums[lines] += !same;
  }
  free(work);
}

static void certify_sums(const spw_tensor *a, const spw_tensor *c, uint64_t seed)
{
  for (int how = SPW_COMBINE_SUM; how <= SPW_COMBINE_REFUSE; how++) certify_sum(a, c, (spw_combine)how, seed);
}

static void put_in(const spw_index_array *x, int64_t at, int64_t index)
{
  if (x->array.dtype == SPW_INT64)
    ((int64_t *)(uintptr_t)x->i64)[at] = index;
  else
    ((int32_t *)(uintptr_t)x->i32)[at] = (int32_t)index;
}

/* Of one of two tensors a plain index is another, or two are exchanged, as far as it stays what a certifier takes: there is an
 * element less, one beyond, or another order of sums. */
static void certify_moved(const spw_tensor *a, const spw_tensor *c, bool of_a, spw_combine how, uint64_t seed, dice *d)
{
  const spw_tensor *const t = of_a ? a : c;
  const int64_t length = t->plain.array.length;
  bool valid = false;
  if (length == 0) return;
  const int64_t i = roll_below(d, length), j = roll_below(d, length);
  const int64_t at_i = spw_index_at(&t->plain, i), at_j = spw_index_at(&t->plain, j);
  put_in(&t->plain, i, roll_below(d, 2) ? at_j : roll_below(d, 6));
  put_in(&t->plain, j, roll_below(d, 2) ? at_j : at_i);
  const spw_level level = of_a && t->layout != SPW_COO ? SPW_STRUCTURE : SPW_CANONICAL;
  if (spw_is_valid(t, level, &valid) == SPW_OK && valid) certify_sum(a, c, how, seed);
  put_in(&t->plain, j, at_j);
  put_in(&t->plain, i, at_i);
}

/* What is proved of lists asks for rules 6.1 to 6.6, and of the second one for an order. */
static void expect_listed(const spw_tensor *t, bool canonical, uint64_t seed)
{
  spw_arena arena = {.base = NULL};
  spw_listed list;
  bool valid = false;
  if (t->layout == SPW_COO || !has_positions(t) || !is_taken(t)) return;
  spw_listed_size(t, &arena);
  char *const work = malloc((size_t)arena.used + 1);
  arena = (spw_arena){.base = work};
  cr_assert(spw_listed_make(t, &arena, &list), "seed %llu", (unsigned long long)seed);
  if (canonical) list.tensor.coalesced = SPW_CLAIM_YES;
  cr_assert(spw_is_valid(&list.tensor, SPW_CANONICAL, &valid) == SPW_OK && valid, "seed %llu", (unsigned long long)seed);
  cr_assert(count_specified(&list.tensor) == count_specified(t));
  free(work);
}

Test(same_meaning, random_sums)
{
  static operand o;
  for (uint64_t seed = 0; seed < 30000; seed++) {
    dice d = {seed};
    spw_owned *owned = NULL;
    operand_random_sparse(&o, seed % 4 == 0, &d);
    spw_conversion w = conversion_to(o.tensor.layout, 0, 0);
    w.canonicalize = true;
    w.duplicates = (spw_combine)roll_below(&d, 3);
    if (o.tensor.has_size && spw_convert_new(&o.tensor, &w, 0, &owned, NULL) == SPW_OK) {
      const spw_tensor *const c = spw_owned_tensor(owned);
      expect_listed(&o.tensor, false, seed);
      expect_listed(c, true, seed);
      certify_sums(&o.tensor, c, seed);
      for (int i = 0; i < 4; i++) certify_moved(&o.tensor, c, i % 2, w.duplicates, seed, &d);
      flip(c, &d);
      certify_sum(&o.tensor, c, w.duplicates, seed);
    }
    spw_owned_free(owned);
    operand_free(&o);
  }
  cr_assert(summed[0] > 3000 && other_sums[0] > 1000 && summed[1] > 3000 && other_sums[1] > 1000, "%lld, %lld, %lld, %lld",
            (long long)summed[0], (long long)other_sums[0], (long long)summed[1], (long long)other_sums[1]);
  expect_no_leaks();
}

/* Two elements at one position, in no order; what is asked wrongly is told. */
Test(same_meaning, sums_by_hand)
{
  enum { SUMMED = 2 * 2 * 8 + 2 };
  const int64_t size[] = {3, 4}, shape[] = {2, 3}, strides[] = {3, 1}, nse[] = {3}, one[] = {1}, fewer[] = {2, 2}, two[] = {2};
  const int64_t rows[] = {2, 0, 2, 1, 1, 1};
  int64_t ascending[] = {0, 2, 1, 1};
  const double values[] = {1, 4, 2}, sum[] = {4, 3}, first[] = {4, 1}, last[] = {4, 2};
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 6}, NULL, rows, NULL},
                        .values = {{SPW_FLOAT64, 1, nse, one, 0, 3}, values}};
  spw_tensor c = a;
  const int64_t line[] = {2, 1};
  c.plain = (spw_index_array){{SPW_INT64, 2, fewer, line, 0, 4}, NULL, ascending, NULL};
  c.values = (spw_value_array){{SPW_FLOAT64, 1, two, one, 0, 2}, sum};
  const double *const made_of[] = {sum, first, last};
  int64_t work[8];
  size_t bytes = 0;
  bool same = false;
  spw_refusal refusal;
  cr_assert(spw_certify_coalesced_size(&a, &c, &bytes, NULL) == SPW_OK && bytes == SUMMED && bytes <= sizeof work);
  for (int how = 0; how <= SPW_COMBINE_REFUSE; how++)
    for (int made = 0; made < 3; made++) {
      c.values.data = made_of[made];
      cr_assert(spw_certify_coalesced(&a, &c, (spw_combine)how, work, bytes, &same, NULL) == SPW_OK && same == (how == made));
    }
  cr_assert(spw_certify_coalesced(&c, &c, SPW_COMBINE_REFUSE, work, bytes, &same, NULL) == SPW_OK && same);
  cr_assert(spw_certify_coalesced(&a, &c, (spw_combine)4, work, bytes, &same, NULL) == SPW_EINVAL);
  cr_assert(spw_certify_coalesced(&a, &c, SPW_COMBINE_SUM, (char *)work + 1, bytes, &same, NULL) == SPW_EINVAL);
  cr_assert(spw_certify_coalesced(&a, &c, SPW_COMBINE_SUM, NULL, bytes, &same, NULL) == SPW_EINVAL);
  cr_assert(spw_certify_coalesced(&a, &c, SPW_COMBINE_SUM, work, bytes, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_certify_coalesced(NULL, &c, SPW_COMBINE_SUM, work, bytes, &same, NULL) == SPW_EINVAL);
  cr_assert(spw_certify_coalesced_size(&a, &c, NULL, NULL) == SPW_EINVAL);
  /* no element needs no workspace */
  spw_tensor none = a;
  const int64_t no[] = {2, 0};
  none.plain = (spw_index_array){{SPW_INT64, 2, no, line, 0, 0}, NULL, rows, NULL};
  none.values = (spw_value_array){{SPW_FLOAT64, 1, no + 1, one, 0, 0}, values};
  cr_assert(spw_certify_coalesced_size(&none, &none, &bytes, NULL) == SPW_OK && bytes == 0);
  cr_assert(spw_certify_coalesced(&none, &none, SPW_COMBINE_SUM, NULL, 0, &same, NULL) == SPW_OK && same);
  cr_assert(spw_certify_coalesced(&a, &none, SPW_COMBINE_SUM, NULL, 0, &same, NULL) == SPW_OK && !same);
  /* the other one is not in order */
  cr_assert(spw_certify_coalesced_size(&c, &a, &bytes, NULL) == SPW_OK && bytes <= sizeof work);
  cr_assert(spw_certify_coalesced(&c, &a, SPW_COMBINE_SUM, work, bytes, &same, NULL) == SPW_EUNSUPPORTED);
  /* the workspace lies on it */
  double own[8] = {4, 3};
  c.values.data = own;
  cr_assert(spw_certify_coalesced(&a, &c, SPW_COMBINE_SUM, own, sizeof own, &same, &refusal) == SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == 1 && own[0] == 4 && own[1] == 3);
  spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 1, two, one, 0, 2}, sum}};
  cr_assert(spw_certify_coalesced_size(&a, &dense, &bytes, NULL) == SPW_EUNSUPPORTED);
  ascending[0] = 7;
  cr_assert(spw_certify_coalesced(&a, &c, SPW_COMBINE_SUM, work, sizeof work, &same, &refusal) == SPW_EINVALID);
  cr_assert(refusal.other == 1 && refusal.violation.rule == SPW_RULE_6_6, "%lld, %d", (long long)refusal.other,
            (int)refusal.violation.rule);
}

/* CSR of one row, whose plain indices and values these are. */
typedef struct row {
  int64_t nse, compressed[2], compressed_shape, size[2], plain[4], step;
  float values[4];
  spw_tensor tensor;
} row;

static void make_row(row *r, int64_t nse, const int64_t *plain, const float *values)
{
  *r = (row){.nse = nse, .compressed = {0, nse}, .compressed_shape = 2, .size = {1, 4}, .step = 1};
  memcpy(r->plain, plain, (size_t)nse * sizeof *plain);
  memcpy(r->values, values, (size_t)nse * sizeof *values);
  r->tensor = (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = r->size, .coalesced = SPW_CLAIM_NONE,
                           .compressed = {{SPW_INT64, 1, &r->compressed_shape, &r->step, 0, 2}, NULL, r->compressed, NULL},
                           .plain = {{SPW_INT64, 1, &r->nse, &r->step, 0, nse}, NULL, r->plain, NULL},
                           .values = {{SPW_FLOAT32, 1, &r->nse, &r->step, 0, nse}, r->values}};
}

static int64_t work_of_rows[64];

/* 0 or 1: what the certifier says; else a status below 0. */
static int says(const row *a, const row *c, spw_combine how, spw_refusal *refusal)
{
  bool same = false;
  const spw_status status = spw_certify_coalesced(&a->tensor, &c->tensor, how, work_of_rows, sizeof work_of_rows, &same, refusal);
  return status == SPW_OK ? same : (int)status;
}

/* Sums depend on the order of storage, in which the lines of the first one may have their elements. */
Test(same_meaning, sums_of_lines_by_hand)
{
  enum { LISTS = (32 + 64) + (32 + 32), SUMS = 2 * 2 * 4 + 2 }; /* sizes and positions at multiples of 16 bytes */
  row a, other, sum, last, more, fewer, none;
  size_t bytes = 0;
  make_row(&a, 4, (int64_t[]){2, 0, 2, 2}, (float[]){1e8f, 5, 1, -1e8f});
  make_row(&other, 4, (int64_t[]){2, 0, 2, 2}, (float[]){1e8f, 5, -1e8f, 1});
  make_row(&sum, 2, (int64_t[]){0, 2}, (float[]){5, 0});
  make_row(&last, 2, (int64_t[]){0, 2}, (float[]){5, -1e8f});
  make_row(&more, 3, (int64_t[]){0, 2, 3}, (float[]){5, 0, 0});
  make_row(&fewer, 1, (int64_t[]){2}, (float[]){0});
  make_row(&none, 0, (int64_t[]){0}, (float[]){0});
  cr_assert(spw_certify_coalesced_size(&a.tensor, &sum.tensor, &bytes, NULL) == SPW_OK && bytes == LISTS + SUMS, "%zu", bytes);
  cr_assert(says(&a, &sum, SPW_COMBINE_SUM, NULL) == 1 && says(&other, &sum, SPW_COMBINE_SUM, NULL) == 0);
  cr_assert(says(&a, &sum, SPW_COMBINE_LAST, NULL) == 0 && says(&a, &last, SPW_COMBINE_LAST, NULL) == 1);
  cr_assert(says(&a, &sum, SPW_COMBINE_REFUSE, NULL) == 0 && says(&sum, &sum, SPW_COMBINE_REFUSE, NULL) == 1);
  cr_assert(says(&a, &more, SPW_COMBINE_SUM, NULL) == 0 && says(&a, &fewer, SPW_COMBINE_SUM, NULL) == 0);
  cr_assert(says(&none, &none, SPW_COMBINE_SUM, NULL) == 1 && says(&none, &fewer, SPW_COMBINE_SUM, NULL) == 0);
}

/* Of the lines of the first one no order is asked, of those of the second one it is. */
Test(same_meaning, lines_are_judged)
{
  row a, sum, beyond;
  spw_refusal refusal;
  size_t bytes = 0;
  bool same = false;
  make_row(&a, 2, (int64_t[]){2, 0}, (float[]){1, 5});
  make_row(&sum, 2, (int64_t[]){0, 2}, (float[]){5, 1});
  make_row(&beyond, 2, (int64_t[]){0, 4}, (float[]){5, 1});
  cr_assert(says(&a, &sum, SPW_COMBINE_SUM, &refusal) == 1);
  cr_assert(says(&sum, &a, SPW_COMBINE_SUM, &refusal) == SPW_EINVALID);
  cr_assert(refusal.other == 1 && refusal.violation.rule == SPW_RULE_5_6);
  cr_assert(says(&beyond, &sum, SPW_COMBINE_SUM, &refusal) == SPW_EINVALID);
  cr_assert(refusal.other == 0 && refusal.violation.rule == SPW_RULE_5_5);
  cr_assert(spw_certify_coalesced_unchecked(&sum.tensor, &a.tensor, SPW_COMBINE_SUM, work_of_rows, sizeof work_of_rows, &same,
                                            NULL) == SPW_EUNSUPPORTED, "an order that is promised is looked at");
  cr_assert(spw_certify_coalesced(&a.tensor, &sum.tensor, SPW_COMBINE_SUM, sum.values, 256, &same, &refusal) == SPW_ERANGE);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == 1);
  sum.size[1] = 5;
  cr_assert(says(&a, &sum, SPW_COMBINE_SUM, NULL) == 0);
  sum.size[1] = 4;
  a.step = 0; /* values that do not lie one behind the other */
  a.tensor.plain.array.strides = sum.tensor.plain.array.strides;
  a.tensor.compressed.array.strides = sum.tensor.plain.array.strides;
  cr_assert(says(&a, &sum, SPW_COMBINE_SUM, NULL) == SPW_EUNSUPPORTED);
  sum.tensor.layout = SPW_CSC;
  sum.size[0] = 4, sum.size[1] = 1;
  cr_assert(spw_certify_coalesced_size(&a.tensor, &sum.tensor, &bytes, NULL) == SPW_EUNSUPPORTED);
}

/* BSR of 2x2 scalars, in blocks that fill it. */
typedef struct quad {
  int64_t compressed[3], plain[4], lines, nse, shape[3], strides[3];
  spw_tensor tensor;
} quad;

static void make_quad(quad *q, int64_t rows, int64_t columns)
{
  static const int64_t size[] = {2, 2}, step[] = {1};
  static const double values[] = {1, 2, 3, 4};
  *q = (quad){.lines = 2 / rows + 1, .nse = 4 / (rows * columns), .shape = {4 / (rows * columns), rows, columns},
              .strides = {rows * columns, columns, 1}};
  for (int64_t i = 0; i < q->lines; i++) q->compressed[i] = i * (2 / columns);
  for (int64_t k = 0; k < q->nse; k++) q->plain[k] = k % (2 / columns);
  q->tensor = (spw_tensor){.layout = SPW_BSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                           .compressed = {{SPW_INT64, 1, &q->lines, step, 0, q->lines}, NULL, q->compressed, NULL},
                           .plain = {{SPW_INT64, 1, &q->nse, step, 0, q->nse}, NULL, q->plain, NULL},
                           .values = {{SPW_FLOAT64, 3, q->shape, q->strides, 0, 4}, values}};
}

/* Blocks that are cut otherwise are no elements of the other one. */
Test(same_meaning, other_blocks_are_not_listed)
{
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) {
      quad x, y;
      size_t bytes = 0;
      bool same = false;
      make_quad(&x, 1 + a % 2, 1 + a / 2);
      make_quad(&y, 1 + b % 2, 1 + b / 2);
      const spw_status status = spw_certify_coalesced_size(&x.tensor, &y.tensor, &bytes, NULL);
      cr_assert(status == (a == b ? SPW_OK : SPW_EUNSUPPORTED) && bytes <= sizeof work_of_rows, "%d, %d: %d", a, b, (int)status);
      if (a != b) continue;
      cr_assert(spw_certify_coalesced(&x.tensor, &y.tensor, SPW_COMBINE_SUM, work_of_rows, bytes, &same, NULL) == SPW_OK && same);
    }
}

/* More elements than an int32 numbers, over all batches: of these batches one after the other is the same one. */
Test(same_meaning, lists_too_long_for_their_type)
{
  const int64_t batches = (int64_t)1 << 31, size[] = {batches, 1, 1}, shape[] = {batches, 2}, strides[] = {0, 1},
                plain_shape[] = {batches, 1}, in_order[] = {1, 1};
  const int32_t compressed[] = {0, 1}, plain[] = {0};
  const int8_t value = 1;
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT32, 2, shape, strides, 0, 2}, compressed, NULL, NULL},
                        .plain = {{SPW_INT32, 2, plain_shape, strides, 0, 1}, plain, NULL, NULL},
                        .values = {{SPW_INT8, 2, plain_shape, in_order, 0, batches}, &value}}; /* which nobody reads */
  int64_t work[8] = {0};
  spw_arena arena = {.base = (char *)work}, nowhere = {.base = NULL};
  spw_listed list;
  spw_listed_size(&t, &nowhere);
  cr_assert(nowhere.used == 32 + 3 * 4 * batches, "%lld", (long long)nowhere.used);
  cr_assert(!spw_listed_make(&t, &arena, &list));
  for (int i = 4; i < 8; i++) cr_assert(work[i] == 0, "no index is written");
}

/* Batches without an element are not gone through. */
Test(same_meaning, many_batches_of_nothing)
{
  const int64_t batches = (int64_t)1 << 40, size[] = {batches, 1, 1}, shape[] = {batches, 2}, strides[] = {0, 1},
                none[] = {batches, 0}, compressed[] = {0, 0};
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 2, shape, strides, 0, 2}, NULL, compressed, NULL},
                        .plain = {{SPW_INT64, 2, none, strides, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_INT8, 2, none, strides, 0, 0}, NULL}};
  int64_t work[8];
  size_t bytes = 0;
  bool same = false;
  cr_assert(spw_certify_coalesced_size(&t, &t, &bytes, NULL) == SPW_OK && bytes == sizeof work);
  cr_assert(spw_certify_coalesced(&t, &t, SPW_COMBINE_SUM, work, bytes, &same, NULL) == SPW_OK && same);
}
