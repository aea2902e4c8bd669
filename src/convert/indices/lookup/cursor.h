/* SPDX-License-Identifier: Apache-2.0 */
/* A place in a line that a walk through all lines comes back to. */
#ifndef SPW_CONVERT_INDICES_LOOKUP_CURSOR_H
#define SPW_CONVERT_INDICES_LOOKUP_CURSOR_H

#include <stdint.h>

/* Where a walk stands in a line, and where the line ends. Of another type than all indices and values that a walk reads. */
typedef struct spw_cursor {
  uint64_t next, end;
} spw_cursor;

#endif
