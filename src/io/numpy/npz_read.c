/* SPDX-License-Identifier: Apache-2.0 */
/* Reads SciPy's sparse .npz files: a zip with the members format, shape, data, and indices. */
#include "../numbers/byte_order.h"
#include "../arrays/group.h"
#include "npz_dia.h"
#include "npz_member.h"
#include "../numbers/widen.h"

#include <stdlib.h>
#include <string.h>

/* ---- Arrays -------------------------------------------------------------------------------- */

static spw_status open_numbers(spw_npz *a, spw_npz_name id, spw_npy_array *m)
{
  const spw_status status = spw_npz_open_member(a, id, m);
  return status ? status : spw_npy_check_numbers(m, a->error);
}

/* Reads all elements of an open member to `to`, in the byte order of this machine. */
static spw_status read_numbers(spw_npz *a, const spw_npy_array *m, void *to)
{
  const spw_status status = spw_npz_read_elements(a, m, to);
  if (!status) spw_npy_to_native(m, to);
  return status;
}

static void *allocate(const spw_npz *a, const char *name, size_t count, size_t size)
{
  return spw_npy_allocate(a->owned, name, count, size, a->error);
}

static spw_status hold_numbers(spw_npz *a, const spw_npy_array *m, spw_array *array,
                               const void **storage)
{
  void *memory;
  const spw_status status = spw_npy_hold_numbers(a->owned, m, array, &memory, a->error);
  if (status) return status;
  *storage = memory;
  return read_numbers(a, m, memory);
}

static spw_status read_array(spw_npz *a, spw_npz_name id, spw_array *array,
                             const void **storage)
{
  spw_npy_array m;
  const spw_status status = open_numbers(a, id, &m);
  return status ? status : hold_numbers(a, &m, array, storage);
}

static spw_status read_unsigned(spw_npz *a, spw_npy_array *m, spw_stored type, spw_value_array *values)
{
  void *memory;
  spw_status status = spw_npy_check_length(m, type.size, a->error);
  m->dtype = spw_dtype_of_stored(type);
  if (!status) status = spw_npy_hold_numbers(a->owned, m, &values->array, &memory, a->error);
  if (status) return status;
  unsigned char *const raw = spw_place_stored(type, m->count, memory);
  status = spw_npz_read_elements(a, m, raw);
  if (!status && m->npy.descr[0] == '>') spw_reverse_bytes(raw, (size_t)m->left, (size_t)type.size);
  values->data = memory;
  return status ? status : spw_widen_stored(type, m->count, memory, m->name, a->error);
}

static spw_status read_values(spw_npz *a, spw_value_array *values)
{
  spw_npy_array m;
  spw_status status = spw_npz_open_member(a, SPW_NPZ_DATA, &m);
  const spw_stored type = status ? (spw_stored){0, 0} : spw_npz_unsigned(&m.npy);
  if (type.kind) return read_unsigned(a, &m, type, values);
  if (!status) status = spw_npy_check_numbers(&m, a->error);
  return status ? status : hold_numbers(a, &m, &values->array, &values->data);
}

/* ---- format.npy and shape.npy -------------------------------------------------------------- */

enum { LONGEST_FORMAT = 16 };

static spw_status bad_format(const spw_npz *a)
{
  return spw_fail(SPW_EFORMAT, a->error, spw_npz_file_name(a, SPW_NPZ_FORMAT),
                  "must be one string of at most %d ASCII characters", LONGEST_FORMAT);
}

/* The type of the one string: "|S3" or "<U3". */
static bool string_type(const spw_npy *npy, long *width, bool *unicode)
{
  if (npy->ndim != 0 || !npy->descr[0] || !strchr("<>|", npy->descr[0])) return false;
  *unicode = npy->descr[1] == 'U';
  if (!*unicode && npy->descr[1] != 'S') return false;
  const char *digits = npy->descr + 2;
  if (!*digits || digits[strspn(digits, "0123456789")] || strlen(digits) > 2) return false;
  *width = strtol(digits, NULL, 10);
  return *width <= LONGEST_FORMAT;
}

/* `raw` to text: an ASCII character a byte, or four bytes in either order. Padded with zeros. */
static bool decode_string(const unsigned char *raw, long width, bool unicode, bool big, char *text)
{
  const long step = unicode ? 4 : 1, low = unicode && big ? 3 : 0;
  long length = width;
  for (long i = 0; i < width; i++) {
    for (long j = 0; j < step; j++)
      if (j != low && raw[i * step + j]) return false;
    text[i] = (char)raw[i * step + low];
  }
  while (length > 0 && !text[length - 1]) length--;
  for (long i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~') return false;
  text[length] = '\0';
  return true;
}

static spw_status read_string(spw_npz *a, spw_npy_array *m, char text[LONGEST_FORMAT + 1])
{
  long width;
  bool unicode;
  unsigned char raw[4 * LONGEST_FORMAT];
  if (!a->entry[SPW_NPZ_FORMAT])
    return spw_fail(SPW_EUNSUPPORTED, a->error, spw_npz_file_name(a, SPW_NPZ_FORMAT),
                    "missing member; this is not a sparse matrix, as scipy.sparse.save_npz writes it");
  spw_status status = spw_npz_open_member(a, SPW_NPZ_FORMAT, m);
  if (status) return status;
  if (!string_type(&m->npy, &width, &unicode)) return bad_format(a);
  status = spw_npy_check_length(m, unicode ? 4 * width : width, a->error);
  if (!status) status = spw_npz_read_elements(a, m, raw);
  if (status) return status;
  return decode_string(raw, width, unicode, m->npy.descr[0] == '>', text) ? SPW_OK : bad_format(a);
}

static spw_status read_format(spw_npz *a, spw_layout *layout, bool *diagonals)
{
  char text[LONGEST_FORMAT + 1];
  spw_npy_array m;
  const spw_status status = read_string(a, &m, text);
  if (status) return status;
  const int named = spw_layout_from_name(text);
  *diagonals = strcmp(text, "dia") == 0;
  *layout = SPW_COO;
  if (*diagonals) return SPW_OK;
  if (named < 0 || named > SPW_BSR)
    return spw_fail(SPW_EUNSUPPORTED, a->error, spw_npz_file_name(a, SPW_NPZ_FORMAT),
                    "format '%s' is not supported; csr, csc, bsr, coo and dia are", text);
  *layout = (spw_layout)named;
  return SPW_OK;
}

static spw_status hold_size(spw_npz *a, const spw_npy_array *m, spw_tensor *tensor)
{
  int64_t raw[SPW_NPY_DIMS];
  if (m->npy.ndim != 1 || m->count > SPW_NPY_DIMS || m->dtype < SPW_UINT8 || m->dtype > SPW_INT64)
    return spw_fail(SPW_EFORMAT, a->error, m->name, "must be 1-D, of at most %d integers",
                    SPW_NPY_DIMS);
  const spw_status status = read_numbers(a, m, raw);
  if (status) return status;
  int64_t *size = allocate(a, m->name, (size_t)m->count, sizeof *size);
  if (!size) return SPW_ENOMEM;
  const int64_t width = spw_dtype_size(m->dtype);
  for (int64_t i = 0; i < m->count; i++)
    size[i] = spw_widen_integer(m->dtype, (const char *)raw + i * width);
  tensor->has_size = true;
  tensor->ndim = m->count;
  tensor->size = size;
  return SPW_OK;
}

static spw_status read_size(spw_npz *a, spw_tensor *tensor)
{
  spw_npy_array m;
  const spw_status status = open_numbers(a, SPW_NPZ_SHAPE, &m);
  return status ? status : hold_size(a, &m, tensor);
}

/* ---- The tensor ---------------------------------------------------------------------------- */

static spw_status read_index(spw_npz *a, spw_npz_name id, spw_index_array *index)
{
  const void *storage = NULL;
  const spw_status status = read_array(a, id, &index->array, &storage);
  if (!status) spw_point_index(index, storage);
  return status;
}

static spw_status read_coordinate(spw_npz *a, spw_npz_name id, spw_index_array *index)
{
  const spw_status status = read_index(a, id, index);
  if (status || index->array.ndim == 1) return status;
  return spw_fail(SPW_EFORMAT, a->error, spw_npz_file_name(a, id), "row and col must be 1-D arrays");
}

/* One array (2, nse) of the members row and col. */
static spw_status read_pair(spw_npz *a, spw_index_array *indices)
{
  spw_index_array row = {.raw = NULL}, col = {.raw = NULL};
  spw_status status = read_coordinate(a, SPW_NPZ_ROW, &row);
  if (!status) status = read_coordinate(a, SPW_NPZ_COL, &col);
  return status ? status : spw_join_indices(a->owned, &row, &col, spw_npz_file_name(a, SPW_NPZ_COL), indices, a->error);
}

static spw_status read_coordinates(spw_npz *a, spw_index_array *indices)
{
  if (!a->entry[SPW_NPZ_COORDS]) return read_pair(a, indices);
  if (!a->entry[SPW_NPZ_ROW] && !a->entry[SPW_NPZ_COL])
    return read_index(a, SPW_NPZ_COORDS, indices);
  return spw_fail(SPW_EFORMAT, a->error, spw_npz_file_name(a, SPW_NPZ_COORDS),
                  "both coords and row or col are there");
}

static spw_status read_compressed(spw_npz *a, spw_tensor *tensor)
{
  if (tensor->ndim == 1)
    return spw_fail(SPW_EUNSUPPORTED, a->error, spw_npz_file_name(a, SPW_NPZ_SHAPE),
                    "%s of 1 dimension is no layout of ours: save it with reshape(1, -1) or as coo",
                    spw_layout_name(tensor->layout));
  const spw_status status = read_index(a, SPW_NPZ_INDPTR, &tensor->compressed);
  return status ? status : read_index(a, SPW_NPZ_INDICES, &tensor->plain);
}

/* SciPy asks whether it is true: of another type, or of several elements, it may not be able to. */
static spw_status check_is_array(spw_npz *a)
{
  bool is_array;
  spw_npy_array m;
  if (!a->entry[SPW_NPZ_IS_ARRAY]) return SPW_OK;
  const spw_status status = open_numbers(a, SPW_NPZ_IS_ARRAY, &m);
  if (status) return status;
  if (m.npy.ndim != 0 || m.dtype != SPW_BOOL)
    return spw_fail(SPW_EFORMAT, a->error, m.name, "must be one bool");
  return read_numbers(a, &m, &is_array);
}

/* SciPy ignores it, and pydata/sparse reads it at every position without an element: all agree where it is +0. */
static spw_status check_fill_value(spw_npz *a)
{
  static const char zero[16];
  char fill[16];
  spw_npy_array m;
  if (!a->entry[SPW_NPZ_FILL_VALUE]) return SPW_OK;
  spw_status status = open_numbers(a, SPW_NPZ_FILL_VALUE, &m);
  if (status) return status;
  if (m.npy.ndim != 0) return spw_fail(SPW_EFORMAT, a->error, m.name, "must be one number");
  status = read_numbers(a, &m, fill);
  if (status || !memcmp(fill, zero, (size_t)spw_dtype_size(m.dtype))) return status;
  return spw_fail(SPW_EUNSUPPORTED, a->error, m.name, "positions without an element are not +0");
}

static spw_status read_diagonals(spw_npz *a, spw_tensor *tensor)
{
  spw_index_array offsets = {.raw = NULL};
  spw_value_array data = {.data = NULL};
  spw_status status = read_index(a, SPW_NPZ_OFFSETS, &offsets);
  if (!status) status = read_values(a, &data);
  return status ? status : spw_npz_expand_dia(a->owned, &data, &offsets, tensor, a->error);
}

static spw_status read_tensor(spw_npz *a, spw_tensor *tensor)
{
  bool diagonals = false;
  spw_status status = check_is_array(a);
  if (!status) status = check_fill_value(a);
  if (!status) status = read_format(a, &tensor->layout, &diagonals);
  if (!status) status = read_size(a, tensor);
  if (status) return status;
  if (diagonals) return read_diagonals(a, tensor);
  status = tensor->layout == SPW_COO ? read_coordinates(a, &tensor->plain)
                                     : read_compressed(a, tensor);
  return status ? status : read_values(a, &tensor->values);
}

spw_status spw_read_npz(const void *bytes, size_t size, size_t limit, spw_owned **out,
                        spw_error *error)
{
  if (!out || (!bytes && size > 0)) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  if (size == 0) return spw_fail(SPW_EFORMAT, error, "", "zip: empty file");
  spw_npz a = {.owned = spw_owned_new(limit ? limit : spw_memory_limit(size)), .error = error};
  if (!a.owned) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  spw_status status = spw_npz_open(&a, bytes, size);
  if (!status) status = read_tensor(&a, spw_owned_edit(a.owned));
  if (!status) status = spw_npz_check_rest(&a);
  if (status)
    spw_owned_free(a.owned);
  else
    *out = a.owned;
  return status;
}
