/* SPDX-License-Identifier: Apache-2.0 */
/* COO of any number of sparse dimensions, in any order and with duplicates, to COO: up to sizes whose positions can just be
 * numbered. That the result is what the operand comes to says a proved certifier. */
#include "../attempts/fenced.h"
#include "../operands/operand.h"
#include "../operands/scattered.h"
#include "../../src/sparsewright_convert.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ALONG = SCATTERED_ALONG, NSE = SCATTERED_NSE };

/* Without sparse dimensions there is one position. */
static void expect_one(const scattered *s, const spw_tensor *c, spw_combine how)
{
  const spw_array *const a = &s->tensor.values.array;
  const size_t scalar = (size_t)spw_dtype_size(a->dtype), element = scalar * (a->ndim > 1 ? ALONG : 1);
  cr_assert_eq(c->plain.array.shape[1], 1);
  if (how == SPW_COMBINE_FIRST) cr_assert(memcmp(c->values.data, s->values, element) == 0);
  if (how == SPW_COMBINE_LAST) cr_assert(memcmp(c->values.data, s->values + (NSE - 1) * element, element) == 0);
  if (how == SPW_COMBINE_SUM && a->dtype == SPW_INT64) {
    uint64_t sum = 0, one;
    for (int64_t k = 0; k < NSE; k++) {
      memcpy(&one, s->values + k * 8, 8);
      sum += one;
    }
    cr_assert(memcmp(c->values.data, &sum, 8) == 0);
  }
}

/* With room for as many elements as there are it is done, with room for one less it is not; and nothing outside is written. */
static void expect_room(const spw_tensor *t, const spw_conversion *w, const spw_tensor *whole)
{
  spw_room room;
  cr_assert_eq(spw_convert_size(t, w, &room, NULL), SPW_OK);
  const int64_t dims = whole->plain.array.shape[0], along = whole->values.array.ndim > 1 ? ALONG : 1;
  for (int64_t less = 0; less < 2; less++) {
    fenced f;
    spw_tensor result;
    room.nse = whole->plain.array.shape[1] - less;
    room.plain = dims * room.nse;
    room.values = along * room.nse;
    fenced_make(&f, &room);
    cr_assert_eq(spw_convert(t, w, &f.buffers, &result, NULL), less ? SPW_EINVAL : SPW_OK);
    cr_assert(fences_hold(&f));
    fenced_free(&f);
  }
}

/* few: so few positions that elements may have several scalars. */
static void convert_all(int64_t dims, const int64_t *size, bool wide, bool few)
{
  static const struct {
    spw_dtype dtype;
    bool dense;
  } values[] = {{SPW_FLOAT32, false}, {SPW_FLOAT64, false}, {SPW_INT64, false}, {SPW_BOOL, false}, {SPW_COMPLEX128, false},
                {SPW_FLOAT16, true}, {SPW_INT32, true}};
  scattered *const s = malloc(sizeof *s);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    for (spw_combine how = SPW_COMBINE_SUM; how <= SPW_COMBINE_LAST; how++) {
      if (!few && values[i].dense) continue;
      scattered_make(s, dims, size, values[i].dtype, wide, values[i].dense);
      spw_conversion w = conversion_to(SPW_COO, 0, 0);
      w.duplicates = how;
      spw_owned *owned = NULL;
      cr_assert_eq(spw_convert_new(&s->tensor, &w, 0, &owned, NULL), SPW_OK);
      const spw_tensor *const c = spw_owned_tensor(owned);
      cr_assert(c->coalesced == SPW_CLAIM_YES && c->plain.array.shape[1] > 0);
      if (dims > 0) scattered_expect(s, c, how); /* else the certifier does not take it */
      else expect_one(s, c, how);
      expect_room(&s->tensor, &w, c);
      spw_owned_free(owned);
    }
  free(s);
}

Test(coalesce_columns, any_number)
{
  static const int64_t sizes[] = {7, 2, 3, 1, 4, 2, 3};
  for (int64_t dims = 0; dims <= SCATTERED_DIMS; dims++)
    for (int wide = 0; wide < 2; wide++) {
      scattered_begin((uint64_t)dims);
      convert_all(dims, sizes, wide, true);
    }
}

/* 2^62 positions, one less than INT64_MAX, INT64_MAX. */
Test(coalesce_columns, at_the_limits)
{
  static const int64_t sizes[][3] = {{INT32_MAX / 2 + 1, 1 << 16, 1 << 16}, {INT64_C(2) * 3 * 715827883, INT32_MAX, 1},
                                     {INT64_C(7) * 7 * 73 * 127 * 337, INT64_C(92737) * 649657, 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    scattered_begin(i);
    convert_all(3, sizes[i], true, false);
  }
}

/* Of elements without any scalar there may be more positions than can be numbered: the same as with coordinates that are less. */
Test(coalesce_columns, beyond_all_numbers)
{
  static const int64_t sizes[] = {5, 3, 4};
  enum { SHIFT = 40 };
  scattered *const s = malloc(sizeof *s);
  for (spw_combine how = SPW_COMBINE_SUM; how <= SPW_COMBINE_LAST; how++) {
    spw_conversion w = conversion_to(SPW_COO, 0, 0);
    w.duplicates = how;
    spw_owned *near = NULL, *far = NULL;
    scattered_begin(1);
    scattered_make(s, 3, sizes, SPW_FLOAT64, true, true);
    s->size[3] = s->values_shape[1] = 0;
    cr_assert_eq(spw_convert_new(&s->tensor, &w, 0, &near, NULL), SPW_OK);
    for (int64_t i = 0; i < SCATTERED_ENTRIES; i++) s->wide[i] <<= SHIFT;
    for (int64_t d = 0; d < 3; d++) s->size[d] <<= SHIFT;
    cr_assert_eq(spw_convert_new(&s->tensor, &w, 0, &far, NULL), SPW_OK);
    const spw_tensor *const a = spw_owned_tensor(near), *const b = spw_owned_tensor(far);
    const int64_t n = a->plain.array.shape[1];
    cr_assert(n > 20 && b->plain.array.shape[1] == n, "%lld, %lld elements", (long long)n, (long long)b->plain.array.shape[1]);
    for (int64_t i = 0; i < 3 * n; i++) cr_assert_eq(b->plain.i64[i], a->plain.i64[i] << SHIFT);
    spw_owned_free(near);
    spw_owned_free(far);
  }
  free(s);
}

/* And from dense arrays of one scalar for each element. */
Test(coalesce_columns, from_dense)
{
  static const int64_t shapes[][5] = {{40, 1, 1, 1, 1}, {4, 5, 3, 1, 1}, {3, 1, 4, 2, 1}, {2, 3, 2, 3, 3},
                                      {5, 1, 1, 1, 1}, {3, 2, 60, 1, 1}, {2, 3, 400, 1, 1}};
  static const int64_t ndims[] = {1, 3, 4, 5, 1, 3, 3};
  enum { FEW = 6 }; /* of this shape little is stored, so that zeros are skipped in groups */
  static const spw_dtype dtypes[] = {SPW_BOOL, SPW_INT16, SPW_FLOAT32, SPW_INT64, SPW_FLOAT64, SPW_COMPLEX64, SPW_COMPLEX128};
  for (size_t i = 0; i < sizeof ndims / sizeof *ndims; i++)
    for (size_t k = 0; k < 2 * sizeof dtypes / sizeof *dtypes; k++) {
      operand o;
      dice d = {i * 100 + k};
      operand_dense(&o, dtypes[k / 2], ndims[i], shapes[i]);
      operand_draw_values(&o, 6, &d);
      const size_t scalar = (size_t)spw_dtype_size(dtypes[k / 2]);
      for (int64_t e = 0; e < o.tensor.values.array.length; e++) /* every third is zero, or all but every hundredth */
        if (i == FEW ? e % 100 != 3 : e % 3 == 1) memset((char *)o.values + (size_t)e * scalar, 0, scalar);
      spw_conversion w = conversion_to(SPW_COO, 0, 0);
      w.bits = true;
      w.index_dtype = k % 2 ? SPW_INT32 : SPW_INT64;
      spw_owned *owned = NULL;
      bool same = false;
      cr_assert_eq(spw_convert_new(&o.tensor, &w, 0, &owned, NULL), SPW_OK);
      const spw_tensor *const c = spw_owned_tensor(owned);
      const bool some = c->plain.array.shape[1] > 0 || o.tensor.values.array.length == 5; /* which may all be zero */
      cr_assert(c->coalesced == SPW_CLAIM_YES && some, "shape %zu, type %d", i, (int)dtypes[k / 2]);
      cr_assert_eq(spw_certify(&o.tensor, c, SPW_ZEROS_KEPT, &same, NULL), SPW_OK);
      cr_assert(same, "%lld dimensions, type %d", (long long)ndims[i], (int)dtypes[k / 2]);
      spw_owned_free(owned);
      operand_free(&o);
    }
}
