/* SPDX-License-Identifier: Apache-2.0 */
#include "semi_attempt.h"

#include "../expected/scalar.h"
#include "../expected/semi_expected.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const spw_dtype types[] = {SPW_INT8, SPW_UINT8, SPW_FLOAT8_E4M3FN, SPW_FLOAT8_E5M2, SPW_FLOAT16, SPW_BFLOAT16,
                                  SPW_FLOAT32};

static char text[900];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

const char *semi_plan_text(const semi_plan *p)
{
  static char line[300];
  snprintf(line, sizeof line, "%s, order %d to %d, rows %lld of unit %lld, columns %lld of unit %lld, most %d, class %d, "
           "bits %d, side %d, add %d, strides %d, "
           "damage %d at %lld by %lld, seed %llu", spw_semi_dtype_name(types[p->type]), p->order,
           p->other, (long long)p->rows, (long long)p->row_unit, (long long)p->columns, (long long)p->column_unit, p->most,
           p->class, p->bits, p->side, p->add, p->strides, p->damage, (long long)p->where, (long long)p->amount,
           (unsigned long long)p->seed);
  return line;
}

/* ---- Memory ------------------------------------------------------------------------------------- */

enum { FENCE = 16, SLOTS = 48, FENCE_BYTE = 0xa5, INSIDE_BYTE = 0x3c };

/* Buffers with fences, which are looked at when all is over. */
typedef struct memory {
  unsigned char *at[SLOTS];
  int64_t bytes[SLOTS];
  int count;
} memory;

static void *take(memory *m, int64_t bytes)
{
  unsigned char *const p = malloc((size_t)bytes + 2 * FENCE);
  if (!p || m->count == SLOTS) abort();
  memset(p, FENCE_BYTE, (size_t)bytes + 2 * FENCE);
  memset(p + FENCE, INSIDE_BYTE, (size_t)bytes);
  m->at[m->count] = p;
  m->bytes[m->count++] = bytes;
  return p + FENCE;
}

static bool is_untouched(const void *at, int64_t bytes)
{
  for (int64_t i = 0; i < bytes; i++)
    if (((const unsigned char *)at)[i] != INSIDE_BYTE) return false;
  return true;
}

/* What was written beside buffers; frees all. */
static const char *look_at_fences(memory *m)
{
  const char *wrong = NULL;
  for (int i = 0; i < m->count; i++) {
    for (int k = 0; k < FENCE && !wrong; k++)
      if (m->at[i][k] != FENCE_BYTE || m->at[i][FENCE + m->bytes[i] + k] != FENCE_BYTE)
        wrong = "something is written beside a buffer";
    free(m->at[i]);
  }
  m->count = 0;
  return wrong;
}

/* ---- The dense matrix --------------------------------------------------------------------------- */

typedef struct subject {
  const semi_plan *plan;
  memory memory;
  spw_dtype dtype;
  spw_semi_order order;
  int64_t rows, columns, scalar, count; /* count: elements of the dense matrix */
  char *dense;                          /* row by row */
  int64_t shape[2], strides[2];
  spw_tensor tensor;                    /* the same with the strides of the plan */
  bool fits;                            /* rule 7.1 */
  spw_semi_room room;
  char *packed, *metadata, *decoded;    /* by the second model */
  int64_t packed_bytes, metadata_bytes;
} subject;

static uint32_t draw(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}

/* Small numbers, any bits, signed zeros, the largest, NaNs and infinities, few different ones. */
static uint32_t draw_element(spw_dtype dtype, int class, uint64_t *state)
{
  const int scalar = semi_scalar(dtype);
  const uint32_t sign = 1u << (8 * scalar - 1), all = sign * 2 - 1, top[] = {0x7c00, 0x7f80, 0x7f800000, 0x7e, 0x7f};
  switch (class) {
  case 0: return (1 + draw(state) % 3) & all;
  case 1: return draw(state) & all;
  case 2: return draw(state) % 2 ? sign : draw(state) % 4;
  case 3: return (all - draw(state) % 4) & all;
  case 4: return (top[draw(state) % 5] | (draw(state) % 3 == 0) | (draw(state) % 2 ? sign : 0)) & all;
  default: return (draw(state) % 2 ? sign : 0) | draw(state) % 3;
  }
}

static void fill_dense(subject *s)
{
  const int side = semi_group(s->dtype);
  uint64_t state = s->plan->seed;
  s->dense = take(&s->memory, s->count * s->scalar);
  memset(s->dense, 0, (size_t)(s->count * s->scalar));
  for (int64_t g = 0; s->columns % side == 0 && g < s->count / side; g++)
    for (int i = 0; i < s->plan->most; i++)
      if (draw(&state) % 4 > 0)
        semi_set_element(s->dense, (int)s->scalar, g * side + draw(&state) % (uint32_t)side,
                         draw_element(s->dtype, s->plan->class, &state));
}

static void view_dense(subject *s)
{
  const int64_t gap = s->plan->strides == 2 ? 3 : 0, step = s->plan->strides == 3 ? 2 : 1;
  const bool turned = s->plan->strides == 1;
  s->shape[0] = s->rows;
  s->shape[1] = s->columns;
  s->strides[0] = turned ? 1 : step * s->columns + gap;
  s->strides[1] = turned ? s->rows + gap : step;
  const int64_t length = s->count == 0 ? 0 : 1 + (s->rows - 1) * s->strides[0] + (s->columns - 1) * s->strides[1];
  char *const data = take(&s->memory, length * s->scalar);
  for (int64_t r = 0; r < s->rows; r++)
    for (int64_t c = 0; c < s->columns; c++)
      memcpy(data + (r * s->strides[0] + c * s->strides[1]) * s->scalar, s->dense + (r * s->columns + c) * s->scalar,
             (size_t)s->scalar);
  const bool float8 = s->dtype == SPW_FLOAT8_E4M3FN || s->dtype == SPW_FLOAT8_E5M2;
  const spw_value_array values = {{float8 ? SPW_UINT8 : s->dtype, 2, s->shape, s->strides, 0, length}, data};
  s->tensor = (spw_tensor){.layout = SPW_DENSE, .values = values};
}

static void set_up(subject *s, const semi_plan *p)
{
  *s = (subject){.plan = p, .dtype = types[p->type], .order = (spw_semi_order)p->order};
  const int side = semi_group(s->dtype), word = side * semi_codes(s->dtype);
  const int64_t blocks = s->order >= SPW_SEMI_SM90_1 ? p->order - 2 : 1;
  const int64_t row_units[] = {1, side, semi_codes(s->dtype) == 8 ? 16 : 32, 64}, units[] = {1, side, word, 2 * blocks * word};
  s->scalar = semi_scalar(s->dtype);
  s->rows = p->rows * row_units[p->row_unit];
  s->columns = p->columns * units[p->column_unit];
  while (s->rows * s->columns > 20000) s->rows -= s->rows > 64 ? 64 : s->rows;
  s->count = s->rows * s->columns;
  s->fits = semi_expected_fits(s->dtype, s->order, s->rows, s->columns);
  fill_dense(s);
  view_dense(s);
}

static int64_t metadata_bytes(spw_dtype dtype, int64_t rows, int64_t columns)
{
  const int word = semi_group(dtype) * semi_codes(dtype);
  return rows * ((columns + word - 1) / word) * (semi_codes(dtype) / 2);
}

/* ---- Encoding ----------------------------------------------------------------------------------- */

/* A refused call has written nothing. */
#define EXPECT_UNTOUCHED(at, bytes) if (!is_untouched(at, bytes)) return WRONG("a refused call has written to " #at)

static const char *try_encode(subject *s, const void *dense, const spw_tensor *tensor, bool bits, bool keep, bool *encoded)
{
  const spw_semi_request request = {s->order, s->dtype, bits};
  spw_semi_refusal why = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
  const int64_t half = s->count / 2 * s->scalar, metadata = s->fits ? metadata_bytes(s->dtype, s->rows, s->columns) : 0;
  char *const packed = take(&s->memory, half), *const words = take(&s->memory, metadata);
  const spw_status status = spw_semi_encode(tensor, &request, packed, words, &why);
  void *const own = (void *)(uintptr_t)tensor->values.data;
  *encoded = false;
  if (s->fits && metadata > 0 && half >= metadata && spw_semi_encode(tensor, &request, packed, own, NULL) != SPW_ERANGE)
    return WRONG("metadata are written to the matrix");
  if (!s->fits) {
    EXPECT_UNTOUCHED(packed, half);
    return status == SPW_ERANGE && why.obstacle == SPW_SEMI_OBSTACLE_RULE && why.violation.rule == SPW_SEMI_RULE_7_1
      ? NULL : WRONG("a size that rule 7.1 forbids: status %d", (int)status);
  }
  char *const expected = take(&s->memory, half), *const expected_words = take(&s->memory, metadata);
  int64_t row, group;
  *encoded = semi_expected_encode(s->dtype, s->order, bits, s->rows, s->columns, dense, expected, expected_words, &row, &group);
  if (!*encoded) {
    EXPECT_UNTOUCHED(packed, half);
    EXPECT_UNTOUCHED(words, metadata);
    if (status != SPW_EINVALID || why.obstacle != SPW_SEMI_OBSTACLE_PATTERN || why.row != row || why.group != group)
      return WRONG("group %lld of row %lld is too full: status %d, group %lld of row %lld", (long long)group, (long long)row,
                   (int)status, (long long)why.group, (long long)why.row);
    return NULL;
  }
  if (status != SPW_OK) return WRONG("spw_semi_encode: status %d, obstacle %d", (int)status, (int)why.obstacle);
  if (memcmp(packed, expected, (size_t)half) != 0) return WRONG("what is packed differs");
  if (memcmp(words, expected_words, (size_t)metadata) != 0) return WRONG("the metadata differ");
  if (keep) {
    s->packed = packed;
    s->metadata = words;
    s->packed_bytes = half;
    s->metadata_bytes = metadata;
  }
  return NULL;
}

static const char *try_prune(subject *s)
{
  const int64_t bytes = s->count * s->scalar;
  for (int pruning = 0; pruning < 2; pruning++) {
    memory own = {.count = 0};
    char *const kept = take(&own, bytes), *const expected = take(&own, bytes);
    spw_semi_refusal why = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
    const int side = semi_group(s->dtype);
    const bool whole = s->columns % side == 0 && (pruning == SPW_SEMI_LARGEST || s->rows % side == 0);
    const spw_status status = spw_semi_prune(&s->tensor, (spw_semi_pruning)pruning, s->dtype, kept, &why);
    const char *wrong = NULL;
    bool encoded = false;
    if (!whole) {
      if (status != SPW_ERANGE || !is_untouched(kept, bytes)) wrong = WRONG("pruning %d of half a tile", pruning);
    } else if (status != SPW_OK) {
      wrong = WRONG("spw_semi_prune: status %d", (int)status);
    } else {
      semi_expected_prune(s->dtype, (spw_semi_pruning)pruning, s->rows, s->columns, s->dense, expected);
      if (memcmp(kept, expected, (size_t)bytes) != 0) wrong = WRONG("pruning %d keeps others", pruning);
      spw_view view;
      const spw_tensor *const again = spw_dense(&view, s->rows, s->columns, s->tensor.values.array.dtype, kept);
      if (!wrong) wrong = try_encode(s, kept, again, false, false, &encoded);
      if (!wrong && s->fits && !encoded) wrong = WRONG("what pruning %d keeps is not 2:4", pruning);
    }
    const char *const beside = look_at_fences(&own);
    if (wrong || beside) return wrong ? wrong : beside;
  }
  return NULL;
}

/* ---- What is made of an encoded matrix ---------------------------------------------------------- */

static const char *try_decode(subject *s, const spw_semi *semi)
{
  const int64_t bytes = s->count * s->scalar;
  char *const values = take(&s->memory, bytes);
  s->decoded = take(&s->memory, bytes);
  semi_expected_decode(s->dtype, s->order, s->rows, s->columns, s->packed, s->metadata, s->decoded);
  const spw_status status = spw_semi_decode(semi, values, NULL);
  if (status != SPW_OK) return WRONG("spw_semi_decode: status %d", (int)status);
  return memcmp(values, s->decoded, (size_t)bytes) == 0 ? NULL : WRONG("what is decoded differs");
}

static const char *try_reorder(subject *s, const spw_semi *semi)
{
  const spw_semi_order other = (spw_semi_order)s->plan->other;
  char *const words = take(&s->memory, s->metadata_bytes), *const back = take(&s->memory, s->metadata_bytes);
  const spw_status status = spw_semi_reorder(semi, other, words, NULL);
  if (!semi_expected_fits(s->dtype, other, s->rows, s->columns)) {
    EXPECT_UNTOUCHED(words, s->metadata_bytes);
    return status == SPW_ERANGE ? NULL : WRONG("an order that has no such size: status %d", (int)status);
  }
  if (status != SPW_OK) return WRONG("spw_semi_reorder: status %d", (int)status);
  char *const expected = take(&s->memory, s->count * s->scalar);
  semi_expected_decode(s->dtype, other, s->rows, s->columns, s->packed, words, expected);
  if (memcmp(expected, s->decoded, (size_t)(s->count * s->scalar)) != 0) return WRONG("the other order means something else");
  spw_semi_view view;
  const spw_semi *const moved = spw_semi_of(&view, other, s->rows, s->columns, s->dtype, s->packed, words);
  if (spw_semi_reorder(moved, s->order, back, NULL) != SPW_OK || memcmp(back, s->metadata, (size_t)s->metadata_bytes) != 0)
    return WRONG("another order and back is not the same");
  return NULL;
}

/* The first column of groups, and there the first row, of the transpose that has too much. */
static bool first_full(const subject *s, const char *turned, int64_t *row, int64_t *group)
{
  const int side = semi_group(s->dtype);
  for (*group = 0; *group < s->rows / side; (*group)++)
    for (*row = 0; *row < s->columns; (*row)++) {
      int nonzeros = 0;
      for (int i = 0; i < side; i++) {
        const uint32_t v = semi_element(turned, (int)s->scalar, *row * s->rows + *group * side + i);
        nonzeros += !semi_is_zero(s->dtype, v, s->plan->bits);
      }
      if (nonzeros > side / 2) return true;
    }
  return false;
}

static const char *try_transpose(subject *s, const spw_semi *semi)
{
  const spw_semi_order other = (spw_semi_order)s->plan->other;
  const spw_semi_request request = {other, SPW_DTYPE_NONE, s->plan->bits};
  const int64_t bytes = metadata_bytes(s->dtype, s->columns, s->rows), half = s->count / 2 * s->scalar;
  memory own = {.count = 0};
  char *const packed = take(&own, half), *const words = take(&own, bytes), *const turned = take(&own, s->count * s->scalar);
  char *const expected = take(&own, half), *const expected_words = take(&own, bytes);
  spw_semi_refusal why = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
  int64_t row = 0, group = 0, ignored_row, ignored_group;
  const char *wrong = NULL;
  for (int64_t r = 0; r < s->rows; r++)
    for (int64_t c = 0; c < s->columns; c++)
      memcpy(turned + (c * s->rows + r) * s->scalar, s->decoded + (r * s->columns + c) * s->scalar, (size_t)s->scalar);
  const spw_status status = spw_semi_transpose(semi, &request, packed, words, &why);
  if (!semi_expected_fits(s->dtype, other, s->columns, s->rows)) {
    if (status != SPW_ERANGE || !is_untouched(packed, half)) wrong = WRONG("a transpose of half groups: status %d", (int)status);
  } else if (first_full(s, turned, &row, &group)) {
    if (status != SPW_EINVALID || why.row != row || why.group != group || !is_untouched(packed, half) ||
        !is_untouched(words, bytes))
      wrong = WRONG("group %lld of row %lld of the transpose is too full: status %d, %lld, %lld", (long long)group,
                    (long long)row, (int)status, (long long)why.group, (long long)why.row);
  } else {
    semi_expected_encode(s->dtype, other, s->plan->bits, s->columns, s->rows, turned, expected, expected_words, &ignored_row,
                         &ignored_group);
    if (status != SPW_OK) wrong = WRONG("spw_semi_transpose: status %d", (int)status);
    else if (memcmp(packed, expected, (size_t)half) != 0 || memcmp(words, expected_words, (size_t)bytes) != 0)
      wrong = WRONG("the transpose differs");
  }
  const char *const beside = look_at_fences(&own);
  return wrong ? wrong : beside;
}

/* The columns of what is stored, row by row; by way of the plain order. */
static void stored_columns(const subject *s, int64_t *column)
{
  const int64_t wide = (s->columns + 7) / 8;
  uint8_t *const mask = malloc((size_t)(s->rows * wide + 1));
  char *const plain = malloc((size_t)s->metadata_bytes + 1);
  const int word = semi_codes(s->dtype) / 2;
  const int64_t n = s->rows > 0 ? s->metadata_bytes / word / s->rows : 0;
  int64_t *const places = malloc((size_t)(s->rows * n + 1) * sizeof *places), next = 0;
  semi_expected_places(s->order, word, s->rows, n, places);
  for (int64_t i = 0; i < s->rows * n; i++) memcpy(plain + i * word, s->metadata + places[i] * word, (size_t)word);
  semi_expected_mask(s->dtype, s->rows, s->columns, plain, mask);
  for (int64_t r = 0; r < s->rows; r++)
    for (int64_t c = 0; c < s->columns; c++)
      if (mask[r * wide + c / 8] >> c % 8 & 1) column[next++] = c;
  free(mask);
  free(plain);
  free(places);
}

static const char *try_csr(subject *s, const spw_semi *semi, const int64_t *column)
{
  const int64_t nse = s->count / 2;
  int64_t *const crow = take(&s->memory, (s->rows + 1) * 8), *const col = take(&s->memory, nse * 8);
  char *const values = take(&s->memory, nse * s->scalar);
  const int64_t wide = s->columns / 2 + 3, strides[2] = {wide, 1};
  spw_semi with_gaps = *semi;
  char *const apart = take(&s->memory, s->rows * wide * s->scalar);
  for (int64_t r = 0; r < s->rows; r++)
    memcpy(apart + r * wide * s->scalar, s->packed + r * (wide - 3) * s->scalar, (size_t)((wide - 3) * s->scalar));
  with_gaps.packed.array.strides = strides;
  with_gaps.packed.array.length = s->rows * wide;
  with_gaps.packed.data = apart;
  const spw_status status = spw_semi_to_csr(&with_gaps, SPW_INT64, crow, col, values, NULL);
  if (status != SPW_OK) return WRONG("spw_semi_to_csr: status %d", (int)status);
  for (int64_t r = 0; r <= s->rows; r++)
    if (crow[r] != r * (s->columns / 2)) return WRONG("crow_indices[%lld] is %lld", (long long)r, (long long)crow[r]);
  for (int64_t i = 0; i < nse; i++)
    if (col[i] != column[i])
      return WRONG("col_indices[%lld] is %lld, not %lld", (long long)i, (long long)col[i], (long long)column[i]);
  return memcmp(values, s->packed, (size_t)(nse * s->scalar)) == 0 ? NULL : WRONG("the values of CSR differ");
}

/* One bit of a bitmask is changed, or all bits of a byte are set. */
static const char *try_wrong_mask(subject *s, uint8_t *mask)
{
  const int64_t wide = (s->columns + 7) / 8, byte = (int64_t)((uint64_t)s->plan->where % (uint64_t)(s->rows * wide));
  const int bit = (int)(s->plan->seed % 8), side = semi_group(s->dtype);
  const int64_t column = byte % wide * 8 + (s->plan->side ? 0 : bit);
  char *const words = take(&s->memory, s->metadata_bytes);
  spw_semi_refusal why = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
  mask[byte] = (uint8_t)(s->plan->side ? 0xff : mask[byte] ^ 1u << bit);
  const spw_status status = spw_semi_from_bitmask(s->order, s->dtype, s->rows, s->columns, mask, words, &why);
  EXPECT_UNTOUCHED(words, s->metadata_bytes);
  if (status != SPW_EINVALID || why.obstacle != SPW_SEMI_OBSTACLE_MASK || why.row != byte / wide ||
      why.group != (column < s->columns ? column / side : -1))
    return WRONG("column %lld of a bitmask is wrong: status %d, group %lld", (long long)column, (int)status,
                 (long long)why.group);
  return NULL;
}

static const char *try_mask(subject *s, const spw_semi *semi, const int64_t *column)
{
  const int64_t wide = (s->columns + 7) / 8, bytes = s->rows * wide;
  uint8_t *const mask = take(&s->memory, bytes), *const expected = take(&s->memory, bytes);
  char *const words = take(&s->memory, s->metadata_bytes);
  if (spw_semi_to_bitmask(semi, mask, NULL) != SPW_OK) return WRONG("there is no bitmask");
  if (bytes > 0) memset(expected, 0, (size_t)bytes);
  for (int64_t i = 0; i < s->count / 2; i++) {
    uint8_t *const at = &expected[i / (s->columns / 2) * wide + column[i] / 8];
    *at = (uint8_t)(*at | 1u << column[i] % 8);
  }
  if (memcmp(mask, expected, (size_t)bytes) != 0) return WRONG("the bitmask differs");
  const spw_status status = spw_semi_from_bitmask(s->order, s->dtype, s->rows, s->columns, mask, words, NULL);
  if (status != SPW_OK) return WRONG("spw_semi_from_bitmask: status %d", (int)status);
  if (memcmp(words, s->metadata, (size_t)s->metadata_bytes) != 0) return WRONG("a bitmask and back is not the same");
  return bytes > 0 ? try_wrong_mask(s, mask) : NULL;
}

/* By one format, and back. */
static const char *try_file(subject *s, const spw_semi *semi, bool safetensors)
{
  void *bytes = NULL;
  size_t size = 0;
  spw_owned *owned = NULL;
  spw_archive *archive = NULL;
  const spw_semi *read = NULL;
  spw_error error = {.message = ""};
  spw_status status = safetensors ? spw_write_semi_safetensors(semi, &bytes, &size, &error)
                                  : spw_write_semi_json(semi, &bytes, &size, &error);
  if (status == SPW_OK && safetensors) status = spw_archive_open_safetensors(bytes, size, 0, &archive, &error);
  if (status == SPW_OK)
    status = safetensors ? spw_archive_read_semi(archive, 0, 0, &owned, &read, &error)
                         : spw_read_semi_json(bytes, size, 0, &owned, &read, &error);
  const char *wrong = NULL;
  if (status != SPW_OK)
    wrong = WRONG("a file: status %d, %s: %s", (int)status, error.where, error.message);
  else if (read->order != s->order || read->rows != s->rows || read->columns != s->columns ||
           read->packed.array.dtype != s->dtype)
    wrong = WRONG("a file gives another order, size or type");
  else if ((s->packed_bytes > 0 && memcmp(read->packed.data, s->packed, (size_t)s->packed_bytes) != 0) ||
           (s->metadata_bytes > 0 && memcmp(read->metadata.data, s->metadata, (size_t)s->metadata_bytes) != 0))
    wrong = WRONG("a file gives other members");
  spw_archive_close(archive);
  spw_owned_free(owned);
  free(bytes);
  return wrong;
}

/* ---- Products ----------------------------------------------------------------------------------- */

enum { WIDTH = 3 };

/* The element of row r and column c of the product. */
static void expect_element(const subject *s, const int64_t *column, const char *x, const char *c, bool left, int64_t i, int64_t j,
                           char *to)
{
  const int64_t half = s->columns / 2, from = left ? i * half : 0, behind = left ? from + half : s->rows * half;
  const int64_t at = left ? i * WIDTH + j : i * s->columns + j;
  char two[8] = {0}, half_of[8] = {0};
  scalar_sum sum = scalar_nothing(s->dtype);
  for (int64_t e = from; e < behind; e++) {
    const char *const value = s->packed + e * s->scalar;
    if (left) scalar_sum_add(&sum, value, x + (column[e] * WIDTH + j) * s->scalar);
    else if (column[e] == j) scalar_sum_add(&sum, x + (i * s->rows + e / half) * s->scalar, value);
  }
  if (c) {
    scalar_one(s->dtype, two);
    scalar_one(s->dtype, half_of);
    memcpy(to, c + at * s->scalar, (size_t)s->scalar);
  }
  scalar_sum_store(&sum, c ? two : NULL, c ? half_of : NULL, to);
}

static const char *try_product(subject *s, const spw_semi *semi, const int64_t *column)
{
  const bool left = !s->plan->side;
  const int64_t rows = left ? s->rows : WIDTH, columns = left ? WIDTH : s->columns, inner = left ? s->columns : s->rows;
  uint64_t state = s->plan->seed + 1;
  char *const x = take(&s->memory, inner * WIDTH * s->scalar), *const c = take(&s->memory, rows * columns * s->scalar);
  char one[8] = {0};
  for (int64_t i = 0; i < inner * WIDTH; i++)
    semi_set_element(x, (int)s->scalar, i, draw_element(s->dtype, s->plan->class, &state));
  for (int64_t i = 0; i < rows * columns; i++)
    semi_set_element(c, (int)s->scalar, i, draw_element(s->dtype, s->plan->class, &state));
  spw_view x_view, c_view;
  const spw_tensor *const dense = spw_dense(&x_view, left ? inner : WIDTH, left ? WIDTH : inner, s->tensor.values.array.dtype, x);
  const spw_tensor *const more = spw_dense(&c_view, rows, columns, s->tensor.values.array.dtype, c);
  const bool arithmetic = s->tensor.values.array.dtype == s->dtype;
  if (arithmetic) scalar_one(s->dtype, one);
  const spw_factors how = {.alpha = one, .beta = one};
  spw_semi_refusal why = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
  spw_owned *owned = NULL;
  const spw_status status = spw_semi_multiply_new(semi, left ? SPW_SEMI_LEFT : SPW_SEMI_RIGHT, dense, s->plan->add ? more : NULL,
                                                  s->plan->add ? &how : NULL, 0, &owned, &why);
  if (!arithmetic)
    return status == SPW_ERANGE && why.obstacle == SPW_SEMI_OBSTACLE_TYPE && !owned ? NULL : WRONG("a product of float8");
  if (status != SPW_OK) return WRONG("spw_semi_multiply_new: status %d, obstacle %d", (int)status, (int)why.product.obstacle);
  const char *wrong = NULL;
  for (int64_t i = 0; i < rows && !wrong; i++)
    for (int64_t j = 0; j < columns && !wrong; j++) {
      char expected[8];
      expect_element(s, column, x, s->plan->add ? c : NULL, left, i, j, expected);
      const char *const got = (const char *)spw_owned_tensor(owned)->values.data + (i * columns + j) * s->scalar;
      if (!scalar_same(s->dtype, expected, got, true))
        wrong = WRONG("element (%lld, %lld) of the product differs", (long long)i, (long long)j);
    }
  spw_owned_free(owned);
  return wrong;
}

/* ---- A damaged matrix --------------------------------------------------------------------------- */

static void change_word(subject *s, uint16_t *words, int64_t where, int64_t amount)
{
  if (s->metadata_bytes == 0) return;
  const int64_t at = where % (s->metadata_bytes / 2);
  words[at] = (uint16_t)(words[at] ^ amount);
}

static void grow(int64_t *number, int64_t amount)
{
  if (__builtin_add_overflow(*number, amount, number)) *number = amount < 0 ? INT64_MIN : INT64_MAX;
}

static void damage(subject *s, spw_semi_view *v, uint16_t *words)
{
  const semi_plan *const p = s->plan;
  spw_array *const a = p->where % 2 ? &v->semi.packed.array : &v->semi.metadata.array;
  int64_t *const numbers = v->numbers + (p->where % 2 ? 0 : 4);
  switch (p->damage) {
  case 1: change_word(s, words, p->where, p->amount); break;
  case 2:
    change_word(s, words, p->where, p->amount);
    change_word(s, words, p->where / 7, (int64_t)((uint64_t)p->amount * 5));
    break;
  case 3: grow(&v->semi.rows, p->amount); break;
  case 4: grow(&v->semi.columns, p->amount); break;
  case 5: a->dtype = (spw_dtype)(1 + (uint64_t)p->amount % 14); break;
  case 6: v->semi.dtype = (spw_dtype)((uint64_t)p->amount % 15); break;
  case 7: grow(&numbers[p->where / 2 % 2], p->amount); break;
  case 8: grow(&numbers[2 + p->where / 2 % 2], p->amount); break;
  case 9: grow(&a->offset, p->amount); break;
  case 10: a->length -= p->amount < 0 ? 0 : p->amount < a->length ? p->amount : a->length; break;
  case 11: v->semi.order = (spw_semi_order)((uint64_t)p->amount % SPW_SEMI_ORDER_COUNT); break;
  default: break;
  }
  if (p->damage == 9 || p->damage == 8) a->length = p->amount % 3 == 0 ? INT64_MAX : a->length;
}

/* Where the members would be read beyond their memory, the report is asked for at the level that reads nothing. */
static bool reaches_beyond(const spw_semi *semi, const subject *s)
{
  return semi->metadata.array.length > s->metadata_bytes / (semi_codes(s->dtype) / 2) ||
         semi->packed.array.length > s->packed_bytes / s->scalar;
}

static const char *compare_reports(const spw_semi_report *a, const spw_semi_report *b)
{
  if (a->valid != b->valid) return WRONG("the verdict is %d, not %d", a->valid, b->valid);
  for (int n = 0; n < SPW_SEMI_RULE_COUNT; n++) {
    const spw_semi_finding *const f = &a->findings[n], *const g = &b->findings[n];
    const spw_semi_violation *const v = &f->first, *const w = &g->first;
    if (f->state != g->state || f->count != g->count)
      return WRONG("rule 7.%d: state %d and count %lld, not %d and %lld", n + 1, (int)f->state, (long long)f->count,
                   (int)g->state, (long long)g->count);
    if (f->state == SPW_VIOLATED && (v->rule != w->rule || v->member != w->member || v->row != w->row || v->column != w->column ||
                                     v->group != w->group || v->at_row != w->at_row || v->at_column != w->at_column ||
                                     v->lhs != w->lhs || v->rhs != w->rhs))
      return WRONG("rule 7.%d is violated at %lld, %lld, %lld (%lld, %lld) by %lld and %lld; at %lld, %lld, %lld (%lld, %lld) by "
                   "%lld and %lld", n + 1, (long long)v->row, (long long)v->column, (long long)v->group, (long long)v->at_row,
                   (long long)v->at_column, (long long)v->lhs, (long long)v->rhs, (long long)w->row, (long long)w->column,
                   (long long)w->group, (long long)w->at_row, (long long)w->at_column, (long long)w->lhs, (long long)w->rhs);
  }
  return NULL;
}

static const char *try_damaged(subject *s)
{
  spw_semi_view v;
  spw_semi_report report, expected;
  uint16_t *const words = take(&s->memory, s->metadata_bytes);
  if (s->metadata_bytes > 0) memcpy(words, s->metadata, (size_t)s->metadata_bytes);
  spw_semi_of(&v, s->order, s->rows, s->columns, s->dtype, s->packed, words);
  damage(s, &v, words);
  const spw_level level = reaches_beyond(&v.semi, s) ? SPW_SHAPE : SPW_CANONICAL;
  const spw_status status = spw_semi_check(&v.semi, level, &report);
  if (status != SPW_OK) return v.semi.metadata.array.length < 0 ? NULL : WRONG("spw_semi_check: status %d", (int)status);
  semi_expected_check(&v.semi, level, &expected);
  const char *const wrong = compare_reports(&report, &expected);
  if (wrong || report.valid || level == SPW_SHAPE) return wrong;
  spw_semi_refusal why = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
  char *const values = take(&s->memory, s->count * s->scalar);
  if (spw_semi_decode(&v.semi, values, &why) != SPW_EINVALID || why.obstacle != SPW_SEMI_OBSTACLE_RULE)
    return WRONG("an invalid matrix is decoded");
  EXPECT_UNTOUCHED(values, s->count * s->scalar);
  for (int n = 0; n < SPW_SEMI_RULE_COUNT; n++) {
    if (report.findings[n].state != SPW_VIOLATED) continue;
    return why.violation.rule == (spw_semi_rule)n ? NULL : WRONG("the refusal names rule 7.%d", (int)why.violation.rule + 1);
  }
  return NULL;
}

/* ---- All ---------------------------------------------------------------------------------------- */

static const char *try_encoded(subject *s)
{
  spw_semi_view view;
  const spw_semi *const semi = spw_semi_of(&view, s->order, s->rows, s->columns, s->dtype, s->packed, s->metadata);
  int64_t *const column = malloc((size_t)(s->count / 2 + 1) * sizeof *column);
  stored_columns(s, column);
  const char *wrong = try_decode(s, semi);
  if (!wrong) wrong = try_reorder(s, semi);
  if (!wrong) wrong = try_transpose(s, semi);
  if (!wrong) wrong = try_csr(s, semi, column);
  if (!wrong) wrong = try_mask(s, semi, column);
  if (!wrong) wrong = try_product(s, semi, column);
  if (!wrong && s->count < 2000) wrong = try_file(s, semi, s->plan->side);
  if (!wrong) wrong = try_damaged(s);
  free(column);
  return wrong;
}

const char *attempt_semi(const semi_plan *plan, bool *encoded)
{
  subject s;
  set_up(&s, plan);
  const char *wrong = try_encode(&s, s.dense, &s.tensor, plan->bits, true, encoded);
  if (!wrong && *encoded) wrong = try_encoded(&s);
  if (!wrong) wrong = try_prune(&s);
  const char *const beside = look_at_fences(&s.memory);
  return wrong ? wrong : beside;
}
