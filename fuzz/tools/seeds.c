/* SPDX-License-Identifier: Apache-2.0 */
/* seeds DIRECTORY < TENSORS.jsonl: every tensor of the file as seeds, below directories that exist:
 * models/ (encoded), and json/, mtx/, npz/ and npy/ (files, where the format can say it). Prints how many. */
#define _POSIX_C_SOURCE 200809L /* getline */
#include "../harness/mutator.h"
#include "../inputs/violations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM = 400, LARGEST = 10000 };

static long written[FUZZ_FORMATS + 1], beyond;

static void save(const char *directory, const char *kind, long number, const void *bytes,
                 size_t size)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s/%05ld", directory, kind, number);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
    perror(path);
    exit(2);
  }
}

static void save_model(const char *directory, const fuzz_model *model)
{
  uint8_t bytes[FUZZ_INPUT];
  const size_t size = fuzz_encode(model, bytes, sizeof bytes);
  if (size == 0) beyond++;
  else save(directory, "models", written[FUZZ_FORMATS]++, bytes, size);
}

static void save_files(const char *directory, const spw_tensor *tensor)
{
  for (int f = 0; f < FUZZ_FORMATS; f++) {
    if (f != FUZZ_JSON && fuzz_volume(tensor) > LARGEST) continue;
    void *bytes;
    size_t size;
    if (fuzz_formats[f].write(tensor, &bytes, &size, NULL) != SPW_OK) continue;
    save(directory, fuzz_formats[f].name, written[f]++, bytes, size);
    free(bytes);
  }
}

static void save_line(const char *directory, const char *line, size_t size)
{
  static fuzz_model model;
  spw_owned *owned;
  spw_error error;
  if (spw_read_json(line, size, 0, &owned, &error) != SPW_OK) {
    fprintf(stderr, "seeds: %s: %s\n", error.where, error.message);
    exit(2);
  }
  if (fuzz_model_of(spw_owned_tensor(owned), &model)) save_model(directory, &model);
  else beyond++;
  save_files(directory, spw_owned_tensor(owned));
  spw_owned_free(owned);
}

/* The operand again and again, with other contents and another violation each time. */
static void save_several(const char *directory, fuzz_model *model, int64_t operands)
{
  for (; model->operands < operands; model->operands++) {
    fuzz_operand *const next = &model->operand[model->operands];
    *next = model->operand[0];
    next->built.seed += model->operands;
    next->built.violation = (next->built.violation + model->operands) % FUZZ_VIOLATIONS;
  }
  if (operands > 1) save_model(directory, model);
}

/* A small matrix for every format, of values of every type and class. */
static void save_values(const char *directory)
{
  enum { CHOICES = (SPW_DTYPE_COUNT - 1) * FUZZ_CLASSES * FUZZ_FORMATS };
  static fuzz_model model = {.operands = 1};
  fuzz_built *const b = &model.operand[0].built;
  model.operand[0].kind = FUZZ_BUILT;
  for (int i = 0; i < CHOICES; i++) {
    model.operation = (uint8_t)(i % FUZZ_FORMATS);
    b->plan = (plan){.layout = SPW_COO, .index_dtype = SPW_INT64, .has_size = true,
                     .coalesced = SPW_CLAIM_NONE, .block = {1, 1}, .sparse_dim = 2,
                     .sparse_size = {3, 3}, .nse = 2};
    b->dtype = (spw_dtype)(1 + i / FUZZ_FORMATS % (SPW_DTYPE_COUNT - 1));
    b->values.classes = (int64_t)1 << i / (CHOICES / FUZZ_CLASSES);
    b->values.start = i;
    b->values.step = 1;
    save_model(directory, &model);
  }
}

/* A small dense array for the formats that can say it, of values of every type and class. */
static void save_dense_values(const char *directory)
{
  static const int operations[] = {FUZZ_JSON, FUZZ_NPY};
  static fuzz_model model = {.operands = 1};
  static fuzz_tensor tensor;
  fuzz_member *const m = &model.operand[0].free.members[FUZZ_VALUES];
  model.operand[0].kind = FUZZ_DENSE;
  for (int i = 0; i < 2 * (SPW_DTYPE_COUNT - 1) * FUZZ_CLASSES; i++) {
    model.operation = (uint8_t)operations[i % 2];
    *m = (fuzz_member){.dtype = (spw_dtype)(1 + i / 2 % (SPW_DTYPE_COUNT - 1)), .ndim = 3,
                       .shape = {2, 1, 3}, .strides = {1, 7, 2}, .c_order = i % 3 > 0, .fits = true};
    m->contents = (fuzz_contents){.classes = (int64_t)1 << i % FUZZ_CLASSES, .start = i, .step = 1};
    save_model(directory, &model);
    fuzz_build_whole(&model, 0, &tensor);
    const spw_tensor dense = fuzz_dense_of(&tensor);
    if (tensor.has_values) save_files(directory, &dense);
  }
}

/* Small valid tensors, and ones with a named violation; some of them again and again. */
static void save_random(const char *directory)
{
  static fuzz_model model;
  static fuzz_tensor tensor;
  for (uint64_t i = 0; i < RANDOM; i++) {
    dice d = {i};
    fuzz_random_model(&model, &d);
    save_model(directory, &model);
    save_several(directory, &model, 1 + (int64_t)i % FUZZ_OPERANDS);
    model.operands = 1;
    model.operand[0].built.violation = model.operand[0].built.changes = 0;
    fuzz_build_whole(&model, 0, &tensor);
    if (tensor.has_values && i % 4 == 0) save_files(directory, &tensor.tensor);
  }
}

int main(int argc, char **argv)
{
  char *line = NULL;
  size_t capacity = 0;
  ssize_t size;
  if (argc != 2) {
    fputs("usage: seeds DIRECTORY < TENSORS.jsonl\n", stderr);
    return 2;
  }
  while ((size = getline(&line, &capacity, stdin)) > 0) save_line(argv[1], line, (size_t)size);
  free(line);
  save_random(argv[1]);
  save_values(argv[1]);
  save_dense_values(argv[1]);
  printf("seeds: %ld models", written[FUZZ_FORMATS]);
  for (int f = 0; f < FUZZ_FORMATS; f++) printf(", %ld %s", written[f], fuzz_formats[f].name);
  printf("; %ld tensors are too large for a model\n", beyond);
  return written[FUZZ_FORMATS] > 0 ? 0 : 2;
}
