/* SPDX-License-Identifier: Apache-2.0 */
#include "restructure.h"

#include <stdlib.h>

enum { OF_RESULT = -1 };

/* ---- Reasons --------------------------------------------------------------------------------- */

/* What may help. */
static const char *hint_of(const spw_refusal *r)
{
  if (r->obstacle == SPW_OBSTACLE_DUPLICATE) return "; --duplicates=sum, first or last combines them";
  return r->obstacle == SPW_OBSTACLE_INDEX ? "; `spw convert --index=int64` gives a type that holds more" : "";
}

static void put_reason(cli_text *text, spw_operation operation, const spw_refusal *r)
{
  add_refusal(text, &(spw_refused){.operation = operation}, r);
  add_text(text, hint_of(r));
}

/* The operand that a refusal names. */
static int operand_of_refusal(const spw_refusal *r)
{
  const bool named = r->obstacle == SPW_OBSTACLE_OPERAND || r->obstacle == SPW_OBSTACLE_PATTERN ||
                     (r->obstacle == SPW_OBSTACLE_DUPLICATE && r->other > 0);
  if (r->obstacle == SPW_OBSTACLE_SIZE || r->obstacle == SPW_OBSTACLE_INDEX || r->obstacle == SPW_OBSTACLE_BATCHES)
    return OF_RESULT;
  return named ? (int)r->other : 0;
}

/* Why there is no result; null. */
static spw_owned *no_result(spw_status status, const char *word, const spw_refusal *refusal, size_t memory, int *operand,
                            cli_problem *problem)
{
  *operand = OF_RESULT;
  if (explain_no_result(status, word, memory, problem)) return NULL;
  cli_text text = new_text();
  *operand = operand_of_refusal(refusal);
  put_reason(&text, SPW_RESTRUCTURING, refusal);
  set_reason(problem, &text);
  return NULL;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* A list is looked for in the elements as often as the header of the library says. */
enum { LIST_PART = 2048 };

static int64_t steps_of(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted)
{
  const int64_t passes = wanted->kind == SPW_INDEX_SELECT ? wanted->count / LIST_PART + 1 : 1;
  int64_t steps = wanted->count;
  for (int64_t i = 0; i < count; i++) /* values without a scalar are cells, too */
    steps = add_counts(steps, multiply_counts(count_elements(operands[i]), passes));
  return steps;
}

/* ---- Operations ------------------------------------------------------------------------------ */

spw_owned *restructure_tensors(const char *word, const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                               const cli_input *about, const check_request *request, size_t memory, int *operand,
                               cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  spw_room room;
  *operand = OF_RESULT;
  if (!may_spend(about, request, "restructuring", steps_of(operands, count, wanted), problem)) return NULL;
  spw_status status = spw_restructure_size_unchecked(operands, count, wanted, &room, &refusal);
  if (status != SPW_OK) return no_result(status, word, &refusal, memory, operand, problem);
  if (!may_spend(about, request, "restructuring", steps_of_room(&room), problem)) return NULL;
  status = spw_restructure_new(operands, count, wanted, memory, &result, &refusal);
  return status == SPW_OK ? result : no_result(status, word, &refusal, memory, operand, problem);
}

/* ---- Another order of dimensions --------------------------------------------------------------- */

/* The identity, with the last two sparse dimensions of COO exchanged. */
static int64_t *order_of_transposed(const spw_numbers *n, int64_t ndim)
{
  int64_t *const order = allocate((size_t)ndim, sizeof *order);
  for (int64_t d = 0; d < ndim; d++) order[d] = d;
  order[n->sparse_dims - 2] = n->sparse_dims - 1;
  order[n->sparse_dims - 1] = n->sparse_dims - 2;
  return order;
}

/* A copy of a view: canonical, and in memory of its own, beside so many bytes that are taken already: fewer than there may be. */
static spw_owned *canonical(const char *word, const spw_tensor *view, spw_combine duplicates, size_t memory, size_t taken,
                            int *operand, cli_problem *problem)
{
  const spw_conversion same = {.layout = view->layout, .batch_dims = -1, .dense_dims = -1, .duplicates = duplicates};
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_convert_new(view, &same, memory - taken, &result, &refusal);
  return status == SPW_OK ? result : no_result(status, word, &refusal, memory, operand, problem);
}

static spw_owned *wrong_order(const spw_refusal *refusal, int *operand, cli_problem *problem)
{
  cli_text text = new_text();
  *operand = 0;
  put_reason(&text, SPW_PERMUTING, refusal);
  set_reason(problem, &text);
  return NULL;
}

static spw_owned *permute(const char *word, const spw_tensor *tensor, const int64_t *order, spw_combine duplicates, size_t memory,
                          int *operand, cli_problem *problem)
{
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  spw_buffers b = {0};
  spw_tensor view;
  spw_status status = spw_permute_size(tensor, order, &b.room, &refusal);
  if (status == SPW_ERANGE && refusal.obstacle == SPW_OBSTACLE_DIMENSION) return wrong_order(&refusal, operand, problem);
  if (status != SPW_OK) return no_result(status, word, &refusal, memory, operand, problem);
  const bool wide = b.room.index_dtype == SPW_INT64;
  const size_t width = wide ? sizeof(int64_t) : sizeof(int32_t), most = (memory - 1) / width; /* something is left */
  const size_t bytes = width * (size_t)b.room.plain;
  void *const plain = (size_t)b.room.plain <= most ? malloc(bytes + 1) : NULL;
  if (!plain) return no_result(SPW_ENOMEM, word, NULL, memory, operand, problem);
  b.dims = allocate((size_t)b.room.dims, sizeof *b.dims);
  b.plain_i32 = wide ? NULL : plain;
  b.plain_i64 = wide ? plain : NULL;
  status = spw_permute(tensor, order, &b, &view, &refusal);
  spw_owned *const result = status == SPW_OK ? canonical(word, &view, duplicates, memory, bytes, operand, problem)
                                             : no_result(status, word, &refusal, memory, operand, problem);
  free(plain);
  free(b.dims);
  return result;
}

static spw_owned *transpose_compressed(const char *word, const spw_tensor *tensor, size_t memory, int *operand,
                                       cli_problem *problem)
{
  const int64_t capacity = tensor->ndim + 2 * tensor->values.array.ndim;
  int64_t *const dims = allocate((size_t)capacity, sizeof *dims);
  spw_tensor view;
  const spw_status status = spw_transpose(tensor, dims, capacity, &view);
  spw_owned *const result = status == SPW_OK ? canonical(word, &view, SPW_COMBINE_SUM, memory, 0, operand, problem)
                                             : no_result(status, word, NULL, memory, operand, problem);
  free(dims);
  return result;
}

spw_owned *permute_tensor(const char *word, const spw_tensor *tensor, const int64_t *order, int64_t count,
                          spw_combine duplicates, const cli_input *about, const check_request *request, size_t memory,
                          int *operand, cli_problem *problem)
{
  const spw_numbers n = numbers_of(tensor);
  const int64_t ndim = count_dimensions(tensor);
  *operand = 0;
  if (order && count != ndim)
    return set_problem(problem, "impossible", "it has %lld dimensions, and --order names %lld", (long long)ndim,
                       (long long)count), NULL;
  if (!order && n.sparse_dims < 2)
    return set_problem(problem, "impossible", "it has %lld sparse dimensions, and two change places", (long long)n.sparse_dims),
           NULL;
  if (!may_spend(about, request, "restructuring", count_elements(tensor), problem) ||
      !may_spend(about, request, "restructuring", ndim, problem))
    return NULL;
  if (!order && is_compressed(tensor->layout)) return transpose_compressed(word, tensor, memory, operand, problem);
  if (ndim > SPW_STRUCTURE_DIMS) return no_result(SPW_EUNSUPPORTED, word, NULL, memory, operand, problem);
  int64_t *const transposed = order ? NULL : order_of_transposed(&n, ndim);
  spw_owned *const result = permute(word, tensor, order ? order : transposed, duplicates, memory, operand, problem);
  free(transposed);
  return result;
}
