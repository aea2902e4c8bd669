/* SPDX-License-Identifier: Apache-2.0 */
/* From the words of a command line to tensors, or to why there is none. */
#ifndef SPW_CLI_INPUT_H
#define SPW_CLI_INPUT_H

#include "../posix.h"

#include "../../sparsewright.h"
#include "../text/text.h"

/* ---- Problems -------------------------------------------------------------------------------- */

/* Why there is no tensor: kind is malformed, unreadable, limit or unsupported; null if none. */
typedef struct cli_problem {
  const char *kind;
  spw_error error;
} cli_problem;

/* Always returns false, so that a function can fail in one line. */
bool set_problem(cli_problem *problem, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "impossible", for a reason that has been put in words, which it frees. Always returns false. */
bool set_reason(cli_problem *problem, cli_text *reason);

/* How a sentence names a file, so that what it says behind that has room: by the last part of its path, or the end of that. */
const char *short_name(const char *path);

/* ---- Formats --------------------------------------------------------------------------------- */

/* ".npz, .mtx and .mtx.gz" */
void add_format_names(cli_text *text);

/* Is it the name of a file that may hold a sparse tensor, or of one of a format that is read? */
bool has_sparse_name(const char *name);
bool has_known_name(const char *name);

/* What is to be written to a file, by its name alone; "-" is JSON, a tensor a line. SPW_FORMAT_UNKNOWN for
 * names that tell nothing, and for formats that are only read. */
spw_file_format output_format(const char *name);
void add_output_names(cli_text *text); /* the endings that it knows */

/* Is it one JSON object, from its first to its last bracket, with a layout? */
bool is_tensor_text(const char *text, size_t size);

/* Does another one follow its first object? */
bool has_second_object(const char *text, size_t size);

/* ---- Files ----------------------------------------------------------------------------------- */

/* Reads all of a file, "-" being stdin, into memory to free(). Gives up early on contents that are
 * of no known format, and behind max_bytes (0: the default, which is lower for what is no regular
 * file and so may have no end). */
bool read_whole_file(const char *path, int64_t max_bytes, char **bytes, size_t *size,
                     cli_problem *problem);

/* Files to look at, in order. */
typedef struct file_list {
  size_t count, capacity;
  struct { char *path; char *problem; } *files; /* problem: why it cannot be looked at, or null */
  size_t skipped_count, skipped_capacity;
  char **skipped; /* files below directories whose names are of no format; none that is hidden */
  const spw_members *members; /* names of arrays that are the tensor of each file; null: those that are known */
  size_t dense_count; /* files below directories that hold dense arrays by their names, and are left out */
} file_list;

/* Appends `path`; a directory with `recursive` becomes the files below it that, by their names, may hold
 * a sparse tensor, sorted. */
void list_files(file_list *list, const char *path, bool recursive);
void free_file_list(file_list *list);

/* ---- Tensors --------------------------------------------------------------------------------- */

/* One tensor, or the problem instead of one. */
typedef struct cli_input {
  const char *file;
  int64_t line; /* from 1 in .jsonl; 0 when the file is one tensor */
  const spw_members *members;
  const char *place; /* of a tensor in a file that holds several; null when the file is one tensor */
  double done;  /* the part of the file that lies behind it, 0 .. 1 */
  size_t bytes; /* of the file */
  spw_file_format format; /* of it, or of the line */
  int64_t *spent; /* steps that checking the tensors of the file has taken so far */
  const spw_tensor *tensor;
  const spw_semi *semi; /* a 2:4 matrix: then there is no tensor, and a problem for those who do not take one */
  spw_owned **owned; /* what the tensor lives in: whoever visits it may keep that, and puts null here */
  cli_problem problem;
} cli_input;

typedef void visit_input(void *context, const cli_input *input);

/* Calls `visit` for every tensor of every file, at least once a file; `before` (or null) is called
 * with the number of the file first. max_bytes as in read_whole_file. */
void visit_files(const file_list *list, int64_t max_bytes, visit_input *visit,
                 void (*before)(void *, size_t), void *context);

/* The text ":LINE" or ":PLACE" behind the name of a file, to free(); "" where it is one tensor. */
char *place_in_file(const cli_input *input);

/* The same for one file; FILE:PLACE is one tensor of a file that holds several. */
void visit_file(const char *path, const spw_members *members, int64_t max_bytes, visit_input *visit, void *context);

#endif
