/* SPDX-License-Identifier: Apache-2.0 */
#include "retype.h"
#include "lines.h"
#include "times_at.h"
#include "../cells/grid_frame.h"

#define SPW_TEMPLATE "../../spec/acsl/unchanged_indices.acsl"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/lines_frame.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/retype.inc"
#include "../../core/each_index_pair.h"
