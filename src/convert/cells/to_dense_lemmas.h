/* SPDX-License-Identifier: Apache-2.0 */
/* What the templates of conversions to dense arrays stand on: rules, and lemmas that are proved by themselves. */
#ifndef SPW_CONVERT_CELLS_TO_DENSE_LEMMAS_H
#define SPW_CONVERT_CELLS_TO_DENSE_LEMMAS_H

#include "../../check/compressed.h"
#include "../kernels/lines.h"
#include "../kernels/meaning.h"
#include "../kernels/times_apart.h"
#include "../kernels/times_at.h"

#endif
