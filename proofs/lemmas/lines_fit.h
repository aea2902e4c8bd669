/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that ascend are no longer than there are columns, which rule 5.3 asks: a ghost function, proved in lines_fit.c. */
#ifndef SPW_LEMMAS_LINES_FIT_H
#define SPW_LEMMAS_LINES_FIT_H

#include "lines.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_fit_contract.inc"
#include "../../src/core/each_index_type.h"

#endif
