/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .spw.json file. What is accepted says, key by key, what its tensor says when it is
 * written again: nothing was overlooked, and nothing taken for something else. */
#include "../harness/mutator.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

const fuzz_format *fuzz_input_format(void)
{
  return &fuzz_formats[FUZZ_JSON];
}

static bool all_integers(const json_t *list)
{
  size_t i;
  json_t *entry;
  if (!json_is_array(list)) return false;
  json_array_foreach(list, i, entry) if (!json_is_integer(entry)) return false;
  return true;
}

/* The number of elements; -1 unless there is either data, or length and fill. */
static json_int_t elements_of(const json_t *array)
{
  const json_t *data = json_object_get(array, "data"), *length = json_object_get(array, "length");
  const json_t *fill = json_object_get(array, "fill");
  if (data) return json_is_array(data) && !length && !fill ? (json_int_t)json_array_size(data) : -1;
  return json_is_integer(length) && fill ? json_integer_value(length) : -1;
}

/* Whole numbers are written as they were read. */
static bool same_integers(const json_t *in, const json_t *out)
{
  size_t i;
  json_t *entry;
  const char *dtype = json_string_value(json_object_get(in, "dtype"));
  const json_t *from = json_object_get(in, "data"), *to = json_object_get(out, "data");
  if (!from || !to || !dtype || (strncmp(dtype, "int", 3) && strcmp(dtype, "uint8"))) return true;
  json_array_foreach(from, i, entry) if (!json_equal(entry, json_array_get(to, i))) return false;
  return true;
}

static bool same_array(const json_t *in, const json_t *out)
{
  static const char *const known = " dtype shape strides offset data length fill ";
  const json_t *strides = json_object_get(in, "strides"), *offset = json_object_get(in, "offset");
  const json_t *shape = json_object_get(in, "shape"), *kept = json_object_get(out, "strides");
  for (void *i = json_object_iter((json_t *)(uintptr_t)in); i;
       i = json_object_iter_next((json_t *)(uintptr_t)in, i))
    if (strchr(json_object_iter_key(i), ' ') || !strstr(known, json_object_iter_key(i)))
      return false;
  if (!all_integers(shape) || !json_equal(shape, json_object_get(out, "shape"))) return false;
  if (!json_equal(json_object_get(in, "dtype"), json_object_get(out, "dtype"))) return false;
  if (strides && (!all_integers(strides) || json_array_size(strides) != json_array_size(shape)))
    return false;
  if (kept && !json_equal(strides, kept)) return false;
  if (json_integer_value(offset) != json_integer_value(json_object_get(out, "offset")))
    return false;
  if (offset && !json_is_integer(offset)) return false;
  return elements_of(in) >= 0 && elements_of(in) == elements_of(out) && same_integers(in, out);
}

/* A dense array's size is its shape, and is not written a second time. */
static bool repeats_shape(const json_t *file)
{
  const json_t *layout = json_object_get(file, "layout"), *values = json_object_get(file, "values");
  return json_is_string(layout) && !strcmp(json_string_value(layout), "dense") &&
         json_equal(json_object_get(file, "size"), json_object_get(values, "shape"));
}

static bool same_file(json_t *in, const json_t *out)
{
  const char *key;
  json_t *value;
  if (repeats_shape(in)) json_object_del(in, "size");
  if (json_object_size(in) != json_object_size(out)) return false;
  if (json_integer_value(json_object_get(in, "spw")) != 1) return false;
  json_object_foreach(in, key, value)
  {
    const json_t *written = json_object_get(out, key);
    if (!written) return false;
    if (json_is_object(written) ? !same_array(value, written) : !json_equal(value, written))
      return false;
  }
  return true;
}

/* Null when the text is none, or has integers beyond 64 bits, which the reader takes for reals. */
static json_t *parse(const char *text, size_t size)
{
  json_error_t error;
  json_t *file = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  if (!file && json_error_code(&error) != json_error_numeric_overflow)
    fuzz_fail("accepted, though it is no JSON", "%.*s", (int)size, text);
  return file;
}

/* What is refused for want of memory asks for much. */
static void expect_large(const char *text, size_t size)
{
  enum { MANY = 1 << 12 }; /* elements, of which the limit of the readers allows some members */
  const char *key;
  json_t *value;
  bool many = false;
  json_t *file = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
  json_object_foreach(file, key, value) many =
      many || json_integer_value(json_object_get(value, "length")) > MANY;
  if (file && !many) fuzz_fail("no memory, though little is asked for", "%.*s", (int)size, text);
  json_decref(file);
}

static void expect_faithful(const char *text, size_t size)
{
  enum { LARGE = 1 << 20 };
  spw_owned *owned;
  void *written;
  size_t length;
  if (spw_read_json(text, size, 0, &owned, NULL) != SPW_OK) return;
  if (fuzz_length(spw_owned_tensor(owned)) <= LARGE &&
      spw_write_json(spw_owned_tensor(owned), &written, &length, NULL) == SPW_OK) {
    json_t *in = parse(text, size);
    json_t *out = json_loadb(written, length, 0, NULL);
    if (!out || (in && !same_file(in, out)))
      fuzz_fail("accepted, though the file says something else", "%.*s\n%.*s", (int)size, text,
                (int)length, (const char *)written);
    json_decref(in);
    json_decref(out);
    free(written);
  }
  spw_owned_free(owned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *const text = (const char *)data;
  const spw_status status = fuzz_try_reader(fuzz_input_format(), data, size);
  if (status == SPW_OK) expect_faithful(text, size);
  if (status == SPW_ENOMEM) expect_large(text, size);
  return 0;
}
