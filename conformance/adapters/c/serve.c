/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of an adapter: a line of JSON in, a line of JSON out. Libraries may print: what they
 * write to standard output goes to standard error. */
#define _GNU_SOURCE
#include "guarded.h"
#include "io/json/element_print.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ASan must end the program with a code of its own, and leaks of libraries are not what is asked.
 */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
  return "exitcode=99:detect_leaks=0:detect_odr_violation=0:allow_user_segv_handler=0";
}

/* What is released when a question has been answered. */
enum { MOST_KEPT = 4 * KIT_MOST };
typedef struct kept {
  void *object;
  void (*release)(void *object);
} kept;

struct kit_answer {
  const char *verdict; /* null: none yet */
  kit_phase phase;
  char message[512];
  json_t *rules;
  char *result; /* JSON of "result", or null */
  char *claims;
  bool keeps; /* a step of a chain that is not the last */
  void *live; /* what it has kept */
  kept later[MOST_KEPT];
  int later_count;
};

static FILE *out;

/* ---- Answers ---- */

static void settle(kit_answer *answer, const char *verdict, kit_phase phase)
{
  answer->verdict = verdict;
  answer->phase = phase;
}

void kit_accept(kit_answer *answer, kit_phase phase)
{
  settle(answer, "accept", phase);
}

void kit_reject(kit_answer *answer, kit_phase phase, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(answer->message, sizeof answer->message, format, arguments);
  va_end(arguments);
  settle(answer, "reject", phase);
}

void kit_unsupported(kit_answer *answer, const char *why)
{
  snprintf(answer->message, sizeof answer->message, "%s", why);
  settle(answer, "unsupported", KIT_CONSTRUCT);
}

bool kit_is_accepted(const kit_answer *answer)
{
  return answer->verdict && strcmp(answer->verdict, "accept") == 0;
}

void kit_rule(kit_answer *answer, const char *id)
{
  if (!answer->rules) answer->rules = json_array();
  json_array_append_new(answer->rules, json_string(id));
}

static void put_elements(FILE *text, spw_dtype dtype, int64_t count, const char *data)
{
  char element[SPW_ELEMENT_TEXT];
  for (int64_t i = 0; i < count; i++) {
    const bool printed = spw_element_print(dtype, data + i * spw_dtype_size(dtype), element);
    fprintf(text, "%s%s", i ? "," : "", printed ? element : "null");
  }
}

/* Elements of a shape, which holds in int64: others may be huge beside a 0. */
static int64_t count_of(const int64_t *shape, int64_t ndim)
{
  int64_t count = 1;
  for (int64_t d = 0; d < ndim; d++)
    if (shape[d] == 0) return 0;
  for (int64_t d = 0; d < ndim; d++) count *= shape[d];
  return count;
}

void kit_dense_result(kit_answer *answer, spw_dtype dtype, int64_t ndim, const int64_t *shape,
                      const void *data)
{
  size_t size;
  FILE *const text = open_memstream(&answer->result, &size);
  if (!text) exit(2);
  fprintf(text, "{\"dense\":{\"dtype\":\"%s\",\"shape\":[", spw_dtype_name(dtype));
  for (int64_t d = 0; d < ndim; d++) fprintf(text, "%s%lld", d ? "," : "", (long long)shape[d]);
  fprintf(text, "],\"data\":[");
  put_elements(text, dtype, count_of(shape, ndim), data);
  fprintf(text, "]}"); /* put_answer closes the result */
  fclose(text);
  kit_accept(answer, KIT_USED);
}

void kit_tensor_result(kit_answer *answer, const spw_tensor *tensor)
{
  void *bytes;
  size_t size, length;
  spw_error error;
  if (spw_write_json(tensor, &bytes, &size, &error)) {
    kit_reject(answer, KIT_USED, "the result cannot be written: %s: %s", error.where,
               error.message);
    return;
  }
  FILE *const text = open_memstream(&answer->result, &length);
  if (!text) exit(2);
  fprintf(text, "{\"tensor\":%.*s", (int)(size - 1), (const char *)bytes);
  fclose(text);
  free(bytes);
  kit_accept(answer, KIT_USED);
}

static spw_index_array index_array(spw_dtype dtype, int64_t ndim, const int64_t *shape,
                                   const int64_t *strides, int64_t length, const void *data)
{
  return (spw_index_array){.array = {dtype, ndim, shape, strides, 0, length},
                           .i32 = dtype == SPW_INT32 ? data : NULL,
                           .i64 = dtype == SPW_INT64 ? data : NULL};
}

static const void *joined(const kit_matrix *m)
{
  const size_t bytes = (size_t)(m->nse * spw_dtype_size(m->index_dtype));
  char *const both = kit_guarded(2 * bytes);
  if (bytes) memcpy(both, m->row, bytes), memcpy(both + bytes, m->column, bytes);
  return both;
}

void kit_matrix_result(kit_answer *answer, const kit_matrix *m)
{
  const bool blocked = m->layout == SPW_BSR || m->layout == SPW_BSC;
  const int64_t size[] = {m->rows, m->columns}, one[] = {1};
  const int64_t lengths[] = {m->compressed_length}, nse[] = {m->nse};
  const int64_t both[] = {2, m->nse}, both_strides[] = {m->nse > 1 ? m->nse : 1, 1};
  const int64_t values[] = {m->values_length, m->block[0], m->block[1]};
  const int64_t area = m->block[0] * m->block[1];
  const int64_t values_strides[] = {blocked ? area : 1, m->block[1], 1};
  spw_tensor tensor = {
      .layout = m->layout, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE};
  if (m->layout == SPW_COO) {
    tensor.plain = index_array(m->index_dtype, 2, both, both_strides, 2 * m->nse, joined(m));
  } else {
    tensor.compressed =
        index_array(m->index_dtype, 1, lengths, one, m->compressed_length, m->compressed);
    tensor.plain = index_array(m->index_dtype, 1, nse, one, m->nse, m->plain);
  }
  tensor.values = (spw_value_array){
      {m->dtype, blocked ? 3 : 1, values, values_strides, 0, m->values_length * area}, m->values};
  kit_tensor_result(answer, &tensor);
}

void kit_claims(kit_answer *answer, const char *claims)
{
  if (answer->keeps) return; /* claims are made about what is written */
  free(answer->claims);
  answer->claims = strdup(claims);
}

bool kit_keeps(const kit_answer *answer)
{
  return answer->keeps;
}

void kit_release_later(kit_answer *answer, void *object, void (*release)(void *object))
{
  if (answer->later_count == MOST_KEPT) {
    fprintf(stderr, "more than %d objects kept in one question\n", MOST_KEPT);
    exit(2);
  }
  answer->later[answer->later_count++] = (kept){object, release};
}

void kit_keep(kit_answer *answer, void *object, void (*release)(void *object))
{
  if (release) kit_release_later(answer, object, release);
  answer->live = object;
  kit_accept(answer, KIT_USED);
}

static void put_string(const char *text)
{
  json_t *const string = json_string(text);
  char *const quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
  fputs(quoted ? quoted : "\"(not UTF-8)\"", out);
  free(quoted);
  json_decref(string);
}

static void put_answer(const kit_answer *answer, const char *id)
{
  static const char *const phases[] = {"construct", "validate", "use"};
  fputs("{\"id\": ", out);
  put_string(id);
  fprintf(out, ", \"verdict\": \"%s\", \"phase\": \"%s\"", answer->verdict, phases[answer->phase]);
  if (answer->result && strcmp(answer->verdict, "accept") == 0) {
    fprintf(out, ", \"result\": %s", answer->result);
    if (answer->claims) fprintf(out, ", \"claims\": %s", answer->claims);
    fputs("}", out);
  }
  if (answer->rules) {
    char *const rules = json_dumps(answer->rules, JSON_COMPACT);
    fprintf(out, ", \"rules\": %s", rules);
    free(rules);
  }
  fputs(", \"message\": ", out);
  put_string(answer->message);
  fputs("}\n", out);
  fflush(out);
}

static void forget(kit_answer *answer)
{
  json_decref(answer->rules);
  free(answer->result);
  free(answer->claims);
  while (answer->later_count) {
    const kept *const last = &answer->later[--answer->later_count];
    last->release(last->object);
  }
  kit_guarded_free_all();
}

/* ---- Questions ---- */

#define NAME_OF(NAME, TEXT) TEXT,
static const char *const operations[KIT_OPERATION_COUNT] = {KIT_OPERATIONS(NAME_OF)};

static const char *string_of(const json_t *object, const char *key)
{
  const char *const text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

/* What a question's tensors and arrays point into. */
enum { MOST_OWNED = 2 * KIT_MOST + 8 };
typedef struct owners {
  spw_owned *owned[MOST_OWNED];
  int count;
  spw_error why;
} owners;

static const spw_tensor *wrong_kind(owners *o, const char *message)
{
  snprintf(o->why.where, sizeof o->why.where, "$.layout");
  snprintf(o->why.message, sizeof o->why.message, "%s", message);
  return NULL;
}

/* A sparse tensor or a dense array. Null without memory or where the JSON is none; o->why says what is
 * wrong. */
static const spw_tensor *read_tensor(const json_t *json, owners *o)
{
  char *const text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
  if (o->count == MOST_OWNED) exit(2);
  spw_owned **const owned = &o->owned[o->count];
  if (text && spw_read_json(text, strlen(text), 0, owned, &o->why) == SPW_OK) o->count++;
  free(text);
  return *owned ? spw_owned_tensor(*owned) : NULL;
}

static const spw_tensor *tensor_of(const json_t *json, owners *o)
{
  const spw_tensor *const tensor = read_tensor(json, o);
  return tensor && tensor->layout == SPW_DENSE ? wrong_kind(o, "dense: not a sparse tensor") : tensor;
}

/* The elements of a strided array, row by row. */
static void gather(const spw_array *array, const char *from, char *to, int64_t count)
{
  const size_t width = (size_t)spw_dtype_size(array->dtype);
  int64_t index[8];
  for (int64_t k = 0; k < count; k++) {
    int64_t position = array->offset;
    if (spw_unravel(k, array->ndim, array->shape, index)) exit(2);
    for (int64_t d = 0; d < array->ndim; d++) position += index[d] * array->strides[d];
    memcpy(to + (size_t)k * width, from + (size_t)position * width, width);
  }
}

static bool dense_of(json_t *json, kit_dense *dense, owners *o)
{
  json_t *const file = json_pack("{s:i, s:s, s:O}", "spw", 1, "layout", "dense", "values", json);
  const spw_tensor *const tensor = read_tensor(file, o);
  json_decref(file);
  if (!tensor) return false;
  const spw_value_array *const values = &tensor->values;
  const int64_t count = count_of(values->array.shape, values->array.ndim);
  void *const data = kit_guarded((size_t)(count * spw_dtype_size(values->array.dtype)));
  if (values->array.ndim > 8) exit(2);
  gather(&values->array, values->data, data, count);
  *dense = (kit_dense){values->array.dtype, values->array.ndim, values->array.shape, count, data, values};
  return true;
}

static int digit(char c)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *const found = c ? strchr(digits, c) : NULL;
  return found ? (int)(found - digits) : -1;
}

static void base64_decode(const char *text, kit_question *question)
{
  const size_t length = strlen(text);
  unsigned char *const bytes = malloc(length / 4 * 3 + 3);
  unsigned bits = 0;
  int have = 0;
  question->file_size = 0;
  if (!bytes) exit(2);
  for (size_t i = 0; i < length && digit(text[i]) >= 0; i++) {
    bits = bits << 6 | (unsigned)digit(text[i]);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes[question->file_size++] = (unsigned char)(bits >> have);
  }
  question->file = kit_guarded_copy(bytes, question->file_size);
  free(bytes);
}

void kit_write_file(const kit_question *question, char path[KIT_PATH])
{
  const char *const folder = getenv("TMPDIR");
  const int length = snprintf(path, KIT_PATH, "%s/conformance-XXXXXX", folder && *folder ? folder : P_tmpdir);
  const int file = length < KIT_PATH ? mkstemp(path) : -1;
  if (file < 0 ||
      write(file, question->file, question->file_size) != (ssize_t)question->file_size) {
    perror(path);
    exit(2);
  }
  close(file);
}

/* More than the kit has room for is a fault of the kit, and not to be left out in silence. */
static int64_t length_of(const json_t *list)
{
  const size_t length = json_array_size(list);
  if (length <= KIT_MOST) return (int64_t)length;
  fprintf(stderr, "a list of %zu, and room for %d\n", length, KIT_MOST);
  exit(2);
}

/* The table need not have an argument of every kind. */
__attribute__((unused)) static bool tensors_of(
    const json_t *list, const spw_tensor *tensors[KIT_MOST], int64_t *count, owners *o)
{
  for (*count = 0; *count < length_of(list); ++*count)
    if (!(tensors[*count] = tensor_of(json_array_get(list, (size_t)*count), o))) return false;
  return true;
}

static void integers_of(const json_t *list, int64_t numbers[KIT_MOST], int64_t *count)
{
  for (*count = 0; *count < length_of(list); ++*count)
    numbers[*count] = json_integer_value(json_array_get(list, (size_t)*count));
}

static spw_layout layout_of(const json_t *name)
{
  const int layout = json_is_string(name) ? spw_layout_from_name(json_string_value(name)) : -1;
  return layout < 0 || layout >= SPW_LAYOUT_COUNT ? SPW_CSR : (spw_layout)layout;
}

static spw_dtype dtype_of(const json_t *name)
{
  return json_is_string(name) ? spw_dtype_from_name(json_string_value(name)) : SPW_DTYPE_NONE;
}

/* How an argument of each kind is read; `given` is the JSON of that name. */
#define READ(name, how)                                                                            \
  if ((given = json_object_get(arguments, #name)) && !(how)) return false;
#define READ_ARRAY(name)    READ(name, dense_of(given, &q->name, o))
#define READ_BOOLEAN(name)  READ(name, (q->name = json_is_true(given), true))
#define READ_DTYPE(name)    READ(name, (q->name = dtype_of(given), true))
#define READ_FUNCTION(name) READ(name, (q->name = json_is_string(given) ? json_string_value(given) : "", true))
#define READ_INTEGER(name)  READ(name, (q->name = json_integer_value(given), true))
#define READ_INTEGERS(name) READ(name, (integers_of(given, q->name, &q->name##_count), true))
#define READ_LAYOUT(name)   READ(name, (q->name = layout_of(given), true))
#define READ_NUMBER(name)   READ(name, (q->name = json_number_value(given), true))
#define READ_OPERAND(name)  READ_FUNCTION(name)
#define READ_TENSOR(name)   READ(name, (q->name = tensor_of(given, o)) != NULL)
#define READ_TENSORS(name)  READ(name, tensors_of(given, q->name, &q->name##_count, o))

static kit_operation operation_of(const json_t *asked)
{
  const char *const name = string_of(asked, "operation");
  kit_operation operation = KIT_CHECK;
  while (*name && operation < KIT_OPERATION_COUNT && strcmp(name, operations[operation]) != 0) operation++;
  return operation;
}

static bool read_arguments(const json_t *arguments, kit_question *q, owners *o)
{
  json_t *given;
  KIT_ARGUMENTS(READ_ARRAY, READ_BOOLEAN, READ_DTYPE, READ_FUNCTION, READ_INTEGER, READ_INTEGERS, READ_LAYOUT, READ_NUMBER,
                READ_OPERAND, READ_TENSOR, READ_TENSORS)
  READ_ARRAY(dense)
  const json_t *const of = json_object_get(arguments, "of");
  if (!of) return true;
  q->of = operation_of(of);
  return read_arguments(json_object_get(of, "arguments"), q, o);
}

static bool read_parts(const json_t *line, kit_question *q, owners *o)
{
  const json_t *const tensor = json_object_get(line, "tensor");
  const json_t *const file = json_object_get(line, "file");
  json_t *const dense = json_object_get(line, "dense");
  if (tensor && !(q->tensor = tensor_of(tensor, o))) return false;
  if (dense && !dense_of(dense, &q->dense, o)) return false;
  q->format = string_of(file, "format");
  if (file) base64_decode(string_of(file, "base64"), q);
  return read_arguments(json_object_get(line, "arguments"), q, o);
}

/* The first step has the question's tensor, each other one what the one before has kept. */
static void run_chain(const kit_library *library, const json_t *line, kit_answer *answer, owners *o)
{
  const json_t *const steps = json_object_get(json_object_get(line, "arguments"), "steps");
  const size_t count = json_array_size(steps);
  const spw_tensor *const tensor = tensor_of(json_object_get(line, "tensor"), o);
  for (size_t k = 0; k < count; k++) {
    const json_t *const step = json_array_get(steps, k);
    kit_question question = {
        .operation = operation_of(step), .tensor = k ? NULL : tensor, .live = answer->live, .format = ""};
    answer->verdict = NULL;
    answer->live = NULL;
    answer->keeps = k + 1 < count;
    if (!tensor || !read_arguments(json_object_get(step, "arguments"), &question, o))
      kit_unsupported(answer, o->why.message);
    else if (question.operation < KIT_OPERATION_COUNT)
      library->judge(&question, answer);
    if (!answer->verdict) kit_unsupported(answer, "no such step here");
    if (!kit_is_accepted(answer)) return;
    if (answer->keeps && !answer->live) {
      kit_unsupported(answer, "a step that leaves nothing for the next one");
      return;
    }
  }
}

static void run(const kit_library *library, const json_t *line)
{
  kit_question question = {.operation = operation_of(line)};
  kit_answer answer = {0};
  owners owner = {0};
  kit_guard_before(strcmp(string_of(line, "guard"), "before") == 0);
  if (question.operation == KIT_OPERATION_COUNT)
    kit_unsupported(&answer, "an unknown operation");
  else if (question.operation == KIT_CHAIN)
    run_chain(library, line, &answer, &owner);
  else if (read_parts(line, &question, &owner))
    library->judge(&question, &answer);
  else
    kit_unsupported(&answer, owner.why.message);
  if (!answer.verdict) kit_unsupported(&answer, "no such operation here");
  put_answer(&answer, string_of(line, "id"));
  forget(&answer);
  for (int k = 0; k < owner.count; k++) spw_owned_free(owner.owned[k]);
}

/* ---- Lines ---- */

/* What has been read and not been taken yet is from `begin` on. */
static struct {
  char *bytes;
  size_t begin, end, capacity;
} input;

static bool read_more(int from)
{
  if (input.begin) memmove(input.bytes, input.bytes + input.begin, input.end -= input.begin);
  input.begin = 0;
  if (input.end == input.capacity) {
    input.capacity = input.capacity ? 2 * input.capacity : 1 << 16;
    if (!(input.bytes = realloc(input.bytes, input.capacity))) exit(2);
  }
  const ssize_t count = read(from, input.bytes + input.end, input.capacity - input.end);
  if (count > 0) input.end += (size_t)count;
  return count > 0;
}

/* A line of standard input, there until the next one is asked for; null at the end. */
static const char *next_line(size_t *length)
{
  const char *end = NULL;
  do {
    if (input.end > input.begin) end = memchr(input.bytes + input.begin, '\n', input.end - input.begin);
  } while (!end && read_more(STDIN_FILENO));
  if (!end) return NULL;
  const char *const line = input.bytes + input.begin;
  *length = (size_t)(end - line);
  input.begin += *length + 1;
  return line;
}

static void hand_over(int to, const char *from)
{
  const char *const end = input.bytes + input.end;
  while (from < end) {
    const ssize_t count = write(to, from, (size_t)(end - from));
    if (count <= 0) _exit(2);
    from += count;
  }
}

/* ---- Processes ---- */

/* What a library does to its heap must not become the answer to another question. What may be wrong, tensors to
 * be checked and files, has a process of its own. Operations are asked only on what a library promises to take:
 * up to so many in a row share a process, which costs more than most of them. */
enum { MOST_SHARED = 32 };

static bool is_shared(const json_t *line)
{
  const kit_operation operation = operation_of(line);
  return strcmp(string_of(line, "cmd"), "run") == 0 && operation != KIT_CHECK && operation != KIT_USE &&
         operation != KIT_READ;
}

/* The process that has answered an operation answers the next one. What it does not take itself, the parent
 * gets; so it does what stands behind a line, before that is answered: who answers it may die of it. */
static void share(const kit_library *library, int parent)
{
  bool alone = true;
  for (int answered = 1; alone && answered < MOST_SHARED; answered++) {
    size_t length;
    const char *const text = next_line(&length);
    json_t *const line = text ? json_loadb(text, length, 0, NULL) : NULL;
    alone = line && is_shared(line) && input.begin == input.end;
    if (text && !(line && is_shared(line)))
      hand_over(parent, text);
    else if (text)
      hand_over(parent, input.bytes + input.begin), run(library, line);
    json_decref(line);
  }
}

static void run_isolated(const kit_library *library, const json_t *line)
{
  int status = 0, ends[2];
  const bool alone = input.begin == input.end;
  if (pipe(ends)) exit(2);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    run(library, line);
    if (alone && is_shared(line)) share(library, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  while (child > 0 && read_more(ends[0])) continue;
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) != child) {
    perror("fork");
    exit(2);
  }
  if (status == 0) return;
  fprintf(out, "{\"died\": %d}\n", WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
  fflush(out);
}

static void greet(const kit_library *library)
{
  fprintf(out,
          "{\"ready\": %s, \"protocol\": 2, \"name\": \"%s\", \"version\": \"%s\", "
          "\"manifest\": %s",
          library->absent ? "false" : "true", library->name, library->version, library->manifest);
  if (library->absent) {
    fputs(", \"message\": ", out);
    put_string(library->absent);
  }
  fputs("}\n", out);
  fflush(out);
}

static void take_standard_output(void)
{
  const int copy = dup(STDOUT_FILENO);
  if (copy < 0 || !(out = fdopen(copy, "w")) || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    perror("standard output");
    exit(2);
  }
}

int kit_serve(const kit_library *library)
{
  const char *line;
  size_t length;
  take_standard_output();
  if (library->start) library->start();
  while ((line = next_line(&length))) {
    json_error_t error;
    json_t *const object = json_loadb(line, length, 0, &error);
    const char *const command = string_of(object, "cmd");
    const bool ends = strcmp(command, "stop") == 0;
    if (strcmp(command, "start") == 0)
      greet(library);
    else if (strcmp(command, "run") == 0 && !library->absent)
      (library->isolated ? run_isolated : run)(library, object);
    else if (!ends)
      fprintf(stderr, "not a question: %s\n", error.text);
    json_decref(object);
    if (ends || library->absent) break;
  }
  free(input.bytes);
  return 0;
}
