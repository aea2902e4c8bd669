/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of files. */
#ifndef SPW_IO_FILE_H
#define SPW_IO_FILE_H

#include "../../sparsewright.h"

/* All of a file, to free(). */
spw_status spw_load_file(const char *path, unsigned char **bytes, size_t *size, spw_error *error);

#endif
