/* SPDX-License-Identifier: Apache-2.0 */
/* The sparse tensors of a file of torch.save: where they lie in the object that was saved, and their arrays. */
#include "byte_order.h"
#include "owned.h"
#include "torch_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 4096 };

typedef struct listed {
  const char *path;
  const spw_torch_sparse *sparse;
} listed;

struct spw_archive {
  spw_owned *owned;
  size_t size; /* of the file */
  spw_torch_file file;
  listed *tensors;
  size_t count, capacity, dense;
};

/* ---- Paths ----------------------------------------------------------------------------------- */

/* A container on the way from the root, the item of it that comes next, and where the path to it ends. */
typedef struct place {
  spw_pickle_value container;
  size_t next, path_length;
} place;

typedef struct walk {
  spw_archive *archive;
  spw_error *error;
  size_t depth, length;
  char path[LONGEST_PATH + 1];
  place places[LONGEST_PATH + 2]; /* each behind the second adds a slash at least */
} walk;

static bool is_container(const spw_pickle_value *value)
{
  return value->kind == SPW_PICKLE_TUPLE || value->kind == SPW_PICKLE_LIST || value->kind == SPW_PICKLE_DICT;
}

static bool add(walk *w, const char *text, size_t length)
{
  if (length > LONGEST_PATH - w->length) return false;
  memcpy(w->path + w->length, text, length);
  w->length += length;
  return true;
}

static bool add_escaped(walk *w, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    const unsigned char c = (unsigned char)text[i];
    char escaped[8];
    int n = 1;
    if (c == '~' || c == '/')
      n = snprintf(escaped, sizeof escaped, "~%d", c == '/');
    else if (c < ' ' || c >= 0x7f)
      n = snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned)c);
    else
      escaped[0] = (char)c;
    if (!add(w, escaped, (size_t)n)) return false;
  }
  return true;
}

static bool add_key(walk *w, const spw_pickle_value *key)
{
  char text[40] = "None";
  switch (key->kind) {
  case SPW_PICKLE_TEXT:
    return add_escaped(w, key->text, key->length);
  case SPW_PICKLE_TRUTH:
    snprintf(text, sizeof text, "%s", key->number ? "True" : "False");
    break;
  case SPW_PICKLE_INTEGER:
    snprintf(text, sizeof text, "%lld", (long long)key->number);
    break;
  case SPW_PICKLE_REAL:
    snprintf(text, sizeof text, "%.17g", key->real);
    break;
  default:
    break;
  }
  return add(w, text, strlen(text));
}

static bool add_number(walk *w, size_t number)
{
  char text[24];
  return add(w, text, (size_t)snprintf(text, sizeof text, "%zu", number));
}

/* ---- Listing --------------------------------------------------------------------------------- */

static spw_status no_memory(spw_error *error)
{
  return spw_fail(SPW_ENOMEM, error, "", "the list of tensors needs more than the memory limit");
}

static spw_status list(walk *w, const spw_torch_sparse *sparse)
{
  spw_archive *const a = w->archive;
  if (a->count == a->capacity) {
    const size_t capacity = 2 * a->capacity + 8;
    listed *const larger = spw_owned_alloc(a->owned, capacity, sizeof *larger);
    if (!larger) return no_memory(w->error);
    if (a->count > 0) memcpy(larger, a->tensors, a->count * sizeof *larger);
    a->tensors = larger;
    a->capacity = capacity;
  }
  char *const path = spw_owned_alloc(a->owned, w->length + 1, 1);
  if (!path) return no_memory(w->error);
  memcpy(path, w->path, w->length);
  a->tensors[a->count++] = (listed){path, sparse};
  return SPW_OK;
}

static spw_status enter(walk *w, const spw_pickle_value *value)
{
  if (is_container(value)) {
    if (value->node->visited) return SPW_OK;
    value->node->visited = true;
    w->places[w->depth++] = (place){*value, 0, w->length};
    return SPW_OK;
  }
  if (value->kind != SPW_PICKLE_OBJECT) return SPW_OK;
  spw_torch_object *const object = value->object;
  if (object->visited) return SPW_OK;
  object->visited = true;
  w->archive->dense += object->kind == SPW_TORCH_TENSOR;
  return object->kind == SPW_TORCH_SPARSE ? list(w, value->object) : SPW_OK;
}

/* The path to item `next` of a place, which becomes that behind it, and the item itself. */
static const spw_pickle_value *take_item(walk *w, place *p)
{
  const spw_pickle_node *const node = p->container.node;
  const bool dict = p->container.kind == SPW_PICKLE_DICT;
  w->length = p->path_length;
  const size_t at = p->next;
  p->next += dict ? 2 : 1;
  const bool fits = (w->length == 0 && w->depth == 1) || add(w, "/", 1);
  if (!fits || !(dict ? add_key(w, &node->items[at]) : add_number(w, at))) return NULL;
  return &node->items[at + dict];
}

/* Each container is entered once, so circles end, and what is shared a thousand times is looked at once. */
static spw_status walk_all(walk *w)
{
  spw_status status = enter(w, &w->archive->file.root);
  while (!status && w->depth > 0) {
    place *const p = &w->places[w->depth - 1];
    if (p->next >= p->container.node->count) {
      w->depth--;
      continue;
    }
    const spw_pickle_value *const item = take_item(w, p);
    if (!item)
      return spw_fail(SPW_EUNSUPPORTED, w->error, "", "an object that lies deeper than a path of %d characters", LONGEST_PATH);
    status = enter(w, item);
  }
  return status;
}

static spw_status open_into(spw_archive *a, const void *bytes, spw_error *error)
{
  const spw_status status = spw_torch_file_read(a->owned, bytes, a->size, &a->file, error);
  if (status) return status;
  walk *const w = spw_owned_alloc(a->owned, 1, sizeof *w);
  if (!w) return no_memory(error);
  w->archive = a;
  w->error = error;
  const spw_status walked = walk_all(w);
  if (walked || a->count == a->file.sparse) return walked;
  return spw_fail(SPW_EUNSUPPORTED, error, "", "%zu sparse tensors are made, and %zu are part of the object that was saved",
                  a->file.sparse, a->count);
}

spw_status spw_archive_open_pt(const void *bytes, size_t size, size_t limit, spw_archive **out, spw_error *error)
{
  if (!out || (!bytes && size > 0)) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  if (error) *error = (spw_error){0};
  spw_owned *const owned = spw_owned_new(limit ? limit : spw_memory_limit(size));
  spw_archive *const a = owned ? spw_owned_alloc(owned, 1, sizeof *a) : NULL;
  spw_status status = a ? SPW_OK : no_memory(error);
  if (a) {
    a->owned = owned;
    a->size = size;
    status = open_into(a, bytes, error);
  }
  if (status)
    spw_owned_free(owned);
  else
    *out = a;
  return status;
}

void spw_archive_close(spw_archive *archive)
{
  if (archive) spw_owned_free(archive->owned);
}

size_t spw_archive_count(const spw_archive *archive)
{
  return archive ? archive->count : 0;
}

size_t spw_archive_dense_count(const spw_archive *archive)
{
  return archive ? archive->dense : 0;
}

const char *spw_archive_path(const spw_archive *archive, size_t i)
{
  return archive && i < archive->count ? archive->tensors[i].path : NULL;
}

size_t spw_archive_find(const spw_archive *archive, const char *path)
{
  size_t found = SIZE_MAX;
  for (size_t i = 0; path && i < spw_archive_count(archive); i++) {
    if (strcmp(archive->tensors[i].path, path) != 0) continue;
    if (found != SIZE_MAX) return SIZE_MAX;
    found = i;
  }
  return found;
}

/* ---- Tensors --------------------------------------------------------------------------------- */

typedef struct source {
  const spw_archive *archive;
  spw_owned *owned;
  spw_error *error;
} source;

static spw_status too_much(const source *s, const char *name)
{
  return spw_fail(SPW_ENOMEM, s->error, name, "its elements take more than the memory limit");
}

static int64_t *copy_numbers(const source *s, int64_t count, const int64_t *numbers)
{
  int64_t *const copy = spw_owned_alloc(s->owned, (size_t)count, sizeof *copy);
  if (copy && count > 0) memcpy(copy, numbers, (size_t)count * sizeof *copy);
  return copy;
}

static bool other_byte_order(const source *s)
{
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return s->archive->file.big_endian == (first == 1);
}

/* The elements from the first that the tensor reaches to the last, and what they are. */
static spw_status copy_array(const source *s, const char *name, const spw_torch_tensor *t, spw_array *array,
                             const void **storage)
{
  if (t->type->dtype == SPW_DTYPE_NONE)
    return spw_fail(SPW_EUNSUPPORTED, s->error, name, "its element type %s is none of the library's", t->type->name);
  const size_t size = (size_t)t->extent * (size_t)t->type->size;
  unsigned char *const bytes = spw_owned_alloc(s->owned, (size_t)t->extent, (size_t)t->type->size);
  int64_t *const shape = copy_numbers(s, t->ndim, t->shape), *const strides = copy_numbers(s, t->ndim, t->strides);
  if (!bytes || !shape || !strides) return too_much(s, name);
  if (size > 0) memcpy(bytes, t->storage->data + t->offset * t->type->size, size);
  if (other_byte_order(s)) spw_reverse_bytes(bytes, size, (size_t)t->type->part);
  *array = (spw_array){t->type->dtype, t->ndim, shape, strides, 0, t->extent};
  *storage = bytes;
  return SPW_OK;
}

static spw_status copy_index(const source *s, const char *name, const spw_torch_tensor *t, spw_index_array *index)
{
  const void *storage = NULL;
  const spw_status status = copy_array(s, name, t, &index->array, &storage);
  index->i32 = index->array.dtype == SPW_INT32 ? storage : NULL;
  index->i64 = index->array.dtype == SPW_INT64 ? storage : NULL;
  index->raw = storage;
  return status;
}

static spw_status copy_tensor(const source *s, const spw_torch_sparse *sparse, spw_tensor *t)
{
  t->layout = sparse->layout;
  t->coalesced = sparse->coalesced;
  t->has_size = true;
  t->ndim = sparse->ndim;
  t->size = copy_numbers(s, sparse->ndim, sparse->size);
  if (!t->size) return too_much(s, "size");
  const bool coo = sparse->layout == SPW_COO;
  spw_status status = coo ? SPW_OK : copy_index(s, "compressed_indices", sparse->compressed, &t->compressed);
  if (!status) status = copy_index(s, coo ? "indices" : "plain_indices", sparse->plain, &t->plain);
  return status ? status : copy_array(s, "values", sparse->values, &t->values.array, &t->values.data);
}

spw_status spw_archive_read(const spw_archive *archive, size_t i, size_t limit, spw_owned **out, spw_error *error)
{
  if (!archive || !out || i >= archive->count)
    return spw_fail(SPW_EINVAL, error, "", "null pointer, or there is no such tensor");
  if (error) *error = (spw_error){0};
  const source s = {archive, spw_owned_new(limit ? limit : spw_memory_limit(archive->size)), error};
  if (!s.owned) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  const spw_status status = copy_tensor(&s, archive->tensors[i].sparse, spw_owned_edit(s.owned));
  if (status)
    spw_owned_free(s.owned);
  else
    *out = s.owned;
  return status;
}
