/* SPDX-License-Identifier: Apache-2.0 */
#include "meaning.h"

#define SPW_TEMPLATE "../../proofs/lemmas/meaning.inc"
#include "../../src/core/each_index_type.h"
