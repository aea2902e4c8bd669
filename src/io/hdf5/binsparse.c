/* SPDX-License-Identifier: Apache-2.0 */
/* Reads matrices of binsparse 0.1. */
#include "binsparse.h"
#include "../json/json_tree.h"

#include <stdio.h>
#include <string.h>

typedef struct reader {
  const spw_group *group;
  const spw_json *header, *types;
  spw_owned *owned;
  spw_tensor *tensor;
  int64_t size[2], count; /* count: number_of_stored_values */
  spw_error *error;
} reader;

typedef struct layout {
  const char *name; /* of binsparse */
  spw_layout layout;
  bool hypersparse; /* only lines that are not empty have pointers */
  bool columns_first;
} layout;

static const layout layouts[] = {{"CSR", SPW_CSR, false, false},  {"CSC", SPW_CSC, false, false},  {"DCSR", SPW_CSR, true, false},
                                 {"DCSC", SPW_CSC, true, false},  {"COO", SPW_COO, false, false},  {"COOR", SPW_COO, false,
                                                                                                    false},
                                 {"COOC", SPW_COO, false, true}};

static spw_status bad(const reader *r, const char *where, const char *what)
{
  return spw_fail(SPW_EFORMAT, r->error, where, "binsparse: %s", what);
}

/* ---- The header ------------------------------------------------------------------------------ */

static spw_status check_version(const reader *r)
{
  const char *const version = spw_json_text(spw_json_member(r->header, "version"));
  if (!version) return bad(r, "version", "must be a string");
  if (strcmp(version, "0.1") == 0 || strncmp(version, "0.1.", 4) == 0) return SPW_OK;
  return spw_fail(SPW_EUNSUPPORTED, r->error, "version", "binsparse %.60s; 0.1 is known", version);
}

static const layout *layout_of_name(const char *name)
{
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    if (strcmp(layouts[i].name, name) == 0) return &layouts[i];
  return NULL;
}

static spw_status read_natural(const reader *r, const spw_json *value, const char *where, int64_t *number)
{
  if (!spw_json_is(value, SPW_JSON_INTEGER) || value->integer < 0)
    return bad(r, where, "must be an integer that is not negative");
  *number = value->integer;
  return SPW_OK;
}

static spw_status read_shape(reader *r)
{
  const spw_json *const shape = spw_json_member(r->header, "shape");
  if (!spw_json_is(shape, SPW_JSON_LIST) || shape->count != 2) return bad(r, "shape", "must be a list of two integers");
  spw_status status = read_natural(r, spw_json_item(shape, 0), "shape", &r->size[0]);
  if (!status) status = read_natural(r, spw_json_item(shape, 1), "shape", &r->size[1]);
  if (!status)
    status = read_natural(r, spw_json_member(r->header, "number_of_stored_values"), "number_of_stored_values", &r->count);
  return status;
}

static spw_status read_header(reader *r, const layout **found)
{
  const char *const format = spw_json_text(spw_json_member(r->header, "format"));
  const spw_json *const structure = spw_json_member(r->header, "structure"), *const fill = spw_json_member(r->header, "fill");
  r->types = spw_json_member(r->header, "data_types");
  spw_status status = check_version(r);
  if (status) return status;
  if (!format) return spw_fail(SPW_EUNSUPPORTED, r->error, "format", "binsparse: a format of levels");
  *found = layout_of_name(format);
  if (!*found)
    return spw_fail(SPW_EUNSUPPORTED, r->error, "format", "binsparse: '%.60s'; CSR, CSC, COO, COOC, DCSR, DCSC are read", format);
  if (structure && !spw_json_is(structure, SPW_JSON_NULL))
    return spw_fail(SPW_EUNSUPPORTED, r->error, "structure", "binsparse: only one half of a matrix is stored");
  if (spw_json_is(fill, SPW_JSON_TRUE))
    return spw_fail(SPW_EUNSUPPORTED, r->error, "fill", "binsparse: positions without a value are not 0");
  if (!spw_json_is(r->types, SPW_JSON_OBJECT)) return bad(r, "data_types", "must be an object");
  return read_shape(r);
}

/* ---- Types ----------------------------------------------------------------------------------- */

/* "float64" of "iso[complex[float64]]" */
static void unwrap(const char *type, bool *iso, bool *complex, char plain[16])
{
  const struct { const char *before; bool *is; } wrappers[] = {{"iso[", iso}, {"complex[", complex}};
  for (size_t i = 0; i < 2; i++) {
    const size_t length = strlen(wrappers[i].before);
    *wrappers[i].is = strncmp(type, wrappers[i].before, length) == 0;
    if (*wrappers[i].is) type += length;
  }
  snprintf(plain, 16, "%.*s", (int)strcspn(type, "]"), type);
}

static bool is_type(const char *name, spw_stored type)
{
  static const struct { const char *name; spw_stored type; } known[] = {
      {"uint8", {'u', 1}},  {"uint16", {'u', 2}}, {"uint32", {'u', 4}},  {"uint64", {'u', 8}},  {"int8", {'i', 1}},
           {"int16", {'i', 2}},
      {"int32", {'i', 4}},  {"int64", {'i', 8}},  {"float32", {'f', 4}}, {"float64", {'f', 8}}, {"bint8", {'i', 1}},
          {"bint8", {'u', 1}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, name) == 0 && known[i].type.kind == type.kind && known[i].type.size == type.size) return true;
  return false;
}

/* The array of a name, which is of the type that the header says. */
static spw_status check_part(const reader *r, const char *name, bool *iso, bool *complex, char plain[16])
{
  const char *const type = spw_json_text(spw_json_member(r->types, name));
  spw_part part;
  if (!r->group->has(r->group->context, name)) return bad(r, name, "missing array");
  if (!type) return bad(r, name, "data_types do not say its type");
  unwrap(type, iso, complex, plain);
  const spw_status status = r->group->find(r->group->context, name, &part, r->error);
  if (status) return status;
  if (part.ndim != 1) return bad(r, name, "must have one dimension");
  if (is_type(plain, part.type)) return SPW_OK;
  return spw_fail(SPW_EFORMAT, r->error, name, "binsparse: data_types say '%.40s', and the array is of another type", type);
}

static spw_status read_index(const reader *r, const char *name, spw_index_array *index)
{
  bool iso, complex;
  char plain[16];
  const void *elements = NULL;
  spw_status status = check_part(r, name, &iso, &complex, plain);
  if (!status && (iso || complex || plain[0] == 'f' || plain[0] == 'b')) status = bad(r, name, "must be of integers");
  if (!status) status = spw_group_read_part(r->group, r->owned, name, &index->array, &elements, r->error);
  if (!status) spw_point_index(index, elements);
  return status;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static spw_status make_bool(const reader *r, spw_value_array *values)
{
  const unsigned char *const at = values->data;
  for (int64_t i = 0; i < values->array.length; i++)
    if (at[i] > 1) return bad(r, "values", "a bool that is neither 0 nor 1");
  values->array.dtype = SPW_BOOL;
  return SPW_OK;
}

static spw_status describe_values(const reader *r, spw_dtype dtype, int64_t count)
{
  const spw_part part = {.ndim = 1, .count = count, .shape = {count}};
  return spw_part_describe(r->owned, "values", &part, dtype, &r->tensor->values.array, r->error);
}

static spw_status repeat_value(const reader *r, spw_value_array *values)
{
  const spw_dtype dtype = values->array.dtype;
  if (values->array.length != 1) return bad(r, "values", "one value for all was said, and there is another number of them");
  values->data = spw_owned_fill(r->owned, (size_t)r->count, (size_t)spw_dtype_size(dtype), values->data);
  if (!values->data) return spw_fail(SPW_ENOMEM, r->error, "values", "its elements take more than the memory limit");
  return describe_values(r, dtype, r->count);
}

static spw_status read_values(const reader *r)
{
  spw_value_array *const values = &r->tensor->values;
  bool iso, complex;
  char plain[16];
  spw_status status = check_part(r, "values", &iso, &complex, plain);
  if (!status) status = spw_group_read_part(r->group, r->owned, "values", &values->array, &values->data, r->error);
  if (!status && complex) {
    if (plain[0] != 'f' || values->array.length % 2 != 0) return bad(r, "values", "complex numbers are pairs of floats");
    status = describe_values(r, values->array.dtype == SPW_FLOAT32 ? SPW_COMPLEX64 : SPW_COMPLEX128, values->array.length / 2);
  }
  if (!status && strcmp(plain, "bint8") == 0) status = make_bool(r, values);
  if (!status && iso) status = repeat_value(r, values);
  if (!status && values->array.length != r->count) status = bad(r, "number_of_stored_values",
                                                                "there is another number of values");
  return status;
}

/* ---- Layouts --------------------------------------------------------------------------------- */

static int64_t number_at(const spw_index_array *a, int64_t i)
{
  return a->array.dtype == SPW_INT32 ? a->i32[i] : a->i64[i];
}

/* Pointers for all lines, from those of the lines that are not empty. */
static spw_status expand(const reader *r, const spw_index_array *lines, const spw_index_array *pointers, int64_t count)
{
  const int64_t n = lines->array.length;
  const bool narrow = pointers->array.dtype == SPW_INT32;
  if (pointers->array.length != n + 1) return bad(r, "pointers_to_1", "must be one more than indices_0");
  void *const memory = count < INT64_MAX ? spw_owned_alloc(r->owned, (size_t)count + 1,
                                                           narrow ? sizeof(int32_t) : sizeof(int64_t)) : NULL;
  if (!memory) return spw_fail(SPW_ENOMEM, r->error, "pointers_to_1", "pointers of all lines take more than the memory limit");
  int64_t line = 0; /* the next one whose beginning is not written */
  for (int64_t k = 0; k <= n; k++) {
    const int64_t last = k < n ? number_at(lines, k) : count, pointer = number_at(pointers, k);
    if (last < line - (k > 0) || last > count || (k < n && (last >= count || (k > 0 && last <= number_at(lines, k - 1)))))
      return bad(r, "indices_0", "must rise, and be below the size");
    for (; line <= last; line++) {
      if (narrow)
        ((int32_t *)memory)[line] = (int32_t)pointer;
      else
        ((int64_t *)memory)[line] = pointer;
    }
  }
  const spw_part part = {.ndim = 1, .count = count + 1, .shape = {count + 1}};
  const spw_status status =
      spw_part_describe(r->owned, "pointers_to_1", &part, pointers->array.dtype, &r->tensor->compressed.array, r->error);
  spw_point_index(&r->tensor->compressed, memory);
  return status;
}

static spw_status read_compressed(const reader *r, const layout *l)
{
  spw_tensor *const t = r->tensor;
  spw_index_array lines = {.raw = NULL}, pointers = {.raw = NULL};
  spw_status status = read_index(r, "pointers_to_1", &pointers);
  if (!status) status = read_index(r, "indices_1", &t->plain);
  if (!status) status = spw_unify_indices(r->owned, &pointers, &t->plain, r->error);
  t->compressed = pointers;
  if (status || !l->hypersparse) return status;
  status = read_index(r, "indices_0", &lines);
  if (!status) status = spw_unify_indices(r->owned, &lines, &lines, r->error);
  return status ? status : expand(r, &lines, &pointers, r->size[l->layout == SPW_CSC]);
}

static spw_status read_coordinates(const reader *r, const layout *l)
{
  static const char *const names[] = {"indices_0", "indices_1"};
  spw_index_array both[2] = {{.raw = NULL}, {.raw = NULL}};
  spw_status status = read_index(r, names[l->columns_first], &both[0]);
  if (!status) status = read_index(r, names[!l->columns_first], &both[1]);
  return status ? status : spw_join_indices(r->owned, &both[0], &both[1], "indices_1", &r->tensor->plain, r->error);
}

static spw_status read_matrix(reader *r)
{
  const layout *l = NULL;
  spw_status status = read_header(r, &l);
  if (status || !l) return status;
  int64_t *const size = spw_owned_alloc(r->owned, 2, sizeof *size);
  if (!size) return spw_fail(SPW_ENOMEM, r->error, "shape", "more than the memory limit");
  memcpy(size, r->size, sizeof r->size);
  *r->tensor = (spw_tensor){.layout = l->layout, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE};
  status = l->layout == SPW_COO ? read_coordinates(r, l) : read_compressed(r, l);
  return status ? status : read_values(r);
}

spw_status spw_binsparse_read(const spw_group *group, const char *text, spw_owned *owned, spw_error *error)
{
  const spw_json *whole;
  const spw_status status = spw_json_parse(owned, text, strlen(text), "binsparse", &whole, error);
  if (status) return status;
  const spw_json *const within = spw_json_member(whole, "binsparse");
  reader r = {.group = group, .header = within ? within : whole, .owned = owned, .tensor = spw_owned_edit(owned), .error = error};
  return read_matrix(&r);
}
