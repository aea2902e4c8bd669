/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"
#include "../../operand/fits.h"
#include "../../convert/share.h"
#include "../../convert/values.h"
#include "../../core/size.h"

#include <string.h>

static spw_status refuse(spw_refusal *refusal, int operand, spw_obstacle obstacle, int64_t place, int64_t lhs, int64_t rhs)
{
  const spw_status status = spw_refuse(refusal, obstacle, place, operand, lhs, rhs);
  if (refusal) refusal->operand = operand;
  return status;
}

/* ---- The call --------------------------------------------------------------------------------- */

/* What a kind takes besides its first operand. */
typedef struct takes {
  bool second, scalar, no_scalar; /* with a scalar, and without one */
} takes;

static const takes kinds[] = {[SPW_PLUS] = {.second = true, .scalar = true, .no_scalar = true},
                              [SPW_MINUS] = {.second = true, .scalar = true, .no_scalar = true},
                              [SPW_TIMES] = {.second = true, .no_scalar = true},
                              [SPW_SCALE] = {.scalar = true},
                              [SPW_DIVIDE] = {.scalar = true}};

static bool sensible(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *w)
{
  if (!a || !w || w->kind < SPW_PLUS || (size_t)w->kind >= sizeof kinds / sizeof *kinds || a->layout == SPW_DENSE) return false;
  if (w->duplicates < SPW_COMBINE_SUM || w->duplicates > SPW_COMBINE_REFUSE) return false;
  const takes *const k = &kinds[w->kind];
  if (k->second != (b != NULL) || (b && b->layout == SPW_DENSE && w->kind != SPW_TIMES)) return false;
  return w->scalar ? k->scalar : k->no_scalar;
}

static spw_status judge_operands(spw_elementwise_plan *plan, bool judged, spw_refusal *refusal)
{
  spw_status status = SPW_OK;
  for (int i = 0; i < 2 && plan->operands[i] && status == SPW_OK; i++)
    status = spw_operand_take(plan->operands[i], i, judged, plan->wanted.threads, &plan->taken[i], refusal);
  return status;
}

/* ---- Do the operands fit each other? ----------------------------------------------------------- */

static spw_status sizes_fit(const spw_elementwise_plan *plan, const int64_t *size, int64_t ndim, spw_refusal *refusal)
{
  const spw_form *const a = &plan->form[0];
  if (ndim != a->ndim) return refuse(refusal, 1, SPW_OBSTACLE_DIMENSIONS, -1, ndim, a->ndim);
  for (int64_t d = 0; d < ndim; d++)
    if (size[d] != a->size[d]) return refuse(refusal, 1, SPW_OBSTACLE_SHAPES, d, size[d], a->size[d]);
  return SPW_OK;
}

static spw_status forms_fit(const spw_elementwise_plan *plan, spw_refusal *refusal)
{
  const spw_form *const a = &plan->form[0], *const b = &plan->form[1];
  if (b->dense_dims != a->dense_dims)
    return refuse(refusal, 1, SPW_OBSTACLE_HYBRID, -1, b->dense_dims, a->dense_dims);
  for (int i = 0; i < 2; i++)
    if (b->block[i] != a->block[i]) return refuse(refusal, 1, SPW_OBSTACLE_BLOCKS, b->batch_dims + i, b->block[i], a->block[i]);
  const spw_dtype own = b->t->plain.array.dtype, first = a->t->plain.array.dtype;
  return own == first ? SPW_OK : refuse(refusal, 1, SPW_OBSTACLE_OPERAND, -1, (int64_t)own, (int64_t)first);
}

static spw_status second_fits(spw_elementwise_plan *plan, spw_refusal *refusal)
{
  const spw_tensor *const b = plan->operands[1];
  const spw_array *const values = &b->values.array;
  spw_form *const form = &plan->form[1];
  if (values->dtype != plan->dtype)
    return refuse(refusal, 1, SPW_OBSTACLE_TYPES, -1, (int64_t)values->dtype, (int64_t)plan->dtype);
  if (b->layout == SPW_DENSE) return sizes_fit(plan, values->shape, values->ndim, refusal);
  if (b->layout != plan->form[0].layout)
    return refuse(refusal, 1, SPW_OBSTACLE_OPERAND, -1, (int64_t)b->layout, (int64_t)plan->form[0].layout);
  spw_status status = spw_form_of(&plan->taken[1], form);
  if (status == SPW_OK) status = sizes_fit(plan, form->size, form->ndim, refusal);
  return status == SPW_OK ? forms_fit(plan, refusal) : status;
}

static spw_status type_fits(const spw_elementwise_plan *plan, spw_refusal *refusal)
{
  const spw_elementwise_kind kind = plan->wanted.kind;
  const bool none = (kind == SPW_MINUS && plan->dtype == SPW_BOOL) || (kind == SPW_DIVIDE && !spw_has_quotients(plan->dtype));
  return none ? refuse(refusal, 0, SPW_OBSTACLE_TYPES, -1, (int64_t)plan->dtype, -1) : SPW_OK;
}

/* ---- How many cells ---------------------------------------------------------------------------- */

int64_t spw_united(const spw_elementwise_plan *plan, int64_t elements, int64_t common)
{
  return plan->wanted.kind == SPW_TIMES ? common : elements - common;
}

static int64_t elements_of(const spw_elementwise_plan *plan)
{
  return spw_add_saturated(plan->form[0].nse, plan->form[1].nse);
}

static int64_t count_parts(const spw_elementwise_plan *plan, const spw_line_pair *l)
{
  const int64_t parts = plan->parts, elements = elements_of(plan);
  int64_t common = 0;
  SPW_SHARE_SUM(common)
  for (int64_t i = 0; i < parts; i++)
    common += spw_count_common(l, spw_line_part(l, elements, i, parts), spw_line_part(l, elements, i + 1, parts)).cells;
  return common;
}

/* No result has more cells. */
static int64_t most_united(const spw_elementwise_plan *plan, int64_t a, int64_t b)
{
  if (plan->wanted.kind == SPW_TIMES) return a < b ? a : b;
  return spw_add_saturated(a, b);
}

/* Is the room to be for any result, and are so many cells no obstacle? */
static bool takes_bound(const spw_elementwise_plan *plan)
{
  const int64_t most = most_united(plan, plan->form[0].nse, plan->form[1].nse);
  return plan->wanted.upper_bound && plan->form[0].batches == 1 && spw_fits_index(&plan->result, most, NULL) == SPW_OK;
}

/* Cells of the result. Where nothing is stored, there may be no array of lines. */
static int64_t count_batch(spw_elementwise_plan *plan, int64_t b)
{
  int64_t at[SPW_STRUCTURE_DIMS], common = 0;
  spw_line_pair l = {.wide = plan->form[0].t->plain.array.dtype == SPW_INT64, .lines = plan->form[0].C};
  const bool both = plan->form[0].nse > 0 && plan->form[1].nse > 0;
  for (int i = 0; i < 2 && both; i++) {
    const spw_form *const f = &plan->form[i];
    spw_batch_at(f, b, at);
    const spw_lines lines = spw_lines_of(f, at);
    l.compressed[i] = spw_indices_at(&f->t->compressed, lines.c);
    l.plain[i] = spw_indices_at(&f->t->plain, lines.p);
  }
  if (both && plan->exact) common = count_parts(plan, &l);
  if (plan->cell != 1) {
    const int64_t longest = both ? spw_longest_lines(&l) : elements_of(plan);
    if (longest > plan->longest) plan->longest = longest;
  }
  return plan->exact ? spw_united(plan, elements_of(plan), common)
                     : most_united(plan, plan->form[0].nse, plan->form[1].nse);
}

/* Every batch of the result needs the same number of cells. */
static spw_status count_lines(spw_elementwise_plan *plan, spw_refusal *refusal)
{
  const bool alike = plan->form[0].nse == 0 || plan->form[1].nse == 0 ||
                     (spw_form_shared(&plan->form[0]) && spw_form_shared(&plan->form[1]));
  plan->result.cap = 0;
  for (int64_t b = 0; b < plan->form[0].batches; b++) {
    const int64_t cells = count_batch(plan, b);
    if (b == 0) plan->result.cap = cells;
    if (cells != plan->result.cap) return spw_refuse_batches(refusal, 0, b, plan->result.cap, cells);
    if (alike) break; /* all that follow are the same */
  }
  return SPW_OK;
}

/* An upper bound where a position may be stored more than once, or it is asked for. */
static spw_status count_columns(spw_elementwise_plan *plan, spw_refusal *refusal)
{
  int64_t most[2];
  for (int i = 0; i < 2; i++) {
    const spw_tensor *const t = plan->operands[i];
    const spw_dtype own = t->plain.array.dtype;
    const spw_status status = spw_specified_size(t, plan->wanted.duplicates, own, &plan->columns[i], refusal);
    if (status == SPW_ERANGE && refusal) refusal->operand = i;
    if (status != SPW_OK) return status;
    most[i] = plan->columns[i].as_it_is ? plan->form[i].nse : plan->columns[i].room.nse;
    if (t->coalesced != SPW_CLAIM_YES) plan->exact = false;
  }
  if (plan->exact)
    plan->result.cap = spw_united(plan, elements_of(plan), spw_count_common_columns(plan->operands[0], plan->operands[1]));
  else
    plan->result.cap = most_united(plan, most[0], most[1]);
  return SPW_OK;
}

/* ---- Values ------------------------------------------------------------------------------------ */

/* Do the values of each batch lie in order? */
static bool in_order(const spw_form *f)
{
  const spw_value_array one = spw_batch_values(f, 0);
  return f->batches == 0 || f->nse == 0 || spw_values_in_order(&one);
}

/* Scalars of a cell: those of its block and its dense part. */
static int64_t scalars_of(const spw_form *f)
{
  int64_t dense = 1;
  for (int64_t d = f->leading; d < f->ndim; d++)
    if (f->size[d] == 0) return 0;
  for (int64_t d = f->leading; d < f->ndim; d++) dense = spw_mul_saturated(dense, f->size[d]);
  return spw_mul_saturated(spw_mul_saturated(f->block[0], f->block[1]), dense);
}

static spw_status take_result(spw_elementwise_plan *plan, spw_refusal *refusal)
{
  const spw_tensor *const a = plan->operands[0];
  const spw_conversion same = {.layout = a->layout, .batch_dims = -1, .dense_dims = -1};
  const spw_status status = spw_plan_make(&plan->taken[0], &same, &plan->result, refusal);
  if (status == SPW_OK) spw_plan_choose(&plan->result, 1);
  plan->exact = true;
  plan->parts = 1;
  plan->dtype = a->values.array.dtype;
  plan->scalar = plan->taken[0].scalar;
  return status;
}

spw_status spw_elementwise_plan_make(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *wanted, bool judged,
                                     spw_elementwise_plan *plan, spw_refusal *refusal)
{
  if (!sensible(a, b, wanted)) return SPW_EINVAL;
  memset(plan, 0, sizeof *plan);
  plan->operands[0] = a;
  plan->operands[1] = b;
  plan->wanted = *wanted;
  plan->keeps = !b || b->layout == SPW_DENSE;
  spw_status status = judge_operands(plan, judged, refusal);
  if (status == SPW_OK) status = spw_form_of(&plan->taken[0], &plan->form[0]);
  if (status == SPW_OK) status = take_result(plan, refusal);
  if (status == SPW_OK) status = type_fits(plan, refusal);
  if (status == SPW_OK && b) status = second_fits(plan, refusal);
  if (status != SPW_OK) return status;
  plan->cell = scalars_of(&plan->form[0]);
  if (wanted->scalar) memcpy(plan->factor, wanted->scalar, (size_t)plan->scalar);
  plan->result.cap = plan->form[0].nse;
  if (plan->keeps) return SPW_OK;
  plan->exact = !takes_bound(plan);
  if (a->layout == SPW_COO) return count_columns(plan, refusal);
  for (int i = 0; i < 2; i++) plan->packed[i] = !in_order(&plan->form[i]);
  if (plan->cell == 1) plan->parts = spw_parts_of_work(elements_of(plan), wanted->threads);
  return count_lines(plan, refusal);
}
