/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a command writes: refused before any work when one of them is an input, another
 * output, or cannot be written. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int report_unwritten(const char *command, const char *path, const char *reason)
{
  char *safe = escape_text(path);
  fprintf(stderr, "spw %s: cannot write %s: %s\n", command, safe, reason);
  free(safe);
  return EXIT_INTERNAL;
}

/* The file itself, or the folder and the name that it will have. */
typedef struct identity {
  struct stat file;
  const char *name; /* null: it exists */
} identity;

bool is_standard_stream(const char *path)
{
  return strcmp(path, "-") == 0;
}

static const char *last_part(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static char *folder_of(const char *path)
{
  const size_t length = (size_t)(last_part(path) - path);
  char *folder = allocate(length + 2, 1);
  memcpy(folder, length ? path : ".", length ? length : 1);
  return folder;
}

static bool can_access(const char *path, int mode)
{
  return faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0;
}

static bool can_write_in_folder_of(const char *path)
{
  char *folder = folder_of(path);
  const bool can = can_access(folder, W_OK | X_OK);
  const int reason = errno;
  free(folder);
  errno = reason;
  return can;
}

/* Where a temporary file has to be: in the folder of what a link leads to. */
static bool can_replace(const char *path)
{
  char *target = realpath(path, NULL);
  const bool can = target && can_write_in_folder_of(target);
  const int reason = errno;
  free(target);
  errno = reason;
  return can;
}

/* False, with errno, when there is no writing to it. */
static bool identify(const char *path, identity *found)
{
  found->name = NULL;
  if (stat(path, &found->file) == 0) {
    if (S_ISDIR(found->file.st_mode)) errno = EISDIR;
    return !S_ISDIR(found->file.st_mode) && can_access(path, W_OK)
           && (!S_ISREG(found->file.st_mode) || can_replace(path));
  }
  if (errno != ENOENT || !*last_part(path) || !can_write_in_folder_of(path)) return false;
  struct stat own;
  if (lstat(path, &own) == 0) { /* a link, which leads nowhere */
    errno = ENOENT;
    return false;
  }
  char *folder = folder_of(path);
  found->name = last_part(path);
  const bool ok = stat(folder, &found->file) == 0;
  free(folder);
  return ok;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_same_output(const identity *a, const identity *b)
{
  if (!is_same(&a->file, &b->file)) return false;
  return !a->name || strcmp(a->name, b->name) == 0; /* a folder is no output: both have a name */
}

/* Is the output one of the inputs? A device may be both. */
static const char *find_input(const identity *output, const file_list *inputs)
{
  if (output->name || !S_ISREG(output->file.st_mode)) return NULL;
  for (size_t i = 0; i < inputs->count; i++) {
    const char *path = inputs->files[i].path;
    struct stat input;
    const int failed = is_standard_stream(path) ? fstat(STDIN_FILENO, &input) : stat(path, &input);
    if (!failed && is_same(&input, &output->file)) return path;
  }
  return NULL;
}

static bool is_stream(const identity *output, int fd)
{
  struct stat stream;
  return !output->name && S_ISREG(output->file.st_mode) && fstat(fd, &stream) == 0
         && is_same(&stream, &output->file);
}

/* "--sarif=FILE", or the operand; to free(). */
static char *words_of(const cli_output *output)
{
  cli_text text = new_text();
  if (output->option) add_format(&text, "--%s=", output->option);
  add_text(&text, output->path);
  return text.bytes;
}

static int refuse_output(const char *command, const cli_output *output, const char *reason,
                         const char *input)
{
  char *words = words_of(output);
  usage_error(command, "%s %s%s", words, reason, input);
  free(words);
  return EXIT_USAGE;
}

static void see_tensor(void *context, const cli_input *input)
{
  if (input->tensor || input->format == SPW_FORMAT_NPZ || input->format == SPW_FORMAT_MTX || input->format == SPW_FORMAT_NPY)
    *(bool *)context = true;
}

/* Does it exist, and hold a tensor, valid or not? */
static bool reads_as_tensor(const identity *output, const char *path)
{
  bool is_one = false;
  if (!output->name && S_ISREG(output->file.st_mode)) visit_file(path, NULL, 0, see_tensor, &is_one);
  return is_one;
}

/* A standard stream, and nothing, have the identity of no file. */
static int claim(const char *command, const cli_output *output, const file_list *inputs,
                 identity *found)
{
  if (!output->path || is_standard_stream(output->path)) return -1;
  if (!identify(output->path, found)) return report_unwritten(command, output->path, strerror(errno));
  const char *input = find_input(found, inputs);
  if (input) return refuse_output(command, output, "would overwrite the input ", input);
  if (is_stream(found, STDOUT_FILENO) || is_stream(found, STDERR_FILENO))
    return refuse_output(command, output, "is where standard output or the messages go", "");
  if (output->is_report && reads_as_tensor(found, output->path))
    return refuse_output(command, output, "would overwrite a tensor with a report", "");
  return -1;
}

static bool collide(const cli_output *a, const identity *of_a, const cli_output *b,
                    const identity *of_b)
{
  if (!a->path || !b->path) return false;
  if (is_standard_stream(a->path) || is_standard_stream(b->path))
    return strcmp(a->path, b->path) == 0;
  return is_same_output(of_a, of_b);
}

int claim_outputs(const char *command, const cli_output outputs[], int count,
                  const file_list *inputs)
{
  identity *found = allocate((size_t)count, sizeof *found);
  int refused = -1;
  for (int i = 0; i < count && refused < 0; i++) {
    refused = claim(command, &outputs[i], inputs, &found[i]);
    for (int k = 0; k < i && refused < 0; k++)
      if (collide(&outputs[k], &found[k], &outputs[i], &found[i]))
        refused = usage_error(command, "--%s and --%s are the same file, %s", outputs[k].option,
                              outputs[i].option, outputs[i].path);
  }
  free(found);
  return refused;
}

int write_output(const char *command, const cli_output *output, const cli_text *text)
{
  spw_error error;
  if (!is_standard_stream(output->path))
    return write_file(output->path, text->bytes, text->size, &error) ? EXIT_VALID
                                                                      : report_unwritten(command, output->path, error.message);
  print_bytes(text->bytes, text->size);
  return finish_output(EXIT_VALID);
}
