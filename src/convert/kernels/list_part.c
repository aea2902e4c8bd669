/* SPDX-License-Identifier: Apache-2.0 */
#include "list_part.h"
#include "times_apart.h"
#include "times_part.h"
#include "../cells/grid_frame.h"

#define SPW_TEMPLATE "../../spec/acsl/unchanged_indices.acsl"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../../spec/acsl/lines_within.acsl"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/lines_frame.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/cells_frame.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/listed_frame.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/list_part.inc"
#include "../../core/each_index_type.h"
