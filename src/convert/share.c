/* SPDX-License-Identifier: Apache-2.0 */
#include "share.h"

/* So many elements take longer than a thread takes to begin. */
#define WORTH_A_THREAD SPW_OR_SMALL(65536, 3)

int64_t spw_parts_of_work(int64_t elements, int threads)
{
  const int64_t worth = elements / WORTH_A_THREAD;
  const int most = SPW_HAS_PARTS ? SPW_AT_MOST(threads) : 1;
  return worth < 1 || most < 1 ? 1 : worth < most ? worth : most;
}
