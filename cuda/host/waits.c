/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread calls to wait: it comes to its barrier or its warp function, and passes its turn on. */
#include "state.h"

void spw_engine_wait_at_barrier(bool vote, const char *where)
{
  spw_engine_pass(spw_engine_at_barrier(vote, where));
}

uint64_t spw_engine_wait_at_warp(spw_warp_op op, unsigned mask, uint64_t value, unsigned argument, const char *where)
{
  spw_engine_pass(spw_engine_at_warp(op, mask, value, argument, where));
  return spw_current()->is.got;
}
