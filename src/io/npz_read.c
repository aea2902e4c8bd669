/* SPDX-License-Identifier: Apache-2.0 */
/* Reads SciPy's sparse .npz files: a zip of .npy members. The zip's directory is the authority on
 * the members; what it says is compared with what is there before memory is taken for it. */
#include "npy.h"
#include "owned.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

enum {
  MOST_ENTRIES = 64,     /* SciPy writes at most seven */
  OPEN_COST = 192 << 10, /* memory of libzip for so many entries and for two inflaters */
  INFLATION = 1032       /* one deflated byte gives at most so many */
};

typedef enum which { FORMAT, SHAPE, DATA, INDICES, INDPTR, ROW, COL, COORDS, MEMBERS } which;

static const char *const NAMES[MEMBERS] = {"format.npy", "shape.npy", "data.npy", "indices.npy",
                                           "indptr.npy", "row.npy",   "col.npy",  "coords.npy"};

typedef struct archive {
  zip_t *zip;
  uint64_t size;
  spw_owned *owned;
  spw_error *error;
  zip_int64_t entry[MEMBERS]; /* number in the zip's directory, -1 if absent */
} archive;

/* An open member, its header read. */
typedef struct member {
  const char *name;
  zip_file_t *file;
  uint64_t left; /* bytes of elements, by the zip's directory */
  spw_npy npy;
  spw_dtype dtype;
  bool swapped;
  int64_t count;
  int64_t strides[SPW_NPY_DIMS];
} member;

/* ---- The zip ------------------------------------------------------------------------------------ */

static spw_status fail_zip(zip_error_t *cause, spw_error *error, const char *where)
{
  const bool memory = zip_error_code_zip(cause) == ZIP_ER_MEMORY;
  return spw_fail(memory ? SPW_ENOMEM : SPW_EFORMAT, error, where, "zip: %s",
                  zip_error_strerror(cause));
}

static spw_status open_zip(archive *a, const void *bytes)
{
  zip_error_t cause;
  zip_error_init(&cause);
  zip_source_t *source = zip_source_buffer_create(bytes, a->size, 0, &cause);
  a->zip = source ? zip_open_from_source(source, ZIP_RDONLY, &cause) : NULL;
  const spw_status status = a->zip ? SPW_OK : fail_zip(&cause, a->error, "");
  if (source && !a->zip) zip_source_free(source);
  zip_error_fini(&cause);
  return status;
}

/* Finds the members by name, others are ignored as SciPy does. libzip would take the first of two
 * entries of one name and NumPy the last: such a file means two things. */
static spw_status find_members(archive *a)
{
  const zip_int64_t entries = zip_get_num_entries(a->zip, 0);
  if (entries > MOST_ENTRIES)
    return spw_fail(SPW_EUNSUPPORTED, a->error, "", "zip: %lld members, more than %d",
                    (long long)entries, MOST_ENTRIES);
  for (int m = 0; m < MEMBERS; m++) a->entry[m] = -1;
  for (zip_int64_t i = 0; i < entries; i++) {
    const char *name = zip_get_name(a->zip, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
    for (int m = 0; name && m < MEMBERS; m++) {
      if (strcmp(name, NAMES[m]) != 0) continue;
      if (a->entry[m] >= 0) return spw_fail(SPW_EFORMAT, a->error, name, "duplicate member");
      a->entry[m] = i;
    }
  }
  return SPW_OK;
}

/* Refuses what the directory cannot mean seriously. */
static spw_status check_entry(const archive *a, const char *name, const zip_stat_t *stat)
{
  const zip_uint64_t needed =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((stat->valid & needed) != needed)
    return spw_fail(SPW_EFORMAT, a->error, name, "incomplete entry of the zip directory");
  if (stat->encryption_method != ZIP_EM_NONE)
    return spw_fail(SPW_EUNSUPPORTED, a->error, name, "encrypted member");
  const bool deflated = stat->comp_method == ZIP_CM_DEFLATE;
  if (!deflated && stat->comp_method != ZIP_CM_STORE)
    return spw_fail(SPW_EUNSUPPORTED, a->error, name,
                    "compression method %u; only stored and deflated members are supported",
                    (unsigned)stat->comp_method);
  if (stat->comp_size > a->size || (deflated ? stat->size > stat->comp_size * INFLATION
                                             : stat->size != stat->comp_size))
    return spw_fail(SPW_EFORMAT, a->error, name,
                    "the zip directory claims %llu bytes in %llu, which cannot be",
                    (unsigned long long)stat->size, (unsigned long long)stat->comp_size);
  return SPW_OK;
}

static spw_status read_bytes(const archive *a, const member *m, void *to, uint64_t size)
{
  for (uint64_t done = 0; done < size;) {
    const zip_int64_t got = zip_fread(m->file, (char *)to + done, size - done);
    if (got < 0) return fail_zip(zip_file_get_error(m->file), a->error, m->name);
    if (got == 0)
      return spw_fail(SPW_EFORMAT, a->error, m->name, "the member ends before its time");
    done += (uint64_t)got;
  }
  return SPW_OK;
}

/* Reading the end also makes libzip compare the CRC. */
static spw_status expect_end(const archive *a, const member *m)
{
  char extra;
  const zip_int64_t got = zip_fread(m->file, &extra, 1);
  if (got < 0) return fail_zip(zip_file_get_error(m->file), a->error, m->name);
  if (got == 0) return SPW_OK;
  return spw_fail(SPW_EFORMAT, a->error, m->name, "longer than the zip directory says");
}

/* ---- Members ------------------------------------------------------------------------------------ */

static void close_member(member *m)
{
  if (m->file) zip_fclose(m->file);
  m->file = NULL;
}

static spw_status read_header(const archive *a, member *m, uint64_t size)
{
  unsigned char bytes[SPW_NPY_HEADER];
  size_t start, end;
  if (size < SPW_NPY_PREAMBLE)
    return spw_fail(SPW_EFORMAT, a->error, m->name, "too short for a .npy file");
  spw_status status = read_bytes(a, m, bytes, SPW_NPY_PREAMBLE);
  if (!status) status = spw_npy_extent(bytes, m->name, &start, &end, a->error);
  if (status) return status;
  if (end > size)
    return spw_fail(SPW_EFORMAT, a->error, m->name, "the header goes beyond the member's end");
  status = read_bytes(a, m, bytes + SPW_NPY_PREAMBLE, end - SPW_NPY_PREAMBLE);
  if (!status) status = spw_npy_parse(bytes, start, end, m->name, &m->npy, a->error);
  m->left = size - end;
  return status;
}

/* Whatever comes of it, close_member(m) is due. */
static spw_status open_member(const archive *a, which id, member *m)
{
  m->name = NAMES[id];
  m->file = NULL;
  if (a->entry[id] < 0) return spw_fail(SPW_EFORMAT, a->error, m->name, "missing member");
  zip_stat_t stat;
  if (zip_stat_index(a->zip, (zip_uint64_t)a->entry[id], 0, &stat) != 0)
    return fail_zip(zip_get_error(a->zip), a->error, m->name);
  spw_status status = check_entry(a, m->name, &stat);
  if (status) return status;
  m->file = zip_fopen_index(a->zip, (zip_uint64_t)a->entry[id], 0);
  if (!m->file) return fail_zip(zip_get_error(a->zip), a->error, m->name);
  return read_header(a, m, stat.size);
}

/* Do as many elements of `width` bytes as the header declares fill the member exactly? */
static spw_status check_length(const archive *a, member *m, int64_t width)
{
  const spw_status status = spw_npy_strides(&m->npy, m->name, m->strides, &m->count, a->error);
  if (status) return status;
  int64_t bytes;
  if (__builtin_mul_overflow(m->count, width, &bytes) || (uint64_t)bytes != m->left)
    return spw_fail(SPW_EFORMAT, a->error, m->name,
                    "the header declares %lld elements of %lld bytes, but %llu bytes follow",
                    (long long)m->count, (long long)width, (unsigned long long)m->left);
  return SPW_OK;
}

static spw_status open_numbers(const archive *a, which id, member *m)
{
  spw_status status = open_member(a, id, m);
  if (!status) status = spw_npy_dtype(&m->npy, m->name, &m->dtype, &m->swapped, a->error);
  return status ? status : check_length(a, m, spw_dtype_size(m->dtype));
}

static void reverse_bytes(unsigned char *bytes, size_t size, size_t width)
{
  for (unsigned char *at = bytes; at < bytes + size; at += width)
    for (size_t i = 0, j = width - 1; i < j; i++, j--) {
      const unsigned char keep = at[i];
      at[i] = at[j];
      at[j] = keep;
    }
}

/* Reads all elements of an open member to `to`, in the byte order of this machine. */
static spw_status read_numbers(const archive *a, const member *m, void *to)
{
  spw_status status = read_bytes(a, m, to, m->left);
  if (!status) status = expect_end(a, m);
  if (status || !m->swapped) return status;
  const bool pair = m->dtype == SPW_COMPLEX64 || m->dtype == SPW_COMPLEX128;
  reverse_bytes(to, m->left, (size_t)spw_dtype_size(m->dtype) / (pair ? 2 : 1));
  return SPW_OK;
}

static void *allocate(const archive *a, const char *name, size_t count, size_t size)
{
  void *memory = spw_owned_alloc(a->owned, count, size);
  if (!memory)
    spw_fail(SPW_ENOMEM, a->error, name, "%zu elements of %zu bytes: no memory, or over the limit",
             count, size);
  return memory;
}

static spw_status set_shape(const archive *a, const char *name, spw_array *array, spw_dtype dtype,
                            int64_t ndim, const int64_t *shape, const int64_t *strides)
{
  const size_t size = (size_t)ndim * sizeof(int64_t);
  int64_t *dims = allocate(a, name, (size_t)ndim, 2 * sizeof(int64_t));
  if (!dims) return SPW_ENOMEM;
  memcpy(dims, shape, size);
  memcpy(dims + ndim, strides, size);
  *array = (spw_array){.dtype = dtype, .ndim = ndim, .shape = dims, .strides = dims + ndim};
  return SPW_OK;
}

static spw_status hold_numbers(const archive *a, const member *m, spw_array *array,
                               const void **storage)
{
  spw_status status =
      set_shape(a, m->name, array, m->dtype, m->npy.ndim, m->npy.shape, m->strides);
  if (status) return status;
  void *memory = allocate(a, m->name, (size_t)m->count, (size_t)spw_dtype_size(m->dtype));
  if (!memory) return SPW_ENOMEM;
  array->length = m->count;
  *storage = memory;
  return read_numbers(a, m, memory);
}

static spw_status read_array(const archive *a, which id, spw_array *array, const void **storage)
{
  member m;
  spw_status status = open_numbers(a, id, &m);
  if (!status) status = hold_numbers(a, &m, array, storage);
  close_member(&m);
  return status;
}

/* ---- format.npy and shape.npy ------------------------------------------------------------------- */

enum { LONGEST_FORMAT = 16 };

static spw_status bad_format(const archive *a)
{
  return spw_fail(SPW_EFORMAT, a->error, NAMES[FORMAT],
                  "must be one string of at most %d ASCII characters", LONGEST_FORMAT);
}

/* The type of the one string: "|S3" or "<U3". */
static bool string_type(const spw_npy *npy, long *width, bool *unicode)
{
  if (npy->ndim != 0 || !npy->descr[0] || !strchr("<>|", npy->descr[0])) return false;
  *unicode = npy->descr[1] == 'U';
  if (!*unicode && npy->descr[1] != 'S') return false;
  char *end;
  *width = strtol(npy->descr + 2, &end, 10);
  return end != npy->descr + 2 && !*end && *width >= 0 && *width <= LONGEST_FORMAT;
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

static spw_status read_string(const archive *a, member *m, char text[LONGEST_FORMAT + 1])
{
  long width;
  bool unicode;
  unsigned char raw[4 * LONGEST_FORMAT];
  spw_status status = open_member(a, FORMAT, m);
  if (status) return status;
  if (!string_type(&m->npy, &width, &unicode)) return bad_format(a);
  status = check_length(a, m, unicode ? 4 * width : width);
  if (!status) status = read_bytes(a, m, raw, m->left);
  if (!status) status = expect_end(a, m);
  if (status) return status;
  return decode_string(raw, width, unicode, m->npy.descr[0] == '>', text) ? SPW_OK : bad_format(a);
}

static spw_status read_format(const archive *a, spw_layout *layout)
{
  char text[LONGEST_FORMAT + 1];
  member m;
  const spw_status status = read_string(a, &m, text);
  close_member(&m);
  if (status) return status;
  const int named = spw_layout_from_name(text);
  if (named < 0 || named == SPW_BSC)
    return spw_fail(SPW_EUNSUPPORTED, a->error, NAMES[FORMAT],
                    "format '%s' is not supported; csr, csc, bsr and coo are", text);
  *layout = (spw_layout)named;
  return SPW_OK;
}

/* Integers of any width to int64. */
static bool widen(const void *from, spw_dtype dtype, int64_t count, int64_t *to)
{
  for (int64_t i = 0; i < count; i++) switch (dtype) {
    case SPW_UINT8: to[i] = ((const uint8_t *)from)[i]; break;
    case SPW_INT8: to[i] = ((const int8_t *)from)[i]; break;
    case SPW_INT16: to[i] = ((const int16_t *)from)[i]; break;
    case SPW_INT32: to[i] = ((const int32_t *)from)[i]; break;
    case SPW_INT64: to[i] = ((const int64_t *)from)[i]; break;
    default: return false;
    }
  return true;
}

static spw_status hold_size(const archive *a, const member *m, spw_tensor *tensor)
{
  int64_t raw[SPW_NPY_DIMS];
  if (m->npy.ndim != 1 || m->count > SPW_NPY_DIMS || spw_dtype_size(m->dtype) > 8)
    return spw_fail(SPW_EFORMAT, a->error, m->name, "must be 1-D, of at most %d integers",
                    SPW_NPY_DIMS);
  const spw_status status = read_numbers(a, m, raw);
  if (status) return status;
  int64_t *size = allocate(a, m->name, (size_t)m->count, sizeof *size);
  if (!size) return SPW_ENOMEM;
  if (!widen(raw, m->dtype, m->count, size))
    return spw_fail(SPW_EFORMAT, a->error, m->name, "must be integers, not %s",
                    spw_dtype_name(m->dtype));
  tensor->has_size = true;
  tensor->ndim = m->count;
  tensor->size = size;
  return SPW_OK;
}

static spw_status read_size(const archive *a, spw_tensor *tensor)
{
  member m;
  spw_status status = open_numbers(a, SHAPE, &m);
  if (!status) status = hold_size(a, &m, tensor);
  close_member(&m);
  return status;
}

/* ---- The tensor --------------------------------------------------------------------------------- */

static void point_index(spw_index_array *index, const void *storage)
{
  index->i32 = index->array.dtype == SPW_INT32 ? storage : NULL;
  index->i64 = index->array.dtype == SPW_INT64 ? storage : NULL;
  index->raw = storage;
}

static spw_status read_index(const archive *a, which id, spw_index_array *index)
{
  const void *storage = NULL;
  const spw_status status = read_array(a, id, &index->array, &storage);
  if (!status) point_index(index, storage);
  return status;
}

/* One array (2, nse) of the open members row and col. */
static spw_status hold_pair(const archive *a, const member *row, const member *col,
                            spw_index_array *indices)
{
  if (row->npy.ndim != 1 || col->npy.ndim != 1 || row->count != col->count ||
      row->dtype != col->dtype)
    return spw_fail(SPW_EFORMAT, a->error, col->name,
                    "row and col must be 1-D arrays of one length and type");
  const int64_t shape[2] = {2, row->count}, strides[2] = {row->count > 0 ? row->count : 1, 1};
  spw_status status = set_shape(a, row->name, &indices->array, row->dtype, 2, shape, strides);
  if (status) return status;
  char *storage = allocate(a, row->name, (size_t)row->count, 2 * (size_t)spw_dtype_size(row->dtype));
  if (!storage) return SPW_ENOMEM;
  indices->array.length = 2 * row->count;
  point_index(indices, storage);
  status = read_numbers(a, row, storage);
  return status ? status : read_numbers(a, col, storage + row->left);
}

static spw_status read_pair(const archive *a, spw_index_array *indices)
{
  member row, col = {.file = NULL};
  spw_status status = open_numbers(a, ROW, &row);
  if (!status) status = open_numbers(a, COL, &col);
  if (!status) status = hold_pair(a, &row, &col, indices);
  close_member(&col);
  close_member(&row);
  return status;
}

static spw_status read_coordinates(const archive *a, spw_index_array *indices)
{
  if (a->entry[COORDS] < 0) return read_pair(a, indices);
  if (a->entry[ROW] < 0 && a->entry[COL] < 0) return read_index(a, COORDS, indices);
  return spw_fail(SPW_EFORMAT, a->error, NAMES[COORDS], "both coords and row or col are there");
}

static spw_status read_compressed(const archive *a, spw_tensor *tensor)
{
  if (tensor->ndim == 1)
    return spw_fail(SPW_EUNSUPPORTED, a->error, NAMES[SHAPE], "%s of 1 dimension",
                    spw_layout_name(tensor->layout));
  const spw_status status = read_index(a, INDPTR, &tensor->compressed);
  return status ? status : read_index(a, INDICES, &tensor->plain);
}

static spw_status read_tensor(const archive *a, spw_tensor *tensor)
{
  spw_status status = read_format(a, &tensor->layout);
  if (!status) status = read_size(a, tensor);
  if (status) return status;
  status = tensor->layout == SPW_COO ? read_coordinates(a, &tensor->plain)
                                     : read_compressed(a, tensor);
  return status ? status : read_array(a, DATA, &tensor->values.array, &tensor->values.data);
}

static spw_status read_archive(archive *a, const void *bytes)
{
  spw_status status = open_zip(a, bytes);
  if (status) return status;
  status = find_members(a);
  if (!status) status = read_tensor(a, spw_owned_edit(a->owned));
  zip_discard(a->zip);
  return status;
}

spw_status spw_read_npz(const void *bytes, size_t size, size_t limit, spw_owned **out,
                        spw_error *error)
{
  if (!out || (!bytes && size > 0)) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  if (size == 0) return spw_fail(SPW_EFORMAT, error, "", "zip: empty file");
  if (limit == 0) limit = spw_memory_limit(size);
  if (limit < OPEN_COST)
    return spw_fail(SPW_ENOMEM, error, "", "a limit below %d bytes is too low for a zip", OPEN_COST);
  archive a = {.size = size, .owned = spw_owned_new(limit - OPEN_COST), .error = error};
  if (!a.owned) return spw_fail(SPW_ENOMEM, error, "", "no memory");
  const spw_status status = read_archive(&a, bytes);
  if (status)
    spw_owned_free(a.owned);
  else
    *out = a.owned;
  return status;
}
