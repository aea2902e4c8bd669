/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of CSR, CSC, BSR and BSC, whose indices lie anywhere, to every layout, blocks opened and made and lines turned on the
 * way. That nothing is lost, or added but what blocks need, say the proved certifiers. */
#include "../attempts/fenced.h"
#include "../operands/operand.h"
#include "../operands/scattered.h"
#include "../support/memory.h"
#include "../../src/convert/indices.h"
#include "../../src/sparsewright_convert.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 36, COLUMNS = 12, ENTRIES = 4096, BAND = 12 * COLUMNS /* that far down, blocks are as many */ };

/* The same tensor with other storage of its indices: batches in the other order, with gaps. */
typedef struct stretched {
  int64_t c_strides[4], p_strides[4], c_wide[ENTRIES], p_wide[ENTRIES];
  int32_t c_narrow[ENTRIES], p_narrow[ENTRIES];
  spw_tensor tensor;
} stretched;

/* From one that lies in order. */
static void stretch_indices(const spw_index_array *from, int64_t gap, int64_t *strides, int64_t *wide, int32_t *narrow,
                            spw_index_array *to)
{
  const int64_t last = from->array.ndim - 1, run = from->array.shape[last];
  int64_t batches = 1, reach = gap;
  for (int64_t d = 0; d < last; reach *= from->array.shape[d], batches *= from->array.shape[d], d++)
    strides[d] = d == 0 ? (reach = run + gap) : reach;
  strides[last] = 1;
  for (int64_t b = 0; b < batches; b++) {
    int64_t rest = b, at = gap;
    for (int64_t d = last - 1; d >= 0; rest /= from->array.shape[d], d--) at += rest % from->array.shape[d] * strides[d];
    for (int64_t i = 0; i < run; i++) narrow[at + i] = (int32_t)(wide[at + i] = spw_index_at(from, b * run + i));
  }
  to->array.strides = strides;
  to->array.offset = gap;
  to->array.length = gap + batches * (run + gap);
  cr_assert(to->array.length <= ENTRIES);
  to->i64 = from->array.dtype == SPW_INT64 ? wide : NULL;
  to->i32 = from->array.dtype == SPW_INT64 ? NULL : narrow;
}

static void stretch(const spw_tensor *t, int64_t gap, stretched *s)
{
  memset(s, 0x55, sizeof *s);
  s->tensor = *t;
  stretch_indices(&t->compressed, gap + 1, s->c_strides, s->c_wide, s->c_narrow, &s->tensor.compressed);
  stretch_indices(&t->plain, gap, s->p_strides, s->p_wide, s->p_narrow, &s->tensor.plain);
}

static bool same_indices(const spw_index_array *a, const spw_index_array *b)
{
  bool same = a->array.length == b->array.length;
  for (int64_t k = 0; same && k < a->array.length; k++) same = spw_index_at(a, k) == spw_index_at(b, k);
  return same;
}

/* Both lie in order in buffers of their own: is every index and every bit of the values the same? */
static bool same_arrays(const spw_tensor *a, const spw_tensor *b)
{
  const size_t bytes = (size_t)(a->values.array.length * spw_dtype_size(a->values.array.dtype));
  return (a->layout == SPW_COO || same_indices(&a->compressed, &b->compressed)) && same_indices(&a->plain, &b->plain) &&
         a->values.array.length == b->values.array.length && memcmp(a->values.data, b->values.data, bytes) == 0;
}

static void convert_by(const spw_tensor *t, const spw_conversion *w, const int threads[2], fenced *f, spw_tensor *result)
{
  spw_room room;
  cr_assert_eq(spw_convert_size_parallel(t, w, threads[0], &room, NULL), SPW_OK);
  fenced_make(f, &room);
  cr_assert_eq(spw_convert_parallel(t, w, threads[1], &f->buffers, result, NULL), SPW_OK);
  cr_assert(fences_hold(f));
  cr_assert_eq(result->plain.array.shape[result->plain.array.ndim - 1], room.nse); /* each block is there for an element */
}

/* By one thread, and by four and by one in as much room as four ask for: these give the arrays of the first. */
static void expect_same(const spw_tensor *t, const spw_conversion *w)
{
  const bool blocks = w->layout == SPW_BSR || w->layout == SPW_BSC || t->layout == SPW_BSR || t->layout == SPW_BSC;
  static const int threads[][2] = {{1, 1}, {4, 4}, {4, 1}};
  fenced first;
  spw_tensor judged;
  bool same = false;
  convert_by(t, w, threads[0], &first, &judged);
  cr_assert_eq(spw_certify(t, &judged, blocks ? SPW_ZEROS_ADDED : SPW_ZEROS_KEPT, &same, NULL), SPW_OK);
  cr_assert(same, "from %d to %d, type %d, %lld dimensions", (int)t->layout, (int)w->layout, (int)t->values.array.dtype,
            (long long)t->compressed.array.ndim);
  for (size_t i = 1; i < sizeof threads / sizeof *threads; i++) {
    fenced f;
    spw_tensor result;
    convert_by(t, w, threads[i], &f, &result);
    cr_assert(same_arrays(&judged, &result), "from %d to %d, type %d, %d threads", (int)t->layout, (int)w->layout,
              (int)t->values.array.dtype, threads[i][1]);
    fenced_free(&f);
  }
  fenced_free(&first);
}

static void convert_to_all(const spw_tensor *t)
{
  static const struct {
    spw_layout layout;
    int64_t height, width;
  } to[] = {{SPW_COO, 0, 0}, {SPW_CSR, 0, 0}, {SPW_CSC, 0, 0}, {SPW_BSR, 2, 3}, {SPW_BSC, 2, 3},
            {SPW_BSR, 4, 2}, {SPW_BSC, 3, 4}, {SPW_BSR, 1, 6}, {SPW_BSC, 6, 1}, {SPW_BSR, ROWS, 1}};
  for (size_t i = 0; i < sizeof to / sizeof *to; i++)
    for (int other = 0; other < 2; other++) {
      if (SANITIZED && other != (int)i % 2) continue;
      spw_conversion w = conversion_to(to[i].layout, to[i].height, to[i].width);
      const bool wide = t->plain.array.dtype == SPW_INT64;
      w.index_dtype = wide == (other == 0) ? SPW_INT64 : SPW_INT32;
      expect_same(t, &w);
    }
}

/* Elements at other rows of each batch, as the layout of a source. */
static spw_owned *source_of(scattered *s, spw_layout layout, int64_t shift)
{
  const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
  const spw_conversion w = conversion_to(layout, blocks ? 2 : 0, blocks ? 3 : 0);
  spw_owned *owned = NULL;
  scattered_spread(s, shift, -1);
  cr_assert_eq(spw_convert_new(&s->tensor, &w, 0, &owned, NULL), SPW_OK);
  return owned;
}

static const struct {
  int64_t dims, size[4];
} sizes[] = {{2, {ROWS, COLUMNS}}, {3, {3, ROWS, COLUMNS}}, {4, {2, 3, ROWS, COLUMNS}}, {3, {1, ROWS, COLUMNS}}};

Test(batches_in_steps, to_every_layout)
{
  static const spw_dtype dtypes[] = {SPW_FLOAT32, SPW_FLOAT64, SPW_INT16, SPW_COMPLEX64, SPW_COMPLEX128};
  scattered *const s = malloc(sizeof *s);
  stretched *const x = malloc(sizeof *x);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t k = 0; k < 2 * sizeof dtypes / sizeof *dtypes; k++)
      for (spw_layout layout = SPW_CSR; layout <= SPW_BSC; layout++) {
        scattered_begin(k);
        scattered_make(s, sizes[i].dims, sizes[i].size, dtypes[k / 2], k % 2, k > 7);
        spw_owned *const owned = source_of(s, layout, BAND);
        convert_to_all(spw_owned_tensor(owned));
        stretch(spw_owned_tensor(owned), 3, x);
        convert_to_all(&x->tensor);
        spw_owned_free(owned);
      }
  free(x);
  free(s);
}

/* As many batches as are asked for, which share the indices of one, or only its offsets; their values are their own. */
static void share(const spw_tensor *one, int64_t batches, bool offsets_only, stretched *x, int64_t *shapes, char *values)
{
  spw_tensor *const t = &x->tensor;
  const int64_t C = one->compressed.array.shape[0], n = one->plain.array.shape[0];
  const int64_t blocks = one->layout == SPW_BSR || one->layout == SPW_BSC ? 2 : 0;
  *t = *one;
  int64_t *const shape_c = shapes, *const shape_p = shapes + 2, *const shape_v = shapes + 4, *const size = shapes + 8;
  int64_t *const strides_v = shapes + 12;
  shape_c[0] = shape_p[0] = shape_v[0] = size[0] = batches;
  shape_c[1] = C;
  shape_p[1] = n;
  for (int64_t d = 0; d <= blocks; d++) shape_v[1 + d] = one->values.array.shape[d];
  for (int64_t d = 0; d < 2; d++) size[1 + d] = one->size[d];
  int64_t cells = 1;
  for (int64_t d = 1 + blocks; d >= 0; cells *= shape_v[d], d--) strides_v[d] = cells;
  for (int64_t b = 0; b < batches; b++)
    for (int64_t k = 0; k < n; k++) x->p_narrow[b * n + k] = (int32_t)(x->p_wide[b * n + k] = spw_index_at(&one->plain, k));
  x->c_strides[0] = 0;
  x->p_strides[0] = offsets_only ? n : 0;
  x->c_strides[1] = x->p_strides[1] = 1;
  t->ndim = 3;
  t->size = size;
  t->compressed.array = (spw_array){one->compressed.array.dtype, 2, shape_c, x->c_strides, 0, C};
  t->plain.array = (spw_array){one->plain.array.dtype, 2, shape_p, x->p_strides, 0, offsets_only ? batches * n : n};
  if (one->plain.i32) t->plain.i32 = x->p_narrow;
  if (one->plain.i64) t->plain.i64 = x->p_wide;
  t->values = (spw_value_array){{one->values.array.dtype, 2 + blocks, shape_v, strides_v, 0, cells}, values};
}

Test(batches_in_steps, shared)
{
  static const int64_t size[] = {ROWS, COLUMNS};
  static const spw_dtype dtypes[] = {SPW_FLOAT32, SPW_INT64, SPW_INT8};
  static _Alignas(16) char values[40 * 6 * SCATTERED_MET * 8];
  scattered *const s = malloc(sizeof *s);
  stretched *const x = malloc(sizeof *x);
  int64_t shapes[16];
  for (size_t i = 0; i < sizeof values; i++) values[i] = (char)(i * 37 % 251);
  for (int variant = 0; variant < 8; variant++)
    for (size_t k = 0; k < sizeof dtypes / sizeof *dtypes; k++)
      for (spw_layout layout = SPW_CSR; layout <= SPW_BSC; layout++) {
        scattered_begin(k);
        scattered_make(s, 2, size, dtypes[k], variant % 2, false);
        spw_owned *const owned = source_of(s, layout, BAND);
        share(spw_owned_tensor(owned), variant / 4 ? 40 : 3, variant / 2 % 2, x, shapes, values);
        convert_to_all(&x->tensor);
        spw_owned_free(owned);
      }
  free(x);
  free(s);
}

/* Batches that share their indices, with more elements in all than int32 numbers, take no more room than one of them, beside
 * that for values which do not lie one behind the other. */
Test(batches_in_steps, more_elements_than_int32)
{
  enum { BATCHES = 1 << 20, NSE = 4096 };
  static const int64_t size[] = {BATCHES, 2, 2 * NSE}, shape_c[] = {BATCHES, 3}, shape_p[] = {BATCHES, NSE}, stay[] = {0, 1};
  static const int64_t none[] = {0, 0};
  const int32_t c[] = {0, NSE, NSE};
  int32_t *const p = malloc(NSE * sizeof *p);
  const float value = 1;
  for (int32_t k = 0; k < NSE; k++) p[k] = 2 * k;
  const spw_tensor t = {
      .layout = SPW_CSR,
      .has_size = true,
      .ndim = 3,
      .size = size,
      .compressed = {.array = {SPW_INT32, 2, shape_c, stay, 0, 3}, .i32 = c},
      .plain = {.array = {SPW_INT32, 2, shape_p, stay, 0, NSE}, .i32 = p},
      .values = {{SPW_FLOAT32, 2, shape_p, none, 0, 1}, &value},
  };
  const spw_conversion w = conversion_to(SPW_BSR, 2, 2);
  spw_room room;
  cr_assert_eq(spw_convert_size(&t, &w, &room, NULL), SPW_OK);
  cr_assert_eq(room.nse, NSE);
  cr_assert(room.work < sizeof value * (size_t)BATCHES * NSE + (1 << 20), "%zu", room.work);
  free(p);
}

/* Batches have other numbers of blocks: they are named before anything is filled, and where there is room for any number of them,
 * or for none, while it is. */
static void expect_refused(const spw_tensor *t, const spw_conversion *w, int64_t batches, int threads)
{
  spw_room room;
  spw_refusal told, refusal;
  cr_assert_eq(spw_convert_size(t, w, &room, &told), SPW_ERANGE);
  cr_assert_eq(told.obstacle, SPW_OBSTACLE_BATCHES);
  spw_conversion equal = *w;
  equal.block_rows = ROWS;
  equal.block_columns = COLUMNS;
  cr_assert_eq(spw_convert_size(t, &equal, &room, NULL), SPW_OK);
  for (int none = 0; none < 2; none++) {
    fenced f;
    spw_tensor result;
    room.nse = none ? 0 : 6 * SCATTERED_MET;
    room.compressed = batches * (ROWS + COLUMNS);
    room.plain = batches * room.nse;
    room.values = room.plain * 48;
    room.work = 1 << 20;
    fenced_make(&f, &room);
    cr_assert_eq(spw_convert_parallel(t, w, threads, &f.buffers, &result, &refusal), SPW_ERANGE);
    cr_assert(fences_hold(&f));
    fenced_free(&f);
    cr_assert_eq(refusal.obstacle, told.obstacle);
    cr_assert_eq(refusal.other, told.other);
    cr_assert(refusal.lhs == told.lhs && refusal.rhs == told.rhs, "%lld and %lld, not %lld and %lld", (long long)refusal.lhs,
              (long long)refusal.rhs, (long long)told.lhs, (long long)told.rhs);
  }
}

Test(batches_in_steps, refused)
{
  scattered *const s = malloc(sizeof *s);
  int64_t refused = 0;
  for (int64_t shift = 1; shift < 4; shift++)
    for (spw_layout layout = SPW_CSR; layout <= SPW_BSC; layout++)
      for (spw_layout to = SPW_BSR; to <= SPW_BSC; to++)
        for (int other = 0; other < 2; other++) {
          const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
          scattered_begin((uint64_t)shift);
          scattered_make(s, 3, sizes[1].size, SPW_FLOAT32, shift % 2, false);
          spw_owned *const owned = source_of(s, layout, blocks ? 2 * shift * COLUMNS : shift);
          spw_conversion w = conversion_to(to, 12, 4);
          w.index_dtype = (shift % 2 == 0) == other ? SPW_INT32 : SPW_INT64;
          spw_room room;
          if (spw_convert_size(spw_owned_tensor(owned), &w, &room, NULL) != SPW_OK) {
            expect_refused(spw_owned_tensor(owned), &w, sizes[1].size[0], 1 + 3 * other);
            refused++;
          }
          spw_owned_free(owned);
        }
  cr_assert(refused >= 16, "%lld", (long long)refused);
  free(s);
}

/* CSR of more batches than go at once through any two steps. */
enum { MANY = 600 };

typedef struct many {
  int64_t size[3], shape_c[2], shape_p[2], strides_c[2], strides_p[2], c[MANY * (ROWS + 1)], p[MANY * SCATTERED_MET];
  int32_t c_narrow[MANY * (ROWS + 1)], p_narrow[MANY * SCATTERED_MET];
  float values[MANY * SCATTERED_MET];
  spw_tensor tensor;
} many;

/* Of blocks of 12 x 4 there are 3, 1 and 7. */
typedef enum pattern { SOME, FEWER, MORE } pattern;

static void put_batch(many *m, int64_t b, pattern how)
{
  int64_t *const c = m->c + b * (ROWS + 1), *const p = m->p + b * SCATTERED_MET;
  for (int64_t i = 0; i <= ROWS; i++) c[i] = 0;
  for (int64_t k = 0; k < SCATTERED_MET; k++) {
    const int64_t place = 11 * k, lower = b % 3 * 12; /* bands of rows: blocks are as many in each */
    const int64_t row = how == MORE ? 5 * k : lower + place / COLUMNS;
    p[k] = how == MORE ? 4 * k % COLUMNS : how == FEWER ? place % COLUMNS % 4 : place % COLUMNS;
    c[row + 1]++;
  }
  for (int64_t i = 0; i < ROWS; i++) c[i + 1] += c[i];
  for (int64_t i = 0; i <= ROWS; i++) m->c_narrow[b * (ROWS + 1) + i] = (int32_t)c[i];
  for (int64_t k = 0; k < SCATTERED_MET; k++) m->p_narrow[b * SCATTERED_MET + k] = (int32_t)p[k];
}

static void make_many(many *m, bool wide)
{
  const many shapes = {.size = {MANY, ROWS, COLUMNS}, .shape_c = {MANY, ROWS + 1}, .shape_p = {MANY, SCATTERED_MET},
                       .strides_c = {ROWS + 1, 1}, .strides_p = {SCATTERED_MET, 1}};
  const spw_dtype type = wide ? SPW_INT64 : SPW_INT32;
  const int64_t n = MANY * SCATTERED_MET;
  *m = shapes;
  for (int64_t b = 0; b < MANY; b++) put_batch(m, b, SOME);
  for (int64_t k = 0; k < n; k++) m->values[k] = (float)(k + 1);
  spw_tensor *const t = &m->tensor;
  *t = (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 3, .size = m->size};
  t->compressed.array = (spw_array){type, 2, m->shape_c, m->strides_c, 0, MANY * (ROWS + 1)};
  t->plain.array = (spw_array){type, 2, m->shape_p, m->strides_p, 0, n};
  t->compressed.i64 = wide ? m->c : NULL;
  t->compressed.i32 = wide ? NULL : m->c_narrow;
  t->plain.i64 = wide ? m->p : NULL;
  t->plain.i32 = wide ? NULL : m->p_narrow;
  t->values = (spw_value_array){{SPW_FLOAT32, 2, m->shape_p, m->strides_p, 0, n}, m->values};
}

Test(batches_in_steps, in_parts)
{
  static many m;
  for (int wide = 0; wide < 2; wide++) {
    make_many(&m, wide);
    convert_to_all(&m.tensor);
    for (spw_layout layout = SPW_CSC; layout <= SPW_BSC; layout++) {
      const bool blocks = layout != SPW_CSC;
      const spw_conversion w = conversion_to(layout, blocks ? 2 : 0, blocks ? 3 : 0);
      spw_owned *owned = NULL;
      cr_assert_eq(spw_convert_new(&m.tensor, &w, 0, &owned, NULL), SPW_OK);
      convert_to_all(spw_owned_tensor(owned));
      spw_owned_free(owned);
    }
  }
}

/* The same by two dimensions, of which the first one varies fastest in the storage of indices. */
Test(batches_in_steps, in_parts_of_other_order)
{
  static many m;
  static const int64_t size[] = {20, MANY / 20, ROWS, COLUMNS}, shape_c[] = {20, MANY / 20, ROWS + 1};
  static const int64_t shape_p[] = {20, MANY / 20, SCATTERED_MET}, strides_c[] = {ROWS + 1, 20 * (ROWS + 1), 1};
  static const int64_t strides_p[] = {SCATTERED_MET, 20 * SCATTERED_MET, 1};
  static const int64_t strides_v[] = {MANY / 20 * SCATTERED_MET, SCATTERED_MET, 1};
  for (int wide = 0; wide < 2; wide++) {
    make_many(&m, wide);
    spw_tensor *const t = &m.tensor;
    t->ndim = 4;
    t->size = size;
    t->compressed.array.ndim = t->plain.array.ndim = t->values.array.ndim = 3;
    t->compressed.array.shape = shape_c;
    t->compressed.array.strides = strides_c;
    t->plain.array.shape = t->values.array.shape = shape_p;
    t->plain.array.strides = strides_p;
    t->values.array.strides = strides_v;
    convert_to_all(t);
  }
}

/* The batch that is named is the first one with another number than the first of all, whichever part it is in. */
Test(batches_in_steps, refused_in_parts)
{
  static many m;
  static const int64_t odd[] = {1, 2, 3, 100, 206, 207, 208, 209, 296, 297, 298, 414, 415, 598, 599};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i += SANITIZED ? 2 : 1)
    for (int kind = 0; kind < 6; kind++) {
      const pattern how = kind % 2 ? MORE : FEWER;
      make_many(&m, kind / 2 == 1);
      put_batch(&m, odd[i], how);
      if (kind >= 4) /* and so are all behind it */
        for (int64_t b = odd[i]; b < MANY; b++) put_batch(&m, b, how);
      for (spw_layout to = SPW_BSR; to <= SPW_BSC; to++)
        for (int other = 0; other < 2; other++) {
          spw_conversion w = conversion_to(to, 12, 4);
          w.index_dtype = other ? SPW_INT64 : SPW_INT32;
          expect_refused(&m.tensor, &w, MANY, 1);
        }
    }
}
