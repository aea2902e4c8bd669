/* SPDX-License-Identifier: Apache-2.0 */
#include "range_of.h"

#define SPW_TEMPLATE "../check/infer/range_of_body.inc"
#include "../../core/each_index_type.h"
