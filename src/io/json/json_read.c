/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a tensor from its JSON file: jansson parses the text, this file judges what it says. */
#define _GNU_SOURCE 1 /* uselocale */
#include "../text/byte_order_mark.h"
#include "../text/c_locale.h"
#include "element.h"
#include "json_format.h"
#include "json_text.h"
#include "../../owned/owned.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A JSON path of this format: $.member.field[index][part], each piece optional. */
typedef struct place {
  const char *member; /* null: the whole file */
  const char *field;
  json_int_t index;   /* -1: none */
  int part;           /* -1: none */
} place;

typedef struct reader {
  spw_owned *owned;
  spw_error *error;
} reader;

/* The part of an array file that all three kinds of members share. */
typedef struct storage {
  spw_array array;
  const void *data;
} storage;

static const place whole_file = {NULL, NULL, -1, -1};

static place member_of_file(const char *member)
{
  return (place){member, NULL, -1, -1};
}

static place field_of(const char *member, const char *field)
{
  return (place){member, field, -1, -1};
}

static spw_status fail_at(const reader *r, spw_status status, place at, const char *message)
{
  char path[sizeof r->error->where];
  size_t used = (size_t)snprintf(path, sizeof path, "$%s%s%s%s", at.member ? "." : "",
                                 at.member ? at.member : "", at.field ? "." : "",
                                 at.field ? at.field : "");
  if (at.index >= 0 && used < sizeof path)
    used += (size_t)snprintf(path + used, sizeof path - used, "[%lld]", (long long)at.index);
  if (at.part >= 0 && used < sizeof path)
    snprintf(path + used, sizeof path - used, "[%d]", at.part);
  return spw_fail(status, r->error, path, "%s", message);
}

static spw_status malformed(const reader *r, place at, const char *message)
{
  return fail_at(r, SPW_EFORMAT, at, message);
}

static spw_status no_memory(const reader *r, place at)
{
  return fail_at(r, SPW_ENOMEM, at, "more than the memory or its limit allows");
}

/* ---- Keys ---- */

static bool is_one_of(const char *key, const char *const *keys)
{
  for (; *keys; keys++)
    if (strcmp(key, *keys) == 0) return true;
  return false;
}

/* Only such a key is repeated in a path: a stranger's may be long, or hold control characters. */
static bool is_plain_name(const char *key)
{
  const char *const letters = "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const size_t length = strspn(key, letters);
  return key[length] == '\0' && length > 0 && length <= 32;
}

/* `member` is null for the file's own object. */
static spw_status check_keys(const reader *r, const char *member, json_t *object,
                             const char *const *known)
{
  for (void *i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
    const char *key = json_object_iter_key(i);
    if (is_one_of(key, known)) continue;
    if (!is_plain_name(key)) return malformed(r, member_of_file(member), "holds an unknown key");
    return malformed(r, member ? field_of(member, key) : member_of_file(key), "unknown key");
  }
  return SPW_OK;
}

/* ---- Plain values ---- */

static spw_status read_integer(const reader *r, place at, const json_t *value, int64_t *number)
{
  if (!value) return malformed(r, at, "missing");
  if (!json_is_integer(value)) return malformed(r, at, spw_why_no_integer(value));
  *number = json_integer_value(value);
  return SPW_OK;
}

/* `of_semi`: of the elements of 2:4 matrices, which have more types. */
static spw_status read_any_dtype(const reader *r, place at, const json_t *value, bool of_semi, spw_dtype *dtype)
{
  if (!value) return malformed(r, at, "missing");
  if (!json_is_string(value)) return malformed(r, at, "expected a string");
  const char *const name = json_string_value(value);
  *dtype = of_semi ? spw_semi_dtype_from_name(name) : spw_dtype_from_name(name);
  return *dtype ? SPW_OK : malformed(r, at, "unknown dtype");
}

static spw_status read_dtype(const reader *r, place at, const json_t *value, spw_dtype *dtype)
{
  return read_any_dtype(r, at, value, false, dtype);
}

static spw_status read_integers(const reader *r, place at, const json_t *value,
                                const int64_t **numbers, int64_t *count)
{
  if (!value) return malformed(r, at, "missing");
  if (!json_is_array(value)) return malformed(r, at, "expected an array of integers");
  const size_t n = json_array_size(value);
  int64_t *list = spw_owned_alloc(r->owned, n, sizeof *list);
  if (!list) return no_memory(r, at);
  for (size_t i = 0; i < n; i++) {
    at.index = (json_int_t)i;
    const spw_status status = read_integer(r, at, json_array_get(value, i), &list[i]);
    if (status) return status;
  }
  *numbers = list;
  *count = (int64_t)n;
  return SPW_OK;
}

/* ---- Arrays ---- */

static spw_status default_strides(const reader *r, place at, spw_array *array)
{
  int64_t *strides = spw_owned_alloc(r->owned, (size_t)array->ndim, sizeof *strides);
  if (!strides) return no_memory(r, at);
  int64_t stride = 1;
  for (int64_t d = array->ndim - 1; d >= 0; d--) {
    strides[d] = stride;
    stride = spw_json_next_stride(stride, array->shape[d]);
  }
  array->strides = strides;
  return SPW_OK;
}

static spw_status read_strides(const reader *r, const char *member, const json_t *object,
                               spw_array *array)
{
  const place at = field_of(member, "strides");
  const json_t *value = json_object_get(object, "strides");
  if (!value) return default_strides(r, at, array);
  int64_t count;
  const spw_status status = read_integers(r, at, value, &array->strides, &count);
  if (status) return status;
  return count == array->ndim ? SPW_OK : malformed(r, at, "needs as many entries as shape");
}

static spw_status read_offset(const reader *r, const char *member, const json_t *object,
                              spw_array *array)
{
  const json_t *value = json_object_get(object, "offset");
  array->offset = 0;
  return value ? read_integer(r, field_of(member, "offset"), value, &array->offset) : SPW_OK;
}

static spw_status read_element(const reader *r, place at, spw_dtype dtype, const json_t *value,
                               void *element)
{
  const char *why = spw_element_read(dtype, value, element, &at.part);
  return why ? malformed(r, at, why) : SPW_OK;
}

static spw_status read_data(const reader *r, const char *member, const json_t *value, storage *s)
{
  place at = field_of(member, "data");
  if (!json_is_array(value)) return malformed(r, at, "expected an array");
  const size_t count = json_array_size(value), size = (size_t)spw_dtype_size(s->array.dtype);
  if (count > (size_t)SPW_JSON_MAX_LENGTH) return malformed(r, at, "more than 2^31 elements");
  char *data = spw_owned_alloc(r->owned, count, size);
  if (!data) return no_memory(r, at);
  for (size_t i = 0; i < count; i++) {
    at.index = (json_int_t)i;
    const json_t *item = json_array_get(value, i);
    const spw_status status = read_element(r, at, s->array.dtype, item, data + i * size);
    if (status) return status;
  }
  s->array.length = (int64_t)count;
  s->data = data;
  return SPW_OK;
}

static spw_status read_fill(const reader *r, const char *member, const json_t *object, storage *s)
{
  const place length_at = field_of(member, "length"), fill_at = field_of(member, "fill");
  const json_t *fill = json_object_get(object, "fill");
  int64_t length;
  char element[SPW_ELEMENT_SIZE];
  spw_status status = read_integer(r, length_at, json_object_get(object, "length"), &length);
  if (status) return status;
  if (length < 0) return malformed(r, length_at, "negative");
  if (length > SPW_JSON_MAX_LENGTH) return malformed(r, length_at, "more than 2^31 elements");
  if (!fill) return malformed(r, fill_at, "missing");
  status = read_element(r, fill_at, s->array.dtype, fill, element);
  if (status) return status;
  const size_t size = (size_t)spw_dtype_size(s->array.dtype);
  s->data = spw_owned_fill(r->owned, (size_t)length, size, element);
  s->array.length = length;
  return s->data ? SPW_OK : no_memory(r, fill_at);
}

static spw_status read_storage(const reader *r, const char *member, const json_t *object,
                               storage *s)
{
  const json_t *data = json_object_get(object, "data");
  const char *const run[] = {"length", "fill"};
  for (size_t i = 0; data && i < 2; i++) {
    if (!json_object_get(object, run[i])) continue;
    return malformed(r, field_of(member, run[i]), "beside data");
  }
  if (data) return read_data(r, member, data, s);
  if (json_object_get(object, run[0]) || json_object_get(object, run[1]))
    return read_fill(r, member, object, s);
  return malformed(r, field_of(member, "data"), "missing, and no length and fill");
}

/* Elements of a type that only 2:4 matrices have are read as bytes. */
static spw_status read_typed_storage(const reader *r, const char *member, const json_t *object, storage *s)
{
  const spw_dtype dtype = s->array.dtype;
  if (!spw_dtype_size(dtype)) s->array.dtype = SPW_UINT8;
  const spw_status status = read_storage(r, member, object, s);
  s->array.dtype = dtype;
  return status;
}

static spw_status read_array(const reader *r, const char *member, json_t *object, storage *s)
{
  static const char *const keys[] = {"dtype", "shape",  "strides", "offset",
                                     "data",  "length", "fill",    NULL};
  if (!object) return malformed(r, member_of_file(member), "missing");
  if (!json_is_object(object)) return malformed(r, member_of_file(member), "expected an object");
  spw_array *array = &s->array;
  spw_status status = check_keys(r, member, object, keys);
  if (!status)
    status = read_any_dtype(r, field_of(member, "dtype"), json_object_get(object, "dtype"),
                            strcmp(member, "packed") == 0, &array->dtype);
  if (!status)
    status = read_integers(r, field_of(member, "shape"), json_object_get(object, "shape"),
                           &array->shape, &array->ndim);
  if (!status) status = read_strides(r, member, object, array);
  if (!status) status = read_offset(r, member, object, array);
  return status ? status : read_typed_storage(r, member, object, s);
}

/* ---- Members ---- */

static spw_status read_index_array(const reader *r, json_t *file, const char *member,
                                   spw_index_array *indices)
{
  storage s = {0};
  const spw_status status = read_array(r, member, json_object_get(file, member), &s);
  if (status) return status;
  indices->array = s.array;
  if (s.array.dtype == SPW_INT32)
    indices->i32 = s.data;
  else if (s.array.dtype == SPW_INT64)
    indices->i64 = s.data;
  else
    indices->raw = s.data;
  return SPW_OK;
}

static spw_status read_values(const reader *r, json_t *file, spw_value_array *values)
{
  storage s = {0};
  const spw_status status = read_array(r, "values", json_object_get(file, "values"), &s);
  if (status) return status;
  values->array = s.array;
  values->data = s.data;
  return SPW_OK;
}

/* Of a dense array; `dim` -1: the number of dimensions. */
static spw_status other_size(const reader *r, json_int_t dim, int64_t given, int64_t own)
{
  char message[128];
  snprintf(message, sizeof message, "%lld%s, but a dense array has the shape of its values: %lld%s",
           (long long)given, dim < 0 ? " entries" : "", (long long)own, dim < 0 ? " entries" : "");
  return malformed(r, (place){"size", NULL, dim, -1}, message);
}

/* The size of an ordinary array is its shape; one that is given has to be the same. */
static spw_status settle_dense_size(const reader *r, spw_tensor *tensor)
{
  const spw_array *array = &tensor->values.array;
  const int64_t given = tensor->has_size ? tensor->ndim : array->ndim;
  if (given != array->ndim) return other_size(r, -1, given, array->ndim);
  for (int64_t d = 0; tensor->has_size && d < given; d++)
    if (tensor->size[d] != array->shape[d]) return other_size(r, d, tensor->size[d], array->shape[d]);
  tensor->has_size = true;
  tensor->ndim = array->ndim;
  tensor->size = array->shape;
  return SPW_OK;
}

static spw_status read_dense(const reader *r, json_t *file, spw_tensor *tensor)
{
  const spw_status status = read_values(r, file, &tensor->values);
  return status ? status : settle_dense_size(r, tensor);
}

static spw_status read_members(const reader *r, json_t *file, spw_tensor *tensor)
{
  spw_status status;
  if (tensor->layout == SPW_DENSE) return read_dense(r, file, tensor);
  if (tensor->layout == SPW_COO) {
    status = read_index_array(r, file, "indices", &tensor->plain);
  } else {
    status = read_index_array(r, file, "compressed_indices", &tensor->compressed);
    if (!status) status = read_index_array(r, file, "plain_indices", &tensor->plain);
  }
  return status ? status : read_values(r, file, &tensor->values);
}

/* ---- The file's own keys ---- */

static spw_status read_version(const reader *r, const json_t *file)
{
  const place at = member_of_file("spw");
  int64_t version;
  const spw_status status = read_integer(r, at, json_object_get(file, "spw"), &version);
  if (status) return status;
  return version == 1 ? SPW_OK : malformed(r, at, "not a version that this reader knows: 1");
}

static spw_status read_layout(const reader *r, const json_t *file, spw_layout *layout)
{
  const place at = member_of_file("layout");
  const json_t *value = json_object_get(file, "layout");
  if (!value) return malformed(r, at, "missing");
  if (!json_is_string(value)) return malformed(r, at, "expected a string");
  const int known = spw_layout_from_name(json_string_value(value));
  if (known < 0 && strcmp(json_string_value(value), "semi") == 0)
    return fail_at(r, SPW_EUNSUPPORTED, at, "a 2:4 matrix, which is no tensor of the five layouts: spw_read_semi_json reads it");
  if (known < 0) return malformed(r, at, "unknown layout");
  *layout = (spw_layout)known;
  return SPW_OK;
}

static spw_status read_declared(const reader *r, const json_t *file, const char *key,
                                spw_dtype *dtype)
{
  const json_t *value = json_object_get(file, key);
  return value ? read_dtype(r, member_of_file(key), value, dtype) : SPW_OK;
}

static spw_status read_size(const reader *r, const json_t *file, spw_tensor *tensor)
{
  const json_t *value = json_object_get(file, "size");
  tensor->has_size = value != NULL;
  if (!value) return SPW_OK;
  return read_integers(r, member_of_file("size"), value, &tensor->size, &tensor->ndim);
}

static spw_status read_claim(const reader *r, const json_t *file, spw_claim *coalesced)
{
  const json_t *value = json_object_get(file, "coalesced");
  if (!value) return SPW_OK;
  if (!json_is_boolean(value))
    return malformed(r, member_of_file("coalesced"), "expected true or false");
  *coalesced = json_is_true(value) ? SPW_CLAIM_YES : SPW_CLAIM_NO;
  return SPW_OK;
}

static const char *const *keys_of(spw_layout layout)
{
  static const char *const coo[] = {"spw",   "layout",    "size",    "index_dtype",
                                    "dtype", "coalesced", "indices", "values", NULL};
  static const char *const compressed[] = {"spw",   "layout",             "size",
                                           "index_dtype", "dtype",  "compressed_indices",
                                           "plain_indices", "values", NULL};
  static const char *const dense[] = {"spw", "layout", "size", "dtype", "values", NULL};
  return layout == SPW_COO ? coo : layout == SPW_DENSE ? dense : compressed;
}

static spw_status read_file(const reader *r, json_t *file, spw_tensor *tensor)
{
  if (!json_is_object(file)) return malformed(r, whole_file, "expected an object");
  spw_status status = read_version(r, file);
  if (!status) status = read_layout(r, file, &tensor->layout);
  if (!status) status = check_keys(r, NULL, file, keys_of(tensor->layout));
  if (!status) status = read_size(r, file, tensor);
  if (!status) status = read_declared(r, file, "index_dtype", &tensor->index_dtype);
  if (!status) status = read_declared(r, file, "dtype", &tensor->dtype);
  if (!status) status = read_claim(r, file, &tensor->coalesced);
  return status ? status : read_members(r, file, tensor);
}

/* ---- 2:4 matrices ---- */

static spw_status read_semi_order(const reader *r, const json_t *file, spw_semi_order *order)
{
  const place at = member_of_file("order");
  const json_t *const value = json_object_get(file, "order");
  if (!value) return malformed(r, at, "missing");
  if (!json_is_string(value)) return malformed(r, at, "expected a string");
  const int number = spw_semi_order_from_name(json_string_value(value));
  if (number < 0) return malformed(r, at, "unknown order");
  *order = (spw_semi_order)number;
  return SPW_OK;
}

static spw_status read_semi_size(const reader *r, const json_t *file, spw_semi *semi)
{
  const place at = member_of_file("size");
  const int64_t *size = NULL;
  int64_t ndim = 0;
  const spw_status status = read_integers(r, at, json_object_get(file, "size"), &size, &ndim);
  if (status) return status;
  if (ndim != 2) return malformed(r, at, "needs two entries");
  semi->rows = size[0];
  semi->columns = size[1];
  return SPW_OK;
}

static spw_status read_semi_member(const reader *r, json_t *file, const char *member, spw_value_array *array)
{
  storage s = {0};
  const spw_status status = read_array(r, member, json_object_get(file, member), &s);
  array->array = s.array;
  array->data = s.data;
  return status;
}

static spw_status read_semi(const reader *r, json_t *file, spw_semi *semi)
{
  static const char *const keys[] = {"spw", "layout", "order", "size", "dtype", "packed", "metadata", NULL};
  if (!json_is_object(file)) return malformed(r, whole_file, "expected an object");
  const json_t *const layout = json_object_get(file, "layout"), *const dtype = json_object_get(file, "dtype");
  spw_status status = read_version(r, file);
  if (!status && !(json_is_string(layout) && strcmp(json_string_value(layout), "semi") == 0))
    status = malformed(r, member_of_file("layout"), "expected \"semi\"");
  if (!status) status = check_keys(r, NULL, file, keys);
  if (!status) status = read_semi_order(r, file, &semi->order);
  if (!status) status = read_semi_size(r, file, semi);
  if (!status && dtype) status = read_any_dtype(r, member_of_file("dtype"), dtype, true, &semi->dtype);
  if (!status) status = read_semi_member(r, file, "packed", &semi->packed);
  return status ? status : read_semi_member(r, file, "metadata", &semi->metadata);
}

/* ---- The text ---- */

/* jansson's scanner does not survive that memory runs out inside a long token, and its errors do
 * not tell that from bad syntax. So refuse beforehand when there is not enough. */
static bool is_available(size_t bytes)
{
  void *volatile probe = malloc(bytes); /* volatile, or a compiler may drop the pair */
  free(probe);
  return probe != NULL;
}

static spw_status fail_memory(size_t needed, size_t limit, spw_error *error)
{
  return spw_fail(SPW_ENOMEM, error, "",
                  "parsing this text may take %zu bytes of memory, and the limit is %zu: allow "
                  "more, or keep the tensor as .npz", needed, limit);
}

static spw_status fail_mark(const char *text, size_t size, spw_error *error)
{
  return spw_fail(SPW_EFORMAT, error, "byte 0",
                  "a byte order mark of %s, which JSON does not allow: save the file as UTF-8 "
                  "without it", spw_byte_order_mark(text, size));
}

/* jansson swallows a zero byte behind a number, and other parsers stop there. */
static spw_status fail_zero_byte(const char *text, const char *zero, spw_error *error)
{
  char where[32];
  long long line = 1;
  for (const char *at = text; at < zero; at++) line += *at == '\n';
  snprintf(where, sizeof where, "byte %lld", (long long)(zero - text));
  return spw_fail(SPW_EFORMAT, error, where, "line %lld: a zero byte", line);
}

static bool begins_with(const char *text, size_t size, const char *word)
{
  return size >= strlen(word) && strncasecmp(text, word, strlen(word)) == 0;
}

/* How to write what Python's json and others write that is not JSON. The parser stops behind such a word, or behind its sign. */
static const char *number_hint(const char *text, size_t size, size_t end)
{
  const bool is_signed = end > 0 && end < size && text[end - 1] == '-';
  size_t at = end;
  while (!is_signed && at > 0 && isalpha((unsigned char)text[at - 1])) at--;
  if (begins_with(text + at, size - at, "nan")) return ": NaN is not JSON; write \"nan\" in quotes";
  if (!begins_with(text + at, size - at, "inf")) return "";
  return is_signed ? ": -Infinity is not JSON; write \"-inf\" in quotes" : ": Infinity is not JSON; write \"inf\" in quotes";
}

static spw_status fail_syntax(const char *text, size_t size, const json_error_t *found,
                              spw_error *error)
{
  if (!found->text[0]) return spw_fail(SPW_ENOMEM, error, "", "no memory to parse the text");
  char where[32] = ""; /* in what is longer than an int counts it is not known */
  const bool is_known = size <= INT_MAX && found->position >= 0;
  const size_t stop = is_known ? spw_json_place_before_marks(text, size, (size_t)found->position) : 0;
  if (is_known) snprintf(where, sizeof where, "byte %zu", stop);
  const char *quote = strstr(found->text, " near "); /* a stranger's text is not repeated */
  const int length = quote ? (int)(quote - found->text) : (int)strlen(found->text);
  const bool more = json_error_code(found) == json_error_end_of_input_expected;
  return spw_fail(SPW_EFORMAT, error, where, "line %d: %.*s%s", found->line, length, found->text,
                  more ? " behind the first object" : quote && stop <= size ? number_hint(text, size, stop) : "");
}

/* jansson ends the program where the decimal point of the thread's locale has several bytes. */
static json_t *parse(const char *text, size_t size, json_error_t *found)
{
  spw_c_locale c;
  found->text[0] = '\0';
  if (!spw_enter_c_locale(&c)) return NULL;
  json_t *file = json_loadb(text, size, JSON_REJECT_DUPLICATES, found);
  spw_leave_c_locale(&c);
  return file;
}

/* With long integers marked as real numbers, in a copy that is freed at once. */
static json_t *load(const char *text, size_t size, size_t long_integers, json_error_t *found)
{
  if (long_integers == 0) return parse(text, size, found);
  const size_t marked_size = size + 2 * long_integers;
  char *marked = malloc(marked_size);
  found->text[0] = '\0';
  if (!marked) return NULL;
  spw_json_mark_long_integers(text, size, marked);
  json_t *file = parse(marked, marked_size, found);
  free(marked);
  return file;
}

/* A tensor, or a 2:4 matrix where *semi is not null. */
static spw_status read_either(const reader *r, json_t *file, const spw_semi **semi)
{
  if (!semi) return read_file(r, file, spw_owned_edit(r->owned));
  spw_semi *const made = spw_owned_alloc(r->owned, 1, sizeof *made);
  *semi = made;
  return made ? read_semi(r, file, made) : no_memory(r, whole_file);
}

static spw_status read_within(json_t *file, size_t limit, spw_owned **out, const spw_semi **semi, spw_error *error)
{
  const spw_semi *made = NULL;
  const reader r = {spw_owned_new(limit), error};
  if (!r.owned) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  const spw_status status = read_either(&r, file, semi ? &made : NULL);
  if (semi && !status) *semi = made;
  if (status)
    spw_owned_free(r.owned);
  else
    *out = r.owned;
  return status;
}

static spw_status parse_within(const char *text, size_t size, size_t limit, spw_owned **out,
                               const spw_semi **semi, spw_error *error)
{
  const size_t parser = spw_json_parser_memory(text, size);
  if (parser > limit) return fail_memory(parser, limit, error);
  const char *zero = memchr(text, '\0', size);
  if (spw_byte_order_mark(text, size)) return fail_mark(text, size, error);
  if (zero) return fail_zero_byte(text, zero, error);
  const size_t long_integers = spw_json_count_long_integers(text, size);
  const size_t copy = long_integers ? size + 2 * long_integers : 0;
  if (copy > limit - parser) return fail_memory(parser + copy, limit, error);
  if (!is_available(parser + copy))
    return spw_fail(SPW_ENOMEM, error, "", "no memory to parse the text");
  json_error_t found;
  json_t *file = load(text, size, long_integers, &found);
  if (!file) return fail_syntax(text, size, &found, error);
  const spw_status status = read_within(file, limit - parser, out, semi, error);
  json_decref(file);
  return status;
}

spw_status spw_read_json(const void *bytes, size_t size, size_t limit, spw_owned **out,
                         spw_error *error)
{
  if (!out || (!bytes && size)) return spw_fail(SPW_EINVAL, error, "", "null argument");
  return parse_within(bytes ? bytes : "", size, limit ? limit : spw_memory_limit(size), out, NULL, error);
}

spw_status spw_read_semi_json(const void *bytes, size_t size, size_t limit, spw_owned **out, const spw_semi **semi,
                              spw_error *error)
{
  if (!out || !semi || (!bytes && size)) return spw_fail(SPW_EINVAL, error, "", "null argument");
  return parse_within(bytes ? bytes : "", size, limit ? limit : spw_memory_limit(size), out, semi, error);
}
