/* SPDX-License-Identifier: Apache-2.0 */
#include "make_tensor.h"

enum { OF_RESULT = -1, OFFSETS_AT_A_TIME = 2048 };

/* The elements of a tensor that are looked at: those of blocks even if dense dimensions of 0 leave them no value. */
static int64_t count_looked_at(const spw_tensor *tensor)
{
  const int64_t elements = count_elements(tensor);
  if (!is_blocked(tensor->layout)) return elements;
  const spw_numbers n = numbers_of(tensor);
  const int64_t of_blocks = multiply_counts(n.block_rows, n.block_columns);
  return larger_count(elements, multiply_counts(multiply_counts(n.batches, n.nse), of_blocks));
}

/* Elements that are looked at; of a product, each of one with each of the other. */
static int64_t steps_of(const spw_tensor *const *operands, int64_t count, const spw_making *wanted)
{
  const int64_t offsets = wanted->kind == SPW_MAKE_DIAGONALS ? wanted->count : 0;
  int64_t steps = add_counts(offsets, multiply_counts(offsets, offsets / OFFSETS_AT_A_TIME));
  for (int64_t i = 0; i < count; i++) steps = add_counts(steps, count_looked_at(operands[i]));
  if (count == 2) steps = add_counts(steps, multiply_counts(count_looked_at(operands[0]), count_looked_at(operands[1])));
  return steps;
}

static int operand_of_refusal(const spw_refusal *r)
{
  const bool of_result = r->obstacle == SPW_OBSTACLE_SIZE || r->obstacle == SPW_OBSTACLE_INDEX ||
                         r->obstacle == SPW_OBSTACLE_BATCHES || r->obstacle == SPW_OBSTACLE_BLOCKS;
  return of_result ? OF_RESULT : r->operand;
}

/* In words that speak of what is made, where those that fit every operation would mislead. */
static void put_reason(cli_text *text, const spw_making *w, const spw_refusal *r)
{
  const long long place = (long long)r->place, lhs = (long long)r->lhs, rhs = (long long)r->rhs;
  const bool given = w->kind <= SPW_MAKE_DIAGONALS;
  if (given && r->obstacle == SPW_OBSTACLE_RANGE)
    add_format(text, "entry %lld of --size is %lld: no size is negative", place, lhs);
  else if (given && r->obstacle == SPW_OBSTACLE_DUPLICATE)
    add_format(text, "offsets %lld and %lld are equal", lhs, rhs);
  else if (w->kind == SPW_MAKE_ZEROS && r->obstacle == SPW_OBSTACLE_DIMENSIONS)
    add_format(text, "--size has %lld dimensions, and batch, sparse and dense dimensions are %lld", lhs, rhs);
  else if (w->kind == SPW_MAKE_DIAGONALS && r->obstacle == SPW_OBSTACLE_SHAPES)
    add_format(text, "there are %lld rows of entries and %lld offsets", lhs, rhs);
  else if (r->obstacle == SPW_OBSTACLE_BLOCKS)
    add_format(text, "size[%lld] would be %lld, which is no multiple of the block size %lld", place, lhs, rhs);
  else if (w->kind == SPW_MAKE_RESPLIT && r->obstacle == SPW_OBSTACLE_DIMENSIONS)
    add_format(text, "%lld sparse dimensions are none of 1 to %lld", lhs, rhs);
  else
    add_refusal(text, &(spw_refused){.operation = SPW_ANY_OPERATION}, r);
}

static spw_owned *no_result(spw_status status, const char *word, const spw_making *wanted, const spw_refusal *refusal,
                            size_t memory, int *operand, cli_problem *problem)
{
  *operand = OF_RESULT;
  if (explain_no_result(status, word, memory, problem)) return NULL;
  cli_text text = new_text();
  *operand = operand_of_refusal(refusal);
  put_reason(&text, wanted, refusal);
  set_reason(problem, &text);
  return NULL;
}

spw_owned *make_tensor(const char *word, const spw_tensor *const *operands, int64_t count, const spw_making *wanted,
                       const cli_input *about, const check_request *request, size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  spw_room room;
  *operand = OF_RESULT;
  if (!may_spend(about, request, "making", steps_of(operands, count, wanted), problem)) return NULL;
  spw_status status = spw_make_size_unchecked(operands, count, wanted, &room, &refusal);
  const bool sums = status == SPW_ERANGE && refusal.obstacle == SPW_OBSTACLE_DUPLICATE && count > 0 && wanted->count == 0;
  if (status != SPW_OK && !sums) return no_result(status, word, wanted, &refusal, memory, operand, problem);
  if (!sums && !may_spend(about, request, "making", steps_of_room(&room), problem)) return NULL;
  status = spw_make_new(operands, count, wanted, memory, &result, &refusal);
  return status == SPW_OK ? result : no_result(status, word, wanted, &refusal, memory, operand, problem);
}
