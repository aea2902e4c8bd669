/* SPDX-License-Identifier: Apache-2.0 */
/* Text that grows in memory. (The stream of open_memstream loses text unnoticed without memory.) */
#ifndef SPW_IO_TEXT_SINK_H
#define SPW_IO_TEXT_SINK_H

#include <stdbool.h>
#include <stddef.h>

enum { SPW_PRINT_MAX = 127 };

typedef struct spw_text_sink {
  char *bytes; /* free() them */
  size_t size;
  size_t capacity;
  bool lost; /* there was no memory for some of the text */
} spw_text_sink;

/* Appends what printf would print: at most SPW_PRINT_MAX characters. */
void spw_print(spw_text_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
