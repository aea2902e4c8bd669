/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the command spw (the program that SPW names, else build/spw) on files in a new directory. */
#ifndef TESTS_COMMAND_H
#define TESTS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/* The directory that a test works in. */
extern char directory[512];

/* For TestSuite: .init and .fini. The directory then holds good.spw.json, bad.spw.json (5.3),
 * torn.spw.json, other.txt, and lines.spw.jsonl: good, torn, bad and good without a size. */
void enter_directory(void);
void leave_directory(void);

/* A new directory, and the end of it. */
void make_directory(char made[512]);
void remove_directory(const char *made);

/* The text of a file, until the next call. */
char *read_text(const char *path);
void write_bytes(const char *path, const void *bytes, size_t size);
void write_text(const char *path, const char *text);

/* Runs "spw ARGUMENTS" in a shell, a minute at most; its stdout is in the file out, its stderr in
 * the file err. The exit status, or 1000 and the signal. */
int spw(const char *arguments);

bool output_has(const char *stream, const char *text);

/* Runs it, and expects a status and a text on a stream. */
void expect(const char *arguments, int status, const char *stream, const char *text);

/* Runs it, and expects a status, a text on stderr and nothing on stdout; the test goes on where it is not so. */
void expect_refused(const char *arguments, int status, const char *text);

/* CSR with int64 indices and float32 values; the two index arrays as JSON lists. */
char *csr(const char *size, int rows, const char *compressed, int nse, const char *plain);


/* Runs a shell command with a terminal of `columns` as stdout and stderr; its output. Where there are no
 * pseudo-terminals the test ends there, skipped. */
const char *on_terminal(const char *command, unsigned short columns);

size_t longest_line(const char *text);

/* Balanced tags, quoted attributes, no bare & or <: enough for what junit.c writes. */
bool is_well_formed(const char *xml);

#endif
