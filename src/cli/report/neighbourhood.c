/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the elements around a violation, three on either side where the width allows. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 3, MOST_CELLS = 2 * SIDE + 1, MOST_ROWS = 2, GAP = 2, CELL = 24 };

typedef struct window {
  int rows;
  char *labels[MOST_ROWS];
  int64_t from, to, focus, length;
  char cells[MOST_ROWS][MOST_CELLS][CELL];
} window;

static void choose_range(window *w, int64_t focus, int64_t length)
{
  w->focus = focus;
  w->length = length;
  w->from = focus > SIDE ? focus - SIDE : 0;
  w->to = length - focus > SIDE ? focus + SIDE + 1 : length;
}

static int label_width(const window *w)
{
  const int one = text_columns(w->labels[0]);
  return w->rows > 1 && text_columns(w->labels[1]) > one ? text_columns(w->labels[1]) : one;
}

static int cell_width(const window *w, int64_t at)
{
  const size_t one = strlen(w->cells[0][at]), two = w->rows > 1 ? strlen(w->cells[1][at]) : 0;
  return (int)(one > two ? one : two);
}

static int total_width(const window *w, int64_t from, int64_t to)
{
  int width = label_width(w) + (from > 0 ? GAP + 3 : 0) + (to < w->length ? GAP + 3 : 0);
  for (int64_t i = from; i < to; i++) width += GAP + cell_width(w, i - w->from);
  return width;
}

static void put_row(const cli_style *style, const window *w, int row, int indent, int64_t from,
                    int64_t to)
{
  fprintf(style->out, "%*s%-*s", indent, "", label_width(w), w->labels[row]);
  if (from > 0) fprintf(style->out, "%*s...", GAP, "");
  for (int64_t i = from; i < to; i++)
    fprintf(style->out, "%*s", GAP + cell_width(w, i - w->from), w->cells[row][i - w->from]);
  if (to < w->length) fprintf(style->out, "%*s...", GAP, "");
  fputc('\n', style->out);
}

static void put_window(const cli_style *style, const window *w, int indent)
{
  int64_t from = w->from, to = w->to;
  while (to - from > 1 && indent + total_width(w, from, to) > style->width) {
    if (w->focus - from >= to - 1 - w->focus)
      from++;
    else
      to--;
  }
  for (int i = 0; i < w->rows; i++) put_row(style, w, i, indent, from, to);
  int column = indent + label_width(w) + (from > 0 ? GAP + 3 : 0);
  for (int64_t i = from; i <= w->focus; i++) column += GAP + cell_width(w, i - w->from);
  fprintf(style->out, "%*s", column - 1, "");
  put_painted(style, PAINT_RED, "^");
  fputc('\n', style->out);
}

/* The message above has the whole batch. */
static char *make_label(const char *format, const char *name, const char *batch, long long column)
{
  enum { LONGEST_BATCH = 24 };
  if (strlen(batch) > LONGEST_BATCH) batch = "...";
  const size_t size = strlen(name) + strlen(batch) + 32;
  char *label = allocate(size, 1);
  if (batch[0])
    snprintf(label, size, "%s[%s]:", name, batch);
  else
    snprintf(label, size, format, name, column);
  return label;
}

static void number_cell(char *cell, int64_t number)
{
  snprintf(cell, CELL, "%lld", (long long)number);
}

static char *batch_text(const spw_tensor *tensor, const spw_violation *violation)
{
  int64_t *batch;
  const int64_t ndim = violation_batch(tensor, violation, &batch);
  char *text = allocate((size_t)ndim * 22 + 1, 1), *to = text;
  for (int64_t i = 0; i < ndim; i++)
    to += sprintf(to, i ? ", %lld" : "%lld", (long long)batch[i]);
  free(batch);
  return text;
}

/* One row: the array's entries in the violation's batch. */
static void fill_compressed(window *w, const spw_tensor *tensor, const spw_violation *violation)
{
  const spw_array *array = member_array(tensor, violation->member);
  choose_range(w, violation->position, array->shape[array->ndim - 1]);
  w->rows = 1;
  char *batch = batch_text(tensor, violation);
  w->labels[0] = make_label("%s:", spw_member_torch_name(tensor->layout, violation->member), batch, 0);
  free(batch);
  for (int64_t i = w->from; i < w->to; i++)
    number_cell(w->cells[0][i - w->from], batch_element(tensor, violation, i));
}

static int64_t first_difference(const spw_tensor *tensor, int64_t column)
{
  const int64_t dims = tensor->plain.array.shape[0];
  for (int64_t d = 0; d < dims; d++)
    if (coo_element(tensor, d, column) != coo_element(tensor, d, column - 1)) return d;
  return dims - 1;
}

/* One row for each column of indices that is to blame: the last one, or it and its predecessor. */
static void fill_coo(window *w, const spw_tensor *tensor, const spw_violation *violation)
{
  const int64_t dims = tensor->plain.array.shape[0], nse = tensor->plain.array.shape[1];
  const bool is_pair = violation->rule == SPW_RULE_6_7;
  const int64_t column = is_pair ? violation->position : violation->position % nse;
  choose_range(w, is_pair ? first_difference(tensor, column) : violation->position / nse, dims);
  w->rows = is_pair ? 2 : 1;
  for (int row = 0; row < w->rows; row++) {
    const int64_t shown = column - (w->rows - 1 - row);
    w->labels[row] = make_label("%s, column %lld:", "indices", "", (long long)shown);
    for (int64_t d = w->from; d < w->to; d++)
      number_cell(w->cells[row][d - w->from], coo_element(tensor, d, shown));
  }
}

void put_neighbourhood(const cli_style *style, const cli_judgement *judgement,
                       const spw_violation *violation, int indent)
{
  const spw_tensor *tensor = judgement->input->tensor;
  if (tensor->layout == SPW_COO && tensor->plain.array.shape[0] == 0) return;
  window w = {0};
  if (tensor->layout == SPW_COO)
    fill_coo(&w, tensor, violation);
  else
    fill_compressed(&w, tensor, violation);
  put_window(style, &w, indent);
  for (int i = 0; i < w.rows; i++) free(w.labels[i]);
}
