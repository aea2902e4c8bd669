/* SPDX-License-Identifier: Apache-2.0 */
/* Views of a tensor, and how many bytes it takes. */
#include "../../src/sparsewright.h"

#include <criterion/criterion.h>
#include <string.h>

/* A batched tensor of blocks with a dense dimension: size (2, 4, 6, 3), blocks 2x3. */
static const int64_t c[] = {0, 1, 2, 0, 2, 2}, p[] = {1, 0, 0, 1};
static const int64_t size[] = {2, 4, 6, 3}, c_shape[] = {2, 3}, p_shape[] = {2, 2}, v_shape[] = {2, 2, 2, 3, 3};
static const int64_t c_strides[] = {3, 1}, p_strides[] = {2, 1}, v_strides[] = {36, 18, 9, 3, 1};
static float values[72];

static spw_tensor blocks(void)
{
  const spw_tensor t = {.layout = SPW_BSR,
                        .has_size = true,
                        .ndim = 4,
                        .size = size,
                        .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 2, c_shape, c_strides, 0, 6}, NULL, c, NULL},
                        .plain = {{SPW_INT64, 2, p_shape, p_strides, 0, 4}, NULL, p, NULL},
                        .values = {{SPW_FLOAT32, 5, v_shape, v_strides, 0, 72}, values}};
  for (int i = 0; i < 72; i++) values[i] = (float)(i + 1);
  return t;
}

static float *dense_of(const spw_tensor *t, spw_owned **owned)
{
  const spw_conversion to = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  cr_assert(spw_convert_new(t, &to, 0, owned, NULL) == SPW_OK);
  return (float *)(uintptr_t)spw_owned_tensor(*owned)->values.data;
}

Test(structure, transposed_is_the_transposed)
{
  const spw_tensor t = blocks();
  spw_tensor view, back;
  int64_t dims[14], more[14];
  bool valid = false;
  cr_assert(spw_transpose(&t, dims, 14, &view) == SPW_OK);
  cr_assert(view.layout == SPW_BSC && view.size[1] == 6 && view.size[2] == 4);
  cr_assert(view.plain.i64 == p && view.values.data == values);
  cr_assert(spw_is_valid(&view, SPW_CANONICAL, &valid) == SPW_OK && valid);
  spw_owned *a, *b;
  const float *x = dense_of(&t, &a), *y = dense_of(&view, &b);
  for (int n = 0; n < 2; n++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 6; j++)
        for (int k = 0; k < 3; k++) cr_assert(x[((n * 4 + i) * 6 + j) * 3 + k] == y[((n * 6 + j) * 4 + i) * 3 + k]);
  spw_owned_free(a);
  spw_owned_free(b);
  cr_assert(spw_transpose(&view, more, 14, &back) == SPW_OK);
  cr_assert(back.layout == SPW_BSR && memcmp(back.size, size, sizeof size) == 0 &&
            memcmp(back.values.array.shape, v_shape, sizeof v_shape) == 0 &&
            memcmp(back.values.array.strides, v_strides, sizeof v_strides) == 0);
}

Test(structure, what_is_not_transposed_is_refused)
{
  spw_tensor t = blocks(), view;
  int64_t dims[14];
  memset(&view, 7, sizeof view);
  memset(dims, 7, sizeof dims);
  const spw_tensor untouched = view;
  cr_assert(spw_transpose(&t, dims, 13, &view) == SPW_EINVAL);
  cr_assert(spw_transpose(NULL, dims, 14, &view) == SPW_EINVAL && spw_transpose(&t, NULL, 14, &view) == SPW_EINVAL &&
            spw_transpose(&t, dims, 14, NULL) == SPW_EINVAL);
  t.compressed.array.ndim = 1;
  cr_assert(spw_transpose(&t, dims, 14, &view) == SPW_EINVALID);
  t = blocks();
  t.layout = SPW_COO;
  cr_assert(spw_transpose(&t, dims, 14, &view) == SPW_EUNSUPPORTED);
  cr_assert(memcmp(&view, &untouched, sizeof view) == 0);
  for (int i = 0; i < 14; i++) cr_assert(dims[i] == 0x0707070707070707);
}

Test(structure, without_a_size_there_is_none)
{
  spw_tensor t = blocks(), view;
  int64_t dims[10];
  t.has_size = false;
  t.ndim = 0;
  t.size = NULL;
  cr_assert(spw_transpose(&t, dims, 10, &view) == SPW_OK && !view.has_size && view.layout == SPW_BSC);
  cr_assert(view.values.array.shape[2] == 3 && view.values.array.shape[3] == 2);
}

Test(structure, bytes_are_exact)
{
  spw_tensor t = blocks();
  spw_bytes b;
  cr_assert(spw_nbytes(&t, &b) == SPW_OK);
  cr_assert(b.indices == 80 && b.values == 288 && b.total == 368 && b.dense == 576 && b.specified == 72);
  t.has_size = false;
  cr_assert(spw_nbytes(&t, &b) == SPW_OK && b.dense == -1 && b.total == 368);
  t = blocks();
  t.values.array.ndim = 4;
  b.total = 5;
  cr_assert(spw_nbytes(&t, &b) == SPW_EINVALID && b.total == 5);
  cr_assert(spw_nbytes(NULL, &b) == SPW_EINVAL && spw_nbytes(&t, NULL) == SPW_EINVAL);
}

Test(structure, bytes_beyond_int64_are_refused)
{
  /* COO of 2^62 float32 positions: 2^64 bytes dense; of 2^60: 2^62 */
  const int64_t one[] = {1, 0}, steps[] = {1, 1};
  int64_t huge[] = {(int64_t)1 << 62};
  spw_bytes b = {.total = 5};
  const spw_tensor t = {.layout = SPW_COO,
                        .has_size = true,
                        .ndim = 1,
                        .size = huge,
                        .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, one, steps, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_FLOAT32, 1, one + 1, steps, 0, 0}, NULL}};
  cr_assert(spw_nbytes(&t, &b) == SPW_ERANGE && b.total == 5);
  huge[0] = (int64_t)1 << 60;
  cr_assert(spw_nbytes(&t, &b) == SPW_OK && b.total == 0 && b.dense == (int64_t)1 << 62);
}

/* COO of INT64_MAX positions of one byte each, without an element. */
static spw_tensor as_many_as_there_can_be(void)
{
  static const int64_t most[] = {INT64_MAX}, none[] = {1, 0}, steps[] = {1, 1};
  return (spw_tensor){.layout = SPW_COO,
                      .has_size = true,
                      .ndim = 1,
                      .size = most,
                      .coalesced = SPW_CLAIM_YES,
                      .plain = {{SPW_INT64, 2, none, steps, 0, 0}, NULL, NULL, NULL},
                      .values = {{SPW_BOOL, 1, none + 1, steps, 0, 0}, NULL}};
}

Test(structure, the_largest_number_is_one)
{
  const spw_tensor t = as_many_as_there_can_be();
  const spw_tensor *const operands[] = {&t, &t};
  const spw_structure cat = {.kind = SPW_CAT};
  spw_bytes b;
  spw_room room;
  spw_refusal refusal;
  cr_assert(spw_nbytes(&t, &b) == SPW_OK && b.total == 0 && b.dense == INT64_MAX);
  cr_assert_eq(spw_restructure_size(operands, 1, &cat, &room, &refusal), SPW_OK);
  cr_assert(spw_restructure_size(operands, 2, &cat, &room, &refusal) == SPW_ERANGE && refusal.obstacle == SPW_OBSTACLE_SIZE);
}

/* What conversions refuse has no bytes either. */
Test(structure, bytes_of_dense_arrays)
{
  int64_t shape[] = {7}, stride[] = {1};
  const char data[7] = {0};
  spw_bytes b = {.total = 5};
  const spw_tensor good = {.layout = SPW_DENSE, .values = {{SPW_BOOL, 1, shape, stride, 0, 7}, data}};
  spw_tensor t = good;
  cr_assert(spw_nbytes(&t, &b) == SPW_OK && b.total == 7 && b.dense == 7 && b.specified == 7 && b.indices == 0);
  b.total = 5;
  t.values.array.length = 1;
  cr_assert(spw_nbytes(&t, &b) == SPW_EINVALID && b.total == 5, "beyond its storage");
  t = good;
  t.values.array.dtype = SPW_DTYPE_NONE;
  cr_assert(spw_nbytes(&t, &b) == SPW_EINVALID && b.total == 5, "of no type");
  t = good;
  t.has_size = true;
  t.ndim = 1;
  t.size = stride;
  cr_assert(spw_nbytes(&t, &b) == SPW_EINVALID && b.total == 5, "of another size");
  shape[0] = -1;
  cr_assert(spw_nbytes(&good, &b) == SPW_EINVALID && b.total == 5, "below 0");
}
