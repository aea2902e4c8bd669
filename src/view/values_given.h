/* SPDX-License-Identifier: Apache-2.0 */
/* Are there values behind the pointer to them? */
#ifndef SPW_VIEW_VALUES_GIVEN_H
#define SPW_VIEW_VALUES_GIVEN_H

#include "../sparsewright_core.h"

/*@ requires readable: \valid_read(values);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> (values->array.length > 0 ==> values->data != \null); */
int spw_values_given(const spw_value_array *values);

#endif
