/* SPDX-License-Identifier: Apache-2.0 */
/* The short constructors: what they make is what the checker and conversions take, and no number is too strange for them. */
#include <criterion/criterion.h>
#include <string.h>

#include "../../src/sparsewright.h"

/* One matrix of 4 x 6 in every layout, with both index types:
 *   1 2 . .  . .
 *   3 4 . .  . .
 *   . . . .  5 6
 *   . . . .  7 8 */
static const float dense[24] = {[0] = 1, [1] = 2, [6] = 3, [7] = 4, [16] = 5, [17] = 6, [22] = 7, [23] = 8};
static const float by_rows[] = {1, 2, 3, 4, 5, 6, 7, 8}, by_columns[] = {1, 3, 2, 4, 5, 7, 6, 8};
static const float in_blocks[] = {1, 2, 0, 3, 4, 0, 0, 5, 6, 0, 7, 8};

#define BOTH(name, ...) \
  static const int32_t name##_i32[] = {__VA_ARGS__}; \
  static const int64_t name##_i64[] = {__VA_ARGS__}
#define OF(name) (wide ? (const void *)name##_i64 : (const void *)name##_i32)

BOTH(crow, 0, 2, 4, 6, 8);
BOTH(col, 0, 1, 0, 1, 4, 5, 4, 5);
BOTH(ccol, 0, 2, 4, 4, 4, 6, 8);
BOTH(row, 0, 1, 0, 1, 2, 3, 2, 3);
BOTH(block_crow, 0, 1, 2);
BOTH(block_col, 0, 1);
BOTH(block_ccol, 0, 1, 2);
BOTH(block_row, 0, 1);
BOTH(indices, 0, 0, 1, 1, 2, 2, 3, 3, 0, 1, 0, 1, 4, 5, 4, 5);

static const spw_tensor *make(spw_view *view, spw_layout layout, bool wide)
{
  const spw_dtype type = wide ? SPW_INT64 : SPW_INT32;
  switch ((int)layout) {
  case SPW_COO: return spw_coo(view, 4, 6, 8, type, OF(indices), SPW_FLOAT32, by_rows);
  case SPW_CSR: return spw_csr(view, 4, 6, 8, type, OF(crow), OF(col), SPW_FLOAT32, by_rows);
  case SPW_CSC: return spw_csc(view, 4, 6, 8, type, OF(ccol), OF(row), SPW_FLOAT32, by_columns);
  case SPW_BSR: return spw_bsr(view, 4, 6, 2, 3, 2, type, OF(block_crow), OF(block_col), SPW_FLOAT32, in_blocks);
  case SPW_BSC: return spw_bsc(view, 4, 6, 2, 3, 2, type, OF(block_ccol), OF(block_row), SPW_FLOAT32, in_blocks);
  default: return spw_dense(view, 4, 6, SPW_FLOAT32, dense);
  }
}

Test(views, are_the_matrix_in_every_layout)
{
  spw_view whole, view;
  const spw_tensor *const wanted = make(&whole, SPW_DENSE, false);
  for (int layout = SPW_COO; layout < SPW_LAYOUT_COUNT; layout++)
    for (int wide = 0; wide < 2; wide++) {
      memset(&view, 0xa5, sizeof view); /* whatever a view on the stack holds */
      const spw_tensor *const t = make(&view, (spw_layout)layout, wide);
      bool valid = false, same = false;
      spw_refusal refusal;
      cr_assert(t == &view.tensor && (int)t->layout == layout);
      cr_assert(spw_is_valid(t, SPW_CANONICAL, &valid) == SPW_OK && valid, "%d", layout);
      cr_assert(spw_certify(t, wanted, SPW_ZEROS_ADDED, &same, &refusal) == SPW_OK && same, "%d", layout);
    }
}

Test(views, are_converted_with_defaults)
{
  for (int from = SPW_COO; from <= SPW_LAYOUT_COUNT; from++)
    for (int to = SPW_COO; to <= SPW_LAYOUT_COUNT; to++) {
      spw_view view, whole;
      spw_owned *made;
      spw_refusal refusal;
      bool same = false;
      spw_conversion wanted = SPW_TO((spw_layout)to);
      wanted.block_rows = to == SPW_BSR || to == SPW_BSC ? 2 : 0;
      wanted.block_columns = wanted.block_rows + wanted.block_rows / 2;
      cr_assert(spw_convert_new(make(&view, (spw_layout)from, true), &wanted, 0, &made, &refusal) == SPW_OK, "%d %d", from, to);
      cr_assert((int)spw_owned_tensor(made)->layout == to);
      const spw_tensor *const dense_one = make(&whole, SPW_DENSE, true);
      cr_expect(spw_certify(spw_owned_tensor(made), dense_one, SPW_ZEROS_ANY, &same, &refusal) == SPW_OK && same);
      spw_owned_free(made);
    }
}

Test(views, of_vectors_are_multiplied)
{
  static const float x[] = {1, 10, 100, 1000, 10000, 100000}, expected[] = {21, 43, 650000, 870000};
  spw_view a, v;
  spw_owned *y;
  spw_refusal refusal;
  const spw_tensor *const vector = spw_vector(&v, 6, SPW_FLOAT32, x);
  cr_assert(spw_multiply_new(make(&a, SPW_CSR, false), vector, 0, &y, &refusal) == SPW_OK);
  cr_expect(spw_owned_tensor(y)->values.array.ndim == 1);
  cr_expect(memcmp(spw_owned_tensor(y)->values.data, expected, sizeof expected) == 0);
  spw_owned_free(y);
}

/* In any order, and more than once at one position: nothing is claimed of elements that nobody has looked at. */
Test(views, of_coo_claim_nothing)
{
  static const int64_t any_order[] = {1, 0, 1, 0, 2, 0};
  spw_view view;
  bool valid = false;
  const spw_tensor *const t = spw_coo(&view, 2, 3, 3, SPW_INT64, any_order, SPW_FLOAT32, by_rows);
  cr_expect(spw_is_valid(t, SPW_CANONICAL, &valid) == SPW_OK && valid);
}

Test(views, are_judged_by_the_checker)
{
  static const int64_t wrong[] = {0, 6, 4};
  spw_view view;
  spw_violation v;
  const spw_tensor *t = spw_csr(&view, 2, 6, 4, SPW_INT64, wrong, col_i64, SPW_FLOAT32, by_rows);
  cr_expect(spw_first_violation(t, SPW_CANONICAL, &v) == SPW_OK && v.rule == SPW_RULE_5_3 && v.position == 2);
  t = spw_bsr(&view, 4, 6, 3, 2, 2, SPW_INT64, block_crow_i64, block_col_i64, SPW_FLOAT32, in_blocks);
  cr_expect(spw_first_violation(t, SPW_CANONICAL, &v) == SPW_OK && v.rule == SPW_RULE_3_1);
  t = spw_bsc(&view, 4, 6, 2, 0, 2, SPW_INT64, block_ccol_i64, block_row_i64, SPW_FLOAT32, in_blocks);
  cr_expect(spw_first_violation(t, SPW_CANONICAL, &v) == SPW_OK && v.rule == SPW_RULE_3_13);
  t = spw_csr(&view, -2, 6, 4, SPW_INT64, crow_i64, col_i64, SPW_FLOAT32, by_rows);
  cr_expect(spw_first_violation(t, SPW_CANONICAL, &v) == SPW_OK && v.rule == SPW_RULE_3_12 && v.lhs == -2);
  t = spw_csr(&view, 4, 6, -1, SPW_INT64, crow_i64, col_i64, SPW_FLOAT32, by_rows);
  cr_expect(spw_first_violation(t, SPW_CANONICAL, &v) == SPW_OK && v.rule == SPW_RULE_3_12 && v.lhs == -1);
  t = spw_csr(&view, 4, 6, 8, SPW_FLOAT64, crow_i64, col_i64, SPW_FLOAT32, by_rows);
  cr_expect(spw_first_violation(t, SPW_CANONICAL, &v) == SPW_OK && v.rule == SPW_RULE_1_3);
  t = spw_csr(&view, 4, 6, 8, SPW_INT64, NULL, col_i64, SPW_FLOAT32, by_rows);
  cr_expect(spw_first_violation(t, SPW_CANONICAL, &v) == SPW_EINVAL);
}

/* At SPW_SHAPE nothing is read, so that the arrays need not be as long as the numbers say. */
Test(views, of_any_numbers_are_judged)
{
  static const int64_t numbers[] = {INT64_MIN, -1, 0, 1, 2, INT64_C(1) << 32, INT64_MAX - 1, INT64_MAX};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  for (int n = 0; n < COUNT * COUNT * COUNT; n++) {
    const int64_t a = numbers[n % COUNT], b = numbers[n / COUNT % COUNT], c = numbers[n / COUNT / COUNT];
    spw_view view[7];
    const spw_tensor *const tensors[] = {
        spw_csr(&view[0], a, b, c, SPW_INT64, crow_i64, col_i64, SPW_FLOAT32, by_rows),
        spw_csc(&view[1], a, b, c, SPW_INT64, ccol_i64, row_i64, SPW_FLOAT32, by_rows),
        spw_bsr(&view[2], a, 6, b, 2, c, SPW_INT64, block_crow_i64, block_col_i64, SPW_FLOAT32, by_rows),
        spw_bsc(&view[3], 4, a, 2, b, c, SPW_INT64, block_ccol_i64, block_row_i64, SPW_FLOAT32, by_rows),
        spw_coo(&view[4], a, b, c, SPW_INT64, indices_i64, SPW_FLOAT32, by_rows)};
    for (int i = 0; i < 5; i++) {
      spw_violation v;
      cr_assert(spw_first_violation(tensors[i], SPW_SHAPE, &v) == SPW_OK, "%d: %lld %lld %lld", i, (long long)a, (long long)b,
                (long long)c);
      const bool fits = a >= 0 && b > (i == 2 || i == 3 ? 0 : -1) && c >= 0;
      cr_assert(fits || v.rule != SPW_RULE_NONE, "%d: %lld %lld %lld", i, (long long)a, (long long)b, (long long)c);
    }
    const spw_tensor *const d = spw_dense(&view[5], a, b, SPW_FLOAT32, dense);
    const spw_tensor *const x = spw_vector(&view[6], a, SPW_FLOAT32, dense);
    cr_assert(d->values.array.ndim == 2 && d->values.array.length >= 0 && x->values.array.length == (a > 0 ? a : 0));
  }
}
