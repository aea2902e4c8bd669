/* SPDX-License-Identifier: Apache-2.0 */
/* The banner and the size line of a Matrix Market file. */
#ifndef SPW_IO_MTX_HEADER_H
#define SPW_IO_MTX_HEADER_H

#include "../text/text_source.h"

/* The format's longest line. Readers with a buffer for one take the rest of a longer one, up to that of the sizes, for the next
 * line. */
enum { SPW_MTX_COMMENT = '%', SPW_MTX_LINE_MAX = 1024 };

typedef enum spw_mtx_format { SPW_MTX_COORDINATE, SPW_MTX_ARRAY } spw_mtx_format;

typedef enum spw_mtx_field {
  SPW_MTX_REAL,
  SPW_MTX_INTEGER,
  SPW_MTX_COMPLEX,
  SPW_MTX_PATTERN,
  SPW_MTX_UNSIGNED
} spw_mtx_field;

typedef enum spw_mtx_symmetry {
  SPW_MTX_GENERAL,
  SPW_MTX_SYMMETRIC,
  SPW_MTX_SKEW,
  SPW_MTX_HERMITIAN
} spw_mtx_symmetry;

typedef struct spw_mtx_header {
  spw_mtx_format format;
  spw_mtx_field field;
  spw_mtx_symmetry symmetry;
  int64_t rows;
  int64_t columns;
  int64_t entries; /* lines that follow; the text has room for them */
} spw_mtx_header;

/* Leaves the text behind the size line. */
spw_status spw_mtx_read_header(spw_text *text, spw_mtx_header *header);

#endif
