/* SPDX-License-Identifier: Apache-2.0 */
/* Dense arrays in NumPy's .npy: what is read, what is refused and why, what is written, and damage. */
#include "../../src/sparsewright.h"
#include "../support/memory.h"
#include "npy_types.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Files made by hand -------------------------------------------------------------------- */

typedef struct file {
  size_t size;
  unsigned char bytes[1024];
} file;

static void append(file *f, const void *bytes, size_t size)
{
  cr_assert(f->size + size <= sizeof f->bytes);
  if (size > 0) memcpy(f->bytes + f->size, bytes, size);
  f->size += size;
}

/* A .npy of version `major`.0 with this header, whatever it says. */
static file npy_of(int major, const char *header, const void *elements, size_t size)
{
  file f = {0};
  const size_t length = strlen(header);
  const unsigned char fields[6] = {(unsigned char)major, 0, (unsigned char)(length & 0xff),
                                   (unsigned char)(length >> 8)};
  append(&f, "\x93NUMPY", 6);
  append(&f, fields, major == 1 ? 4 : 6);
  append(&f, header, length);
  append(&f, elements, size);
  return f;
}

#define HEADER(descr, order, shape) \
  "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }  \n"

/* ---- Reading them -------------------------------------------------------------------------- */

/* From a copy of exactly so many bytes, which is gone when the array is looked at. */
static spw_status read_copy(const file *f, size_t limit, spw_owned **owned, spw_error *error)
{
  unsigned char *copy = malloc(f->size ? f->size : 1);
  memcpy(copy, f->bytes, f->size);
  const spw_status status = spw_read_npy(copy, f->size, limit, owned, error);
  free(copy);
  return status;
}

static spw_owned *read_file(const file *f)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = read_copy(f, 0, &owned, &error);
  cr_assert(status == SPW_OK, "%d %s: %s", (int)status, error.where, error.message);
  return owned;
}

static void refused(const file *f, spw_status expected, const char *where, const char *fragment)
{
  static char sentinel;
  spw_owned *const untouched = (spw_owned *)(void *)&sentinel, *owned = untouched;
  spw_error error = {"", ""};
  const spw_status status = read_copy(f, 0, &owned, &error);
  cr_assert(status == expected, "%d instead of %d for %s: %s: %s", (int)status, (int)expected, fragment,
            error.where, error.message);
  cr_assert(owned == untouched, "%s", fragment);
  cr_assert_str_eq(error.where, where);
  cr_assert(strstr(error.message, fragment), "'%s' lacks '%s'", error.message, fragment);
  cr_assert(read_copy(f, 0, &owned, NULL) == expected);
}

/* An array without a member but its values, and a size that is their shape. */
static const spw_array *dense_values(const spw_owned *owned)
{
  const spw_tensor *t = spw_owned_tensor(owned);
  const spw_array *a = &t->values.array;
  cr_assert(t->layout == SPW_DENSE && t->has_size && t->ndim == a->ndim && t->coalesced == SPW_CLAIM_NONE);
  for (int64_t d = 0; d < a->ndim; d++) cr_assert(t->size[d] == a->shape[d]);
  cr_assert(t->dtype == SPW_DTYPE_NONE && t->index_dtype == SPW_DTYPE_NONE && a->offset == 0);
  cr_assert(t->values.data && !t->plain.raw && !t->compressed.raw);
  return a;
}

Test(npy, reads_every_version_type_and_byte_order)
{
  unsigned char native[96], swapped[96];
  for (size_t i = 0; i < sizeof native; i++) native[i] = (unsigned char)(i * 37 + 1);
  for (size_t i = 0; i < NPY_TYPES; i++)
    for (int major = 1; major <= 3; major++)
      for (const char *order = npy_types[i].size == 1 ? "<>|" : "<>"; *order; order++) {
        char header[96];
        const bool fortran = major == 2;
        snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (2, 3), }\n",
                 *order, npy_types[i].code, fortran ? "True" : "False");
        const size_t size = 6 * npy_types[i].size;
        mirror(native, size, npy_types[i].swap, swapped);
        const file f = npy_of(major, header, *order == '>' ? swapped : native, size);
        spw_owned *owned = read_file(&f);
        const spw_array *a = dense_values(owned);
        cr_assert(a->dtype == npy_types[i].dtype && a->ndim == 2 && a->length == 6, "%s", header);
        cr_assert(a->shape[0] == 2 && a->shape[1] == 3);
        cr_assert(a->strides[0] == (fortran ? 1 : 3) && a->strides[1] == (fortran ? 2 : 1), "%s", header);
        cr_assert_arr_eq(spw_owned_tensor(owned)->values.data, native, size, "%s", header);
        spw_owned_free(owned);
      }
  expect_no_leaks();
}

Test(npy, reads_every_number_of_dimensions)
{
  const double number = 2.5;
  char many[400] = "(", header[500];
  for (int d = 0; d < 64; d++) strcat(many, "1,");
  const struct {
    const char *shape;
    int64_t ndim, length;
  } cases[] = {{"()", 0, 1}, {"(1,)", 1, 1}, {"(1,1,1)", 3, 1}, {strcat(many, ")"), 64, 1}, {"(0,)", 1, 0},
               {"(3, 0, 2)", 3, 0}, {"(0, 1152921504606846975)", 2, 0}};
  for (size_t i = 0; i < COUNT(cases); i++)
    for (int fortran = 0; fortran < 2; fortran++) {
      snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': %s, 'shape': %s, }",
               fortran ? "True" : "False", cases[i].shape);
      const file f = npy_of(1, header, &number, cases[i].length ? sizeof number : 0);
      spw_owned *owned = read_file(&f);
      const spw_array *a = dense_values(owned);
      cr_assert(a->ndim == cases[i].ndim && a->length == cases[i].length, "%s", cases[i].shape);
      if (a->length) cr_assert(*(const double *)spw_owned_tensor(owned)->values.data == number);
      spw_owned_free(owned);
    }
  expect_no_leaks();
}

/* ---- What is refused ----------------------------------------------------------------------- */

Test(npy, says_why_it_does_not_read)
{
  static const struct {
    const char *header;
    spw_status status;
    const char *where, *fragment;
  } cases[] = {
      {HEADER("<f4", "False", "(2, 4)"), SPW_EFORMAT, "", "declares 8 elements of 4 bytes, but 24 bytes"},
      {HEADER("<f4", "False", "(5,)"), SPW_EFORMAT, "", "declares 5 elements of 4 bytes, but 24 bytes"},
      {HEADER("<f4", "False", "(0,)"), SPW_EFORMAT, "", "declares 0 elements of 4 bytes, but 24 bytes"},
      {HEADER("<f4", "False", "(1099511627776,)"), SPW_EFORMAT, "", "declares 1099511627776 elements"},
      {HEADER("<f4", "False", "(4294967296, 4294967296)"), SPW_EFORMAT, "", "beyond 64 bits"},
      {HEADER("<f4", "False", "(4294967296, 4294967296, 0)"), SPW_EFORMAT, "", "beyond 64 bits"},
      {HEADER("<f4", "False", "(4611686018427387904, 0)"), SPW_EFORMAT, "", "more than 2^63 bytes"},
      {HEADER("<f4", "False", "(9223372036854775808,)"), SPW_EFORMAT, "byte 79", "beyond 64 bits"},
      {HEADER("<f4", "False", "(-6,)"), SPW_EFORMAT, "byte 61", "negative shape"},
      {HEADER("<f4", "False", "(6)"), SPW_EFORMAT, "byte 63", "(n,) and not (n)"},
      {HEADER("<f4", "False", "[6]"), SPW_EFORMAT, "byte 60", "a tuple"},
      {HEADER("<f4", "0", "(6,)"), SPW_EFORMAT, "byte 44", "True or False"},
      {HEADER("<f4", "False", "(6,)") "x", SPW_EFORMAT, "byte 70", "trailing garbage"},
      {HEADER("f4", "False", "(6,)"), SPW_EUNSUPPORTED, "", "dtype 'f4' (no byte order)"},
      {HEADER("|f4", "False", "(6,)"), SPW_EUNSUPPORTED, "", "dtype '|f4'"},
      {HEADER("<f16", "False", "(6,)"), SPW_EUNSUPPORTED, "", "numbers of this width"},
      {HEADER("<u2", "False", "(6,)"), SPW_EUNSUPPORTED, "", "unsigned integers of more than 8 bits"},
      {HEADER("<V2", "False", "(6,)"), SPW_EUNSUPPORTED, "", "bfloat16"},
      {HEADER("|O", "False", "(6,)"), SPW_EUNSUPPORTED, "", "a pickle"},
      {HEADER("<U6", "False", "(6,)"), SPW_EUNSUPPORTED, "", "strings"},
      {HEADER("<M8[s]", "False", "(3,)"), SPW_EUNSUPPORTED, "", "dates"},
      {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}", SPW_EUNSUPPORTED, "byte 20",
       "structured"},
      {"{'descr': '<f4', 'shape': (6,)}", SPW_EFORMAT, "", "lacks the key 'fortran_order'"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'shape': (6,)}", SPW_EFORMAT, "byte 73",
       "duplicate key"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'more': 1}", SPW_EFORMAT, "byte 72",
       "unknown key"},
      {"xx", SPW_EFORMAT, "byte 10", "a header is a dict"},
  };
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  for (size_t i = 0; i < COUNT(cases); i++) {
    const file f = npy_of(1, cases[i].header, numbers, sizeof numbers);
    refused(&f, cases[i].status, cases[i].where, cases[i].fragment);
  }
  file f = npy_of(1, HEADER("<f4", "False", "(6,)"), numbers, sizeof numbers);
  spw_owned_free(read_file(&f));
  append(&f, "", 1);
  refused(&f, SPW_EFORMAT, "", "but 25 bytes follow");
  f.size -= 2;
  refused(&f, SPW_EFORMAT, "", "but 23 bytes follow");
  f.size = 40;
  refused(&f, SPW_EFORMAT, "", "beyond the file's end");
  f.size = 11;
  refused(&f, SPW_EFORMAT, "", "too short");
  f.size = 0;
  refused(&f, SPW_EFORMAT, "", "too short");
  f = npy_of(4, HEADER("<f4", "False", "(6,)"), numbers, sizeof numbers);
  refused(&f, SPW_EUNSUPPORTED, "", "version 4.0");
  f.bytes[0] = 'N';
  refused(&f, SPW_EFORMAT, "", "not a .npy file");
  expect_no_leaks();
}

Test(npy, refuses_wrong_calls)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  cr_assert(spw_read_npy(NULL, 1, 0, &owned, &error) == SPW_EINVAL && error.message[0] && !owned);
  cr_assert(spw_read_npy("", 0, 0, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_read_npy(NULL, 0, 0, &owned, NULL) == SPW_EFORMAT && !owned);
}

Test(npy, keeps_to_its_limit)
{
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  const file f = npy_of(1, HEADER("<f4", "False", "(2, 3)"), numbers, sizeof numbers);
  const size_t needed = 2 * 2 * sizeof(int64_t) + sizeof numbers;
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  for (size_t limit = 1; limit < needed; limit++) {
    cr_assert(read_copy(&f, limit, &owned, &error) == SPW_ENOMEM && !owned, "%zu", limit);
    cr_assert(strstr(error.message, "over the limit"), "%s", error.message);
  }
  cr_assert(read_copy(&f, needed, &owned, NULL) == SPW_OK);
  spw_owned_free(owned);
  expect_no_leaks();
}

/* ---- What is written ----------------------------------------------------------------------- */

static spw_tensor dense(spw_dtype dtype, int64_t ndim, const int64_t *shape, const int64_t *strides,
                        int64_t offset, int64_t length, const void *data)
{
  return (spw_tensor){.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE,
                      .values = {{dtype, ndim, shape, strides, offset, length}, data}};
}

/* The elements of the file, which is in C order. */
static void written_elements_are(const spw_tensor *t, const void *elements, size_t size)
{
  void *bytes = NULL;
  size_t length = 0;
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  cr_assert(spw_write_npy(t, &bytes, &length, &error) == SPW_OK, "%s: %s", error.where, error.message);
  cr_assert(length % 64 == size % 64 && !memcmp(bytes, "\x93NUMPY\1", 8), "version 1.0, aligned");
  cr_assert(spw_read_npy(bytes, length, 0, &owned, &error) == SPW_OK, "%s: %s", error.where, error.message);
  const spw_array *a = dense_values(owned), *b = &t->values.array;
  cr_assert(a->dtype == b->dtype && a->ndim == b->ndim);
  int64_t step = 1;
  for (int64_t d = a->ndim - 1; d >= 0; d--) {
    cr_assert(a->shape[d] == b->shape[d] && a->strides[d] == step);
    step *= a->shape[d] ? a->shape[d] : 1;
  }
  cr_assert(a->length * spw_dtype_size(a->dtype) == (int64_t)size);
  cr_assert(size == 0 || !memcmp(spw_owned_tensor(owned)->values.data, elements, size));
  spw_owned_free(owned);
  free(bytes);
}

Test(npy, writes_what_an_array_shows)
{
  static const int16_t numbers[] = {9, 1, 2, 3, 4, 5, 6};
  static const int64_t two_three[] = {2, 3}, rows[] = {3, 1}, columns[] = {1, 2}, same[] = {0, 1}, none[] = {0, 0};
  static const int64_t empty[] = {2, 0}, three[] = {3}, every_other[] = {2};
  spw_tensor t = dense(SPW_INT16, 2, two_three, rows, 1, 7, numbers);
  written_elements_are(&t, (int16_t[]){1, 2, 3, 4, 5, 6}, 12);
  t = dense(SPW_INT16, 2, two_three, columns, 1, 7, numbers);
  written_elements_are(&t, (int16_t[]){1, 3, 5, 2, 4, 6}, 12);
  t = dense(SPW_INT16, 2, two_three, same, 4, 7, numbers);
  written_elements_are(&t, (int16_t[]){4, 5, 6, 4, 5, 6}, 12);
  t = dense(SPW_INT16, 2, two_three, none, 0, 7, numbers);
  written_elements_are(&t, (int16_t[]){9, 9, 9, 9, 9, 9}, 12);
  t = dense(SPW_INT16, 1, three, every_other, 1, 7, numbers);
  written_elements_are(&t, (int16_t[]){1, 3, 5}, 6);
  t = dense(SPW_INT16, 2, empty, rows, 99, 0, NULL);
  written_elements_are(&t, NULL, 0);
  t = dense(SPW_INT16, 0, NULL, NULL, 6, 7, numbers);
  written_elements_are(&t, (int16_t[]){6}, 2);
  t.has_size = true, t.ndim = -1, t.index_dtype = (spw_dtype)99, t.plain.array.length = -1;
  written_elements_are(&t, (int16_t[]){6}, 2); /* nothing of which a dense array has */

  /* Axes in every order, and a place of extent 1 whose stride is anything. */
  static const int64_t shape[] = {2, 1, 2, 2}, strides[] = {1, 77, 4, 2};
  static const uint8_t bytes[] = {0, 1, 2, 3, 4, 5, 6, 7};
  t = dense(SPW_UINT8, 4, shape, strides, 0, 8, bytes);
  written_elements_are(&t, (uint8_t[]){0, 2, 4, 6, 1, 3, 5, 7}, 8);
  int64_t ones[64], far[64];
  for (int d = 0; d < 64; d++) ones[d] = 1, far[d] = INT64_MAX;
  t = dense(SPW_UINT8, 64, ones, far, 5, 8, bytes);
  written_elements_are(&t, bytes + 5, 1);
  for (int d = 0; d < 63; d++) ones[d] = 1000000; /* the longest header */
  for (int d = 0; d < 64; d += 10) ones[d] = 0;
  ones[1] = 1, ones[2] = 1, memset(far, 0, sizeof far);
  for (int d = 3; d < 64; d++) ones[d] = 0;
  t = dense(SPW_UINT8, 64, ones, far, 0, 8, bytes);
  written_elements_are(&t, NULL, 0);
  expect_no_leaks();
}

Test(npy, writes_every_type)
{
  static const int64_t one[] = {1}, two[] = {2};
  unsigned char bytes[32];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(200 - 3 * i);
  for (int dtype = SPW_BOOL; dtype < SPW_DTYPE_COUNT; dtype++) {
    if (dtype == SPW_BFLOAT16) continue;
    const spw_tensor t = dense((spw_dtype)dtype, 1, two, one, 0, 2, bytes);
    written_elements_are(&t, bytes, 2 * (size_t)spw_dtype_size((spw_dtype)dtype));
  }
  expect_no_leaks();
}

static void unwritable(const spw_tensor *t, spw_status expected, const char *where, const char *fragment)
{
  void *bytes = NULL;
  size_t size = 77;
  spw_error error = {"", ""};
  const spw_status status = spw_write_npy(t, &bytes, &size, &error);
  cr_assert(status == expected, "%d %s: %s", (int)status, error.where, error.message);
  cr_assert(!bytes && size == 77);
  cr_assert_str_eq(error.where, where);
  cr_assert(strstr(error.message, fragment), "'%s' lacks '%s'", error.message, fragment);
  cr_assert(spw_write_npy(t, &bytes, &size, NULL) == expected);
}

Test(npy, says_why_it_does_not_write)
{
  static const int64_t one[] = {1}, three[] = {3}, negative[] = {-1}, zero[] = {0};
  static const float numbers[] = {1, 2, 3};
  const spw_tensor good = dense(SPW_FLOAT32, 1, three, one, 0, 3, numbers);
  written_elements_are(&good, numbers, sizeof numbers);
  spw_tensor t = good;
  for (int layout = -1; layout <= (int)SPW_DENSE + 1; layout++) {
    t.layout = (spw_layout)layout;
    if (t.layout != SPW_DENSE) unwritable(&t, SPW_EUNSUPPORTED, "", "not a sparse tensor");
  }
  t = dense(SPW_BFLOAT16, 1, three, one, 0, 3, numbers);
  unwritable(&t, SPW_EUNSUPPORTED, "values", "NumPy has no type for bfloat16");
  t = dense((spw_dtype)99, 1, three, one, 0, 3, numbers);
  unwritable(&t, SPW_EUNSUPPORTED, "values", "these elements");
  t = dense(SPW_FLOAT32, 1, three, one, 1, 3, numbers);
  unwritable(&t, SPW_EUNSUPPORTED, "values", "outside the storage");
  t = dense(SPW_FLOAT32, 1, negative, one, 0, 3, numbers);
  unwritable(&t, SPW_EUNSUPPORTED, "values", "outside the storage");
  t = dense(SPW_FLOAT32, 1, three, negative, 2, 3, numbers);
  unwritable(&t, SPW_EUNSUPPORTED, "values", "outside the storage");
  t = dense(SPW_FLOAT32, 1, (int64_t[]){INT64_MAX}, zero, 0, 3, numbers);
  unwritable(&t, SPW_EUNSUPPORTED, "values", "NumPy cannot hold");
  int64_t ones[65];
  for (int d = 0; d < 65; d++) ones[d] = 1;
  t = dense(SPW_FLOAT32, 65, ones, ones, 0, 3, numbers);
  unwritable(&t, SPW_EUNSUPPORTED, "values", "65 dimensions; NumPy's arrays have at most 64");
  t = dense(SPW_FLOAT32, -1, three, one, 0, 3, numbers);
  unwritable(&t, SPW_EINVAL, "values", "null pointer or negative length");
  t = dense(SPW_FLOAT32, 1, three, one, 0, -3, numbers);
  unwritable(&t, SPW_EINVAL, "values", "negative length");
  t = dense(SPW_FLOAT32, 1, NULL, one, 0, 3, numbers);
  unwritable(&t, SPW_EINVAL, "values", "null");
  t = dense(SPW_FLOAT32, 1, three, NULL, 0, 3, numbers);
  unwritable(&t, SPW_EINVAL, "values", "null");
  t = dense(SPW_FLOAT32, 1, three, one, 0, 3, NULL);
  unwritable(&t, SPW_EINVAL, "values", "null");
  void *bytes;
  size_t size;
  cr_assert(spw_write_npy(NULL, &bytes, &size, NULL) == SPW_EINVAL);
  cr_assert(spw_write_npy(&good, NULL, &size, NULL) == SPW_EINVAL);
  cr_assert(spw_write_npy(&good, &bytes, NULL, NULL) == SPW_EINVAL);
  expect_no_leaks();
}

/* ---- Damage -------------------------------------------------------------------------------- */

/* Refused with a message, or an array that says nothing but what is there; whether it was read. */
static bool survives(const file *f)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = read_copy(f, 0, &owned, &error);
  if (status) {
    cr_assert(status < 0 && !owned && error.message[0]);
    return false;
  }
  const spw_array *a = dense_values(owned);
  const int64_t size = a->length * spw_dtype_size(a->dtype);
  volatile unsigned sum = 0;
  for (int64_t i = 0; i < size; i++) sum += ((const unsigned char *)spw_owned_tensor(owned)->values.data)[i];
  (void)sum;
  cr_assert(size < (int64_t)f->size);
  spw_owned_free(owned);
  return true;
}

Test(npy, survives_every_cut_and_every_flipped_bit)
{
  const double numbers[] = {1, 2, 3, 4, 5, 6};
  for (int major = 1; major <= 3; major++) {
    const file good = npy_of(major, HEADER(">f8", "True", "(2, 3)"), numbers, sizeof numbers);
    cr_assert(survives(&good));
    file bad = good;
    for (bad.size = 0; bad.size < good.size; bad.size++) cr_assert(!survives(&bad));
    int read = 0;
    for (size_t bit = 0; bit < 8 * good.size; bit++) {
      bad = good;
      bad.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
      read += survives(&bad);
    }
    cr_assert(read > (int)(8 * sizeof numbers) && read < (int)(8 * good.size) / 2 + 200, "%d", read);
  }
  expect_no_leaks();
}

Test(npy, survives_random_damage)
{
  static const char *const pieces[] = {"'", "(", ")", ",", "9", "True", "False", "'<f8'", "'|O'", "shape", "{", "}",
                                       "99999999999999999999", "0", "-", " ", "\n", "\0", "descr", ":", "L", "u8"};
  const int32_t numbers[] = {1, 2, 3, 4, 5, 6};
  uint64_t state = 1;
  int read = 0;
  for (int run = 0; run < 20000; run++) {
    file f = npy_of(1 + run % 3, HEADER("<i4", "False", "(2, 3)"), numbers, sizeof numbers);
    for (int change = 0; change <= run % 4; change++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const char *piece = pieces[(state >> 33) % COUNT(pieces)];
      const size_t at = (size_t)(state >> 40) % f.size, length = *piece ? strlen(piece) : 1;
      if (at + length <= f.size) memcpy(f.bytes + at, piece, length);
    }
    read += survives(&f);
  }
  cr_assert(read > 1000 && read < 19000, "%d of 20000 read", read);
  expect_no_leaks();
}
