/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of conversions against their definitions, on all small inputs and on longer ones by chance. */
#include <criterion/criterion.h>

#include "../../src/convert/combine.h"
#include "../../src/convert/instances/unblock.h"
#include "../../src/convert/instances/move.h"
#include "../../src/convert/indices/offsets/rows.h"
#include "../../src/convert/instances/transpose.h"
#include "../../src/convert/count_blocks.h"
#include "../../src/convert/transpose_lines.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 40, ELEMENTS_MAX = 400, BLOCK_MAX = 5, CELLS_MAX = 12, CELL_MAX = 3 };

/* One batch of a compressed tensor; a line may have an index twice, in any order. */
typedef struct lines {
  int64_t major, minor_size, n, ptr[LINES_MAX + 1], minor[ELEMENTS_MAX];
} lines;

/* Payloads that differ in their lowest byte, and fill all others. */
static uint64_t payload(int64_t k)
{
  return (uint64_t)(k + 1) * 0x9e3779b97f4a7c15u;
}

#define SPW_TEMPLATE "../../tests/convert/rows_agree.inc"
#include "../../src/core/each_index_type.h"

#define SPW_VALUE_TEMPLATE "../../tests/convert/swap_agrees.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../src/core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

static int ascending(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

#define SPW_TEMPLATE "../../tests/convert/count_blocks_agree.inc"
#include "../../src/core/each_index_type.h"

#define SPW_VALUE_TEMPLATE "../../tests/convert/transpose_lines_agree.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../../src/core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE

#define SPW_VALUE_TEMPLATE "../../tests/convert/move_agrees.inc"
#include "../../src/core/each_value_width.h"

static void expect_swapped(const lines *in)
{
  swap_agrees_i32_u32(in);
  swap_agrees_i32_u64(in);
  swap_agrees_i64_u32(in);
  swap_agrees_i64_u64(in);
}

static void expect_rows(const lines *in)
{
  rows_agree_i32(in);
  rows_agree_i64(in);
}

static void expect_blocks(const lines *in)
{
  for (int64_t height = 1; height <= (in->n > 4 ? BLOCK_MAX : 3); height++) {
    for (int64_t width = 1; width <= (in->n > 4 ? BLOCK_MAX : 3); width++) {
      blocks_agree_i32_u32(in, height, width);
      blocks_agree_i32_u64(in, height, width);
      blocks_agree_i64_u32(in, height, width);
      blocks_agree_i64_u64(in, height, width);
    }
  }
}

/* `expect` of every division of up to 4 elements into up to 3 lines, with every minor index below 0 to 3. */
static int64_t all_small(void (*expect)(const lines *))
{
  int64_t count = 0;
  for (int64_t major = 0; major <= 3; major++) {
    for (int64_t minor_size = 0; minor_size <= 3; minor_size++) {
      for (int64_t n = 0; n <= (major && minor_size ? 4 : 0); n++) {
        int64_t contents = 1;
        for (int64_t k = 0; k < n; k++) contents *= minor_size;
        for (int64_t division = 0; division < 25; division++) { /* the two inner ends of lines */
          const int64_t a = division / 5, b = division % 5;
          if (a > b || b > n || (major < 3 && a > 0) || (major < 2 && b > 0)) continue;
          lines in = {major, minor_size, n, {0}, {0}};
          for (int64_t i = 1; i <= major; i++) in.ptr[i] = i == major ? n : i == major - 1 ? b : a;
          for (int64_t content = 0; content < contents; content++, count++) {
            int64_t rest = content;
            for (int64_t k = 0; k < n; k++, rest /= minor_size) in.minor[k] = rest % minor_size;
            expect(&in);
          }
        }
      }
    }
  }
  return count;
}

static uint64_t next_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

/* `expect` of long ones, so that slots are fetched ahead: lines of very different lengths. */
static void by_chance(void (*expect)(const lines *), uint64_t state, int rounds)
{
  for (int round = 0; round < rounds; round++) {
    lines in = {1 + (int64_t)(next_random(&state) % LINES_MAX), 1 + (int64_t)(next_random(&state) % LINES_MAX), 0, {0}, {0}};
    for (int64_t i = 0; i < in.major; i++) {
      const int64_t room = ELEMENTS_MAX - in.n, most = next_random(&state) % 3 ? 4 : 120;
      const int64_t length = (int64_t)(next_random(&state) % (uint64_t)most);
      for (int64_t k = 0; k < (length < room ? length : room); k++)
        in.minor[in.n++] = (int64_t)(next_random(&state) % (uint64_t)in.minor_size);
      in.ptr[i + 1] = in.n;
    }
    expect(&in);
  }
}

Test(convert_kernels, swap_all_small)
{
  cr_assert(all_small(expect_swapped) > 2000);
}

Test(convert_kernels, swap_long)
{
  by_chance(expect_swapped, 1, 300);
}

Test(convert_kernels, rows)
{
  cr_assert(all_small(expect_rows) > 2000);
  by_chance(expect_rows, 2, 300);
}

Test(convert_kernels, blocks)
{
  cr_assert(all_small(expect_blocks) > 2000);
  by_chance(expect_blocks, 3, 20);
}

/* Every map of up to 4 cells from up to 3, with two ways to say zeros; then a longer one. */
Test(convert_kernels, move)
{
  static const uint64_t beyond[] = {0, 1, 2, 3, UINT64_MAX};
  uint64_t from[CELLS_MAX];
  for (int64_t width = 1; width <= CELL_MAX; width++) {
    for (int64_t length = 0; length <= 3; length++) {
      for (int64_t n = 0; n <= 4; n++) {
        int64_t maps = 1;
        for (int64_t k = 0; k < n; k++) maps *= 5;
        for (int64_t map = 0; map < maps; map++) {
          int64_t rest = map;
          for (int64_t k = 0; k < n; k++, rest /= 5) from[k] = beyond[rest % 5];
          move_agrees_u8(from, n, length, width);
          move_agrees_u16(from, n, length, width);
          move_agrees_u32(from, n, length, width);
          move_agrees_u64(from, n, length, width);
        }
      }
    }
    for (int64_t k = 0; k < CELLS_MAX; k++) from[k] = (uint64_t)(k * 5 % 14);
    move_agrees_u8(from, CELLS_MAX, CELLS_MAX, width);
    move_agrees_u64(from, CELLS_MAX, CELLS_MAX, width);
  }
}

/* ---- Room to swap ---------------------------------------------------------------------------- */

enum { MANY = 450001, COLUMNS = 300007 };

static int64_t jumping(int64_t k)
{
  return (int64_t)(payload(k) % COLUMNS);
}

static int64_t walking(int64_t k)
{
  return k % COLUMNS;
}

static int64_t one_column(int64_t k)
{
  return k % 1;
}

/* Every band has elements of the last line too, and the last column is met. */
static int64_t jumping_to_the_end(int64_t k)
{
  return COLUMNS - 1 - jumping(k);
}

static void expect_swapped_lines(int64_t n, int64_t columns, int64_t (*number)(int64_t), const char *what)
{
  transpose_lines_agree_i32_u32(n, columns, number, what);
  transpose_lines_agree_i32_u64(n, columns, number, what);
  transpose_lines_agree_i64_u32(n, columns, number, what);
  transpose_lines_agree_i64_u64(n, columns, number, what);
}

Test(convert_kernels, swap_with_room)
{
  expect_swapped_lines(MANY, COLUMNS, jumping, "jumping");
  expect_swapped_lines(MANY, COLUMNS, jumping_to_the_end, "jumping to the end");
  expect_swapped_lines(MANY, COLUMNS, walking, "walking");
  expect_swapped_lines(MANY, 1, one_column, "one column");
  expect_swapped_lines(100, COLUMNS, jumping, "few");
}

/* ---- Blocks counted -------------------------------------------------------------------------- */

/* LINES_MAX lines of 9 ascending indices, `step` apart on average. */
static lines lines_of_steps(uint64_t seed, int64_t step)
{
  lines in = {.major = LINES_MAX, .n = 9 * LINES_MAX};
  for (int64_t i = 0; i <= LINES_MAX; i++) in.ptr[i] = 9 * i;
  for (int64_t k = 0; k < in.n; k++) {
    const int64_t on = 1 + (int64_t)(payload((int64_t)seed * 1000 + k) % (uint64_t)(2 * step));
    in.minor[k] = (k % 9 == 0 ? -1 : in.minor[k - 1]) + on;
    if (in.minor[k] >= in.minor_size) in.minor_size = in.minor[k] + 1;
  }
  return in;
}

/* Near and far: within a word of marks, in other words, and in windows that follow. */
Test(convert_kernels, count_blocks)
{
  const int64_t heights[] = {1, 2, 3, 4, 40}, widths[] = {1, 2, 3, 4, 8, 1000};
  for (int64_t step = 1; step < (int64_t)1 << 26; step *= 3)
    for (uint64_t seed = 0; seed < 20; seed++) {
      const lines in = lines_of_steps(seed, step);
      for (int h = 0; h < 5; h++)
        for (int w = 0; w < 6; w++) {
          count_blocks_agree_i32(&in, heights[h], widths[w]);
          count_blocks_agree_i64(&in, heights[h], widths[w]);
        }
    }
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Of one width: quiet NaNs with payloads, one that signals, and what it becomes; a number, an infinity, and the other one. */
typedef struct nans {
  spw_dtype dtype;
  uint64_t first, second, signals, quiet, one, infinity, other, none;
} nans;

static const nans of_types[] = {
    {SPW_FLOAT16, 0x7e05, 0xfe06, 0xfc07, 0xfe07, 0x3c00, 0x7c00, 0xfc00, 0x7e00},
    {SPW_BFLOAT16, 0x7fc5, 0xffc6, 0xff87, 0xffc7, 0x3f80, 0x7f80, 0xff80, 0x7fc0},
    {SPW_FLOAT32, 0x7fc00005, 0xffc00006, 0xff800007, 0xffc00007, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000},
    {SPW_FLOAT64, 0x7ff8000000000005, 0xfff8000000000006, 0xfff0000000000007, 0xfff8000000000007, 0x3ff0000000000000,
     0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000},
};

static void expect_sums(spw_dtype dtype, size_t width, uint64_t a, uint64_t b, uint64_t expected)
{
  const bool is_complex = dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128;
  for (int64_t n = 2; n <= 40; n += 2) {
    char sum[40 * 8], more[40 * 8];
    for (int64_t i = 0; i < n; i++) {
      memcpy(sum + (size_t)i * width, &a, width);
      memcpy(more + (size_t)i * width, &b, width);
    }
    spw_add_scalars(dtype, sum, more, is_complex ? n / 2 : n);
    for (int64_t i = 0; i < n; i++)
      cr_assert(memcmp(sum + (size_t)i * width, &expected, width) == 0, "type %d, scalar %d of %d: %llx + %llx is not %llx",
                (int)dtype, (int)i, (int)n, (unsigned long long)a, (unsigned long long)b, (unsigned long long)expected);
  }
}

static void expect_nans(spw_dtype dtype, const nans *of)
{
  const size_t width = (size_t)spw_dtype_size(of->dtype);
  expect_sums(dtype, width, of->first, of->second, of->first);
  expect_sums(dtype, width, of->second, of->first, of->second);
  expect_sums(dtype, width, of->signals, of->first, of->quiet);
  expect_sums(dtype, width, of->one, of->second, of->second);
  expect_sums(dtype, width, of->first, of->one, of->first);
  expect_sums(dtype, width, of->one, of->signals, of->quiet);
  expect_sums(dtype, width, of->infinity, of->other, of->none);
  expect_sums(dtype, width, of->infinity, of->one, of->infinity);
}

/* The bits of a sum that is no number are the same however many scalars are added at once. */
Test(convert_kernels, nans)
{
  for (size_t i = 0; i < sizeof of_types / sizeof *of_types; i++) expect_nans(of_types[i].dtype, &of_types[i]);
  expect_nans(SPW_COMPLEX64, &of_types[2]);
  expect_nans(SPW_COMPLEX128, &of_types[3]);
}
