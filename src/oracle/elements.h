/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a valid sparse matrix of any layout, one after the other in order of storage; batches lie below
 * each other. */
#ifndef SPW_ORACLE_ELEMENTS_H
#define SPW_ORACLE_ELEMENTS_H

#include "../sparsewright_core.h"

enum { SPW_JUDGED_DIMS = 32 };

/* The size of a batch of matrices. */
typedef struct spw_matrices {
  spw_numbers n; /* of the tensor */
  int64_t batch_dims;
  int64_t size[SPW_JUDGED_DIMS]; /* batch dimensions, rows, columns */
  int64_t rows, columns;         /* of all batches together; of each */
  int64_t elements;              /* that are stored, of all batches */
} spw_matrices;

/* SPW_EUNSUPPORTED for other layouts, dense dimensions, too many dimensions, and COO of fewer than two; SPW_ERANGE where
 * a product is beyond int64. The tensor is valid. */
spw_status spw_matrices_of(const spw_tensor *t, spw_matrices *m);

typedef struct spw_element {
  int64_t row;    /* batch * rows of a batch + row */
  int64_t column;
  int64_t place;  /* in the storage of the values */
} spw_element;

/* Where a walk over the elements has come to. */
typedef struct spw_walk {
  const spw_tensor *t;
  spw_numbers n; /* without a batch where nothing is stored */
  const spw_matrices *m;
  int64_t batch, line, k, end; /* k of this line, which ends there */
  int64_t inside;              /* element of the block */
} spw_walk;

spw_walk spw_walk_start(const spw_tensor *t, const spw_matrices *m);

/* The next element; false behind the last. */
bool spw_walk_next(spw_walk *w, spw_element *e);

#endif
