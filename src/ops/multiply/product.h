/* SPDX-License-Identifier: Apache-2.0 */
/* A product of a sparse and a dense operand, with every number that it is about. */
#ifndef SPW_OPS_MULTIPLY_PRODUCT_H
#define SPW_OPS_MULTIPLY_PRODUCT_H

#include "../../operand/operand.h"

/* Columns of a result that are summed at a time, in the workspace, for every row. */
enum { SPREAD = 16 };

/* One matrix of a strided array: lines of `width` elements. */
typedef struct spw_dense_lines {
  int64_t lines, width;
  int64_t line_stride, stride;
} spw_dense_lines;

/* Sparse times dense, rows by inner times inner by width. Where the dense operand is the left one, everything is
 * transposed: `layout` is that of the transposed matrix. */
typedef struct spw_product_plan {
  spw_operand operands[2];       /* a and b: one is sparse, the other dense */
  const spw_tensor *sparse, *dense;
  const spw_output *out;
  spw_byte_range out_bytes;
  spw_factors how;
  bool transposed;
  spw_layout layout;
  spw_dtype dtype;
  int64_t scalar;                /* bytes */
  int64_t batch_dims, batches;   /* of the operands (INT64_MAX beyond); COO is one matrix for all batches */
  int64_t rows, inner, width;    /* of one batch */
  int64_t height, length, cell;  /* of a block: rows, columns, elements */
  int64_t C, nse;                /* of each batch */
  bool vector;                   /* one column, whose dimension is not there */
  bool wide;                     /* int64 indices are multiplied with */
  bool values_packed, indices_packed, dense_packed, out_packed;
  spw_dense_lines in_lines, out_lines; /* of what is multiplied at once: a batch, or all of a COO tensor */
  int mode;                      /* of the kernels */
  bool reads_nothing;            /* alpha == 0 */
  bool writes_nothing;           /* the output has no element */
  char alpha[16], beta[16];      /* what they were before anything was written: they may lie in the output */
} spw_product_plan;

/* What the kernels are given: one sparse matrix, and lines of dense ones. Typed by `wide` and the value type. */
typedef struct spw_line_product {
  spw_layout layout;
  bool wide;
  const void *compressed, *plain, *row_indices, *values; /* row_indices of COO */
  int64_t C, nse, height, length, cell, rows, inner;
  const void *dense;
  int64_t dense_lead, width;
  void *out;
  int64_t out_lead;
  void *sums; /* rows * min(width, SPREAD) of them, for layouts that spread */
  int64_t tile, tile_width; /* these columns; all where rows gather their sums */
  int mode;
  bool reads_nothing;
  const void *alpha, *beta; /* null: 1 */
} spw_line_product;

/* Plans are not cleared: with SPW_OK all is written but factors that are not given; of operands alone, what ends with `wide`.
 *
 * What the operands alone tell, and whether they fit each other; judges the dense one, and the sparse one where `judged`. */
spw_status spw_product_plan_operands(const spw_tensor *a, const spw_tensor *b, bool judged, int threads,
                                     spw_product_plan *plan, spw_refusal *refusal);

/* Shapes, types and what overlaps; judges the dense operand, and the sparse one where `judged`. */
spw_status spw_product_plan_make(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                                 bool judged, spw_product_plan *plan, spw_refusal *refusal);

/* spw_multiply_unchecked by a part of a handle, whose other parts are not written to either: refused as operand 0. */
spw_status spw_multiply_part(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const spw_output *c,
                             const spw_tensor *const *others, int64_t count, void *work, size_t work_bytes, spw_refusal *refusal);

/* SPW_ERANGE where the workspace lies on an operand or on the output. */
spw_status spw_work_apart(const spw_product_plan *plan, const void *work, size_t bytes, spw_refusal *refusal);

/* Copies the factors that are given, before anything is written: they may lie in the output. The mode of the kernels. */
int spw_read_factors(const spw_factors *how, spw_dtype dtype, char alpha[16], char beta[16]);

/* Given, and == 0? */
bool spw_factor_is_zero(const void *factor, spw_dtype dtype);

/* Does a row gather its sum, or are all rows' sums built at once? */
static inline bool spw_spreads(spw_layout layout)
{
  return layout != SPW_CSR && layout != SPW_BSR;
}

/* Bytes of a sum of values of a type. */
int64_t spw_sum_size(spw_dtype dtype);

/* Lines from .. to - 1: rows, or block rows. */
void spw_multiply_lines(const spw_line_product *p, spw_dtype dtype, int64_t from, int64_t to);

#endif
