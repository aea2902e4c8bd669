/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to CSC, BSR to BSC, and back, in one sweep; and CSC to COO. */
#ifndef SPW_CONVERT_SWAP_BATCHES_H
#define SPW_CONVERT_SWAP_BATCHES_H

#include "target.h"

/* Is nothing to be done but to compress the other dimension, of one part, as on one thread, with indices that keep
 * their type and cells of a width that there is a kernel for? */
bool spw_swaps_batches(const spw_plan *plan);

/* Or to list CSC by rows, with all of that? */
bool spw_lists_columns(const spw_plan *plan);

/* For a plan of which one of these is true. */
spw_status spw_convert_swapped(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal);

#endif
