/* SPDX-License-Identifier: Apache-2.0 */
#include "place_columns.h"

#define SPW_TEMPLATE "../convert/cells/coo_places.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/places_rise.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/listed_entries.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/cells/put_place.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/put_run.inc"
#include "../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/kernels/place_columns.inc"
#include "../../core/each_index_type.h"
