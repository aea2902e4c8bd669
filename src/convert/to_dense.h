/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse tensors to dense arrays in one sweep. */
#ifndef SPW_CONVERT_TO_DENSE_H
#define SPW_CONVERT_TO_DENSE_H

#include "target.h"

/* For a plan of which spw_writes_all is true. */
void spw_convert_to_dense(const spw_plan *plan, const spw_target *out);

#endif
