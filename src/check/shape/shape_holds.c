/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_tests.h"

/* level L2 */
int spw_shape_holds(const spw_tensor *t)
{
  if (t->layout == SPW_COO) return spw_coo_shape_holds(t);
  if (t->layout != SPW_CSR && t->layout != SPW_CSC && t->layout != SPW_BSR && t->layout != SPW_BSC)
    return 0;
  return spw_compressed_shape_holds(t);
}
