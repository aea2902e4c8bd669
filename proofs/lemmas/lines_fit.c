/* SPDX-License-Identifier: Apache-2.0 */
#include "lines_fit.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_fit.inc"
#include "../../src/core/each_index_type.h"
