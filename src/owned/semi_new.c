/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4 matrices in memory of their own, and tensors made of them. */
#include "owned.h"

#include <stdlib.h>
#include <string.h>

static size_t scalar_of(spw_dtype dtype)
{
  return dtype == SPW_FLOAT32 ? 4 : dtype == SPW_FLOAT16 || dtype == SPW_BFLOAT16 ? 2 : 1;
}

/* Is it valid? If not, the decoder says why. */
static spw_status judged(const spw_semi *semi, spw_semi_refusal *refusal)
{
  spw_semi_report report;
  const spw_status status = spw_semi_check(semi, SPW_STRUCTURE, &report);
  return status != SPW_OK || report.valid ? status : spw_semi_decode(semi, NULL, refusal);
}

/* A matrix in the memory of `owned`, with room for its members; null: the limit. */
static spw_semi_view *new_view(spw_owned *owned, spw_semi_order order, spw_dtype dtype, int64_t rows, int64_t columns,
                               void **packed, void **metadata)
{
  spw_semi_room room;
  spw_semi_view *const view = spw_owned_alloc(owned, 1, sizeof *view);
  if (!view || spw_semi_size(order, dtype, rows, columns, &room) != SPW_OK) return NULL;
  *packed = spw_owned_alloc(owned, (size_t)room.packed, scalar_of(dtype));
  *metadata = spw_owned_alloc(owned, (size_t)room.metadata, (size_t)spw_dtype_size(room.metadata_dtype));
  if (!*packed || !*metadata) return NULL;
  spw_semi_of(view, order, rows, columns, dtype, *packed, *metadata);
  return view;
}

/* ---- To 2:4 --------------------------------------------------------------------------------------- */

static spw_status refused_conversion(spw_status status, const spw_tensor *t, const spw_refusal *why, spw_semi_refusal *refusal)
{
  const spw_semi_refusal r = {.obstacle = why->obstacle == SPW_OBSTACLE_RULE ? SPW_SEMI_OBSTACLE_DENSE : SPW_SEMI_OBSTACLE_LAYOUT,
                              .dense = why->violation, .row = -1, .group = -1, .lhs = (int64_t)t->layout,
                                .rhs = (int64_t)SPW_DENSE};
  if (refusal) *refusal = r;
  return status;
}

/* A dense matrix in which only what is kept is not zero, in the memory of `owned`. */
static spw_status prune(const spw_tensor *dense, spw_semi_pruning pruning, spw_dtype dtype, spw_owned *owned, spw_view *view,
                        spw_semi_refusal *refusal)
{
  const spw_array *const a = &dense->values.array;
  const bool matrix = a->ndim == 2 && a->shape[0] >= 0 && a->shape[1] >= 0;
  int64_t elements = 0;
  if (matrix && __builtin_mul_overflow(a->shape[0], a->shape[1], &elements)) return SPW_ENOMEM;
  void *const values = spw_owned_alloc(owned, (size_t)elements, (size_t)spw_dtype_size(a->dtype));
  if (!values) return SPW_ENOMEM;
  const spw_status status = spw_semi_prune(dense, pruning, dtype, values, refusal);
  if (status == SPW_OK) spw_dense(view, a->shape[0], a->shape[1], a->dtype, values);
  return status;
}

static spw_status encode_into(const spw_tensor *dense, const spw_semi_request *request, spw_owned *owned, const spw_semi **semi,
                              spw_semi_refusal *refusal)
{
  const spw_array *const a = &dense->values.array;
  const spw_dtype dtype = request->dtype == SPW_DTYPE_NONE ? a->dtype : request->dtype;
  spw_semi_room room;
  void *packed = NULL, *metadata = NULL;
  /* What has no room is refused by the encoder, in its own words. */
  if (a->ndim != 2 || spw_semi_size(request->order, dtype, a->shape[0], a->shape[1], &room) != SPW_OK)
    return spw_semi_encode(dense, request, NULL, NULL, refusal);
  spw_semi_view *const view = new_view(owned, request->order, dtype, a->shape[0], a->shape[1], &packed, &metadata);
  if (!view) return SPW_ENOMEM;
  const spw_status status = spw_semi_encode(dense, request, packed, metadata, refusal);
  if (status == SPW_OK) *semi = &view->semi;
  return status;
}

static spw_status from_dense(const spw_tensor *dense, const spw_semi_request *request, const spw_semi_pruning *pruning,
                             size_t limit,
                             spw_owned **out, const spw_semi **semi, spw_semi_refusal *refusal)
{
  spw_view pruned;
  spw_owned *const owned = spw_owned_new(limit), *const work = spw_owned_new(limit);
  spw_status status = owned && work ? SPW_OK : SPW_ENOMEM;
  if (status == SPW_OK && pruning) {
    status = prune(dense, *pruning, request->dtype, work, &pruned, refusal);
    dense = &pruned.tensor;
  }
  if (status == SPW_OK) status = encode_into(dense, request, owned, semi, refusal);
  spw_owned_free(work);
  if (status == SPW_OK)
    *out = owned;
  else
    spw_owned_free(owned);
  return status;
}

spw_status spw_semi_from_new(const spw_tensor *tensor, const spw_semi_request *request, const spw_semi_pruning *pruning,
                             size_t limit, spw_owned **out, const spw_semi **semi, spw_semi_refusal *refusal)
{
  const spw_conversion to_dense = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  spw_owned *dense = NULL;
  if (!tensor || !request || !out || !semi) return SPW_EINVAL;
  if (limit == 0) limit = SIZE_MAX;
  if (tensor->layout == SPW_DENSE) return from_dense(tensor, request, pruning, limit, out, semi, refusal);
  const spw_status status = spw_convert_new(tensor, &to_dense, limit, &dense, &why);
  if (status != SPW_OK) return refused_conversion(status, tensor, &why, refusal);
  const spw_status encoded = from_dense(spw_owned_tensor(dense), request, pruning, limit, out, semi, refusal);
  spw_owned_free(dense);
  return encoded;
}

static spw_status reorder_into(const spw_semi *semi, spw_semi_order order, spw_owned *owned, const spw_semi **result,
                               spw_semi_refusal *refusal)
{
  const spw_array *const a = &semi->packed.array;
  const size_t scalar = scalar_of(a->dtype), row = (size_t)(semi->columns / 2) * scalar;
  void *packed = NULL, *metadata = NULL;
  spw_semi_view *const view = new_view(owned, order, a->dtype, semi->rows, semi->columns, &packed, &metadata);
  if (!view) return SPW_ENOMEM;
  const spw_status status = spw_semi_reorder(semi, order, metadata, refusal);
  for (int64_t r = 0; r < semi->rows && row > 0 && status == SPW_OK; r++)
    memcpy((char *)packed + (size_t)r * row,
           (const char *)semi->packed.data + (a->offset + r * a->strides[0]) * (int64_t)scalar, row);
  if (status == SPW_OK) *result = &view->semi;
  return status;
}

spw_status spw_semi_reorder_new(const spw_semi *semi, spw_semi_order order, size_t limit, spw_owned **out,
                                const spw_semi **result,
                                spw_semi_refusal *refusal)
{
  spw_semi_room room;
  if (!out || !result || !spw_semi_order_name(order)) return SPW_EINVAL;
  spw_status status = judged(semi, refusal);
  if (status != SPW_OK) return status;
  /* What the order cannot have is refused by the call that reorders, in its own words. */
  if (spw_semi_size(order, semi->packed.array.dtype, semi->rows, semi->columns, &room) != SPW_OK)
    return spw_semi_reorder(semi, order, NULL, refusal);
  spw_owned *const owned = spw_owned_new(limit ? limit : SIZE_MAX);
  status = owned ? reorder_into(semi, order, owned, result, refusal) : SPW_ENOMEM;
  if (status == SPW_OK)
    *out = owned;
  else
    spw_owned_free(owned);
  return status;
}

/* ---- From 2:4 ------------------------------------------------------------------------------------- */

static spw_dtype dense_dtype(spw_dtype dtype)
{
  return dtype == SPW_FLOAT8_E4M3FN || dtype == SPW_FLOAT8_E5M2 ? SPW_UINT8 : dtype;
}

/* A tensor of so many elements, whose view lies in the memory of `owned`. */
static spw_view *tensor_view(spw_owned *owned)
{
  return spw_owned_alloc(owned, 1, sizeof(spw_view));
}

static spw_status decode_into(const spw_semi *semi, spw_owned *owned, spw_semi_refusal *refusal)
{
  const spw_dtype dtype = dense_dtype(semi->packed.array.dtype);
  spw_view *const view = tensor_view(owned);
  void *const values = spw_owned_alloc(owned, (size_t)(semi->rows * semi->columns), (size_t)spw_dtype_size(dtype));
  if (!view || !values) return SPW_ENOMEM;
  const spw_status status = spw_semi_decode(semi, values, refusal);
  if (status == SPW_OK) *spw_owned_edit(owned) = *spw_dense(view, semi->rows, semi->columns, dtype, values);
  return status;
}

spw_status spw_semi_to_dense_new(const spw_semi *semi, size_t limit, spw_owned **out, spw_semi_refusal *refusal)
{
  if (!out) return SPW_EINVAL;
  spw_status status = judged(semi, refusal);
  if (status != SPW_OK) return status;
  spw_owned *const owned = spw_owned_new(limit ? limit : SIZE_MAX);
  status = owned ? decode_into(semi, owned, refusal) : SPW_ENOMEM;
  if (status == SPW_OK)
    *out = owned;
  else
    spw_owned_free(owned);
  return status;
}

static spw_status csr_into(const spw_semi *semi, spw_dtype index_dtype, spw_owned *owned, spw_semi_refusal *refusal)
{
  const spw_dtype dtype = dense_dtype(semi->packed.array.dtype);
  const int64_t nse = semi->rows * (semi->columns / 2);
  const size_t index = (size_t)spw_dtype_size(index_dtype);
  spw_view *const view = tensor_view(owned);
  void *const crow = spw_owned_alloc(owned, (size_t)semi->rows + 1, index), *const col = spw_owned_alloc(owned, (size_t)nse,
                                                                                                         index);
  void *const values = spw_owned_alloc(owned, (size_t)nse, (size_t)spw_dtype_size(dtype));
  if (!view || !crow || !col || !values) return SPW_ENOMEM;
  const spw_status status = spw_semi_to_csr(semi, index_dtype, crow, col, values, refusal);
  if (status == SPW_OK)
    *spw_owned_edit(owned) = *spw_csr(view, semi->rows, semi->columns, nse, index_dtype, crow, col, dtype, values);
  return status;
}

spw_status spw_semi_to_csr_new(const spw_semi *semi, spw_dtype index_dtype, size_t limit, spw_owned **out,
                               spw_semi_refusal *refusal)
{
  if (!out || (index_dtype != SPW_INT32 && index_dtype != SPW_INT64)) return SPW_EINVAL;
  spw_status status = judged(semi, refusal);
  if (status != SPW_OK) return status;
  spw_owned *const owned = spw_owned_new(limit ? limit : SIZE_MAX);
  status = owned ? csr_into(semi, index_dtype, owned, refusal) : SPW_ENOMEM;
  if (status == SPW_OK)
    *out = owned;
  else
    spw_owned_free(owned);
  return status;
}

/* ---- Products ------------------------------------------------------------------------------------- */

static spw_status refused(spw_status status, spw_semi_obstacle obstacle, int64_t lhs, const spw_refusal *why,
                          spw_semi_refusal *refusal)
{
  const spw_semi_refusal r = {.obstacle = obstacle, .row = -1, .group = -1, .lhs = lhs,
                              .rhs = lhs < 0 ? -1 : (int64_t)SPW_DTYPE_NONE, .product = *why};
  if (refusal) *refusal = r;
  return status;
}

static bool needs_int64(const spw_semi *semi)
{
  const int64_t nse = semi->rows * (semi->columns / 2);
  return nse > INT32_MAX || semi->rows > INT32_MAX || semi->columns > INT32_MAX;
}

spw_status spw_semi_multiply_new(const spw_semi *semi, spw_semi_side side, const spw_tensor *dense, const spw_tensor *c,
                                 const spw_factors *how, size_t limit, spw_owned **out, spw_semi_refusal *refusal)
{
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  spw_owned *csr = NULL;
  if (!semi || !dense || !out || (side != SPW_SEMI_LEFT && side != SPW_SEMI_RIGHT) || !c != !how) return SPW_EINVAL;
  spw_status status = judged(semi, refusal);
  if (status != SPW_OK) return status;
  const spw_dtype dtype = semi->packed.array.dtype;
  if (dense_dtype(dtype) != dtype) return refused(SPW_ERANGE, SPW_SEMI_OBSTACLE_TYPE, (int64_t)dtype, &why, refusal);
  status = spw_semi_to_csr_new(semi, needs_int64(semi) ? SPW_INT64 : SPW_INT32, limit, &csr, refusal);
  if (status != SPW_OK) return status;
  const spw_tensor *const sparse = spw_owned_tensor(csr), *const a = side == SPW_SEMI_LEFT ? sparse : dense;
  const spw_tensor *const b = side == SPW_SEMI_LEFT ? dense : sparse;
  const size_t left = limit ? spw_owned_left(csr) : 0;
  if (limit && !left) status = SPW_ENOMEM;
  else status = c ? spw_multiply_add_new(a, b, c, how, left, out, &why) : spw_multiply_new(a, b, left, out, &why);
  spw_owned_free(csr);
  if (status == SPW_EINVALID || status == SPW_ERANGE) return refused(status, SPW_SEMI_OBSTACLE_PRODUCT, -1, &why, refusal);
  return status;
}
