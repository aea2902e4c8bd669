/* SPDX-License-Identifier: Apache-2.0 */
#include "retype.h"
#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/times_at.h"
#include "../../../../proofs/lemmas/grid_frame.h"

#define SPW_TEMPLATE "../../spec/acsl/unchanged_indices.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/offsets/retype.inc"
#include "../../../core/each_index_pair.h"
