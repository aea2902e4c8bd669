/* SPDX-License-Identifier: Apache-2.0 */
/* Any tensor to any layout: it is refused for a reason that is true, or becomes what the second opinion
 * (tests/expected/meaning.h) says, bit for bit, inside buffers of exactly the length that was asked for. What comes out
 * becomes a third tensor, and keeps its meaning on the way. All values are combined to one. Then the room of this
 * tensor is used for another, operand 1: whatever has changed in between, nothing outside the buffers is
 * written. In parts, of which a build for fuzzing makes some of every work, the result is the same. So it is with a dense array
 * that is drawn besides: the values, many of them zero, in sizes that a layout's blocks divide. Operation: the layout.
 * Parameters: blocks, batch and dense dimensions, type of the indices, duplicates, flags; then the layout and the
 * blocks of the third tensor, whether the other one gets more workspace, and how many threads there may be. All bytes together
 * are the seed of what is drawn. */
#include "../harness/target.h"

#include <stdlib.h>
#include <string.h>

#include "../../tests/attempts/fenced.h"
#include "../../tests/expected/oracle.h"

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
  const bool holds = !has_positions(to) || (!meaning_difference(from, to, refuse ? SPW_COMBINE_FIRST : how, false) &&
                                            (!refuse || elements_of(from) == elements_of(to)));
  if (status != SPW_OK || same != holds)
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

/* A room for several threads is one for fewer. */
static void with_one_thread(const spw_tensor *x, const spw_conversion *w, const spw_room *room, const attempt *a)
{
  fenced f;
  spw_tensor result;
  if (!fenced_fits(room)) return;
  fenced_make(&f, room);
  const spw_status status = spw_convert_parallel(x, w, 1, &f.buffers, &result, NULL);
  if (status != a->status) fuzz_fail("another status with one thread", "%d", (int)status);
  if (!fences_hold(&f)) fuzz_fail("something outside the buffers is written with one thread", "to %d", (int)w->layout);
  if (status == SPW_OK && !fuzz_same_elements(&result, &a->result))
    fuzz_fail("another result with one thread", "to %d\n%s", (int)w->layout, oracle_describe(x));
  fenced_free(&f);
}

/* Where the room is `enough`, nothing else may be refused. */
static void use_for_another(const spw_tensor *x, const spw_conversion *w, spw_room room, bool enough, int threads)
{
  expected e;
  fenced f;
  spw_tensor result;
  spw_refusal refusal;
  room.dtype = x->values.array.dtype; /* or hardly anything would fit */
  expected_conversion(x, w, &e);
  fenced_make(&f, &room);
  const spw_status status = e.statuses ? spw_convert_parallel(x, w, threads, &f.buffers, &result, &refusal) : SPW_EINVAL;
  const bool judged = e.statuses && (enough || status != SPW_EINVAL);
  const char *wrong = judged ? wrong_answer(&e, status, &refusal, false) : NULL;
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

/* ---- An array that blocks divide ------------------------------------------------------------- */

enum { ARRAY_DIMS = 6 };

/* Some of the scalars, and zeros between them, or no block would be without any. For half of the arrays each batch has those of
 * the first one, some bands of blocks further down, or later batches would hardly ever have as many blocks as the first. */
static void draw_scalars(dice *d, const spw_value_array *from, char *to, int64_t count, int64_t matrix, int64_t band)
{
  const size_t size = (size_t)spw_dtype_size(from->array.dtype);
  const int64_t one_in = (int64_t)1 << roll_below(d, 5);
  const bool alike = roll_below(d, 2);
  memset(to, 0, (size_t)count * size);
  for (int64_t k = 0; k < count; k++) {
    const char *const scalar = (const char *)from->data + (size_t)(k % from->array.length) * size;
    if (alike && k >= matrix)
      memcpy(to + (size_t)k * size, to + (size_t)((k + k / matrix * band) % matrix) * size, size);
    else if (roll_below(d, one_in) == 0)
      memcpy(to + (size_t)k * size, scalar, size);
  }
}

/* Sizes for batch and dense dimensions that the layout may have, of which its blocks divide two. Gives how many there are. */
static int64_t draw_sizes(dice *d, spw_conversion *w, int64_t *size)
{
  static const spw_layout layouts[] = {SPW_BSR, SPW_BSC, SPW_BSR, SPW_BSC, SPW_CSR, SPW_CSC, SPW_COO};
  static const int64_t sides[] = {1, 2, 3, 8};
  const int64_t before = roll_below(d, 3), behind = roll_below(d, 3);
  w->layout = layouts[roll_below(d, 7)];
  w->batch_dims = w->layout == SPW_COO ? 0 : before;
  w->dense_dims = behind;
  w->block_rows = is_blocked(w->layout) ? sides[roll_below(d, 4)] : 0;
  w->block_columns = is_blocked(w->layout) ? sides[roll_below(d, 4)] : 0;
  for (int64_t i = 0; i < before + 2 + behind; i++) size[i] = 1 + roll_below(d, 3);
  if (is_blocked(w->layout)) size[before] *= w->block_rows;
  if (is_blocked(w->layout)) size[before + 1] *= w->block_columns;
  return before + 2 + behind;
}

/* Mostly without gaps in row-major order; or the first dimension is the innermost one; and there may be a stride of 0. Gives how
 * many scalars these are. */
static int64_t draw_strides(dice *d, int64_t ndim, const int64_t *size, int64_t *stride)
{
  const bool turned = roll_below(d, 4) == 0;
  int64_t count = 1;
  for (int64_t i = 0; i < ndim; i++) {
    const int64_t dim = turned ? i : ndim - 1 - i;
    stride[dim] = count;
    count *= size[dim];
  }
  if (roll_below(d, 8) == 0) stride[roll_below(d, ndim)] = 0;
  return count;
}

/* Scalars that are zero now leave the room enough, but batches of different lengths. */
static void draw_zeros(dice *d, char *scalars, int64_t count, size_t size)
{
  for (int64_t k = 0; k < count; k++)
    if (roll_below(d, 2)) memset(scalars + (size_t)k * size, 0, size);
}

static void convert_array(const spw_tensor *array, const spw_conversion *w, int threads, dice *d, char *scalars)
{
  attempt a;
  const spw_array *const v = &array->values.array;
  const char *wrong = attempt_conversion(array, w, &a);
  if (wrong) fuzz_fail("an array", "to %d: %s\n%s", (int)w->layout, wrong, oracle_describe(array));
  if (a.has_result) {
    const spw_room room = in_parts(array, w, threads, &a);
    draw_zeros(d, scalars, v->length, (size_t)spw_dtype_size(v->dtype));
    use_for_another(array, w, room, true, threads);
  }
  attempt_free(&a);
}

/* The values as a dense array of other sizes: those of the operand are seldom multiples of those of the blocks, its dimensions
 * seldom enough, and its zeros seldom where a whole block is. */
static void in_blocks(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  dice d = {seed};
  int64_t size[ARRAY_DIMS], stride[ARRAY_DIMS];
  const spw_array *const v = &x->values.array;
  spw_conversion w = conversion_of(model);
  const int64_t ndim = draw_sizes(&d, &w, size), count = draw_strides(&d, ndim, size, stride);
  if (count > SCALARS || v->length < 1 || spw_dtype_size(v->dtype) == 0) return;
  char *const scalars = malloc((size_t)(count * spw_dtype_size(v->dtype)));
  if (!scalars) return;
  int64_t matrix = count, rows = ndim - w.dense_dims - 2;
  for (int64_t i = 0; i < rows; i++) matrix /= size[i];
  const int64_t band = matrix / size[rows] * (w.block_rows ? w.block_rows : 1);
  draw_scalars(&d, &x->values, scalars, count, matrix, band);
  const spw_tensor array = {.layout = SPW_DENSE, .values = {{v->dtype, ndim, size, stride, 0, count}, scalars}};
  convert_array(&array, &w, threads_of(model), &d, scalars);
  free(scalars);
}

/* Another change, another seed. */
static uint64_t seed_of(const uint8_t *data, size_t size)
{
  uint64_t seed = 0;
  for (size_t i = 0; i < size; i++) seed = 31 * seed + data[i];
  return seed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  attempt a;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const spw_tensor *x = operand(model, 0);
  if (!x) return 0;
  add_up(x);
  in_blocks(model, x, seed_of(data, size));
  const spw_conversion w = conversion_of(model);
  const char *wrong = attempt_conversion(x, &w, &a);
  if (wrong) fuzz_fail("a conversion", "to %d: %s\n%s", (int)w.layout, wrong, oracle_describe(x));
  if (a.has_result) expect_meaning(x, &w, &a.result);
  if (a.has_result) expect_sums(x);
  if (a.has_result && w.layout != SPW_DENSE) in_own_memory(x, &w, &a);
  if (a.has_result) go_on(model, &a.result);
  if (a.has_result) {
    spw_room room = in_parts(x, &w, threads_of(model), &a);
    with_one_thread(x, &w, &room, &a);
    const spw_tensor *const other = operand(model, 1);
    room.work += (size_t)fuzz_parameter(model, 10, 2) * 4096;
    if (other) use_for_another(other, &w, room, false, threads_of(model));
  }
  attempt_free(&a);
  return 0;
}
