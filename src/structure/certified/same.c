/* SPDX-License-Identifier: Apache-2.0 */
#include "../../check/verdict.h"
#include "same.h"
#include "../../core/entries.h"
#include "payloads.h"
#include "types.h"

/* ---- Sizes --------------------------------------------------------------------------------------- */

/*@ requires readable: \valid_read(t);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == dims_of(t); */
/* level L2 */
static int64_t dims_of(const spw_tensor *t)
{
  return (int64_t)t->layout == SPW_LAYOUT_COUNT ? t->values.array.ndim : t->ndim;
}

/*@ requires entries: 0 <= n && \valid_read(size + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures positive: \result == 1 ==> positive(size, n);
    ensures zero: \result == 0 ==> has_zero(size, n);
    ensures negative: \result == -1 ==> !non_negative(size, n);
    ensures verdict: -1 <= \result <= 1; */
/* level L2 */
static int are_positive(const int64_t *size, int64_t n)
{
  int zero = 0;
  /*@ loop invariant range: 0 <= d <= n;
      loop invariant none: zero == 0 ==> positive(size, d);
      loop invariant some: zero == 1 ==> has_zero(size, d);
      loop invariant flag: 0 <= zero <= 1;
      loop assigns d, zero;
      loop variant n - d; */
  for (int64_t d = 0; d < n; d++) {
    if (size[d] < 0) return -1;
    if (size[d] == 0) zero = 1;
  }
  return 1 - zero;
}

/* ---- What both agree in ---------------------------------------------------------------------------- */

/* Dimensions behind the sparse ones; -1: of a dense array, any number, or not told. */
/*@ requires ready: ready(t);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: 0 <= \result ==> t->layout != SPW_LAYOUT_COUNT && \result == dense_dims_of(t); */
/* level L1 */
static int64_t dense_dims_of(const spw_tensor *t)
{
  if ((int64_t)t->layout == SPW_LAYOUT_COUNT) return -1;
  return t->layout == SPW_COO ? t->values.array.ndim - 1 : spw_dense_dims(t);
}

/* run 0: not told */
/*@ requires ready: ready(t) && size == size_of(t) && ndim == dims_of(t);
    terminates \true; exits \false; assigns \nothing;
    ensures frame: 1 <= \result.run ==> is_frame(t, \result) && \result.dense_dims == dense_dims; */
/* level L1 */
static spw_frame frame_of(const spw_tensor *t, const int64_t *size, int64_t ndim, int64_t dense_dims)
{
  const spw_dtype dtype = t->values.array.dtype;
  spw_frame f = {.dense_dims = dense_dims, .run = 0, .parts = spw_payload_parts(dtype), .width = spw_payload_width(dtype)};
  if (dense_dims < 0 || dense_dims > ndim) return f;
  if (dense_dims == 0) {
    f.run = f.parts;
    //@ assert whole: is_frame(t, f);
    return f;
  }
  if (!spw_entries_non_negative(size + (ndim - dense_dims), dense_dims)) return f;
  const int64_t elements = spw_product(size + (ndim - dense_dims), dense_dims);
  if (elements < 1 || elements > INT64_MAX / 2) return f;
  f.run = elements * f.parts;
  //@ assert last: elements == product(size_of(t) + (dims_of(t) - dense_dims), dense_dims);
  //@ assert run: f.run == product(size_of(t) + (dims_of(t) - f.dense_dims), f.dense_dims) * f.parts;
  //@ assert some: 1 <= f.run;
  //@ assert types: f.parts == payload_parts(t->values.array.dtype) && f.width == payload_width(t->values.array.dtype);
  //@ assert dims: 0 < f.dense_dims <= dims_of(t);
  //@ assert part: is_frame(t, f);
  return f;
}

/* ---- A side ---------------------------------------------------------------------------------------- */

/*@ requires readable: array_readable(a) && non_negative(a->shape, a->ndim) && 1 <= run;
    terminates \true; exits \false; assigns \nothing;
    ensures taken: \result.count == -1 || (scalars_valid(\result) && all_of_array(a, dims, run, \result)); */
/* level L1 */
static spw_scalars scalars_of_array(const spw_array *a, int64_t dims, int64_t run)
{
  const spw_scalars none = {.order = SPW_EVERYWHERE, .count = -1};
  if (dims < 0 || dims > a->ndim) return none;
  const int64_t batches = spw_product(a->shape, dims > 2 ? dims - 2 : 0);
  const int64_t rows = dims >= 2 ? a->shape[dims - 2] : 1, last = dims >= 1 ? a->shape[dims - 1] : 1;
  const int64_t columns = spw_mul_saturated(last, run);
  if (batches < 0 || columns == INT64_MAX) return none;
  //@ assert columns: columns == last * run;
  const spw_scalars s = spw_scalars_of_all(batches, rows, columns);
  //@ assert taken: s.count == -1 || (s.batches == batches && s.rows == rows && s.columns == columns);
  //@ assert batches: batches == product(a->shape, dims > 2 ? dims - 2 : 0);
  //@ assert rows: rows == (dims >= 2 ? (integer)a->shape[dims - 2] : 1);
  //@ assert last: columns == (dims >= 1 ? (integer)a->shape[dims - 1] : 1) * run;
  return s;
}

/*@ requires ready: ready(t);
    requires sizes: positive(size_of(t), dims_of(t)) && non_negative(t->values.array.shape, t->values.array.ndim) && 1 <= f.run &&
      0 <= f.dense_dims <= dims_of(t);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.count == -1 || scalars_valid(\result);
    ensures taken: \result.count == -1 ||
      (t->layout == SPW_LAYOUT_COUNT ? all_of_array(&t->values.array, t->values.array.ndim - f.dense_dims, f.run, \result)
       : t->layout == SPW_COO ? list_of_tensor(t, f.run, \result) : lines_of_tensor(t, f.run, \result)); */
/* level L1 */
static spw_scalars scalars_of(const spw_tensor *t, spw_frame f)
{
  if ((int64_t)t->layout == SPW_LAYOUT_COUNT) {
    return scalars_of_array(&t->values.array, t->values.array.ndim - f.dense_dims, f.run);
  }
  if (t->layout == SPW_COO) return spw_scalars_of_list(t, f.run);
  return spw_scalars_of_lines(t, f.run);
}

/*@ terminates \true; exits \false; assigns \nothing; ensures none: \result.scalars.count == -1; */
/* level L2 */
static spw_side no_side(void)
{
  const spw_side none = {.scalars = {.order = SPW_EVERYWHERE, .count = -1}};
  return none;
}

/*@ requires ready: ready(t);
    requires sizes: positive(size_of(t), dims_of(t)) && 1 <= f.run && 1 <= f.parts <= 2 && 0 <= f.dense_dims <= dims_of(t);
    requires dense: t->layout != SPW_LAYOUT_COUNT ==> dense_dims_of(t) == f.dense_dims;
    terminates \true; exits \false; assigns \nothing;
    ensures taken: \result.scalars.count == -1 || is_side(t, f, \result); */
/* level L1 */
static spw_side side_of(const spw_tensor *t, spw_frame f)
{
  const spw_array *const a = &t->values.array;
  if (!spw_entries_non_negative(a->shape, a->ndim)) return no_side();
  const int64_t elements = spw_product(a->shape, a->ndim);
  if (elements < 0 || a->length > INT64_MAX / 2 || elements > a->length) return no_side();
  if (elements > 0 && (a->offset < 0 || a->offset > a->length - elements || spw_lies_in_order(a) != 1)) return no_side();
  const spw_side s = {.scalars = scalars_of(t, f),
                      .values = spw_payloads_of(&t->values, f.parts, f.width),
                      .from = elements > 0 ? a->offset * f.parts : 0};
  if (s.scalars.count != elements * f.parts) return no_side();
  //@ assert values: s.values.first == t->values.data && s.values.width == f.width && s.values.length == t->values.array.length * f.parts;
  //@ assert count: s.scalars.count == product(t->values.array.shape, t->values.array.ndim) * f.parts;
  //@ assert from: 0 < s.scalars.count ==> in_row_major_order(&t->values.array) && s.from == t->values.array.offset * f.parts;
  //@ assert fits: 0 < elements ==> 0 <= a->offset && a->offset + elements <= a->length;
  //@ assert single: f.parts == 1 ==> 0 <= s.from && s.from + s.scalars.count <= s.values.length;
  //@ assert pairs: f.parts == 2 ==> 0 <= s.from && s.from + s.scalars.count <= s.values.length;
  //@ assert inside: 0 <= s.from && s.from + s.scalars.count <= s.values.length;
  //@ assert valid: scalars_valid(s.scalars);
  return s;
}

/* ---- The comparison ---------------------------------------------------------------------------------- */

/*@ requires ready: ready(a) && ready(b);
    requires same: same_frame(a, b) && positive(size_of(a), dims_of(a)) && positive(size_of(b), dims_of(b));
    requires frame: is_frame(a, f);
    requires dense: (a->layout != SPW_LAYOUT_COUNT ==> dense_dims_of(a) == f.dense_dims) &&
      (b->layout != SPW_LAYOUT_COUNT ==> dense_dims_of(b) == f.dense_dims);
    terminates \true; exits \false; assigns \nothing;
    ensures same: \result == 1 ==> same_at_all(a, b, drops, adds); */
/* level L1 */
static int compare(const spw_tensor *a, const spw_tensor *b, spw_frame f, int drops, int adds, const spw_buffers *buffers,
                   int64_t bytes)
{
  const spw_side x = side_of(a, f), y = side_of(b, f);
  if (x.scalars.count < 0 || y.scalars.count < 0) return -1;
  if (x.scalars.batches != y.scalars.batches || x.scalars.rows != y.scalars.rows) return -1;
  if (x.scalars.columns != y.scalars.columns) return -1;
  return spw_sides_agree(x, y, drops, adds, buffers, bytes);
}

/* level L1 */
int spw_same_tensors(const spw_tensor *a, const spw_tensor *b, int drops, int adds, const spw_buffers *buffers, int64_t bytes)
{
  const int64_t ndim = dims_of(a);
  if (ndim != dims_of(b) || a->values.array.dtype != b->values.array.dtype) return 0;
  const int64_t *const size = (int64_t)a->layout == SPW_LAYOUT_COUNT ? a->values.array.shape : a->size;
  const int64_t *const other = (int64_t)b->layout == SPW_LAYOUT_COUNT ? b->values.array.shape : b->size;
  if (!spw_entries_equal(size, other, ndim)) return 0;
  const int sizes = are_positive(size, ndim);
  if (sizes < 1) return sizes == 0 ? 1 : -1;
  //@ assert sizes: size == size_of(a) && other == size_of(b);
  //@ assert positive: positive(size, ndim);
  //@ assert as_positive: \forall integer d; 0 <= d < ndim ==> 1 <= other[d];
  const int64_t of_a = dense_dims_of(a), of_b = dense_dims_of(b);
  if (of_a < 0 && (int64_t)a->layout != SPW_LAYOUT_COUNT) return -1;
  if (of_b < 0 && (int64_t)b->layout != SPW_LAYOUT_COUNT) return -1;
  if (of_a >= 0 && of_b >= 0 && of_a != of_b) return -1;
  const spw_frame f = frame_of(a, size, ndim, of_a >= 0 ? of_a : of_b >= 0 ? of_b : 0);
  if (f.run < 1) return -1;
  return compare(a, b, f, drops, adds, buffers, bytes);
}
