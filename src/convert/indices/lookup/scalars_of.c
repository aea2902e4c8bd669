/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../check/verdict.h"
#include "scalars_of.h"
#include "../../../../proofs/lemmas/times_at.h"
#include "../../../check/fast/count_columns.h"

/*@ terminates \true; exits \false; assigns \nothing; ensures none: \result.count == -1; */
/* level L2 */
static spw_scalars no_scalars(void)
{
  const spw_scalars none = {.order = SPW_EVERYWHERE, .count = -1};
  return none;
}

/*@ ghost
  /@ // so many blocks of b elements of `run` scalars are `size` elements of as many
     requires sizes: 0 <= size && 1 <= b && 1 <= run && n == size / b && size % b == 0 && width == times(b, run);
     requires fits: size * run <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures elements: times(n, b) == size;
     ensures scalars: times(n, width) == times(size, run); @/
  void lem_blocks_of_size(int64_t n, int64_t b, int64_t run, int64_t size, int64_t width) {
    lem_times(size, b);
    lem_times(b, run);
    lem_times(size, run);
    /@ assert whole: n * b == size; @/
    /@ assert width: width == b * run; @/
    lem_times(n, b);
    lem_times(n, width);
    /@ assert scalars: n * (b * run) == size * run; @/
  }

  /@ requires sizes: 0 <= a && 0 <= b && a * b <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures either: times(a, b) == a * b == times(b, a); @/
  void lem_times_both(int64_t a, int64_t b) {
    lem_times(a, b);
    lem_times(b, a);
  }
*/

/* Where its scalars can be counted: the same with area and count. */
/*@ requires there: lines_there(s) && (s.order == SPW_ROW_LINES || s.order == SPW_COLUMN_LINES);
    requires sign: 0 <= s.batches && 0 <= s.rows && 0 <= s.columns;
    terminates \true; exits \false; assigns \nothing;
    ensures counted: \result.count == -1 || (scalars_valid(\result) && \result == {{s \with .area = \result.area} \with .count = \result.count}); */
/* level L1 */
static spw_scalars counted(spw_scalars s)
{
  s.area = spw_mul_saturated(s.across, s.along);
  const int64_t elements = spw_mul_saturated(s.batches, s.grid.nse);
  if (s.area == INT64_MAX || elements == INT64_MAX) return no_scalars();
  s.count = spw_mul_saturated(elements, s.area);
  if (s.count == INT64_MAX) return no_scalars();
  //@ ghost lem_times_both(s.across, s.along);
  //@ ghost lem_times_both(s.batches, s.grid.nse);
  //@ ghost lem_times_both(elements, s.area);
  return s;
}

/*@ requires readable: tensor_readable(t) && readable_indices(&t->compressed) && readable_indices(&t->plain);
    requires valid: compressed_layout(t) && sized(t) && tensor_valid(t);
    requires sizes: positive(t->size, t->ndim) && 1 <= run;
    requires place: 0 <= i <= 1;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == -1 || (0 < \result == block_size(t, i) * run == times(block_size(t, i), run));
    ensures fits: \result == -1 || (0 <= t->size[batch_dims(t) + i] * run <= INT64_MAX &&
      times(blocks(t, i), \result) == t->size[batch_dims(t) + i] * run == times(t->size[batch_dims(t) + i], run)); */
/* level L1 */
static int64_t scalars_of_block(const spw_tensor *t, int64_t i, int64_t run)
{
  //@ assert rules: rule_3_1(t) && rule_3_2(t) && rule_3_4(t);
  const int64_t size = t->size[spw_batch_dims(t) + i], block = spw_block_size(t, i);
  //@ assert divides: 1 <= block && size % block == 0 && blocks(t, i) == size / block;
  //@ assert positive: 1 <= size;
  if (spw_mul_saturated(size, run) == INT64_MAX) return -1;
  //@ assert fits: size * run <= INT64_MAX;
  //@ assert part: block <= size;
  //@ assert more: 0 <= (size - block) * run;
  //@ assert within: block * run <= size * run;
  //@ ghost lem_times_both(block, run);
  //@ ghost lem_times_both(size, run);
  //@ ghost lem_blocks_of_size(size / block, block, run, size, block * run);
  return block * run;
}

/* What its index arrays are. */
/*@ requires readable: tensor_readable(t) && readable_indices(&t->compressed) && readable_indices(&t->plain);
    requires valid: compressed_layout(t) && sized(t) && tensor_valid(t);
    requires grid: sized_grid(t, g) && grid_inside(g, t->compressed.array.length, t->plain.array.length);
    terminates \true; exits \false; assigns \nothing;
    ensures grid: \result.grid == g && \result.c_length == t->compressed.array.length && \result.d_length == t->plain.array.length;
    ensures wide: t->compressed.array.dtype == SPW_INT64 ==>
      \result.wide == 1 && \result.c64 == t->compressed.i64 && \result.d64 == t->plain.i64 &&
      compressed_structure_i64(\result.c64, \result.d64, g) && batches_5_6_i64(\result.c64, \result.d64, g) &&
      \valid_read(\result.c64 + (0 .. \result.c_length - 1)) && \valid_read(\result.d64 + (0 .. \result.d_length - 1));
    ensures narrow: t->compressed.array.dtype != SPW_INT64 ==>
      \result.wide == 0 && \result.c32 == t->compressed.i32 && \result.d32 == t->plain.i32 &&
      compressed_structure_i32(\result.c32, \result.d32, g) && batches_5_6_i32(\result.c32, \result.d32, g) &&
      \valid_read(\result.c32 + (0 .. \result.c_length - 1)) && \valid_read(\result.d32 + (0 .. \result.d_length - 1)); */
/* level L2 */
static spw_scalars indexed(const spw_tensor *t, spw_grid g)
{
  //@ assert types: rule_1_1(t) && rule_1_2(t) && rule_1_3(t) && t->plain.array.dtype == t->compressed.array.dtype;
  spw_scalars s = no_scalars();
  s.wide = t->compressed.array.dtype == SPW_INT64;
  if (s.wide) {
    s.c64 = t->compressed.i64;
    s.d64 = t->plain.i64;
  } else {
    s.c32 = t->compressed.i32;
    s.d32 = t->plain.i32;
  }
  s.c_length = t->compressed.array.length;
  s.d_length = t->plain.array.length;
  s.grid = g;
  return s;
}

/* level L1 */
spw_scalars spw_scalars_of_lines(const spw_tensor *t, int64_t run)
{
  //@ assert rules: rule_3_1(t) && rule_3_2(t) && rule_3_4(t) && rule_3_8(t) && rule_3_12(t);
  const int64_t dims = spw_batch_dims(t);
  //@ assert aligned: aligned(t) && 0 <= dims && dims + 1 < t->ndim;
  const int64_t batches = spw_product(t->compressed.array.shape, dims);
  const int64_t height = scalars_of_block(t, 0, 1), width = scalars_of_block(t, 1, run);
  if (batches < 0 || height < 0 || width < 0) return no_scalars();
  //@ assert fits: 0 <= t->size[batch_dims(t) + 1] * run <= INT64_MAX;
  const int64_t columns = t->size[dims + 1];
  //@ assert columns: 0 <= columns * run <= INT64_MAX;
  const spw_grid g = spw_grid_of(t, batches, spw_given_plain_size(t));
  //@ assert grid: sized_grid(t, g);
  spw_scalars s = indexed(t, g);
  const int by_rows = spw_compressed_dim(t) == 0;
  //@ assert lines: g.C == blocks(t, compressed_dim(t)) && g.P == blocks(t, plain_dim(t));
  s.order = by_rows ? SPW_ROW_LINES : SPW_COLUMN_LINES;
  s.batches = batches;
  s.rows = t->size[dims];
  s.columns = columns * run;
  s.across = by_rows ? height : width;
  s.along = by_rows ? width : height;
  //@ assert across: times(g.C, s.across) == lines_down(s);
  //@ assert along: times(g.P, s.along) == lines_along(s);
  //@ assert there: lines_there(s);
  //@ assert tensor: lines_of_tensor(t, run, s);
  return counted(s);
}

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires valid: t->layout == SPW_COO && sized(t) && tensor_valid(t) && is_columns(t, h) && columns_inside(h, t->plain.array.length);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures order: \result == 1 ==> (t->plain.array.dtype == SPW_INT64 ? rule_6_7_i64(t->plain.i64, h) : rule_6_7_i32(t->plain.i32, h)); */
/* level L1 */
static int is_in_order(const spw_tensor *t, spw_columns h)
{
  if (t->coalesced == SPW_CLAIM_YES) return 1;
  return t->plain.array.dtype == SPW_INT64 ? spw_columns_ascend_i64(t->plain.i64, t->plain.array.length, h)
                                           : spw_columns_ascend_i32(t->plain.i32, t->plain.array.length, h);
}

/* level L1 */
spw_scalars spw_scalars_of_unordered(const spw_tensor *t, int64_t run)
{
  //@ assert rules: rule_6_1(t) && rule_6_2(t) && rule_6_3(t) && rule_3_12(t) && rule_1_3(t);
  const spw_columns h = spw_columns_of(t);
  if (h.sparse_dim < 1) return no_scalars();
  //@ assert dims: h.sparse_dim <= t->ndim && positive(t->size, h.sparse_dim);
  const int64_t batches = spw_product(t->size, h.sparse_dim > 2 ? h.sparse_dim - 2 : 0);
  const int64_t columns = spw_mul_saturated(t->size[h.sparse_dim - 1], run), count = spw_mul_saturated(h.nse, run);
  if (batches < 0 || columns == INT64_MAX || count == INT64_MAX) return no_scalars();
  //@ ghost lem_times_both(t->size[h.sparse_dim - 1], run);
  //@ ghost lem_times_both(h.nse, run);
  const int wide = t->plain.array.dtype == SPW_INT64;
  const spw_scalars s = {
      .order = SPW_LIST,
      .wide = wide,
      .batches = batches,
      .rows = h.sparse_dim >= 2 ? t->size[h.sparse_dim - 2] : 1,
      .columns = columns,
      .count = count,
      .across = 1,
      .along = run,
      .area = run,
      .d32 = wide ? NULL : t->plain.i32,
      .d64 = wide ? t->plain.i64 : NULL,
      .d_length = t->plain.array.length,
      .listed = h,
      .size = t->size,
  };
  //@ assert batches: product(t->size, h.sparse_dim - 2) == batches;
  //@ assert elements: wide != 0 ? list_inside_i64(s.d64, h, s.size) : list_inside_i32(s.d32, h, s.size);
  //@ assert readable: wide != 0 ? \valid_read(s.d64 + (0 .. s.d_length - 1)) : \valid_read(s.d32 + (0 .. s.d_length - 1));
  //@ assert sizes: \valid_read(s.size + (0 .. h.sparse_dim - 1));
  //@ assert counts: times(s.size[h.sparse_dim - 1], s.along) == s.columns && times(h.nse, s.along) == s.count;
  //@ assert rows: s.rows == (h.sparse_dim >= 2 ? (integer)s.size[h.sparse_dim - 2] : 1);
  //@ assert inside: listed_inside(s);
  return s;
}

/* level L1 */
spw_scalars spw_scalars_of_list(const spw_tensor *t, int64_t run)
{
  const spw_scalars s = spw_scalars_of_unordered(t, run);
  if (s.count < 0) return no_scalars();
  //@ assert columns: is_columns(t, s.listed);
  //@ assert inside: columns_inside(s.listed, t->plain.array.length);
  if (!is_in_order(t, s.listed)) return no_scalars();
  //@ assert valid: listed_valid(s);
  return s;
}

/* level L1 */
spw_scalars spw_scalars_of_all(int64_t batches, int64_t rows, int64_t columns)
{
  const int64_t lines = spw_mul_saturated(batches, rows);
  if (lines == INT64_MAX) return no_scalars();
  const int64_t count = spw_mul_saturated(lines, columns);
  if (count == INT64_MAX) return no_scalars();
  //@ ghost lem_times_both(batches, rows);
  //@ ghost lem_times_both(lines, columns);
  const spw_scalars s = {.order = SPW_EVERYWHERE, .batches = batches, .rows = rows, .columns = columns, .count = count};
  return s;
}

/* level L1 */
int spw_lies_in_order(const spw_array *a)
{
  int64_t expected = 1;
  /*@ loop invariant range: 0 <= d <= a->ndim;
      loop invariant expected: 1 <= d ==> expected == row_stride(a->shape, a->ndim, d - 1);
      loop invariant sign: 0 <= expected;
      loop invariant order: \forall integer t; d <= t < a->ndim && a->shape[t] != 1 ==> a->strides[t] == row_stride(a->shape, a->ndim, t);
      loop assigns d, expected;
      loop variant d; */
  for (int64_t d = a->ndim; d > 0; d--) {
    if (a->shape[d - 1] != 1 && a->strides[d - 1] != expected) return 0;
    expected = spw_mul_saturated(expected, a->shape[d - 1]);
    if (expected == INT64_MAX) return 0;
    //@ assert next: 2 <= d ==> row_stride(a->shape, a->ndim, d - 2) == row_stride(a->shape, a->ndim, d - 1) * a->shape[d - 1];
  }
  return 1;
}
