/* SPDX-License-Identifier: Apache-2.0 */
/* The check kernels on chosen tensors: edges, sizes beyond the limits, refusals. Generated tensors
 * are the business of differential.c. */
#include "../check/on_host.h"
#include "rows.h"
#include "same_violation.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* A CSR tensor over arrays that somebody else owns. */
typedef struct csr {
  spw_tensor tensor;
  int64_t size[2], c_shape[1], p_shape[1], one[1];
} csr;

static void csr_of(csr *m, const int64_t *c, int64_t C, const int64_t *p, int64_t nse, int64_t P)
{
  memset(m, 0, sizeof *m);
  m->size[0] = C, m->size[1] = P, m->c_shape[0] = C + 1, m->p_shape[0] = nse, m->one[0] = 1;
  m->tensor = (spw_tensor){
      .layout = SPW_CSR, .has_size = true, .ndim = 2, .size = m->size, .coalesced = SPW_CLAIM_NONE};
  m->tensor.compressed =
      (spw_index_array){{SPW_INT64, 1, m->c_shape, m->one, 0, C + 1}, NULL, c, NULL};
  m->tensor.plain = (spw_index_array){{SPW_INT64, 1, m->p_shape, m->one, 0, nse}, NULL, p, NULL};
  m->tensor.values = (spw_value_array){{SPW_INT8, 1, m->p_shape, m->one, 0, nse}, m};
}

static void expect_same(const spw_tensor *t, spw_level level)
{
  for (uint64_t seed = 0; seed < 12; seed++) {
    spw_violation expected = {0}, actual = {0};
    const spw_status status = spw_first_violation(t, level, &expected);
    cr_assert_eq(spw_first_violation_on_host(t, level, 1 + (unsigned)seed % 4,
                                             32 + 32 * (unsigned)(seed % 8), seed, &actual),
                 status);
    cr_assert(same_violation(expected, actual));
  }
}

/* The two that make PyTorch's validator read outside. */
Test(check, offsets_beyond_the_elements)
{
  const int64_t beyond[] = {0, 2, 0}, past[] = {0, 6, 4}, p[] = {0, 1, 2, 3};
  csr m;
  csr_of(&m, beyond, 2, p, 0, 2);
  expect_same(&m.tensor, SPW_CANONICAL);
  csr_of(&m, past, 2, p, 4, 6);
  expect_same(&m.tensor, SPW_CANONICAL);
  spw_engine_release();
}

/* Every array of offsets over a few numbers, and every array of elements: all of them small. */
Test(check, all_small_tensors)
{
  static const int64_t numbers[] = {INT64_MIN, -1, 0, 1, 2, 3, INT64_MAX};
  enum { N = sizeof numbers / sizeof *numbers };
  int64_t c[4], p[3];
  csr m;
  dice d = {1};
  unsigned tried = 0;
  for (int C = 0; C <= 2; C++)
    for (int nse = 0; nse <= 3; nse++)
      for (int code = 0; code < N * N * N * (C + 1); code++) {
        c[0] = numbers[code % N], c[1] = numbers[code / N % N], c[2] = numbers[code / N / N % N];
        if (code % 3) c[0] = 0, c[C] = nse;
        for (int k = 0; k < 3; k++)
          p[k] = roll_below(&d, 4) ? roll_below(&d, 3) : numbers[roll_below(&d, N)];
        csr_of(&m, c, C, p, nse, 3);
        spw_violation expected, actual;
        cr_assert_eq(spw_first_violation(&m.tensor, SPW_CANONICAL, &expected), SPW_OK);
        cr_assert_eq(
            spw_first_violation_on_host(&m.tensor, SPW_CANONICAL, 2, 32, (uint64_t)code, &actual),
            SPW_OK);
        cr_assert(same_violation(expected, actual), "C %d nse %d code %d", C, nse, code);
        tried++;
      }
  cr_assert_gt(tried, 5000);
  spw_engine_release();
}

/* One fault at every place of rows that fill several tiles: the witness is found wherever it is. */
Test(check, one_fault_at_every_place)
{
  enum { C = 37, LENGTH = 31, NSE = C * LENGTH };
  static int64_t c[C + 1], p[NSE];
  csr m;
  for (int i = 0; i <= C; i++) c[i] = i * LENGTH;
  for (int k = 0; k < NSE; k++) p[k] = 2 * (k % LENGTH) + 1;
  csr_of(&m, c, C, p, NSE, 2 * LENGTH + 2);
  expect_same(&m.tensor, SPW_CANONICAL);
  for (int k = 0; k < NSE; k += 7) {
    const int64_t values[] = {-1, 2 * LENGTH + 2, k ? p[k - 1] : -5};
    for (int v = 0; v < 3; v++) {
      const int64_t old = p[k];
      spw_violation expected, actual;
      p[k] = values[v];
      cr_assert_eq(spw_first_violation(&m.tensor, SPW_CANONICAL, &expected), SPW_OK);
      cr_assert_eq(
          spw_first_violation_on_host(&m.tensor, SPW_CANONICAL, 3, 64, (uint64_t)k, &actual),
          SPW_OK);
      cr_assert(same_violation(expected, actual), "element %d, value %d", k, v);
      p[k] = old;
    }
  }
  for (int i = 0; i <= C; i++) {
    const int64_t old = c[i];
    for (int by = -1; by <= 1; by += 2) {
      c[i] = old + by;
      expect_same(&m.tensor, SPW_CANONICAL);
    }
    c[i] = old;
  }
  spw_engine_release();
}

/* Batches that all share one structure, more of them than anybody could visit. */
Test(check, shared_batches_cost_nothing)
{
  const int64_t c[] = {0, 1, 2}, p[] = {1, 1};
  int64_t size[3] = {(int64_t)1 << 40, 2, 2}, shape_c[2] = {(int64_t)1 << 40, 3},
          shape_p[2] = {(int64_t)1 << 40, 2};
  int64_t strides[2] = {0, 1};
  spw_tensor t = {
      .layout = SPW_CSC, .has_size = true, .ndim = 3, .size = size, .coalesced = SPW_CLAIM_NONE};
  t.compressed = (spw_index_array){{SPW_INT64, 2, shape_c, strides, 0, 3}, NULL, c, NULL};
  t.plain = (spw_index_array){{SPW_INT64, 2, shape_p, strides, 0, 2}, NULL, p, NULL};
  t.values = (spw_value_array){{SPW_INT8, 2, shape_p, strides, 0, 2}, c};
  expect_same(&t, SPW_CANONICAL);
  size[2] = 1;
  expect_same(&t, SPW_CANONICAL);
  spw_engine_release();
}

/* Without a size, entries of it that fit in int64 just so or not at all; dense is 0, so that the product
 * says nothing. With a batch the kernels find P, without one the plan decides. */
static void expect_same_entries(spw_layout layout, int64_t batches, int64_t C, int64_t last, int64_t b0,
                                int64_t b1)
{
  const int64_t c[] = {0, batches}, p[] = {last}, offsets[] = {batches, C + 1},
                elements[] = {batches, batches}, values[] = {batches, batches, b0, b1, 0},
                strides[] = {0, 1}, zeros[5] = {0};
  spw_tensor t = {.layout = layout, .coalesced = SPW_CLAIM_NONE};
  t.compressed = (spw_index_array){{SPW_INT64, 2, offsets, strides, 0, 2}, NULL, c, NULL};
  t.plain = (spw_index_array){{SPW_INT64, 2, elements, strides, 0, 1}, NULL, p, NULL};
  t.values.array = (spw_array){SPW_INT8, 5, values, zeros, 0, 0};
  expect_same(&t, SPW_CANONICAL);
}

Test(check, inferred_entries)
{
  const int64_t many = (int64_t)1 << 40, most = INT64_MAX / many;
  for (int by_rows = 0; by_rows < 2; by_rows++) {
    const spw_layout layout = by_rows ? SPW_BSR : SPW_BSC;
    for (int64_t block = most; block <= most + 1; block++) {
      expect_same_entries(layout, 0, many, -1, by_rows ? block : 1, by_rows ? 1 : block);
      expect_same_entries(layout, 1, 1, block - 1, by_rows ? 1 : many, by_rows ? many : 1);
    }
    expect_same_entries(layout, 1, 1, 0, INT64_MAX, INT64_MAX);
    expect_same_entries(layout, 1, 1, 1, INT64_MAX, INT64_MAX);
    expect_same_entries(layout, 1, 1, -1, INT64_MAX, INT64_MAX);
  }
  spw_engine_release();
}

Test(check, refusals)
{
  const int64_t c[] = {0, 1}, p[] = {0};
  spw_violation first = {SPW_RULE_5_6, SPW_MEMBER_SIZE, 1, 2, 3, 4};
  csr m;
  csr_of(&m, c, 1, p, 1, 1);
  cr_assert_eq(spw_first_violation_on_host(NULL, SPW_CANONICAL, 1, 32, 0, &first), SPW_EINVAL);
  cr_assert_eq(spw_first_violation_on_host(&m.tensor, SPW_CANONICAL, 1, 32, 0, NULL), SPW_EINVAL);
  cr_assert_eq(spw_first_violation_on_host(&m.tensor, (spw_level)9, 1, 32, 0, &first), SPW_EINVAL);
  m.tensor.plain.i64 = NULL;
  cr_assert_eq(spw_first_violation_on_host(&m.tensor, SPW_CANONICAL, 1, 32, 0, &first), SPW_EINVAL);
  cr_assert(first.rule == SPW_RULE_5_6 && first.rhs == 4, "outputs are left alone");
  spw_engine_release();
}

/* Arrays that claim more elements than words have positions for: their lengths are not added up. */
Test(check, lengths_beyond_int64)
{
  const int64_t vast = (int64_t)1 << 62, size[] = {vast, 1}, c_shape[] = {vast + 1}, p_shape[] = {vast}, one[] = {1};
  const int64_t element = 0;
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, c_shape, one, 0, vast + 1}, NULL, &element, NULL},
                        .plain = {{SPW_INT64, 1, p_shape, one, 0, vast}, NULL, &element, NULL},
                        .values = {{SPW_INT8, 1, p_shape, one, 0, vast}, &element}};
  spw_check_plan made;
  cr_assert_eq(spw_check_plan_make(&t, SPW_CANONICAL, &made), SPW_EUNSUPPORTED);
}

/* More dimensions than the kernels' arguments have room for. */
Test(check, too_many_dimensions)
{
  enum { DIMS = SPW_CUDA_DIMS + 1 };
  int64_t size[DIMS], shape[2] = {DIMS, 1}, strides[2] = {1, 1}, one[] = {1};
  int64_t x[DIMS] = {0};
  for (int i = 0; i < DIMS; i++) size[i] = 1;
  spw_violation first;
  spw_tensor t = {
      .layout = SPW_COO, .has_size = true, .ndim = DIMS, .size = size, .coalesced = SPW_CLAIM_YES};
  t.plain = (spw_index_array){{SPW_INT64, 2, shape, strides, 0, DIMS}, NULL, x, NULL};
  t.values = (spw_value_array){{SPW_INT8, 1, one, one, 0, 1}, x};
  cr_assert_eq(spw_first_violation_on_host(&t, SPW_CANONICAL, 1, 32, 0, &first), SPW_EUNSUPPORTED);
  shape[0] = t.ndim = DIMS - 1;
  cr_assert_eq(spw_first_violation_on_host(&t, SPW_CANONICAL, 1, 32, 0, &first), SPW_OK);
  cr_assert_eq(first.rule, SPW_RULE_NONE);
  x[DIMS - 2] = 1;
  expect_same(&t, SPW_CANONICAL);
  spw_engine_release();
}

/* A word that the kernels cannot have left is no verdict. */
Test(check, words_that_mean_nothing)
{
  const int64_t c[] = {0, 1}, p[] = {0};
  csr m;
  spw_check_plan made;
  spw_violation first = {SPW_RULE_5_6, SPW_MEMBER_SIZE, 1, 2, 3, 4};
  csr_of(&m, c, 1, p, 1, 1);
  cr_assert_eq(spw_check_plan_make(&m.tensor, SPW_CANONICAL, &made), SPW_OK);
  cr_assert_eq(spw_check_plan_read(&made, SPW_WORD(SPW_KEY_SUSPECT, 0), 0, 0, &first), SPW_EINVAL);
  cr_assert_eq(spw_check_plan_read(&made, SPW_WORD(SPW_KEY_6_7, 0), 0, 0, &first), SPW_EINVAL);
  cr_assert_eq(spw_check_plan_read(&made, SPW_WORD_SHAPE, 0, 0, &first), SPW_EINVAL);
  for (unsigned byte = 0; byte < 256; byte++) { /* whatever memory may be filled with */
    const spw_word word = SPW_WORD_OF_BYTE((spw_word)byte);
    if (word != SPW_WORD_VALID)
      cr_assert_eq(spw_check_plan_read(&made, word, 0, 0, &first), SPW_EINVAL, "%02x", byte);
  }
  cr_assert_eq(spw_check_plan_read(&made, SPW_WORD(SPW_KEY_5_1, 2), 0, 0, &first), SPW_EINVAL);
  cr_assert_eq(first.rule, SPW_RULE_5_6);
  cr_assert_eq(spw_check_plan_read(&made, SPW_WORD(SPW_KEY_5_1, 1), 0, 0, &first), SPW_OK);
  cr_assert(first.rule == SPW_RULE_5_1 && first.position == 1);
  cr_assert_eq(spw_check_plan_read(&made, SPW_WORD_VALID, 0, 0, &first), SPW_OK);
  cr_assert_eq(first.rule, SPW_RULE_NONE);
}

/* What the host decided is not what another check left. */
Test(check, words_of_another_check)
{
  const int64_t c[] = {0, 1}, p[] = {0};
  csr m;
  spw_check_plan made;
  spw_violation first = {SPW_RULE_5_6, SPW_MEMBER_SIZE, 1, 2, 3, 4};
  csr_of(&m, c, 1, p, 1, 1);
  m.size[0] = 2;
  cr_assert_eq(spw_check_plan_make(&m.tensor, SPW_CANONICAL, &made), SPW_OK);
  cr_assert_eq(made.kind, SPW_CHECK_DECIDED);
  cr_assert_eq(spw_check_plan_read(&made, SPW_WORD_VALID, 0, 0, &first), SPW_EINVAL);
  cr_assert_eq(spw_check_plan_read(&made, SPW_WORD_NOT_RUN, 0, 0, &first), SPW_EINVAL);
  cr_assert_eq(first.rule, SPW_RULE_5_6);
  cr_assert_eq(spw_check_plan_read(&made, SPW_WORD_SHAPE, 0, 0, &first), SPW_OK);
  cr_assert_eq(first.rule, SPW_RULE_3_8);
}

/* A device could not go on after reading an index there. */
Test(check, misaligned_index_arrays)
{
  static union {
    int64_t whole[4];
    char bytes[32];
  } room;
  const int64_t c[] = {0, 1};
  csr m;
  spw_check_plan made;
  csr_of(&m, c, 1, c, 1, 1);
  for (size_t by = 0; by <= sizeof(int64_t); by++) {
    const int64_t *const at = (const int64_t *)(const void *)(room.bytes + by);
    const spw_status expected = by % sizeof(int64_t) ? SPW_EINVAL : SPW_OK;
    m.tensor.plain.i64 = at;
    cr_assert_eq(spw_check_plan_make(&m.tensor, SPW_CANONICAL, &made), expected);
    m.tensor.plain.i64 = c;
    m.tensor.compressed.i64 = at;
    cr_assert_eq(spw_check_plan_make(&m.tensor, SPW_STRUCTURE, &made), expected);
    cr_assert_eq(spw_check_plan_make(&m.tensor, SPW_SHAPE, &made), SPW_OK, "no index is read");
    m.tensor.compressed.i64 = c;
  }
}
