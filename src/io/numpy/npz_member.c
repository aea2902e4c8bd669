/* SPDX-License-Identifier: Apache-2.0 */
/* The members of an .npz file: whatever .npy headers claim about them is checked. */
#include "npz_member.h"

#include <string.h>

static const char *const NAMES[SPW_NPZ_NAMES] = {"format.npy", "shape.npy",  "data.npy",
                                                 "indices.npy", "indptr.npy", "row.npy",
                                                 "col.npy",    "coords.npy", "_is_array.npy",
                                                 "fill_value.npy", "offsets.npy"};

/* NumPy reads these too, and prefers them; a zip that has both is refused. */
static const char *const BARE_NAMES[SPW_NPZ_NAMES] = {
    "format", "shape", "data", "indices", "indptr", "row", "col", "coords", "_is_array", "fill_value", "offsets"};

static bool has_name(const spw_zip_entry *entry, const char *name)
{
  return entry->name_length == strlen(name) && !memcmp(entry->name, name, entry->name_length);
}

const char *spw_npz_file_name(const spw_npz *a, spw_npz_name id)
{
  const spw_zip_entry *entry = a->entry[id];
  return entry && has_name(entry, BARE_NAMES[id]) ? BARE_NAMES[id] : NAMES[id];
}

/* Finds the members by name; others are ignored as SciPy does. */
static void find_members(spw_npz *a)
{
  for (int m = 0; m < SPW_NPZ_NAMES; m++) {
    a->entry[m] = NULL;
    for (const spw_zip_entry *e = a->zip.entries; e < a->zip.entries + a->zip.count; e++)
      if (has_name(e, NAMES[m]) || has_name(e, BARE_NAMES[m])) a->entry[m] = e;
  }
}

spw_status spw_npz_open(spw_npz *a, const void *bytes, size_t size)
{
  const spw_status status = spw_zip_open(&a->zip, bytes, size, a->error);
  if (status) return status;
  find_members(a);
  a->stream = (spw_zip_stream){.owned = a->owned, .error = a->error};
  return SPW_OK;
}

static spw_status read_header(spw_npz *a, spw_npy_array *m, uint64_t size)
{
  unsigned char bytes[SPW_NPY_HEADER];
  size_t start, end;
  if (size < SPW_NPY_PREAMBLE)
    return spw_fail(SPW_EFORMAT, a->error, m->name, "too short for a .npy file");
  spw_status status = spw_zip_read(&a->stream, bytes, SPW_NPY_PREAMBLE);
  if (!status) status = spw_npy_extent(bytes, m->name, &start, &end, a->error);
  if (status) return status;
  if (end > size)
    return spw_fail(SPW_EFORMAT, a->error, m->name, "the header goes beyond the member's end");
  status = spw_zip_read(&a->stream, bytes + SPW_NPY_PREAMBLE, end - SPW_NPY_PREAMBLE);
  if (!status) status = spw_npy_parse(bytes, start, end, m->name, &m->npy, a->error);
  m->left = size - end;
  return status;
}

const spw_zip_entry *spw_npz_find(const spw_npz *a, const char *name)
{
  static const char ending[] = ".npy";
  const size_t length = strlen(name);
  for (const spw_zip_entry *e = a->zip.entries; e < a->zip.entries + a->zip.count; e++) {
    const size_t more = e->name_length >= length ? e->name_length - length : 1;
    if (memcmp(e->name, name, e->name_length < length ? e->name_length : length) != 0) continue;
    if (more == 0 || (more == strlen(ending) && memcmp(e->name + length, ending, more) == 0)) return e;
  }
  return NULL;
}

spw_status spw_npz_open_entry(spw_npz *a, const spw_zip_entry *entry, const char *name, spw_npy_array *m)
{
  m->name = name;
  const spw_status status = spw_zip_begin(&a->stream, entry, name);
  return status ? status : read_header(a, m, entry->size);
}

spw_status spw_npz_open_member(spw_npz *a, spw_npz_name id, spw_npy_array *m)
{
  const char *const name = spw_npz_file_name(a, id);
  if (a->entry[id]) return spw_npz_open_entry(a, a->entry[id], name, m);
  return spw_fail(SPW_EFORMAT, a->error, name, "missing member");
}

spw_stored spw_npz_unsigned(const spw_npy *npy)
{
  const char *const descr = npy->descr, width = descr[0] && descr[1] ? descr[2] : 0;
  const bool is = (descr[0] == '<' || descr[0] == '>') && descr[1] == 'u' && (width == '2' || width == '4' || width == '8');
  return is && !descr[3] ? (spw_stored){'u', width - '0'} : (spw_stored){0, 0};
}

spw_status spw_npz_read_elements(spw_npz *a, const spw_npy_array *m, void *to)
{
  const spw_status status = spw_zip_read(&a->stream, to, m->left);
  a->was_read[a->stream.entry - a->zip.entries] = true;
  return status ? status : spw_zip_finish(&a->stream);
}

/* ---- The others ---------------------------------------------------------------------------- */

/* `left`: what all of them may still inflate to. It is not kept, but to inflate it takes time. */
static spw_status check_member(spw_npz *a, const spw_zip_entry *entry, uint64_t *left)
{
  unsigned char bytes[4096];
  char name[64];
  const size_t length = entry->name_length < sizeof name ? entry->name_length : sizeof name - 1;
  memcpy(name, entry->name, length);
  name[length] = '\0';
  if (entry->size > *left)
    return spw_fail(SPW_ENOMEM, a->error, name, "inflates to more than the memory limit");
  *left -= entry->size;
  spw_status status = spw_zip_begin(&a->stream, entry, name);
  for (uint64_t rest = entry->size, size; !status && rest > 0; rest -= size) {
    size = rest < sizeof bytes ? rest : sizeof bytes;
    status = spw_zip_read(&a->stream, bytes, size);
  }
  return status ? status : spw_zip_finish(&a->stream);
}

spw_status spw_npz_check_rest(spw_npz *a)
{
  spw_status status = SPW_OK;
  uint64_t left = spw_owned_left(a->owned);
  for (size_t i = 0; !status && i < a->zip.count; i++)
    if (!a->was_read[i]) status = check_member(a, &a->zip.entries[i], &left);
  return status;
}
