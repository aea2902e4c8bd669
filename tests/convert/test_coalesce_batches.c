/* SPDX-License-Identifier: Apache-2.0 */
/* COO of two sparse dimensions or more, in any order and with duplicates, to CSR, CSC, BSR and BSC of as many batches. That the
 * result is what the operand comes to say proved certifiers. */
#include "../attempts/fenced.h"
#include "../operands/operand.h"
#include "../operands/scattered.h"
#include "../../src/sparsewright_convert.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { MET = SCATTERED_MET };

/* With room for as many cells as there are it is done, with room for one less in each batch it is not. */
static void expect_room(const spw_tensor *t, const spw_conversion *w, int64_t batches, int64_t met, int64_t block)
{
  spw_room room;
  cr_assert_eq(spw_convert_size(t, w, &room, NULL), SPW_OK);
  const int64_t along = t->values.array.ndim > 1 ? SCATTERED_ALONG : 1;
  for (int64_t less = 0; less < 2; less++) {
    fenced f;
    spw_tensor result;
    room.nse = met - less;
    room.plain = batches * room.nse;
    room.values = along * block * room.plain;
    fenced_make(&f, &room);
    cr_assert_eq(spw_convert(t, w, &f.buffers, &result, NULL), less ? SPW_EINVAL : SPW_OK);
    cr_assert(fences_hold(&f));
    fenced_free(&f);
  }
}

/* A room for several threads is one for fewer. */
static void expect_fewer_threads(const spw_tensor *t, const spw_conversion *w)
{
  spw_room room;
  cr_assert_eq(spw_convert_size_parallel(t, w, 4, &room, NULL), SPW_OK);
  for (int threads = 4; threads >= 1; threads--) {
    fenced f;
    spw_tensor result;
    fenced_make(&f, &room);
    cr_assert_eq(spw_convert_parallel(t, w, threads, &f.buffers, &result, NULL), SPW_OK, "%d threads", threads);
    cr_assert(fences_hold(&f));
    fenced_free(&f);
  }
}

static void expect_batches(const scattered *s, spw_layout layout, spw_combine how, int64_t batches)
{
  spw_conversion w = conversion_to(layout, 0, 0);
  w.duplicates = how;
  spw_owned *owned = NULL;
  cr_assert_eq(spw_convert_new(&s->tensor, &w, 0, &owned, NULL), SPW_OK);
  const spw_tensor *const c = spw_owned_tensor(owned);
  cr_assert_eq(c->plain.array.shape[c->plain.array.ndim - 1], MET);
  const spw_conversion list = conversion_to(SPW_COO, 0, 0);
  spw_owned *listed = NULL;
  cr_assert_eq(spw_convert_new(c, &list, 0, &listed, NULL), SPW_OK); /* which the certifier takes */
  scattered_expect(s, spw_owned_tensor(listed), how);
  spw_owned_free(listed);
  expect_room(&s->tensor, &w, batches, MET, 1);
  expect_fewer_threads(&s->tensor, &w);
  spw_owned_free(owned);
}

/* In batch `poor` one cell of `met` is missing: whether there is room for all, or for none. */
static void expect_refused(const scattered *s, const spw_conversion *w, int64_t poor, int64_t met)
{
  spw_room room;
  cr_assert_eq(spw_convert_size(&s->tensor, w, &room, NULL), SPW_OK);
  for (int none = 0; none < 2; none++) {
    fenced f;
    spw_tensor result;
    spw_refusal refusal;
    if (none) room.nse = room.plain = room.values = 0;
    fenced_make(&f, &room);
    cr_assert_eq(spw_convert(&s->tensor, w, &f.buffers, &result, &refusal), SPW_ERANGE);
    cr_assert(fences_hold(&f));
    fenced_free(&f);
    cr_assert_eq(refusal.obstacle, SPW_OBSTACLE_BATCHES);
    const bool first = poor == 0; /* then the second one has more */
    cr_assert_eq(refusal.other, first ? 1 : poor);
    cr_assert_eq(refusal.lhs, first ? met - 1 : met);
    cr_assert_eq(refusal.rhs, first ? met : met - 1);
  }
}

static void convert_all(int64_t dims, const int64_t *size, bool wide)
{
  static const struct {
    spw_dtype dtype;
    bool dense;
  } values[] = {{SPW_FLOAT32, false}, {SPW_FLOAT64, false}, {SPW_BOOL, false}, {SPW_COMPLEX128, false}, {SPW_INT32, true}};
  scattered *const s = malloc(sizeof *s);
  int64_t batches = 1;
  for (int64_t d = 0; d < dims - 2; d++) batches *= size[d];
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    for (int columns = 0; columns < 2; columns++) {
      const spw_layout layout = columns ? SPW_CSC : SPW_CSR;
      scattered_make(s, dims, size, values[i].dtype, wide, values[i].dense);
      scattered_spread(s, 3, -1);
      for (spw_combine how = SPW_COMBINE_SUM; how <= SPW_COMBINE_LAST; how++) expect_batches(s, layout, how, batches);
      for (int64_t poor = 0; poor < batches && batches > 1; poor++) {
        const spw_conversion w = conversion_to(layout, 0, 0);
        scattered_spread(s, 3, poor);
        expect_refused(s, &w, poor, MET);
      }
    }
  free(s);
}

Test(coalesce_batches, any_number)
{
  static const struct {
    int64_t dims, size[5];
  } sizes[] = {{3, {6, 4, 5}}, {4, {2, 3, 7, 3}}, {5, {2, 1, 2, 1, 40}}, {3, {3, 40, 1}}, {4, {1, 1, 5, 5}}, {3, {3, 2000, 5}}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int wide = 0; wide < 2; wide++) {
      scattered_begin(i);
      convert_all(sizes[i].dims, sizes[i].size, wide);
    }
}

/* How many blocks have an element, of all batches. */
static int64_t blocks_met(const scattered *s, int64_t height, int64_t width)
{
  int64_t met = 0;
  for (int64_t k = 0; k < SCATTERED_NSE; k++) {
    bool first = true;
    for (int64_t j = 0; j < k && first; j++) {
      bool same = true;
      for (int64_t d = 0; d < s->dims && same; d++) {
        const int64_t side = d == s->dims - 2 ? height : d == s->dims - 1 ? width : 1;
        same = scattered_get(s, d, j) / side == scattered_get(s, d, k) / side;
      }
      first = !same;
    }
    met += first;
  }
  return met;
}

static void expect_blocks(const scattered *s, spw_layout layout, spw_combine how, int64_t height, int64_t width,
                          int64_t batches)
{
  bool same = false;
  spw_owned *listed = NULL, *owned = NULL;
  spw_conversion list = conversion_to(SPW_COO, 0, 0), w = conversion_to(layout, height, width);
  list.duplicates = w.duplicates = how;
  cr_assert_eq(spw_convert_new(&s->tensor, &list, 0, &listed, NULL), SPW_OK);
  cr_assert_eq(spw_convert_new(&s->tensor, &w, 0, &owned, NULL), SPW_OK);
  const spw_tensor *const c = spw_owned_tensor(owned);
  scattered_expect(s, spw_owned_tensor(listed), how);
  cr_assert_eq(spw_certify(spw_owned_tensor(listed), c, SPW_ZEROS_ADDED, &same, NULL), SPW_OK);
  cr_assert(same, "to %d, blocks %lld x %lld", (int)layout, (long long)height, (long long)width);
  const int64_t met = c->plain.array.shape[c->plain.array.ndim - 1];
  cr_assert_eq(met * batches, blocks_met(s, height, width));
  expect_room(&s->tensor, &w, batches, met, height * width);
  expect_fewer_threads(&s->tensor, &w);
  spw_owned_free(listed);
  spw_owned_free(owned);
}

Test(coalesce_batches, in_blocks)
{
  static const struct {
    int64_t dims, size[5], height, width;
  } sizes[] = {{2, {8, 6}, 2, 3}, {3, {5, 8, 6}, 2, 3}, {4, {2, 2, 9, 4}, 3, 1}, {3, {3, 6, 10}, 1, 5}, {3, {4, 4, 8}, 4, 8},
               {3, {2, 4, 5}, 1, 1}, {2, {6, 5}, 1, 1}, {3, {2, 600, 4}, 300, 2}}; /* the last one has more lines than elements */
  static const spw_dtype dtypes[] = {SPW_FLOAT32, SPW_FLOAT64, SPW_INT16, SPW_COMPLEX128};
  scattered *const s = malloc(sizeof *s);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t k = 0; k < 2 * sizeof dtypes / sizeof *dtypes; k++) {
      scattered_begin(i);
      scattered_make(s, sizes[i].dims, sizes[i].size, dtypes[k / 2], k % 2, k > 5);
      int64_t batches = 1;
      for (int64_t d = 0; d < sizes[i].dims - 2; d++) batches *= sizes[i].size[d];
      const int64_t band = sizes[i].size[sizes[i].dims - 1] * sizes[i].height; /* that far down, blocks are as many */
      scattered_spread(s, band, -1);
      for (spw_combine how = SPW_COMBINE_SUM; how <= SPW_COMBINE_LAST; how++) {
        expect_blocks(s, SPW_BSR, how, sizes[i].height, sizes[i].width, batches);
        expect_blocks(s, SPW_BSC, how, sizes[i].height, sizes[i].width, batches);
      }
    }
  free(s);
}

/* Element k, somewhere in a block of its batch; batch `poor` has one block less. */
static void put_in_block(scattered *s, int64_t k, int64_t poor)
{
  const int64_t b = k % s->size[0], met = b == poor ? MET - 1 : MET, turn = k / s->size[0];
  const int64_t block = turn < met ? turn : (int64_t)(scattered_draw() % (uint64_t)met);
  scattered_put(s, 0, k, b);
  scattered_put(s, 1, k, 2 * block + (int64_t)(scattered_draw() % 2));
  scattered_put(s, 2, k, 3 * ((block + b) % MET) + (int64_t)(scattered_draw() % 3));
}

Test(coalesce_batches, refused_in_blocks)
{
  static const int64_t size[] = {3, 2 * MET, 3 * MET};
  scattered *const s = malloc(sizeof *s);
  for (int64_t poor = 0; poor < 3; poor++)
    for (spw_layout layout = SPW_BSR; layout <= SPW_BSC; layout++) {
      const spw_conversion w = conversion_to(layout, 2, 3);
      scattered_begin((uint64_t)poor);
      scattered_make(s, 3, size, SPW_FLOAT32, poor % 2, false);
      for (int64_t k = 0; k < SCATTERED_NSE; k++) put_in_block(s, k, poor);
      expect_refused(s, &w, poor, MET);
    }
  free(s);
}

/* Elements of batches of 20 rows by 30 columns, each at a position of its own. */
static void put_alone(scattered *s, int64_t k)
{
  const int64_t batches = s->dims == 2 ? 1 : s->size[0], place = 7 * (k / batches) % (s->size[s->dims - 2] * 30);
  if (s->dims == 3) scattered_put(s, 0, k, k % batches);
  scattered_put(s, s->dims - 2, k, place / 30);
  scattered_put(s, s->dims - 1, k, place % 30);
}

/* Without duplicates it is the same as if the first were taken; with one, both elements are named. */
static void expect_duplicate_refused(scattered *s, spw_layout layout)
{
  const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
  spw_conversion first = conversion_to(layout, blocks ? 2 : 0, blocks ? 3 : 0), w = first;
  first.duplicates = SPW_COMBINE_FIRST;
  w.duplicates = SPW_COMBINE_REFUSE;
  spw_owned *taken = NULL, *owned = NULL;
  spw_refusal refusal;
  for (int64_t k = 0; k < SCATTERED_NSE; k++) put_alone(s, k);
  cr_assert_eq(spw_convert_new(&s->tensor, &first, 0, &taken, NULL), SPW_OK);
  cr_assert_eq(spw_convert_new(&s->tensor, &w, 0, &owned, NULL), SPW_OK);
  bool same = false;
  cr_assert_eq(spw_certify(spw_owned_tensor(taken), spw_owned_tensor(owned), SPW_ZEROS_KEPT, &same, NULL), SPW_OK);
  cr_assert(same);
  spw_owned_free(taken);
  spw_owned_free(owned);
  for (int64_t d = 0; d < s->dims; d++) scattered_put(s, d, 700, scattered_get(s, d, 11));
  cr_assert_eq(spw_convert_new(&s->tensor, &w, 0, &owned, &refusal), SPW_ERANGE);
  cr_assert_eq(refusal.obstacle, SPW_OBSTACLE_DUPLICATE);
  cr_assert(refusal.lhs == 11 && refusal.rhs == 700, "%lld, %lld", (long long)refusal.lhs, (long long)refusal.rhs);
}

Test(coalesce_batches, duplicates_refused)
{
  static const int64_t sizes[][3] = {{60, 30}, {9, 20, 30}};
  static const spw_dtype dtypes[] = {SPW_FLOAT32, SPW_INT64, SPW_FLOAT16};
  scattered *const s = malloc(sizeof *s);
  for (int64_t dims = 2; dims <= 3; dims++)
    for (size_t k = 0; k < 2 * sizeof dtypes / sizeof *dtypes; k++)
      for (spw_layout layout = SPW_COO; layout <= SPW_BSC; layout++) {
        scattered_begin(k);
        scattered_make(s, dims, sizes[dims - 2], dtypes[k / 2], k % 2, k > 3);
        expect_duplicate_refused(s, layout);
      }
  free(s);
}

/* No batch has an element, or there is none. */
Test(coalesce_batches, none)
{
  static const int64_t sizes[][3] = {{3, 4, 5}, {3, 0, 5}, {3, 4, 0}, {0, 4, 5}};
  scattered *const s = malloc(sizeof *s);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int columns = 0; columns < 2; columns++) {
      static const int64_t some[] = {1, 1, 1};
      scattered_make(s, 3, some, SPW_FLOAT32, true, false);
      for (int64_t d = 0; d < 3; d++) s->size[d] = sizes[i][d];
      s->shape[1] = s->values_shape[0] = 0;
      const spw_conversion w = conversion_to(columns ? SPW_CSC : SPW_CSR, 0, 0);
      const int64_t lines = sizes[i][columns ? 2 : 1];
      spw_owned *owned = NULL;
      cr_assert_eq(spw_convert_new(&s->tensor, &w, 0, &owned, NULL), SPW_OK);
      const spw_tensor *const c = spw_owned_tensor(owned);
      cr_assert_eq(c->compressed.array.shape[0], sizes[i][0]);
      cr_assert_eq(c->compressed.array.shape[1], lines + 1);
      for (int64_t k = 0; k < sizes[i][0] * (lines + 1); k++) cr_assert_eq(c->compressed.i64[k], 0);
      spw_owned_free(owned);
    }
  free(s);
}
