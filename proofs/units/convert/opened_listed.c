/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of what blocks, opened and listed, come to, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/coordinates/batch_lines.h"
#include "../../../src/convert/indices/offsets/join_lines.h"
#include "../../lemmas/meaning.h"
#include "../../lemmas/parts.h"

#define SPW_TEMPLATE "../../proofs/units/convert/composed/list_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/units/convert/composed/element_listed.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/units/convert/composed/opened_listed.inc"
#include "../../../src/core/each_index_type.h"
