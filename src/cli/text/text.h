/* SPDX-License-Identifier: Apache-2.0 */
/* Text that may come from strangers, and text that grows in memory. */
#ifndef SPW_CLI_TEXT_H
#define SPW_CLI_TEXT_H

#include "../posix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- Memory ---------------------------------------------------------------------------------- */

/* These end the process when there is no memory: with EXIT_UNREADABLE and the file's name while a
 * file is looked at, which is then too large for this machine, else with EXIT_INTERNAL. */
void *allocate(size_t count, size_t size);

/* Numbers with commas between them; none is a list too. *numbers is to be freed, whatever comes back. */
bool read_numbers(const char *text, int64_t **numbers, int64_t *count);
void *allocate_again(void *memory, size_t size);
char *copy_text(const char *text);
size_t machine_memory(size_t most); /* bytes that the machine has, or `most` */
void now_looking_at(const char *file); /* null: at none */
const char *looking_at(void);

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

/* Bytes of the UTF-8 sequence at `text` and its code point; 0 bytes when it is not one. */
size_t decode_utf8(const char *text, unsigned long *code);

/* Can it move the cursor, colour, hide or turn around the text beside it? */
bool is_unsafe(unsigned long code);

/* A copy with every byte that is not UTF-8 replaced by U+FFFD. */
char *clean_utf8(const char *text);

/* A copy that is safe on a terminal and in the log of a CI service: what is unsafe, bytes that are not UTF-8 and the first byte
 * of what such a service takes for a command are escaped. */
char *escape_text(const char *text);

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Columns that UTF-8 text takes, one a code point. */
int text_columns(const char *text);

/* Breaks `text` between words so that lines end before column `width`; the cursor stands at column
 * `indent`, where the further lines begin. Ends with a newline. */
void put_wrapped(FILE *out, const char *text, int indent, int width);

/* ---- Words ----------------------------------------------------------------------------------- */

bool has_suffix(const char *text, const char *suffix);

/* Insertions, deletions and replacements between two short texts. */
int edit_distance(const char *a, const char *b);

/* ---- Text that grows in memory --------------------------------------------------------------- */

/* `bytes`, to free(), end with a zero that `size` does not count. */
typedef struct cli_text {
  char *bytes;
  size_t size, capacity;
} cli_text;

cli_text new_text(void);
void add_bytes(cli_text *text, const char *bytes, size_t size);
void add_text(cli_text *text, const char *more);
void add_format(cli_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As the contents of an XML attribute or element. */
void add_xml(cli_text *text, const char *contents);

#endif
