/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving out cells that are zero, in place: nothing moves but towards the front. */
#include "steps.h"
#include "values.h"
#include "../core/size.h"

#include <string.h>

typedef struct cells {
  const spw_plan *plan;
  const char *values;
  int64_t scalars; /* of a cell */
} cells;

static bool is_kept(const cells *c, int64_t k)
{
  if (c->scalars == 0) return false;
  return spw_any_nonzero(c->values + k * c->scalars * c->plan->scalar, c->scalars, c->plan->dtype, false);
}

static int64_t count_kept(const cells *c, int64_t from, int64_t n)
{
  int64_t count = 0;
  for (int64_t k = from; k < from + n; k++) count += is_kept(c, k);
  return count;
}

/* Of n indices from `from` on, those of kept cells to `to` on; the cells are numbered from `cell` on. */
static void prune_indices(const cells *c, spw_indices p, int64_t from, int64_t cell, int64_t n, int64_t to)
{
  for (int64_t k = 0; k < n; k++)
    if (is_kept(c, cell + k)) spw_put_index(p, to++, spw_get_index(p, from + k));
}

static void prune_lines(const cells *c, spw_indices ptr, int64_t at, int64_t cell)
{
  int64_t lo = spw_get_index(ptr, at), count = 0;
  for (int64_t i = 1; i <= c->plan->out_C; i++) {
    const int64_t hi = spw_get_index(ptr, at + i);
    count += count_kept(c, cell + lo, hi - lo);
    spw_put_index(ptr, at + i, count);
    lo = hi;
  }
}

static void prune_values(const cells *c, char *values, int64_t n)
{
  const size_t bytes = (size_t)(c->scalars * c->plan->scalar);
  char *to = values;
  for (int64_t k = 0; k < n; k++) {
    if (!is_kept(c, k)) continue;
    memmove(to, values + (size_t)k * bytes, bytes);
    to += bytes;
  }
}

static spw_status prune(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  (void)w;
  const bool coo = plan->to.layout == SPW_COO;
  const int64_t batches = coo ? 1 : plan->out_batches, nse = out->nse;
  int64_t kept = 0;
  if (nse == 0 || batches == 0) return SPW_OK;
  const int64_t block = spw_mul_saturated(plan->out_block[0], plan->out_block[1]);
  const cells c = {plan, out->values, spw_mul_saturated(plan->width, block)};
  for (int64_t b = 0; b < batches; b++) {
    const int64_t count = count_kept(&c, b * nse, nse);
    if (b == 0) kept = count;
    if (count != kept) return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, b, kept, count);
  }
  if (coo)
    for (int64_t d = 0; d < plan->sparse_dims; d++) prune_indices(&c, out->p, d * nse, 0, nse, d * kept);
  else
    for (int64_t b = 0; b < batches; b++) {
      prune_lines(&c, out->c, b * (plan->out_C + 1), b * nse);
      prune_indices(&c, out->p, b * nse, b * nse, nse, b * kept);
    }
  prune_values(&c, out->values, batches * nse);
  out->nse = kept;
  return SPW_OK;
}

const spw_step spw_step_prune = {
    "prune", "leaves out cells that are zero", .when = SPW_FACT_PRUNES, .turn = SPW_STEP_ALWAYS, .run = prune};
