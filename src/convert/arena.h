/* SPDX-License-Identifier: Apache-2.0 */
/* A workspace that is divided, at multiples of 16 bytes. */
#ifndef SPW_CONVERT_ARENA_H
#define SPW_CONVERT_ARENA_H

#include "../sparsewright.h"

typedef struct spw_arena {
  char *base;   /* null: only how much is used is told */
  int64_t used; /* INT64_MAX: too much */
} spw_arena;

/* Null without a base, and where it is too much. */
void *spw_take(spw_arena *arena, int64_t count, int64_t size);
void *spw_take_bytes(spw_arena *arena, size_t bytes);

/* Whether one object can have so many bytes, as an arena tells them that has used too much. */
static inline bool spw_is_object_size(int64_t bytes)
{
  return bytes != INT64_MAX && (uint64_t)bytes <= SIZE_MAX;
}

#endif
