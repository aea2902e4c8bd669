/* SPDX-License-Identifier: Apache-2.0 */
/* Checks one input and gathers what the reports need. */
#include "verdict.h"

/* As if nothing behind the first violated rule had been looked at. */
static void hide_after_first(spw_report *report)
{
  bool hidden = false;
  for (int i = 0; i < SPW_RULE_COUNT; i++) {
    spw_finding *finding = &report->findings[i];
    if (hidden && finding->state != SPW_NOT_APPLICABLE) finding->state = SPW_NOT_EVALUATED;
    hidden = hidden || finding->state == SPW_VIOLATED;
  }
}

static bool shape_holds(const spw_report *report)
{
  for (int i = 0; i < SPW_RULE_COUNT; i++)
    if (report->findings[i].state == SPW_VIOLATED
        && spw_rule_get((spw_rule)i)->phase == SPW_SHAPE)
      return false;
  return true;
}

/* To infer a size is to read the indices, which the level shape does not. */
static void find_size(cli_judgement *judgement)
{
  const spw_tensor *tensor = judgement->input->tensor;
  judgement->size = tensor->size;
  judgement->ndim = tensor->ndim;
  judgement->size_known = tensor->has_size;
  if (tensor->has_size || judgement->level == SPW_SHAPE) return;
  if (!shape_holds(&judgement->report)) return;
  judgement->size = judgement->inferred;
  judgement->size_known =
      spw_infer_size(tensor, judgement->inferred, MAX_INFERRED_DIMS, &judgement->ndim) == SPW_OK;
}

/* 2^28 steps, which take a second to 20; and no less than what a file of honest contents can need, even
 * deflated. The tensors of a file share it, or a file of many lines would multiply it. */
static int64_t work_limit(const check_request *request, size_t bytes)
{
  enum { LEAST = 1 << 28, A_BYTE = 16 };
  if (request->max_work) return request->max_work;
  if (bytes > INT64_MAX / A_BYTE) return INT64_MAX;
  const int64_t by_size = A_BYTE * (int64_t)bytes;
  return by_size > LEAST ? by_size : LEAST;
}

static bool refuse_work(cli_problem *problem, const char *what, int64_t steps, int64_t spent,
                        int64_t limit)
{
  int64_t sum;
  if (__builtin_add_overflow(steps, spent, &sum) || sum == INT64_MAX)
    return set_problem(problem, "limit", "%s it takes more than 2^63 steps, and the limit of "
                       "--max-work is %lld", what, (long long)limit);
  if (spent == 0)
    return set_problem(problem, "limit", "%s it takes %lld steps, more than the limit of %lld; "
                       "--max-work=%lld allows it", what, (long long)steps, (long long)limit,
                       (long long)steps);
  return set_problem(problem, "limit", "%s it takes %lld steps; what came before it in the file "
                     "took %lld of the %lld allowed; --max-work=%lld allows it", what,
                     (long long)steps, (long long)spent, (long long)limit, (long long)sum);
}

int64_t work_left(const cli_input *input, const check_request *request)
{
  return work_limit(request, input->bytes) - *input->spent;
}

bool may_spend(const cli_input *input, const check_request *request, const char *what, int64_t steps,
               cli_problem *problem)
{
  const int64_t spent = *input->spent, limit = work_limit(request, input->bytes);
  if (steps > limit - spent) return refuse_work(problem, what, steps, spent, limit);
  *input->spent += steps;
  return true;
}

/* What the checker does not take is no work: it is asked all the same, and says why. */
static bool may_work(const cli_input *input, const check_request *request, cli_problem *problem)
{
  int64_t steps = 0;
  (void)spw_work(input->tensor, request->level, &steps);
  return may_spend(input, request, "checking", steps, problem);
}

/* All of a dense array whose shape holds. */
static bool may_read(const cli_input *input, const check_request *request, cli_problem *problem)
{
  const spw_tensor *tensor = input->tensor;
  if (!request->reads_values || tensor->layout != SPW_DENSE) return true;
  return may_spend(input, request, "reading", count_positions(&tensor->values.array), problem);
}

/* A few bytes may mean terabytes, which another program then asks for. */
static bool may_be_dense(const check_request *request, const cli_judgement *judgement, cli_problem *problem)
{
  int64_t bytes = spw_dtype_size(judgement->input->tensor->values.array.dtype);
  bool beyond = false;
  if (request->max_dense_bytes == 0 || !judgement->size_known) return true;
  for (int64_t d = 0; d < judgement->ndim; d++)
    if (judgement->size[d] == 0) return true;
  for (int64_t d = 0; d < judgement->ndim; d++) beyond = beyond || __builtin_mul_overflow(bytes, judgement->size[d], &bytes);
  if (beyond)
    return set_problem(problem, "limit", "as a dense array it takes more than 2^63 bytes, and --max-dense-bytes is %lld",
                       (long long)request->max_dense_bytes);
  if (bytes <= request->max_dense_bytes) return true;
  return set_problem(problem, "limit", "as a dense array it takes %lld bytes, more than the limit of %lld; "
                     "--max-dense-bytes=%lld allows it", (long long)bytes, (long long)request->max_dense_bytes, (long long)bytes);
}

static void hide_after_first_of_semi(spw_semi_report *report)
{
  bool hidden = false;
  for (int i = 0; i < SPW_SEMI_RULE_COUNT; i++) {
    if (hidden) report->findings[i].state = SPW_NOT_EVALUATED;
    hidden = hidden || report->findings[i].state == SPW_VIOLATED;
  }
}

/* A 2:4 matrix. Its storage is what a file says, so its words are no more than can be counted. */
static bool judge_semi(const cli_input *input, const check_request *request, cli_judgement *judgement)
{
  const spw_semi *const semi = input->semi;
  const int64_t steps = request->level == SPW_SHAPE ? 0 : count_positions(&semi->metadata.array);
  const spw_status status = spw_semi_check(semi, SPW_SHAPE, &judgement->semi_report);
  if (status == SPW_OK && judgement->semi_report.valid) {
    if (!may_spend(input, request, "checking", steps, &judgement->problem)) return true;
    spw_semi_check(semi, request->level, &judgement->semi_report);
  }
  judgement->semi = semi;
  judgement->problem.kind = NULL;
  if (request->first_only) hide_after_first_of_semi(&judgement->semi_report);
  judgement->verdict = judgement->semi_report.valid ? VERDICT_VALID : VERDICT_INVALID;
  return true;
}

bool judge(const cli_input *input, const check_request *request, cli_judgement *judgement)
{
  const spw_tensor *tensor = input->tensor;
  judgement->input = input;
  judgement->level = request->level;
  judgement->verdict = VERDICT_MALFORMED;
  judgement->problem = input->problem;
  judgement->semi = NULL;
  if (input->semi && request->takes_semi) return judge_semi(input, request, judgement);
  if (!tensor) return true;
  if (!may_work(input, request, &judgement->problem)) return true;
  const spw_status status = check_tensor(tensor, request->level, &judgement->report);
  if (status == SPW_EOVERFLOW) {
    set_problem(&judgement->problem, "limit", "it has more batches than int64 can number");
    return true;
  }
  if (status != SPW_OK) {
    fprintf(stderr, "spw: internal error: the checker refused a tensor: %s\n",
            spw_status_string(status));
    return false;
  }
  if (judgement->report.valid && !may_read(input, request, &judgement->problem)) return true;
  if (request->first_only) hide_after_first(&judgement->report);
  judgement->verdict = judgement->report.valid ? VERDICT_VALID : VERDICT_INVALID;
  find_size(judgement);
  if (judgement->report.valid && !may_be_dense(request, judgement, &judgement->problem)) judgement->verdict = VERDICT_MALFORMED;
  return true;
}
