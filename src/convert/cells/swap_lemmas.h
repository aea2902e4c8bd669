/* SPDX-License-Identifier: Apache-2.0 */
/* What the templates of the swap of rows and columns stand on. */
#ifndef SPW_CONVERT_CELLS_SWAP_LEMMAS_H
#define SPW_CONVERT_CELLS_SWAP_LEMMAS_H

#include "../kernels/lines.h"
#include "../kernels/starts.h"
#include "../kernels/swap_lemma.h"
#include "../../core/prefetch.h"
#include "../../view/grid.h"

#endif
