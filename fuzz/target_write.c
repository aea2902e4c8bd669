/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor to a file and back: JSON can say all of them, the other formats some. */
#include "target.h"

#include <stdlib.h>

enum { WORK = 20000 };

/* Does some shape rule not hold? 1.6 and 3.11 of an inferred size wait for the indices. */
static bool breaks_shape(const spw_report *report)
{
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++)
    if (report->findings[rule].state == SPW_VIOLATED &&
        spw_rule_get((spw_rule)rule)->phase == SPW_SHAPE)
      return true;
  return false;
}

/* npz and mtx files say nothing of strides and declared types, and mtx nothing of the type of the
 * indices, so that shape rules may come to hold; but where they do hold, indices are neither mended
 * nor broken. */
static void expect_verdict(const fuzz_format *f, const spw_tensor *x, const spw_tensor *y)
{
  spw_report before, after;
  if (fuzz_work(x) > WORK) return;
  const spw_status one = spw_check(x, SPW_STRUCTURE, &before);
  if (one == SPW_OK && breaks_shape(&before)) return;
  const spw_status two = spw_check(y, SPW_STRUCTURE, &after);
  if (one != two || (one == SPW_OK && before.valid != after.valid))
    fuzz_fail("a tensor comes back with another verdict", "%s", f->name);
}

static void expect_return(const fuzz_format *f, const spw_tensor *x)
{
  void *bytes;
  size_t size;
  spw_error error = {"", ""};
  const spw_status status = f->write(x, &bytes, &size, &error);
  if (status == SPW_EUNSUPPORTED && f->write != spw_write_json && error.message[0]) return;
  if (status) fuzz_fail("a tensor that no file can say", "%s: %s", f->name, error.message);
  spw_owned *again = NULL;
  if (f->read(bytes, size, 0, &again, &error))
    fuzz_fail("what was written cannot be read", "%s: %s %s", f->name, error.where, error.message);
  const spw_tensor *y = spw_owned_tensor(again);
  if (f->write == spw_write_json && !fuzz_same_tensor(x, y, true))
    fuzz_fail("a tensor that comes back as another", "%.*s", (int)size, (const char *)bytes);
  expect_verdict(f, x, y);
  if (f->write != spw_write_json) (void)fuzz_try_reader(f, bytes, size); /* may be another tensor */
  free(bytes);
  spw_owned_free(again);
}

static bool is_type(spw_dtype dtype)
{
  return spw_dtype_size(dtype) > 0;
}

/* Numbers that name no element type have no word in a file. */
static bool has_words(const spw_tensor *x)
{
  return (is_type(x->index_dtype) || !x->index_dtype) && (is_type(x->dtype) || !x->dtype) &&
         (x->layout == SPW_COO || is_type(x->compressed.array.dtype)) &&
         is_type(x->plain.array.dtype) && is_type(x->values.array.dtype);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *t = fuzz_tensor_from(model, 1e300);
  if (t && t->has_values && has_words(&t->tensor) && fuzz_volume(&t->tensor) <= WORK)
    expect_return(&fuzz_formats[model->modifier % FUZZ_FORMATS], &t->tensor);
  return 0;
}
