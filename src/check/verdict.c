/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict.h"

static const spw_verdict no = {SPW_OK, 0};
static const spw_verdict yes = {SPW_OK, 1};

#define SPW_TEMPLATE "../check/verdict.inc"
#include "../core/each_index_type.h"

spw_verdict spw_verdict_of(const spw_tensor *t, spw_level level)
{
  if (!spw_shape_holds(t)) return no;
  if (level == SPW_SHAPE) return yes;
  if (t->layout == SPW_COO)
    return t->plain.array.dtype == SPW_INT32 ? coo_verdict_i32(t, level) : coo_verdict_i64(t, level);
  return t->compressed.array.dtype == SPW_INT32 ? compressed_verdict_i32(t, level) : compressed_verdict_i64(t, level);
}
