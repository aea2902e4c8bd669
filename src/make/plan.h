/* SPDX-License-Identifier: Apache-2.0 */
/* What is made, judged: the cells that are listed for it, and the conversion that writes them down. */
#ifndef SPW_MAKE_PLAN_H
#define SPW_MAKE_PLAN_H

#include "../sparsewright_make.h"
#include "../structure/form.h"

/* The cells of the result as COO: `leading` dimensions say where a cell lies, the others are its dense part. */
typedef struct spw_make_plan {
  const spw_making *wanted;
  const spw_tensor *const *operands;
  spw_form form[2];  /* of sparse operands */
  spw_dtype dtype;
  int64_t scalar;    /* bytes */
  int64_t ndim, leading, size[SPW_STRUCTURE_DIMS];
  int64_t width;     /* scalars of a cell */
  bool pattern;      /* clone and fill list nothing */
  bool ordered;      /* cells are listed in order, each once */
  bool ones;         /* diagonals without an operand */
  spw_conversion to;
  int64_t rows, columns; /* diagonals: of the dense operand, as far as it is used */
} spw_make_plan;

/* SPW_EINVAL: the call makes no sense; SPW_EUNSUPPORTED; SPW_ERANGE: it is refused. */
spw_status spw_make_plan_of(const spw_tensor *const *operands, int64_t count, const spw_making *wanted, spw_make_plan *plan,
                            spw_refusal *refusal);

/* The cells in a workspace: coordinate d of cell k is at[d * length + k]. */
typedef struct spw_make_list {
  int64_t *at;
  char *values;
  int64_t length, n;
  bool counting; /* there is no memory */
} spw_make_list;

/* Counts the cells (INT64_MAX beyond), or lists no more than list->length of them. */
int64_t spw_make_count(const spw_make_plan *plan);
void spw_make_cells(const spw_make_plan *plan, spw_make_list *list);

/* An element of a tensor: its index along each leading dimension, and where its first scalar lies in the storage of the values
 * (0 if it has none). */
typedef void spw_element_visit(void *context, const int64_t *at, int64_t place);

/* All elements, those of blocks too, in order of storage. */
void spw_visit_elements(const spw_form *form, spw_element_visit *visit, void *context);

#endif
