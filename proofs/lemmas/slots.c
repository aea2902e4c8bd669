/* SPDX-License-Identifier: Apache-2.0 */
#include "slots.h"

#define SPW_TEMPLATE "../../proofs/lemmas/slots.inc"
#include "../../src/core/each_index_type.h"
