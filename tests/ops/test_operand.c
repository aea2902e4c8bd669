/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of an operand once it is judged: its numbers are those that callers are told, its memory is what is read. */
#include "../../src/operand/overlap.h"
#include "../operands/operand.h"

#include <criterion/criterion.h>
#include <string.h>

#define fail(...) cr_assert(false, __VA_ARGS__)

static bool has(const spw_memory *m, const void *at)
{
  return spw_meets(m, spw_byte_range_of(at, 1, 1));
}

static bool has_entries(const spw_memory *m, const int64_t *entries, int64_t n)
{
  return n == 0 || (has(m, entries) && has(m, (const char *)(entries + n) - 1));
}

/* The first and the last byte of what describes it, and of its elements. */
static bool has_array(const spw_memory *m, const spw_array *a, const void *data, int64_t bytes)
{
  int64_t last = a->offset;
  if (!has_entries(m, a->shape, a->ndim) || !has_entries(m, a->strides, a->ndim)) return false;
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] == 0) return true; /* its strides may be any numbers */
  for (int64_t d = 0; d < a->ndim; d++) last += (a->shape[d] - 1) * a->strides[d];
  const char *const all = data;
  return has(m, all + a->offset * bytes) && has(m, all + (last + 1) * bytes - 1);
}

static bool has_indices(const spw_memory *m, const spw_index_array *i)
{
  const bool wide = i->array.dtype == SPW_INT64;
  return has_array(m, &i->array, wide ? (const void *)i->i64 : i->i32, wide ? 8 : 4);
}

static void expect_memory(const spw_operand *o, long long number)
{
  const spw_tensor *const t = o->t;
  const spw_memory *const m = &o->memory;
  static char elsewhere;
  bool all = has(m, t) && has(m, (const char *)(t + 1) - 1) && !has(m, t + 1) && !has(m, &elsewhere);
  all = all && (!t->has_size || has_entries(m, t->size, t->ndim)) && has_array(m, &t->values.array, t->values.data, o->scalar);
  if (t->layout != SPW_DENSE) all = all && has_indices(m, &t->plain);
  if (t->layout != SPW_DENSE && t->layout != SPW_COO) all = all && has_indices(m, &t->compressed);
  if (!all) fail("the memory of tensor %lld", number);
}

Test(operand, of_valid_tensors)
{
  dice d = {5};
  int64_t layouts[SPW_DENSE + 1] = {0};
  for (int64_t t = 0; t < 20000; t++) {
    operand made;
    operand_random(&made, true, &d);
    const spw_tensor asked[2] = {made.tensor};
    spw_operand judged, given;
    spw_refusal refusal;
    memset(&judged, 0x55, sizeof judged);
    memset(&given, 0x33, sizeof given);
    cr_assert_eq(spw_operand_take(asked, 1, true, 1, &judged, &refusal), SPW_OK);
    cr_assert_eq(spw_operand_take(asked, 1, false, 0, &given, &refusal), SPW_OK);
    cr_assert_eq(judged.scalar, spw_dtype_size(asked->values.array.dtype));
    expect_memory(&judged, t);
    if (asked->layout != SPW_DENSE) {
      spw_numbers told;
      cr_assert_eq(spw_numbers_of(asked, &told), SPW_OK);
      if (memcmp(&told, &judged.numbers, sizeof told) || memcmp(&told, &given.numbers, sizeof told))
        fail("the numbers of tensor %lld", (long long)t);
    }
    layouts[asked->layout]++;
    operand_free(&made);
  }
  for (int layout = 0; layout <= (int)SPW_DENSE; layout++) cr_assert(layouts[layout] > 500);
}

/* What is given without a judgement is not judged, and still has to have its pointers. */
Test(operand, of_others)
{
  const int64_t rows[] = {3}, nse[] = {0}, one[] = {1}, size[] = {2, 2}, wrong[] = {0, 1, 0};
  spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                  .compressed = {.array = {SPW_INT64, 1, rows, one, 0, 3}, .i64 = wrong},
                  .plain = {.array = {SPW_INT64, 1, nse, one, 0, 0}},
                  .values = {.array = {SPW_FLOAT32, 1, nse, one, 0, 0}}};
  spw_operand o;
  spw_refusal refusal;
  cr_assert_eq(spw_operand_take(&t, 1, false, 1, &o, &refusal), SPW_OK);
  cr_assert_eq(spw_operand_take(&t, 1, true, 1, &o, &refusal), SPW_EINVALID);
  cr_assert(refusal.obstacle == SPW_OBSTACLE_RULE && refusal.operand == 1 && refusal.violation.rule == SPW_RULE_5_3);
  t.compressed.i64 = NULL;
  cr_assert_eq(spw_operand_take(&t, 1, false, 1, &o, &refusal), SPW_EINVAL);
  cr_assert_eq(spw_operand_take(&t, 1, true, 1, &o, &refusal), SPW_EINVAL);
}
