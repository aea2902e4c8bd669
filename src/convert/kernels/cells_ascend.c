/* SPDX-License-Identifier: Apache-2.0 */
#include "sort_cells.h"

int spw_cells_ascend(const spw_cell *a, int64_t n)
{
  int strict = 1;
  for (int64_t k = 1; k < n; k++) {
    if (a[k].key < a[k - 1].key) return 0;
    if (a[k].key == a[k - 1].key) strict = 0;
  }
  return 1 + strict;
}
