/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

#include "../conversion/conversion.h"

#include <stdlib.h>

static const char *const names[] = {"the matrix", "the right side", "the solution"};

/* Every element of the matrix meets every right side; and the unknowns. */
static int64_t steps_of(const spw_tensor *a, const spw_tensor *b)
{
  const int64_t numbers = count_positions(&b->values.array);
  const int64_t n = a->has_size && a->ndim > 1 && a->size[a->ndim - 1] > 0 ? a->size[a->ndim - 1] : 1;
  return add_counts(multiply_counts(count_positions(&a->values.array), 1 + numbers / n), add_counts(numbers, count_ends(a)));
}

static void explain(const spw_tensor *a, const spw_tensor *b, const spw_refusal *refusal, cli_problem *problem)
{
  cli_text text = new_text();
  add_refusal(&text, &(spw_refused){.operation = SPW_ANY_OPERATION, .a = a, .b = b, .names = names}, refusal);
  set_reason(problem, &text);
}

bool lacks_solver(spw_status status, int *operand, cli_problem *problem)
{
  if (status != SPW_EUNSUPPORTED || spw_solve_available()) return false;
  *operand = -1;
  set_problem(problem, "unsupported", "KLU is not installed: libklu.so.1 or libklu.so.2, of SuiteSparse");
  return true;
}

spw_owned *solve_tensors(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, const cli_input *about,
                         const check_request *request, size_t memory, int *operand, cli_problem *problem)
{
  spw_owned *result = NULL;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  if (!may_spend(about, request, "solving", steps_of(a, b), problem)) return NULL;
  const spw_status status = wanted ? spw_solve_triangular_new(a, b, wanted, memory, &result, &refusal)
                                   : spw_solve_new(a, b, NULL, memory, &result, &refusal);
  if (status == SPW_OK) return result;
  if (!wanted && lacks_solver(status, operand, problem)) return NULL;
  if (refused_for_reason(status, &refusal, "solution", "solving a system of valid operands", memory, operand, problem))
    explain(a, b, &refusal, problem);
  return NULL;
}

/* ---- Judging ------------------------------------------------------------------------------------- */

static void add_place(cli_text *text, const spw_solution_judgement *j, const spw_solution_claim *claim)
{
  const int64_t batches = claim->a->ndim - 2;
  if (batches > 0) add_format(text, "batch %lld, ", (long long)j->batch);
  add_format(text, "equation %lld", (long long)j->row);
  if (claim->b->values.array.ndim > batches + 1) add_format(text, ", right side %lld", (long long)j->column);
  if (j->part == 1) add_text(text, ", imaginary part");
}

static void add_verdict(cli_text *text, const spw_solution_judgement *j, const spw_solution_claim *claim)
{
  const long long numbers = (long long)j->numbers;
  if (j->wrong > 0) {
    add_format(text, "wrong: %lld of %lld numbers, first ", (long long)j->wrong, numbers);
    add_place(text, j, claim);
    if (j->ratio < 1e300)
      add_format(text, ": the residual is %.3g, and at most %.3g is allowed", j->residual, j->bound);
    else
      add_text(text, j->bound < 1e300 ? ": nothing but 0 is allowed as residual" : ": it is not finite");
  } else {
    add_format(text, "%s: %lld numbers, %lld within their bound", j->undecided ? "undecided" : "right", numbers,
               (long long)j->bounded);
    if (j->special) add_format(text, ", %lld not finite", (long long)j->special);
    if (j->undecided) add_format(text, ", %lld that may be anything", (long long)j->undecided);
    if (j->bounded) add_format(text, "; the worst residual is %.2g of its bound", j->ratio);
  }
  if (!claim->triangle) add_format(text, "; the backward error is %.3g", j->omega);
}

judged judge_solution(const spw_solution_claim *claim, const cli_input *about, const check_request *request, size_t memory,
                      cli_text *text, int *operand, cli_problem *problem)
{
  const spw_tensor *const a = claim->a, *const b = claim->b;
  spw_solution_judgement judgement = {.verdict = SPW_NOT_JUDGED};
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  size_t bytes = 0;
  *operand = 2;
  if (!may_spend(about, request, "judging", multiply_counts(steps_of(a, b), steps_of_number(a->values.array.dtype)), problem))
    return NOT_JUDGED;
  spw_status status = spw_judge_solution_work(claim, &bytes, &refusal);
  if (status == SPW_OK && !may_take_to_judge(bytes, memory, problem)) return NOT_JUDGED;
  void *const work = status == SPW_OK ? allocate(bytes ? bytes : 1, 1) : NULL;
  if (status == SPW_OK) status = spw_judge_solution(claim, work, bytes, &judgement, &refusal);
  free(work);
  if (status != SPW_OK) {
    if (refused_for_reason(status, &refusal, "workspace", "judging a solution", memory, operand, problem))
      explain(a, b, &refusal, problem);
    return NOT_JUDGED;
  }
  add_verdict(text, &judgement, claim);
  return judgement.verdict == SPW_WRONG ? JUDGED_WRONG : judgement.verdict == SPW_UNDECIDED ? UNDECIDED : JUDGED_RIGHT;
}
