/* SPDX-License-Identifier: Apache-2.0 */
/* What the template of blocks as lines stands on. */
#ifndef SPW_CONVERT_KERNELS_UNBLOCK_USES_H
#define SPW_CONVERT_KERNELS_UNBLOCK_USES_H

#include "../../../../proofs/lemmas/block_lines.h"
#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/times_at.h"

#endif
