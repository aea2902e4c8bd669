/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the tensors of one file, one after the other. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

static const char *status_kind(spw_status status)
{
  if (status == SPW_ENOMEM) return "limit";
  if (status == SPW_EUNSUPPORTED) return "unsupported";
  if (status == SPW_EIO) return "unreadable";
  return "malformed";
}

/* Editors put such a mark before text, and do not show it. */
static const char *byte_order_mark(const char *bytes, size_t size)
{
  static const struct { const char *bytes, *name; } marks[] = {
      {"\xef\xbb\xbf", "ef bb bf, UTF-8"}, {"\xff\xfe", "ff fe, UTF-16"},
      {"\xfe\xff", "fe ff, UTF-16"}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const size_t length = strlen(marks[i].bytes);
    if (size >= length && memcmp(bytes, marks[i].bytes, length) == 0) return marks[i].name;
  }
  return NULL;
}

static bool refuse_mark(cli_input *input, const char *bytes, size_t size)
{
  const char *mark = byte_order_mark(bytes, size);
  if (mark)
    set_problem(&input->problem, "malformed",
                "it begins with a byte order mark (%s); save it as UTF-8 without one", mark);
  return mark != NULL;
}

/* Of a line of a file it is the first and only line. */
static void drop_line(char *message)
{
  static const char first[] = "line 1: ";
  const size_t length = sizeof first - 1;
  if (strncmp(message, first, length) == 0) memmove(message, message + length, strlen(message + length) + 1);
}

/* For commands that take tensors only. */
static void refuse_semi(cli_input *input)
{
  set_problem(&input->problem, "unsupported", "it is a 2:4 matrix; `spw convert --to=dense` or --to=csr makes a tensor of it");
}

/* A file of a 2:4 matrix, which is no tensor. */
static spw_owned *read_semi(cli_input *input, const char *bytes, size_t size)
{
  spw_owned *owned = NULL;
  spw_error error;
  const spw_status status = spw_read_semi_json(bytes, size, 0, &owned, &input->semi, &error);
  if (status == SPW_OK) {
    refuse_semi(input);
    return owned;
  }
  input->problem.kind = status_kind(status);
  input->problem.error = error;
  if (input->line > 0) drop_line(input->problem.error.message);
  return NULL;
}

static spw_owned *read_input(cli_input *input, spw_file_format format, const char *bytes, size_t size)
{
  spw_owned *owned = NULL;
  input->format = format;
  if (refuse_mark(input, bytes, size)) return NULL;
  const spw_status status = spw_read_bytes(format, bytes, size, 0, &owned, &input->problem.error);
  if (status == SPW_EUNSUPPORTED && strcmp(input->problem.error.where, "$.layout") == 0) return read_semi(input, bytes, size);
  input->tensor = status == SPW_OK ? spw_owned_tensor(owned) : NULL;
  input->problem.kind = status == SPW_OK ? NULL : status_kind(status);
  if (status != SPW_OK && input->line > 0) drop_line(input->problem.error.message);
  if (status != SPW_OK && !input->problem.error.message[0])
    set_problem(&input->problem, status_kind(status), "%s", spw_status_string(status));
  return status == SPW_OK ? owned : NULL;
}

static void visit_one(cli_input input, spw_file_format format, const char *bytes, size_t size,
                      visit_input *visit, void *context)
{
  spw_owned *owned = read_input(&input, format, bytes, size);
  input.owned = &owned;
  visit(context, &input);
  spw_owned_free(owned);
}

static size_t line_length(const char *bytes, size_t size)
{
  const char *end = memchr(bytes, '\n', size);
  return end ? (size_t)(end - bytes) : size;
}

static bool is_blank(const char *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') return false;
  return true;
}

static void visit_lines(cli_input input, const char *bytes, size_t size, visit_input *visit,
                        void *context)
{
  bool any = false;
  for (size_t at = 0, length; at < size; at += length + 1) {
    length = line_length(bytes + at, size - at);
    input.line++;
    if (is_blank(bytes + at, length)) continue;
    any = true;
    input.done = (double)at / (double)size;
    visit_one(input, SPW_FORMAT_JSON, bytes + at, length, visit, context);
  }
  if (any) return;
  input.line = 0;
  set_problem(&input.problem, "malformed", "there is no tensor in the file");
  visit(context, &input);
}

/* Several lines, of which one is a whole tensor? */
static bool looks_like_lines(const char *bytes, size_t size)
{
  int lines = 0;
  bool tensor = false;
  for (size_t at = 0, length; at < size && !(tensor && lines > 1); at += length + 1) {
    length = line_length(bytes + at, size - at);
    lines += !is_blank(bytes + at, length);
    tensor = tensor || is_tensor_text(bytes + at, length);
  }
  return tensor && lines > 1;
}

static void hint_at_lines(cli_problem *problem, const char *bytes, size_t size)
{
  if (strcmp(problem->kind, "malformed") != 0 || !has_second_object(bytes, size)) return;
  char *message = problem->error.message;
  const size_t used = strlen(message);
  snprintf(message + used, sizeof problem->error.message - used,
           "; there is a second object: a file of one tensor a line is named .spw.jsonl");
}

/* One tensor if it reads as one; else, without a name that tells, perhaps one a line. */
static void visit_json(cli_input input, const char *bytes, size_t size, visit_input *visit,
                       void *context)
{
  spw_owned *owned = read_input(&input, SPW_FORMAT_JSON, bytes, size);
  if (owned || has_suffix(input.file, ".json") || !looks_like_lines(bytes, size)) {
    if (!owned) hint_at_lines(&input.problem, bytes, size);
    input.owned = &owned;
    visit(context, &input);
    spw_owned_free(owned);
    return;
  }
  input.problem.kind = NULL;
  visit_lines(input, bytes, size, visit, context);
}

/* ---- Files of several tensors ---------------------------------------------------------------- */

static void count_copy(cli_input *input)
{
  enum { BYTES_A_STEP = 64 };
  const spw_tensor *const t = input->tensor;
  const spw_array *const arrays[] = {&t->compressed.array, &t->plain.array, &t->values.array};
  for (size_t i = 0; i < 3; i++) *input->spent += arrays[i]->length * spw_dtype_size(arrays[i]->dtype) / BYTES_A_STEP;
}

static void visit_place(cli_input input, const spw_archive *archive, size_t i, visit_input *visit, void *context)
{
  spw_owned *owned = NULL;
  const bool semi = spw_archive_is_semi(archive, i);
  const spw_status status = semi ? spw_archive_read_semi(archive, i, 0, &owned, &input.semi, &input.problem.error)
                                 : spw_archive_read(archive, i, 0, &owned, &input.problem.error);
  const char *const place = spw_archive_path(archive, i);
  input.place = input.place ? NULL : place[0] ? place : NULL;
  input.done = (double)i / (double)spw_archive_count(archive);
  input.tensor = status == SPW_OK && !semi ? spw_owned_tensor(owned) : NULL;
  input.problem.kind = status == SPW_OK ? NULL : status_kind(status);
  if (status == SPW_OK && semi)
    refuse_semi(&input);
  else if (status == SPW_OK)
    count_copy(&input);
  input.owned = &owned;
  visit(context, &input);
  spw_owned_free(owned);
}

static void refuse_place(cli_input *input, const spw_archive *archive)
{
  const size_t count = spw_archive_count(archive), dense = spw_archive_dense_count(archive);
  if (input->place)
    set_problem(&input->problem, "unreadable", "not one sparse tensor lies at '%s'; the file holds %zu%s%s", input->place, count,
                count > 0 ? ", the first at " : "", count > 0 ? spw_archive_path(archive, 0) : "");
  else
    set_problem(&input->problem, "unsupported", "it holds no sparse tensor (dense tensors: %zu)", dense);
  input->place = NULL;
}

/* All tensors of a file, or, where a place is asked for, the one there. */
static void visit_archive(cli_input input, spw_file_format format, const char *bytes, size_t size, visit_input *visit,
                          void *context)
{
  spw_archive *archive = NULL;
  const spw_status status = spw_archive_open(format, bytes, size, 0, &archive, &input.problem.error);
  const size_t count = spw_archive_count(archive), wanted = input.place ? spw_archive_find(archive, input.place) : 0;
  if (status != SPW_OK) {
    input.problem.kind = status_kind(status);
    input.place = NULL;
    visit(context, &input);
  } else if (wanted >= count) {
    refuse_place(&input, archive);
    visit(context, &input);
  } else {
    for (size_t i = wanted; i < (input.place ? wanted + 1 : count); i++) visit_place(input, archive, i, visit, context);
  }
  spw_archive_close(archive);
}

/* Of FILE:PLACE: *file to free(), and the place behind it. */
static const char *split_place(const char *path, char **file)
{
  const size_t length = spw_path_of_file(path);
  *file = length > 0 ? copy_text(path) : NULL;
  if (*file) (*file)[length] = 0;
  return *file ? path + length + 1 : NULL;
}

char *place_in_file(const cli_input *input)
{
  cli_text text = new_text();
  if (input->line) add_format(&text, ":%lld", (long long)input->line);
  if (input->place) add_format(&text, ":%s", input->place);
  return text.bytes;
}

/* ---- All ------------------------------------------------------------------------------------- */

static void refuse_unknown(cli_input *input, const char *bytes, size_t size)
{
  if (refuse_mark(input, bytes, size)) return;
  const char *const why = !size ? "the file is empty" : bytes[0] ? "the file is of no known format"
                                                                 : "the file begins with a zero byte and is of no known format";
  cli_text names = new_text();
  add_format_names(&names);
  set_problem(&input->problem, "malformed", "%s; the formats are %s", why, names.bytes);
  free(names.bytes);
}

static bool refuse_foreign(cli_input *input, const char *bytes, size_t size)
{
  const char *const what = spw_foreign_format(bytes, size);
  if (!what) return false;
  cli_text names = new_text();
  add_format_names(&names);
  set_problem(&input->problem, "unsupported", "it is %s; the formats that are read are %s", what, names.bytes);
  free(names.bytes);
  return true;
}

static bool has_places(spw_file_format format)
{
  const spw_file_format_info *info;
  for (int i = 0; (info = spw_file_format_get(i)); i++)
    if (info->format == format) return info->has_places;
  return false;
}

/* The tensor of the arrays that an option names. */
static void visit_members(cli_input input, spw_file_format format, const char *bytes, size_t size, visit_input *visit,
                          void *context)
{
  spw_owned *owned = NULL;
  input.format = format;
  const spw_status status = spw_read_members(format, bytes, size, 0, input.members, &owned, &input.problem.error);
  input.tensor = status == SPW_OK ? spw_owned_tensor(owned) : NULL;
  input.problem.kind = status == SPW_OK ? NULL : status_kind(status);
  input.owned = &owned;
  visit(context, &input);
  spw_owned_free(owned);
}

static void visit_bytes(cli_input input, const char *bytes, size_t size, visit_input *visit,
                        void *context)
{
  const spw_file_format format = spw_file_format_of(input.file, bytes, size);
  if (refuse_foreign(&input, bytes, size)) {
    visit(context, &input);
  } else if (input.members && !input.place && format != SPW_FORMAT_UNKNOWN) {
    visit_members(input, format, bytes, size, visit, context);
  } else if (input.members && input.place) {
    set_problem(&input.problem, "unsupported",
                "with --members a file has no parts as '%s'; an array in a group of HDF5 is named GROUP/ARRAY", input.place);
    input.place = NULL;
    visit(context, &input);
  } else if (has_places(format)) {
    visit_archive(input, format, bytes, size, visit, context);
  } else if (input.place) {
    set_problem(&input.problem, "unreadable", "the file is one tensor, and has no part '%s'", input.place);
    input.place = NULL;
    visit(context, &input);
  } else if (format == SPW_FORMAT_JSONL) {
    visit_lines(input, bytes, size, visit, context);
  } else if (format == SPW_FORMAT_JSON) {
    visit_json(input, bytes, size, visit, context);
  } else if (format != SPW_FORMAT_UNKNOWN) {
    visit_one(input, format, bytes, size, visit, context);
  } else {
    refuse_unknown(&input, bytes, size);
    visit(context, &input);
  }
}

void visit_file(const char *path, const spw_members *members, int64_t max_bytes, visit_input *visit, void *context)
{
  int64_t spent = 0;
  char *bytes, *file;
  cli_input input = {.file = path, .members = members, .spent = &spent, .place = split_place(path, &file)};
  now_looking_at(path);
  if (read_whole_file(file ? file : path, max_bytes, &bytes, &input.bytes, &input.problem)) {
    visit_bytes(input, bytes, input.bytes, visit, context);
    free(bytes);
  } else {
    input.place = NULL;
    visit(context, &input);
  }
  free(file);
  now_looking_at(NULL);
}
