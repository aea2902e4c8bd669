/* SPDX-License-Identifier: Apache-2.0 */
/* Says of two tensors what the kernels that are proved (src/convert/kernels/scalars.h, src/convert/cells/same_scalars.inc) ask
 * for, and asks them. Of what makes tensors it takes only where a value lies. */
#include "../convert/instances/certify.h"
#include "../convert/kernels/scalars_of.h"
#include "../convert/plan.h"
#include "../convert/values.h"
#include "../core/entries.h"
#include "../core/size.h"

/* What both have to agree in for their positions to be compared. */
typedef struct frame {
  const int64_t *size;
  int64_t ndim, dense_dims;
  int64_t run, parts; /* payloads of an element, and of one of its scalars: two of a complex one */
} frame;

static const int64_t *size_of(const spw_tensor *t, int64_t *ndim)
{
  const bool dense = t->layout == SPW_DENSE;
  *ndim = dense ? t->values.array.ndim : t->ndim;
  return dense ? t->values.array.shape : t->size;
}

/* Dimensions behind the sparse ones; -1: any number. */
static int64_t dense_dims_of(const spw_tensor *t)
{
  spw_numbers n;
  if (t->layout == SPW_DENSE) return -1;
  return spw_numbers_of(t, &n) == SPW_OK ? n.dense_dims : -1;
}

/* Rows and columns of payloads, and so many matrices of them. */
static spw_scalars scalars_of_dense(const frame *f)
{
  const int64_t dims = f->ndim - f->dense_dims;
  const int64_t batches = spw_product(f->size, dims > 2 ? dims - 2 : 0);
  const int64_t columns = spw_mul_saturated(dims >= 1 ? f->size[dims - 1] : 1, f->run);
  return spw_scalars_of_all(batches < 0 ? INT64_MAX : batches, dims >= 2 ? f->size[dims - 2] : 1, columns);
}

/* False: this is left to others. */
static bool take(const spw_tensor *t, const frame *f, spw_certified *out)
{
  const spw_array *const values = &t->values.array;
  const int64_t elements = spw_product(values->shape, values->ndim);
  if (elements < 0) return false;
  if (elements > 0 && !(spw_is_aligned(t->values.data, values->dtype) && spw_lies_in_order(values))) return false;
  out->scalars = t->layout == SPW_DENSE ? scalars_of_dense(f)
                 : t->layout == SPW_COO ? spw_scalars_of_list(t, f->run) : spw_scalars_of_lines(t, f->run);
  if (out->scalars.count < 0 || out->scalars.count != spw_mul_saturated(elements, f->parts)) return false;
  out->values = elements > 0 ? spw_value_at(&t->values, values->offset) : t->values.data;
  return true;
}

static bool same_positions(const spw_scalars *a, const spw_scalars *b)
{
  return a->batches == b->batches && a->rows == b->rows && a->columns == b->columns;
}

static bool compare(const spw_certified *a, const spw_certified *b, uintptr_t payload, int drops, int adds)
{
  switch (payload) {
  case 1: return spw_certify_u8(a, b, drops, adds) == 1;
  case 2: return spw_certify_u16(a, b, drops, adds) == 1;
  case 4: return spw_certify_u32(a, b, drops, adds) == 1;
  default: return spw_certify_u64(a, b, drops, adds) == 1;
  }
}

/* What both agree in. False: they differ in it, or it leaves nothing to compare, which *same tells; or it is left to others,
 * which *status tells. */
static bool find_frame(const spw_tensor *a, const spw_tensor *b, frame *f, bool *same, spw_status *status)
{
  int64_t ndim;
  const int64_t *const size = size_of(b, &ndim);
  const spw_dtype dtype = a->values.array.dtype;
  f->size = size_of(a, &f->ndim);
  *same = f->ndim == ndim && spw_entries_equal(f->size, size, ndim) && dtype == b->values.array.dtype;
  if (!*same || spw_product(f->size, f->ndim) == 0) return false;
  const int64_t of_a = dense_dims_of(a), of_b = dense_dims_of(b);
  f->dense_dims = of_a >= 0 ? of_a : of_b >= 0 ? of_b : 0;
  f->parts = (int64_t)((uintptr_t)spw_dtype_size(dtype) / spw_alignment(dtype));
  const int64_t elements = f->dense_dims == 0 ? 1 : spw_product(f->size + (f->ndim - f->dense_dims), f->dense_dims);
  if (elements < 0 || (of_a >= 0 && of_b >= 0 && of_a != of_b)) *status = SPW_EUNSUPPORTED;
  f->run = elements < 0 ? 0 : spw_mul_saturated(elements, f->parts);
  return *status == SPW_OK;
}

/* ---- The calls --------------------------------------------------------------------------------- */

static bool has_size(const spw_tensor *t)
{
  return t->layout == SPW_DENSE || t->has_size;
}

spw_status spw_certify_unchecked(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, bool *same)
{
  frame f;
  spw_certified x, y;
  spw_status status = SPW_OK;
  bool found = false;
  if (!a || !b || !same || zeros < SPW_ZEROS_KEPT || zeros > SPW_ZEROS_ANY) return SPW_EINVAL;
  if (!has_size(a) || !has_size(b)) return SPW_EUNSUPPORTED;
  if (find_frame(a, b, &f, &found, &status)) {
    if (!take(a, &f, &x) || !take(b, &f, &y) || !same_positions(&x.scalars, &y.scalars)) return SPW_EUNSUPPORTED;
    const bool drops = (zeros & SPW_ZEROS_DROPPED) != 0 || a->layout == SPW_DENSE;
    const bool adds = (zeros & SPW_ZEROS_ADDED) != 0 || b->layout == SPW_DENSE;
    const bool empty = x.scalars.count == 0 && y.scalars.count == 0; /* however many batches and lines have none */
    found = empty || compare(&x, &y, spw_alignment(a->values.array.dtype), drops, adds);
  }
  if (status == SPW_OK) *same = found;
  return status;
}

spw_status spw_certify(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, bool *same, spw_refusal *refusal)
{
  if (!a || !b || !same || zeros < SPW_ZEROS_KEPT || zeros > SPW_ZEROS_ANY) return SPW_EINVAL;
  const spw_tensor *const both[] = {a, b};
  const spw_status status = spw_convert_judge_all(both, 2, refusal);
  return status == SPW_OK ? spw_certify_unchecked(a, b, zeros, same) : status;
}
