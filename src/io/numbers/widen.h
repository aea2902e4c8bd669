/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of the narrow types as equal numbers of the widest type of their kind. */
#ifndef SPW_IO_WIDEN_H
#define SPW_IO_WIDEN_H

#include "../../sparsewright.h"

/* One element of uint8, int8, int16, int32 or int64 at any address; 0 for another type. */
int64_t spw_widen_integer(spw_dtype dtype, const void *at);

/* One element of float16, bfloat16, float32 or float64; 0 for another type. */
double spw_widen_float(spw_dtype dtype, const void *at);

#endif
