/* SPDX-License-Identifier: Apache-2.0 */
#include "usable.h"
#include "values_given.h"

/*@ requires entries: \object_pointer(entries);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> usable_entries(entries, n); */
/* level L2 */
static int entries_usable(const int64_t *entries, int64_t n)
{
  return n >= 0 && n <= SPW_NDIM_MAX && (n == 0 || entries != NULL);
}

/*@ requires readable: \valid_read(a) && honest_array(a);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> usable_array(a); */
/* level L2 */
static int array_usable(const spw_array *a)
{
  return a->length >= 0 && entries_usable(a->shape, a->ndim) && entries_usable(a->strides, a->ndim);
}

/*@ requires readable: \valid_read(a) && honest_indices(a);
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> usable_indices(a); */
/* level L2 */
static int indices_usable(const spw_index_array *a)
{
  if (!array_usable(&a->array)) return 0;
  if (a->array.length == 0) return 1;
  if (a->array.dtype == SPW_INT32) return a->i32 != NULL;
  if (a->array.dtype == SPW_INT64) return a->i64 != NULL;
  return 1;
}

/* level L2 */
int spw_usable(const spw_tensor *tensor)
{
  if (tensor == NULL) return 0;
  if (tensor->has_size && !entries_usable(tensor->size, tensor->ndim)) return 0;
  if (tensor->layout != SPW_COO && !indices_usable(&tensor->compressed)) return 0;
  return indices_usable(&tensor->plain) && array_usable(&tensor->values.array) &&
         spw_values_given(&tensor->values);
}
