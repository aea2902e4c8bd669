/* SPDX-License-Identifier: Apache-2.0 */
/* From a compressed tensor to anything sparse: lines of as many batches as go at once through the steps that the plan needs. */
#include "batch_room.h"
#include "count.h"
#include "instances/unblock.h"
#include "instances/transpose_batches.h"
#include "indices/coordinates/list_part.h"
#include "indices/offsets/retype.h"
#include "steps.h"
#include "transpose_lines.h"
#include "../core/size.h"
#include "../view/members.h"

#include <string.h>

/* Where element k of all batches is stored, or its opaque block. Lines take the blocks of BSC by columns. */
static inline int64_t place_of(const spw_plan *plan, int64_t k)
{
  if (plan->opaque || plan->t->layout != SPW_BSC) return k;
  const int64_t rows = plan->block[0], columns = plan->block[1], inside = k % (rows * columns);
  return k - inside + inside % rows * columns + inside / rows;
}

/* Of n elements from number `from` on. */
static void list_places(const spw_plan *plan, int64_t from, int64_t n, uint64_t *places)
{
  for (int64_t k = 0; k < n; k++) places[k] = (uint64_t)place_of(plan, from + k);
}

/* Their payloads, in the order in which steps take them. */
static const void *payloads_of(const spw_plan *plan, const spw_workspace *w, const spw_target *out, int64_t from, int64_t n)
{
  if (plan->payload == SPW_PLACES) {
    list_places(plan, from, n, w->places);
    return w->places;
  }
  if (!w->places) return out->source + from * plan->scalar;
  for (int64_t k = 0; k < n; k++)
    memcpy((char *)w->places + k * plan->scalar, out->source + place_of(plan, from + k) * plan->scalar, (size_t)plan->scalar);
  return w->places;
}

/* Batches that lie one behind the other: how many, and how many offsets and indices each has. */
typedef struct packed {
  int64_t batches, offsets, nse;
} packed;

static spw_grid grid_of(const packed *p, int64_t P)
{
  const spw_grid g = {.batches = p->batches, .ndim = 1, .shape = &p->batches, .c_strides = &p->offsets, .p_strides = &p->nse,
                      .C = p->offsets - 1, .P = P, .nse = p->nse};
  return g;
}

/* The batches of p, from number `from` on: all, or such as lie in order. */
static spw_grid part_of(spw_grid all, const packed *p, int64_t from)
{
  if (p->batches == all.batches) return all;
  spw_grid g = grid_of(p, all.P);
  g.c_offset = spw_compressed_start(all, from);
  g.p_offset = spw_plain_start(all, from);
  return g;
}

/* The same lines, whose indices become those of the other type. */
static void retype(bool from_wide, const void *c, int64_t c_length, const void *d, int64_t d_length, spw_grid g, spw_indices to_c,
                   spw_indices to_d)
{
  if (from_wide)
    spw_retype_lines_i64(c, c_length, d, d_length, g, to_c.i32, to_d.i32);
  else
    spw_retype_lines_i32(c, c_length, d, d_length, g, to_c.i64, to_d.i64);
}

static void retype_source(const spw_plan *plan, spw_grid g, spw_indices to_c, spw_indices to_d)
{
  const spw_index_array *const c = &plan->t->compressed, *const d = &plan->t->plain;
  retype(d->array.dtype == SPW_INT64, spw_indices_at(c, 0), c->array.length, spw_indices_at(d, 0), d->array.length, g, to_c,
         to_d);
}

static void copy_plain(const spw_index_array *plain, spw_grid g, spw_indices to)
{
  for (int64_t b = 0; b < g.batches; b++) {
    const int64_t from = spw_plain_start(g, b), at = b * g.nse;
    for (int64_t k = 0; k < g.nse; k++) spw_put_index(to, at + k, spw_index_at(plain, from + k));
  }
}

/* COO: the coordinates of batch b beside its nse elements, and where their rows begin, which are followed by all columns. */
static int64_t list_batch(const spw_plan *plan, const spw_target *out, int64_t b, int64_t nse)
{
  const int64_t all = plan->batches * nse, at = b * nse, batch_dims = plan->sparse_dims - 2;
  int64_t rest = b;
  for (int64_t e = batch_dims - 1; e >= 0; e--) {
    const int64_t entry = spw_size_entry(plan, e), coordinate = rest % entry;
    for (int64_t k = 0; k < nse; k++) spw_put_index(out->p, e * all + at + k, coordinate);
    rest /= entry;
  }
  return batch_dims * all + at;
}

/* Batches of the lines c, d, which are those from number `from` on, where indices change their type. */
static void list_lines(const spw_plan *plan, const spw_target *out, const spw_index_array *c, const spw_index_array *d,
                       spw_grid g, int64_t from)
{
  for (int64_t b = 0; b < g.batches; b++) {
    const int64_t row = list_batch(plan, out, from + b, g.nse), start = spw_compressed_start(g, b);
    for (int64_t i = 0; i < g.C; i++) {
      const int64_t end = spw_index_at(c, start + i + 1);
      for (int64_t k = spw_index_at(c, start + i); k < end; k++) spw_put_index(out->p, row + k, i);
    }
  }
  copy_plain(d, g, spw_indices_from(out->p, (plan->sparse_dims - 1) * plan->batches * g.nse + from * g.nse));
}

/* From the tensor to the result: neither type of indices needs room of its own. */
static spw_status retype_all(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const int64_t n = spw_mul_saturated(plan->batches, plan->nse);
  const spw_status status = spw_take_count(plan, out, 0, plan->nse, refusal);
  if (status != SPW_OK) return status;
  retype_source(plan, spw_grid_of(plan->t, plan->batches, plan->P), out->c, out->p);
  if (plan->payload == SPW_PLACES)
    list_places(plan, 0, n, w->map);
  else
    memcpy(out->values, out->source, (size_t)(n * plan->scalar));
  return SPW_OK;
}

#define SPW_TEMPLATE "../convert/compressed.inc"
#include "../core/each_index_type.h"

/* ---- The steps of a group ---------------------------------------------------------------------- */

#define STEP(name)                                                                                                      \
  static spw_status name(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)           \
  {                                                                                                                     \
    return plan->wide ? name##_i64(plan, w, out, refusal) : name##_i32(plan, w, out, refusal);                          \
  }
STEP(take)
STEP(expand)
STEP(transpose)
STEP(transpose_by_parts)
STEP(block)
STEP(copy)
STEP(list)

/* Of lines of several batches, as of one matrix: those before a step, or after it, whichever are more. */
static spw_indices joined_room(const spw_plan *plan, spw_arena *r, int64_t of_blocks, int64_t of_lines)
{
  const int64_t lines = spw_mul_saturated(plan->at_once, of_blocks > of_lines ? of_blocks : of_lines);
  return spw_take_indices(r, spw_add_saturated(lines, 1), plan->wide);
}

static void take_room(const spw_plan *plan, spw_arena *r, spw_workspace *w)
{
  const bool expands = spw_has(plan, SPW_FACT_EXPANDS), blocks = spw_has(plan, SPW_FACT_BLOCKS);
  if (plan->wide && plan->t->plain.array.dtype == SPW_INT32) {
    w->c = spw_take_indices(r, spw_mul_saturated(plan->at_once, spw_add_saturated(plan->C, 1)), true);
    w->p = spw_take_indices(r, spw_mul_saturated(plan->at_once, plan->nse), true);
  }
  if (plan->payload == SPW_PLACES || (expands && plan->t->layout == SPW_BSC))
    w->places = spw_take(r, spw_mul_saturated(plan->at_once, spw_source_elements(plan)), 8);
  if (expands || blocks) {
    w->joined = joined_room(plan, r, expands ? plan->C : 0, blocks ? plan->lines[1] : 0);
    w->whole = joined_room(plan, r, blocks ? plan->out_C : 0, expands ? plan->lines[0] : 0);
  }
  if (spw_is_compressed(plan->to.layout)) spw_take_other_type(plan, r, w);
}

/* Lines between two steps, the first or the second of which is in `slot`; none where they are the result. */
static void lines_between(const spw_plan *plan, spw_arena *r, spw_workspace *w, int slot)
{
  const int64_t offsets = spw_mul_saturated(plan->at_once, spw_add_saturated(plan->lines[slot], 1));
  spw_take_lines(plan, r, w, slot, offsets, spw_mul_saturated(plan->at_once, spw_source_elements(plan)));
}

/* Do the lines that expanding and transposing end with lie in the result? */
static bool ends_in_result(const spw_plan *plan)
{
  return spw_is_compressed(plan->to.layout) && !spw_has(plan, SPW_FACT_BLOCKS);
}

static void expand_room(const spw_plan *plan, spw_arena *r, spw_workspace *w)
{
  if (!ends_in_result(plan) || spw_has(plan, SPW_FACT_TRANSPOSES)) lines_between(plan, r, w, 0);
}

/* From a dense array batch by batch. */
static void transpose_room(const spw_plan *plan, spw_arena *r, spw_workspace *w)
{
  const int64_t n = plan->t->layout == SPW_DENSE ? plan->cap : spw_source_elements(plan);
  spw_take_transpose(plan, r, w, n, (int64_t)spw_payload_size(plan->payload));
  if (!ends_in_result(plan)) lines_between(plan, r, w, 1);
}

static void block_room(const spw_plan *plan, spw_arena *r, spw_workspace *w)
{
  if (plan->out_C > 0) w->left = spw_take(r, plan->out_block[spw_major_of(plan->to.layout)], sizeof *w->left);
}

const spw_step spw_step_retype = {
    "retype", "copies lines and values, and writes indices down as the other type", .run = retype_all};
const spw_step spw_step_take = {
    "take", "takes as many batches as a cache holds, where they lie; int32 indices that int64 ones are needed of are copied",
    .turn = SPW_STEP_GROUPED, .run = take, .room = take_room};
const spw_step spw_step_expand = {
    "expand", "takes blocks apart into lines of elements", .when = SPW_FACT_EXPANDS, .turn = SPW_STEP_GROUPED, .run = expand,
    .room = expand_room};
const spw_step spw_step_transpose = {
    "transpose", "compresses the other dimension: counts, sums up, and scatters", .when = SPW_FACT_TRANSPOSES,
    .unless = SPW_FACT_THREADS, .turn = SPW_STEP_GROUPED, .run = transpose, .room = transpose_room};
const spw_step spw_step_transpose_shared = {
    "transpose shared", "compresses the other dimension, each thread a part of the lines",
    .when = SPW_FACT_TRANSPOSES | SPW_FACT_THREADS, .turn = SPW_STEP_GROUPED, .run = transpose_by_parts, .room = transpose_room};
const spw_step spw_step_block = {
    "block", "merges lines of elements into lines of blocks", .when = SPW_FACT_BLOCKS, .turn = SPW_STEP_GROUPED, .run = block,
    .room = block_room};
const spw_step spw_step_copy = {"copy", "copies lines and payloads", .turn = SPW_STEP_GROUPED, .run = copy};
const spw_step spw_step_list = {"list", "writes the coordinates of each element down", .turn = SPW_STEP_GROUPED, .run = list};
