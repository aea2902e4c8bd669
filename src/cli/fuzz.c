/* SPDX-License-Identifier: Apache-2.0 */
/* spw fuzz export: what a fuzzer's input means, as a tensor file. The encoding is that of fuzz/. */
#include "cli.h"

#include "../../fuzz/model.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char *const help =
    "Usage: spw fuzz export INPUT [-o FILE]\n"
    "\n"
    "Writes the tensor that an input of the fuzz targets stands for as a tensor file,\n"
    "to standard output unless -o names a file.\n"
    "\n"
    "Inputs of the targets json, mtx and npz are such files already.\n"
    "\n"
    "  -o, --output=FILE      where to write; .spw.json is the usual ending\n"
    "  -h, --help             print this help\n";

static int fail(const char *path, const char *message)
{
  char *const name = escape_text(path);
  fprintf(stderr, "spw fuzz: %s: %s\n", name, message);
  free(name);
  return EXIT_UNREADABLE;
}

/* read_whole_file would look for a known format. */
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
           "is an input of version %d, and this spw reads version %d; an input of the targets "
           "json, mtx and npz is itself a file for spw check", version, FUZZ_VERSION);
  return fail(path, message);
}

static int write_output(const char *path, const void *bytes, size_t size)
{
  FILE *const file = path ? fopen(path, "wb") : stdout;
  if (!file) return fail(path, "cannot be written");
  const bool written = fwrite(bytes, 1, size, file) == size;
  if (!path) return finish_output(written ? EXIT_VALID : EXIT_INTERNAL);
  return fclose(file) == 0 && written ? EXIT_VALID : fail(path, "cannot be written");
}

static int export_input(const char *input, const char *output)
{
  static fuzz_model model;
  static fuzz_tensor tensor;
  static uint8_t bytes[FUZZ_INPUT + 1];
  void *text;
  size_t length;
  spw_error error;
  const size_t size = read_input(input, bytes);
  if (size == 0) return fail(input, "cannot be read, or is empty");
  if (size > FUZZ_INPUT) return fail(input, "is longer than any input of a fuzz target");
  if (!fuzz_decode(bytes, size, &model)) return refuse_version(input, bytes[size - 1]);
  fuzz_build_whole(&model, &tensor);
  if (!tensor.has_values) return fail(input, "has values beyond what a file holds element by element");
  if (spw_write_json(&tensor.tensor, &text, &length, &error)) return fail(input, error.message);
  const int code = write_output(output, text, length);
  free(text);
  return code;
}

int command_fuzz(int argc, char **argv)
{
  static const struct option options[] = {
      {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {0, 0, NULL, 0}};
  const char *output = NULL;
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
    if (code == 'h') {
      fputs(help, stdout);
      return finish_output(EXIT_VALID);
    }
    if (code != 'o') return option_error("fuzz", argv, code);
    output = optarg;
  }
  if (argc - optind != 2 || strcmp(argv[optind], "export") != 0)
    return usage_error("fuzz", "what is wanted is: spw fuzz export INPUT [-o FILE]");
  return export_input(argv[optind + 1], output);
}
