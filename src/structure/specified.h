/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor as canonical COO in a workspace: what it specifies, in the order of positions. */
#ifndef SPW_STRUCTURE_SPECIFIED_H
#define SPW_STRUCTURE_SPECIFIED_H

#include "../convert/arena.h"

typedef struct spw_specified {
  const spw_tensor *t;   /* what is read: the operand itself, where it is so already, or `made` */
  spw_tensor made;
  spw_conversion how;
  spw_room room;
  bool as_it_is;
} spw_specified;

/* Of a dense array, what has a bit set. `indices` is the type of what is made; what is so already keeps its own. Status as
 * spw_convert_size_unchecked. */
spw_status spw_specified_size(const spw_tensor *t, spw_combine duplicates, spw_dtype indices, spw_specified *s,
                              spw_refusal *refusal);

/* Takes its part of a workspace, and makes it there if there is one. */
spw_status spw_specified_make(const spw_tensor *t, spw_specified *s, spw_arena *arena, spw_refusal *refusal);

/* The value at a position, null where it is unspecified. `element` is where the last one was found. */
const char *spw_specified_at(const spw_specified *s, const int64_t *position, int64_t *element);

#endif
