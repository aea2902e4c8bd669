/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of COO by their positions: spw_listed_at_i32, spw_listed_at_i64. */
#ifndef SPW_CONVERT_INDICES_LOOKUP_LISTED_AT_H
#define SPW_CONVERT_INDICES_LOOKUP_LISTED_AT_H

#include "../../../check/coo/coo_rules.h"
#include "../../../../proofs/lemmas/times.h"
#include "../../../../spec/acsl/earlier.acsl"

#define SPW_TEMPLATE "../convert/indices/lookup/listed_at_contract.inc"
#include "../../../core/each_index_type.h"

#endif
