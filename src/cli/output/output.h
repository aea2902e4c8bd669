/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output, and the files that a command writes. */
#ifndef SPW_CLI_OUTPUT_H
#define SPW_CLI_OUTPUT_H

#include "../posix.h"

#include "../exit_code.h"
#include "../input/input.h"
#include "../text/text.h"

/* ---- Standard output ------------------------------------------------------------------------- */

/* To be called before anything is opened or written. */
void prepare_streams(void);

/* Called behind every result, so that none is lost when a signal ends the process. */
void flush_output(void);

/* To standard output, as soon as there is more than a stream holds back: why that failed is known only now. */
void print_bytes(const char *bytes, size_t size);

/* `code`, or EXIT_INTERNAL with a message when stdout could not be written. */
int finish_output(int code);

/* ---- Messages -------------------------------------------------------------------------------- */

/* "spw COMMAND: message" and a hint on stderr; returns EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same where the name of an output says no format that can be written. */
int format_error(const char *command, const char *path);

/* ---- Files ----------------------------------------------------------------------------------- */

/* A file that an option names, or an operand where there is no option: "-" is standard output, null
 * nothing. */
typedef struct cli_output {
  const char *option, *path;
  bool is_report; /* of text, which never takes the place of a tensor */
} cli_output;

/* Before any work: -1 to go on, else the exit code, after a message: an output is an input, also by
 * another name, or another output, or cannot be written; or a report would take the place of a tensor. */
int claim_outputs(const char *command, const cli_output outputs[], int count,
                  const file_list *inputs);

/* To a path that is not null: EXIT_VALID, or EXIT_INTERNAL after a message. */
int write_output(const char *command, const cli_output *output, const cli_text *text);

/* The bytes of a file that holds one tensor, to free(); SPW_FORMAT_JSONL: a line of it. As the library's
 * writers. */
spw_status format_tensor(spw_file_format format, const spw_tensor *tensor, void **bytes, size_t *size,
                         spw_error *error);

/* The kind of problem that it is when that fails: only too little memory is a limit. */
const char *kind_of_unformatted(spw_status status);

bool is_standard_stream(const char *path); /* "-" */

/* Writes a file whole or not at all; false, and *error says why, when it could not. What is no regular file
 * is written to as it is. Nothing else in the command creates files. */
bool write_file(const char *path, const void *bytes, size_t size, spw_error *error);

#endif
