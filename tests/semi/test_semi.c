/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4 matrices against the second implementation in tests/expected/semi_expected.c: all groups, all words, all orders. */
#include "../expected/semi_expected.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const spw_dtype types[] = {SPW_INT8, SPW_UINT8, SPW_FLOAT8_E4M3FN, SPW_FLOAT8_E5M2, SPW_FLOAT16, SPW_BFLOAT16,
                                  SPW_FLOAT32};
enum { TYPES = sizeof types / sizeof *types };

/* The type of the dense array of a type. */
static spw_dtype dense_type(spw_dtype dtype)
{
  return dtype == SPW_FLOAT8_E4M3FN || dtype == SPW_FLOAT8_E5M2 ? SPW_UINT8 : dtype;
}

static uint32_t draw(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static uint32_t some_nonzero(spw_dtype dtype, uint64_t *state)
{
  for (;;) {
    const uint32_t v = draw(state) * 2 + draw(state) % 2, cut = semi_scalar(dtype) == 4
      ? v : v & ((1u << 8 * semi_scalar(dtype)) - 1);
    if (!semi_is_zero(dtype, cut, false)) return cut;
  }
}

static const spw_tensor *dense_view(spw_view *view, spw_dtype dtype, int64_t rows, int64_t columns, const void *values)
{
  return spw_dense(view, rows, columns, dense_type(dtype), values);
}

/* Encoded by the library in an order, in memory of its own. */
typedef struct encoded {
  spw_semi_view view;
  spw_semi_room room;
  char *packed, *metadata;
} encoded;

static void make_room(encoded *e, spw_semi_order order, spw_dtype dtype, int64_t rows, int64_t columns)
{
  cr_assert_eq(spw_semi_size(order, dtype, rows, columns, &e->room), SPW_OK);
  const int64_t word = e->room.metadata_dtype == SPW_INT32 ? 4 : 2;
  e->packed = malloc((size_t)(e->room.packed * semi_scalar(dtype) + 1));
  e->metadata = malloc((size_t)(e->room.metadata * word + 1));
  memset(e->packed, 0xa5, (size_t)(e->room.packed * semi_scalar(dtype) + 1));
  memset(e->metadata, 0xa5, (size_t)(e->room.metadata * word + 1));
  spw_semi_of(&e->view, order, rows, columns, dtype, e->packed, e->metadata);
}

static void free_room(encoded *e)
{
  free(e->packed);
  free(e->metadata);
}

static int64_t metadata_bytes(const encoded *e)
{
  return e->room.metadata * (e->room.metadata_dtype == SPW_INT32 ? 4 : 2);
}

/* Both implementations encode and decode it alike, in all orders that its size allows. */
static void agrees(spw_dtype dtype, bool bits, int64_t rows, int64_t columns, const void *dense)
{
  const int scalar = semi_scalar(dtype);
  for (int order = 0; order < SPW_SEMI_ORDER_COUNT; order++) {
    spw_view view;
    encoded e, expected;
    spw_semi_refusal why;
    int64_t row, group;
    const spw_semi_request request = {(spw_semi_order)order, dtype, bits};
    spw_semi_room room;
    if (spw_semi_size((spw_semi_order)order, dtype, rows, columns, &room) != SPW_OK) continue;
    make_room(&e, (spw_semi_order)order, dtype, rows, columns);
    make_room(&expected, (spw_semi_order)order, dtype, rows, columns);
    const bool fits = semi_expected_encode(dtype, (spw_semi_order)order, bits, rows, columns, dense, expected.packed,
                                           expected.metadata, &row, &group);
    const spw_status status = spw_semi_encode(dense_view(&view, dtype, rows, columns, dense), &request, e.packed, e.metadata,
                                              &why);
    cr_assert_eq(status, fits ? SPW_OK : SPW_EINVALID, "%s: %d, %d", spw_semi_dtype_name(dtype), (int)status, fits);
    if (fits) {
      spw_semi_report report;
      cr_assert_arr_eq(e.packed, expected.packed, (size_t)(e.room.packed * scalar));
      cr_assert_arr_eq(e.metadata, expected.metadata, (size_t)metadata_bytes(&e));
      cr_assert_eq(spw_semi_check(&e.view.semi, SPW_CANONICAL, &report), SPW_OK);
      cr_assert(report.valid);
      char *const back = malloc((size_t)(rows * columns * scalar + 1)),
        *const twice = malloc((size_t)(rows * columns * scalar + 1));
      cr_assert_eq(spw_semi_decode(&e.view.semi, back, &why), SPW_OK);
      semi_expected_decode(dtype, (spw_semi_order)order, rows, columns, expected.packed, expected.metadata, twice);
      cr_assert_arr_eq(back, twice, (size_t)(rows * columns * scalar));
      for (int64_t i = 0; i < rows * columns; i++) {
        const uint32_t was = semi_element(dense, scalar, i), is = semi_element(back, scalar, i);
        cr_assert(was == is || (is == 0 && !bits && semi_is_zero(dtype, was, false)), "%lld: %x is not %x", (long long)i, is,
                  was);
      }
      free(back);
      free(twice);
    } else {
      cr_assert_eq(why.obstacle, SPW_SEMI_OBSTACLE_PATTERN);
      cr_assert(why.row == row && why.group == group);
      for (int64_t i = 0; i < e.room.packed * scalar; i++) cr_assert_eq(e.packed[i], (char)0xa5);
      for (int64_t i = 0; i < metadata_bytes(&e); i++) cr_assert_eq(e.metadata[i], (char)0xa5);
    }
    free_room(&e);
    free_room(&expected);
  }
}

/* Every pattern of zeros, -0.0 and others, in one group of every type. */
Test(semi, all_groups_of_every_type)
{
  uint64_t state = 1;
  for (int t = 0; t < TYPES; t++) {
    const int side = semi_group(types[t]), scalar = semi_scalar(types[t]), patterns = side == 4 ? 81 : 9;
    for (int pattern = 0; pattern < patterns; pattern++)
      for (int bits = 0; bits < 2; bits++) {
        _Alignas(4) char group[8];
        for (int i = 0, rest = pattern; i < side; i++, rest /= 3)
          semi_set_element(group, scalar, i, rest % 3 == 0 ? 0 : rest % 3 == 1
                           ? 1u << (8 * scalar - 1) : some_nonzero(types[t], &state));
        agrees(types[t], bits == 1, 1, side, group);
      }
  }
  expect_no_leaks();
}

/* Every word of metadata, in the first two orders: the checker and the decoder. */
Test(semi, all_words_of_metadata)
{
  for (int t = 0; t < TYPES; t++) {
    const spw_dtype dtype = types[t];
    const int codes = semi_codes(dtype), side = semi_group(dtype), scalar = semi_scalar(dtype);
    for (int order = 0; order <= SPW_SEMI_CUTLASS; order++) {
      const int64_t rows = order == 0 ? 1 : codes == 8 ? 16 : 32, columns = codes * side * (order == 0 ? 1 : 2);
      encoded e;
      make_room(&e, (spw_semi_order)order, dtype, rows, columns);
      for (int64_t i = 0; i < e.room.packed * scalar; i++) e.packed[i] = (char)(i * 7 + 1);
      memset(e.metadata, 0x44, (size_t)metadata_bytes(&e));
      _Alignas(4) char back[4096], expected[4096];
      const int64_t at = e.room.metadata / 2 * (codes / 2);
      for (unsigned word = 0; word < 65536; word++) {
        spw_semi_report report;
        unsigned illegal = 0;
        for (int i = 0; i < 4; i++) {
          const unsigned c = word >> (4 * i) & 15;
          illegal += side == 2 ? c != 4 && c != 14 : (c & 3) >= c >> 2;
        }
        e.metadata[at] = (char)word;
        e.metadata[at + 1] = (char)(word >> 8);
        cr_assert_eq(spw_semi_check(&e.view.semi, SPW_STRUCTURE, &report), SPW_OK);
        cr_assert_eq(report.valid, illegal == 0);
        cr_assert_eq(report.findings[SPW_SEMI_RULE_7_4].count, illegal);
        cr_assert_eq(spw_semi_decode(&e.view.semi, back, NULL), illegal == 0 ? SPW_OK : SPW_EINVALID);
        if (illegal > 0) continue;
        semi_expected_decode(dtype, (spw_semi_order)order, rows, columns, e.packed, e.metadata, expected);
        cr_assert_arr_eq(back, expected, (size_t)(rows * columns * scalar));
      }
      free_room(&e);
    }
  }
  expect_no_leaks();
}

/* Rows and columns that every order allows, for at least so many words of sixteen bits; their number in *halves. */
static void large_enough(spw_dtype dtype, spw_semi_order order, int64_t least, int64_t *rows, int64_t *columns, int64_t *halves)
{
  const int64_t word = semi_group(dtype) * semi_codes(dtype), blocks = order >= SPW_SEMI_SM90_1 ? (int64_t)order - 2 : 1;
  *columns = 4 * blocks * word;
  const int64_t row = 4 * blocks * (semi_codes(dtype) / 4);
  *rows = (least / row + 64) / 64 * 64;
  *halves = *rows * row;
}

/* Every word of sixteen bits in one matrix, in every order and of every type: the whole report. */
Test(semi, all_words_in_all_orders)
{
  for (int t = 0; t < TYPES; t++)
    for (int order = 0; order < SPW_SEMI_ORDER_COUNT; order++) {
      int64_t rows, columns, halves;
      spw_semi_view view;
      spw_semi_report report, expected;
      large_enough(types[t], (spw_semi_order)order, 65536, &rows, &columns, &halves);
      uint16_t *const words = malloc((size_t)halves * sizeof *words);
      char *const packed = calloc((size_t)(rows * columns / 2), 4);
      for (int64_t i = 0; i < halves; i++) words[i] = (uint16_t)(i < 65536 ? i : 0x4444);
      const spw_semi *const s = spw_semi_of(&view, (spw_semi_order)order, rows, columns, types[t], packed, words);
      cr_assert_eq(spw_semi_check(s, SPW_CANONICAL, &report), SPW_OK);
      semi_expected_check(s, SPW_CANONICAL, &expected);
      cr_assert_eq(report.valid, expected.valid);
      for (int n = 0; n < SPW_SEMI_RULE_COUNT; n++) {
        const spw_semi_finding *const a = &report.findings[n], *const b = &expected.findings[n];
        cr_assert(a->state == b->state && a->count == b->count, "7.%d, %s", n + 1, spw_semi_order_name((spw_semi_order)order));
        if (a->state != SPW_VIOLATED) continue;
        cr_assert(a->first.row == b->first.row && a->first.column == b->first.column && a->first.group == b->first.group);
        cr_assert(a->first.at_row == b->first.at_row && a->first.at_column == b->first.at_column && a->first.lhs == b->first.lhs);
      }
      free(words);
      free(packed);
    }
  expect_no_leaks();
}

/* Every legal word: decoded in every order, and as bits and back. */
Test(semi, all_legal_words_in_all_orders)
{
  static uint16_t legal[65536];
  for (int t = 0; t < TYPES; t++) {
    int64_t count = 0;
    for (unsigned word = 0; word < 65536; word++) {
      bool fine = true;
      for (int i = 0; i < 4; i++) {
        const unsigned c = word >> (4 * i) & 15;
        fine = fine && (semi_group(types[t]) == 2 ? c == 4 || c == 14 : (c & 3) < c >> 2);
      }
      if (fine) legal[count++] = (uint16_t)word;
    }
    for (int order = 0; order < SPW_SEMI_ORDER_COUNT; order++) {
      int64_t rows, columns, halves;
      spw_semi_view view;
      large_enough(types[t], (spw_semi_order)order, count, &rows, &columns, &halves);
      const int64_t bytes = rows * columns * semi_scalar(types[t]);
      uint16_t *const words = malloc((size_t)halves * 2), *const plain = malloc((size_t)halves * 2), *const back =
          malloc((size_t)halves * 2);
      uint8_t *const mask = malloc((size_t)(rows * columns / 8)), *const bits = malloc((size_t)(rows * columns / 8));
      char *const packed = malloc((size_t)bytes), *const one = malloc((size_t)bytes), *const two = malloc((size_t)bytes);
      for (int64_t i = 0; i < halves; i++) words[i] = legal[i % count];
      for (int64_t i = 0; i < bytes; i++) packed[i] = (char)(i * 7 + 1);
      const spw_semi *const s = spw_semi_of(&view, (spw_semi_order)order, rows, columns, types[t], packed, words);
      cr_assert_eq(spw_semi_decode(s, one, NULL), SPW_OK);
      semi_expected_decode(types[t], (spw_semi_order)order, rows, columns, packed, words, two);
      cr_assert_arr_eq(one, two, (size_t)bytes);
      cr_assert_eq(spw_semi_reorder(s, SPW_SEMI_PLAIN, plain, NULL), SPW_OK);
      cr_assert_eq(spw_semi_to_bitmask(s, mask, NULL), SPW_OK);
      semi_expected_mask(types[t], rows, columns, plain, bits);
      cr_assert_arr_eq(mask, bits, (size_t)(rows * columns / 8));
      cr_assert_eq(spw_semi_from_bitmask((spw_semi_order)order, types[t], rows, columns, mask, back, NULL), SPW_OK);
      cr_assert_arr_eq(back, words, (size_t)halves * 2);
      free(words), free(plain), free(back), free(mask), free(bits), free(packed), free(one), free(two);
    }
  }
  expect_no_leaks();
}

/* Every byte of a bitmask, and bits where there is no column. */
Test(semi, all_bytes_of_bitmasks)
{
  for (int t = 0; t < TYPES; t++) {
    const int side = semi_group(types[t]);
    for (unsigned byte = 0; byte < 256; byte++) {
      const uint8_t mask = (uint8_t)byte;
      uint16_t words[2] = {0xabcd, 0xabcd};
      int64_t bad = -1;
      spw_semi_refusal why;
      for (int g = 8 / side - 1; g >= 0; g--)
        if (__builtin_popcount(byte >> g * side & ((1u << side) - 1)) != side / 2) bad = g;
      const spw_status status = spw_semi_from_bitmask(SPW_SEMI_PLAIN, types[t], 1, 8, &mask, words, &why);
      cr_assert_eq(status, bad < 0 ? SPW_OK : SPW_EINVALID);
      if (bad < 0) continue;
      cr_assert(why.obstacle == SPW_SEMI_OBSTACLE_MASK && why.row == 0 && why.group == bad && words[0] == 0xabcd);
      cr_assert_eq(why.lhs, byte >> bad * side & ((1u << side) - 1));
    }
  }
  uint16_t words[2], x[4] = {0};
  spw_semi_refusal why;
  const uint8_t more[2] = {0x33, 0x13}, fine = 3;
  cr_assert_eq(spw_semi_from_bitmask(SPW_SEMI_PLAIN, SPW_FLOAT16, 1, 12, more, words, &why), SPW_EINVALID);
  cr_assert(why.obstacle == SPW_SEMI_OBSTACLE_MASK && why.row == 0 && why.group == -1 && why.lhs == 1);
  cr_assert_eq(spw_semi_from_bitmask((spw_semi_order)7, SPW_FLOAT16, 1, 4, &fine, words, &why), SPW_EINVAL);
  cr_assert_eq(spw_semi_from_bitmask(SPW_SEMI_PLAIN, SPW_FLOAT16, 1, 4, NULL, words, &why), SPW_EINVAL);
  cr_assert_eq(spw_semi_from_bitmask(SPW_SEMI_PLAIN, SPW_FLOAT64, 1, 4, &fine, words, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, SPW_SEMI_OBSTACLE_TYPE);
  cr_assert_eq(spw_semi_from_bitmask(SPW_SEMI_PLAIN, SPW_FLOAT16, 1, 6, &fine, words, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, SPW_SEMI_OBSTACLE_RULE);
  cr_assert_eq(spw_semi_from_bitmask(SPW_SEMI_PLAIN, SPW_FLOAT16, 1, 4, (uint8_t *)words, words, &why), SPW_ERANGE);
  cr_assert_eq(why.obstacle, SPW_SEMI_OBSTACLE_OVERLAP);
  spw_semi_view view;
  words[0] = 4;
  const spw_semi *const s = spw_semi_of(&view, SPW_SEMI_PLAIN, 1, 4, SPW_FLOAT16, x, words);
  cr_assert_eq(spw_semi_to_bitmask(s, NULL, &why), SPW_EINVAL);
  cr_assert_eq(spw_semi_to_bitmask(s, (uint8_t *)x + 3, &why), SPW_ERANGE);
  cr_assert_eq(spw_semi_to_bitmask(s, (uint8_t *)words, &why), SPW_ERANGE);
  words[0] = 5;
  cr_assert_eq(spw_semi_to_bitmask(s, (uint8_t *)words, &why), SPW_EINVALID);
}

/* Where CUTLASS 4 itself puts metadata for SM90: the bytes of fill_layoutE in sm90_sparse_config.inl, compiled for the CPU, of
 * matrices of 128 rows; and where compressed-tensors 0.9.4 puts words for Marlin. */
Test(semi, orders_of_other_libraries)
{
  static const struct {
    spw_semi_order order;
    spw_dtype dtype;
    int64_t columns, row, column, byte; /* column: of the matrix, in a byte of its own */
  } known[] = {{SPW_SEMI_SM90_1, SPW_FLOAT16, 256, 0, 16, 32}, {SPW_SEMI_SM90_1, SPW_FLOAT16, 256, 9, 32, 518},
               {SPW_SEMI_SM90_1, SPW_FLOAT16, 256, 0, 32, 512},       {SPW_SEMI_SM90_2, SPW_FLOAT16, 256, 9, 48, 78},
               {SPW_SEMI_SM90_3, SPW_FLOAT16, 288, 9, 56, 115},       {SPW_SEMI_SM90_4, SPW_FLOAT16, 256, 9, 40, 23},
               {SPW_SEMI_SM90_4, SPW_FLOAT16, 256, 0, 128, 2048},     {SPW_SEMI_SM90_1, SPW_INT8, 512, 9, 56, 79},
               {SPW_SEMI_SM90_2, SPW_INT8, 512, 9, 8, 145},           {SPW_SEMI_SM90_1, SPW_FLOAT32, 128, 9, 20, 519},
               {SPW_SEMI_SM90_4, SPW_FLOAT32, 128, 9, 12, 147},       {SPW_SEMI_SM90_2, SPW_FLOAT32, 128, 0, 32, 1024}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const int side = semi_group(known[i].dtype), codes = semi_codes(known[i].dtype);
    const int64_t n = known[i].columns / side / codes, word = known[i].column / side / codes;
    int64_t *const places = malloc((size_t)(128 * n) * sizeof *places);
    semi_expected_places(known[i].order, codes / 2, 128, n, places);
    cr_assert_eq(places[known[i].row * n + word] * (codes / 2) + known[i].column / side % codes / 2, known[i].byte, "%zu", i);
    free(places);
  }
  /* Row by row, of 64 x 2 words. */
  static const int64_t first_rows[] = {0, 2, 4, 6, 64, 66, 68, 70, 1, 3, 5, 7, 65, 67, 69, 71, 8, 10, 12, 14,
                                       72, 74, 76, 78, 9, 11, 13, 15, 73, 75, 77, 79, 16, 18, 20, 22, 80, 82, 84, 86};
  int64_t places[128];
  semi_expected_places(SPW_SEMI_MARLIN, 2, 64, 2, places);
  cr_assert_arr_eq(places, first_rows, sizeof first_rows);
}

/* A matrix of which every group has at most so many elements that are not zero. */
static char *some_matrix(spw_dtype dtype, int64_t rows, int64_t columns, int most, uint64_t *state)
{
  const int side = semi_group(dtype), scalar = semi_scalar(dtype);
  char *const x = calloc((size_t)(rows * columns * scalar + 1), 1);
  for (int64_t g = 0; g < rows * columns / side; g++)
    for (int i = 0; i < most; i++)
      if (draw(state) % 8 != 0) semi_set_element(x, scalar, g * side + (int64_t)(draw(state) % (uint32_t)side),
                                                 some_nonzero(dtype, state));
  for (int i = 0; i < 3 && rows * columns > 0; i++) {
    const int64_t at = draw(state) % (rows * columns);
    if (semi_element(x, scalar, at) == 0 && semi_scalar(dtype) > 1) semi_set_element(x, scalar, at, 1u << (8 * scalar - 1));
  }
  return x;
}

/* Sizes with and without slack, none at all, and longer than a chunk. */
Test(semi, matrices)
{
  static const int64_t sizes[][2] = {{0, 0}, {0, 64}, {32, 0}, {1, 4}, {3, 20}, {2, 36}, {5, 4 * 1024 + 12}, {32, 64}, {64, 128},
                                     {96, 192}, {64, 768}, {128, 1536}, {16, 4 * 1024 + 64}, {32, 2 * 4096 + 128}};
  uint64_t state = 5;
  for (int t = 0; t < TYPES; t++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      char *const x = some_matrix(types[t], sizes[s][0], sizes[s][1], semi_group(types[t]) / 2, &state);
      agrees(types[t], false, sizes[s][0], sizes[s][1], x);
      agrees(types[t], true, sizes[s][0], sizes[s][1], x);
      free(x);
      char *const full = some_matrix(types[t], sizes[s][0], sizes[s][1], 2, &state);
      if (sizes[s][0] * sizes[s][1] > 0) semi_set_element(full, semi_scalar(types[t]),
                                                          draw(&state) % (sizes[s][0] * sizes[s][1]), 1);
      agrees(types[t], false, sizes[s][0], sizes[s][1], full);
      free(full);
    }
  expect_no_leaks();
}

/* Other strides give the same. */
Test(semi, strides)
{
  enum { ROWS = 64, COLUMNS = 256 };
  uint64_t state = 9;
  for (int t = 0; t < TYPES; t++) {
    const spw_dtype dtype = types[t];
    const int scalar = semi_scalar(dtype);
    char *const x = some_matrix(dtype, ROWS, COLUMNS, semi_group(dtype) / 2, &state),
      *const turned = malloc((2 * ROWS * COLUMNS + 2) * 4);
    for (int64_t r = 0; r < ROWS; r++)
      for (int64_t c = 0; c < COLUMNS; c++)
        semi_set_element(turned, scalar, 3 + 2 * (c * ROWS + r), semi_element(x, scalar, r * COLUMNS + c));
    const int64_t shape[2] = {ROWS, COLUMNS}, strides[2] = {2, 2 * ROWS};
    spw_tensor s = {.layout = SPW_DENSE, .values = {{dense_type(dtype), 2, shape, strides, 3, 2 * ROWS * COLUMNS + 2}, turned}};
    for (int order = 0; order < SPW_SEMI_ORDER_COUNT; order++) {
      if (!semi_expected_fits(dtype, (spw_semi_order)order, ROWS, COLUMNS)) continue;
      spw_view view;
      encoded a, b;
      const spw_semi_request request = {(spw_semi_order)order, dtype, false};
      make_room(&a, (spw_semi_order)order, dtype, ROWS, COLUMNS);
      make_room(&b, (spw_semi_order)order, dtype, ROWS, COLUMNS);
      cr_assert_eq(spw_semi_encode(dense_view(&view, dtype, ROWS, COLUMNS, x), &request, a.packed, a.metadata, NULL), SPW_OK);
      cr_assert_eq(spw_semi_encode(&s, &request, b.packed, b.metadata, NULL), SPW_OK);
      cr_assert_arr_eq(a.packed, b.packed, (size_t)(a.room.packed * scalar));
      cr_assert_arr_eq(a.metadata, b.metadata, (size_t)metadata_bytes(&a));
      /* Packed rows with a gap between them. */
      char *const wide = malloc((size_t)(ROWS * (COLUMNS / 2 + 5) * scalar)), *const one = malloc(ROWS * COLUMNS * 4),
                 *const two = malloc(ROWS * COLUMNS * 4);
      for (int64_t r = 0; r < ROWS; r++)
        memcpy(wide + r * (COLUMNS / 2 + 5) * scalar, a.packed + r * (COLUMNS / 2) * scalar, (size_t)(COLUMNS / 2 * scalar));
      const int64_t apart[2] = {COLUMNS / 2 + 5, 1};
      b.view.semi.packed.data = wide;
      b.view.semi.packed.array.strides = apart;
      b.view.semi.packed.array.length = ROWS * (COLUMNS / 2 + 5);
      cr_assert_eq(spw_semi_decode(&a.view.semi, one, NULL), SPW_OK);
      cr_assert_eq(spw_semi_decode(&b.view.semi, two, NULL), SPW_OK);
      cr_assert_arr_eq(one, two, (size_t)(ROWS * COLUMNS * scalar));
      free(wide);
      free(one);
      free(two);
      free_room(&a);
      free_room(&b);
    }
    free(x);
    free(turned);
  }
  expect_no_leaks();
}

/* From every order to every other, and the same as encoding in that order. */
Test(semi, reordering)
{
  uint64_t state = 11;
  for (int t = 0; t < TYPES; t++)
    for (int64_t rows = 32; rows <= 128; rows += 32)
      for (int pair = 0; pair < 5 * SPW_SEMI_ORDER_COUNT; pair++) {
        static const int64_t widths[] = {64, 128, 192, 256, 768};
        const int64_t columns = widths[pair % 5];
        const spw_semi_order order = (spw_semi_order)(pair / 5);
        if (!semi_expected_fits(types[t], order, rows, columns)) continue;
        encoded plain, other, moved, back;
        spw_view view;
        spw_semi_request request = {SPW_SEMI_PLAIN, types[t], false};
        char *const x = some_matrix(types[t], rows, columns, semi_group(types[t]) / 2, &state);
        const spw_tensor *const dense = dense_view(&view, types[t], rows, columns, x);
        make_room(&plain, SPW_SEMI_PLAIN, types[t], rows, columns);
        make_room(&other, order, types[t], rows, columns);
        make_room(&moved, order, types[t], rows, columns);
        make_room(&back, SPW_SEMI_PLAIN, types[t], rows, columns);
        cr_assert_eq(spw_semi_encode(dense, &request, plain.packed, plain.metadata, NULL), SPW_OK);
        request.order = order;
        cr_assert_eq(spw_semi_encode(dense, &request, other.packed, other.metadata, NULL), SPW_OK);
        cr_assert_eq(spw_semi_reorder(&plain.view.semi, order, moved.metadata, NULL), SPW_OK);
        cr_assert_arr_eq(moved.metadata, other.metadata, (size_t)metadata_bytes(&other));
        for (int third = 1; third < SPW_SEMI_ORDER_COUNT; third++) {
          if (!semi_expected_fits(types[t], (spw_semi_order)third, rows, columns)) continue;
          int64_t row, group;
          cr_assert_eq(spw_semi_reorder(&other.view.semi, (spw_semi_order)third, back.metadata, NULL), SPW_OK);
          cr_assert(semi_expected_encode(types[t], (spw_semi_order)third, false, rows, columns, x, moved.packed, moved.metadata,
                                         &row, &group));
          cr_assert_arr_eq(back.metadata, moved.metadata, (size_t)metadata_bytes(&other));
        }
        cr_assert_eq(spw_semi_reorder(&other.view.semi, SPW_SEMI_PLAIN, back.metadata, NULL), SPW_OK);
        cr_assert_arr_eq(back.metadata, plain.metadata, (size_t)metadata_bytes(&plain));
        free_room(&plain);
        free_room(&other);
        free_room(&moved);
        free_room(&back);
        free(x);
      }
  expect_no_leaks();
}

static void prune_agrees(spw_dtype dtype, int64_t rows, int64_t columns, const char *x)
{
  const int64_t bytes = rows * columns * semi_scalar(dtype);
  char *const one = malloc((size_t)bytes + 1), *const two = malloc((size_t)bytes + 1);
  for (int pruning = 0; pruning < 2; pruning++) {
    spw_view view;
    if (pruning == SPW_SEMI_TILES && rows % semi_group(dtype) != 0) continue;
    cr_assert_eq(spw_semi_prune(dense_view(&view, dtype, rows, columns, x), (spw_semi_pruning)pruning, dtype, one, NULL), SPW_OK);
    semi_expected_prune(dtype, (spw_semi_pruning)pruning, rows, columns, x, two);
    cr_assert_arr_eq(one, two, (size_t)bytes, "%s, pruning %d", spw_semi_dtype_name(dtype), pruning);
    agrees(dtype, false, rows, columns, one);
  }
  free(one);
  free(two);
}

/* All groups of few different magnitudes, and random ones of all. */
Test(semi, pruning)
{
  uint64_t state = 13;
  for (int t = 0; t < TYPES; t++) {
    const int scalar = semi_scalar(types[t]);
    const uint32_t sign = 1u << (8 * scalar - 1), all = sign * 2 - 1, some[] = {0, sign, 1, sign | 1, 2, all, sign - 1, all - 1};
    char x[4096];
    for (int pattern = 0; pattern < 4096; pattern++) {
      for (int i = 0; i < 4; i++) semi_set_element(x, scalar, i, some[pattern >> (3 * i) & 7]);
      prune_agrees(types[t], 1, 4, x);
    }
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 8 * 16; i++)
        semi_set_element(x, scalar, i, draw(&state) % 4 == 0 ? some[draw(&state) % 8] : (draw(&state) * 2 +
                                                                                         draw(&state) % 2) & all);
      prune_agrees(types[t], 8, 16, x);
    }
  }
  expect_no_leaks();
}

/* The transpose of what tiles keep is what the second implementation encodes; others are refused. */
Test(semi, transposing)
{
  enum { ROWS = 64, COLUMNS = 128 };
  uint64_t state = 17;
  for (int t = 0; t < TYPES; t++) {
    const spw_dtype dtype = types[t];
    const int scalar = semi_scalar(dtype), side = semi_group(dtype);
    char *const x = some_matrix(dtype, ROWS, COLUMNS, side, &state), *const kept = malloc(ROWS * COLUMNS * 4),
               *const turned = calloc(ROWS * COLUMNS, 4);
    spw_view view;
    cr_assert_eq(spw_semi_prune(dense_view(&view, dtype, ROWS, COLUMNS, x), SPW_SEMI_TILES, dtype, kept, NULL), SPW_OK);
    for (int64_t r = 0; r < ROWS; r++)
      for (int64_t c = 0; c < COLUMNS; c++) {
        const uint32_t v = semi_element(kept, scalar, r * COLUMNS + c);
        semi_set_element(turned, scalar, c * ROWS + r, semi_is_zero(dtype, v, false) ? 0 : v);
      }
    for (int order = 0; order < SPW_SEMI_ORDER_COUNT * SPW_SEMI_ORDER_COUNT; order++) {
      const spw_semi_order from_order = (spw_semi_order)(order % SPW_SEMI_ORDER_COUNT);
      const spw_semi_order to_order = (spw_semi_order)(order / SPW_SEMI_ORDER_COUNT);
      if (!semi_expected_fits(dtype, from_order, ROWS, COLUMNS) || !semi_expected_fits(dtype, to_order, COLUMNS, ROWS)) continue;
      encoded from, to, expected;
      spw_semi_request request = {from_order, dtype, false};
      int64_t row, group;
      make_room(&from, from_order, dtype, ROWS, COLUMNS);
      make_room(&to, to_order, dtype, COLUMNS, ROWS);
      make_room(&expected, to_order, dtype, COLUMNS, ROWS);
      char *const plain = malloc(ROWS * COLUMNS * 4);
      for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        const uint32_t v = semi_element(kept, scalar, i);
        semi_set_element(plain, scalar, i, semi_is_zero(dtype, v, false) ? 0 : v);
      }
      cr_assert_eq(spw_semi_encode(dense_view(&view, dtype, ROWS, COLUMNS, plain), &request, from.packed, from.metadata, NULL),
                   SPW_OK);
      request.order = to_order;
      cr_assert_eq(spw_semi_transpose(&from.view.semi, &request, to.packed, to.metadata, NULL), SPW_OK);
      cr_assert(semi_expected_encode(dtype, request.order, false, COLUMNS, ROWS, turned, expected.packed, expected.metadata,
                                     &row, &group));
      cr_assert_arr_eq(to.packed, expected.packed, (size_t)(to.room.packed * scalar));
      cr_assert_arr_eq(to.metadata, expected.metadata, (size_t)metadata_bytes(&to));
      /* Three of a column. */
      char *const full = calloc(ROWS * COLUMNS, 4);
      spw_semi_refusal why;
      for (int64_t i = 0; i < side - 1 + (side == 2); i++) semi_set_element(full, scalar, (8 + i) * COLUMNS + 5, 1);
      request.order = from_order;
      cr_assert_eq(spw_semi_encode(dense_view(&view, dtype, ROWS, COLUMNS, full), &request, from.packed, from.metadata, NULL),
                   SPW_OK);
      memset(to.packed, 0x5a, (size_t)(to.room.packed * scalar));
      request.order = to_order;
      cr_assert_eq(spw_semi_transpose(&from.view.semi, &request, to.packed, to.metadata, &why), SPW_EINVALID);
      cr_assert(why.obstacle == SPW_SEMI_OBSTACLE_PATTERN && why.row == 5 && why.group == 8 / side);
      for (int64_t i = 0; i < to.room.packed * scalar; i++) cr_assert_eq(to.packed[i], 0x5a);
      cr_assert_arr_eq(to.metadata, expected.metadata, (size_t)metadata_bytes(&to));
      free(full);
      free(plain);
      free_room(&from);
      free_room(&to);
      free_room(&expected);
    }
    free(x);
    free(kept);
    free(turned);
  }
  expect_no_leaks();
}
