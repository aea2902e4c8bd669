/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

static const char *const names[] = {"the first", "the second", "the result"};

static void add_shape(cli_text *text, const spw_tensor *t)
{
  const bool dense = t->layout == SPW_DENSE;
  if (!dense && !t->has_size) return;
  add_text(text, " (");
  add_sizes(text, dense ? t->values.array.ndim : t->ndim, dense ? t->values.array.shape : t->size);
  add_text(text, ")");
}

static void add_shapes(cli_text *text, const spw_tensor *a, const spw_tensor *b)
{
  add_text(text, ": the first is ");
  add_text(text, spw_layout_name(a->layout));
  add_shape(text, a);
  if (!b) return;
  add_text(text, ", the second ");
  add_text(text, spw_layout_name(b->layout));
  add_shape(text, b);
}

void add_refusal_of_product(cli_text *text, const spw_tensor *a, const spw_tensor *b, const spw_refusal *r)
{
  const char *const name = names[r->operand];
  const long long place = (long long)r->place, lhs = (long long)r->lhs, rhs = (long long)r->rhs;
  switch (r->obstacle) {
  case SPW_OBSTACLE_DIMENSIONS:
    add_format(text, "%s has %lld dimensions and would need %lld", name, lhs, rhs);
    break;
  case SPW_OBSTACLE_SHAPES:
    add_format(text, "dimension %lld of %s is %lld and would need to be %lld", place, name, lhs, rhs);
    break;
  case SPW_OBSTACLE_TYPES:
    add_format(text, "%s is of type %s, and %s would be needed", name, spw_dtype_name((spw_dtype)lhs),
               spw_dtype_name((spw_dtype)rhs));
    break;
  case SPW_OBSTACLE_HYBRID: add_format(text, "%s is hybrid: it has %lld dense dimensions", name, lhs); break;
  case SPW_OBSTACLE_NO_SIZE: add_format(text, "%s has no size", name); break;
  case SPW_OBSTACLE_INDEX:
    add_format(text, "%s needs indices up to %lld, and its index type holds %lld at most", name, lhs, rhs);
    break;
  case SPW_OBSTACLE_BATCHES:
    add_format(text, "batch %lld of %s has %lld elements and batch %lld has %lld: all need the same number", place, name, lhs,
               (long long)r->other, rhs);
    break;
  default: add_text(text, "the result has more elements than any memory holds"); break;
  }
  add_shapes(text, a, b);
}

int64_t multiplications(const spw_tensor *a, const spw_tensor *b)
{
  const spw_tensor *const sparse = a->layout == SPW_DENSE ? b : a, *const dense = a->layout == SPW_DENSE ? a : b;
  const spw_array *const x = &dense->values.array;
  const bool vector = x->ndim < 2;
  const int64_t width = vector ? 1 : x->shape[dense == a ? x->ndim - 2 : x->ndim - 1];
  int64_t steps = 0;
  return __builtin_mul_overflow(count_positions(&sparse->values.array), width, &steps) ? INT64_MAX : steps;
}

/* Why there is no product, from what the library says. */
static void say(spw_status status, const spw_tensor *a, const spw_tensor *b, const spw_refusal *refusal, size_t memory,
                int *operand, cli_problem *problem)
{
  if (!refused_for_reason(status, refusal, "product", "the product of valid tensors", memory, operand, problem)) return;
  cli_text text = new_text();
  add_refusal_of_product(&text, a, b, refusal);
  set_reason(problem, &text);
}

static spw_owned *multiply_sparse(const spw_tensor *a, const spw_tensor *b, const cli_input *about, const check_request *request,
                                  size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const int64_t left = work_left(about, request);
  const spw_status status = spw_multiply_sparse_new(a, b, memory, left > 0 ? left : 1, &result, &refusal);
  if (status == SPW_OK) return result;
  if (status == SPW_ERANGE && refusal.obstacle == SPW_OBSTACLE_WORK) {
    *operand = 2;
    (void)may_spend(about, request, "multiplying", refusal.lhs, problem);
  } else {
    say(status, a, b, &refusal, memory, operand, problem);
  }
  return NULL;
}

spw_owned *multiply_tensors(const spw_tensor *a, const spw_tensor *b, const cli_input *about, const check_request *request,
                            size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  if (a->layout != SPW_DENSE && b->layout != SPW_DENSE)
    return multiply_sparse(a, b, about, request, memory, operand, problem);
  if (!may_spend(about, request, "multiplying", multiplications(a, b), problem)) return NULL;
  const spw_status status = spw_multiply_new(a, b, memory, &result, &refusal);
  if (status != SPW_OK) say(status, a, b, &refusal, memory, operand, problem);
  return result;
}
