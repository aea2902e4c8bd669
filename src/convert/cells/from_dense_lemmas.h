/* SPDX-License-Identifier: Apache-2.0 */
/* What the template of lines from dense matrices stands on. */
#ifndef SPW_CONVERT_CELLS_FROM_DENSE_LEMMAS_H
#define SPW_CONVERT_CELLS_FROM_DENSE_LEMMAS_H

#include "../kernels/lines.h"
#include "../kernels/meaning.h"
#include "../kernels/times_at.h"

/* Zeros are skipped so many at a time. */
#define SPW_GROUP 8

#endif
