/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels_under_test.h"

#include "../convert/on_host.h"

int kernels_under_test_tile;

int kernels_under_test_begin(void)
{
  return 0;
}

void kernels_under_test_end(void)
{
  spw_engine_release();
}

static unsigned lesser(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Small grids more often than large ones: a thread costs the same in each. */
typedef struct launch {
  unsigned blocks, threads;
  uint64_t seed;
  bool small; /* tiles */
} launch;

static launch launch_of(uint64_t way)
{
  const unsigned w = (unsigned)(way >> 32);
  const unsigned blocks = lesser(w % 4, lesser(w / 4 % 4, w / 16 % 4)), warps = lesser(w / 64 % 3, w / 192 % 3);
  const launch l = {1 + blocks, 32 * (1 + warps), way % 3 ? way : 0,
                    kernels_under_test_tile ? kernels_under_test_tile == SMALL_TILE : w / 576 % 2};
  return l;
}

int kernels_under_test(const spw_tensor *tensor, spw_level level, uint64_t way,
                       spw_violation *first)
{
  const launch l = launch_of(way);
  return (l.small ? spw_first_violation_in_small_tiles : spw_first_violation_on_host)(tensor, level, l.blocks, l.threads,
                                                                                      l.seed, first);
}

int convert_room_under_test(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room, spw_refusal *refusal)
{
  spw_convert_plan plan;
  const spw_status status = spw_convert_plan_make(tensor, wanted, &plan, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

int convert_under_test(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, uint64_t way,
                       spw_tensor *result, spw_refusal *refusal)
{
  const launch l = launch_of(way);
  return (l.small ? spw_convert_in_small_tiles : spw_convert_on_host)(tensor, wanted, buffers, l.blocks, l.threads, l.seed,
                                                                      result, refusal);
}
