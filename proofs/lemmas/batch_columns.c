/* SPDX-License-Identifier: Apache-2.0 */
#include "batch_columns.h"
#include "times_apart.h"
#include "times_at.h"

#define SPW_TEMPLATE "../../proofs/lemmas/batch_columns.inc"
#include "../../src/core/each_index_type.h"
