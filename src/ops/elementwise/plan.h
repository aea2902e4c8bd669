/* SPDX-License-Identifier: Apache-2.0 */
/* An elementwise operation, judged, with every number that it is about. */
#ifndef SPW_OPS_ELEMENTWISE_PLAN_H
#define SPW_OPS_ELEMENTWISE_PLAN_H

#include "elementwise.h"
#include "../../convert/arena.h"
#include "../../convert/buffers.h"
#include "../../convert/indices.h"
#include "../../convert/plan.h"
#include "../../structure/form.h"
#include "../../structure/specified.h"

typedef struct spw_elementwise_plan {
  const spw_tensor *operands[2]; /* the second may be null, or a dense array */
  spw_operand taken[2];          /* the same, judged */
  spw_elementwise_request wanted;
  bool keeps;              /* the pattern of the first operand is that of the result */
  spw_form form[2];        /* of sparse operands */
  spw_plan result;         /* as if the first operand were converted to its own layout; `cap`: cells of a batch */
  spw_dtype dtype;
  int64_t scalar, cell;    /* bytes; scalars of a cell, INT64_MAX beyond (where there are no cells) */
  bool exact;              /* `cap` is no upper bound */
  int64_t longest;         /* two lines have so many cells together; where cells are more than a scalar */
  int64_t parts;           /* that threads share the lines in */
  spw_specified columns[2]; /* of COO operands that are united */
  bool packed[2];          /* values of a batch are copied before they are read */
  char factor[16];         /* the scalar, which may lie in a buffer */
} spw_elementwise_plan;

/* SPW_EINVAL: it makes no sense; SPW_EUNSUPPORTED: too many dimensions; SPW_ERANGE: it is refused. Dense operands are judged,
 * and sparse ones where `judged`. */
spw_status spw_elementwise_plan_make(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, bool judged,
                                     spw_elementwise_plan *plan, spw_refusal *refusal);

/* How many cells of the result come of cells of both operands, of which so many lie at one position. */
int64_t spw_united(const spw_elementwise_plan *plan, int64_t elements, int64_t common);

/* ---- COO operands: columns.c ----------------------------------------------------------------- */

/* How many cells two canonical COO tensors have in common. */
int64_t spw_count_common_columns(const spw_tensor *a, const spw_tensor *b);

/* Writes nse columns of indices, and values by `u`, whose cursors it fills. */
void spw_unite_columns(const spw_elementwise_plan *plan, spw_line_union *u, int64_t nse, spw_indices out);

/* ---- What keeps its pattern: kept.c ---------------------------------------------------------- */

/* Index arrays and values. */
void spw_keep_pattern(const spw_elementwise_plan *plan, const spw_buffers *buffers);

#endif
