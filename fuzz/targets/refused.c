/* SPDX-License-Identifier: Apache-2.0 */
/* A tensor that breaks a rule is refused as any operand of any operation, and nothing is made: whoever gets a tensor from a
 * stranger need not check it before. The other operands are valid and fit it, where its size allows that. Parameter 0: what an
 * operation is asked for. */
#include "../harness/as_dense.h"
#include "../harness/target.h"

#include "../../tests/attempts/every_call.h"
#include "../../tests/expected/oracle.h"

_Static_assert(sizeof in_order / sizeof *in_order >= FUZZ_DIMS, "an order of all dimensions");

/* ---- Operands -------------------------------------------------------------------------------- */

/* Zeros of this size, stored as x is, whose numbers these are. */
static spw_owned *zeros(const spw_tensor *x, const spw_numbers *n, const int64_t *size)
{
  spw_owned *owned = NULL;
  const bool blocks = x->layout == SPW_BSR || x->layout == SPW_BSC;
  const spw_making w = {.layout = x->layout, .size = size, .ndim = x->ndim,
                        .block_rows = blocks ? n->block_rows : 0, .block_columns = blocks ? n->block_columns : 0,
                        .batch_dims = n->batch_dims, .dense_dims = n->dense_dims,
                        .index_dtype = x->plain.array.dtype, .dtype = x->values.array.dtype};
  return spw_make_new(NULL, 0, &w, EVERY_MEMORY, &owned, NULL) == SPW_OK ? owned : NULL;
}

/* Sizes up to EVERY_SIZE; a tensor of which nothing is known that others could fit has none. */
static bool is_small(const spw_tensor *x)
{
  bool small = x->has_size && x->ndim >= 2 && x->ndim <= FUZZ_DIMS;
  for (int64_t d = 0; small && d < x->ndim; d++) small = x->size[d] >= 0 && x->size[d] <= EVERY_SIZE;
  return small;
}

static void make_parts(const spw_tensor *x, spw_owned *made[PARTS])
{
  spw_numbers n;
  if (!is_small(x) || spw_numbers_of(x, &n) != SPW_OK) return;
  const int64_t row = n.batch_dims < 0 ? 0 : n.batch_dims, column = row + 1;
  for (part p = SAME; p <= COLUMNS; p++) {
    int64_t size[FUZZ_DIMS];
    for (int64_t d = 0; d < x->ndim; d++) size[d] = x->size[d];
    if (column < x->ndim && p == ROWS) size[column] = size[row];
    if (column < x->ndim && p == COLUMNS) size[row] = size[column];
    made[p] = zeros(x, &n, size);
    made[p + DENSE - SAME] = made[p] ? fuzz_as_dense(spw_owned_tensor(made[p]), EVERY_MEMORY) : NULL;
  }
}

/* ---- What must hold -------------------------------------------------------------------------- */

static void expect_refusal(const operation *f, const spw_tensor *x, spw_owned *const made[PARTS])
{
  operands o = {NULL};
  spw_owned *out = NULL;
  spw_refusal refusal;
  for (int i = 0; i < OPERANDS; i++) {
    const part p = f->operand[i];
    if (p > X && !made[p]) return;
    if (p != NO) o[i] = p == X ? x : spw_owned_tensor(made[p]);
  }
  if (f->call(o, &out, &refusal) == SPW_OK || out)
    fuzz_fail("an operation on a tensor that breaks a rule", "%s\n%s", f->name, oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bool valid = false;
  spw_owned *made[PARTS] = {NULL};
  const fuzz_model *const model = fuzz_model_from(data, size);
  const spw_tensor *const x = model ? fuzz_small_sparse(model, 0) : NULL;
  if (!x || (spw_is_valid(x, SPW_STRUCTURE, &valid) == SPW_OK && valid)) return 0;
  drawn = (uint64_t)fuzz_parameter(model, 0, INT64_MAX);
  make_parts(x, made);
  for (size_t i = 0; i < sizeof every_call / sizeof *every_call; i++) expect_refusal(&every_call[i], x, made);
  for (part p = SAME; p < PARTS; p++) spw_owned_free(made[p]);
  return 0;
}
