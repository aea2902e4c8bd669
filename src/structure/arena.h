/* SPDX-License-Identifier: Apache-2.0 */
/* A workspace that is divided. */
#ifndef SPW_STRUCTURE_ARENA_H
#define SPW_STRUCTURE_ARENA_H

#include "../sparsewright.h"

/* Null: only how much is used is told. INT64_MAX: too much. */
typedef struct spw_arena {
  char *base;
  int64_t used;
} spw_arena;

/* Null where nothing is asked for. */
void *spw_take(spw_arena *arena, int64_t count, int64_t size);

#endif
