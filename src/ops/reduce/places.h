/* SPDX-License-Identifier: Apache-2.0 */
/* Where the extremes of groups of items are (R10). */
#ifndef SPW_OPS_REDUCE_PLACES_H
#define SPW_OPS_REDUCE_PLACES_H

#include "dims.h"

/* The fold says what the items are: what is below part[0] of a key is the number of a leading position in its fibre. `largest`:
 * argmax, else argmin. The values have type `dtype`, which is real. */
void spw_fold_places(const spw_dims_fold *f, bool largest, spw_dtype dtype, int64_t *out);

#endif
