/* SPDX-License-Identifier: Apache-2.0 */
/* The members of an .npz file: a zip of .npy files, read from memory. What the zip's directory and
 * the .npy headers say is compared with what is there before memory is taken for it. */
#ifndef SPW_IO_NPZ_MEMBER_H
#define SPW_IO_NPZ_MEMBER_H

#include "npy_array.h"
#include "../arrays/unsigned.h"
#include "../compressed/zip_stream.h"

/* The members that SciPy's sparse files have, and the one by which pydata/sparse says what is at all other positions. */
typedef enum spw_npz_name {
  SPW_NPZ_FORMAT,
  SPW_NPZ_SHAPE,
  SPW_NPZ_DATA,
  SPW_NPZ_INDICES,
  SPW_NPZ_INDPTR,
  SPW_NPZ_ROW,
  SPW_NPZ_COL,
  SPW_NPZ_COORDS,
  SPW_NPZ_IS_ARRAY,
  SPW_NPZ_FILL_VALUE,
  SPW_NPZ_OFFSETS /* of diagonals */
} spw_npz_name;

#define SPW_NPZ_NAMES 11

typedef struct spw_npz {
  spw_owned *owned; /* where the tensor is built */
  spw_error *error;
  spw_zip zip;
  const spw_zip_entry *entry[SPW_NPZ_NAMES]; /* null: absent */
  bool was_read[SPW_ZIP_ENTRIES];            /* to its end */
  spw_zip_stream stream;                     /* of the member opened last */
} spw_npz;

/* What messages call it: "format.npy", or "format" if that is the member's name. */
const char *spw_npz_file_name(const spw_npz *a, spw_npz_name id);

/* Opens the zip in the `size` bytes and finds its members. */
spw_status spw_npz_open(spw_npz *a, const void *bytes, size_t size);

/* The member "NAME.npy" or "NAME"; null if there is none. */
const spw_zip_entry *spw_npz_find(const spw_npz *a, const char *name);

/* Reads the header of a member, which messages call by `name`. What is read next comes from this member. */
spw_status spw_npz_open_entry(spw_npz *a, const spw_zip_entry *entry, const char *name, spw_npy_array *m);

/* The same of one that is known. */
spw_status spw_npz_open_member(spw_npz *a, spw_npz_name id, spw_npy_array *m);

/* Reads the m->left bytes of elements and checks the member's end and CRC. */
spw_status spw_npz_read_elements(spw_npz *a, const spw_npy_array *m, void *to);

/* Unsigned integers of more than 8 bits, as which values may be stored; kind 0 for other elements. */
spw_stored spw_npz_unsigned(const spw_npy *npy);

/* Reads all members that have not been read, and forgets them: one that is not what the directory
 * says could hide another one from readers that go without the directory. */
spw_status spw_npz_check_rest(spw_npz *a);

#endif
