/* SPDX-License-Identifier: Apache-2.0 */
/* The encoding of the fuzz targets: total, and the same there and back; and the program that shows an input. */
#define _XOPEN_SOURCE 700 /* popen */
#include "../support/memory.h"

#include "../../fuzz/harness/mutator.h"
#include "../../fuzz/inputs/violations.h"

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

/* All that the model of it does not say is values beyond FUZZ_LITERALS words. */
static bool fits_in_a_model(const spw_tensor *x)
{
  return x->values.array.length * fuzz_words(x->values.array.dtype) <= FUZZ_LITERALS;
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
    fuzz_build_whole(&model, 0, &tensor);
    if (!tensor.has_values || !fuzz_model_of(&tensor.tensor, &copy)) continue;
    if (!fits_in_a_model(&tensor.tensor)) continue; /* values may then be lost */
    expect_same_bytes(&copy);
    char *text = NULL, *same = NULL;
    size_t length = 0, same_length = 0;
    const spw_status status = spw_write_json(&tensor.tensor, (void **)&text, &length, NULL);
    fuzz_build_whole(&copy, 0, &again);
    const spw_status second = spw_write_json(&again.tensor, (void **)&same, &same_length, NULL);
    if (status == SPW_OK) { /* a bool may be neither 0 nor 1 */
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

/* A file that the format can say: a 2-D COO tensor, or the same numbers as an array. */
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
  spw_tensor dense = tensor;
  dense.layout = SPW_DENSE;
  void *file;
  size_t length;
  const spw_tensor *written = format == &fuzz_formats[FUZZ_NPY] ? &dense : &tensor;
  cr_assert(format->write(written, &file, &length, NULL) == SPW_OK && length <= capacity);
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
    const fuzz_built *b = &model.operand[0].built;
    fuzz_build(&model, 0, &t);
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

/* ---- Several operands --------------------------------------------------------------------------- */

/* Some input of this version: short, mostly small numbers. */
static size_t random_input(uint64_t run, uint8_t *bytes, size_t capacity)
{
  dice d = {run};
  const size_t size = 1 + (size_t)roll_below(&d, (int64_t)capacity);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)roll_below(&d, roll_below(&d, 2) ? 12 : 256);
  bytes[size - 1] = FUZZ_VERSION;
  return size;
}

Test(fuzz, any_bytes_have_operands_of_every_number_and_kind)
{
  static fuzz_model model;
  long operands[FUZZ_OPERANDS + 1] = {0}, kinds[FUZZ_KINDS] = {0},
                                parameters[FUZZ_PARAMETERS + 1] = {0};
  for (uint64_t run = 0; run < RUNS; run++) {
    uint8_t bytes[200];
    cr_assert(fuzz_decode(bytes, random_input(run, bytes, sizeof bytes), &model));
    if (model.operands < 1 || model.operands > FUZZ_OPERANDS) cr_assert(false, "operands");
    if (model.parameters < 0 || model.parameters > FUZZ_PARAMETERS) cr_assert(false, "parameters");
    operands[model.operands]++;
    parameters[model.parameters]++;
    for (int64_t i = 0; i < model.operands; i++) kinds[model.operand[i].kind]++;
  }
  for (int i = 1; i <= FUZZ_OPERANDS; i++)
    cr_assert(operands[i] > RUNS / 100, "%d operands: %ld", i, operands[i]);
  for (int i = 0; i <= FUZZ_PARAMETERS; i++)
    cr_assert(parameters[i] > RUNS / 100, "%d parameters: %ld", i, parameters[i]);
  for (int i = 0; i < FUZZ_KINDS; i++)
    cr_assert(kinds[i] > RUNS / 100, "kind %d: %ld", i, kinds[i]);
}

/* What one operand is does not depend on the others, neither in the bytes nor in memory. */
Test(fuzz, operands_do_not_disturb_each_other)
{
  static fuzz_model together, decoded, alone;
  static fuzz_tensor several[FUZZ_OPERANDS];
  static uint8_t bytes[FUZZ_INPUT];
  long compared = 0;
  for (uint64_t run = 0; run < RUNS / 10; run++) {
    dice d = {run};
    fuzz_random_model(&together, &d);
    while (together.operands < FUZZ_OPERANDS) {
      fuzz_random_model(&alone, &d);
      together.operand[together.operands++] = alone.operand[0];
    }
    const size_t size = fuzz_encode(&together, bytes, sizeof bytes);
    cr_assert(size > 0 && fuzz_decode(bytes, size, &decoded) && decoded.operands == FUZZ_OPERANDS);
    for (int64_t i = 0; i < FUZZ_OPERANDS; i++) fuzz_build_whole(&decoded, i, &several[i]);
    for (int64_t i = 0; i < FUZZ_OPERANDS; i++) {
      char *text, *same;
      size_t length, same_length;
      if (!several[i].has_values ||
          spw_write_json(&several[i].tensor, (void **)&text, &length, NULL))
        continue;
      alone.operands = 1;
      alone.parameters = 0;
      alone.operand[0] = decoded.operand[i];
      cr_assert(fuzz_write_lines(&alone, (void **)&same, &same_length, &(spw_error){"", ""}) ==
                SPW_OK);
      cr_assert(length == same_length && !memcmp(text, same, length), "run %lu, operand %d",
                (unsigned long)run, (int)i);
      fuzz_build_whole(&decoded, 0, &several[0]); /* whose storages were used just now */
      free(text);
      free(same);
      compared++;
    }
  }
  cr_assert(compared > RUNS / 10, "%ld", compared);
}

Test(fuzz, lines_have_all_operands)
{
  static fuzz_model model;
  static fuzz_tensor t;
  dice d = {7};
  spw_error error;
  void *text, *line;
  size_t length, end = 0, size;
  fuzz_random_model(&model, &d);
  model.operand[0].built.changes = model.operand[0].built.violation = 0;
  for (int i = 1; i < FUZZ_OPERANDS; i++) model.operand[i] = model.operand[0];
  model.operands = FUZZ_OPERANDS;
  fuzz_member *array = &model.operand[1].free.members[FUZZ_VALUES];
  model.operand[1].kind = FUZZ_DENSE;
  *array = (fuzz_member){.dtype = SPW_INT16,
                         .ndim = 2,
                         .shape = {2, 3},
                         .strides = {1, 2},
                         .fits = true,
                         .contents = {.start = -3, .step = 1}};
  cr_assert(fuzz_write_lines(&model, &text, &length, &error) == SPW_OK);
  for (int64_t i = 0; i < FUZZ_OPERANDS; i++) {
    fuzz_build_whole(&model, i, &t);
    cr_assert(spw_write_json(&t.tensor, &line, &size, NULL) == SPW_OK);
    cr_assert(end + size <= length && !memcmp((char *)text + end, line, size), "operand %d",
              (int)i);
    end += size;
    free(line);
  }
  cr_assert(end == length);
  free(text);
  const char *wanted = "{\"spw\":1,\"layout\":\"coo\",\"indices\":{\"dtype\":\"int64\",\"shape\":["
                       "0,2],\"strides\":[1,1],\"data\":[]},"
                       "\"values\":{\"dtype\":\"int16\",\"shape\":[2,3],\"strides\":[1,2],\"data\":"
                       "[-3,-2,-1,0,1,2]}}\n";
  model.operand[0] = model.operand[1];
  model.operands = 1;
  cr_assert(fuzz_write_lines(&model, &text, &length, &error) == SPW_OK);
  cr_assert(length == strlen(wanted) && !memcmp(text, wanted, length), "%.*s", (int)length,
            (char *)text);
  free(text);
  model.operand[0].free.members[FUZZ_VALUES].shape[0] = FUZZ_ELEMENTS;
  cr_assert(fuzz_write_lines(&model, &text, &length, &error) == SPW_EUNSUPPORTED &&
            error.message[0]);
  expect_no_leaks();
}

/* A dense operand is a tensor that may be valid, so that every target can take one. */
Test(fuzz, a_dense_operand_is_a_tensor_without_indices)
{
  static fuzz_model model;
  static fuzz_tensor t;
  long valid = 0;
  for (uint64_t run = 0; run < RUNS / 10; run++) {
    dice d = {run};
    spw_report report;
    fuzz_random_model(&model, &d);
    while (model.operand[0].kind != FUZZ_DENSE) fuzz_change(&model, &d);
    fuzz_build_whole(&model, 0, &t);
    if (spw_check(&t.tensor, SPW_CANONICAL, &report) != SPW_OK) continue;
    cr_assert(t.tensor.layout == SPW_COO && t.tensor.plain.array.shape[0] == 0);
    valid += report.valid && t.has_values;
  }
  cr_assert(valid > RUNS / 40, "%ld", valid);
}

/* ---- Values ------------------------------------------------------------------------------------- */

static int64_t class_bits(uint64_t word, int width, int fraction)
{
  const uint64_t sign = word >> (width - 1) & 1, high = ((uint64_t)1 << (width - 1 - fraction)) - 1;
  const uint64_t exponent = word >> fraction & high, low = word & (((uint64_t)1 << fraction) - 1);
  if (exponent == high) return low ? FUZZ_NAN : FUZZ_INFINITY;
  if (exponent == 0 && low) return FUZZ_SUBNORMAL;
  if (exponent == 0) return sign ? FUZZ_MINUS_ZERO : FUZZ_ZERO;
  return FUZZ_NUMBER;
}

static const struct { spw_dtype dtype; int width, fraction; } floats[] = {
    {SPW_FLOAT16, 16, 10}, {SPW_BFLOAT16, 16, 7}, {SPW_FLOAT32, 32, 23}, {SPW_FLOAT64, 64, 52}};

/* Every class is what it is called, and reaches both signs and more than one number. */
Test(fuzz, classes_of_floats_are_what_they_are_called)
{
  for (size_t f = 0; f < sizeof floats / sizeof *floats; f++)
    for (int which = 0; which < FUZZ_BITS; which++) {
      const int width = floats[f].width, fraction = floats[f].fraction;
      const bool is_normal = which == FUZZ_SMALL || which == FUZZ_NUMBER;
      uint64_t all = 0, some = ~(uint64_t)0;
      long quiet = 0, signs[2] = {0, 0};
      for (uint64_t seed = 0; seed < 1000; seed++) {
        const uint64_t word = fuzz_word(floats[f].dtype, (fuzz_class)which, seed);
        const int64_t found = class_bits(word, width, fraction);
        if (width < 64) cr_assert(word >> width == 0, "more bits than the type has");
        if (which == FUZZ_EXTREME) cr_assert(found == FUZZ_NUMBER);
        else
          cr_assert(found == (is_normal ? FUZZ_NUMBER : which), "%s class %d seed %lu: %lx",
                    spw_dtype_name(floats[f].dtype), which, (unsigned long)seed,
                    (unsigned long)word);
        all |= word;
        some &= word;
        signs[word >> (width - 1)]++;
        quiet += (long)(word >> (fraction - 1) & 1);
      }
      if (which <= FUZZ_MINUS_ZERO) continue;
      cr_assert(signs[0] > 300 && signs[1] > 300 && all != some);
      if (which == FUZZ_NAN) cr_assert(quiet > 600 && quiet < 900, "%ld quiet", quiet);
    }
}

static double double_of(uint64_t bits)
{
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static float float_of(uint32_t bits)
{
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

Test(fuzz, small_and_extreme_numbers_of_every_type)
{
  bool seen[17] = {false};
  for (uint64_t seed = 0; seed < 1000; seed++) {
    const double number = double_of(fuzz_word(SPW_FLOAT64, FUZZ_SMALL, seed));
    cr_assert(number == (int)number && number != 0 && number >= -8 && number <= 8, "%g", number);
    seen[(int)number + 8] = true;
    const float other = float_of((uint32_t)fuzz_word(SPW_BFLOAT16, FUZZ_SMALL, seed) << 16);
    cr_assert(other == (float)(int)other && other != 0 && other >= -8 && other <= 8);
  }
  for (int i = 0; i <= 16; i++) cr_assert(seen[i] == (i != 8), "%d", i - 8);
  static const struct { spw_dtype dtype; int64_t low, high; } integers[] = {
      {SPW_UINT8, 0, UINT8_MAX}, {SPW_INT8, INT8_MIN, INT8_MAX}, {SPW_INT16, INT16_MIN, INT16_MAX},
      {SPW_INT32, INT32_MIN, INT32_MAX}, {SPW_INT64, INT64_MIN, INT64_MAX}, {SPW_BOOL, 0, 1}};
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
    bool lowest = false, highest = false;
    for (uint64_t seed = 0; seed < 1000; seed++) {
      const int64_t number = (int64_t)fuzz_word(integers[i].dtype, FUZZ_EXTREME, seed);
      cr_assert(number >= integers[i].low && number <= integers[i].high, "%s",
                spw_dtype_name(integers[i].dtype));
      lowest |= number == integers[i].low;
      highest |= number == integers[i].high;
      const int64_t small = (int64_t)fuzz_word(integers[i].dtype, FUZZ_SMALL, seed);
      cr_assert(small >= (integers[i].low ? -8 : 0) && small <= 8);
    }
    cr_assert(lowest && highest, "%s", spw_dtype_name(integers[i].dtype));
  }
}

/* Adds the classes of a storage to seen[type][class]; integers have a class less. */
static void count_classes(const spw_array *a, const char *data,
                          long seen[SPW_DTYPE_COUNT][FUZZ_CLASSES])
{
  for (size_t f = 0; f < sizeof floats / sizeof *floats; f++) {
    const bool is_part = (a->dtype == SPW_COMPLEX64 && floats[f].dtype == SPW_FLOAT32) ||
                         (a->dtype == SPW_COMPLEX128 && floats[f].dtype == SPW_FLOAT64);
    if (a->dtype != floats[f].dtype && !is_part) continue;
    for (int64_t i = 0; i < a->length * (is_part ? 2 : 1); i++) {
      uint64_t word = 0;
      memcpy(&word, data + i * floats[f].width / 8, (size_t)floats[f].width / 8);
      seen[a->dtype][class_bits(word, floats[f].width, floats[f].fraction)]++;
    }
  }
  for (int64_t i = 0; a->dtype <= SPW_INT64 && i < a->length; i++) {
    int64_t word = 0;
    memcpy(&word, data + i * spw_dtype_size(a->dtype), (size_t)spw_dtype_size(a->dtype));
    seen[a->dtype][word == 0 ? FUZZ_ZERO : word <= 8 ? FUZZ_SMALL : FUZZ_NUMBER]++;
  }
}

/* Every class of every type is among the values of what the mutator makes of nothing. */
Test(fuzz, every_type_and_class_of_value_is_reached)
{
  static long seen[SPW_DTYPE_COUNT][FUZZ_CLASSES];
  static fuzz_model model;
  static fuzz_tensor t;
  static uint8_t bytes[FUZZ_INPUT];
  for (uint64_t run = 0; run < RUNS; run++) {
    const size_t size = fuzz_mutate(NULL, bytes, 0, sizeof bytes, run);
    cr_assert(size > 0 && fuzz_decode(bytes, size, &model));
    for (int64_t i = 0; i < model.operands; i++) {
      fuzz_build_whole(&model, i, &t);
      if (t.has_values) count_classes(&t.tensor.values.array, t.tensor.values.data, seen);
    }
  }
  for (int type = SPW_BOOL; type < SPW_DTYPE_COUNT; type++) {
    const bool is_float = type >= SPW_FLOAT16;
    for (int which = 0; which < FUZZ_BITS; which++) {
      const bool possible = is_float
                                ? which != FUZZ_SMALL && which != FUZZ_EXTREME
                                : which == FUZZ_ZERO || which == FUZZ_SMALL || which == FUZZ_NUMBER;
      if (possible)
        cr_assert(seen[type][which] > 100, "%s class %d: %ld", spw_dtype_name((spw_dtype)type),
                  which, seen[type][which]);
    }
  }
}

/* The bits of an element are those that were asked for, of either half of a complex128 too. */
Test(fuzz, words_are_the_bits_of_the_storage)
{
  static const uint64_t words[] = {UINT64_C(0x7ff4dead00000001), UINT64_C(0x8000000000000000), 3,
                                   UINT64_C(0xfff8000000000000)};
  static fuzz_model model;
  static fuzz_tensor t;
  model.operands = 1;
  model.operand[0].kind = FUZZ_DENSE;
  fuzz_member *const m = &model.operand[0].free.members[FUZZ_VALUES];
  *m = (fuzz_member){.dtype = SPW_COMPLEX128,
                     .ndim = 1,
                     .shape = {3},
                     .c_order = true,
                     .fits = true,
                     .contents = {.start = -1, .count = 4, .patches = 1, .at = {2}, .value = {5}}};
  memcpy(m->contents.literal, words, sizeof words);
  fuzz_build_whole(&model, 0, &t);
  const uint64_t wanted[] = {words[0], words[1], 5, words[3], UINT64_MAX, UINT64_MAX};
  cr_assert(t.has_values && memcmp(t.tensor.values.data, wanted, sizeof wanted) == 0);
  m->dtype = SPW_BOOL;
  m->shape[0] = 5;
  m->contents.literal[0] = 7;
  fuzz_build_whole(&model, 0, &t);
  cr_assert(memcmp(t.tensor.values.data, "\7\0\5\0\1", 5) ==
            0); /* of the pattern, the lowest bit */
  m->dtype = SPW_FLOAT16;
  m->contents.count = m->contents.patches = 0;
  m->contents.classes = 1 << FUZZ_INFINITY;
  fuzz_build_whole(&model, 0, &t);
  for (int i = 0; i < 5; i++)
    cr_assert((((const uint16_t *)t.tensor.values.data)[i] & 0x7fff) == 0x7c00);
}

/* ---- Duplicates --------------------------------------------------------------------------------- */

/* How many tensors of random models have a coordinate twice, and are valid as they do not claim
 * otherwise. */
Test(fuzz, coo_comes_with_duplicates_too)
{
  static fuzz_model model;
  static fuzz_tensor t;
  long duplicates = 0;
  for (uint64_t run = 0; run < RUNS; run++) {
    dice d = {run};
    bool valid, canonical;
    fuzz_random_model(&model, &d);
    const fuzz_built *b = &model.operand[0].built;
    if (b->plan.layout != SPW_COO || b->plan.coalesced == SPW_CLAIM_YES || !b->plan.has_size)
      continue;
    fuzz_build(&model, 0, &t);
    spw_tensor claimed = t.tensor;
    claimed.coalesced = SPW_CLAIM_YES;
    cr_assert(spw_is_valid(&t.tensor, SPW_CANONICAL, &valid) == SPW_OK && valid);
    cr_assert(spw_is_valid(&claimed, SPW_CANONICAL, &canonical) == SPW_OK);
    cr_assert(canonical || b->plan.scattered);
    duplicates += !canonical;
  }
  cr_assert(duplicates > RUNS / 200, "%ld", duplicates);
}

/* ---- The mutator -------------------------------------------------------------------------------- */

/* What one change does, in the models that it makes of a fixed one. */
Test(fuzz, changes_reach_operands_parameters_and_values)
{
  static fuzz_model before, after;
  static uint8_t start[FUZZ_INPUT], bytes[FUZZ_INPUT];
  long operation = 0, parameters = 0, fewer = 0, more = 0, copied = 0, swapped = 0, spliced = 0,
       valid = 0;
  static fuzz_tensor t;
  dice d = {3};
  fuzz_random_model(&before, &d);
  before.operands = 2;
  before.operand[0].built.violation = before.operand[0].built.changes = 0;
  before.operand[0].built.plan = (plan){.layout = SPW_CSR,
                                        .index_dtype = SPW_INT32,
                                        .has_size = true,
                                        .C = 3,
                                        .P = 4,
                                        .nse = 5,
                                        .block = {1, 1}};
  before.operand[1] = before.operand[0];
  before.operand[1].built.seed += 1;
  before.operand[1].built.values.start = 1000;
  const size_t size = fuzz_encode(&before, start, sizeof start);
  cr_assert(size > 0 && fuzz_decode(start, size, &before));
  for (uint64_t run = 0; run < RUNS; run++) {
    bool is_valid = false;
    memcpy(bytes, start, size);
    cr_assert(fuzz_decode(bytes, fuzz_mutate(NULL, bytes, size, sizeof bytes, run), &after));
    const fuzz_built *a = &after.operand[0].built, *b = &after.operand[1].built;
    operation += after.operation != before.operation;
    parameters += after.parameters != before.parameters ||
                  memcmp(after.parameter, before.parameter, (size_t)after.parameters * 8) != 0;
    fewer += after.operands == 1;
    more += after.operands == 3;
    if (after.operands == 2 && after.operand[0].kind == FUZZ_BUILT &&
        after.operand[1].kind == FUZZ_BUILT) {
      copied += a->seed == b->seed && a->values.start == b->values.start;
      swapped += a->seed == before.operand[1].built.seed && b->seed == before.operand[0].built.seed;
      spliced += a->seed != b->seed && a->values.start == b->values.start;
    }
    fuzz_build_without_values(&after, 0, &t);
    valid += spw_is_valid(&t.tensor, SPW_CANONICAL, &is_valid) == SPW_OK && is_valid;
  }
  cr_assert(operation > RUNS / 100 && parameters > RUNS / 50, "%ld, %ld", operation, parameters);
  cr_assert(fewer > RUNS / 500 && more > RUNS / 100, "%ld, %ld", fewer, more);
  cr_assert(copied > RUNS / 200 && swapped > RUNS / 200 && spliced > RUNS / 1000, "%ld, %ld, %ld",
            copied, swapped, spliced);
  cr_assert(valid > RUNS / 4, "%ld", valid); /* changes are not mostly for the worse */
}

/* A cross takes operands, parts of them and parameters from the other input. */
Test(fuzz, crosses_take_from_both)
{
  static fuzz_model one, two, crossed;
  static uint8_t a[FUZZ_INPUT], b[FUZZ_INPUT], out[FUZZ_INPUT];
  long parameters = 0, operands = 0, whole = 0, values = 0;
  dice d = {5};
  fuzz_random_model(&one, &d);
  fuzz_random_model(&two, &d);
  one.operation = 1;
  two.operation = 2;
  one.operand[0].built.seed = 100;
  two.operand[0].built.seed = 200;
  one.operand[0].built.values.start = 10;
  two.operand[0].built.values.start = 20;
  const size_t a_size = fuzz_encode(&one, a, sizeof a), b_size = fuzz_encode(&two, b, sizeof b);
  for (uint64_t run = 0; run < RUNS / 10; run++) {
    cr_assert(fuzz_decode(out, fuzz_cross(a, a_size, b, b_size, out, sizeof out, run), &crossed));
    const fuzz_built *first = &crossed.operand[0].built;
    parameters += crossed.operation == 2;
    operands += crossed.operands == 2 && crossed.operand[1].built.seed == 200;
    whole += first->seed == 200;
    values += first->seed == 100 && first->values.start == 20;
  }
  cr_assert(parameters > 200 && operands > 200 && whole > 200 && values > 100, "%ld, %ld, %ld, %ld",
            parameters, operands, whole, values);
}

/* ---- The program export ------------------------------------------------------------------------ */

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

/* Each is valid or has its one fault, fits an input, and comes back from it. */
Test(fuzz, long_models_are_what_they_say)
{
  static fuzz_model model;
  static fuzz_tensor tensor;
  bool valid = false, answer = false;
  int64_t number = 0, wrong = 0;
  for (; fuzz_long_model(number, &valid, &model); number++, wrong += !valid) {
    expect_same_bytes(&model);
    fuzz_build_whole(&model, 0, &tensor);
    cr_assert(tensor.has_values && tensor.tensor.size[0] >= 256);
    cr_assert(spw_is_valid(&tensor.tensor, SPW_SHAPE, &answer) == SPW_OK && answer, "%d", (int)number);
    cr_assert(spw_is_valid(&tensor.tensor, SPW_CANONICAL, &answer) == SPW_OK && answer == valid, "%d", (int)number);
  }
  cr_assert(number == 1320 && wrong == 600);
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
  cr_assert(strstr(text, "of version 8, and this program reads version 2"), "%s", text);
  remove(path);
  free(wanted);
  expect_no_leaks();
}

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
