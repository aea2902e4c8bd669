/* SPDX-License-Identifier: Apache-2.0 */
/* A zip archive in memory, judged strictly: what is opened here means the same to every reader,
 * whether it goes by the directory, by the local headers or by a search for the end.
 *
 * The members and the directory fill the file without a gap, in one order; what is said twice is
 * said alike; names are plain ASCII, and no two of them are one name to some reader. Comments,
 * encryption, other methods than stored and deflated, extra fields of unknown meaning and archives
 * in several parts are refused. Data descriptors and zip64 numbers are read: NumPy writes them. */
#ifndef SPW_IO_ZIP_ARCHIVE_H
#define SPW_IO_ZIP_ARCHIVE_H

#include "../../owned/owned.h"

enum { SPW_ZIP_ENTRIES = 64 }; /* SciPy writes at most seven */

typedef struct spw_zip_entry {
  const char *name; /* in the file: not terminated */
  size_t name_length;
  const unsigned char *data;
  uint64_t packed; /* bytes of data */
  uint64_t size;   /* what they give, if the directory is right */
  uint32_t crc;
  bool deflated;
} spw_zip_entry;

typedef struct spw_zip {
  size_t count;
  spw_zip_entry entries[SPW_ZIP_ENTRIES];
} spw_zip;

/* Takes no memory and, whatever the bytes are, one look at each and a little for each entry. */
spw_status spw_zip_open(spw_zip *zip, const void *bytes, size_t size, spw_error *error);

/* The same for an archive of torch.save: names have folders, members are aligned by extra fields, and there may be any number
 * of them. No two names are one to a reader that ignores the case of letters. *entries lie in `owned`, sorted by name in that
 * sense. */
spw_status spw_zip_open_torch(spw_owned *owned, const void *bytes, size_t size, spw_zip_entry **entries, size_t *count,
                              spw_error *error);

/* The one with this name, to the letter; null if there is none. */
const spw_zip_entry *spw_zip_find(const spw_zip_entry *entries, size_t count, const char *name, size_t length);

#endif
