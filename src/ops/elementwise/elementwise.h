/* SPDX-License-Identifier: Apache-2.0 */
/* Two sparse operands of one layout, cell by cell. */
#ifndef SPW_OPS_ELEMENTWISE_ELEMENTWISE_H
#define SPW_OPS_ELEMENTWISE_ELEMENTWISE_H

#include "../../sparsewright_ops.h"

/* Cells whose places are known before their values are computed. */
enum { SPW_UNION_PART = 2048 };

/* The lines of two operands, of one batch. */
typedef struct spw_line_pair {
  bool wide;
  int64_t lines;
  const void *compressed[2], *plain[2]; /* typed by `wide` */
} spw_line_pair;

/* What an element of b becomes in a sum: `how` in kernels/term.inc. */
enum { SPW_TERM_SCALED = 0, SPW_TERM_NEGATED = 1, SPW_TERM_AS_IT_IS = 2 };

/* What the kernels are given of one batch, or of COO operands: typed by `in.wide` and the value type. Where cells are one scalar
 * each, lines are merged into the result; else cursors come first: position q of the result takes from operand i where
 * cursor[i][q + 1] > cursor[i][q], namely cell cursor[i][q]; of a product of both, always. */
typedef struct spw_line_union {
  spw_elementwise_kind kind;
  spw_line_pair in;
  const void *values[2];
  int64_t nse[2];
  int64_t cell; /* scalars */
  const void *alpha; /* null: nothing is multiplied */
  uint64_t *cursor[2];
  int64_t capacity;      /* of each, but for one; no less than the longest two lines have */
  uint64_t *ramp, *flat; /* 0, 1, 2 ... cell and 0, 0 ... 0, where larger cells are multiplied with alpha */
  void *out_compressed, *out_plain, *out_values;
  int64_t room;          /* cells of a batch that the result has */
} spw_line_union;

/* Lines from .. to - 1 of a batch, whose cells begin at cell `done` of the result. The cursors serve one call at a time. */
void spw_unite_lines(const spw_line_union *u, spw_dtype dtype, int64_t from, int64_t to, int64_t done);

/* The values of n cells by their cursors, to cell `done` of the result on. */
void spw_unite_values(const spw_line_union *u, spw_dtype dtype, int64_t n, int64_t done);

/* values[i] = values[i] * by[i * step] for n scalars. */
void spw_scale_values(void *values, spw_dtype dtype, int64_t n, const void *by, int64_t step);

/* values[i] = values[i] / *by for n scalars of a real floating type. */
void spw_divide_values(void *values, spw_dtype dtype, int64_t n, const void *by);

/* Is there such a quotient? */
bool spw_has_quotients(spw_dtype dtype);

/* Of some lines: cells that lie at one position in both, and how many there are in both together. */
typedef struct spw_common {
  int64_t cells, elements;
} spw_common;

spw_common spw_count_common(const spw_line_pair *l, int64_t from, int64_t to);

/* The most cells that two lines have together. */
int64_t spw_longest_lines(const spw_line_pair *l);

/* Where part i of the lines begins: parts have about as many of the `elements` of both. */
int64_t spw_line_part(const spw_line_pair *l, int64_t elements, int64_t i, int64_t parts);

#endif
