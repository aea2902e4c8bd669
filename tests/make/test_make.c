/* SPDX-License-Identifier: Apache-2.0 */
/* Constructors, copies, slices, diagonals, triangles, Kronecker products and other splits against a second opinion (made.h):
 * random operands of every layout, what must be refused, and the worked numbers of the statements. */
#include "../expected/made.h"
#include "../expected/scalar.h"
#include "../operands/operand.h"
#include "../operands/strided.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 10, ROUNDS = 12000, MOST = 6, MOST_PAIRS = 3000 };

static int64_t results[KINDS], refused[KINDS];

static void try_all(const spw_tensor *const *operands, int64_t count, const spw_making *w, uint64_t seed)
{
  spw_status status;
  bool seen;
  const char *const wrong = attempt_make(operands, count, w, &status, &seen);
  cr_assert(!wrong, "seed %llu: %s: %s", (unsigned long long)seed, making_text(w), wrong);
  if (seen && status == SPW_OK) results[w->kind]++;
  if (seen && status == SPW_ERANGE) refused[w->kind]++;
}

/* ---- Random ones ------------------------------------------------------------------------------- */

/* A size of the caller's, mostly one that fits. */
static void draw_size(spw_making *w, int64_t *size, dice *d)
{
  w->layout = (spw_layout)roll_below(d, 5);
  w->batch_dims = w->layout == SPW_COO ? 0 : w->kind == SPW_MAKE_ZEROS ? roll_below(d, 3) : 0;
  w->dense_dims = w->kind == SPW_MAKE_ZEROS ? roll_below(d, 3) : 0;
  w->ndim =
      w->layout == SPW_COO && w->kind == SPW_MAKE_ZEROS ? w->dense_dims + roll_below(d, 4) : w->batch_dims + 2 + w->dense_dims;
  if (roll_below(d, 30) == 0) w->ndim += roll_below(d, 3) - 1;
  if (w->ndim < 0) w->ndim = 0;
  const bool blocks = w->layout == SPW_BSR || w->layout == SPW_BSC;
  if (blocks) w->block_rows = roll_below(d, 3) + 1, w->block_columns = roll_below(d, 3) + 1;
  for (int64_t i = 0; i < w->ndim; i++) {
    size[i] = roll_below(d, 7);
    if (blocks && roll_below(d, 12))
      size[i] *= i == w->batch_dims ? w->block_rows : i == w->batch_dims + 1 ? w->block_columns : 1;
    if (roll_below(d, 60) == 0) size[i] = roll_extreme(d);
  }
  w->size = size;
  w->index_dtype = roll_below(d, 3) ? roll_below(d, 2) ? SPW_INT32 : SPW_INT64 : SPW_DTYPE_NONE;
  w->dtype = (spw_dtype)(SPW_BOOL + roll_below(d, 12));
}

Test(make, constructors)
{
  memset(results, 0, sizeof results);
  memset(refused, 0, sizeof refused);
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    dice d = {seed};
    int64_t size[12], offsets[MOST];
    spw_making w = {.kind = seed % 3 == 0 ? SPW_MAKE_ZEROS : SPW_MAKE_DIAGONALS, .numbers = offsets};
    draw_size(&w, size, &d);
    strided x = {.array = {.ndim = 0}};
    const spw_tensor *operands[1] = {NULL};
    spw_tensor dense;
    int64_t count = 0;
    if (w.kind == SPW_MAKE_DIAGONALS) {
      w.count = roll_below(&d, MOST);
      for (int64_t i = 0; i < w.count; i++) offsets[i] = roll_below(&d, 15) - 7;
      for (int64_t i = 1; i < w.count && roll_below(&d, 4); i++) offsets[i] = offsets[i - 1] + 1 + roll_below(&d, 2);
      if (w.count > 0 && roll_below(&d, 9) == 0) offsets[w.count - 1] = roll_extreme(&d);
      count = roll_below(&d, 3) > 0;
    }
    if (count > 0) {
      x.array.ndim = w.count == 1 && roll_below(&d, 2) ? 1 : 2;
      x.shape[0] = w.count + (roll_below(&d, 15) == 0);
      x.shape[x.array.ndim - 1] = roll_below(&d, 9);
      if (x.array.ndim == 2) x.shape[0] = w.count + (roll_below(&d, 15) == 0);
      strided_make(&x, w.dtype, -1, true, &d);
      dense = (spw_tensor){.layout = SPW_DENSE, .values = {x.array, x.data}};
      operands[0] = &dense;
    }
    try_all(operands, count, &w, seed);
    if (count > 0) strided_free(&x);
  }
  for (int kind = 0; kind <= SPW_MAKE_DIAGONALS; kind++)
    cr_assert(results[kind] > 1500 && refused[kind] > 100, "%d: %lld results, %lld refusals", kind, (long long)results[kind],
              (long long)refused[kind]);
  expect_no_leaks();
}

static spw_making any_making(const spw_tensor *t, dice *d)
{
  int64_t size[16];
  const int64_t ndim = tensor_size(t, size);
  spw_making w = {.kind = (spw_make_kind)(SPW_MAKE_CLONE + roll_below(d, KINDS - SPW_MAKE_CLONE)), .step = 1};
  if (t->layout == SPW_COO && roll_below(d, 3) == 0) w.kind = SPW_MAKE_RESPLIT;
  w.dim = roll_below(d, 30) == 0 ? roll_below(d, 9) - 2 : ndim > 0 ? roll_below(d, ndim) : 0;
  const int64_t side = w.dim >= 0 && w.dim < ndim ? size[w.dim] : 1;
  w.step = (roll_below(d, 3) + 1) * (roll_below(d, 3) ? 1 : -1);
  w.start = roll_below(d, side + 1);
  const int64_t far = w.step > 0 ? side - w.start : w.start + 1;
  w.length = far <= 0 ? 0 : roll_below(d, (far + llabs(w.step) - 1) / llabs(w.step) + 1);
  if (w.start == side) w.length = 0;
  if (roll_below(d, 20) == 0) w.length += 1 + roll_below(d, 2);
  if (roll_below(d, 50) == 0) w.start = roll_extreme(d);
  if (roll_below(d, 50) == 0) w.step = roll_extreme(d);
  if (roll_below(d, 50) == 0) w.length = roll_extreme(d);
  if (w.step == 0) w.step = 1;
  w.diagonal = roll_below(d, 40) ? roll_below(d, 9) - 4 : roll_extreme(d);
  w.sparse_dims = roll_below(d, 12) ? roll_below(d, ndim + 1) : roll_below(d, 9) - 2;
  return w;
}

static double elements_of(const spw_tensor *t)
{
  double n = 1;
  for (int64_t d = 0; d < t->values.array.ndim; d++) n *= (double)t->values.array.shape[d];
  return n;
}

Test(make, of_operands)
{
  static operand o, p;
  memset(results, 0, sizeof results);
  memset(refused, 0, sizeof refused);
  for (uint64_t seed = 0; seed < ROUNDS; seed++) {
    dice d = {seed};
    uint8_t scalar[16];
    operand_random_sparse(&o, true, &d);
    spw_making w = any_making(&o.tensor, &d);
    for (int i = 0; i < 16; i++) scalar[i] = (uint8_t)roll_below(&d, 2);
    w.scalar = scalar;
    const spw_tensor *operands[2] = {&o.tensor, &o.tensor};
    const bool two = w.kind == SPW_MAKE_KRON, other = two && roll_below(&d, 3) > 0;
    if (other) operand_random_sparse(&p, true, &d);
    if (other) operands[1] = &p.tensor;
    if (!two || elements_of(operands[0]) * elements_of(operands[1]) < MOST_PAIRS) try_all(operands, two ? 2 : 1, &w, seed);
    if (other) operand_free(&p);
    operand_free(&o);
  }
  for (int kind = SPW_MAKE_CLONE; kind < KINDS; kind++)
    cr_assert(results[kind] > 200 && (kind < SPW_MAKE_SLICE || refused[kind] > 20), "%d: %lld results, %lld refusals", kind,
              (long long)results[kind], (long long)refused[kind]);
  expect_no_leaks();
}

/* ---- Worked examples --------------------------------------------------------------------------- */

static int64_t index_of(const spw_tensor *t, int64_t d, int64_t k)
{
  const spw_array *const a = &t->plain.array;
  const int64_t at = t->layout == SPW_COO ? d * a->strides[0] + k * a->strides[1] : k;
  return a->dtype == SPW_INT64 ? t->plain.i64[at] : t->plain.i32[at];
}

static spw_owned *make(const spw_tensor *const *operands, int64_t count, const spw_making *w)
{
  spw_owned *owned = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_make_new(operands, count, w, 0, &owned, &refusal);
  cr_assert_eq(status, SPW_OK, "%s: %d, obstacle %d", making_text(w), (int)status, (int)refusal.obstacle);
  return owned;
}

static void expect_coo(const spw_tensor *t, int64_t nse, const int64_t *rows, const int64_t *columns, const double *values)
{
  cr_assert_eq(t->values.array.shape[0], nse, "%lld", (long long)t->values.array.shape[0]);
  for (int64_t k = 0; k < nse; k++) {
    cr_expect_eq(index_of(t, 0, k), rows[k]);
    cr_expect(!columns || index_of(t, 1, k) == columns[k], "%lld: %lld", (long long)k, (long long)index_of(t, 1, k));
    cr_expect_eq(((const double *)t->values.data)[k], values[k], "%lld: %g", (long long)k, ((const double *)t->values.data)[k]);
  }
}

/* A small COO matrix of doubles. */
#define MATRIX(name, rows, columns, nse, ...)                                                                                  \
  static const int64_t name##_size[2] = {rows, columns}, name##_shape[2] = {2, nse}, name##_strides[2] = {nse, 1},             \
                       name##_one[1] = {1};                                                                                    \
  const struct {                                                                                                               \
    int64_t indices[2 * (nse)];                                                                                                \
    double values[nse];                                                                                                        \
  } name##_data = {__VA_ARGS__};                                                                                               \
  const spw_tensor name = {.layout = SPW_COO,                                                                                  \
                           .has_size = true,                                                                                   \
                           .ndim = 2,                                                                                          \
                           .size = name##_size,                                                                                \
                           .coalesced = SPW_CLAIM_NO,                                                                          \
                           .plain = {{SPW_INT64, 2, name##_shape, name##_strides, 0, 2 * (nse)}, .i64 = name##_data.indices},  \
                           .values = {{SPW_FLOAT64, 1, name##_shape + 1, name##_one, 0, nse}, name##_data.values}}

/* K7: the column picks the entry. */
Test(make, spdiags)
{
  static const int64_t size[2] = {3, 4}, offsets[3] = {0, -1, 2}, shape[2] = {3, 3}, strides[2] = {3, 1};
  static const double d[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, shape, strides, 0, 9}, d}};
  const spw_tensor *const alone = &dense;
  const spw_making w = {.kind = SPW_MAKE_DIAGONALS, .layout = SPW_COO, .size = size, .ndim = 2, .numbers = offsets, .count = 3};
  spw_owned *const made = make(&alone, 1, &w);
  expect_coo(spw_owned_tensor(made), 6, (int64_t[]){0, 0, 1, 1, 2, 2}, (int64_t[]){0, 2, 0, 1, 1, 2},
             (double[]){1, 9, 4, 2, 5, 3});
  spw_owned_free(made);
}

Test(make, equal_offsets_are_named_however_far_apart)
{
  enum { COUNT = 5000 };
  static int64_t offsets[COUNT];
  static const int64_t size[2] = {2, 2};
  spw_room room;
  spw_refusal refusal;
  for (int64_t i = 0; i < COUNT; i++) offsets[i] = 10 * i - 20000;
  const spw_making w = {.kind = SPW_MAKE_DIAGONALS,
                        .layout = SPW_CSR,
                        .dtype = SPW_FLOAT32,
                        .size = size,
                        .ndim = 2,
                        .numbers = offsets,
                        .count = COUNT};
  cr_assert_eq(spw_make_size(NULL, 0, &w, &room, &refusal), SPW_OK);
  offsets[4999] = offsets[17];
  cr_assert_eq(spw_make_size(NULL, 0, &w, &room, &refusal), SPW_ERANGE);
  cr_expect(refusal.obstacle == SPW_OBSTACLE_DUPLICATE && refusal.lhs == 17 && refusal.rhs == 4999);
}

Test(make, slices_and_diagonals)
{
  MATRIX(t, 3, 4, 4, {2, 0, 1, 0, 3, 1, 1, 3}, {5, 1, 2, 3});
  const spw_tensor *const alone = &t;
  spw_owned *made = make(&alone, 1, &(spw_making){.kind = SPW_MAKE_SLICE, .dim = 1, .start = 3, .step = -2, .length = 2});
  expect_coo(spw_owned_tensor(made), 4, (int64_t[]){0, 0, 1, 2}, (int64_t[]){0, 1, 1, 0}, (double[]){3, 1, 2, 5});
  spw_owned_free(made);
  made = make(&alone, 1, &(spw_making){.kind = SPW_MAKE_DIAGONAL, .diagonal = 1});
  expect_coo(spw_owned_tensor(made), 2, (int64_t[]){0, 2}, NULL, (double[]){1, 5});
  cr_expect_eq(spw_owned_tensor(made)->size[0], 3);
  spw_owned_free(made);
  made = make(&alone, 1, &(spw_making){.kind = SPW_MAKE_UPPER, .diagonal = 1});
  expect_coo(spw_owned_tensor(made), 3, (int64_t[]){0, 0, 2}, (int64_t[]){1, 3, 3}, (double[]){1, 3, 5});
  spw_owned_free(made);
  made = make(&alone, 1, &(spw_making){.kind = SPW_MAKE_LOWER});
  expect_coo(spw_owned_tensor(made), 1, (int64_t[]){1}, (int64_t[]){1}, (double[]){2});
  spw_owned_free(made);
  expect_no_leaks();
}

/* A size that int64 has not is refused, although a dense dimension of 0 makes the product of all sizes 0. */
Test(make, diagonals_beyond_any_size)
{
  const int64_t size[] = {2, 0}, at[] = {1, 1}, index[] = {1}, shape[] = {1, 0}, strides[] = {1, 1};
  const int64_t diagonals[] = {INT64_MAX - 2, INT64_MIN + 3, INT64_MAX - 1, INT64_MAX, INT64_MIN + 2, INT64_MIN + 1, INT64_MIN};
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, at, strides, 0, 1}, .i64 = index},
                        .values = {{SPW_FLOAT64, 2, shape, strides, 0, 0}, NULL}};
  const spw_tensor *const alone = &t;
  for (int i = 0; i < 7; i++) {
    spw_owned *made = NULL;
    spw_refusal r;
    bool valid = false;
    const spw_making w = {.kind = SPW_MAKE_DIAGONAL, .diagonal = diagonals[i]};
    const spw_status status = spw_make_new(&alone, 1, &w, 0, &made, &r);
    cr_assert_eq(status, i < 2 ? SPW_OK : SPW_ERANGE, "%d: %d", i, (int)status);
    if (i < 2) cr_assert(spw_is_valid(spw_owned_tensor(made), SPW_CANONICAL, &valid) == SPW_OK && valid);
    if (i >= 2) cr_assert_eq(r.obstacle, SPW_OBSTACLE_SIZE);
    spw_owned_free(made);
  }
}

/* Duplicates are summed first, as the second opinion says of the sums. */
Test(make, sums_of_duplicates)
{
  MATRIX(t, 2, 2, 3, {1, 0, 1, 0, 1, 0}, {5, 1, -5});
  const spw_tensor *const twice[2] = {&t, &t};
  spw_room room;
  spw_refusal refusal;
  const spw_making kron = {.kind = SPW_MAKE_KRON}, split = {.kind = SPW_MAKE_RESPLIT, .sparse_dims = 1};
  cr_assert_eq(spw_make_size(twice, 2, &kron, &room, &refusal), SPW_ERANGE);
  cr_expect_eq(refusal.obstacle, SPW_OBSTACLE_DUPLICATE);
  spw_owned *made = make(twice, 2, &kron);
  expect_coo(spw_owned_tensor(made), 4, (int64_t[]){0, 1, 2, 3}, (int64_t[]){3, 2, 1, 0}, (double[]){1, 0, 0, 0});
  spw_owned_free(made);
  made = make(twice, 1, &split); /* the sum of 0 is left out */
  expect_coo(spw_owned_tensor(made), 1, (int64_t[]){0}, NULL, (double[]){0});
  cr_expect_eq(((const double *)spw_owned_tensor(made)->values.data)[1], 1);
  spw_owned_free(made);
  cr_expect_eq(spw_make_new(twice, 2, &kron, 64, &made, &refusal), SPW_ENOMEM);
  expect_no_leaks();
}

/* ---- Wrong calls --------------------------------------------------------------------------------- */

Test(make, wrong_calls)
{
  MATRIX(t, 2, 2, 1, {1, 0}, {5});
  static const int64_t size[2] = {2, 2};
  const spw_tensor *const one[2] = {&t, NULL}, *const two[2] = {&t, &t};
  const spw_tensor dense = {.layout = SPW_DENSE, .values = t.values};
  const spw_tensor *const full = &dense;
  spw_room room;
  spw_refusal refusal;
  const spw_making zeros = {.size = size, .ndim = 2, .dtype = SPW_INT8}, no_type = {.size = size, .ndim = 2},
                   no_size = {.ndim = 2, .dtype = SPW_INT8}, still = {.kind = SPW_MAKE_SLICE}, kron = {.kind = SPW_MAKE_KRON},
                   fill = {.kind = SPW_MAKE_FILL}, clone = {.kind = SPW_MAKE_CLONE},
                   vector = {.kind = SPW_MAKE_DIAGONALS, .size = size, .ndim = 2, .count = 1};
  cr_expect_eq(spw_make_size(NULL, 0, &zeros, &room, &refusal), SPW_OK);
  cr_expect_eq(spw_make_size(NULL, 0, NULL, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(NULL, 0, &zeros, NULL, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(one, 1, &zeros, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(NULL, 0, &no_type, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(NULL, 0, &no_size, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(NULL, 0, &vector, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(one, 1, &still, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(one, 1, &kron, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(one, 2, &kron, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(two, 2, &kron, &room, &refusal), SPW_OK);
  cr_expect_eq(spw_make_size(two, 2, &clone, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(one, 1, &fill, &room, &refusal), SPW_EINVAL);
  cr_expect_eq(spw_make_size(&full, 1, &clone, &room, &refusal), SPW_EUNSUPPORTED);
  cr_expect_eq(spw_make_new(NULL, 0, &zeros, 0, NULL, &refusal), SPW_EINVAL);
}

/* What the call reads is nothing that it writes. */
Test(make, overlap)
{
  MATRIX(t, 2, 2, 1, {1, 0}, {5});
  const spw_tensor *const alone = &t;
  const spw_making clone = {.kind = SPW_MAKE_CLONE};
  int64_t dims[16], plain[2];
  spw_refusal refusal;
  spw_tensor result;
  spw_buffers b = {.dims = dims, .plain_i64 = plain, .values = (void *)(uintptr_t)t.values.data};
  cr_assert_eq(spw_make_size(&alone, 1, &clone, &b.room, &refusal), SPW_OK);
  cr_assert_eq(spw_make(&alone, 1, &clone, &b, &result, &refusal), SPW_ERANGE);
  cr_expect(refusal.obstacle == SPW_OBSTACLE_OVERLAP && refusal.operand == 0);
  double value;
  b.values = &value;
  b.room.plain = 1;
  cr_expect_eq(spw_make(&alone, 1, &clone, &b, &result, &refusal), SPW_EINVAL);
  b.room.plain = 2;
  cr_assert_eq(spw_make(&alone, 1, &clone, &b, &result, &refusal), SPW_OK);
  cr_expect(value == 5 && result.coalesced == SPW_CLAIM_NO);
}
