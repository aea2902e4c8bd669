/* SPDX-License-Identifier: Apache-2.0 */
/* SciPy's .npz: what is read, what is refused and why, round trips, and files that lie. */
#include "../../src/io/compressed/zip_archive.h"
#include "../../src/io/compressed/zip_write.h"
#include "../../src/sparsewright.h"
#include "../support/memory.h"
#include "npy_types.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Files made by hand -------------------------------------------------------------------- */

typedef struct blob {
  size_t size;
  unsigned char bytes[512];
} blob;

typedef struct part {
  const char *name;
  blob content;
} part;

typedef struct parts {
  size_t count;
  part at[10];
} parts;

typedef struct file {
  unsigned char *bytes;
  size_t size;
} file;

static void append(blob *b, const void *bytes, size_t size)
{
  cr_assert(b->size + size <= sizeof b->bytes);
  memcpy(b->bytes + b->size, bytes, size);
  b->size += size;
}

/* A .npy of version `major`.0 with this header, whatever it says. */
static blob npy_of(int major, const char *header, const void *elements, size_t size)
{
  blob b = {0};
  const size_t length = strlen(header);
  const unsigned char fields[6] = {(unsigned char)major, 0, (unsigned char)(length & 0xff),
                                   (unsigned char)(length >> 8)};
  append(&b, "\x93NUMPY", 6);
  append(&b, fields, major == 1 ? 4 : 6);
  append(&b, header, length);
  append(&b, elements, size);
  return b;
}

static blob npy(const char *descr, const char *shape, const void *elements, size_t size)
{
  char header[128];
  snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }  \n",
           descr, shape);
  return npy_of(1, header, elements, size);
}

#define NPY(descr, shape, ...) npy(descr, shape, (__VA_ARGS__), sizeof(__VA_ARGS__))

static void put(parts *p, const char *name, blob content)
{
  size_t i = 0;
  while (i < p->count && strcmp(p->at[i].name, name) != 0) i++;
  cr_assert(i < COUNT(p->at));
  p->at[i] = (part){name, content};
  if (i == p->count) p->count++;
}

static void drop(parts *p, const char *name)
{
  for (size_t i = 0; i < p->count; i++)
    if (strcmp(p->at[i].name, name) == 0) p->at[i] = p->at[--p->count];
}

/* [[1 2 0] [0 0 3]] */
static parts csr_parts(void)
{
  parts p = {0};
  put(&p, "format.npy", npy("|S3", "()", "csr", 3));
  put(&p, "shape.npy", NPY("<i8", "(2,)", (int64_t[]){2, 3}));
  put(&p, "indptr.npy", NPY("<i4", "(3,)", (int32_t[]){0, 2, 3}));
  put(&p, "indices.npy", NPY("<i4", "(3,)", (int32_t[]){0, 1, 2}));
  put(&p, "data.npy", NPY("<f8", "(3,)", (double[]){1, 2, 3}));
  return p;
}

static parts coo_parts(void)
{
  parts p = csr_parts();
  drop(&p, "indptr.npy");
  drop(&p, "indices.npy");
  put(&p, "format.npy", npy("|S3", "()", "coo", 3));
  put(&p, "row.npy", NPY("<i8", "(3,)", (int64_t[]){0, 0, 1}));
  put(&p, "col.npy", NPY("<i8", "(3,)", (int64_t[]){0, 1, 2}));
  return p;
}

static zip_source_t *fill_zip(const parts *p, int method)
{
  zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, NULL);
  zip_t *zip = zip_open_from_source(source, ZIP_TRUNCATE, NULL);
  zip_source_keep(source);
  for (size_t i = 0; i < p->count; i++) {
    const part *member = &p->at[i];
    zip_source_t *from = zip_source_buffer(zip, member->content.bytes, member->content.size, 0);
    const zip_int64_t index = zip_file_add(zip, member->name, from, 0);
    cr_assert(index >= 0);
    zip_set_file_compression(zip, (zip_uint64_t)index, method, 0);
  }
  cr_assert_eq(zip_close(zip), 0);
  return source;
}

/* The bytes of a source, which is freed. */
static file file_in(zip_source_t *source)
{
  zip_stat_t stat;
  cr_assert_eq(zip_source_stat(source, &stat), 0);
  cr_assert_eq(zip_source_open(source), 0);
  file f = {malloc(stat.size), stat.size};
  cr_assert_eq(zip_source_read(source, f.bytes, stat.size), (zip_int64_t)stat.size);
  zip_source_close(source);
  zip_source_free(source);
  return f;
}

static file zip_of(const parts *p, int method)
{
  return file_in(fill_zip(p, method));
}

/* ---- Reading them -------------------------------------------------------------------------- */

static spw_owned *read_file(file f)
{
  spw_owned *owned = NULL;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_read_npz(f.bytes, f.size, 0, &owned, &error);
  cr_assert_eq(status, SPW_OK, "%d %s: %s", status, error.where, error.message);
  return owned;
}

static spw_owned *read_parts(const parts *p, int method)
{
  const file f = zip_of(p, method);
  spw_owned *owned = read_file(f);
  free(f.bytes);
  return owned;
}

static void refused_file(file f, spw_status expected, const char *where, const char *fragment)
{
  spw_owned *const untouched = (spw_owned *)&f;
  spw_owned *owned = untouched;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_read_npz(f.bytes, f.size, 0, &owned, &error);
  cr_assert_eq(status, expected, "%d instead of %d for %s: %s: %s", status, expected, fragment,
               error.where, error.message);
  cr_assert_eq(owned, untouched);
  cr_assert(strncmp(error.where, where, strlen(where)) == 0, "%s: %s", error.where, error.message);
  cr_assert(strstr(error.message, fragment), "'%s' lacks '%s'", error.message, fragment);
  cr_assert_eq(spw_read_npz(f.bytes, f.size, 0, &owned, NULL), expected);
}

static void refused(const parts *p, spw_status expected, const char *where, const char *fragment)
{
  const file f = zip_of(p, ZIP_CM_DEFLATE);
  refused_file(f, expected, where, fragment);
  free(f.bytes);
}

static const void *index_storage(const spw_index_array *a)
{
  return a->i32 ? (const void *)a->i32 : a->i64 ? (const void *)a->i64 : a->raw;
}

/* One array of two tensors: the same view of the same bits? */
static bool same_array(const spw_array *a, const void *x, const spw_array *b, const void *y)
{
  if (a->dtype != b->dtype || a->ndim != b->ndim || a->length != b->length) return false;
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] != b->shape[d] || a->strides[d] != b->strides[d]) return false;
  return memcmp(x, y, (size_t)(a->length * spw_dtype_size(a->dtype))) == 0;
}

static bool same_index(const spw_index_array *a, const spw_index_array *b)
{
  if (a->array.dtype == SPW_DTYPE_NONE) return b->array.dtype == SPW_DTYPE_NONE;
  return same_array(&a->array, index_storage(a), &b->array, index_storage(b));
}

static bool same_tensor(const spw_tensor *a, const spw_tensor *b)
{
  if (a->layout != b->layout || a->has_size != b->has_size || a->ndim != b->ndim) return false;
  if (memcmp(a->size, b->size, (size_t)a->ndim * sizeof *a->size) != 0) return false;
  return same_index(&a->compressed, &b->compressed) && same_index(&a->plain, &b->plain) &&
         same_array(&a->values.array, a->values.data, &b->values.array, b->values.data);
}

static void reads_as(const parts *p, const spw_tensor *expected)
{
  for (int method = 0; method < 2; method++) {
    spw_owned *owned = read_parts(p, method ? ZIP_CM_DEFLATE : ZIP_CM_STORE);
    cr_assert(same_tensor(spw_owned_tensor(owned), expected));
    spw_owned_free(owned);
  }
}

/* ---- What is read -------------------------------------------------------------------------- */

Test(npz, reads_the_members_as_they_are)
{
  static const int64_t ONE[] = {1}, SIZE[] = {2, 3}, THREE[] = {3}, PAIR[] = {2, 3};
  static const int64_t FLAT[] = {3, 1};
  static const int32_t POINTERS[] = {0, 2, 3}, COLUMNS[] = {0, 1, 2};
  static const int64_t POSITIONS[] = {0, 0, 1, 0, 1, 2};
  static const double VALUES[] = {1, 2, 3};
  spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = SIZE};
  t.compressed = (spw_index_array){{SPW_INT32, 1, THREE, ONE, 0, 3}, POINTERS, NULL, NULL};
  t.plain = (spw_index_array){{SPW_INT32, 1, THREE, ONE, 0, 3}, COLUMNS, NULL, NULL};
  t.values = (spw_value_array){{SPW_FLOAT64, 1, THREE, ONE, 0, 3}, VALUES};

  parts p = csr_parts();
  reads_as(&p, &t);
  spw_owned *owned = read_parts(&p, ZIP_CM_DEFLATE);
  const spw_tensor *read = spw_owned_tensor(owned);
  cr_assert(read->dtype == SPW_DTYPE_NONE && read->index_dtype == SPW_DTYPE_NONE);
  cr_assert(read->coalesced == SPW_CLAIM_NONE && read->compressed.i32 && !read->compressed.i64);
  spw_owned_free(owned);

  /* What SciPy wrote on other systems and in other years, and pydata/sparse. */
  put(&p, "_is_array.npy", npy("|b1", "()", "\1", 1));
  put(&p, "fill_value.npy", npy("<f8", "()", "\0\0\0\0\0\0\0", 8));
  put(&p, "format.npy", npy("<U3", "()", "c\0\0\0s\0\0\0r\0\0", 12));
  put(&p, "shape.npy", NPY("<i4", "(2,)", (int32_t[]){2, 3}));
  reads_as(&p, &t);
  put(&p, "format.npy", npy(">U5", "()", "\0\0\0c\0\0\0s\0\0\0r\0\0\0\0\0\0\0", 20));
  put(&p, "shape.npy", npy(">i2", "(2,)", "\0\2\0\3", 4));
  put(&p, "indptr.npy", npy(">i4", "(3,)", "\0\0\0\0\0\0\0\2\0\0\0\3", 12));
  reads_as(&p, &t);
  put(&p, "shape.npy", npy("|u1", "(2,)", "\2\3", 2));
  put(&p, "format.npy", npy("|S3", "()", "csc", 3));
  t.layout = SPW_CSC;
  reads_as(&p, &t);

  p = coo_parts();
  t.layout = SPW_COO;
  t.compressed = (spw_index_array){{SPW_DTYPE_NONE, 0, NULL, NULL, 0, 0}, NULL, NULL, NULL};
  t.plain = (spw_index_array){{SPW_INT64, 2, PAIR, FLAT, 0, 6}, NULL, POSITIONS, NULL};
  reads_as(&p, &t);
  drop(&p, "row.npy");
  drop(&p, "col.npy");
  put(&p, "coords.npy", npy("<i8", "(2, 3)", POSITIONS, sizeof POSITIONS));
  reads_as(&p, &t);

  /* Fortran order is honoured as strides: the same bytes, another view. */
  const int64_t columns_first[] = {1, 2};
  put(&p, "coords.npy",
      npy_of(1, "{'descr': '<i8', 'fortran_order': True, 'shape': (2, 3), }\n", POSITIONS, 48));
  t.plain.array.strides = columns_first;
  reads_as(&p, &t);
  expect_no_leaks();
}

/* int16 indices and lengths that do not match are data, which the checker judges. */
Test(npz, reads_invalid_tensors)
{
  parts p = csr_parts();
  put(&p, "indices.npy", NPY("<i2", "(4,)", (int16_t[]){0, 1, 2, 9}));
  put(&p, "shape.npy", NPY("<i8", "(3,)", (int64_t[]){-2, 3, 4}));
  put(&p, "data.npy", npy("<f4", "(0, 5)", "", 0));
  spw_owned *owned = read_parts(&p, ZIP_CM_DEFLATE);
  const spw_tensor *t = spw_owned_tensor(owned);
  cr_assert(t->plain.array.dtype == SPW_INT16 && !t->plain.i32 && !t->plain.i64);
  cr_assert_eq(((const int16_t *)t->plain.raw)[3], 9);
  cr_assert(t->ndim == 3 && t->size[0] == -2 && t->size[2] == 4);
  cr_assert(t->values.array.ndim == 2 && t->values.array.shape[1] == 5 && t->values.data);
  cr_assert_eq(t->values.array.length, 0);
  spw_owned_free(owned);
  expect_no_leaks();
}

Test(npz, reads_every_version_type_and_byte_order)
{
  unsigned char native[48], swapped[48];
  for (size_t i = 0; i < sizeof native; i++) native[i] = (unsigned char)(i * 37 + 1);
  parts p = csr_parts();
  for (size_t i = 0; i < NPY_TYPES; i++)
    for (int major = 1; major <= 3; major++)
      for (const char *order = npy_types[i].size == 1 ? "<>|" : "<>"; *order; order++) {
        char header[96];
        snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (3,), }\n",
                 *order, npy_types[i].code, major == 2 ? "True" : "False");
        const size_t size = 3 * npy_types[i].size;
        mirror(native, size, npy_types[i].swap, swapped);
        put(&p, "data.npy", npy_of(major, header, *order == '>' ? swapped : native, size));
        spw_owned *owned = read_parts(&p, major == 3 ? ZIP_CM_STORE : ZIP_CM_DEFLATE);
        const spw_value_array *v = &spw_owned_tensor(owned)->values;
        cr_assert(v->array.dtype == npy_types[i].dtype && v->array.shape[0] == 3, "%s", header);
        cr_assert_arr_eq(v->data, native, size, "%s", header);
        spw_owned_free(owned);
      }
  expect_no_leaks();
}

/* ---- Headers ------------------------------------------------------------------------------- */

#define HEADER(descr, order, shape) \
  "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }\n"
#define DTYPE(descr) HEADER(descr, "False", "(3,)")
#define TUPLE(shape) HEADER("'<i4'", "False", shape)

Test(npz, parses_headers_strictly)
{
  static const char *const good[] = {
      DTYPE("'<i4'"),
      "{\"descr\":\"<i4\",\"fortran_order\":False,\"shape\":(3,)}",
      "{ 'shape':\t( 3 , ) ,\n'fortran_order' : True, 'descr':'<i4' } \r\n",
      TUPLE("(3, 1, 1,)"), TUPLE("(3,1)")};
  static const struct {
    const char *header;
    spw_status status;
    const char *where, *fragment;
  } bad[] = {
      {DTYPE("'|O'"), SPW_EUNSUPPORTED, "indptr.npy", "dtype '|O' (Python objects, a pickle)"},
      {DTYPE("'<u4'"), SPW_EUNSUPPORTED, "indptr.npy", "unsigned integers of more than 8 bits"},
      {DTYPE("'<u2'"), SPW_EUNSUPPORTED, "indptr.npy", "'<u2'"},
      {DTYPE("'=i1'"), SPW_EUNSUPPORTED, "indptr.npy", "'=i1'"},
      {TUPLE("(99999999999999999999,)"), SPW_EFORMAT, "indptr.npy", "shape beyond 64 bits"},
      {DTYPE("'<u8'"), SPW_EUNSUPPORTED, "indptr.npy", "'<u8'"},
      {DTYPE("'<f16'"), SPW_EUNSUPPORTED, "indptr.npy", "dtype '<f16' (numbers of this width)"},
      {DTYPE("'<c32'"), SPW_EUNSUPPORTED, "indptr.npy", "'<c32'"},
      {DTYPE("'|S4'"), SPW_EUNSUPPORTED, "indptr.npy", "byte strings"},
      {DTYPE("'<U1'"), SPW_EUNSUPPORTED, "indptr.npy", "strings"},
      {DTYPE("'|V4'"), SPW_EUNSUPPORTED, "indptr.npy", "raw bytes"},
      {DTYPE("'<M8[ns]'"), SPW_EUNSUPPORTED, "indptr.npy", "dates"},
      {DTYPE("'<q4'"), SPW_EUNSUPPORTED, "indptr.npy", "an unknown kind"},
      {DTYPE("'=i4'"), SPW_EUNSUPPORTED, "indptr.npy", "no byte order"},
      {DTYPE("'i4'"), SPW_EUNSUPPORTED, "indptr.npy", "no byte order"},
      {DTYPE("'|i4'"), SPW_EUNSUPPORTED, "indptr.npy", "'|i4'"},
      {DTYPE("''"), SPW_EUNSUPPORTED, "indptr.npy", "dtype ''"},
      {DTYPE("[('a', '<i4')]"), SPW_EUNSUPPORTED, "indptr.npy byte 20", "structured dtype"},
      {DTYPE("('<i4', (2,))"), SPW_EUNSUPPORTED, "indptr.npy byte", "structured dtype"},
      {DTYPE("4"), SPW_EFORMAT, "indptr.npy byte 20", "expected a string"},
      {DTYPE("'<i4"), SPW_EFORMAT, "indptr.npy byte", "expected ',' or '}'"},
      {DTYPE("'<\\x69" "4'"), SPW_EFORMAT, "indptr.npy byte", "not allowed in a string"},
      {DTYPE("'<i4\x01'"), SPW_EFORMAT, "indptr.npy byte", "not allowed in a string"},
      {DTYPE("'0123456789012345678901234567890123'"), SPW_EFORMAT, "indptr.npy byte", "too long"},
      {DTYPE("'<i4' 'x'"), SPW_EFORMAT, "indptr.npy byte", "expected ',' or '}'"},
      {HEADER("'<i4'", "0", "(3,)"), SPW_EFORMAT, "indptr.npy byte", "True or False"},
      {HEADER("'<i4'", "Falsey", "(3,)"), SPW_EFORMAT, "indptr.npy byte", "expected ',' or '}'"},
      {TUPLE("(3)"), SPW_EFORMAT, "indptr.npy byte", "(n,) and not (n)"},
      {TUPLE("[3]"), SPW_EFORMAT, "indptr.npy byte", "must be a tuple"},
      {TUPLE("3"), SPW_EFORMAT, "indptr.npy byte", "must be a tuple"},
      {TUPLE("(,)"), SPW_EFORMAT, "indptr.npy byte", "expected an integer"},
      {TUPLE("(3,,)"), SPW_EFORMAT, "indptr.npy byte", "expected an integer"},
      {TUPLE("(3 1)"), SPW_EFORMAT, "indptr.npy byte", "expected ',' or ')'"},
      {TUPLE("(3.0,)"), SPW_EFORMAT, "indptr.npy byte", "expected ',' or ')'"},
      {TUPLE("(3L,)"), SPW_EFORMAT, "indptr.npy byte", "expected ',' or ')'"},
      {TUPLE("(0x3,)"), SPW_EFORMAT, "indptr.npy byte", "expected ',' or ')'"},
      {TUPLE("(+3,)"), SPW_EFORMAT, "indptr.npy byte", "expected an integer"},
      {TUPLE("(03,)"), SPW_EFORMAT, "indptr.npy byte", "leading zero"},
      {TUPLE("(-3,)"), SPW_EFORMAT, "indptr.npy byte", "negative shape"},
      {TUPLE("(9223372036854775808,)"), SPW_EFORMAT, "indptr.npy byte", "beyond 64 bits"},
      {TUPLE("(9223372036854775807, 2)"), SPW_EFORMAT, "indptr.npy", "product of the shape"},
      {TUPLE("(4611686018427387904, 4, 0)"), SPW_EFORMAT, "indptr.npy", "product of the shape"},
      {TUPLE("(9223372036854775807,)"), SPW_EFORMAT, "indptr.npy", "more than 2^63 bytes"},
      {TUPLE("(2305843009213693952, 0)"), SPW_EFORMAT, "indptr.npy", "more than 2^63 bytes"},
      {TUPLE("(1152921504606846976,)"), SPW_EFORMAT, "indptr.npy", "but 12 bytes follow"},
      {TUPLE("(2,)"), SPW_EFORMAT, "indptr.npy", "declares 2 elements of 4 bytes, but 12"},
      {TUPLE("(4,)"), SPW_EFORMAT, "indptr.npy", "declares 4 elements of 4 bytes, but 12"},
      {TUPLE("()"), SPW_EFORMAT, "indptr.npy", "declares 1 elements"},
      {TUPLE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
             "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3)"),
       SPW_EFORMAT, "indptr.npy byte", "more than 64 dimensions"},
      {"{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (3,)}", SPW_EFORMAT,
       "indptr.npy byte", "duplicate key"},
      {"{'fortran_order': False, 'shape': (3,)}", SPW_EFORMAT, "indptr.npy",
       "lacks the key 'descr'"},
      {"{'descr': '<i4', 'shape': (3,)}", SPW_EFORMAT, "indptr.npy", "the key 'fortran_order'"},
      {"{'descr': '<i4', 'fortran_order': False}", SPW_EFORMAT, "indptr.npy", "the key 'shape'"},
      {"{'more': 1, 'descr': '<i4', 'fortran_order': False, 'shape': (3,)}", SPW_EFORMAT,
       "indptr.npy byte", "unknown key"},
      {"{'descr' '<i4', 'fortran_order': False, 'shape': (3,)}", SPW_EFORMAT, "indptr.npy byte",
       "expected ':'"},
      {"{,}", SPW_EFORMAT, "indptr.npy byte 11", "expected a string"},
      {"{}", SPW_EFORMAT, "indptr.npy", "lacks the key"},
      {"  ", SPW_EFORMAT, "indptr.npy byte 10", "expected '{'"},
      {"\n {'descr': '<i4', 'fortran_order': False, 'shape': (3,)}", SPW_EFORMAT,
       "indptr.npy byte 10", "expected '{'"}, /* Python calls it indented, and refuses it too */
      {"x", SPW_EFORMAT, "indptr.npy", "header of 1 bytes"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,), ", SPW_EFORMAT, "indptr.npy byte",
       "expected a string"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,), 'sha", SPW_EFORMAT,
       "indptr.npy byte", "does not end"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,)} x", SPW_EFORMAT, "indptr.npy byte",
       "trailing garbage"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,)}}", SPW_EFORMAT, "indptr.npy byte",
       "trailing garbage"}};
  const int32_t pointers[] = {0, 2, 3};
  parts p = csr_parts();
  for (size_t i = 0; i < COUNT(good); i++) {
    put(&p, "indptr.npy", npy_of(1, good[i], pointers, sizeof pointers));
    spw_owned *owned = read_parts(&p, ZIP_CM_DEFLATE);
    const spw_index_array *compressed = &spw_owned_tensor(owned)->compressed;
    cr_assert_arr_eq(compressed->i32, pointers, sizeof pointers, "%s", good[i]);
    spw_owned_free(owned);
  }
  for (size_t i = 0; i < COUNT(bad); i++) {
    put(&p, "indptr.npy", npy_of(1, bad[i].header, pointers, sizeof pointers));
    refused(&p, bad[i].status, bad[i].where, bad[i].fragment);
  }
  expect_no_leaks();
}

Test(npz, parses_preambles_strictly)
{
  const int32_t pointers[] = {0, 2, 3};
  parts p = csr_parts();
  put(&p, "indptr.npy", npy_of(4, DTYPE("'<i4'"), pointers, 12));
  refused(&p, SPW_EUNSUPPORTED, "indptr.npy", ".npy version 4.0");
  put(&p, "indptr.npy", npy_of(0, DTYPE("'<i4'"), pointers, 12));
  refused(&p, SPW_EUNSUPPORTED, "indptr.npy", ".npy version 0.0");
  put(&p, "indptr.npy", npy_of(2, "", pointers, 12));
  refused(&p, SPW_EFORMAT, "indptr.npy byte 12", "expected '{'");
  blob b = npy_of(1, DTYPE("'<i4'"), pointers, 12);
  b.bytes[7] = 1;
  put(&p, "indptr.npy", b);
  refused(&p, SPW_EUNSUPPORTED, "indptr.npy", ".npy version 1.1");
  b.bytes[7] = 0;
  b.bytes[8] = 0xff;
  put(&p, "indptr.npy", b);
  refused(&p, SPW_EFORMAT, "indptr.npy", "beyond the member's end");
  b.bytes[9] = 0xff;
  put(&p, "indptr.npy", b);
  refused(&p, SPW_EFORMAT, "indptr.npy", "header of 65535 bytes");
  b.bytes[0] = 'N';
  put(&p, "indptr.npy", b);
  refused(&p, SPW_EFORMAT, "indptr.npy", "not a .npy file");
  b.size = 11;
  put(&p, "indptr.npy", b);
  refused(&p, SPW_EFORMAT, "indptr.npy", "too short");
  expect_no_leaks();
}

/* ---- Members ------------------------------------------------------------------------------- */

Test(npz, refuses_members_that_make_no_tensor)
{
  static const char *const needed[] = {"shape.npy", "data.npy", "indices.npy",
                                       "indptr.npy"};
  static const struct {
    const char *name, *descr, *shape, *bytes;
    size_t size;
    spw_status status;
    const char *fragment;
  } bad[] = {
      {"format.npy", "|S3", "()", "lil", 3, SPW_EUNSUPPORTED, "format 'lil' is not supported"},
      {"format.npy", "|S3", "()", "bsc", 3, SPW_EUNSUPPORTED, "format 'bsc'"},
      {"format.npy", "|S5", "()", "dense", 5, SPW_EUNSUPPORTED, "format 'dense'"},
      {"format.npy", "|S3", "()", "CSR", 3, SPW_EUNSUPPORTED, "format 'CSR'"},
      {"format.npy", "|S0", "()", "", 0, SPW_EUNSUPPORTED, "format ''"},
      {"format.npy", "|S3", "()", "c\nr", 3, SPW_EFORMAT, "ASCII"},
      {"format.npy", "|S3", "()", "c\0r", 3, SPW_EFORMAT, "ASCII"},
      {"format.npy", "|S3", "()", "c\x7fr", 3, SPW_EFORMAT, "ASCII"},
      {"format.npy", "<U1", "()", "c\1\0", 4, SPW_EFORMAT, "ASCII"},
      {"format.npy", "", "()", "csr", 3, SPW_EFORMAT, "one string"},
      {"format.npy", "|S3", "(1,)", "csr", 3, SPW_EFORMAT, "one string"},
      {"format.npy", "|S17", "()", "csrcsrcsrcsrcsrcs", 17, SPW_EFORMAT, "at most 16"},
      {"format.npy", "|S3x", "()", "csr", 3, SPW_EFORMAT, "one string"},
      {"format.npy", "|S", "()", "csr", 3, SPW_EFORMAT, "one string"},
      {"format.npy", "|S-1", "()", "csr", 3, SPW_EFORMAT, "one string"},
      {"format.npy", "|O", "()", "csr", 3, SPW_EFORMAT, "one string"},
      {"format.npy", "|S+3", "()", "csr", 3, SPW_EFORMAT, "one string"},
      {"format.npy", "|S 3", "()", "csr", 3, SPW_EFORMAT, "one string"},
      {"format.npy", "|S003", "()", "csr", 3, SPW_EFORMAT, "one string"},
      {"format.npy", "|S4", "()", "csr", 3, SPW_EFORMAT, "declares 1 elements of 4 bytes"},
      {"_is_array.npy", "|b1", "(1,)", "\1", 1, SPW_EFORMAT, "must be one bool"},
      {"_is_array.npy", "|i1", "()", "\1", 1, SPW_EFORMAT, "must be one bool"},
      {"_is_array.npy", "|O", "()", "\1", 1, SPW_EUNSUPPORTED, "a pickle"},
      {"fill_value.npy", "<i2", "()", "\0\1", 2, SPW_EUNSUPPORTED, "without an element are not +0"},
      {"fill_value.npy", "<f4", "()", "\0\0\0\x80", 4, SPW_EUNSUPPORTED, "without an element are not +0"},
      {"fill_value.npy", "<i2", "(1,)", "\0\0", 2, SPW_EFORMAT, "must be one number"},
      {"fill_value.npy", "|O", "()", "\0\0", 2, SPW_EUNSUPPORTED, "a pickle"},
      {"shape.npy", "<f8", "(1,)", "\0\0\0\0\0\0\0", 8, SPW_EFORMAT, "integers"},
      {"shape.npy", "<c16", "(0,)", "", 0, SPW_EFORMAT, "integers"},
      {"shape.npy", "|b1", "(1,)", "\1", 1, SPW_EFORMAT, "integers"},
      {"shape.npy", "|i1", "()", "\1", 1, SPW_EFORMAT, "1-D"},
      {"shape.npy", "|i1", "(1, 1)", "\1", 1, SPW_EFORMAT, "1-D"},
      {"shape.npy", "|i1", "(1,)", "\1", 1, SPW_EUNSUPPORTED, "csr of 1 dimension"},
      {"shape.npy", "|i1", "(65,)",
       "01234567890123456789012345678901234567890123456789012345678901234", 65,
       SPW_EFORMAT, "at most 64"}};
  for (size_t i = 0; i < COUNT(needed); i++) {
    parts p = csr_parts();
    drop(&p, needed[i]);
    refused(&p, SPW_EFORMAT, needed[i], "missing member");
  }
  for (size_t i = 0; i < COUNT(bad); i++) {
    parts p = csr_parts();
    put(&p, bad[i].name, npy(bad[i].descr, bad[i].shape, bad[i].bytes, bad[i].size));
    refused(&p, bad[i].status, bad[i].name, bad[i].fragment);
  }
  parts p = csr_parts();
  drop(&p, "format.npy");
  refused(&p, SPW_EUNSUPPORTED, "format.npy", "missing member; this is not a sparse matrix, as scipy.sparse.save_npz writes it");
  p = coo_parts();
  put(&p, "col.npy", NPY("<f8", "(3,)", (double[]){0, 1, 2}));
  refused(&p, SPW_EFORMAT, "col.npy", "must be integers");
  put(&p, "col.npy", NPY("<i8", "(2,)", (int64_t[]){0, 1}));
  refused(&p, SPW_EFORMAT, "col.npy", "of one length");
  put(&p, "col.npy", NPY("<i8", "(3, 1)", (int64_t[]){0, 1, 2}));
  refused(&p, SPW_EFORMAT, "col.npy", "1-D");
  put(&p, "coords.npy", NPY("<i8", "(2, 1)", (int64_t[]){0, 1}));
  refused(&p, SPW_EFORMAT, "coords.npy", "both coords and row or col");
  drop(&p, "row.npy");
  refused(&p, SPW_EFORMAT, "coords.npy", "both coords and row or col");
  drop(&p, "coords.npy");
  put(&p, "row.npy", NPY("<i8", "(3, 1)", (int64_t[]){0, 0, 1}));
  refused(&p, SPW_EFORMAT, "row.npy", "1-D");
  put(&p, "row.npy", NPY("<i8", "(3,)", (int64_t[]){0, 0, 1}));
  drop(&p, "col.npy");
  refused(&p, SPW_EFORMAT, "col.npy", "missing member");
  expect_no_leaks();
}

/* ---- Zips that lie (see test_zip.c) ---------------------------------------------------------- */

/* The directory entry (or with "PK\3\4" the local header) of the member `name`. */
static unsigned char *find_entry(file f, const char *signature, size_t name_at, const char *name)
{
  const size_t length = strlen(name);
  for (size_t i = 0; i + name_at + length <= f.size; i++)
    if (memcmp(f.bytes + i, signature, 4) == 0 &&
        memcmp(f.bytes + i + name_at, name, length) == 0)
      return f.bytes + i;
  cr_assert_fail("no entry %s", name);
  return NULL;
}

static unsigned char *central(file f, const char *name)
{
  return find_entry(f, "PK\1\2", 46, name);
}

static unsigned char *local(file f, const char *name)
{
  return find_entry(f, "PK\3\4", 30, name);
}

enum { CRC = 16, SIZE = 24, NAME = 46 };

/* In the directory and in the local header, where it lies two bytes earlier. */
static void store_both(file f, const char *name, int offset, uint32_t value)
{
  for (int i = 0; i < 4; i++)
    central(f, name)[offset + i] = local(f, name)[offset - 2 + i] = (unsigned char)(value >> 8 * i);
}

Test(npz, refuses_members_that_are_not_what_both_headers_say)
{
  static const struct {
    const char *name;
    int method, offset;
    uint32_t value;
    const char *fragment;
  } bad[] = {{"indptr.npy", ZIP_CM_DEFLATE, CRC, 1, "the CRC is wrong"},
             {"indptr.npy", ZIP_CM_STORE, CRC, 1, "the CRC is wrong"},
             {"format.npy", ZIP_CM_STORE, CRC, 1, "the CRC is wrong"},
             {"shape.npy", ZIP_CM_STORE, CRC, 1, "the CRC is wrong"},
             {"data.npy", ZIP_CM_DEFLATE, SIZE, 90, "bytes follow"},
             {"data.npy", ZIP_CM_DEFLATE, SIZE, 5, "too short"},
             {"data.npy", ZIP_CM_DEFLATE, SIZE, 0x7fffffff, "which cannot be"},
             {"data.npy", ZIP_CM_STORE, SIZE, 90, "which cannot be"}};
  const parts p = csr_parts();
  for (size_t i = 0; i < COUNT(bad); i++) {
    const file f = zip_of(&p, bad[i].method);
    store_both(f, bad[i].name, bad[i].offset, bad[i].value);
    refused_file(f, SPW_EFORMAT, bad[i].name, bad[i].fragment);
    free(f.bytes);
  }
  expect_no_leaks();
}

/* What the deflated data give and what the headers, both of the zip and the .npy, say. */
Test(npz, refuses_sizes_that_only_the_headers_confirm)
{
  parts p = csr_parts();
  put(&p, "data.npy", NPY("<f8", "(4,)", (double[]){1, 2, 3}));
  file f = zip_of(&p, ZIP_CM_DEFLATE);
  const uint32_t size = (uint32_t)p.at[4].content.size;
  store_both(f, "data.npy", SIZE, size + 8);
  refused_file(f, SPW_EFORMAT, "data.npy", "ends before its time");
  free(f.bytes);
  put(&p, "data.npy", NPY("<f8", "(2,)", (double[]){1, 2, 3}));
  f = zip_of(&p, ZIP_CM_DEFLATE);
  store_both(f, "data.npy", SIZE, size - 8);
  refused_file(f, SPW_EFORMAT, "data.npy", "longer than the directory says");
  free(f.bytes);
  expect_no_leaks();
}

/* A zip of so many empty members. */
static file many_members(int count)
{
  zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, NULL);
  zip_t *zip = zip_open_from_source(source, ZIP_TRUNCATE, NULL);
  zip_source_keep(source);
  for (int i = 0; i < count; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    cr_assert(zip_file_add(zip, name, zip_source_buffer(zip, "", 0, 0), 0) >= 0);
  }
  cr_assert_eq(zip_close(zip), 0);
  return file_in(source);
}

Test(npz, refuses_what_is_no_zip_of_a_matrix)
{
  parts p = csr_parts();
  put(&p, "indptr.npx", p.at[2].content);
  file f = zip_of(&p, ZIP_CM_STORE);
  central(f, "indptr.npx")[NAME + 9] = 'y';
  local(f, "indptr.npx")[30 + 9] = 'y';
  refused_file(f, SPW_EFORMAT, "indptr.npy", "duplicate member");
  free(f.bytes);

  f = many_members(65);
  refused_file(f, SPW_EUNSUPPORTED, "", "65 members, more than 64");
  free(f.bytes);

  file junk = {(unsigned char *)"not a zip at all, only text", 27};
  refused_file(junk, SPW_EFORMAT, "", "zip: ");
  junk.size = 0;
  refused_file(junk, SPW_EFORMAT, "", "empty");
  junk.bytes = NULL;
  refused_file(junk, SPW_EFORMAT, "", "empty");
  junk.size = 1;
  refused_file(junk, SPW_EINVAL, "", "null");
  spw_error error;
  cr_assert_eq(spw_read_npz("", 1, 0, NULL, &error), SPW_EINVAL);
  expect_no_leaks();
}

/* 4 MiB of zeros deflate to 4 KiB: whoever sets a limit of 1 MiB must not get them. */
Test(npz, keeps_to_the_limit)
{
  enum { ELEMENTS = 4 << 20 };
  char *zeros = calloc(ELEMENTS, 1);
  const int64_t size[] = {1, 1}, shape[] = {ELEMENTS}, two[] = {2}, one[] = {1};
  const int32_t pointers[] = {0, 0};
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                        .compressed = {{SPW_INT32, 1, two, one, 0, 2}, pointers, NULL, NULL},
                        .plain = {{SPW_INT8, 1, shape, one, 0, ELEMENTS}, NULL, NULL, zeros},
                        .values = {{SPW_BOOL, 1, shape, one, 0, ELEMENTS}, zeros}};
  void *bytes;
  size_t length;
  spw_owned *owned = NULL;
  spw_error error;
  cr_assert_eq(spw_write_npz(&t, &bytes, &length, &error), SPW_OK);
  cr_assert(length < 16384, "%zu", length);
  cr_assert_eq(spw_read_npz(bytes, length, 1 << 20, &owned, &error), SPW_ENOMEM);
  cr_assert(!owned && strcmp(error.where, "indices.npy") == 0 && strstr(error.message, "limit"));
  cr_assert_eq(spw_read_npz(bytes, length, 5 << 20, &owned, &error), SPW_ENOMEM);
  cr_assert_str_eq(error.where, "data.npy");
  cr_assert_eq(spw_read_npz(bytes, length, 100, &owned, &error), SPW_ENOMEM);
  cr_assert(strstr(error.message, "more than the memory limit"), "%s", error.message);
  cr_assert_eq(spw_read_npz(bytes, length, 9 << 20, &owned, &error), SPW_OK);
  cr_assert(same_index(&spw_owned_tensor(owned)->plain, &t.plain));
  spw_owned_free(owned);
  free(bytes);
  free(zeros);
  expect_no_leaks();
}

/* What members beside the tensor inflate to is not kept, but takes time: together they are bounded. */
Test(npz, holds_all_other_members_to_one_limit)
{
  const blob large = {.size = 500};
  parts p = csr_parts();
  put(&p, "a", large);
  put(&p, "b", large);
  const file f = zip_of(&p, ZIP_CM_STORE);
  spw_owned *owned = NULL;
  spw_error error;
  cr_assert_eq(spw_read_npz(f.bytes, f.size, 1000, &owned, &error), SPW_ENOMEM);
  cr_assert(!owned && !strcmp(error.where, "b"), "%s: %s", error.where, error.message);
  cr_assert_eq(spw_read_npz(f.bytes, f.size, 1500, &owned, &error), SPW_OK);
  spw_owned_free(owned);
  free(f.bytes);
  expect_no_leaks();
}

/* ---- Other types and layouts ----------------------------------------------------------------- */

Test(npz, row_and_col_of_two_types)
{
  parts p = coo_parts();
  put(&p, "col.npy", NPY("<i4", "(3,)", (int32_t[]){0, 1, 2}));
  spw_owned *const owned = read_parts(&p, ZIP_CM_STORE);
  const spw_tensor *const t = spw_owned_tensor(owned);
  static const int64_t both[] = {0, 0, 1, 0, 1, 2};
  cr_assert(t->plain.array.dtype == SPW_INT64 && memcmp(t->plain.i64, both, sizeof both) == 0);
  spw_owned_free(owned);
}

Test(npz, unsigned_values_are_widened)
{
  parts p = coo_parts();
  put(&p, "data.npy", NPY("<u2", "(3,)", (uint16_t[]){0, 1, 65535}));
  spw_owned *owned = read_parts(&p, ZIP_CM_STORE);
  cr_assert_eq(spw_owned_tensor(owned)->values.array.dtype, SPW_INT32);
  cr_assert_eq(((const int32_t *)spw_owned_tensor(owned)->values.data)[2], 65535);
  spw_owned_free(owned);
  put(&p, "data.npy", NPY(">u4", "(3,)", (uint32_t[]){0, 1, 0xff010203}));
  owned = read_parts(&p, ZIP_CM_DEFLATE);
  cr_assert_eq(spw_owned_tensor(owned)->values.array.dtype, SPW_INT64);
  cr_assert_eq(((const int64_t *)spw_owned_tensor(owned)->values.data)[2], 0x030201ff);
  spw_owned_free(owned);
  put(&p, "data.npy", NPY("<u8", "(3,)", (uint64_t[]){0, 1, INT64_MAX}));
  owned = read_parts(&p, ZIP_CM_STORE);
  cr_assert_eq(((const int64_t *)spw_owned_tensor(owned)->values.data)[2], INT64_MAX);
  spw_owned_free(owned);
  put(&p, "data.npy", NPY("<u8", "(3,)", (uint64_t[]){0, (uint64_t)INT64_MAX + 1, 0}));
  refused(&p, SPW_EUNSUPPORTED, "data.npy[1]", "9223372036854775808 needs type uint64");
  put(&p, "data.npy", NPY("<u8", "(2,)", (uint64_t[]){0, 1, 2}));
  refused(&p, SPW_EFORMAT, "data.npy", "declares 2 elements");
}

static parts dia_parts(void)
{
  parts p = csr_parts();
  drop(&p, "indptr.npy");
  drop(&p, "indices.npy");
  put(&p, "format.npy", npy("|S3", "()", "dia", 3));
  put(&p, "shape.npy", NPY("<i8", "(2,)", (int64_t[]){3, 4}));
  put(&p, "offsets.npy", NPY("<i4", "(3,)", (int32_t[]){0, -2, 9}));
  put(&p, "data.npy", NPY("<f4", "(3, 5)", (float[]){1, -0.0f, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
  return p;
}

Test(npz, diagonals_become_coo)
{
  parts p = dia_parts();
  spw_owned *const owned = read_parts(&p, ZIP_CM_STORE);
  const spw_tensor *const t = spw_owned_tensor(owned);
  static const int64_t indices[] = {0, 2, 2, 0, 2, 0};
  static const float values[] = {1, 3, 6};
  cr_assert(t->layout == SPW_COO && t->plain.array.shape[1] == 3 && t->coalesced == SPW_CLAIM_NONE);
  cr_assert(memcmp(t->plain.i64, indices, sizeof indices) == 0 && memcmp(t->values.data, values, sizeof values) == 0);
  spw_owned_free(owned);
  put(&p, "offsets.npy", NPY("<i4", "(3,)", (int32_t[]){0, -2, 0}));
  refused(&p, SPW_EFORMAT, "offsets.npy", "two diagonals are at 0");
  put(&p, "offsets.npy", NPY("<i4", "(2,)", (int32_t[]){0, -2}));
  refused(&p, SPW_EFORMAT, "data.npy", "2 diagonals");
  put(&p, "offsets.npy", NPY("<f4", "(3,)", (float[]){0, -2, 1}));
  refused(&p, SPW_EFORMAT, "offsets.npy", "int32 or int64");
  put(&p, "offsets.npy", NPY("<i8", "(3,)", (int64_t[]){INT64_MAX, INT64_MIN, 3}));
  spw_owned *const far = read_parts(&p, ZIP_CM_STORE);
  cr_assert_eq(spw_owned_tensor(far)->plain.array.shape[1], 1);
  spw_owned_free(far);
  put(&p, "shape.npy", NPY("<i8", "(2,)", (int64_t[]){3, -4}));
  refused(&p, SPW_EFORMAT, "shape.npy", "not negative");
}

static spw_owned *write_and_read(const spw_tensor *t);

Test(npz, coo_of_any_dimensions_comes_back)
{
  static const int32_t numbers[12] = {0, 1, 1, 2, 3, 0};
  static const double values[2] = {1.5, -2};
  for (int64_t dims = 1; dims <= 4; dims++) {
    const int64_t shape[] = {dims, 2}, strides[] = {2, 1}, one[] = {1}, two[] = {2}, size[] = {3, 4, 5, 6};
    spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = dims, .size = size, .coalesced = SPW_CLAIM_NONE};
    t.plain = (spw_index_array){{SPW_INT32, 2, shape, strides, 0, 2 * dims}, numbers, NULL, NULL};
    t.values = (spw_value_array){{SPW_FLOAT64, 1, two, one, 0, 2}, values};
    for (int sized = 0; sized < 2; sized++) {
      t.has_size = sized;
      spw_owned *const owned = write_and_read(&t);
      const spw_tensor *const got = spw_owned_tensor(owned);
      cr_assert(got->ndim == dims && got->plain.array.shape[0] == dims && got->values.array.length == 2);
      cr_assert_eq(memcmp(got->plain.i32, numbers, 2 * (size_t)dims * sizeof *numbers), 0);
      spw_owned_free(owned);
    }
  }
}

/* ---- Writing ------------------------------------------------------------------------------- */

static spw_owned *write_and_read(const spw_tensor *t)
{
  file f = {0};
  void *bytes = NULL;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_write_npz(t, &bytes, &f.size, &error);
  cr_assert_eq(status, SPW_OK, "%s: %s", error.where, error.message);
  f.bytes = bytes;
  spw_owned *owned = read_file(f);
  free(bytes);
  return owned;
}

static void unwritable(const spw_tensor *t, spw_status expected, const char *where,
                       const char *fragment)
{
  void *bytes = NULL;
  size_t size = 77;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_write_npz(t, &bytes, &size, &error);
  cr_assert_eq(status, expected, "%d %s: %s", status, error.where, error.message);
  cr_assert(!bytes && size == 77);
  cr_assert_str_eq(error.where, where);
  cr_assert(strstr(error.message, fragment), "'%s' lacks '%s'", error.message, fragment);
  cr_assert_eq(spw_write_npz(t, &bytes, &size, NULL), expected);
}

/* 72 MiB of zeros deflate to 72 KiB, of which a reader takes no more than 69 MiB: they are stored. */
Test(npz, writes_what_deflates_too_well)
{
  enum { ELEMENTS = 72 << 20 };
  char *const zeros = calloc(ELEMENTS, 1);
  if (!zeros) abort();
  const int64_t size[] = {1, 1}, shape[] = {ELEMENTS}, two[] = {2}, none[] = {0}, one[] = {1};
  const int32_t pointers[] = {0, 0};
  const spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                        .compressed = {{SPW_INT32, 1, two, one, 0, 2}, pointers, NULL, NULL},
                        .plain = {{SPW_INT32, 1, none, one, 0, 0}, pointers, NULL, NULL},
                        .values = {{SPW_BOOL, 1, shape, one, 0, ELEMENTS}, zeros}};
  spw_owned *const owned = write_and_read(&t);
  cr_assert(same_tensor(spw_owned_tensor(owned), &t));
  spw_owned_free(owned);
  memcpy(zeros, "PK\5\6\0\0\0\0\5", 9);
  unwritable(&t, SPW_EUNSUPPORTED, "", "would be taken for the end of the archive");
  free(zeros);
  expect_no_leaks();
}

static void set_storage(spw_index_array *index, spw_dtype dtype, const void *storage)
{
  index->array.dtype = dtype;
  index->i32 = dtype == SPW_INT32 ? storage : NULL;
  index->i64 = dtype == SPW_INT64 ? storage : NULL;
}

Test(npz, writes_what_it_reads)
{
  static const int32_t narrow[] = {0, 2, 3, 0, 1, 2};
  static const int64_t wide[] = {0, 2, 3, 0, 1, 2};
  static const int64_t size[] = {2, 3}, three[] = {3}, one[] = {1}, pair[] = {2, 3};
  static const int64_t rows[] = {3, 1}, blocks[] = {3, 1, 2}, block_strides[] = {2, 2, 1};
  unsigned char values[96];
  for (size_t i = 0; i < sizeof values; i++) values[i] = (unsigned char)(251 * i + 7);
  for (spw_layout layout = SPW_COO; layout <= SPW_BSR; layout++)
    for (spw_dtype dtype = SPW_BOOL; dtype <= SPW_COMPLEX128; dtype++)
      for (int w = 0; w < 2; w++) {
        if (dtype == SPW_BFLOAT16) continue;
        const bool coo = layout == SPW_COO, bsr = layout == SPW_BSR;
        spw_tensor t = {.layout = layout, .has_size = true, .ndim = 2, .size = size};
        if (!coo) t.compressed.array = (spw_array){SPW_INT32, 1, three, one, 0, 3};
        t.plain.array = coo ? (spw_array){SPW_INT32, 2, pair, rows, 0, 6}
                            : (spw_array){SPW_INT32, 1, three, one, 0, 3};
        if (!coo) set_storage(&t.compressed, w ? SPW_INT64 : SPW_INT32, w ? wide : (void *)narrow);
        const void *plain = w ? (const void *)(wide + (coo ? 0 : 3)) : narrow + (coo ? 0 : 3);
        set_storage(&t.plain, w ? SPW_INT64 : SPW_INT32, plain);
        t.values.array = bsr ? (spw_array){dtype, 3, blocks, block_strides, 0, 6}
                             : (spw_array){dtype, 1, three, one, 0, 3};
        t.values.data = values;
        spw_owned *owned = write_and_read(&t);
        cr_assert(same_tensor(spw_owned_tensor(owned), &t), "layout %d dtype %d", layout, dtype);
        spw_owned_free(owned);
      }
  expect_no_leaks();
}

Test(npz, writes_views_as_the_arrays_they_show)
{
  static const int64_t size[] = {4, 4}, three[] = {3}, one[] = {1}, every_other[] = {2};
  static const int64_t shape[] = {2, 2, 2};
  static const int64_t turned[] = {4, 1, 2}, two[] = {2}, none[] = {0};
  static const int32_t pointers[] = {9, 0, 9, 1, 9, 2}, columns[] = {7, 1, 0};
  static const int8_t blocks[] = {0, 1, 2, 3, 4, 5, 6, 7}, expected[] = {0, 2, 1, 3, 4, 6, 5, 7};
  spw_tensor t = {.layout = SPW_BSR, .has_size = true, .ndim = 2, .size = size,
                  .compressed = {{SPW_INT32, 1, three, every_other, 1, 6}, pointers, NULL, NULL},
                  .plain = {{SPW_INT32, 1, two, one, 1, 3}, columns, NULL, NULL},
                  .values = {{SPW_INT8, 3, shape, turned, 0, 8}, blocks}};
  spw_owned *owned = write_and_read(&t);
  const spw_tensor *read = spw_owned_tensor(owned);
  cr_assert(read->compressed.i32[0] == 0 && read->compressed.i32[1] == 1 &&
            read->compressed.i32[2] == 2 && read->compressed.array.length == 3);
  cr_assert(read->plain.i32[0] == 1 && read->plain.i32[1] == 0);
  cr_assert_arr_eq(read->values.data, expected, sizeof expected);
  spw_owned_free(owned);

  /* One row for both, by a stride of 0; then nothing at all, without storage. */
  static const int64_t same[] = {2, 2}, repeat[] = {0, 1}, empty[] = {2, 0};
  t.layout = SPW_COO;
  t.plain.array = (spw_array){SPW_INT32, 2, same, repeat, 1, 3};
  t.values.array = (spw_array){SPW_INT8, 1, two, none, 3, 8};
  owned = write_and_read(&t);
  read = spw_owned_tensor(owned);
  cr_assert_arr_eq(read->plain.i32, ((int32_t[]){1, 0, 1, 0}), 16);
  cr_assert_arr_eq(read->values.data, ((int8_t[]){3, 3}), 2);
  spw_owned_free(owned);
  t.plain = (spw_index_array){{SPW_INT64, 2, empty, repeat, 0, 0}, NULL, NULL, NULL};
  t.values = (spw_value_array){{SPW_INT8, 1, none, one, 0, 0}, NULL};
  owned = write_and_read(&t);
  read = spw_owned_tensor(owned);
  cr_assert(read->plain.array.shape[0] == 2 && read->plain.array.shape[1] == 0 && read->plain.i64);
  spw_owned_free(owned);
  expect_no_leaks();
}

Test(npz, says_why_it_does_not_write)
{
  static const int64_t size[] = {2, 3, 4}, three[] = {3, 3}, one[] = {1, 1};
  static const int64_t negative[] = {-1, -1}, huge[] = {INT64_MAX};
  static const int64_t far[] = {INT64_MAX / 2 + 1, INT64_MAX / 2 + 1};
  static const int32_t index[] = {0, 2, 3}, below[] = {-1, 2, 3};
  static const float values[] = {1, 2, 3};
  const spw_tensor good = {.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                           .compressed = {{SPW_INT32, 1, three, one, 0, 3}, index, NULL, NULL},
                           .plain = {{SPW_INT32, 1, three, one, 0, 3}, index, NULL, NULL},
                           .values = {{SPW_FLOAT32, 1, three, one, 0, 3}, values}};
  spw_owned_free(write_and_read(&good));
  spw_tensor t = good;
  t.layout = SPW_BSC;
  unwritable(&t, SPW_EUNSUPPORTED, "", "csr, csc, bsr and coo only");
  t.layout = SPW_DENSE;
  unwritable(&t, SPW_EUNSUPPORTED, "", "csr, csc, bsr and coo only");
  t = good;
  t.ndim = 3;
  unwritable(&t, SPW_EUNSUPPORTED, "size", "2-D");
  t.size = NULL;
  unwritable(&t, SPW_EINVAL, "size", "null");
  t = good;
  t.values.array.dtype = SPW_BFLOAT16;
  unwritable(&t, SPW_EUNSUPPORTED, "values", "no type for bfloat16");
  t.values.array.dtype = (spw_dtype)99;
  unwritable(&t, SPW_EUNSUPPORTED, "values", "no type for these elements");
  t = good;
  t.values.array.ndim = 2;
  unwritable(&t, SPW_EUNSUPPORTED, "values", "2 dimensions instead of 1");
  t = good;
  t.compressed.array.ndim = 2;
  unwritable(&t, SPW_EUNSUPPORTED, "compressed_indices", "batch");
  t = good;
  t.layout = SPW_COO;
  unwritable(&t, SPW_EUNSUPPORTED, "indices", "1 dimensions instead of 2");
  t.plain.array = (spw_array){SPW_INT32, 2, (int64_t[]){3, 1}, one, 0, 3};
  unwritable(&t, SPW_EUNSUPPORTED, "size", "as many dimensions");
  t.plain.array = (spw_array){SPW_INT32, 2, (int64_t[]){65, 0}, one, 0, 0};
  unwritable(&t, SPW_EUNSUPPORTED, "indices", "1 to 64 sparse dimensions");
  t = good;
  t.plain.array.length = 2;
  unwritable(&t, SPW_EUNSUPPORTED, "plain_indices", "outside the storage");
  t.plain.array = (spw_array){SPW_INT32, 1, huge, huge, 0, 3};
  unwritable(&t, SPW_EUNSUPPORTED, "plain_indices", "outside the storage");
  t.plain.array = (spw_array){SPW_INT32, 1, three, negative, 2, 3};
  unwritable(&t, SPW_EUNSUPPORTED, "plain_indices", "outside the storage");
  t.plain.array = (spw_array){SPW_INT32, 1, negative, one, 0, 3};
  unwritable(&t, SPW_EUNSUPPORTED, "plain_indices", "outside the storage");
  t.plain.array = (spw_array){SPW_INT32, 1, three, one, -1, 3};
  unwritable(&t, SPW_EUNSUPPORTED, "plain_indices", "outside the storage");
  t.layout = SPW_COO;
  t.plain.array = (spw_array){SPW_INT32, 2, (int64_t[]){2, 2}, far, 0, 3};
  unwritable(&t, SPW_EUNSUPPORTED, "indices", "outside the storage");
  t = good;
  t.plain.array.ndim = -1;
  unwritable(&t, SPW_EINVAL, "plain_indices", "negative length");
  t.plain.array = (spw_array){SPW_INT32, 1, three, one, 0, -1};
  unwritable(&t, SPW_EINVAL, "plain_indices", "negative length");
  t.plain.array = (spw_array){SPW_INT32, 1, NULL, one, 0, 3};
  unwritable(&t, SPW_EINVAL, "plain_indices", "null");
  t.plain.array = (spw_array){SPW_INT32, 1, three, NULL, 0, 3};
  unwritable(&t, SPW_EINVAL, "plain_indices", "null");
  t = good; /* one element over and over: more bytes than can be numbered */
  t.values.array = (spw_array){SPW_COMPLEX128, 1, huge, (int64_t[]){0}, 0, 1};
  unwritable(&t, SPW_EUNSUPPORTED, "values", "NumPy cannot hold");
  t = good; /* none at all, but in a shape that NumPy refuses */
  t.layout = SPW_BSR;
  t.values.array = (spw_array){
      SPW_FLOAT32, 3, (int64_t[]){(int64_t)1 << 32, (int64_t)1 << 32, 0}, (int64_t[]){0, 0, 0}, 0, 0};
  unwritable(&t, SPW_EUNSUPPORTED, "values", "NumPy cannot hold");
  t = good;
  t.has_size = false;
  t.plain.i32 = below;
  unwritable(&t, SPW_EUNSUPPORTED, "size", "none can be inferred");
  t = good;
  t.plain.i32 = NULL;
  unwritable(&t, SPW_EINVAL, "plain_indices", "null");
  void *bytes;
  size_t length;
  cr_assert_eq(spw_write_npz(NULL, &bytes, &length, NULL), SPW_EINVAL);
  cr_assert_eq(spw_write_npz(&good, NULL, &length, NULL), SPW_EINVAL);
  cr_assert_eq(spw_write_npz(&good, &bytes, NULL, NULL), SPW_EINVAL);
  expect_no_leaks();
}

/* ---- Damage -------------------------------------------------------------------------------- */

static unsigned sum_bytes(const spw_array *a, const void *storage)
{
  unsigned sum = 0;
  const size_t size = (size_t)(a->length * spw_dtype_size(a->dtype));
  for (size_t i = 0; i < size; i++) sum += ((const unsigned char *)storage)[i];
  return sum;
}

/* Reads a copy of exactly `size` bytes, so that a sanitizer sees every step beyond. Whatever the
 * file is: a tensor all of whose storage is there, or an error that says something. */
static spw_owned *read_damaged(const unsigned char *bytes, size_t size)
{
  unsigned char *copy = malloc(size ? size : 1);
  if (size > 0) memcpy(copy, bytes, size);
  spw_owned *owned = NULL;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_read_npz(copy, size, 0, &owned, &error);
  free(copy);
  if (status) {
    cr_assert(status < 0 && !owned && error.message[0]);
    return NULL;
  }
  const spw_tensor *t = spw_owned_tensor(owned);
  volatile unsigned sum = sum_bytes(&t->values.array, t->values.data) +
                          sum_bytes(&t->plain.array, index_storage(&t->plain));
  if (t->layout != SPW_COO) sum += sum_bytes(&t->compressed.array, index_storage(&t->compressed));
  (void)sum;
  return owned;
}

/* The CRC guards every bit of every member, so damage goes unnoticed only where it does no harm. */
Test(npz, survives_every_cut_and_every_flipped_bit)
{
  for (int method = 0; method < 2; method++) {
    const parts p = method ? csr_parts() : coo_parts();
    const file f = zip_of(&p, method ? ZIP_CM_DEFLATE : ZIP_CM_STORE);
    spw_owned *whole = read_damaged(f.bytes, f.size);
    cr_assert(whole);
    for (size_t cut = 0; cut < f.size; cut++) cr_assert(!read_damaged(f.bytes, cut), "%zu", cut);
    size_t noticed = 0;
    for (size_t bit = 0; bit < 8 * f.size; bit++) {
      f.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
      spw_owned *owned = read_damaged(f.bytes, f.size);
      cr_assert(!owned || same_tensor(spw_owned_tensor(owned), spw_owned_tensor(whole)), "bit %zu",
                bit);
      noticed += !owned;
      spw_owned_free(owned);
      f.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    cr_assert(noticed > 8 * f.size / 3, "%zu of %zu", noticed, 8 * f.size);
    spw_owned_free(whole);
    free(f.bytes);
  }
  expect_no_leaks();
}

static uint64_t random_state;

static size_t below(size_t bound)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (size_t)(random_state >> 11) % bound;
}

static void mutate(unsigned char *bytes, size_t size)
{
  static const char alphabet[] = "{}(),:' -<>|0123456789bifcuSUOV\n\\\xff";
  for (size_t n = 1 + below(4); n > 0; n--) {
    unsigned char *at = bytes + below(size);
    if (below(2))
      *at = (unsigned char)alphabet[below(sizeof alphabet)];
    else
      *at ^= (unsigned char)(1u << below(8));
  }
}

/* SPW_NPZ_FUZZ=n multiplies the rounds. Half of the damage is to the zip; the other half to the
 * members before they are zipped, so that no CRC hides it from the parser of .npy. */
Test(npz, survives_random_damage)
{
  const char *more = getenv("SPW_NPZ_FUZZ");
  const long rounds = 2000 * (more ? atol(more) : 1);
  random_state = 88172645463325252u;
  size_t accepted = 0;
  for (long i = 0; i < rounds; i++) {
    parts p = i % 4 < 2 ? csr_parts() : coo_parts();
    if (i % 2) {
      part *victim = &p.at[below(p.count)];
      mutate(victim->content.bytes, victim->content.size);
    }
    const file f = zip_of(&p, below(2) ? ZIP_CM_STORE : ZIP_CM_DEFLATE);
    if (i % 2 == 0) mutate(f.bytes, f.size);
    spw_owned *owned = read_damaged(f.bytes, f.size);
    accepted += owned != NULL;
    spw_owned_free(owned);
    free(f.bytes);
  }
  cr_assert(accepted > 0 && accepted < (size_t)rounds, "%zu of %ld", accepted, rounds);
  expect_no_leaks();
}

/* ---- Arrays that the caller names ---------------------------------------------------------- */

static parts named_parts(void)
{
  parts p = {0};
  put(&p, "ptr.npy", NPY("<u2", "(3,)", (uint16_t[]){0, 2, 3}));
  put(&p, "at.npy", NPY("<i8", "(3,)", (int64_t[]){0, 1, 2}));
  put(&p, "of.npy", NPY("<f8", "(3,)", (double[]){1, 2, 3}));
  put(&p, "how_large", NPY(">i8", "(2,)", (int64_t[]){(int64_t)__builtin_bswap64(2), (int64_t)__builtin_bswap64(3)}));
  put(&p, "two.npy", npy_of(1, "{'descr': '<i8', 'fortran_order': True, 'shape': (2, 3), }  \n",
                            (int64_t[]){0, 0, 0, 1, 1, 2}, 48));
  return p;
}

static spw_owned *read_named(const parts *p, const spw_members *names, spw_status wanted, const char *where, const char *says)
{
  const file f = zip_of(p, ZIP_CM_DEFLATE);
  spw_owned *owned = NULL;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_read_members(SPW_FORMAT_NPZ, f.bytes, f.size, 0, names, &owned, &error);
  cr_assert(status == wanted, "%d %s: %s", (int)status, error.where, error.message);
  cr_assert(strcmp(error.where, where) == 0 && strstr(error.message, says), "%s: %s", error.where, error.message);
  cr_assert((status == SPW_OK) == (owned != NULL));
  free(f.bytes);
  return owned;
}

Test(npz, reads_arrays_that_the_caller_names)
{
  static const int64_t row[] = {0, 2, 3}, pair[] = {0, 0, 1, 0, 1, 2};
  const parts p = named_parts();
  spw_owned *owned = read_named(&p, &(spw_members){-1, "ptr", "at", "of", "how_large"}, SPW_OK, "", "");
  const spw_tensor *t = spw_owned_tensor(owned);
  cr_assert(t->layout == SPW_CSR && t->compressed.array.dtype == SPW_INT32 && t->plain.array.dtype == SPW_INT64);
  for (int i = 0; i < 3; i++) cr_assert(t->compressed.i32[i] == row[i] && t->plain.i64[i] == i);
  cr_assert(t->has_size && t->ndim == 2 && t->size[0] == 2 && t->size[1] == 3 && ((const double *)t->values.data)[2] == 3);
  spw_owned_free(owned);
  owned = read_named(&p, &(spw_members){SPW_CSC, "ptr", "at", "of", NULL}, SPW_OK, "", "");
  cr_assert(spw_owned_tensor(owned)->layout == SPW_CSC && !spw_owned_tensor(owned)->has_size);
  spw_owned_free(owned);
  owned = read_named(&p, &(spw_members){-1, NULL, "two", "of", NULL}, SPW_OK, "", "");
  t = spw_owned_tensor(owned);
  cr_assert(t->layout == SPW_COO && t->plain.array.strides[0] == 3 && memcmp(t->plain.i64, pair, sizeof pair) == 0);
  spw_owned_free(owned);
  read_named(&p, &(spw_members){-1, "ptr", "at", "off", NULL}, SPW_EFORMAT, "off", "no array of this name");
  read_named(&p, &(spw_members){-1, "ptr", "at", "of", "size"}, SPW_EFORMAT, "size", "no array of this name");
  read_named(&p, &(spw_members){SPW_COO, NULL, "at", "of", "of"}, SPW_EFORMAT, "of", "integers");
  read_named(&p, &(spw_members){SPW_CSR, NULL, "two", "of", NULL}, SPW_EFORMAT, "two", "its arrays are not of that one");
  read_named(&p, &(spw_members){SPW_COO, "ptr", "two", "of", NULL}, SPW_EINVAL, "", "names of no layout");
  read_named(&p, &(spw_members){-1, "ptr", NULL, "of", NULL}, SPW_EINVAL, "", "null pointer");
}

/* ---- Levels, and numbers of 64 bits ---------------------------------------------------------- */

Test(npz, writes_members_at_any_level)
{
  parts p = csr_parts();
  spw_owned *const owned = read_parts(&p, ZIP_CM_STORE);
  size_t stored = 0;
  for (int level = 0; level <= 9; level++) {
    file f;
    spw_error error = {{0}, {0}};
    cr_assert_eq(spw_write_npz_at_level(spw_owned_tensor(owned), level, (void **)&f.bytes, &f.size, &error), SPW_OK);
    spw_owned *const again = read_file(f);
    cr_assert(same_tensor(spw_owned_tensor(owned), spw_owned_tensor(again)));
    if (level == 0) stored = f.size;
    cr_assert(level == 0 || f.size < stored, "%zu, %zu", f.size, stored);
    spw_owned_free(again);
    free(f.bytes);
  }
  void *bytes = NULL;
  size_t size;
  spw_error error;
  cr_assert(spw_write_npz_at_level(spw_owned_tensor(owned), 10, &bytes, &size, &error) == SPW_EINVAL && !bytes);
  cr_assert(spw_write_npz_at_level(spw_owned_tensor(owned), -1, &bytes, &size, &error) == SPW_EINVAL && !bytes);
  cr_assert(spw_write_npz_at_level(NULL, 1, &bytes, &size, &error) == SPW_EINVAL && !bytes);
  spw_owned_free(owned);
}

/* A file of more than 4 GiB has other fields: here all numbers from a small one on stand in them. Our strict reader and libzip
 * read the same. */
Test(npz, archives_with_numbers_of_64_bits)
{
  static const char text[] = "a member, a member, a member, a member, a member, a member";
  for (uint64_t wide = 0; wide < 300; wide += 7)
    for (int level = 0; level < 10; level += 9) {
      spw_zip_file zip = {.wide = wide};
      spw_zip read;
      zip_error_t cause;
      char inflated[sizeof text];
      cr_assert(spw_zip_add(&zip, "a", text, sizeof text, level) == SPW_OK && spw_zip_add(&zip, "b", text, 9, level) == SPW_OK);
      cr_assert(spw_zip_add(&zip, "c", NULL, 0, level) == SPW_OK && spw_zip_end_file(&zip) == SPW_OK);
      cr_assert(spw_zip_open(&read, zip.bytes, zip.size, NULL) == SPW_OK && read.count == 3);
      cr_assert_eq(read.entries[0].size, sizeof text);
      zip_source_t *const source = zip_source_buffer_create(zip.bytes, zip.size, 0, &cause);
      zip_t *const other = zip_open_from_source(source, ZIP_CHECKCONS, &cause);
      cr_assert(other && zip_get_num_entries(other, 0) == 3, "wide from %d on", (int)wide);
      zip_file_t *const member = zip_fopen_index(other, 0, 0);
      cr_assert(zip_fread(member, inflated, sizeof inflated) == sizeof text && memcmp(inflated, text, sizeof text) == 0);
      zip_fclose(member);
      zip_close(other);
      free(zip.bytes);
    }
}
