/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a 2-D sparse tensor, or COO of any dimensions, as SciPy's save_npz does. The same tensor gives the same bytes. What
 * npz has no place for, the claim `coalesced` and the declared types, is left out. */
#include "npy_array.h"
#include "../compressed/zip_archive.h"
#include "../compressed/zip_write.h"

#include <stdlib.h>
#include <string.h>

/* Level 6 is what zlib takes by itself: 9 takes several times as long for some percent fewer bytes. */
enum { LEVEL = 6 };

typedef struct writer {
  spw_zip_file *zip;
  spw_error *error;
  int level;
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

static spw_status add_array(writer *w, const char *name, const char *descr, size_t size,
                            const spw_array *array, const void *storage)
{
  void *file;
  size_t length;
  spw_status status = spw_npy_print(descr, size, array, storage, name, &file, &length, w->error);
  if (status) return status;
  status = spw_zip_add(w->zip, name, file, length, w->level);
  free(file);
  return status;
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

/* Stored numbers may be just those of an end record, where the search for one would find it. */
static spw_status check_archive(const spw_zip_file *file, spw_error *error)
{
  spw_zip zip;
  if (spw_zip_open(&zip, file->bytes, file->size, NULL) == SPW_OK) return SPW_OK;
  return spw_fail(SPW_EUNSUPPORTED, error, "", "some numbers would be taken for the end of the archive");
}

/* A reader could take it for one that only wastes memory. */
static bool inflates_too_much(const spw_zip_file *file)
{
  return file->inflated > spw_memory_limit(file->size) / 2;
}

static spw_status write_file(const spw_tensor *tensor, int level, spw_zip_file *file, spw_error *error)
{
  *file = (spw_zip_file){.error = error, .wide = UINT32_MAX};
  writer w = {.zip = file, .error = error, .level = level};
  const spw_status status = add_tensor(&w, tensor);
  return status ? status : spw_zip_end_file(file);
}

static spw_status finish(spw_zip_file *file, spw_status status, void **bytes, size_t *size, spw_error *error)
{
  if (!status) status = check_archive(file, error);
  if (status) {
    free(file->bytes);
    return status;
  }
  *bytes = file->bytes;
  *size = file->size;
  return SPW_OK;
}

spw_status spw_write_npz(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  spw_zip_file file;
  if (!tensor || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  spw_status status = check_tensor(tensor, error);
  if (status) return status;
  status = write_file(tensor, LEVEL, &file, error);
  if (!status && inflates_too_much(&file)) {
    free(file.bytes);
    status = write_file(tensor, 0, &file, error);
  }
  return finish(&file, status, bytes, size, error);
}

spw_status spw_write_npz_at_level(const spw_tensor *tensor, int level, void **bytes, size_t *size, spw_error *error)
{
  spw_zip_file file;
  if (!tensor || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  if (level < 0 || level > 9) return spw_fail(SPW_EINVAL, error, "", "level %d: 0 stores, and 1 to 9 deflate", level);
  spw_status status = check_tensor(tensor, error);
  if (status) return status;
  status = write_file(tensor, level, &file, error);
  if (!status && inflates_too_much(&file))
    status = spw_fail(SPW_EUNSUPPORTED, error, "", "%llu bytes deflate to %zu, which readers refuse: level 0 stores them",
                      (unsigned long long)file.inflated, file.size);
  return finish(&file, status, bytes, size, error);
}
