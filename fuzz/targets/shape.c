/* SPDX-License-Identifier: Apache-2.0 */
/* Strides and places of any shape, against exact numbers: spw_row_major_strides, spw_unravel, and
 * the one undoes the other. Operand 0: its values' shape. Parameter 0: the flat number. */
#include "../harness/target.h"

#include <string.h>

enum { UNTOUCHED = -99 };

/* Exact up to any product of two int64; what is beyond int64 stays beyond. */
typedef __int128 wide;

static wide bounded(wide number)
{
  const wide most = (wide)1 << 64;
  return number > most ? most : number;
}

static bool has_negative(int64_t ndim, const int64_t *shape)
{
  for (int64_t d = 0; d < ndim; d++)
    if (shape[d] < 0) return true;
  return false;
}

/* The product of shape[first .. ndim-1], exact where it fits in int64. */
static wide product_from(int64_t first, int64_t ndim, const int64_t *shape)
{
  wide product = 1;
  for (int64_t d = first; d < ndim; d++) {
    if (shape[d] == 0) return 0;
    product = bounded(product * shape[d]);
  }
  return product;
}

static void expect_untouched(int64_t ndim, const int64_t *list, const char *what)
{
  for (int64_t d = 0; d < ndim; d++)
    if (list[d] != UNTOUCHED) fuzz_fail("a refusal touches the output", "%s", what);
}

static spw_status wanted_strides(int64_t ndim, const int64_t *shape, int64_t *strides)
{
  if (has_negative(ndim, shape)) return SPW_EINVAL;
  for (int64_t d = 0; d < ndim; d++) {
    const wide stride = product_from(d + 1, ndim, shape);
    if (stride > INT64_MAX) return SPW_EOVERFLOW;
    strides[d] = (int64_t)stride;
  }
  return SPW_OK;
}

/* Gives whether there are strides. */
static bool expect_strides(int64_t ndim, const int64_t *shape, int64_t *strides)
{
  int64_t wanted[FUZZ_DIMS] = {0};
  const spw_status right = wanted_strides(ndim, shape, wanted);
  const spw_status status = spw_row_major_strides(ndim, shape, strides);
  if (status != right)
    fuzz_fail("strides have another status", "%d, not %d", (int)status, (int)right);
  if (status != SPW_OK) expect_untouched(ndim, strides, "strides");
  else if (memcmp(strides, wanted, (size_t)ndim * sizeof *wanted) != 0)
    fuzz_fail("strides are not row-major", "%d dimensions", (int)ndim);
  return status == SPW_OK;
}

/* Gives whether there is such a place. */
static bool expect_place(int64_t flat, int64_t ndim, const int64_t *shape, int64_t *index)
{
  const bool inside =
      flat >= 0 && !has_negative(ndim, shape) && flat < product_from(0, ndim, shape);
  const spw_status status = spw_unravel(flat, ndim, shape, index);
  if (status != (inside ? SPW_OK : SPW_EINVAL))
    fuzz_fail("a place has another status", "%d for %lld", (int)status, (long long)flat);
  if (!inside) expect_untouched(ndim, index, "index");
  int64_t rest = flat;
  for (int64_t d = ndim - 1; d >= 0 && inside; d--) {
    if (index[d] != rest % shape[d])
      fuzz_fail("not the place", "%lld, dimension %d", (long long)flat, (int)d);
    rest /= shape[d];
  }
  return inside;
}

static void expect_inverse(int64_t flat, int64_t ndim, const int64_t *shape, const int64_t *strides,
                           bool has_strides)
{
  int64_t index[FUZZ_DIMS];
  wide sum = 0;
  for (int d = 0; d < FUZZ_DIMS; d++) index[d] = UNTOUCHED;
  if (!expect_place(flat, ndim, shape, index) || !has_strides) return;
  for (int64_t d = 0; d < ndim; d++) sum += (wide)index[d] * strides[d];
  if (sum != flat) fuzz_fail("strides lead to another place", "%lld", (long long)flat);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  int64_t strides[FUZZ_DIMS];
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const spw_array *a = &fuzz_indices_from(model, 0, 1e300)->tensor.values.array;
  const int64_t flat = model->parameters > 0 ? model->parameter[0] : 0;
  const wide count = has_negative(a->ndim, a->shape) ? 0 : product_from(0, a->ndim, a->shape);
  for (int d = 0; d < FUZZ_DIMS; d++) strides[d] = UNTOUCHED;
  const bool has_strides = expect_strides(a->ndim, a->shape, strides);
  expect_inverse(flat, a->ndim, a->shape, strides, has_strides);
  if (count > 0) { /* one that is inside */
    const wide inside = (wide)(uint64_t)flat % count;
    expect_inverse(inside > INT64_MAX ? INT64_MAX : (int64_t)inside, a->ndim, a->shape, strides,
                   has_strides);
  }
  return 0;
}
