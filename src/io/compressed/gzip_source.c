/* SPDX-License-Identifier: Apache-2.0 */
/* Inflates the members of a gzip file in turn; zlib checks each one's CRC and length. */
#define ZLIB_CONST
#include "gzip_source.h"
#include "zlib_arena.h"

#include <stdio.h>

enum { GZIP_ONLY = 16 };

struct spw_gzip {
  z_stream stream;
  const unsigned char *file;
  size_t size;
  size_t fed;   /* bytes of the file that zlib has been given */
  size_t limit; /* bytes that the file may still inflate to */
  bool finished;
};

bool spw_gzip_detect(const void *bytes, size_t size)
{
  const unsigned char *magic = bytes;
  return size >= 2 && magic[0] == 0x1f && magic[1] == 0x8b;
}

spw_gzip *spw_gzip_open(spw_owned *owned, const void *bytes, size_t size)
{
  const size_t limit = spw_owned_left(owned);
  spw_gzip *gzip = spw_owned_alloc(owned, 1, sizeof *gzip);
  if (!gzip) return NULL;
  gzip->file = bytes;
  gzip->size = size;
  gzip->limit = limit;
  spw_zlib_use_arena(&gzip->stream, owned);
  return inflateInit2(&gzip->stream, MAX_WBITS + GZIP_ONLY) == Z_OK ? gzip : NULL;
}

static void feed(spw_gzip *gzip)
{
  const size_t left = gzip->size - gzip->fed;
  if (gzip->stream.avail_in > 0) return;
  gzip->stream.next_in = gzip->file + gzip->fed;
  gzip->stream.avail_in = (uInt)(left < SPW_ZLIB_MOST ? left : SPW_ZLIB_MOST);
  gzip->fed += gzip->stream.avail_in;
}

static spw_status damaged(const spw_gzip *gzip, const char *how, spw_error *error)
{
  char where[32];
  snprintf(where, sizeof where, "byte %zu", gzip->fed - gzip->stream.avail_in);
  return spw_fail(SPW_EFORMAT, error, where, "gzip: %s", how);
}

static void begin_next_member(spw_gzip *gzip)
{
  feed(gzip);
  gzip->finished = gzip->stream.avail_in == 0;
  if (!gzip->finished) inflateReset(&gzip->stream);
}

static spw_status inflate_some(spw_gzip *gzip, char *to, unsigned capacity, size_t *got,
                               spw_error *error)
{
  feed(gzip);
  gzip->stream.next_out = (unsigned char *)to;
  gzip->stream.avail_out = capacity;
  const int outcome = inflate(&gzip->stream, Z_NO_FLUSH);
  *got = capacity - gzip->stream.avail_out;
  if (*got > gzip->limit)
    return spw_fail(SPW_ENOMEM, error, "", "gzip: the file inflates to more than the memory limit");
  gzip->limit -= *got;
  if (outcome == Z_MEM_ERROR)
    return spw_fail(SPW_ENOMEM, error, "", "gzip: inflating needs more than the memory limit");
  if (outcome == Z_BUF_ERROR) return damaged(gzip, "the file is cut short", error);
  if (outcome == Z_NEED_DICT) return damaged(gzip, "a preset dictionary is needed", error);
  if (outcome == Z_STREAM_END)
    begin_next_member(gzip);
  else if (outcome != Z_OK)
    return damaged(gzip, gzip->stream.msg ? gzip->stream.msg : "damaged data", error);
  return SPW_OK;
}

spw_status spw_gzip_read(spw_gzip *gzip, char *to, unsigned capacity, size_t *got, spw_error *error)
{
  *got = 0;
  while (*got == 0 && !gzip->finished) {
    const spw_status status = inflate_some(gzip, to, capacity, got, error);
    if (status) return status;
  }
  return SPW_OK;
}
