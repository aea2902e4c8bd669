/* SPDX-License-Identifier: Apache-2.0 */
#include "hdf5_stand_in.h"

#include "../../src/io/hdf5/hdf5_api.h"
#include "hdf5_tree.h"

#include <stdlib.h>
#include <string.h>

enum { FILES = 3, IDS = 96, KNOWN_TYPES = 8, GROWTH = 4096 };

typedef enum kind { NONE, A_FILE, AN_OBJECT, AN_ATTRIBUTE, A_TYPE, A_SPACE, A_LIST } kind;

/* A file that is open, for reading or for writing. */
typedef struct file {
  bool used, written;
  unsigned char *bytes;
  size_t size, room;
  hdf5_tree tree;
} file;

typedef struct open_id {
  spw_hid id;
  kind kind;
  file *file;
  int object;
  const hdf5_data *data; /* of a dataset or an attribute */
  hdf5_type type;
  hdf5_space space;
  uint64_t dims[1];
  bool pending; /* one that is being written has no contents yet */
  const unsigned char *image; /* of a list */
  size_t size;
} open_id;

static file files[FILES];
static open_id ids[IDS];
static spw_hid last;
static int texts;
static uint64_t calls, failing;
static unsigned loading = 7;
static void (*wrong)(const char *why);

/* Ids that are always there: of types, then of the classes of lists. */
enum { ID_TEXT = 1, ID_U8, ID_I8, ID_I16, ID_I32, ID_I64, ID_F32, ID_F64, ID_ACCESS, ID_CREATE, FIRST_ID = 100 };
static const unsigned type_numbers[] = {0, TREE_TEXT, TREE_U8, TREE_I8, TREE_I16, TREE_I32, TREE_I64, TREE_F32, TREE_F64};

static bool fails(void)
{
  return ++calls == failing;
}

/* ---- Ids ------------------------------------------------------------------------------------- */

static open_id *find(spw_hid id, kind of)
{
  for (int i = 0; i < IDS; i++)
    if (ids[i].kind == of && ids[i].id == id) return &ids[i];
  wrong("an id that is not open, or of another kind");
  abort();
}

static spw_hid give(const open_id *what)
{
  for (int i = 0; i < IDS; i++) {
    if (ids[i].kind != NONE) continue;
    ids[i] = *what;
    if (what->space.dims == what->dims) ids[i].space.dims = ids[i].dims;
    return ids[i].id = FIRST_ID + last++;
  }
  wrong("more ids are open than anybody needs");
  abort();
}

static int close_id(spw_hid id, kind of)
{
  find(id, of)->kind = NONE;
  return 0;
}

static const hdf5_type *type_at(spw_hid id)
{
  static hdf5_type known;
  if (id > KNOWN_TYPES || id < ID_TEXT) return &find(id, A_TYPE)->type;
  known = hdf5_type_of(type_numbers[id]);
  return &known;
}

int hdf5_stand_in_open(void)
{
  int count = texts;
  for (int i = 0; i < IDS; i++) count += ids[i].kind != NONE;
  return count;
}

void hdf5_stand_in_fail(uint64_t call)
{
  calls = 0;
  failing = call;
}

/* ---- The library ----------------------------------------------------------------------------- */

static int my_H5open(void)
{
  return 0;
}

static int my_H5get_libversion(unsigned *major, unsigned *minor, unsigned *patch)
{
  *major = *minor = *patch = 0;
  return 0;
}

static int my_H5free_memory(void *memory)
{
  free(memory);
  texts--;
  return 0;
}

static int my_H5Eset_auto2(spw_hid stack, void *function, void *data)
{
  (void)stack, (void)function, (void)data;
  return 0;
}

static int my_H5PLset_loading_state(unsigned state)
{
  loading = state;
  return 0;
}

static int my_H5PLget_loading_state(unsigned *state)
{
  *state = loading;
  return 0;
}

static char *copy_text(const void *bytes, size_t size)
{
  char *const copy = calloc(size + 1, 1);
  if (!copy) return NULL;
  if (size > 0) memcpy(copy, bytes, size);
  texts++;
  return copy;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static spw_hid my_H5Pcreate(spw_hid class)
{
  if (class != ID_ACCESS && class != ID_CREATE) wrong("a list of no class");
  return fails() ? -1 : give(&(open_id){.kind = A_LIST});
}

static int my_H5Pclose(spw_hid id)
{
  return close_id(id, A_LIST);
}

static int my_H5Pset_fapl_core(spw_hid id, size_t growth, int keeps)
{
  (void)find(id, A_LIST), (void)growth;
  if (keeps) wrong("a file would be left on the disk");
  return fails() ? -1 : 0;
}

static int my_H5Pset_file_image(spw_hid id, void *image, size_t size)
{
  open_id *const list = find(id, A_LIST);
  if (fails()) return -1;
  list->image = image;
  list->size = size;
  return 0;
}

static int my_H5Pset_fclose_degree(spw_hid id, int degree)
{
  (void)find(id, A_LIST), (void)degree;
  return fails() ? -1 : 0;
}

static int my_H5Pset_obj_track_times(spw_hid id, int tracks)
{
  (void)find(id, A_LIST), (void)tracks;
  return fails() ? -1 : 0;
}

static const hdf5_object *object_at(spw_hid id, kind of)
{
  const open_id *const it = find(id, of);
  return &it->file->tree.object[it->object];
}

static int my_H5Pget_layout(spw_hid id)
{
  return fails() ? -1 : object_at(id, A_LIST)->layout;
}

static int my_H5Pget_chunk(spw_hid id, int most, uint64_t *chunk)
{
  const hdf5_object *const o = object_at(id, A_LIST);
  if (fails() || o->layout != 2) return -1;
  for (int d = 0; d < o->chunk_dims && d < most; d++) chunk[d] = o->chunk[d];
  return o->chunk_dims;
}

static int my_H5Pget_external_count(spw_hid id)
{
  return fails() ? -1 : object_at(id, A_LIST)->elsewhere;
}

static int my_H5Pget_nfilters(spw_hid id)
{
  return fails() ? -1 : object_at(id, A_LIST)->filters;
}

static int my_H5Pget_filter2(spw_hid id, unsigned i, unsigned *flags, size_t *values, unsigned *value, size_t length, char *name,
                             unsigned *configuration)
{
  (void)value, (void)length, (void)name;
  *flags = *configuration = 0;
  *values = 0;
  return fails() ? -1 : (int)object_at(id, A_LIST)->filter[i];
}

/* ---- Files ----------------------------------------------------------------------------------- */

static file *new_file(void)
{
  for (int i = 0; i < FILES; i++)
    if (!files[i].used) return &files[i];
  wrong("more files are open than anybody needs");
  abort();
}

static spw_hid my_H5Fopen(const char *name, unsigned flags, spw_hid access)
{
  const open_id *const list = find(access, A_LIST);
  if (flags != 0) wrong("a file is opened to be changed");
  if (fails() || !name || !list->image || list->size < TREE_HEAD) return -1;
  file *const f = new_file();
  f->bytes = malloc(list->size);
  if (!f->bytes) return -1;
  memcpy(f->bytes, list->image, list->size);
  f->size = list->size;
  f->used = true;
  f->written = false;
  hdf5_tree_parse(&f->tree, f->bytes, f->size);
  return give(&(open_id){.kind = A_FILE, .file = f});
}

/* False: no memory, which shows when the image is taken. */
static void put(file *f, const void *bytes, size_t size)
{
  if (size > f->room - f->size) {
    f->room = 2 * f->room + size + GROWTH;
    f->bytes = realloc(f->bytes, f->room);
    if (!f->bytes) abort();
  }
  if (size > 0) memcpy(f->bytes + f->size, bytes, size);
  f->size += size;
}

static void put_byte(file *f, unsigned byte)
{
  put(f, &(unsigned char){(unsigned char)byte}, 1);
}

static void put_number(file *f, uint64_t number)
{
  put_byte(f, 255);
  put(f, &number, sizeof number); /* little-endian */
}

static spw_hid my_H5Fcreate(const char *name, unsigned flags, spw_hid creation, spw_hid access)
{
  static const unsigned char head[TREE_HEAD] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  (void)find(access, A_LIST), (void)flags, (void)creation;
  if (fails() || !name) return -1;
  file *const f = new_file();
  *f = (file){.used = true, .written = true};
  put(f, head, sizeof head);
  return give(&(open_id){.kind = A_FILE, .file = f});
}

static int my_H5Fflush(spw_hid id, int scope)
{
  (void)find(id, A_FILE), (void)scope;
  return fails() ? -1 : 0;
}

static ssize_t my_H5Fget_file_image(spw_hid id, void *image, size_t room)
{
  const file *const f = find(id, A_FILE)->file;
  if (fails()) return -1;
  if (image && room >= f->size) memcpy(image, f->bytes, f->size);
  return (ssize_t)f->size;
}

/* All that was opened in it must have been closed. */
static int my_H5Fclose(spw_hid id)
{
  file *const f = find(id, A_FILE)->file;
  for (int i = 0; i < IDS; i++)
    if (ids[i].kind != NONE && ids[i].kind != A_FILE && ids[i].file == f) wrong("a file is closed, and something of it is open");
  free(f->bytes);
  f->used = false;
  return close_id(id, A_FILE);
}

/* ---- Objects --------------------------------------------------------------------------------- */

static const open_id *group_at(spw_hid id)
{
  const open_id *const it = find(id, AN_OBJECT);
  if (!it->file->tree.object[it->object].is_group) wrong("a dataset is taken for a group");
  return it;
}

static int my_H5Gget_info(spw_hid id, spw_hdf5_group_info *info)
{
  const open_id *const g = group_at(id);
  if (fails()) return -1;
  for (info->links = 0; hdf5_link_at(&g->file->tree, g->object, info->links);) info->links++;
  return 0;
}

static ssize_t my_H5Lget_name_by_idx(spw_hid id, const char *within, int index, int order, uint64_t i, char *name, size_t room,
                                     spw_hid access)
{
  const open_id *const g = group_at(id);
  const hdf5_item *const link = hdf5_link_at(&g->file->tree, g->object, i);
  (void)within, (void)index, (void)order, (void)access;
  if (fails() || !link) return -1;
  const size_t length = strlen(link->name), shown = length < room ? length : room - 1;
  memcpy(name, link->name, shown);
  name[shown] = 0;
  return (ssize_t)length;
}

/* Along links, as libhdf5 does; -1 where one is missing. */
static int follow(const hdf5_tree *tree, int object, const char *path)
{
  char name[TREE_LETTERS];
  while (*path && object >= 0) {
    path += strspn(path, "/");
    const size_t length = strcspn(path, "/");
    if (length == 0) break;
    memcpy(name, path, length);
    name[length] = 0;
    const hdf5_item *const link = tree->object[object].is_group ? hdf5_link(tree, object, name) : NULL;
    if (link && link->kind == TREE_EXTERNAL) wrong("a link to another file is followed");
    object = link ? link->object : -1;
    path += length;
  }
  return object;
}

/* The link that a path ends with; null where there is none, or no way to it. */
static const hdf5_item *link_of(spw_hid group, const char *path)
{
  char before[TREE_LETTERS];
  const open_id *const g = group_at(group);
  const hdf5_tree *const tree = &g->file->tree;
  const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
  memcpy(before, path, (size_t)(name - path));
  before[name - path] = 0;
  const int within = follow(tree, g->object, before);
  return within >= 0 && tree->object[within].is_group ? hdf5_link(tree, within, name) : NULL;
}

static int my_H5Lexists(spw_hid id, const char *name, spw_hid access)
{
  (void)access;
  return fails() ? -1 : link_of(id, name) != NULL;
}

static int my_get_link_info(spw_hid id, const char *name, spw_hdf5_link_info *info, spw_hid access)
{
  static const int types[] = {[TREE_HARD] = 0, [TREE_SOFT] = 1, [TREE_EXTERNAL] = 64};
  const hdf5_item *const link = link_of(id, name);
  (void)access;
  if (fails() || !link) return -1;
  info->type = types[link->kind];
  return 0;
}

static spw_hid my_H5Oopen(spw_hid id, const char *path, spw_hid access)
{
  const open_id *const from = path[0] == '/' ? find(id, A_FILE) : group_at(id);
  file *const f = from->file;
  (void)access;
  const int object = follow(&f->tree, from->object, path);
  if (fails() || object < 0) return -1;
  return give(&(open_id){.kind = AN_OBJECT, .file = f, .object = object, .data = &f->tree.object[object].data});
}

static int my_H5Oclose(spw_hid id)
{
  return close_id(id, AN_OBJECT);
}

static int my_H5Iget_type(spw_hid id)
{
  return fails() ? -1 : object_at(id, AN_OBJECT)->is_group ? 2 : 5;
}

/* ---- Elements -------------------------------------------------------------------------------- */

static int read_elements(const hdf5_data *data, const hdf5_type *type, void *elements)
{
  const uint64_t bytes = hdf5_bytes(data);
  if (memcmp(type, &data->type, sizeof *type) != 0) wrong("elements are read as of another type");
  if (bytes > TREE_READABLE) return -1;
  const size_t known = data->size < bytes ? data->size : (size_t)bytes;
  if (known > 0) memcpy(elements, data->bytes, known);
  if (bytes > known) memset((char *)elements + known, 0, (size_t)bytes - known);
  return 0;
}

/* A text of variable length ends at a zero; one that begins with 255 is null. */
static int read_variable(const hdf5_data *data, char **text)
{
  const unsigned char *const zero = data->size > 0 ? memchr(data->bytes, 0, data->size) : NULL;
  const size_t length = zero ? (size_t)(zero - data->bytes) : data->size;
  *text = length > 0 && data->bytes[0] == 255 ? NULL : copy_text(data->bytes, length);
  return 0;
}

/* The bytes of what is written; zeros at their end need not be there. */
static void put_contents(open_id *to, const void *elements, size_t size)
{
  const unsigned char *const bytes = elements;
  while (size > 0 && bytes[size - 1] == 0) size--;
  put_number(to->file, size);
  put(to->file, elements, size);
  to->pending = false;
}

static int write_elements(open_id *to, spw_hid type, const void *elements)
{
  const hdf5_data data = {.type = *type_at(type), .space = to->space};
  if (!to->pending) wrong("elements are written twice");
  put_contents(to, elements, (size_t)hdf5_bytes(&data));
  return 0;
}

static void put_item(file *f, unsigned what, const char *name, spw_hid type, const hdf5_space *space)
{
  const size_t length = strlen(name);
  put_byte(f, what);
  put_byte(f, 64 | (unsigned)length);
  put(f, name, length);
  put_byte(f, 128 | type_numbers[type < ID_ACCESS ? type : ID_TEXT]);
  put_byte(f, TYPE_SIZE);
  put_number(f, type_at(type)->is[TYPE_SIZE]);
  put_byte(f, (unsigned)space->ndim);
  for (int d = 0; d < space->ndim; d++) put_number(f, space->dims[d]);
}

/* ---- Attributes ------------------------------------------------------------------------------ */

static int my_H5Aexists(spw_hid id, const char *name)
{
  const open_id *const o = find(id, AN_OBJECT);
  return fails() ? -1 : hdf5_attribute(&o->file->tree, o->object, name) != NULL;
}

static spw_hid my_H5Aopen(spw_hid id, const char *name, spw_hid access)
{
  const open_id *const o = find(id, AN_OBJECT);
  const hdf5_item *const a = hdf5_attribute(&o->file->tree, o->object, name);
  (void)access;
  if (fails() || !a) return -1;
  return give(&(open_id){.kind = AN_ATTRIBUTE, .file = o->file, .data = &a->data});
}

static spw_hid my_H5Acreate2(spw_hid id, const char *name, spw_hid type, spw_hid space, spw_hid creation, spw_hid access)
{
  file *const f = find(id, A_FILE)->file;
  const hdf5_space *const s = &find(space, A_SPACE)->space;
  (void)creation, (void)access;
  if (fails()) return -1;
  put_item(f, 1, name, type, s);
  return give(&(open_id){.kind = AN_ATTRIBUTE, .file = f, .space = *s, .pending = true});
}

static int my_H5Aclose(spw_hid id)
{
  open_id *const a = find(id, AN_ATTRIBUTE);
  if (a->pending) put_contents(a, NULL, 0);
  return close_id(id, AN_ATTRIBUTE);
}

static spw_hid my_H5Aget_type(spw_hid id)
{
  const open_id *const a = find(id, AN_ATTRIBUTE);
  return fails() ? -1 : give(&(open_id){.kind = A_TYPE, .file = a->file, .type = a->data->type});
}

static spw_hid my_H5Aget_space(spw_hid id)
{
  const open_id *const a = find(id, AN_ATTRIBUTE);
  return fails() ? -1 : give(&(open_id){.kind = A_SPACE, .file = a->file, .space = a->data->space});
}

static int my_H5Aread(spw_hid id, spw_hid type, void *elements)
{
  const open_id *const a = find(id, AN_ATTRIBUTE);
  if (fails()) return -1;
  if (type_at(type)->is[TYPE_CLASS] == CLASS_TEXT && type_at(type)->is[TYPE_VARIABLE]) return read_variable(a->data, elements);
  return read_elements(a->data, type_at(type), elements);
}

static int my_H5Awrite(spw_hid id, spw_hid type, const void *elements)
{
  return fails() ? -1 : write_elements(find(id, AN_ATTRIBUTE), type, elements);
}

/* ---- Spaces ---------------------------------------------------------------------------------- */

static spw_hid my_H5Screate(int class)
{
  (void)class;
  return fails() ? -1 : give(&(open_id){.kind = A_SPACE});
}

static spw_hid my_H5Screate_simple(int ndim, const uint64_t *dims, const uint64_t *most)
{
  open_id space = {.kind = A_SPACE, .space = {.ndim = ndim}};
  if (ndim != 1 || most) wrong("a space of more than one dimension is written");
  if (fails()) return -1;
  space.dims[0] = dims[0];
  space.space.dims = space.dims;
  return give(&space);
}

static int my_H5Sclose(spw_hid id)
{
  return close_id(id, A_SPACE);
}

static int my_H5Sget_simple_extent_type(spw_hid id)
{
  const hdf5_space *const s = &find(id, A_SPACE)->space;
  return fails() ? -1 : s->null ? 2 : s->ndim > 0;
}

static int my_H5Sget_simple_extent_ndims(spw_hid id)
{
  const open_id *const s = find(id, A_SPACE);
  return fails() ? -1 : s->space.ndim;
}

static int my_H5Sget_simple_extent_dims(spw_hid id, uint64_t *dims, uint64_t *most)
{
  const hdf5_space *const s = &find(id, A_SPACE)->space;
  (void)most;
  if (fails()) return -1;
  for (int d = 0; d < s->ndim; d++) dims[d] = s->dims[d];
  return s->ndim;
}

/* ---- Types ----------------------------------------------------------------------------------- */

static int my_H5Tget_class(spw_hid id)
{
  return fails() ? -1 : (int)type_at(id)->is[TYPE_CLASS];
}

static size_t my_H5Tget_size(spw_hid id)
{
  return fails() ? 0 : type_at(id)->is[TYPE_SIZE];
}

static size_t my_H5Tget_precision(spw_hid id)
{
  return fails() ? 0 : type_at(id)->is[TYPE_PRECISION];
}

static int my_H5Tget_sign(spw_hid id)
{
  return fails() ? -1 : (int)type_at(id)->is[TYPE_SIGN];
}

static int my_H5Tget_order(spw_hid id)
{
  return fails() ? -1 : (int)type_at(id)->is[TYPE_ORDER];
}

static int my_H5Tget_fields(spw_hid id, size_t *sign, size_t *at, size_t *exponent, size_t *begin, size_t *fraction)
{
  const uint64_t *const is = type_at(id)->is;
  if (fails()) return -1;
  *sign = is[TYPE_SIGN_AT];
  *at = is[TYPE_EXPONENT_AT];
  *exponent = is[TYPE_EXPONENT];
  *begin = is[TYPE_FRACTION_AT];
  *fraction = is[TYPE_FRACTION];
  return 0;
}

static size_t my_H5Tget_ebias(spw_hid id)
{
  return fails() ? 0 : type_at(id)->is[TYPE_BIAS];
}

static int my_H5Tget_nmembers(spw_hid id)
{
  return fails() ? -1 : (int)type_at(id)->is[TYPE_MEMBERS];
}

static char *my_H5Tget_member_name(spw_hid id, unsigned i)
{
  const char *const name = hdf5_member_name(type_at(id)->is[TYPE_NAME_0 + i % 2]);
  return fails() || !name ? NULL : copy_text(name, strlen(name));
}

static size_t my_H5Tget_member_offset(spw_hid id, unsigned i)
{
  return fails() ? 0 : type_at(id)->is[TYPE_OFFSET_0 + i % 2];
}

/* Its members are of the same byte order. */
static spw_hid my_H5Tget_member_type(spw_hid id, unsigned i)
{
  const open_id *const whole = find(id, A_TYPE);
  open_id part = {.kind = A_TYPE, .file = whole->file, .type = hdf5_type_of((unsigned)(whole->type.is[TYPE_PART] % TREE_TYPES))};
  (void)i;
  part.type.is[TYPE_ORDER] = whole->type.is[TYPE_ORDER];
  return fails() ? -1 : give(&part);
}

static int my_H5Tis_variable_str(spw_hid id)
{
  return fails() ? -1 : (int)type_at(id)->is[TYPE_VARIABLE];
}

static spw_hid my_H5Tcopy(spw_hid id)
{
  return fails() ? -1 : give(&(open_id){.kind = A_TYPE, .type = *type_at(id)});
}

static int my_H5Tset_size(spw_hid id, size_t size)
{
  if (fails()) return -1;
  find(id, A_TYPE)->type.is[TYPE_SIZE] = size;
  return 0;
}

static int my_H5Tclose(spw_hid id)
{
  return close_id(id, A_TYPE);
}

/* ---- Datasets -------------------------------------------------------------------------------- */

static spw_hid my_H5Dget_type(spw_hid id)
{
  const open_id *const d = find(id, AN_OBJECT);
  return fails() ? -1 : give(&(open_id){.kind = A_TYPE, .file = d->file, .type = d->data->type});
}

static spw_hid my_H5Dget_space(spw_hid id)
{
  const open_id *const d = find(id, AN_OBJECT);
  return fails() ? -1 : give(&(open_id){.kind = A_SPACE, .file = d->file, .space = d->data->space});
}

static spw_hid my_H5Dget_create_plist(spw_hid id)
{
  const open_id *const d = find(id, AN_OBJECT);
  return fails() ? -1 : give(&(open_id){.kind = A_LIST, .file = d->file, .object = d->object});
}

/* What may lie in another file, or run code that is not of the library, is not read. */
static void expect_harmless(const hdf5_object *o)
{
  if (o->is_group || o->layout > 2 || o->elsewhere) wrong("elements are read that lie elsewhere");
  for (int i = 0; i < o->filters; i++)
    if (o->filter[i] < 1 || o->filter[i] > 6) wrong("elements are read through a filter of another program");
}

static int my_H5Dread(spw_hid id, spw_hid type, spw_hid memory, spw_hid within, spw_hid access, void *elements)
{
  (void)memory, (void)within, (void)access;
  expect_harmless(object_at(id, AN_OBJECT));
  return fails() ? -1 : read_elements(find(id, AN_OBJECT)->data, type_at(type), elements);
}

static spw_hid my_H5Dcreate2(spw_hid id, const char *name, spw_hid type, spw_hid space, spw_hid links, spw_hid creation,
                             spw_hid access)
{
  file *const f = find(id, A_FILE)->file;
  const hdf5_space *const s = &find(space, A_SPACE)->space;
  (void)links, (void)access, (void)find(creation, A_LIST);
  if (fails()) return -1;
  put_item(f, 2, name, type, s);
  put_byte(f, 1);
  open_id set = {.kind = AN_OBJECT, .file = f, .space = *s, .dims = {s->dims[0]}, .pending = true};
  set.space.dims = set.dims;
  return give(&set);
}

static int my_H5Dwrite(spw_hid id, spw_hid type, spw_hid memory, spw_hid within, spw_hid access, const void *elements)
{
  (void)memory, (void)within, (void)access;
  return fails() ? -1 : write_elements(find(id, AN_OBJECT), type, elements);
}

static int my_H5Dclose(spw_hid id)
{
  open_id *const d = find(id, AN_OBJECT);
  if (d->pending) put_contents(d, NULL, 0);
  return close_id(id, AN_OBJECT);
}

/* ---- The table ------------------------------------------------------------------------------- */

void hdf5_stand_in(void (*ends)(const char *why))
{
#define MINE(result, name, arguments) .name = my_##name,
  static const spw_hdf5 mine = {SPW_HDF5_FUNCTIONS(MINE)
                                .get_link_info = my_get_link_info,
                                .H5P_CLS_FILE_ACCESS_ID_g = ID_ACCESS, .H5P_CLS_DATASET_CREATE_ID_g = ID_CREATE,
                                .H5T_C_S1_g = ID_TEXT, .H5T_STD_U8LE_g = ID_U8, .H5T_STD_I8LE_g = ID_I8,
                                .H5T_STD_I16LE_g = ID_I16, .H5T_STD_I32LE_g = ID_I32, .H5T_STD_I64LE_g = ID_I64,
                                .H5T_IEEE_F32LE_g = ID_F32, .H5T_IEEE_F64LE_g = ID_F64};
  wrong = ends;
  spw_hdf5_replace(&mine);
}
