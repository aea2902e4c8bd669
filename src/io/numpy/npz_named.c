/* SPDX-License-Identifier: Apache-2.0 */
#include "npz_named.h"
#include "../numbers/byte_order.h"
#include "../arrays/group.h"
#include "npz_member.h"
#include "../arrays/row_major.h"

#include <stdlib.h>
#include <string.h>

static bool has_array(void *context, const char *name)
{
  return spw_npz_find(context, name) != NULL;
}

/* Kind 0: a type that is none of ours. */
static spw_stored stored_as(spw_dtype dtype)
{
  static const char kinds[] = {[SPW_BOOL] = 'b', [SPW_UINT8] = 'u', [SPW_INT8] = 'i', [SPW_INT16] = 'i', [SPW_INT32] = 'i',
                               [SPW_INT64] = 'i', [SPW_FLOAT16] = 'f', [SPW_FLOAT32] = 'f', [SPW_FLOAT64] = 'f',
                               [SPW_COMPLEX64] = 'c', [SPW_COMPLEX128] = 'c'};
  const bool known = dtype > SPW_DTYPE_NONE && (size_t)dtype < sizeof kinds;
  return (spw_stored){known ? kinds[dtype] : 0, known ? (int)spw_dtype_size(dtype) : 0};
}

/* Its header, and the type and length of its elements. */
static spw_status open_array(spw_npz *a, const char *name, spw_npy_array *m, spw_stored *type)
{
  spw_status status = spw_npz_open_entry(a, spw_npz_find(a, name), name, m);
  *type = status ? (spw_stored){0, 0} : spw_npz_unsigned(&m->npy);
  if (status || !type->kind) {
    if (!status) status = spw_npy_check_numbers(m, a->error);
    *type = status ? *type : stored_as(m->dtype);
    return status;
  }
  m->dtype = spw_dtype_of_stored(*type);
  m->swapped = m->npy.descr[0] == '>';
  return spw_npy_check_length(m, type->size, a->error);
}

static spw_status find_array(void *context, const char *name, spw_part *part, spw_error *error)
{
  spw_npy_array m;
  spw_stored type;
  (void)error; /* which is that of the file */
  const spw_status status = open_array(context, name, &m, &type);
  if (status) return status;
  *part = (spw_part){.type = type, .type_name = "of another kind", .ndim = m.npy.ndim, .count = m.count};
  memcpy(part->shape, m.npy.shape, (size_t)m.npy.ndim * sizeof *part->shape);
  return SPW_OK;
}

/* Elements in the order of columns go to that of rows. */
static spw_status to_row_major(const spw_npy_array *m, size_t width, void *elements, spw_error *error)
{
  const spw_array array = {.ndim = m->npy.ndim, .shape = m->npy.shape, .strides = m->strides, .length = m->count};
  void *const copy = malloc((size_t)m->count * width + 1);
  if (!copy) return spw_fail(SPW_ENOMEM, error, m->name, "no memory");
  spw_row_major_copy(&array, elements, width, copy);
  memcpy(elements, copy, (size_t)m->count * width);
  free(copy);
  return SPW_OK;
}

static spw_status read_array(void *context, const char *name, const spw_part *part, void *elements, spw_error *error)
{
  spw_npz *const a = context;
  spw_npy_array m;
  spw_stored type;
  spw_status status = open_array(a, name, &m, &type);
  const size_t width = (size_t)part->type.size;
  if (!status) status = spw_npz_read_elements(a, &m, elements);
  if (status) return status;
  if (m.swapped) spw_reverse_bytes(elements, (size_t)m.count * width, type.kind == 'c' ? width / 2 : width);
  return m.npy.fortran_order && m.count > 0 ? to_row_major(&m, width, elements, error) : SPW_OK;
}

spw_status spw_npz_read_members(const void *bytes, size_t size, const spw_members *members, spw_owned *owned, spw_error *error)
{
  spw_npz a = {.owned = owned, .error = error};
  if (size == 0) return spw_fail(SPW_EFORMAT, error, "", "zip: empty file");
  const spw_group g = {.context = &a, .has = has_array, .find = find_array, .read = read_array, .coalesced = SPW_CLAIM_NONE,
                       .ndim = -1, .members = members};
  spw_status status = spw_npz_open(&a, bytes, size);
  if (!status) status = spw_group_read(&g, owned, error);
  return status ? status : spw_npz_check_rest(&a);
}
