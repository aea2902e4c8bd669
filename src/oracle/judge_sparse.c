/* SPDX-License-Identifier: Apache-2.0 */
/* The terms of a row of the product come column by column: each element of a walks along its row of x, and stands in a heap by
 * the column that it has come to. What y has is walked beside them. */
#include "judge_sparse.h"
#include "rows.h"
#include "../core/size.h"

typedef struct sweep {
  spw_judge_task *k;
  spw_rows a, x, y;
  int64_t *at;           /* the entry of x that each element of a has come to */
  spw_row_entry *heap;   /* elements of the row of a that are not at an end: their numbers as places */
  int64_t walkers;       /* in the heap */
  int64_t row, batch, line;
  int64_t next_y, end_y; /* entries of y's row; of a dense y its columns */
} sweep;

/* ---- Walkers ------------------------------------------------------------------------------------- */

/* The row of x that element i of a is multiplied with. */
static int64_t line_of_x(const sweep *w, int64_t batch, int64_t i)
{
  return batch * w->k->o->m.columns + w->a.entries[i].column;
}

static void send_walkers(sweep *w)
{
  w->walkers = 0;
  for (int64_t i = w->a.starts[w->row]; w->k->o->reads_product && i < w->a.starts[w->row + 1]; i++) {
    const int64_t line = line_of_x(w, w->batch, i), at = w->x.starts[line];
    if (at == w->x.starts[line + 1]) continue;
    w->at[i] = at;
    w->heap[w->walkers++] = (spw_row_entry){w->x.entries[at].column, i};
  }
  spw_make_heap(w->heap, w->walkers);
}

/* The first of them multiplies, and goes on. */
static spw_status take_step(sweep *w, spw_total *total)
{
  spw_row_entry *const first = w->heap;
  const int64_t i = first->place, end = w->x.starts[line_of_x(w, w->batch, i) + 1], at = w->at[i]++;
  const spw_status status = spw_total_add(w->k, total, w->a.entries[i].place, w->x.entries[at].place);
  if (at + 1 < end)
    first->column = w->x.entries[at + 1].column;
  else
    *first = w->heap[--w->walkers];
  if (w->walkers > 0) spw_sink_entry(w->heap, 0, w->walkers);
  return status;
}

/* ---- One row ------------------------------------------------------------------------------------- */

/* The next column that y has something in; INT64_MAX: none. */
static int64_t column_of_y(const sweep *w)
{
  if (w->next_y == w->end_y) return INT64_MAX;
  return w->k->o->y_sparse ? w->y.entries[w->next_y].column : w->next_y;
}

/* Where y has the element of the spot, which it then has passed. */
static void find_in_y(sweep *w, spw_spot *s, bool terms)
{
  const bool sparse = w->k->o->y_sparse, there = column_of_y(w) == s->column;
  if (!sparse) *s = spw_dense_spot(w->k, w->batch, w->line, s->column);
  if (sparse && there) s->y_place = w->y.entries[w->next_y].place;
  w->next_y += there;
  w->k->j->absent += !there;
  w->k->j->extra += sparse && there && !terms;
}

static spw_status judge_column(sweep *w, int64_t column, spw_total *total)
{
  spw_spot s = {w->batch, w->line, column, -1, -1};
  const bool terms = w->walkers > 0 && w->heap[0].column == column;
  spw_status status = SPW_OK;
  spw_total_start(w->k, total);
  while (w->walkers > 0 && w->heap[0].column == column && status == SPW_OK) status = take_step(w, total);
  find_in_y(w, &s, terms);
  return status == SPW_OK ? spw_judge_number(w->k, &s, total) : status;
}

static spw_status judge_row(sweep *w, spw_total *total)
{
  const spw_operands *const o = w->k->o;
  spw_status status = SPW_OK;
  w->next_y = o->y_sparse ? w->y.starts[w->row] : 0;
  w->end_y = o->y_sparse ? w->y.starts[w->row + 1] : o->columns;
  send_walkers(w);
  while (status == SPW_OK) {
    const int64_t own = w->walkers > 0 ? w->heap[0].column : INT64_MAX, theirs = column_of_y(w);
    if (own == INT64_MAX && theirs == INT64_MAX) break;
    status = judge_column(w, own < theirs ? own : theirs, total);
  }
  return status;
}

/* ---- All of them --------------------------------------------------------------------------------- */

int64_t spw_judge_sparse_room(const spw_operands *o)
{
  const int64_t walkers = spw_mul_saturated(o->m.elements, 1 + (int64_t)(sizeof(spw_row_entry) / sizeof(int64_t)));
  const int64_t operands = spw_add_saturated(spw_rows_room(&o->m, false), spw_rows_room(&o->x, false));
  return spw_add_saturated(spw_add_saturated(operands, o->y_sparse ? spw_rows_room(&o->y, false) : 0), walkers);
}

/* Terms, and numbers of the result; INT64_MAX when there are more. */
static int64_t count_steps(const sweep *w)
{
  const spw_operands *const o = w->k->o;
  const int64_t lines = o->m.size[o->m.batch_dims];
  int64_t steps = o->y_sparse ? o->y.elements : spw_mul_saturated(o->m.rows, o->columns);
  for (int64_t row = 0; o->reads_product && row < o->m.rows; row++)
    for (int64_t i = w->a.starts[row]; i < w->a.starts[row + 1]; i++) {
      const int64_t line = line_of_x(w, row / lines, i);
      steps = spw_add_saturated(steps, w->x.starts[line + 1] - w->x.starts[line]);
    }
  return steps;
}

/* The rows of an operand, from *room on. What one element means is what it says: two at one place would be summed before they are
 * multiplied, or after, which special values tell apart. */
static spw_status take_rows(sweep *w, const spw_tensor *t, const spw_matrices *m, int64_t **room, spw_rows *rows)
{
  spw_judgement *const j = w->k->j;
  *rows = spw_gather_rows(t, m, false, *room);
  *room += spw_rows_room(m, false);
  const int64_t lines = m->size[m->batch_dims], row = spw_sort_rows(rows, m, &j->column);
  if (row < 0) return SPW_OK;
  j->fault = SPW_FAULT_DUPLICATE;
  j->operand = t;
  j->batch = row / lines;
  j->row = row % lines;
  return SPW_ERANGE;
}

static spw_status take_operands(sweep *w, int64_t *room)
{
  const spw_product_claim *const claim = w->k->claim;
  const spw_operands *const o = w->k->o;
  spw_status status = take_rows(w, claim->a, &o->m, &room, &w->a);
  if (status == SPW_OK) status = take_rows(w, claim->x, &o->x, &room, &w->x);
  if (status == SPW_OK && o->y_sparse) status = take_rows(w, claim->y, &o->y, &room, &w->y);
  w->at = room;
  w->heap = (spw_row_entry *)(room + o->m.elements);
  return status;
}

static spw_status refuse_work(const spw_judge_task *k, int64_t steps)
{
  k->j->fault = SPW_FAULT_WORK;
  k->j->lhs = steps;
  k->j->rhs = k->claim->most;
  return SPW_ERANGE;
}

spw_status spw_judge_sparse(spw_judge_task *k, int64_t *room)
{
  const spw_operands *const o = k->o;
  const int64_t lines = o->m.size[o->m.batch_dims];
  sweep w = {.k = k};
  spw_total total;
  spw_status status = take_operands(&w, room);
  const int64_t steps = status == SPW_OK ? count_steps(&w) : 0;
  if (k->claim->most > 0 && steps > k->claim->most) return refuse_work(k, steps);
  for (w.row = 0; w.row < o->m.rows && status == SPW_OK; w.row++) {
    w.batch = w.row / lines;
    w.line = w.row % lines;
    status = judge_row(&w, &total);
  }
  return status;
}
