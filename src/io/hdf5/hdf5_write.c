/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a matrix as an HDF5 file of binsparse 0.1. */
#include "hdf5_api.h"
#include "../arrays/row_major.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT = 0, ALL = 0, TRUNCATE = 2, SCALAR = 0, GLOBAL = 1, MOST = 3 };

typedef struct member {
  const char *name;
  spw_array array;
  const void *storage;
} member;

typedef struct writer {
  const spw_hdf5 *library;
  const spw_tensor *tensor;
  spw_hid file, list; /* list: of what a dataset is created with */
  member members[MOST];
  int count;
  spw_error *error;
} writer;

/* The type of binsparse, and of its elements, of which a complex number is two. */
typedef struct type {
  const char *name;
  int64_t parts;
} type;

static type type_of(const spw_hdf5 *l, spw_dtype dtype, spw_hid *id)
{
  switch (dtype) {
  case SPW_BOOL: return *id = l->H5T_STD_U8LE_g, (type){"bint8", 1};
  case SPW_UINT8: return *id = l->H5T_STD_U8LE_g, (type){"uint8", 1};
  case SPW_INT8: return *id = l->H5T_STD_I8LE_g, (type){"int8", 1};
  case SPW_INT16: return *id = l->H5T_STD_I16LE_g, (type){"int16", 1};
  case SPW_INT32: return *id = l->H5T_STD_I32LE_g, (type){"int32", 1};
  case SPW_INT64: return *id = l->H5T_STD_I64LE_g, (type){"int64", 1};
  case SPW_FLOAT32: return *id = l->H5T_IEEE_F32LE_g, (type){"float32", 1};
  case SPW_FLOAT64: return *id = l->H5T_IEEE_F64LE_g, (type){"float64", 1};
  case SPW_COMPLEX64: return *id = l->H5T_IEEE_F32LE_g, (type){"complex[float32]", 2};
  case SPW_COMPLEX128: return *id = l->H5T_IEEE_F64LE_g, (type){"complex[float64]", 2};
  default: return (type){NULL, 0};
  }
}

/* ---- What can be written --------------------------------------------------------------------- */

static spw_status add(writer *w, const char *name, const spw_array *array, const void *storage)
{
  spw_hid id;
  const spw_status status = spw_row_major_check(array, storage, name, w->error);
  if (status) return status;
  if (array->ndim != 1) return spw_fail(SPW_EUNSUPPORTED, w->error, name, "binsparse has no batch, block or dense dimensions");
  if (!type_of(w->library, array->dtype, &id).name)
    return spw_fail(SPW_EUNSUPPORTED, w->error, name, "binsparse has no type for these elements");
  w->members[w->count++] = (member){name, *array, storage};
  return SPW_OK;
}

static spw_status add_index(writer *w, const char *name, const spw_index_array *index, const spw_array *array)
{
  if (index->array.dtype == SPW_INT32) return add(w, name, array, index->i32);
  if (index->array.dtype == SPW_INT64) return add(w, name, array, index->i64);
  return spw_fail(SPW_EUNSUPPORTED, w->error, name, "index arrays of another type than int32 and int64 would be read as int64");
}

/* A row of the indices of COO. */
static spw_status add_row(writer *w, int d)
{
  static const char *const names[] = {"indices_0", "indices_1"};
  const spw_index_array *const indices = &w->tensor->plain;
  spw_array row = indices->array;
  if (row.ndim != 2 || row.shape[0] != 2) return spw_fail(SPW_EUNSUPPORTED, w->error, "indices", "binsparse needs two rows");
  const spw_status status = spw_row_major_check(&row, row.length > 0 ? indices->raw ? indices->raw : &row : NULL, "indices",
                                                w->error);
  if (status) return status;
  row.ndim = 1;
  row.shape++;
  row.strides++;
  if (row.shape[0] > 0) row.offset += d * indices->array.strides[0];
  return add_index(w, names[d], indices, &row);
}

static spw_status add_members(writer *w)
{
  const spw_tensor *const t = w->tensor;
  const bool coo = t->layout == SPW_COO;
  spw_status status = coo ? add_row(w, 0) : add_index(w, "pointers_to_1", &t->compressed, &t->compressed.array);
  if (!status) status = coo ? add_row(w, 1) : add_index(w, "indices_1", &t->plain, &t->plain.array);
  return status ? status : add(w, "values", &t->values.array, t->values.data);
}

static spw_status check(const spw_tensor *t, spw_error *error)
{
  if (t->layout != SPW_COO && t->layout != SPW_CSR && t->layout != SPW_CSC)
    return spw_fail(SPW_EUNSUPPORTED, error, "", "binsparse has coo, csr and csc only");
  if (!t->has_size || t->ndim != 2 || !t->size || t->size[0] < 0 || t->size[1] < 0)
    return spw_fail(SPW_EUNSUPPORTED, error, "size", "binsparse needs a size of two dimensions");
  return SPW_OK;
}

/* ---- The file -------------------------------------------------------------------------------- */

static spw_status fail(const writer *w, const char *where)
{
  return spw_fail(SPW_ENOMEM, w->error, where, "libhdf5 cannot write it");
}

/* The elements, without strides; to free(). */
static void *gather(const member *m)
{
  const size_t size = (size_t)spw_dtype_size(m->array.dtype), bytes = spw_row_major_bytes(&m->array, size);
  void *const elements = malloc(bytes > 0 ? bytes : 1);
  if (elements && bytes > 0) spw_row_major_copy(&m->array, m->storage, size, elements);
  return elements;
}

static bool has_other_bool(const member *m, const unsigned char *elements)
{
  for (int64_t i = 0; elements && m->array.dtype == SPW_BOOL && i < m->array.shape[0]; i++)
    if (elements[i] > 1) return true;
  return false;
}

static spw_status put_member(const writer *w, const member *m)
{
  const spw_hdf5 *const l = w->library;
  spw_hid id = -1;
  const type kind = type_of(l, m->array.dtype, &id);
  const uint64_t length = (uint64_t)(m->array.shape[0] * kind.parts);
  void *const elements = gather(m);
  if (has_other_bool(m, elements)) {
    free(elements);
    return spw_fail(SPW_EUNSUPPORTED, w->error, m->name, "a bool that is neither 0 nor 1");
  }
  const spw_hid space = elements ? l->H5Screate_simple(1, &length, NULL) : -1;
  const spw_hid set = space >= 0 ? l->H5Dcreate2(w->file, m->name, id, space, DEFAULT, w->list, DEFAULT) : -1;
  const bool ok = set >= 0 && (length == 0 || l->H5Dwrite(set, id, ALL, ALL, DEFAULT, elements) >= 0);
  if (set >= 0) l->H5Dclose(set);
  if (space >= 0) l->H5Sclose(space);
  free(elements);
  return ok ? SPW_OK : fail(w, m->name);
}

static void print_header(const writer *w, char *text, size_t room)
{
  static const char *const names[] = {[SPW_COO] = "COO", [SPW_CSR] = "CSR", [SPW_CSC] = "CSC"};
  const spw_tensor *const t = w->tensor;
  spw_hid id;
  size_t used = (size_t)snprintf(text, room,
                                 "{\"binsparse\":{\"version\":\"0.1.0\",\"format\":\"%s\",\"shape\":[%lld,%lld],"
                                 "\"number_of_stored_values\":%lld,\"data_types\":{",
                                 names[t->layout], (long long)t->size[0], (long long)t->size[1],
                                 (long long)t->values.array.shape[0]);
  for (int i = 0; i < w->count; i++)
    used += (size_t)snprintf(text + used, room - used, "%s\"%s\":\"%s\"", i > 0 ? "," : "", w->members[i].name,
                             type_of(w->library, w->members[i].array.dtype, &id).name);
  snprintf(text + used, room - used, "}}}");
}

static spw_status put_header(const writer *w)
{
  enum { ROOM = 1024 };
  const spw_hdf5 *const l = w->library;
  char text[ROOM];
  print_header(w, text, sizeof text);
  const spw_hid id = l->H5Tcopy(l->H5T_C_S1_g), space = l->H5Screate(SCALAR);
  const bool sized = id >= 0 && space >= 0 && l->H5Tset_size(id, strlen(text)) >= 0;
  const spw_hid attribute = sized ? l->H5Acreate2(w->file, "binsparse", id, space, DEFAULT, DEFAULT) : -1;
  const bool ok = attribute >= 0 && l->H5Awrite(attribute, id, text) >= 0;
  if (attribute >= 0) l->H5Aclose(attribute);
  if (space >= 0) l->H5Sclose(space);
  if (id >= 0) l->H5Tclose(id);
  return ok ? SPW_OK : fail(w, "binsparse");
}

static spw_status take_image(const writer *w, void **bytes, size_t *size)
{
  const spw_hdf5 *const l = w->library;
  const ssize_t length = l->H5Fflush(w->file, GLOBAL) >= 0 ? l->H5Fget_file_image(w->file, NULL, 0) : -1;
  void *const image = length > 0 ? malloc((size_t)length) : NULL;
  if (image && l->H5Fget_file_image(w->file, image, (size_t)length) == length) {
    *bytes = image;
    *size = (size_t)length;
    return SPW_OK;
  }
  free(image);
  return fail(w, "");
}

static spw_status write_file(writer *w, void **bytes, size_t *size)
{
  enum { GROWTH = 1 << 16 };
  const spw_hdf5 *const l = w->library;
  const spw_hid access = l->H5Pcreate(l->H5P_CLS_FILE_ACCESS_ID_g);
  w->list = l->H5Pcreate(l->H5P_CLS_DATASET_CREATE_ID_g);
  w->file = access >= 0 && w->list >= 0 && l->H5Pset_fapl_core(access, GROWTH, 0) >= 0 && l->H5Pset_obj_track_times(w->list,
                                                                                                                    0) >= 0
                ? l->H5Fcreate("spw-written", TRUNCATE, DEFAULT, access)
                : -1;
  spw_status status = w->file >= 0 ? put_header(w) : fail(w, "");
  for (int i = 0; !status && i < w->count; i++) status = put_member(w, &w->members[i]);
  if (!status) status = take_image(w, bytes, size);
  if (w->file >= 0) l->H5Fclose(w->file);
  if (w->list >= 0) l->H5Pclose(w->list);
  if (access >= 0) l->H5Pclose(access);
  return status;
}

spw_status spw_write_binsparse(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  if (!tensor || !bytes || !size) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  spw_status status = check(tensor, error);
  if (status) return status;
  writer w = {.library = spw_hdf5_take(), .tensor = tensor, .file = -1, .list = -1, .error = error};
  if (!w.library) return spw_fail(SPW_EUNSUPPORTED, error, "", "there is no libhdf5 to write it: install libhdf5-103-1");
  status = add_members(&w);
  if (!status) status = write_file(&w, bytes, size);
  spw_hdf5_let_go(w.library);
  return status;
}
