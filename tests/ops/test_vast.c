/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes whose product is 0, a vast one among them: no call looks at each index of that, which would take years. */
#include "../attempts/every_call.h"
#include "../support/memory.h"

#include <criterion/criterion.h>

#define VAST (INT64_C(1) << 40)

static const int64_t ones_of_strides[] = {1, 1, 1, 1, 1, 1};

/* ---- Operands ------------------------------------------------------------------------------------ */

/* Two elements with a dense part. */
static spw_tensor coo_of(const int64_t *size, const int64_t *shape_of_values)
{
  static const int64_t shape[] = {1, 2}, strides[] = {2, 1}, indices[] = {0, 1};
  return (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 4, .size = size, .coalesced = SPW_CLAIM_YES,
                      .plain = {{SPW_INT64, 2, shape, strides, 0, 2}, .i64 = indices},
                      .values = {{SPW_FLOAT64, 4, shape_of_values, ones_of_strides, 0, 0}, NULL}};
}

/* The same, one of them twice. */
static spw_tensor matrix_of(const int64_t *size, const int64_t *shape_of_values)
{
  static const int64_t shape[] = {2, 3}, strides[] = {3, 1}, indices[] = {0, 1, 1, 1, 0, 0};
  return (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 4, .size = size, .coalesced = SPW_CLAIM_NO,
                      .plain = {{SPW_INT64, 2, shape, strides, 0, 6}, .i64 = indices},
                      .values = {{SPW_FLOAT64, 3, shape_of_values, ones_of_strides, 0, 0}, NULL}};
}

static spw_tensor csr_of(const int64_t *size, const int64_t *shape_of_values)
{
  static const int64_t three[] = {3}, two[] = {2}, crow[] = {0, 1, 2}, col[] = {2, 0};
  return (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 4, .size = size,
                      .compressed = {{SPW_INT64, 1, three, ones_of_strides, 0, 3}, .i64 = crow},
                      .plain = {{SPW_INT64, 1, two, ones_of_strides, 0, 2}, .i64 = col},
                      .values = {{SPW_FLOAT64, 3, shape_of_values, ones_of_strides, 0, 0}, NULL}};
}

/* Two batch dimensions. */
static spw_tensor batches_of(const int64_t *size, const int64_t *shape_of_offsets, const int64_t *shape_of_values)
{
  const spw_array offsets = {SPW_INT64, 3, shape_of_offsets, ones_of_strides, 0, 0};
  const spw_array plain = {SPW_INT64, 3, shape_of_values, ones_of_strides, 0, 0};
  return (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 4, .size = size,
                      .compressed = {offsets, NULL, NULL, NULL}, .plain = {plain, NULL, NULL, NULL},
                      .values = {{SPW_FLOAT64, 3, shape_of_values, ones_of_strides, 0, 0}, NULL}};
}

typedef struct array {
  int64_t shape[4];
  spw_tensor t;
} array;

/* A dense operand without elements, of the shape that is asked for. */
static const spw_tensor *array_of(const spw_tensor *t, part p, array *a)
{
  spw_numbers n;
  cr_assert_eq(spw_numbers_of(t, &n), SPW_OK);
  const int64_t row = t->layout == SPW_COO ? 0 : n.batch_dims, column = row + 1;
  for (int64_t d = 0; d < 4; d++) a->shape[d] = t->size[d];
  if (p == DENSE_ROWS) a->shape[column] = a->shape[row];
  if (p == DENSE_COLUMNS) a->shape[row] = a->shape[column];
  a->t = (spw_tensor){.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 4, a->shape, ones_of_strides, 0, 0}, NULL}};
  return &a->t;
}

/* ---- Calls --------------------------------------------------------------------------------------- */

static int ask_all(const spw_tensor *t)
{
  int made = 0;
  bool valid = false;
  cr_assert(spw_is_valid(t, SPW_CANONICAL, &valid) == SPW_OK && valid);
  for (size_t i = 0; i < sizeof every_call / sizeof *every_call; i++)
    for (drawn = 0; drawn < 48; drawn++) {
      const operation *const f = &every_call[i];
      array arrays[OPERANDS];
      operands o = {NULL};
      spw_owned *out = NULL;
      spw_refusal refusal;
      for (int k = 0; k < OPERANDS; k++) {
        const part p = f->operand[k];
        if (p != NO) o[k] = p >= DENSE ? array_of(t, p, &arrays[k]) : t;
      }
      if (f->call(o, &out, &refusal) == SPW_OK) made++;
      spw_owned_free(out);
    }
  return made;
}

Test(vast, dimensions_beside_empty_ones, .timeout = 60)
{
  static const int64_t first[] = {2, VAST, 0, 3}, last[] = {2, 2, VAST, 0}, parts[] = {2, VAST, 0, 3}, cells[] = {3, VAST, 0};
  static const int64_t rows[] = {2, 3, 0, VAST}, of_rows[] = {2, 0, VAST};
  const spw_tensor all[] = {coo_of(first, parts), matrix_of(last, cells), csr_of(rows, of_rows)};
  for (int i = 0; i < 3; i++) {
    const int made = ask_all(&all[i]);
    cr_assert(made > 400, "tensor %d: %d", i, made);
  }
  expect_no_leaks();
}

Test(vast, batches_beside_none, .timeout = 60)
{
  static const int64_t before[] = {0, VAST, 2, 3}, offsets[] = {0, VAST, 3}, values[] = {0, VAST, 2};
  static const int64_t behind[] = {VAST, 0, 2, 3}, other_offsets[] = {VAST, 0, 3}, other_values[] = {VAST, 0, 2};
  const spw_tensor all[] = {batches_of(before, offsets, values), batches_of(behind, other_offsets, other_values)};
  for (int i = 0; i < 2; i++) {
    const int made = ask_all(&all[i]);
    cr_assert(made > 400, "tensor %d: %d", i, made);
  }
  expect_no_leaks();
}
