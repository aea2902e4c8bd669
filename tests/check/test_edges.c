/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers at which a function decides otherwise: ends of ranges, most of them those of tensors that
 * no memory holds, asked from the outside where that is possible. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "../support/memory.h"
#include "../expected/oracle.h"
#include "../operands/specimen.h"

#include "../../src/check/fast/count_rows.h"
#include "../../src/view/grid.h"
#include "../../src/view/members.h"
#include "../../src/check/fast/parts.h"
#include "../../src/view/quantities.h"
#include "../../src/check/shape/shape_tests.h"
#include "../../src/core/size.h"
#include "../../src/io/json/element.h"
#include "../../src/io/json/element_print.h"
#include "../../src/owned/owned.h"
#include "../../src/io/text/text_sink.h"
#include "../../src/io/text/text_source.h"
#include "../../src/io/numbers/widen.h"

#include <criterion/criterion.h>
#include <float.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <zlib.h>

#define HALF ((int64_t)1 << 40) /* its square is beyond int64 */

static const int64_t ones[] = {1, 1, 1}, zeros[] = {0, 0, 0}, none[] = {0, 0, 1};

/* Without a size: everything is inferred. */
static spw_tensor unsized(spw_layout layout)
{
  return (spw_tensor){.layout = layout, .coalesced = SPW_CLAIM_NONE};
}

static spw_array array_of(spw_dtype dtype, int64_t ndim, const int64_t *shape,
                          const int64_t *strides, int64_t length)
{
  return (spw_array){dtype, ndim, shape, strides, 0, length};
}

static void expect_violated(const spw_tensor *tensor, spw_rule rule)
{
  spw_report report;
  bool valid = true;
  cr_assert_eq(spw_check(tensor, SPW_CANONICAL, &report), SPW_OK);
  cr_assert_eq(report.findings[rule].state, SPW_VIOLATED, "rule %s", spw_rule_get(rule)->id);
  cr_assert(spw_is_valid(tensor, SPW_CANONICAL, &valid) == SPW_OK && !valid);
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* Storages are as long as they say only on paper: a shape rule fails before any is read. */
Test(edges, more_rows_than_the_index_type_numbers)
{
  static const int64_t offsets[] = {(int64_t)INT32_MAX + 2}, nothing[] = {0};
  static const int32_t start;
  spw_tensor x = unsized(SPW_CSR);
  x.compressed =
      (spw_index_array){array_of(SPW_INT32, 1, offsets, ones, offsets[0]), &start, NULL, NULL};
  x.plain = (spw_index_array){array_of(SPW_INT32, 1, nothing, ones, 0), NULL, NULL, NULL};
  x.values = (spw_value_array){array_of(SPW_FLOAT32, 1, nothing, ones, 0), NULL};
  expect_violated(&x, SPW_RULE_1_6);
}

Test(edges, more_elements_than_the_index_type_numbers)
{
  static const int64_t two[] = {2}, many[] = {(int64_t)INT32_MAX + 1};
  static const int32_t start[2];
  spw_tensor csr = unsized(SPW_CSR);
  csr.compressed = (spw_index_array){array_of(SPW_INT32, 1, two, ones, 2), start, NULL, NULL};
  csr.plain = (spw_index_array){array_of(SPW_INT32, 1, many, ones, many[0]), start, NULL, NULL};
  csr.values = (spw_value_array){array_of(SPW_FLOAT32, 1, many, zeros, 1), start};
  expect_violated(&csr, SPW_RULE_1_6);
  static const int64_t shape[] = {1, (int64_t)INT32_MAX + 1};
  static const int32_t index;
  spw_tensor x = unsized(SPW_COO);
  x.plain = (spw_index_array){array_of(SPW_INT32, 2, shape, ones, shape[1]), &index, NULL, NULL};
  x.values = (spw_value_array){array_of(SPW_FLOAT32, 1, shape + 1, zeros, 1), &index};
  expect_violated(&x, SPW_RULE_1_6);
}

Test(edges, dense_shape_beyond_int64)
{
  static const int64_t offsets[] = {0, 1}, two[] = {2}, one[] = {1}, shape[] = {1, HALF, HALF},
                       index[] = {0};
  static const float value;
  spw_tensor x = unsized(SPW_CSR);
  x.compressed = (spw_index_array){array_of(SPW_INT64, 1, two, ones, 2), NULL, offsets, NULL};
  x.plain = (spw_index_array){array_of(SPW_INT64, 1, one, ones, 1), NULL, index, NULL};
  x.values = (spw_value_array){array_of(SPW_FLOAT32, 3, shape, zeros, 1), &value};
  expect_violated(&x, SPW_RULE_3_11);
}

/* As many rows as address space holds, never touched. */
Test(edges, batches_of_rows_beyond_int64)
{
  enum { ROWS = 1 << 30 };
  static const int64_t offsets[] = {HALF, (int64_t)ROWS + 1}, elements[] = {HALF, 1},
                       shared[] = {0, 1}, index[] = {0};
  static const float value;
  const size_t bytes = ((size_t)ROWS + 1) * sizeof(int64_t);
  int64_t *rows = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  cr_assert(rows != MAP_FAILED);
  spw_tensor x = unsized(SPW_CSR);
  x.compressed =
      (spw_index_array){array_of(SPW_INT64, 2, offsets, shared, offsets[1]), NULL, rows, NULL};
  x.plain = (spw_index_array){array_of(SPW_INT64, 2, elements, shared, 1), NULL, index, NULL};
  x.values = (spw_value_array){array_of(SPW_FLOAT32, 2, elements, shared, 1), &value};
  expect_violated(&x, SPW_RULE_3_11);
  munmap(rows, bytes);
}

Test(edges, more_batches_than_int64_numbers)
{
  static const int64_t offsets[] = {HALF, HALF, 1}, elements[] = {HALF, HALF, 0}, start[] = {0};
  int64_t size[5], ndim = -5;
  spw_tensor x = unsized(SPW_CSR);
  x.compressed = (spw_index_array){array_of(SPW_INT64, 3, offsets, none, 1), NULL, start, NULL};
  x.plain = (spw_index_array){array_of(SPW_INT64, 3, elements, none, 0), NULL, NULL, NULL};
  x.values = (spw_value_array){array_of(SPW_FLOAT32, 3, elements, none, 0), NULL};
  cr_assert(spw_infer_size(&x, size, 5, &ndim) == SPW_EOVERFLOW && ndim == -5);
}

/* Ten sparse dimensions and seven dense ones, as many as no member has. */
Test(edges, more_dimensions_than_a_member_has)
{
  static const int64_t shape[] = {10, 1}, strides[] = {0, 1}, dense[] = {1, 1, 1, 1, 1, 1, 1, 1},
                       index[] = {3};
  static const float value;
  spw_report wanted, found;
  spw_tensor x = unsized(SPW_COO);
  x.plain = (spw_index_array){array_of(SPW_INT64, 2, shape, strides, 1), NULL, index, NULL};
  x.values = (spw_value_array){array_of(SPW_FLOAT32, 8, dense, dense, 8), &value};
  cr_assert(oracle_check(&x, SPW_CANONICAL, &wanted) && wanted.valid);
  cr_assert_eq(spw_check(&x, SPW_CANONICAL, &found), SPW_OK);
  const char *difference = oracle_difference(&wanted, &found);
  cr_assert(!difference, "%s", difference);
}

Test(edges, quantities)
{
  static specimen s;
  dice d = {1};
  plan p = {.layout = SPW_BSR, .index_dtype = SPW_INT64, .C = 2, .P = 2, .block = {1, 1}};
  specimen_make(&s, &p, &d);
  cr_assert(!spw_aligned(&s.tensor), "a tensor without a size is aligned with nothing");
  cr_assert_eq(spw_plain_start(spw_grid_of(&s.tensor, 1, 2), 0), 0);
  p.has_size = true;
  specimen_make(&s, &p, &d);
  cr_assert(spw_aligned(&s.tensor) && spw_blocks_along(&s.tensor, 0) == 2);
  s.shape[2][1] = 0;
  cr_assert_eq(spw_blocks_along(&s.tensor, 0), -1);
  p = (plan){
      .layout = SPW_COO, .index_dtype = SPW_INT64, .sparse_dim = 1, .sparse_size = {3}, .nse = 2};
  specimen_make(&s, &p, &d);
  cr_assert(!spw_coo_aligned(&s.tensor));
}

/* What cannot be divided is one part. */
Test(edges, parts)
{
  cr_assert_eq(spw_parts_of(1, INT64_MAX, 1).rows, 0);
  cr_assert_eq(spw_parts_of(1, 1, INT64_MAX).rows, 0);
  cr_assert_eq(spw_parts_of(1, 0, 0).rows, 0);
  cr_assert(spw_parts_of(1, 1 << 30, 1 << 30).rows > 0);
}

Test(edges, part_that_begins_below_0)
{
  const int32_t narrow[] = {-1, 0}, index[] = {0};
  const int64_t wide[] = {-1, 0}, wide_index[] = {0};
  cr_assert(!spw_part_valid_i32(narrow, index, 0, 1, 1, 1, 1));
  cr_assert(!spw_part_valid_i64(wide, wide_index, 0, 1, 1, 1, 1));
}

Test(edges, sums_and_shapes)
{
  int64_t three[3] = {7, 7, 7};
  cr_assert_eq(spw_add_saturated(INT64_MIN, -1), INT64_MIN);
  cr_assert_eq(spw_add_saturated(INT64_MIN, 1), INT64_MIN + 1);
  cr_assert_eq(spw_add_saturated(-1, -1), -2);
  cr_assert_eq(spw_row_major_strides((int64_t)SPW_NDIM_MAX + 1, ones, three), SPW_EINVAL);
  cr_assert_eq(spw_unravel(0, (int64_t)SPW_NDIM_MAX + 1, ones, three), SPW_EINVAL);
  cr_assert(three[0] == 7 && three[1] == 7 && three[2] == 7);
}

Test(edges, every_status_and_layout_has_a_name)
{
  for (int status = SPW_ERANGE; status < 0; status++) {
    cr_assert(*spw_status_string((spw_status)status));
    cr_assert_str_neq(spw_status_string((spw_status)status),
                      spw_status_string((spw_status)(status + 1)));
  }
  cr_assert_str_eq(spw_status_string((spw_status)(SPW_ERANGE - 1)), "unknown status");
  cr_assert_str_eq(spw_status_string((spw_status)1), "unknown status");
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++)
    cr_assert_eq(spw_layout_from_name(spw_layout_name((spw_layout)layout)), layout);
  cr_assert(!spw_layout_name((spw_layout)-1) && !spw_layout_name((spw_layout)(SPW_DENSE + 1)));
  cr_assert_str_eq(spw_layout_name(SPW_DENSE), "dense");
  cr_assert_eq(spw_layout_from_name("dense"), (int)SPW_DENSE);
  cr_assert_eq(spw_layout_from_name("diagonal"), -1);
  cr_assert_eq(spw_layout_from_name(NULL), -1);
  cr_assert_eq(spw_dtype_from_name(NULL), SPW_DTYPE_NONE);
}

/* ---- Numbers as text ------------------------------------------------------------------------- */

Test(edges, numbers)
{
  char text[SPW_ELEMENT_TEXT];
  const double lowest = -DBL_MAX;
  double back = 0;
  int part;
  const uint64_t element = 1;
  cr_assert(spw_element_print(SPW_FLOAT64, &lowest, text));
  json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
  cr_assert(value && !spw_element_read(SPW_FLOAT64, value, &back, &part) && back == lowest, "%s",
            text);
  json_decref(value);
  cr_assert(!spw_element_print((spw_dtype)99, &element, text));
  static const char *const wrong[] = {"0x1p1.5", "0x1p1f"};
  for (int i = 0; i < 2; i++) {
    value = json_string(wrong[i]);
    cr_assert(spw_element_read(SPW_FLOAT64, value, &back, &part) != NULL);
    json_decref(value);
  }
  cr_assert_eq(spw_widen_integer(SPW_FLOAT32, &element), 0);
  cr_assert_eq(spw_widen_float(SPW_INT8, &element), 0);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

Test(edges, text_that_does_not_fit)
{
  spw_text_sink sink = {0};
  spw_print(&sink, "%*s", SPW_PRINT_MAX, "");
  cr_assert(!sink.lost && sink.size == SPW_PRINT_MAX);
  spw_print(&sink, "%*s", SPW_PRINT_MAX + 1, "");
  cr_assert(sink.lost);
  free(sink.bytes);
  sink = (spw_text_sink){0};
  spw_print(&sink, "%ls", (const wchar_t[]){0x10ffff + 1, 0}); /* no character */
  cr_assert(sink.lost && sink.size == 0);
  free(sink.bytes);
  sink = (spw_text_sink){NULL, SIZE_MAX, SIZE_MAX, false};
  spw_print(&sink, "x");
  cr_assert(sink.lost && !sink.bytes);
}

static void expect_no_fill(spw_owned *owned, size_t count, size_t size)
{
  const uint64_t element[2] = {1, 2};
  cr_assert(!spw_owned_fill(owned, count, size, element), "%zu elements of %zu bytes", count, size);
}

Test(edges, memory_that_is_not_there)
{
  spw_owned *owned = spw_owned_new(1 << 22);
  cr_assert(owned && !spw_owned_alloc(owned, SIZE_MAX, 2));
  expect_no_fill(owned, SIZE_MAX, 2);
  expect_no_fill(owned, SIZE_MAX / 2 + 1, 1);
  expect_no_fill(owned, (size_t)1 << 60, 4);
  if (!SANITIZED) {
    memory_watch(1);
    expect_no_fill(owned, 1 << 20, 8);
  }
  spw_owned_free(owned);
  cr_assert_eq(spw_memory_limit(SIZE_MAX), SIZE_MAX);
  cr_assert_eq(spw_memory_limit(1), ((size_t)64 << 20) + 64);
}

/* Fills 8 MiB, of so many that are allowed, while the process may have no more of something than it has. */
static void expect_fill_without(__rlimit_resource_t what, size_t allowed)
{
  struct rlimit before;
  spw_owned *owned = spw_owned_new(allowed);
  cr_assert(owned && getrlimit(what, &before) == 0);
  const struct rlimit least = {0, before.rlim_max};
  const uint64_t element = 1;
  cr_assert_eq(setrlimit(what, &least), 0);
  const uint64_t *filled = spw_owned_fill(owned, 1 << 20, sizeof element, &element);
  cr_assert_eq(setrlimit(what, &before), 0);
  cr_assert_eq(filled != NULL, allowed >= 8 << 20);
  for (size_t i = 0; filled && i < 1 << 20; i++) cr_assert_eq(filled[i], element);
  spw_owned_free(owned);
}

Test(edges, no_file_for_a_pattern)
{
  static const __rlimit_resource_t what[] = {RLIMIT_NOFILE, RLIMIT_FSIZE};
  for (size_t i = 0; i < sizeof what / sizeof what[0]; i++) {
    expect_fill_without(what[i], 1 << 22);
    expect_fill_without(what[i], 8 << 20);
  }
}

/* Sizes as large as no file is: refused for their size, before a byte behind the first is read. */
Test(edges, sizes_beyond_memory)
{
  static const char gzip[] = "\x1f\x8b\x08";
  spw_owned *owned = spw_owned_new(1 << 20), *out = NULL;
  spw_error error = {"", ""};
  spw_text text;
  cr_assert(spw_text_open(&text, owned, gzip, SIZE_MAX / 4, &error) == SPW_OK &&
            text.at_most == SIZE_MAX);
  spw_owned_free(owned);
  cr_assert(spw_read_json("{", SIZE_MAX / 256, 0, &out, &error) == SPW_ENOMEM && !out);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static const int64_t size_3x4[] = {3, 4}, pairs[] = {2, 1}, two_ones[] = {1, 1}, cell[] = {1, 2};

/* A 3x4 tensor with one element. */
static spw_tensor one_element(spw_dtype dtype, const void *value)
{
  return (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size_3x4,
                      .coalesced = SPW_CLAIM_NONE,
                      .plain = {array_of(SPW_INT64, 2, pairs, two_ones, 2), NULL, cell, NULL},
                      .values = {array_of(dtype, 1, ones, ones, 1), value}};
}

static void expect_unwritten(const spw_tensor *tensor, spw_status status)
{
  void *bytes = &bytes;
  size_t size = 77;
  cr_assert_eq(spw_write_mtx(tensor, &bytes, &size, NULL), status);
  cr_assert(bytes == &bytes && size == 77);
}

Test(edges, mtx_says_no)
{
  const uint64_t payload[2] = {0x7ff8000000000001u, 0};
  void *bytes;
  size_t size;
  spw_tensor x = one_element(SPW_COMPLEX128, payload);
  expect_unwritten(&x, SPW_EUNSUPPORTED);
  x.values.array.dtype = (spw_dtype)99;
  expect_unwritten(&x, SPW_EUNSUPPORTED);
  x = one_element(SPW_FLOAT64, payload + 1);
  cr_assert_eq(spw_write_mtx(&x, NULL, &size, NULL), SPW_EINVAL);
  cr_assert_eq(spw_write_mtx(&x, &bytes, NULL, NULL), SPW_EINVAL);
}

Test(edges, mtx_without_elements)
{
  static const int64_t nothing[] = {2, 0};
  spw_tensor x = one_element(SPW_FLOAT64, NULL);
  void *bytes;
  size_t size;
  x.plain.array = array_of(SPW_INT64, 2, nothing, two_ones, 0);
  x.values.array = array_of(SPW_FLOAT64, 1, nothing + 1, ones, 0);
  cr_assert_eq(spw_write_mtx(&x, &bytes, &size, NULL), SPW_OK);
  free(bytes);
}

/* Every limit below the one that suffices is refused, whatever it cuts off. */
Test(edges, mtx_of_a_pattern_within_any_limit)
{
  static const char text[] = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n";
  spw_owned *owned;
  size_t limit = 1;
  while (spw_read_mtx(text, sizeof text - 1, limit, &owned, NULL) == SPW_ENOMEM && limit < 4096)
    limit++;
  cr_assert(limit > 2 && limit < 4096, "%zu", limit);
  spw_owned_free(owned);
}

/* A word longer than the part of a compressed text that is at hand. */
Test(edges, mtx_gz_with_an_endless_word)
{
  enum { LONG = 1 << 17 };
  static const char banner[] = "%%MatrixMarket matrix coordinate real general\n";
  static unsigned char text[LONG], packed[LONG];
  spw_owned *owned = NULL;
  z_stream z = {.next_in = text, .avail_in = LONG, .next_out = packed, .avail_out = LONG};
  memset(text, '1', sizeof text);
  memcpy(text, banner, sizeof banner - 1);
  cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
  cr_assert(spw_read_mtx(packed, z.total_out, 0, &owned, NULL) == SPW_EFORMAT && !owned);
  deflateEnd(&z);
}
