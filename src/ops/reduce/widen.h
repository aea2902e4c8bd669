/* SPDX-License-Identifier: Apache-2.0 */
/* Values of another type that holds all numbers of their own. */
#ifndef SPW_OPS_REDUCE_WIDEN_H
#define SPW_OPS_REDUCE_WIDEN_H

#include "../../sparsewright_core.h"

/* Does `to` hold every number of `from`? */
bool spw_widens(spw_dtype from, spw_dtype to);

/* All values, one behind the other in row-major order, to `out`; spw_widens. */
void spw_widen_values(const spw_value_array *values, spw_dtype to, void *out);

/* A number of a real floating type, as a double; and a double that is one, to `out`. */
double spw_real_at(spw_dtype dtype, const char *at);
void spw_put_real(spw_dtype dtype, double x, char *out);

/* A whole number; a bool that is not 0 is 1. */
int64_t spw_whole_at(spw_dtype dtype, const char *at);

#endif
