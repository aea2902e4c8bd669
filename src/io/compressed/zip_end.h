/* SPDX-License-Identifier: Apache-2.0 */
/* Where the directory of a zip archive lies. */
#ifndef SPW_IO_ZIP_END_H
#define SPW_IO_ZIP_END_H

#include "../../owned/owned.h"

typedef struct spw_zip_end {
  uint64_t entries;
  uint64_t directory; /* its first byte; it ends where the end records begin */
  uint64_t size;      /* its bytes */
} spw_zip_end;

/* Reads the one end record, which must be the last bytes of the file, and the zip64 records before
 * it. Guarantees directory + size <= `size`. */
spw_status spw_zip_find_end(const unsigned char *bytes, size_t size, spw_zip_end *end,
                            spw_error *error);

#endif
