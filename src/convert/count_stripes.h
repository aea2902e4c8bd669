/* SPDX-License-Identifier: Apache-2.0 */
/* How many blocks of one size the blocks of another have an element of. */
#ifndef SPW_CONVERT_COUNT_STRIPES_H
#define SPW_CONVERT_COUNT_STRIPES_H

#include "../sparsewright.h"

/* The lines of one batch along the source's compressed dimension, and how both sides divide them. */
typedef struct spw_stripes {
  const spw_index_array *c, *p;
  int64_t c_start, p_start;
  int64_t lines;                  /* elements along the compressed dimension */
  int64_t from_major, from_minor; /* block sizes of the source */
  int64_t to_major, to_minor;     /* and of the result */
} spw_stripes;

/* Time depends on what is stored, not on how large a block or a size is said to be. INT64_MAX beyond. */
int64_t spw_count_stripes(const spw_stripes *s);

#endif
