/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of another byte order than this machine's. */
#ifndef SPW_IO_BYTE_ORDER_H
#define SPW_IO_BYTE_ORDER_H

#include <stddef.h>

/* Turns the bytes of each number of `width` bytes, of which there are `size` bytes in all. */
static inline void spw_reverse_bytes(unsigned char *bytes, size_t size, size_t width)
{
  for (unsigned char *at = bytes; at < bytes + size; at += width)
    for (size_t i = 0, j = width - 1; i < j; i++, j--) {
      const unsigned char keep = at[i];
      at[i] = at[j];
      at[j] = keep;
    }
}

#endif
