/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a zip archive into memory. Equal members give equal bytes: no date is kept. */
#ifndef SPW_IO_ZIP_WRITE_H
#define SPW_IO_ZIP_WRITE_H

#include "../../owned/owned.h"

enum { SPW_ZIP_WRITTEN = 8 };

typedef struct spw_zip_member {
  const char *name;
  uint64_t packed, size, offset;
  uint32_t crc;
  bool deflated;
} spw_zip_member;

typedef struct spw_zip_file {
  spw_error *error;
  uint64_t wide; /* numbers from this one on stand in fields of zip64: UINT32_MAX, and less in tests */
  unsigned char *bytes;
  size_t size, room;
  uint64_t inflated; /* bytes of all members */
  int count;
  spw_zip_member members[SPW_ZIP_WRITTEN];
} spw_zip_file;

/* Adds a member, stored (level 0) or deflated (1 to 9). The name must stay until the end. */
spw_status spw_zip_add(spw_zip_file *zip, const char *name, const void *bytes, size_t size, int level);

/* Adds the directory. The file is zip->bytes, to free(), as it is where a member could not be added. */
spw_status spw_zip_end_file(spw_zip_file *zip);

#endif
