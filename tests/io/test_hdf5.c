/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices in HDF5 files, where there is a libhdf5: as AnnData and binsparse have them, and as they are written. What else
 * libraries write is compared by files_differential.py. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"

#include "../../src/io/hdf5/binsparse.h"
#include "../../src/sparsewright.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_library(void)
{
  unsigned version[3];
  return spw_hdf5_version(version);
}

static const int64_t ROW[] = {0, 1, 3}, COLUMN[] = {2, 0, 1};
static const int32_t NARROW[] = {0, 1, 3}, COLUMNS[] = {2, 0, 1}, PAIR[] = {0, 1, 1, 2, 0, 1};

static void expect_round_trip(const spw_tensor *tensor)
{
  void *once, *twice;
  size_t size, again;
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  cr_assert(spw_write_binsparse(tensor, &once, &size, &error) == SPW_OK, "%s: %s", error.where, error.message);
  cr_assert(spw_is_hdf5(once, size) && spw_file_format_of("x", once, size) == SPW_FORMAT_HDF5);
  cr_assert(spw_read_bytes(SPW_FORMAT_HDF5, once, size, 0, &owned, &error) == SPW_OK, "%s: %s", error.where, error.message);
  const spw_tensor *const t = spw_owned_tensor(owned);
  bool same = false;
  spw_refusal refusal;
  cr_assert(t->layout == tensor->layout && t->values.array.dtype == tensor->values.array.dtype);
  cr_assert(t->plain.array.dtype == tensor->plain.array.dtype);
  cr_assert(spw_certify(tensor, t, SPW_ZEROS_KEPT, &same, &refusal) == SPW_OK && same);
  cr_assert(spw_write_binsparse(t, &twice, &again, &error) == SPW_OK && again == size && memcmp(once, twice, size) == 0);
  free(once);
  free(twice);
  spw_owned_free(owned);
}

Test(hdf5, comes_back)
{
  static const double values[6] = {1.5, -2, 0.25, 4, 5, 6};
  static const unsigned char truths[3] = {1, 0, 1};
  spw_view v;
  if (!has_library()) return;
  expect_round_trip(spw_csr(&v, 2, 3, 3, SPW_INT64, ROW, COLUMN, SPW_FLOAT64, values));
  expect_round_trip(spw_csc(&v, 3, 2, 3, SPW_INT32, NARROW, COLUMNS, SPW_COMPLEX128, values));
  expect_round_trip(spw_coo(&v, 2, 3, 3, SPW_INT32, PAIR, SPW_BOOL, truths));
  expect_round_trip(spw_csr(&v, 2, 3, 3, SPW_INT64, ROW, COLUMN, SPW_UINT8, values));
  expect_round_trip(spw_coo(&v, 2, 3, 0, SPW_INT32, PAIR, SPW_COMPLEX64, values));
  void *bytes = NULL;
  size_t size;
  spw_error error;
  cr_assert(spw_write_binsparse(spw_dense(&v, 2, 3, SPW_FLOAT64, values), &bytes, &size, &error) == SPW_EUNSUPPORTED);
  cr_assert(spw_write_binsparse(spw_csr(&v, 2, 3, 3, SPW_INT64, ROW, COLUMN, SPW_BFLOAT16, values), &bytes, &size, &error) ==
            SPW_EUNSUPPORTED);
  cr_assert(spw_write_binsparse(NULL, &bytes, &size, &error) == SPW_EINVAL && !bytes);
}

static unsigned char *load(const char *path, size_t *size)
{
  FILE *const file = fopen(path, "rb");
  unsigned char *const bytes = malloc(1 << 20);
  cr_assert(file && bytes);
  *size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}

/* Two files at a time are two files. */
Test(hdf5, files_are_read_side_by_side)
{
  size_t size[2];
  unsigned char *const bytes[] = {load("tests/cases/a.h5ad", &size[0]), load("tests/cases/b.bsp.h5", &size[1])};
  spw_archive *archives[2];
  spw_error error = {"", ""};
  if (!has_library()) {
    cr_assert(spw_archive_open_hdf5(bytes[0], size[0], 0, archives, &error) == SPW_EUNSUPPORTED);
    cr_assert(strstr(error.message, "no libhdf5"));
    free(bytes[0]);
    free(bytes[1]);
    return;
  }
  for (int i = 0; i < 2; i++)
    cr_assert(spw_archive_open_hdf5(bytes[i], size[i], 0, &archives[i], &error) == SPW_OK, "%s: %s", error.where, error.message);
  cr_assert_str_eq(spw_archive_path(archives[0], 0), "X");
  cr_assert_str_eq(spw_archive_path(archives[1], 0), "");
  for (int i = 0; i < 2; i++) {
    spw_owned *owned;
    cr_assert(spw_archive_count(archives[i]) == 1);
    cr_assert(spw_archive_read(archives[i], 0, 0, &owned, &error) == SPW_OK, "%s: %s", error.where, error.message);
    cr_assert(spw_owned_tensor(owned)->layout == SPW_CSR && spw_owned_tensor(owned)->plain.array.length == 5);
    spw_owned_free(owned);
    spw_archive_close(archives[i]);
  }
  spw_archive *small = NULL;
  cr_assert(spw_archive_open_hdf5(bytes[0], size[0], 30000, &small, &error) == SPW_ENOMEM && !small);
  free(bytes[0]);
  free(bytes[1]);
}

/* ---- The header of binsparse ----------------------------------------------------------------- */

/* Arrays of int64, of three numbers each; of values that may be said to be float64. */
static const char *const names[] = {"indices_0", "pointers_to_1", "indices_1", "values"};

typedef struct arrays {
  int64_t numbers[4][4];
  int64_t count[4]; /* -1: there is none */
  bool floats;
} arrays;

static int place_of(const char *name)
{
  for (int i = 0; i < 4; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static bool has(void *context, const char *name)
{
  const int i = place_of(name);
  return i >= 0 && ((const arrays *)context)->count[i] >= 0;
}

static spw_status find(void *context, const char *name, spw_part *part, spw_error *error)
{
  (void)error;
  const arrays *const a = context;
  const int64_t count = a->count[place_of(name)];
  const bool float64 = a->floats && place_of(name) == 3;
  *part = (spw_part){.type = {float64 ? 'f' : 'i', 8}, .type_name = float64 ? "float64" : "int64", .ndim = 1, .count = count,
                     .shape = {count}};
  return SPW_OK;
}

static spw_status read_part(void *context, const char *name, const spw_part *part, void *elements, spw_error *error)
{
  (void)error;
  memcpy(elements, ((const arrays *)context)->numbers[place_of(name)], (size_t)part->count * sizeof(int64_t));
  return SPW_OK;
}

static const char TYPES[] = "\"data_types\":{\"indices_0\":\"int64\",\"pointers_to_1\":\"int64\",\"indices_1\":\"int64\","
                            "\"values\":\"int64\"}";

static spw_owned *read_header(arrays *a, const char *header, spw_status wanted, const char *says)
{
  const spw_group g = {.context = a, .has = has, .find = find, .read = read_part, .coalesced = SPW_CLAIM_NONE, .ndim = -1};
  spw_owned *const owned = spw_owned_new(1 << 20);
  spw_error error = {"", ""};
  char text[1024];
  snprintf(text, sizeof text, "{\"binsparse\":{%s}}", header);
  const spw_status status = spw_binsparse_read(&g, text, owned, &error);
  cr_assert(status == wanted && strstr(error.message, says), "%s: %d %s: %s", header, (int)status, error.where, error.message);
  return owned;
}

static spw_owned *read_format(arrays *a, const char *format, const char *shape, int count, spw_status wanted, const char *says)
{
  char text[1024];
  snprintf(text, sizeof text, "\"version\":\"0.1\",\"format\":\"%s\",\"shape\":%s,\"number_of_stored_values\":%d,%s", format,
           shape, count, TYPES);
  return read_header(a, text, wanted, says);
}

Test(hdf5, binsparse_of_few_rows)
{
  arrays a = {{{1, 3}, {0, 2, 3}, {0, 1, 0}, {5, 6, 7}}, {2, 3, 3, 3}, false};
  spw_owned *owned = read_format(&a, "DCSR", "[5,2]", 3, SPW_OK, "");
  const spw_tensor *const t = spw_owned_tensor(owned);
  static const int64_t crow[] = {0, 0, 2, 2, 3, 3};
  cr_assert(t->layout == SPW_CSR && t->compressed.array.length == 6 && memcmp(t->compressed.i64, crow, sizeof crow) == 0);
  spw_owned_free(owned);
  owned = read_format(&a, "DCSC", "[2,4]", 3, SPW_OK, "");
  cr_assert(spw_owned_tensor(owned)->layout == SPW_CSC);
  cr_assert_eq(memcmp(spw_owned_tensor(owned)->compressed.i64, crow, 5 * sizeof *crow), 0);
  spw_owned_free(owned);
  spw_owned_free(read_format(&a, "DCSR", "[3,2]", 3, SPW_EFORMAT, "must rise, and be below the size"));
  spw_owned_free(read_format(&a, "DCSR", "[999999999,2]", 3, SPW_ENOMEM, "all lines"));
  a.numbers[0][1] = 1;
  spw_owned_free(read_format(&a, "DCSR", "[5,2]", 3, SPW_EFORMAT, "must rise"));
  a.numbers[0][0] = -1;
  spw_owned_free(read_format(&a, "DCSR", "[5,2]", 3, SPW_EFORMAT, "must rise"));
  a.count[1] = 2;
  spw_owned_free(read_format(&a, "DCSR", "[5,2]", 3, SPW_EFORMAT, "one more"));
  a.count[0] = a.numbers[1][0] = 0;
  a.count[1] = 1;
  owned = read_format(&a, "DCSR", "[2,2]", 3, SPW_OK, "");
  cr_assert(spw_owned_tensor(owned)->compressed.array.length == 3);
  spw_owned_free(owned);
}

Test(hdf5, binsparse_by_columns_first)
{
  arrays a = {{{0, 0, 1}, {0}, {1, 2, 3}, {5, 6, 7}}, {3, -1, 3, 3}, false};
  spw_owned *owned = read_format(&a, "COOC", "[4,2]", 3, SPW_OK, "");
  static const int64_t indices[] = {1, 2, 3, 0, 0, 1};
  cr_assert_eq(memcmp(spw_owned_tensor(owned)->plain.i64, indices, sizeof indices), 0);
  spw_owned_free(owned);
  a.count[0] = 2;
  spw_owned_free(read_format(&a, "COO", "[4,2]", 3, SPW_EFORMAT, "one length"));
}

Test(hdf5, headers_of_binsparse)
{
  arrays a = {{{0}, {0, 2, 3}, {0, 1, 0}, {5, 6, 7}}, {-1, 3, 3, 3}, false};
  spw_owned_free(read_format(&a, "CSR", "[2,2]", 3, SPW_OK, ""));
  spw_owned_free(read_format(&a, "CSR", "[2,2]", 4, SPW_EFORMAT, "another number of values"));
  spw_owned_free(read_format(&a, "CSR", "[2,-2]", 3, SPW_EFORMAT, "not negative"));
  spw_owned_free(read_format(&a, "CSR", "[2]", 3, SPW_EFORMAT, "two integers"));
  spw_owned_free(read_format(&a, "CVEC", "[2,2]", 3, SPW_EUNSUPPORTED, "'CVEC'"));
  spw_owned_free(read_format(&a, "COO", "[2,2]", 3, SPW_EFORMAT, "missing array"));
  spw_owned_free(read_header(&a, "\"version\":\"0.2\",\"format\":\"CSR\"", SPW_EUNSUPPORTED, "binsparse 0.2"));
  spw_owned_free(read_header(&a, "\"version\":\"0.1\"", SPW_EUNSUPPORTED, "levels"));
  spw_owned_free(read_header(&a, "\"version\":1", SPW_EFORMAT, "string"));
  spw_owned_free(read_header(&a, "\"version\"", SPW_EFORMAT, "a colon is expected"));
  spw_owned_free(read_header(&a, "\"version\":\"0.1\",\"format\":\"CSR\",\"fill\":true", SPW_EUNSUPPORTED, "not 0"));
#define CSR "\"version\":\"0.1\",\"format\":\"CSR\","
#define SHAPE "\"shape\":[2,2],\"number_of_stored_values\":3,"
#define DATA_TYPES(pointers, values)                                                                                            \
  "\"data_types\":{\"pointers_to_1\":\"" pointers "\",\"indices_1\":\"int64\",\"values\":\"" values "\"}"
  spw_owned_free(read_header(&a, CSR "\"structure\":\"symmetric_lower\"", SPW_EUNSUPPORTED, "half"));
  spw_owned_free(read_header(&a, CSR SHAPE DATA_TYPES("int32", "int64"), SPW_EFORMAT, "of another type"));
  spw_owned_free(read_header(&a, CSR SHAPE DATA_TYPES("int64", "complex[int64]"), SPW_EFORMAT, "pairs of floats"));
  a.floats = true;
  spw_owned_free(read_header(&a, CSR SHAPE DATA_TYPES("int64", "complex[float64]"), SPW_EFORMAT, "pairs of floats"));
  a.floats = false;
  a.count[3] = 1;
  spw_owned *const owned = read_header(&a, CSR SHAPE DATA_TYPES("int64", "iso[int64]"), SPW_OK, "");
  const spw_value_array *const values = &spw_owned_tensor(owned)->values;
  cr_assert(values->array.length == 3 && ((const int64_t *)values->data)[2] == 5);
  spw_owned_free(owned);
}
