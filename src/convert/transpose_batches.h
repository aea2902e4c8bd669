/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to CSC, BSR to BSC, and back, in one sweep; and CSC to COO. */
#ifndef SPW_CONVERT_TRANSPOSE_BATCHES_H
#define SPW_CONVERT_TRANSPOSE_BATCHES_H

#include "plan.h"

/* Is there a kernel for cells of this width? */
bool spw_transposes_width(const spw_plan *plan);

#endif
