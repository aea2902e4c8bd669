/* SPDX-License-Identifier: Apache-2.0 */
/* Reads .safetensors: 8 bytes of length, so much JSON, and the elements of dense tensors, which lie side by side. */
#include "../arrays/archive.h"
#include "../arrays/group.h"
#include "../json/json_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX = 8, LONGEST_NAME = 4096 };

static const char METADATA[] = "__metadata__";

#define LONGEST_HEADER ((uint64_t)100000000) /* the format's own limit */

/* ---- The header ------------------------------------------------------------------------------ */

typedef struct file {
  const spw_json *header, *metadata; /* metadata: null if there are none */
  const unsigned char *elements;
  uint64_t size; /* of the elements, in bytes */
} file;

static uint64_t length_of_header(const unsigned char *bytes)
{
  uint64_t length = 0;
  for (size_t i = 0; i < PREFIX; i++) length |= (uint64_t)bytes[i] << 8 * i;
  return length;
}

bool spw_is_safetensors(const void *bytes, size_t size)
{
  const unsigned char *const at = bytes;
  return at && size > PREFIX && at[PREFIX] == '{' && length_of_header(at) <= LONGEST_HEADER;
}

typedef struct element_type {
  const char *name;
  spw_stored type;
} element_type;

/* Kind 0: the library has none. */
static const element_type types[] = {
    {"BOOL", {'b', 1}},    {"U8", {'u', 1}},      {"I8", {'i', 1}},       {"U16", {'u', 2}},       {"I16", {'i', 2}},
    {"F16", {'f', 2}},     {"BF16", {'t', 2}},    {"I32", {'i', 4}},      {"U32", {'u', 4}},       {"F32", {'f', 4}},
    {"F64", {'f', 8}},     {"I64", {'i', 8}},     {"U64", {'u', 8}},      {"C64", {'c', 8}},       {"F8_E4M3", {'4', 1}},
    {"F8_E5M2", {'5', 1}},   {"F8_E8M0", {0, 1}},   {"F8_E4M3FNUZ", {0, 1}}, {"F8_E5M2FNUZ", {0, 1}}};

static const element_type *type_of_name(const char *name)
{
  for (size_t i = 0; name && i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0) return &types[i];
  return NULL;
}

static void name_place(const char *name, char where[96])
{
  size_t used = 0;
  for (; *name && used < 60; name++) {
    char text[SPW_ESCAPED];
    const size_t length = spw_escape(*name, "", text);
    memcpy(where + used, text, length);
    used += length;
  }
  where[used] = 0;
}

static spw_status fail_at(spw_status status, const char *name, spw_error *error, const char *what)
{
  char where[96];
  name_place(name, where);
  return spw_fail(status, error, where, "%s", what);
}

static bool read_natural(const spw_json *value, int64_t *number)
{
  *number = spw_json_is(value, SPW_JSON_INTEGER) ? value->integer : -1;
  return *number >= 0;
}

/* The shape and its product; false if the product, or that of what is not 0, is beyond 63 bits. */
static bool read_shape(const spw_json *list, spw_part *part)
{
  int64_t product = 1;
  bool empty = false;
  part->ndim = 0;
  for (const spw_json *item = list->first; item; item = item->next) {
    int64_t *const extent = &part->shape[part->ndim++];
    if (!read_natural(item, extent)) return false;
    empty = empty || *extent == 0;
    if (*extent > 0 && __builtin_mul_overflow(product, *extent, &product)) return false;
  }
  part->count = empty ? 0 : product;
  return true;
}

/* {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, and where it ends. */
static spw_status read_entry(const file *f, const char *name, const spw_json *entry, spw_part *part, uint64_t *end,
                             spw_error *error)
{
  const spw_json *const shape = spw_json_member(entry, "shape"), *const offsets = spw_json_member(entry, "data_offsets");
  const element_type *const type = type_of_name(spw_json_text(spw_json_member(entry, "dtype")));
  int64_t begin, behind, bytes;
  if (!spw_json_is(shape, SPW_JSON_LIST) || !spw_json_is(offsets, SPW_JSON_LIST) || entry->count != 3)
    return fail_at(SPW_EFORMAT, name, error, "expected an object of dtype, shape and data_offsets");
  if (!type) return fail_at(SPW_EUNSUPPORTED, name, error, "an element type that the format did not have in 2026");
  if (shape->count > SPW_GROUP_DIMS) return fail_at(SPW_EUNSUPPORTED, name, error, "more than 64 dimensions");
  if (!read_shape(shape, part)) return fail_at(SPW_EFORMAT, name, error, "a shape that is negative, or beyond 64 bits");
  if (offsets->count != 2 || !read_natural(offsets->first, &begin) || !read_natural(offsets->first->next, &behind) ||
      begin > behind || (uint64_t)behind > f->size)
    return fail_at(SPW_EFORMAT, name, error, "data_offsets outside the file");
  if (__builtin_mul_overflow(part->count, type->type.size, &bytes) || bytes != behind - begin)
    return fail_at(SPW_EFORMAT, name, error, "data_offsets of another length than dtype and shape say");
  part->type = type->type;
  part->type_name = type->name;
  part->at = f->elements + begin;
  *end = (uint64_t)behind;
  return SPW_OK;
}

/* ---- Every byte belongs to one tensor -------------------------------------------------------- */

typedef struct span {
  uint64_t begin, end;
  const char *name;
} span;

static int compare_spans(const void *first, const void *second)
{
  const span *const a = first, *const b = second;
  if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
  return (a->end > b->end) - (a->end < b->end);
}

static spw_status check_spans(const file *f, span *spans, size_t count, spw_error *error)
{
  uint64_t at = 0;
  if (count > 0) qsort(spans, count, sizeof *spans, compare_spans);
  for (size_t i = 0; i < count; i++) {
    if (spans[i].begin > at) return fail_at(SPW_EFORMAT, spans[i].name, error, "a gap lies before it");
    if (spans[i].begin < at) return fail_at(SPW_EFORMAT, spans[i].name, error, "it overlaps another tensor");
    at = spans[i].end;
  }
  if (at == f->size) return SPW_OK;
  return spw_fail(SPW_EFORMAT, error, "", "%llu bytes at the end belong to no tensor", (unsigned long long)(f->size - at));
}

static spw_status check_metadata(const file *f, spw_error *error)
{
  if (!f->metadata) return SPW_OK;
  if (!spw_json_is(f->metadata, SPW_JSON_OBJECT)) return spw_fail(SPW_EFORMAT, error, METADATA, "must be an object");
  for (const spw_json *item = f->metadata->first; item; item = item->next)
    if (!spw_json_text(item)) return fail_at(SPW_EFORMAT, item->name, error, "metadata must be strings");
  return SPW_OK;
}

static spw_status check_tensors(spw_archive *a, const file *f, spw_error *error)
{
  span *const spans = spw_owned_alloc(a->owned, f->header->count, sizeof *spans);
  size_t count = 0;
  if (!spans) return spw_archive_no_memory(error);
  for (const spw_json *entry = f->header->first; entry; entry = entry->next) {
    spw_part part;
    uint64_t end;
    if (entry == f->metadata) continue;
    if (strlen(entry->name) > LONGEST_NAME)
      return fail_at(SPW_EUNSUPPORTED, entry->name, error, "a name of more than 4096 bytes");
    const spw_status status = read_entry(f, entry->name, entry, &part, &end, error);
    if (status) return status;
    spans[count++] = (span){(uint64_t)((const unsigned char *)part.at - f->elements), end, entry->name};
  }
  a->dense = count;
  return check_spans(f, spans, count, error);
}

/* ---- Sparse tensors by their names ----------------------------------------------------------- */

typedef struct view {
  const file *file;
  size_t prefix;
  char name[2 * LONGEST_NAME]; /* the prefix, and room for what follows */
} view;

static const spw_json *find_entry(void *context, const char *name)
{
  view *const v = context;
  snprintf(v->name + v->prefix, sizeof v->name - v->prefix, "%s", name);
  return spw_json_member(v->file->header, v->name);
}

static bool has_entry(void *context, const char *name)
{
  return find_entry(context, name) != NULL;
}

static spw_status find_part(void *context, const char *name, spw_part *part, spw_error *error)
{
  const view *const v = context;
  uint64_t end;
  return read_entry(v->file, name, find_entry(context, name), part, &end, error);
}

static spw_status read_part(void *context, const char *name, const spw_part *part, void *elements, spw_error *error)
{
  (void)context, (void)name, (void)error;
  const size_t bytes = (size_t)part->count * (size_t)part->type.size;
  if (bytes > 0) memcpy(elements, part->at, bytes);
  return SPW_OK;
}

/* What the metadata say under one of two names, with the prefix. */
static const char *metadata_of(view *v, const char *first, const char *second)
{
  const char *const names[] = {first, second};
  for (size_t i = 0; i < 2; i++) {
    snprintf(v->name + v->prefix, sizeof v->name - v->prefix, "%s", names[i]);
    const char *const text = spw_json_text(spw_json_member(v->file->metadata, v->name));
    if (text) return text;
  }
  return NULL;
}

/* What they say of a group, else of all. */
static const char *layout_in_metadata(view *v)
{
  const char *const own = metadata_of(v, "sparse_format", "layout");
  if (own || v->prefix == 0) return own;
  const size_t prefix = v->prefix;
  v->prefix = 0;
  char keep[2 * LONGEST_NAME];
  memcpy(keep, v->name, prefix);
  const char *const all = metadata_of(v, "sparse_format", "layout");
  memcpy(v->name, keep, prefix);
  v->prefix = prefix;
  return all;
}

/* "[2, 3]" */
static spw_status read_size_text(const char *text, spw_group *g, spw_error *error)
{
  static const char why[] = "must be a list of at most 64 integers, \"[2, 3]\"";
  const char *at = text + strspn(text, " ");
  if (*at++ != '[') return spw_fail(SPW_EFORMAT, error, "size", why);
  g->ndim = 0;
  for (at += strspn(at, " "); *at != ']'; at += strspn(at, " ")) {
    char *end;
    if (g->ndim == SPW_GROUP_DIMS || !strchr("-0123456789", *at) || !*at) return spw_fail(SPW_EFORMAT, error, "size", why);
    const long long number = strtoll(at, &end, 10);
    if (end == at || number == INT64_MAX || number == INT64_MIN) return spw_fail(SPW_EFORMAT, error, "size", why);
    g->size[g->ndim++] = number;
    at = end + strspn(end, " ");
    if (*at == ',' && at[1 + strspn(at + 1, " ")] != ']')
      at++;
    else if (*at != ']')
      return spw_fail(SPW_EFORMAT, error, "size", why);
  }
  return at[1 + strspn(at + 1, " ")] ? spw_fail(SPW_EFORMAT, error, "size", why) : SPW_OK;
}

static spw_group group_of(view *v)
{
  return (spw_group){.context = v, .has = has_entry, .find = find_part, .read = read_part, .coalesced = SPW_CLAIM_NONE,
                     .ndim = -1};
}

static void set_prefix(view *v, const char *name, size_t length)
{
  memcpy(v->name, name, length);
  v->prefix = length;
}

/* What the metadata say of the order of the group, else of all. */
static const char *order_in_metadata(view *v)
{
  const char *const own = metadata_of(v, "order", "order");
  return own ? own : spw_json_text(spw_json_member(v->file->metadata, "order"));
}

static spw_status read_semi(view *v, spw_owned *owned, spw_semi *semi, spw_error *error)
{
  spw_group g = group_of(v);
  g.order = order_in_metadata(v);
  const char *const size = metadata_of(v, "size", "shape");
  const spw_status status = size ? read_size_text(size, &g, error) : SPW_OK;
  return status ? status : spw_group_read_semi(&g, owned, semi, error);
}

static spw_status read_tensor(view *v, const spw_members *members, spw_owned *owned, spw_error *error)
{
  spw_group g = group_of(v);
  g.members = members;
  const char *const layout = layout_in_metadata(v);
  if (layout) snprintf(g.layout, sizeof g.layout, "%s", layout);
  const char *const claim = metadata_of(v, "coalesced", "is_coalesced");
  if (claim && strcmp(claim, "true") == 0) g.coalesced = SPW_CLAIM_YES;
  if (claim && strcmp(claim, "false") == 0) g.coalesced = SPW_CLAIM_NO;
  const char *const size = metadata_of(v, "size", "shape");
  const spw_status status = size ? read_size_text(size, &g, error) : SPW_OK;
  return status ? status : spw_group_read(&g, owned, error);
}

/* A tensor, or a 2:4 matrix where `semi` is not null. */
static spw_status read_named(const spw_archive *a, const char *prefix, const spw_members *members, spw_owned *owned,
                             spw_semi *semi, spw_error *error)
{
  view *const v = malloc(sizeof *v);
  if (!v) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  v->file = a->file;
  set_prefix(v, prefix, strlen(prefix));
  const spw_status status = semi ? read_semi(v, owned, semi, error) : read_tensor(v, members, owned, error);
  free(v);
  return status;
}

static spw_status read_either(const spw_archive *a, const void *tensor, spw_owned *owned, spw_semi *semi, spw_error *error)
{
  return read_named(a, tensor, NULL, owned, semi, error);
}

static spw_status read_listed(const spw_archive *a, const void *tensor, spw_owned *owned, spw_error *error)
{
  return read_either(a, tensor, owned, NULL, error);
}

static spw_status read_members(const spw_archive *a, const spw_members *members, spw_owned *owned, spw_error *error)
{
  return read_named(a, "", members, owned, NULL, error);
}

/* The values, which every layout has, stand for the group: "x." of "x.values"; of a 2:4 matrix, what is packed. */
static bool prefix_of(const char *name, size_t *length)
{
  static const char *const endings[] = {"values", "data", "packed", "compressed"};
  const char *const dot = strrchr(name, '.'), *const last = dot ? dot + 1 : name;
  *length = (size_t)(last - name);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (strcmp(last, endings[i]) == 0) return true;
  return false;
}

static spw_status list_group(spw_archive *a, view *v, const char *name, size_t length, spw_error *error)
{
  char path[SPW_ESCAPED * LONGEST_NAME];
  size_t used = 0;
  set_prefix(v, name, length);
  const spw_group g = group_of(v);
  const char *const values = spw_group_values(&g), *const packed = spw_group_semi(&g);
  const bool semi = packed && strcmp(packed, name + length) == 0;
  if (!semi && (!values || strcmp(values, name + length) != 0)) return SPW_OK;
  const size_t parts = semi ? spw_group_semi_parts(&g) : spw_group_parts(&g);
  a->dense -= parts < a->dense ? parts : a->dense; /* a size may belong to two */
  char *const prefix = spw_owned_alloc(a->owned, length + 1, 1);
  if (!prefix) return spw_archive_no_memory(error);
  memcpy(prefix, name, length);
  for (size_t i = 0; i + 1 < length; i++) used += spw_escape(name[i], "", path + used);
  return semi ? spw_archive_add_semi(a, path, used, prefix, error) : spw_archive_add(a, path, used, prefix, error);
}

static spw_status list_groups(spw_archive *a, const file *f, spw_error *error)
{
  view *const v = spw_owned_alloc(a->owned, 1, sizeof *v);
  spw_status status = v ? SPW_OK : spw_archive_no_memory(error);
  if (v) v->file = f;
  for (const spw_json *entry = f->header->first; entry && !status; entry = entry->next) {
    size_t length;
    if (prefix_of(entry->name, &length)) status = list_group(a, v, entry->name, length, error);
  }
  return status;
}

/* ---- The file -------------------------------------------------------------------------------- */

static spw_status read_header(spw_archive *a, const unsigned char *bytes, file *f, spw_error *error)
{
  if (a->size < PREFIX) return spw_fail(SPW_EFORMAT, error, "", "too short for a safetensors file");
  const uint64_t length = length_of_header(bytes);
  if (length > LONGEST_HEADER) return spw_fail(SPW_EFORMAT, error, "", "a header of more than 100000000 bytes");
  if (length > a->size - PREFIX) return spw_fail(SPW_EFORMAT, error, "", "the header goes beyond the file's end");
  const char *const text = (const char *)bytes + PREFIX;
  if (length == 0 || text[0] != '{') return spw_fail(SPW_EFORMAT, error, "", "the header does not begin with a bracket");
  const spw_status status = spw_json_parse(a->owned, text, (size_t)length, "header", &f->header, error);
  if (status) return status;
  f->metadata = spw_json_member(f->header, METADATA);
  f->elements = bytes + PREFIX + length;
  f->size = a->size - PREFIX - length;
  return SPW_OK;
}

static spw_status fill(spw_archive *a, const void *bytes, spw_error *error)
{
  file *const f = spw_owned_alloc(a->owned, 1, sizeof *f);
  a->read = read_listed;
  a->read_members = read_members;
  a->read_semi = read_either;
  if (!f) return spw_archive_no_memory(error);
  a->file = f;
  spw_status status = read_header(a, bytes, f, error);
  if (!status) status = check_metadata(f, error);
  if (!status) status = check_tensors(a, f, error);
  return status ? status : list_groups(a, f, error);
}

spw_status spw_archive_open_safetensors(const void *bytes, size_t size, size_t limit, spw_archive **out, spw_error *error)
{
  return spw_archive_new(bytes, size, limit, fill, out, error);
}
