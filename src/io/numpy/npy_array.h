/* SPDX-License-Identifier: Apache-2.0 */
/* One array of a .npy file: in a file of its own, or as a member of an .npz archive. */
#ifndef SPW_IO_NPY_ARRAY_H
#define SPW_IO_NPY_ARRAY_H

#include "npy.h"
#include "../../owned/owned.h"

/* ---- Reading ------------------------------------------------------------------------------- */

/* An array whose header has been read. */
typedef struct spw_npy_array {
  const char *name; /* its file's, for messages; "" for the file that is read */
  uint64_t left;    /* bytes behind the header */
  spw_npy npy;
  spw_dtype dtype;  /* this and `swapped` are set by who expects numbers, */
  bool swapped;
  int64_t count;    /* and these by who expects a length */
  int64_t strides[SPW_NPY_DIMS];
} spw_npy_array;

/* Do as many elements of `width` bytes as the header declares fill what is behind it exactly? Sets
 * count and strides. */
spw_status spw_npy_check_length(spw_npy_array *a, int64_t width, spw_error *error);

/* Is it of an element type that the library has, and of that length? Sets dtype and swapped too. */
spw_status spw_npy_check_numbers(spw_npy_array *a, spw_error *error);

/* `count` elements of `size` bytes in the arena; null, and *error filled, without memory. */
void *spw_npy_allocate(spw_owned *owned, const char *name, size_t count, size_t size, spw_error *error);

/* *array with copies of a shape and its strides, over a storage without elements as yet. */
spw_status spw_npy_hold_shape(spw_owned *owned, const char *name, spw_dtype dtype, int64_t ndim,
                              const int64_t *shape, const int64_t *strides, spw_array *array,
                              spw_error *error);

/* *array as a file's numbers have it, over a storage for all of them. */
spw_status spw_npy_hold_numbers(spw_owned *owned, const spw_npy_array *a, spw_array *array,
                                void **storage, spw_error *error);

/* Turns all the elements to the byte order of this machine. */
void spw_npy_to_native(const spw_npy_array *a, void *elements);

/* ---- Writing ------------------------------------------------------------------------------- */

/* Can NumPy load such an array, and may its elements be read? `name` is for *error. */
spw_status spw_npy_check_array(const spw_array *array, const void *storage, const char *name,
                               spw_error *error);

/* The bytes of a .npy file, in C order, of an array that can be written, whose elements have `size`
 * bytes and NumPy's type `descr`: in *bytes, to free(). */
spw_status spw_npy_print(const char *descr, size_t size, const spw_array *array, const void *storage,
                         const char *name, void **bytes, size_t *length, spw_error *error);

#endif
