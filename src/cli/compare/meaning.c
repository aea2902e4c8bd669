/* SPDX-License-Identifier: Apache-2.0 */
/* The first difference in meaning, in words. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

static void add_side(cli_text *text, const meaning *side, const void *value)
{
  static const char zero[16];
  if (value || side->is_dense)
    add_value(text, side->tensor->values.array.dtype, value ? value : zero);
  else
    add_text(text, "unspecified");
}

static void add_position(cli_text *text, int64_t ndim, const int64_t *position)
{
  add_text(text, " at (");
  for (int64_t d = 0; d < ndim; d++) add_format(text, d ? ", %lld" : "%lld", (long long)position[d]);
  add_text(text, "): ");
}

/* Both are canonical: what they take is room for two positions, and cannot be refused. */
static spw_first_difference find_difference(const meaning *a, const meaning *b, bool as_dense, int64_t *position)
{
  spw_first_difference first = {SPW_NO_DIFFERENCE, NULL, NULL};
  size_t bytes = 0;
  (void)spw_same_meaning_size_unchecked(a->tensor, b->tensor, SPW_COMBINE_SUM, &bytes, NULL);
  void *work = allocate(bytes, 1);
  (void)spw_same_meaning_unchecked(a->tensor, b->tensor, SPW_COMBINE_SUM, as_dense, work, bytes, position, a->tensor->ndim,
                                   &first, NULL);
  free(work);
  return first;
}

bool add_difference_of_meaning(cli_text *text, const meaning *a, const meaning *b, bool as_dense)
{
  const spw_tensor *s = a->tensor, *t = b->tensor;
  int64_t *position = allocate((size_t)s->ndim, sizeof *position);
  const spw_first_difference first = find_difference(a, b, as_dense || a->is_dense || b->is_dense, position);
  switch (first.kind) {
  case SPW_NO_DIFFERENCE: break;
  case SPW_OTHER_SIZE: (void)add_difference_of_sizes(text, s->ndim, s->size, t->ndim, t->size); break;
  case SPW_OTHER_TYPE: (void)add_difference_of_types(text, "values", &s->values.array, &t->values.array); break;
  case SPW_OTHER_VALUE:
    add_position(text, s->ndim, position);
    add_side(text, a, first.a);
    add_text(text, " and ");
    add_side(text, b, first.b);
    break;
  }
  free(position);
  return first.kind != SPW_NO_DIFFERENCE;
}
