/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

/* The operands of a product that is added to something, and of one at stored positions, in the order of the library. */
static const char *const added_names[] = {"the first", "the second", "what --add names"};
static const char *const sampled_names[] = {"what --at names", "the first", "the second", "the result"};

/* ---- Steps ------------------------------------------------------------------------------------- */

int64_t count_ends(const spw_tensor *sparse)
{
  return is_compressed(sparse->layout) ? count_positions(&sparse->compressed.array) : 1;
}

int64_t steps_of_number(spw_dtype dtype)
{
  enum { EXACT_SUM = 64 };
  if (spw_precision_of(dtype) == SPW_PRECISION_NONE) return 1;
  return dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128 ? 2 * EXACT_SUM : EXACT_SUM;
}

/* Of all batches: rows of a sparse tensor, or columns, or both, and 1 where a batch has none. What has no size is refused before
 * any is gone along. */
static int64_t count_lines(const spw_tensor *t, bool rows, bool columns)
{
  const int64_t n = t->ndim - 2;
  if (!t->has_size || n < 0) return 0;
  const spw_array batches = {.ndim = n, .shape = t->size};
  const int64_t lines = add_counts(rows ? t->size[n] : 0, columns ? t->size[n + 1] : 0);
  return multiply_counts(count_positions(&batches), larger_count(lines, 1));
}

/* The multiplications of a sparse and a dense one, and the elements of the product: zeros where nothing is multiplied. Rows are
 * gone along where these have no width, too. What has a dimension less is a vector, or a batch of them. */
static int64_t steps_with_dense(const spw_tensor *sparse, const spw_tensor *dense, bool dense_first, int64_t steps_of_one)
{
  const spw_array *const x = &dense->values.array;
  const bool vectors = x->ndim < 2 || x->ndim == count_dimensions(sparse) - 1;
  const int64_t width = vectors ? 1 : x->shape[dense_first ? x->ndim - 2 : x->ndim - 1];
  const int64_t lines = count_lines(sparse, !dense_first, dense_first), numbers = multiply_counts(lines, width);
  return add_counts(multiply_counts(count_positions(&sparse->values.array), width),
                    larger_count(multiply_counts(numbers, steps_of_one), larger_count(lines, count_ends(sparse))));
}

int64_t steps_of_product(const spw_tensor *a, const spw_tensor *b)
{
  if (a->layout == SPW_DENSE) return steps_with_dense(b, a, true, 1);
  if (b->layout == SPW_DENSE) return steps_with_dense(a, b, false, 1);
  return add_counts(larger_count(count_lines(a, true, true), count_ends(a)),
                    larger_count(count_lines(b, true, true), count_ends(b)));
}

int64_t steps_of_judging(const spw_tensor *a, const spw_tensor *b)
{
  if (a->layout == SPW_DENSE || b->layout != SPW_DENSE) return steps_of_product(a, b);
  return steps_with_dense(a, b, false, steps_of_number(a->values.array.dtype));
}

/* ---- Products ---------------------------------------------------------------------------------- */

/* Why there is no product. */
static void say(spw_status status, const spw_refused *what, const spw_refusal *refusal, size_t memory, int *operand,
                cli_problem *problem)
{
  if (!refused_for_reason(status, refusal, "product", "the product of valid tensors", memory, operand, problem)) return;
  cli_text text = new_text();
  add_refusal(&text, what, refusal);
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
    *operand = -1;
    (void)may_spend(about, request, "multiplying", refusal.lhs, problem);
  } else {
    say(status, &(spw_refused){.operation = SPW_MULTIPLYING, .a = a, .b = b}, &refusal, memory, operand, problem);
  }
  return NULL;
}

/* A refusal that matmul's rules for vectors, batches and dense dimensions may lift. */
static bool may_broadcast(spw_status status, const spw_refusal *r)
{
  return status == SPW_ERANGE && (r->obstacle == SPW_OBSTACLE_DIMENSIONS || r->obstacle == SPW_OBSTACLE_SHAPES ||
                                  r->obstacle == SPW_OBSTACLE_HYBRID || r->obstacle == SPW_OBSTACLE_BATCHES);
}

spw_owned *multiply_tensors(const spw_tensor *a, const spw_tensor *b, const cli_input *about, const check_request *request,
                            size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  if (!may_spend(about, request, "multiplying", steps_of_product(a, b), problem)) return NULL;
  if (a->layout != SPW_DENSE && b->layout != SPW_DENSE)
    return multiply_sparse(a, b, about, request, memory, operand, problem);
  const spw_status status = spw_multiply_new(a, b, memory, &result, &refusal);
  if (may_broadcast(status, &refusal) && spw_matmul_new(a, b, memory, &result, NULL) == SPW_OK) return result;
  if (status != SPW_OK)
    say(status, &(spw_refused){.operation = SPW_MULTIPLYING, .a = a, .b = b}, &refusal, memory, operand, problem);
  return result;
}

/* ---- With factors ------------------------------------------------------------------------------ */

/* A factor as a value of the operands' type, in *memory; false after *problem. */
static bool take_factor(const char *option, const char *text, spw_dtype dtype, spw_owned **memory, const void **factor,
                        cli_problem *problem)
{
  *memory = text ? read_scalar(dtype, text) : NULL;
  *factor = *memory ? spw_owned_tensor(*memory)->values.data : NULL;
  if (!text || *memory) return true;
  return set_problem(problem, "impossible", "--%s=%s is no value of type %s", option, text, spw_dtype_name(dtype));
}

static spw_owned *add_product(const spw_tensor *a, const spw_tensor *b, const spw_tensor *c, const spw_factors *how,
                              size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_multiply_add_new(a, b, c, how, memory, &result, &refusal);
  const spw_refused what = {.operation = SPW_MULTIPLYING, .a = a, .b = b, .c = c, .names = added_names};
  if (status != SPW_OK) say(status, &what, &refusal, memory, operand, problem);
  return result;
}

static spw_owned *multiply_at(const spw_tensor *s, const spw_tensor *a, const spw_tensor *b, const spw_factors *how,
                              size_t memory, int *operand, cli_problem *problem)
{
  static const int file[] = {2, 0, 1, -1};
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_sampled_multiply_new(s, a, b, how, memory, &result, &refusal);
  if (status == SPW_OK) return result;
  const spw_refused what = {.operation = SPW_SAMPLING, .a = s, .b = a, .c = b, .names = sampled_names};
  say(status, &what, &refusal, memory, operand, problem);
  if (*operand >= 0) *operand = file[*operand];
  return NULL;
}

/* What is added is sparse: so is the result. */
static spw_owned *add_sparse(const spw_tensor *a, const spw_tensor *b, const spw_tensor *c, const spw_factors *how, size_t memory,
                             int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = b->layout == SPW_DENSE ? spw_sspaddmm_new(c, a, b, how, memory, &result, &refusal)
                                                   : spw_multiply_add_sparse_new(c, a, b, how, memory, &result, &refusal);
  const spw_refused what = {.operation = SPW_MULTIPLYING, .a = a, .b = b, .c = c, .names = added_names};
  if (status != SPW_OK) say(status, &what, &refusal, memory, operand, problem);
  return result;
}

static spw_owned *add_bias(const spw_tensor *x, const spw_tensor *w, const spw_tensor *bias, size_t memory, int *operand,
                           cli_problem *problem)
{
  static const char *const names[] = {"the first", "the second", "what --bias names"};
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_linear_new(x, w, bias, memory, &result, &refusal);
  const spw_refused what = {.operation = SPW_MULTIPLYING, .a = x, .b = w, .c = bias, .names = names};
  if (status != SPW_OK) say(status, &what, &refusal, memory, operand, problem);
  return result;
}

spw_owned *multiply_rows(const spw_tensor *a, const spw_tensor *b, bool elements, const cli_input *about,
                         const check_request *request, size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  if (!may_spend(about, request, "multiplying", steps_of_product(a, b), problem)) return NULL;
  const spw_status status = (elements ? spw_smm_new : spw_hspmm_new)(a, b, memory, &result, &refusal);
  if (status != SPW_OK)
    say(status, &(spw_refused){.operation = SPW_MULTIPLYING, .a = a, .b = b}, &refusal, memory, operand, problem);
  return result;
}

/* Of each stored position a sum over the inner dimension; and what is stored is copied, however short the sums are. */
static int64_t steps_at(const spw_tensor *s, const spw_tensor *a)
{
  const spw_array *const x = &a->values.array;
  const int64_t terms = multiply_counts(count_positions(&s->values.array), x->ndim > 0 ? x->shape[x->ndim - 1] : 1);
  return larger_count(terms, count_elements(s));
}

spw_owned *multiply_with(const spw_tensor *a, const spw_tensor *b, const product_request *wanted, const cli_input *about,
                         const check_request *request, size_t memory, int *operand, cli_problem *problem)
{
  const spw_dtype dtype = a->values.array.dtype;
  const char *const beta = wanted->beta ? wanted->beta : wanted->add ? dtype == SPW_BOOL ? "true" : "1" : NULL;
  spw_owned *result = NULL, *numbers[2] = {NULL, NULL};
  spw_factors how = {0};
  *operand = 0;
  const bool reads = take_factor("alpha", wanted->alpha, dtype, &numbers[0], &how.alpha, problem) &&
                     take_factor("beta", beta, dtype, &numbers[1], &how.beta, problem);
  const int64_t steps = wanted->at ? steps_at(wanted->at, a) : steps_of_product(a, b);
  if (reads && may_spend(about, request, "multiplying", steps, problem))
    result = wanted->at     ? multiply_at(wanted->at, a, b, &how, memory, operand, problem)
             : wanted->bias ? add_bias(a, b, wanted->bias, memory, operand, problem)
             : wanted->add->layout == SPW_DENSE ? add_product(a, b, wanted->add, &how, memory, operand, problem)
                                                : add_sparse(a, b, wanted->add, &how, memory, operand, problem);
  for (int i = 0; i < 2; i++) spw_owned_free(numbers[i]);
  return result;
}
