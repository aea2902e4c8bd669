/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of more than 2^31 elements: the index arrays are mappings of which hardly a page is touched,
 * and of each grid only the blocks run whose part is looked at. */
#define _GNU_SOURCE
#include "../check/plan.h"
#include "../kernels/check.h"

#include "suite.h"
#include <string.h>
#include <sys/mman.h>

enum { THREADS = 64, ROWS = 8 };
static const int64_t LENGTH = ((int64_t)1 << 29) + 12345, NSE = ROWS * (((int64_t)1 << 29) + 12345);
static const uint64_t BLOCKS = (uint64_t)1 << 22; /* so that a warp has about 500 elements */

static int64_t *far_zeros(int64_t count)
{
  void *const memory = mmap(NULL, (size_t)count * sizeof(int64_t), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  cr_assert(memory != MAP_FAILED);
  return memory;
}

static spw_word after(const spw_engine_kernel *kernel, const void *arguments,
                      spw_check_memory *memory, uint64_t first, uint64_t some)
{
  memset(memory, SPW_KEY_NOT_RUN, sizeof *memory);
  cr_assert_eq(spw_engine_launch(kernel, arguments, (spw_dim3){(unsigned)BLOCKS, 1, 1},
                                 (spw_dim3){THREADS, 1, 1}, 0,
                                 (spw_engine_schedule){.seed = 1, .first = first, .some = some}),
               SPW_ENGINE_OK);
  cr_assert_eq(memory->word, SPW_WORD_NOT_RUN); /* no word of a grid that did not run to its end */
  return memory->least;
}

/* The block whose share of `items` has this one. */
static uint64_t block_of(int64_t item, int64_t items)
{
  const int64_t warps = (int64_t)BLOCKS * (THREADS / 32), each = items / warps, more = items % warps;
  const int64_t warp = item < more * (each + 1) ? item / (each + 1) : (item - more) / each;
  return (uint64_t)warp / (THREADS / 32);
}

/* A wrong element is suspect to its own block and to no other, and the search names its place. */
Test(far, compressed)
{
  int64_t c[ROWS + 1], *const p = far_zeros(NSE);
  for (int i = 0; i <= ROWS; i++) c[i] = i * LENGTH;
  const int64_t size[] = {ROWS, LENGTH}, c_shape[] = {ROWS + 1}, p_shape[] = {NSE}, one[] = {1};
  spw_tensor t = {
      .layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE};
  t.compressed = (spw_index_array){{SPW_INT64, 1, c_shape, one, 0, ROWS + 1}, NULL, c, NULL};
  t.plain = (spw_index_array){{SPW_INT64, 1, p_shape, one, 0, NSE}, NULL, p, NULL};
  t.values = (spw_value_array){{SPW_INT8, 1, p_shape, one, 0, NSE}, p};
  spw_check_plan plan;
  spw_check_memory memory;
  cr_assert_eq(spw_check_plan_make(&t, SPW_STRUCTURE, &plan), SPW_OK);
  spw_compressed_i64 a = plan.arguments.compressed_i64;
  a.memory = &memory;
  const int64_t places[] = {0, (int64_t)INT32_MAX + 1, ((int64_t)1 << 32) - 1, NSE - 1};
  for (int i = 0; i < 4; i++) {
    const int64_t k = places[i];
    int64_t row = k / LENGTH; /* so many offsets + 1 come before it */
    const uint64_t block = block_of(k + row + 1, NSE + ROWS + 1);
    const uint64_t first = block > 0 ? block - 1 : 0, last = block + 1 < BLOCKS ? block + 1 : block;
    cr_assert_eq(after(&spw_verdict_compressed_i64, &a, &memory, first, last - first + 1),
                 SPW_WORD_NONE);
    p[k] = i % 2 ? -1 : LENGTH;
    cr_assert_eq(after(&spw_verdict_compressed_i64, &a, &memory, block, 1),
                 SPW_WORD(SPW_KEY_SUSPECT, 0));
    const uint64_t other = block > 0 ? block - 1 : 1;
    cr_assert_eq(after(&spw_verdict_compressed_i64, &a, &memory, other, 1), SPW_WORD_NONE);
    const spw_key key = i % 2 ? SPW_KEY_5_4 : SPW_KEY_5_5;
    cr_assert_eq(after(&spw_find_compressed_i64, &a, &memory, block, 1), SPW_WORD(key, k));
    spw_violation v;
    cr_assert_eq(spw_check_plan_read(&plan, memory.least, 0, 0, &v), SPW_OK);
    cr_assert_eq(v.position, k);
    p[k] = 0;
  }
  munmap(p, (size_t)NSE * sizeof *p);
  spw_engine_release();
}

Test(far, coordinates)
{
  int64_t *const x = far_zeros(2 * NSE);
  const int64_t size[] = {1, 7}, shape[] = {2, NSE}, strides[] = {NSE, 1}, n[] = {NSE}, one[] = {1};
  spw_tensor t = {
      .layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NO};
  t.plain = (spw_index_array){{SPW_INT64, 2, shape, strides, 0, 2 * NSE}, NULL, x, NULL};
  t.values = (spw_value_array){{SPW_INT8, 1, n, one, 0, NSE}, x};
  spw_check_plan plan;
  spw_check_memory memory;
  cr_assert_eq(spw_check_plan_make(&t, SPW_CANONICAL, &plan), SPW_OK);
  spw_coordinates_i64 a = plan.arguments.coordinates_i64;
  a.memory = &memory;
  const int64_t places[] = {0, (int64_t)INT32_MAX + 1, NSE + 5, 2 * NSE - 1};
  const int64_t threads = (int64_t)BLOCKS * THREADS;
  for (int i = 0; i < 4; i++) {
    const int64_t at = places[i], k = at % NSE, vector = k / 2;
    const uint64_t block = (uint64_t)(vector % threads / THREADS), other = block ? block - 1 : 1;
    cr_assert_eq(after(&spw_verdict_coordinates_i64, &a, &memory, block, 1), SPW_WORD_NONE);
    x[at] = 7;
    cr_assert_eq(after(&spw_verdict_coordinates_i64, &a, &memory, block, 1),
                 SPW_WORD(SPW_KEY_SUSPECT, 0));
    cr_assert_eq(after(&spw_verdict_coordinates_i64, &a, &memory, other, 1), SPW_WORD_NONE);
    cr_assert_eq(after(&spw_find_coordinates_i64, &a, &memory, block, 1), SPW_WORD(SPW_KEY_6_6, at));
    x[at] = 0;
  }
  munmap(x, 2 * (size_t)NSE * sizeof *x);
  spw_engine_release();
}
