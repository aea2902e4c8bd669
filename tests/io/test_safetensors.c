/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse tensors as several dense ones of a .safetensors file: which names make one, and what is no such file. */
#include "../support/memory.h"

#include "../../src/sparsewright.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
  size_t size;
  unsigned char at[8192];
} bytes;

/* A header, and elements behind it. */
static bytes file_of(const char *header, size_t elements, const void *at)
{
  bytes file = {8 + strlen(header) + elements, {0}};
  const size_t length = strlen(header);
  for (size_t i = 0; i < 8; i++) file.at[i] = (unsigned char)(length >> 8 * i);
  memcpy(file.at + 8, header, length);
  if (elements > 0) memcpy(file.at + 8 + length, at, elements);
  return file;
}

static spw_archive *open_file(const bytes *file)
{
  spw_archive *archive = NULL;
  spw_error error = {"", ""};
  cr_assert(spw_archive_open(SPW_FORMAT_SAFETENSORS, file->at, file->size, 0, &archive, &error) == SPW_OK, "%s: %s",
            error.where, error.message);
  return archive;
}

static void expect_refused(const char *header, size_t elements, const char *where, const char *says)
{
  static const char zeros[256];
  const bytes file = file_of(header, elements, zeros);
  spw_archive *archive = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_archive_open_safetensors(file.at, file.size, 0, &archive, &error);
  cr_assert(status == SPW_EFORMAT && !archive, "%s: %d", header, (int)status);
  cr_assert(strstr(error.message, says), "%s: '%s'", header, error.message);
  cr_assert_str_eq(error.where, where, "%s", header);
}

/* ---- Files that are refused ------------------------------------------------------------------ */

#define A(shape, offsets) "{\"a\":{\"dtype\":\"I32\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
#define B                 ",\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":"

Test(safetensors, that_are_malformed)
{
  expect_refused(A("[2]", "[0,4]"), 4, "a", "another length");
  expect_refused(A("[2]", "[0,8]"), 4, "a", "outside the file");
  expect_refused(A("[2]", "[8,0]"), 8, "a", "outside the file");
  expect_refused(A("[2]", "[-8,0]"), 8, "a", "outside the file");
  expect_refused(A("[2]", "[0,8]"), 9, "", "1 bytes at the end belong to no tensor");
  expect_refused(A("[2]", "[1,9]"), 9, "a", "a gap lies before it");
  expect_refused(A("[-2]", "[0,8]"), 8, "a", "negative");
  expect_refused(A("[9223372036854775807,2]", "[0,8]"), 8, "a", "beyond 64 bits");
  expect_refused(A("[9223372036854775807,2,0]", "[0,0]"), 0, "a", "beyond 64 bits");
  expect_refused(A("[4611686018427387904]", "[0,0]"), 0, "a", "another length");
  expect_refused(A("[2]", "[0,8,9]"), 8, "a", "outside the file");
  expect_refused(A("2", "[0,8]"), 8, "a", "expected an object");
  expect_refused("{\"a\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]}" B "[4,8]}}", 8, "b", "overlaps");
  expect_refused("{\"a\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]}" B "[9,13]}}", 13, "b", "a gap");
  expect_refused("{\"a\":{\"dtype\":\"I32\",\"shape\":[0],\"data_offsets\":[0,0]},\"a\":1}", 0, "header byte 60",
                 "a name stands twice");
  expect_refused("{\"a\":{\"dtype\":\"I32\",\"shape\":[0]}}", 0, "a", "expected an object");
  expect_refused("{\"__metadata__\":{\"k\\u001b\":1}}", 0, "k\\x1b", "must be strings");
  expect_refused("{\"__metadata__\":[]}", 0, "__metadata__", "must be an object");
  expect_refused("{\"a\"", 0, "header byte 4", "a colon is expected");
  expect_refused(" {}", 0, "", "does not begin");
  spw_archive *archive = NULL;
  bytes file = file_of("{}", 0, NULL);
  for (size_t size = 0; size < file.size; size++)
    cr_assert(spw_archive_open_safetensors(file.at, size, 0, &archive, NULL) == SPW_EFORMAT, "%zu", size);
  file.at[3] = 7; /* more than the format allows */
  spw_error error;
  cr_assert(spw_archive_open_safetensors(file.at, file.size, 0, &archive, &error) == SPW_EFORMAT);
  cr_assert(strstr(error.message, "100000000"));
  cr_assert(spw_archive_open_safetensors(NULL, 1, 0, &archive, NULL) == SPW_EINVAL);
  cr_assert(spw_archive_open(SPW_FORMAT_NPZ, file.at, file.size, 0, &archive, NULL) == SPW_EINVAL);
}

Test(safetensors, within_a_limit)
{
  const bytes file = file_of(A("[2]", "[0,8]"), 8, "........");
  spw_archive *archive = NULL;
  cr_assert(spw_archive_open_safetensors(file.at, file.size, 100, &archive, NULL) == SPW_ENOMEM);
  cr_assert(spw_archive_open_safetensors(file.at, file.size, 2000, &archive, NULL) == SPW_ENOMEM);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static const int64_t ROW[] = {0, 1, 3}, COLUMN[] = {2, 0, 1};

/* Three arrays of three int64 each. */
static bytes three(const char *first, const char *second, const char *third, const char *metadata)
{
  char header[1024];
  char elements[72];
  memcpy(elements, ROW, 24);
  memcpy(elements + 24, COLUMN, 24);
  memcpy(elements + 48, COLUMN, 24);
  snprintf(header, sizeof header,
           "{%s\"%s\":{\"dtype\":\"I64\",\"shape\":[3],\"data_offsets\":[0,24]},\"%s\":{\"dtype\":\"I64\",\"shape\":[3],"
           "\"data_offsets\":[24,48]},\"%s\":{\"dtype\":\"I64\",\"shape\":[3],\"data_offsets\":[48,72]}}",
           metadata, first, second, third);
  return file_of(header, sizeof elements, elements);
}

static spw_owned *read_only(const bytes *file, const char *path, spw_status status, const char *says)
{
  spw_archive *const archive = open_file(file);
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  cr_assert_eq(spw_archive_count(archive), 1);
  cr_assert_eq(spw_archive_dense_count(archive), 0);
  cr_assert_str_eq(spw_archive_path(archive, 0), path);
  cr_assert(spw_archive_read(archive, 0, 0, &owned, &error) == status, "%s: %s", error.where, error.message);
  cr_assert(strstr(error.message, says), "%s", error.message);
  spw_archive_close(archive);
  return owned;
}

static void expect_layout(bytes file, const char *path, spw_layout layout, int64_t rows)
{
  spw_owned *const owned = read_only(&file, path, SPW_OK, "");
  const spw_tensor *const t = spw_owned_tensor(owned);
  cr_assert_eq(t->layout, layout);
  cr_assert(t->has_size == (rows >= 0) && (rows < 0 || (t->ndim == 2 && t->size[0] == rows)));
  cr_assert(layout == SPW_COO || memcmp(t->compressed.i64, ROW, sizeof ROW) == 0);
  cr_assert(layout == SPW_COO || memcmp(t->plain.i64, COLUMN, sizeof COLUMN) == 0);
  cr_assert_eq(memcmp(t->values.data, COLUMN, sizeof COLUMN), 0);
  spw_owned_free(owned);
}

#define METADATA(text) "\"__metadata__\":{" text "},"

Test(safetensors, name_their_layout)
{
  expect_layout(three("crow_indices", "col_indices", "values", ""), "", SPW_CSR, -1);
  expect_layout(three("ccol_indices", "row_indices", "values", ""), "", SPW_CSC, -1);
  expect_layout(three("a.b.crow_indices", "a.b.col_indices", "a.b.values", METADATA("\"a.b.size\":\"[2,3]\"")), "a.b", SPW_CSR,
                2);
  expect_layout(three("x.indptr", "x.indices", "x.data", METADATA("\"x.layout\":\"csc_matrix\"")), "x", SPW_CSC, -1);
  expect_layout(three("x.indptr", "x.indices", "x.data", METADATA("\"sparse_format\":\"csr\"")), "x", SPW_CSR, -1);
  expect_layout(three("row", "col", "data", METADATA("\"shape\":\"[ 4 , 3 ]\"")), "", SPW_COO, 4);
  bytes file = three("x.indptr", "x.indices", "x.data", "");
  read_only(&file, "x", SPW_EUNSUPPORTED, "csr or csc");
  file = three("crow_indices", "col_indices", "values", METADATA("\"layout\":\"csc\""));
  read_only(&file, "", SPW_EFORMAT, "'csc'");
  file = three("crow_indices", "col_indices", "values", METADATA("\"layout\":\"diagonal\""));
  read_only(&file, "", SPW_EFORMAT, "'diagonal'");
  static const char *const sizes[] = {"2,3", "[2,3", "[2 3]", "[2,,3]", "[2,]", "[2,3]x", "[9223372036854775808]", "[a]", ""};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char metadata[64];
    snprintf(metadata, sizeof metadata, METADATA("\"size\":\"%s\""), sizes[i]);
    file = three("crow_indices", "col_indices", "values", metadata);
    read_only(&file, "", SPW_EFORMAT, "list of at most 64 integers");
  }
  for (int count = 64; count <= 65; count++) { /* "[1,1, ... 1]" */
    char metadata[256] = "\"__metadata__\":{\"size\":\"[1", *end = metadata + strlen(metadata);
    for (int i = 1; i < count; i++, end += 2) memcpy(end, ",1", 2);
    memcpy(end, "]\"},", 5);
    file = three("crow_indices", "col_indices", "values", metadata);
    spw_owned *const owned = read_only(&file, "", count == 64 ? SPW_OK : SPW_EFORMAT, count == 64 ? "" : "at most 64");
    cr_assert(count == 65 || spw_owned_tensor(owned)->ndim == 64);
    spw_owned_free(owned);
  }
  file = three("crow_indices", "col_indices", "data", "");
  spw_archive *const archive = open_file(&file);
  cr_assert(spw_archive_count(archive) == 0 && spw_archive_dense_count(archive) == 3);
  spw_archive_close(archive);
}

/* Indices of 8 bits become int64, and those beside them, too. */
Test(safetensors, narrow_indices_are_widened)
{

  static const char header[] =
      "{\"crow_indices\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]},\"col_indices\":{\"dtype\":"

      "\"I8\",\"shape\":[1],\"data_offsets\":[8,9]},\"values\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[9,10]}}";
  const bytes file = file_of(header, 10, "\0\0\0\0\1\0\0\0\377\7");
  spw_owned *const owned = read_only(&file, "", SPW_OK, "");
  const spw_tensor *const t = spw_owned_tensor(owned);
  cr_assert(t->compressed.array.dtype == SPW_INT64 && t->compressed.i64[1] == 1);
  cr_assert(t->plain.array.dtype == SPW_INT64 && t->plain.i64[0] == -1 && *(const uint8_t *)t->values.data == 7);
  spw_owned_free(owned);
}

/* Names of two conventions under one prefix make one tensor; escapes are seen in a path. */
Test(safetensors, are_listed_once)
{
  static const char header[] = "{\"\\u001b/.indptr\":{\"dtype\":\"I8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                               "\"\\u001b/.indices\":{\"dtype\":\"I8\",\"shape\":[1],\"data_offsets\":[1,2]},"
                               "\"\\u001b/.data\":{\"dtype\":\"I8\",\"shape\":[1],\"data_offsets\":[2,3]},"
                               "\"\\u001b/.values\":{\"dtype\":\"I8\",\"shape\":[1],\"data_offsets\":[3,4]}}";
  const bytes file = file_of(header, 4, "\0\0\0\0");
  spw_archive *const archive = open_file(&file);
  cr_assert(spw_archive_count(archive) == 1 && spw_archive_dense_count(archive) == 1);
  cr_assert_str_eq(spw_archive_path(archive, 0), "\\x1b/");
  spw_archive_close(archive);
}

/* ---- Types ----------------------------------------------------------------------------------- */

#define UNSIGNED(type, end)                                                                                                    \
  "{\"crow_indices\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]},"                                                  \
  "\"col_indices\":{\"dtype\":\"U16\",\"shape\":[1],\"data_offsets\":[8,10]}," \
  "\"values\":{\"dtype\":\"" type "\",\"shape\":[1],\"data_offsets\":[10," end "]}}"

static const spw_tensor *read_unsigned(const char *header, size_t size, const void *value, spw_owned **owned)
{
  char elements[32] = {0};
  spw_error error = {"", ""};
  memcpy(elements, (const int32_t[]){0, 1}, 8);
  memcpy(elements + 8, &(uint16_t){65535}, 2);
  memcpy(elements + 10, value, size);
  const bytes file = file_of(header, 10 + size, elements);
  spw_archive *const archive = open_file(&file);
  const spw_status status = spw_archive_read(archive, 0, 0, owned, &error);
  spw_archive_close(archive);
  if (status == SPW_OK) return spw_owned_tensor(*owned);
  cr_assert(status == SPW_EUNSUPPORTED && error.message[0]);
  return NULL;
}

Test(safetensors, unsigned_numbers_are_widened)
{
  spw_owned *owned = NULL;
  const spw_tensor *t = read_unsigned(UNSIGNED("U16", "12"), 2, &(uint16_t){65535}, &owned);
  cr_assert(t && t->values.array.dtype == SPW_INT32 && *(const int32_t *)t->values.data == 65535);
  cr_assert(t->compressed.array.dtype == SPW_INT32 && t->compressed.i32[1] == 1 && t->plain.i32[0] == 65535);
  spw_owned_free(owned);
  t = read_unsigned(UNSIGNED("U32", "14"), 4, &(uint32_t){UINT32_MAX}, &owned);
  cr_assert(t && t->values.array.dtype == SPW_INT64 && *(const int64_t *)t->values.data == UINT32_MAX);
  spw_owned_free(owned);
  t = read_unsigned(UNSIGNED("U64", "18"), 8, &(uint64_t){INT64_MAX}, &owned);
  cr_assert(t && t->values.array.dtype == SPW_INT64 && *(const int64_t *)t->values.data == INT64_MAX);
  spw_owned_free(owned);
  cr_assert_null(read_unsigned(UNSIGNED("U64", "18"), 8, &(uint64_t){(uint64_t)INT64_MAX + 1}, &owned));
  cr_assert_null(read_unsigned(UNSIGNED("F8_E4M3", "11"), 1, "x", &owned));
}

/* ---- Written and read again ------------------------------------------------------------------ */

static void expect_round_trip(const spw_tensor *tensor)
{
  void *once, *twice;
  size_t size, again;
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  cr_assert(spw_write_safetensors(tensor, &once, &size, &error) == SPW_OK, "%s", error.message);
  cr_assert(spw_read_bytes(SPW_FORMAT_SAFETENSORS, once, size, 0, &owned, &error) == SPW_OK, "%s: %s", error.where,
            error.message);
  const spw_tensor *const t = spw_owned_tensor(owned);
  cr_assert(t->layout == tensor->layout && t->has_size == tensor->has_size && t->coalesced == tensor->coalesced);
  cr_assert(t->values.array.dtype == tensor->values.array.dtype && t->values.array.ndim == tensor->values.array.ndim);
  cr_assert(spw_write_safetensors(t, &twice, &again, &error) == SPW_OK && again == size && memcmp(once, twice, size) == 0);
  bool same = true;
  spw_refusal refusal;
  if (t->has_size) cr_assert(spw_certify(tensor, t, SPW_ZEROS_KEPT, &same, &refusal) == SPW_OK && same);
  free(once);
  free(twice);
  spw_owned_free(owned);
}

Test(safetensors, come_back)
{
  static const double values[12] = {1.5, -2, 0.25, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  static const int32_t narrow[] = {0, 1, 3}, columns[] = {2, 0, 1}, pair[] = {0, 1, 1, 2, 0, 1};
  spw_view v;
  expect_round_trip(spw_csr(&v, 2, 3, 3, SPW_INT64, ROW, COLUMN, SPW_FLOAT64, values));
  expect_round_trip(spw_csc(&v, 3, 2, 3, SPW_INT32, narrow, columns, SPW_BFLOAT16, values));
  expect_round_trip(spw_bsr(&v, 4, 6, 2, 2, 3, SPW_INT32, narrow, columns, SPW_INT8, values));
  spw_tensor coo = *spw_coo(&v, 2, 3, 3, SPW_INT32, pair, SPW_COMPLEX64, values);
  for (int claim = -1; claim <= 1; claim++) {
    coo.coalesced = (spw_claim)claim;
    expect_round_trip(&coo);
  }
  coo.has_size = false;
  expect_round_trip(&coo);
  spw_error error;
  void *written = NULL;
  size_t size;
  cr_assert(spw_write_safetensors(spw_coo(&v, 2, 3, 3, SPW_INT32, pair, SPW_COMPLEX128, values), &written, &size, &error) ==
            SPW_EUNSUPPORTED);
  cr_assert(strstr(error.message, "complex128"));
  cr_assert(spw_write_safetensors(spw_dense(&v, 2, 3, SPW_FLOAT64, values), &written, &size, &error) == SPW_EUNSUPPORTED);
  cr_assert(spw_write_safetensors(NULL, &written, &size, &error) == SPW_EINVAL && !written);
}

/* Each allocation fails once, and nothing is lost. */
Test(safetensors, memory_may_end)
{
  const bytes file = three("x.crow_indices", "x.col_indices", "x.values", METADATA("\"layout\":\"csr\",\"size\":\"[2,3]\""));
  for (long n = 1; n == 1 || memory.refused; n++) {
    spw_owned *owned = NULL;
    spw_error error = {"", ""};
    memory_watch(n);
    const spw_status status = spw_read_bytes(SPW_FORMAT_SAFETENSORS, file.at, file.size, 0, &owned, &error);
    memory_pause();
    cr_assert(status == SPW_OK || (error.message[0] && !owned), "allocation %ld: %d", n, (int)status);
    memory_resume();
    spw_owned_free(owned);
    memory_pause();
    cr_assert(memory.blocks == 0, "allocation %ld: %ld blocks are lost", n, memory.blocks);
  }
}

Test(safetensors, arrays_that_the_caller_names)
{
  bytes file = three("p", "q", "r", "");
  const spw_members names = {-1, "p", "q", "r", NULL}, wrong = {-1, "p", "q", "values", NULL};
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  cr_assert(spw_read_members(SPW_FORMAT_SAFETENSORS, file.at, file.size, 0, &names, &owned, &error) == SPW_OK, "%s: %s",
            error.where, error.message);
  cr_assert(spw_owned_tensor(owned)->layout == SPW_CSR && memcmp(spw_owned_tensor(owned)->plain.i64, COLUMN, sizeof COLUMN) == 0);
  spw_owned_free(owned);
  owned = NULL;
  cr_assert(spw_read_members(SPW_FORMAT_SAFETENSORS, file.at, file.size, 0, &wrong, &owned, &error) == SPW_EFORMAT && !owned);
  cr_assert_str_eq(error.where, "values");
  cr_assert(spw_read_members(SPW_FORMAT_PT, file.at, file.size, 0, &names, &owned, &error) != SPW_OK && !owned);
  cr_assert(spw_read_members(SPW_FORMAT_JSON, file.at, file.size, 0, &names, &owned, &error) == SPW_EUNSUPPORTED && !owned);
  cr_assert(spw_read_members(SPW_FORMAT_NPZ, file.at, 0, 0, &names, &owned, &error) == SPW_EFORMAT && !owned);
}
