/* SPDX-License-Identifier: Apache-2.0 */
/* A list of the tensors in a file, whatever its format: each format fills the list, and reads a tensor of it. */
#ifndef SPW_IO_ARCHIVE_H
#define SPW_IO_ARCHIVE_H

#include "../../owned/owned.h"

typedef struct spw_listed {
  const char *path;
  const void *tensor; /* what the format knows of it */
  bool semi;          /* a 2:4 matrix */
} spw_listed;

struct spw_archive {
  spw_owned *owned; /* where the archive lies, and all that a format adds */
  size_t size;      /* of the file */
  size_t dense;     /* arrays that are no part of a sparse tensor */
  size_t count, capacity;
  spw_listed *tensors;
  void *file; /* of the format, as are the functions */
  spw_status (*read)(const spw_archive *archive, const void *tensor, spw_owned *owned, spw_error *error);
  /* Null: the format has no names of arrays. */
  spw_status (*read_members)(const spw_archive *archive, const spw_members *members, spw_owned *owned, spw_error *error);
  spw_status (*read_semi)(const spw_archive *archive, const void *tensor, spw_owned *owned, spw_semi *semi, spw_error *error);
  void (*close)(spw_archive *archive); /* null: all lies in `owned` */
};

/* An archive that `fill` fills, or its refusal. */
typedef spw_status spw_archive_filler(spw_archive *archive, const void *bytes, spw_error *error);
spw_status spw_archive_new(const void *bytes, size_t size, size_t limit, spw_archive_filler *fill, spw_archive **out,
                           spw_error *error);

/* Adds a tensor at the end; the path is copied. */
spw_status spw_archive_add(spw_archive *archive, const char *path, size_t length, const void *tensor, spw_error *error);
spw_status spw_archive_add_semi(spw_archive *archive, const char *path, size_t length, const void *semi, spw_error *error);

/* "the list of tensors needs more than the memory limit" */
spw_status spw_archive_no_memory(spw_error *error);

enum { SPW_ESCAPED = 8 };

/* One character of a name, as it stands in a path; `more` are characters that are escaped besides. Returns the length. */
size_t spw_escape(char character, const char *more, char text[SPW_ESCAPED]);

#endif
