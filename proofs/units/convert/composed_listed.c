/* SPDX-License-Identifier: Apache-2.0 */
/* The proof that spw_list_part lists lines as the last step of a conversion does, for any payload. */
#include "payload/any.h"
#include "../../../src/convert/indices/coordinates/list_part.h"
#include "../../lemmas/times_part.h"
#include "../../../src/convert/indices/offsets/join_lines.h"
#include "../../lemmas/meaning.h"
#include "../../lemmas/parts.h"

#define SPW_TEMPLATE "../../proofs/units/convert/composed/list_words.inc"
#include "../../../src/core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/units/convert/composed/composed_listed.inc"
#include "../../../src/core/each_index_type.h"
