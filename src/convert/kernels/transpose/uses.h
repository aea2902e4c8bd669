/* SPDX-License-Identifier: Apache-2.0 */
/* What the templates of the swap of rows and columns stand on. */
#ifndef SPW_CONVERT_KERNELS_TRANSPOSE_USES_H
#define SPW_CONVERT_KERNELS_TRANSPOSE_USES_H

#include "../../../../proofs/lemmas/lines.h"
#include "../../indices/offsets/starts.h"
#include "../../../../proofs/lemmas/swap_lemma.h"
#include "../../../core/prefetch.h"
#include "../../../view/grid.h"

#endif
