/* SPDX-License-Identifier: Apache-2.0 */
/* CSR to CSC, and that to COO, where columns jump and elements are so many that they go by bands: with cells of every width,
 * and batches, of which the second has other columns. */
#include "../operands/operand.h"
#include "../../src/convert/indices.h"
#include "../../src/convert/transpose_lines.h"
#include "../../src/sparsewright_convert.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 2, ROWS = 140001, IN_ROW = 3, NSE = ROWS * IN_ROW, COLUMNS = 300007 };

typedef struct jumping {
  int64_t size[3], shape[3][2], strides[3][2];
  int64_t *wide[2];
  int32_t *narrow[2];
  char *values;
} jumping;

static jumping make_jumping(void)
{
  const int64_t offsets = BATCHES * (ROWS + 1), elements = (int64_t)BATCHES * NSE;
  jumping j = {.size = {BATCHES, ROWS, COLUMNS}, .shape = {{BATCHES, ROWS + 1}, {BATCHES, NSE}, {BATCHES, NSE}},
               .strides = {{ROWS + 1, 1}, {NSE, 1}, {NSE, 1}}};
  const int64_t lengths[] = {offsets, elements};
  for (int a = 0; a < 2; a++) {
    j.wide[a] = malloc((size_t)lengths[a] * sizeof *j.wide[a]);
    j.narrow[a] = malloc((size_t)lengths[a] * sizeof *j.narrow[a]);
  }
  for (int64_t i = 0; i < offsets; i++) j.wide[0][i] = i % (ROWS + 1) * IN_ROW;
  for (int64_t k = 0; k < elements; k++) {
    const int64_t part = COLUMNS / IN_ROW, within = (int64_t)((uint64_t)(k / IN_ROW + 1) * 2654435761u % (uint64_t)part);
    j.wide[1][k] = k % IN_ROW * part + within; /* ascends in a row, and jumps from one to the next */
  }
  for (int a = 0; a < 2; a++)
    for (int64_t i = 0; i < lengths[a]; i++) j.narrow[a][i] = (int32_t)j.wide[a][i];
  j.values = malloc((size_t)elements * 16);
  uint64_t state = 1; /* payloads of neighbours have nothing in common; bits are compared, NaN or not */
  for (int64_t i = 0; i < elements * 16; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    j.values[i] = (char)(state >> 56);
  }
  return j;
}

static void free_jumping(jumping *j)
{
  for (int a = 0; a < 2; a++) {
    free(j->wide[a]);
    free(j->narrow[a]);
  }
  free(j->values);
}

static spw_tensor tensor_of(const jumping *j, spw_dtype dtype, bool wide)
{
  const spw_dtype index = wide ? SPW_INT64 : SPW_INT32;
  spw_tensor t = {.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = j->size, .coalesced = SPW_CLAIM_NONE};
  t.compressed.array = (spw_array){index, 2, j->shape[0], j->strides[0], 0, BATCHES * (ROWS + 1)};
  t.plain.array = (spw_array){index, 2, j->shape[1], j->strides[1], 0, (int64_t)BATCHES * NSE};
  t.compressed.i64 = wide ? j->wide[0] : NULL;
  t.compressed.i32 = wide ? NULL : j->narrow[0];
  t.plain.i64 = wide ? j->wide[1] : NULL;
  t.plain.i32 = wide ? NULL : j->narrow[1];
  t.values = (spw_value_array){{dtype, 2, j->shape[2], j->strides[2], 0, (int64_t)BATCHES * NSE}, j->values};
  return t;
}

static spw_owned *converted(const spw_tensor *t, spw_layout layout)
{
  const spw_conversion w = conversion_to(layout, 0, 0);
  spw_owned *owned = NULL;
  spw_refusal refusal;
  cr_assert_eq(spw_convert_new(t, &w, 0, &owned, &refusal), SPW_OK);
  return owned;
}

static bool same_value(const spw_tensor *t, int64_t at, const spw_tensor *u, int64_t to)
{
  const size_t bytes = (size_t)spw_dtype_size(t->values.array.dtype);
  return memcmp((const char *)t->values.data + (size_t)at * bytes, (const char *)u->values.data + (size_t)to * bytes, bytes) == 0;
}

/* Column after column, each row gives its elements in order: what is not the next one of its row is wrong. */
static void expect_columns(const spw_tensor *rows, const spw_tensor *columns)
{
  int64_t *const next = calloc(ROWS, sizeof *next); /* how many of each row are met */
  cr_assert_eq(columns->plain.array.length, rows->plain.array.length);
  for (int64_t b = 0; b < BATCHES; b++) {
    const int64_t begin = b * (COLUMNS + 1), elements = b * NSE;
    memset(next, 0, ROWS * sizeof *next);
    cr_assert_eq(spw_index_at(&columns->compressed, begin), 0);
    cr_assert_eq(spw_index_at(&columns->compressed, begin + COLUMNS), NSE);
    for (int64_t column = 0, k = 0; column < COLUMNS; column++)
      for (int64_t last = -1; k < spw_index_at(&columns->compressed, begin + column + 1); k++) {
        const int64_t row = spw_index_at(&columns->plain, elements + k);
        cr_assert(row > last && row < ROWS && next[row] < IN_ROW);
        const int64_t from = elements + row * IN_ROW + next[row]++;
        cr_assert(spw_index_at(&rows->plain, from) == column && same_value(rows, from, columns, elements + k));
        last = row;
      }
  }
  free(next);
}

/* The elements of a list lie as those of rows do. */
static void expect_list(const spw_tensor *rows, const spw_tensor *list)
{
  const int64_t n = rows->plain.array.length;
  cr_assert_eq(list->plain.array.length, 3 * n);
  for (int64_t k = 0; k < n; k++)
    cr_assert(spw_index_at(&list->plain, k) == k / NSE && spw_index_at(&list->plain, n + k) == k % NSE / IN_ROW &&
              spw_index_at(&list->plain, 2 * n + k) == spw_index_at(&rows->plain, k) && same_value(rows, k, list, k));
}

/* So that the test does not go another way one day. */
static void expect_bands(const jumping *j)
{
  const int64_t starts = spw_transpose_starts(NSE, COLUMNS, 1);
  const spw_transpose_room room = {malloc((size_t)NSE * SPW_BAND_CELL_BYTES(8)), malloc((size_t)starts * sizeof(int64_t)), 1};
  cr_assert(spw_choose_bands_i32(j->narrow[1], NSE, ROWS, COLUMNS, room).count > 1);
  cr_assert(spw_choose_bands_i64(j->wide[1], NSE, ROWS, COLUMNS, room).count > 1);
  free(room.cells);
  free(room.starts);
}

Test(swap_bands, every_width)
{
  jumping j = make_jumping();
  static const struct {
    spw_dtype dtype;
    bool wide;
  } cells[] = {{SPW_UINT8, false}, {SPW_FLOAT16, true}, {SPW_FLOAT32, false}, {SPW_FLOAT64, true}, {SPW_COMPLEX64, false},
               {SPW_COMPLEX128, true}};
  cr_assert(spw_wants_transpose_room(NSE));
  expect_bands(&j);
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    const spw_tensor t = tensor_of(&j, cells[i].dtype, cells[i].wide);
    spw_owned *const columns = converted(&t, SPW_CSC);
    expect_columns(&t, spw_owned_tensor(columns));
    spw_owned *const list = converted(spw_owned_tensor(columns), SPW_COO);
    expect_list(&t, spw_owned_tensor(list));
    spw_owned_free(columns);
    spw_owned_free(list);
  }
  free_jumping(&j);
}
