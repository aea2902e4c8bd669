/* SPDX-License-Identifier: Apache-2.0 */
/* Norms of groups of items (R12), each rounded once from what it is exactly. */
#ifndef SPW_OPS_REDUCE_NORMS_H
#define SPW_OPS_REDUCE_NORMS_H

#include "dims.h"

/* The fold says what the items are, and `out` has the type of the parts of `dtype`, which is floating or complex. */
void spw_fold_norms(const spw_dims_fold *f, spw_dims_kind kind, spw_dtype dtype, void *out);

#endif
