/* SPDX-License-Identifier: Apache-2.0 */
/* Somebody's library: it accepts what is valid, survives the use of whatever it accepts, writes to no operand, and what it
 * converts means what it meant. FUZZ_LENIENT=1 in the environment: it may reject valid tensors, and accept invalid ones as long
 * as it survives. */
#include "../library.h"
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* README.md has these limits. */
enum { WORK = 10000, LARGEST = 1 << 12 };

static bool is_small(const spw_tensor *x)
{
  for (int64_t d = 0; x->has_size && d < x->ndim; d++)
    if (x->size[d] > LARGEST) return false;
  return fuzz_volume(x) <= WORK;
}

__attribute__((weak)) fuzz_answer fuzz_library_convert(const spw_tensor *tensor, spw_tensor *result, spw_zeros *zeros)
{
  (void)tensor, (void)result, (void)zeros;
  return FUZZ_UNSUPPORTED;
}

/* How far it came with it. */
enum { ASKED, ACCEPTED, CONVERTED, JUDGED };
static fuzz_counts counts = {.target = "library", .what = {"asked", "accepted", "converted", "conversions judged"}};

/* Bytes of a bool but 0 and 1 are no value to a compiler. */
static bool has_odd_bools(const spw_tensor *t)
{
  const spw_array *const v = &t->values.array;
  for (int64_t k = 0; v->dtype == SPW_BOOL && k < v->length; k++)
    if (((const uint8_t *)t->values.data)[k] > 1) return true;
  return false;
}

static bool is_named(spw_dtype dtype)
{
  return dtype == SPW_DTYPE_NONE || spw_dtype_size(dtype) > 0;
}

/* A library in C++ may not so much as load a number that is none of an enum's. */
static bool has_named_types(const spw_tensor *t)
{
  return is_named(t->index_dtype) && is_named(t->dtype) && is_named(t->compressed.array.dtype) &&
         is_named(t->plain.array.dtype) && is_named(t->values.array.dtype);
}

/* ---- What it is asked about, once more ------------------------------------------------------- */

/* A tensor whose storages nobody else has. */
typedef struct copy {
  spw_tensor tensor;
  _Alignas(16) char storage[FUZZ_MEMBERS][16 * FUZZ_ELEMENTS];
} copy;

static size_t bytes_of(const spw_array *a)
{
  const int64_t size = spw_dtype_size(a->dtype);
  return (size_t)a->length * (size_t)(size ? size : 1); /* as build.c has it */
}

static void copy_indices(spw_index_array *a, char *storage)
{
  if (a->array.length > 0) memcpy(storage, fuzz_index_data(a), bytes_of(&a->array));
  a->raw = storage;
  a->i32 = a->array.dtype == SPW_INT32 ? (const int32_t *)a->raw : NULL;
  a->i64 = a->array.dtype == SPW_INT64 ? (const int64_t *)a->raw : NULL;
}

static void copy_tensor(const spw_tensor *t, copy *c)
{
  c->tensor = *t;
  if (t->layout != SPW_COO) copy_indices(&c->tensor.compressed, c->storage[FUZZ_COMPRESSED]);
  copy_indices(&c->tensor.plain, c->storage[FUZZ_PLAIN]);
  if (t->values.array.length > 0) memcpy(c->storage[FUZZ_VALUES], t->values.data, bytes_of(&t->values.array));
  c->tensor.values.data = c->storage[FUZZ_VALUES];
}

static void expect_unwritten(const spw_tensor *t, const copy *c)
{
  if (!fuzz_same_tensor(t, &c->tensor, true)) fuzz_fail("the library writes to its operand", "%s", oracle_describe(&c->tensor));
}

/* ---- Seeds ------------------------------------------------------------------------------------ */

/* FUZZ_SEEDS=DIRECTORY: writes the long models there, and ends. */
static void write_seeds(const char *directory)
{
  static fuzz_model model;
  static uint8_t bytes[FUZZ_INPUT];
  bool valid;
  for (int64_t number = 0; fuzz_long_model(number, &valid, &model); number++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/long-%d", directory, (int)number);
    const size_t size = fuzz_encode(&model, bytes, sizeof bytes);
    FILE *const file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
      perror(path);
      exit(70);
    }
  }
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  const char *const directory = getenv("FUZZ_SEEDS");
  if (!directory) return 0;
  write_seeds(directory);
  exit(0);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

/* What the certifier does not take, as COO out of order, is not judged. */
static void convert(const spw_tensor *t, const copy *c)
{
  spw_tensor result = {.coalesced = SPW_CLAIM_NONE};
  spw_zeros zeros = SPW_ZEROS_KEPT;
  spw_refusal refusal;
  bool same = false;
  const fuzz_answer answer = fuzz_library_convert(t, &result, &zeros);
  expect_unwritten(t, c);
  if (answer == FUZZ_UNSUPPORTED) return;
  counts.number[CONVERTED]++;
  if (answer == FUZZ_REJECTS) fuzz_fail("the library does not convert a valid tensor", "%s", oracle_describe(t));
  const spw_status status = spw_certify(&c->tensor, &result, zeros, &same, &refusal);
  if (status == SPW_EINVALID)
    fuzz_fail("the library converts to an invalid tensor", "rule %s\n%s", spw_rule_get(refusal.violation.rule)->id,
              oracle_describe(t));
  if (status == SPW_EINVAL || status == SPW_EOVERFLOW) fuzz_fail("the library converts to no tensor", "%s", oracle_describe(t));
  if (status == SPW_OK && !same) fuzz_fail("the library converts to another tensor", "%s", oracle_describe(t));
  counts.number[JUDGED] += status == SPW_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static copy kept;
  bool valid;
  fuzz_say_at_end(&counts);
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *built = fuzz_tensor_from(model, 0, WORK);
  if (!built || !built->has_values || !is_small(&built->tensor) || !has_named_types(&built->tensor)) return 0;
  const spw_tensor *const t = &built->tensor;
  if (spw_is_valid(t, SPW_CANONICAL, &valid) != SPW_OK) return 0;
  copy_tensor(t, &kept);
  const fuzz_answer answer = fuzz_library_check(t);
  expect_unwritten(t, &kept);
  if (answer == FUZZ_UNSUPPORTED) return 0;
  counts.number[ASKED]++;
  counts.number[ACCEPTED] += answer == FUZZ_ACCEPTS;
  if (answer == FUZZ_ACCEPTS) fuzz_library_use(t);
  expect_unwritten(t, &kept);
  if (valid && answer == FUZZ_ACCEPTS && !has_odd_bools(t)) convert(t, &kept);
  const bool lenient = fuzz_is_on("FUZZ_LENIENT");
  if (!lenient && valid && answer == FUZZ_REJECTS) fuzz_fail("the library rejects a valid tensor", "%s", oracle_describe(t));
  if (!lenient && !valid && answer == FUZZ_ACCEPTS) fuzz_fail("the library accepts an invalid tensor", "%s", oracle_describe(t));
  return 0;
}
