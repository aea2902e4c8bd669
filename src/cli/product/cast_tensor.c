/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

/* What the steps of a cast are refused for. */
static spw_owned *refuse(const spw_tensor *t, const spw_unary_request *cast, spw_status status, const spw_refusal *refusal,
                         size_t memory, cli_problem *problem)
{
  int operand = 0;
  if (!refused_for_reason(status, refusal, "cast operand", "the cast of a valid tensor", memory, &operand, problem)) return NULL;
  cli_text text = new_text();
  add_refusal(&text, &(spw_refused){.operation = cast ? SPW_MAPPING : SPW_CONVERTING, .a = t, .unary = cast}, refusal);
  set_reason(problem, &text);
  return NULL;
}

static spw_owned *cast_sparse(const spw_tensor *t, spw_dtype dtype, size_t memory, cli_problem *problem)
{
  const spw_unary_request cast = {.function = SPW_UNARY_CAST, .dtype = dtype};
  spw_owned *made = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_unary_new(t, &cast, memory, &made, &refusal);
  return status == SPW_OK ? made : refuse(t, &cast, status, &refusal, memory, problem);
}

static spw_owned *convert(const spw_tensor *t, spw_layout layout, size_t memory, cli_problem *problem)
{
  const spw_conversion to = {.layout = layout, .batch_dims = -1, .dense_dims = -1, .bits = true};
  spw_owned *made = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_convert_new(t, &to, memory, &made, &refusal);
  return status == SPW_OK ? made : refuse(t, NULL, status, &refusal, memory, problem);
}

/* What has a bit set is cast; anything else is 0 of either type. */
static spw_owned *cast_dense(const spw_tensor *t, spw_dtype dtype, size_t memory, cli_problem *problem)
{
  spw_owned *const sparse = convert(t, SPW_COO, memory, problem);
  spw_owned *const other = sparse ? cast_sparse(spw_owned_tensor(sparse), dtype, memory, problem) : NULL;
  spw_owned *const dense = other ? convert(spw_owned_tensor(other), SPW_DENSE, memory, problem) : NULL;
  spw_owned_free(sparse);
  spw_owned_free(other);
  return dense;
}

spw_owned *cast_tensor(const spw_tensor *t, spw_dtype dtype, const cli_input *about, const check_request *request, size_t memory,
                       cli_problem *problem)
{
  const int64_t terms = add_counts(count_positions(&t->values.array), t->layout == SPW_DENSE ? 1 : count_ends(t));
  if (!may_spend(about, request, "casting", terms, problem)) return NULL;
  return t->layout == SPW_DENSE ? cast_dense(t, dtype, memory, problem) : cast_sparse(t, dtype, memory, problem);
}
