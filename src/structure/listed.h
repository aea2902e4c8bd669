/* SPDX-License-Identifier: Apache-2.0 */
/* A compressed tensor as a list: what duplicates come to is proved of lists, whatever order they have. */
#ifndef SPW_STRUCTURE_LISTED_H
#define SPW_STRUCTURE_LISTED_H

#include "../convert/arena.h"

/* COO that has an element for each one of a compressed tensor, in order of storage: at the coordinates of its batch, its line and
 * its plain index. The scalars of an element, in a block or not, are one dense dimension. */
typedef struct spw_listed {
  spw_tensor tensor; /* over this struct, a workspace, and the values of what it lists */
  int64_t indices_shape[2], indices_strides[2], values_shape[2], values_strides[2];
} spw_listed;

/* Takes the bytes of such a list of a valid tensor with a size. */
void spw_listed_size(const spw_tensor *t, spw_arena *arena);

/* Lists a tensor that is valid up to SPW_STRUCTURE and whose size has no zero, in that many bytes. False: its values do not lie
 * one behind the other, or its index type does not number the batches along a dimension, or all elements. */
bool spw_listed_make(const spw_tensor *t, spw_arena *arena, spw_listed *l);

#endif
