/* SPDX-License-Identifier: Apache-2.0 */
/* The reader and the writer of HDF5 without libhdf5: a stand-in serves trees that are written down here. */
#include "../support/hdf5_stand_in.h"

#include "../../src/sparsewright.h"
#include "../expected/hdf5_expected.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of names that hdf5_tree.c knows, and tags of items. */
enum { INDPTR, INDICES, DATA, SHAPE, CROW, COL, VALUES, ENCODING = 13, X = 22, OTHER = 24 };
enum { END, ATTRIBUTE, DATASET, GROUP, HARD, SOFT, EXTERNAL };
enum { CONTIGUOUS = 1, CHUNKED = 2, ELSEWHERE = 4, FILTER = 8, ROOM = 1 << 13 };

typedef struct built {
  size_t size;
  unsigned char bytes[ROOM];
} built;

static const int64_t ROWS[] = {0, 1, 3}, COLUMNS[] = {2, 0, 1}, TWO_THREE[] = {2, 3};
static const float NUMBERS[] = {1.5f, -2, 4};

static void wrong(const char *why)
{
  cr_assert(false, "%s", why);
}

static void add(built *f, const void *bytes, size_t size)
{
  cr_assert(size <= ROOM - f->size);
  if (size > 0) memcpy(f->bytes + f->size, bytes, size);
  f->size += size;
}

static void add_byte(built *f, int byte)
{
  add(f, &(unsigned char){(unsigned char)byte}, 1);
}

static void add_item(built *f, int what, int name)
{
  add_byte(f, what);
  add_byte(f, name);
}

static void add_contents(built *f, const void *bytes, size_t size)
{
  add_byte(f, 253);
  add(f, &(uint16_t){(uint16_t)size}, 2);
  add(f, bytes, size);
}

/* One dimension. */
static void add_set(built *f, int name, int type, int count, int storage, const void *bytes, size_t size)
{
  add_item(f, DATASET, name);
  add_byte(f, type);
  add_byte(f, 1);
  add_byte(f, count);
  add_byte(f, storage);
  if (storage & FILTER) add_byte(f, 1);
  if ((storage & 3) == CHUNKED) add_byte(f, count);
  add_contents(f, bytes, size);
}

static void add_text(built *f, int name, const char *text)
{
  add_item(f, ATTRIBUTE, name);
  add_byte(f, TREE_VARIABLE_TEXT);
  add_byte(f, 0);
  add_contents(f, text, strlen(text));
}

static void add_shape(built *f, int type, int count, const void *bytes, size_t size)
{
  add_item(f, ATTRIBUTE, SHAPE);
  add_byte(f, type);
  add_byte(f, 1);
  add_byte(f, count);
  add_contents(f, bytes, size);
}

static void begin(built *f)
{
  static const unsigned char head[TREE_HEAD] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  hdf5_stand_in(wrong);
  hdf5_stand_in_fail(0);
  f->size = 0;
  add(f, head, sizeof head);
}

static void add_matrix(built *f, int storage)
{
  add_set(f, INDPTR, TREE_I64, 3, storage, ROWS, sizeof ROWS);
  add_set(f, INDICES, TREE_I64, 3, CONTIGUOUS, COLUMNS, sizeof COLUMNS);
  add_set(f, DATA, TREE_F32, 3, CONTIGUOUS, NUMBERS, sizeof NUMBERS);
}

/* As AnnData has it: group X. */
static void build(built *f, int storage)
{
  begin(f);
  add_item(f, GROUP, X);
  add_text(f, ENCODING, "csr_matrix");
  add_shape(f, TREE_I64, 2, TWO_THREE, sizeof TWO_THREE);
  add_matrix(f, storage);
  add_byte(f, END);
}

static spw_status open_first(const built *f, spw_owned **out, spw_error *error)
{
  spw_archive *archive = NULL;
  *error = (spw_error){"", ""};
  spw_status status = spw_archive_open_hdf5(f->bytes, f->size, 0, &archive, error);
  if (status) return status;
  status = spw_archive_count(archive) > 0 ? spw_archive_read(archive, 0, 0, out, error) : SPW_EUNSUPPORTED;
  spw_archive_close(archive);
  return status;
}

static void expect_refusal(const built *f, spw_status wanted, const char *says)
{
  spw_owned *owned = NULL;
  spw_error error;
  const spw_status status = open_first(f, &owned, &error);
  cr_assert(status == wanted && strstr(error.message, says), "%d %s: %s, not %s", (int)status, error.where, error.message, says);
  cr_assert(!owned && hdf5_stand_in_open() == 0);
}

Test(hdf5_tree, a_matrix_is_read)
{
  built f;
  spw_owned *owned = NULL;
  spw_error error;
  build(&f, CHUNKED | FILTER);
  cr_assert(open_first(&f, &owned, &error) == SPW_OK, "%s: %s", error.where, error.message);
  const spw_tensor *const t = spw_owned_tensor(owned);
  cr_assert(t->layout == SPW_CSR && t->size[0] == 2 && t->size[1] == 3);
  bool valid = false;
  cr_assert(spw_is_valid(t, SPW_CANONICAL, &valid) == SPW_OK && valid);
  cr_assert(memcmp(t->compressed.i64, ROWS, sizeof ROWS) == 0 && memcmp(t->values.data, NUMBERS, sizeof NUMBERS) == 0);
  spw_owned_free(owned);
  cr_assert(hdf5_stand_in_open() == 0);
}

/* The types of the values, in both byte orders, and of indices, as a second model has them. */
Test(hdf5_tree, every_type_is_read)
{
  static const unsigned char bytes[48] = {1, 0, 0, 0, 0, 0, 0, 7, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  static hdf5_tree tree;
  for (int type = 0; type < TREE_TYPES; type++)
    for (int big = 0; big <= 64; big += 64)
      for (int of_indices = 0; of_indices < 2; of_indices++) {
        built f;
        spw_owned *owned = NULL;
        spw_error error;
        begin(&f);
        add_set(&f, CROW, of_indices ? type | big : TREE_I64, 3, CONTIGUOUS, bytes, sizeof bytes);
        add_set(&f, COL, TREE_I32, 3, CONTIGUOUS, COLUMNS, sizeof COLUMNS);
        add_set(&f, VALUES, of_indices ? TREE_F64 : type | big, 3, CONTIGUOUS, bytes, sizeof bytes);
        const spw_status status = open_first(&f, &owned, &error);
        hdf5_tree_parse(&tree, f.bytes, f.size);
        const char *const why = hdf5_judge(&tree, 0, status, status ? NULL : spw_owned_tensor(owned), 1 << 26);
        cr_assert(!why, "type %d: %s", type | big, why);
        cr_assert(type < TREE_TEXT ? status == SPW_OK || type == TREE_U64 : status != SPW_OK, "%d", type);
        spw_owned_free(owned);
      }
}

/* A type of which one thing is another is another type, or the same where that has no meaning. */
Test(hdf5_tree, nearly_a_type)
{
  static const int numbers[] = {0, 1, 2, 8, 10, 22, 62, 63};
  static hdf5_tree tree;
  int refused = 0;
  for (int type = 0; type < TREE_TEXT; type++)
    for (int change = 0; change < TYPE_FIELDS * 8; change++) {
      built f;
      spw_owned *owned = NULL;
      spw_error error;
      begin(&f);
      add_set(&f, CROW, TREE_I64, 3, CONTIGUOUS, ROWS, sizeof ROWS);
      add_set(&f, COL, TREE_I64, 3, CONTIGUOUS, COLUMNS, sizeof COLUMNS);
      add_item(&f, DATASET, VALUES);
      add(&f, (unsigned char[]){(unsigned char)(128 | type), (unsigned char)(change / 8), (unsigned char)numbers[change % 8]}, 3);
      add(&f, "\1\3\1", 3);
      add_contents(&f, NUMBERS, sizeof NUMBERS);
      const spw_status status = open_first(&f, &owned, &error);
      hdf5_tree_parse(&tree, f.bytes, f.size);
      const char *const why = hdf5_judge(&tree, 0, status, status ? NULL : spw_owned_tensor(owned), 1 << 26);
      cr_assert(!why, "type %d, field %d is %d: %s", type, change / 8, numbers[change % 8], why);
      refused += status != SPW_OK;
      spw_owned_free(owned);
    }
  cr_assert(refused > 100, "%d", refused);
}

/* Whatever call fails: a reason, nothing open, and no memory lost, which the sanitizers see. */
Test(hdf5_tree, every_call_may_fail)
{
  built f;
  spw_owned *owned = NULL;
  spw_error error;
  build(&f, CHUNKED | FILTER);
  int refused = 0;
  for (uint64_t call = 1; call < 200; call++) {
    hdf5_stand_in_fail(call);
    const spw_status status = open_first(&f, &owned, &error);
    cr_assert(hdf5_stand_in_open() == 0, "call %d", (int)call);
    refused += status != SPW_OK;
    if (status == SPW_OK) spw_owned_free(owned);
  }
  cr_assert(refused > 80, "%d", refused);
}

Test(hdf5_tree, what_is_written_comes_back)
{
  static const double values[6] = {1.5, -2, 0.25, 4, 5, 6};
  static const int32_t pair[] = {0, 1, 1, 2, 0, 1};
  built f;
  begin(&f);
  spw_view v[3];
  const spw_tensor *const tensors[] = {spw_csr(&v[0], 2, 3, 3, SPW_INT64, ROWS, COLUMNS, SPW_FLOAT64, values),
                                       spw_csc(&v[1], 3, 2, 3, SPW_INT64, ROWS, COLUMNS, SPW_COMPLEX128, values),
                                       spw_coo(&v[2], 2, 3, 3, SPW_INT32, pair, SPW_FLOAT32, NUMBERS)};
  for (size_t i = 0; i < 3; i++) {
    void *bytes;
    size_t size;
    spw_owned *owned = NULL;
    spw_error error = {"", ""};
    cr_assert(spw_write_binsparse(tensors[i], &bytes, &size, &error) == SPW_OK, "%s: %s", error.where, error.message);
    cr_assert(spw_read_bytes(SPW_FORMAT_HDF5, bytes, size, 0, &owned, &error) == SPW_OK, "%s", error.message);
    bool same = false;
    spw_refusal refusal;
    const spw_tensor *const t = spw_owned_tensor(owned);
    cr_assert(t->layout == tensors[i]->layout && t->values.array.dtype == tensors[i]->values.array.dtype);
    cr_assert(t->plain.array.dtype == tensors[i]->plain.array.dtype);
    cr_assert(spw_certify(tensors[i], t, SPW_ZEROS_KEPT, &same, &refusal) == SPW_OK && same);
    spw_owned_free(owned);
    free(bytes);
  }
  static const uint8_t other[] = {0, 1, 2};
  spw_error error;
  void *none = NULL;
  size_t no_size;
  cr_assert(spw_write_binsparse(spw_csr(&v[0], 2, 3, 3, SPW_INT64, ROWS, COLUMNS, SPW_BOOL, other), &none, &no_size, &error) ==
            SPW_EUNSUPPORTED && !none && strcmp(error.message, "a bool that is neither 0 nor 1") == 0);
  (void)spw_csr(&v[0], 2, 3, 3, SPW_INT64, ROWS, COLUMNS, SPW_FLOAT64, values);
  int refused = 0;
  for (uint64_t call = 1; call < 60; call++) {
    void *bytes = NULL;
    size_t size;
    hdf5_stand_in_fail(call);
    const spw_status status = spw_write_binsparse(tensors[0], &bytes, &size, NULL);
    cr_assert(hdf5_stand_in_open() == 0 && (status == SPW_OK) == (bytes != NULL), "call %d", (int)call);
    refused += status != SPW_OK;
    free(bytes);
  }
  cr_assert(refused > 20, "%d", refused);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

Test(hdf5_tree, elements_elsewhere_are_refused)
{
  built f;
  build(&f, CONTIGUOUS | ELSEWHERE);
  expect_refusal(&f, SPW_EUNSUPPORTED, "in another file, or are virtual");
  build(&f, 3);
  expect_refusal(&f, SPW_EUNSUPPORTED, "in another file, or are virtual");
  begin(&f);
  add_item(&f, DATASET, INDPTR);
  add(&f, "\7\1\3\x09\xfd\x01\x7d\x18", 8); /* int64, 3 of them, filter 32001 */
  add(&f, ROWS, sizeof ROWS);
  add_text(&f, ENCODING, "csr");
  add_matrix(&f, CONTIGUOUS);
  expect_refusal(&f, SPW_EUNSUPPORTED, "filter 32001 (blosc)");
  build(&f, CONTIGUOUS);
  add_item(&f, EXTERNAL, OTHER);
  expect_refusal(&f, SPW_EUNSUPPORTED, "leads to another file");
}

Test(hdf5_tree, chunks_need_memory)
{
  built f;
  begin(&f);
  add_text(&f, ENCODING, "csr_matrix");
  add_item(&f, DATASET, INDPTR);
  add(&f, "\7\1\3\2\xf9\x18", 6); /* int64, 3 of them, in chunks of 2^32 */
  add(&f, ROWS, sizeof ROWS);
  add_matrix(&f, CONTIGUOUS);
  expect_refusal(&f, SPW_ENOMEM, "one of its chunks");
}

static void nest(built *f, int groups, int name)
{
  begin(f);
  for (int i = 0; i < groups; i++) add_item(f, GROUP, name);
  add_text(f, ENCODING, "csr_matrix");
  add_matrix(f, CONTIGUOUS);
}

Test(hdf5_tree, paths_have_limits)
{
  built f;
  spw_owned *owned = NULL;
  spw_error error;
  nest(&f, 32, X);
  cr_assert(open_first(&f, &owned, &error) == SPW_OK);
  spw_owned_free(owned);
  nest(&f, 33, X);
  expect_refusal(&f, SPW_EUNSUPPORTED, "deeper than 32");
  nest(&f, 1, 255);
  expect_refusal(&f, SPW_EFORMAT, "a name of more than 255 bytes");
  nest(&f, 21, 254);
  expect_refusal(&f, SPW_EUNSUPPORTED, "a path of more than 4096 bytes");
  begin(&f);
  add_item(&f, GROUP, X);
  add_item(&f, HARD, OTHER); /* to itself */
  add_byte(&f, 1);
  expect_refusal(&f, SPW_EUNSUPPORTED, "or within themselves");
}

/* An integer of 128 bits was taken for one of 64, and its bytes did not fit. */
Test(hdf5_tree, sizes_are_integers_of_64_bits)
{
  static const unsigned char many[ROOM / 2];
  built f;
  const int types[] = {TREE_I128, 128 | TREE_I64};
  for (size_t i = 0; i < 2; i++) {
    begin(&f);
    add_text(&f, ENCODING, "csr_matrix");
    add_item(&f, ATTRIBUTE, SHAPE);
    add_byte(&f, types[i]);
    if (types[i] & 128) add(&f, "\1\x20", 2); /* its size is 32 */
    add(&f, "\1\x40", 2);
    add_contents(&f, many, 64 * 16);
    add_matrix(&f, CONTIGUOUS);
    expect_refusal(&f, SPW_EFORMAT, "no list of at most 64 integers");
  }
  begin(&f);
  add_text(&f, ENCODING, "csr_matrix");
  add_shape(&f, TREE_I64, 65, many, 65 * 8);
  add_matrix(&f, CONTIGUOUS);
  expect_refusal(&f, SPW_EFORMAT, "no list of at most 64 integers");
  begin(&f);
  add_text(&f, ENCODING, "csr_matrix");
  add_shape(&f, TREE_I16, 2, "\xff\xff\2\0", 4);
  add_matrix(&f, CONTIGUOUS);
  spw_owned *owned = NULL;
  spw_error error;
  cr_assert(open_first(&f, &owned, &error) == SPW_OK && spw_owned_tensor(owned)->size[0] == -1);
  spw_owned_free(owned);
  begin(&f);
  add_text(&f, ENCODING, "csr_matrix");
  add_shape(&f, TREE_U64, 2, "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80", 16);
  add_matrix(&f, CONTIGUOUS);
  expect_refusal(&f, SPW_EFORMAT, "beyond int64");
}

Test(hdf5_tree, what_is_no_matrix)
{
  built f;
  begin(&f);
  add_matrix(&f, CONTIGUOUS);
  expect_refusal(&f, SPW_EUNSUPPORTED, "whether the layout is csr or csc");
  add_text(&f, ENCODING, "dictionary");
  expect_refusal(&f, SPW_EFORMAT, "'dictionary'");
  begin(&f);
  add_item(&f, ATTRIBUTE, ENCODING);
  add(&f, "\x84\1\x08\0\0", 5); /* a number */
  add_matrix(&f, CONTIGUOUS);
  expect_refusal(&f, SPW_EFORMAT, "not one text");
  begin(&f);
  add_item(&f, SOFT, INDPTR);
  add_byte(&f, 0);
  add_matrix(&f, CONTIGUOUS);
  expect_refusal(&f, SPW_EUNSUPPORTED, "");
}

static spw_status read_named(const built *f, const char *compressed, const char *plain, const char *values, spw_error *error)
{
  const spw_members names = {-1, compressed, plain, values, NULL};
  spw_owned *owned = NULL;
  *error = (spw_error){"", ""};
  const spw_status status = spw_read_members(SPW_FORMAT_HDF5, f->bytes, f->size, 0, &names, &owned, error);
  if (status == SPW_OK) {
    const spw_tensor *const t = spw_owned_tensor(owned);
    cr_assert(t->layout == SPW_CSR && memcmp(t->plain.i64, COLUMNS, sizeof COLUMNS) == 0);
    cr_assert(memcmp(t->values.data, NUMBERS, sizeof NUMBERS) == 0);
  }
  spw_owned_free(owned);
  cr_assert(hdf5_stand_in_open() == 0);
  return status;
}

Test(hdf5_tree, arrays_that_the_caller_names)
{
  built f;
  spw_error error;
  build(&f, CONTIGUOUS);
  add_item(&f, SOFT, OTHER);
  add_byte(&f, 1);
  cr_assert(read_named(&f, "X/indptr", "X/indices", "X/data", &error) == SPW_OK, "%s: %s", error.where, error.message);
  cr_assert(read_named(&f, "X/indptr", "X/indices", "X/date", &error) == SPW_EFORMAT && strcmp(error.where, "X/date") == 0);
  cr_assert(read_named(&f, "X/indptr", "a/indices", "X/data", &error) == SPW_EFORMAT && strcmp(error.where, "a/indices") == 0);
  cr_assert(read_named(&f, "X", "X/indices", "X/data", &error) == SPW_EFORMAT && strcmp(error.where, "X") == 0);
  cr_assert(read_named(&f, "indptr", "X/indices/data", "X/data", &error) == SPW_EFORMAT);
}
