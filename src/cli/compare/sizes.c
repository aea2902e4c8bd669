/* SPDX-License-Identifier: Apache-2.0 */
/* Differences that show before any element is looked at. */
#include "compare.h"

#include "../verdict/verdict.h"

bool are_equal(int64_t count, const int64_t *numbers, int64_t other_count, const int64_t *others)
{
  if (count != other_count) return false;
  for (int64_t i = 0; i < count; i++)
    if (numbers[i] != others[i]) return false;
  return true;
}

bool add_difference_of_sizes(cli_text *text, int64_t ndim, const int64_t *size, int64_t other_ndim,
                             const int64_t *other)
{
  if (are_equal(ndim, size, other_ndim, other)) return false;
  add_text(text, ": the size is ");
  add_sizes(text, ndim, size);
  add_text(text, " and ");
  add_sizes(text, other_ndim, other);
  return true;
}

bool add_difference_of_types(cli_text *text, const char *name, const spw_array *a, const spw_array *b)
{
  if (a->dtype == b->dtype) return false;
  add_format(text, ": %s are %s and %s", name, spw_dtype_name(a->dtype), spw_dtype_name(b->dtype));
  return true;
}
