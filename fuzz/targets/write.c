/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensors to files and back: JSON can say all of them, the other formats some; and what a file
 * says, it says with the same bits. All are read before the first is looked at, so that none may
 * lie in the memory of another. Operation: the format. */
#include "../harness/mtx_values.h"
#include "../harness/target.h"

#include <stdlib.h>

enum { WORK = 20000 };

/* ---- The checker's verdict ------------------------------------------------------------------- */

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

/* ---- There and back -------------------------------------------------------------------------- */

static bool has_odd_bool(const spw_array *a, const void *data)
{
  for (int64_t i = 0; a->dtype == SPW_BOOL && i < a->length; i++)
    if (((const uint8_t *)data)[i] > 1) return true;
  return false;
}

/* The one thing that JSON has no text for: a bool that is neither 0 nor 1. */
static bool json_has_text(const spw_tensor *x)
{
  return !has_odd_bool(&x->values.array, x->values.data) &&
         !has_odd_bool(&x->plain.array, fuzz_index_data(&x->plain)) &&
         (x->layout == SPW_COO ||
          !has_odd_bool(&x->compressed.array, fuzz_index_data(&x->compressed)));
}

/* So many dimensions, of a type that NumPy has, and all elements are there. */
static bool numpy_has_room(const spw_array *a, int64_t ndim)
{
  int64_t last = a->offset;
  bool empty = false;
  if (a->ndim != ndim || a->dtype == SPW_BFLOAT16 || a->offset < 0) return false;
  for (int64_t d = 0; d < a->ndim; d++) {
    int64_t way;
    if (a->shape[d] < 0 || a->strides[d] < 0) return false;
    empty = empty || a->shape[d] == 0;
    if (a->shape[d] == 0) continue;
    if (__builtin_mul_overflow(a->shape[d] - 1, a->strides[d], &way) ||
        __builtin_add_overflow(last, way, &last))
      last = INT64_MAX;
  }
  double bytes = (double)spw_dtype_size(a->dtype);
  for (int64_t d = 0; d < a->ndim; d++) bytes *= a->shape[d] > 0 ? (double)a->shape[d] : 1;
  return (empty || last < a->length) && bytes < 0x1p63;
}

static bool npy_has_room(const spw_tensor *x)
{
  return x->layout == SPW_DENSE && numpy_has_room(&x->values.array, x->values.array.ndim);
}

/* What SciPy's files are for: matrices of four layouts, of a size that is given or can be inferred. */
static bool npz_has_room(const spw_tensor *x)
{
  int64_t size[2], ndim = 0;
  const bool coo = x->layout == SPW_COO, bsr = x->layout == SPW_BSR;
  if (!coo && !bsr && x->layout != SPW_CSR && x->layout != SPW_CSC) return false;
  if (x->has_size ? x->ndim != 2 : spw_infer_size(x, size, 2, &ndim) != SPW_OK) return false;
  return (coo || numpy_has_room(&x->compressed.array, 1)) && numpy_has_room(&x->plain.array, coo ? 2 : 1) &&
         (!coo || x->plain.array.shape[0] == 2) && numpy_has_room(&x->values.array, bsr ? 3 : 1);
}

static bool may_be_refused(const fuzz_format *f, const spw_tensor *x)
{
  if (f->write == spw_write_json) return !json_has_text(x);
  if (f->write == spw_write_npy) return !npy_has_room(x);
  return f->write == spw_write_mtx ? !fuzz_mtx_has_text(x) : !npz_has_room(x);
}

/* What is read of the file; null when there is none. */
static spw_owned *there_and_back(const fuzz_format *f, const spw_tensor *x)
{
  void *bytes;
  size_t size;
  spw_error error = {"", ""};
  spw_owned *again = NULL;
  const bool is_json = f->write == spw_write_json, is_mtx = f->write == spw_write_mtx;
  const bool may_refuse = may_be_refused(f, x);
  const spw_status status = f->write(x, &bytes, &size, &error);
  if (status == SPW_EUNSUPPORTED && may_refuse && error.message[0]) return NULL;
  if (status) fuzz_fail("a tensor that no file can say", "%s: %s", f->name, error.message);
  if (is_json && may_refuse) fuzz_fail("a bool that is none is written", "see the input");
  if (is_mtx && may_refuse && fuzz_is_mtx(x)) fuzz_fail("a value without text is written", "mtx");
  if (f->read(bytes, size, 0, &again, &error))
    fuzz_fail("what was written cannot be read", "%s: %s %s", f->name, error.where, error.message);
  if (!is_json) (void)fuzz_try_reader(f, bytes, size); /* may be another tensor */
  free(bytes);
  return again;
}

static void expect_return(const fuzz_format *f, const spw_tensor *x, const spw_tensor *y)
{
  if (f->write == spw_write_json && !fuzz_same_tensor(x, y, true))
    fuzz_fail("a tensor that comes back as another", "%s", f->name);
  if ((f->write == spw_write_npz || f->write == spw_write_npy) && !fuzz_same_elements(x, y))
    fuzz_fail("elements that come back as others", "%s", f->name);
  if (f->write == spw_write_mtx) {
    const char *const wrong = fuzz_mtx_difference(x, y);
    if (wrong) fuzz_fail("a matrix that comes back as another", "%s", wrong);
  }
  expect_verdict(f, x, y);
}

static bool is_type(spw_dtype dtype)
{
  return spw_dtype_size(dtype) > 0;
}

/* Numbers that name no element type have no word in a file. */
static bool has_words(const spw_tensor *x)
{
  const bool is_dense = x->layout == SPW_DENSE;
  return (is_type(x->index_dtype) || !x->index_dtype) && (is_type(x->dtype) || !x->dtype) &&
         (is_dense || x->layout == SPW_COO || is_type(x->compressed.array.dtype)) &&
         (is_dense || is_type(x->plain.array.dtype)) && is_type(x->values.array.dtype);
}

static const spw_tensor *small_tensor(const fuzz_model *model, int64_t number)
{
  static spw_tensor tensors[FUZZ_OPERANDS];
  const fuzz_tensor *t = fuzz_tensor_from(model, number, 1e300);
  if (!t || !t->has_values) return NULL;
  tensors[number] = fuzz_for_file(model, number, t);
  const bool is_small = has_words(&tensors[number]) && fuzz_volume(&tensors[number]) <= WORK;
  return is_small ? &tensors[number] : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const spw_tensor *tensors[FUZZ_OPERANDS];
  spw_owned *again[FUZZ_OPERANDS];
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_format *f = &fuzz_formats[fuzz_operation(model, FUZZ_FORMATS)];
  for (int64_t i = 0; i < model->operands; i++) {
    tensors[i] = small_tensor(model, i);
    again[i] = tensors[i] ? there_and_back(f, tensors[i]) : NULL;
  }
  for (int64_t i = 0; i < model->operands; i++) {
    if (again[i]) expect_return(f, tensors[i], spw_owned_tensor(again[i]));
    spw_owned_free(again[i]);
  }
  return 0;
}
