/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .npy file. What is accepted says what its header says, number by number; its values
 * are the last bytes of the file, and none of them is left over. */
#include "../harness/mutator.h"

#include <stdlib.h>
#include <string.h>

const fuzz_format *fuzz_input_format(void)
{
  return &fuzz_formats[FUZZ_NPY];
}

/* Behind the value that a key has in the header; it is there, or the file would not have been read. */
static const char *value_of(const char *header, const char *key)
{
  const char *at = strstr(header, key);
  if (!at) fuzz_fail("accepted without a key", "%s", key);
  return strchr(at, ':') + 1;
}

/* Are the numbers up to the closing bracket these, and no more? */
static bool same_numbers(const char *at, int64_t count, const int64_t *wanted)
{
  const char *const end = strchr(at, ')');
  for (int64_t i = 0; i < count; i++) {
    char *behind;
    at += strcspn(at, "0123456789)");
    if (at >= end || strtoll(at, &behind, 10) != wanted[i]) return false;
    at = behind;
  }
  return at + strcspn(at, "0123456789)") == end;
}

/* Is each step the product of the extents behind it, or before it in Fortran order? */
static bool same_strides(const spw_array *a, bool fortran)
{
  int64_t step = 1;
  for (int64_t i = 0; i < a->ndim; i++) {
    const int64_t d = fortran ? i : a->ndim - 1 - i;
    if (a->strides[d] != step) return false;
    step *= a->shape[d] > 0 ? a->shape[d] : 1;
  }
  return true;
}

static void expect_header(const char *header, const spw_array *a)
{
  const char *order = value_of(header, "fortran_order");
  order += strspn(order, " \t\r\n");
  if (!same_numbers(value_of(header, "shape"), a->ndim, a->shape))
    fuzz_fail("another shape than the header's", "%s", header);
  if (!same_strides(a, *order == 'T')) fuzz_fail("another order than the header's", "%s", header);
}

static void expect_array(const uint8_t *data, size_t size, const spw_tensor *x)
{
  static char header[1 << 16];
  const spw_array *a = &x->values.array;
  const size_t bytes = (size_t)(a->length * spw_dtype_size(a->dtype)), start = data[6] == 1 ? 10 : 12;
  int64_t count = 1;
  if (x->layout != SPW_DENSE || !x->has_size || x->ndim != a->ndim || x->size != a->shape)
    fuzz_fail("a dense array whose size is not its shape", "see the input");
  for (int64_t d = 0; d < a->ndim; d++) count *= a->shape[d] > 0 ? a->shape[d] : 1; /* fits: NumPy's limit */
  for (int64_t d = 0; d < a->ndim; d++) count = a->shape[d] == 0 ? 0 : count;
  if (count != a->length || bytes + start > size || size - bytes - start >= sizeof header)
    fuzz_fail("another number of elements", "%lld", (long long)count);
  if (!fuzz_same_storage(data + (size - bytes), &x->values)) fuzz_fail("other values", "see the input");
  memcpy(header, data + start, size - bytes - start);
  header[size - bytes - start] = 0;
  expect_header(header, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  spw_owned *owned;
  if (fuzz_try_reader(fuzz_input_format(), data, size) != SPW_OK) return 0;
  if (spw_read_npy(data, size, 0, &owned, NULL) != SPW_OK)
    fuzz_fail("refused the second time", "see the input");
  expect_array(data, size, spw_owned_tensor(owned));
  spw_owned_free(owned);
  return 0;
}
