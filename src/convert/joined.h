/* SPDX-License-Identifier: Apache-2.0 */
/* Batches that have one number of cells only after zeros are left out: all are converted as one matrix, and then cut apart. */
#ifndef SPW_CONVERT_JOINED_H
#define SPW_CONVERT_JOINED_H

#include "target.h"

/* Bytes of workspace that spw_convert_joined takes; 0: the request needs none, as it leaves out no zeros or has no batches;
 * INT64_MAX: it cannot be done, as lines of all batches together are more than can be numbered. */
int64_t spw_joined_work(const spw_plan *plan);

/* Writes the result of the plan into the buffers. SPW_ERANGE: batches have different numbers of cells even without zeros; any
 * other status but SPW_OK: it cannot be done. */
spw_status spw_convert_joined(const spw_plan *plan, const spw_buffers *buffers, spw_target *out, spw_refusal *refusal);

#endif
