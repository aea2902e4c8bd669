/* SPDX-License-Identifier: Apache-2.0 */
/* Where the scalars of a result's cells lie in the values of one operand. */
#ifndef SPW_STRUCTURE_BOXES_H
#define SPW_STRUCTURE_BOXES_H

#include "request.h"

/* A strided box of scalars: of a cell of the result, or of the part of it that an operand has. */
typedef struct spw_box {
  int64_t ndim;
  int64_t shape[SPW_ENTRIES], to[SPW_ENTRIES], from[SPW_ENTRIES]; /* strides in the result and in the operand */
} spw_box;

typedef struct spw_boxes {
  const spw_request *r;
  const spw_form *form;
  spw_box box;
  size_t scalar;
  int64_t cell;       /* scalars of a cell of the result */
  int64_t axis;       /* of the box, along which it is put together; -1: it is not */
  int64_t first;      /* scalars before the box, in a cell of the operand */
  int64_t to;         /* and in a cell of the result */
  int64_t part;       /* from one exploded element to the next */
  bool nothing;       /* the operand has no scalar, and its strides may be any numbers */
} spw_boxes;

/* The dimensions of one cell of the result; gives their number. */
int64_t spw_cell_shape(const spw_request *r, int64_t shape[SPW_ENTRIES]);

/* Of an operand whose part begins at `begin` along the dimension of the operation. */
void spw_boxes_make(const spw_request *r, const spw_form *form, int64_t begin, spw_boxes *boxes);

/* Copies cell k of a batch (or exploded element `part` of it) to cell n of `values`. */
void spw_boxes_copy(const spw_boxes *boxes, const int64_t *batch, int64_t k, int64_t part, char *values, int64_t n);

#endif
