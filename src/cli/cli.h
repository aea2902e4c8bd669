/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h -- what the files of the command `spw` share. Include it first: it selects POSIX. */
#ifndef SPW_CLI_H
#define SPW_CLI_H

#define _XOPEN_SOURCE 700
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
int command_info(int argc, char **argv);
int command_list(int argc, char **argv);

/* Prints the help of a command ("" for spw itself) to stdout. */
int print_help(const char *command);

/* "spw COMMAND: message" and a hint on stderr; returns EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The usage error for the option that getopt_long has just refused with `code` ('?' or ':'). */
int option_error(const char *command, char **argv, int code);

/* A number of --OPTION from 1 to 2^63 - 1; false after a usage error. */
bool parse_count(const char *command, const char *option, const char *text, int64_t *count);

/* ---- Output ---------------------------------------------------------------------------------- */

/* To be called before anything is opened or written. */
void prepare_streams(void);

/* Called behind every result, so that none is lost when a signal ends the process. */
void flush_output(void);

/* `code`, or EXIT_INTERNAL with a message when stdout could not be written. */
int finish_output(int code);

/* Writes a file whole or not at all; false, with errno, when it could not. What is no regular file
 * is written to as it is. */
bool write_file(const char *path, const void *bytes, size_t size);

/* A file that an option names: "-" is standard output, null nothing. */
typedef struct cli_output { const char *option, *path; } cli_output;

/* ---- Text ------------------------------------------------------------------------------------ */

/* These end the process when there is no memory: with EXIT_UNREADABLE and the file's name while a
 * file is looked at, which is then too large for this machine, else with EXIT_INTERNAL. */
void *allocate(size_t count, size_t size);
void *allocate_again(void *memory, size_t size);
char *copy_text(const char *text);
void now_looking_at(const char *file); /* null: at none */

/* Bytes of the UTF-8 sequence at `text` and its code point; 0 bytes when it is not one. */
size_t decode_utf8(const char *text, unsigned long *code);

/* Can it move the cursor, colour, hide or turn around the text beside it? */
bool is_unsafe(unsigned long code);

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

/* Is it one JSON object, from its first to its last bracket, with a layout? */
bool is_tensor_text(const char *text, size_t size);

/* Does another one follow its first object? */
bool has_second_object(const char *text, size_t size);

/* Reads all of a file, "-" being stdin, into memory to free(). Gives up early on contents that are
 * of no known format, and behind max_bytes (0: the default, which is lower for what is no regular
 * file and so may have no end). */
bool read_whole_file(const char *path, int64_t max_bytes, char **bytes, size_t *size,
                     cli_problem *problem);

/* One tensor, or the problem instead of one. */
typedef struct cli_input {
  const char *file;
  int64_t line; /* from 1 in .jsonl; 0 when the file is one tensor */
  double done;  /* the part of the file that lies behind it, 0 .. 1 */
  size_t bytes; /* of the file */
  int64_t *spent; /* steps that checking the tensors of the file has taken so far */
  const spw_tensor *tensor;
  cli_problem problem;
} cli_input;

typedef void visit_input(void *context, const cli_input *input);

/* Calls `visit` for every tensor of the file, at least once; max_bytes as in read_whole_file. */
void visit_file(const char *path, int64_t max_bytes, visit_input *visit, void *context);

/* Files to look at, in order. */
typedef struct file_list {
  size_t count, capacity;
  struct { char *path; char *problem; } *files; /* problem: why it cannot be looked at, or null */
} file_list;

/* Appends `path`; a directory with `recursive` becomes the files of known name below it, sorted. */
void list_files(file_list *list, const char *path, bool recursive);
void free_file_list(file_list *list);

/* Before any work: -1 to go on, else the exit code, after a message: an output is an input, also by
 * another name, or another output, or cannot be written. */
int claim_outputs(const char *command, const cli_output outputs[], int count,
                  const file_list *inputs);

/* EXIT_VALID, or EXIT_INTERNAL after a message. */
int write_output(const char *command, const cli_output *output, const cli_text *text);

/* The message, with errno; gives EXIT_INTERNAL. */
int report_unwritten(const char *command, const char *path);

/* Calls `visit` for every tensor of every file; `before` (or null) is called with the number of the
 * file first. */
void visit_files(const file_list *list, int64_t max_bytes, visit_input *visit,
                 void (*before)(void *, size_t), void *context);

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

/* What is asked of a check. `first_only`: as spw_first_violation, the rules behind the first
 * violated one count as not evaluated. */
typedef struct check_request {
  spw_level level;
  bool first_only;
  int64_t max_work; /* steps that the tensors of a file may take; 0: the default */
} check_request;

/* Checks one input; false after an internal error, reported on stderr. */
bool judge(const cli_input *input, const check_request *request, cli_judgement *judgement);

const char *verdict_name(cli_verdict verdict);

/* Index elements that checking the tensor looks at, at most: batches * (C + 1 + nse), which a small
 * file can make astronomical; INT64_MAX when there are more. */
int64_t steps_of_check(const spw_tensor *tensor, spw_level level);

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
void add_json(cli_text *text, const json_t *value, size_t flags); /* as json_dumps */
void put_json_line(FILE *out, json_t *value); /* takes the reference */

/* SARIF 2.1.0, in memory until it is written. */
typedef struct cli_sarif { json_t *results, *notifications; } cli_sarif;

cli_sarif sarif_begin(void);
void sarif_add(cli_sarif *sarif, const cli_judgement *judgement);
cli_text sarif_end(cli_sarif *sarif); /* the log, to free() */

/* JUnit XML, likewise. */
typedef struct cli_junit {
  cli_text cases;
  int64_t tests, failures, errors;
} cli_junit;

cli_junit junit_begin(void);
void junit_add(cli_junit *junit, const cli_judgement *judgement);
cli_text junit_end(cli_junit *junit);

#endif
