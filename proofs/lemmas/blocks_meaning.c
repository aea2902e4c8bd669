/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks_meaning.h"

#define SPW_TEMPLATE "../../proofs/lemmas/blocks_meaning.inc"
#include "../../src/core/each_index_type.h"
