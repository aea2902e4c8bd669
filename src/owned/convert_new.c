/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions, structure operations, elementwise ones, reductions and products at stored positions into memory of their own. */
#include "owned.h"

/* What is to be made: a conversion, a structure operation on several operands, a product at stored positions, an
 * elementwise operation, or a reduction. */
typedef struct making {
  const spw_tensor *const *operands;
  int64_t count;
  const spw_conversion *conversion;
  bool certified; /* the conversion is to be */
  const spw_structure *structure;
  const spw_factors *factors;
  const spw_elementwise_request *elementwise;
  const spw_reduction *reduction;
  const spw_dims_reduction *dims;
  const spw_softmax_request *softmax;
  const spw_triangle *triangle;
  bool nonzero;
} making;

static spw_status fill(const void *context, const spw_buffers *b, spw_tensor *result, spw_refusal *refusal)
{
  const making *const m = context;
  if (m->structure) return spw_restructure_unchecked(m->operands, m->count, m->structure, b, result, refusal);
  if (m->factors)
    return spw_sampled_multiply_unchecked(m->operands[0], m->operands[1], m->operands[2], m->factors, b, result, refusal);
  if (m->elementwise) return spw_elementwise_unchecked(m->operands[0], m->operands[1], m->elementwise, b, result, refusal);
  if (m->reduction) return spw_reduce_unchecked(m->operands[0], m->operands[1], m->reduction, b, result, refusal);
  if (m->dims) return spw_reduce_dims_unchecked(m->operands[0], m->dims, b, result, refusal);
  if (m->nonzero) return spw_nonzero_unchecked(m->operands[0], b, result, refusal);
  if (m->triangle) return spw_solve_triangular_unchecked(m->operands[0], m->operands[1], m->triangle, b, result, refusal);
  if (m->softmax) return spw_softmax_unchecked(m->operands[0], m->softmax, b, result, refusal);
  if (m->certified) return spw_convert_certified(m->operands[0], m->conversion, b, result, refusal);
  return spw_convert_unchecked(m->operands[0], m->conversion, b, result, refusal);
}

spw_status spw_convert_new(const spw_tensor *tensor, const spw_conversion *wanted, size_t limit, spw_owned **out,
                           spw_refusal *refusal)
{
  spw_buffers b = {0};
  const making m = {.operands = &tensor, .count = 1, .conversion = wanted};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_convert_size(tensor, wanted, &b.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &b, out, refusal) : status;
}

spw_status spw_convert_certified_new(const spw_tensor *tensor, const spw_conversion *wanted, size_t limit, spw_owned **out,
                                     spw_refusal *refusal)
{
  spw_buffers b = {0};
  const making m = {.operands = &tensor, .count = 1, .conversion = wanted, .certified = true};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_convert_certified_size(tensor, wanted, &b.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &b, out, refusal) : status;
}

spw_status spw_restructure_new(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, size_t limit,
                               spw_owned **out, spw_refusal *refusal)
{
  spw_buffers b = {0};
  const making m = {.operands = operands, .count = count, .structure = wanted};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_restructure_size(operands, count, wanted, &b.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &b, out, refusal) : status;
}

spw_status spw_sampled_multiply_new(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                                    size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_buffers buffers = {0};
  const spw_tensor *const operands[] = {s, a, b};
  const making m = {.operands = operands, .count = 3, .factors = how};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_sampled_multiply_size(s, a, b, how, &buffers.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &buffers, out, refusal) : status;
}

spw_status spw_elementwise_new(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, size_t limit,
                               spw_owned **out, spw_refusal *refusal)
{
  spw_buffers buffers = {0};
  const spw_tensor *const operands[] = {a, b};
  const making m = {.operands = operands, .count = 2, .elementwise = wanted};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_elementwise_size(a, b, wanted, &buffers.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &buffers, out, refusal) : status;
}

spw_status spw_reduce_new(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, size_t limit, spw_owned **out,
                          spw_refusal *refusal)
{
  spw_buffers buffers = {0};
  const spw_tensor *const operands[] = {a, b};
  const making m = {.operands = operands, .count = 2, .reduction = wanted};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_reduce_size(a, b, wanted, &buffers.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &buffers, out, refusal) : status;
}

spw_status spw_reduce_dims_new(const spw_tensor *t, const spw_dims_reduction *wanted, size_t limit, spw_owned **out,
                               spw_refusal *refusal)
{
  spw_buffers buffers = {0};
  const making m = {.operands = &t, .count = 1, .dims = wanted};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_reduce_dims_size(t, wanted, &buffers.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &buffers, out, refusal) : status;
}

spw_status spw_softmax_new(const spw_tensor *t, const spw_softmax_request *wanted, size_t limit, spw_owned **out,
                           spw_refusal *refusal)
{
  spw_buffers buffers = {0};
  const making m = {.operands = &t, .count = 1, .softmax = wanted};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_softmax_size(t, wanted, &buffers.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &buffers, out, refusal) : status;
}

spw_status spw_solve_triangular_new(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, size_t limit,
                                    spw_owned **out, spw_refusal *refusal)
{
  spw_buffers buffers = {0};
  const spw_tensor *const operands[] = {a, b};
  const making m = {.operands = operands, .count = 2, .triangle = wanted};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_solve_triangular_size(a, b, wanted, &buffers.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &buffers, out, refusal) : status;
}

spw_status spw_nonzero_new(const spw_tensor *t, size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_buffers buffers = {0};
  const making m = {.operands = &t, .count = 1, .nonzero = true};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_nonzero_size(t, &buffers.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &buffers, out, refusal) : status;
}
