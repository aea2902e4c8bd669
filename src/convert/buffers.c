/* SPDX-License-Identifier: Apache-2.0 */
#include "buffers.h"
#include "values.h"

/* A length that is no number of bytes is that of no buffer. */
static bool given(const void *pointer, int64_t length, int64_t needed, uintptr_t align)
{
  return length >= needed && needed <= INT64_MAX / 16 && (needed == 0 || (pointer && (uintptr_t)pointer % align == 0));
}

spw_buffers spw_take_buffers(spw_arena *arena, const spw_room *room)
{
  spw_buffers b = {.room = *room};
  b.dims = spw_take(arena, room->dims, 8);
  if (room->index_dtype == SPW_INT64) {
    b.compressed_i64 = spw_take(arena, room->compressed, 8);
    b.plain_i64 = spw_take(arena, room->plain, 8);
  } else {
    b.compressed_i32 = spw_take(arena, room->compressed, 4);
    b.plain_i32 = spw_take(arena, room->plain, 4);
  }
  b.values = spw_take(arena, room->values, spw_dtype_size(room->dtype));
  return b;
}

bool spw_buffers_hold(const spw_buffers *b, const spw_room *need)
{
  const bool wide = need->index_dtype != SPW_INT32;
  const void *const compressed = wide ? (void *)b->compressed_i64 : b->compressed_i32;
  const void *const plain = wide ? (void *)b->plain_i64 : b->plain_i32;
  if (need->values > 0 && b->room.dtype != need->dtype) return false;
  if ((need->compressed > 0 || need->plain > 0) && b->room.index_dtype != need->index_dtype) return false;
  return given(b->dims, b->room.dims, need->dims, 8) && given(compressed, b->room.compressed, need->compressed, wide ? 8 : 4) &&
         given(plain, b->room.plain, need->plain, wide ? 8 : 4) &&
         given(b->values, b->room.values, need->values, spw_alignment(need->dtype)) &&
         b->room.work >= need->work && (need->work == 0 || (b->work && (uintptr_t)b->work % 8 == 0));
}
