/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of a few stored elements and huge numbers in their shapes: every conversion of them ends, with a result or a
 * refusal, for its time is that of what is stored and of what comes out. One that goes by a shape does not come back. */
#include "../expected/meaning.h"
#include "../operands/operand.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { NDIM = 6, LAYOUTS = 6, LIMIT = 1 << 22 };

#define HUGE_SIDE ((int64_t)1 << 40)

/* A tensor over a few numbers: batch strides and those of the values are 0. */
typedef struct lean {
  spw_tensor tensor;
  int64_t size[NDIM], shape[3][NDIM], strides[3][NDIM];
  int64_t offsets[8], index[8];
  float value[2];
} lean;

static spw_index_array index_array(lean *x, int which, int64_t ndim, const int64_t *data, int64_t length)
{
  x->strides[which][ndim - 1] = 1;
  return (spw_index_array){{SPW_INT64, ndim, x->shape[which], x->strides[which], 0, length}, NULL, data, NULL};
}

/* `lines` lines of blocks, of which each one has its one element at index 0, or none has any. */
static void compressed(lean *x, spw_layout layout, int64_t B, const int64_t *batch, int64_t lines, int64_t P, bool elements,
                       int64_t b0, int64_t b1, int64_t dense)
{
  const bool columns = layout == SPW_CSC || layout == SPW_BSC, blocks = layout == SPW_BSR || layout == SPW_BSC;
  *x = (lean){.value = {1.5f}};
  for (int64_t d = 0; d < B; d++) x->size[d] = x->shape[0][d] = x->shape[1][d] = x->shape[2][d] = batch[d];
  for (int64_t i = 0; i <= lines; i++) x->offsets[i] = elements ? i : 0;
  x->size[B] = (columns ? P : lines) * b0;
  x->size[B + 1] = (columns ? lines : P) * b1;
  x->shape[0][B] = lines + 1;
  x->shape[1][B] = x->shape[2][B] = elements ? lines : 0;
  int64_t ndim = B + 1;
  if (blocks) x->shape[2][ndim++] = b0;
  if (blocks) x->shape[2][ndim++] = b1;
  if (dense >= 0) x->shape[2][ndim++] = x->size[B + 2] = dense;
  x->tensor = (spw_tensor){.layout = layout, .has_size = true, .ndim = B + 2 + (dense >= 0), .size = x->size,
                           .coalesced = SPW_CLAIM_NONE,
                           .compressed = index_array(x, 0, B + 1, x->offsets, lines + 1),
                           .plain = index_array(x, 1, B + 1, x->index, elements ? lines : 0),
                           .values = {{SPW_FLOAT32, ndim, x->shape[2], x->strides[2], 0, 1}, x->value}};
}

static void coo(lean *x, int64_t dims, const int64_t *size, int64_t nse)
{
  *x = (lean){.value = {1.5f}};
  memcpy(x->size, size, (size_t)dims * sizeof *size);
  x->shape[1][0] = dims;
  x->shape[1][1] = x->shape[2][0] = nse;
  x->tensor = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = dims, .size = x->size, .coalesced = SPW_CLAIM_NO,
                           .plain = index_array(x, 1, 2, x->index, 1),
                           .values = {{SPW_FLOAT32, 1, x->shape[2], x->strides[2], 0, 1}, x->value}};
  x->strides[1][0] = x->strides[1][1] = 0;
}

/* All strides are 0. */
static void dense(lean *x, int64_t ndim, const int64_t *shape, float value)
{
  *x = (lean){.value = {value}};
  memcpy(x->shape[2], shape, (size_t)ndim * sizeof *shape);
  x->tensor = (spw_tensor){.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE,
                           .values = {{SPW_FLOAT32, ndim, x->shape[2], x->strides[2], 0, 1}, x->value}};
}

/* ---- All of them end -------------------------------------------------------------------------- */

static int64_t ended, results;

/* In one attempt each: the room, and the result if it is small. */
static void expect_end(const spw_tensor *t, const spw_conversion *w)
{
  spw_owned *owned = NULL;
  spw_room room;
  spw_refusal refusal;
  const spw_status size = spw_convert_size(t, w, &room, &refusal);
  const spw_status status = spw_convert_new(t, w, LIMIT, &owned, &refusal);
  cr_assert(size != SPW_EINVALID, "%s: rule %d", conversion_text(w), (int)refusal.violation.rule);
  cr_assert(size == status || (size == SPW_OK && (status == SPW_ENOMEM || status == SPW_ERANGE)), "%s: %d and %d",
            conversion_text(w), (int)size, (int)status);
  ended++;
  if (!owned) return;
  results++;
  const bool blocks = w->layout == SPW_BSR || w->layout == SPW_BSC || t->layout == SPW_BSR || t->layout == SPW_BSC;
  const bool as_dense = blocks || w->prune || t->layout == SPW_DENSE || w->layout == SPW_DENSE;
  const char *wrong = meaning_difference(t, spw_owned_tensor(owned), SPW_COMBINE_SUM, as_dense);
  cr_assert(!wrong, "from %d %s: %s", (int)t->layout, conversion_text(w), wrong);
  spw_owned_free(owned);
}

/* Structure operations along every dimension, and past the last. */
static void expect_structure_ends(const spw_tensor *t)
{
  static const int64_t ends[] = {0, 1, 2, HUGE_SIDE / 2, HUGE_SIDE, INT64_MAX};
  static const int64_t list[] = {0, HUGE_SIDE / 2, 0, 1};
  const spw_tensor *const operands[] = {t, t};
  for (int64_t dim = 0; dim <= t->ndim; dim++)
    for (int kind = SPW_SELECT; kind <= (int)SPW_SPARSE_MASK; kind++)
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
          spw_structure w = {.kind = (spw_structure_kind)kind, .dim = dim, .start = ends[i], .length = ends[j]};
          int64_t size[NDIM];
          const bool both = kind == SPW_CAT || kind == SPW_STACK || kind == SPW_SPARSE_MASK;
          memcpy(size, t->size, (size_t)t->ndim * sizeof *size);
          size[dim < t->ndim ? dim : 0] = ends[i];
          w.numbers = kind == SPW_RESIZE ? size : list;
          w.count = kind == SPW_RESIZE ? t->ndim : j % 5;
          spw_owned *owned = NULL;
          spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
          const spw_status status = spw_restructure_new(operands, both ? 2 : 1, &w, LIMIT, &owned, &refusal);
          cr_assert(status == SPW_OK || status == SPW_ERANGE || status == SPW_ENOMEM || status == SPW_EOVERFLOW,
                    "%d: %d, rule %d at %lld", kind, (int)status, (int)refusal.violation.rule,
                    (long long)refusal.violation.position);
          ended++;
          spw_owned_free(owned);
        }
}

/* To every layout, with blocks of small, huge and uneven sizes. */
static void expect_ends(const spw_tensor *t)
{
  if (t->layout != SPW_DENSE) expect_structure_ends(t);
  static const int64_t sides[] = {1, 2, 3, (int64_t)1 << 20, HUGE_SIDE / 2, HUGE_SIDE};
  for (int layout = 0; layout < LAYOUTS; layout++) {
    const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
    for (int i = 0; i < (blocks ? 36 : 1); i++)
      for (int options = 0; options < 4; options++) {
        spw_conversion w = conversion_to((spw_layout)layout, blocks ? sides[i / 6] : 0, blocks ? sides[i % 6] : 0);
        w.prune = options & 1;
        w.canonicalize = options & 2;
        if (t->layout == SPW_DENSE && options & 2) w.dense_dims = 1;
        expect_end(t, &w);
      }
  }
}

static void at_least(int64_t all, int64_t some)
{
  cr_assert(ended >= all && results >= some, "%lld ended, %lld of them with a result", (long long)ended, (long long)results);
}

Test(convert_ends, huge_blocks)
{
  static lean x;
  static const int64_t sides[][2] = {{HUGE_SIDE, 1}, {1, HUGE_SIDE}, {1 << 20, 1 << 20}, {HUGE_SIDE, 3}};
  for (int layout = SPW_BSR; layout <= SPW_BSC; layout++)
    for (int i = 0; i < 4; i++)
      for (int64_t lines = 1; lines <= 3; lines++)
        for (int64_t scalars = -1; scalars <= 1; scalars++) {
          compressed(&x, (spw_layout)layout, 0, NULL, lines, 1, true, sides[i][0], sides[i][1], scalars);
          expect_ends(&x.tensor);
        }
  at_least(10000, 150);
}

/* One element, or three, in lines that nobody stores; and in as many block lines. */
Test(convert_ends, huge_sizes)
{
  static lean x;
  for (int layout = SPW_CSR; layout <= SPW_BSC; layout++)
    for (int64_t P = HUGE_SIDE; P <= HUGE_SIDE * 6; P += HUGE_SIDE * 5)
      for (int64_t lines = 1; lines <= 3; lines += 2)
        for (int64_t scalars = -1; scalars <= 1; scalars++) {
          const int64_t b = layout >= SPW_BSR ? 2 : 1;
          compressed(&x, (spw_layout)layout, 0, NULL, lines, P, true, b, b, scalars);
          expect_ends(&x.tensor);
        }
  static const int64_t sizes[][3] = {{HUGE_SIDE, 1}, {1, HUGE_SIDE}, {HUGE_SIDE, 1 << 20}, {6, HUGE_SIDE, 6}, {HUGE_SIDE, 6, 6}};
  for (int i = 0; i < 5; i++)
    for (int64_t nse = 1; nse <= 3; nse++) {
      coo(&x, i < 3 ? 2 : 3, sizes[i], nse);
      expect_ends(&x.tensor);
    }
  at_least(10000, 500);
}

Test(convert_ends, batches_and_empty_dimensions)
{
  static lean x;
  static const int64_t many[] = {(int64_t)1 << 30, (int64_t)1 << 30}, none[] = {0, HUGE_SIDE};
  for (int layout = SPW_CSR; layout <= SPW_BSC; layout++)
    for (int64_t scalars = -1; scalars <= 0; scalars++) {
      const int64_t b = layout >= SPW_BSR ? HUGE_SIDE / 2 : 1;
      compressed(&x, (spw_layout)layout, 2, many, 1, 1, false, b, 1, 0);
      expect_ends(&x.tensor);
      compressed(&x, (spw_layout)layout, 2, many, 0, 1, false, 1, 1, scalars);
      expect_ends(&x.tensor);
      compressed(&x, (spw_layout)layout, 2, none, 3, HUGE_SIDE, true, 1, 1, scalars);
      expect_ends(&x.tensor);
      compressed(&x, (spw_layout)layout, 2, none, 3, 1, true, b, b > 1 ? b : 1, scalars);
      expect_ends(&x.tensor);
      compressed(&x, (spw_layout)layout, 0, NULL, 3, HUGE_SIDE, false, 1, 1, 0);
      expect_ends(&x.tensor);
    }
  at_least(10000, 2000);
}

Test(convert_ends, dense_arrays)
{
  static lean x;
  static const int64_t shapes[][4] = {{HUGE_SIDE, 6, 1, 1}, {6, HUGE_SIDE, 1, 1}, {3, HUGE_SIDE, 0, 6},
                                      {0, HUGE_SIDE, HUGE_SIDE, 6},
                                      {6, HUGE_SIDE, 2, 0}, {HUGE_SIDE, 0, 6, HUGE_SIDE}, {1 << 20, 1 << 20, 2, 2},
                                      {2, 2, 1 << 20, 1 << 20}};
  for (int i = 0; i < 8; i++)
    for (int64_t ndim = 2; ndim <= 4; ndim++)
      for (float value = 0; value < 2; value++) {
        dense(&x, ndim, shapes[i], value);
        expect_ends(&x.tensor);
      }
  at_least(10000, 800);
}

/* A dimension for each of many numbers, all at one place. */
Test(convert_ends, many_dimensions)
{
  enum { MANY = 1 << 18 };
  int64_t *const ones = malloc(MANY * sizeof *ones);
  for (int i = 0; i < MANY; i++) ones[i] = 1;
  const int64_t shape[] = {MANY, 2}, strides[] = {0, 0}, index = 0;
  const float value = 2;
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = MANY, .size = ones, .coalesced = SPW_CLAIM_NO,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 1}, NULL, &index, NULL},
                        .values = {{SPW_FLOAT32, 1, shape + 1, strides, 0, 1}, &value}};
  for (int unsized = 0; unsized < 2; unsized++)
    for (int layout = 0; layout < LAYOUTS; layout++) {
      spw_tensor x = t;
      spw_owned *owned = NULL;
      const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
      const spw_conversion w = conversion_to((spw_layout)layout, blocks, blocks);
      x.has_size = !unsized;
      cr_assert(spw_convert_new(&x, &w, 0, &owned, NULL) == SPW_OK, "to %d", layout);
      const spw_value_array *v = &spw_owned_tensor(owned)->values;
      cr_assert(v->array.length == 1 && *(const float *)v->data == 4);
      spw_owned_free(owned);
    }
  free(ones);
}

/* ---- Blocks of many lines: they are counted without any memory -------------------------------------- */

/* The lines of a matrix. */
typedef struct scattered {
  int64_t lines, in_line, span; /* indices are below span */
  int64_t *offsets, *index;
} scattered;

/* Line i has every index that is i modulo `lines`: close to each other, far apart, and close again. */
static scattered scattered_over(int64_t lines, int64_t count, int64_t gap)
{
  scattered s = {.lines = lines, .in_line = count / lines};
  s.offsets = malloc((size_t)(lines + 1) * sizeof *s.offsets);
  s.index = malloc((size_t)(lines * s.in_line) * sizeof *s.index);
  for (int64_t i = 0; i <= lines; i++) s.offsets[i] = i * s.in_line;
  int64_t at = 5;
  for (int64_t k = 0; k < lines * s.in_line; k++) {
    s.index[k % lines * s.in_line + k / lines] = at;
    at += k / 7000 % 3 == 1 ? gap : 1 + k % 2;
  }
  s.span = (at / 60 + 1) * 60;
  return s;
}

static int compare_numbers(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* How many blocks of `to` indices meet blocks of `from` indices. */
static int64_t blocks_met(const scattered *s, int64_t from, int64_t to)
{
  const int64_t n = s->lines * s->in_line;
  int64_t *const sorted = malloc((size_t)n * sizeof *sorted), met = 0, last = -1;
  memcpy(sorted, s->index, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, compare_numbers);
  for (int64_t k = 0; k < n; k++)
    for (int64_t block = sorted[k] * from / to; block <= ((sorted[k] + 1) * from - 1) / to; block++) {
      met += block > last;
      if (block > last) last = block;
    }
  free(sorted);
  return met;
}

/* One line of blocks of all lines: exactly as many as there are. */
static void expect_blocks(const scattered *s, int64_t from, int64_t to)
{
  static const float value = 1;
  const int64_t size[] = {s->lines, s->span * from}, lines[] = {s->lines + 1}, nse[] = {s->lines * s->in_line, 1, from};
  const int64_t one[] = {1}, none[] = {0, 0, 0};
  const spw_tensor t = {.layout = from > 1 ? SPW_BSR : SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                        .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, lines, one, 0, lines[0]}, NULL, s->offsets, NULL},
                        .plain = {{SPW_INT64, 1, nse, one, 0, nse[0]}, NULL, s->index, NULL},
                        .values = {{SPW_FLOAT32, from > 1 ? 3 : 1, nse, none, 0, 1}, &value}};
  const spw_conversion w = conversion_to(SPW_BSR, s->lines, to);
  spw_room room;
  cr_assert(spw_convert_size(&t, &w, &room, NULL) == SPW_OK);
  const int64_t wanted = blocks_met(s, from, to);
  cr_assert(room.nse == wanted, "blocks of %lld to %lld: %lld, not %lld", (long long)from, (long long)to, (long long)room.nse,
            (long long)wanted);
}

Test(convert_ends, blocks_of_many_lines)
{
  static const int64_t gaps[] = {2, 255, 257, 100000, (int64_t)1 << 20};
  for (int i = 0; i < 5; i++) {
    scattered s = scattered_over(300, 42000, gaps[i]);
    const int64_t pairs[][2] = {{1, 1}, {1, 3}, {2, 1}, {3, 2}, {2, 3}, {6, 1}, {4, 60}};
    for (int k = 0; k < 7; k++) expect_blocks(&s, pairs[k][0], pairs[k][1]);
    free(s.offsets);
    free(s.index);
  }
}

/* A selection at a time would go over three million elements a thousand times. */
Test(convert_ends, many_blocks_of_many_lines, .timeout = 60)
{
  scattered s = scattered_over(3000, 3000000, 2);
  expect_blocks(&s, 1, 1);
  free(s.offsets);
  free(s.index);
}

/* A workspace has no offset for each row that neither side stores: there is memory for a small result. */
static void expect_result(const spw_tensor *t, spw_conversion w, size_t limit, int64_t nse)
{
  spw_owned *owned = NULL;
  const spw_status status = spw_convert_new(t, &w, limit, &owned, NULL);
  cr_assert(status == SPW_OK, "from %d %s: %d", (int)t->layout, conversion_text(&w), (int)status);
  const spw_array *plain = &spw_owned_tensor(owned)->plain.array;
  cr_assert(plain->shape[plain->ndim - 1] == nse);
  spw_owned_free(owned);
}

Test(convert_ends, little_memory_is_enough)
{
  static lean x;
  const int64_t side = (int64_t)1 << 18;
  compressed(&x, SPW_CSC, 0, NULL, 1, HUGE_SIDE, true, 1, 1, -1);
  expect_result(&x.tensor, conversion_to(SPW_COO, 0, 0), 4096, 1);
  compressed(&x, SPW_BSC, 0, NULL, 3, HUGE_SIDE, true, 2, 2, -1);
  expect_result(&x.tensor, conversion_to(SPW_COO, 0, 0), 4096, 12);
  coo(&x, 2, (const int64_t[]){side * side, 1}, 1);
  expect_result(&x.tensor, conversion_to(SPW_BSR, side, 1), 1 << 25, 1);
  compressed(&x, SPW_CSC, 0, NULL, 1, side * side, true, 1, 1, -1);
  expect_result(&x.tensor, conversion_to(SPW_BSR, side, 1), 1 << 25, 1);
}

/* ---- Counts ----------------------------------------------------------------------------------- */

static int64_t room_nse(const spw_tensor *t, int64_t b0, int64_t b1)
{
  spw_room room = {.nse = -1};
  const spw_conversion w = conversion_to(SPW_BSR, b0, b1);
  cr_assert(spw_convert_size(t, &w, &room, NULL) == SPW_OK);
  return room.nse;
}

Test(convert_ends, blocks_are_counted_by_elements)
{
  static lean x;
  compressed(&x, SPW_BSR, 0, NULL, 1, 1, true, HUGE_SIDE, 1, -1);
  cr_assert(room_nse(&x.tensor, 2, 1) == HUGE_SIDE / 2);
  cr_assert(room_nse(&x.tensor, 1, 1) == HUGE_SIDE);
  compressed(&x, SPW_BSC, 0, NULL, 2, 2, true, HUGE_SIDE, 6, -1);
  cr_assert(room_nse(&x.tensor, 4, 4) == 3 * (HUGE_SIDE / 4)); /* of the upper half */
}

enum { ROWS = 260, COLUMNS = 6000 };

/* `per_line` blocks of b0 x b1 in each line, and how many blocks of c0 x c1 they meet, by marks. */
static void expect_count(int64_t per_line, int64_t b0, int64_t b1, int64_t c0, int64_t c1, dice *d)
{
  static int64_t offsets[ROWS + 1], index[ROWS * 100];
  static bool met[ROWS][COLUMNS];
  const int64_t lines = ROWS / b0, P = COLUMNS / b1, n = lines * per_line;
  int64_t count = 0, kept = 0;
  memset(met, 0, sizeof met);
  for (int64_t i = 0; i < lines; i++) {
    const int64_t begin = kept;
    for (int64_t k = 0; k < per_line; k++) index[begin + k] = roll_below(d, P);
    qsort(index + begin, (size_t)per_line, sizeof *index, compare_numbers);
    for (int64_t k = 0; k < per_line; k++)
      if (k == 0 || index[begin + k] != index[kept - 1]) index[kept++] = index[begin + k];
    offsets[i + 1] = kept;
    for (int64_t k = begin; k < kept; k++)
      for (int64_t e = 0; e < b0 * b1; e++) {
        bool *const mark = &met[(i * b0 + e / b1) / c0][(index[k] * b1 + e % b1) / c1];
        count += !*mark;
        *mark = true;
      }
  }
  const int64_t size[] = {ROWS, COLUMNS}, c_shape[] = {lines + 1}, shape[] = {kept, b0, b1}, one[] = {1}, zero[] = {0, 0, 0};
  const float value = 1;
  const spw_tensor t = {.layout = SPW_BSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .compressed = {{SPW_INT64, 1, c_shape, one, 0, lines + 1}, NULL, offsets, NULL},
                        .plain = {{SPW_INT64, 1, shape, one, 0, kept}, NULL, index, NULL},
                        .values = {{SPW_FLOAT32, 3, shape, zero, 0, 1}, &value}};
  const int64_t counted = room_nse(&t, c0, c1);
  cr_assert(counted == count, "%lld blocks of %lldx%lld as %lldx%lld: %lld and not %lld", (long long)n, (long long)b0,
            (long long)b1, (long long)c0, (long long)c1, (long long)counted, (long long)count);
}

/* Blocks higher than what is merged, and more of them than are held at a time. */
Test(convert_ends, counts_are_exact)
{
  static const int64_t from[][2] = {{1, 1}, {2, 3}, {1, 6}, {1, 100}, {260, 1}, {4, 2}, {5, 30}},
                       to[][2] = {{2, 2}, {65, 1}, {130, 1}, {130, 4}, {260, 2}, {260, 60}, {5, 5}, {20, 3}, {52, 8}};
  dice d = {9};
  for (int64_t per_line = 1; per_line <= 100; per_line = per_line * 2 + 1)
    for (int i = 0; i < 7; i++)
      for (int j = 0; j < 9; j++) expect_count(per_line, from[i][0], from[i][1], to[j][0], to[j][1], &d);
}
