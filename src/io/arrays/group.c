/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse tensors by the names of dense arrays. */
#include "group.h"
#include "../numbers/widen.h"

#include <stdio.h>
#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

typedef struct naming {
  const char *compressed, *plain, *column, *values; /* column: of COO whose coordinates are two arrays */
  unsigned layouts; /* that these names may mean */
} naming;

#define BIT(layout) (1u << (layout))

static const naming namings[] = {
    {"crow_indices", "col_indices", NULL, "values", BIT(SPW_CSR) | BIT(SPW_BSR)},
    {"ccol_indices", "row_indices", NULL, "values", BIT(SPW_CSC) | BIT(SPW_BSC)},
    {"indptr", "indices", NULL, "data", BIT(SPW_CSR) | BIT(SPW_CSC) | BIT(SPW_BSR) | BIT(SPW_BSC)},
    {NULL, "row", "col", "data", BIT(SPW_COO)},
    {NULL, "indices", NULL, "values", BIT(SPW_COO)},
};

/* Of names that the caller gives, all must be there, and *missing is one that is not. */
static bool given_naming(const spw_group *g, naming *n, const char **missing)
{
  const spw_members *const m = g->members;
  const char *const names[] = {m->compressed, m->plain, m->values, m->size};
  *n = (naming){m->compressed, m->plain, NULL, m->values,
                m->compressed ? BIT(SPW_CSR) | BIT(SPW_CSC) | BIT(SPW_BSR) | BIT(SPW_BSC) : BIT(SPW_COO)};
  for (size_t k = 0; k < 4; k++) {
    if (!names[k] || g->has(g->context, names[k])) continue;
    *missing = names[k];
    return false;
  }
  return true;
}

static const naming *naming_of(const spw_group *g)
{
  for (size_t i = 0; i < sizeof namings / sizeof *namings; i++) {
    const naming *const n = &namings[i];
    const char *const names[] = {n->compressed, n->plain, n->column, n->values};
    bool all = true;
    for (size_t k = 0; k < 4; k++) all = all && (!names[k] || g->has(g->context, names[k]));
    if (all) return n;
  }
  return NULL;
}

const char *spw_group_values(const spw_group *group)
{
  const naming *const n = naming_of(group);
  return n ? n->values : NULL;
}

static const char *size_name(const spw_group *g)
{
  if (g->members) return g->members->size;
  return g->has(g->context, "size") ? "size" : g->has(g->context, "shape") ? "shape" : NULL;
}

size_t spw_group_parts(const spw_group *group)
{
  const naming *const n = naming_of(group);
  return n ? 2u + (n->compressed || n->column) + (size_name(group) != NULL) : 0;
}

int spw_layout_of_word(const char *word)
{
  static const char *const before[] = {"torch.sparse_", "torch.", "sparse_"};
  char name[8] = "";
  for (size_t i = 0; i < 3; i++) {
    const size_t length = strlen(before[i]);
    if (strncmp(word, before[i], length) != 0) continue;
    word += length;
    break;
  }
  const size_t length = strcspn(word, "_");
  if (length >= sizeof name) return -1;
  if (word[length] && strcmp(word + length, "_matrix") != 0 && strcmp(word + length, "_array") != 0) return -1;
  memcpy(name, word, length);
  const int layout = spw_layout_from_name(name);
  return layout < SPW_LAYOUT_COUNT ? layout : -1;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

void spw_point_index(spw_index_array *index, const void *elements)
{
  index->i32 = index->array.dtype == SPW_INT32 ? elements : NULL;
  index->i64 = index->array.dtype == SPW_INT64 ? elements : NULL;
  index->raw = elements;
}

static spw_status no_room(const char *name, spw_error *error)
{
  return spw_fail(SPW_ENOMEM, error, name, "its elements take more than the memory limit");
}

spw_status spw_part_describe(spw_owned *owned, const char *name, const spw_part *part, spw_dtype dtype, spw_array *array,
                             spw_error *error)
{
  const size_t ndim = (size_t)part->ndim;
  int64_t *const dims = spw_owned_alloc(owned, ndim, 2 * sizeof *dims), step = 1;
  if (!dims) return no_room(name, error);
  for (size_t d = ndim; d-- > 0;) {
    dims[d] = part->shape[d];
    dims[ndim + d] = step;
    if (part->shape[d] > 0 && __builtin_mul_overflow(step, part->shape[d], &step))
      return spw_fail(SPW_EFORMAT, error, name, "the product of the shape is beyond 64 bits");
  }
  *array = (spw_array){dtype, part->ndim, dims, dims + ndim, 0, part->count};
  return SPW_OK;
}

static spw_status read_elements(const spw_group *g, spw_owned *owned, const char *name, const spw_part *part, spw_array *array,
                                const void **elements, spw_error *error)
{
  const spw_dtype dtype = spw_dtype_of_stored(part->type);
  if (dtype == SPW_DTYPE_NONE)
    return spw_fail(SPW_EUNSUPPORTED, error, name, "its element type %s is none of the library's", part->type_name);
  spw_status status = spw_part_describe(owned, name, part, dtype, array, error);
  if (status) return status;
  void *const memory = spw_owned_alloc(owned, (size_t)part->count, spw_size_as_read(part->type));
  if (!memory) return no_room(name, error);
  *elements = memory;
  status = g->read(g->context, name, part, spw_place_stored(part->type, part->count, memory), error);
  return status ? status : spw_widen_stored(part->type, part->count, memory, name, error);
}

spw_status spw_group_read_part(const spw_group *g, spw_owned *owned, const char *name, spw_array *array, const void **elements,
                               spw_error *error)
{
  spw_part part;
  const spw_status status = g->find(g->context, name, &part, error);
  return status ? status : read_elements(g, owned, name, &part, array, elements, error);
}

static spw_status read_index(const spw_group *g, spw_owned *owned, const char *name, spw_index_array *index, spw_error *error)
{
  const void *elements = NULL;
  const spw_status status = spw_group_read_part(g, owned, name, &index->array, &elements, error);
  if (!status) spw_point_index(index, elements);
  return status;
}

/* ---- Types of indices ------------------------------------------------------------------------ */

static bool is_integer(const spw_index_array *a)
{
  return a->array.dtype >= SPW_UINT8 && a->array.dtype <= SPW_INT64;
}

static bool is_index(const spw_index_array *a)
{
  return a->array.dtype == SPW_INT32 || a->array.dtype == SPW_INT64;
}

static spw_status widen_index(spw_owned *owned, spw_index_array *a, spw_error *error)
{
  const int64_t width = spw_dtype_size(a->array.dtype);
  if (a->array.dtype == SPW_INT64) return SPW_OK;
  int64_t *const numbers = spw_owned_alloc(owned, (size_t)a->array.length, sizeof *numbers);
  if (!numbers) return no_room("indices", error);
  for (int64_t i = 0; i < a->array.length; i++)
    numbers[i] = spw_widen_integer(a->array.dtype, (const char *)a->raw + i * width);
  a->array.dtype = SPW_INT64;
  spw_point_index(a, numbers);
  return SPW_OK;
}

spw_status spw_unify_indices(spw_owned *owned, spw_index_array *a, spw_index_array *b, spw_error *error)
{
  if (!is_integer(a) || !is_integer(b) || (is_index(a) && is_index(b))) return SPW_OK;
  const spw_status status = widen_index(owned, a, error);
  return status ? status : widen_index(owned, b, error);
}

/* ---- Layouts --------------------------------------------------------------------------------- */

/* More dimensions of the values than of the indices: those of blocks, or dense ones. */
static int64_t more_dimensions(const spw_tensor *t)
{
  return t->values.array.ndim - t->plain.array.ndim;
}

static spw_status choose_layout(const spw_group *g, const naming *n, spw_tensor *t, spw_error *error)
{
  const bool given = g->members && g->members->layout >= 0;
  const int said = given ? g->members->layout : spw_layout_of_word(g->layout);
  if ((given || g->layout[0]) && (said < 0 || !(n->layouts & BIT(said))))
    return spw_fail(SPW_EFORMAT, error, n->plain, "the file says that the layout is '%.31s', and its arrays are not of that one",
                    g->layout);
  if (given || g->layout[0]) {
    t->layout = (spw_layout)said;
  } else if (!g->members && n->compressed && strcmp(n->compressed, "indptr") == 0) {
    return spw_fail(SPW_EUNSUPPORTED, error, n->compressed, "the file does not say whether the layout is csr or csc");
  } else {
    t->layout = n->layouts & BIT(SPW_CSR) ? SPW_CSR : n->layouts & BIT(SPW_CSC) ? SPW_CSC : SPW_COO;
    if (n->compressed && more_dimensions(t) > 1)
      return spw_fail(SPW_EUNSUPPORTED, error, n->values, "the file does not say whether the values are blocks");
  }
  return SPW_OK;
}

spw_status spw_join_indices(spw_owned *owned, spw_index_array *row, spw_index_array *column, const char *name,
                            spw_index_array *both, spw_error *error)
{
  const int64_t nse = row->array.length;
  if (row->array.ndim != 1 || column->array.ndim != 1 || column->array.length != nse)
    return spw_fail(SPW_EFORMAT, error, name, "the coordinates must be 1-D, and of one length");
  /* Of one type they stay as they are stored: rule 1.3 judges it. */
  const bool alike = row->array.dtype == column->array.dtype;
  if (!alike && !(is_integer(row) && is_integer(column)))
    return spw_fail(SPW_EFORMAT, error, name, "the coordinates must be integers");
  spw_status status = alike ? SPW_OK : widen_index(owned, row, error);
  if (!status && !alike) status = widen_index(owned, column, error);
  const spw_dtype dtype = alike ? row->array.dtype : SPW_INT64;
  const size_t width = (size_t)spw_dtype_size(dtype);
  const spw_part part = {.ndim = 2, .count = 2 * nse, .shape = {2, nse}};
  if (!status) status = spw_part_describe(owned, name, &part, dtype, &both->array, error);
  if (status) return status;
  char *const elements = spw_owned_alloc(owned, (size_t)nse, 2 * width);
  if (!elements) return no_room(name, error);
  if (nse > 0) {
    memcpy(elements, row->raw, (size_t)nse * width);
    memcpy(elements + (size_t)nse * width, column->raw, (size_t)nse * width);
  }
  spw_point_index(both, elements);
  return SPW_OK;
}

/* Coordinates that are two arrays become one of two rows. */
static spw_status read_pair(const spw_group *g, const naming *n, spw_owned *owned, spw_tensor *t, spw_error *error)
{
  spw_index_array row = {.raw = NULL}, column = {.raw = NULL};
  spw_status status = read_index(g, owned, n->plain, &row, error);
  if (!status) status = read_index(g, owned, n->column, &column, error);
  return status ? status : spw_join_indices(owned, &row, &column, n->column, &t->plain, error);
}

/* ---- Size ------------------------------------------------------------------------------------ */

static spw_status hold_size(spw_owned *owned, int64_t ndim, const int64_t *size, spw_tensor *t, spw_error *error)
{
  int64_t *const copy = spw_owned_alloc(owned, (size_t)ndim, sizeof *copy);
  if (!copy) return no_room("size", error);
  if (ndim > 0) memcpy(copy, size, (size_t)ndim * sizeof *copy);
  t->has_size = true;
  t->ndim = ndim;
  t->size = copy;
  return SPW_OK;
}

static spw_status read_size_array(const spw_group *g, spw_owned *owned, const char *name, spw_tensor *t, spw_error *error)
{
  spw_index_array size = {.raw = NULL};
  spw_part part;
  spw_status status = g->find(g->context, name, &part, error);
  if (!status && (part.ndim != 1 || part.count > SPW_GROUP_DIMS || !strchr("iu", part.type.kind) || !part.type.kind))
    status = spw_fail(SPW_EFORMAT, error, name, "must be 1-D, of at most %d integers", SPW_GROUP_DIMS);
  if (!status) status = read_index(g, owned, name, &size, error);
  if (!status) status = widen_index(owned, &size, error);
  return status ? status : hold_size(owned, size.array.length, size.i64, t, error);
}

static spw_status read_size(const spw_group *g, spw_owned *owned, spw_tensor *t, spw_error *error)
{
  const char *const name = size_name(g);
  if (name) return read_size_array(g, owned, name, t, error);
  return g->ndim >= 0 ? hold_size(owned, g->ndim, g->size, t, error) : SPW_OK;
}

/* ---- The tensor ------------------------------------------------------------------------------ */

spw_status spw_group_read(const spw_group *g, spw_owned *owned, spw_error *error)
{
  naming given;
  const char *missing = NULL;
  const naming *const n = !g->members ? naming_of(g) : given_naming(g, &given, &missing) ? &given : NULL;
  spw_tensor *const t = spw_owned_edit(owned);
  if (missing) return spw_fail(SPW_EFORMAT, error, missing, "the file has no array of this name");
  if (!n) return spw_fail(SPW_EFORMAT, error, "", "the arrays are those of no layout");
  spw_status status = n->compressed ? read_index(g, owned, n->compressed, &t->compressed, error) : SPW_OK;
  if (!status) status = n->column ? read_pair(g, n, owned, t, error) : read_index(g, owned, n->plain, &t->plain, error);
  if (!status && n->compressed) status = spw_unify_indices(owned, &t->compressed, &t->plain, error);
  if (!status && !n->compressed) status = spw_unify_indices(owned, &t->plain, &t->plain, error);
  if (!status) status = spw_group_read_part(g, owned, n->values, &t->values.array, &t->values.data, error);
  if (!status) status = read_size(g, owned, t, error);
  if (!status) status = choose_layout(g, n, t, error);
  if (!status && t->layout == SPW_COO) t->coalesced = g->coalesced;
  return status;
}
