/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices by their diagonals, as SciPy's dia. */
#ifndef SPW_IO_NPZ_DIA_H
#define SPW_IO_NPZ_DIA_H

#include "npy_array.h"

/* Makes *tensor, which has a size of two dimensions, COO of the elements of its diagonals that are not 0: row d of `data` is
 * the diagonal that begins offsets[d] to the right, and its element j lies in column j. */
spw_status spw_npz_expand_dia(spw_owned *owned, const spw_value_array *data, const spw_index_array *offsets, spw_tensor *tensor,
                              spw_error *error);

#endif
