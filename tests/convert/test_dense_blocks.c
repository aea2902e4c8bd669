/* SPDX-License-Identifier: Apache-2.0 */
/* Dense arrays to blocks, to elements of several scalars, and to columns of many elements: every width of a scalar, batches, rows
 * and columns of blocks. That the result holds what the array does says a proved certifier; that no more is stored than has to
 * be, a count. */
#include "../attempts/fenced.h"
#include "../operands/operand.h"
#include "../../src/convert/values.h"
#include "../../src/sparsewright_convert.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { NDIM = 4 };

/* batches x rows x columns, and as many scalars of an element where `along` is not 1; in blocks of height x width elements */
typedef struct shape {
  int64_t batches, rows, columns, along, height, width;
} shape;

static const shape shapes[] = {{1, 6, 8, 1, 2, 2}, {3, 8, 12, 1, 4, 3}, {2, 5, 14, 1, 1, 7}, {2, 12, 4, 1, 6, 1},
                               {2, 6, 4, 3, 2, 2}, {1, 4, 9, 5, 1, 3}, {4, 3, 3, 2, 1, 1}, {3, 16, 16, 1, 16, 16},
                               {2, 40, 1, 1, 8, 1}, {2, 1, 40, 4, 1, 4}, {2, 8, 8, 1, 2, 4}, {2, 9, 24, 1, 3, 8},
                               {1, 10, 20, 2, 5, 10}};
static const spw_dtype dtypes[] = {SPW_BOOL, SPW_INT16, SPW_FLOAT32, SPW_INT64, SPW_COMPLEX64, SPW_COMPLEX128};

static size_t element_bytes(const operand *o, const shape *s)
{
  return (size_t)(s->along * spw_dtype_size(o->tensor.values.array.dtype));
}

/* The rows of a block, one after the other. */
static char *block_row(const operand *o, const shape *s, int64_t b, int64_t i, int64_t j, int64_t r)
{
  const int64_t row = (b * s->rows + i * s->height + r) * s->columns + j * s->width;
  return (char *)o->values + (size_t)row * element_bytes(o, s);
}

/* Of each batch the same number of blocks have a scalar that is not zero, often a single one, at any place. Gives that number. */
static int64_t fill(operand *o, const shape *s, spw_dtype dtype, dice *d)
{
  const int64_t rows = s->rows / s->height, columns = s->columns / s->width, count = (rows * columns + 1) / 2;
  const int64_t sizes[NDIM] = {s->batches, s->rows, s->columns, s->along};
  operand_dense(o, dtype, s->along == 1 ? NDIM - 1 : NDIM, sizes);
  operand_draw_values(o, 6, d);
  const size_t line = (size_t)s->width * element_bytes(o, s);
  for (int64_t b = 0; b < s->batches; b++)
    for (int64_t k = 0, left = count; k < rows * columns; k++) {
      const bool kept = roll_below(d, rows * columns - k) < left;
      const bool single = roll_below(d, 2);
      for (int64_t r = 0; r < s->height; r++)
        if (!kept || single) memset(block_row(o, s, b, k / columns, k % columns, r), 0, line);
      const int64_t row = roll_below(d, s->height), part = (int64_t)spw_alignment(dtype); /* of a complex one: one of both */
      if (kept) block_row(o, s, b, k / columns, k % columns, row)[roll_below(d, (int64_t)line / part) * part] = 1;
      left -= kept;
    }
  return count;
}

static spw_conversion wanted(spw_layout layout, const shape *s, bool narrow)
{
  const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
  spw_conversion w = conversion_to(layout, blocks ? s->height : 0, blocks ? s->width : 0);
  w.batch_dims = 1;
  w.dense_dims = s->along != 1;
  w.bits = true;
  w.index_dtype = narrow ? SPW_INT32 : SPW_INT64;
  return w;
}

/* With room for as many blocks as there are it is done, with room for one less it is not; and nothing outside is written. */
static void expect_room(const operand *o, const shape *s, const spw_conversion *w, int64_t count, int64_t scalars)
{
  spw_room room;
  cr_assert_eq(spw_convert_size(&o->tensor, w, &room, NULL), SPW_OK);
  cr_assert_eq(room.nse, count);
  for (int64_t less = 0; less < 2; less++) {
    fenced f;
    spw_tensor result;
    room.nse = count - less;
    room.plain = s->batches * room.nse;
    room.values = scalars * room.plain;
    fenced_make(&f, &room);
    cr_assert_eq(spw_convert(&o->tensor, w, &f.buffers, &result, NULL), less ? SPW_EINVAL : SPW_OK);
    cr_assert(fences_hold(&f));
    fenced_free(&f);
  }
}

static void expect_blocks(const operand *o, const shape *s, spw_layout layout, bool narrow, int64_t count, int64_t scalars)
{
  const spw_conversion w = wanted(layout, s, narrow);
  spw_owned *owned = NULL;
  bool same = false;
  cr_assert_eq(spw_convert_new(&o->tensor, &w, 0, &owned, NULL), SPW_OK);
  const spw_tensor *const c = spw_owned_tensor(owned);
  cr_assert_eq(c->plain.array.shape[1], count, "%lld blocks, not %lld: layout %d, %lld scalars along",
               (long long)c->plain.array.shape[1], (long long)count, (int)layout, (long long)s->along);
  cr_assert_eq(spw_certify(&o->tensor, c, SPW_ZEROS_ANY, &same, NULL), SPW_OK);
  cr_assert(same, "layout %d, type %d, blocks %lld x %lld, %lld scalars along", (int)layout, (int)c->dtype, (long long)s->height,
            (long long)s->width, (long long)s->along);
  expect_room(o, s, &w, count, scalars);
  spw_owned_free(owned);
}

Test(dense_blocks, of_every_width)
{
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (size_t k = 0; k < 2 * sizeof dtypes / sizeof *dtypes; k++) {
      const shape *const s = &shapes[i];
      operand o;
      dice d = {i * 100 + k};
      const int64_t count = fill(&o, s, dtypes[k / 2], &d);
      for (spw_layout layout = SPW_BSR; layout <= SPW_BSC; layout++)
        expect_blocks(&o, s, layout, k % 2, count, s->height * s->width * s->along);
      operand_free(&o);
    }
}

/* Elements of several scalars, which are stored where one of these is not zero. */
Test(dense_blocks, of_several_scalars)
{
  static const shape elements[] = {{1, 6, 8, 2, 1, 1}, {3, 4, 5, 3, 1, 1}, {2, 1, 9, 7, 1, 1}, {2, 9, 1, 4, 1, 1}};
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    for (size_t k = 0; k < 2 * sizeof dtypes / sizeof *dtypes; k++) {
      operand o;
      dice d = {i * 100 + k};
      const int64_t count = fill(&o, &elements[i], dtypes[k / 2], &d);
      expect_blocks(&o, &elements[i], SPW_CSR, k % 2, count, elements[i].along);
      expect_blocks(&o, &elements[i], SPW_CSC, k % 2, count, elements[i].along);
      operand_free(&o);
    }
}

/* As many as elsewhere go by bands of columns. */
Test(dense_blocks, columns_of_many)
{
  enum { ROWS = 700, COLUMNS = 900, MANY = 400000 };
  static const int64_t sizes[] = {2, ROWS, COLUMNS};
  static const spw_dtype widths[] = {SPW_BOOL, SPW_FLOAT64};
  for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
    operand o;
    operand_dense(&o, widths[k], 3, sizes);
    const size_t scalar = (size_t)spw_dtype_size(widths[k]);
    int64_t count = 0;
    for (int64_t e = 0; e < (int64_t)2 * ROWS * COLUMNS; e++) {
      const bool stored = e % (ROWS * COLUMNS) * 7 % 11 < 8;
      memset((char *)o.values + (size_t)e * scalar, 0, scalar);
      ((char *)o.values)[(size_t)e * scalar] = stored;
      count += stored;
    }
    spw_conversion w = conversion_to(SPW_CSC, 0, 0);
    spw_owned *owned = NULL;
    bool same = false;
    w.batch_dims = 1;
    cr_assert_eq(spw_convert_new(&o.tensor, &w, 0, &owned, NULL), SPW_OK);
    cr_assert(count > 2 * MANY && spw_owned_tensor(owned)->plain.array.shape[1] == count / 2);
    cr_assert_eq(spw_certify(&o.tensor, spw_owned_tensor(owned), SPW_ZEROS_ANY, &same, NULL), SPW_OK);
    cr_assert(same);
    spw_owned_free(owned);
    operand_free(&o);
  }
}

/* The first block of a batch that is stored, or is not, changes. */
static void change(const operand *o, const shape *s, int64_t b, bool more)
{
  const int64_t rows = s->rows / s->height, columns = s->columns / s->width;
  const size_t line = (size_t)s->width * element_bytes(o, s);
  for (int64_t k = 0; k < rows * columns; k++) {
    bool stored = false;
    for (int64_t r = 0; r < s->height; r++)
      for (size_t i = 0; i < line; i++) stored |= block_row(o, s, b, k / columns, k % columns, r)[i] != 0;
    if (stored == more) continue;
    for (int64_t r = 0; r < s->height; r++) memset(block_row(o, s, b, k / columns, k % columns, r), more, line);
    return;
  }
  cr_assert(false, "there is no block to change");
}

/* Of batches that have one block more or less than the first one, the first is named, with both numbers: before there is room,
 * and when they change in between. */
Test(dense_blocks, unequal_batches)
{
  static const shape two[] = {{4, 6, 8, 1, 2, 2}, {4, 6, 8, 3, 1, 1}};
  for (int i = 0; i < 8; i++) {
    const shape *const s = &two[i / 4];
    const bool more = i % 2, late = i / 2 % 2;
    for (spw_layout layout = i < 4 ? SPW_BSR : SPW_CSR; layout <= (i < 4 ? SPW_BSC : SPW_CSR); layout++) {
      operand o;
      dice d = {(uint64_t)i};
      const int64_t count = fill(&o, s, SPW_FLOAT32, &d);
      const spw_conversion w = wanted(layout, s, false);
      spw_room room;
      spw_refusal refusal;
      if (late) cr_assert_eq(spw_convert_size(&o.tensor, &w, &room, NULL), SPW_OK);
      change(&o, s, 2, more);
      change(&o, s, 3, !more);
      spw_status status;
      if (late) {
        fenced f;
        spw_tensor result;
        fenced_make(&f, &room);
        status = spw_convert(&o.tensor, &w, &f.buffers, &result, &refusal);
        cr_assert(fences_hold(&f));
        fenced_free(&f);
      } else {
        status = spw_convert_size(&o.tensor, &w, &room, &refusal);
      }
      cr_assert_eq(status, SPW_ERANGE);
      cr_assert_eq(refusal.obstacle, SPW_OBSTACLE_BATCHES);
      cr_assert(refusal.other == 2 && refusal.lhs == count && refusal.rhs == count + (more ? 1 : -1), "batch %lld: %lld, %lld",
                (long long)refusal.other, (long long)refusal.lhs, (long long)refusal.rhs);
      operand_free(&o);
    }
  }
}

/* Without elements, or without scalars, nothing is stored: all offsets are 0. */
Test(dense_blocks, without_scalars)
{
  static const shape none[] = {{2, 0, 8, 1, 2, 2}, {2, 4, 0, 1, 2, 2}, {0, 4, 8, 1, 2, 2}, {2, 4, 8, 0, 2, 2},
                               {2, 4, 8, 0, 1, 1}};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    for (spw_layout layout = SPW_CSR; layout <= SPW_BSC; layout++) {
      operand o;
      const shape *const s = &none[i];
      const int64_t sizes[NDIM] = {s->batches, s->rows, s->columns, s->along};
      operand_dense(&o, SPW_FLOAT64, s->along == 1 ? NDIM - 1 : NDIM, sizes);
      const spw_conversion w = wanted(layout, s, i % 2);
      spw_owned *owned = NULL;
      cr_assert_eq(spw_convert_new(&o.tensor, &w, 0, &owned, NULL), SPW_OK);
      const spw_index_array *const c = &spw_owned_tensor(owned)->compressed;
      cr_assert_eq(spw_owned_tensor(owned)->plain.array.shape[1], 0);
      for (int64_t k = 0; k < c->array.length; k++) cr_assert_eq(c->i64 ? c->i64[k] : c->i32[k], 0);
      spw_owned_free(owned);
      operand_free(&o);
    }
}
