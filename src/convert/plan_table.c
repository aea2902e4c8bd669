/* SPDX-License-Identifier: Apache-2.0 */
/* Which steps lead from a source to a result: the table, and the facts that its rows ask for. Nothing else decides. README.md
 * says how to read it. */
#include "steps.h"
#include "indices/lookup/scalars_of.h"
#include "pairs.h"
#include "share.h"
#include "transpose_batches.h"
#include "../core/size.h"

/* ---- Facts, in words --------------------------------------------------------------------------- */

#define FACT(name, holds, fails) {SPW_FACT_##name, #name, holds, fails}

const spw_fact_words spw_facts[] = {
    FACT(EMPTY, "nothing is stored", "something is stored"),
    FACT(PACKS, "values have gaps between them, or are not aligned", "values lie one behind the other"),
    FACT(PRUNES, "cells that are zero are left out", "cells that are zero stay"),
    FACT(REPEATS, "a position may be stored twice", "no position is stored twice"),
    FACT(RESORTS, "rows may be out of order, or lines would outnumber what is stored", "rows are in order"),
    FACT(KEEPS_TYPE, "indices keep their type", "indices become another type"),
    FACT(EXPANDS, "blocks become elements", "no block is taken apart"),
    FACT(TRANSPOSES, "the other dimension is compressed", "the same dimension is compressed"),
    FACT(BLOCKS, "elements become blocks", "no block is made"),
    FACT(THREADS, "several threads share the work", "one thread does the work"),
    FACT(PLACES, "a cell is anything but one scalar of 4 or 8 bytes", "a cell is one scalar of 4 or 8 bytes"),
    FACT(WIDTH, "a cell is one scalar, or two of 4 or 8 bytes",
         "a cell is more than two scalars, or two of 1 or 2 bytes"),
    FACT(SCALARS, "an element is one scalar", "an element has several scalars"),
    FACT(MATRIX, "there are two sparse dimensions", "there are not two sparse dimensions"),
    FACT(ROW_ORDER, "the result lists elements row by row", "it is not known that elements come row by row"),
    FACT(KEYS, "the coordinates of an element fit in 64 bits",
         "the coordinates of an element have more than 64 bits"),
    FACT(NUMBERED, "positions, lines and elements can be numbered",
         "there are more positions, lines or elements than numbers"),
    FACT(COMBINES, "duplicates are combined as bits", "sums of duplicates are made in the workspace"),
    FACT(REFUSES, "duplicates are refused", "duplicates are not refused"),
};
const int spw_fact_count = sizeof spw_facts / sizeof *spw_facts;

/* ---- The table --------------------------------------------------------------------------------- */

#define BIT(layout) (1u << (layout))
#define COO BIT(SPW_COO)
#define CSR BIT(SPW_CSR)
#define CSC BIT(SPW_CSC)
#define BSR BIT(SPW_BSR)
#define BSC BIT(SPW_BSC)
#define DENSE BIT(SPW_DENSE)
#define LINES (CSR | CSC | BSR | BSC)
#define SPARSE (COO | LINES)
#define ANY (SPARSE | DENSE)

#define F(fact) SPW_FACT_##fact
#define S(name) &spw_step_##name
#define MOVED (F(EXPANDS) | F(TRANSPOSES) | F(BLOCKS))
/* One kernel sorts, combines and writes. */
#define ONE_KERNEL (F(KEEPS_TYPE) | F(NUMBERED) | F(COMBINES))

/* A step with facts of its own (.when, .unless) is left out where these do not hold: README.md lists them. */
#define STORE(...) {S(pack), __VA_ARGS__, S(prune)}            /* cells are stored as they are */
#define CARRY(...) {S(pack), __VA_ARGS__, S(gather), S(prune)} /* payloads are carried, which may be places */

/* The first row that fits is taken. */
static const spw_route routes[] = {
    /* FROM, TO, facts that hold, facts that do not, steps: nothing is stored */
    {ANY, DENSE, F(EMPTY), 0, {S(clear), S(write_none)}},
    {LINES, LINES, F(EMPTY), F(RESORTS) | F(BLOCKS), {S(keep_none)}},
    {ANY, SPARSE, F(EMPTY), 0, {S(write_none)}},

    /* from dense */
    {DENSE, DENSE, 0, 0, STORE(S(copy_dense))},
    {DENSE, COO, 0, 0, STORE(S(store_list))},
    {DENSE, BSR | BSC, 0, 0, STORE(S(store_blocks))},
    {DENSE, CSR | CSC, F(SCALARS), F(THREADS), STORE(S(store_batches))},
    {DENSE, CSR, 0, F(SCALARS), STORE(S(store_blocks))},
    {DENSE, CSR, 0, 0, STORE(S(store_lines))},
    {DENSE, CSC, 0, 0, CARRY(S(store_lines), S(transpose), S(transpose_shared))},

    /* to dense */
    {SPARSE, DENSE, 0, F(REPEATS), STORE(S(expand_dense))},
    {COO, DENSE, 0, F(PLACES) | F(REFUSES) | F(THREADS), STORE(S(coalesce_dense))},
    {SPARSE, DENSE, 0, 0, STORE(S(clear), S(list_cells), S(sort), S(combine), S(write_dense))},

    /* from coo */
    {COO, SPARSE, F(ROW_ORDER), F(REPEATS), CARRY(S(copy_sorted))},
    {COO, COO, F(MATRIX) | ONE_KERNEL, F(THREADS),
     CARRY(S(copy_if_sorted), S(coalesce_matrix), S(sort), S(combine), S(write_list))},
    {COO, COO, ONE_KERNEL, F(THREADS), CARRY(S(copy_if_sorted), S(coalesce_list), S(sort), S(combine), S(write_list))},
    {COO, LINES, F(BLOCKS) | ONE_KERNEL, F(THREADS), CARRY(S(coalesce_blocks), S(sort), S(combine), S(write_blocks))},
    {COO, LINES, F(MATRIX) | ONE_KERNEL, F(BLOCKS) | F(THREADS),
     CARRY(S(copy_if_sorted), S(coalesce_matrix), S(sort), S(combine), S(write_lines))},
    {COO, LINES, ONE_KERNEL, F(BLOCKS) | F(THREADS), CARRY(S(coalesce_batches), S(sort), S(combine), S(write_lines))},
    {COO, SPARSE, F(MATRIX) | F(KEYS) | F(COMBINES), F(BLOCKS) | F(REFUSES), CARRY(S(copy_if_sorted), S(sort), S(emit_matrix))},

    /* from compressed layouts, in order */
    {CSR, COO, F(KEEPS_TYPE), F(RESORTS), STORE(S(list_rows))},
    {CSC, COO, F(KEEPS_TYPE) | F(WIDTH), F(RESORTS) | F(THREADS), STORE(S(transpose_to_list))},
    {LINES, COO, 0, F(RESORTS), CARRY(S(take), S(expand), S(transpose), S(transpose_shared), S(list))},
    {LINES, LINES, 0, F(RESORTS) | MOVED | F(KEEPS_TYPE), CARRY(S(retype))},
    {LINES, LINES, 0, F(RESORTS) | MOVED, CARRY(S(take), S(copy))},
    {LINES, LINES, F(TRANSPOSES) | F(KEEPS_TYPE) | F(WIDTH), F(RESORTS) | F(EXPANDS) | F(BLOCKS) | F(THREADS),
     STORE(S(transpose_batches))},
    {LINES, LINES, 0, F(RESORTS), CARRY(S(take), S(expand), S(transpose), S(transpose_shared), S(block))},

    /* and what is left of coo, and compressed layouts that are sorted again */
    {SPARSE, COO, 0, 0, CARRY(S(list_cells), S(copy_if_sorted), S(sort), S(combine), S(write_list))},
    {SPARSE, LINES, F(BLOCKS), 0, CARRY(S(list_cells), S(sort), S(combine), S(write_blocks))},
    {SPARSE, LINES, 0, 0, CARRY(S(list_cells), S(copy_if_sorted), S(sort), S(combine), S(write_lines))},
};
enum { ROUTES = sizeof routes / sizeof *routes };

static bool fits(const spw_route *r, const spw_plan *plan)
{
  const bool layouts = (r->from & BIT(plan->t->layout)) && (r->to & BIT(plan->to.layout));
  return layouts && (plan->facts & (r->facts | r->without)) == r->facts;
}

static const spw_route *route_of(const spw_plan *plan)
{
  int i = 0;
  while (i < ROUTES - 1 && !fits(&routes[i], plan)) i++;
  return &routes[i];
}

/* ---- Facts, found out -------------------------------------------------------------------------- */

static unsigned if_so(bool holds, spw_fact fact)
{
  return holds ? (unsigned)fact : 0;
}

/* Blocks -> elements (EXPANDS) -> the other dimension compressed (TRANSPOSES) -> blocks (BLOCKS), and numbers of lines. */
static unsigned facts_of_lines(spw_plan *plan)
{
  const spw_layout from = plan->t->layout, to = plan->to.layout;
  /* Dense arrays and COO tensors give lines of rows; COO gives them in the order that is asked for. */
  const int before = spw_major_of(from), after = to == SPW_DENSE ? before : spw_major_of(to);
  const int64_t rows = plan->opaque ? plan->rows / plan->block[0] : plan->rows;
  const int64_t columns = plan->opaque ? plan->columns / plan->block[1] : plan->columns;
  const int64_t sizes[2] = {rows, columns};
  plan->lines[0] = sizes[before];
  plan->lines[1] = sizes[after];
  plan->minor = sizes[1 - before];
  return if_so(spw_is_compressed(from) && !plan->opaque && spw_is_block(plan->block), SPW_FACT_EXPANDS) |
         if_so(from != SPW_COO && before != after && !(from == SPW_DENSE && spw_has_blocks(to)), SPW_FACT_TRANSPOSES) |
         if_so(from != SPW_DENSE && !plan->opaque && spw_is_block(plan->out_block), SPW_FACT_BLOCKS);
}

static bool is_empty(const spw_plan *plan)
{
  return spw_holds_nothing(plan) || (plan->to.layout == SPW_DENSE && !spw_may_repeat(plan) && plan->elements == 0);
}

/* Is a compressed source to be made canonical, or would its steps take more lines than there are elements and offsets that
 * both sides store? Sorting cells takes no line that is empty. */
static bool is_resorted(const spw_plan *plan)
{
  if (!spw_is_compressed(plan->t->layout)) return false;
  if (plan->to.canonicalize) return true;
  if (plan->to.layout == SPW_DENSE || spw_holds_nothing(plan)) return false;
  const int64_t offsets = spw_add_saturated(plan->C, plan->out_C);
  const int64_t known = spw_add_saturated(offsets, spw_source_elements(plan));
  return (spw_has(plan, SPW_FACT_EXPANDS) && plan->lines[0] > known) ||
         (spw_has(plan, SPW_FACT_TRANSPOSES) && plan->lines[1] > known);
}

static bool is_shared(const spw_plan *plan)
{
  if (plan->t->layout == SPW_COO) return spw_parts_of_work(plan->nse, plan->threads) > 1;
  if (plan->t->layout == SPW_DENSE) return spw_parts_of_work(spw_mul_saturated(plan->rows, plan->columns), plan->threads) > 1;
  return spw_has(plan, SPW_FACT_TRANSPOSES) &&
         spw_is_transposed_by_parts(spw_source_elements(plan), plan->lines[1], plan->threads);
}

static bool needs_wide(const spw_plan *plan)
{
  if (plan->to.index_dtype == SPW_INT64) return true;
  if (plan->t->layout == SPW_DENSE) return false;
  if (plan->t->layout == SPW_COO) /* only lines between two steps are of this type */
    return plan->rows > INT32_MAX || plan->columns > INT32_MAX || plan->nse > INT32_MAX;
  return plan->t->plain.array.dtype == SPW_INT64 || plan->rows > INT32_MAX || plan->columns > INT32_MAX ||
         spw_source_elements(plan) > INT32_MAX;
}

static unsigned facts_of_coo(const spw_plan *plan)
{
  if (plan->t->layout != SPW_COO) return 0;
  const bool matrix = plan->sparse_dims == 2;
  const bool row_order = plan->to.layout == SPW_COO || (plan->to.layout == SPW_CSR && matrix);
  return if_so(matrix, SPW_FACT_MATRIX) | if_so(row_order, SPW_FACT_ROW_ORDER) |
         if_so(matrix && spw_bits_below(plan->rows) + spw_bits_below(plan->columns) <= 64, SPW_FACT_KEYS) |
         if_so(spw_can_be_numbered(plan), SPW_FACT_NUMBERED) | if_so(spw_combines_bits(plan), SPW_FACT_COMBINES) |
         if_so(spw_refuses_duplicates(plan), SPW_FACT_REFUSES);
}

/* Elements and lines that go from one step to the next. */
#define AT_ONCE SPW_OR_SMALL(16384, 240)

/* How many batches of a compressed source go through its steps at once, taken as one matrix where blocks are expanded or made.
 * All where there is one such step, of values that are moved as they lie; else a few, which stay in a cache from one step to the
 * next, or one where indices do not lie one behind the other. No more than that indices number their elements and lines. */
static int64_t batches_at_once(const spw_plan *plan)
{
  const spw_dtype type = plan->t->plain.array.dtype;
  const bool plain_in_order = spw_lies_in_order(&plan->t->plain.array);
  const bool in_order = plain_in_order && spw_lies_in_order(&plan->t->compressed.array);
  const bool expands = spw_has(plan, SPW_FACT_EXPANDS), transposes = spw_has(plan, SPW_FACT_TRANSPOSES);
  const bool blocks = spw_has(plan, SPW_FACT_BLOCKS), joined = expands || (blocks && !transposes);
  if (joined && !plain_in_order) return 1;
  const bool values_as_they_lie = plan->payload != SPW_PLACES && !(expands && plan->t->layout == SPW_BSC);
  const bool one_step = expands != blocks && !transposes && spw_is_compressed(plan->to.layout) && values_as_they_lie &&
                        type == plan->to.index_dtype && in_order;
  const int64_t numbered = type == SPW_INT64 ? INT64_MAX : INT32_MAX, most = one_step ? numbered : AT_ONCE;
  const int64_t lines = spw_add_saturated(plan->lines[0], plan->lines[1]);
  const int64_t each = spw_add_saturated(lines, spw_source_elements(plan)), count = each > 0 ? most / each : plan->batches;
  if (count >= plan->batches) return plan->batches;
  return count > 1 && in_order ? count : 1;
}

void spw_plan_choose(spw_plan *plan, int threads)
{
  const bool dense = plan->t->layout == SPW_DENSE, lines = spw_is_compressed(plan->t->layout);
  plan->threads = threads;
  plan->facts = facts_of_lines(plan);
  plan->facts |= if_so(is_resorted(plan), SPW_FACT_RESORTS);
  plan->facts |= if_so(is_empty(plan), SPW_FACT_EMPTY) | if_so(plan->packed, SPW_FACT_PACKS) |
                 if_so(plan->to.prune && plan->to.layout != SPW_DENSE, SPW_FACT_PRUNES) |
                 if_so(spw_may_repeat(plan), SPW_FACT_REPEATS) |
                 if_so(!dense && plan->t->plain.array.dtype == plan->to.index_dtype, SPW_FACT_KEEPS_TYPE) |
                 if_so(is_shared(plan), SPW_FACT_THREADS) | if_so(plan->payload == SPW_PLACES, SPW_FACT_PLACES) |
                 if_so(lines && spw_transposes_width(plan), SPW_FACT_WIDTH) | if_so(plan->width == 1, SPW_FACT_SCALARS) |
                 facts_of_coo(plan);
  plan->wide = needs_wide(plan);
  plan->route = route_of(plan);
  plan->at_once = lines && spw_takes(plan, &spw_step_take) ? batches_at_once(plan) : 1;
  plan->gathers = plan->payload == SPW_PLACES && spw_takes(plan, &spw_step_gather);
}
