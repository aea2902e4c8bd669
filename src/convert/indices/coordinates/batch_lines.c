/* SPDX-License-Identifier: Apache-2.0 */
#include "batch_lines.h"
#include "../offsets/rows_meaning.h"
#include "../../../../proofs/lemmas/times_at.h"
#include "../../../../proofs/lemmas/times_part.h"
#include "../../../../proofs/lemmas/grid_frame.h"

#define SPW_TEMPLATE "../../spec/acsl/unchanged_indices.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../spec/acsl/lines_within.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/cells_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/listed_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/batch_rules.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/batch_lines.inc"
#include "../../../core/each_index_type.h"
