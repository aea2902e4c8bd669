/* SPDX-License-Identifier: Apache-2.0 */
/* Element types that files have and the library has not: unsigned integers of 16, 32 and 64 bits, as equal numbers of a signed
 * type. */
#ifndef SPW_IO_UNSIGNED_H
#define SPW_IO_UNSIGNED_H

#include "../../owned/owned.h"

/* An element type of a file. */
typedef struct spw_stored {
  char kind; /* b: bool, i: signed, u: unsigned, f: IEEE 754, t: bfloat16, c: complex, 4: float8_e4m3fn, 5: float8_e5m2,
                0: another */
  int size;  /* bytes */
} spw_stored;

/* The type as which it is read; SPW_DTYPE_NONE if there is none. */
spw_dtype spw_dtype_of_stored(spw_stored type);

/* Bytes of an element as it is read. */
size_t spw_size_as_read(spw_stored type);

/* Where the elements of a file belong in memory for `count` of them as they are read: at the end. */
unsigned char *spw_place_stored(spw_stored type, int64_t count, void *elements);

/* Makes them elements as they are read, from where spw_place_stored says.
 * SPW_EUNSUPPORTED: a number beyond int64. */
spw_status spw_widen_stored(spw_stored type, int64_t count, void *elements, const char *name, spw_error *error);

#endif
