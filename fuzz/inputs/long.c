/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices with more rows than a byte counts, as free operands: built ones have at most 12 rows. */
#include "model.h"

#include <stddef.h>
#include <string.h>

enum { LAYOUTS = 5, INDEX_TYPES = 2, BLOCK = 2, PAIR = 2 };

/* What is wrong in the last line: nothing; or an index that stands twice, one out of order, one below 0, one that is too large,
 * or an offset that is larger than the next. */
typedef enum late { NOTHING, TWICE, OUT_OF_ORDER, BELOW, BEYOND, FALLS } late;

/* The forms: one element a line on the diagonal, or two at the beginning of each line. */
static const struct {
  int64_t rows, width;
  late wrong;
} forms[] = {
    {256, 1, NOTHING}, {300, 1, NOTHING}, {1000, 1, NOTHING}, {256, PAIR, NOTHING}, {300, PAIR, NOTHING}, {1000, PAIR, NOTHING},
    {300, PAIR, TWICE}, {300, PAIR, OUT_OF_ORDER}, {300, PAIR, BELOW}, {300, PAIR, BEYOND}, {300, PAIR, FALLS},
};

/* One dimension of `entries`, which count on from 0 in steps and begin again after `period`. */
static void count_on(fuzz_member *m, spw_dtype dtype, int64_t entries, int64_t step, int64_t period)
{
  m->dtype = dtype;
  m->ndim = 1;
  m->shape[0] = entries;
  m->offset = 0;
  m->c_order = m->fits = true;
  memset(&m->contents, 0, offsetof(fuzz_contents, literal));
  m->contents.step = step;
  m->contents.period = period;
}

static void append(fuzz_member *m, int64_t entries)
{
  m->shape[m->ndim++] = entries;
}

static void patch(fuzz_member *m, int64_t at, int64_t value)
{
  fuzz_contents *const c = &m->contents;
  c->at[c->patches] = at;
  c->value[c->patches++] = value;
}

/* Compressed: the last two plain indices, which are 0 and 1 of `size`. */
static void spoil_lines(fuzz_free *f, late wrong, int64_t lines, int64_t nse, int64_t size)
{
  fuzz_member *const plain = &f->members[FUZZ_PLAIN];
  if (wrong == TWICE || wrong == OUT_OF_ORDER) patch(plain, nse - 2, 1);
  if (wrong == OUT_OF_ORDER) patch(plain, nse - 1, 0);
  if (wrong == BELOW) patch(plain, nse - 1, -1);
  if (wrong == BEYOND) patch(plain, nse - 1, size);
  if (wrong == FALLS) patch(&f->members[FUZZ_COMPRESSED], lines - 1, nse + 1);
}

/* COO: the last element of a diagonal. */
static void spoil_elements(fuzz_member *indices, late wrong, int64_t nse)
{
  const int64_t row = nse - 1, column = 2 * nse - 1;
  if (wrong == TWICE) patch(indices, column, nse - 2);
  if (wrong == TWICE) patch(indices, row, nse - 2);
  if (wrong == OUT_OF_ORDER) patch(indices, row, 0);
  if (wrong == BELOW || wrong == FALLS) patch(indices, wrong == BELOW ? column : row, -1);
  if (wrong == BEYOND) patch(indices, column, nse);
}

static void make_long(fuzz_free *f, spw_layout layout, spw_dtype index, spw_dtype dtype, int form)
{
  const bool blocked = layout == SPW_BSR || layout == SPW_BSC, coo = layout == SPW_COO;
  const int64_t rows = forms[form].rows, width = coo ? 1 : forms[form].width;
  const int64_t lines = blocked ? rows / BLOCK : rows, nse = lines * width;
  fuzz_member *const plain = &f->members[FUZZ_PLAIN], *const values = &f->members[FUZZ_VALUES];
  f->layout = layout;
  f->has_size = true;
  f->coalesced = coo ? SPW_CLAIM_YES : SPW_CLAIM_NONE;
  f->index_dtype = index;
  f->dtype = dtype;
  f->ndim = 2;
  f->size[0] = f->size[1] = rows;
  count_on(&f->members[FUZZ_COMPRESSED], index, lines + 1, width, 0);
  count_on(plain, index, coo ? 2 : nse, 1, coo ? nse : width == PAIR ? PAIR : 0);
  if (coo) append(plain, nse);
  count_on(values, dtype, nse, 1, 0);
  for (int i = 0; blocked && i < 2; i++) append(values, BLOCK);
  values->contents.classes = 1 << FUZZ_SMALL;
  if (coo) spoil_elements(plain, forms[form].wrong, nse);
  else spoil_lines(f, forms[form].wrong, lines, nse, lines);
}

bool fuzz_long_model(int64_t number, bool *valid, fuzz_model *model)
{
  static const spw_layout layouts[LAYOUTS] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_BSR, SPW_BSC};
  const int64_t count = sizeof forms / sizeof *forms, types = SPW_DTYPE_COUNT - 1;
  if (number < 0 || number >= LAYOUTS * INDEX_TYPES * count * types) return false;
  const spw_layout layout = layouts[number % LAYOUTS];
  const spw_dtype index = number / LAYOUTS % INDEX_TYPES ? SPW_INT64 : SPW_INT32;
  const int64_t rest = number / (LAYOUTS * INDEX_TYPES);
  const int form = (int)(rest % count);
  model->operation = 0;
  model->parameters = 0;
  model->operands = 1;
  model->operand[0].kind = FUZZ_FREE;
  make_long(&model->operand[0].free, layout, index, (spw_dtype)(1 + rest / count), form);
  *valid = forms[form].wrong == NOTHING;
  return true;
}
