/* SPDX-License-Identifier: Apache-2.0 */
#include "inference.h"
#include "extent_of.h"
#include "inferred_fits.h"

#define SPW_TEMPLATE "../check/infer/infer_plain.inc"
#include "../../core/each_index_type.h"
