/* SPDX-License-Identifier: Apache-2.0 */
/* The inferred size: exactly what the indices imply, and a size with which the verdict stays. */
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"

#include <string.h>

enum { WORK = 20000, DIMS = 2 * FUZZ_DIMS + 2, UNTOUCHED = -99 };

typedef __int128 wide;

/* What the members imply, in exact numbers: some may not fit in int64. */
typedef struct implied {
  int64_t ndim; /* size[DIMS ..] is not kept */
  wide size[DIMS];
  bool negative; /* there is a negative index */
} implied;

typedef struct range {
  int64_t low, high; /* low > high: no index */
} range;

static const range no_index = {INT64_MAX, INT64_MIN};

static int64_t index_at(const spw_index_array *a, int64_t at)
{
  return a->array.dtype == SPW_INT32 ? a->i32[at] : a->i64[at];
}

static bool is_empty(const spw_array *a)
{
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] == 0) return true;
  return false;
}

/* Widens the range to the indices in dimensions d .. from storage position `at`. */
static void widen(range *r, const spw_index_array *a, int64_t d, int64_t at)
{
  const spw_array *s = &a->array;
  if (d < s->ndim) {
    for (int64_t i = 0; i < s->shape[d]; i++) widen(r, a, d + 1, at + i * s->strides[d]);
    return;
  }
  const int64_t index = index_at(a, at);
  if (index < r->low) r->low = index;
  if (index > r->high) r->high = index;
}

static wide extent(implied *found, range r)
{
  if (r.low > r.high) return 0;
  if (r.low < 0) found->negative = true;
  return (wide)r.high + 1;
}

static void append(implied *found, wide size)
{
  if (found->ndim < DIMS) found->size[found->ndim] = size;
  found->ndim++;
}

static void imply_coo(const spw_tensor *x, implied *found)
{
  const spw_array *a = &x->plain.array;
  for (int64_t d = 0; d < a->shape[0]; d++) {
    range r = no_index;
    if (!is_empty(a)) widen(&r, &x->plain, 1, a->offset + d * a->strides[0]);
    append(found, extent(found, r));
  }
  for (int64_t d = 1; d < x->values.array.ndim; d++) append(found, x->values.array.shape[d]);
}

static void imply_compressed(const spw_tensor *x, implied *found)
{
  const spw_array *c = &x->compressed.array, *v = &x->values.array;
  const int64_t B = c->ndim - 1;
  const bool blocked = x->layout == SPW_BSR || x->layout == SPW_BSC;
  const int by_columns = x->layout == SPW_CSC || x->layout == SPW_BSC;
  range r = no_index;
  if (!is_empty(&x->plain.array)) widen(&r, &x->plain, 0, x->plain.array.offset);
  const wide sizes[2] = {c->shape[B] - 1, extent(found, r)};
  for (int64_t d = 0; d < B; d++) append(found, c->shape[d]);
  for (int which = 0; which < 2; which++)
    append(found, sizes[which ^ by_columns] * (blocked ? v->shape[B + 1 + which] : 1));
  for (int64_t d = B + 1 + 2 * blocked; d < v->ndim; d++) append(found, v->shape[d]);
}

/* Is there a size that does not fit? */
static bool is_beyond(const implied *found)
{
  for (int64_t d = 0; d < found->ndim && d < DIMS; d++)
    if (found->size[d] > INT64_MAX) return true;
  return false;
}

static void expect_size(const spw_tensor *x, const implied *wanted, const int64_t *size,
                        int64_t ndim)
{
  if (wanted->negative || is_beyond(wanted) || wanted->ndim > DIMS)
    fuzz_fail("a size that is none", "%s", oracle_describe(x));
  bool right = ndim == wanted->ndim;
  for (int64_t d = 0; right && d < ndim; d++) right = size[d] == wanted->size[d];
  if (!right) fuzz_fail("inferred size", "%s", oracle_describe(x));
}

/* Each reason for a refusal is one that the tensor gives. */
static void expect_reason(const spw_tensor *x, const implied *wanted, const spw_report *shape,
                          spw_status status)
{
  const bool given = (status == SPW_EINVAL && wanted->ndim > DIMS) ||
                     (status == SPW_EOVERFLOW && shape->batches < 0) ||
                     (status == SPW_EINVALID && wanted->negative) ||
                     (status == SPW_ERANGE && !wanted->negative && is_beyond(wanted));
  bool valid = false;
  if (spw_is_valid(x, SPW_STRUCTURE, &valid) == SPW_OK && valid && status != SPW_EINVAL)
    fuzz_fail("a valid tensor that implies no size", "%s", oracle_describe(x));
  if (!given)
    fuzz_fail("a refusal without a reason", "%s\n%s", spw_status_string(status),
              oracle_describe(x));
}

/* A size that was inferred must not change what is valid. */
static void expect_same_verdict(const spw_tensor *x, int64_t ndim, const int64_t *size)
{
  spw_tensor sized = *x;
  bool before, after;
  sized.has_size = true;
  sized.ndim = ndim;
  sized.size = size;
  const spw_status one = spw_is_valid(x, SPW_CANONICAL, &before);
  const spw_status two = spw_is_valid(&sized, SPW_CANONICAL, &after);
  if (one != two || (one == SPW_OK && before != after))
    fuzz_fail("the inferred size changes the verdict", "%s", oracle_describe(x));
}

static void expect_capacity(const spw_tensor *x, int64_t ndim)
{
  int64_t size[DIMS], found = UNTOUCHED;
  for (int d = 0; d < DIMS; d++) size[d] = UNTOUCHED;
  for (int64_t capacity = 0; capacity < ndim; capacity++)
    if (spw_infer_size(x, size, capacity, &found) != SPW_EINVAL)
      fuzz_fail("too small a capacity is not refused", "%d", (int)capacity);
  if (found != UNTOUCHED || size[0] != UNTOUCHED)
    fuzz_fail("a refusal touches the size", "see the input");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static int64_t inferred[DIMS];
  int64_t ndim = UNTOUCHED;
  spw_report report;
  implied wanted = {0, {0}, false};
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *t = fuzz_indices_from(model, 0, WORK);
  if (!t) return 0;
  spw_tensor x = t->tensor;
  x.has_size = false;
  if (fuzz_work(&x) > WORK || !oracle_check(&x, SPW_SHAPE, &report)) return 0;
  memset(inferred, 0, sizeof inferred);
  const spw_status status = spw_infer_size(&x, inferred, DIMS, &ndim);
  if (status != SPW_OK && ndim != UNTOUCHED) fuzz_fail("a refusal touches ndim", "see the input");
  if (!report.valid) {
    if (status != SPW_EINVALID) fuzz_fail("a size in spite of the shape", "%s", oracle_describe(&x));
    return 0;
  }
  if (x.layout == SPW_COO) imply_coo(&x, &wanted);
  else imply_compressed(&x, &wanted);
  if (status != SPW_OK) {
    expect_reason(&x, &wanted, &report, status);
    return 0;
  }
  expect_size(&x, &wanted, inferred, ndim);
  expect_same_verdict(&x, ndim, inferred);
  expect_capacity(&x, ndim);
  return 0;
}
