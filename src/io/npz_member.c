/* SPDX-License-Identifier: Apache-2.0 */
/* The members of an .npz file: whatever zip and .npy headers claim about them is checked. */
#include "npz_member.h"

#include <string.h>

enum {
  MOST_ENTRIES = 64, /* SciPy writes at most seven */
  INFLATION = 1032   /* one deflated byte gives at most so many */
};

static const char *const NAMES[SPW_NPZ_NAMES] = {
    "format.npy", "shape.npy", "data.npy", "indices.npy",
    "indptr.npy", "row.npy",   "col.npy",  "coords.npy"};

const char *spw_npz_file_name(spw_npz_name id)
{
  return NAMES[id];
}

/* ---- The zip ------------------------------------------------------------------------------- */

static spw_status fail_zip(zip_error_t *cause, spw_error *error, const char *where)
{
  const bool memory = zip_error_code_zip(cause) == ZIP_ER_MEMORY;
  return spw_fail(memory ? SPW_ENOMEM : SPW_EFORMAT, error, where, "zip: %s",
                  zip_error_strerror(cause));
}

static spw_status open_zip(spw_npz *a, const void *bytes)
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
static spw_status find_members(spw_npz *a)
{
  const zip_int64_t entries = zip_get_num_entries(a->zip, 0);
  if (entries > MOST_ENTRIES)
    return spw_fail(SPW_EUNSUPPORTED, a->error, "", "zip: %lld members, more than %d",
                    (long long)entries, MOST_ENTRIES);
  for (int m = 0; m < SPW_NPZ_NAMES; m++) a->entry[m] = -1;
  for (zip_int64_t i = 0; i < entries; i++) {
    const char *name = zip_get_name(a->zip, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
    for (int m = 0; name && m < SPW_NPZ_NAMES; m++) {
      if (strcmp(name, NAMES[m]) != 0) continue;
      if (a->entry[m] >= 0) return spw_fail(SPW_EFORMAT, a->error, name, "duplicate member");
      a->entry[m] = i;
    }
  }
  return SPW_OK;
}

/* Refuses what the directory cannot mean seriously. */
static spw_status check_entry(const spw_npz *a, const char *name, const zip_stat_t *stat)
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

static spw_status read_bytes(const spw_npz *a, const spw_npz_member *m, void *to, uint64_t size)
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
static spw_status expect_end(const spw_npz *a, const spw_npz_member *m)
{
  char extra;
  const zip_int64_t got = zip_fread(m->file, &extra, 1);
  if (got < 0) return fail_zip(zip_file_get_error(m->file), a->error, m->name);
  if (got == 0) return SPW_OK;
  return spw_fail(SPW_EFORMAT, a->error, m->name, "longer than the zip directory says");
}

spw_status spw_npz_open(spw_npz *a, const void *bytes)
{
  const spw_status status = open_zip(a, bytes);
  return status ? status : find_members(a);
}

/* ---- Members ------------------------------------------------------------------------------- */

void spw_npz_close_member(spw_npz_member *m)
{
  if (m->file) zip_fclose(m->file);
  m->file = NULL;
}

static spw_status read_header(const spw_npz *a, spw_npz_member *m, uint64_t size)
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

spw_status spw_npz_open_member(const spw_npz *a, spw_npz_name id, spw_npz_member *m)
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

spw_status spw_npz_check_length(const spw_npz *a, spw_npz_member *m, int64_t width)
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

spw_status spw_npz_read_elements(const spw_npz *a, const spw_npz_member *m, void *to)
{
  const spw_status status = read_bytes(a, m, to, m->left);
  return status ? status : expect_end(a, m);
}
