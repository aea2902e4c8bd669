/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the sparse matrices of HDF5 files: groups of AnnData, of 10x Genomics, of binsparse, and plain ones. */
#define _XOPEN_SOURCE 700 /* strdup, strnlen */
#include "../arrays/archive.h"
#include "binsparse.h"
#include "../numbers/byte_order.h"
#include "../arrays/group.h"
#include "hdf5_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32, LONGEST_NAME = 255, LONGEST_PATH = 4096, MOST_LINKS = 1 << 16, LONGEST_TEXT = 1 << 16 };

/* Values of enumerations of the library. */
enum { DEFAULT = 0, ALL = 0, READ_ONLY = 0, BY_NAME = 0, UPWARDS = 0, CLOSE_STRONG = 3 };
enum { HARD = 0, SOFT = 1, EXTERNAL = 64 };
enum { IS_GROUP = 2, IS_DATASET = 5 };
enum { INTEGER = 0, FLOAT = 1, STRING = 3, COMPOUND = 6, ENUM = 8 };
enum { LITTLE = 0, BIG = 1, UNSIGNED = 0, SIGNED = 1 };
enum { NULL_SPACE = 2, COMPACT = 0, CHUNKED = 2 };

typedef struct file {
  const spw_hdf5 *library; /* while it is held */
  spw_hid id;
} file;

static spw_status fail(const char *name, spw_error *error, const char *what)
{
  return spw_fail(SPW_EFORMAT, error, name, "libhdf5 cannot %s", what);
}

/* ---- Types ----------------------------------------------------------------------------------- */

static bool is_float(const spw_hdf5 *l, spw_hid type, size_t size, char *kind)
{
  static const struct {
    char kind;
    size_t size, exponent_at, exponent, fraction, bias;
  } known[] = {{'f', 2, 10, 5, 10, 15}, {'f', 4, 23, 8, 23, 127}, {'f', 8, 52, 11, 52, 1023}, {'t', 2, 7, 8, 7, 127}};
  size_t sign, at, exponent, begin, fraction;
  if (l->H5Tget_fields(type, &sign, &at, &exponent, &begin, &fraction) < 0) return false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    *kind = known[i].kind;
    if (size == known[i].size && sign == 8 * size - 1 && at == known[i].exponent_at && exponent == known[i].exponent
        && begin == 0 &&
        fraction == known[i].fraction && l->H5Tget_ebias(type) == known[i].bias)
      return true;
  }
  return false;
}

static bool member_is(const spw_hdf5 *l, spw_hid type, unsigned i, const char *name)
{
  char *const found = l->H5Tget_member_name(type, i);
  const bool is = found && strcmp(found, name) == 0;
  if (found) l->H5free_memory(found);
  return is;
}

/* As h5py writes bools: an enumeration of FALSE and TRUE. */
static bool is_bool(const spw_hdf5 *l, spw_hid type, size_t size)
{
  return size == 1 && l->H5Tget_nmembers(type) == 2 && member_is(l, type, 0, "FALSE") && member_is(l, type, 1, "TRUE");
}

static bool is_swapped(const spw_hdf5 *l, spw_hid type, bool *swapped)
{
  const int order = l->H5Tget_order(type);
  *swapped = order == BIG;
  return order == LITTLE || order == BIG || l->H5Tget_size(type) == 1;
}

/* As h5py writes complex numbers: r and i. */
static bool is_complex(const spw_hdf5 *l, spw_hid type, size_t size, bool *swapped)
{
  char kind = 0;
  bool is = (size == 8 || size == 16) && l->H5Tget_nmembers(type) == 2 && member_is(l, type, 0, "r") && member_is(l, type, 1,
                                                                                                                  "i");
  for (unsigned i = 0; is && i < 2; i++) {
    bool order = false;
    const spw_hid part = l->H5Tget_member_type(type, i);
    is = part >= 0 && l->H5Tget_class(part) == FLOAT && l->H5Tget_size(part) == size / 2 && is_float(l, part, size / 2, &kind) &&
         l->H5Tget_member_offset(type, i) == i * size / 2 && is_swapped(l, part, &order) && (i == 0 || order == *swapped);
    *swapped = order;
    if (part >= 0) l->H5Tclose(part);
  }
  return is;
}

/* Kind 0: a type that is none of ours. */
static spw_stored type_of(const spw_hdf5 *l, spw_hid type, bool *swapped)
{
  const size_t size = l->H5Tget_size(type);
  spw_stored stored = {0, size <= 16 ? (int)size : 0};
  char kind = 0;
  *swapped = false;
  switch (l->H5Tget_class(type)) {
  case INTEGER:
    if (!is_swapped(l, type, swapped) || l->H5Tget_precision(type) != 8 * size) return stored;
    if (size != 1 && size != 2 && size != 4 && size != 8) return stored; /* there are integers of 128 bits, and wider ones */
    stored.kind = l->H5Tget_sign(type) == UNSIGNED ? 'u' : 'i';
    break;
  case FLOAT:
    if (is_swapped(l, type, swapped) && is_float(l, type, size, &kind)) stored.kind = kind;
    break;
  case ENUM:
    if (is_bool(l, type, size)) stored.kind = 'b';
    break;
  case COMPOUND:
    if (is_complex(l, type, size, swapped)) stored.kind = 'c';
    break;
  default:
    break;
  }
  return stored;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* The product of the shape, and of what of it is not 0, is below 2^63. */
static bool shape_of(const spw_hdf5 *l, spw_hid space, int64_t *ndim, int64_t *count, int64_t shape[SPW_GROUP_DIMS])
{
  uint64_t dims[SPW_GROUP_DIMS];
  const int n = l->H5Sget_simple_extent_ndims(space);
  int64_t product = 1;
  bool empty = l->H5Sget_simple_extent_type(space) == NULL_SPACE;
  if (n < 0 || n > SPW_GROUP_DIMS || l->H5Sget_simple_extent_dims(space, dims, NULL) != n) return false;
  for (int d = 0; d < n; d++) {
    empty = empty || dims[d] == 0;
    if (dims[d] > INT64_MAX) return false;
    shape[d] = (int64_t)dims[d];
    if (dims[d] > 0 && __builtin_mul_overflow(product, shape[d], &product)) return false;
  }
  *ndim = n;
  *count = empty ? 0 : product;
  return true;
}

/* ---- Attributes ------------------------------------------------------------------------------ */

typedef struct attribute {
  spw_hid id, type, space;
  int64_t ndim, count;
  int64_t shape[SPW_GROUP_DIMS];
} attribute;

static void close_attribute(const spw_hdf5 *l, const attribute *a)
{
  if (a->space >= 0) l->H5Sclose(a->space);
  if (a->type >= 0) l->H5Tclose(a->type);
  if (a->id >= 0) l->H5Aclose(a->id);
}

/* False where there is none; of one that cannot be described, the count is -1. */
static bool open_attribute(const spw_hdf5 *l, spw_hid object, const char *name, attribute *a)
{
  *a = (attribute){.id = -1, .type = -1, .space = -1, .count = -1};
  if (l->H5Aexists(object, name) <= 0) return false;
  a->id = l->H5Aopen(object, name, DEFAULT);
  if (a->id < 0) return true;
  a->type = l->H5Aget_type(a->id);
  a->space = l->H5Aget_space(a->id);
  if (a->type < 0 || a->space < 0 || !shape_of(l, a->space, &a->ndim, &a->count, a->shape)) a->count = -1;
  return true;
}

/* A text of variable length, which the library allocates, or of a fixed one; to free(). Null if it is none, or too long. */
static char *read_text(const spw_hdf5 *l, const attribute *a)
{
  char *text = NULL, *copy = NULL;
  if (a->count != 1 || l->H5Tget_class(a->type) != STRING) return NULL;
  const int varies = l->H5Tis_variable_str(a->type);
  if (varies < 0) return NULL;
  if (varies > 0) {
    if (l->H5Aread(a->id, a->type, &text) < 0 || !text) return NULL;
    if (strnlen(text, LONGEST_TEXT) < LONGEST_TEXT) copy = strdup(text);
    l->H5free_memory(text);
    return copy;
  }
  const size_t size = l->H5Tget_size(a->type);
  if (size == 0 || size > LONGEST_TEXT) return NULL;
  copy = calloc(size + 1, 1);
  if (copy && l->H5Aread(a->id, a->type, copy) >= 0) return copy;
  free(copy);
  return NULL;
}

/* *text: null where there is no such attribute. */
static spw_status text_of(const spw_hdf5 *l, spw_hid object, const char *name, char **text, spw_error *error)
{
  attribute a;
  *text = NULL;
  if (!open_attribute(l, object, name, &a)) return SPW_OK;
  *text = read_text(l, &a);
  close_attribute(l, &a);
  return *text ? SPW_OK : spw_fail(SPW_EFORMAT, error, name, "the attribute is not one text of at most %d bytes", LONGEST_TEXT);
}

static spw_status read_size(const spw_hdf5 *l, const attribute *a, const char *name, spw_group *g, spw_error *error)
{
  uint64_t raw[SPW_GROUP_DIMS];
  bool swapped;
  const spw_stored type = a->count >= 0 ? type_of(l, a->type, &swapped) : (spw_stored){0, 0};
  if ((type.kind != 'i' && type.kind != 'u') || swapped || a->ndim != 1 || a->count > SPW_GROUP_DIMS)
    return spw_fail(SPW_EFORMAT, error, name, "the attribute is no list of at most %d integers", SPW_GROUP_DIMS);
  if (l->H5Aread(a->id, a->type, raw) < 0) return fail(name, error, "read the attribute");
  const char *at = (const char *)raw;
  for (int64_t i = 0; i < a->count; i++, at += type.size) {
    uint64_t number = 0;
    memcpy(&number, at, (size_t)type.size); /* little-endian */
    const int unused = 64 - 8 * type.size;
    if (number > INT64_MAX && type.size == 8 && type.kind == 'u')
      return spw_fail(SPW_EFORMAT, error, name, "a number beyond int64");
    g->size[i] = type.kind == 'i' ? (int64_t)(number << unused) >> unused : (int64_t)number;
  }
  g->ndim = a->count;
  return SPW_OK;
}

static spw_status size_of(const spw_hdf5 *l, spw_hid object, spw_group *g, spw_error *error)
{
  static const char *const names[] = {"shape", "h5sparse_shape", "size"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    attribute a;
    if (!open_attribute(l, object, names[i], &a)) continue;
    const spw_status status = read_size(l, &a, names[i], g, error);
    close_attribute(l, &a);
    return status;
  }
  return SPW_OK;
}

static spw_status layout_of(const spw_hdf5 *l, spw_hid object, spw_group *g, spw_error *error)
{
  static const char *const names[] = {"encoding-type", "h5sparse_format", "sparse_format", "layout"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !g->layout[0]; i++) {
    char *text;
    const spw_status status = text_of(l, object, names[i], &text, error);
    if (status) return status;
    if (text) snprintf(g->layout, sizeof g->layout, "%s", text);
    free(text);
  }
  return SPW_OK;
}

/* ---- Datasets -------------------------------------------------------------------------------- */

typedef struct view {
  const spw_hdf5 *library;
  spw_hid group;
  size_t left; /* bytes that a chunk may take */
} view;

static bool is_hard_link(const spw_hdf5 *l, spw_hid group, const char *name)
{
  spw_hdf5_link_info info = {.type = SOFT};
  return l->H5Lexists(group, name, DEFAULT) > 0 && l->get_link_info(group, name, &info, DEFAULT) >= 0 && info.type == HARD;
}

/* Is it there, and no part of the path a link to another place? */
static bool is_hard(const spw_hdf5 *l, spw_hid group, const char *path)
{
  char part[LONGEST_PATH + 1];
  if (strlen(path) > LONGEST_PATH) return false;
  for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
    memcpy(part, path, (size_t)(slash - path));
    part[slash - path] = 0;
    if (!is_hard_link(l, group, part)) return false;
  }
  return is_hard_link(l, group, path);
}

static bool has_dataset(void *context, const char *name)
{
  const view *const v = context;
  if (!is_hard(v->library, v->group, name)) return false;
  const spw_hid object = v->library->H5Oopen(v->group, name, DEFAULT);
  const bool is = object >= 0 && v->library->H5Iget_type(object) == IS_DATASET;
  if (object >= 0) v->library->H5Oclose(object);
  return is;
}

static const char *name_of_filter(int filter)
{
  static const struct {
    int number;
    const char *name;
  } known[] = {{32000, "lzf"}, {32001, "blosc"}, {32004, "lz4"}, {32015, "zstd"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].number == filter) return known[i].name;
  return "of another program";
}

/* Those that the library has itself. */
static spw_status check_filters(const spw_hdf5 *l, spw_hid list, const char *name, spw_error *error)
{
  enum { LAST = 6 };
  const int count = l->H5Pget_nfilters(list);
  if (count < 0) return fail(name, error, "list the filters");
  for (int i = 0; i < count; i++) {
    unsigned flags, configuration;
    size_t values = 0;
    const int filter = l->H5Pget_filter2(list, (unsigned)i, &flags, &values, NULL, 0, NULL, &configuration);
    if (filter < 1 || filter > LAST)
      return spw_fail(SPW_EUNSUPPORTED, error, name, "it is compressed by filter %d (%s), which libhdf5 has not itself", filter,
                      name_of_filter(filter));
  }
  return SPW_OK;
}

/* Where its elements lie: in the file, in pieces that memory has room for. */
static spw_status check_storage(const view *v, spw_hid list, const spw_part *part, const char *name, spw_error *error)
{
  const spw_hdf5 *const l = v->library;
  const int layout = l->H5Pget_layout(list);
  uint64_t chunk[SPW_GROUP_DIMS], bytes = (uint64_t)part->type.size;
  if (layout < COMPACT || layout > CHUNKED || l->H5Pget_external_count(list) != 0)
    return spw_fail(SPW_EUNSUPPORTED, error, name, "its elements lie in another file, or are virtual");
  const spw_status status = check_filters(l, list, name, error);
  if (status || layout != CHUNKED) return status;
  if (l->H5Pget_chunk(list, SPW_GROUP_DIMS, chunk) != part->ndim) return fail(name, error, "describe its chunks");
  for (int64_t d = 0; d < part->ndim; d++)
    if (__builtin_mul_overflow(bytes, chunk[d], &bytes) || bytes > v->left)
      return spw_fail(SPW_ENOMEM, error, name, "one of its chunks takes more than the memory limit");
  return SPW_OK;
}

typedef struct dataset {
  spw_hid id, type, space, list;
} dataset;

static void close_dataset(const spw_hdf5 *l, const dataset *d)
{
  if (d->list >= 0) l->H5Pclose(d->list);
  if (d->space >= 0) l->H5Sclose(d->space);
  if (d->type >= 0) l->H5Tclose(d->type);
  if (d->id >= 0) l->H5Dclose(d->id);
}

static bool open_dataset(const view *v, const char *name, dataset *d)
{
  const spw_hdf5 *const l = v->library;
  *d = (dataset){-1, -1, -1, -1};
  if (!has_dataset((void *)v, name)) return false;
  d->id = l->H5Oopen(v->group, name, DEFAULT);
  if (d->id < 0) return false;
  d->type = l->H5Dget_type(d->id);
  d->space = l->H5Dget_space(d->id);
  d->list = l->H5Dget_create_plist(d->id);
  return d->type >= 0 && d->space >= 0 && d->list >= 0;
}

static const char *name_of_class(int number)
{
  static const char *const names[] = {"an integer of another width", "a float of another format", "a time", "a text",
                                      "a bitfield",
                                      "opaque", "a compound", "a reference", "an enumeration", "of variable length", "an array"};
  return number >= 0 && number < (int)(sizeof names / sizeof *names) ? names[number] : "unknown";
}

static spw_status describe(const view *v, const dataset *d, const char *name, spw_part *part, spw_error *error)
{
  bool swapped;
  if (!shape_of(v->library, d->space, &part->ndim, &part->count, part->shape))
    return spw_fail(SPW_EFORMAT, error, name, "more than 64 dimensions, or a shape beyond 64 bits");
  part->type = type_of(v->library, d->type, &swapped);
  part->type_name = name_of_class(v->library->H5Tget_class(d->type));
  part->at = NULL;
  return check_storage(v, d->list, part, name, error);
}

static spw_status find_part(void *context, const char *name, spw_part *part, spw_error *error)
{
  const view *const v = context;
  dataset d;
  const spw_status status = open_dataset(v, name, &d) ? describe(v, &d, name, part, error) : fail(name, error,
                                                                                                  "open the dataset");
  close_dataset(v->library, &d);
  return status;
}

static spw_status read_part(void *context, const char *name, const spw_part *part, void *elements, spw_error *error)
{
  const view *const v = context;
  dataset d;
  bool swapped = false;
  const bool open = open_dataset(v, name, &d);
  const spw_stored type = open ? type_of(v->library, d.type, &swapped) : (spw_stored){0, 0};
  const bool read = open && type.kind == part->type.kind && type.size == part->type.size &&
                    (part->count == 0 || v->library->H5Dread(d.id, d.type, ALL, ALL, DEFAULT, elements) >= 0);
  close_dataset(v->library, &d);
  if (!read) return fail(name, error, "read the elements");
  if (swapped)
    spw_reverse_bytes(elements, (size_t)part->count * (size_t)type.size, (size_t)type.size / (type.kind == 'c' ? 2 : 1));
  return SPW_OK;
}

static spw_group group_of(view *v)
{
  return (spw_group){
      .context = v, .has = has_dataset, .find = find_part, .read = read_part, .coalesced = SPW_CLAIM_NONE, .ndim = -1};
}

/* ---- Listing --------------------------------------------------------------------------------- */

typedef struct walk {
  spw_archive *archive;
  const spw_hdf5 *library;
  spw_error *error;
  size_t links, length;
  char path[LONGEST_PATH + 1];
} walk;

static const char binsparse[] = "binsparse";

static spw_status list_group(walk *w, spw_hid id)
{
  view v = {w->library, id, 0};
  const spw_group g = group_of(&v);
  if (w->library->H5Aexists(id, binsparse) <= 0 && !spw_group_values(&g)) return SPW_OK;
  w->archive->dense -= w->archive->dense < spw_group_parts(&g) ? w->archive->dense : spw_group_parts(&g);
  char *const path = spw_owned_alloc(w->archive->owned, w->length + 2, 1);
  if (!path) return spw_archive_no_memory(w->error);
  memcpy(path, w->length > 0 ? w->path : "/", w->length > 0 ? w->length : 1);
  char shown[LONGEST_PATH * SPW_ESCAPED];
  size_t used = 0;
  for (size_t i = 1; i < w->length; i++) used += spw_escape(w->path[i], "", shown + used);
  return spw_archive_add(w->archive, shown, used, path, w->error);
}

static spw_status walk_group(walk *w, spw_hid id, int depth);

static spw_status walk_object(walk *w, spw_hid group, const char *name, int depth)
{
  const spw_hid object = w->library->H5Oopen(group, name, DEFAULT);
  spw_status status = SPW_OK;
  if (object < 0) return fail(name, w->error, "open the object");
  const int kind = w->library->H5Iget_type(object);
  if (kind == IS_DATASET) w->archive->dense++;
  if (kind == IS_GROUP) status = walk_group(w, object, depth + 1);
  w->library->H5Oclose(object);
  return status;
}

static spw_status walk_link(walk *w, spw_hid group, uint64_t i, int depth)
{
  const spw_hdf5 *const l = w->library;
  char name[LONGEST_NAME + 1];
  spw_hdf5_link_info info = {.type = EXTERNAL};
  const size_t before = w->length;
  const ssize_t length = l->H5Lget_name_by_idx(group, ".", BY_NAME, UPWARDS, i, name, sizeof name, DEFAULT);
  if (length <= 0 || l->get_link_info(group, length <= LONGEST_NAME ? name : "", &info, DEFAULT) < 0)
    return spw_fail(SPW_EFORMAT, w->error, w->path, "a link that libhdf5 cannot read, or a name of more than %d bytes",
                    LONGEST_NAME);
  if (++w->links > MOST_LINKS) return spw_fail(SPW_EUNSUPPORTED, w->error, "", "more than %d links", MOST_LINKS);
  if (info.type == SOFT) return SPW_OK; /* what it leads to has a name of its own */
  if (info.type != HARD) return spw_fail(SPW_EUNSUPPORTED, w->error, name, "an external link: it leads to another file");
  if (before + 1 + (size_t)length > LONGEST_PATH)
    return spw_fail(SPW_EUNSUPPORTED, w->error, name, "a path of more than %d bytes", LONGEST_PATH);
  w->path[w->length++] = '/';
  memcpy(w->path + w->length, name, (size_t)length + 1);
  w->length += (size_t)length;
  const spw_status status = walk_object(w, group, name, depth);
  w->length = before;
  w->path[before] = 0;
  return status;
}

/* Groups that are behind several links, or within themselves, end at the depth and at the number of links. */
static spw_status walk_group(walk *w, spw_hid id, int depth)
{
  spw_hdf5_group_info info = {0};
  spw_status status = SPW_OK;
  if (depth > DEEPEST) return spw_fail(SPW_EUNSUPPORTED, w->error, "", "groups lie deeper than %d, or within themselves",
                                       DEEPEST);
  if (w->library->H5Gget_info(id, &info) < 0) return fail(w->path, w->error, "describe the group");
  for (uint64_t i = 0; !status && i < info.links; i++) status = walk_link(w, id, i, depth);
  return status ? status : list_group(w, id);
}

/* ---- One tensor ------------------------------------------------------------------------------ */

static spw_status read_plain(view *v, const spw_members *members, spw_owned *owned, spw_error *error)
{
  spw_group g = group_of(v);
  g.members = members;
  spw_status status = layout_of(v->library, v->group, &g, error);
  if (!status && !g.layout[0] && is_hard(v->library, v->group, "barcodes")) memcpy(g.layout, "csc", 4); /* of 10x Genomics */
  if (!status) status = size_of(v->library, v->group, &g, error);
  return status ? status : spw_group_read(&g, owned, error);
}

static spw_status read_group(view *v, spw_owned *owned, spw_error *error)
{
  char *text;
  spw_status status = text_of(v->library, v->group, binsparse, &text, error);
  if (status) return status;
  if (!text) return read_plain(v, NULL, owned, error);
  const spw_group g = group_of(v);
  status = spw_binsparse_read(&g, text, owned, error);
  free(text);
  return status;
}

static spw_status no_library(spw_error *error)
{
  return spw_fail(SPW_EUNSUPPORTED, error, "", "it is an HDF5 file, and there is no libhdf5 to read it: install libhdf5-103-1");
}

static spw_status read_at(const spw_archive *a, const char *path, const spw_members *members, spw_owned *owned, spw_error *error)
{
  const file *const f = a->file;
  const spw_hdf5 *const l = spw_hdf5_take();
  if (!l) return no_library(error);
  const spw_hid group = l->H5Oopen(f->id, path, DEFAULT);
  view v = {l, group, spw_owned_left(owned)};
  spw_status status = group >= 0 ? SPW_OK : fail(path, error, "open the group");
  if (!status) status = members ? read_plain(&v, members, owned, error) : read_group(&v, owned, error);
  if (group >= 0) l->H5Oclose(group);
  spw_hdf5_let_go(l);
  return status;
}

static spw_status read_listed(const spw_archive *a, const void *tensor, spw_owned *owned, spw_error *error)
{
  return read_at(a, tensor, NULL, owned, error);
}

static spw_status read_members(const spw_archive *a, const spw_members *members, spw_owned *owned, spw_error *error)
{
  return read_at(a, "/", members, owned, error);
}

/* ---- The file -------------------------------------------------------------------------------- */

static const unsigned char magic[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

bool spw_is_hdf5(const void *bytes, size_t size)
{
  return bytes && size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static void close_file(spw_archive *a)
{
  const file *const f = a->file;
  const spw_hdf5 *const l = spw_hdf5_take();
  if (!l) return;
  l->H5Fclose(f->id);
  spw_hdf5_let_go(l);
}

/* Two files of one name would be one to the library. */
static spw_hid open_image(const spw_hdf5 *l, const void *bytes, size_t size)
{
  static unsigned long number; /* changed while the library is held */
  enum { GROWTH = 1 << 16 };
  char name[40];
  spw_hid id = -1;
  snprintf(name, sizeof name, "spw-%lu", number++);
  const spw_hid access = l->H5Pcreate(l->H5P_CLS_FILE_ACCESS_ID_g);
  if (access < 0) return -1;
  if (l->H5Pset_fapl_core(access, GROWTH, 0) >= 0 && l->H5Pset_fclose_degree(access, CLOSE_STRONG) >= 0 &&
      l->H5Pset_file_image(access, (void *)bytes, size) >= 0)
    id = l->H5Fopen(name, READ_ONLY, access);
  l->H5Pclose(access);
  return id;
}

static spw_status list_all(spw_archive *a, file *f, const spw_hdf5 *l, const void *bytes, spw_error *error)
{
  walk *const w = spw_owned_alloc(a->owned, 1, sizeof *w);
  if (!w || spw_owned_left(a->owned) / 2 < a->size) return spw_archive_no_memory(error); /* the library copies the file twice */
  f->id = open_image(l, bytes, a->size);
  if (f->id < 0) return fail("", error, "open the file: it is damaged, or of a later version");
  a->file = f;
  a->close = close_file;
  *w = (walk){.archive = a, .library = l, .error = error};
  const spw_hid root = l->H5Oopen(f->id, "/", DEFAULT);
  const spw_status status = root >= 0 ? walk_group(w, root, 0) : fail("/", error, "open the root");
  if (root >= 0) l->H5Oclose(root);
  return status;
}

static spw_status fill(spw_archive *a, const void *bytes, spw_error *error)
{
  file *const f = spw_owned_alloc(a->owned, 1, sizeof *f);
  a->read = read_listed;
  a->read_members = read_members;
  if (!f) return spw_archive_no_memory(error);
  if (!spw_is_hdf5(bytes, a->size)) return spw_fail(SPW_EFORMAT, error, "", "not an HDF5 file");
  const spw_hdf5 *const l = spw_hdf5_take();
  if (!l) return no_library(error);
  const spw_status status = list_all(a, f, l, bytes, error);
  spw_hdf5_let_go(l);
  return status;
}

spw_status spw_archive_open_hdf5(const void *bytes, size_t size, size_t limit, spw_archive **out, spw_error *error)
{
  return spw_archive_new(bytes, size, limit, fill, out, error);
}
