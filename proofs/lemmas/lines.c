/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines.inc"
#include "../../src/core/each_index_type.h"
