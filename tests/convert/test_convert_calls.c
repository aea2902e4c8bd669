/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions as calls: what is refused and with which numbers, buffers that are too short, tensors that change
 * between the call for the room and the one that fills it, limits, and memory that is not there. */
#include "../attempts/fenced.h"
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../expected/scalar.h"

#include "../../fuzz/inputs/values.h"
#include "../../src/owned/owned.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define fail(...) cr_assert(false, __VA_ARGS__)

enum { NDIM = 16 };

/* ---- Tensors of few elements and any numbers ------------------------------------------------- */

/* All strides and storages as small as they can be: batch strides and those of the values are 0. */
typedef struct spare {
  spw_tensor tensor;
  int64_t size[NDIM], shape[3][NDIM], strides[3][NDIM];
  int32_t i32[2][64];
  int64_t i64[2][64];
  float value[64];
} spare;

static void index_array(spare *s, int which, spw_dtype dtype, int64_t ndim, int64_t length)
{
  spw_index_array *a = which ? &s->tensor.plain : &s->tensor.compressed;
  a->array = (spw_array){dtype, ndim, s->shape[which], s->strides[which], 0, length};
  s->strides[which][ndim - 1] = 1;
  for (int i = 0; i < 64; i++) s->i32[which][i] = (int32_t)s->i64[which][i];
  a->i32 = dtype == SPW_INT32 ? s->i32[which] : NULL;
  a->i64 = dtype == SPW_INT64 ? s->i64[which] : NULL;
}

static void value_array(spare *s, int64_t ndim)
{
  s->value[0] = 1;
  s->tensor.values = (spw_value_array){{SPW_FLOAT32, ndim, s->shape[2], s->strides[2], 0, 1}, s->value};
}

/* indices[d * nse + k] are in i64[1] beforehand. */
static void make_coo(spare *s, spw_dtype dtype, int64_t S, int64_t nse, spw_claim claim, int64_t K, const int64_t *size)
{
  s->tensor = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = S + K, .size = s->size, .coalesced = claim};
  memcpy(s->size, size, (size_t)(S + K) * sizeof *size);
  memset(s->strides, 0, sizeof s->strides);
  s->shape[1][0] = S;
  s->shape[1][1] = nse;
  s->strides[1][0] = nse;
  index_array(s, 1, dtype, 2, S * nse);
  s->shape[2][0] = nse;
  for (int64_t d = 0; d < K; d++) s->shape[2][1 + d] = size[S + d];
  value_array(s, 1 + K);
}

/* BSR, or CSR where block is 0. Offsets and columns are in i64 beforehand. */
static void make_rows(spare *s, spw_dtype dtype, int64_t B, const int64_t *batch, int64_t C, int64_t P, int64_t nse,
                      int64_t block) {
  int64_t ndim = B;
  s->tensor = (spw_tensor){.layout = block ? SPW_BSR : SPW_CSR, .has_size = true, .ndim = B + 2, .size = s->size};
  s->tensor.coalesced = SPW_CLAIM_NONE;
  memset(s->strides, 0, sizeof s->strides);
  for (int64_t d = 0; d < B; d++) s->size[d] = s->shape[0][d] = s->shape[1][d] = s->shape[2][d] = batch[d];
  s->size[B] = C * (block ? block : 1);
  s->size[B + 1] = P * (block ? block : 1);
  s->shape[0][B] = C + 1;
  s->shape[1][B] = s->shape[2][ndim++] = nse;
  if (block) s->shape[2][ndim++] = block;
  if (block) s->shape[2][ndim++] = block;
  index_array(s, 0, dtype, B + 1, C + 1);
  index_array(s, 1, dtype, B + 1, nse);
  value_array(s, ndim);
}

/* Also of a tensor with more batches than the second opinion looks at. */
static void expect_refusal(const spw_tensor *tensor, const spw_conversion *wanted, spw_obstacle obstacle, int64_t lhs,
                           int64_t rhs) {
  attempt a;
  const char *wrong = attempt_conversion(tensor, wanted, &a);
  cr_assert(wrong == NULL, "%s: %s", conversion_text(wanted), wrong);
  if (!a.spelled_out) a.status = spw_convert_size(tensor, wanted, &a.room, &a.refusal);
  cr_assert(a.status == SPW_ERANGE && a.refusal.obstacle == obstacle && a.refusal.lhs == lhs && a.refusal.rhs == rhs,
            "%s: status %d, obstacle %d, %lld and %lld", conversion_text(wanted), (int)a.status, (int)a.refusal.obstacle,
            (long long)a.refusal.lhs, (long long)a.refusal.rhs);
  attempt_free(&a);
}

/* As wrong_room of meaning.h has it, for results that nobody makes. */
static void expect_room(const spw_tensor *tensor, const spw_conversion *wanted, int64_t compressed, int64_t plain, int64_t values)
{
  attempt a;
  const char *wrong = attempt_conversion(tensor, wanted, &a);
  cr_assert(wrong == NULL, "%s: %s", conversion_text(wanted), wrong);
  cr_assert(a.status == SPW_OK && a.room.compressed == compressed && a.room.plain == plain && a.room.values == values,
            "%s: status %d: %lld, %lld, %lld", conversion_text(wanted), (int)a.status, (long long)a.room.compressed,
            (long long)a.room.plain, (long long)a.room.values);
  attempt_free(&a);
}

static void expect_result(const spw_tensor *tensor, const spw_conversion *wanted, int64_t nse)
{
  attempt a;
  const char *wrong = attempt_conversion(tensor, wanted, &a);
  cr_assert(wrong == NULL, "%s: %s", conversion_text(wanted), wrong);
  cr_assert(a.has_result, "%s: status %d", conversion_text(wanted), (int)a.status);
  if (wanted->layout != SPW_DENSE) {
    const spw_array *plain = &a.result.plain.array;
    cr_assert(plain->shape[plain->ndim - 1] == nse, "nse %lld", (long long)plain->shape[plain->ndim - 1]);
  }
  attempt_free(&a);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

Test(convert_calls, blocks_that_do_not_divide)
{
  static spare s = {.i64 = {{0, 1, 1, 2, 2}, {3, 5}}};
  make_rows(&s, SPW_INT64, 0, NULL, 4, 6, 2, 0);
  spw_conversion w = conversion_to(SPW_BSR, 3, 2);
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_BLOCKS, 4, 3);
  w = conversion_to(SPW_BSC, 2, 4);
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_BLOCKS, 6, 4);
  w = conversion_to(SPW_BSC, 1, INT64_MAX);
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_BLOCKS, 6, INT64_MAX);
  w = conversion_to(SPW_BSR, 4, 6);
  expect_result(&s.tensor, &w, 1);
}

Test(convert_calls, dimensions)
{
  static spare s = {.i64 = {{0}, {0, 1, 0, 1, 0, 1}}};
  make_coo(&s, SPW_INT64, 3, 2, SPW_CLAIM_YES, 0, (const int64_t[]){2, 2, 2});
  spw_conversion w = conversion_to(SPW_CSR, 0, 0);
  expect_result(&s.tensor, &w, 1);
  for (w.batch_dims = 0; w.batch_dims <= 5; w.batch_dims++) {
    attempt a;
    const char *wrong = attempt_conversion(&s.tensor, &w, &a);
    cr_assert(!wrong && a.status == (w.batch_dims == 1 ? SPW_OK : SPW_ERANGE), "%lld: %s", (long long)w.batch_dims,
              wrong ? wrong : "");
    attempt_free(&a);
  }
  const int64_t many[] = {INT64_MAX - 2, INT64_MAX - 1, INT64_MAX};
  for (int i = 0; i < 3; i++) {
    spw_room room;
    w.batch_dims = many[i];
    const spw_status status = spw_convert_size(&s.tensor, &w, &room, NULL);
    cr_assert(status == SPW_ERANGE, "%d", (int)status);
  }
  make_coo(&s, SPW_INT64, 1, 2, SPW_CLAIM_YES, 1, (const int64_t[]){2, 2});
  w.batch_dims = -1;
  attempt a;
  const char *wrong = attempt_conversion(&s.tensor, &w, &a);
  cr_assert(!wrong && a.status == SPW_ERANGE && a.refusal.obstacle == SPW_OBSTACLE_DIMENSIONS, "%s", wrong ? wrong : "");
  attempt_free(&a);
  static operand o;
  for (int64_t ndim = 0; ndim < 4; ndim++) {
    operand_dense(&o, SPW_INT16, ndim, (const int64_t[]){2, 2, 2});
    memset(o.values, 1, (size_t)o.tensor.values.array.length * 2);
    const int64_t dims[] = {-1, 0, 1, 2, 3, 4, 17, INT64_MAX};
    for (int i = 0; i < 64; i++) {
      w.dense_dims = dims[i % 8];
      w.batch_dims = dims[i / 8];
      for (int layout = SPW_COO; layout <= SPW_CSC; layout++) {
        w.layout = (spw_layout)layout;
        wrong = attempt_conversion(&o.tensor, &w, &a);
        cr_assert(!wrong, "%s: %s", conversion_text(&w), wrong);
        attempt_free(&a);
      }
    }
    operand_free(&o);
  }
}

Test(convert_calls, index_types)
{
  static spare s = {.i64 = {{0, 1}, {0}}};
  const int64_t beyond = (int64_t)INT32_MAX + 1;
  spw_conversion w = conversion_to(SPW_COO, 0, 0);
  w.index_dtype = SPW_INT32;
  /* sizes */
  make_coo(&s, SPW_INT64, 2, 1, SPW_CLAIM_YES, 0, (const int64_t[]){3, beyond});
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_INDEX, beyond, INT32_MAX);
  make_coo(&s, SPW_INT64, 2, 1, SPW_CLAIM_YES, 0, (const int64_t[]){beyond - 1, 3});
  expect_result(&s.tensor, &w, 1);
  w.layout = SPW_CSR;
  expect_room(&s.tensor, &w, beyond, 1, 1);
  w.layout = SPW_CSC;
  expect_result(&s.tensor, &w, 1);
  make_coo(&s, SPW_INT64, 2, 1, SPW_CLAIM_YES, 0, (const int64_t[]){beyond, 3});
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_INDEX, beyond, INT32_MAX);
  w = conversion_to(SPW_BSC, 2, 1);
  w.index_dtype = SPW_INT32;
  expect_result(&s.tensor, &w, 1);
  /* rows within blocks: 2^16 blocks of 2^16 */
  make_rows(&s, SPW_INT32, 0, NULL, 1, 1, 1, 1 << 16);
  w = conversion_to(SPW_CSR, 0, 0);
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_INDEX, (int64_t)1 << 32, INT32_MAX);
  w.layout = SPW_COO;
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_INDEX, (int64_t)1 << 32, INT32_MAX);
  w.index_dtype = SPW_INT64;
  expect_room(&s.tensor, &w, 0, (int64_t)1 << 33, (int64_t)1 << 32);
  w.layout = SPW_DENSE;
  expect_room(&s.tensor, &w, 0, 0, (int64_t)1 << 32);
  w = conversion_to(SPW_BSC, 0, 0);
  expect_room(&s.tensor, &w, 2, 1, (int64_t)1 << 32);
  /* batches that become a sparse dimension, and their cells */
  make_rows(&s, SPW_INT32, 1, (const int64_t[]){beyond}, 1, 1, 1, 0);
  w = conversion_to(SPW_COO, 0, 0);
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_INDEX, beyond, INT32_MAX);
  make_rows(&s, SPW_INT32, 2, (const int64_t[]){1 << 15, 1 << 16}, 1, 1, 1, 0);
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_INDEX, beyond, INT32_MAX);
}

Test(convert_calls, more_than_int64)
{
  static spare s = {.i64 = {{0, 0}, {0}}};
  spw_conversion w = conversion_to(SPW_CSR, 0, 0);
  attempt a;
  /* C + 1, and batches * (C + 1) */
  const int64_t sizes[][3] = {{1, INT64_MAX, 1}, {(int64_t)1 << 62, 1, 1}, {(int64_t)1 << 62, (int64_t)1 << 62, 0}};
  for (int i = 0; i < 3; i++) {
    make_coo(&s, SPW_INT64, 3, 0, SPW_CLAIM_YES, 0, sizes[i]);
    const char *wrong = attempt_conversion(&s.tensor, &w, &a);
    cr_assert(!wrong && a.status == SPW_ERANGE && a.refusal.obstacle == SPW_OBSTACLE_SIZE, "%d: %s, status %d", i,
              wrong ? wrong : "", (int)a.status);
    attempt_free(&a);
  }
  /* batches alone: the other sizes are 0 */
  make_coo(&s, SPW_INT64, 4, 0, SPW_CLAIM_YES, 0, (const int64_t[]){(int64_t)1 << 62, (int64_t)1 << 62, 0, 0});
  const char *wrong = attempt_conversion(&s.tensor, &w, &a);
  cr_assert(!wrong && a.status == SPW_ERANGE, "%s, status %d", wrong ? wrong : "", (int)a.status);
  attempt_free(&a);
  /* coordinates: two for each of 2^62 cells */
  s.i64[0][1] = 1;
  make_rows(&s, SPW_INT64, 1, (const int64_t[]){(int64_t)1 << 62}, 1, 1, 1, 0);
  w.layout = SPW_COO;
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_SIZE, -1, -1);
}

Test(convert_calls, batches_of_other_counts)
{
  static operand o;
  operand_dense(&o, SPW_FLOAT64, 4, (const int64_t[]){2, 2, 2, 3});
  double *v = o.values;
  memset(v, 0, 24 * sizeof *v);
  for (int b = 0; b < 4; b++) v[6 * b] = v[6 * b + 4] = 1;
  spw_conversion w = conversion_to(SPW_CSC, 0, 0);
  expect_result(&o.tensor, &w, 2);
  v[13] = -0.0;
  expect_result(&o.tensor, &w, 2);
  w.bits = true;
  attempt a;
  const char *wrong = attempt_conversion(&o.tensor, &w, &a);
  cr_assert(!wrong && a.status == SPW_ERANGE && a.refusal.obstacle == SPW_OBSTACLE_BATCHES, "%s", wrong ? wrong : "");
  attempt_free(&a);
  w.prune = true; /* then it is not stored */
  expect_result(&o.tensor, &w, 2);
  /* as many elements, but not as many blocks */
  v[13] = 0;
  v[22] = 0;
  v[23] = 1;
  w = conversion_to(SPW_BSR, 2, 3);
  expect_result(&o.tensor, &w, 1);
  w = conversion_to(SPW_BSR, 1, 3);
  expect_result(&o.tensor, &w, 2);
  v[23] = 0;
  v[19] = 1;
  wrong = attempt_conversion(&o.tensor, &w, &a);
  cr_assert(!wrong && a.status == SPW_ERANGE && a.refusal.obstacle == SPW_OBSTACLE_BATCHES, "%s", wrong ? wrong : "");
  attempt_free(&a);
  operand_free(&o);
}

Test(convert_calls, duplicates)
{
  static spare s = {.i64 = {{0, 2, 5}, {2, 0, 1, 0, 1, 0, 0, 1, 0, 1}}};
  spw_conversion w = conversion_to(SPW_COO, 0, 0);
  /* (2, 0), (0, 0), (1, 1), (0, 0), (1, 1) */
  make_coo(&s, SPW_INT32, 2, 5, SPW_CLAIM_NO, 0, (const int64_t[]){3, 2});
  expect_result(&s.tensor, &w, 3);
  w.duplicates = SPW_COMBINE_REFUSE;
  expect_refusal(&s.tensor, &w, SPW_OBSTACLE_DUPLICATE, 1, 3);
  for (int layout = SPW_CSR; layout <= (int)SPW_DENSE; layout++) {
    w.layout = (spw_layout)layout;
    w.block_rows = layout == SPW_BSR || layout == SPW_BSC ? 3 : 0;
    w.block_columns = w.block_rows ? 1 : 0;
    expect_refusal(&s.tensor, &w, SPW_OBSTACLE_DUPLICATE, 1, 3);
  }
  /* a row with a column twice, in the second batch as in the first */
  static spare c = {.i64 = {{0, 2, 5}, {2, 0, 1, 2, 1}}};
  make_rows(&c, SPW_INT32, 1, (const int64_t[]){2}, 2, 3, 5, 0);
  w = conversion_to(SPW_CSR, 0, 0);
  attempt a;
  const char *wrong = attempt_conversion(&c.tensor, &w, &a);
  cr_assert(!wrong && a.status == SPW_EINVALID && a.refusal.violation.rule == SPW_RULE_5_6, "%s", wrong ? wrong : "");
  attempt_free(&a);
  w.canonicalize = true;
  expect_result(&c.tensor, &w, 4);
  w.duplicates = SPW_COMBINE_REFUSE;
  expect_refusal(&c.tensor, &w, SPW_OBSTACLE_DUPLICATE, 2, 4);
}

/* ---- Batches that come to have more cells after their room was asked for ---------------------- */

/* Into buffers for as many cells as the first batch still has: batch 2 is named with its count, as in the call for the room. */
static void expect_more(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, int64_t first,
                        int64_t more)
{
  spw_room room;
  spw_tensor result;
  spw_refusal why[3];
  spw_status status[3];
  memset(why, 0x55, sizeof why);
  status[0] = spw_convert_size(tensor, wanted, &room, &why[0]);
  status[1] = spw_convert(tensor, wanted, buffers, &result, &why[1]);
  status[2] = spw_convert_unchecked(tensor, wanted, buffers, &result, &why[2]);
  for (int i = 0; i < 3; i++) {
    cr_assert(status[i] == SPW_ERANGE && why[i].obstacle == SPW_OBSTACLE_BATCHES, "%s: call %d: status %d",
              conversion_text(wanted), i, (int)status[i]);
    cr_assert(why[i].place == 0 && why[i].other == 2 && why[i].lhs == first && why[i].rhs == more,
              "%s: call %d: %lld of batch %lld and %lld of batch %lld", conversion_text(wanted), i, (long long)why[i].lhs,
              (long long)why[i].place, (long long)why[i].rhs, (long long)why[i].other);
  }
}

static void fence_room_for(fenced *f, const spw_tensor *tensor, const spw_conversion *wanted)
{
  spw_room room;
  const spw_status status = spw_convert_size(tensor, wanted, &room, NULL);
  cr_assert(status == SPW_OK, "%s: status %d", conversion_text(wanted), (int)status);
  fenced_make(f, &room);
}

static spw_conversion to_blocks_of(spw_layout layout, int64_t side, spw_dtype index_dtype)
{
  const int64_t block = layout == SPW_BSR || layout == SPW_BSC ? side : 0;
  spw_conversion w = conversion_to(layout, block, block);
  w.index_dtype = index_dtype;
  return w;
}

/* Three batches of 4 x 4 elements, of two scalars each if hybrid; transposed, they have to be packed. */
static void expect_more_of_dense(spw_layout layout, spw_dtype index_dtype, bool hybrid, bool transposed)
{
  operand o;
  fenced f;
  operand_dense(&o, SPW_FLOAT64, hybrid ? 4 : 3, (const int64_t[]){3, 4, 4, 2});
  const int64_t scalars = o.tensor.values.array.length, batch = scalars / 3;
  double *const v = o.values;
  memset(v, 0, (size_t)scalars * sizeof *v);
  for (int64_t b = 0; b < 3; b++) v[b * batch] = v[b * batch + batch / 16 * 10] = 1; /* (0, 0) and (2, 2) */
  if (transposed) {
    o.strides[1] = batch / 16;
    o.strides[2] = batch / 4;
  }
  spw_conversion w = to_blocks_of(layout, 2, index_dtype);
  w.dense_dims = hybrid;
  fence_room_for(&f, &o.tensor, &w);
  for (int64_t k = 2 * batch; k < scalars; k++) v[k] = 1;
  expect_more(&o.tensor, &w, &f.buffers, 2, w.block_rows > 0 ? 4 : 16);
  cr_assert(fences_hold(&f));
  fenced_free(&f);
  operand_free(&o);
}

Test(convert_calls, more_cells_of_a_dense_batch)
{
  for (int layout = SPW_CSR; layout <= SPW_BSC; layout++)
    for (int i = 0; i < 8; i++)
      expect_more_of_dense((spw_layout)layout, i & 1 ? SPW_INT64 : SPW_INT32, i & 2, i & 4);
}

/* Three batches of 4 x 4 cells, elements or blocks of 2 x 2, of which each has two in its first line; then one of them moves
 * out of the block of the result that they lie in. */
static void expect_more_of_compressed(spw_layout from, spw_dtype from_indices, spw_layout to, spw_dtype to_indices)
{
  static spare s;
  fenced f;
  const int64_t side = from == SPW_BSR || from == SPW_BSC ? 2 : 0;
  const int64_t offsets[] = {0, 2, 2, 2, 2}, plain[] = {0, 1, 0, 1, 0, 1};
  memcpy(s.i64[0], offsets, sizeof offsets);
  memcpy(s.i64[1], plain, sizeof plain);
  make_rows(&s, from_indices, 1, (const int64_t[]){3}, 4, 4, 2, side);
  s.tensor.layout = from;
  s.strides[1][0] = 2;
  s.tensor.plain.array.length = 6;
  const spw_conversion w = to_blocks_of(to, side ? 4 : 2, to_indices);
  fence_room_for(&f, &s.tensor, &w);
  s.i32[1][5] = 2;
  s.i64[1][5] = 2;
  expect_more(&s.tensor, &w, &f.buffers, 1, 2);
  cr_assert(fences_hold(&f));
  fenced_free(&f);
}

Test(convert_calls, more_blocks_of_a_compressed_batch)
{
  for (int from = SPW_CSR; from <= SPW_BSC; from++)
    for (int i = 0; i < 8; i++)
      expect_more_of_compressed((spw_layout)from, i & 1 ? SPW_INT64 : SPW_INT32, i & 2 ? SPW_BSR : SPW_BSC,
                                i & 4 ? SPW_INT64 : SPW_INT32);
}

/* ---- Wrong calls ----------------------------------------------------------------------------- */

static void expect_wrong(const spw_tensor *tensor, const spw_conversion *wanted, const char *what)
{
  attempt a;
  const char *wrong = attempt_conversion(tensor, wanted, &a);
  cr_assert(!wrong && a.status == SPW_EINVAL, "%s: %s, status %d", what, wrong ? wrong : "", (int)a.status);
  attempt_free(&a);
}

Test(convert_calls, wrong_requests)
{
  static spare s = {.i64 = {{0, 1, 1, 2, 2}, {3, 5}}};
  make_rows(&s, SPW_INT64, 0, NULL, 4, 6, 2, 0);
  const spw_conversion good = conversion_to(SPW_BSR, 2, 3);
  spw_conversion w = good;
  for (int layout = -1; layout <= 6; layout += 7) {
    w.layout = (spw_layout)layout;
    expect_wrong(&s.tensor, &w, "layout");
  }
  const int64_t blocks[][2] = {{0, 0}, {0, 1}, {1, 0}, {-1, 1}, {1, -1}, {-1, -1}, {INT64_MIN, INT64_MIN}};
  for (int i = 0; i < 7; i++) {
    w = good;
    w.block_rows = blocks[i][0];
    w.block_columns = blocks[i][1];
    expect_wrong(&s.tensor, &w, "blocks");
  }
  const int types[] = {SPW_BOOL, SPW_INT16, SPW_FLOAT64, 13, 99, -1};
  for (int i = 0; i < 6; i++) {
    w = good;
    w.index_dtype = (spw_dtype)types[i];
    expect_wrong(&s.tensor, &w, "index type");
  }
  for (int how = -1; how <= 4; how += 5) {
    w = good;
    w.duplicates = (spw_combine)how;
    expect_wrong(&s.tensor, &w, "duplicates");
  }
  const int64_t dims[] = {-2, INT64_MIN, 1, INT64_MAX};
  for (int i = 0; i < 4; i++) {
    w = good;
    w.dense_dims = dims[i];
    expect_wrong(&s.tensor, &w, "dense dimensions");
  }
  static operand o;
  operand_dense(&o, SPW_FLOAT32, 2, (const int64_t[]){2, 3});
  memset(o.values, 0, 24);
  w = good;
  w.batch_dims = -2;
  expect_wrong(&o.tensor, &w, "batch dimensions");
  operand_free(&o);
}

Test(convert_calls, null_pointers)
{
  static spare s = {.i64 = {{0, 1, 1, 2, 2}, {3, 5}}};
  make_rows(&s, SPW_INT64, 0, NULL, 4, 6, 2, 0);
  const spw_conversion w = conversion_to(SPW_CSC, 0, 0);
  spw_room room;
  spw_tensor result;
  fenced f;
  cr_assert(spw_convert_size(NULL, &w, &room, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_size(&s.tensor, NULL, &room, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_size(&s.tensor, &w, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_size(&s.tensor, &w, &room, NULL) == SPW_OK);
  fenced_make(&f, &room);
  cr_assert(spw_convert(NULL, &w, &f.buffers, &result, NULL) == SPW_EINVAL);
  cr_assert(spw_convert(&s.tensor, NULL, &f.buffers, &result, NULL) == SPW_EINVAL);
  cr_assert(spw_convert(&s.tensor, &w, NULL, &result, NULL) == SPW_EINVAL);
  cr_assert(spw_convert(&s.tensor, &w, &f.buffers, NULL, NULL) == SPW_EINVAL);
  for (int which = 0; which < FENCED_BUFFERS; which++) {
    spw_buffers b = f.buffers;
    if (f.bytes[which] == 0) continue;
    if (which == 0) b.dims = NULL;
    if (which == 1) b.compressed_i64 = NULL;
    if (which == 2) b.plain_i64 = NULL;
    if (which == 3) b.values = NULL;
    if (which == 4) b.work = NULL;
    cr_assert(spw_convert(&s.tensor, &w, &b, &result, NULL) == SPW_EINVAL, "buffer %d", which);
  }
  cr_assert(fenced_untouched(&f));
  fenced_free(&f);
  /* values that are said to be there */
  s.tensor.values.data = NULL;
  cr_assert(spw_convert_size(&s.tensor, &w, &room, NULL) == SPW_EINVAL);
  s.tensor.layout = SPW_DENSE;
  cr_assert(spw_convert_size(&s.tensor, &w, &room, NULL) == SPW_EINVAL);
}

/* ---- Dense arrays that are none -------------------------------------------------------------- */

Test(convert_calls, invalid_arrays)
{
  static spare s;
  attempt a;
  spw_conversion w = conversion_to(SPW_COO, 0, 0);
  const int64_t huge = (int64_t)1 << 32;
  const struct {
    spw_rule rule;
    int64_t shape[2], strides[2], offset, length;
    int dtype, declared;
  } broken[] = {{SPW_RULE_1_5, {1, 1}, {1, 1}, 0, 1, 13, 0},
                {SPW_RULE_1_5, {1, 1}, {1, 1}, 0, 1, 0, 0},
                {SPW_RULE_1_4, {1, 1}, {1, 1}, 0, 1, SPW_FLOAT32, SPW_FLOAT64},
                {SPW_RULE_3_11, {huge, huge}, {0, 0}, 0, 1, SPW_FLOAT32, 0},
                {SPW_RULE_3_12, {-1, 1}, {1, 1}, 0, 1, SPW_FLOAT32, 0},
                {SPW_RULE_3_14, {2, 2}, {2, 1}, 0, 3, SPW_FLOAT32, 0},
                {SPW_RULE_3_14, {2, 2}, {-2, 1}, 2, 4, SPW_FLOAT32, 0},
                {SPW_RULE_3_14, {2, 2}, {2, 1}, -1, 4, SPW_FLOAT32, 0},
                {SPW_RULE_3_14, {2, 2}, {INT64_MAX, INT64_MAX}, INT64_MAX, 4, SPW_FLOAT32, 0}};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    s.tensor = (spw_tensor){.layout = SPW_DENSE, .dtype = (spw_dtype)broken[i].declared};
    s.tensor.values = (spw_value_array){
        {(spw_dtype)broken[i].dtype, 2, broken[i].shape, broken[i].strides, broken[i].offset, broken[i].length}, s.value};
    const char *wrong = attempt_conversion(&s.tensor, &w, &a);
    cr_assert(!wrong && a.status == SPW_EINVALID && a.refusal.violation.rule == broken[i].rule, "%zu: %s, status %d rule %d", i,
              wrong ? wrong : "", (int)a.status, (int)a.refusal.violation.rule);
    attempt_free(&a);
  }
}

/* Of an array nothing but the values is looked at. */
Test(convert_calls, members_that_an_array_has_not)
{
  static operand o;
  operand_dense(&o, SPW_FLOAT32, 2, (const int64_t[]){2, 3});
  memset(o.values, 0, 24);
  ((float *)o.values)[4] = 1;
  const spw_index_array none = {{(spw_dtype)77, -5, NULL, NULL, -3, -9}, NULL, NULL, NULL};
  const spw_index_array missing = {{SPW_INT64, 3, NULL, NULL, 0, 8}, NULL, NULL, NULL};
  spw_conversion w = conversion_to(SPW_CSR, 0, 0);
  o.tensor.compressed = none;
  o.tensor.plain = missing;
  o.tensor.ndim = -4;
  o.tensor.coalesced = (spw_claim)9;
  o.tensor.index_dtype = (spw_dtype)55;
  expect_result(&o.tensor, &w, 1);
  w.layout = SPW_DENSE;
  expect_result(&o.tensor, &w, 0);
  const int64_t size[] = {2, 4};
  spw_tensor sized = o.tensor;
  spw_room room;
  spw_refusal why;
  sized.has_size = true;
  sized.size = size;
  sized.ndim = 2;
  cr_assert(spw_convert_size(&sized, &w, &room, &why) == SPW_EINVALID);
  const spw_violation *const v = &why.violation;
  cr_assert(v->rule == SPW_RULE_3_12 && v->member == SPW_MEMBER_VALUES && v->position == 1 && v->lhs == 3 && v->rhs == 4);
  sized.ndim = 1;
  cr_assert(spw_convert_size(&sized, &w, &room, &why) == SPW_EINVALID && v->position == -1 && v->lhs == 2 && v->rhs == 1);
  operand_free(&o);
}

/* What makes compressed tensors canonical makes no claim of a COO tensor true. */
Test(convert_calls, claims_are_judged_in_any_case)
{
  static spare s = {.i64 = {{0}, {1, 0, 0, 0}}};
  for (int layout = SPW_COO; layout <= (int)SPW_DENSE; layout++) {
    attempt a;
    spw_conversion w = conversion_to((spw_layout)layout, 0, 0);
    if (layout == SPW_BSR || layout == SPW_BSC) w.block_rows = w.block_columns = 1;
    make_coo(&s, SPW_INT64, 2, 2, SPW_CLAIM_YES, 0, (const int64_t[]){2, 2});
    w.canonicalize = true;
    const char *wrong = attempt_conversion(&s.tensor, &w, &a);
    cr_assert(!wrong && a.status == SPW_EINVALID && a.refusal.violation.rule == SPW_RULE_6_7, "%s: %s, status %d",
              conversion_text(&w), wrong ? wrong : "", (int)a.status);
    attempt_free(&a);
  }
}

/* ---- Few elements, large numbers ------------------------------------------------------------- */

/* Fifteen coordinates of five bits are more than a key of 64; two of forty, where no dense element makes the
 * product of the sizes too large. */
Test(convert_calls, wide_coordinates)
{
  static spare s;
  dice d = {5};
  for (int round = 0; round < 200; round++) {
    const int64_t S = round % 2 ? 15 : round % 4 ? 6 : 2, nse = roll_below(&d, 5);
    const int64_t side = S == 15 ? 17 : S == 6 ? 1025 : (int64_t)1 << 40;
    int64_t size[16] = {0};
    for (int64_t i = 0; i < S; i++) size[i] = side;
    for (int64_t i = 0; i < S * nse; i++)
      s.i64[1][i] = roll_below(&d, 3) ? roll_below(&d, 2) * (side - 1) : roll_below(&d, side);
    if (nse > 2 && round % 3 == 0)
      for (int64_t i = 0; i < S; i++) s.i64[1][i * nse + 2] = s.i64[1][i * nse];
    make_coo(&s, side < 2000 && round % 5 == 0 ? SPW_INT32 : SPW_INT64, S, nse, SPW_CLAIM_NO, side > 2000 ? 1 : 0, size);
    spw_conversion w = conversion_to(SPW_COO, 0, 0);
    w.duplicates = (spw_combine)(round % 4);
    attempt a;
    const char *wrong = attempt_conversion(&s.tensor, &w, &a);
    cr_assert(!wrong && a.spelled_out, "round %d: %s", round, wrong ? wrong : "");
    attempt_free(&a);
  }
}

/* One line of as many columns as can be told, or as many lines of one, in no order and with duplicates: 63 bits of a key are
 * those of one coordinate. */
Test(convert_calls, longest_line)
{
  static spare s;
  static const float values[] = {1, 2, 4, 8, 16};
  const int64_t last = INT64_MAX - 1, at[] = {last, 0, last, (int64_t)1 << 62, last - 1};
  int64_t converted = 0;
  for (int round = 0; round < 18; round++) {
    const int64_t by_columns = round % 2, size[] = {by_columns ? INT64_MAX : 1, by_columns ? 1 : INT64_MAX};
    for (int64_t k = 0; k < 5; k++) {
      s.i64[1][by_columns ? 5 + k : k] = 0;
      s.i64[1][by_columns ? k : 5 + k] = at[k];
    }
    make_coo(&s, SPW_INT64, 2, 5, SPW_CLAIM_NO, 0, size);
    s.strides[2][0] = 1;
    s.tensor.values = (spw_value_array){{SPW_FLOAT32, 1, s.shape[2], s.strides[2], 0, 5}, values};
    const spw_layout layouts[] = {by_columns ? SPW_CSC : SPW_CSR, SPW_COO, by_columns ? SPW_BSC : SPW_BSR};
    const int kind = round / 2 % 3;
    spw_conversion w = conversion_to(layouts[kind], kind == 2, kind == 2);
    w.duplicates = (spw_combine)(round / 6);
    attempt a;
    const char *wrong = attempt_conversion(&s.tensor, &w, &a);
    cr_assert(!wrong && a.spelled_out, "round %d: %s", round, wrong ? wrong : "");
    converted += a.status == SPW_OK;
    attempt_free(&a);
  }
  cr_assert(converted == 18, "%lld", (long long)converted);
}

/* Sizes of 0 beside sizes that no array can have. */
Test(convert_calls, nothing_of_much)
{
  static spare s;
  static const int64_t sizes[][4] = {{0, 0, 0, 0}, {0, 3, 4, 2}, {3, 0, 4, 2}, {3, 4, 0, 2}, {3, 4, 2, 0},
                                     {(int64_t)1 << 62, (int64_t)1 << 62, 0, 7}, {0, (int64_t)1 << 62, (int64_t)1 << 62, 3},
                                     {INT64_MAX, 0, INT64_MAX, INT64_MAX}, {0, INT64_MAX, 1, 1}, {0, 1, INT64_MAX, 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int K = -1; K < 4; K++)
      for (int layout = 0; layout <= (int)SPW_DENSE; layout++)
        for (int index = 0; index < 2; index++) {
          attempt a;
          spw_conversion w = conversion_to((spw_layout)layout, 0, 0);
          if (layout == SPW_BSR || layout == SPW_BSC) w.block_rows = w.block_columns = 2;
          if (index) w.index_dtype = SPW_INT32;
          if (K < 0) {
            s.tensor = (spw_tensor){.layout = SPW_DENSE};
            memcpy(s.shape[2], sizes[i], sizeof sizes[i]);
            value_array(&s, 4);
          } else {
            make_coo(&s, SPW_INT64, 4 - K, 0, SPW_CLAIM_YES, K, sizes[i]);
          }
          const char *wrong = attempt_conversion(&s.tensor, &w, &a);
          cr_assert(!wrong, "size %zu, %d dense, %s: %s", i, K, conversion_text(&w), wrong);
          attempt_free(&a);
        }
}

/* Any block divides 0, and blocks without a dense element take no memory. */
Test(convert_calls, blocks_of_any_size)
{
  static spare s;
  static const int64_t sides[] = {1, 3, (int64_t)1 << 31, (int64_t)1 << 32, (int64_t)1 << 40, INT64_MAX};
  for (int i = 0; i < 36; i++)
    for (int layout = SPW_COO; layout <= SPW_CSC; layout++)
      for (int to = SPW_BSR; to <= SPW_BSC; to++) {
        const int64_t height = sides[i / 6], width = sides[i % 6];
        attempt a, back;
        spw_conversion w = conversion_to((spw_layout)to, height, width);
        make_coo(&s, SPW_INT64, 2, 0, SPW_CLAIM_YES, 0, (const int64_t[]){0, 0});
        const spw_conversion first = conversion_to((spw_layout)layout, 0, 0);
        const char *wrong = attempt_conversion(&s.tensor, &first, &a);
        cr_assert(!wrong && a.has_result, "%s", wrong ? wrong : "");
        wrong = attempt_conversion(&a.result, &w, &back);
        cr_assert(!wrong && back.has_result, "from %d %s: %s", layout, conversion_text(&w), wrong ? wrong : "");
        for (int again = SPW_COO; again <= (int)SPW_DENSE; again++) {
          attempt last;
          spw_conversion third = conversion_to((spw_layout)again, 0, 0);
          third.prune = again % 2;
          wrong = attempt_conversion(&back.result, &third, &last);
          cr_assert(!wrong && last.has_result, "blocks %s: %s", conversion_text(&third), wrong ? wrong : "");
          attempt_free(&last);
        }
        attempt_free(&a);
        attempt_free(&back);
        s.tensor = (spw_tensor){.layout = SPW_DENSE};
        const int64_t shape[] = {2, height, width, 0};
        memcpy(s.shape[2], shape, sizeof shape);
        value_array(&s, 4);
        w.dense_dims = 1;
        wrong = attempt_conversion(&s.tensor, &w, &a);
        cr_assert(!wrong, "dense %s: %s", conversion_text(&w), wrong ? wrong : "");
        attempt_free(&a);
      }
}

/* Sizes whose product is beyond int64, but for a dense dimension of 0; and values that are many, but one. */
Test(convert_calls, products_beyond_int64)
{
  static spare s;
  attempt a;
  for (int layout = SPW_COO; layout <= (int)SPW_DENSE; layout++)
    for (int64_t dense = 0; dense <= (int64_t)1 << 60; dense += (int64_t)1 << 60) {
      spw_conversion w = conversion_to((spw_layout)layout, 0, 0);
      if (layout == SPW_BSR || layout == SPW_BSC) w.block_rows = w.block_columns = 1;
      s.i64[0][0] = 0;
      s.i64[0][1] = s.i64[1][0] = dense ? 1 : (int64_t)1 << 61;
      s.i64[0][1] = 1;
      make_rows(&s, SPW_INT64, 1, (const int64_t[]){dense ? 1 : 8}, 1, dense ? 2 : (int64_t)1 << 62, 1, 0);
      s.tensor.ndim = 4;
      s.size[3] = s.shape[2][2] = dense ? (int64_t)1 << 60 : 0;
      s.tensor.values.array.ndim = 3;
      s.tensor.values.array.dtype = SPW_COMPLEX128;
      const char *wrong = attempt_conversion(&s.tensor, &w, &a);
      cr_assert(!wrong && (a.spelled_out || w.block_rows), "%s: %s", conversion_text(&w), wrong ? wrong : "");
      attempt_free(&a);
      s.i64[1][1] = 0;
      make_coo(&s, SPW_INT64, 2, 1, SPW_CLAIM_NO, 1,
               (const int64_t[]){dense ? 2 : (int64_t)1 << 62, dense ? 1 : (int64_t)1 << 62, dense});
      s.tensor.values.array.dtype = SPW_COMPLEX128;
      wrong = attempt_conversion(&s.tensor, &w, &a);
      cr_assert(!wrong, "COO %s: %s", conversion_text(&w), wrong ? wrong : "");
      attempt_free(&a);
    }
}

/* More batches than the second opinion looks at: only that there is a result, and that it is empty. */
static void expect_nothing(const spw_tensor *tensor, spw_layout to)
{
  const spw_conversion w = conversion_to(to, 0, 0);
  spw_owned *owned = NULL;
  const spw_status status = spw_convert_new(tensor, &w, 1 << 20, &owned, NULL);
  cr_assert(status == SPW_OK, "to %d: status %d", (int)to, (int)status);
  const spw_tensor *result = spw_owned_tensor(owned);
  cr_assert(result->ndim == tensor->ndim && result->values.array.length == 0);
  cr_assert(to == SPW_DENSE || result->plain.array.shape[1] == 0);
  spw_owned_free(owned);
}

/* Batches that share their arrays are more than anybody can count; without an element, nobody has to. */
Test(convert_calls, batches_without_elements, .timeout = 60)
{
  static spare s;
  const int64_t many[] = {(int64_t)1 << 32, (int64_t)1 << 30};
  for (int block = 0; block <= 3; block += 3)
    for (int i = 0; i < 2; i++) {
      const spw_layout to = i ? SPW_DENSE : SPW_COO;
      s.i64[0][0] = s.i64[0][1] = s.i64[0][2] = 0;
      make_rows(&s, SPW_INT64, 2, many, 2, 0, 0, block);
      expect_nothing(&s.tensor, to);
      make_rows(&s, SPW_INT64, 2, many, 0, 1024, 0, block); /* no columns: b * rows is beyond int64 */
      s.tensor.layout = block ? SPW_BSC : SPW_CSC;
      s.size[2] = s.size[3];
      s.size[3] = 0;
      expect_nothing(&s.tensor, to);
    }
  s.i64[0][1] = 1; /* an element, which has no scalar */
  s.i64[1][0] = 0;
  make_rows(&s, SPW_INT64, 2, many, 1, 1, 1, 0);
  s.tensor.ndim = 5;
  s.tensor.values.array.ndim = 4;
  s.size[4] = s.shape[2][3] = 0;
  expect_nothing(&s.tensor, SPW_DENSE);
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static int64_t *length_of(spw_room *room, int which)
{
  int64_t *const lengths[] = {&room->dims, &room->compressed, &room->plain, &room->values};
  return lengths[which];
}

/* One buffer shorter. Gives whether the call was refused. */
static bool try_shorter(const spw_tensor *tensor, const spw_conversion *w, const spw_room *room, const expected *e,
                        int which, int64_t length) {
  fenced f;
  spw_tensor result, untouched;
  spw_room less = *room;
  if (which == 4) less.work = (size_t)length;
  else if (which == 5) less.nse = length;
  else *length_of(&less, which) = length;
  fenced_make(&f, &less);
  memset(&result, 0x55, sizeof result);
  memset(&untouched, 0x55, sizeof untouched);
  const spw_status status = spw_convert(tensor, w, &f.buffers, &result, NULL);
  cr_assert(fences_hold(&f), "buffer %d of %lld elements: written beyond", which, (long long)length);
  if (status == SPW_OK) {
    const char *wrong = wrong_result(e, &result);
    cr_assert(!wrong, "%s", wrong);
  } else {
    cr_assert(status == SPW_EINVAL, "buffer %d of %lld elements: status %d", which, (long long)length, (int)status);
    cr_assert(memcmp(&result, &untouched, sizeof result) == 0);
    if (e->room_exact && which != 5)
      cr_assert(fenced_untouched(&f), "buffer %d of %lld elements: written in spite of SPW_EINVAL", which,
                (long long)length);
  }
  fenced_free(&f);
  return status != SPW_OK;
}

Test(convert_calls, shorter_buffers, .timeout = 60)
{
  static operand o;
  int64_t refused = 0, made = 0;
  for (uint64_t seed = 0; seed < (SANITIZED ? 150 : 600); seed++) {
    dice d = {seed + 77};
    expected e;
    spw_room room;
    operand_random(&o, true, &d);
    const spw_conversion w = conversion_random(&o.tensor, &d);
    expected_conversion(&o.tensor, &w, &e);
    if (e.has_result && spw_convert_size(&o.tensor, &w, &room, NULL) == SPW_OK) {
      for (int which = 0; which < 6; which++) {
        const int64_t all = which == 4   ? (int64_t)room.work
                            : which == 5 ? room.nse
                                         : *length_of(&room, which),
                      step = 1 + all / 20;
        for (int64_t length = 0; length < all; length += step) refused += try_shorter(&o.tensor, &w, &room, &e, which, length);
        if (all > 0) {
          const bool no = try_shorter(&o.tensor, &w, &room, &e, which, all - 1);
          cr_assert(no || (!e.room_exact && which != 1 && which != 0), "seed %llu: buffer %d may be shorter than the room says",
                    (unsigned long long)seed, which);
        }
      }
      made++;
    }
    expected_free(&e);
    operand_free(&o);
  }
  cr_assert(made > (SANITIZED ? 80 : 300) && refused > 1000, "%lld, %lld", (long long)made, (long long)refused);
}

/* Buffers of the other index type are not there. */
Test(convert_calls, buffers_of_the_other_type)
{
  static spare s = {.i64 = {{0, 1, 1, 2, 2}, {3, 5}}};
  make_rows(&s, SPW_INT64, 0, NULL, 4, 6, 2, 0);
  spw_conversion w = conversion_to(SPW_CSC, 0, 0);
  spw_room room;
  spw_tensor result;
  fenced f;
  cr_assert(spw_convert_size(&s.tensor, &w, &room, NULL) == SPW_OK);
  room.index_dtype = SPW_INT32;
  fenced_make(&f, &room);
  cr_assert(spw_convert(&s.tensor, &w, &f.buffers, &result, NULL) == SPW_EINVAL);
  cr_assert(fenced_untouched(&f));
  fenced_free(&f);
  room.index_dtype = SPW_INT64;
  room.dtype = SPW_FLOAT64; /* enough, but of another type */
  fenced_make(&f, &room);
  const spw_status status = spw_convert(&s.tensor, &w, &f.buffers, &result, NULL);
  cr_assert(status == SPW_EINVAL && fenced_untouched(&f));
  fenced_free(&f);
}

/* Of a tensor without elements too: what counts rows is short, if elements of the other type were meant. */
Test(convert_calls, counts_of_the_other_type)
{
  static spare s;
  make_rows(&s, SPW_INT64, 0, NULL, 4, 6, 0, 0);
  const spw_conversion w = conversion_to(SPW_CSC, 0, 0);
  spw_room room;
  spw_tensor result;
  fenced f;
  cr_assert(spw_convert_size(&s.tensor, &w, &room, NULL) == SPW_OK && room.compressed == 7 && room.plain == 0);
  fenced_make(&f, &room);
  f.buffers.room.index_dtype = SPW_INT32;
  cr_assert(spw_convert(&s.tensor, &w, &f.buffers, &result, NULL) == SPW_EINVAL && fenced_untouched(&f));
  f.buffers.room.index_dtype = SPW_INT64;
  cr_assert(spw_convert(&s.tensor, &w, &f.buffers, &result, NULL) == SPW_OK);
  fenced_free(&f);
}

/* ---- Tensors that change --------------------------------------------------------------------- */

static void change_index(operand *o, int which, dice *d)
{
  const spw_index_array *a = which ? &o->tensor.plain : &o->tensor.compressed;
  if (a->array.length == 0) return;
  const int64_t place = roll_below(d, a->array.length);
  const int64_t old = a->i32 ? a->i32[place] : a->i64[place];
  const int64_t value = roll_below(d, 3) ? (int64_t)((uint64_t)old + (uint64_t)roll_below(d, 5) - 2) : roll_extreme(d);
  if (a->i32) ((int32_t *)o->indices[which])[place] = (int32_t)value;
  else ((int64_t *)o->indices[which])[place] = value;
}

static void change(operand *o, dice *d)
{
  const bool dense = o->tensor.layout == SPW_DENSE;
  for (int64_t times = 1 + roll_below(d, 3); times > 0 && !dense; times--)
    change_index(o, o->tensor.layout == SPW_COO ? 1 : (int)roll_below(d, 2), d);
  if (dense || roll_below(d, 2)) operand_draw_values(o, roll_below(d, 2) ? 1 << FUZZ_ZERO : FUZZ_EVERY_CLASS, d);
}

/* Whatever they say by then: no write outside the buffers, and the answer is about what they say now. */
Test(convert_calls, contents_that_change, .timeout = 60)
{
  static operand o;
  int64_t by_status[-SPW_ERANGE + 1] = {0};
  for (uint64_t seed = 0; seed < (SANITIZED ? 5000 : 20000); seed++) {
    dice d = {seed + 4242};
    spw_room room;
    operand_random(&o, seed % 3 != 0, &d);
    spw_conversion w = conversion_random(&o.tensor, &d);
    w.canonicalize |= seed % 3 == 0;
    if (spw_convert_size(&o.tensor, &w, &room, NULL) == SPW_OK) {
      fenced f;
      expected e;
      spw_tensor result;
      spw_refusal refusal;
      fenced_make(&f, &room);
      change(&o, &d);
      expected_conversion(&o.tensor, &w, &e);
      const spw_status status = spw_convert(&o.tensor, &w, &f.buffers, &result, &refusal);
      const char *wrong = status == SPW_EINVAL ? NULL : wrong_answer(&e, status, &refusal, false);
      if (!wrong && status == SPW_OK && e.has_result) wrong = wrong_result(&e, &result);
      if (!fences_hold(&f)) wrong = "something outside the buffers is written";
      if (wrong) fail("seed %llu: %s: %s", (unsigned long long)seed, conversion_text(&w), wrong);
      if (status <= 0 && status >= SPW_ERANGE) by_status[-status]++;
      expected_free(&e);
      fenced_free(&f);
    }
    operand_free(&o);
  }
  cr_assert(by_status[0] > 500 && by_status[-SPW_EINVAL] > 30 && by_status[-SPW_EINVALID] > 500, "%lld %lld %lld",
            (long long)by_status[0], (long long)by_status[-SPW_EINVAL], (long long)by_status[-SPW_EINVALID]);
}

/* The buffers of one tensor are given to another. */
Test(convert_calls, room_of_another, .timeout = 60)
{
  static operand o, another;
  int64_t made = 0, refused = 0;
  for (uint64_t seed = 0; seed < (SANITIZED ? 5000 : 20000); seed++) {
    dice d = {seed + 31337};
    spw_room room;
    operand_random(&o, true, &d);
    const spw_conversion w = conversion_random(&o.tensor, &d);
    if (spw_convert_size(&o.tensor, &w, &room, NULL) == SPW_OK) {
      fenced f;
      expected e;
      spw_tensor result;
      spw_refusal refusal;
      operand_random(&another, true, &d);
      room.dtype = another.tensor.values.array.dtype; /* or hardly anything would fit */
      room.work += seed % 2 ? 4096 : 0;
      expected_conversion(&another.tensor, &w, &e);
      fenced_make(&f, &room);
      const spw_status status = spw_convert(&another.tensor, &w, &f.buffers, &result, &refusal);
      const char *wrong = status == SPW_EINVAL ? NULL : wrong_answer(&e, status, &refusal, false);
      if (!wrong && status == SPW_OK && e.has_result) wrong = wrong_result(&e, &result);
      if (!fences_hold(&f)) wrong = "something outside the buffers is written";
      if (wrong) fail("seed %llu: %s: %s", (unsigned long long)seed, conversion_text(&w), wrong);
      made += status == SPW_OK;
      refused += status == SPW_EINVAL;
      expected_free(&e);
      fenced_free(&f);
      operand_free(&another);
    }
    operand_free(&o);
  }
  cr_assert(made > 100 && refused > 1000, "%lld, %lld", (long long)made, (long long)refused);
}

/* Elements of all batches beyond int64, of cells without a scalar: more than any buffer holds. */
Test(convert_calls, elements_beyond_int64, .timeout = 60)
{
  static spare s;
  s.i64[0][0] = 0, s.i64[0][1] = 8;
  for (int i = 0; i < 8; i++) s.i64[1][i] = i;
  make_rows(&s, SPW_INT32, 1, (const int64_t[]){(int64_t)1 << 61}, 1, 8, 8, 0);
  s.tensor.ndim = 4;
  s.size[3] = s.shape[2][2] = 0;
  s.tensor.values.array.ndim = 3;
  bool valid = false;
  cr_assert(spw_is_valid(&s.tensor, SPW_CANONICAL, &valid) == SPW_OK && valid);
  for (int layout = SPW_COO; layout <= (int)SPW_BSC; layout++) {
    spw_conversion w = conversion_to((spw_layout)layout, 0, 0);
    w.index_dtype = SPW_INT64;
    w.block_rows = w.block_columns = layout == SPW_BSR || layout == SPW_BSC;
    if (layout != SPW_COO) w.batch_dims = 1;
    const spw_room room = {.index_dtype = SPW_INT64, .dtype = SPW_FLOAT32, .nse = 4, .dims = 64, .compressed = 16, .plain = 12,
                           .work = 4096};
    fenced f;
    spw_tensor result;
    fenced_make(&f, &room);
    cr_expect_eq(spw_convert(&s.tensor, &w, &f.buffers, &result, NULL), SPW_EINVAL, "layout %d", layout);
    cr_expect(fences_hold(&f), "layout %d", layout);
    fenced_free(&f);
  }
}

/* More cells of no batch than the index type of the result can number. */
Test(convert_calls, cells_of_no_batch)
{
  static spare s;
  s.i64[0][0] = 0;
  for (int prunes = 0; prunes < 2; prunes++)
    for (spw_layout layout = SPW_CSR; layout <= SPW_CSC; layout++) {
      make_rows(&s, SPW_INT64, 1, (const int64_t[]){0}, 4, 4, (int64_t)1 << 31, 0);
      spw_conversion w = conversion_to(layout, 0, 0);
      w.batch_dims = 1, w.index_dtype = SPW_INT32, w.prune = prunes;
      bool valid = false;
      cr_assert(spw_is_valid(&s.tensor, SPW_CANONICAL, &valid) == SPW_OK && valid);
      spw_owned *owned = NULL;
      spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
      cr_assert_eq(spw_convert_new(&s.tensor, &w, 1 << 20, &owned, &refusal), SPW_ERANGE);
      cr_assert_eq(refusal.obstacle, SPW_OBSTACLE_INDEX);
      cr_assert(refusal.lhs == (int64_t)1 << 31 || refusal.rhs == (int64_t)1 << 31);
    }
}

Test(convert_calls, scalars_of_blocks_of_no_batch)
{
  const int64_t one[] = {0, 1}, four[] = {0, 4}, blocks[] = {0, 4, (int64_t)1 << 40, 2},
                strides[] = {(int64_t)1 << 43, (int64_t)1 << 41, 2, 1};
  const spw_tensor x = {.layout = SPW_BSR, .index_dtype = SPW_INT32, .dtype = SPW_INT16,
                        .compressed.array = {.dtype = SPW_INT32, .ndim = 2, .shape = one, .strides = strides + 2},
                        .plain.array = {.dtype = SPW_INT32, .ndim = 2, .shape = four, .strides = strides + 2},
                        .values.array = {.dtype = SPW_INT16, .ndim = 4, .shape = blocks, .strides = strides}};
  for (int prunes = 0; prunes < 2; prunes++) {
    spw_conversion w = conversion_to(SPW_BSC, 1, 1);
    w.prune = prunes; /* afterwards */
    attempt a;
    const char *wrong = attempt_conversion(&x, &w, &a);
    cr_assert(!wrong && a.status == SPW_ERANGE && a.refusal.obstacle == SPW_OBSTACLE_INDEX, "%s", wrong ? wrong : "");
    attempt_free(&a);
  }
}

/* Two batches of 2 and 3 elements, of which the second has a zero: as many only without it. */
static const char *attempt_unequal(bool pruned, spw_layout layout, int64_t block, spw_dtype index, attempt *a)
{
  static const int64_t size[] = {2, 4, 4}, shape[] = {3, 5}, strides[] = {5, 1}, count[] = {5}, one[] = {1};
  static const int64_t at[] = {0, 0, 1, 1, 1, 0, 3, 1, 1, 2, 0, 2, 3, 1, 0};
  static const double values[] = {1, 2, 3, 4, 0};
  const spw_tensor x = {.layout = SPW_COO, .has_size = true, .ndim = 3, .size = size, .index_dtype = SPW_INT64,
                        .dtype = SPW_FLOAT64, .coalesced = SPW_CLAIM_NONE,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 15}, NULL, at, NULL},
                        .values = {{SPW_FLOAT64, 1, count, one, 0, 5}, values}};
  spw_conversion w = conversion_to(layout, block, block);
  w.prune = pruned, w.index_dtype = index;
  return attempt_conversion(&x, &w, a);
}

Test(convert_calls, batches_equal_without_zeros)
{
  for (int layout = SPW_CSR; layout <= SPW_BSC; layout++)
    for (int wide = 0; wide < 2; wide++)
      for (int pruned = 0; pruned < 2; pruned++) {
        const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
        const spw_dtype index = wide ? SPW_INT64 : SPW_INT32;
        attempt a;
        const char *wrong = attempt_unequal(pruned, (spw_layout)layout, blocks ? 2 : 0, index, &a);
        cr_assert(!wrong, "layout %d: %s", layout, wrong);
        cr_assert_eq(a.status, pruned ? SPW_OK : SPW_ERANGE, "layout %d, pruned %d: %d", layout, pruned, (int)a.status);
        if (!pruned) cr_assert_eq(a.refusal.obstacle, SPW_OBSTACLE_BATCHES);
        attempt_free(&a);
      }
}

/* CSR of 2 elements in each of two batches: one block and two, of which one has zeros alone. */
Test(convert_calls, blocks_equal_without_zeros)
{
  static const int64_t size[] = {2, 4, 4}, starts[] = {2, 5}, each[] = {2, 2}, of_starts[] = {5, 1}, of_each[] = {2, 1};
  static const int32_t c[] = {0, 2, 2, 2, 2, 0, 1, 1, 1, 2}, p[] = {0, 1, 0, 3};
  static const float values[] = {1, 2, 3, -0.0F};
  const spw_tensor x = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size, .index_dtype = SPW_INT32,
                        .dtype = SPW_FLOAT32, .compressed = {{SPW_INT32, 2, starts, of_starts, 0, 10}, c, NULL, NULL},
                        .plain = {{SPW_INT32, 2, each, of_each, 0, 4}, p, NULL, NULL},
                        .values = {{SPW_FLOAT32, 2, each, of_each, 0, 4}, values}};
  for (int layout = SPW_BSR; layout <= SPW_BSC; layout++)
    for (int pruned = 0; pruned < 2; pruned++) {
      spw_conversion w = conversion_to((spw_layout)layout, 2, 2);
      w.prune = pruned;
      attempt a;
      const char *wrong = attempt_conversion(&x, &w, &a);
      cr_assert(!wrong, "layout %d: %s", layout, wrong);
      cr_assert_eq(a.status, pruned ? SPW_OK : SPW_ERANGE, "layout %d, pruned %d: %d", layout, pruned, (int)a.status);
      attempt_free(&a);
    }
}

/* ---- Memory of its own ----------------------------------------------------------------------- */

static void expect_new(const spw_tensor *tensor, const spw_conversion *w, const expected *e, size_t limit, uint64_t seed)
{
  static char sentinel;
  spw_owned *const untouched = (spw_owned *)(void *)&sentinel, *owned = untouched;
  spw_refusal refusal;
  const spw_status status = spw_convert_new(tensor, w, limit, &owned, &refusal);
  const char *wrong = limit && status == SPW_ENOMEM ? NULL : wrong_answer(e, status, &refusal, false);
  if (!wrong && status == SPW_OK && e->has_result) wrong = wrong_result(e, spw_owned_tensor(owned));
  if (!wrong && status != SPW_OK && owned != untouched) wrong = "a refusal touches the output";
  if (wrong) fail("seed %llu: %s: %s", (unsigned long long)seed, conversion_text(w), wrong);
  if (status == SPW_OK) spw_owned_free(owned);
}

Test(convert_calls, with_memory_of_its_own, .timeout = 60)
{
  static operand o;
  for (uint64_t seed = 0; seed < (SANITIZED ? 1000 : 5000); seed++) {
    dice d = {seed + 99};
    expected e;
    operand_random(&o, seed % 4 != 0, &d);
    spw_conversion w = conversion_random(&o.tensor, &d);
    expected_conversion(&o.tensor, &w, &e);
    if (e.statuses && (e.has_result || !(e.statuses & 1))) {
      expect_new(&o.tensor, &w, &e, 0, seed);
      expect_new(&o.tensor, &w, &e, 1 + (size_t)roll_below(&d, 3000), seed);
    }
    expected_free(&e);
    operand_free(&o);
  }
  expect_no_leaks();
}

/* Of no element, and of no size: only the shape of the indices says how many dimensions there are. */
Test(convert_calls, more_dimensions_than_can_be, .timeout = 60)
{
  const int64_t none[] = {0}, one[] = {1, 1};
  const spw_layout to[] = {SPW_COO, SPW_CSR};
  for (int i = 0; i < 4; i++) {
    const int64_t shape[] = {i < 2 ? INT64_MAX : INT64_MAX / 3 * 2 + 3, 0};
    const spw_tensor t = {.layout = SPW_COO, .coalesced = SPW_CLAIM_YES, .plain = {.array = {SPW_INT64, 2, shape, one, 0, 0}},
                          .values = {.array = {SPW_FLOAT64, 1, none, one, 0, 0}}};
    const spw_conversion wanted = {.layout = to[i % 2], .batch_dims = -1, .dense_dims = -1, .index_dtype = SPW_INT32};
    spw_room room = {.nse = -77};
    spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
    cr_assert_eq(spw_convert_size(&t, &wanted, &room, &why), SPW_ERANGE, "%d", i);
    cr_assert(why.obstacle == SPW_OBSTACLE_DIMENSIONS && why.lhs == shape[0] && why.rhs == SPW_NDIM_MAX, "%d", i);
    cr_assert_eq(room.nse, -77);
  }
}

/* Elements without scalars, in a block of more places than a number can tell: with room for no block, the next one is needed. */
Test(convert_calls, blocks_of_more_places_than_can_be)
{
  static const int64_t size[] = {4, (int64_t)1 << 62, 0}, offsets[] = {5}, one[] = {1, 1}, plain[] = {1}, none[] = {1, 0};
  static const int64_t c[] = {0, 1, 1, 1, 1}, p[] = {7};
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = size,
                        .compressed = {.array = {SPW_INT64, 1, offsets, one, 0, 5}, .i64 = c},
                        .plain = {.array = {SPW_INT64, 1, plain, one, 0, 1}, .i64 = p},
                        .values = {.array = {SPW_FLOAT64, 2, none, one, 0, 0}}};
  bool valid = false;
  cr_assert(spw_is_valid(&t, SPW_CANONICAL, &valid) == SPW_OK && valid);
  const spw_conversion w = conversion_to(SPW_BSR, 4, (int64_t)1 << 62);
  spw_room room = {.index_dtype = SPW_INT64, .dtype = SPW_FLOAT64, .dims = 64, .compressed = 2, .plain = 1, .work = 1 << 16};
  for (room.nse = 0; room.nse < 2; room.nse++) {
    fenced f;
    spw_tensor result;
    fenced_make(&f, &room);
    const spw_status status = spw_convert(&t, &w, &f.buffers, &result, NULL);
    cr_assert(status == SPW_EINVAL, "room for %lld: %d", (long long)room.nse, (int)status);
    cr_assert(fences_hold(&f));
    fenced_free(&f);
  }
}

/* A caller may say of any number of cells that there is room for them. */
Test(convert_calls, room_for_all_there_can_be)
{
  static const double x[] = {1, 2, 3, 4};
  static const int64_t shape[] = {2, 2}, strides[] = {2, 1};
  const spw_tensor t = {.layout = SPW_DENSE, .values = {.array = {SPW_FLOAT64, 2, shape, strides, 0, 4}, .data = x}};
  const spw_layout to[] = {SPW_CSR, SPW_CSC, SPW_COO, SPW_BSR};
  const spw_room little = {.index_dtype = SPW_INT64, .dtype = SPW_FLOAT64, .dims = 64, .compressed = 8, .plain = 8, .values = 8,
                           .work = 1 << 16};
  for (int i = 0; i < 8; i++) {
    spw_conversion w = conversion_to(to[i % 4], to[i % 4] == SPW_BSR, to[i % 4] == SPW_BSR);
    spw_tensor result;
    fenced f;
    fenced_make(&f, &little);
    f.buffers.room.nse = INT64_MAX;
    const spw_status status = spw_convert_parallel(&t, &w, i < 4 ? 1 : 8, &f.buffers, &result, NULL);
    cr_assert_eq(status, SPW_EINVAL, "to layout %d: %d", (int)to[i % 4], (int)status);
    cr_assert(fenced_untouched(&f));
    fenced_free(&f);
  }
}

/* Of no batch: every array has room for any number of cells, and it is the number itself that is too large. */
Test(convert_calls, more_cells_than_can_be_told)
{
  static const int64_t size[] = {0, 4, 4}, c_shape[] = {0, 3}, ones[] = {1, 1, 1, 1};
  static const int64_t p_shape[] = {0, (int64_t)1 << 62}, v_shape[] = {0, (int64_t)1 << 62, 2, 2};
  const spw_tensor t = {.layout = SPW_BSR, .has_size = true, .ndim = 3, .size = size,
                        .compressed = {.array = {SPW_INT64, 2, c_shape, ones, 0, 0}},
                        .plain = {.array = {SPW_INT64, 2, p_shape, ones, 0, 0}},
                        .values = {.array = {SPW_FLOAT64, 4, v_shape, ones, 0, 0}}};
  bool valid = false;
  cr_assert(spw_is_valid(&t, SPW_CANONICAL, &valid) == SPW_OK && valid);
  const spw_conversion w = conversion_to(SPW_CSR, 0, 0);
  spw_room room = {.index_dtype = SPW_INT64, .dtype = SPW_FLOAT64, .nse = INT64_MAX, .dims = 64};
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  spw_tensor result;
  fenced f;
  fenced_make(&f, &room);
  cr_assert_eq(spw_convert(&t, &w, &f.buffers, &result, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, SPW_OBSTACLE_SIZE);
  cr_assert(fences_hold(&f));
  fenced_free(&f);
  why.obstacle = SPW_OBSTACLE_NONE;
  cr_assert(spw_convert_size(&t, &w, &room, &why) == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_SIZE);
}

Test(convert_calls, limits)
{
  static spare s = {.i64 = {{0, 1, 1, 2, 2}, {3, 5}}};
  make_rows(&s, SPW_INT64, 0, NULL, 4, 6, 2, 0);
  const spw_conversion w = conversion_to(SPW_CSC, 0, 0);
  size_t limit = 1;
  spw_owned *owned = NULL;
  while (spw_convert_new(&s.tensor, &w, limit, &owned, NULL) == SPW_ENOMEM && limit < 1 << 20) limit++;
  cr_assert(owned && limit > 100 && limit < 10000, "%zu", limit);
  spw_room room;
  cr_assert(spw_convert_size(&s.tensor, &w, &room, NULL) == SPW_OK && room.work > 0);
  cr_assert(spw_owned_left(owned) == room.work, "%zu", spw_owned_left(owned)); /* free again */
  spw_owned_free(owned);
  /* what no memory can hold */
  spw_conversion dense = conversion_to(SPW_DENSE, 0, 0);
  make_rows(&s, SPW_INT32, 0, NULL, 1, 1, 1, (int64_t)1 << 20);
  s.i64[0][1] = 1;
  s.i64[1][0] = 0;
  make_rows(&s, SPW_INT32, 0, NULL, 1, 1, 1, (int64_t)1 << 20);
  owned = NULL;
  const spw_status status = spw_convert_new(&s.tensor, &dense, (size_t)1 << 20, &owned, NULL);
  cr_assert(status == SPW_ENOMEM && owned == NULL, "%d", (int)status);
}

#if !SANITIZED
Test(convert_calls, every_allocation_fails)
{
  static operand o;
  static char sentinel;
  spw_owned *const untouched = (spw_owned *)(void *)&sentinel;
  long failed = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    dice d = {seed + 31};
    expected e;
    operand_random(&o, true, &d);
    const spw_conversion w = conversion_random(&o.tensor, &d);
    expected_conversion(&o.tensor, &w, &e);
    for (long n = 1; e.has_result; n++) {
      spw_owned *owned = untouched;
      memory_watch(n);
      const spw_status status = spw_convert_new(&o.tensor, &w, 0, &owned, NULL);
      memory_pause();
      const bool refused = memory.refused;
      cr_assert(status == (refused ? SPW_ENOMEM : SPW_OK), "allocation %ld: status %d", n, (int)status);
      if (status == SPW_OK) {
        memory_resume();
        spw_owned_free(owned);
        memory_pause();
      } else {
        cr_assert(owned == untouched, "allocation %ld fails: out was touched", n);
      }
      cr_assert(memory.blocks == 0, "allocation %ld: %ld blocks lost", n, memory.blocks);
      failed += refused;
      if (!refused) break;
    }
    expected_free(&e);
    operand_free(&o);
  }
  cr_assert(failed > 500, "%ld", failed);
}

Test(convert_calls, nothing_is_allocated)
{
  static operand o;
  long calls = 0;
  for (uint64_t seed = 0; seed < 2000; seed++) {
    dice d = {seed + 500};
    spw_room room;
    spw_tensor result;
    fenced f;
    operand_random(&o, true, &d);
    const spw_conversion w = conversion_random(&o.tensor, &d);
    memory_watch(0);
    const spw_status status = spw_convert_size(&o.tensor, &w, &room, NULL);
    memory_pause();
    calls += memory.calls;
    if (status == SPW_OK) {
      fenced_make(&f, &room);
      memory_watch(0);
      (void)spw_convert(&o.tensor, &w, &f.buffers, &result, NULL);
      memory_pause();
      calls += memory.calls;
      fenced_free(&f);
    }
    operand_free(&o);
  }
  cr_assert(calls == 0, "%ld allocations", calls);
}
#endif
