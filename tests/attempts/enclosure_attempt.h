/* SPDX-License-Identifier: Apache-2.0 */
/* Claims of eigenpairs and singular triples of a matrix whose eigenvalues are known, held to what its judges say. */
#ifndef TESTS_ENCLOSURE_ATTEMPT_H
#define TESTS_ENCLOSURE_ATTEMPT_H

#include "../operands/specimen.h"

/* A matrix of blocks [[a, b], [b, a]] on the diagonal, of any layout, has the eigenvalues a + b and a - b. Claims are drawn,
 * right and wrong ones. A radius has to be the one that long doubles give, and an enclosure has to hold an eigenvalue, or a
 * singular value. Null when all that must hold does, else what does not. *certified: how many enclosures were. */
const char *attempt_any_enclosure(dice *d, int64_t *certified);

#endif
