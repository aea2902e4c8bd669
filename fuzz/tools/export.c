/* SPDX-License-Identifier: Apache-2.0 */
/* export INPUT: writes the tensors that an input of the fuzz targets stands for, one a line, as a file
 * for spw check, to standard output. Inputs of the targets json, mtx and npz are such files already. */
#include "../inputs/model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG_CALL = 2, UNREADABLE = 3, UNWRITTEN = 70 };

static int fail(const char *path, const char *message)
{
  fprintf(stderr, "export: %s: %s\n", path, message);
  return UNREADABLE;
}

static size_t read_input(const char *path, uint8_t bytes[FUZZ_INPUT + 1])
{
  FILE *const file = fopen(path, "rb");
  if (!file) return 0;
  const size_t size = fread(bytes, 1, FUZZ_INPUT + 1, file);
  fclose(file);
  return size;
}

static int refuse_version(const char *path, uint8_t version)
{
  char message[160];
  snprintf(message, sizeof message,
           "is an input of version %d, and this program reads version %d; an input of the targets "
           "json, mtx and npz is itself a file for spw check", version, FUZZ_VERSION);
  return fail(path, message);
}

static int write_output(const void *bytes, size_t size)
{
  errno = 0;
  if (fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0) return 0;
  fprintf(stderr, "export: cannot write to standard output: %s\n", strerror(errno));
  return UNWRITTEN;
}

int main(int argc, char **argv)
{
  static fuzz_model model;
  static uint8_t bytes[FUZZ_INPUT + 1];
  void *text;
  size_t length;
  spw_error error;
  if (argc != 2) return fputs("usage: export INPUT >FILE.spw.jsonl\n", stderr), WRONG_CALL;
  const char *const input = argv[1];
  const size_t size = read_input(input, bytes);
  if (size == 0) return fail(input, "cannot be read, or is empty");
  if (size > FUZZ_INPUT) return fail(input, "is longer than any input of a fuzz target");
  if (!fuzz_decode(bytes, size, &model)) return refuse_version(input, bytes[size - 1]);
  if (fuzz_write_lines(&model, &text, &length, &error)) return fail(input, error.message);
  const int code = write_output(text, length);
  free(text);
  return code;
}
