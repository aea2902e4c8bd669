/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise calls that are wrong, refused, or at the ends of ranges: statuses with their numbers, and nothing written; and
 * values that a sum may treat as none. */
#include "../../src/sparsewright.h"
#include "../attempts/fenced.h"
#include "../expected/united.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t ones[] = {1, 1, 1, 1}, three[] = {3}, size_2_3[] = {2, 3};

typedef struct small {
  int64_t c[3], p[3], size[2];
  double v[3];
} small;

/* 2 x 3, CSR: [1 0 2; 0 3 0]. */
static spw_tensor csr_of(small *s)
{
  const small fresh = {{0, 2, 3}, {0, 2, 1}, {2, 3}, {1, 2, 3}};
  *s = fresh;
  return (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = s->size, .coalesced = SPW_CLAIM_NONE,
                      .compressed = {{SPW_INT64, 1, three, ones, 0, 3}, NULL, s->c, s->c},
                      .plain = {{SPW_INT64, 1, three, ones, 0, 3}, NULL, s->p, s->p},
                      .values = {{SPW_FLOAT64, 1, three, ones, 0, 3}, s->v}};
}

static spw_tensor vector_of(const int64_t *size, const int64_t *nse, const int64_t *shape, const int64_t *indices,
                            spw_dtype dtype, const void *values)
{
  return (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 1, .size = size, .coalesced = SPW_CLAIM_YES,
                      .plain = {{SPW_INT64, 2, shape, shape, 0, nse[0]}, NULL, indices, NULL},
                      .values = {{dtype, 1, nse, ones, 0, nse[0]}, values}};
}

/* ---- Values --------------------------------------------------------------------------------------- */

/* One element each at positions 0 (a only), 1 (both) and 2 (b only); *out has the three values. */
static void combine(spw_dtype dtype, const void *a, const void *b, spw_elementwise_kind kind, const void *scalar, void *out)
{
  const int64_t size[] = {3}, nse[] = {2}, left[] = {0, 1}, right[] = {1, 2}, shape[] = {1, 2}, strides[] = {2, 1};
  spw_tensor x = vector_of(size, nse, shape, left, dtype, a), y = vector_of(size, nse, shape, right, dtype, b);
  x.plain.array.strides = y.plain.array.strides = strides;
  const spw_elementwise_request w = {.kind = kind, .scalar = scalar};
  spw_owned *made = NULL;
  cr_assert_eq(spw_elementwise_new(&x, &y, &w, 0, &made, NULL), SPW_OK);
  cr_assert_eq(spw_owned_tensor(made)->values.array.length, 3);
  memcpy(out, spw_owned_tensor(made)->values.data, (size_t)(3 * spw_dtype_size(dtype)));
  spw_owned_free(made);
}

/* -0.0 that one operand alone has stays: no +0 is added to it. */
Test(elementwise_calls, minus_zero)
{
  const double a[] = {-0.0, -0.0}, b[] = {-0.0, -0.0}, none = -0.0, one = 1;
  double out[3];
  combine(SPW_FLOAT64, a, b, SPW_PLUS, NULL, out);
  for (int i = 0; i < 3; i++) cr_assert(out[i] == 0 && signbit(out[i]), "%d", i);
  combine(SPW_FLOAT64, a, b, SPW_PLUS, &one, out);
  for (int i = 0; i < 3; i++) cr_assert(out[i] == 0 && signbit(out[i]), "%d", i);
  combine(SPW_FLOAT64, a, b, SPW_MINUS, NULL, out);
  cr_assert(signbit(out[0]) && !signbit(out[1]) && !signbit(out[2]));
  combine(SPW_FLOAT64, a, b, SPW_PLUS, &none, out); /* -0 * -0 */
  cr_assert(signbit(out[0]) && !signbit(out[1]) && !signbit(out[2]));
}

static void expect_room(const spw_tensor *a, spw_elementwise_kind kind, bool upper_bound, int64_t nse)
{
  const spw_elementwise_request w = {.kind = kind, .upper_bound = upper_bound};
  spw_room room;
  cr_assert_eq(spw_elementwise_size(a, a, &w, &room, NULL), SPW_OK);
  cr_assert(room.nse == nse && room.plain == nse && room.values == nse && room.compressed == 3, "%d", (int)kind);
}

/* A tensor with itself has all in common: the bound does not know that. */
Test(elementwise_calls, upper_bound)
{
  small s;
  const spw_tensor a = csr_of(&s);
  const spw_elementwise_kind kinds[] = {SPW_PLUS, SPW_MINUS, SPW_TIMES};
  for (int i = 0; i < 3; i++) {
    expect_room(&a, kinds[i], false, 3);
    expect_room(&a, kinds[i], true, kinds[i] == SPW_TIMES ? 3 : 6);
    const spw_elementwise_request w = {.kind = kinds[i], .upper_bound = true};
    spw_owned *made = NULL;
    cr_assert_eq(spw_elementwise_new(&a, &a, &w, 0, &made, NULL), SPW_OK);
    const spw_tensor *const t = spw_owned_tensor(made);
    cr_assert(t->plain.array.length == 3 && t->values.array.length == 3 && t->compressed.array.length == 3);
    spw_owned_free(made);
  }
}

/* What lies beside the indices of an operand may be a buffer. */
Test(elementwise_calls, buffer_in_the_storage_of_an_operand)
{
  const int64_t size[] = {4, 4}, shape[] = {2, 3}, strides[] = {3, 1}, sum[] = {0, 1, 2, 1, 2, 3};
  int64_t pool[32] = {0}, dims[16];
  const double v[] = {1, 2, 3};
  double twice[3];
  _Alignas(16) char work[1 << 16];
  memcpy(pool + 20, sum, sizeof sum);
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape, strides, 20, 32}, NULL, pool, pool},
                        .values = {{SPW_FLOAT64, 1, three, ones, 0, 3}, v}};
  const spw_elementwise_request w = {.kind = SPW_PLUS};
  spw_room room;
  cr_assert_eq(spw_elementwise_size(&a, &a, &w, &room, NULL), SPW_OK);
  cr_assert(room.work <= sizeof work && room.dims <= 16);
  const spw_buffers b = {.dims = dims, .plain_i64 = pool + 14, .values = twice, .work = work, .room = room};
  spw_tensor made;
  cr_assert_eq(spw_elementwise(&a, &a, &w, &b, &made, NULL), SPW_OK);
  cr_assert(memcmp(pool + 14, sum, sizeof sum) == 0 && memcmp(pool + 20, sum, sizeof sum) == 0);
  for (int i = 0; i < 3; i++) cr_assert(twice[i] == 2 * v[i], "%d", i);
}

/* Without a scalar, a NaN that one operand alone has keeps its payload, even if it is signalling. */
Test(elementwise_calls, payloads)
{
  const uint64_t a[] = {0x7ff4000000001234, 0}, b[] = {0, 0xfff0000000000077};
  uint64_t out[3];
  combine(SPW_FLOAT64, a, b, SPW_PLUS, NULL, out);
  cr_assert(out[0] == a[0] && out[1] == 0 && out[2] == b[1]);
  combine(SPW_FLOAT64, a, b, SPW_MINUS, NULL, out);
  cr_assert(out[0] == a[0] && out[2] == (b[1] ^ (uint64_t)1 << 63));
}

/* Infinite parts of a complex number: 1 * b is not b, and without a scalar nothing is multiplied. */
Test(elementwise_calls, complex_infinities)
{
  const double a[] = {1, 2, 3, 4}, b[] = {INFINITY, 5, 6, INFINITY}, one[] = {1, 0};
  double out[6];
  combine(SPW_COMPLEX128, a, b, SPW_PLUS, NULL, out);
  cr_assert(out[2] == INFINITY && out[3] == 9 && out[4] == 6 && out[5] == INFINITY);
  combine(SPW_COMPLEX128, a, b, SPW_PLUS, one, out);
  cr_assert(out[2] == INFINITY && isnan(out[3]) && isnan(out[4]) && out[5] == INFINITY);
}

/* 1 ulp: one rounding of the product, one of the sum. */
Test(elementwise_calls, two_roundings)
{
  const double ulp = 0x1p-52, scalar = 1 + ulp;
  const double a[] = {0, -(1 + 2 * ulp)}, b[] = {1 + ulp, 0};
  double out[3];
  combine(SPW_FLOAT64, a, b, SPW_PLUS, &scalar, out);
  cr_assert_eq(out[1], 0, "%a", out[1]); /* fused: 2^-104 */
}

/* float16: 2048 + 1 * 1 and 2048 + 3 * 0.5 are rounded once, at the end. */
Test(elementwise_calls, halves)
{
  const uint16_t big = 0x6800, one = 0x3c00, half = 0x3800, treble = 0x4200, huge = 0x7bff;
  const uint16_t a[] = {big, big}, b[] = {one, one}, c[] = {half, half}, most[] = {huge, huge};
  uint16_t out[3];
  combine(SPW_FLOAT16, a, b, SPW_PLUS, NULL, out);
  cr_assert(out[0] == big && out[1] == big && out[2] == one); /* a tie, to even */
  combine(SPW_FLOAT16, a, c, SPW_PLUS, &treble, out);
  cr_assert(out[1] == 0x6801 && out[2] == 0x3e00, "%x %x", out[1], out[2]);
  combine(SPW_FLOAT16, most, most, SPW_PLUS, NULL, out);
  cr_assert(out[0] == huge && out[1] == 0x7c00);
}

/* Modulo 2^w. */
Test(elementwise_calls, integers_wrap)
{
  const int8_t a[] = {-128, -128}, b[] = {-128, -128}, minus = -1;
  const int64_t c[] = {INT64_MAX, INT64_MAX}, d[] = {1, INT64_MIN};
  int8_t out[3];
  int64_t wide[3];
  combine(SPW_INT8, a, b, SPW_PLUS, NULL, out);
  cr_assert(out[0] == -128 && out[1] == 0 && out[2] == -128);
  combine(SPW_INT8, a, b, SPW_MINUS, NULL, out);
  cr_assert(out[1] == 0 && out[2] == -128);
  combine(SPW_INT8, a, b, SPW_MINUS, &minus, out);
  cr_assert(out[1] == 0 && out[2] == -128);
  combine(SPW_INT64, c, d, SPW_PLUS, NULL, wide);
  cr_assert(wide[0] == INT64_MAX && wide[1] == INT64_MIN && wide[2] == INT64_MIN);
  combine(SPW_INT64, c, d, SPW_MINUS, NULL, wide);
  cr_assert(wide[1] == INT64_MAX - 1 && wide[2] == INT64_MIN);
}

/* ---- Refusals ------------------------------------------------------------------------------------- */

static void expect_refusal(const spw_tensor *a, const spw_tensor *b, spw_elementwise_kind kind, spw_obstacle obstacle,
                           int operand, int64_t place, int64_t lhs, int64_t rhs)
{
  const double two = 2;
  const bool one = kind == SPW_SCALE || kind == SPW_DIVIDE;
  const spw_elementwise_request w = {.kind = kind, .scalar = one ? &two : NULL};
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  spw_room room = {.nse = 77};
  cr_assert_eq(spw_elementwise_size(a, b, &w, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == obstacle && why.operand == operand && why.place == place && why.lhs == lhs && why.rhs == rhs,
            "%d of %d at %lld: %lld %lld", (int)why.obstacle, why.operand, (long long)why.place, (long long)why.lhs,
            (long long)why.rhs);
  cr_assert_eq(room.nse, 77);
  spw_buffers none = {0};
  spw_tensor result = {.ndim = 77};
  cr_assert_eq(spw_elementwise(a, b, &w, &none, &result, NULL), SPW_ERANGE);
  cr_assert_eq(result.ndim, 77);
}

Test(elementwise_calls, operands_that_do_not_fit)
{
  small s, t;
  const spw_tensor a = csr_of(&s);
  spw_tensor b = csr_of(&t);
  t.size[1] = 4;
  expect_refusal(&a, &b, SPW_PLUS, SPW_OBSTACLE_SHAPES, 1, 1, 4, 3);
  b = csr_of(&t);
  b.layout = SPW_CSC;
  t.size[0] = 3, t.size[1] = 2;
  expect_refusal(&a, &b, SPW_PLUS, SPW_OBSTACLE_OPERAND, 1, -1, SPW_CSC, SPW_CSR);
  b = csr_of(&t);
  b.values.array.dtype = SPW_INT64;
  expect_refusal(&a, &b, SPW_TIMES, SPW_OBSTACLE_TYPES, 1, -1, SPW_INT64, SPW_FLOAT64);
  expect_refusal(&b, NULL, SPW_DIVIDE, SPW_OBSTACLE_TYPES, 0, -1, SPW_INT64, -1);
  b = csr_of(&t);
  const int32_t c[] = {0, 2, 3}, p[] = {0, 2, 1};
  b.compressed.array.dtype = b.plain.array.dtype = SPW_INT32;
  b.compressed.i32 = c;
  b.plain.i32 = p;
  expect_refusal(&a, &b, SPW_MINUS, SPW_OBSTACLE_OPERAND, 1, -1, SPW_INT32, SPW_INT64);
  /* hybrid beside plain: of 2 x 3 with values of shape (3, 1) */
  const int64_t size[] = {2, 3, 1}, shape[] = {3, 1};
  b = csr_of(&t);
  b.ndim = 3;
  b.size = size;
  b.values.array = (spw_array){SPW_FLOAT64, 2, shape, ones, 0, 3};
  expect_refusal(&a, &b, SPW_PLUS, SPW_OBSTACLE_DIMENSIONS, 1, -1, 3, 2);
  const uint8_t bits[] = {1, 1, 1};
  b = csr_of(&t);
  b.values = (spw_value_array){{SPW_BOOL, 1, three, ones, 0, 3}, bits};
  expect_refusal(&b, &b, SPW_MINUS, SPW_OBSTACLE_TYPES, 0, -1, SPW_BOOL, -1);
  /* dense arrays of another size */
  const double x[12] = {0};
  const int64_t wide[] = {2, 4}, rows[] = {4, 1};
  const spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, wide, rows, 0, 8}, x}};
  expect_refusal(&a, &dense, SPW_TIMES, SPW_OBSTACLE_SHAPES, 1, 1, 4, 3);
}

/* An operand breaks a rule: which, and which rule; also when it comes to do so after the room was asked for. */
Test(elementwise_calls, invalid_operands)
{
  small s, t;
  const spw_tensor a = csr_of(&s), b = csr_of(&t);
  const spw_elementwise_request w = {.kind = SPW_PLUS};
  spw_room room;
  spw_refusal why;
  fenced f;
  spw_tensor result;
  cr_assert_eq(spw_elementwise_size(&a, &b, &w, &room, NULL), SPW_OK);
  for (int i = 0; i < 2; i++) {
    small *const bad = i ? &t : &s;
    bad->p[1] = 7;
    cr_assert_eq(spw_elementwise_size(&a, &b, &w, &room, &why), SPW_EINVALID);
    cr_assert(why.operand == i && why.violation.rule == SPW_RULE_5_5, "%d: %d", why.operand, (int)why.violation.rule);
    fenced_make(&f, &room);
    cr_assert_eq(spw_elementwise(&a, &b, &w, &f.buffers, &result, &why), SPW_EINVALID);
    cr_assert(why.operand == i && fenced_untouched(&f));
    fenced_free(&f);
    bad->p[1] = 2;
  }
}

/* Two batches, which have one position in common and none. */
Test(elementwise_calls, batches_that_differ)
{
  const int64_t size[] = {2, 1, 4}, c[] = {0, 2, 0, 2}, p[] = {0, 1, 0, 1}, q[] = {1, 2, 2, 3}, shape[] = {2, 2};
  const int64_t steps[] = {2, 1};
  const double v[] = {1, 2, 3, 4};
  spw_tensor a = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE,
                  .compressed = {{SPW_INT64, 2, shape, steps, 0, 4}, NULL, c, c},
                  .plain = {{SPW_INT64, 2, shape, steps, 0, 4}, NULL, p, p},
                  .values = {{SPW_FLOAT64, 2, shape, steps, 0, 4}, v}};
  spw_tensor b = a;
  b.plain.i64 = q;
  spw_refusal why;
  spw_room room;
  const spw_elementwise_request sum = {.kind = SPW_PLUS}, product = {.kind = SPW_TIMES};
  cr_assert_eq(spw_elementwise_size(&a, &b, &sum, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_BATCHES && why.operand == 2);
  cr_assert(why.place == 0 && why.other == 1 && why.lhs == 3 && why.rhs == 4);
  cr_assert_eq(spw_elementwise_size(&a, &b, &product, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_BATCHES && why.lhs == 1 && why.rhs == 0);
}

/* Blocks that differ in columns only, and tensors of as many dimensions, of which not as many are dense. */
Test(elementwise_calls, forms_that_do_not_fit)
{
  const int64_t size[] = {2, 6}, c[] = {0, 1}, p[] = {0}, offsets[] = {2}, one[] = {1}, narrow[] = {1, 2, 2}, wide[] = {1, 2, 3};
  const int64_t steps[] = {6, 3, 1};
  const double v[6] = {1, 2, 3, 4, 5, 6};
  const spw_tensor a = {.layout = SPW_BSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, offsets, ones, 0, 2}, NULL, c, NULL},
                        .plain = {{SPW_INT64, 1, one, ones, 0, 1}, NULL, p, NULL},
                        .values = {{SPW_FLOAT64, 3, narrow, steps, 0, 6}, v}};
  spw_tensor b = a;
  b.values.array.shape = wide;
  expect_refusal(&a, &b, SPW_PLUS, SPW_OBSTACLE_BLOCKS, 1, 1, 3, 2);
  const int64_t cube[] = {2, 2, 2}, flat[] = {2, 1}, deep[] = {3, 1}, at[] = {0, 1, 1}, scalars[] = {1, 2}, rows[] = {1, 1};
  const spw_tensor x = {.layout = SPW_COO, .has_size = true, .ndim = 3, .size = cube, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, flat, rows, 0, 3}, NULL, at, NULL},
                        .values = {{SPW_FLOAT64, 2, scalars, steps + 1, 0, 6}, v}};
  const spw_tensor y = {.layout = SPW_COO, .has_size = true, .ndim = 3, .size = cube, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, deep, rows, 0, 3}, NULL, at, NULL},
                        .values = {{SPW_FLOAT64, 1, one, ones, 0, 6}, v}};
  expect_refusal(&x, &y, SPW_TIMES, SPW_OBSTACLE_HYBRID, 1, -1, 0, 1);
}

/* ---- Parts ---------------------------------------------------------------------------------------- */

enum { MOST = 8192, LINES = 8 };

/* CSR of `rows` rows in each batch, with lengths[b * rows + r] elements in columns first, first + 2, first + 4 ...; an element is
 * a number, or `width` of them in a dense dimension. */
typedef struct comb {
  int64_t size[4], shape[2][3], strides[2][3], plain[2], c[2 * (LINES + 1)], p[MOST];
  double v[2 * MOST];
  spw_tensor tensor;
} comb;

static const spw_tensor *comb_of(comb *s, int64_t batches, int64_t rows, const int64_t *lengths, int64_t first,
                                 int64_t width)
{
  const int64_t dense = width > 1;
  int64_t n = 0, at = 0;
  for (int64_t r = 0; r < rows; r++) n += lengths[r];
  const comb fresh = {.size = {batches, rows, MOST, width},
                      .shape = {{batches, rows + 1}, {batches, n, width}},
                      .strides = {{rows + 1, 1}, {n * width, width, 1}},
                      .plain = {n, 1}};
  *s = fresh;
  cr_assert(batches * n <= MOST && rows <= LINES && batches <= 2 && width <= 2);
  for (int64_t b = 0; b < batches; b++)
    for (int64_t r = 0; r < rows; r++) {
      s->c[b * (rows + 1) + r + 1] = s->c[b * (rows + 1) + r] + lengths[b * rows + r];
      for (int64_t k = 0; k < lengths[b * rows + r]; k++, at++) {
        s->p[at] = first + 2 * k;
        for (int64_t i = 0; i < width; i++) s->v[at * width + i] = (double)(at + 1 - 3 * i);
      }
    }
  cr_assert_eq(at, batches * n);
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 3 + dense, .size = s->size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 2, s->shape[0], s->strides[0], 0, batches * (rows + 1)}, NULL, s->c, NULL},
                        .plain = {{SPW_INT64, 2, s->shape[1], s->plain, 0, batches * n}, NULL, s->p, NULL},
                        .values = {{SPW_FLOAT64, 2 + dense, s->shape[1], s->strides[1], 0, batches * n * width}, s->v}};
  s->tensor = t;
  return &s->tensor;
}

static void expect_sums(const spw_tensor *a, const spw_tensor *b)
{
  const double two = 2;
  for (int kind = SPW_PLUS; kind <= SPW_MINUS; kind++) {
    const spw_elementwise_request w = {.kind = (spw_elementwise_kind)kind, .scalar = kind == SPW_MINUS ? &two : NULL};
    spw_status status;
    bool seen;
    const char *const wrong = attempt_elementwise(a, b, &w, &status, &seen);
    cr_assert(!wrong && status == SPW_OK && seen, "%s", wrong ? wrong : "");
  }
}

/* Lines that have no cell in common: what is known of them at a time is full before the operands are at an end; and the
 * longest line is in the first batch. */
Test(elementwise_calls, parts_that_are_full)
{
  static comb s, t;
  const int64_t even[] = {400, 400, 400, 400, 400, 400}, one[] = {1500, 0, 500, 500, 500, 1000};
  for (int64_t width = 1; width <= 2; width++) {
    expect_sums(comb_of(&s, 1, 6, even, 0, width), comb_of(&t, 1, 6, even, 1, width));
    expect_sums(comb_of(&s, 2, 3, one, 0, width), comb_of(&t, 2, 3, one, 1, width));
  }
}

/* One matrix for both batches, and another one for each: every batch is counted. */
Test(elementwise_calls, batches_that_one_operand_shares)
{
  static comb s, t;
  const int64_t same[] = {2, 1, 2, 1}, other[] = {2, 1, 1, 2};
  comb_of(&s, 2, 2, same, 0, 1);
  comb_of(&t, 2, 2, other, 0, 1);
  s.strides[0][0] = s.strides[1][0] = 0;
  const spw_elementwise_request w = {.kind = SPW_PLUS};
  spw_refusal why;
  spw_room room;
  cr_assert_eq(spw_elementwise_size(&s.tensor, &t.tensor, &w, &room, &why), SPW_ERANGE);
  cr_assert(why.obstacle == SPW_OBSTACLE_BATCHES && why.other == 1 && why.lhs == 3 && why.rhs == 4);
  cr_assert_eq(spw_elementwise_size(&t.tensor, &s.tensor, &w, &room, &why), SPW_ERANGE);
}

/* ---- Buffers -------------------------------------------------------------------------------------- */

Test(elementwise_calls, buffers_that_are_too_short)
{
  small s;
  const spw_tensor a = csr_of(&s);
  const double two = 2;
  for (int kind = SPW_PLUS; kind <= SPW_SCALE; kind++) {
    const spw_elementwise_request w = {.kind = (spw_elementwise_kind)kind, .scalar = kind == SPW_SCALE ? &two : NULL};
    const spw_tensor *const b = kind == SPW_SCALE ? NULL : &a;
    spw_room room;
    spw_tensor result;
    cr_assert(spw_elementwise_size(&a, b, &w, &room, NULL) == SPW_OK);
    cr_assert(room.nse == 3 && room.compressed == 3 && room.plain == 3 && room.values == 3);
    cr_assert((room.work == 0) == (kind == SPW_SCALE));
    for (int which = 0; which < 5; which++) {
      fenced f;
      spw_room less;
      if (which == 4 && room.work == 0) continue;
      cr_assert(fenced_shorten(&room, which, &less));
      fenced_make(&f, &less);
      cr_assert(spw_elementwise(&a, b, &w, &f.buffers, &result, NULL) == SPW_EINVAL, "%d, %d", kind, which);
      cr_assert(fenced_untouched(&f), "%d, %d", kind, which);
      fenced_free(&f);
    }
  }
}

static void expect_overlap(const spw_tensor *a, const spw_buffers *b, int operand, const char *what)
{
  const spw_elementwise_request w = {.kind = SPW_PLUS};
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  spw_tensor result = {.ndim = 77};
  cr_assert_eq(spw_elementwise(a, a, &w, b, &result, &why), SPW_ERANGE, "%s", what);
  cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == operand, "%s: %d %d", what, (int)why.obstacle, why.operand);
  cr_assert_eq(result.ndim, 77);
}

Test(elementwise_calls, buffers_that_lie_where_they_must_not)
{
  small s, before;
  const spw_tensor a = csr_of(&s);
  const spw_elementwise_request w = {.kind = SPW_PLUS};
  int64_t dims[64] = {0}, c[8] = {0}, p[8] = {0};
  double v[64] = {0};
  uint64_t work[64] = {0};
  spw_room room;
  spw_tensor result;
  csr_of(&before);
  cr_assert_eq(spw_elementwise_size(&a, &a, &w, &room, NULL), SPW_OK);
  cr_assert(room.dims <= 64 && room.work <= sizeof work);
  const spw_buffers good = {.dims = dims, .compressed_i64 = c, .plain_i64 = p, .values = v, .work = work, .room = room};
  spw_buffers b = good;
  b.compressed_i64 = s.c;
  expect_overlap(&a, &b, 0, "offsets");
  b = good;
  b.plain_i64 = s.p + 2;
  expect_overlap(&a, &b, 0, "the last index");
  b = good;
  b.values = s.v;
  expect_overlap(&a, &b, 0, "values");
  b = good;
  b.work = s.v;
  b.room.work = room.work;
  expect_overlap(&a, &b, 0, "the workspace on values");
  b = good;
  b.dims = (int64_t *)(uintptr_t)a.size; /* as when the buffers of what has become an operand are used again */
  expect_overlap(&a, &b, 0, "dims on the size");
  b.dims = (int64_t *)(uintptr_t)a.plain.array.shape;
  expect_overlap(&a, &b, 0, "dims on a shape");
  b.dims = (int64_t *)(uintptr_t)a.values.array.strides;
  expect_overlap(&a, &b, 0, "dims on strides");
  b.dims = (int64_t *)(uintptr_t)&a;
  expect_overlap(&a, &b, 0, "dims on the tensor");
  b = good;
  b.plain_i64 = c + 2;
  expect_overlap(&a, &b, 2, "indices on offsets");
  b = good;
  b.values = (double *)dims;
  expect_overlap(&a, &b, 2, "values on dims");
  b = good;
  b.work = v;
  expect_overlap(&a, &b, 2, "the workspace on values of the result");
  cr_assert(memcmp(&s, &before, sizeof s) == 0);
  for (int i = 0; i < 8; i++) cr_assert(c[i] == 0 && p[i] == 0);
  for (int i = 0; i < 64; i++) cr_assert(dims[i] == 0 && work[i] == 0 && v[i] == 0);
  b = good;
  b.plain_i64 = c + 3; /* beside each other */
  cr_assert_eq(spw_elementwise(&a, &a, &w, &b, &result, NULL), SPW_OK);
  cr_assert(result.plain.i64 == c + 3 && c[0] == 0 && c[2] == 3 && c[3] == 0 && c[5] == 1 && v[2] == 6);
}

/* The scalar may lie in a buffer: it is read before anything is written. */
Test(elementwise_calls, a_scalar_that_lies_in_a_buffer)
{
  small s;
  const spw_tensor a = csr_of(&s);
  spw_room room;
  spw_tensor result;
  fenced f;
  for (int kind = SPW_PLUS; kind <= SPW_DIVIDE; kind++) {
    if (kind == SPW_TIMES) continue;
    double two = 2;
    spw_elementwise_request w = {.kind = (spw_elementwise_kind)kind, .scalar = &two};
    const spw_tensor *const b = kind <= SPW_TIMES ? &a : NULL;
    cr_assert_eq(spw_elementwise_size(&a, b, &w, &room, NULL), SPW_OK);
    fenced_make(&f, &room);
    double *const out = f.buffers.values;
    out[0] = 2;
    w.scalar = out;
    cr_assert_eq(spw_elementwise(&a, b, &w, &f.buffers, &result, NULL), SPW_OK);
    const double factor = kind == SPW_PLUS ? 3 : kind == SPW_MINUS ? -1 : kind == SPW_SCALE ? 2 : 0.5;
    for (int i = 0; i < 3; i++) cr_assert_eq(out[i], (i + 1) * factor, "%d", kind);
    fenced_free(&f);
  }
}

/* ---- Ends of ranges ------------------------------------------------------------------------------- */

/* 2^40 batches that share one matrix: nothing goes along them to tell the room, which no memory has. */
Test(elementwise_calls, batches_that_are_one)
{
  const int64_t many = (int64_t)1 << 40, size[] = {many, 2, 3}, shape[] = {many, 3}, steps[] = {0, 1};
  small s;
  spw_tensor a = csr_of(&s);
  a.ndim = 3;
  a.size = size;
  a.compressed.array = (spw_array){SPW_INT64, 2, shape, steps, 0, 3};
  a.plain.array = (spw_array){SPW_INT64, 2, shape, steps, 0, 3};
  a.values.array = (spw_array){SPW_FLOAT64, 2, shape, steps, 0, 3};
  const spw_elementwise_request w = {.kind = SPW_TIMES};
  spw_room room;
  cr_assert_eq(spw_elementwise_size(&a, &a, &w, &room, NULL), SPW_OK);
  cr_assert(room.nse == 3 && room.plain == 3 * many && room.values == 3 * many && room.compressed == 3 * many);
}

/* A dense part of 2^60 elements that are one float: the room of a sum is told, or that it has more bytes than can be numbered. */
Test(elementwise_calls, dense_parts_that_are_one)
{
  const int64_t wide = (int64_t)1 << 60, size[] = {2, wide}, shape[] = {1, 1}, values[] = {1, wide}, steps[] = {0, 0}, index = 1;
  const float x = 1, two = 2;
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape, ones, 0, 1}, NULL, &index, NULL},
                        .values = {{SPW_FLOAT32, 2, values, steps, 0, 1}, &x}};
  const spw_elementwise_request w = {.kind = SPW_SCALE, .scalar = &two}, sum = {.kind = SPW_PLUS};
  spw_room room;
  spw_refusal why;
  cr_assert_eq(spw_elementwise_size(&a, NULL, &w, &room, NULL), SPW_OK);
  cr_assert(room.values == wide && room.plain == 1 && room.work == 0);
  cr_assert_eq(spw_elementwise_size(&a, &a, &sum, &room, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, SPW_OBSTACLE_SIZE);
}

/* No rows, and as many columns as can be numbered. */
Test(elementwise_calls, nothing_and_everything)
{
  const int64_t size[] = {0, INT64_MAX}, none[] = {0}, shape[] = {2, 0};
  const spw_tensor a = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, shape, ones, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_FLOAT64, 1, none, ones, 0, 0}, NULL}};
  for (int kind = SPW_PLUS; kind <= SPW_TIMES; kind++) {
    const spw_elementwise_request w = {.kind = (spw_elementwise_kind)kind};
    spw_owned *made = NULL;
    cr_assert_eq(spw_elementwise_new(&a, &a, &w, 0, &made, NULL), SPW_OK);
    cr_assert(spw_owned_tensor(made)->coalesced == SPW_CLAIM_YES && spw_owned_tensor(made)->size[1] == INT64_MAX);
    spw_owned_free(made);
  }
}

Test(elementwise_calls, wrong_calls)
{
  small s;
  const spw_tensor a = csr_of(&s);
  const double x[6] = {0}, two = 2;
  const int64_t rows[] = {3, 1};
  const spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, size_2_3, rows, 0, 6}, x}};
  spw_elementwise_request w = {.kind = SPW_PLUS};
  spw_room room = {.nse = 99};
  spw_owned *made = NULL;
  cr_assert_eq(spw_elementwise_size(NULL, &a, &w, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_elementwise_size(&a, NULL, &w, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_elementwise_size(&a, &a, NULL, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_elementwise_size(&a, &a, &w, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_elementwise_size(&dense, &a, &w, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_elementwise_size(&a, &dense, &w, &room, NULL), SPW_EINVAL);
  cr_assert_eq(spw_elementwise_new(&a, &a, &w, 0, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_elementwise_new(&a, &a, &w, 100, &made, NULL), SPW_ENOMEM);
  cr_assert_null(made);
  w.duplicates = (spw_combine)4;
  cr_assert_eq(spw_elementwise_size(&a, &a, &w, &room, NULL), SPW_EINVAL);
  w = (spw_elementwise_request){.kind = SPW_TIMES, .scalar = &two};
  cr_assert_eq(spw_elementwise_size(&a, &a, &w, &room, NULL), SPW_EINVAL);
  w = (spw_elementwise_request){.kind = SPW_SCALE};
  cr_assert_eq(spw_elementwise_size(&a, NULL, &w, &room, NULL), SPW_EINVAL);
  w.scalar = &two;
  cr_assert_eq(spw_elementwise_size(&a, &a, &w, &room, NULL), SPW_EINVAL);
  for (int kind = -1; kind < 10; kind += 6) {
    w = (spw_elementwise_request){.kind = (spw_elementwise_kind)kind, .scalar = &two};
    cr_assert_eq(spw_elementwise_size(&a, &a, &w, &room, NULL), SPW_EINVAL);
  }
  cr_assert_eq(room.nse, 99);
  spw_tensor result;
  w = (spw_elementwise_request){.kind = SPW_PLUS};
  cr_assert_eq(spw_elementwise(&a, &a, &w, NULL, &result, NULL), SPW_EINVAL);
}
