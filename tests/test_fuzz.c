/* SPDX-License-Identifier: Apache-2.0 */
/* The encoding of the fuzz targets: total, and the same there and back; and the program that shows an input. */
#define _XOPEN_SOURCE 700 /* popen */
#include "memory.h"

#include "../fuzz/mutator.h"
#include "../fuzz/violations.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 20000 };

static void expect_same_bytes(const fuzz_model *model)
{
  static uint8_t once[FUZZ_INPUT], twice[FUZZ_INPUT];
  static fuzz_model decoded;
  const size_t size = fuzz_encode(model, once, sizeof once);
  cr_assert(size > 0 && fuzz_decode(once, size, &decoded));
  const size_t again = fuzz_encode(&decoded, twice, sizeof twice);
  if (size != again || memcmp(once, twice, size)) cr_assert(false, "%zu and %zu bytes", size, again);
}

static bool is_wide(const spw_tensor *x)
{
  return x->plain.array.dtype == SPW_COMPLEX128 || x->compressed.array.dtype == SPW_COMPLEX128 ||
         x->values.array.dtype == SPW_COMPLEX128;
}

Test(fuzz, any_bytes_are_a_model_that_encodes)
{
  static fuzz_model model, copy;
  static fuzz_tensor tensor, again;
  long spelled_out = 0;
  for (uint64_t run = 0; run < RUNS; run++) {
    dice d = {run};
    uint8_t bytes[200];
    const size_t size = 1 + (size_t)roll_below(&d, sizeof bytes);
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)roll_below(&d, roll_below(&d, 2) ? 12 : 256);
    bytes[size - 1] = FUZZ_VERSION;
    if (!fuzz_decode(bytes, size, &model)) cr_assert(false, "not decoded");
    expect_same_bytes(&model);
    fuzz_build_whole(&model, &tensor);
    if (!tensor.has_values || !fuzz_model_of(&tensor.tensor, &copy)) continue;
    if (tensor.tensor.values.array.length > FUZZ_LITERALS) continue; /* values may then be lost */
    expect_same_bytes(&copy);
    char *text = NULL, *same = NULL;
    size_t length = 0, same_length = 0;
    const spw_status status = spw_write_json(&tensor.tensor, (void **)&text, &length, NULL);
    fuzz_build_whole(&copy, &again);
    const spw_status second = spw_write_json(&again.tensor, (void **)&same, &same_length, NULL);
    /* of a complex128 the model keeps 8 bytes; a bool may be neither 0 nor 1 */
    if (status == SPW_OK && !is_wide(&tensor.tensor)) {
      cr_assert(second == SPW_OK && length == same_length && !memcmp(text, same, length), "run %lu\n%.*s",
                (unsigned long)run, (int)length, text);
      spelled_out++;
    }
    free(text);
    free(same);
  }
  cr_assert(spelled_out > RUNS / 20, "%ld", spelled_out);
  bool wrong_version = fuzz_decode((const uint8_t[]){FUZZ_VERSION + 1}, 1, &model);
  cr_assert(!wrong_version && !fuzz_decode(NULL, 0, &model));
}

Test(fuzz, changes_encode)
{
  static fuzz_model model;
  for (uint64_t run = 0; run < RUNS; run++) {
    uint8_t bytes[4096] = {0};
    size_t size = 0;
    for (uint64_t step = 0; step < 8; step++) {
      size = fuzz_mutate(NULL, bytes, size, sizeof bytes, run * 8 + step);
      if (size == 0 || size > sizeof bytes) cr_assert(false, "size %zu", size);
      if (!fuzz_decode(bytes, size, &model)) cr_assert(false, "another version");
    }
  }
}

/* A file that every format can say: a 2-D COO tensor. */
static size_t write_file(const fuzz_format *format, uint8_t *bytes, size_t capacity)
{
  static const int64_t size[] = {3, 4}, shape[] = {2, 3}, strides[] = {3, 1}, nse[] = {3},
                       one[] = {1};
  static const int64_t indices[] = {0, 1, 2, 3, 0, 1};
  static const float values[] = {1.5f, -2, 0};
  const spw_tensor tensor = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size,
                             .coalesced = SPW_CLAIM_NONE,
                             .plain = {{SPW_INT64, 2, shape, strides, 0, 6}, NULL, indices, NULL},
                             .values = {{SPW_FLOAT32, 1, nse, one, 0, 3}, values}};
  void *file;
  size_t length;
  cr_assert(format->write(&tensor, &file, &length, NULL) == SPW_OK && length <= capacity);
  memcpy(bytes, file, length);
  free(file);
  return length;
}

Test(fuzz, changed_files_are_often_files)
{
  for (int f = 0; f < FUZZ_FORMATS; f++) {
    long accepted = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
      uint8_t bytes[4096];
      spw_owned *owned;
      size_t size = write_file(&fuzz_formats[f], bytes, sizeof bytes);
      size = fuzz_mutate(&fuzz_formats[f], bytes, size, sizeof bytes, run);
      if (size == 0 || size > sizeof bytes) cr_assert(false, "size %zu", size);
      if (fuzz_formats[f].read(bytes, size, 0, &owned, NULL) != SPW_OK) continue;
      spw_owned_free(owned);
      accepted++;
    }
    cr_assert(accepted > RUNS / 10, "%s: %ld", fuzz_formats[f].name, accepted);
  }
}

Test(fuzz, violations_are_what_they_are_called)
{
  static fuzz_model model;
  static fuzz_tensor t;
  long known[FUZZ_VIOLATIONS] = {0};
  for (uint64_t run = 0; run < RUNS; run++) {
    dice d = {run};
    spw_report report;
    fuzz_random_model(&model, &d);
    const fuzz_built *b = &model.built;
    fuzz_build(&model, &t);
    const fuzz_truth truth = fuzz_violate(&t.specimen, &b->plan, b->violation, b->where, b->amount);
    known[b->violation] += truth.known;
    cr_assert(spw_check(&t.specimen.tensor, SPW_CANONICAL, &report) == SPW_OK);
    const char *wrong = fuzz_contradiction(&truth, &t.specimen.tensor, &report);
    if (wrong) cr_assert(false, "run %lu, violation %d: %s", (unsigned long)run, (int)b->violation, wrong);
    report.valid = !report.valid; /* a wrong verdict must be noticed */
    if (truth.known) cr_assert(fuzz_contradiction(&truth, &t.specimen.tensor, &report) != NULL);
  }
  for (int v = 0; v < FUZZ_VIOLATIONS; v++) cr_assert(known[v] > 20, "violation %d: %ld", v, known[v]);
}

static size_t output_of(const char *command, char *text, size_t capacity)
{
  FILE *pipe = popen(command, "r");
  cr_assert(pipe != NULL);
  const size_t size = fread(text, 1, capacity, pipe);
  pclose(pipe);
  return size;
}

/* Beside the command that is tested. */
static void find_program(char *path, size_t capacity)
{
  const char *spw = getenv("SPW") ? getenv("SPW") : "build/spw", *slash = strrchr(spw, '/');
  cr_assert(slash != NULL);
  snprintf(path, capacity, "%.*s/fuzz/export", (int)(slash - spw), spw);
}

Test(fuzz, export_writes_the_tensor)
{
  static const int64_t size[] = {2, 3}, three[] = {3}, two[] = {2}, one[] = {1};
  static const int64_t compressed[] = {0, 1, 9}, plain[] = {0, -5};
  static const float values[] = {1.5f, -2};
  const spw_tensor tensor = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                             .coalesced = SPW_CLAIM_NONE,
                             .compressed = {{SPW_INT64, 1, three, one, 0, 3}, NULL, compressed, NULL},
                             .plain = {{SPW_INT64, 1, two, one, 0, 2}, NULL, plain, NULL},
                             .values = {{SPW_FLOAT32, 1, two, one, 0, 2}, values}};
  static fuzz_model model;
  static uint8_t bytes[FUZZ_INPUT];
  char program[512];
  char path[] = P_tmpdir "/spw-fuzz-XXXXXX", command[600], text[2048];
  void *wanted;
  size_t length;
  find_program(program, sizeof program);
  cr_assert(fuzz_model_of(&tensor, &model));
  const size_t encoded = fuzz_encode(&model, bytes, sizeof bytes);
  const int file = mkstemp(path);
  FILE *stream = fdopen(file, "wb");
  cr_assert(stream && fwrite(bytes, 1, encoded, stream) == encoded && !fclose(stream));
  snprintf(command, sizeof command, "%s %s", program, path);
  const size_t got = output_of(command, text, sizeof text);
  cr_assert(spw_write_json(&tensor, &wanted, &length, NULL) == SPW_OK);
  cr_assert(got == length && !memcmp(text, wanted, length), "%.*s", (int)got, text);
  stream = fopen(path, "ab");
  cr_assert(stream && fputc(FUZZ_VERSION + 6, stream) != EOF && !fclose(stream));
  snprintf(command, sizeof command, "%s %s 2>&1", program, path);
  text[output_of(command, text, sizeof text - 1)] = 0;
  cr_assert(strstr(text, "of version 7, and this program reads version 1"), "%s", text);
  remove(path);
  free(wanted);
  expect_no_leaks();
}

/* ---- The program export ------------------------------------------------------------------------ */

static char file_name[] = P_tmpdir "/spw-fuzz-XXXXXX";

static void write_file_named(const void *bytes, size_t size)
{
  FILE *stream = fopen(file_name, "wb");
  cr_assert(stream && fwrite(bytes, 1, size, stream) == size && !fclose(stream));
}

static void write_input(const spw_tensor *tensor)
{
  static fuzz_model model;
  static uint8_t bytes[FUZZ_INPUT];
  cr_assert(fuzz_model_of(tensor, &model));
  write_file_named(bytes, fuzz_encode(&model, bytes, sizeof bytes));
}

/* Runs "export ARGUMENTS"; %s stands for the file. What it prints must contain `text`. */
static void expect_export(const char *arguments, int status, const char *text)
{
  char command[1200], shown[1 << 16], program[512];
  const char *at = strstr(arguments, "%s");
  const int before = at ? (int)(at - arguments) : (int)strlen(arguments);
  find_program(program, sizeof program);
  snprintf(command, sizeof command, "(%s %.*s%s%s; echo \" status $?\") 2>&1", program, before,
           arguments, at ? file_name : "", at ? at + 2 : "");
  shown[output_of(command, shown, sizeof shown - 1)] = 0;
  char wanted[32];
  snprintf(wanted, sizeof wanted, " status %d\n", status);
  cr_assert(strstr(shown, text) && strstr(shown, wanted), "%s: %s", command, shown);
}

/* COO with one dimension: `nse` indices of a type, and as many values. */
static spw_tensor column_of(const int64_t *shape, spw_dtype type, const void *indices,
                            const void *values) {
  static const int64_t one[] = {1, 1};
  return (spw_tensor){.layout = SPW_COO,
                      .coalesced = SPW_CLAIM_NONE,
                      .plain = {{type, 2, shape, one, 0, shape[1]},
                                NULL,
                                type == SPW_INT64 ? indices : NULL,
                                indices},
                      .values = {{SPW_INT8, 1, shape + 1, one, 0, shape[1]}, values}};
}

Test(fuzz, export_says_why_not)
{
  static const int64_t few[] = {1, 2}, most[] = {1, FUZZ_LITERALS}, more[] = {1, FUZZ_ELEMENTS + 1};
  static int64_t indices[FUZZ_ELEMENTS];
  static const char values[FUZZ_ELEMENTS + 1];
  static const uint8_t long_input[FUZZ_INPUT + 1];
  const int file = mkstemp(file_name);
  cr_assert(file >= 0 && !close(file));
  expect_export("%s", 3, "cannot be read, or is empty");
  expect_export("/no/such/file", 3, "cannot be read, or is empty");
  write_file_named(long_input, sizeof long_input);
  expect_export("%s", 3, "longer than any input");
  spw_tensor tensor = column_of(more, SPW_INT64, indices, values);
  tensor.plain.array.length = FUZZ_ELEMENTS;
  write_input(&tensor);
  expect_export("%s", 3, "values beyond what a file holds");
  tensor = column_of(few, (spw_dtype)99, values, values);
  write_input(&tensor);
  expect_export("%s", 3, "export: ");
  tensor = column_of(few, SPW_INT64, indices, values);
  write_input(&tensor);
  expect_export("%s >/dev/full", 70, "cannot write to standard output"); /* seen when it is flushed */
  for (int i = 0; i < FUZZ_LITERALS; i++)
    indices[i] = INT64_MAX - i; /* more text than a buffer holds */
  tensor = column_of(most, SPW_INT64, indices, values);
  write_input(&tensor);
  expect_export("%s >/dev/full", 70, "cannot write to standard output");
  expect_export("%s", 0, "\"layout\":\"coo\"");
  expect_export("", 2, "usage: export INPUT");
  expect_export("export %s", 2, "usage: export INPUT");
  remove(file_name);
  expect_no_leaks();
}
