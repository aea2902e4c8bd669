/* SPDX-License-Identifier: Apache-2.0 */
/* The stored items of a tensor in groups: those that differ in some of the leading dimensions only. An item is a stored
 * element, or an element of a stored block, with its dense part. */
#ifndef SPW_OPS_REDUCE_GROUPS_H
#define SPW_OPS_REDUCE_GROUPS_H

#include "../../convert/arena.h"
#include "../../convert/indices.h"
#include "../../convert/indices/sort/sort_cells.h"
#include "../../structure/form.h"

typedef struct spw_grouping {
  int64_t items;
  int64_t factor[SPW_STRUCTURE_DIMS]; /* key: indices times these. The number of the group comes first; then, where levels
                                       * are told apart, the indices of the reduced dimensions, but for the last */
  int64_t keys;                       /* all are below */
  int64_t levels, part[SPW_STRUCTURE_DIMS];
  bool ascends;                       /* the order of storage is known to be that of the keys */
} spw_grouping;

/* What keys tell apart: groups only; the levels of a group, too; or its positions: key % part[0] is the number of an item's
 * position among the reduced dimensions, in row-major order. */
typedef enum spw_keys { SPW_KEYS_OF_GROUPS, SPW_KEYS_OF_LEVELS, SPW_KEYS_OF_PLACES } spw_keys;

/* `reduced` says which leading dimensions differ in a group. False: keys are too large. */
bool spw_groups_of(const spw_form *form, const bool *reduced, spw_keys keys, spw_grouping *g);

typedef struct spw_group_work {
  spw_cell *cells, *room; /* the second is null where nothing is to be sorted */
} spw_group_work;

spw_group_work spw_take_groups(const spw_grouping *g, spw_arena *arena);

/* A key and the number of an item, in ascending order of keys, and of items where these are equal. */
const spw_cell *spw_group_items(const spw_form *form, const spw_grouping *g, const spw_group_work *work);

int64_t spw_count_groups(const spw_cell *cells, int64_t n, int64_t part);

#endif
