/* SPDX-License-Identifier: Apache-2.0 */
#include "instances/coalesce.h"
#include "pairs.h"
#include "share.h"
#include "sort_shared.h"
#include "steps.h"
#include "../core/size.h"
#include "../view/members.h"

/* A list of cells that are written down. */
typedef struct emission {
  const spw_cell *cells;
  int64_t n, count; /* of cells, and, of a COO result, of their positions */
  int bits;         /* of the minor coordinate */
  int how, type;    /* spw_combine, spw_dtype */
} emission;

bool spw_refuses_duplicates(const spw_plan *plan)
{
  return !plan->ordered && plan->to.duplicates == SPW_COMBINE_REFUSE;
}

/* Where there are no duplicates, the first is all that there is; where they are refused, too, unless fewer are found than there
 * were. */
static int how_of(const spw_plan *plan)
{
  return plan->ordered || spw_refuses_duplicates(plan) ? (int)SPW_COMBINE_FIRST : (int)plan->to.duplicates;
}

#define SPW_VALUE_TEMPLATE "../convert/pairs.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

/* One instance of a template for each type of index and each payload. */
#define BY_TYPES(wide, words, CALL, ...)                                          \
  ((wide) ? ((words) ? CALL##_i64_u32(__VA_ARGS__) : CALL##_i64_u64(__VA_ARGS__)) \
          : ((words) ? CALL##_i32_u32(__VA_ARGS__) : CALL##_i32_u64(__VA_ARGS__)))

/* Of places, none. */
static const void *values_of(const spw_plan *plan, const spw_target *out)
{
  return plan->payload == SPW_PLACES ? NULL : out->source;
}

spw_pairs spw_pairs_of(const spw_plan *plan)
{
  const int major = spw_major_of(plan->to.layout);
  const int64_t sizes[2] = {plan->rows, plan->columns};
  spw_pairs pairs = {.x = &plan->t->plain, .g = spw_columns_of(plan->t), .major = major};
  pairs.bits = spw_bits_below(sizes[1 - major]);
  pairs.lines = spw_mul_saturated(spw_size_product(plan, plan->sparse_dims - 2), sizes[major]);
  pairs.all_bits = spw_bits_below(pairs.lines) + pairs.bits;
  return pairs;
}

/* Of COO: where there are several, w->starts has room for them. */
static int64_t parts_of(const spw_plan *plan)
{
  return spw_parts_of_work(plan->nse, plan->threads);
}

void spw_fill_pairs(const spw_plan *plan, const spw_target *out, const spw_pairs *pairs, spw_cell *cells)
{
  const bool wide = pairs->x->array.dtype == SPW_INT64, words = plan->payload == SPW_BITS32;
  const int64_t parts = parts_of(plan);
  BY_TYPES(wide, words, fill, plan, pairs, parts, values_of(plan, out), cells);
}

bool spw_combines_bits(const spw_plan *plan)
{
  return plan->ordered || plan->to.duplicates != SPW_COMBINE_SUM || plan->payload != SPW_PLACES;
}

/* No more than `lines` lines, keys of 64 bits, and as many elements as the kernels number? */
static bool fit(const spw_pairs *pairs, int64_t lines)
{
  const int64_t most = pairs->x->array.dtype == SPW_INT64 ? INT64_MAX / 2 : INT32_MAX;
  return pairs->lines <= lines && pairs->all_bits <= 64 && pairs->g.nse <= most;
}

/* Lines are no more than elements, or those that have none would cost most; and every place can be numbered. */
static bool has_room_for_blocks(const spw_plan *plan, const spw_pairs *pairs)
{
  const int64_t block = spw_mul_saturated(plan->out_block[0], plan->out_block[1]);
  return pairs->lines <= plan->nse && spw_mul_saturated(plan->nse, block) < INT64_MAX;
}

/* All batches, as lines or blocks. */
static bool batches_are_numbered(const spw_plan *plan)
{
  const bool wide = plan->to.index_dtype == SPW_INT64, blocks = spw_is_block(plan->out_block);
  if (plan->out_batches == 0 || (!wide && (plan->rows > INT32_MAX || plan->columns > INT32_MAX))) return false;
  const spw_pairs pairs = spw_pairs_of(plan);
  return fit(&pairs, wide ? INT64_MAX - 1 : INT32_MAX) && (!blocks || has_room_for_blocks(plan, &pairs));
}

bool spw_can_be_numbered(const spw_plan *plan)
{
  if (plan->to.layout == SPW_DENSE) return true;
  if (plan->sparse_dims == 2 && !spw_is_block(plan->out_block)) {
    const spw_pairs pairs = spw_pairs_of(plan);
    return fit(&pairs, INT64_MAX);
  }
  if (plan->to.layout != SPW_COO) return batches_are_numbered(plan);
  const int64_t places = spw_size_product(plan, plan->sparse_dims);
  if (places <= 0 || places == INT64_MAX) return false;
  return plan->nse <= INT64_MAX / (plan->sparse_dims + 1);
}

/* How many cells each batch has. -1: there is not enough room for all; -1 - b: batch b is the first that has not as many as the
 * first one, and w->whole are the offsets of the lines of all batches, or of those of their blocks. */
static int64_t coalesce_all_batches(const spw_plan *plan, const spw_workspace *w, spw_target *out)
{
  const spw_pairs pairs = spw_pairs_of(plan);
  const bool wide = pairs.x->array.dtype == SPW_INT64, words = plan->payload == SPW_BITS32;
  const int64_t n = pairs.g.nse, all = spw_mul_saturated(plan->out_batches, plan->cap), room = all < n ? all : n;
  void *const to = spw_payload_to(plan, w, out, 0);
  if (spw_is_block(plan->out_block)) return BY_TYPES(wide, words, blocks, plan, w, out, &pairs, room, values_of(plan, out), to);
  return BY_TYPES(wide, words, batches, plan, w, out, &pairs, room, values_of(plan, out), to);
}

/* How many elements it has; -1: there is not enough room. */
static int64_t coalesce_pairs(const spw_plan *plan, const spw_workspace *w, spw_target *out, const spw_pairs *pairs)
{
  const bool wide = pairs->x->array.dtype == SPW_INT64, words = plan->payload == SPW_BITS32;
  const int64_t n = pairs->g.nse, room = plan->cap < n ? plan->cap : n;
  void *const to = spw_payload_to(plan, w, out, 0);
  return BY_TYPES(wide, words, coalesce, plan, w, out, pairs, room, values_of(plan, out), to);
}

int spw_bits_below(int64_t size)
{
  int bits = 0;
  while (bits < 63 && (size - 1) >> bits > 0) bits++;
  return size > 1 ? bits : 0;
}

static spw_status coalesce_dense(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  (void)refusal;
  const bool wide = plan->t->plain.array.dtype == SPW_INT64, words = plan->payload == SPW_BITS32;
  const int64_t area = spw_size_product(plan, plan->sparse_dims);
  void *const to = out->values;
  BY_TYPES(wide, words, scatter, plan, w, area, spw_bits_below(area), values_of(plan, out), to);
  return SPW_OK;
}

/* The same of any number of dimensions. */
static int64_t coalesce_columns(const spw_plan *plan, const spw_workspace *w, spw_target *out)
{
  const bool wide = plan->t->plain.array.dtype == SPW_INT64, words = plan->payload == SPW_BITS32;
  const int bits = spw_bits_below(spw_product(plan->size, plan->sparse_dims));
  const int64_t room = plan->cap < plan->nse ? plan->cap : plan->nse;
  void *const to = spw_payload_to(plan, w, out, 0);
  return BY_TYPES(wide, words, collect, plan, w, out, bits, room, values_of(plan, out), to);
}

/* Where part t begins: with the first cell of a position, which so is the work of one thread. */
static int64_t part_of_cells(const spw_cell *cells, int64_t n, int64_t t, int64_t parts)
{
  int64_t k = spw_part_at(n, t, parts);
  while (k > 0 && k < n && cells[k].key == cells[k - 1].key) k++;
  return k;
}

/* starts[t]: the place of part t's first cell in the result; starts[parts]: how many are in it. */
static void place_parts(const spw_cell *cells, int64_t n, int64_t parts, int64_t *starts)
{
  SPW_SHARE
  for (int64_t t = 0; t < parts; t++)
    starts[t + 1] = spw_count_keys(cells, part_of_cells(cells, n, t, parts), part_of_cells(cells, n, t + 1, parts));
  starts[0] = 0;
  for (int64_t t = 0; t < parts; t++) starts[t + 1] += starts[t];
}

static spw_status emit_matrix(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const spw_pairs pairs = spw_pairs_of(plan);
  const spw_cell *const cells = out->cells;
  const bool words = plan->payload == SPW_BITS32, wide = out->p.wide;
  const int64_t n = pairs.g.nse, parts = parts_of(plan);
  if (parts > 1) place_parts(cells, n, parts, w->starts);
  const int64_t count = parts > 1 ? w->starts[parts] : spw_count_keys(cells, 0, n);
  const spw_status status = spw_take_count(plan, out, 0, count, refusal);
  if (status != SPW_OK) return status;
  void *const to = spw_payload_to(plan, w, out, 0);
  const emission e = {cells, n, count, pairs.bits, how_of(plan), (int)plan->dtype};
  SPW_SHARE
  for (int64_t t = 0; t < parts; t++) {
    const int64_t from = part_of_cells(cells, n, t, parts), end = part_of_cells(cells, n, t + 1, parts);
    if (from < end) BY_TYPES(wide, words, emit, plan, &e, out, from, end, parts > 1 ? w->starts[t] : 0, to);
  }
  return SPW_OK;
}

/* Of `count` elements that were made at once. False: there are duplicates, which are refused by the steps that follow. */
static bool has_all(const spw_plan *plan, int64_t count)
{
  return !spw_refuses_duplicates(plan) || count == plan->nse;
}

static spw_status end_with(const spw_plan *plan, spw_target *out, int64_t count, spw_refusal *refusal)
{
  out->done = has_all(plan, count);
  return out->done ? spw_take_count(plan, out, 0, count, refusal) : SPW_OK;
}

static spw_status coalesce_matrix(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const spw_pairs pairs = spw_pairs_of(plan);
  return end_with(plan, out, coalesce_pairs(plan, w, out, &pairs), refusal);
}

static spw_status coalesce_list(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  return end_with(plan, out, coalesce_columns(plan, w, out), refusal);
}

/* How many elements all batches have that were made at once: where their lines end. */
static int64_t elements_made(const spw_plan *plan, const spw_workspace *w)
{
  const bool blocks = spw_is_block(plan->out_block);
  const int64_t stripes = plan->out_batches * plan->out_C;
  const int64_t height = plan->out_block[spw_major_of(plan->to.layout)];
  return blocks ? spw_get_index(w->ptr[0], stripes * height) : spw_get_index(w->whole, stripes);
}

/* Where there is not enough room, the steps that follow find out what to refuse. */
static spw_status coalesce_batches(const spw_plan *plan, const spw_workspace *w, spw_target *out, spw_refusal *refusal)
{
  const int64_t n = coalesce_all_batches(plan, w, out);
  if (n == -1 || !has_all(plan, elements_made(plan, w))) return SPW_OK;
  out->done = true;
  return n >= 0 ? spw_take_count(plan, out, 0, n, refusal) : spw_refuse_other(out, w->whole, plan->out_C, 0, -1 - n, refusal);
}

static void dense_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  w->cells[0] = spw_take(arena, plan->nse, sizeof(spw_cell));
  w->cells[1] = spw_take(arena, plan->nse, sizeof(spw_cell));
}

static void batches_room(const spw_plan *plan, spw_arena *arena, spw_workspace *w)
{
  w->whole = spw_take_indices(arena, spw_add_saturated(plan->out_batches * plan->out_C, 1), plan->wide);
}

#define AT_ONCE "sorts elements, combines duplicates and writes "
#define UNLESS "; that completes it, unless there are duplicates to refuse or too many cells for the room"
const spw_step spw_step_coalesce_matrix = {
    "coalesce matrix", AT_ONCE "the result, in one kernel" UNLESS, .run = coalesce_matrix};
const spw_step spw_step_coalesce_list = {
    "coalesce list", AT_ONCE "the list of any number of dimensions, in one kernel" UNLESS, .run = coalesce_list};
const spw_step spw_step_coalesce_batches = {
    "coalesce batches", AT_ONCE "lines of all batches, in one kernel" UNLESS, .run = coalesce_batches, .room = batches_room};
const spw_step spw_step_coalesce_blocks = {
    "coalesce blocks", AT_ONCE "blocks of all batches, in one kernel" UNLESS, .run = coalesce_batches, .room = batches_room};
const spw_step spw_step_coalesce_dense = {
    "coalesce dense", AT_ONCE "every element of the array, in one kernel", .run = coalesce_dense, .room = dense_room};
const spw_step spw_step_emit_matrix = {
    "emit matrix", "combines duplicates of the sorted elements, and writes the result down", .run = emit_matrix};
