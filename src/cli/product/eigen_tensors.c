/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

#include "../conversion/conversion.h"

#include <math.h>
#include <stdlib.h>

static const char *const of_pairs[] = {"the matrix", "the values", "the vectors", "the weights"};
static const char *const of_triples[] = {"the matrix", "the values", "the left vectors", "the right vectors", "the center"};

/* What is claimed of A: pairs, or with right vectors triples. */
static spw_eigen_claim pairs_of(const eigen_claim *c)
{
  return (spw_eigen_claim){.a = c->a, .values = c->values, .vectors = c->vectors, .weights = c->weights};
}

static spw_singular_claim triples_of(const eigen_claim *c)
{
  return (spw_singular_claim){.a = c->a, .values = c->values, .left = c->vectors, .right = c->right, .center = c->center};
}

static spw_status ask_work(const eigen_claim *c, size_t *bytes, spw_refusal *refusal)
{
  const spw_eigen_claim pairs = pairs_of(c);
  const spw_singular_claim triples = triples_of(c);
  return c->right ? spw_judge_singular_work(&triples, bytes, refusal) : spw_judge_eigenpairs_work(&pairs, bytes, refusal);
}

static spw_status ask(const eigen_claim *c, spw_enclosure *enclosures, double *apart, void *work, size_t bytes,
                      spw_refusal *refusal)
{
  const spw_eigen_claim pairs = pairs_of(c);
  const spw_singular_claim triples = triples_of(c);
  return c->right ? spw_judge_singular(&triples, enclosures, apart, work, bytes, refusal)
                  : spw_judge_eigenpairs(&pairs, enclosures, apart, work, bytes, refusal);
}

/* Every element meets every vector, the vectors each other. */
static int64_t steps_of(const eigen_claim *c)
{
  const int64_t k = count_positions(&c->values->values.array), vectors = count_positions(&c->vectors->values.array),
                right = c->right ? count_positions(&c->right->values.array) : 0;
  return add_counts(multiply_counts(count_positions(&c->a->values.array), add_counts(k, 1)),
                    add_counts(multiply_counts(add_counts(vectors, right), add_counts(k, 1)), count_ends(c->a)));
}

/* ---- In words ------------------------------------------------------------------------------------ */

static judged judge_enclosures(const eigen_claim *c, const spw_enclosure *e, int64_t k, double apart, cli_text *text)
{
  const char *const what = c->right ? "a singular value" : "an eigenvalue";
  int64_t certified = 0, near = 0;
  for (int64_t i = 0; i < k; i++) {
    certified += e[i].certified;
    near += e[i].certified && e[i].radius <= c->radius;
  }
  add_format(text, "%s: %lld of %lld certified", near == k ? "right" : "wrong", (long long)certified, (long long)k);
  if (near < certified) add_format(text, ", %lld with a radius above %.3g", (long long)(certified - near), c->radius);
  add_format(text, "; the vectors are off orthonormal by at most %.3g", apart);
  for (int64_t i = 0; i < k; i++)
    if (e[i].certified)
      add_format(text, "\n  %lld: %s in [%.17g, %.17g], radius %.3g", (long long)i, what, e[i].low, e[i].high, e[i].radius);
    else
      add_format(text, "\n  %lld: nothing is certified, radius %.3g", (long long)i, e[i].radius);
  return near == k ? JUDGED_RIGHT : JUDGED_WRONG;
}

static judged refuse(const eigen_claim *c, spw_status status, const spw_refusal *refusal, size_t memory, int *operand,
                     cli_problem *problem)
{
  if (!refused_for_reason(status, refusal, "workspace", "judging eigenpairs", memory, operand, problem)) return NOT_JUDGED;
  cli_text text = new_text();
  spw_refusal said = *refusal; /* in words that have three names */
  const int more = said.operand > 2 ? said.operand - 2 : 0;
  said.operand -= more;
  const char *const *const names = (c->right ? of_triples : of_pairs) + more;
  add_refusal(&text, &(spw_refused){.operation = SPW_ANY_OPERATION, .a = c->a, .b = c->values, .names = names}, &said);
  set_reason(problem, &text);
  return NOT_JUDGED;
}

judged judge_eigen(const eigen_claim *c, const cli_input *about, const check_request *request, size_t memory,
                   cli_text *text, int *operand, cli_problem *problem)
{
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  size_t bytes = 0;
  *operand = 1;
  if (!may_spend(about, request, "judging", multiply_counts(steps_of(c), steps_of_number(c->a->values.array.dtype)), problem))
    return NOT_JUDGED;
  spw_status status = ask_work(c, &bytes, &refusal);
  if (status == SPW_OK && !may_take_to_judge(bytes, memory, problem)) return NOT_JUDGED;
  if (status != SPW_OK) return refuse(c, status, &refusal, memory, operand, problem);
  const int64_t k = count_positions(&c->values->values.array);
  void *const work = allocate(bytes ? bytes : 1, 1);
  spw_enclosure *const enclosures = allocate((size_t)k + 1, sizeof *enclosures);
  double apart = INFINITY;
  status = ask(c, enclosures, &apart, work, bytes, &refusal);
  const judged verdict = status == SPW_OK ? judge_enclosures(c, enclosures, k, apart, text)
                                          : refuse(c, status, &refusal, memory, operand, problem);
  free(enclosures);
  free(work);
  return verdict;
}
