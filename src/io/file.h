/* SPDX-License-Identifier: Apache-2.0 */
/* Files by their names: which format they are of, and their bytes. */
#ifndef SPW_IO_FILE_H
#define SPW_IO_FILE_H

#include "../sparsewright.h"

typedef enum spw_format {
  SPW_FORMAT_UNKNOWN = 0,
  SPW_FORMAT_JSON,
  SPW_FORMAT_MTX,
  SPW_FORMAT_NPZ,
  SPW_FORMAT_PT,
  SPW_FORMAT_NPY
} spw_format;

/* By the first bytes, and by the name where they do not tell. */
spw_format spw_file_format_of(const char *path, const unsigned char *bytes, size_t size);

/* By the name alone; unknown, too, where the format is only read. */
spw_format spw_file_format_to_write(const char *path);

/* All of a file, to free(). */
spw_status spw_load_file(const char *path, unsigned char **bytes, size_t *size, spw_error *error);

/* Takes the place of a file, or writes to what is no regular file. */
spw_status spw_replace_file(const char *path, const void *bytes, size_t size, spw_error *error);

#endif
