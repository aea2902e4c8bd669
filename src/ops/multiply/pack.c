/* SPDX-License-Identifier: Apache-2.0 */
#include "pack.h"
#include "../../convert/indices.h"
#include "../../convert/plan.h"
#include "../../convert/share.h"
#include "../../convert/values.h"
#include "../../core/size.h"

#include <string.h>

/* Where lines are: bytes from one to the next, and from one element to the next. */
typedef struct places {
  int64_t line, element;
} places;

/* A transposition goes by squares, whose lines stay in the cache while their elements are copied. */
enum { SQUARE = SPW_OR_SMALL(32, 2) };

/* The lines i .. lines - 1, the elements j .. width - 1 of each; a square at most. */
static inline void copy_square(const char *from, places source, char *to, places target, int64_t i, int64_t lines, int64_t j,
                               int64_t width, size_t scalar)
{
  const int64_t last_line = lines - i < SQUARE ? lines : i + SQUARE, last = width - j < SQUARE ? width : j + SQUARE;
  for (int64_t line = i; line < last_line; line++)
    for (int64_t k = j; k < last; k++)
      memcpy(to + line * target.line + k * target.element, from + line * source.line + k * source.element, scalar);
}

/* A compiler makes loads and stores of a copy whose length it knows: each caller names one. */
static inline void copy_squares(const char *from, places source, char *to, places target, int64_t lines, int64_t width,
                                size_t scalar)
{
  for (int64_t i = 0; i < lines; i += SQUARE)
    for (int64_t j = 0; j < width; j += SQUARE) copy_square(from, source, to, target, i, lines, j, width, scalar);
}

static void copy_lines(const char *from, places source, char *to, places target, int64_t lines, int64_t width, int64_t scalar)
{
  if (source.element == scalar && target.element == scalar) {
    for (int64_t i = 0; i < lines && width > 0; i++)
      memcpy(to + i * target.line, from + i * source.line, (size_t)(width * scalar));
    return;
  }
  switch (scalar) {
  case 1: copy_squares(from, source, to, target, lines, width, 1); break;
  case 2: copy_squares(from, source, to, target, lines, width, 2); break;
  case 4: copy_squares(from, source, to, target, lines, width, 4); break;
  case 8: copy_squares(from, source, to, target, lines, width, 8); break;
  default: copy_squares(from, source, to, target, lines, width, 16);
  }
}

/* The stride of one line, or of one element, may be any number: nothing is reckoned with it. */
static places places_of(const spw_dense_lines *l, int64_t scalar)
{
  const places at = {l->lines > 1 ? l->line_stride * scalar : 0, l->width > 1 ? l->stride * scalar : scalar};
  return at;
}

void spw_pack_lines(const char *from, const spw_dense_lines *l, int64_t scalar, char *to)
{
  const places strided = places_of(l, scalar), in_order = {l->width * scalar, scalar};
  copy_lines(from, strided, to, in_order, l->lines, l->width, scalar);
}

void spw_unpack_lines(const char *from, const spw_dense_lines *l, int64_t scalar, char *to)
{
  const places strided = places_of(l, scalar), in_order = {l->width * scalar, scalar};
  copy_lines(from, in_order, to, strided, l->lines, l->width, scalar);
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
