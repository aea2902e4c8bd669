/* SPDX-License-Identifier: Apache-2.0 */
/* Any adapter of the conformance suite (conformance/ADAPTERS.md), as a child process: FUZZ_ADAPTER
 * is its command. It answers every question, and the library behind it survives the use of what it
 * accepts. FUZZ_STRICT=1: its verdicts are right, too. */
#define _GNU_SOURCE
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"

#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORK = 3000, ANSWER = 1 << 20, SECONDS = 10 };

typedef struct adapter {
  pid_t process;
  int to, from;
  json_t *operations, *index_dtypes;
} adapter;

/* ---- The child ------------------------------------------------------------------------------- */

static _Noreturn void give_up(const char *why)
{
  fprintf(stderr, "fuzz: adapter: %s; FUZZ_ADAPTER must be the command of an adapter, such as "
                  "build/conformance/adapters/ours_adapter\n", why);
  exit(70);
}

static void become(const char *command, const int *in, const int *out)
{
  dup2(in[0], 0);
  dup2(out[1], 1);
  setpgid(0, 0);
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(127);
}

static void spawn(adapter *a)
{
  int in[2], out[2];
  const char *command = getenv("FUZZ_ADAPTER");
  if (!command) command = "build/conformance/adapters/ours_adapter";
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) give_up("no pipes");
  signal(SIGPIPE, SIG_IGN);
  a->process = fork();
  if (a->process < 0) give_up("cannot be started");
  if (a->process == 0) become(command, in, out);
  close(in[0]);
  close(out[1]);
  a->to = in[1];
  a->from = out[0];
}

static void forget(adapter *a)
{
  int status;
  kill(-a->process, SIGKILL);
  waitpid(a->process, &status, 0);
  close(a->to);
  close(a->from);
  json_decref(a->operations);
  json_decref(a->index_dtypes);
  memset(a, 0, sizeof *a);
}

static bool send_line(const adapter *a, const char *text)
{
  const size_t size = strlen(text);
  for (size_t done = 0; done < size;) {
    const ssize_t n = write(a->to, text + done, size - done);
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

/* One line; null when the child has died or is silent for too long (*late). */
static char *receive_line(const adapter *a, bool *late)
{
  static char line[ANSWER + 1];
  size_t size = 0;
  *late = false;
  while (size < ANSWER) {
    struct pollfd p = {a->from, POLLIN, 0};
    *late = poll(&p, 1, SECONDS * 1000) == 0;
    const ssize_t n = *late ? 0 : read(a->from, line + size, ANSWER - size);
    if (n <= 0) return NULL;
    size += (size_t)n;
    line[size] = 0;
    if (line[size - 1] == '\n') return line;
  }
  return NULL;
}

static json_t *ask(const adapter *a, json_t *question, bool *late)
{
  char *text = json_dumps(question, JSON_COMPACT);
  char *line = NULL;
  if (text && asprintf(&line, "%s\n", text) < 0) line = NULL;
  free(text);
  json_decref(question);
  if (!line) give_up("no memory");
  const char *answer = send_line(a, line) ? receive_line(a, late) : NULL;
  free(line);
  return answer ? json_loads(answer, 0, NULL) : NULL;
}

static adapter *started(void)
{
  static adapter a;
  bool late;
  if (a.process) return &a;
  spawn(&a);
  json_t *ready = ask(&a, json_pack("{s:s, s:i}", "cmd", "start", "protocol", 2), &late);
  json_t *manifest = json_object_get(ready, "manifest");
  if (!json_is_true(json_object_get(ready, "ready")) || !manifest) give_up("does not start");
  a.operations = json_incref(json_object_get(manifest, "operations"));
  a.index_dtypes = json_incref(json_object_get(manifest, "index_dtypes"));
  json_decref(ready);
  return &a;
}

/* How far it came with it. */
enum { ASKED, ACCEPTED };
static fuzz_counts counts = {.target = "adapter", .what = {"asked", "accepted"}};

/* ---- Questions ------------------------------------------------------------------------------- */

static bool lists(const json_t *list, const char *name)
{
  size_t i;
  json_t *entry;
  json_array_foreach(list, i, entry)
    if (name && json_is_string(entry) && strcmp(json_string_value(entry), name) == 0) return true;
  return false;
}

static bool takes(const adapter *a, const char *name, const spw_tensor *x)
{
  const json_t *operation = json_object_get(a->operations, name);
  return lists(json_object_get(operation, "layouts"), spw_layout_name(x->layout)) &&
         lists(json_object_get(operation, "dtypes"), spw_dtype_name(x->values.array.dtype)) &&
         lists(a->index_dtypes, spw_dtype_name(x->plain.array.dtype)) &&
         (x->layout == SPW_COO ||
          lists(a->index_dtypes, spw_dtype_name(x->compressed.array.dtype)));
}

/* What few libraries can express is not asked: no size, batches, dense dimensions, views. */
static bool is_usual(const spw_tensor *x)
{
  bool shape;
  return x->has_size && x->ndim == 2 && x->index_dtype == SPW_DTYPE_NONE &&
         x->dtype == SPW_DTYPE_NONE && x->coalesced == SPW_CLAIM_NONE &&
         spw_is_valid(x, SPW_SHAPE, &shape) == SPW_OK && shape && fuzz_volume(x) <= WORK &&
         x->size[0] <= WORK && x->size[1] <= WORK;
}

/* 1 accepted, 0 rejected, -1 unsupported. */
static int verdict_of(adapter *a, const char *operation, const spw_tensor *x)
{
  void *text;
  size_t size;
  bool late = false;
  if (!takes(a, operation, x) || spw_write_json(x, &text, &size, NULL)) return -1;
  json_t *tensor = json_loadb(text, size, 0, NULL);
  free(text);
  json_t *answer = ask(a, json_pack("{s:s, s:s, s:s, s:s, s:o}", "cmd", "run", "id", "fuzz",
                                    "operation", operation, "guard", "after", "tensor", tensor),
                       &late);
  const bool died = !answer || json_object_get(answer, "died");
  const char *said = json_string_value(json_object_get(answer, "verdict"));
  const int verdict = !said ? -2 : strcmp(said, "accept") == 0   ? 1
                               : strcmp(said, "reject") == 0      ? 0
                               : strcmp(said, "unsupported") == 0 ? -1 : -2;
  json_decref(answer);
  if (late) forget(a);
  if (late) fuzz_fail("the adapter is silent", "%s\n%s", operation, oracle_describe(x));
  if (died) forget(a);
  if (died) fuzz_fail("the library dies", "%s\n%s", operation, oracle_describe(x));
  if (verdict == -2) fuzz_fail("an answer that is none", "%s", operation);
  return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bool valid;
  fuzz_say_at_end(&counts);
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *t = fuzz_tensor_from(model, 0, WORK);
  if (!t || !t->has_values || !is_usual(&t->tensor)) return 0;
  if (spw_is_valid(&t->tensor, SPW_CANONICAL, &valid) != SPW_OK) return 0;
  adapter *a = started();
  const int verdict = verdict_of(a, "check", &t->tensor);
  counts.number[ASKED] += verdict >= 0;
  counts.number[ACCEPTED] += verdict == 1;
  if (verdict == 1 || valid) (void)verdict_of(a, "use", &t->tensor);
  if (!fuzz_is_on("FUZZ_STRICT") || verdict < 0 || (verdict == 1) == valid) return 0;
  if (valid) fuzz_fail("the adapter rejects a valid tensor", "%s", oracle_describe(&t->tensor));
  fuzz_fail("the adapter accepts an invalid tensor", "%s", oracle_describe(&t->tensor));
}
