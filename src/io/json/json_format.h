/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader and the writer of JSON tensor files share. */
#ifndef SPW_IO_JSON_FORMAT_H
#define SPW_IO_JSON_FORMAT_H

#include <stdint.h>

/* More storage elements than this make a file malformed. */
#define SPW_JSON_MAX_LENGTH ((int64_t)1 << 31)

/* The C-order stride of the dimension before one of `extent` entries and this stride. A file may
 * declare any shape, so negative extents count as 1 and what overflows becomes INT64_MAX: rule 3.12
 * rejects the former by the shape, 3.14 the latter because no storage reaches that far. */
static inline int64_t spw_json_next_stride(int64_t stride, int64_t extent)
{
  int64_t next;
  return __builtin_mul_overflow(stride, extent > 1 ? extent : 1, &next) ? INT64_MAX : next;
}

#endif
