/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to COO, in one sweep. */
#ifndef SPW_CONVERT_LIST_BATCHES_H
#define SPW_CONVERT_LIST_BATCHES_H

#include "target.h"

/* Is nothing to be done but to write down coordinates, of CSR with indices that keep their type? */
bool spw_lists_batches(const spw_plan *plan);

/* For a plan of which that is true. */
spw_status spw_convert_listed(const spw_plan *plan, spw_target *out, spw_refusal *refusal);

#endif
