/* SPDX-License-Identifier: Apache-2.0 */
/* A member must give just what the directory says: some readers stop at its size, others at the end
 * of the deflate stream, and some compare the CRC only when they have seen both. */
#include "zip_stream.h"

#include <string.h>

static spw_status damaged(const spw_zip_stream *s, const char *how)
{
  return spw_fail(SPW_EFORMAT, s->error, s->name, "zip: %s", how);
}

static spw_status no_memory(const spw_zip_stream *s)
{
  return spw_fail(SPW_ENOMEM, s->error, s->name, "zip: inflating needs more than the memory limit");
}

static spw_status prepare_inflater(spw_zip_stream *s)
{
  if (s->has_inflater) {
    inflateReset(&s->inflater);
    return SPW_OK;
  }
  spw_zlib_use_arena(&s->inflater, s->owned);
  s->has_inflater = inflateInit2(&s->inflater, -MAX_WBITS) == Z_OK;
  return s->has_inflater ? SPW_OK : no_memory(s);
}

spw_status spw_zip_begin(spw_zip_stream *s, const spw_zip_entry *entry, const char *name)
{
  s->entry = entry;
  s->name = name;
  s->taken = 0;
  s->crc = 0;
  s->finished = false;
  s->inflater.avail_in = 0;
  return entry->deflated ? prepare_inflater(s) : SPW_OK;
}

static spw_status copy(spw_zip_stream *s, unsigned char *to, uint64_t size, uint64_t *got)
{
  const uint64_t left = s->entry->packed - s->taken;
  *got = size < left ? size : left;
  memcpy(to, s->entry->data + s->taken, (size_t)*got);
  s->taken += *got;
  s->finished = s->taken == s->entry->packed;
  return SPW_OK;
}

static void feed(spw_zip_stream *s)
{
  const uint64_t left = s->entry->packed - s->taken;
  if (s->inflater.avail_in > 0) return;
  s->inflater.next_in = s->entry->data + s->taken;
  s->inflater.avail_in = (uInt)(left < SPW_ZLIB_MOST ? left : SPW_ZLIB_MOST);
  s->taken += s->inflater.avail_in;
}

static spw_status inflate_some(spw_zip_stream *s, unsigned char *to, uint64_t size, uint64_t *got)
{
  const uInt room = (uInt)(size < SPW_ZLIB_MOST ? size : SPW_ZLIB_MOST);
  feed(s);
  s->inflater.next_out = to;
  s->inflater.avail_out = room;
  const int outcome = inflate(&s->inflater, Z_NO_FLUSH);
  *got = room - s->inflater.avail_out;
  s->finished = outcome == Z_STREAM_END;
  if (outcome == Z_MEM_ERROR) return no_memory(s);
  if (outcome == Z_BUF_ERROR) return damaged(s, "the deflated data are cut short");
  if (outcome == Z_OK || outcome == Z_STREAM_END) return SPW_OK;
  return damaged(s, s->inflater.msg ? s->inflater.msg : "damaged deflated data");
}

static spw_status give_some(spw_zip_stream *s, unsigned char *to, uint64_t size, uint64_t *got)
{
  const spw_status status =
      s->entry->deflated ? inflate_some(s, to, size, got) : copy(s, to, size, got);
  s->crc = (uint32_t)crc32_z(s->crc, to, (size_t)*got);
  return status;
}

spw_status spw_zip_read(spw_zip_stream *s, void *to, uint64_t size)
{
  uint64_t got;
  for (unsigned char *at = to; size > 0; at += got, size -= got) {
    if (s->finished) return damaged(s, "the member ends before its time");
    const spw_status status = give_some(s, at, size, &got);
    if (status) return status;
  }
  return SPW_OK;
}

spw_status spw_zip_finish(spw_zip_stream *s)
{
  unsigned char more;
  for (uint64_t got; !s->finished;) {
    const spw_status status = give_some(s, &more, 1, &got);
    if (status) return status;
    if (got > 0) return damaged(s, "the member is longer than the directory says");
  }
  if (s->taken - s->inflater.avail_in != s->entry->packed)
    return damaged(s, "bytes behind the end of the deflated data");
  return s->crc == s->entry->crc ? SPW_OK : damaged(s, "the CRC is wrong");
}
