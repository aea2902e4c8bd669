/* SPDX-License-Identifier: Apache-2.0 */
/* The second model of trees of HDF5. */
#define _XOPEN_SOURCE 700 /* strndup */
#include "hdf5_expected.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32, LONGEST_NAME = 255, LONGEST_PATH = 4096, LONGEST_TEXT = 1 << 16, MOST_DIMS = 64, HEAVY = 1 << 20 };

/* ---- The list -------------------------------------------------------------------------------- */

static const hdf5_object *dataset(const hdf5_tree *t, int group, const char *name)
{
  const hdf5_item *const link = hdf5_link(t, group, name);
  if (!link || link->kind != TREE_HARD || t->object[link->object].is_group) return NULL;
  return &t->object[link->object];
}

typedef struct known_names {
  const char *names[4]; /* of index arrays, and then of the values */
  const char *layouts;
} known_names;

static const known_names namings[] = {{{"crow_indices", "col_indices", "values"}, "csr bsr"},
                                 {{"ccol_indices", "row_indices", "values"}, "csc bsc"},
                                 {{"indptr", "indices", "data"}, "csr csc bsr bsc"},
                                 {{"row", "col", "data"}, "coo"},
                                 {{"indices", "values"}, "coo"}};
enum { BY_ROWS, BY_COLUMNS, BY_POINTERS, BY_PAIR, BY_INDICES, NAMINGS };

static int parts_of(const known_names *n)
{
  int count = 0;
  while (count < 4 && n->names[count]) count++;
  return count;
}

static int naming_of(const hdf5_tree *t, int group)
{
  for (int i = 0; i < NAMINGS; i++) {
    int there = 0;
    for (int k = 0; k < parts_of(&namings[i]); k++) there += dataset(t, group, namings[i].names[k]) != NULL;
    if (there == parts_of(&namings[i])) return i;
  }
  return -1;
}

static const hdf5_object *size_array(const hdf5_tree *t, int group)
{
  const hdf5_object *const size = dataset(t, group, "size");
  return size ? size : dataset(t, group, "shape");
}

/* As paths are shown: what is no printable ASCII in hexadecimal. */
static char *shown(const char *path)
{
  char *const text = malloc(4 * strlen(path) + 1);
  if (!text) abort();
  text[0] = 0;
  for (size_t used = 0; *path; path++)
    used += (size_t)sprintf(text + used, *path >= ' ' && *path <= '~' ? "%c" : "\\x%02x", (unsigned char)*path);
  return text;
}

static bool list_group(const hdf5_tree *t, int group, const char *path, int depth, hdf5_listing *l);

static bool list_link(const hdf5_tree *t, const hdf5_item *link, const char *path, int depth, hdf5_listing *l)
{
  char within[LONGEST_PATH + 1];
  if (strlen(link->name) > LONGEST_NAME || link->kind == TREE_EXTERNAL) return false;
  if (link->kind == TREE_SOFT) return true;
  if (snprintf(within, sizeof within, "%s/%s", path, link->name) > LONGEST_PATH) return false;
  l->dense += !t->object[link->object].is_group;
  return !t->object[link->object].is_group || list_group(t, link->object, within, depth + 1, l);
}

static void add_group(const hdf5_tree *t, int group, const char *path, hdf5_listing *l)
{
  const int n = naming_of(t, group);
  const size_t parts = n < 0 ? 0 : (size_t)parts_of(&namings[n]) + (size_array(t, group) != NULL);
  if (n < 0 && !hdf5_attribute(t, group, "binsparse")) return;
  l->dense = l->dense > parts ? l->dense - parts : 0;
  if (l->count == HDF5_LISTED) abort();
  l->object[l->count] = group;
  l->path[l->count++] = shown(*path ? path + 1 : path);
}

static bool list_group(const hdf5_tree *t, int group, const char *path, int depth, hdf5_listing *l)
{
  const hdf5_item *link;
  if (depth > DEEPEST) return false;
  for (uint64_t i = 0; (link = hdf5_link_at(t, group, i)) != NULL; i++)
    if (!list_link(t, link, path, depth, l)) return false;
  add_group(t, group, path, l);
  return true;
}

bool hdf5_list(const hdf5_tree *tree, hdf5_listing *listing)
{
  listing->count = 0;
  listing->dense = 0;
  return list_group(tree, 0, "", 0, listing);
}

void hdf5_listing_free(hdf5_listing *listing)
{
  for (int i = 0; i < listing->count; i++) free(listing->path[i]);
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* An array as it must be read: of numbers, or of bytes in the order of this machine. */
typedef struct array {
  const hdf5_data *data;
  spw_dtype dtype;
  bool is_signed, big;
  int64_t width, part, ndim, count; /* part: bytes that are turned round together */
  int64_t shape[MOST_DIMS];
} array;

static bool agrees(const hdf5_type *a, const hdf5_type *b, int count, const int *fields)
{
  bool same = a->is[TYPE_CLASS] == b->is[TYPE_CLASS] && a->is[TYPE_SIZE] == b->is[TYPE_SIZE];
  for (int i = 0; i < count; i++) same = same && a->is[fields[i]] == b->is[fields[i]];
  return same;
}

/* What of two types of a class must be equal for them to mean the same. */
static bool means(const hdf5_type *a, const hdf5_type *b)
{
  static const int integers[] = {TYPE_PRECISION, TYPE_SIGN};
  static const int floats[] = {TYPE_SIGN_AT, TYPE_EXPONENT_AT, TYPE_EXPONENT, TYPE_FRACTION_AT, TYPE_FRACTION, TYPE_BIAS};
  static const int enums[] = {TYPE_MEMBERS, TYPE_NAME_0, TYPE_NAME_1};
  static const int pairs[] = {TYPE_MEMBERS, TYPE_NAME_0, TYPE_NAME_1, TYPE_OFFSET_0, TYPE_OFFSET_1, TYPE_PART};
  switch (b->is[TYPE_CLASS]) {
  case CLASS_INTEGER: return agrees(a, b, 2, integers);
  case CLASS_FLOAT: return agrees(a, b, 6, floats);
  case CLASS_ENUM: return agrees(a, b, 3, enums);
  default: return agrees(a, b, 6, pairs);
  }
}

/* SPW_DTYPE_NONE for a type that is not read. */
static spw_dtype dtype_of(hdf5_type type, array *a)
{
  static const spw_dtype read_as[] = {SPW_UINT8,   SPW_INT32,   SPW_INT64,   SPW_INT64,    SPW_INT8,
                                      SPW_INT16,   SPW_INT32,   SPW_INT64,   SPW_FLOAT16,  SPW_FLOAT32,
                                      SPW_FLOAT64, SPW_BFLOAT16, SPW_BOOL,   SPW_COMPLEX64, SPW_COMPLEX128};
  type.is[TYPE_PART] %= TREE_TYPES;
  for (unsigned n = 0; n < sizeof read_as / sizeof *read_as; n++) {
    const hdf5_type known = hdf5_type_of(n);
    if (!means(&type, &known)) continue;
    if (n != TREE_BOOL && known.is[TYPE_SIZE] > 1 && type.is[TYPE_ORDER] > 1) return SPW_DTYPE_NONE;
    a->width = (int64_t)known.is[TYPE_SIZE];
    a->part = n == TREE_C64 || n == TREE_C128 ? a->width / 2 : a->width;
    a->big = n != TREE_BOOL && type.is[TYPE_ORDER] == 1;
    a->is_signed = known.is[TYPE_SIGN];
    return read_as[n];
  }
  return SPW_DTYPE_NONE;
}

static bool shape_fits(const hdf5_space *space, array *a)
{
  uint64_t product = 1;
  a->ndim = space->ndim;
  a->count = space->null ? 0 : 1;
  if (space->ndim > MOST_DIMS) return false;
  for (int d = 0; d < space->ndim; d++) {
    const uint64_t extent = space->dims[d];
    if (extent > INT64_MAX || (extent > 0 && product > INT64_MAX / extent)) return false;
    if (extent > 0) product *= extent;
    if (extent == 0) a->count = 0;
    a->shape[d] = (int64_t)extent;
  }
  if (a->count > 0) a->count = (int64_t)product;
  return true;
}

static bool is_stored_here(const hdf5_object *o, int64_t width, uint64_t limit, uint64_t *heavy)
{
  uint64_t chunk = (uint64_t)width;
  if (o->layout > 2 || o->elsewhere) return false;
  for (int i = 0; i < o->filters; i++)
    if (o->filter[i] < 1 || o->filter[i] > 6) return false;
  if (o->layout == 2 && o->chunk_dims != o->data.space.ndim) return false;
  for (int d = 0; d < o->chunk_dims; d++)
    if (__builtin_mul_overflow(chunk, o->chunk[d], &chunk) || chunk > limit) return false;
  if (o->layout == 2 && chunk > *heavy) *heavy = chunk;
  return true;
}

static unsigned byte_at(const array *a, uint64_t i)
{
  return i < a->data->size ? a->data->bytes[i] : 0;
}

/* An element of an integer type. */
static uint64_t bits_at(const array *a, int64_t i)
{
  uint64_t bits = 0;
  for (int64_t k = 0; k < a->width; k++)
    bits |= (uint64_t)byte_at(a, (uint64_t)(i * a->width + (a->big ? a->width - 1 - k : k))) << 8 * k;
  if (a->is_signed && a->width < 8 && bits >> (8 * a->width - 1)) bits -= (uint64_t)1 << 8 * a->width;
  return bits;
}

static bool is_integer(const array *a)
{
  return a->dtype >= SPW_UINT8 && a->dtype <= SPW_INT64;
}

/* False: it must be refused. */
static bool take_array(const hdf5_object *o, uint64_t limit, uint64_t *heavy, array *a)
{
  *a = (array){.data = &o->data};
  a->dtype = dtype_of(o->data.type, a);
  if (a->dtype == SPW_DTYPE_NONE || !shape_fits(&o->data.space, a) || !is_stored_here(o, a->width, limit, heavy)) return false;
  const uint64_t bytes = hdf5_bytes(&o->data);
  if (a->count > 0 && bytes > TREE_READABLE) return false;
  if (a->count > 0 && 8 * bytes > *heavy) *heavy = 8 * bytes;
  for (int64_t i = 0; is_integer(a) && !a->is_signed && a->width == 8 && i < a->count; i++)
    if (bits_at(a, i) > INT64_MAX) return false;
  return true;
}

static bool same_numbers(const array *a, spw_dtype dtype, const void *elements)
{
  const char *at = elements;
  const size_t size = (size_t)spw_dtype_size(dtype);
  for (int64_t i = 0; i < a->count; i++, at += size) {
    const uint64_t wanted = bits_at(a, i);
    if (memcmp(at, &wanted, size) != 0) return false;
  }
  return true;
}

static bool same_bytes(const array *a, const void *elements)
{
  const unsigned char *const at = elements;
  for (int64_t i = 0; i < a->count * a->width; i++) {
    const int64_t from = a->big ? i / a->part * a->part + (a->part - 1 - i % a->part) : i;
    if (at[i] != byte_at(a, (uint64_t)from)) return false;
  }
  return true;
}

static bool same_elements(const array *a, spw_dtype dtype, const void *elements)
{
  return a->count == 0 || (is_integer(a) ? same_numbers(a, dtype, elements) : same_bytes(a, elements));
}

/* Row-major, from the first element of its memory. */
static bool same_form(const spw_array *x, spw_dtype dtype, int64_t ndim, const int64_t *shape, int64_t count)
{
  int64_t step = 1;
  if (x->dtype != dtype || x->ndim != ndim || x->offset != 0 || x->length != count) return false;
  for (int64_t d = ndim; d-- > 0;) {
    if (x->shape[d] != shape[d] || x->strides[d] != step) return false;
    if (shape[d] > 0) step = shape[d] > INT64_MAX / step ? INT64_MAX : step * shape[d];
  }
  return true;
}

static bool same_array(const array *a, spw_dtype dtype, const spw_array *x, const void *elements)
{
  return same_form(x, dtype, a->ndim, a->shape, a->count) && same_elements(a, dtype, elements);
}

static const void *elements_of(const spw_index_array *x)
{
  return x->array.dtype == SPW_INT32 ? (const void *)x->i32 : x->array.dtype == SPW_INT64 ? (const void *)x->i64 : x->raw;
}

/* ---- What a group says of itself ------------------------------------------------------------- */

/* False: no text. *text: to free(), null where there is no attribute. */
static bool text_of(const hdf5_tree *t, int group, const char *name, char **text)
{
  const hdf5_item *const item = hdf5_attribute(t, group, name);
  array a = {.data = NULL};
  *text = NULL;
  if (!item) return true;
  const hdf5_type *const type = &item->data.type;
  const bool varies = type->is[TYPE_VARIABLE];
  size_t length = item->data.size;
  if (type->is[TYPE_CLASS] != CLASS_TEXT || !shape_fits(&item->data.space, &a) || a.count != 1) return false;
  if (varies && length > 0 && item->data.bytes[0] == 255) return false;
  if (!varies && (type->is[TYPE_SIZE] < 1 || type->is[TYPE_SIZE] > LONGEST_TEXT)) return false;
  if (!varies && length > type->is[TYPE_SIZE]) length = type->is[TYPE_SIZE];
  *text = strndup((const char *)item->data.bytes, length);
  return *text != NULL;
}

static const char *const layout_names[] = {"coo", "csr", "csc", "bsr", "bsc"};
static const spw_layout numbers_of_layouts[] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_BSR, SPW_BSC};
enum { LAYOUTS = 5, SAYS_NOTHING = -1, SAYS_ANOTHER = -2 };

static int layout_of_word(const char *word)
{
  static const char *const before[] = {"", "torch.sparse_", "torch.", "sparse_"}, *const behind[] = {"", "_matrix", "_array"};
  char known[64];
  for (int i = 0; i < 4 * LAYOUTS * 3; i++) {
    snprintf(known, sizeof known, "%s%s%s", before[i % 4], layout_names[i / 4 % LAYOUTS], behind[i / 4 / LAYOUTS]);
    if (strcmp(known, word) == 0) return i / 4 % LAYOUTS;
  }
  return *word ? SAYS_ANOTHER : SAYS_NOTHING;
}

/* False: the group must be refused. */
static bool said_layout(const hdf5_tree *t, int group, int *layout)
{
  static const char *const names[] = {"encoding-type", "h5sparse_format", "sparse_format", "layout"};
  *layout = SAYS_NOTHING;
  for (int i = 0; i < 4 && *layout == SAYS_NOTHING; i++) {
    char *text;
    if (!text_of(t, group, names[i], &text)) return false;
    if (text) *layout = layout_of_word(text);
    free(text);
  }
  const hdf5_item *const barcodes = hdf5_link(t, group, "barcodes");
  if (*layout == SAYS_NOTHING && barcodes && barcodes->kind == TREE_HARD) *layout = 2;
  return *layout != SAYS_ANOTHER;
}

static bool numbers_of(const array *a, int64_t *ndim, int64_t *size)
{
  if (a->ndim != 1 || a->count > MOST_DIMS || !is_integer(a)) return false;
  for (int64_t i = 0; i < a->count; i++) {
    const uint64_t bits = bits_at(a, i);
    if (!a->is_signed && bits > INT64_MAX) return false;
    size[i] = (int64_t)bits;
  }
  *ndim = a->count;
  return true;
}

/* *ndim is -1 where there is no size. */
static bool said_size(const hdf5_tree *t, int group, int64_t *ndim, int64_t *size)
{
  static const char *const names[] = {"shape", "h5sparse_shape", "size"};
  *ndim = -1;
  for (int i = 0; i < 3; i++) {
    const hdf5_item *const item = hdf5_attribute(t, group, names[i]);
    if (!item) continue;
    array a = {.data = &item->data};
    a.dtype = dtype_of(item->data.type, &a);
    return a.dtype != SPW_DTYPE_NONE && !a.big && shape_fits(&item->data.space, &a) && numbers_of(&a, ndim, size);
  }
  return true;
}

/* ---- The tensor ------------------------------------------------------------------------------ */

typedef struct wanted {
  spw_layout layout;
  int naming;
  array index[2], values;
  spw_dtype index_dtype[2];
  int64_t ndim, size[MOST_DIMS];
} wanted;

static bool is_index(const array *a)
{
  return a->dtype == SPW_INT32 || a->dtype == SPW_INT64;
}

/* Both become int64 if both are integers and one is of no index type, or as a pair of two types. */
static bool choose_types(wanted *w)
{
  const array *const a = &w->index[0], *const b = w->naming == BY_INDICES ? a : &w->index[1];
  const bool integers = is_integer(a) && is_integer(b), alike = a->dtype == b->dtype;
  const bool widened = integers && (!is_index(a) || !is_index(b) || (w->naming == BY_PAIR && !alike));
  w->index_dtype[0] = widened ? SPW_INT64 : a->dtype;
  w->index_dtype[1] = widened ? SPW_INT64 : b->dtype;
  return w->naming != BY_PAIR || (a->ndim == 1 && b->ndim == 1 && a->count == b->count && (alike || integers));
}

static bool choose_layout(wanted *w, int said)
{
  const bool compressed = w->naming < BY_PAIR;
  if (said == SAYS_NOTHING && (w->naming == BY_POINTERS || (compressed && w->values.ndim > w->index[1].ndim + 1))) return false;
  if (said != SAYS_NOTHING && !strstr(namings[w->naming].layouts, layout_names[said])) return false;
  if (said != SAYS_NOTHING)
    w->layout = numbers_of_layouts[said];
  else
    w->layout = w->naming == BY_ROWS ? SPW_CSR : w->naming == BY_COLUMNS ? SPW_CSC : SPW_COO;
  return true;
}

/* False: the group must be refused. */
static bool want(const hdf5_tree *t, int group, uint64_t limit, uint64_t *heavy, wanted *w)
{
  int said;
  array size;
  w->naming = naming_of(t, group);
  if (w->naming < 0 || !said_layout(t, group, &said) || !said_size(t, group, &w->ndim, w->size)) return false;
  const known_names *const n = &namings[w->naming];
  const int last = parts_of(n) - 1;
  for (int i = 0; i < last; i++)
    if (!take_array(dataset(t, group, n->names[i]), limit, heavy, &w->index[i])) return false;
  if (!take_array(dataset(t, group, n->names[last]), limit, heavy, &w->values)) return false;
  const hdf5_object *const sizes = size_array(t, group);
  if (sizes && (!take_array(sizes, limit, heavy, &size) || !numbers_of(&size, &w->ndim, w->size))) return false;
  return choose_types(w) && choose_layout(w, said);
}

static bool same_pair(const wanted *w, const spw_tensor *x)
{
  const int64_t nse = w->index[0].count, shape[2] = {2, nse};
  const char *const elements = elements_of(&x->plain);
  return same_form(&x->plain.array, w->index_dtype[0], 2, shape, 2 * nse) &&
         same_elements(&w->index[0], w->index_dtype[0], elements) &&
         (nse == 0 || same_elements(&w->index[1], w->index_dtype[1], elements + nse * spw_dtype_size(w->index_dtype[0])));
}

static bool same_indices(const wanted *w, const spw_tensor *x)
{
  if (w->naming == BY_PAIR) return same_pair(w, x);
  if (w->naming == BY_INDICES) return same_array(&w->index[0], w->index_dtype[0], &x->plain.array, elements_of(&x->plain));
  return same_array(&w->index[0], w->index_dtype[0], &x->compressed.array, elements_of(&x->compressed)) &&
         same_array(&w->index[1], w->index_dtype[1], &x->plain.array, elements_of(&x->plain));
}

static const char *compare(const wanted *w, const spw_tensor *x)
{
  if (x->layout != w->layout) return "another layout";
  if (!same_indices(w, x)) return "other indices";
  if (!same_array(&w->values, w->values.dtype, &x->values.array, x->values.data)) return "other values";
  if (x->has_size != (w->ndim >= 0)) return "a size that is not there";
  for (int64_t d = 0; d < w->ndim; d++)
    if (x->ndim != w->ndim || x->size[d] != w->size[d]) return "another size";
  return x->coalesced == SPW_CLAIM_NONE ? NULL : "a claim that nobody made";
}

const char *hdf5_judge(const hdf5_tree *tree, int group, spw_status status, const spw_tensor *tensor, uint64_t limit)
{
  static wanted w;
  uint64_t heavy = 0;
  if (hdf5_attribute(tree, group, "binsparse")) return NULL; /* fuzz/targets/binsparse.c has the header */
  const bool is_read = want(tree, group, limit, &heavy, &w);
  if (!is_read) return status ? NULL : "read, and must be refused";
  if (status == SPW_ENOMEM && heavy > HEAVY) return NULL;
  return status ? "refused, and must be read" : compare(&w, tensor);
}
