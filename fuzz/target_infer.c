/* SPDX-License-Identifier: Apache-2.0 */
/* The inferred size: exactly what the indices imply, and a size with which the verdict stays. */
#include "target.h"

#include "../tests/oracle.h"

#include <string.h>

enum { WORK = 20000, DIMS = 2 * FUZZ_DIMS + 2, UNTOUCHED = -99 };

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

/* The largest index in dimensions d .. of an array that is not empty; -1: all are negative. */
static int64_t largest(const spw_index_array *a, int64_t d, int64_t at)
{
  const spw_array *s = &a->array;
  int64_t most = -1;
  if (d == s->ndim) return index_at(a, at);
  for (int64_t i = 0; i < s->shape[d]; i++) {
    const int64_t here = largest(a, d + 1, at + i * s->strides[d]);
    if (here > most) most = here;
  }
  return most;
}

static void expect_coo_size(const spw_tensor *x, const int64_t *size, int64_t ndim)
{
  const spw_array *a = &x->plain.array;
  if (ndim != a->shape[0] + x->values.array.ndim - 1) fuzz_fail("inferred ndim", "%d", (int)ndim);
  for (int64_t d = 0; d < a->shape[0]; d++) {
    const int64_t most = is_empty(a) ? -1 : largest(&x->plain, 1, a->offset + d * a->strides[0]);
    if (size[d] != most + 1) fuzz_fail("inferred sparse size", "%s", oracle_describe(x));
  }
  for (int64_t d = a->shape[0]; d < ndim; d++)
    if (size[d] != x->values.array.shape[d - a->shape[0] + 1])
      fuzz_fail("inferred dense size", "see the input");
}

static void expect_compressed_size(const spw_tensor *x, const int64_t *size, int64_t ndim)
{
  const spw_array *c = &x->compressed.array, *v = &x->values.array;
  const int64_t B = c->ndim - 1;
  const bool blocked = x->layout == SPW_BSR || x->layout == SPW_BSC;
  const int by_columns = x->layout == SPW_CSC || x->layout == SPW_BSC;
  const int64_t *block = v->shape + B + 1;
  int64_t batches = 1;
  for (int64_t d = 0; d < B; d++) batches *= c->shape[d];
  const bool none = batches == 0 || is_empty(&x->plain.array);
  const int64_t P = none ? 0 : largest(&x->plain, 0, x->plain.array.offset) + 1;
  const int64_t K = v->ndim - B - 1 - (blocked ? 2 : 0);
  bool right = ndim == B + 2 + K;
  for (int64_t d = 0; right && d < B; d++) right = size[d] == c->shape[d];
  right = right && size[B + by_columns] == (c->shape[B] - 1) * (blocked ? block[by_columns] : 1);
  right = right && size[B + 1 - by_columns] == P * (blocked ? block[1 - by_columns] : 1);
  for (int64_t d = 0; right && d < K; d++) right = size[B + 2 + d] == v->shape[v->ndim - K + d];
  if (!right) fuzz_fail("inferred size", "%s", oracle_describe(x));
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

/* What a refusal claims, by the oracle's report of the tensor without its size. */
static void expect_reason(const spw_tensor *x, spw_status status)
{
  spw_report report;
  if (!oracle_check(x, SPW_STRUCTURE, &report)) return;
  if (report.valid) fuzz_fail("no size for a valid tensor", "%s", oracle_describe(x));
  if (status == SPW_EOVERFLOW && report.findings[SPW_RULE_1_6].state == SPW_HOLDS &&
      report.findings[SPW_RULE_3_11].state == SPW_HOLDS)
    fuzz_fail("an overflow that is none", "%s", oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static int64_t inferred[DIMS];
  int64_t ndim = UNTOUCHED;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *t = fuzz_indices_from(model, WORK);
  if (!t) return 0;
  spw_tensor x = t->tensor;
  x.has_size = false;
  memset(inferred, 0, sizeof inferred);
  const spw_status status = spw_infer_size(&x, inferred, DIMS, &ndim);
  if (status != SPW_OK) {
    if (ndim != UNTOUCHED) fuzz_fail("a refusal touches ndim", "see the input");
    if (status == SPW_EINVAL && !(x.layout == SPW_COO && x.plain.array.ndim == 2 &&
                                  x.plain.array.shape[0] > DIMS - FUZZ_DIMS))
      fuzz_fail("spw_infer_size refuses", "%s", oracle_describe(&x));
    if (status != SPW_EINVAL) expect_reason(&x, status);
    return 0;
  }
  if (x.layout == SPW_COO) expect_coo_size(&x, inferred, ndim);
  else expect_compressed_size(&x, inferred, ndim);
  expect_same_verdict(&x, ndim, inferred);
  expect_capacity(&x, ndim);
  return 0;
}
