/* SPDX-License-Identifier: Apache-2.0 */
#include "product_attempt.h"

#include "product_expected.h"

#include "../fuzz/values.h"

#include <stdlib.h>
#include <string.h>

enum { DIMS = 8, FENCE = 0xa5, MOST = 4000 };

/* A dense array in memory that ends where it ends. */
typedef struct array {
  spw_array array;
  int64_t shape[DIMS], strides[DIMS];
  char *data, *before; /* and a copy of what it held */
  int64_t bytes;
} array;

static int64_t elements_of(const spw_array *a)
{
  int64_t n = 1;
  for (int64_t d = 0; d < a->ndim; d++) n *= a->shape[d];
  return n;
}

/* Strides in a random order of dimensions, with gaps; of an operand some may be 0. */
static void lay_out(array *x, bool repeats, dice *d)
{
  int64_t order[DIMS], step = 1, last = 0;
  const int64_t n = x->array.ndim;
  x->array.shape = x->shape;
  x->array.strides = x->strides;
  for (int64_t i = 0; i < n; i++) order[i] = n - 1 - i;
  if (roll_below(d, 3) == 0)
    for (int64_t i = n - 1; i > 0; i--) {
      const int64_t j = roll_below(d, i + 1), swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
  const int64_t gap = roll_below(d, 3) ? 0 : 1 + roll_below(d, 3);
  if (roll_below(d, 6) == 0) step = 2;
  for (int64_t i = 0; i < n; i++) {
    const int64_t k = order[i];
    x->strides[k] = repeats && roll_below(d, 12) == 0 ? 0 : step;
    step = step * (x->shape[k] > 0 ? x->shape[k] : 1) + gap;
    last += (x->shape[k] - 1) * x->strides[k];
  }
  x->array.offset = roll_below(d, 3) ? 0 : roll_below(d, 4);
  x->array.length = elements_of(&x->array) == 0 ? x->array.offset : x->array.offset + last + 1;
}

static void make_array(array *x, spw_dtype dtype, int64_t classes, bool repeats, dice *d)
{
  const int64_t size = spw_dtype_size(dtype);
  x->array.dtype = dtype;
  lay_out(x, repeats, d);
  x->bytes = x->array.length * size;
  x->data = malloc((size_t)x->bytes + 1);
  x->before = malloc((size_t)x->bytes + 1);
  if (!x->data || !x->before) abort();
  for (int64_t k = 0; k < x->array.length; k++)
    for (int64_t w = 0; w < fuzz_words(dtype); w++) {
      const uint64_t word = fuzz_draw(dtype, classes, roll(d));
      memcpy(x->data + k * size + 8 * w, &word, size < 8 ? (size_t)size : 8);
    }
  memcpy(x->before, x->data, (size_t)x->bytes);
}

static void free_array(array *x)
{
  free(x->data);
  free(x->before);
}

/* Are the bytes between the elements what they were? */
static bool gaps_hold(const array *x)
{
  const int64_t size = spw_dtype_size(x->array.dtype), n = elements_of(&x->array);
  char *const reached = calloc((size_t)x->array.length + 1, 1);
  bool hold = true;
  if (!reached) abort();
  for (int64_t k = 0; k < n; k++) {
    int64_t place = x->array.offset, number = k;
    for (int64_t i = x->array.ndim - 1; i >= 0; i--) {
      place += number % x->shape[i] * x->strides[i];
      number /= x->shape[i];
    }
    reached[place] = 1;
  }
  for (int64_t k = 0; k < x->array.length; k++)
    hold = hold && (reached[k] || memcmp(x->data + k * size, x->before + k * size, (size_t)size) == 0);
  free(reached);
  return hold;
}

/* ---- Trying ---------------------------------------------------------------------------------- */

/* The factors of a product, which point into `numbers`. */
static spw_factors draw_factors(spw_dtype dtype, uint64_t numbers[4], dice *d)
{
  spw_factors how = {0};
  for (int i = 0; i < 4; i++)
    numbers[i] = fuzz_draw(dtype, 1 << FUZZ_ZERO | 1 << FUZZ_MINUS_ZERO | 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER, roll(d));
  if (roll_below(d, 2)) how.alpha = numbers;
  if (roll_below(d, 2)) how.beta = numbers + 2;
  how.threads = (int)roll_below(d, 5);
  return how;
}

/* The same product, of an operand that is prepared in memory with fences. */
static const char *try_prepared(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, const product_expected *e,
                                array *c, product_tally *t)
{
  const spw_output out = {c->array, c->data};
  spw_prepared p;
  size_t bytes = 0, work = 0;
  if (spw_prepare_size(a, &bytes, NULL) != SPW_OK) return "nothing is prepared";
  char *const room = malloc(bytes + 2 * FENCE);
  if (!room) abort();
  memset(room, FENCE, bytes + 2 * FENCE);
  const char *wrong = NULL;
  if (bytes > 0 && spw_prepare(a, room + 160, bytes - 1, &p, NULL) != SPW_EINVAL) wrong = "short memory is enough";
  if (!wrong && spw_prepare(a, room + 160, bytes, &p, NULL) != SPW_OK) wrong = "preparing is refused";
  if (!wrong && spw_multiply_prepared_size(&p, b, how, &out, &work, NULL) != SPW_OK) wrong = "the prepared size is refused";
  if (!wrong) {
    void *const used = malloc(work + 1);
    if (!used) abort();
    memcpy(c->data, c->before, (size_t)c->bytes);
    if (spw_multiply_prepared(&p, b, how, &out, used, work, NULL) != SPW_OK) wrong = "it is refused, prepared";
    free(used);
  }
  if (!wrong) wrong = wrong_product(e, &out);
  if (!wrong && !gaps_hold(c)) wrong = "gaps are written, prepared";
  for (int i = 0; i < 2 * FENCE && !wrong; i++)
    if ((unsigned char)room[i < 160 ? i : (int64_t)bytes + i] != FENCE) wrong = "something beside the handle's memory is written";
  t->prepared += !wrong && bytes > 0;
  free(room);
  return wrong;
}

static const char *try_product(const spw_tensor *a, const spw_tensor *b, const spw_factors *how, array *c, product_tally *t)
{
  const spw_tensor *const sparse = a->layout == SPW_DENSE ? b : a;
  const spw_output out = {c->array, c->data};
  product_expected e;
  spw_refusal why = {0};
  size_t work = 77;
  expect_product(a, b, how, &out, &e);
  const char *wrong = NULL;
  const spw_status status = spw_multiply_size(a, b, how, &out, &work, &why);
  if (status != e.status) wrong = "the status is another one";
  if (!wrong && status == SPW_ERANGE && !(e.obstacles >> why.obstacle & 1)) wrong = "the obstacle is another one";
  if (!wrong && status == SPW_ERANGE) t->obstacles[why.obstacle]++;
  t->invalid += status == SPW_EINVALID;
  if (status != SPW_OK && work != 77) wrong = "the size is written";
  if (!wrong && status == SPW_OK && e.known) {
    char *const room = malloc(work + 2 * FENCE);
    if (!room) abort();
    memset(room, FENCE, work + 2 * FENCE);
    char *const aligned = room + 160;
    if (work > 0 && spw_multiply(a, b, how, &out, aligned, work - 1, &why) != SPW_EINVAL) wrong = "a short workspace does";
    if (!wrong && memcmp(c->data, c->before, (size_t)c->bytes) != 0) wrong = "a short workspace is used";
    if (!wrong && spw_multiply(a, b, how, &out, aligned, work, &why) != SPW_OK) wrong = "it is refused";
    if (!wrong) wrong = wrong_product(&e, &out);
    if (!wrong && !gaps_hold(c)) wrong = "gaps are written";
    if (!wrong) {
      memcpy(c->data, c->before, (size_t)c->bytes);
      if (spw_multiply_unchecked(a, b, how, &out, aligned, work, &why) != SPW_OK) wrong = "it is refused unchecked";
      if (!wrong) wrong = wrong_product(&e, &out);
    }
    if (!wrong && sparse == a) wrong = try_prepared(a, b, how, &e, c, t);
    for (int i = 0; i < 2 * FENCE && !wrong; i++)
      if ((unsigned char)room[i < 160 ? i : (int64_t)work + i] != FENCE) wrong = "something beside the workspace is written";
    t->results++;
    t->worked += work > 0;
    t->by_layout[sparse->layout][a->layout == SPW_DENSE]++;
    t->by_type[sparse->values.array.dtype]++;
    free(room);
  }
  if (status != SPW_OK && memcmp(c->data, c->before, (size_t)c->bytes) != 0) wrong = "a refused output is written";
  product_expected_free(&e);
  return wrong;
}

/* The size may be invalid: then the operand is refused, whatever the shapes of the others are. */
static int64_t at_least_0(int64_t entry)
{
  return entry < 0 ? 0 : entry;
}

/* One more or, where there is none, one less. */
static void miss(int64_t *entry)
{
  *entry += *entry < INT64_MAX ? 1 : -1;
}

/* Shapes that fit a sparse operand, or now and then do not. */
static void fit_shapes(const spw_tensor *sparse, bool from_left, array *dense, array *c, dice *d)
{
  const int64_t n = sparse->has_size && sparse->ndim >= 2 ? sparse->ndim - 2 : 0;
  const int64_t rows = sparse->has_size && sparse->ndim >= 2 ? sparse->size[n] : 2;
  const int64_t columns = sparse->has_size && sparse->ndim >= 2 ? sparse->size[n + 1] : 2;
  const bool vector = n == 0 && roll_below(d, 3) == 0;
  const int64_t width = roll_below(d, 8) ? roll_below(d, 6) : 30 + roll_below(d, 50);
  const int64_t inner = at_least_0(from_left ? rows : columns), outer = at_least_0(from_left ? columns : rows);
  for (int64_t i = 0; i < n; i++) dense->shape[i] = c->shape[i] = at_least_0(sparse->size[i]);
  dense->array.ndim = c->array.ndim = vector ? 1 : n + 2;
  dense->shape[n] = vector || !from_left ? inner : width;
  c->shape[n] = vector || !from_left ? outer : width;
  if (!vector) dense->shape[n + 1] = from_left ? inner : width;
  if (!vector) c->shape[n + 1] = from_left ? outer : width;
  if (roll_below(d, 20) == 0) miss(&dense->shape[roll_below(d, dense->array.ndim)]);
  if (roll_below(d, 20) == 0) miss(&c->shape[roll_below(d, c->array.ndim)]);
  if (roll_below(d, 40) == 0) c->array.ndim -= 1;
}

static bool small(const array *x)
{
  int64_t n = 1;
  for (int64_t d = 0; d < x->array.ndim; d++) {
    if (x->shape[d] < 0 || x->shape[d] > MOST) return false;
    n *= x->shape[d] > 0 ? x->shape[d] : 1;
    if (n > MOST) return false;
  }
  return true;
}

const char *attempt_product(const spw_tensor *sparse, bool from_left, dice *d, product_tally *tally)
{
  array dense, c;
  uint64_t numbers[4];
  const spw_dtype dtype = sparse->values.array.dtype, other = roll_below(d, 30) ? dtype : SPW_FLOAT32;
  const int64_t classes = roll_below(d, 2) ? 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER | 1 << FUZZ_MINUS_ZERO : FUZZ_EVERY_CLASS;
  if (spw_dtype_size(dtype) == 0 || (sparse->has_size && sparse->ndim > DIMS)) return NULL;
  fit_shapes(sparse, from_left, &dense, &c, d);
  if (!small(&dense) || !small(&c)) return NULL;
  make_array(&dense, dtype, classes, true, d);
  make_array(&c, other, classes, false, d);
  const spw_tensor x = {.layout = SPW_DENSE, .values = {dense.array, dense.data}};
  const spw_factors how = draw_factors(dtype, numbers, d);
  const char *const wrong = try_product(from_left ? &x : sparse, from_left ? sparse : &x, &how, &c, tally);
  free_array(&dense);
  free_array(&c);
  return wrong;
}
