/* SPDX-License-Identifier: Apache-2.0 */
#include "zip_write.h"
#include "zip_fields.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { STORED = 0, DEFLATED = 8, VERSION = 20, VERSION_OF_ZIP64 = 45, DOS_1980_01_01 = 1 << 5 | 1, ZIP64 = 1 };

static spw_status no_memory(const spw_zip_file *zip)
{
  return spw_fail(SPW_ENOMEM, zip->error, "", "zip: no memory");
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static bool make_room(spw_zip_file *zip, size_t size)
{
  if (size <= zip->room - zip->size) return true;
  if (size > SIZE_MAX / 4 || zip->size > SIZE_MAX / 4) return false;
  const size_t room = zip->size + zip->size / 2 + size;
  unsigned char *const larger = realloc(zip->bytes, room);
  if (!larger) return false;
  zip->bytes = larger;
  zip->room = room;
  return true;
}

/* A record whose fields are known; there is room for it. */
static void put(spw_zip_file *zip, const void *bytes, size_t size)
{
  if (size > 0) memcpy(zip->bytes + zip->size, bytes, size);
  zip->size += size;
}

static void put_number(spw_zip_file *zip, uint64_t number, int bytes)
{
  for (int i = 0; i < bytes; i++) zip->bytes[zip->size++] = (unsigned char)(number >> 8 * i & 0xff);
}

/* ---- Headers --------------------------------------------------------------------------------- */

static bool is_wide(const spw_zip_file *zip, uint64_t number)
{
  return number >= zip->wide;
}

/* The extra field with those of the numbers that do not fit 32 bits; returns its bytes. */
static size_t extra_size(const spw_zip_file *zip, int count, const uint64_t *numbers)
{
  size_t wide = 0;
  for (int i = 0; i < count; i++) wide += is_wide(zip, numbers[i]);
  return wide > 0 ? 4 + 8 * wide : 0;
}

static void put_extra(spw_zip_file *zip, int count, const uint64_t *numbers)
{
  const size_t size = extra_size(zip, count, numbers);
  if (size == 0) return;
  put_number(zip, ZIP64, 2);
  put_number(zip, size - 4, 2);
  for (int i = 0; i < count; i++)
    if (is_wide(zip, numbers[i])) put_number(zip, numbers[i], 8);
}

static void put_narrow(spw_zip_file *zip, uint64_t number)
{
  put_number(zip, is_wide(zip, number) ? UINT32_MAX : number, 4);
}

/* What the local header and the entry of the directory have in common, from the version on that a reader needs. */
static void put_member(spw_zip_file *zip, const spw_zip_member *m, size_t extra)
{
  put_number(zip, extra > 0 ? VERSION_OF_ZIP64 : VERSION, 2);
  put_number(zip, 0, 2); /* flags */
  put_number(zip, m->deflated ? DEFLATED : STORED, 2);
  put_number(zip, 0, 2); /* midnight */
  put_number(zip, DOS_1980_01_01, 2);
  put_number(zip, m->crc, 4);
  put_narrow(zip, m->packed);
  put_narrow(zip, m->size);
  put_number(zip, strlen(m->name), 2);
  put_number(zip, extra, 2);
}

static bool put_local(spw_zip_file *zip, const spw_zip_member *m)
{
  const uint64_t numbers[] = {m->size, m->packed};
  const size_t extra = extra_size(zip, 2, numbers), length = strlen(m->name);
  if (!make_room(zip, SPW_ZIP_LOCAL_SIZE + length + extra)) return false;
  put(zip, SPW_ZIP_LOCAL, SPW_ZIP_SIGNATURE);
  put_member(zip, m, extra);
  put(zip, m->name, length);
  put_extra(zip, 2, numbers);
  return true;
}

static bool put_entry(spw_zip_file *zip, const spw_zip_member *m)
{
  const uint64_t numbers[] = {m->size, m->packed, m->offset};
  const size_t extra = extra_size(zip, 3, numbers), length = strlen(m->name);
  if (!make_room(zip, SPW_ZIP_CENTRAL_SIZE + length + extra)) return false;
  put(zip, SPW_ZIP_CENTRAL, SPW_ZIP_SIGNATURE);
  put_number(zip, extra > 0 ? VERSION_OF_ZIP64 : VERSION, 2);
  put_member(zip, m, extra);
  put_number(zip, 0, 2 + 2 + 2); /* comment, disk, attributes inside */
  put_number(zip, 0, 4);
  put_narrow(zip, m->offset);
  put(zip, m->name, length);
  put_extra(zip, 3, numbers);
  return true;
}

/* ---- Members --------------------------------------------------------------------------------- */

static uint32_t checksum(const unsigned char *bytes, size_t size)
{
  return (uint32_t)crc32_z(0, bytes, size);
}

/* Behind what is there; zlib takes a part of at most 1 GiB at a time. */
static bool deflate_all(spw_zip_file *zip, z_stream *z, const unsigned char *bytes, size_t size)
{
  enum { PART = 1 << 30 };
  int status = Z_OK;
  z->next_in = (unsigned char *)bytes; /* which zlib does not write to */
  while (status == Z_OK) {
    const size_t left = size - (size_t)(z->next_in - bytes), room = zip->room - zip->size;
    const uInt in = (uInt)(left < PART ? left : PART), out = (uInt)(room < PART ? room : PART);
    z->avail_in = in;
    z->avail_out = out;
    z->next_out = zip->bytes + zip->size;
    status = deflate(z, in == left ? Z_FINISH : Z_NO_FLUSH);
    zip->size += out - z->avail_out;
  }
  return status == Z_STREAM_END;
}

static bool put_deflated(spw_zip_file *zip, const unsigned char *bytes, size_t size, int level)
{
  enum { RAW = -MAX_WBITS, MEMORY = 8 };
  z_stream z = {.zalloc = NULL};
  if (deflateInit2(&z, level, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) return false;
  const bool done = make_room(zip, deflateBound(&z, size)) && deflate_all(zip, &z, bytes, size);
  return deflateEnd(&z) == Z_OK && done;
}

static bool put_stored(spw_zip_file *zip, const unsigned char *bytes, size_t size)
{
  if (!make_room(zip, size)) return false;
  put(zip, bytes, size);
  return true;
}

/* The numbers of a local header are known behind its bytes: these are written first, and moved. */
spw_status spw_zip_add(spw_zip_file *zip, const char *name, const void *bytes, size_t size, int level)
{
  const size_t begin = zip->size;
  spw_zip_member *const m = &zip->members[zip->count];
  if (zip->count == SPW_ZIP_WRITTEN) return spw_fail(SPW_EINVAL, zip->error, name, "zip: too many members");
  *m = (spw_zip_member){.name = name, .size = size, .offset = begin, .crc = checksum(bytes, size), .deflated = level > 0};
  if (!(level > 0 ? put_deflated(zip, bytes, size, level) : put_stored(zip, bytes, size))) return no_memory(zip);
  m->packed = zip->size - begin;
  const size_t behind = zip->size;
  if (!put_local(zip, m)) return no_memory(zip);
  const size_t header = zip->size - behind;
  unsigned char head[SPW_ZIP_LOCAL_SIZE + 256];
  if (header > sizeof head) return spw_fail(SPW_EINVAL, zip->error, name, "zip: a name of more than 200 bytes");
  memcpy(head, zip->bytes + behind, header);
  memmove(zip->bytes + begin + header, zip->bytes + begin, behind - begin);
  memcpy(zip->bytes + begin, head, header);
  zip->inflated += size;
  zip->count++;
  return SPW_OK;
}

/* ---- The end --------------------------------------------------------------------------------- */

static void put_wide_end(spw_zip_file *zip, uint64_t count, uint64_t directory, uint64_t size)
{
  const uint64_t at = zip->size;
  put(zip, SPW_ZIP_END64, SPW_ZIP_SIGNATURE);
  put_number(zip, SPW_ZIP_END64_SIZE - 12, 8); /* behind this number */
  put_number(zip, VERSION_OF_ZIP64, 2);
  put_number(zip, VERSION_OF_ZIP64, 2);
  put_number(zip, 0, 8); /* disks */
  put_number(zip, count, 8);
  put_number(zip, count, 8);
  put_number(zip, size, 8);
  put_number(zip, directory, 8);
  put(zip, SPW_ZIP_LOCATOR, SPW_ZIP_SIGNATURE);
  put_number(zip, 0, 4);
  put_number(zip, at, 8);
  put_number(zip, 1, 4);
}

spw_status spw_zip_end_file(spw_zip_file *zip)
{
  const uint64_t directory = zip->size, count = (uint64_t)zip->count;
  for (int i = 0; i < zip->count; i++)
    if (!put_entry(zip, &zip->members[i])) return no_memory(zip);
  const uint64_t size = zip->size - directory;
  if (!make_room(zip, SPW_ZIP_END64_SIZE + SPW_ZIP_LOCATOR_SIZE + SPW_ZIP_END_SIZE)) return no_memory(zip);
  if (is_wide(zip, directory) || is_wide(zip, size)) put_wide_end(zip, count, directory, size);
  put(zip, SPW_ZIP_END, SPW_ZIP_SIGNATURE);
  put_number(zip, 0, 4); /* disks */
  put_number(zip, count, 2);
  put_number(zip, count, 2);
  put_narrow(zip, size);
  put_narrow(zip, directory);
  put_number(zip, 0, 2); /* comment */
  return SPW_OK;
}
