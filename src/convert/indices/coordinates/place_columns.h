/* SPDX-License-Identifier: Apache-2.0 */
/* Row-major places become the coordinates of a COO tensor: spw_place_columns_i32, spw_place_columns_i64. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_PLACE_COLUMNS_H
#define SPW_CONVERT_INDICES_COORDINATES_PLACE_COLUMNS_H

#include "coo_entry.h"
#include "batch_coordinate.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/place_columns_contract.inc"
#include "../../../core/each_index_type.h"

#endif
