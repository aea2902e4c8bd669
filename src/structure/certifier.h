/* SPDX-License-Identifier: Apache-2.0 */
/* The certifier, in a workspace that makes it quicker. */
#ifndef SPW_STRUCTURE_CERTIFIER_H
#define SPW_STRUCTURE_CERTIFIER_H

#include "../sparsewright_convert.h"

/* As spw_certify_unchecked. `work`, aligned to 8 bytes, shares memory with neither; NULL where bytes is 0. With
 * spw_certify_quick_bytes of a, equal matrices in CSR and CSC take O(elements + lines). */
spw_status spw_certify_within(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, void *work, int64_t bytes, bool *same);

/* Of a valid tensor with a size and what has another layout; INT64_MAX: more than there can be. */
int64_t spw_certify_quick_bytes(const spw_tensor *t, spw_layout to);

#endif
