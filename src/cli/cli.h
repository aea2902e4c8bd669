/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h -- what the files of the command `spw` share. Include it first: it selects POSIX. */
#ifndef SPW_CLI_H
#define SPW_CLI_H

#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "../sparsewright.h"

#include <jansson.h>
#include <stdio.h>

enum exit_code {
  EXIT_VALID = 0,
  EXIT_INVALID = 1,
  EXIT_USAGE = 2,
  EXIT_UNREADABLE = 3, /* some file is unreadable, malformed or too much work */
  EXIT_INTERNAL = 70   /* a fault of spw, or its output cannot be written */
};

/* ---- Commands: argv[0] is the command's name; each returns an exit code ---------------------- */

int command_check(int argc, char **argv);
int command_conform(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_fuzz(int argc, char **argv);
int command_info(int argc, char **argv);
int command_list(int argc, char **argv);

/* Prints the help of a command ("" for spw itself) to stdout. */
int print_help(const char *command);

/* "spw COMMAND: message" and a hint on stderr; returns EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The usage error for the option that getopt_long has just refused with `code` ('?' or ':'). */
int option_error(const char *command, char **argv, int code);

/* `code`, or EXIT_INTERNAL with a message when stdout could not be written. */
int finish_output(int code);

/* ---- Text ------------------------------------------------------------------------------------ */

/* These end the process with EXIT_INTERNAL when there is no memory. */
void *allocate(size_t count, size_t size);
void *allocate_again(void *memory, size_t size);
char *copy_text(const char *text);

/* Bytes of the UTF-8 sequence at `text`, 0 when it is not one. */
size_t utf8_length(const char *text);

/* A copy with every byte that is not UTF-8 replaced by U+FFFD. */
char *clean_utf8(const char *text);

/* A copy that is safe on a terminal: control characters and bytes that are not UTF-8 escaped. */
char *escape_text(const char *text);

/* Columns that UTF-8 text takes, one a code point. */
int text_columns(const char *text);

/* Breaks `text` between words so that lines end before column `width`; the cursor stands at column
 * `indent`, where the further lines begin. Ends with a newline. */
void put_wrapped(FILE *out, const char *text, int indent, int width);

/* Text that grows in memory. `bytes`, to free(), end with a zero that `size` does not count. */
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

bool has_suffix(const char *text, const char *suffix);

/* Insertions, deletions and replacements between two short texts. */
int edit_distance(const char *a, const char *b);

/* ---- Terminal -------------------------------------------------------------------------------- */

typedef enum colour_mode { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colour_mode;
typedef enum cli_paint { PAINT_BOLD, PAINT_DIM, PAINT_RED, PAINT_GREEN, PAINT_YELLOW } cli_paint;

/* How to write to people. */
typedef struct cli_style {
  FILE *out;
  bool colour;
  int width;
} cli_style;

/* False when `name` is not always, never or auto. */
bool parse_colour(const char *name, colour_mode *mode);
cli_style stdout_style(colour_mode mode);
void put_painted(const cli_style *style, cli_paint paint, const char *text);

/* The line on stderr that tells how far a long check has come. */
typedef struct cli_progress {
  bool wanted, shown;
  double begun, drawn;
} cli_progress;

cli_progress progress_begin(void);
void progress_draw(cli_progress *progress, int64_t tensors, double done); /* done: 0 .. 1 */
void progress_clear(cli_progress *progress);

/* ---- Input ----------------------------------------------------------------------------------- */

/* Why there is no tensor: kind is malformed, unreadable, limit or unsupported; null if none. */
typedef struct cli_problem {
  const char *kind;
  spw_error error;
} cli_problem;

/* Always returns false, so that a function can fail in one line. */
bool set_problem(cli_problem *problem, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef enum cli_format {
  FORMAT_UNKNOWN,
  FORMAT_JSON,
  FORMAT_JSONL,
  FORMAT_MTX,
  FORMAT_NPZ
} cli_format;

/* By the contents' first bytes, and by the name. */
cli_format recognise_format(const char *name, const char *bytes, size_t size);
bool has_known_name(const char *name);

/* Reads all of a file, "-" being stdin, into memory to free(). Gives up early on contents that are
 * of no known format. */
bool read_whole_file(const char *path, char **bytes, size_t *size, cli_problem *problem);

/* One tensor, or the problem instead of one. */
typedef struct cli_input {
  const char *file;
  int64_t line; /* from 1 in .jsonl; 0 when the file is one tensor */
  double done;  /* the part of the file that lies behind it, 0 .. 1 */
  const spw_tensor *tensor;
  cli_problem problem;
} cli_input;

typedef void visit_input(void *context, const cli_input *input);

/* Calls `visit` for every tensor of the file, at least once. */
void visit_file(const char *path, visit_input *visit, void *context);

/* Files to look at, in order. */
typedef struct file_list {
  size_t count, capacity;
  struct { char *path; char *problem; } *files; /* problem: why it cannot be looked at, or null */
} file_list;

/* Appends `path`; a directory with `recursive` becomes the files of known name below it, sorted. */
void list_files(file_list *list, const char *path, bool recursive);
void free_file_list(file_list *list);

/* Calls `visit` for every tensor of every file; `before` (or null) is called with the number of the
 * file first. */
void visit_files(const file_list *list, visit_input *visit, void (*before)(void *, size_t),
                 void *context);

/* ---- Verdicts -------------------------------------------------------------------------------- */

typedef enum cli_verdict { VERDICT_VALID, VERDICT_INVALID, VERDICT_MALFORMED } cli_verdict;

enum { MAX_INFERRED_DIMS = 1024 }; /* sizes with more are not shown */

/* What there is to say about one input. */
typedef struct cli_judgement {
  const cli_input *input;
  cli_verdict verdict;
  spw_level level;
  cli_problem problem;   /* VERDICT_MALFORMED; kind is null otherwise */
  spw_report report; /* otherwise */
  bool size_known;   /* given or inferred */
  int64_t ndim;
  const int64_t *size;
  int64_t inferred[MAX_INFERRED_DIMS];
} cli_judgement;

/* Checks one input; false after an internal error, reported on stderr. `first_only`: as
 * spw_first_violation, the rules behind the first violated one count as not evaluated. */
bool judge(const cli_input *input, spw_level level, bool first_only, cli_judgement *judgement);

const char *verdict_name(cli_verdict verdict);

/* Is checking the tensor so much work (batches * (C + 1 + nse), which a small file can make
 * astronomical) that it is refused? Only asked beyond the shape rules. */
bool is_too_much_work(const spw_tensor *tensor);

/* "compressed_indices", or null; and the layout's own "crow_indices". */
const char *member_name(spw_layout layout, spw_member member);
const char *own_name(spw_layout layout, spw_member member);
const spw_array *member_array(const spw_tensor *tensor, spw_member member);

/* Quantities of a tensor whose rules may be violated: 0, or -1 for block sizes, when unknown. */
int64_t batch_dims(const spw_tensor *tensor);
int64_t block_size(const spw_tensor *tensor, int which);
bool is_blocked(spw_layout layout);

/* The batch of a violation as an index along each batch dimension, into index[0 .. returned - 1]
 * to free(); 0 dimensions for shape rules. */
int64_t violation_batch(const spw_tensor *tensor, const spw_violation *violation, int64_t **index);

/* Element of an index array of a tensor whose shape rules hold, in a batch, at a position of its
 * last dimension (COO: row `dim` of indices). */
int64_t batch_element(const spw_tensor *tensor, const spw_violation *violation, int64_t position);
int64_t coo_element(const spw_tensor *tensor, int64_t dim, int64_t position);

/* What the violation is, with its numbers, to free(). */
char *violation_message(const cli_judgement *judgement, const spw_violation *violation);

/* The elements around a structure or canonical violation, with a caret under the one to blame. */
void put_neighbourhood(const cli_style *style, const cli_judgement *judgement,
                       const spw_violation *violation, int indent);

/* "2x6", "scalar" without dimensions; many are "2 x 6", so that lines can be broken. */
void add_sizes(cli_text *text, int64_t ndim, const int64_t *sizes);

/* ---- Reports of check ------------------------------------------------------------------------ */

void put_human(const cli_style *style, const cli_judgement *judgement);
void put_json(FILE *out, const cli_judgement *judgement);

json_t *json_text(const char *text); /* any bytes */
json_t *json_numbers(int64_t count, const int64_t *numbers);
json_t *json_problem(const cli_problem *problem); /* null when there is none */
json_t *json_line_number(int64_t line);
void put_json_line(FILE *out, json_t *value); /* takes the reference */

/* SARIF 2.1.0, in memory until it is written. */
typedef struct cli_sarif { json_t *results, *notifications; } cli_sarif;

cli_sarif sarif_begin(void);
void sarif_add(cli_sarif *sarif, const cli_judgement *judgement);
bool sarif_write(cli_sarif *sarif, const char *path); /* and frees it */

/* JUnit XML, likewise. */
typedef struct cli_junit {
  cli_text cases;
  int64_t tests, failures, errors;
} cli_junit;

cli_junit junit_begin(void);
void junit_add(cli_junit *junit, const cli_judgement *judgement);
bool junit_write(cli_junit *junit, const char *path);

#endif
