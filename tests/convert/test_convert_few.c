/* SPDX-License-Identifier: Apache-2.0 */
/* Dense arrays of which few elements are stored, and whose rows are longer than what is skipped at a time. */
#include "../../src/sparsewright.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { ROWS = 23, COLUMNS_MAX = 131 };

static uint64_t next_random(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  return z ^ (z >> 31);
}

/* Zeros of both signs, and one in `rarity` another number: whether it is stored. */
static bool draw(uint64_t *state, int64_t rarity, double *number)
{
  const double numbers[] = {1.5, -2, (double)NAN, (double)INFINITY, 1e-30};
  const bool stored = next_random(state) % (uint64_t)rarity == 0;
  *number = stored ? numbers[next_random(state) % 5] : next_random(state) % 2 ? -0.0 : 0.0;
  return stored;
}

static void expect_csr(int64_t columns, int64_t rarity, bool single, uint64_t seed)
{
  static double doubles[ROWS * COLUMNS_MAX];
  static float singles[ROWS * COLUMNS_MAX];
  int64_t place[ROWS * COLUMNS_MAX], n = 0;
  for (int64_t k = 0; k < ROWS * columns; k++) {
    if (draw(&seed, rarity, &doubles[k])) place[n++] = k;
    singles[k] = (float)doubles[k];
  }
  const int64_t size[2] = {ROWS, columns}, strides[2] = {columns, 1};
  spw_tensor t = {.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE};
  t.values.array = (spw_array){single ? SPW_FLOAT32 : SPW_FLOAT64, 2, size, strides, 0, ROWS * columns};
  t.values.data = single ? (const void *)singles : doubles;
  const spw_conversion wanted = {.layout = SPW_CSR, .batch_dims = -1, .dense_dims = -1, .index_dtype = SPW_INT32};
  spw_owned *owned = NULL;
  cr_assert(spw_convert_new(&t, &wanted, 0, &owned, NULL) == SPW_OK);
  const spw_tensor *csr = spw_owned_tensor(owned);
  cr_assert(csr->plain.array.length == n, "%lld elements, and not %lld", (long long)csr->plain.array.length, (long long)n);
  int64_t line = 0;
  for (int64_t k = 0; k < n; k++) {
    while (csr->compressed.i32[line + 1] <= k) line++;
    const int64_t at = line * columns + csr->plain.i32[k];
    cr_assert(at == place[k], "element %lld: at %lld, and not %lld", (long long)k, (long long)at, (long long)place[k]);
    const char *value = (const char *)csr->values.data + k * (single ? 4 : 8);
    cr_assert(memcmp(value, single ? (const void *)&singles[at] : &doubles[at], single ? 4 : 8) == 0);
  }
  cr_assert(csr->compressed.i32[ROWS] == n);
  spw_owned_free(owned);
}

Test(convert_few, csr_of_a_dense_array)
{
  for (int64_t columns = 1; columns <= COLUMNS_MAX; columns += 5)
    for (int64_t rarity = 1; rarity <= 625; rarity *= 5)
      for (uint64_t seed = 0; seed < 10; seed++) {
        expect_csr(columns, rarity, false, seed);
        expect_csr(columns, rarity, true, seed);
      }
}
