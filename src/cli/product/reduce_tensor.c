/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

#include "../conversion/conversion.h"

/* Terms, what is gone along, and numbers: of a compressed matrix that is reduced to one, each row has its own, and there is one
 * without rows, too. */
static int64_t steps_of(const spw_tensor *a, const spw_tensor *b, spw_reduction_span span)
{
  if (b) return steps_of_product(a, b);
  const int64_t n = a->ndim - 2, terms = count_positions(&a->values.array);
  const bool by_column = span == SPW_EACH_COLUMN;
  if (!a->has_size || n < 0) return terms;
  const spw_array batches = {.ndim = n, .shape = a->size};
  const int64_t lines = by_column ? a->size[n + 1] : a->size[n];
  const bool alone = span == SPW_EACH_MATRIX && (lines == 0 || a->layout == SPW_COO);
  const int64_t numbers = multiply_counts(count_positions(&batches), alone ? 1 : lines);
  return add_counts(terms, larger_count(numbers, count_ends(a)));
}

/* A reduction, with b or without; one over dimensions; a softmax; or else positions. */
typedef struct asked {
  const spw_tensor *a, *b;
  const spw_reduction *wanted;
  const spw_dims_reduction *dims;
  const spw_softmax_request *softmax;
} asked;

static spw_status measure(const asked *q, spw_room *room, spw_refusal *refusal)
{
  if (q->softmax) return spw_softmax_size_unchecked(q->a, q->softmax, room, refusal);
  if (!q->wanted && !q->dims) return spw_nonzero_size_unchecked(q->a, room, refusal);
  return q->dims ? spw_reduce_dims_size_unchecked(q->a, q->dims, room, refusal)
                 : spw_reduce_size_unchecked(q->a, q->b, q->wanted, room, refusal);
}

static spw_owned *explain_none(const asked *q, spw_status status, spw_refusal *refusal, size_t memory, int *operand,
                               cli_problem *problem)
{
  spw_room room = {0};
  if (status == SPW_ENOMEM && measure(q, &room, refusal) == SPW_OK) {
    *operand = -1;
    return set_problem(problem, "limit", "the result and making it take %zu bytes, more than the limit of %zu; --max-memory=%zu "
                       "is enough", bytes_of_room(&room), memory, bytes_of_room(&room)), NULL;
  }
  if (!refused_for_reason(status, refusal, "result", "the reduction of a valid tensor", memory, operand, problem)) return NULL;
  cli_text text = new_text();
  add_refusal(&text, &(spw_refused){.operation = SPW_REDUCING, .a = q->a, .b = q->b, .reduction = q->wanted}, refusal);
  if (refusal->obstacle == SPW_OBSTACLE_DUPLICATE)
    add_text(&text, "; `spw convert --to=csr` makes them one, or --to=coo into a .spw.json");
  set_reason(problem, &text);
  return NULL;
}

spw_owned *reduce_tensor(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, const cli_input *about,
                         const check_request *request, size_t memory, int *operand, cli_problem *problem)
{
  const asked q = {a, b, wanted, NULL, NULL};
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  if (!may_spend(about, request, "reducing", steps_of(a, b, wanted->span), problem)) return NULL;
  const spw_status status = spw_reduce_new(a, b, wanted, memory, &result, &refusal);
  return status == SPW_OK ? result : explain_none(&q, status, &refusal, memory, operand, problem);
}

spw_owned *reduce_dims_of(const spw_tensor *t, const spw_dims_reduction *wanted, const cli_input *about,
                          const check_request *request, size_t memory, int *operand, cli_problem *problem)
{
  const asked q = {t, NULL, NULL, wanted, NULL};
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  spw_room room = {0};
  spw_status status = measure(&q, &room, &refusal);
  const int64_t terms = count_positions(&t->values.array);
  if (!may_spend(about, request, "reducing", add_counts(add_counts(terms, room.values), count_ends(t)), problem)) return NULL;
  if (status == SPW_OK) status = spw_reduce_dims_new(t, wanted, memory, &result, &refusal);
  return status == SPW_OK ? result : explain_none(&q, status, &refusal, memory, operand, problem);
}

spw_owned *softmax_of(const spw_tensor *t, const spw_softmax_request *wanted, const cli_input *about,
                      const check_request *request, size_t memory, int *operand, cli_problem *problem)
{
  const asked q = {t, NULL, NULL, NULL, wanted};
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const int64_t terms = count_positions(&t->values.array);
  if (!may_spend(about, request, "softmax of", add_counts(terms, count_ends(t)), problem)) return NULL;
  const spw_status status = spw_softmax_new(t, wanted, memory, &result, &refusal);
  return status == SPW_OK ? result : explain_none(&q, status, &refusal, memory, operand, problem);
}

spw_owned *nonzero_of(const spw_tensor *t, const cli_input *about, const check_request *request, size_t memory, int *operand,
                      cli_problem *problem)
{
  const asked q = {t, NULL, NULL, NULL, NULL};
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  if (!may_spend(about, request, "listing", add_counts(count_positions(&t->values.array), count_ends(t)), problem)) return NULL;
  const spw_status status = spw_nonzero_new(t, memory, &result, &refusal);
  return status == SPW_OK ? result : explain_none(&q, status, &refusal, memory, operand, problem);
}
