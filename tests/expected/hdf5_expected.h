/* SPDX-License-Identifier: Apache-2.0 */
/* What the sparse matrices of a tree of HDF5 are, found a second time: from the tree itself, and not by the calls of libhdf5. */
#ifndef TESTS_HDF5_EXPECTED_H
#define TESTS_HDF5_EXPECTED_H

#include "../../src/sparsewright.h"
#include "../support/hdf5_tree.h"

enum { HDF5_LISTED = 256, HDF5_PATH = 4096 };

typedef struct hdf5_listing {
  int count;
  size_t dense; /* datasets that are no part of a matrix */
  int object[HDF5_LISTED];
  char *path[HDF5_LISTED]; /* to free() */
} hdf5_listing;

/* False: the file must be refused. */
bool hdf5_list(const hdf5_tree *tree, hdf5_listing *listing);
void hdf5_listing_free(hdf5_listing *listing);

/* Null if the answer of the reader to one group is right, else what is wrong with it. `limit`: bytes that it may take. */
const char *hdf5_judge(const hdf5_tree *tree, int group, spw_status status, const spw_tensor *tensor, uint64_t limit);

#endif
