/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in the place of libhdf5, which read and write the trees of hdf5_tree.h. They are strict: an id that is not open, or
 * of another kind, and elements that lie elsewhere end the program. */
#ifndef TESTS_HDF5_STAND_IN_H
#define TESTS_HDF5_STAND_IN_H

#include <stdint.h>

/* From now on the reader and the writer call these functions. `wrong` ends the program, and says why. */
void hdf5_stand_in(void (*wrong)(const char *why));

/* The n-th call from now on fails, if it is one that may; 0: none. Closing and freeing always succeed. */
void hdf5_stand_in_fail(uint64_t call);

/* Ids that are open, and texts that were not freed. */
int hdf5_stand_in_open(void);

#endif
