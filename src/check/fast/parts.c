/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

/* Work that is worth a thread, in indices. */
#define PART_INDICES 65536

#ifdef _OPENMP
#define SHARE_PARTS \
  _Pragma("omp parallel for collapse(2) schedule(dynamic, parts.chunk) reduction(&& : valid) num_threads(threads)")
#else
#define SHARE_PARTS
#endif

/* level L1 */
spw_parts spw_parts_of(int64_t batches, int64_t C, int64_t nse)
{
  spw_parts parts = {0, 1};
  if (C == 0 || C > INT64_MAX / 2 || nse > INT64_MAX / 2) return parts;
  const int64_t indices = C + nse;
  if (spw_product_fits(batches, indices, 2 * PART_INDICES)) return parts;
  parts.rows = PART_INDICES / (nse / C + 1) + 1;
  parts.chunk = PART_INDICES / indices + 1;
  return parts;
}

#define SPW_TEMPLATE "../check/fast/parts.inc"
#include "../../core/each_index_type.h"
