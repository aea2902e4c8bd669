/* SPDX-License-Identifier: Apache-2.0 */
/* An operand of a structure operation, with every number of it. */
#ifndef SPW_STRUCTURE_FORM_H
#define SPW_STRUCTURE_FORM_H

#include "../operand/operand.h"

/* What one index addresses are cells: an element, or a block. `leading` dimensions say where cells lie, which are those of
 * batches and the sparse ones; the others are dense. */
typedef struct spw_form {
  const spw_tensor *t;
  spw_layout layout;
  int64_t ndim, leading, batch_dims, dense_dims;
  int64_t size[SPW_STRUCTURE_DIMS];
  int64_t block[2]; /* 1, 1 without blocks */
  int64_t batches, C, nse;
} spw_form;

/* SPW_EUNSUPPORTED: more dimensions than SPW_STRUCTURE_DIMS. */
spw_status spw_form_of(const spw_operand *o, spw_form *form);

/* The same of a tensor that is judged already, one of a list that is too long to be held as operands. */
spw_status spw_form_read(const spw_tensor *t, spw_form *form);

/* Of leading dimension d: how many elements a cell has along it. */
int64_t spw_form_block(const spw_form *form, int64_t d);

/* The index of batch number b along each batch dimension. */
void spw_batch_at(const spw_form *form, int64_t b, int64_t *at);

/* The batch, or all of a COO tensor, whose index along each batch dimension is in `batch`. */
typedef struct spw_lines {
  int64_t c, p; /* where its index arrays start; p is 0 where there are no elements */
} spw_lines;

spw_lines spw_lines_of(const spw_form *form, const int64_t *batch);

/* Cell k of a batch, where values have any scalar at all. */
int64_t spw_cell_start(const spw_form *form, const int64_t *batch, int64_t k);

/* The values of one batch, which start there. */
spw_value_array spw_batch_values(const spw_form *form, int64_t start);

/* What is done with a cell: its index along each leading dimension, where blocks count as one, and its number in its batch. */
typedef void spw_visit(void *context, const int64_t *at, int64_t k);

/* Visits the cells of a batch in order of storage. at[0 .. batch_dims - 1] says which; it has an entry for each leading
 * dimension. */
void spw_visit_cells(const spw_form *form, int64_t *at, spw_visit *visit, void *context);

/* Do all batches have the same index arrays, because every batch stride that matters is 0? */
bool spw_form_shared(const spw_form *form);

#endif
