/* SPDX-License-Identifier: Apache-2.0 */
#include "hdf5_tree.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 40, MOST_LINKS = 4, LONG = 300, LONGISH = 200 };

static const char *const names[] = {
    "indptr", "indices", "data", "shape", "crow_indices", "col_indices", "values", "ccol_indices", "row_indices", "row", "col",
    "size", "barcodes", "encoding-type", "h5sparse_format", "h5sparse_shape", "sparse_format", "layout", "binsparse", "indices_0",
    "pointers_to_1", "indices_1", "X", "layers", "a"};

static const char *const members[] = {"FALSE", "TRUE", "r", "i"};

const char *hdf5_member_name(uint64_t number)
{
  return number < sizeof members / sizeof *members ? members[number] : NULL;
}

/* ---- Types ----------------------------------------------------------------------------------- */

static hdf5_type integer(uint64_t size, uint64_t sign)
{
  return (hdf5_type){{[TYPE_CLASS] = CLASS_INTEGER, [TYPE_SIZE] = size, [TYPE_PRECISION] = 8 * size, [TYPE_SIGN] = sign}};
}

static hdf5_type floating(uint64_t size, uint64_t exponent, uint64_t fraction)
{
  return (hdf5_type){{[TYPE_CLASS] = CLASS_FLOAT, [TYPE_SIZE] = size, [TYPE_PRECISION] = 8 * size, [TYPE_SIGN_AT] = 8 * size - 1,
                      [TYPE_EXPONENT_AT] = fraction, [TYPE_EXPONENT] = exponent, [TYPE_FRACTION] = fraction,
                      [TYPE_BIAS] = ((uint64_t)1 << (exponent - 1)) - 1}};
}

static hdf5_type compound(uint64_t size, uint64_t part)
{
  return (hdf5_type){{[TYPE_CLASS] = CLASS_COMPOUND, [TYPE_SIZE] = size, [TYPE_MEMBERS] = 2, [TYPE_OFFSET_1] = size / 2,
                      [TYPE_NAME_0] = 2, [TYPE_NAME_1] = 3, [TYPE_PART] = part}};
}

hdf5_type hdf5_type_of(unsigned number)
{
  switch (number) {
  case TREE_F16: return floating(2, 5, 10);
  case TREE_F32: return floating(4, 8, 23);
  case TREE_F64: return floating(8, 11, 52);
  case TREE_BF16: return floating(2, 8, 7);
  case TREE_BOOL: return (hdf5_type){{[TYPE_CLASS] = CLASS_ENUM, [TYPE_SIZE] = 1, [TYPE_MEMBERS] = 2, [TYPE_NAME_1] = 1}};
  case TREE_C64: return compound(8, TREE_F32);
  case TREE_C128: return compound(16, TREE_F64);
  case TREE_TEXT: return (hdf5_type){{[TYPE_CLASS] = CLASS_TEXT, [TYPE_SIZE] = 8}};
  case TREE_VARIABLE_TEXT: return (hdf5_type){{[TYPE_CLASS] = CLASS_TEXT, [TYPE_SIZE] = 16, [TYPE_VARIABLE] = 1}};
  case TREE_I128: return integer(16, 1);
  case TREE_OPAQUE: return (hdf5_type){{[TYPE_CLASS] = CLASS_OPAQUE, [TYPE_SIZE] = 4}};
  default: return integer((uint64_t)1 << number % 4, number >= TREE_I8);
  }
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static unsigned take(hdf5_tree *t)
{
  return t->at < t->size ? t->bytes[t->at++] : 0;
}

static uint64_t take_little(hdf5_tree *t, int bytes)
{
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)take(t) << 8 * i;
  return number;
}

static uint64_t take_number(hdf5_tree *t)
{
  const unsigned first = take(t);
  switch (first) {
  case 248: return (uint64_t)1 << 31;
  case 249: return (uint64_t)1 << 32;
  case 250: return (uint64_t)1 << 62;
  case 251: return (uint64_t)1 << 63;
  case 252: return UINT64_MAX;
  case 253: return take_little(t, 2);
  case 254: return take_little(t, 4);
  case 255: return take_little(t, 8);
  default: return first;
  }
}

/* Numbers that live as long as the tree; null where there is no more room. */
static const uint64_t *take_numbers(hdf5_tree *t, int count)
{
  if ((size_t)count > TREE_NUMBERS - t->numbers) return NULL;
  uint64_t *const at = t->number + t->numbers;
  t->numbers += (size_t)count;
  for (int i = 0; i < count; i++) at[i] = take_number(t);
  return at;
}

/* What a name may not hold becomes an underscore. */
static const char *take_name(hdf5_tree *t)
{
  const unsigned first = take(t);
  if (first < 64) return names[first % (sizeof names / sizeof *names)];
  const size_t length = first == 255 ? LONG : first == 254 ? LONGISH : first & 63;
  if (length == 0 || length + 1 > TREE_LETTERS - t->letters) return NULL;
  char *const name = t->letter + t->letters;
  t->letters += length + 1;
  for (size_t i = 0; i < length; i++) {
    const unsigned letter = first >= 254 ? 'n' : take(t);
    name[i] = (char)(letter == 0 || letter == '/' || letter == '.' ? '_' : letter);
  }
  name[length] = 0;
  return name;
}

static hdf5_type take_type(hdf5_tree *t)
{
  const unsigned first = take(t);
  hdf5_type type = hdf5_type_of((first & 31) % TREE_TYPES);
  if (first & 64) type.is[TYPE_ORDER] = 1;
  if (first & 128) {
    const unsigned field = take(t) % TYPE_FIELDS;
    type.is[field] = take_number(t);
  }
  static const int whole[] = {TYPE_CLASS, TYPE_ORDER, TYPE_MEMBERS};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) type.is[whole[i]] &= INT32_MAX; /* as libhdf5 gives them out */
  type.is[TYPE_SIGN] = type.is[TYPE_SIGN] != 0;
  type.is[TYPE_VARIABLE] = type.is[TYPE_VARIABLE] != 0;
  return type;
}

static bool take_space(hdf5_tree *t, hdf5_space *space)
{
  const unsigned first = take(t);
  space->null = first & 64;
  space->ndim = space->null ? 0 : (first & 63) == 63 ? TREE_DIMS : (int)(first & 63);
  space->dims = take_numbers(t, space->ndim);
  return space->dims != NULL;
}

static void take_contents(hdf5_tree *t, hdf5_data *data)
{
  const uint64_t size = take_number(t);
  const size_t left = t->size - t->at;
  data->bytes = t->bytes + t->at;
  data->size = size < left ? (size_t)size : left;
  t->at += data->size;
}

static bool take_storage(hdf5_tree *t, hdf5_object *o)
{
  const unsigned first = take(t);
  o->layout = (int)(first & 3);
  o->elsewhere = first & 4;
  o->filters = (int)(first >> 3 & 3);
  for (int i = 0; i < o->filters; i++) o->filter[i] = take_number(t) & INT32_MAX;
  o->chunk_dims = o->layout == 2 ? o->data.space.ndim + (first & 32 ? 1 : 0) : 0;
  o->chunk = take_numbers(t, o->chunk_dims);
  return o->chunk != NULL;
}

/* ---- Items ----------------------------------------------------------------------------------- */

uint64_t hdf5_bytes(const hdf5_data *data)
{
  uint64_t bytes = data->space.null ? 0 : data->type.is[TYPE_SIZE];
  for (int d = 0; d < data->space.ndim; d++)
    if (data->space.dims[d] == 0) return 0;
  for (int d = 0; d < data->space.ndim; d++)
    if (__builtin_mul_overflow(bytes, data->space.dims[d], &bytes)) return UINT64_MAX;
  return bytes;
}

static const hdf5_item *find(const hdf5_tree *t, int owner, bool attribute, const char *name)
{
  for (int i = 0; i < t->items; i++) {
    const hdf5_item *const item = &t->item[i];
    if (item->owner == owner && (item->kind == TREE_ATTRIBUTE) == attribute && strcmp(item->name, name) == 0) return item;
  }
  return NULL;
}

const hdf5_item *hdf5_attribute(const hdf5_tree *tree, int object, const char *name)
{
  return find(tree, object, true, name);
}

const hdf5_item *hdf5_link(const hdf5_tree *tree, int object, const char *name)
{
  return find(tree, object, false, name);
}

const hdf5_item *hdf5_link_at(const hdf5_tree *tree, int object, uint64_t i)
{
  for (int k = 0; k < tree->items; k++)
    if (tree->item[k].owner == object && tree->item[k].kind != TREE_ATTRIBUTE && i-- == 0) return &tree->item[k];
  return NULL;
}

/* An object without contents yet; -1 where there is no more room. */
static int add_object(hdf5_tree *t, bool is_group)
{
  if (t->objects == TREE_OBJECTS) return -1;
  t->object[t->objects] = (hdf5_object){.is_group = is_group};
  return t->objects++;
}

/* False ends the file. A second item of a name is read, and is not there. */
static bool add_item(hdf5_tree *t, const hdf5_item *item)
{
  if (find(t, item->owner, item->kind == TREE_ATTRIBUTE, item->name)) return true;
  if (t->items == TREE_ITEMS) return false;
  t->item[t->items++] = *item;
  return true;
}

static bool take_items(hdf5_tree *t, int owner, int depth);

static bool take_attribute(hdf5_tree *t, hdf5_item item)
{
  item.data.type = take_type(t);
  if (!take_space(t, &item.data.space)) return false;
  take_contents(t, &item.data);
  return add_item(t, &item);
}

static bool take_dataset(hdf5_tree *t, hdf5_item item)
{
  item.object = add_object(t, false);
  if (item.object < 0) return false;
  hdf5_object *const o = &t->object[item.object];
  o->data.type = take_type(t);
  if (!take_space(t, &o->data.space) || !take_storage(t, o)) return false;
  take_contents(t, &o->data);
  return add_item(t, &item);
}

static bool take_group(hdf5_tree *t, hdf5_item item, int depth)
{
  item.object = depth < DEEPEST ? add_object(t, true) : -1;
  return item.object >= 0 && add_item(t, &item) && take_items(t, item.object, depth + 1);
}

static bool take_hard_link(hdf5_tree *t, hdf5_item item)
{
  item.object = (int)(take_number(t) % (uint64_t)t->objects);
  return t->links++ < MOST_LINKS && add_item(t, &item);
}

static bool take_soft_link(hdf5_tree *t, hdf5_item item)
{
  item.object = (int)(take_number(t) % (uint64_t)t->objects);
  return add_item(t, &item);
}

static bool take_item(hdf5_tree *t, unsigned what, int owner, int depth)
{
  static const hdf5_item_kind kinds[] = {0, TREE_ATTRIBUTE, TREE_HARD, TREE_HARD, TREE_HARD, TREE_SOFT, TREE_EXTERNAL};
  const hdf5_item item = {.kind = kinds[what], .owner = owner, .name = take_name(t)};
  if (!item.name) return false;
  switch (what) {
  case 1: return take_attribute(t, item);
  case 2: return take_dataset(t, item);
  case 3: return take_group(t, item, depth);
  case 4: return take_hard_link(t, item);
  case 5: return take_soft_link(t, item);
  default: return add_item(t, &item);
  }
}

static bool take_items(hdf5_tree *t, int owner, int depth)
{
  bool more = true;
  for (unsigned what = take(t) % 7; more && what > 0; what = more ? take(t) % 7 : 0) more = take_item(t, what, owner, depth);
  return more;
}

static int compare(const void *left, const void *right)
{
  const hdf5_item *const a = left, *const b = right;
  if (a->owner != b->owner) return a->owner < b->owner ? -1 : 1;
  if ((a->kind == TREE_ATTRIBUTE) != (b->kind == TREE_ATTRIBUTE)) return a->kind == TREE_ATTRIBUTE ? -1 : 1;
  return strcmp(a->name, b->name);
}

void hdf5_tree_parse(hdf5_tree *tree, const unsigned char *bytes, size_t size)
{
  tree->bytes = bytes;
  tree->size = size;
  tree->at = size < TREE_HEAD ? size : TREE_HEAD;
  tree->letters = tree->numbers = 0;
  tree->items = tree->objects = tree->links = 0;
  (void)take_items(tree, add_object(tree, true), 0);
  qsort(tree->item, (size_t)tree->items, sizeof *tree->item, compare);
}
