/* SPDX-License-Identifier: Apache-2.0 */
#include "sparse_product_attempt.h"

#include "fenced.h"
#include "judge_attempt.h"
#include "../expected/sparse_product_expected.h"

#include "../../fuzz/inputs/values.h"

#include <stdlib.h>
#include <string.h>

enum { DIMS = 8, MOST = 4000, MOST_WORK = 1 << 22 };

/* ---- The other operand ------------------------------------------------------------------------- */

/* CSR or CSC, its elements drawn, in memory that ends where it ends. */
typedef struct partner {
  spw_tensor tensor;
  int64_t size[DIMS], batches;
  int64_t shape[3][DIMS], strides[3][DIMS]; /* compressed, plain, values */
  void *indices[2], *block;
} partner;

static void lay_out(partner *p, int which, spw_array *a, int64_t batch_dims, int64_t last, int64_t step)
{
  int64_t stride = step * last;
  a->ndim = batch_dims + 1;
  a->shape = p->shape[which];
  a->strides = p->strides[which];
  p->shape[which][batch_dims] = last;
  p->strides[which][batch_dims] = step;
  for (int64_t d = batch_dims - 1; d >= 0; d--) {
    p->shape[which][d] = p->size[d];
    p->strides[which][d] = stride;
    stride *= p->size[d];
  }
  a->length = p->batches == 0 ? 0 : stride;
}

static void put_index(const partner *p, int which, int64_t at, int64_t index)
{
  if (p->tensor.plain.array.dtype == SPW_INT64) ((int64_t *)p->indices[which])[at] = index;
  else ((int32_t *)p->indices[which])[at] = (int32_t)index;
}

/* n of lines * length positions, each as likely as any. */
static void draw_batch(const partner *p, int64_t batch, int64_t lines, int64_t length, int64_t n, dice *d)
{
  int64_t k = 0;
  put_index(p, 0, batch * (lines + 1), 0);
  for (int64_t i = 0; i < lines; i++) {
    for (int64_t j = 0; j < length; j++)
      if (roll_below(d, lines * length - i * length - j) < n - k) put_index(p, 1, batch * n + k++, j);
    put_index(p, 0, batch * (lines + 1) + i + 1, k);
  }
}

static void draw_values(partner *p, int64_t offset, dice *d)
{
  spw_array *const a = &p->tensor.values.array;
  const int64_t size = spw_dtype_size(a->dtype), odd = roll_below(d, 8) ? 0 : 1;
  const int64_t classes = roll_below(d, 2) ? 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER | 1 << FUZZ_MINUS_ZERO : FUZZ_EVERY_CLASS;
  a->offset = offset;
  a->length += offset;
  p->block = malloc((size_t)(a->length * size + odd) + 1);
  if (!p->block) abort();
  char *const values = (char *)p->block + odd;
  for (int64_t k = 0; k < a->length; k++)
    for (int64_t w = 0; w < fuzz_words(a->dtype); w++) {
      const uint64_t word = fuzz_draw(a->dtype, classes, roll(d));
      memcpy(values + k * size + 8 * w, &word, size < 8 ? (size_t)size : 8);
    }
  p->tensor.values.data = values;
}

/* Of the batches of `a`, inner by some columns; now and then of another shape or type. */
static void make_partner(const spw_tensor *a, spw_layout layout, partner *p, dice *d)
{
  const int64_t n = a->ndim - 2, inner = a->size[n + 1] + (roll_below(d, 30) == 0);
  const int64_t columns = roll_below(d, 6) ? roll_below(d, 7) : 60 + roll_below(d, 100);
  const int64_t lines = layout == SPW_CSR ? inner : columns, length = layout == SPW_CSR ? columns : inner;
  const int64_t positions = lines * length;
  const bool wide = (a->plain.array.dtype == SPW_INT64) != (roll_below(d, 40) == 0);
  int64_t nse = roll_below(d, 3) ? roll_below(d, 20) : positions / (1 + roll_below(d, 4));
  if (nse > positions) nse = positions;
  memset(p, 0, sizeof *p);
  p->batches = 1;
  for (int64_t i = 0; i < n; i++) p->batches *= p->size[i] = a->size[i];
  p->size[n] = inner;
  p->size[n + 1] = columns;
  spw_tensor t = {.layout = layout, .has_size = true, .ndim = n + 2, .size = p->size, .coalesced = SPW_CLAIM_NONE};
  t.compressed.array.dtype = t.plain.array.dtype = wide ? SPW_INT64 : SPW_INT32;
  t.values.array.dtype = roll_below(d, 40) ? a->values.array.dtype : SPW_FLOAT32;
  lay_out(p, 0, &t.compressed.array, n, lines + 1, 1);
  lay_out(p, 1, &t.plain.array, n, nse, 1);
  lay_out(p, 2, &t.values.array, n, nse, roll_below(d, 3) ? 1 : 2);
  for (int i = 0; i < 2; i++) {
    const int64_t count = i == 0 ? t.compressed.array.length : t.plain.array.length;
    p->indices[i] = malloc((size_t)count * (wide ? 8 : 4) + 1);
    if (!p->indices[i]) abort();
  }
  t.compressed.i32 = t.plain.i32 = NULL;
  if (wide) t.compressed.i64 = p->indices[0], t.plain.i64 = p->indices[1];
  else t.compressed.i32 = p->indices[0], t.plain.i32 = p->indices[1];
  t.compressed.raw = p->indices[0];
  t.plain.raw = p->indices[1];
  p->tensor = t;
  for (int64_t b = 0; b < p->batches; b++) draw_batch(p, b, lines, length, nse, d);
  draw_values(p, roll_below(d, 3) ? 0 : roll_below(d, 4), d);
}

static void free_partner(partner *p)
{
  free(p->indices[0]);
  free(p->indices[1]);
  free(p->block);
}

/* ---- Trying -------------------------------------------------------------------------------------- */

/* Buffers that are too short by one element are refused, or filled no further than they reach. */
static const char *try_short(const spw_tensor *a, const spw_tensor *b, const spw_room *room, sparse_product_tally *t)
{
  for (int which = 0; which < FENCED_BUFFERS; which++) {
    spw_room less;
    if (!fenced_shorten(room, which, &less)) continue;
    fenced f;
    spw_refusal why = {0};
    spw_tensor result = {.ndim = -77};
    fenced_make(&f, &less);
    const spw_status status = spw_multiply_sparse(a, b, &f.buffers, &result, &why);
    const bool held = fences_hold(&f);
    t->too_short++;
    fenced_free(&f);
    if (status != SPW_EINVAL) return "a short buffer does";
    if (!held) return "something beside a short buffer is written";
    if (result.ndim != -77) return "a result in short buffers is described";
  }
  return NULL;
}

static const char *try_fill(const spw_tensor *a, const spw_tensor *b, const spw_room *room, bool judged,
                            const sparse_product_expected *e)
{
  fenced f;
  spw_refusal why = {0};
  spw_tensor result;
  const char *wrong = NULL;
  fenced_make(&f, room);
  const spw_status status = (judged ? spw_multiply_sparse : spw_multiply_sparse_unchecked)(a, b, &f.buffers, &result, &why);
  if (status != SPW_OK) wrong = "it is refused";
  if (!wrong && !fences_hold(&f)) wrong = "something beside the buffers is written";
  if (!wrong && result.layout != a->layout) wrong = "another layout";
  if (!wrong && result.plain.array.dtype != a->plain.array.dtype) wrong = "another index type";
  if (!wrong && result.values.array.length != room->values) wrong = "the room is not exact";
  if (!wrong) wrong = wrong_sparse_product(e, &result);
  fenced_free(&f);
  return wrong;
}

/* In parts, of which a build with SPW_SMALL_PARTS makes some of every work. */
static const char *try_parts(const spw_tensor *a, const spw_tensor *b, int threads, const sparse_product_expected *e)
{
  fenced f;
  spw_room room;
  spw_tensor result;
  size_t bytes = 0;
  int64_t multiplications;
  const char *wrong = NULL;
  if (spw_multiply_sparse_work_parallel(a, b, threads, &bytes, &multiplications, NULL) != SPW_OK)
    return "the work of parts is refused";
  if (bytes >= MOST_WORK) return NULL;
  void *const work = malloc(bytes + 1);
  if (!work) abort();
  const spw_status status = spw_multiply_sparse_size_parallel(a, b, threads, work, bytes, &room, NULL);
  free(work);
  if (status != SPW_OK) return "the size of parts is refused";
  if (!fenced_fits(&room)) return NULL;
  fenced_make(&f, &room);
  if (spw_multiply_sparse_parallel(a, b, threads, &f.buffers, &result, NULL) != SPW_OK) wrong = "it is refused in parts";
  if (!wrong && !fences_hold(&f)) wrong = "something beside the buffers is written in parts";
  if (!wrong) wrong = wrong_sparse_product(e, &result);
  fenced_free(&f);
  return wrong;
}

static const char *expect_status(const sparse_product_expected *e, spw_status status, const spw_refusal *why,
                                 sparse_product_tally *t)
{
  if (status != e->status) return "the status is another one";
  if (status == SPW_ERANGE && !(e->obstacles >> why->obstacle & 1)) return "the obstacle is another one";
  if (status == SPW_ERANGE) t->obstacles[why->obstacle]++;
  t->invalid += status == SPW_EINVALID;
  return NULL;
}

static const char *try_calls(const spw_tensor *a, const spw_tensor *b, sparse_product_tally *t)
{
  sparse_product_expected e;
  spw_refusal why = {0};
  spw_room room = {.nse = -77};
  size_t bytes = 77;
  int64_t multiplications = -77;
  const char *wrong = NULL;
  expect_sparse_product(a, b, false, &e);
  spw_status status = spw_multiply_sparse_work(a, b, &bytes, &multiplications, &why);
  if (status != SPW_OK && (bytes != 77 || multiplications != -77)) wrong = "the work is written";
  if (status == SPW_OK && e.known && bytes < MOST_WORK) {
    char *const work = malloc(bytes + 1);
    if (!work) abort();
    memset(work, 0xa5, bytes);
    if (bytes > 0 && spw_multiply_sparse_size(a, b, work, bytes - 1, &room, &why) != SPW_EINVAL) wrong = "a short workspace does";
    status = spw_multiply_sparse_size(a, b, work, bytes, &room, &why);
    free(work);
  }
  if (!wrong && e.known) wrong = expect_status(&e, status, &why, t);
  if (!wrong && status != SPW_OK && room.nse != -77) wrong = "the room is written";
  if (!wrong && status == SPW_OK && e.known && room.nse != -77) {
    if (room.values != e.nse || multiplications < e.nse) wrong = "the numbers of elements are others";
    if (!wrong) wrong = try_fill(a, b, &room, true, &e);
    if (!wrong) wrong = try_fill(a, b, &room, false, &e);
    if (!wrong) wrong = try_short(a, b, &room, t);
    if (!wrong) wrong = try_parts(a, b, 2 + (int)(multiplications % 6), &e);
    t->results++;
    t->batched += e.ndim > 2 && e.nse > 0;
    t->long_rows += room.nse > 12 * (a->size[a->ndim - 2] + 1);
    t->by_type[a->values.array.dtype]++;
  }
  sparse_product_expected_free(&e);
  return wrong;
}

/* The call that takes any layouts. */
static const char *try_new(const spw_tensor *a, const spw_tensor *b, sparse_product_tally *t, dice *d)
{
  sparse_product_expected e;
  spw_refusal why = {0};
  spw_owned *made = NULL;
  const char *wrong = NULL;
  expect_sparse_product(a, b, true, &e);
  const spw_status status = spw_multiply_sparse_new(a, b, (size_t)1 << 26, 0, &made, &why);
  if (e.known && status != e.status) wrong = "the status of a product in its own memory";
  if (!wrong && status == SPW_ERANGE && e.known && !(e.obstacles >> why.obstacle & 1)) wrong = "its obstacle";
  if (!wrong && status == SPW_OK && e.known) {
    wrong = wrong_sparse_product(&e, spw_owned_tensor(made));
    if (!wrong) wrong = attempt_sparse_judgement(a, b, spw_owned_tensor(made), d, &t->judged);
    t->converted += a->layout != SPW_CSR && a->layout != SPW_CSC;
    t->by_layout[a->layout]++;
  }
  if (!wrong && status == SPW_OK && (a->layout == SPW_COO) != (spw_owned_tensor(made)->layout == SPW_COO) && b->layout == SPW_COO)
    wrong = "COO does not give COO";
  spw_owned_free(made);
  sparse_product_expected_free(&e);
  return wrong;
}

static bool small(const spw_tensor *a)
{
  int64_t n = 1;
  if (!a->has_size || a->ndim < 2 || a->ndim > DIMS || spw_dtype_size(a->values.array.dtype) == 0) return false;
  for (int64_t d = 0; d < a->ndim; d++) {
    if (a->size[d] < 0 || a->size[d] > MOST) return false;
    n *= a->size[d] > 0 ? a->size[d] : 1;
    if (n > MOST) return false;
  }
  return true;
}

static const char *try_coo(const spw_tensor *a, const spw_tensor *b, sparse_product_tally *t, dice *d)
{
  const spw_conversion coo = {.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1};
  spw_owned *made = NULL;
  if (spw_convert_new(b, &coo, 0, &made, NULL) != SPW_OK) return NULL;
  const char *const wrong = try_new(a, spw_owned_tensor(made), t, d);
  spw_owned_free(made);
  return wrong;
}

const char *attempt_sparse_product(const spw_tensor *a, dice *d, sparse_product_tally *t)
{
  partner p;
  if (!small(a)) return NULL;
  const bool lines = a->layout == SPW_CSR || a->layout == SPW_CSC;
  const spw_layout layout = lines && roll_below(d, 20) ? a->layout : roll_below(d, 2) ? SPW_CSR : SPW_CSC;
  make_partner(a, layout, &p, d);
  const char *wrong = try_calls(a, &p.tensor, t);
  if (!wrong && roll_below(d, 4) == 0) wrong = try_new(a, &p.tensor, t, d);
  if (!wrong && a->layout == SPW_COO) wrong = try_coo(a, &p.tensor, t, d);
  free_partner(&p);
  return wrong;
}
