/* SPDX-License-Identifier: Apache-2.0 */
/* What makes the certifier quicker. */
#ifndef SPW_STRUCTURE_CERTIFIER_H
#define SPW_STRUCTURE_CERTIFIER_H

#include "../sparsewright_convert.h"

/* Bytes of a workspace in which equal matrices in CSR and CSC are compared in O(elements + lines): of a valid tensor with a size
 * and what has another layout. INT64_MAX: more than there can be. */
int64_t spw_certify_quick_bytes(const spw_tensor *t, spw_layout to);

#endif
