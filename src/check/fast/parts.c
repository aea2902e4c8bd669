/* SPDX-License-Identifier: Apache-2.0 */
#include "../../core/lemmas.h"
#include "../../core/threads.h"
#include "parts.h"

/* Work that is worth a thread, in indices; and how much may be shared out before anybody asks whether a part
 * was invalid. */
#define PART_INDICES 65536
#define SHARED_INDICES (1024 * PART_INDICES)

#ifdef _OPENMP
#define SHARE_PARTS \
  _Pragma("omp parallel for collapse(2) schedule(dynamic, parts.chunk) reduction(&& : valid) num_threads(SPW_AT_MOST(threads))")
#else
#define SHARE_PARTS
#endif

/* level L1 */
spw_parts spw_parts_of(int64_t batches, int64_t C, int64_t nse)
{
  spw_parts parts = {0, 1, 1};
  if (C == 0 || C > INT64_MAX / 2 || nse > INT64_MAX / 2) return parts;
  const int64_t indices = C + nse;
  if (spw_product_fits(batches, indices, 2 * PART_INDICES)) return parts;
  parts.rows = PART_INDICES / (nse / C + 1) + 1;
  parts.chunk = PART_INDICES / indices + 1;
  parts.batches = SHARED_INDICES / indices + 1;
  //@ assert quotient: (SHARED_INDICES / indices) * indices <= SHARED_INDICES;
  //@ assert less: (SHARED_INDICES / indices) * C <= (SHARED_INDICES / indices) * indices;
  return parts;
}

#define SPW_TEMPLATE "../check/fast/parts.inc"
#include "../../core/each_index_type.h"
