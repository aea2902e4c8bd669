/* SPDX-License-Identifier: Apache-2.0 */
/* Lets zlib take its memory from the arena of a tensor, so that the tensor's budget bounds it. */
#ifndef SPW_IO_ZLIB_ARENA_H
#define SPW_IO_ZLIB_ARENA_H

#include "../../owned/owned.h"

#include <zlib.h>

enum { SPW_ZLIB_MOST = 1 << 30 }; /* zlib counts in unsigned int: no more bytes than this at once */

/* Before the stream is initialised. There is nothing to end: all is freed with the tensor. */
void spw_zlib_use_arena(z_stream *stream, spw_owned *owned);

#endif
