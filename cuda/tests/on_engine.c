/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels_under_test.h"

#include "../check/on_host.h"

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
int kernels_under_test(const spw_tensor *tensor, spw_level level, uint64_t way,
                       spw_violation *first)
{
  const unsigned w = (unsigned)(way >> 32);
  const unsigned blocks = 1 + lesser(w % 4, w / 4 % 4),
                 threads = 32 * (1 + lesser(w / 16 % 3, w / 48 % 3));
  const bool small = kernels_under_test_tile ? kernels_under_test_tile == SMALL_TILE : w / 144 % 2;
  return (small ? spw_first_violation_in_small_tiles : spw_first_violation_on_host)(
      tensor, level, blocks, threads, way % 3 ? way : 0, first);
}
