/* SPDX-License-Identifier: Apache-2.0 */
/* The mark with which some editors begin a text file, and which no format here allows. */
#ifndef SPW_IO_BYTE_ORDER_MARK_H
#define SPW_IO_BYTE_ORDER_MARK_H

#include <stddef.h>
#include <string.h>

/* The encoding that the mark at the beginning of `text` stands for; null without one. */
static inline const char *spw_byte_order_mark(const char *text, size_t size)
{
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) return "UTF-8";
  if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
    return "UTF-16";
  return NULL;
}

#endif
