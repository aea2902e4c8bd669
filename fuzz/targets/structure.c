/* SPDX-License-Identifier: Apache-2.0 */
/* Any structure operation on any tensors: refused for a reason that is true, or right by a second opinion
 * (tests/expected/restructured.h), inside buffers of exactly the length that was asked for; and what it gives can be operated on
 * again. Permuting dimensions back gives what was there. Two tensors mean the same where the second opinion says so.
 * Operation: the kind. Parameters: dimension, start, length, duplicates, how many numbers, and the numbers. */
#include "../harness/target.h"

#include "../../src/convert/indices.h"
#include "../../tests/expected/meaning.h"
#include "../../tests/expected/oracle.h"
#include "../../tests/expected/restructured.h"

#include <stdlib.h>
#include <string.h>

enum { WORK = 20000, SCALARS = 2000, KINDS = 9, FIRST_NUMBER = 6 };

/* Small, and valid; else null. */
static const spw_tensor *operand(const fuzz_model *model, int64_t number)
{
  bool valid = false;
  const fuzz_tensor *t = fuzz_tensor_from(model, number, WORK);
  if (!t || !t->has_values || model->operand[number].kind == FUZZ_DENSE) return NULL;
  if (spw_is_valid(&t->tensor, SPW_CANONICAL, &valid) != SPW_OK || !valid || fuzz_volume(&t->tensor) > SCALARS) return NULL;
  return &t->tensor;
}

/* Small numbers, and now and then any. */
static int64_t number_at(const fuzz_model *model, int64_t i)
{
  const int64_t number = fuzz_parameter(model, i, 64);
  return number < 56 ? number - 8 : number == 56 ? INT64_MAX : number == 57 ? INT64_MIN : (int64_t)1 << (number - 20);
}

static spw_structure operation_of(const fuzz_model *model, int64_t *numbers)
{
  spw_structure w = {.kind = (spw_structure_kind)fuzz_operation(model, KINDS),
                     .dim = fuzz_parameter(model, 0, 8) - 1,
                     .start = number_at(model, 1),
                     .length = number_at(model, 2),
                     .duplicates = (spw_combine)fuzz_parameter(model, 3, 4),
                     .numbers = numbers,
                     .count = fuzz_parameter(model, 4, 9)};
  if (w.kind == SPW_BROADCAST && w.length > 8) w.length = 8; /* or it is all that is done */
  for (int64_t i = 0; i < w.count; i++) numbers[i] = number_at(model, FIRST_NUMBER + i % (FUZZ_PARAMETERS - FIRST_NUMBER));
  return w;
}

static void expect_operation(const spw_tensor *const *operands, int64_t count, const spw_structure *w)
{
  spw_status status;
  bool seen;
  const char *wrong = attempt_restructure(operands, count, w, &status, &seen);
  if (wrong) fuzz_fail("a structure operation", "%s: %s\n%s", restructure_text(w), wrong, oracle_describe(operands[0]));
}

/* What comes out goes in again, and has a row less, or more. */
static void go_on(const spw_tensor *const *operands, int64_t count, const spw_structure *w)
{
  spw_owned *owned = NULL;
  if (spw_restructure_new(operands, count, w, (size_t)1 << 24, &owned, NULL) != SPW_OK) return;
  const spw_tensor *const made = spw_owned_tensor(owned);
  if (fuzz_volume(made) <= SCALARS) {
    const spw_structure again = {.kind = w->dim % 2 ? SPW_UNSQUEEZE : SPW_SELECT, .dim = w->dim, .start = -1};
    expect_operation(&made, 1, &again);
  }
  spw_owned_free(owned);
}

/* Dimension d of the one is dimension order[d] of the other: in sizes, in the shape of a batch or cell, in COO's indices. */
static void expect_turned(const spw_tensor *t, const spw_tensor *turned, const int64_t *order, const spw_numbers *n)
{
  const int64_t *const shape = t->values.array.shape, *const other = turned->values.array.shape;
  const int64_t leading = n->batch_dims + n->sparse_dims, cells = t->values.array.ndim - n->dense_dims;
  for (int64_t d = 0; t->has_size && d < t->ndim; d++)
    if (turned->size[d] != t->size[order[d]]) fuzz_fail("a size is not turned", "%s", oracle_describe(t));
  for (int64_t d = 0; d < n->batch_dims; d++)
    if (other[d] != shape[order[d]]) fuzz_fail("a batch is not turned", "%s", oracle_describe(t));
  for (int64_t d = 0; d < n->dense_dims; d++)
    if (other[cells + d] != shape[cells + order[leading + d] - leading])
      fuzz_fail("a cell is not turned", "%s", oracle_describe(t));
  for (int64_t d = 0; t->layout == SPW_COO && d < n->sparse_dims; d++)
    for (int64_t k = 0; k < n->nse; k++)
      if (spw_index_at(&turned->plain, fuzz_place_of(&turned->plain.array, d * n->nse + k)) !=
          spw_index_at(&t->plain, fuzz_place_of(&t->plain.array, order[d] * n->nse + k)))
        fuzz_fail("an index is not turned", "%s", oracle_describe(t));
}

/* The dimensions of each kind turned round, twice. */
static void turn(const spw_tensor *t)
{
  int64_t order[SPW_STRUCTURE_DIMS], dims[2][16 * FUZZ_DIMS];
  static int64_t plain_i64[2][FUZZ_ELEMENTS];
  static int32_t plain_i32[2][FUZZ_ELEMENTS];
  spw_numbers n;
  if (spw_numbers_of(t, &n) != SPW_OK) return;
  const int64_t leading = n.batch_dims + n.sparse_dims, ndim = leading + n.dense_dims;
  if (ndim > SPW_STRUCTURE_DIMS) return;
  for (int64_t d = 0; d < ndim; d++) {
    order[d] = d < n.batch_dims ? n.batch_dims - 1 - d : d >= leading ? ndim - 1 - (d - leading) : d;
    if (t->layout == SPW_COO && d < leading) order[d] = leading - 1 - d;
  }
  spw_tensor turned[2];
  for (int i = 0; i < 2; i++) {
    const spw_tensor *from = i ? &turned[0] : t;
    spw_buffers b = {.dims = dims[i], .plain_i32 = plain_i32[i], .plain_i64 = plain_i64[i]};
    if (spw_permute_size(from, order, &b.room, NULL) != SPW_OK) fuzz_fail("permute refuses", "%d", i);
    if (b.room.plain > FUZZ_ELEMENTS || b.room.dims > 16 * FUZZ_DIMS) return;
    if (spw_permute(from, order, &b, &turned[i], NULL) != SPW_OK) fuzz_fail("permute refuses", "%d", i);
    expect_turned(from, &turned[i], order, &n);
  }
  if (!fuzz_same_elements(t, &turned[1])) fuzz_fail("dimensions turned twice", "%s", oracle_describe(t));
}

static bool is_spelled_out(const spw_tensor *t)
{
  meaning m = {.count = 0};
  const bool is = meaning_of(t, 0, &m);
  meaning_free(&m);
  return is;
}

/* Tensors of one split into sparse and dense dimensions: of others, the second opinion says nothing. */
static void expect_same(const spw_tensor *a, const spw_tensor *b)
{
  spw_numbers m, n;
  size_t bytes = 0;
  int64_t position[FUZZ_DIMS * 2];
  spw_first_difference first;
  if (spw_numbers_of(a, &m) != SPW_OK || spw_numbers_of(b, &n) != SPW_OK || m.dense_dims != n.dense_dims) return;
  if (!is_spelled_out(a) || !is_spelled_out(b)) return;
  if (spw_same_meaning_size(a, b, SPW_COMBINE_FIRST, &bytes, NULL) != SPW_OK) return;
  void *work = malloc(bytes + 1);
  const spw_status status = spw_same_meaning(a, b, SPW_COMBINE_FIRST, false, work, bytes, position, FUZZ_DIMS * 2, &first, NULL);
  free(work);
  const char *wrong = meaning_difference(a, b, SPW_COMBINE_FIRST, false);
  /* Cells without a scalar differ, but specify nothing. */
  if (status != SPW_OK || (first.kind == SPW_NO_DIFFERENCE) != (wrong == NULL))
    if (status != SPW_OK || (m.dense_elements > 0 && n.dense_elements > 0))
      fuzz_fail("the same meaning", "status %d, kind %d: %s\n%s", (int)status, (int)first.kind, wrong ? wrong : "",
                oracle_describe(a));
  bool same = false;
  const spw_status certified = spw_certify(a, b, SPW_ZEROS_KEPT, &same, NULL);
  const bool whole = a->layout != SPW_DENSE && b->layout != SPW_DENSE;
  if (certified == SPW_OK && whole && same != (first.kind == SPW_NO_DIFFERENCE))
    fuzz_fail("certified otherwise", "%d, %d\n%s", (int)same, (int)first.kind, oracle_describe(a));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const spw_tensor *operands[FUZZ_OPERANDS];
  int64_t numbers[16], count = 0;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  while (count < model->operands && (operands[count] = operand(model, count))) count++;
  if (count == 0) return 0;
  const spw_structure w = operation_of(model, numbers);
  const bool many = w.kind == SPW_CAT || w.kind == SPW_STACK;
  if (w.kind == SPW_SPARSE_MASK && count < 2) operands[1] = operands[0];
  if (many && count < FUZZ_OPERANDS && fuzz_parameter(model, 5, 2)) operands[count++] = operands[0];
  expect_operation(operands, many ? count : w.kind == SPW_SPARSE_MASK ? 2 : 1, &w);
  go_on(operands, many ? count : w.kind == SPW_SPARSE_MASK ? 2 : 1, &w);
  turn(operands[0]);
  expect_same(operands[0], operands[count - 1]);
  return 0;
}
