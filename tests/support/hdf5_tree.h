/* SPDX-License-Identifier: Apache-2.0 */
/* What libhdf5 would find in a file, written down byte by byte: any bytes are some tree. A stand-in serves it to the reader
 * (hdf5_stand_in.h), so that no libhdf5 is needed.
 *
 * A file is the magic number of HDF5, two bytes that the stand-in does not read, and items of the root up to a zero byte or the
 * end. An item is a byte modulo 7:
 *   0  the end of the group
 *   1  an attribute: name, type, space, contents
 *   2  a dataset: name, type, space, storage, contents
 *   3  a group: name, and its items
 *   4  a hard link to an object that is there: name, its number
 *   5  a soft link: name, the number of an object that is there;  6  an external link: name
 * name      a byte below 64: a known name; 255: 300 letters; 254: 200; otherwise bits 0 .. 5 are the length of what follows
 * number    a byte below 248: itself; 248 .. 252: 2^31, 2^32, 2^62, 2^63, 2^64 - 1; 253, 254, 255: in the next 2, 4, 8 bytes
 * type      a byte: bits 0 .. 4 are the number of a known type (hdf5_type_of), bit 6 makes it big-endian, and with bit 7 a byte
 *           and a number follow: this field of it is that number
 * space     a byte: bits 0 .. 5 are the dimensions (63 stands for 66), bit 6 makes it null; then their numbers
 * storage   a byte: bits 0 and 1 are the layout, bit 2 says that elements lie in another file, bits 3 and 4 count filters, and
 *           with bit 5 chunks have one dimension more; then the number of each filter and, of layout 2, of each dimension of a
 *           chunk
 * contents  a number of bytes, and these; the elements behind them are 0 */
#ifndef TESTS_HDF5_TREE_H
#define TESTS_HDF5_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TREE_OBJECTS = 64, TREE_ITEMS = 128, TREE_DIMS = 66, TREE_FILTERS = 3, TREE_NUMBERS = 1024, TREE_LETTERS = 8192 };
enum { TREE_HEAD = 10 };

/* More bytes than these of one dataset cannot be read. */
enum { TREE_READABLE = 1 << 25 };

/* What libhdf5 says of a type. */
enum {
  TYPE_CLASS, TYPE_SIZE, TYPE_PRECISION, TYPE_SIGN, TYPE_ORDER, TYPE_SIGN_AT, TYPE_EXPONENT_AT, TYPE_EXPONENT, TYPE_FRACTION_AT,
  TYPE_FRACTION, TYPE_BIAS, TYPE_VARIABLE, TYPE_MEMBERS, TYPE_OFFSET_0, TYPE_OFFSET_1, TYPE_NAME_0, TYPE_NAME_1, TYPE_PART,
  TYPE_FIELDS
};

/* Known types, by their numbers. */
enum {
  TREE_U8, TREE_U16, TREE_U32, TREE_U64, TREE_I8, TREE_I16, TREE_I32, TREE_I64, TREE_F16, TREE_F32, TREE_F64, TREE_BF16,
  TREE_BOOL, TREE_C64, TREE_C128, TREE_TEXT, TREE_VARIABLE_TEXT, TREE_I128, TREE_OPAQUE, TREE_TYPES
};

enum { CLASS_INTEGER = 0, CLASS_FLOAT = 1, CLASS_TEXT = 3, CLASS_OPAQUE = 5, CLASS_COMPOUND = 6, CLASS_ENUM = 8 };

typedef struct hdf5_type {
  uint64_t is[TYPE_FIELDS];
} hdf5_type;

/* One of the known types, little-endian. */
hdf5_type hdf5_type_of(unsigned number);

/* The name of a member of an enumeration or a compound; null for none. */
const char *hdf5_member_name(uint64_t number);

typedef struct hdf5_space {
  bool null;
  int ndim;
  const uint64_t *dims;
} hdf5_space;

typedef struct hdf5_data {
  hdf5_type type;
  hdf5_space space;
  const unsigned char *bytes; /* the first `size` bytes of its elements */
  size_t size;
} hdf5_data;

typedef enum hdf5_item_kind { TREE_ATTRIBUTE = 1, TREE_HARD, TREE_SOFT, TREE_EXTERNAL } hdf5_item_kind;

typedef struct hdf5_item {
  hdf5_item_kind kind;
  int owner, object; /* object: to which a hard or a soft link leads */
  const char *name;
  hdf5_data data; /* of an attribute */
} hdf5_item;

typedef struct hdf5_object {
  bool is_group;
  hdf5_data data; /* of a dataset, as are the others */
  int layout, filters, chunk_dims;
  bool elsewhere;
  uint64_t filter[TREE_FILTERS];
  const uint64_t *chunk;
} hdf5_object;

typedef struct hdf5_tree {
  const unsigned char *bytes;
  size_t size, at, letters, numbers;
  int items, objects, links; /* links: to objects that are there, four at most */
  hdf5_item item[TREE_ITEMS]; /* of one object one after the other: attributes first, and each kind by name */
  hdf5_object object[TREE_OBJECTS]; /* the root is the first */
  char letter[TREE_LETTERS];
  uint64_t number[TREE_NUMBERS];
} hdf5_tree;

/* Reads a file; the tree points into its bytes. */
void hdf5_tree_parse(hdf5_tree *tree, const unsigned char *bytes, size_t size);

/* The attribute, or the link, of this name; null where there is none. */
const hdf5_item *hdf5_attribute(const hdf5_tree *tree, int object, const char *name);
const hdf5_item *hdf5_link(const hdf5_tree *tree, int object, const char *name);

/* The i-th link of a group; null behind the last. */
const hdf5_item *hdf5_link_at(const hdf5_tree *tree, int object, uint64_t i);

/* Bytes of all elements; UINT64_MAX if 64 bits cannot say. */
uint64_t hdf5_bytes(const hdf5_data *data);

#endif
