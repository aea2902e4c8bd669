/* SPDX-License-Identifier: Apache-2.0 */
/* sparsewright's gradients, in memory of its own. */
#include "ours_call.h"

#include <string.h>

typedef struct gradient {
  ours_call *c;
  const kit_question *q;
  const spw_tensor *g;
  spw_vjp_request how;
  spw_owned *made;
  spw_refusal refusal;
} gradient;

static const spw_tensor *second(gradient *d)
{
  ours_add_operand(d->c, d->q->other ? ours_guarded(d->q->other) : ours_dense(&d->q->dense));
  return d->c->pointers[d->c->count - 1];
}

static const void *number(const gradient *d, double value)
{
  return ours_value_of(d->c->pointers[0]->values.array.dtype, value);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

static spw_status of_conversion(gradient *d, spw_layout layout)
{
  const bool blocks = ours_has_blocks(layout) && d->q->blocksize_count == 2;
  const spw_conversion wanted = {.layout = layout, .block_rows = blocks ? d->q->blocksize[0] : 0,
                                 .block_columns = blocks ? d->q->blocksize[1] : 0, .batch_dims = -1, .dense_dims = -1};
  return spw_vjp_convert_new(d->c->pointers[0], &wanted, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

static spw_status of_transpose(gradient *d)
{
  const spw_tensor *const a = d->c->pointers[0];
  int64_t order[SPW_STRUCTURE_DIMS];
  spw_numbers n;
  spw_status status = spw_numbers_of(a, &n);
  if (status != SPW_OK || a->ndim > SPW_STRUCTURE_DIMS) return SPW_EUNSUPPORTED;
  const int64_t last = a->ndim - n.dense_dims - 1;
  for (int64_t i = 0; i < a->ndim; i++) order[i] = i == last ? i - 1 : i == last - 1 ? i + 1 : i;
  return spw_vjp_permute_new(a, order, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

/* Of a mask, with respect to the dense array. */
static spw_status of_structure(gradient *d, spw_structure_kind kind)
{
  const kit_question *const q = d->q;
  const spw_structure wanted = {.kind = kind, .dim = q->dim, .start = kind == SPW_SELECT ? q->index : q->start,
                                .length = q->length, .numbers = q->indices, .count = q->indices_count};
  const spw_tensor *operands[KIT_MOST + 1] = {d->c->pointers[0]};
  int64_t count = 1;
  for (; count <= q->others_count; count++) {
    ours_add_operand(d->c, ours_guarded(q->others[count - 1]));
    operands[count] = d->c->pointers[count];
  }
  if (kind == SPW_SPARSE_MASK) {
    operands[1] = operands[0];
    operands[0] = second(d);
    count = 2;
  }
  return spw_vjp_restructure_new(operands, count, &wanted, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

static spw_status of_triangle(gradient *d)
{
  const spw_making wanted = {.kind = strcmp(d->q->function, "tril") == 0 ? SPW_MAKE_LOWER : SPW_MAKE_UPPER,
                             .diagonal = d->q->index};
  return spw_vjp_make_new(d->c->pointers[0], &wanted, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

/* ---- Element by element, and reductions --------------------------------------------------------- */

static spw_status of_elementwise(gradient *d, spw_elementwise_kind kind)
{
  const bool scalar = kind == SPW_SCALE || kind == SPW_DIVIDE;
  const spw_elementwise_request wanted = {.kind = kind, .scalar = scalar ? number(d, d->q->alpha) : NULL};
  const spw_tensor *const b = scalar ? NULL : second(d);
  return spw_vjp_elementwise_new(d->c->pointers[0], b, &wanted, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

static spw_status of_function(gradient *d)
{
  const spw_unary_request wanted = {.function = (spw_unary_function)spw_unary_from_name(d->q->function),
                                    .scalar = number(d, d->q->alpha)};
  return spw_vjp_unary_new(d->c->pointers[0], &wanted, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

static spw_status of_sum(gradient *d, spw_dims_kind kind)
{
  const spw_dims_reduction wanted = {.kind = kind, .dims = d->q->of == KIT_SUM ? NULL : &d->q->dim, .count = d->q->of != KIT_SUM,
                                     .keepdim = d->q->keepdim};
  return spw_vjp_reduce_dims_new(d->c->pointers[0], &wanted, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

static spw_status of_reduction(gradient *d)
{
  static const struct {
    const char *name;
    spw_dims_kind kind;
  } known[] = {{"mean", SPW_DIMS_MEAN}, {"amax", SPW_DIMS_AMAX}, {"amin", SPW_DIMS_AMIN},
               {"max", SPW_DIMS_MAX}, {"min", SPW_DIMS_MIN}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strcmp(d->q->function, known[k].name) == 0) return of_sum(d, known[k].kind);
  return SPW_EUNSUPPORTED;
}

static spw_status of_softmax(gradient *d)
{
  const spw_softmax_request wanted = {.dim = d->q->dim};
  return spw_vjp_softmax_new(d->c->pointers[0], &wanted, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

/* ---- Products ----------------------------------------------------------------------------------- */

static spw_status of_product(gradient *d)
{
  const spw_tensor x = ours_dense(&d->q->x);
  const bool fused = d->q->of == KIT_ADDMM || d->q->of == KIT_ADDMV;
  const spw_factors factors = {.alpha = fused ? number(d, d->q->alpha) : NULL, .beta = fused ? number(d, d->q->beta) : NULL};
  return spw_vjp_multiply_new(d->c->pointers[0], &x, &factors, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

/* The weights are the sparse operand, and come second. */
static spw_status of_linear(gradient *d)
{
  const spw_tensor x = ours_dense(&d->q->x), bias = ours_dense(&d->q->dense);
  d->how.operand = d->how.operand == 2 ? 2 : 1 - d->how.operand;
  return spw_vjp_linear_new(&x, d->c->pointers[0], &bias, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

static spw_status of_sampled(gradient *d)
{
  const spw_tensor x = ours_dense(&d->q->x), y = ours_dense(&d->q->y);
  const spw_factors factors = {.alpha = number(d, d->q->alpha), .beta = number(d, d->q->beta)};
  return spw_vjp_sampled_multiply_new(d->c->pointers[0], &x, &y, &factors, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

static spw_status of_two_sparse(gradient *d)
{
  const spw_factors factors = {.alpha = NULL};
  const spw_tensor *const b = second(d), *const a = d->c->pointers[0];
  if (d->q->of == KIT_KRON) return spw_vjp_kron_new(a, b, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
  return spw_vjp_multiply_sparse_new(a, b, NULL, &factors, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

static spw_status of_system(gradient *d)
{
  const spw_tensor x = ours_dense(&d->q->x);
  const spw_triangle wanted = {.upper = d->q->upper, .transpose = d->q->transposed, .unit = d->q->unit};
  return spw_vjp_solve_triangular_new(d->c->pointers[0], &x, &wanted, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
}

/* ---- Questions ----------------------------------------------------------------------------------- */

static spw_status differentiate(gradient *d)
{
  switch (d->q->of) {
  case KIT_TO_DENSE: return of_conversion(d, SPW_DENSE);
  case KIT_CONVERT: return of_conversion(d, d->q->to);
  case KIT_COALESCE: return of_conversion(d, SPW_COO);
  case KIT_TRANSPOSE: return of_transpose(d);
  case KIT_PERMUTE:
    return spw_vjp_permute_new(d->c->pointers[0], d->q->dims, d->g, &d->how, LARGEST_COPY, &d->made, &d->refusal);
  case KIT_SELECT: return of_structure(d, SPW_SELECT);
  case KIT_NARROW: return of_structure(d, SPW_NARROW);
  case KIT_INDEX_SELECT: return of_structure(d, SPW_INDEX_SELECT);
  case KIT_CAT: return of_structure(d, SPW_CAT);
  case KIT_STACK: return of_structure(d, SPW_STACK);
  case KIT_SPARSE_MASK: return of_structure(d, SPW_SPARSE_MASK);
  case KIT_TRIANGLE: return of_triangle(d);
  case KIT_ADD_DENSE: case KIT_ADD: return of_elementwise(d, SPW_PLUS);
  case KIT_SUB: return of_elementwise(d, SPW_MINUS);
  case KIT_MUL: return of_elementwise(d, SPW_TIMES);
  case KIT_SCALE: return of_elementwise(d, SPW_SCALE);
  case KIT_DIVIDE: return of_elementwise(d, SPW_DIVIDE);
  case KIT_UNARY: return of_function(d);
  case KIT_SUM: case KIT_SUM_DIM: return of_sum(d, SPW_DIMS_SUM);
  case KIT_REDUCE: return of_reduction(d);
  case KIT_SOFTMAX: return of_softmax(d);
  case KIT_MATVEC: case KIT_MATMAT: case KIT_BMM: case KIT_ADDMM: case KIT_ADDMV: return of_product(d);
  case KIT_LINEAR: return of_linear(d);
  case KIT_SAMPLED_ADDMM: return of_sampled(d);
  case KIT_KRON: case KIT_MATMUL_SPARSE: return of_two_sparse(d);
  case KIT_TRIANGULAR_SOLVE: return of_system(d);
  default: return SPW_EUNSUPPORTED;
  }
}

static int operand_number(const kit_question *q)
{
  if (q->of == KIT_SPARSE_MASK || strcmp(q->wrt, "tensor") == 0 || strcmp(q->wrt, "values") == 0) return 0;
  return strcmp(q->wrt, "x") == 0 || strcmp(q->wrt, "other") == 0 || q->of == KIT_ADD_DENSE ? 1 : 2;
}

void ours_differentiate(ours_call *c, kit_answer *answer)
{
  const kit_question *const q = c->q;
  const bool values = strcmp(q->wrt, "values") == 0;
  const spw_tensor g = q->upstream_sparse ? ours_guarded(q->upstream_sparse) : ours_dense(&q->upstream);
  gradient d = {.c = c, .q = q, .g = &g, .how = {.operand = operand_number(q), .values = values}};
  const spw_status status = differentiate(&d);
  if (status != SPW_OK || !values) {
    ours_answer_owned(c, status, d.made, &d.refusal, answer);
    return;
  }
  const spw_value_array *const array = &spw_owned_tensor(d.made)->values;
  kit_dense_result(answer, array->array.dtype, array->array.ndim, array->array.shape, array->data);
  spw_owned_free(d.made);
}
