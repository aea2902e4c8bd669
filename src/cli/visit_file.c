/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the tensors of one file, one after the other. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const char *status_kind(spw_status status)
{
  if (status == SPW_ENOMEM) return "limit";
  if (status == SPW_EUNSUPPORTED) return "unsupported";
  if (status == SPW_EIO) return "unreadable";
  return "malformed";
}

static spw_status read_tensor(cli_format format, const char *bytes, size_t size, spw_owned **owned,
                              spw_error *error)
{
  switch (format) {
  case FORMAT_NPZ: return spw_read_npz(bytes, size, 0, owned, error);
  case FORMAT_MTX: return spw_read_mtx(bytes, size, 0, owned, error);
  default: return spw_read_json(bytes, size, 0, owned, error);
  }
}

static spw_owned *read_input(cli_input *input, cli_format format, const char *bytes, size_t size)
{
  spw_owned *owned = NULL;
  const spw_status status = read_tensor(format, bytes, size, &owned, &input->problem.error);
  input->tensor = status == SPW_OK ? spw_owned_tensor(owned) : NULL;
  input->problem.kind = status == SPW_OK ? NULL : status_kind(status);
  if (status != SPW_OK && !input->problem.error.message[0])
    set_problem(&input->problem, status_kind(status), "%s", spw_status_string(status));
  return status == SPW_OK ? owned : NULL;
}

static void visit_one(cli_input input, cli_format format, const char *bytes, size_t size,
                      visit_input *visit, void *context)
{
  spw_owned *owned = read_input(&input, format, bytes, size);
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
    visit_one(input, FORMAT_JSON, bytes + at, length, visit, context);
  }
  if (any) return;
  input.line = 0;
  set_problem(&input.problem, "malformed", "there is no tensor in the file");
  visit(context, &input);
}

static bool is_tensor_line(const char *bytes, size_t size)
{
  json_t *value = json_loadb(bytes, size, JSON_DECODE_ANY, NULL);
  const bool is_tensor = json_object_get(value, "layout") != NULL;
  json_decref(value);
  return is_tensor;
}

/* Several lines, of which one is a whole tensor? */
static bool looks_like_lines(const char *bytes, size_t size)
{
  int lines = 0;
  bool tensor = false;
  for (size_t at = 0, length; at < size && !(tensor && lines > 1); at += length + 1) {
    length = line_length(bytes + at, size - at);
    lines += !is_blank(bytes + at, length);
    tensor = tensor || is_tensor_line(bytes + at, length);
  }
  return tensor && lines > 1;
}

/* JSON without a name that tells: one tensor if it reads as one, else perhaps one a line. */
static void visit_nameless_json(cli_input input, const char *bytes, size_t size, visit_input *visit,
                                void *context)
{
  spw_owned *owned = read_input(&input, FORMAT_JSON, bytes, size);
  if (owned || !looks_like_lines(bytes, size)) {
    visit(context, &input);
    spw_owned_free(owned);
    return;
  }
  input.problem.kind = NULL;
  visit_lines(input, bytes, size, visit, context);
}

static void visit_bytes(cli_input input, const char *bytes, size_t size, visit_input *visit,
                        void *context)
{
  const cli_format format = recognise_format(input.file, bytes, size);
  if (format == FORMAT_JSONL) {
    visit_lines(input, bytes, size, visit, context);
  } else if (format == FORMAT_JSON && !has_suffix(input.file, ".json")) {
    visit_nameless_json(input, bytes, size, visit, context);
  } else if (format != FORMAT_UNKNOWN) {
    visit_one(input, format, bytes, size, visit, context);
  } else {
    set_problem(&input.problem, "malformed",
                "%s; the formats are .npz, .mtx, .mtx.gz, .spw.json and .spw.jsonl",
                size ? "the file is of no known format" : "the file is empty");
    visit(context, &input);
  }
}

void visit_file(const char *path, visit_input *visit, void *context)
{
  cli_input input = {.file = path};
  char *bytes;
  size_t size;
  if (!read_whole_file(path, &bytes, &size, &input.problem)) {
    visit(context, &input);
    return;
  }
  visit_bytes(input, bytes, size, visit, context);
  free(bytes);
}
