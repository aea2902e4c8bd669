/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market files, judged from outside: 2-D COO with values that have a text. */
#ifndef FUZZ_MTX_VALUES_H
#define FUZZ_MTX_VALUES_H

#include "../../src/sparsewright.h"

/* Is it a sized matrix in COO whose shape rules hold, without dense dimensions? */
bool fuzz_is_mtx(const spw_tensor *tensor);

/* Is it such a matrix, has each of its elements a text that reads back with the same bits, and have no two of
 * them a sum that another type would not give? */
bool fuzz_mtx_has_text(const spw_tensor *tensor);

/* Null when `read` has the same elements in the same order, as equal numbers of the widest types;
 * else the first that differs. */
const char *fuzz_mtx_difference(const spw_tensor *tensor, const spw_tensor *read);

#endif
