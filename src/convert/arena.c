/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"
#include "../core/size.h"

void *spw_take(spw_arena *arena, int64_t count, int64_t size)
{
  char *const at = arena->base && arena->used < INT64_MAX ? arena->base + arena->used : NULL;
  const int64_t bytes = spw_mul_saturated(count, size);
  arena->used = bytes > INT64_MAX - 16 ? INT64_MAX : spw_add_saturated(arena->used, (bytes + 15) / 16 * 16);
  return at;
}

void *spw_take_bytes(spw_arena *arena, size_t bytes)
{
  return spw_take(arena, bytes > (size_t)INT64_MAX ? INT64_MAX : (int64_t)bytes, 1);
}
