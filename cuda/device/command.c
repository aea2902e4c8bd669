/* SPDX-License-Identifier: Apache-2.0 */
/* spw-cuda: checks files of tensors on a device, and compares what a device said with the checker.
 *
 *   spw-cuda check [--engine] FILE     a line of JSON for each line of a .spw.jsonl file
 *   spw-cuda verify FILE RESULTS       are these the checker's answers, line by line?
 *
 * FILE or RESULTS may be -, standard input. So a machine with a GPU that shares nothing else takes
 * part through two files. --engine asks the host engine instead of the device. Exit codes: 0; 1
 * some answer differs; 2 usage; 3 a file is unreadable; 77 no device. */
#define _GNU_SOURCE
#include "../check/on_host.h"
#include "../sparsewright_cuda.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  DIFFERENT = 1,
  USAGE = 2,
  UNREADABLE = 3,
  NO_DEVICE = 77,
  ENGINE_BLOCKS = 4,
  ENGINE_THREADS = 64
};

static FILE *open_input(const char *path)
{
  FILE *const file = strcmp(path, "-") ? fopen(path, "r") : stdin;
  if (!file) fprintf(stderr, "spw-cuda: %s: cannot be opened\n", path);
  return file;
}

/* The next line that is not empty; false at the end. */
static bool next_line(FILE *file, char **line, size_t *room)
{
  for (;;) {
    const ssize_t length = getline(line, room, file);
    if (length < 0) return false;
    if (length > 1) return true;
  }
}

static spw_owned *read_tensor(const char *line, int64_t number)
{
  spw_owned *owned = NULL;
  spw_error error;
  if (spw_read_json(line, strlen(line), 0, &owned, &error) != SPW_OK) {
    fprintf(stderr, "spw-cuda: line %" PRId64 ": %s: %s\n", number, error.where, error.message);
    return NULL;
  }
  if (spw_owned_tensor(owned)->layout != SPW_DENSE) return owned;
  fprintf(stderr, "spw-cuda: line %" PRId64 ": a dense array is no sparse tensor\n", number);
  spw_owned_free(owned);
  return NULL;
}

static void print_answer(int64_t number, int status, const spw_violation *v)
{
  const spw_rule_info *const rule = status == 0 ? spw_rule_get(v->rule) : NULL;
  printf("{\"line\": %" PRId64 ", \"status\": \"%s\", \"rule\": ", number,
         spw_cuda_status_string(status));
  if (!rule) printf("null}\n");
  else
    printf("\"%s\", \"member\": %d, \"batch\": %" PRId64 ", \"position\": %" PRId64
           ", \"lhs\": %" PRId64 ", \"rhs\": %" PRId64 "}\n",
           rule->id, (int)v->member, v->batch, v->position, v->lhs, v->rhs);
}

static int ask(const spw_tensor *tensor, bool engine, spw_violation *first)
{
  if (!engine) return spw_cuda_first_violation_copied(tensor, SPW_CANONICAL, first);
  return spw_first_violation_on_host(tensor, SPW_CANONICAL, ENGINE_BLOCKS, ENGINE_THREADS, 0,
                                     first);
}

static int check(const char *path, bool engine)
{
  FILE *const file = open_input(path);
  char *line = NULL;
  size_t room = 0;
  int64_t number = 0;
  int code = file ? 0 : UNREADABLE;
  while (code == 0 && next_line(file, &line, &room)) {
    spw_violation first = {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, 0, 0, 0};
    spw_owned *const owned = read_tensor(line, ++number);
    if (!owned) {
      code = UNREADABLE;
      break;
    }
    const int status = ask(spw_owned_tensor(owned), engine, &first);
    spw_owned_free(owned);
    if (spw_cuda_is_no_device(status)) {
      fprintf(stderr, "spw-cuda: no device: %s\n", spw_cuda_status_string(status));
      code = NO_DEVICE;
    } else {
      print_answer(number, status, &first);
    }
  }
  if (code == 0 && number == 0) {
    fprintf(stderr, "spw-cuda: %s: no tensors\n", path);
    code = UNREADABLE;
  }
  free(line);
  if (file && file != stdin) fclose(file);
  spw_engine_release();
  return code;
}

static bool is_number(const json_t *answer, const char *name, int64_t expected)
{
  const json_t *const value = json_object_get(answer, name);
  return json_is_integer(value) && json_integer_value(value) == expected;
}

static bool is_text(const json_t *answer, const char *name, const char *expected)
{
  const json_t *const value = json_object_get(answer, name);
  if (!expected) return json_is_null(value);
  return json_is_string(value) && !strcmp(json_string_value(value), expected);
}

/* Is this the checker's answer for the tensor? */
static bool agrees(const json_t *answer, int64_t number, const spw_tensor *tensor)
{
  spw_violation v = {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, 0, 0, 0};
  const spw_status status = spw_first_violation(tensor, SPW_CANONICAL, &v);
  const spw_rule_info *const rule = status == SPW_OK ? spw_rule_get(v.rule) : NULL;
  if (!is_number(answer, "line", number) ||
      !is_text(answer, "status", spw_cuda_status_string((int)status)))
    return false;
  if (!is_text(answer, "rule", rule ? rule->id : NULL)) return false;
  return !rule || (is_number(answer, "member", v.member) && is_number(answer, "batch", v.batch) &&
                   is_number(answer, "position", v.position) && is_number(answer, "lhs", v.lhs) &&
                   is_number(answer, "rhs", v.rhs));
}

static int verify_line(const char *tensor_line, const char *answer_line, int64_t number)
{
  json_t *const answer = json_loads(answer_line, 0, NULL);
  spw_owned *const owned = read_tensor(tensor_line, number);
  int code = UNREADABLE;
  if (!answer) fprintf(stderr, "spw-cuda: result %" PRId64 " is not JSON\n", number);
  if (answer && owned) {
    code = agrees(answer, number, spw_owned_tensor(owned)) ? 0 : DIFFERENT;
    if (code) printf("line %" PRId64 ": not the checker's answer: %s", number, answer_line);
  }
  json_decref(answer);
  spw_owned_free(owned);
  return code;
}

static int verify(const char *tensors_path, const char *results_path)
{
  FILE *const tensors = open_input(tensors_path), *const results =
                                                      tensors ? open_input(results_path) : NULL;
  char *tensor = NULL, *answer = NULL;
  size_t tensor_room = 0, answer_room = 0;
  int64_t number = 0, different = 0;
  int code = results ? 0 : UNREADABLE;
  while (code == 0) {
    const bool more = next_line(tensors, &tensor, &tensor_room);
    if (more != next_line(results, &answer, &answer_room)) {
      fprintf(stderr, "spw-cuda: not as many results as tensors\n");
      code = UNREADABLE;
    }
    if (!more || code) break;
    code = verify_line(tensor, answer, ++number);
    if (code == DIFFERENT) different++, code = 0;
  }
  free(tensor);
  free(answer);
  if (tensors && tensors != stdin) fclose(tensors);
  if (results && results != stdin) fclose(results);
  if (code) return code;
  printf("%" PRId64 " answers, %" PRId64 " of them not the checker's\n", number, different);
  return different ? DIFFERENT : number ? 0 : UNREADABLE;
}

int main(int argc, char **argv)
{
  if (argc == 3 && !strcmp(argv[1], "check")) return check(argv[2], false);
  if (argc == 4 && !strcmp(argv[1], "check") && !strcmp(argv[2], "--engine"))
    return check(argv[3], true);
  if (argc == 4 && !strcmp(argv[1], "verify")) return verify(argv[2], argv[3]);
  fprintf(stderr, "usage: spw-cuda check [--engine] FILE | spw-cuda verify FILE RESULTS\n");
  return USAGE;
}
