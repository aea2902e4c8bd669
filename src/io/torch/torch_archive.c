/* SPDX-License-Identifier: Apache-2.0 */
/* The sparse tensors of a file of torch.save: where they lie in the object that was saved, and their arrays. */
#include "../arrays/archive.h"
#include "../numbers/byte_order.h"
#include "torch_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 4096 };

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
    char escaped[SPW_ESCAPED];
    if (!add(w, escaped, spw_escape(text[i], "~/", escaped))) return false;
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
  if (object->kind == SPW_TORCH_SEMI) return spw_archive_add_semi(w->archive, w->path, w->length, object, w->error);
  if (object->kind != SPW_TORCH_SPARSE) return SPW_OK;
  return spw_archive_add(w->archive, w->path, w->length, object, w->error);
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
  const spw_torch_file *const file = w->archive->file;
  spw_status status = enter(w, &file->root);
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

/* ---- Tensors --------------------------------------------------------------------------------- */

typedef struct source {
  const spw_torch_file *file;
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
  return s->file->big_endian == (first == 1);
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

static spw_status read_sparse(const spw_archive *archive, const void *tensor, spw_owned *owned, spw_error *error)
{
  const source s = {archive->file, owned, error};
  return copy_tensor(&s, tensor, spw_owned_edit(owned));
}

static spw_status read_semi(const spw_archive *archive, const void *tensor, spw_owned *owned, spw_semi *semi, spw_error *error)
{
  const source s = {archive->file, owned, error};
  const spw_torch_semi *const from = tensor;
  semi->order = SPW_SEMI_CUTLASS;
  semi->rows = from->rows;
  semi->columns = from->columns;
  const spw_status status = copy_array(&s, "packed", from->packed, &semi->packed.array, &semi->packed.data);
  return status ? status : copy_array(&s, "meta", from->meta, &semi->metadata.array, &semi->metadata.data);
}

/* ---- The file ---------------------------------------------------------------------------------- */

static spw_status fill(spw_archive *a, const void *bytes, spw_error *error)
{
  spw_torch_file *const file = spw_owned_alloc(a->owned, 1, sizeof *file);
  if (!file) return spw_archive_no_memory(error);
  a->file = file;
  a->read = read_sparse;
  a->read_semi = read_semi;
  const spw_status status = spw_torch_file_read(a->owned, bytes, a->size, file, error);
  if (status) return status;
  walk *const w = spw_owned_alloc(a->owned, 1, sizeof *w);
  if (!w) return spw_archive_no_memory(error);
  w->archive = a;
  w->error = error;
  const spw_status walked = walk_all(w);
  if (walked || a->count == file->sparse) return walked;
  return spw_fail(SPW_EUNSUPPORTED, error, "", "%zu sparse tensors are made, and %zu are part of the object that was saved",
                  file->sparse, a->count);
}

spw_status spw_archive_open_pt(const void *bytes, size_t size, size_t limit, spw_archive **out, spw_error *error)
{
  return spw_archive_new(bytes, size, limit, fill, out, error);
}
