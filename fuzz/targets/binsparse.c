/* SPDX-License-Identifier: Apache-2.0 */
/* Any text up to a zero byte as the header of a binsparse matrix, and what is behind that as its arrays, whatever container holds
 * them. What is read can be checked, and what of it can be written to HDF5, where there is a libhdf5, comes back. */
#include "../../src/io/hdf5/binsparse.h"
#include "../harness/mutator.h"

#include <string.h>

enum { ARRAYS = 4, MOST = 1 << 14 };

static const char *const names[ARRAYS] = {"indices_0", "pointers_to_1", "indices_1", "values"};

/* An array: a byte for its type, one for its count, and its elements; a count of 255: there is none. */
typedef struct arrays {
  spw_part parts[ARRAYS];
  bool there[ARRAYS];
} arrays;

static const spw_stored types[] = {{'i', 8}, {'i', 4}, {'u', 1}, {'u', 2}, {'u', 4}, {'u', 8}, {'i', 1}, {'i', 2},
                                   {'f', 4}, {'f', 8}, {'b', 1}, {'c', 8}, {0, 1},   {'t', 2}};

static size_t take_array(const uint8_t *data, size_t size, spw_part *part, bool *there)
{
  *there = size >= 2 && data[1] != 255;
  if (!*there) return size < 2 ? size : 2;
  const spw_stored type = types[data[0] % (sizeof types / sizeof *types)];
  const size_t most = (size - 2) / (size_t)type.size, count = data[1] < most ? data[1] : most;
  *part = (spw_part){.type = type, .type_name = "a type", .ndim = 1 + (data[0] >= 200), .count = (int64_t)count, .at = data + 2};
  part->shape[0] = (int64_t)count;
  part->shape[1] = 1;
  return 2 + count * (size_t)type.size;
}

static int place_of(const char *name)
{
  for (int i = 0; i < ARRAYS; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static bool has(void *context, const char *name)
{
  const int i = place_of(name);
  return i >= 0 && ((const arrays *)context)->there[i];
}

static spw_status find(void *context, const char *name, spw_part *part, spw_error *error)
{
  (void)error;
  *part = ((const arrays *)context)->parts[place_of(name)];
  return SPW_OK;
}

static spw_status read_part(void *context, const char *name, const spw_part *part, void *elements, spw_error *error)
{
  (void)context, (void)name, (void)error;
  if (part->count > 0) memcpy(elements, part->at, (size_t)part->count * (size_t)part->type.size);
  return SPW_OK;
}

static spw_status read_matrix(const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  static char text[MOST + 1];
  const uint8_t *const data = bytes, *const zero = size > 0 ? memchr(data, 0, size) : NULL;
  const size_t length = zero ? (size_t)(zero - data) : size;
  arrays a = {.there = {false}};
  if (length > MOST) return spw_fail(SPW_EFORMAT, error, "", "too long");
  if (length > 0) memcpy(text, data, length);
  text[length] = 0;
  for (size_t i = 0, at = length + 1; i < ARRAYS && at < size; i++)
    at += take_array(data + at, size - at, &a.parts[i], &a.there[i]);
  const spw_group g = {.context = &a, .has = has, .find = find, .read = read_part, .coalesced = SPW_CLAIM_NONE, .ndim = -1};
  spw_owned *const owned = spw_owned_new(limit ? limit : 1 << 20);
  if (!owned) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  const spw_status status = spw_binsparse_read(&g, text, owned, error);
  if (status)
    spw_owned_free(owned);
  else
    *out = owned;
  return status;
}

static spw_status write_nothing(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  (void)tensor, (void)bytes, (void)size, (void)error;
  return SPW_EUNSUPPORTED;
}

static const fuzz_format format = {"binsparse", false, read_matrix, write_nothing};

const fuzz_format *fuzz_input_format(void)
{
  return &format;
}

/* Bools are bools, and pointers that were expanded rise if those of the file did. */
static void expect_tensor(const spw_tensor *t)
{
  const uint8_t *const values = t->values.data;
  if (t->layout == SPW_DENSE || !t->has_size || t->ndim != 2) fuzz_fail("no matrix", "%d", (int)t->layout);
  for (int64_t i = 0; t->values.array.dtype == SPW_BOOL && i < t->values.array.length; i++)
    if (values[i] > 1) fuzz_fail("a bool that is none", "%d", values[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  if (size > MOST || fuzz_try_reader(&format, data, size) != SPW_OK) return 0;
  if (read_matrix(data, size, 0, &owned, &error) != SPW_OK) return 0; /* more memory than this limit */
  expect_tensor(spw_owned_tensor(owned));
  spw_owned_free(owned);
  return 0;
}
