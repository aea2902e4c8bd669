/* SPDX-License-Identifier: Apache-2.0 */
/* The building blocks of the kernels, each against a plain loop, in many schedules. */
#include "../../tests/operands/specimen.h"
#include "../kernels/check.h"
#include "../kernels/histogram.h"
#include "../kernels/reduce.h"
#include "../kernels/scan.h"
#include "../kernels/sort.h"
#include "../kernels/words.h"

#include "suite.h"
#include <stdlib.h>
#include <string.h>

/* A stage that may begin: a check has found its tensor valid. */
typedef struct stage_memory {
  spw_check_memory checked;
  spw_stages stages;
} stage_memory;

static spw_stage stage_in(stage_memory *memory)
{
  memset(memory, 0xff, sizeof *memory);
  memory->checked.word = SPW_WORD_VALID;
  return (spw_stage){&memory->checked, &memory->stages, 0};
}

static int launch(const spw_engine_kernel *kernel, const void *arguments, unsigned blocks,
                  unsigned threads, size_t dynamic, uint64_t seed)
{
  return spw_engine_launch(kernel, arguments, (spw_dim3){blocks, 1, 1}, (spw_dim3){threads, 1, 1},
                           dynamic, (spw_engine_schedule){.seed = seed});
}

typedef struct words {
  const spw_word *in;
  spw_word *out; /* per block: block minimum and sum, then for each warp minimum and sum */
} words;

SPW_KERNEL(reductions, words)
{
  SPW_SHARED(spw_word, shared, 33);
  const spw_word value = a->in[blockIdx.x * blockDim.x + threadIdx.x];
  spw_word *const out = a->out + blockIdx.x * 16;
  const unsigned warp = threadIdx.x / SPW_WARP_LANES;
  const spw_word warp_least = spw_warp_min(value), warp_sum = spw_warp_sum(value);
  if (SPW_LANE == 31) out[2 + 2 * warp] = warp_least, out[3 + 2 * warp] = warp_sum;
  const spw_word least = spw_block_min(value, shared);
  __syncthreads();
  const spw_word sum = spw_block_sum(value, shared);
  if (threadIdx.x == 0) out[0] = least, out[1] = sum;
}

static void reduce_plainly(const spw_word *in, unsigned n, spw_word *least, spw_word *sum)
{
  *least = ~(spw_word)0, *sum = 0;
  for (unsigned i = 0; i < n; i++) *sum += in[i], *least = in[i] < *least ? in[i] : *least;
}

Test(blocks, minimum_and_sum_of_warp_and_block)
{
  dice d = {1};
  for (uint64_t seed = 0; seed < 60; seed++) {
    const unsigned warps = 1 + (unsigned)(seed % 7), threads = warps * 32;
    spw_word in[3 * 7 * 32], out[3 * 16], least, sum;
    for (unsigned i = 0; i < 3 * threads; i++) in[i] = roll(&d) >> (seed % 60);
    const words a = {in, out};
    cr_assert_eq(launch(&reductions, &a, 3, threads, 0, seed), 0);
    for (unsigned b = 0; b < 3; b++) {
      reduce_plainly(in + b * threads, threads, &least, &sum);
      cr_assert(out[b * 16] == least && out[b * 16 + 1] == sum);
      for (unsigned w = 0; w < warps; w++) {
        reduce_plainly(in + b * threads + w * 32, 32, &least, &sum);
        cr_assert(out[b * 16 + 2 + 2 * w] == least && out[b * 16 + 3 + 2 * w] == sum);
      }
    }
  }
  spw_engine_release();
}

Test(blocks, running_sums)
{
  dice d = {2};
  for (uint64_t seed = 0; seed < 120; seed++) {
    const unsigned threads = 32 * (1 + (unsigned)(seed % 3));
    const int64_t n = 1 + roll_below(&d, 400 * SPW_SCAN_ITEMS);
    const unsigned blocks = 1 + (unsigned)roll_below(&d, 5);
    spw_word *const in = malloc((size_t)n * sizeof *in), *const out =
                                                             malloc((size_t)(n + 1) * sizeof *out);
    spw_word *const states = malloc((size_t)SPW_SCAN_STATES(n) * sizeof *states), expected = 0;
    stage_memory memory;
    memset(states, 0xff, (size_t)SPW_SCAN_STATES(n) * sizeof *states);
    for (int64_t i = 0; i < n; i++) in[i] = roll(&d) >> 20;
    const spw_scan a = {stage_in(&memory), in, out, n, states};
    cr_assert_eq(launch(&spw_scan_words, &a, blocks, threads, 0, seed), 0);
    cr_assert_eq(memory.stages.done, 0);
    for (int64_t i = 0; i <= n; i++) {
      cr_assert(out[i] == expected, "%lld", (long long)i);
      if (i < n) expected += in[i];
    }
    free(in), free(out), free(states);
  }
  spw_engine_release();
}

/* What other blocks have said at one time, in any order of theirs: more of them than lanes. */
typedef struct told {
  const spw_word *states;
  unsigned block;
  spw_word *sums; /* a lane each */
} told;

SPW_KERNEL(looks_back, told)
{
  a->sums[threadIdx.x] = spw_look_back(a->states, a->block);
}

Test(blocks, look_back_over_many_blocks)
{
  dice d = {4};
  for (uint64_t seed = 0; seed < 300; seed++) {
    const unsigned block = (unsigned)roll_below(&d, 140);
    spw_word *const states = malloc((block + 1) * sizeof *states), sums[32], before = 0;
    for (unsigned b = 0; b < block; b++) {
      const spw_word own = roll(&d) >> 20;
      const int all = b == 0 || roll_below(&d, 64) == 0;
      states[b] = all ? (before + own) | SPW_SCAN_ALL : own | SPW_SCAN_OWN;
      before += own;
    }
    const told a = {states, block, sums};
    cr_assert_eq(launch(&looks_back, &a, 1, 32, 0, seed), 0);
    for (int lane = 0; lane < 32; lane++) cr_assert_eq(sums[lane], before);
    free(states);
  }
  spw_engine_release();
}

/* Keys, and where each comes from. */
typedef struct sorting {
  spw_word *keys[2], *order[2], *counts, *starts, *states;
  int64_t n, tiles;
  stage_memory memory;
} sorting;

static spw_word *words_of(int64_t n)
{
  spw_word *const memory = malloc((size_t)(n ? n : 1) * sizeof *memory);
  if (!memory) abort();
  memset(memory, 0xff, (size_t)n * sizeof *memory);
  return memory;
}

static void make_keys(sorting *s, dice *d, int64_t n)
{
  const spw_word range = roll_below(d, 4) ? (spw_word)1 << roll_below(d, 31) : 2; /* and 48 bits in all */
  s->n = n, s->tiles = (n + SPW_SORT_TILE - 1) / SPW_SORT_TILE;
  for (int i = 0; i < 2; i++) s->keys[i] = words_of(n), s->order[i] = words_of(n);
  s->counts = words_of(s->tiles * SPW_SORT_DIGITS), s->starts = words_of(s->tiles * SPW_SORT_DIGITS + 1);
  s->states = words_of(SPW_SCAN_STATES(s->tiles * SPW_SORT_DIGITS));
  for (int64_t k = 0; k < n; k++) s->keys[0][k] = roll(d) % range * (roll_below(d, 3) ? 1 : 0x10001);
}

/* Pass number `pass`: from one pair of arrays to the other. */
static void sort_pass(sorting *s, int pass, unsigned blocks, unsigned threads, uint64_t seed)
{
  const int from = pass % 2, to = 1 - from;
  const int64_t digits = s->tiles * SPW_SORT_DIGITS;
  spw_stage stage = stage_in(&s->memory);
  spw_sorting a = {stage, s->keys[from], pass ? s->order[from] : NULL, s->keys[to], s->order[to], s->counts, s->starts,
                   s->n, s->tiles, (unsigned)pass * SPW_SORT_BITS};
  cr_assert_eq(launch(&spw_count_digits, &a, blocks, threads, 0, seed), 0);
  stage.number++;
  memset(s->states, 0xff, (size_t)SPW_SCAN_STATES(digits) * sizeof *s->states);
  const spw_scan sums = {stage, s->counts, s->starts, digits, s->states};
  cr_assert_eq(launch(&spw_scan_words, &sums, blocks, threads, 0, seed + 1), 0);
  a.stage.number = 2;
  cr_assert_eq(launch(&spw_scatter_digits, &a, blocks, threads, 0, seed + 2), 0);
  cr_assert_eq(s->memory.stages.done, 2);
}

Test(blocks, sorts)
{
  dice d = {7};
  for (uint64_t seed = 0; seed < 24; seed++) {
    const int64_t n = 1 + roll_below(&d, seed % 3 ? 300 : 3 * SPW_SORT_TILE);
    const unsigned threads = 32 * (1 + (unsigned)(seed % 5)), blocks = 1 + (unsigned)roll_below(&d, 3);
    sorting s;
    make_keys(&s, &d, n);
    spw_word *const keys = words_of(n);
    memcpy(keys, s.keys[0], (size_t)n * sizeof *keys);
    for (int pass = 0; pass < 6; pass++) sort_pass(&s, pass, blocks, threads, 100 * seed);
    for (int64_t k = 0; k < n; k++) { /* every element once, in order of keys, and of equal ones in order */
      cr_assert(s.order[0][k] < (spw_word)n && s.keys[0][k] == keys[s.order[0][k]]);
      if (k > 0)
        cr_assert(s.keys[0][k - 1] < s.keys[0][k] ||
                  (s.keys[0][k - 1] == s.keys[0][k] && s.order[0][k - 1] < s.order[0][k]));
    }
    for (int i = 0; i < 2; i++) free(s.keys[i]), free(s.order[i]);
    free(keys), free(s.counts), free(s.starts), free(s.states);
  }
  spw_engine_release();
}

Test(blocks, histogram)
{
  dice d = {3};
  for (uint64_t seed = 0; seed < 60; seed++) {
    int32_t values[500];
    const int64_t n = roll_below(&d, 500);
    const unsigned bins = 1 + (unsigned)roll_below(&d, 40);
    spw_word counts[40] = {0}, expected[40] = {0};
    for (int64_t i = 0; i < n; i++) {
      values[i] = (int32_t)(roll_below(&d, 9) ? roll_below(&d, bins) : roll_extreme(&d));
      if (values[i] >= 0 && values[i] < (int32_t)bins) expected[values[i]]++;
    }
    const spw_histogram a = {values, n, bins, counts};
    cr_assert_eq(launch(&spw_count_values, &a, 3, 64, bins * sizeof(unsigned), seed), 0);
    cr_assert_eq(memcmp(counts, expected, sizeof counts), 0);
  }
  spw_engine_release();
}

/* ---- Row starts and shares: any contents, not only sorted ones
 * ---------------------------------- */

typedef struct rows {
  const int64_t *c;
  int64_t offsets, nse, tile, from;
  unsigned *marks;  /* one warp */
  int64_t *reached; /* the first offset behind the tile */
  int64_t *splits;  /* of every diagonal */
} rows;

SPW_KERNEL(marks_of_tile, rows)
{
  SPW_SHARED(unsigned, marks, 4);
  if (SPW_LANE < 4) marks[SPW_LANE] = 0;
  __syncwarp(SPW_ALL_LANES);
  int64_t reached = a->from;
  unsigned marked;
  do {
    const int64_t i = reached + SPW_LANE;
    marked = spw_mark_row_starts_i64(i < a->offsets, i < a->offsets ? a->c[i] : 0, a->tile, 128, marks);
    reached += marked;
  } while (marked == SPW_WARP_LANES);
  __syncwarp(SPW_ALL_LANES);
  if (SPW_LANE < 4) a->marks[SPW_LANE] = marks[SPW_LANE];
  if (SPW_LANE == 0) *a->reached = reached;
}

Test(blocks, row_starts_of_a_tile)
{
  dice d = {4};
  for (uint64_t seed = 0; seed < 300; seed++) {
    const int64_t offsets = 1 + roll_below(&d, 120), tile = roll_below(&d, 200) - 3,
                  from = roll_below(&d, offsets + 1);
    int64_t *const c = malloc((size_t)offsets * sizeof *c), last = 0, reached = -1;
    unsigned marks[4], expected[4] = {0};
    for (int64_t i = 0; i < offsets; i++)
      c[i] = last = seed % 3            ? last + roll_below(&d, 6)
                    : roll_below(&d, 3) ? 3 * i
                                        : roll_extreme(&d);
    int64_t i = from;
    for (; i < offsets && c[i] < tile + 128; i++)
      if (c[i] >= tile) expected[(c[i] - tile) / 32] |= 1u << (c[i] - tile) % 32;
    const rows a = {c, offsets, 0, tile, from, marks, &reached, NULL};
    cr_assert_eq(launch(&marks_of_tile, &a, 1, 32, 0, seed), 0);
    cr_assert_eq(reached, i);
    cr_assert_eq(memcmp(marks, expected, sizeof marks), 0);
    free(c);
  }
  spw_engine_release();
}

SPW_KERNEL(all_splits, rows)
{
  for (int64_t diagonal = 0; diagonal <= a->offsets + a->nse; diagonal++) {
    const int64_t split = spw_split_i64(a->c, a->offsets, a->nse, diagonal);
    if (SPW_LANE == 0) a->splits[diagonal] = split;
  }
}

/* The sequence of offsets and elements, merged one by one. */
static int64_t split_plainly(const int64_t *c, int64_t offsets, int64_t nse, int64_t diagonal)
{
  int64_t i = 0, k = 0;
  while (i + k < diagonal)
    if (i < offsets && (k == nse || c[i] <= k)) i++;
    else k++;
  return i;
}

Test(blocks, equal_shares)
{
  dice d = {5};
  for (uint64_t seed = 0; seed < 60; seed++) {
    const int64_t offsets = 1 + roll_below(&d, seed % 4 ? 20 : 150), nse = roll_below(&d, 100);
    int64_t *const c = malloc((size_t)offsets * sizeof *c);
    int64_t *const splits = malloc((size_t)(offsets + nse + 1) * sizeof *splits);
    const bool sorted = seed % 3;
    c[0] = 0;
    for (int64_t i = 1; i < offsets; i++)
      c[i] = sorted ? c[i - 1] + roll_below(&d, 3) * roll_below(&d, 8) : roll_extreme(&d);
    const rows a = {c, offsets, nse, 0, 0, NULL, NULL, splits};
    cr_assert_eq(launch(&all_splits, &a, 1, 32, 0, seed), 0);
    for (int64_t diagonal = 0; diagonal <= offsets + nse; diagonal++) {
      cr_assert(splits[diagonal] >= 0 && splits[diagonal] <= offsets);
      cr_assert(diagonal - splits[diagonal] >= 0 && diagonal - splits[diagonal] <= nse);
      if (sorted) cr_assert_eq(splits[diagonal], split_plainly(c, offsets, nse, diagonal));
    }
    free(c), free(splits);
  }
  spw_engine_release();
}

Test(blocks, shares_cover_everything_once)
{
  dice d = {6};
  for (int times = 0; times < 2000; times++) {
    const int64_t items =
        roll_below(&d, 3) ? roll_below(&d, 100) : (int64_t)1 << roll_below(&d, 60);
    const int64_t shares = 1 + roll_below(&d, 300);
    int64_t end = 0;
    for (int64_t s = 0; s < shares; s++) {
      const spw_part part = spw_share_of(items, shares, s);
      cr_assert(part.begin == end && part.end >= end &&
                part.end - part.begin <= items / shares + 1);
      end = part.end;
    }
    cr_assert_eq(end, items);
  }
}

Test(blocks, differences_saturate)
{
  cr_assert_eq(spw_difference(5, 7), -2);
  cr_assert_eq(spw_difference(INT64_MAX, -1), INT64_MAX);
  cr_assert_eq(spw_difference(INT64_MIN, 1), INT64_MIN);
  cr_assert_eq(spw_difference(INT64_MIN, INT64_MAX), INT64_MIN);
  cr_assert_eq(spw_difference(0, INT64_MIN), INT64_MAX);
  cr_assert_eq(spw_difference(-1, INT64_MIN), INT64_MAX);
}

/* Differences that int64 cannot hold are told as the nearest that it can. */
Test(blocks, differences)
{
  static const int64_t numbers[] = {INT64_MIN, INT64_MIN + 1, -2, -1, 0, 1, 2, INT64_MAX - 1, INT64_MAX};
  enum { N = sizeof numbers / sizeof *numbers };
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int64_t expected;
      if (__builtin_sub_overflow(numbers[i], numbers[j], &expected))
        expected = numbers[i] < numbers[j] ? INT64_MIN : INT64_MAX;
      cr_assert_eq(spw_difference(numbers[i], numbers[j]), expected);
    }
}
