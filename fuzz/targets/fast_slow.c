/* SPDX-License-Identifier: Apache-2.0 */
/* The fast verdict and the full report agree on any contents, also of long arrays; and so do other
 * arrangements of the same elements in memory, any number of threads, and tiles of any size.
 * Parameter 0: how many threads. */
#include "../harness/target.h"

#include "../../src/core/size.h"
#include "../../tests/expected/oracle.h"
#include "../../tests/check/small_tiles.h"

#include <string.h>

enum { WORK = 500000, THREADS = 9 };

/* The same indices in the other type, if they fit. The checker must not tell the difference. */
typedef struct widened {
  int32_t i32[2][FUZZ_ELEMENTS];
  int64_t i64[2][FUZZ_ELEMENTS];
} widened;

static bool convert(spw_index_array *a, int which, widened *w)
{
  if (a->array.length > FUZZ_ELEMENTS) return false;
  for (int64_t i = 0; i < a->array.length; i++) {
    const int64_t value = a->array.dtype == SPW_INT32 ? a->i32[i] : a->i64[i];
    if (value < INT32_MIN || value > INT32_MAX) return false;
    w->i32[which][i] = (int32_t)value;
    w->i64[which][i] = value;
  }
  const bool to_int64 = a->array.dtype == SPW_INT32;
  a->array.dtype = to_int64 ? SPW_INT64 : SPW_INT32;
  a->i32 = to_int64 ? NULL : w->i32[which];
  a->i64 = to_int64 ? w->i64[which] : NULL;
  return true;
}

static bool is_index_type(spw_dtype dtype)
{
  return dtype == SPW_INT32 || dtype == SPW_INT64;
}

static spw_dtype other_type(spw_dtype dtype)
{
  return dtype == SPW_INT32 ? SPW_INT64 : SPW_INT32;
}

/* 1.6 alone may depend on the type of the indices. In int64 a shape may hold that int32 forbids,
 * and with it elements that fuzz_work() did not count before. */
static void expect_same_in_other_type(const spw_tensor *x, const spw_report *report)
{
  static widened w;
  spw_tensor y = *x;
  spw_report other;
  const bool is_coo = x->layout == SPW_COO;
  if (!is_index_type(x->plain.array.dtype)) return;
  if (!is_coo && x->compressed.array.dtype != x->plain.array.dtype) return;
  if (x->index_dtype != SPW_DTYPE_NONE && x->index_dtype != x->plain.array.dtype) return;
  if (x->index_dtype != SPW_DTYPE_NONE) y.index_dtype = other_type(x->index_dtype);
  if (!convert(&y.plain, 1, &w) || (!is_coo && !convert(&y.compressed, 0, &w))) return;
  if (fuzz_work(&y) > WORK) return;
  if (spw_check(&y, SPW_CANONICAL, &other) != SPW_OK)
    fuzz_fail("refused in the other type", "see the input");
  if (other.findings[SPW_RULE_1_6].state != report->findings[SPW_RULE_1_6].state) return;
  if (other.findings[SPW_RULE_1_6].state == SPW_VIOLATED) return;
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++)
    if (other.findings[rule].state != report->findings[rule].state ||
        other.findings[rule].count != report->findings[rule].count ||
        (other.findings[rule].state == SPW_VIOLATED &&
         other.findings[rule].first.position != report->findings[rule].first.position))
      fuzz_fail("int32 and int64 indices differ", "rule %s\n%s", spw_rule_get((spw_rule)rule)->id,
                oracle_describe(x));
  bool valid = !other.valid;
  if (spw_is_valid(&y, SPW_CANONICAL, &valid) != SPW_OK || valid != report->valid)
    fuzz_fail("the fast verdict depends on the index type", "%s", oracle_describe(x));
}

/* Any number of threads gives the same answer. */
static void expect_same_in_parallel(const spw_tensor *x, const spw_report *report, int threads)
{
  bool valid = !report->valid;
  if (spw_is_valid_parallel(x, SPW_CANONICAL, threads, &valid) != SPW_OK || valid != report->valid)
    fuzz_fail("threads change the verdict", "%d threads\n%s", threads, oracle_describe(x));
}

/* Is a batch valid, by the copy of the fast verdict with small tiles? */
static bool small_verdict(const spw_tensor *x, int64_t batch, int64_t C, int64_t P, int64_t nse)
{
  const spw_array *const compressed = &x->compressed.array, *const plain = &x->plain.array;
  const int64_t batch_dims = compressed->ndim - 1;
  const int64_t c = compressed->offset +
                    spw_position_of(compressed->shape, compressed->strides, batch_dims, batch);
  const int64_t p =
      nse > 0 ? plain->offset + spw_position_of(plain->shape, plain->strides, batch_dims, batch)
              : 0;
  return compressed->dtype == SPW_INT32
             ? small_spw_rows_valid_i32(x->compressed.i32 + c, x->plain.i32 + p, C, P, nse)
             : small_spw_rows_valid_i64(x->compressed.i64 + c, x->plain.i64 + p, C, P, nse);
}

static bool same_by_small_tiles(const spw_tensor *x, const spw_report *report)
{
  for (int64_t b = 0; b < report->batches; b++)
    if (!small_verdict(x, b, report->compressed_size, report->plain_size, report->nse))
      return false;
  return true;
}

/* Does every rule of the phases, as far as it is about this tensor, hold? */
static bool all_hold(const spw_report *report, spw_level first, spw_level last)
{
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    const spw_level phase = spw_rule_get((spw_rule)rule)->phase;
    const spw_state state = report->findings[rule].state;
    if (phase >= first && phase <= last && state != SPW_HOLDS && state != SPW_NOT_APPLICABLE)
      return false;
  }
  return true;
}

/* Once the shape rules hold, any size of the tiles gives the same answer. */
static void expect_same_with_small_tiles(const spw_tensor *x, const spw_report *report)
{
  if (x->layout == SPW_COO || report->plain_size < 0) return;
  if (!all_hold(report, SPW_SHAPE, SPW_SHAPE)) return;
  if (same_by_small_tiles(x, report) != all_hold(report, SPW_STRUCTURE, SPW_CANONICAL))
    fuzz_fail("small tiles change the verdict", "%s", oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *t = fuzz_indices_from(model, 0, WORK);
  if (!t) return 0;
  const spw_report *report = fuzz_check_agrees(&t->tensor);
  if (!report) return 0;
  expect_same_in_parallel(&t->tensor, report, 1 + (int)fuzz_parameter(model, 0, THREADS));
  expect_same_in_other_type(&t->tensor, report);
  expect_same_with_small_tiles(&t->tensor, report);
  return 0;
}
