/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a structure operation's result: how many there are, and where each one comes from. */
#ifndef SPW_STRUCTURE_CELLS_H
#define SPW_STRUCTURE_CELLS_H

#include "boxes.h"
#include "request.h"
#include "../convert/indices/sort/sort_cells.h"

/* Where a cell of the result comes from: `element` of an operand, counted in each batch of that; -1: nowhere. */
typedef struct spw_origin {
  int64_t number;
  int64_t operand, element;
} spw_origin;

/* The cells of a result, in any order: coordinate d of cell k is at[d * length + k], where blocks count as one. */
typedef struct spw_list {
  int64_t *at;
  char *values;       /* row-major cells; null without a workspace */
  int64_t length, n;  /* those there are to be, and those that are written */
  spw_cell *found;    /* index_select along a sparse dimension: what is asked for, and its place; sorted */
  int64_t wanted;     /* how many */
  spw_origin *origin; /* null; else it is looked for, and nothing is written */
} spw_list;

/* *cells of all batches together. SPW_ERANGE: the batches would differ, a specified position would be lost, operands
 * that share their cells do not. */
spw_status spw_count_cells(const spw_request *r, int64_t *cells, spw_refusal *refusal);

/* Writes them, or looks for the origin of one. */
void spw_list_cells(const spw_request *r, spw_list *list);

#endif
