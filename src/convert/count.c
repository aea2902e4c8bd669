/* SPDX-License-Identifier: Apache-2.0 */
/* How many cells each batch of a result has: known, bounded, or counted without any memory. */
#include "count.h"
#include "count_blocks.h"
#include "dense.h"
#include "indices.h"
#include "plan.h"
#include "values.h"
#include "../core/size.h"
#include "../view/grid.h"
#include "../view/members.h"

/* ---- Blocks of a compressed tensor ----------------------------------------------------------- */

/* The lines of one batch along the source's compressed dimension, and how both sides divide them. */
typedef struct stripes {
  const spw_index_array *c, *p;
  int64_t c_start, p_start;
  int64_t lines;                     /* elements along the compressed dimension */
  int64_t from_major, from_minor;    /* block sizes of the source */
  int64_t to_major, to_minor;        /* and of the result */
} stripes;

/* The first element of line q, in blocks of the source, that is not before `cursor`; INT64_MAX: none. */
static int64_t first_from(const stripes *s, int64_t q, int64_t cursor)
{
  int64_t lo = spw_index_at(s->c, s->c_start + q), hi = spw_index_at(s->c, s->c_start + q + 1);
  const int64_t end = hi, wanted = cursor / s->from_minor;
  while (lo < hi) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (spw_index_at(s->p, s->p_start + middle) < wanted)
      lo = middle + 1;
    else
      hi = middle;
  }
  if (lo == end) return INT64_MAX;
  const int64_t first = spw_index_at(s->p, s->p_start + lo) * s->from_minor;
  return first > cursor ? first : cursor;
}

static int64_t count_stripe(const stripes *s, int64_t stripe)
{
  const int64_t first = stripe * s->to_major / s->from_major;
  const int64_t last = ((stripe + 1) * s->to_major - 1) / s->from_major;
  int64_t count = 0, cursor = 0;
  for (;;) {
    int64_t least = INT64_MAX;
    for (int64_t q = first; q <= last; q++) {
      const int64_t element = first_from(s, q, cursor);
      if (element < least) least = element;
    }
    if (least == INT64_MAX) return count;
    count++;
    cursor = (least / s->to_minor + 1) * s->to_minor;
  }
}

/* Where the source has no blocks. */
static int64_t count_lines(const stripes *s)
{
  if (s->c->array.dtype == SPW_INT32)
    return spw_count_blocks_i32(s->c->i32 + s->c_start, s->p->i32 + s->p_start, s->lines, s->to_major, s->to_minor);
  return spw_count_blocks_i64(s->c->i64 + s->c_start, s->p->i64 + s->p_start, s->lines, s->to_major, s->to_minor);
}

static int64_t count_stripes(const stripes *s)
{
  if (s->from_major == 1 && s->from_minor == 1 && s->to_major <= SPW_COUNTED_HEIGHT) return count_lines(s);
  int64_t count = 0;
  for (int64_t stripe = 0; stripe < s->lines / s->to_major; stripe++) count += count_stripe(s, stripe);
  return count;
}

static int64_t count_batch_blocks(const spw_plan *plan, spw_grid g, int64_t b)
{
  const int major = spw_major_of(plan->t->layout);
  const stripes s = {
      .c = &plan->t->compressed,
      .p = &plan->t->plain,
      .c_start = spw_compressed_start(g, b),
      .p_start = g.nse > 0 ? spw_plain_start(g, b) : 0,
      .lines = major ? plan->columns : plan->rows,
      .from_major = plan->block[major],
      .from_minor = plan->block[1 - major],
      .to_major = plan->out_block[major],
      .to_minor = plan->out_block[1 - major],
  };
  return g.nse == 0 ? 0 : count_stripes(&s);
}

static spw_index_array array_of(spw_indices from)
{
  const spw_index_array array = {{.dtype = from.wide ? SPW_INT64 : SPW_INT32}, from.i32, from.i64, NULL};
  return array;
}

int64_t spw_count_line_blocks(const spw_plan *plan, spw_indices ptr, spw_indices index)
{
  const int major = spw_major_of(plan->to.layout);
  const spw_index_array c = array_of(ptr), p = array_of(index);
  const stripes s = {
      .c = &c,
      .p = &p,
      .lines = major ? plan->columns : plan->rows,
      .from_major = 1,
      .from_minor = 1,
      .to_major = plan->out_block[major],
      .to_minor = plan->out_block[1 - major],
  };
  return count_stripes(&s);
}

/* ---- All batches ----------------------------------------------------------------------------- */

static int64_t count_batch(const spw_plan *plan, int64_t b)
{
  if (plan->t->layout == SPW_DENSE) return spw_count_dense(plan, b);
  return count_batch_blocks(plan, spw_grid_of(plan->t, plan->batches, plan->P), b);
}

/* Batches that share their index arrays are counted once, however many there are. */
static int64_t different_batches(const spw_plan *plan)
{
  if (plan->t->layout == SPW_DENSE) return spw_count_values(&plan->t->values.array) == 0 ? 0 : plan->out_batches;
  if (plan->nse == 0 || plan->out_batches == 0) return 0;
  return spw_batches_shared(spw_grid_of(plan->t, plan->batches, plan->P)) ? 1 : plan->out_batches;
}

static spw_status count_batches(spw_plan *plan, spw_refusal *refusal)
{
  const int64_t batches = different_batches(plan);
  plan->cap = 0;
  for (int64_t b = 0; b < batches; b++) {
    const int64_t count = count_batch(plan, b);
    if (b == 0) plan->cap = count;
    if (count != plan->cap) return spw_refuse(refusal, SPW_OBSTACLE_BATCHES, 0, b, plan->cap, count);
  }
  return SPW_OK;
}

static spw_status count_known(spw_plan *plan, spw_refusal *refusal)
{
  const bool coo = plan->t->layout == SPW_COO;
  const bool made = plan->to.canonicalize;
  int64_t n = coo ? plan->nse : spw_source_elements(plan);
  if (coo) n = plan->out_batches == 0 ? 0 : n / plan->out_batches;
  if (!coo && plan->to.layout == SPW_COO) n = plan->batches == 0 ? 0 : spw_mul_saturated(n, plan->batches);
  if ((coo || made) && spw_has_blocks(plan->to.layout)) {
    const int64_t blocks = spw_mul_saturated(plan->out_C, plan->out_P);
    if (blocks < n) n = blocks;
  }
  plan->cap = n;
  return n == INT64_MAX ? spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1) : SPW_OK;
}

spw_status spw_plan_count(spw_plan *plan, spw_refusal *refusal)
{
  plan->cap = 0;
  if (plan->to.layout == SPW_DENSE) return SPW_OK;
  const bool blocks = spw_is_compressed(plan->t->layout) && !plan->to.canonicalize && spw_payloads_of_cell(plan) > 1;
  const bool counted = plan->t->layout == SPW_DENSE || blocks;
  const spw_status status = counted ? count_batches(plan, refusal) : count_known(plan, refusal);
  if (status != SPW_OK) return status;
  const bool exact = counted || spw_is_compressed(plan->t->layout) || plan->ordered;
  return exact && !plan->to.prune && !plan->to.canonicalize ? spw_fits_index(plan, plan->cap, refusal) : SPW_OK;
}
