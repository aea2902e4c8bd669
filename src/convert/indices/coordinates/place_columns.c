/* SPDX-License-Identifier: Apache-2.0 */
#include "place_columns.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/coo_places.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/places_rise.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/listed_entries.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/put_place.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/put_run.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/place_columns.inc"
#include "../../../core/each_index_type.h"
