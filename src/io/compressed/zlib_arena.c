/* SPDX-License-Identifier: Apache-2.0 */
/* zlib's allocations in the arena of a tensor. */
#include "zlib_arena.h"

static voidpf allocate(voidpf owned, uInt count, uInt size)
{
  return spw_owned_alloc(owned, count, size);
}

static void leave_to_the_arena(voidpf owned, voidpf memory)
{
  (void)owned;
  (void)memory;
}

void spw_zlib_use_arena(z_stream *stream, spw_owned *owned)
{
  stream->zalloc = allocate;
  stream->zfree = leave_to_the_arena;
  stream->opaque = owned;
}
