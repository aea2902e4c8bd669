/* SPDX-License-Identifier: Apache-2.0 */
/* The header of NumPy's .npy format, versions 1.0, 2.0 and 3.0: parsed strictly, and written.
 * A file is: preamble (magic, version, header length), header (a Python dict literal), elements. */
#ifndef SPW_IO_NPY_H
#define SPW_IO_NPY_H

#include "../../sparsewright.h"

enum {
  SPW_NPY_DIMS = 64,             /* NumPy's own limit */
  SPW_NPY_DESCR = 32,            /* longest type descriptor kept, with its final 0 */
  SPW_NPY_PREAMBLE = 12,         /* longest preamble; no valid file is shorter */
  SPW_NPY_HEADER = 12 + 10000,   /* longest preamble and header; 10000 is NumPy's own limit */
  SPW_NPY_WRITTEN = 2048         /* room for a header that spw_npy_format writes */
};

typedef struct spw_npy {
  char descr[SPW_NPY_DESCR]; /* "<i8" */
  bool fortran_order;
  int64_t ndim;
  int64_t shape[SPW_NPY_DIMS];
} spw_npy;

/* Where the header starts and ends, from the first SPW_NPY_PREAMBLE bytes of the file. Guarantees
 * *start <= SPW_NPY_PREAMBLE <= *end <= SPW_NPY_HEADER. `name` is the file's, for *error. */
spw_status spw_npy_extent(const unsigned char *bytes, const char *name, size_t *start, size_t *end,
                          spw_error *error);

/* Parses the header bytes[start .. end). */
spw_status spw_npy_parse(const unsigned char *bytes, size_t start, size_t end, const char *name,
                         spw_npy *npy, spw_error *error);

/* The element type, and whether the elements are in the other byte order. */
spw_status spw_npy_dtype(const spw_npy *npy, const char *name, spw_dtype *dtype, bool *swapped,
                         spw_error *error);

/* Strides of the array in elements of `width` bytes, by its order, and the number of elements. The
 * extents that are not 0 must give less than 2^63 bytes: NumPy holds no other array. */
spw_status spw_npy_strides(const spw_npy *npy, int64_t width, const char *name, int64_t *strides,
                           int64_t *count, spw_error *error);

/* NumPy's descriptor of a type on this machine ("<i8"); null if it has none. */
const char *spw_npy_descr(spw_dtype dtype);

/* Writes preamble and header of a C-ordered array of at most SPW_NPY_DIMS dimensions to `to`, which has
 * SPW_NPY_WRITTEN bytes. Returns their length, a multiple of 64. */
size_t spw_npy_format(char *to, const char *descr, int64_t ndim, const int64_t *shape);

#endif
