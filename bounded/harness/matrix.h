/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix of ROWS x COLUMNS in any layout, and what it means: written anew from the rules, for CBMC. Nothing here is code of the
 * library. Every number that shapes hold is a constant of the cell; every index and every bit is any. */
#ifndef SPW_BOUNDED_MATRIX_H
#define SPW_BOUNDED_MATRIX_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sparsewright.h"

int32_t nondet_index(void);
uint32_t nondet_bits(void);

enum { COO = SPW_COO, CSR = SPW_CSR, CSC = SPW_CSC, BSR = SPW_BSR, BSC = SPW_BSC, DENSE = 5, MOST = 8 };

typedef struct matrix {
  int layout, rows, columns, b0, b1;
  int nse, room;          /* as many elements as it has, and as loops go over */
  const int32_t *c, *p;   /* compressed, plain; COO: p has the rows, then the columns, `nse` of each */
  const uint32_t *v;
  int s0, s1, s2;         /* strides of values: of an element or block, and in a block; dense: of rows and columns */
} matrix;

static bool is_lines(int layout) { return layout == CSR || layout == CSC || layout == BSR || layout == BSC; }
static bool is_blocks(int layout) { return layout == BSR || layout == BSC; }
static bool by_columns(int layout) { return layout == CSC || layout == BSC; }

/* Sizes of the compressed and of the plain dimension. */
static int lines_of(const matrix *m) { return by_columns(m->layout) ? m->columns / m->b1 : m->rows / m->b0; }
static int across_of(const matrix *m) { return by_columns(m->layout) ? m->rows / m->b0 : m->columns / m->b1; }

/* Rules 5.1 to 5.6; for COO 6.5 and 6.6, and with `ascends` 6.7. */
static bool lines_hold(const matrix *m, bool ascends)
{
  const int C = lines_of(m), P = across_of(m);
  bool good = m->c[0] == 0 && m->c[C] == m->nse;
  for (int i = 1; i <= C; i++) good = good && m->c[i - 1] <= m->c[i] && m->c[i] - m->c[i - 1] <= P;
  for (int k = 0; k < m->room; k++) good = good && (k >= m->nse || (0 <= m->p[k] && m->p[k] < P));
  for (int i = 0; i < C && ascends; i++)
    for (int k = 1; k < m->room; k++)
      good = good && (k >= m->nse || k - 1 < m->c[i] || k >= m->c[i + 1] || m->p[k - 1] < m->p[k]);
  return good;
}

static bool list_holds(const matrix *m, bool ascends)
{
  bool good = true;
  const int32_t *const rows = m->p, *const columns = m->p + m->nse;
  for (int k = 0; k < m->room; k++)
    if (k < m->nse) {
      good = good && 0 <= rows[k] && rows[k] < m->rows && 0 <= columns[k] && columns[k] < m->columns;
      if (k > 0 && ascends) good = good && (rows[k - 1] < rows[k] || (rows[k - 1] == rows[k] && columns[k - 1] < columns[k]));
    }
  return good;
}

static bool holds(const matrix *m, bool ascends)
{
  return m->layout == DENSE || (m->layout == COO ? list_holds(m, ascends) : lines_hold(m, ascends));
}

/* What is at a position: how often it is specified, and the bits of the first and last element, and their sum. */
typedef struct found {
  int times;
  uint32_t first, last, sum;
} found;

static void take(found *f, uint32_t bits)
{
  if (f->times == 0) f->first = bits;
  f->last = bits;
  f->sum += bits;
  f->times++;
}

static bool is_there(const matrix *m, int k, int i, int j)
{
  if (m->layout == COO) return m->p[k] == i && m->p[m->nse + k] == j;
  const int line = by_columns(m->layout) ? j / m->b1 : i / m->b0, at = by_columns(m->layout) ? i / m->b0 : j / m->b1;
  return m->c[line] <= k && k < m->c[line + 1] && m->p[k] == at;
}

static found at(const matrix *m, int i, int j)
{
  found f = {0, 0, 0, 0};
  if (m->layout == DENSE) {
    take(&f, m->v[i * m->s0 + j * m->s1]);
    return f;
  }
  for (int k = 0; k < m->room; k++)
    if (k < m->nse && is_there(m, k, i, j)) take(&f, m->v[k * m->s0 + (i % m->b0) * m->s1 + (j % m->b1) * m->s2]);
  return f;
}

#endif
