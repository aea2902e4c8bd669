/* SPDX-License-Identifier: Apache-2.0 */
/* Fits a sparse linear model: y = X w, by SparseAdam. w is a table of a million numbers, of which the rows of X touch four. */
#include <sparsewright.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 1000000, STEPS = 2000 };

static const int64_t crow[] = {0, 2, 4, 6, 8, 10, 12};

static int fail(const char *what, spw_status status)
{
  return fprintf(stderr, "%s: %s\n", what, spw_status_string(status)), 1;
}

/* One step of w by the gradient of the squares of (X w - y): of w it is X^T (X w - y), as one sparse column. */
static spw_status step(const spw_tensor *x, const double *y, spw_output *w, const spw_optimisation *how,
                       spw_optimiser_state *state)
{
  const int64_t *const col = x->plain.i64;
  const double *const values = (const double *)x->values.data, *const table = (const double *)w->data;
  double parts[12];
  for (int row = 0; row < ROWS; row++) {
    double error = -y[row];
    for (int64_t k = crow[row]; k < crow[row + 1]; k++) error += values[k] * table[col[k]];
    for (int64_t k = crow[row]; k < crow[row + 1]; k++) parts[k] = error * values[k];
  }
  const int64_t size[] = {COLUMNS}, shape[] = {1, 12}, strides[] = {12, 1}, nse[] = {12}, one[] = {1};
  spw_tensor g = *x; /* the same columns, as COO with duplicates */
  g.layout = SPW_COO;
  g.ndim = 1;
  g.size = size;
  g.coalesced = SPW_CLAIM_NO;
  g.plain.array.ndim = 2;
  g.plain.array.shape = shape;
  g.plain.array.strides = strides;
  g.values.array.shape = nse;
  g.values.array.strides = one;
  g.values.data = parts;
  spw_buffers buffers;
  memset(&buffers, 0, sizeof buffers);
  spw_status status = spw_optimise_size(w, &g, how, state, &buffers.room, NULL);
  if (status != SPW_OK) return status;
  buffers.work = malloc(buffers.room.work);
  status = buffers.work ? spw_optimise(w, &g, how, state, &buffers, NULL, NULL) : SPW_ENOMEM;
  free(buffers.work);
  return status;
}

int main(void)
{
  static const int64_t at[] = {7, 500, 90000, 999999};
  const int64_t col[] = {7, 500, 7, 90000, 500, 999999, 90000, 999999, 7, 999999, 500, 90000};
  const double values[] = {1, 2, 1, -1, 3, 1, 1, 1, 2, -1, 1, 1}, y[] = {5, -2, 7, 4, 1, 5}; /* w = 1, 2, 3, 1 */
  const int64_t size[] = {COLUMNS}, one[] = {1};
  double *const memory = (double *)calloc(3 * (size_t)COLUMNS, sizeof *memory);
  if (!memory) return fail("memory", SPW_ENOMEM);
  spw_output w = {{SPW_FLOAT64, 1, size, one, 0, COLUMNS}, memory};
  const spw_output m = {{SPW_FLOAT64, 1, size, one, 0, COLUMNS}, memory + COLUMNS};
  const spw_output v = {{SPW_FLOAT64, 1, size, one, 0, COLUMNS}, memory + 2 * COLUMNS};
  spw_optimiser_state state = {0, NULL, &m, &v};
  spw_optimisation adam = spw_optimiser_defaults(SPW_SPARSE_ADAM);
  spw_view view;
  const spw_tensor *const x = spw_csr(&view, ROWS, COLUMNS, 12, SPW_INT64, crow, col, SPW_FLOAT64, values);
  adam.lr = 0.02;
  for (int i = 0; i < STEPS; i++) {
    const spw_status status = step(x, y, &w, &adam, &state);
    if (status != SPW_OK) return fail("a step", status);
  }
  for (int i = 0; i < 4; i++) printf("w[%d] = %.3f\n", (int)at[i], memory[at[i]]);
  free(memory);
  return 0;
}
