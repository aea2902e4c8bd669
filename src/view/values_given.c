/* SPDX-License-Identifier: Apache-2.0 */
#include "values_given.h"

/* level L2 */
int spw_values_given(const spw_value_array *values)
{
  return values->array.length <= 0 || values->data != NULL;
}
