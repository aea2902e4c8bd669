/* SPDX-License-Identifier: Apache-2.0 */
/* From a tensor whose shape rules hold to the views that the index rules take. */
#ifndef SPW_CHECK_MEMBERS_H
#define SPW_CHECK_MEMBERS_H

#include "columns.h"
#include "grid.h"
#include "quantities.h"

/* The batches of a compressed tensor; P is its plain size. */
spw_grid spw_grid_of(const spw_tensor *t, int64_t batches, int64_t P);

/* The columns of a COO tensor. */
spw_columns spw_columns_of(const spw_tensor *t);

#endif
