/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of what each step of a conversion of all batches does to one, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/offsets/join_lines.h"
#include "../../lemmas/meaning.h"
#include "../../lemmas/parts.h"

#define SPW_TEMPLATE "../../proofs/units/convert/composed/composed_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/units/convert/composed/composed.inc"
#include "../../../src/core/each_index_type.h"
