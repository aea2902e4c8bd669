/* SPDX-License-Identifier: Apache-2.0 */
#include "batch_room.h"
#include "lines_to_blocks.h"

/* Lines of the result's blocks are their rows, or in BSC their columns. */
static spw_block_shape shape_of_blocks(const spw_plan *plan)
{
  const int major = spw_major_of(plan->to.layout);
  const spw_block_shape shape = {plan->out_block[major], plan->out_block[1 - major], major ? 1 : plan->out_block[1],
                                 major ? plan->out_block[1] : 1};
  return shape;
}

#define SPW_TEMPLATE "../convert/batch_room.inc"
#include "../core/each_index_type.h"
