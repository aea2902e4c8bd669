/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels_under_test.h"

#include "../check/on_host.h"

int kernels_under_test_begin(void)
{
  return 0;
}

void kernels_under_test_end(void)
{
  spw_engine_release();
}

int kernels_under_test(const spw_tensor *tensor, spw_level level, uint64_t way,
                       spw_violation *first)
{
  const unsigned blocks = 1 + (unsigned)(way % 4), threads = 32 * (1 + (unsigned)(way / 4 % 3));
  return spw_first_violation_on_host(tensor, level, blocks, threads, way / 12 % 3 ? way : 0, first);
}
