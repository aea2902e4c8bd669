/* SPDX-License-Identifier: Apache-2.0 */
/* The members of an .npz file: a zip of .npy files, read from memory. The zip's directory is the
 * authority on them; what it says is compared with what is there before memory is taken for it. */
#ifndef SPW_IO_NPZ_MEMBER_H
#define SPW_IO_NPZ_MEMBER_H

#include "npy.h"
#include "owned.h"

#include <zip.h>

/* Memory of libzip for the entries it may have and for two open members, at most. */
enum { SPW_NPZ_OPEN_COST = 192 << 10 };

/* The members that SciPy's sparse files have. */
typedef enum spw_npz_name {
  SPW_NPZ_FORMAT,
  SPW_NPZ_SHAPE,
  SPW_NPZ_DATA,
  SPW_NPZ_INDICES,
  SPW_NPZ_INDPTR,
  SPW_NPZ_ROW,
  SPW_NPZ_COL,
  SPW_NPZ_COORDS
} spw_npz_name;

#define SPW_NPZ_NAMES 8

typedef struct spw_npz {
  zip_t *zip;
  uint64_t size;
  spw_owned *owned; /* where the tensor is built */
  spw_error *error;
  zip_int64_t entry[SPW_NPZ_NAMES]; /* number in the zip's directory, -1 if absent */
} spw_npz;

/* An open member, its header read. */
typedef struct spw_npz_member {
  const char *name;
  zip_file_t *file;
  uint64_t left; /* bytes of elements, by the zip's directory */
  spw_npy npy;
  spw_dtype dtype; /* set by who expects numbers */
  bool swapped;
  int64_t count;
  int64_t strides[SPW_NPY_DIMS];
} spw_npz_member;

/* "format.npy" */
const char *spw_npz_file_name(spw_npz_name id);

/* Opens the zip in the `a->size` bytes and finds its members. zip_discard(a->zip) is due, be it
 * null, whatever comes of it. */
spw_status spw_npz_open(spw_npz *a, const void *bytes);

/* Opens a member and reads its header. Whatever comes of it, spw_npz_close_member(m) is due. */
spw_status spw_npz_open_member(const spw_npz *a, spw_npz_name id, spw_npz_member *m);
void spw_npz_close_member(spw_npz_member *m);

/* Do as many elements of `width` bytes as the header declares fill the member exactly? Sets count
 * and strides. */
spw_status spw_npz_check_length(const spw_npz *a, spw_npz_member *m, int64_t width);

/* Reads the m->left bytes of elements and checks the member's end and CRC. */
spw_status spw_npz_read_elements(const spw_npz *a, const spw_npz_member *m, void *to);

#endif
