/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two tensors array by array, element by element, whatever their strides are. */
#include "compare.h"

#include "../verdict/verdict.h"

#include <stdlib.h>
#include <string.h>

/* An array that is walked in the order of its positions. */
typedef struct member {
  const char *name;
  const spw_array *array;
  const char *data;
} member;

static const void *storage_of(const spw_index_array *indices)
{
  return indices->array.dtype == SPW_INT32 ? (const void *)indices->i32 : indices->i64;
}

static member member_of(const spw_tensor *t, spw_member which)
{
  const void *data = which == SPW_MEMBER_VALUES       ? t->values.data
                     : which == SPW_MEMBER_COMPRESSED ? storage_of(&t->compressed) : storage_of(&t->plain);
  return (member){spw_member_name(t->layout, which), member_array(t, which), data};
}

static const char *element_at(const member *m, const int64_t *position)
{
  int64_t at = m->array->offset;
  for (int64_t d = 0; d < m->array->ndim; d++) at += position[d] * m->array->strides[d];
  return m->data + at * spw_dtype_size(m->array->dtype);
}

/* To the next position; false behind the last. */
static bool advance(const spw_array *array, int64_t *position)
{
  for (int64_t d = array->ndim - 1; d >= 0; d--) {
    if (++position[d] < array->shape[d]) return true;
    position[d] = 0;
  }
  return false;
}

static void add_place(cli_text *text, const member *m, const int64_t *position)
{
  add_format(text, " at %s[", m->name);
  for (int64_t d = 0; d < m->array->ndim; d++)
    add_format(text, d ? ", %lld" : "%lld", (long long)position[d]);
  add_text(text, "]: ");
}

static bool add_difference_of_elements(cli_text *text, const member *a, const member *b)
{
  const size_t size = (size_t)spw_dtype_size(a->array->dtype);
  int64_t *position = allocate((size_t)a->array->ndim, sizeof *position);
  bool found = false;
  for (bool more = count_positions(a->array) > 0; more && !found; more = advance(a->array, position)) {
    const char *of_a = element_at(a, position), *of_b = element_at(b, position);
    if (memcmp(of_a, of_b, size) == 0) continue;
    found = true;
    add_place(text, a, position);
    add_value(text, a->array->dtype, of_a);
    add_text(text, " and ");
    add_value(text, b->array->dtype, of_b);
  }
  free(position);
  return found;
}

static bool add_difference_of_members(cli_text *text, const spw_tensor *a, const spw_tensor *b, spw_member which)
{
  if (!has_member(a->layout, which)) return false;
  const member of_a = member_of(a, which), of_b = member_of(b, which);
  if (add_difference_of_types(text, of_a.name, of_a.array, of_b.array)) return true;
  const int64_t ndim = of_a.array->ndim;
  if (are_equal(ndim, of_a.array->shape, of_b.array->ndim, of_b.array->shape))
    return add_difference_of_elements(text, &of_a, &of_b);
  add_format(text, ": the shape of %s is ", of_a.name);
  add_sizes(text, ndim, of_a.array->shape);
  add_text(text, " and ");
  add_sizes(text, of_b.array->ndim, of_b.array->shape);
  return true;
}

/* The size of a valid tensor, given or inferred, to free(). */
static int64_t *size_of(const spw_tensor *t, int64_t *ndim)
{
  const bool is_dense = t->layout == SPW_DENSE;
  *ndim = count_dimensions(t);
  int64_t *size = allocate((size_t)*ndim, sizeof *size);
  const int64_t *given = is_dense ? t->values.array.shape : t->size;
  if (!is_dense && !t->has_size)
    spw_infer_size(t, size, *ndim, ndim);
  else
    for (int64_t d = 0; d < *ndim; d++) size[d] = given[d];
  return size;
}

static bool add_difference_of_whole_sizes(cli_text *text, const spw_tensor *a, const spw_tensor *b)
{
  int64_t ndim_of_a, ndim_of_b;
  int64_t *of_a = size_of(a, &ndim_of_a), *of_b = size_of(b, &ndim_of_b);
  const bool found = add_difference_of_sizes(text, ndim_of_a, of_a, ndim_of_b, of_b);
  free(of_a);
  free(of_b);
  return found;
}

bool add_difference_of_bits(cli_text *text, const spw_tensor *a, const spw_tensor *b)
{
  if (a->layout != b->layout) {
    add_format(text, ": the layout is %s and %s", spw_layout_name(a->layout), spw_layout_name(b->layout));
    return true;
  }
  return add_difference_of_whole_sizes(text, a, b) || add_difference_of_members(text, a, b, SPW_MEMBER_COMPRESSED)
         || add_difference_of_members(text, a, b, SPW_MEMBER_PLAIN)
         || add_difference_of_members(text, a, b, SPW_MEMBER_VALUES);
}
