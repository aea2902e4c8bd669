/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions against a second opinion (meaning.h): all small tensors, many random ones, and what must be
 * refused; with fences around every buffer, which are exactly as long as the room says. */
#include "../attempts/fenced.h"
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../expected/oracle.h"
#include "../expected/scalar.h"

#include "../../fuzz/inputs/values.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define fail(...) cr_assert(false, __VA_ARGS__)

enum { LAYOUTS = 6 };

/* Converts; fails unless all is as expected. Free the attempt. */
static void convert(const spw_tensor *tensor, const spw_conversion *wanted, attempt *a, const char *what, uint64_t number)
{
  const char *wrong = attempt_conversion(tensor, wanted, a);
  if (wrong)
    fail("%s %llu: layout %d %s: %s", what, (unsigned long long)number, (int)tensor->layout, conversion_text(wanted),
         wrong);
}

/* ---- The second opinion itself --------------------------------------------------------------- */

static double value_of_half(uint64_t bits, int fraction)
{
  const int exponents = 15 - fraction, bias = (1 << (exponents - 1)) - 1;
  const int exponent = (int)(bits >> fraction & ((1u << exponents) - 1));
  double value = (double)(bits & ((1u << fraction) - 1)) + (exponent ? 1 << fraction : 0);
  for (int i = (exponent ? exponent : 1) - bias - fraction; i != 0; i += i < 0 ? 1 : -1) value = i < 0 ? value / 2 : value * 2;
  return bits >> 15 & 1 ? -value : value;
}

static double distance(double a, double b)
{
  return a < b ? b - a : a - b;
}

/* No finite number of the type is nearer to the exact sum, and of two as near the sum is the even one. */
static void expect_nearest(spw_dtype dtype, uint16_t a, uint16_t b)
{
  const int fraction = dtype == SPW_FLOAT16 ? 10 : 7;
  const uint64_t infinity = dtype == SPW_FLOAT16 ? 0x7c00 : 0x7f80;
  const double exact = value_of_half(a, fraction) + value_of_half(b, fraction);
  uint16_t sum = a;
  scalar_add(dtype, &sum, &b);
  const double got = value_of_half(sum, fraction); /* infinity stands for the next power of two */
  for (uint64_t bits = 0; bits < 65536; bits++) {
    if ((bits & 0x7fff) > infinity) continue;
    const double other = value_of_half(bits, fraction), near = distance(other, exact), ours = distance(got, exact);
    if (near < ours || (near == ours && other != got && (sum & 1)))
      fail("%x + %x is not %x: %llx", a, b, sum, (unsigned long long)bits);
  }
}

Test(convert, second_opinion_adds)
{
  dice d = {1};
  for (int i = 0; i < 300; i++) {
    const spw_dtype dtype = i % 2 ? SPW_FLOAT16 : SPW_BFLOAT16;
    const int64_t finite = i % 2 ? 0x7c00 : 0x7f80;
    uint16_t a = (uint16_t)(roll_below(&d, finite) | (roll_below(&d, 2) << 15));
    uint16_t b = (uint16_t)(roll_below(&d, finite) | (roll_below(&d, 2) << 15));
    if (i % 3 == 0) b = (uint16_t)((a ^ 0x8000) + roll_below(&d, 9) - 4);
    if (i % 3 == 1) b = (uint16_t)(a + 40 - roll_below(&d, 80));
    if ((a & 0x7fff) < finite && (b & 0x7fff) < finite) expect_nearest(dtype, a, b);
  }
  for (int i = 0; i < 300000; i++) {
    uint32_t a = (uint32_t)roll(&d), b = i % 2 ? a + (uint32_t)roll_below(&d, 1 << 25) - (1 << 24) : (uint32_t)roll(&d);
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    const float sum = x + y;
    scalar_add(SPW_FLOAT32, &x, &y);
    if (!scalar_same(SPW_FLOAT32, &x, &sum, true)) fail("%x + %x", a, b);
  }
  uint8_t byte = 200, next = 100;
  scalar_add(SPW_UINT8, &byte, &next);
  cr_assert(byte == 44);
  byte = 2;
  next = 1;
  scalar_add(SPW_BOOL, &byte, &next);
  cr_assert(byte == 1);
}

/* The expected results are canonical, and mean what the tensor means. */
Test(convert, second_opinion_agrees_with_itself)
{
  static operand o;
  int64_t results = 0, compared = 0;
  for (uint64_t seed = 0; seed < 6000; seed++) {
    dice d = {seed};
    expected e;
    spw_report report;
    operand_random(&o, true, &d);
    spw_conversion w = conversion_random(&o.tensor, &d);
    if (o.tensor.layout == SPW_DENSE && w.layout != SPW_DENSE) w.bits = true;
    expected_conversion(&o.tensor, &w, &e);
    if (e.has_result) {
      results++;
      if (w.layout != SPW_DENSE && (!oracle_check(&e.result, SPW_CANONICAL, &report) || !report.valid))
        fail("seed %llu: %s: the result breaks rule %d", (unsigned long long)seed, conversion_text(&w),
             (int)oracle_first_violation(&report).rule);
      const bool same_split = o.tensor.layout != SPW_DENSE || w.layout != SPW_DENSE;
      if (same_split && !w.prune) {
        const bool to_blocks = (w.layout == SPW_BSR || w.layout == SPW_BSC) && o.tensor.layout != SPW_DENSE;
        const bool dense = to_blocks || o.tensor.layout == SPW_DENSE || w.layout == SPW_DENSE;
        const char *wrong = meaning_difference(&o.tensor, &e.result, w.duplicates, dense);
        if (wrong) fail("seed %llu: %s: %s", (unsigned long long)seed, conversion_text(&w), wrong);
        compared++;
      }
    }
    expected_free(&e);
    operand_free(&o);
  }
  cr_assert(results > 3000 && compared > 2000, "%lld, %lld", (long long)results, (long long)compared);
}

/* ---- All small tensors ----------------------------------------------------------------------- */

static const float small_values[] = {0.0f, 1.0f, -0.0f, 0.0f};

static float small_value(int64_t which)
{
  const uint32_t nan = 0xffc01234;
  float value = small_values[which];
  if (which == 3) memcpy(&value, &nan, sizeof value);
  return value;
}

/* The same index arrays and values, byte by byte. */
static bool same_arrays(const spw_tensor *a, const spw_tensor *b)
{
  const size_t index = a->plain.array.dtype == SPW_INT32 ? 4 : 8;
  const int64_t lengths[] = {a->layout == SPW_COO ? 0 : a->compressed.array.length, a->plain.array.length};
  if (a->layout != b->layout || a->plain.array.dtype != b->plain.array.dtype) return false;
  if (b->plain.array.length != lengths[1] || b->values.array.length != a->values.array.length) return false;
  for (int which = 0; which < 2; which++) {
    const spw_index_array *x = which ? &a->plain : &a->compressed, *y = which ? &b->plain : &b->compressed;
    const void *one = index == 4 ? (const void *)x->i32 : x->i64, *two = index == 4 ? (const void *)y->i32 : y->i64;
    if (lengths[which] > 0 && memcmp(one, two, (size_t)lengths[which] * index) != 0) return false;
  }
  const size_t bytes = (size_t)(a->values.array.length * spw_dtype_size(a->values.array.dtype));
  return bytes == 0 || memcmp(a->values.data, b->values.data, bytes) == 0;
}

typedef void on_conversion(const spw_conversion *wanted, void *context);

/* Every layout, with every block size that divides. */
static void for_each_conversion(int64_t rows, int64_t columns, on_conversion *body, void *context)
{
  for (int layout = 0; layout < LAYOUTS; layout++) {
    spw_conversion w = conversion_to((spw_layout)layout, 0, 0);
    if (layout != SPW_BSR && layout != SPW_BSC) {
      body(&w, context);
      continue;
    }
    for (w.block_rows = 1; w.block_rows <= 3; w.block_rows++)
      for (w.block_columns = 1; w.block_columns <= 3; w.block_columns++)
        if (rows % w.block_rows == 0 && columns % w.block_columns == 0) body(&w, context);
  }
}

/* A tensor that all conversions start from, and the one between. */
typedef struct tour {
  int64_t rows, columns;
  const spw_tensor *from, *between;
  spw_conversion to_between;
  uint64_t number;
  int64_t returned;
} tour;

static void come_back(tour *t, const attempt *there)
{
  attempt back;
  spw_conversion w = t->to_between;
  w.bits = true; /* from dense, which must not lose -0.0 */
  convert(&there->result, &w, &back, "back", t->number);
  cr_assert(back.has_result);
  const bool keeps = there->result.layout != SPW_DENSE;
  if (keeps && !same_arrays(t->between, &back.result)) fail("tensor %llu: not what it was", (unsigned long long)t->number);
  t->returned++;
  attempt_free(&back);
}

static void go_there(const spw_conversion *wanted, void *context)
{
  tour *t = context;
  attempt there;
  convert(t->between, wanted, &there, "tensor", t->number);
  cr_assert(there.has_result);
  const bool larger = wanted->block_rows * wanted->block_columns > 1; /* spec may grow */
  if (!larger) come_back(t, &there);
  attempt_free(&there);
}

static void start(const spw_conversion *wanted, void *context)
{
  tour *t = context;
  attempt a;
  convert(t->from, wanted, &a, "start", t->number);
  cr_assert(a.has_result);
  if (wanted->layout != SPW_DENSE) {
    t->between = &a.result;
    t->to_between = *wanted;
    for_each_conversion(t->rows, t->columns, go_there, t);
  }
  attempt_free(&a);
}

/* A COO matrix with the cells of a pattern, sorted; values by `code`, two bits each. */
typedef struct small_matrix {
  int64_t size[2], shape[2], strides[2], nse, one, indices[18];
  float values[9];
  spw_tensor tensor;
} small_matrix;

static void make_small(small_matrix *m, int64_t rows, int64_t columns, unsigned pattern, uint64_t code)
{
  *m = (small_matrix){.size = {rows, columns}, .one = 1};
  for (int64_t i = 0; i < rows * columns; i++)
    if (pattern >> i & 1) m->values[m->nse++] = small_value((int64_t)(code >> (2 * i) & 3));
  int64_t k = 0;
  for (int64_t i = 0; i < rows * columns; i++)
    if (pattern >> i & 1) {
      m->indices[k] = i / columns;
      m->indices[m->nse + k++] = i % columns;
    }
  m->shape[0] = 2;
  m->shape[1] = m->strides[0] = m->nse;
  m->strides[1] = 1;
  m->tensor = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 2, .size = m->size, .coalesced = SPW_CLAIM_YES};
  m->tensor.plain = (spw_index_array){{SPW_INT64, 2, m->shape, m->strides, 0, 2 * m->nse}, NULL, m->indices, m->indices};
  m->tensor.values = (spw_value_array){{SPW_FLOAT32, 1, &m->nse, &m->one, 0, m->nse}, m->values};
}

/* Every pattern, and so every explicit zero, in every layout and block, to every other and back. */
Test(convert, all_patterns_all_pairs, .timeout = 120)
{
  static small_matrix m;
  tour t = {.number = 0};
  for (t.rows = 0; t.rows <= 3; t.rows++)
    for (t.columns = 0; t.columns <= 3; t.columns++)
      for (unsigned pattern = 0; pattern < 1u << (t.rows * t.columns); pattern++) {
        if (t.rows * t.columns == 9 && SANITIZED && pattern % 7 != 0) continue;
        make_small(&m, t.rows, t.columns, pattern, 0x1e4b1e4bu * (pattern + 1));
        t.number = pattern;
        t.from = &m.tensor;
        for_each_conversion(t.rows, t.columns, start, &t);
      }
  cr_assert(t.returned > 10000, "%lld", (long long)t.returned);
}

static void from_dense(const spw_conversion *wanted, void *context)
{
  tour *t = context;
  for (int bits = 0; bits < 2; bits++)
    for (int prune = 0; prune < 2; prune++) {
      attempt there, back;
      spw_conversion w = *wanted;
      const spw_conversion to_dense = conversion_to(SPW_DENSE, 0, 0);
      w.bits = bits;
      w.prune = prune;
      convert(t->from, &w, &there, "dense", t->number);
      cr_assert(there.has_result);
      convert(&there.result, &to_dense, &back, "sparse", t->number);
      cr_assert(back.has_result);
      const int64_t bytes = t->rows * t->columns * 4;
      if (bits && !prune && bytes && memcmp(back.result.values.data, t->from->values.data, (size_t)bytes) != 0)
        fail("dense array %llu comes back as another", (unsigned long long)t->number);
      t->returned++;
      attempt_free(&there);
      attempt_free(&back);
    }
}

/* Every array of 0, 1, -0.0 and NaN up to 2 x 2, and a part of the larger ones. */
Test(convert, all_arrays, .timeout = 120)
{
  static operand o;
  tour t = {.from = &o.tensor};
  for (t.rows = 0; t.rows <= 3; t.rows++)
    for (t.columns = 0; t.columns <= 3; t.columns++) {
      const int64_t count = t.rows * t.columns;
      const uint64_t step = count == 9 ? 61 * (SANITIZED ? 8 : 2) : count == 6 ? (SANITIZED ? 19 : 3) : 1;
      operand_dense(&o, SPW_FLOAT32, 2, (const int64_t[]){t.rows, t.columns});
      for (t.number = 0; t.number < (uint64_t)1 << (2 * count); t.number += step) {
        for (int64_t i = 0; i < count; i++) ((float *)o.values)[i] = small_value((int64_t)(t.number >> (2 * i) & 3));
        for_each_conversion(t.rows, t.columns, from_dense, &t);
      }
      operand_free(&o);
    }
  cr_assert(t.returned > 10000, "%lld", (long long)t.returned);
}

/* Two batches of blocks up to 2 x 9, of which some are not there, as many in both: dense arrays become them, and come back. */
Test(convert, wide_blocks)
{
  enum { DOWN = 3, ACROSS = 4, BLOCKS = DOWN * ACROSS };
  static operand o;
  dice d = {17};
  for (int64_t which = 0; which < 2 * 2 * 2 * 2 * 9; which++) {
    const int64_t height = 1 + which % 2, width = 1 + which / 16, rows = DOWN * height, columns = ACROSS * width;
    const spw_dtype dtype = which / 2 % 2 ? SPW_FLOAT32 : SPW_FLOAT64;
    const int64_t scalar = spw_dtype_size(dtype), area = rows * columns * scalar;
    const spw_conversion to_dense = conversion_to(SPW_DENSE, 0, 0);
    spw_conversion w = conversion_to(which / 4 % 2 ? SPW_BSR : SPW_BSC, height, width);
    attempt there, back;
    w.index_dtype = which / 8 % 2 ? SPW_INT32 : SPW_INT64;
    operand_dense(&o, dtype, 3, (const int64_t[]){2, rows, columns});
    for (int64_t k = 0; k < 2 * area; k++) ((char *)o.values)[k] = (char)(1 + roll_below(&d, 63));
    for (int64_t k = 0; k < BLOCKS; k++) {
      const int64_t cleared = roll_below(&d, 2) ? height : 0;
      for (int64_t b = 0; b < 2; b++) { /* in the second batch the next one */
        const int64_t own = (k + b) % BLOCKS;
        char *const block = (char *)o.values + b * area + (own / ACROSS * height * columns + own % ACROSS * width) * scalar;
        for (int64_t r = 0; r < cleared; r++) memset(block + r * columns * scalar, 0, (size_t)(width * scalar));
      }
    }
    convert(&o.tensor, &w, &there, "blocks", (uint64_t)which);
    cr_assert(there.has_result);
    convert(&there.result, &to_dense, &back, "dense", (uint64_t)which);
    cr_assert(back.has_result && memcmp(back.result.values.data, o.values, (size_t)(2 * area)) == 0);
    attempt_free(&there);
    attempt_free(&back);
    operand_free(&o);
  }
}

/* Each position of 2 x 2 is unspecified, or holds any of the four values, each in two cells or one. */
Test(convert, all_duplicates)
{
  static small_matrix m;
  int64_t tried = 0;
  for (uint64_t code = 0; code < 65536; code += SANITIZED ? 7 : 1) {
    attempt a;
    /* four cells, of which each takes two bits of position and two of value */
    make_small(&m, 2, 2, 15, code >> 8);
    m.tensor.coalesced = code % 3 ? SPW_CLAIM_NO : SPW_CLAIM_NONE;
    for (int k = 0; k < 4; k++) {
      m.indices[k] = code >> (2 * k) & 1;
      m.indices[4 + k] = code >> (2 * k + 1) & 1;
    }
    spw_conversion w = conversion_to((spw_layout)(code % LAYOUTS), 1 + (int64_t)(code / 6 % 2), 1 + (int64_t)(code / 12 % 2));
    if (w.layout != SPW_BSR && w.layout != SPW_BSC) w.block_rows = w.block_columns = 0;
    w.duplicates = (spw_combine)(code / 24 % 4);
    w.prune = code / 96 % 2;
    convert(&m.tensor, &w, &a, "code", code);
    tried += a.spelled_out;
    attempt_free(&a);
  }
  cr_assert(tried > 9000);
}

/* ---- Random tensors -------------------------------------------------------------------------- */

typedef struct tally {
  int64_t attempts, results, refusals, invalid, by_pair[LAYOUTS][LAYOUTS], obstacles[SPW_OBSTACLE_DUPLICATE + 1];
} tally;

static void count(tally *t, const spw_tensor *from, const spw_conversion *w, const attempt *a)
{
  t->attempts += a->spelled_out;
  t->results += a->has_result;
  t->invalid += a->status == SPW_EINVALID;
  if (a->has_result) t->by_pair[from->layout][w->layout]++;
  if (a->status == SPW_ERANGE) t->refusals++;
  if (a->status == SPW_ERANGE) t->obstacles[a->refusal.obstacle]++;
}

Test(convert, random_conversions, .timeout = 120)
{
  static operand o;
  static tally t;
  const uint64_t seeds = SANITIZED ? 4000 : 20000;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    attempt a;
    operand_random(&o, seed % 5 != 0, &d);
    spw_conversion w = conversion_random(&o.tensor, &d);
    if (seed % 5 == 0) w.canonicalize = roll_below(&d, 4) > 0;
    convert(&o.tensor, &w, &a, "seed", seed);
    count(&t, &o.tensor, &w, &a);
    attempt_free(&a);
    operand_free(&o);
  }
  cr_assert(t.attempts > (int64_t)seeds * 9 / 10, "%lld", (long long)t.attempts);
  cr_assert(t.results > (int64_t)seeds / 2 && t.refusals > (int64_t)seeds / 20 && t.invalid > (int64_t)seeds / 200,
            "%lld %lld %lld", (long long)t.results, (long long)t.refusals, (long long)t.invalid);
  for (int from = 0; from < LAYOUTS; from++)
    for (int to = 0; to < LAYOUTS; to++)
      cr_assert(t.by_pair[from][to] > 10, "%d to %d: %lld", from, to, (long long)t.by_pair[from][to]);
  const spw_obstacle met[] = {SPW_OBSTACLE_DIMENSIONS, SPW_OBSTACLE_BLOCKS, SPW_OBSTACLE_BATCHES, SPW_OBSTACLE_DUPLICATE};
  for (int i = 0; i < 4; i++) cr_assert(t.obstacles[met[i]] > 10, "obstacle %d", (int)met[i]);
}

/* What comes out of one conversion goes into the next; where no step loses anything, the end means what the
 * beginning meant. */
Test(convert, random_chains, .timeout = 120)
{
  static operand o;
  int64_t long_chains = 0;
  for (uint64_t seed = 0; seed < (SANITIZED ? 600 : 3000); seed++) {
    dice d = {seed + 1000000};
    attempt steps[4];
    int made = 0;
    bool exact = true, dense = false;
    operand_random(&o, true, &d);
    const spw_tensor *from = &o.tensor;
    while (made < 4) {
      spw_conversion w = conversion_random(from, &d);
      w.prune = false;
      w.bits = true;
      w.dense_dims = -1;
      w.duplicates = SPW_COMBINE_SUM;
      convert(from, &w, &steps[made], "chain", seed);
      if (!steps[made++].has_result) break;
      exact = exact && from->layout != SPW_DENSE && w.layout != SPW_DENSE;
      dense = dense || is_blocked(w.layout) || is_blocked(from->layout); /* which also specify zeros */
      from = &steps[made - 1].result;
      if (exact && o.tensor.layout != SPW_DENSE) {
        const char *wrong = meaning_difference(&o.tensor, from, SPW_COMBINE_SUM, dense);
        if (wrong) fail("chain %llu, step %d: %s", (unsigned long long)seed, made, wrong);
      }
    }
    long_chains += made == 4;
    for (int i = 0; i < made; i++) attempt_free(&steps[i]);
    operand_free(&o);
  }
  cr_assert(long_chains > 100, "%lld", (long long)long_chains);
}
