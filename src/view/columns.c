/* SPDX-License-Identifier: Apache-2.0 */
#include "entry_of.h"

/* level L2 */
int64_t spw_column_at(spw_columns g, int64_t length, int64_t d, int64_t k)
{
  return entry_of(g, length, d, k);
}
