/* SPDX-License-Identifier: Apache-2.0 */
/* What keeps the pattern of its first operand: a product or a quotient by a scalar, or a product by a dense array. */
#include "plan.h"
#include "../../convert/values.h"
#include "../../structure/pattern.h"

#include <stdalign.h>
#include <string.h>

enum { PART = 512 }; /* factors that are fetched at a time */

typedef struct multiplier {
  const spw_elementwise_plan *plan;
  char *values;  /* where the next part goes */
  int64_t count; /* factors that are there */
  alignas(16) char factors[PART * 16];
} multiplier;

static void multiply_part(multiplier *m)
{
  spw_scale_values(m->values, m->plan->dtype, m->count, m->factors, 1);
  m->values += m->count * m->plan->scalar;
  m->count = 0;
}

/* Scalar i of a cell: its place in the dense operand. */
static int64_t place_of(const spw_elementwise_plan *plan, const int64_t *at, int64_t i)
{
  const spw_form *const f = &plan->form[0];
  const spw_array *const dense = &plan->operands[1]->values.array;
  int64_t place = dense->offset;
  for (int64_t d = f->ndim - 1; d >= f->leading; d--) {
    place += i % f->size[d] * dense->strides[d];
    i /= f->size[d];
  }
  for (int64_t d = f->leading - 1; d >= 0; d--) {
    const int64_t block = spw_form_block(f, d);
    place += (at[d] * block + i % block) * dense->strides[d];
    i /= block;
  }
  return place;
}

static void multiply_cell(void *context, const int64_t *at, int64_t k)
{
  multiplier *const m = context;
  const spw_elementwise_plan *const plan = m->plan;
  (void)k;
  for (int64_t i = 0; i < plan->cell; i++) {
    const char *const factor = spw_value_at(&plan->operands[1]->values, place_of(plan, at, i));
    memcpy(m->factors + m->count * plan->scalar, factor, (size_t)plan->scalar);
    if (++m->count == PART) multiply_part(m);
  }
}

static void multiply_by_dense(const spw_elementwise_plan *plan, char *values)
{
  const spw_form *const f = &plan->form[0];
  int64_t at[SPW_STRUCTURE_DIMS];
  multiplier m = {.plan = plan, .values = values};
  for (int64_t b = 0; b < f->batches; b++) {
    spw_batch_at(f, b, at);
    spw_visit_cells(f, at, multiply_cell, &m);
  }
  multiply_part(&m);
}

void spw_keep_pattern(const spw_elementwise_plan *plan, const spw_buffers *b)
{
  const spw_tensor *const a = plan->operands[0];
  const int64_t n = spw_count_values(&a->values.array);
  const spw_room need = spw_pattern_room(&plan->form[0], 0);
  spw_pattern_copy(&plan->form[0], &need, b);
  if (n == 0) return;
  spw_pack_values(&a->values, b->values);
  alignas(16) char factor[16];
  memcpy(factor, plan->factor, sizeof factor);
  if (plan->operands[1])
    multiply_by_dense(plan, b->values);
  else if (plan->wanted.kind == SPW_SCALE)
    spw_scale_values(b->values, plan->dtype, n, factor, 0);
  else
    spw_divide_values(b->values, plan->dtype, n, factor);
}
