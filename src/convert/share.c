/* SPDX-License-Identifier: Apache-2.0 */
#include "share.h"

/* So many elements take longer than a thread takes to begin. */
#define WORTH_A_THREAD 65536

int64_t spw_parts_of_work(int64_t elements, int threads)
{
#ifdef _OPENMP
  const int64_t worth = elements / WORTH_A_THREAD;
  const int most = SPW_AT_MOST(threads);
  return worth < 1 || most < 1 ? 1 : worth < most ? worth : most;
#else
  (void)elements, (void)threads;
  return 1;
#endif
}
