/* SPDX-License-Identifier: Apache-2.0 */
/* A softmax of a sparse tensor, with every number that it is about. */
#ifndef SPW_OPS_SOFTMAX_SOFTMAX_H
#define SPW_OPS_SOFTMAX_SOFTMAX_H

#include "../reduce/groups.h"
#include "../../operand/operand.h"
#include "../../sparsewright_reduce.h"
#include "../../structure/specified.h"

typedef struct spw_softmax_plan {
  spw_softmax_request wanted;
  spw_operand taken;
  spw_form form;           /* of the operand, and then of what it is combined into */
  int64_t dim;
  spw_dtype dtype;
  int64_t scalars, step;   /* of a cell's dense part; between neighbours along a dense `dim` */
  bool combines, wide;     /* values become float before anything is computed */
  bool runs;               /* cells of a fibre lie one behind the other */
  spw_specified combined;
  spw_grouping grouping;   /* of a sparse `dim` */
  spw_room room;
} spw_softmax_plan;

/* n numbers, one for each cell (null: one behind the other), `step` apart. */
void spw_softmax_float(float *v, const spw_cell *cells, int64_t n, int64_t step, bool logarithm);
void spw_softmax_double(double *v, const spw_cell *cells, int64_t n, int64_t step, bool logarithm);

#endif
