/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"
#include "../verdict/verdict.h"

#include <stdlib.h>

/* y has the shape of a product with a. */
static void add_place(cli_text *text, const spw_judgement *j, const spw_tensor *a, const spw_tensor *y)
{
  const int64_t batches = count_dimensions(a) - 2;
  const bool vector = count_dimensions(y) == batches + 1;
  if (batches > 0) add_format(text, "batch %lld, ", (long long)j->batch);
  add_format(text, vector ? "element %lld" : "row %lld", (long long)j->row);
  if (!vector) add_format(text, ", column %lld", (long long)j->column);
  if (j->part == 1) add_text(text, ", imaginary part");
}

/* What is wrong with a floating-point number. */
static void add_fault(cli_text *text, const spw_judgement *j)
{
  switch (j->fault) {
  case SPW_FAULT_NAN: add_text(text, "NaN, which no order gives"); break;
  case SPW_FAULT_NOT_NAN: add_format(text, "%.17g, and every order gives NaN", j->found); break;
  case SPW_FAULT_INFINITE: add_format(text, "%.17g, an infinity that no order gives", j->found); break;
  case SPW_FAULT_NOT_INFINITE: add_format(text, "%.17g, and not the infinity that the operands demand", j->found); break;
  case SPW_FAULT_SIGN_OF_ZERO: add_text(text, "-0, and every order gives +0"); break;
  default:
    add_format(text, "%.17g, and the exact sum is %.17g with a bound of %.3g", j->found, j->worst.sum, j->worst.bound);
  }
}

static void add_wrong(cli_text *text, const spw_judgement *j, const spw_tensor *a, const spw_tensor *y)
{
  if (j->fault == SPW_FAULT_SHAPE || j->fault == SPW_FAULT_TYPE) {
    add_format(text, "wrong: its %s", j->fault == SPW_FAULT_SHAPE ? "shape" : "type");
    if (j->fault == SPW_FAULT_TYPE)
      add_format(text, " is %s and should be %s", spw_dtype_name((spw_dtype)j->lhs), spw_dtype_name((spw_dtype)j->rhs));
    else
      add_format(text, " has %lld where it should have %lld", (long long)j->lhs, (long long)j->rhs);
    return;
  }
  add_format(text, "wrong: %lld of %lld numbers, first ", (long long)j->wrong, (long long)j->numbers);
  add_place(text, j, a, y);
  add_text(text, ": ");
  if (spw_precision_of(y->values.array.dtype))
    add_fault(text, j);
  else
    add_format(text, "%lld, and the sum is %lld", (long long)j->integer_found, (long long)j->integer_sum);
}

/* Integers and bool have no precision, and so no bound. Only rounding to a type that is narrower than the precision makes an
 * error larger than the bound. */
static void add_right(cli_text *text, const spw_judgement *j, spw_dtype dtype, spw_precision precision)
{
  add_format(text, "%s: %lld numbers; %lld as every order gives them", j->undecided ? "undecided" : "right",
             (long long)j->numbers, (long long)j->exact);
  if (precision) add_format(text, ", %lld within the bound of %s", (long long)j->bounded, spw_precision_name(precision));
  if (j->special) add_format(text, ", %lld not finite", (long long)j->special);
  if (j->undecided) add_format(text, ", %lld that may be anything", (long long)j->undecided);
  if (j->absent) add_format(text, ", %lld not stored and taken for 0", (long long)j->absent);
  if (j->extra) add_format(text, ", %lld stored without a term", (long long)j->extra);
  if (j->bounded && j->worst.ratio <= 1)
    add_format(text, "; the worst error is %.2g of its bound", j->worst.ratio);
  else if (j->bounded)
    add_format(text, "; the worst error is that of rounding to %s", spw_dtype_name(dtype));
}

/* Why there is no verdict. */
static void say_why(spw_status status, const spw_judgement *j, const spw_product_claim *claim, const cli_input *about,
                    const check_request *request, cli_problem *problem)
{
  const char *const whose = j->operand == claim->a ? "the first operand" : j->operand == claim->x ? "the second operand" : "it";
  const int64_t steps = multiply_counts(j->lhs, steps_of_number(claim->a->values.array.dtype));
  if (status == SPW_ERANGE && j->fault == SPW_FAULT_WORK && j->rhs > 0 && !may_spend(about, request, "judging", steps, problem))
    return;
  if (j->fault == SPW_FAULT_SHAPE && j->operand == claim->y)
    set_problem(problem, "impossible", "nothing is judged: it has no size");
  else if (j->fault == SPW_FAULT_DUPLICATE)
    set_problem(problem, "impossible", "nothing is judged: %s stores two elements in row %lld, column %lld and is to be "
                "coalesced first", whose, (long long)j->row, (long long)j->column);
  else
    set_problem(problem, j->fault ? "impossible" : "internal", "nothing is judged: %s (%s)", spw_fault_name(j->fault),
                spw_status_string(status));
}

bool may_take_to_judge(size_t bytes, size_t memory, cli_problem *problem)
{
  if (bytes <= memory) return true;
  set_problem(problem, "limit", "judging takes %zu bytes, more than the limit of %zu; --max-memory=%zu allows it", bytes, memory,
              bytes);
  return false;
}

judged judge_result(const spw_tensor *a, const spw_tensor *x, const spw_tensor *y, spw_precision precision,
                    const cli_input *about, const check_request *request, size_t memory, cli_text *text, cli_problem *problem)
{
  const spw_dtype dtype = a->values.array.dtype;
  const int64_t left = work_left(about, request) / steps_of_number(dtype);
  const spw_product_claim claim = {.a = a, .x = x, .y = y, .alpha = {1, 0, 1},
                                   .precision = precision ? precision : spw_precision_of(dtype),
                                   .most = left > 0 ? left : 1};
  spw_judgement judgement;
  size_t bytes = 0;
  if (precision && !spw_precision_of(dtype)) {
    set_problem(problem, "impossible", "--precision=%s is for sums of floating-point numbers, and the first operand is of type "
                "%s", spw_precision_name(precision), spw_dtype_name(dtype));
    return NOT_JUDGED;
  }
  spw_status status = spw_judge_work(&claim, &bytes, &judgement);
  if (status == SPW_OK && !may_take_to_judge(bytes, memory, problem)) return NOT_JUDGED;
  void *const work = status == SPW_OK ? allocate(bytes ? bytes : 1, 1) : NULL;
  if (status == SPW_OK) status = spw_judge_product(&claim, work, bytes, &judgement);
  free(work);
  if (status != SPW_OK || judgement.verdict == SPW_NOT_JUDGED) {
    say_why(status, &judgement, &claim, about, request, problem);
    return NOT_JUDGED;
  }
  if (judgement.verdict == SPW_WRONG)
    add_wrong(text, &judgement, a, y);
  else
    add_right(text, &judgement, y->values.array.dtype, claim.precision);
  return judgement.verdict == SPW_WRONG ? JUDGED_WRONG : judgement.verdict < SPW_UNDECIDED ? JUDGED_RIGHT : UNDECIDED;
}
