/* SPDX-License-Identifier: Apache-2.0 */
/* Dense arrays to COO: every width of a scalar, elements of one or several, of up to five dimensions with short and long rows.
 * That the result holds what the array does say a proved certifier and a second opinion; that no more is stored than has to be, a
 * count. */
#include "../attempts/fenced.h"
#include "../operands/operand.h"
#include "../../src/convert/values.h"
#include "../../src/sparsewright_convert.h"

#include <criterion/criterion.h>
#include <string.h>

enum { DIMS = 5 };

/* `dims` sparse dimensions, and as many scalars of an element where `along` is not 1. */
typedef struct shape {
  int64_t dims, size[DIMS], along;
} shape;

/* Which elements are stored: some, none, all, one in many. */
typedef enum kept { SOME, NONE, ALL, RARE } kept;

static const shape shapes[] = {{1, {40}, 1}, {2, {4, 9}, 1}, {3, {4, 5, 3}, 1}, {3, {3, 2, 60}, 1}, {3, {2, 3, 400}, 1},
                               {3, {1, 3, 50}, 1}, {4, {2, 1, 3, 40}, 1}, {4, {3, 1, 4, 2}, 1}, {5, {2, 3, 2, 3, 3}, 1},
                               {5, {2, 1, 2, 3, 30}, 1}, {1, {30}, 2}, {2, {7, 8}, 3}, {3, {2, 5, 4}, 2}, {4, {2, 3, 1, 5}, 3},
                               {5, {2, 1, 3, 2, 4}, 2}, {2, {3, 40}, 7}, {3, {2, 3, 9}, 4}, {2, {50, 1}, 17}};
static const spw_dtype dtypes[] = {SPW_BOOL, SPW_INT16, SPW_FLOAT32, SPW_INT64, SPW_COMPLEX64, SPW_COMPLEX128};

static int64_t elements_of(const shape *s)
{
  int64_t n = 1;
  for (int64_t d = 0; d < s->dims; d++) n *= s->size[d];
  return n;
}

/* Element e is stored for one part of a scalar, any of them, or is not. */
static void set_element(const operand *o, const shape *s, int64_t e, bool stored, dice *d)
{
  const spw_dtype dtype = o->tensor.values.array.dtype;
  const int64_t bytes = s->along * spw_dtype_size(dtype), part = (int64_t)spw_alignment(dtype);
  char *const at = (char *)o->values + e * bytes;
  memset(at, 0, (size_t)bytes);
  if (stored) at[roll_below(d, bytes / part) * part] = 1;
}

/* Gives how many are stored. */
static int64_t fill(operand *o, const shape *s, spw_dtype dtype, kept k, dice *d)
{
  int64_t sizes[DIMS + 1], count = 0;
  memcpy(sizes, s->size, sizeof s->size);
  sizes[s->dims] = s->along;
  operand_dense(o, dtype, s->along == 1 ? s->dims : s->dims + 1, sizes);
  for (int64_t e = 0; e < elements_of(s); e++) {
    const bool stored = k == ALL || (k == SOME && roll_below(d, 5) < 3) || (k == RARE && e % 100 == 3);
    set_element(o, s, e, stored, d);
    count += stored;
  }
  return count;
}

static spw_conversion wanted(const shape *s, bool narrow)
{
  spw_conversion w = conversion_to(SPW_COO, 0, 0);
  w.dense_dims = s->along != 1;
  w.bits = true;
  w.index_dtype = narrow ? SPW_INT32 : SPW_INT64;
  return w;
}

static void expect_coo(const operand *o, const shape *s, bool narrow, int64_t count)
{
  const spw_conversion w = wanted(s, narrow);
  attempt a;
  bool same = false;
  const char *const wrong = attempt_conversion(&o->tensor, &w, &a);
  cr_assert_null(wrong, "%lld dimensions, %lld scalars along: %s", (long long)s->dims, (long long)s->along, wrong);
  cr_assert(a.status == SPW_OK && a.result.coalesced == SPW_CLAIM_YES && a.result.plain.array.shape[1] == count);
  cr_assert_eq(spw_certify(&o->tensor, &a.result, SPW_ZEROS_ANY, &same, NULL), SPW_OK);
  cr_assert(same, "%lld dimensions, %lld scalars along", (long long)s->dims, (long long)s->along);
  attempt_free(&a);
}

Test(dense_columns, of_every_width)
{
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (size_t k = 0; k < 2 * sizeof dtypes / sizeof *dtypes; k++)
      for (kept which = SOME; which <= RARE; which++) {
        operand o;
        dice d = {i * 100 + k};
        const int64_t count = fill(&o, &shapes[i], dtypes[k / 2], which, &d);
        expect_coo(&o, &shapes[i], k % 2, count);
        operand_free(&o);
      }
}

/* Values that change after they were counted: of one element less the result is made, for one more there is no room. */
Test(dense_columns, of_other_values)
{
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int k = 0; k < 6; k++) {
      const shape *const s = &shapes[i];
      const bool more = k % 2;
      operand o;
      dice d = {i * 100 + (size_t)k};
      spw_room room;
      spw_tensor result;
      fenced f;
      bool same = false;
      const int64_t count = fill(&o, s, dtypes[k], more ? NONE : ALL, &d);
      const spw_conversion w = wanted(s, k / 2 % 2);
      cr_assert_eq(spw_convert_size(&o.tensor, &w, &room, NULL), SPW_OK);
      fenced_make(&f, &room);
      set_element(&o, s, elements_of(s) / 2, more, &d);
      cr_assert_eq(spw_convert(&o.tensor, &w, &f.buffers, &result, NULL), more ? SPW_EINVAL : SPW_OK);
      cr_assert(fences_hold(&f));
      if (!more) {
        cr_assert_eq(result.plain.array.shape[1], count - 1);
        cr_assert_eq(spw_certify(&o.tensor, &result, SPW_ZEROS_ANY, &same, NULL), SPW_OK);
        cr_assert(same);
      }
      fenced_free(&f);
      operand_free(&o);
    }
}

/* Without elements, or without scalars, nothing is stored. */
Test(dense_columns, without_scalars)
{
  static const shape none[] = {{1, {0}, 1}, {2, {0, 8}, 1}, {2, {8, 0}, 1}, {3, {2, 0, 8}, 1}, {3, {2, 8, 0}, 3},
                               {3, {2, 4, 8}, 0}};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    for (int narrow = 0; narrow < 2; narrow++) {
      operand o;
      dice d = {i};
      fill(&o, &none[i], SPW_FLOAT64, NONE, &d);
      const spw_conversion w = wanted(&none[i], narrow);
      attempt a;
      const char *const wrong = attempt_conversion(&o.tensor, &w, &a);
      cr_assert_null(wrong, "%s", wrong);
      cr_assert(a.status == SPW_OK && a.result.plain.array.shape[1] == 0);
      attempt_free(&a);
      operand_free(&o);
    }
}
