/* SPDX-License-Identifier: Apache-2.0 */
/* The gradient of matmul: that of a product of batches of matrices. What repeats an operand adds up its gradients. */
#include "grad.h"
#include "../owned/matmul.h"

#include <string.h>

/* ---- The upstream gradient ---------------------------------------------------------------------- */

/* Has `g` the size of the result? */
static bool judge_upstream(spw_composition *c, const spw_matmul *m, const spw_tensor *g)
{
  int64_t shape[SPW_STRUCTURE_DIMS], ndim = m->dims;
  for (int64_t d = 0; d < m->dims; d++) shape[d] = m->batch[d];
  for (int i = 0; i < 2; i++)
    if (!m->vector[i]) shape[ndim++] = m->size[i];
  if (!spw_grad_judge_upstream(c, g, m->t[0]->values.array.dtype, 2)) return false;
  spw_grad_judge_size(c, g, 2, ndim, shape);
  return c->status == SPW_OK;
}

/* A dense array with a dimension of size 1 more. */
static void insert_dimension(spw_dims_view *v, int64_t at)
{
  for (int64_t d = v->t.values.array.ndim++; d > at; d--) {
    v->shape[2][d] = v->shape[2][d - 1];
    v->strides[2][d] = v->strides[2][d - 1];
  }
  v->shape[2][at] = 1;
  v->strides[2][at] = 0;
}

/* `g` with the dimensions that vectors have taken from the result. */
static const spw_tensor *upstream_of_matrices(spw_composition *c, const spw_matmul *m, const spw_tensor *g)
{
  if (!m->vector[0] && !m->vector[1]) return g;
  const spw_tensor *const dense = spw_compose_layout(c, g, SPW_DENSE, 2);
  spw_dims_view *const v = dense ? spw_compose_view(c, dense) : NULL;
  if (!v) return NULL;
  if (m->vector[0]) insert_dimension(v, m->dims);
  if (m->vector[1]) insert_dimension(v, m->dims + 1);
  v->t.has_size = false;
  return &v->t;
}

/* ---- Gradients of batches ----------------------------------------------------------------------- */

static const spw_tensor *of_matrices(spw_composition *c, const spw_matmul *m, const spw_tensor *g, const spw_vjp_request *how)
{
  const bool sparse = m->t[0]->layout != SPW_DENSE && m->t[1]->layout != SPW_DENSE;
  spw_owned *made = NULL;
  if (!g || c->status != SPW_OK) return NULL;
  const spw_status status = sparse ? spw_vjp_multiply_sparse_new(m->t[0], m->t[1], NULL, NULL, g, how, c->left, &made, c->refusal)
                                   : spw_vjp_multiply_new(m->t[0], m->t[1], NULL, g, how, c->left, &made, c->refusal);
  return spw_compose_keep(c, status, &made);
}

/* The batch of an operand that batch number b of the result is made of. */
static int64_t batch_of(const spw_matmul *m, int operand, int64_t b)
{
  int64_t own = 0, stride = 1;
  for (int64_t d = m->dims - 1; d >= 0; d--) {
    const int64_t at = b % m->batch[d];
    b /= m->batch[d];
    if (m->repeated[operand][d]) continue;
    own += at * stride;
    stride *= m->batch[d];
  }
  return own;
}

/* The values of `made`, batch after batch, to those of the operand. Where none is repeated they keep their bits. */
static bool fold_batches(spw_composition *c, const spw_matmul *m, int operand, const spw_tensor *made, const spw_tensor *to)
{
  const spw_dtype dtype = made->values.array.dtype;
  const int64_t all = spw_grad_count(made), each = spw_grad_count(to), scalar = spw_dtype_size(dtype);
  const char *const from = made->values.data;
  char *const values = spw_grad_values(to);
  int64_t batches = 1, own = 1;
  if (all == 0 || each == 0) return true;
  for (int64_t d = 0; d < m->dims; d++) {
    batches *= m->batch[d];
    if (!m->repeated[operand][d]) own *= m->batch[d];
  }
  if (!m->repeats[operand]) return memcpy(values, from, (size_t)(all * scalar)), true;
  const int64_t part = each / own;
  int64_t *const numbers = spw_compose_memory(c, part, sizeof *numbers);
  if (!numbers) return false;
  for (int64_t i = 0; i < part; i++) numbers[i] = 1 + i;
  for (int64_t b = 0; b < batches; b++)
    spw_grad_fold(dtype, values + batch_of(m, operand, b) * part * scalar, from + b * part * scalar, numbers, part);
  return true;
}

/* In the shape of the operand, or at its positions: sums of halves are sums of floats, rounded last. */
static const spw_tensor *of_operand(spw_composition *c, const spw_matmul *m, const spw_vjp_request *how, const spw_tensor *made,
                                    const spw_tensor *like)
{
  const spw_tensor *const wide = made ? spw_compose_widened(c, made) : NULL;
  const bool dense = like && like->layout == SPW_DENSE;
  const spw_tensor *const from = !wide ? NULL : dense ? spw_grad_as_cell(c, like) : like;
  const spw_tensor *const to = from ? spw_grad_zeros(c, from, wide->values.array.dtype) : NULL;
  if (!to || !fold_batches(c, m, how->operand, wide, to)) return NULL;
  const spw_tensor *const narrow = spw_compose_narrowed(c, to, made->values.array.dtype);
  return dense ? spw_grad_as_dense(c, narrow) : narrow;
}

spw_status spw_vjp_matmul_new(const spw_tensor *a, const spw_tensor *b, const spw_tensor *g, const spw_vjp_request *how,
                              size_t limit, spw_owned **out, spw_refusal *refusal)
{
  spw_composition c = spw_compose_begin(limit, refusal);
  spw_matmul m;
  if (!a || !b || !g || !how || !out || how->operand < 0 || how->operand > 1) return SPW_EINVAL;
  if (a->layout == SPW_DENSE && b->layout == SPW_DENSE) return SPW_EINVAL;
  if (spw_matmul_is_of_rows(a)) return spw_vjp_multiply_new(a, b, NULL, g, how, limit, out, refusal);
  const spw_tensor *const asked = how->operand == 0 ? a : b;
  const bool dense = asked->layout == SPW_DENSE;
  const spw_variable v = dense ? (spw_variable){.t = asked} : spw_grad_variable(&c, asked, how->operand);
  if (c.status != SPW_OK) return spw_compose_end(&c, NULL, out);
  const spw_tensor *const pattern = dense ? asked : v.pattern;
  if (!spw_matmul_operands(&c, how->operand == 0 ? pattern : a, how->operand == 1 ? pattern : b, &m))
    return spw_compose_end(&c, NULL, out);
  const spw_vjp_request of_tensor = {.operand = how->operand, .full = how->full};
  if (!judge_upstream(&c, &m, g)) return spw_compose_end(&c, NULL, out);
  const spw_tensor *gradient = of_matrices(&c, &m, upstream_of_matrices(&c, &m, g), &of_tensor);
  const bool array = dense || how->full;
  if (m.vector[how->operand] || m.repeats[how->operand])
    gradient = of_operand(&c, &m, how, gradient, array && !dense ? spw_grad_dense_like(&c, asked) : pattern);
  return array ? spw_compose_end(&c, gradient, out) : spw_grad_end(&c, &v, how, gradient, out);
}
