/* SPDX-License-Identifier: Apache-2.0 */
/* What proved functions require of the code that calls them, asserted at the call: `make SPW_ASSERT_REQUIRES=1`, as `make asan`
 * has it, links these functions between the two (--wrap). They see calls from one file to another. A clause is here if
 * it takes a time that the call takes, too. What AddressSanitizer knows of memory stands for \valid and \valid_read.
 * `proofs/asserted.py` names the functions that have none. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../src/check/fast/parts.h"
#include "../src/convert/indices/lookup/scalars_of.h"
#include "../src/convert/indices/offsets/rows.h"
#include "../src/convert/indices/sort/key_parts.h"
#include "../src/convert/indices/sort/order_cells.h"
#include "../src/convert/indices/sort/sort_cells.h"
#include "../src/core/entries.h"
#include "../src/core/size.h"
#include "../src/operand/overlap.h"
#include "../src/oracle/kernels/limbs.h"
#include "../src/semi/kernels/marlin.h"
#include "../src/semi/kernels/order.h"
#include "../src/semi/kernels/sm90.h"
#include "../src/semi/kernels/words.h"
#include "../src/sparsewright.h"
#include "../src/structure/certified/ready.h"
#include "../src/view/grid.h"
#include "../src/view/members.h"

#if defined __SANITIZE_ADDRESS__
#define KNOWS_MEMORY 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define KNOWS_MEMORY 1
#endif
#endif
#ifdef KNOWS_MEMORY
void *__asan_region_is_poisoned(void *from, size_t bytes);
#endif

static void require(bool holds, const char *function, const char *clause)
{
  if (holds) return;
  fprintf(stderr, "sparsewright: %s requires %s of its caller, and it does not hold\n", function, clause);
  abort();
}

static bool readable(const void *p, int64_t n, size_t size)
{
  if (n <= 0) return true;
  if (!p || (uint64_t)n > SIZE_MAX / size) return false;
#ifdef KNOWS_MEMORY
  return !__asan_region_is_poisoned((void *)(uintptr_t)p, (size_t)n * size);
#else
  return true;
#endif
}

/* n bytes and m others. */
static bool apart(const void *a, int64_t n, const void *b, int64_t m)
{
  return !spw_meet(spw_byte_range_of(a, n, 1), spw_byte_range_of(b, m, 1));
}

/* All n entries are at least `least`. */
static bool entries(const int64_t *a, int64_t n, int64_t least)
{
  if (n < 0 || n > SPW_NDIM_MAX || !readable(a, n, sizeof *a)) return false;
  for (int64_t i = 0; i < n; i++)
    if (a[i] < least) return false;
  return true;
}

/* reach(shape, strides, n), at most INT64_MAX. */
static bool reach(const int64_t *shape, const int64_t *strides, int64_t n, int64_t *all)
{
  int64_t step;
  *all = 0;
  for (int64_t i = 0; i < n; i++)
    if (__builtin_mul_overflow(shape[i] - 1, strides[i], &step) || __builtin_add_overflow(*all, step, all)) return false;
  return true;
}

#define REQUIRE(function, clause, holds) require(holds, #function, #clause)

/* Begins the function that stands between a caller and __real_NAME. */
#define WRAP(type, name, arguments) \
  type __real_##name arguments; \
  type __wrap_##name arguments; \
  type __wrap_##name arguments

/* ---- Sizes ------------------------------------------------------------------------------------- */

WRAP(int, spw_product_fits, (int64_t a, int64_t b, int64_t limit))
{
  REQUIRE(spw_product_fits, sign, a >= 0 && b >= 0 && limit >= 0);
  return __real_spw_product_fits(a, b, limit);
}

WRAP(int64_t, spw_mul_saturated, (int64_t a, int64_t b))
{
  REQUIRE(spw_mul_saturated, sign, a >= 0 && b >= 0);
  return __real_spw_mul_saturated(a, b);
}

WRAP(int64_t, spw_product, (const int64_t *shape, int64_t n))
{
  REQUIRE(spw_product, entries and sign, entries(shape, n, 0));
  return __real_spw_product(shape, n);
}

WRAP(int64_t, spw_position_of, (const int64_t *shape, const int64_t *strides, int64_t n, int64_t flat))
{
  int64_t all;
  REQUIRE(spw_position_of, entries and sign, entries(shape, n, 1) && entries(strides, n, 0) && flat >= 0);
  REQUIRE(spw_position_of, fits, reach(shape, strides, n, &all));
  return __real_spw_position_of(shape, strides, n, flat);
}

WRAP(int, spw_inside_storage, (const int64_t *shape, const int64_t *strides, int64_t n, int64_t offset, int64_t length))
{
  REQUIRE(spw_inside_storage, entries, entries(shape, n, 0) && entries(strides, n, INT64_MIN));
  REQUIRE(spw_inside_storage, sign, length >= 0);
  return __real_spw_inside_storage(shape, strides, n, offset, length);
}

WRAP(int, spw_entries_equal, (const int64_t *a, const int64_t *b, int64_t n))
{
  REQUIRE(spw_entries_equal, entries, entries(a, n, INT64_MIN) && entries(b, n, INT64_MIN));
  return __real_spw_entries_equal(a, b, n);
}

WRAP(spw_parts, spw_parts_of, (int64_t batches, int64_t C, int64_t nse))
{
  REQUIRE(spw_parts_of, sign, batches >= 0 && C >= 0 && nse >= 0);
  return __real_spw_parts_of(batches, C, nse);
}

/* ---- Batches ----------------------------------------------------------------------------------- */

WRAP(int64_t, spw_compressed_start, (spw_grid g, int64_t b))
{
  int64_t all, last;
  REQUIRE(spw_compressed_start, entries and sign, entries(g.shape, g.ndim, 1) && entries(g.c_strides, g.ndim, 0) && b >= 0);
  REQUIRE(spw_compressed_start, inside, g.c_offset >= 0 && reach(g.shape, g.c_strides, g.ndim, &all) &&
          !__builtin_add_overflow(g.c_offset, all, &last));
  return __real_spw_compressed_start(g, b);
}

WRAP(int64_t, spw_plain_start, (spw_grid g, int64_t b))
{
  int64_t all, last;
  REQUIRE(spw_plain_start, entries and sign, entries(g.shape, g.ndim, 1) && entries(g.p_strides, g.ndim, 0) && b >= 0);
  REQUIRE(spw_plain_start, inside, g.p_offset >= 0 && (g.nse <= 0 || (reach(g.shape, g.p_strides, g.ndim, &all) &&
          !__builtin_add_overflow(g.p_offset, all, &last))));
  return __real_spw_plain_start(g, b);
}

WRAP(int, spw_batches_shared, (spw_grid g))
{
  REQUIRE(spw_batches_shared, entries, entries(g.shape, g.ndim, INT64_MIN) && entries(g.c_strides, g.ndim, INT64_MIN) &&
          entries(g.p_strides, g.ndim, INT64_MIN));
  return __real_spw_batches_shared(g);
}

/* ---- Tensors ----------------------------------------------------------------------------------- */

static bool valid(const spw_tensor *t, spw_level level)
{
  bool holds = false;
  return readable(t, 1, sizeof *t) && spw_is_valid(t, level, &holds) == SPW_OK && holds;
}

WRAP(spw_grid, spw_grid_of, (const spw_tensor *t, int64_t batches, int64_t P))
{
  REQUIRE(spw_grid_of, readable and shape, t && t->layout >= SPW_CSR && t->layout <= SPW_BSC && valid(t, SPW_SHAPE));
  REQUIRE(spw_grid_of, batches, P >= 0 && batches == __real_spw_product(t->compressed.array.shape, t->compressed.array.ndim - 1));
  return __real_spw_grid_of(t, batches, P);
}

/* Not that elements lie inside their storage (3.14): the sizes of make and restructure ask about lists that have none yet. */
WRAP(spw_columns, spw_columns_of, (const spw_tensor *t))
{
  REQUIRE(spw_columns_of, shape, t && t->layout == SPW_COO && t->plain.array.ndim == 2 && entries(t->plain.array.shape, 2, 0) &&
          entries(t->plain.array.strides, 2, 0));
  return __real_spw_columns_of(t);
}

WRAP(int, spw_lies_in_order, (const spw_array *a))
{
  REQUIRE(spw_lies_in_order, readable, readable(a, 1, sizeof *a) && entries(a->shape, a->ndim, 0) &&
          entries(a->strides, a->ndim, INT64_MIN));
  return __real_spw_lies_in_order(a);
}

WRAP(int, spw_is_ready, (const spw_tensor *t))
{
  REQUIRE(spw_is_ready, valid, t && (t->layout == SPW_DENSE || valid(t, SPW_CANONICAL)));
  return __real_spw_is_ready(t);
}

#define SCALARS_OF(name, layouts) \
  spw_scalars __real_##name(const spw_tensor *t, int64_t run); \
  spw_scalars __wrap_##name(const spw_tensor *t, int64_t run); \
  spw_scalars __wrap_##name(const spw_tensor *t, int64_t run) \
  { \
    REQUIRE(name, readable and valid, t && (layouts) && t->has_size && valid(t, SPW_CANONICAL)); \
    REQUIRE(name, sizes, entries(t->size, t->ndim, 1) && run >= 1); \
    return __real_##name(t, run); \
  }
SCALARS_OF(spw_scalars_of_lines, t->layout >= SPW_CSR && t->layout <= SPW_BSC)
SCALARS_OF(spw_scalars_of_unordered, t->layout == SPW_COO)
SCALARS_OF(spw_scalars_of_list, t->layout == SPW_COO)

/* ---- Lines and cells --------------------------------------------------------------------------- */

#define EXPAND_ROWS(IDX, suffix) \
  void __real_spw_expand_rows_##suffix(const IDX *ptr, int64_t major, int64_t n, IDX *out_row); \
  void __wrap_spw_expand_rows_##suffix(const IDX *ptr, int64_t major, int64_t n, IDX *out_row); \
  void __wrap_spw_expand_rows_##suffix(const IDX *ptr, int64_t major, int64_t n, IDX *out_row) \
  { \
    bool lines = major >= 0 && n >= 0 && readable(ptr, major + 1, sizeof *ptr) && ptr[0] == 0 && ptr[major] == n; \
    for (int64_t i = 0; lines && i < major; i++) lines = ptr[i] <= ptr[i + 1]; \
    REQUIRE(spw_expand_rows_##suffix, sizes readable and lines, lines); \
    REQUIRE(spw_expand_rows_##suffix, writable, readable(out_row, n, sizeof *out_row)); \
    REQUIRE(spw_expand_rows_##suffix, apart, \
            apart(ptr, (major + 1) * (int64_t)sizeof *ptr, out_row, n * (int64_t)sizeof *out_row)); \
    __real_spw_expand_rows_##suffix(ptr, major, n, out_row); \
  }
EXPAND_ROWS(int32_t, i32)
EXPAND_ROWS(int64_t, i64)

WRAP(int, spw_cells_ascend, (const spw_cell *a, int64_t n))
{
  REQUIRE(spw_cells_ascend, cells, n >= 0 && readable(a, n, sizeof *a));
  return __real_spw_cells_ascend(a, n);
}

WRAP(int64_t, spw_count_keys, (const spw_cell *a, int64_t from, int64_t to))
{
  REQUIRE(spw_count_keys, cells, 0 <= from && from <= to && readable(a, to, sizeof *a));
  return __real_spw_count_keys(a, from, to);
}

WRAP(int, spw_order_cells, (spw_cell *a, spw_cell *b, int64_t n, int bits))
{
  bool keys = 0 <= bits && bits <= 64;
  REQUIRE(spw_order_cells, cells, n >= 0 && readable(a, n, sizeof *a) && readable(b, n, sizeof *b));
  REQUIRE(spw_order_cells, apart, apart(a, n * (int64_t)sizeof *a, b, n * (int64_t)sizeof *b));
  for (int64_t k = 0; keys && bits < 64 && k < n; k++) keys = a[k].key >> bits == 0;
  REQUIRE(spw_order_cells, keys, keys);
  return __real_spw_order_cells(a, b, n, bits);
}

/* ---- Large integers ---------------------------------------------------------------------------- */

WRAP(uint32_t, spw_limbs_add, (uint32_t *sum, int64_t n, const uint32_t *digits, int64_t count))
{
  REQUIRE(spw_limbs_add, numbers, 0 <= count && count <= n && readable(sum, n, 4) && readable(digits, count, 4));
  REQUIRE(spw_limbs_add, apart, apart(sum, 4 * n, digits, 4 * count));
  return __real_spw_limbs_add(sum, n, digits, count);
}

WRAP(uint32_t, spw_limbs_subtract, (uint32_t *a, const uint32_t *b, int64_t n))
{
  REQUIRE(spw_limbs_subtract, numbers, 0 <= n && readable(a, n, 4) && readable(b, n, 4));
  REQUIRE(spw_limbs_subtract, apart, apart(a, 4 * n, b, 4 * n));
  return __real_spw_limbs_subtract(a, b, n);
}

WRAP(int, spw_limbs_compare, (const uint32_t *a, const uint32_t *b, int64_t n))
{
  REQUIRE(spw_limbs_compare, numbers, 0 <= n && readable(a, n, 4) && readable(b, n, 4));
  return __real_spw_limbs_compare(a, b, n);
}

WRAP(int64_t, spw_limbs_length, (const uint32_t *a, int64_t n))
{
  REQUIRE(spw_limbs_length, number, 0 <= n && readable(a, n, 4));
  return __real_spw_limbs_length(a, n);
}

/* ---- 2:4 matrices ------------------------------------------------------------------------------ */

WRAP(int64_t, spw_semi_place, (int h, int64_t r, int64_t c, int64_t m, int64_t n))
{
  int64_t all;
  REQUIRE(spw_semi_place, order and whole, (h == 2 || h == 4) && m % (8 * h) == 0 && n % 2 == 0);
  REQUIRE(spw_semi_place, inside, 0 <= r && r < m && 0 <= c && c < n && !__builtin_mul_overflow(m, n, &all));
  return __real_spw_semi_place(h, r, c, m, n);
}

WRAP(int64_t, spw_semi_marlin_place, (int64_t r, int64_t c, int64_t m, int64_t n))
{
  int64_t all;
  REQUIRE(spw_semi_marlin_place, whole, m % 64 == 0 && n % 2 == 0);
  REQUIRE(spw_semi_marlin_place, inside, 0 <= r && r < m && 0 <= c && c < n && !__builtin_mul_overflow(m, n, &all));
  return __real_spw_semi_marlin_place(r, c, m, n);
}

WRAP(int64_t, spw_semi_sm90_place, (int64_t h, int64_t b, int64_t r, int64_t c, int64_t m, int64_t n))
{
  int64_t all;
  REQUIRE(spw_semi_sm90_place, order, (h == 1 || h == 2) && 1 <= b && b <= 4);
  REQUIRE(spw_semi_sm90_place, whole, m % 64 == 0 && n % (2 * b) == 0);
  REQUIRE(spw_semi_sm90_place, inside, 0 <= r && r < m && 0 <= c && c < n && !__builtin_mul_overflow(m, n, &all));
  return __real_spw_semi_sm90_place(h, b, r, c, m, n);
}

WRAP(int, spw_semi_words_legal, (const uint16_t *w, int64_t n))
{
  REQUIRE(spw_semi_words_legal, reads, 0 <= n && n <= SPW_SEMI_WORDS_MAX && readable(w, n, sizeof *w));
  return __real_spw_semi_words_legal(w, n);
}
