/* SPDX-License-Identifier: Apache-2.0 */
#include "join_lines.h"
#include "../../../../proofs/lemmas/grid_frame.h"

#define SPW_TEMPLATE "../../spec/acsl/unchanged_indices.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/offsets/join_lines.inc"
#include "../../../core/each_index_type.h"
