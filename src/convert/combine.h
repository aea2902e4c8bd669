/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of duplicates: the one place where a conversion computes. */
#ifndef SPW_CONVERT_COMBINE_H
#define SPW_CONVERT_COMBINE_H

#include "../sparsewright.h"

/* sum[i] += more[i] for n scalars: floating point correctly rounded in the type, complex by parts, integers
 * mod 2^w, bool: or. A sum that is a NaN is the first of the two that is one, made quiet, or else that without sign and
 * payload. */
void spw_add_scalars(spw_dtype dtype, char *sum, const char *more, int64_t n);

/* Is this scalar, of a type that is not complex, a NaN? */
bool spw_is_nan(spw_dtype dtype, const void *scalar);

#endif
