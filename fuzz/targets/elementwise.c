/* SPDX-License-Identifier: Apache-2.0 */
/* Any elementwise operation on any tensors: refused for a reason that is true, or right by a second opinion
 * (tests/expected/united.h), inside buffers of exactly the length that was asked for; and the sum of what is made with itself.
 * The second operand is that of the input where it is valid, else the first, with its parts in another order or as a dense
 * array. Operation: the kind. Parameters: duplicates, whether there is a scalar, the seed of it and of the second operand,
 * threads. */
#include "../harness/as_dense.h"
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"
#include "../../tests/expected/scalar.h"
#include "../../tests/expected/united.h"

#include <string.h>

enum { WORK = 20000, SCALARS = 2000, MOST = 16 };

/* Small, and valid; else null. */
static const spw_tensor *operand(const fuzz_model *model, int64_t number)
{
  bool valid = false;
  const fuzz_tensor *t = fuzz_tensor_from(model, number, WORK);
  if (!t || !t->has_values) return NULL;
  const spw_tensor *const x = &t->tensor;
  if (x->layout == SPW_DENSE) return fuzz_volume(x) > SCALARS ? NULL : x;
  if (spw_is_valid(x, SPW_CANONICAL, &valid) != SPW_OK || !valid || fuzz_volume(x) > SCALARS) return NULL;
  return x;
}

/* Parts of a tensor along a dimension, drawn from itself. */
static spw_owned *another(const spw_tensor *t, uint64_t seed)
{
  int64_t numbers[MOST];
  spw_owned *owned = NULL;
  if (!t->has_size || t->ndim == 0) return NULL;
  const int64_t dim = (int64_t)(seed % (uint64_t)t->ndim), side = t->size[dim];
  if (side > MOST) return NULL;
  for (int64_t i = 0; i < side; i++) numbers[i] = (int64_t)(seed >> (3 + 4 * i % 60)) % 16 % side;
  for (int64_t i = 0; i < side; i++) numbers[i] = numbers[i] < 0 ? 0 : numbers[i];
  const spw_structure w = {.kind = SPW_INDEX_SELECT, .dim = dim, .numbers = numbers, .count = side,
                           .duplicates = SPW_COMBINE_FIRST};
  return spw_restructure_new(&t, 1, &w, (size_t)1 << 22, &owned, NULL) == SPW_OK ? owned : NULL;
}

static void expect_operation(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *w)
{
  spw_status status;
  bool seen;
  const char *const wrong = attempt_elementwise(a, b, w, &status, &seen);
  if (wrong) fuzz_fail("an elementwise operation", "kind %d: %s\n%s", (int)w->kind, wrong, oracle_describe(a));
}

/* What comes out goes in again. */
static void go_on(const spw_tensor *a, const spw_tensor *b, const spw_elementwise_request *w)
{
  spw_owned *owned = NULL;
  const spw_elementwise_request again = {.kind = SPW_PLUS};
  if (spw_elementwise_new(a, b, w, (size_t)1 << 22, &owned, NULL) != SPW_OK) return;
  expect_operation(spw_owned_tensor(owned), spw_owned_tensor(owned), &again);
  spw_owned_free(owned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  uint8_t scalar[16] = {0};
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const spw_tensor *const a = operand(model, 0), *b = model->operands > 1 ? operand(model, 1) : NULL;
  if (!a || a->layout == SPW_DENSE) return 0;
  const uint64_t seed = (uint64_t)fuzz_parameter(model, 2, INT64_MAX);
  spw_elementwise_request w = {.kind = (spw_elementwise_kind)fuzz_operation(model, UNITED_KINDS),
                               .duplicates = (spw_combine)fuzz_parameter(model, 0, 4)};
  const united_kind takes = united_kinds[w.kind];
  const bool two = takes.operands == 2;
  const int64_t choice = fuzz_parameter(model, 1, 32);
  w.upper_bound = choice & 16;
  w.threads = (int)fuzz_parameter(model, 3, 8);
  memcpy(scalar, &seed, sizeof seed);
  memcpy(scalar + 8, &seed, sizeof seed);
  if (choice & 1) scalar_one(a->values.array.dtype, scalar);
  if (!takes.no_scalar || (takes.scalar && choice & 2)) w.scalar = scalar;
  spw_owned *const more = !two || (b && choice & 4) ? NULL : another(a, seed);
  if (two && (!b || !(choice & 4))) b = more ? spw_owned_tensor(more) : a;
  if (!two) b = NULL;
  spw_owned *const full = w.kind == SPW_TIMES && choice & 8 ? fuzz_as_dense(b, (size_t)1 << 16) : NULL;
  if (full) b = spw_owned_tensor(full);
  if (!b || b->layout != SPW_DENSE || w.kind == SPW_TIMES) {
    expect_operation(a, b, &w);
    go_on(a, b, &w);
  }
  spw_owned_free(full);
  spw_owned_free(more);
  return 0;
}
