/* SPDX-License-Identifier: Apache-2.0 */
/* Makes one tensor of another, within a limit of memory. */
#include "conversion.h"

#include <stdlib.h>

/* Not all of the machine: the tensor, and the text of the result, are there besides. */
size_t memory_limit(int64_t max_memory)
{
  return max_memory ? (size_t)max_memory : machine_memory(SIZE_MAX) / 4;
}

bool explain_no_result(spw_status status, const char *word, size_t memory, cli_problem *problem)
{
  if (status == SPW_ERANGE) return false;
  if (status == SPW_ENOMEM)
    set_problem(problem, "limit", "the result takes more than the limit of %zu bytes; --max-memory=N changes the limit", memory);
  else if (status == SPW_EUNSUPPORTED)
    set_problem(problem, "impossible", "there are more than %d dimensions", SPW_STRUCTURE_DIMS);
  else
    set_problem(problem, "internal", "%s of valid tensors failed: %s", word, spw_status_string(status));
  return true;
}

/* ---- Requests that make no sense ------------------------------------------------------------- */

const char *misfit_of(const spw_conversion *wanted, spw_layout layout)
{
  const bool is_dense = layout == SPW_DENSE;
  if (wanted->block_rows && !is_blocked(layout)) return "--blocksize is for bsr and bsc; no other layout has blocks";
  if (wanted->batch_dims >= 0 && !is_compressed(layout))
    return "--batch-dims is for csr, csc, bsr and bsc; no other layout has batches";
  if (wanted->dense_dims >= 0 && is_dense) return "--dense-dims is for sparse results";
  if (wanted->index_dtype && is_dense) return "--index is for sparse results; dense has no indices";
  if (wanted->prune && is_dense) return "--prune is for sparse results; a dense one has its zeros in any case";
  if (wanted->prune && wanted->bits) return "--prune takes away what --bits keeps, as -0.0";
  return NULL;
}

/* What the tensor itself rules out; false if something. */
static bool suits_tensor(const spw_tensor *t, const spw_conversion *wanted, cli_problem *problem)
{
  const char *misfit = misfit_of(wanted, wanted->layout), *name = spw_layout_name(t->layout);
  if (misfit) return set_problem(problem, "impossible", "%s; it is %s", misfit, name);
  if (is_blocked(wanted->layout) && !wanted->block_rows && !is_blocked(t->layout))
    return set_problem(problem, "impossible", "%s needs --blocksize=RxC; the tensor, %s, has no blocks",
                       spw_layout_name(wanted->layout), name);
  if (t->layout == SPW_DENSE) {
    if (wanted->dense_dims > t->values.array.ndim)
      return set_problem(problem, "impossible", "it has %lld dimensions, and --dense-dims=%lld asks for more",
                         (long long)t->values.array.ndim, (long long)wanted->dense_dims);
    return true;
  }
  const spw_numbers n = numbers_of(t);
  if (wanted->dense_dims >= 0 && wanted->dense_dims != n.dense_dims)
    return set_problem(problem, "impossible", "it has %lld dense dimensions; --dense-dims=%lld is possible for dense "
                       "tensors only", (long long)n.dense_dims, (long long)wanted->dense_dims);
  if (is_compressed(t->layout) && wanted->batch_dims >= 0 && wanted->batch_dims != n.batch_dims)
    return set_problem(problem, "impossible", "it is %s of %lld batch dimensions; --batch-dims=%lld is possible for coo "
                       "and dense tensors only", name, (long long)n.batch_dims, (long long)wanted->batch_dims);
  return true;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void add_product(size_t *sum, int64_t count, int64_t size, bool *fits)
{
  size_t bytes = 0;
  *fits &= !__builtin_mul_overflow((size_t)count, (size_t)size, &bytes);
  *fits &= !__builtin_add_overflow(*sum, bytes, sum);
}

size_t bytes_of_room(const spw_room *room)
{
  const int64_t index = spw_dtype_size(room->index_dtype);
  size_t bytes = room->work;
  bool fits = true;
  add_product(&bytes, room->dims, (int64_t)sizeof(int64_t), &fits);
  add_product(&bytes, room->compressed, index, &fits);
  add_product(&bytes, room->plain, index, &fits);
  add_product(&bytes, room->values, spw_dtype_size(room->dtype), &fits);
  return fits ? bytes : SIZE_MAX;
}

/* What the result consists of. */
static void describe_room(char *text, size_t length, const spw_room *room)
{
  const long long compressed = (long long)room->compressed, plain = (long long)room->plain, values = (long long)room->values;
  const long long index = (long long)spw_dtype_size(room->index_dtype), size = (long long)spw_dtype_size(room->dtype);
  if (compressed > 0)
    snprintf(text, length, "%lld compressed and %lld plain indices of %lld bytes and %lld values of %lld bytes", compressed,
             plain, index, values, size);
  else if (plain > 0)
    snprintf(text, length, "%lld indices of %lld bytes and %lld values of %lld bytes", plain, index, values, size);
  else
    snprintf(text, length, "%lld values of %lld bytes", values, size);
}

/* Why there is not enough memory. */
static void explain_memory(const spw_conversion *wanted, const spw_room *room, size_t limit, cli_problem *problem)
{
  char has[160];
  const char *name = spw_layout_name(wanted->layout);
  const size_t bytes = bytes_of_room(room);
  describe_room(has, sizeof has, room);
  if (bytes > INT64_MAX)
    set_problem(problem, "limit", "as %s it has %s, which no memory holds", name, has);
  else if (bytes > limit)
    set_problem(problem, "limit", "as %s it has %s, and making it takes %zu bytes, more than the limit of %zu; "
                "--max-memory=%zu is enough to make it", name, has, bytes, limit, bytes);
  else
    set_problem(problem, "limit", "not enough memory: as %s it has %s, and making it takes %zu bytes", name, has, bytes);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* To find an element takes a step for each dimension, which matters where there are more than a few: their size, shapes and
 * strides are some four numbers each, which are written, too. */
int64_t steps_of_room(const spw_room *room)
{
  const int64_t elements = add_counts(add_counts(room->compressed, room->plain), room->values);
  const int64_t written = room->dims > 4 * FEW_DIMENSIONS ? room->dims : 0;
  return add_counts(written, multiply_counts(elements, 1 + room->dims / (4 * FEW_DIMENSIONS)));
}

/* A size that is inferred has an entry for each dimension, and COO without an element may have any number of them. More than
 * a size can have are refused at no cost. */
static bool may_infer_size(const cli_judgement *judgement, const check_request *request, cli_problem *problem)
{
  const int64_t ndim = count_dimensions(judgement->input->tensor);
  const int64_t found = multiply_counts(count_elements(judgement->input->tensor), ndim / FEW_DIMENSIONS);
  return ndim > SPW_NDIM_MAX || may_spend(judgement->input, request, "converting", add_counts(ndim, found), problem);
}

/* The elements of the result, the implicit zeros of a dense one too. */
static bool may_make(const cli_judgement *judgement, const spw_conversion *wanted, const spw_room *room,
                     const check_request *request, size_t memory, cli_problem *problem)
{
  if (bytes_of_room(room) <= memory)
    return may_spend(judgement->input, request, "converting", steps_of_room(room), problem);
  explain_memory(wanted, room, memory, problem);
  return false;
}

/* Does the request suit the tensor, and may its size be found out? */
static bool may_ask(const cli_judgement *judgement, const spw_conversion *wanted, const check_request *request,
                    cli_problem *problem)
{
  return suits_tensor(judgement->input->tensor, wanted, problem) && may_infer_size(judgement, request, problem);
}

/* ---- Conversion ------------------------------------------------------------------------------ */

/* The option that may help. */
static const char *hint_of(const spw_tensor *tensor, const spw_refusal *r)
{
  const bool too_many = r->obstacle == SPW_OBSTACLE_DIMENSIONS && r->lhs > r->rhs && r->rhs < SPW_NDIM_MAX - 1;
  if (r->obstacle == SPW_OBSTACLE_INDEX) return "; --index=int64 holds more";
  if (r->obstacle == SPW_OBSTACLE_DUPLICATE) return "; --duplicates=sum, first or last combines them";
  if (!too_many) return "";
  return tensor->layout == SPW_DENSE ? "; --batch-dims and --dense-dims say how many are not"
                                     : "; --batch-dims says how many are not";
}

static void explain(const cli_judgement *judgement, const spw_conversion *wanted, const spw_refusal *refusal,
                    spw_status status, cli_problem *problem)
{
  const spw_tensor *const tensor = judgement->input->tensor;
  if (status != SPW_ERANGE) {
    set_problem(problem, "internal", "the conversion of a valid tensor failed: %s", spw_status_string(status));
    return;
  }
  cli_text text = new_text();
  add_refusal(&text, &(spw_refused){.operation = SPW_CONVERTING, .a = tensor, .conversion = wanted}, refusal);
  add_text(&text, hint_of(tensor, refusal));
  set_reason(problem, &text);
}

spw_owned *convert_tensor(const cli_judgement *judgement, const spw_conversion *wanted, const check_request *request,
                          size_t memory, cli_problem *problem)
{
  const spw_tensor *tensor = judgement->input->tensor;
  spw_owned *result = NULL;
  spw_room room = {0};
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  if (!may_ask(judgement, wanted, request, problem)) return NULL;
  spw_status status = spw_convert_size_unchecked(tensor, wanted, &room, &refusal);
  if (status == SPW_OK && !may_make(judgement, wanted, &room, request, memory, problem)) return NULL;
  if (status == SPW_OK) status = spw_convert_new(tensor, wanted, memory, &result, &refusal);
  if (status == SPW_OK) return result;
  if (status == SPW_ENOMEM)
    explain_memory(wanted, &room, memory, problem);
  else
    explain(judgement, wanted, &refusal, status, problem);
  return NULL;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

/* What was told last decides what a line begins with. */
typedef struct plan_text {
  cli_text *text;
  int said, steps;
} plan_text;

/* Layouts are words of one line, all else has a line each. */
static void add_plan_line(void *context, spw_explained what, const char *name, const char *words)
{
  static const char *const starts[] = {"\n  row    ", " ->", "\n  where  ", "\n  and    ", "\n  steps  ", NULL};
  plan_text *const plan = context;
  if (what == SPW_EXPLAINED_STEP_LEFT_OUT) return;
  const bool first = plan->said != (int)what;
  plan->said = (int)what;
  add_text(plan->text, first ? starts[what] : what <= SPW_EXPLAINED_TO ? " " : "\n         ");
  if (what <= SPW_EXPLAINED_TO)
    add_format(plan->text, "%s%s", first && what == SPW_EXPLAINED_TO ? " " : "", name);
  else if (what == SPW_EXPLAINED_STEP)
    add_format(plan->text, "%d %s: %s", ++plan->steps, name, words);
  else
    add_text(plan->text, words);
}

bool explain_conversion(const cli_judgement *judgement, const spw_conversion *wanted, const check_request *request,
                        cli_text *text, cli_problem *problem)
{
  const spw_tensor *tensor = judgement->input->tensor;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  plan_text plan = {text, -1, 0};
  if (!may_ask(judgement, wanted, request, problem)) return false;
  char *const name = escape_text(judgement->input->file);
  add_text(text, name);
  if (judgement->input->line) add_format(text, ":%lld", (long long)judgement->input->line);
  add_format(text, ": %s -> %s", spw_layout_name(tensor->layout), spw_layout_name(wanted->layout));
  free(name);
  const spw_status status = spw_convert_explain(tensor, wanted, 1, add_plan_line, &plan, &refusal);
  add_text(text, "\n");
  if (status != SPW_OK) explain(judgement, wanted, &refusal, status, problem);
  return status == SPW_OK;
}
