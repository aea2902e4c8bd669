/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor to any layout: it is refused for a reason that is true, or becomes what the second opinion
 * (tests/meaning.h) says, bit for bit, inside buffers of exactly the length that was asked for. What comes out
 * becomes a third tensor, and keeps its meaning on the way. All values are combined to one. Then the room of this
 * tensor is used for another, operand 1: whatever has changed in between, nothing outside the buffers is
 * written. In parts, of which a build for fuzzing makes some of every work, the result is the same. Operation: the
 * layout. Parameters: blocks, batch and dense dimensions, type of the indices, duplicates, flags; then the layout and the
 * blocks of the third tensor, whether the other one gets more workspace, and how many threads there may be. */
#include "target.h"

#include <stdlib.h>
#include <string.h>

#include "../tests/fenced.h"
#include "../tests/oracle.h"

enum { WORK = 6000, SCALARS = 1000, LAYOUTS = 6 };

static int64_t block_size(const fuzz_model *model, int64_t parameter)
{
  static const int64_t sizes[] = {1, 2, 3, 4, 0, (int64_t)1 << 32, INT64_MAX, -1};
  return sizes[fuzz_parameter(model, parameter, 8)];
}

static spw_conversion conversion_of(const fuzz_model *model)
{
  static const spw_dtype types[] = {SPW_DTYPE_NONE, SPW_INT32, SPW_INT64};
  const int64_t flags = fuzz_parameter(model, 6, 8);
  spw_conversion w = {.layout = (spw_layout)fuzz_operation(model, LAYOUTS),
                      .batch_dims = fuzz_parameter(model, 2, 5) - 1,
                      .dense_dims = fuzz_parameter(model, 3, 5) - 1,
                      .index_dtype = types[fuzz_parameter(model, 4, 3)],
                      .duplicates = (spw_combine)fuzz_parameter(model, 5, 4),
                      .prune = flags & 1,
                      .bits = flags & 2,
                      .canonicalize = flags & 4};
  if (is_blocked(w.layout)) w.block_rows = block_size(model, 0);
  if (is_blocked(w.layout)) w.block_columns = block_size(model, 1);
  return w;
}

/* An operand that is small, or not valid in any case; an array is one. */
static const spw_tensor *operand(const fuzz_model *model, int64_t number)
{
  static spw_tensor arrays[FUZZ_OPERANDS];
  bool shape = false;
  const fuzz_tensor *t = fuzz_tensor_from(model, number, WORK);
  if (!t || !t->has_values) return NULL;
  const spw_tensor *x = &t->tensor;
  if (model->operand[number].kind == FUZZ_DENSE) {
    arrays[number] = *x;
    arrays[number].layout = SPW_DENSE;
    x = &arrays[number];
  }
  const bool judged = x->layout == SPW_DENSE || (spw_is_valid(x, SPW_SHAPE, &shape) == SPW_OK && shape);
  return judged && fuzz_volume(&t->tensor) > SCALARS ? NULL : x;
}

static bool has_positions(const spw_tensor *t)
{
  const int64_t *const size = t->layout == SPW_DENSE ? t->values.array.shape : t->size;
  const int64_t ndim = t->layout == SPW_DENSE ? t->values.array.ndim : t->ndim;
  for (int64_t d = 0; d < ndim; d++)
    if (size[d] == 0) return false;
  return true;
}

/* The last byte of the last value; null if there is none. */
static char *last_byte_of(const spw_tensor *t)
{
  const spw_array *const v = &t->values.array;
  int64_t count = 1;
  for (int64_t d = 0; d < v->ndim; d++) count *= v->shape[d];
  return count ? (char *)(uintptr_t)t->values.data + (v->offset + count) * spw_dtype_size(v->dtype) - 1 : NULL;
}

/* Another bit of the last value is noticed, if there is one. */
static void expect_noticed(const spw_tensor *from, const spw_tensor *to)
{
  char *const last = last_byte_of(to);
  if (!last) return;
  bool same = true;
  *last ^= 1;
  const spw_status status = spw_certify(from, to, SPW_ZEROS_ANY, &same, NULL);
  *last ^= 1;
  if (status != SPW_OK || same) fuzz_fail("another bit is certified", "status %d\n%s", (int)status, oracle_describe(from));
}

/* The certifier says so, too, where it says anything: nothing is lost, and where something is new, as blocks have it, is told. */
static void expect_certified(const spw_tensor *from, const spw_conversion *w, const spw_tensor *to)
{
  bool any = false, kept = false, dropped = false, back = false;
  if (spw_certify(from, to, SPW_ZEROS_ANY, &any, NULL) != SPW_OK) return;
  if (spw_certify(from, to, SPW_ZEROS_KEPT, &kept, NULL) != SPW_OK ||
      spw_certify(from, to, SPW_ZEROS_DROPPED, &dropped, NULL) != SPW_OK ||
      spw_certify(to, from, SPW_ZEROS_ADDED, &back, NULL) != SPW_OK)
    fuzz_fail("certified only at times", "%s", oracle_describe(from));
  const bool there = has_positions(to); /* cells without a scalar specify nothing, whatever the second opinion says of them */
  const bool expected_kept = !there || to->layout == SPW_DENSE || !meaning_difference(from, to, w->duplicates, false);
  if (!any || kept != expected_kept || dropped != expected_kept || back != expected_kept)
    fuzz_fail("certified otherwise", "to %d: %d, %d, %d, %d\n%s", (int)w->layout, any, kept, dropped, back,
              oracle_describe(from));
  if (there) expect_noticed(from, to);
}

/* Elements of each batch. */
static int64_t elements_of(const spw_tensor *t)
{
  return t->values.array.shape[t->layout == SPW_COO ? 0 : t->compressed.array.ndim - 1];
}

/* Duplicates, in whatever order, came to this; the second opinion says whether they did. */
static void expect_sum(const spw_tensor *from, spw_combine how, const spw_tensor *to, void *work, size_t bytes)
{
  bool same = false;
  const spw_status status = spw_certify_coalesced(from, to, how, work, bytes, &same, NULL);
  if (status == SPW_EUNSUPPORTED) return;
  const bool refuse = how == SPW_COMBINE_REFUSE; /* none may be there twice */
  const bool expected = !has_positions(to) || (!meaning_difference(from, to, refuse ? SPW_COMBINE_FIRST : how, false) &&
                                               (!refuse || elements_of(from) == elements_of(to)));
  if (status != SPW_OK || same != expected)
    fuzz_fail("a sum is certified otherwise", "status %d: %d\n%s", (int)status, (int)same, oracle_describe(from));
}

static void expect_all_sums(const spw_tensor *from, const spw_tensor *to, void *work, size_t bytes)
{
  for (int how = SPW_COMBINE_SUM; how <= SPW_COMBINE_REFUSE; how++) expect_sum(from, (spw_combine)how, to, work, bytes);
}

/* Without its last element, which `to` may have for all that. */
static void expect_fewer(const spw_tensor *from, const spw_tensor *to, void *work, size_t bytes)
{
  const spw_array *const values = &from->values.array;
  const int64_t less = values->shape[0] - 1, shape[] = {from->plain.array.shape[0], less};
  int64_t *const of_values = malloc((size_t)values->ndim * sizeof *of_values);
  if (!of_values || less < 0) {
    free(of_values);
    return;
  }
  memcpy(of_values, values->shape, (size_t)values->ndim * sizeof *of_values);
  of_values[0] = less;
  spw_tensor fewer = *from;
  fewer.plain.array.shape = shape;
  fewer.values.array.shape = of_values;
  expect_all_sums(&fewer, to, work, bytes);
  free(of_values);
}

/* What all elements, or the first or last of each position, come to is certified as that, and as nothing else. */
static void expect_sums_in(const spw_tensor *from, const spw_tensor *to)
{
  size_t bytes = 0;
  if (spw_certify_coalesced_size(from, to, &bytes, NULL) != SPW_OK) return;
  void *const work = malloc(bytes ? bytes : 1);
  if (!work) return;
  char *const last = last_byte_of(to);
  char *const low = last ? last + 1 - spw_dtype_size(to->values.array.dtype) : NULL; /* a NaN stays one */
  expect_all_sums(from, to, work, bytes);
  if (from->layout == SPW_COO) expect_fewer(from, to, work, bytes);
  if (low) *low ^= 1;
  expect_all_sums(from, to, work, bytes);
  free(work);
}

static void expect_sums(const spw_tensor *from)
{
  if (from->layout == SPW_DENSE || !from->has_size) return;
  for (int how = SPW_COMBINE_SUM; how < SPW_COMBINE_REFUSE; how++) {
    const spw_conversion w = {.layout = from->layout, .batch_dims = -1, .dense_dims = -1, .duplicates = (spw_combine)how,
                              .canonicalize = true};
    spw_owned *owned = NULL;
    if (spw_convert_new(from, &w, (size_t)1 << 20, &owned, NULL) != SPW_OK) return;
    expect_sums_in(from, spw_owned_tensor(owned));
    spw_owned_free(owned);
  }
}

/* Where no position is lost or new, a tensor means what it meant. */
static void expect_meaning(const spw_tensor *from, const spw_conversion *w, const spw_tensor *to)
{
  if (w->prune || from->layout == SPW_DENSE) return;
  const bool dense = is_blocked(w->layout) || is_blocked(from->layout) || w->layout == SPW_DENSE;
  const char *wrong = meaning_difference(from, to, w->duplicates, dense);
  if (wrong) fuzz_fail("another meaning", "%s: %s\n%s", "meaning", wrong, oracle_describe(from));
  expect_certified(from, w, to);
}

static void go_on(const fuzz_model *model, const spw_tensor *from)
{
  attempt a;
  spw_conversion w = {.layout = (spw_layout)fuzz_parameter(model, 7, LAYOUTS), .batch_dims = -1, .dense_dims = -1};
  if (is_blocked(w.layout)) w.block_rows = block_size(model, 8);
  if (is_blocked(w.layout)) w.block_columns = block_size(model, 9);
  const char *wrong = attempt_conversion(from, &w, &a);
  if (wrong) fuzz_fail("a second conversion", "to %d: %s\n%s", (int)w.layout, wrong, oracle_describe(from));
  if (a.has_result) expect_meaning(from, &w, &a.result);
  attempt_free(&a);
}

/* The values as cells that all lie at the one position of a tensor without sparse dimensions. */
static void add_up(const spw_tensor *x)
{
  static const int64_t strides[] = {1, 1};
  attempt a;
  if (x->values.array.ndim < 1 || x->values.array.shape[0] < 0) return;
  const int64_t shape[] = {0, x->values.array.shape[0]};
  const spw_tensor cells = {.layout = SPW_COO,
                            .coalesced = SPW_CLAIM_NO,
                            .plain = {{SPW_INT64, 2, shape, strides, 0, 0}, NULL, NULL, NULL},
                            .values = x->values};
  for (int how = SPW_COMBINE_SUM; how <= SPW_COMBINE_REFUSE; how++) {
    const spw_conversion w = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1, .duplicates = (spw_combine)how};
    const char *wrong = attempt_conversion(&cells, &w, &a);
    if (wrong) fuzz_fail("a sum", "%d: %s\n%s", how, wrong, oracle_describe(x));
    attempt_free(&a);
  }
}

static int threads_of(const fuzz_model *model)
{
  static const int threads[] = {7, 2, 3, 1, 50};
  return threads[fuzz_parameter(model, 11, 5)];
}

static spw_room in_parts(const spw_tensor *x, const spw_conversion *w, int threads, const attempt *a)
{
  fenced f;
  spw_tensor result;
  spw_room room;
  if (spw_convert_size_parallel(x, w, threads, &room, NULL) != SPW_OK) fuzz_fail("a size in parts", "%d threads", threads);
  if (!fenced_fits(&room)) return a->room;
  fenced_make(&f, &room);
  const spw_status status = spw_convert_parallel(x, w, threads, &f.buffers, &result, NULL);
  if (status != a->status) fuzz_fail("another status in parts", "%d, %d threads", (int)status, threads);
  if (!fences_hold(&f)) fuzz_fail("something outside the buffers is written in parts", "%d threads", threads);
  if (status == SPW_OK && !fuzz_same_elements(&result, &a->result))
    fuzz_fail("another result in parts", "to %d, %d threads\n%s", (int)w->layout, threads, oracle_describe(x));
  fenced_free(&f);
  return room;
}

static void use_for_another(const fuzz_model *model, const spw_conversion *w, const spw_room *room, int threads)
{
  expected e;
  fenced f;
  spw_tensor result;
  spw_refusal refusal;
  const spw_tensor *x = operand(model, 1);
  if (!x) return;
  spw_room there = *room;
  there.dtype = x->values.array.dtype; /* or hardly anything would fit */
  there.work += (size_t)fuzz_parameter(model, 10, 2) * 4096;
  expected_conversion(x, w, &e);
  fenced_make(&f, &there);
  const spw_status status = e.statuses ? spw_convert_parallel(x, w, threads, &f.buffers, &result, &refusal) : SPW_EINVAL;
  const char *wrong = status == SPW_EINVAL ? NULL : wrong_answer(&e, status, &refusal, false);
  if (!wrong && status == SPW_OK && e.has_result) wrong = wrong_result(&e, &result);
  if (!fences_hold(&f)) wrong = "something outside the buffers is written";
  if (wrong) fuzz_fail("the room of another", "%s\n%s", wrong, oracle_describe(x));
  expected_free(&e);
  fenced_free(&f);
}

static void in_own_memory(const spw_tensor *x, const spw_conversion *w, const attempt *a)
{
  spw_owned *owned = NULL;
  const spw_status status = spw_convert_new(x, w, (size_t)1 << 26, &owned, NULL);
  if (status != a->status || (owned != NULL) != (status == SPW_OK))
    fuzz_fail("another status with memory of its own", "%d", (int)status);
  if (!owned) return;
  if (!fuzz_same_elements(spw_owned_tensor(owned), &a->result))
    fuzz_fail("another result in memory of its own", "%d", (int)w->layout);
  spw_owned_free(owned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  attempt a;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const spw_tensor *x = operand(model, 0);
  if (!x) return 0;
  add_up(x);
  const spw_conversion w = conversion_of(model);
  const char *wrong = attempt_conversion(x, &w, &a);
  if (wrong) fuzz_fail("a conversion", "to %d: %s\n%s", (int)w.layout, wrong, oracle_describe(x));
  if (a.has_result) expect_meaning(x, &w, &a.result);
  if (a.has_result) expect_sums(x);
  if (a.has_result && w.layout != SPW_DENSE) in_own_memory(x, &w, &a);
  if (a.has_result) go_on(model, &a.result);
  if (a.has_result) {
    const spw_room room = in_parts(x, &w, threads_of(model), &a);
    if (model->operands > 1) use_for_another(model, &w, &room, threads_of(model));
  }
  attempt_free(&a);
  return 0;
}
