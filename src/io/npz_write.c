/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a 2-D sparse tensor, or COO of any dimensions, as SciPy's save_npz does. The same tensor gives the same bytes. What
 * npz has no place for, the claim `coalesced` and the declared types, is left out. */
#include "npy_array.h"
#include "zip_archive.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

/* Level 6 is what zlib takes by itself: 9 takes several times as long for some percent fewer bytes. */
enum { MOST_MEMBERS = 5, DOS_1980_01_01 = 1 << 5 | 1, LEVEL = 6 };

typedef struct writer {
  zip_t *zip;
  spw_error *error;
  zip_int32_t method;
  size_t inflated; /* bytes of all members */
  int count;
  void *members[MOST_MEMBERS]; /* their bytes, which the zip reads when it is closed */
} writer;

/* ---- What npz can express ------------------------------------------------------------------ */

static const void *index_storage(const spw_index_array *index)
{
  if (index->array.dtype == SPW_INT32) return index->i32;
  return index->array.dtype == SPW_INT64 ? (const void *)index->i64 : index->raw;
}

static spw_status check_array(const spw_array *array, const void *storage, int64_t ndim,
                              const char *name, spw_error *error)
{
  if (array->ndim >= 0 && array->ndim != ndim)
    return spw_fail(SPW_EUNSUPPORTED, error, name,
                    "%lld dimensions instead of %lld; npz has no batch or dense dimensions",
                    (long long)array->ndim, (long long)ndim);
  return spw_npy_check_array(array, storage, name, error);
}

static spw_status check_layout(const spw_tensor *t, spw_error *error)
{
  if (t->layout != SPW_COO && t->layout != SPW_CSR && t->layout != SPW_CSC && t->layout != SPW_BSR)
    return spw_fail(SPW_EUNSUPPORTED, error, "", "npz has csr, csc, bsr and coo only");
  if (t->has_size && t->ndim > 0 && !t->size)
    return spw_fail(SPW_EINVAL, error, "size", "null pointer");
  if (t->has_size && t->layout != SPW_COO && t->ndim != 2)
    return spw_fail(SPW_EUNSUPPORTED, error, "size", "npz needs a 2-D tensor");
  return SPW_OK;
}

static spw_status check_tensor(const spw_tensor *t, spw_error *error)
{
  const bool coo = t->layout == SPW_COO;
  spw_status status = check_layout(t, error);
  if (!status && !coo)
    status = check_array(&t->compressed.array, index_storage(&t->compressed), 1,
                         "compressed_indices", error);
  if (!status)
    status = check_array(&t->plain.array, index_storage(&t->plain), coo ? 2 : 1,
                         coo ? "indices" : "plain_indices", error);
  if (!status)
    status = check_array(&t->values.array, t->values.data, t->layout == SPW_BSR ? 3 : 1, "values",
                         error);
  if (!status && coo && (t->plain.array.shape[0] < 1 || t->plain.array.shape[0] > SPW_NPY_DIMS))
    return spw_fail(SPW_EUNSUPPORTED, error, "indices", "npz needs 1 to %d sparse dimensions", SPW_NPY_DIMS);
  if (!status && coo && t->has_size && t->ndim != t->plain.array.shape[0])
    return spw_fail(SPW_EUNSUPPORTED, error, "size", "npz needs a size of as many dimensions as there are rows of indices");
  return status;
}

/* ---- Members ------------------------------------------------------------------------------- */

static spw_status fail_zip(zip_error_t *cause, spw_error *error, const char *where)
{
  const bool memory = zip_error_code_zip(cause) == ZIP_ER_MEMORY;
  return spw_fail(memory ? SPW_ENOMEM : SPW_EIO, error, where, "zip: %s",
                  zip_error_strerror(cause));
}

/* Adds malloc'ed `bytes`. They stay the writer's: on some of its failures zip_source_buffer frees
 * what it is given, on others it does not. The date is fixed: equal tensors give equal files. */
static spw_status add_member(writer *w, const char *name, void *bytes, size_t size)
{
  w->members[w->count++] = bytes;
  w->inflated += size;
  zip_source_t *source = zip_source_buffer(w->zip, bytes, size, 0);
  if (!source) return fail_zip(zip_get_error(w->zip), w->error, name);
  const zip_int64_t index = zip_file_add(w->zip, name, source, 0);
  if (index < 0) {
    zip_source_free(source);
    return fail_zip(zip_get_error(w->zip), w->error, name);
  }
  if (zip_set_file_compression(w->zip, (zip_uint64_t)index, w->method, LEVEL) != 0 ||
      zip_file_set_dostime(w->zip, (zip_uint64_t)index, 0, DOS_1980_01_01, 0) != 0)
    return fail_zip(zip_get_error(w->zip), w->error, name);
  return SPW_OK;
}

static spw_status add_array(writer *w, const char *name, const char *descr, size_t size,
                            const spw_array *array, const void *storage)
{
  void *file;
  size_t length;
  const spw_status status = spw_npy_print(descr, size, array, storage, name, &file, &length, w->error);
  return status ? status : add_member(w, name, file, length);
}

static spw_status add_numbers(writer *w, const char *name, const spw_array *array,
                              const void *storage)
{
  const size_t size = (size_t)spw_dtype_size(array->dtype);
  return add_array(w, name, spw_npy_descr(array->dtype), size, array, storage);
}

static spw_status add_format(writer *w, spw_layout layout)
{
  const spw_array scalar = {.length = 1};
  return add_array(w, "format.npy", "|S3", 3, &scalar, spw_layout_name(layout));
}

static spw_status add_size(writer *w, const spw_tensor *t)
{
  int64_t size[SPW_NPY_DIMS], ndim = t->layout == SPW_COO ? t->plain.array.shape[0] : 2;
  const int64_t shape[1] = {ndim}, strides[1] = {1};
  const spw_array array = {SPW_INT64, 1, shape, strides, 0, ndim};
  if (t->has_size) return add_numbers(w, "shape.npy", &array, t->size);
  if (spw_infer_size(t, size, SPW_NPY_DIMS, &ndim))
    return spw_fail(SPW_EUNSUPPORTED, w->error, "size", "none given, and none can be inferred");
  return add_numbers(w, "shape.npy", &array, size);
}

/* Row `d` of the COO indices. */
static spw_status add_row(writer *w, const char *name, const spw_index_array *indices, int d)
{
  spw_array row = indices->array;
  row.ndim = 1;
  row.shape++;
  row.strides++;
  if (row.shape[0] > 0) row.offset += d * indices->array.strides[0];
  return add_numbers(w, name, &row, index_storage(indices));
}

/* SciPy has no matrix of other than two dimensions, only an array. */
static spw_status add_coordinates(writer *w, const spw_tensor *t)
{
  static const bool yes = true;
  const spw_array scalar = {.dtype = SPW_BOOL, .length = 1};
  const spw_status status = add_numbers(w, "coords.npy", &t->plain.array, index_storage(&t->plain));
  return status ? status : add_numbers(w, "_is_array.npy", &scalar, &yes);
}

static spw_status add_indices(writer *w, const spw_tensor *t)
{
  spw_status status;
  if (t->layout == SPW_COO && t->plain.array.shape[0] != 2) return add_coordinates(w, t);
  if (t->layout == SPW_COO) {
    status = add_row(w, "row.npy", &t->plain, 0);
    return status ? status : add_row(w, "col.npy", &t->plain, 1);
  }
  status = add_numbers(w, "indices.npy", &t->plain.array, index_storage(&t->plain));
  if (status) return status;
  return add_numbers(w, "indptr.npy", &t->compressed.array, index_storage(&t->compressed));
}

static spw_status add_tensor(writer *w, const spw_tensor *t)
{
  spw_status status = add_indices(w, t);
  if (!status) status = add_format(w, t->layout);
  if (!status) status = add_size(w, t);
  return status ? status : add_numbers(w, "data.npy", &t->values.array, t->values.data);
}

/* ---- The file ------------------------------------------------------------------------------ */

static spw_status read_back(zip_source_t *source, void **bytes, size_t *size, spw_error *error)
{
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0)
    return fail_zip(zip_source_error(source), error, "");
  char *file = malloc(stat.size);
  const zip_int64_t got = file ? zip_source_read(source, file, stat.size) : -1;
  zip_source_close(source);
  if (!file) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  if (got < 0 || (zip_uint64_t)got != stat.size) {
    free(file);
    return fail_zip(zip_source_error(source), error, "");
  }
  *bytes = file;
  *size = stat.size;
  return SPW_OK;
}

static spw_status close_zip(writer *w, spw_status status)
{
  if (!status && zip_close(w->zip) != 0) status = fail_zip(zip_get_error(w->zip), w->error, "");
  if (status) zip_discard(w->zip);
  while (w->count > 0) free(w->members[--w->count]);
  return status;
}

/* Fills the zip `source`, which holds the file when it is closed; and says how large its members are. */
static spw_status write_zip(const spw_tensor *tensor, zip_source_t *source, zip_int32_t method, size_t *inflated,
                            spw_error *error)
{
  zip_error_t cause;
  zip_error_init(&cause);
  writer w = {.zip = zip_open_from_source(source, ZIP_TRUNCATE, &cause), .error = error, .method = method};
  spw_status status = w.zip ? SPW_OK : fail_zip(&cause, error, "");
  zip_error_fini(&cause);
  if (status) return status;
  zip_source_keep(source); /* closing the zip gives up one reference, and ours remains */
  status = close_zip(&w, add_tensor(&w, tensor));
  *inflated = w.inflated;
  return status;
}

static spw_status write_file(const spw_tensor *tensor, zip_int32_t method, void **bytes, size_t *size, size_t *inflated,
                             spw_error *error)
{
  zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, NULL);
  if (!source) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  spw_status status = write_zip(tensor, source, method, inflated, error);
  if (!status) status = read_back(source, bytes, size, error);
  zip_source_free(source);
  return status;
}

/* Stored numbers may be just those of an end record, where the search for one would find it. */
static spw_status check_archive(const void *bytes, size_t size, spw_error *error)
{
  spw_zip zip;
  if (spw_zip_open(&zip, bytes, size, NULL) == SPW_OK) return SPW_OK;
  return spw_fail(SPW_EUNSUPPORTED, error, "", "some numbers would be taken for the end of the archive");
}

spw_status spw_write_npz(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  if (!tensor || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  spw_status status = check_tensor(tensor, error);
  if (status) return status;
  void *packed;
  size_t length, inflated;
  status = write_file(tensor, ZIP_CM_DEFLATE, &packed, &length, &inflated, error);
  if (!status && inflated > spw_memory_limit(length) / 2) { /* a reader could take it for one that only wastes memory */
    free(packed);
    status = write_file(tensor, ZIP_CM_STORE, &packed, &length, &inflated, error);
  }
  if (status) return status;
  status = check_archive(packed, length, error);
  if (status) {
    free(packed);
    return status;
  }
  *bytes = packed;
  *size = length;
  return SPW_OK;
}
