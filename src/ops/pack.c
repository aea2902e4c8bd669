/* SPDX-License-Identifier: Apache-2.0 */
#include "pack.h"
#include "../convert/indices.h"
#include "../convert/plan.h"
#include "../convert/values.h"
#include "../core/size.h"

#include <string.h>

int64_t spw_batch_place(const spw_array *a, int64_t dims, int64_t b)
{
  return a->offset + (b == 0 ? 0 : spw_position_of(a->shape, a->strides, dims, b));
}

bool spw_lines_in_place(const spw_dense_lines *l)
{
  return (l->width <= 1 || l->stride == 1) && (l->lines <= 1 || l->line_stride >= l->width);
}

int64_t spw_lead_of(const spw_dense_lines *l, bool packed)
{
  return packed || l->lines <= 1 || l->width == 0 ? l->width : l->line_stride; /* strides of nothing may be any numbers */
}

void spw_pack_lines(const char *from, const spw_dense_lines *l, int64_t scalar, char *to)
{
  for (int64_t i = 0; i < l->lines; i++) {
    const char *const line = from + i * l->line_stride * scalar;
    for (int64_t j = 0; j < l->width; j++, to += scalar) memcpy(to, line + j * l->stride * scalar, (size_t)scalar);
  }
}

void spw_unpack_lines(const char *from, const spw_dense_lines *l, int64_t scalar, char *to)
{
  for (int64_t i = 0; i < l->lines; i++) {
    char *const line = to + i * l->line_stride * scalar;
    for (int64_t j = 0; j < l->width; j++, from += scalar) memcpy(line + j * l->stride * scalar, from, (size_t)scalar);
  }
}

void spw_pack_cells(const spw_product_plan *plan, int64_t b, char *to)
{
  const spw_value_array *const v = &plan->sparse->values;
  const int64_t at = plan->sparse->layout == SPW_COO ? 0 : plan->batch_dims, cells = v->array.strides[at];
  const bool blocks = spw_has_blocks(plan->sparse->layout);
  const int64_t down = !blocks ? 0 : v->array.strides[plan->transposed ? at + 2 : at + 1];
  const int64_t across = !blocks ? 0 : v->array.strides[plan->transposed ? at + 1 : at + 2];
  const spw_dense_lines block = {plan->height, plan->length, down, across};
  const int64_t place = spw_batch_place(&v->array, at, b), bytes = spw_mul_saturated(plan->cell, plan->scalar);
  for (int64_t k = 0; k < plan->nse; k++)
    spw_pack_lines(spw_value_at(v, place + k * cells), &block, plan->scalar, to + k * bytes);
}

/* Appends dimension d to a coordinate. */
static void append(const spw_product_plan *plan, int64_t d, int64_t *coordinates)
{
  const spw_index_array *const p = &plan->sparse->plain;
  const int64_t start = p->array.offset + d * p->array.strides[0], size = plan->sparse->size[d];
  for (int64_t k = 0; k < plan->nse; k++)
    coordinates[k] = coordinates[k] * size + spw_index_at(p, start + k * p->array.strides[1]);
}

void spw_pack_indices(const spw_product_plan *plan, int64_t *rows, int64_t *columns)
{
  const int64_t n = plan->batch_dims;
  if (plan->nse == 0) return;
  memset(rows, 0, (size_t)plan->nse * sizeof *rows);
  for (int64_t d = 0; d < n; d++) append(plan, d, rows);
  memcpy(columns, rows, (size_t)plan->nse * sizeof *columns);
  append(plan, plan->transposed ? n + 1 : n, rows);
  append(plan, plan->transposed ? n : n + 1, columns);
}
