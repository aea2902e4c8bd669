/* SPDX-License-Identifier: Apache-2.0 */
/* The later phases of the compressed layouts, given that the shape rules hold. */
#ifndef SPW_CHECK_COMPRESSED_H
#define SPW_CHECK_COMPRESSED_H

#include "index/index_rules.h"
#include "infer/inference.h"
#include "../../spec/acsl/lines.acsl"

#define SPW_TEMPLATE "../check/compressed_rules.inc"
#include "../core/each_index_type.h"

#endif
