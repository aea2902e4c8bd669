/* SPDX-License-Identifier: Apache-2.0 */
/* COO tensors whose elements lie in the order of the result: they are copied, without any cells. */
#include "steps.h"
#include "indices/offsets/coo_to_csr.h"
#include "../view/members.h"

#include <string.h>

#define SPW_TEMPLATE "../convert/in_order.inc"
#include "../core/each_index_type.h"

/* Is element k behind element k - 1? */
static bool ascends(const spw_index_array *x, spw_columns g, int64_t k)
{
  for (int64_t d = 0; d < g.sparse_dim; d++) {
    const int64_t at = g.start + d * g.dim_stride + k * g.stride;
    const int64_t before = spw_index_at(x, at - g.stride), own = spw_index_at(x, at);
    if (own != before) return own > before;
  }
  return false;
}

/* By its claim, or found so. */
static bool in_row_order(const spw_plan *plan)
{
  const spw_index_array *x = &plan->t->plain;
  if (plan->ordered) return true;
  const spw_columns g = spw_columns_of(plan->t);
  if (g.sparse_dim == 2) return x->array.dtype == SPW_INT32 ? pairs_ascend_i32(x->i32, g) : pairs_ascend_i64(x->i64, g);
  for (int64_t k = 1; k < g.nse; k++)
    if (!ascends(x, g, k)) return false;
  return true;
}

/* Coordinates of dimension d of all elements to place `at` on. */
static void copy_dimension(const spw_plan *plan, spw_columns g, int64_t d, spw_indices to, int64_t at)
{
  const spw_index_array *x = &plan->t->plain;
  const int64_t first = g.start + d * g.dim_stride;
  if (g.stride != 1 || plan->to.index_dtype != x->array.dtype)
    for (int64_t k = 0; k < g.nse; k++) spw_put_index(to, at + k, spw_index_at(x, first + k * g.stride));
  else if (to.wide)
    memcpy(to.i64 + at, x->i64 + first, (size_t)g.nse * sizeof(int64_t));
  else
    memcpy(to.i32 + at, x->i32 + first, (size_t)g.nse * sizeof(int32_t));
}

/* The lines of the first dimension, and the indices of the second one: all at once where that is what the theorem is about. */
static void compress(const spw_plan *plan, spw_columns g, spw_indices ptr, spw_indices index)
{
  const spw_index_array *x = &plan->t->plain;
  if (g.nse > 0 && g.stride == 1 && plan->to.index_dtype == x->array.dtype) {
    if (ptr.wide)
      spw_coo_to_csr_i64(x->i64, x->array.length, g, plan->size, ptr.i64, index.i64);
    else
      spw_coo_to_csr_i32(x->i32, x->array.length, g, plan->size, ptr.i32, index.i32);
    return;
  }
  int64_t line = 0;
  spw_put_index(ptr, 0, 0);
  for (int64_t k = 0; k < g.nse; k++)
    for (const int64_t own = spw_index_at(x, g.start + k * g.stride); line < own;) spw_put_index(ptr, ++line, k);
  while (line < plan->out_C) spw_put_index(ptr, ++line, g.nse);
  if (g.nse > 0) copy_dimension(plan, g, 1, index, 0);
}

static void copy_payloads(const spw_plan *plan, const spw_workspace *w, const spw_target *out, int64_t n)
{
  if (plan->payload == SPW_PLACES)
    for (int64_t k = 0; k < n; k++) w->map[k] = (uint64_t)k;
  else
    memcpy(out->values, out->source, (size_t)n * spw_payload_size(plan->payload));
}

static spw_status copy_sorted(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const spw_columns g = spw_columns_of(plan->t);
  const spw_status status = spw_take_count(plan, out, 0, g.nse, refusal);
  if (status != SPW_OK) return status;
  if (plan->to.layout == SPW_CSR) compress(plan, g, out->c, out->p);
  if (g.nse == 0) return SPW_OK;
  if (plan->to.layout == SPW_COO)
    for (int64_t d = 0; d < g.sparse_dim; d++) copy_dimension(plan, g, d, out->p, d * g.nse);
  copy_payloads(plan, w, out, g.nse);
  return SPW_OK;
}

static spw_status copy_if_sorted(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  out->done = in_row_order(plan);
  return out->done ? copy_sorted(plan, w, out, refusal) : SPW_OK;
}

const spw_step spw_step_copy_sorted = {
    "copy sorted", "copies elements, which lie in the order of the result", .run = copy_sorted};
const spw_step spw_step_copy_if_sorted = {
    "copy if sorted", "copies elements if they turn out to lie in the order of the result; that completes it",
    .when = SPW_FACT_ROW_ORDER, .run = copy_if_sorted};
