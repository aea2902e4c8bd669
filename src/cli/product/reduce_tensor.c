/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

#include "../conversion/conversion.h"

/* Terms, what is gone along, and numbers: of a matrix that is reduced to one, each row has its own, and there is one without
 * rows, too. */
static int64_t steps_of(const spw_tensor *a, const spw_tensor *b, spw_reduction_span span)
{
  if (b) return steps_of_product(a, b);
  const int64_t n = a->ndim - 2, terms = count_positions(&a->values.array);
  const bool by_column = span == SPW_EACH_COLUMN;
  if (!a->has_size || n < 0) return terms;
  const spw_array batches = {.ndim = n, .shape = a->size};
  const int64_t lines = by_column ? a->size[n + 1] : a->size[n];
  const int64_t numbers = multiply_counts(count_positions(&batches), span == SPW_EACH_MATRIX && lines == 0 ? 1 : lines);
  return add_counts(terms, larger_count(numbers, count_ends(a)));
}

spw_owned *reduce_tensor(const spw_tensor *a, const spw_tensor *b, const spw_reduction *wanted, const cli_input *about,
                         const check_request *request, size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  if (!may_spend(about, request, "reducing", steps_of(a, b, wanted->span), problem)) return NULL;
  const spw_status status = spw_reduce_new(a, b, wanted, memory, &result, &refusal);
  if (status == SPW_OK) return result;
  spw_room room = {0};
  if (status == SPW_ENOMEM && spw_reduce_size_unchecked(a, b, wanted, &room, &refusal) == SPW_OK) {
    *operand = -1;
    return set_problem(problem, "limit", "the result and making it take %zu bytes, more than the limit of %zu; --max-memory=%zu "
                       "is enough", bytes_of_room(&room), memory, bytes_of_room(&room)), NULL;
  }
  if (!refused_for_reason(status, &refusal, "result", "the reduction of a valid tensor", memory, operand, problem)) return NULL;
  cli_text text = new_text();
  add_refusal(&text, &(spw_refused){.operation = SPW_REDUCING, .a = a, .b = b, .reduction = wanted}, &refusal);
  if (refusal.obstacle == SPW_OBSTACLE_DUPLICATE)
    add_text(&text, "; `spw convert --to=csr` makes them one, or --to=coo into a .spw.json");
  set_reason(problem, &text);
  return NULL;
}
