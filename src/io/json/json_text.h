/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a JSON tensor file before it is parsed: what parsing may take, and long integers. */
#ifndef SPW_IO_JSON_TEXT_H
#define SPW_IO_JSON_TEXT_H

#include <stddef.h>

/* The most memory that jansson takes for this text, SIZE_MAX when it is more than that. */
size_t spw_json_parser_memory(const char *text, size_t size);

/* How many integers of the text are beyond int64. JavaScript writes the float 1e20 as
 * 100000000000000000000, which jansson refuses and other parsers read. */
size_t spw_json_count_long_integers(const char *text, size_t size);

/* Copies the text to `to`, which has 2 bytes more for each long integer, and marks those as what
 * they can only be: real numbers. */
void spw_json_mark_long_integers(const char *text, size_t size, char *to);

/* The place in the text of a place in its marked copy. */
size_t spw_json_place_before_marks(const char *text, size_t size, size_t place);

#endif
