/* SPDX-License-Identifier: Apache-2.0 */
/* The caller's buffers. */
#ifndef SPW_CONVERT_BUFFERS_H
#define SPW_CONVERT_BUFFERS_H

#include "arena.h"

/* Are they there, aligned, of the types and at least of the lengths that are needed? */
bool spw_buffers_hold(const spw_buffers *buffers, const spw_room *need);

/* What a buffer holds from element `at` on, of `size` bytes each; nothing is added to a null pointer. */
static inline void *spw_elements_from(void *buffer, int64_t at, int64_t size)
{
  return at == 0 ? buffer : (char *)buffer + at * size;
}

/* Divides memory into the buffers of a room, but for their workspace, which is null. */
spw_buffers spw_take_buffers(spw_arena *arena, const spw_room *room);

#endif
