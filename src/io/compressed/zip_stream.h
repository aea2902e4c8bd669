/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of one member of a zip archive after the other, inflated where they are deflated. */
#ifndef SPW_IO_ZIP_STREAM_H
#define SPW_IO_ZIP_STREAM_H

#define ZLIB_CONST
#include "zip_archive.h"
#include "zlib_arena.h"

typedef struct spw_zip_stream {
  spw_owned *owned; /* where zlib's memory lies, about 48 KiB */
  spw_error *error;
  const char *name; /* of the member, for *error */
  const spw_zip_entry *entry;
  uint64_t taken; /* of the member's data */
  uint32_t crc;   /* of what has been given */
  bool has_inflater, finished;
  z_stream inflater;
} spw_zip_stream;

/* Turns to the first byte of a member, in a stream that was zero but for `owned` and `error`. */
spw_status spw_zip_begin(spw_zip_stream *s, const spw_zip_entry *entry, const char *name);

/* The next `size` bytes, all of them. */
spw_status spw_zip_read(spw_zip_stream *s, void *to, uint64_t size);

/* The member ends here, and its CRC is right. */
spw_status spw_zip_finish(spw_zip_stream *s);

#endif
