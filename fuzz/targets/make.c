/* SPDX-License-Identifier: Apache-2.0 */
/* Anything that spw_make makes of any tensors: refused for a reason that is true, or right by a second opinion
 * (tests/expected/made.h), inside buffers of exactly the length that was asked for; and what comes out goes in again.
 * Operation: the kind. Parameters: layout, blocks, batch and dense dimensions, types, dimension, start, length, step, diagonal,
 * sparse dimensions, count of numbers; the numbers. */
#include "../harness/target.h"

#include "../../tests/expected/made.h"
#include "../../tests/expected/oracle.h"

enum { WORK = 20000, SCALARS = 2000, PAIRS = 4000, KINDS = 10, FIRST_NUMBER = 12 };

/* Small, and valid or dense; else null. */
static const spw_tensor *operand(const fuzz_model *model, int64_t number, bool dense, spw_tensor *array)
{
  bool valid = false;
  const fuzz_tensor *const t = fuzz_tensor_from(model, number, WORK);
  if (!t || !t->has_values || fuzz_positions(&t->tensor) > SCALARS) return NULL;
  if ((model->operand[number].kind == FUZZ_DENSE) != dense) return NULL;
  if (spw_is_valid(&t->tensor, SPW_CANONICAL, &valid) != SPW_OK || !valid) return NULL;
  if (!dense) return &t->tensor;
  *array = fuzz_dense_of(t);
  return array;
}

/* Most often -3 to 6, at times up to 22, and now and then any. */
static int64_t number_at(const fuzz_model *model, int64_t i)
{
  const int64_t number = fuzz_parameter(model, i, 64), small = number % 10;
  if (number < 40) return small < 7 ? small : 6 - small;
  if (number < 56) return number - 33;
  return number == 56 ? INT64_MAX : number == 57 ? INT64_MIN : (int64_t)1 << (number - 20);
}

static spw_making making_of(const fuzz_model *model, int64_t *numbers)
{
  spw_making w = {.kind = (spw_make_kind)fuzz_operation(model, KINDS),
                  .layout = (spw_layout)fuzz_parameter(model, 0, 5),
                  .batch_dims = fuzz_parameter(model, 2, 3),
                  .dense_dims = fuzz_parameter(model, 3, 3),
                  .index_dtype = fuzz_parameter(model, 4, 2) ? SPW_INT32 : SPW_INT64,
                  .dtype = (spw_dtype)(SPW_BOOL + fuzz_parameter(model, 5, 12)),
                  .size = numbers,
                  .ndim = fuzz_parameter(model, 6, 5),
                  .numbers = numbers + 5,
                  .count = fuzz_parameter(model, 7, 5),
                  .dim = fuzz_parameter(model, 6, 9) - 1,
                  .start = number_at(model, 7),
                  .length = number_at(model, 8),
                  .step = number_at(model, 9),
                  .diagonal = number_at(model, 10),
                  .sparse_dims = number_at(model, 11),
                  .scalar = numbers};
  if (w.step == 0) w.step = 1;
  if (w.layout == SPW_BSR || w.layout == SPW_BSC) w.block_rows = 1 + fuzz_parameter(model, 1, 3), w.block_columns = w.block_rows;
  for (int64_t i = 0; i < 10; i++) {
    const int64_t number = number_at(model, FIRST_NUMBER + i % (FUZZ_PARAMETERS - FIRST_NUMBER));
    numbers[i] = number > INT64_MAX - i / 4 ? number : number + i / 4;
  }
  return w;
}

static void expect_made(const spw_tensor *const *operands, int64_t count, const spw_making *w)
{
  spw_status status;
  bool seen;
  const char *const wrong = attempt_make(operands, count, w, &status, &seen);
  if (wrong) fuzz_fail("what is made", "%s: %s\n%s", making_text(w), wrong, count > 0 ? oracle_describe(operands[0]) : "");
}

/* What comes out goes in again, as a triangle. */
static void go_on(const spw_tensor *const *operands, int64_t count, const spw_making *w)
{
  spw_owned *owned = NULL;
  if (spw_make_new(operands, count, w, (size_t)1 << 22, &owned, NULL) != SPW_OK) return;
  const spw_tensor *const made = spw_owned_tensor(owned);
  const spw_making again = {.kind = w->start % 2 ? SPW_MAKE_LOWER : SPW_MAKE_UPPER, .diagonal = w->dim};
  if (fuzz_positions(made) <= SCALARS) expect_made(&made, 1, &again);
  spw_owned_free(owned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  int64_t numbers[16];
  spw_tensor dense;
  const spw_tensor *operands[2] = {NULL, NULL};
  const fuzz_model *const model = fuzz_model_from(data, size);
  if (!model) return 0;
  const spw_making w = making_of(model, numbers);
  int64_t count = w.kind == SPW_MAKE_ZEROS ? 0 : 1;
  if (count > 0) operands[0] = operand(model, 0, w.kind == SPW_MAKE_DIAGONALS, &dense);
  if (w.kind == SPW_MAKE_DIAGONALS && !operands[0]) count = 0;
  if (w.kind > SPW_MAKE_DIAGONALS && !operands[0]) return 0;
  if (w.kind == SPW_MAKE_KRON) {
    operands[1] = model->operands > 1 ? operand(model, 1, false, &dense) : NULL;
    if (!operands[1]) operands[1] = operands[0];
    count = 2;
    if (fuzz_positions(operands[0]) * fuzz_positions(operands[1]) > PAIRS) return 0;
  }
  expect_made(operands, count, &w);
  go_on(operands, count, &w);
  return 0;
}
