/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about violations, refusals and files: each is whole in a buffer that holds it, cut in one that does not, and says
 * its numbers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../operands/specimen.h"

/* ---- Buffers ----------------------------------------------------------------------------------- */

enum { LONGEST = 1024, CANARY = 0x5a };

typedef size_t writer(const void *context, char *text, size_t length);

/* Writes it into buffers of every length up to one more than it needs; gives the whole text, to free(). */
static char *in_all_lengths(writer *write, const void *context)
{
  const size_t needed = write(context, NULL, 0);
  cr_assert(needed > 0 && needed < LONGEST, "%zu bytes", needed);
  char *const whole = malloc(needed + 1);
  cr_assert(write(context, whole, needed + 1) == needed && strlen(whole) == needed, "%s", whole);
  for (size_t length = 0; length <= needed + 2; length++) {
    char cut[LONGEST + 4];
    memset(cut, CANARY, sizeof cut);
    cr_assert(write(context, cut, length) == needed);
    for (size_t i = length; i < sizeof cut; i++) cr_assert(cut[i] == CANARY, "%zu bytes: byte %zu is written", length, i);
    const size_t kept = length <= needed ? (length ? length - 1 : 0) : needed;
    cr_assert(length == 0 || (strlen(cut) == kept && memcmp(cut, whole, kept) == 0), "%zu bytes: %s", length, cut);
  }
  for (const char *at = whole; *at; at++) cr_assert(*at >= ' ' && *at <= '~', "%s", whole);
  return whole;
}

/* ---- Violations -------------------------------------------------------------------------------- */

typedef struct found { const spw_tensor *tensor; const spw_violation *violation; } found;

static size_t write_violation(const void *context, char *text, size_t length)
{
  const found *f = context;
  return spw_violation_text(f->tensor, f->violation, text, length);
}

static void expect_violation(const spw_tensor *tensor, const spw_violation *v, const char *expected)
{
  char *const said = in_all_lengths(write_violation, &(found){tensor, v});
  cr_expect_str_eq(said, expected);
  free(said);
}

/* What the checker says of tensors that were changed somewhere, and the same of every other tensor. */
Test(text, every_violation_that_is_found_has_a_sentence)
{
  static specimen s;
  bool seen[SPW_RULE_COUNT] = {false};
  dice d = {7};
  for (int i = 0; i < 20000; i++) {
    const plan p = plan_random(&d);
    spw_report report;
    specimen_make(&s, &p, &d);
    for (int64_t k = roll_below(&d, 3); k >= 0; k--) specimen_disturb(&s, &d);
    if (spw_check(&s.tensor, SPW_CANONICAL, &report) != SPW_OK) continue;
    for (int r = 0; r < SPW_RULE_COUNT; r++) {
      char text[LONGEST];
      if (report.findings[r].state != SPW_VIOLATED) continue;
      if (!seen[r]) free(in_all_lengths(write_violation, &(found){&s.tensor, &report.findings[r].first}));
      seen[r] = true;
      cr_assert(spw_violation_text(&s.tensor, &report.findings[r].first, text, sizeof text) < sizeof text);
      cr_assert(!strstr(text, "(null)") && !strstr(text, " against ") && !strstr(text, "do not fit together"), "%s", text);
    }
  }
  int kinds = 0;
  for (int r = 0; r < SPW_RULE_COUNT; r++) kinds += seen[r];
  cr_expect(kinds > 30, "%d rules were broken", kinds);
}

/* No memory is read that is not there, whatever a violation says that the checker has not found. */
Test(text, of_any_rule_of_any_array_of_any_tensor)
{
  static const int64_t numbers[] = {-1, 0, 3, INT64_MAX, INT64_MIN};
  static specimen s;
  dice d = {11};
  for (int i = 0; i < 300; i++) {
    const plan p = plan_random(&d);
    specimen_make(&s, &p, &d);
    if (i % 3 == 0) specimen_disturb(&s, &d);
    if (i % 5 == 0) s.tensor.layout = SPW_DENSE;
    if (i % 7 == 0) s.tensor.values.array.ndim = 0;
    if (i % 11 == 0) s.tensor.values.array.length = -1;
    for (int rule = -1; rule <= SPW_RULE_COUNT; rule++)
      for (int member = SPW_MEMBER_NONE; member <= SPW_MEMBER_LAYOUT + 1; member++) {
        const spw_violation v = {(spw_rule)rule, (spw_member)member, numbers[roll_below(&d, 5)], numbers[roll_below(&d, 5)],
                                 numbers[roll_below(&d, 5)], numbers[roll_below(&d, 5)]};
        char text[LONGEST];
        const size_t needed = spw_violation_text(&s.tensor, &v, text, sizeof text);
        cr_assert(needed > 0 && needed == strlen(text) && !strstr(text, "(null)"), "%s", text);
      }
  }
}

/* 2 batches of a 4 x 6 matrix in blocks of 2 x 2, or of another layout whose arrays are as long. */
static spw_tensor two_batches(spw_layout layout, const int64_t *plain)
{
  static const int64_t size[] = {2, 4, 6}, starts[] = {0, 1, 3, 0, 2, 3}, starts_shape[] = {2, 3}, starts_strides[] = {3, 1};
  static const int64_t shape[] = {2, 3, 2, 2}, strides[] = {12, 4, 2, 1}, plain_strides[] = {3, 1};
  return (spw_tensor){.layout = layout, .has_size = true, .ndim = 3, .size = size,
                      .compressed = {.array = {SPW_INT64, 2, starts_shape, starts_strides, 0, 6}, .i64 = starts},
                      .plain = {.array = {SPW_INT64, 2, shape, plain_strides, 0, 6}, .i64 = plain},
                      .values = {.array = {SPW_FLOAT32, 4, shape, strides, 0, 24}, .data = plain}};
}

static void expect_first(const spw_tensor *tensor, const char *expected)
{
  spw_violation v;
  cr_assert(spw_first_violation(tensor, SPW_CANONICAL, &v) == SPW_OK && v.rule != SPW_RULE_NONE);
  expect_violation(tensor, &v, expected);
}

Test(text, names_the_line_that_an_index_lies_in)
{
  const int64_t low[] = {0, 1, 2, 0, 1, -1}, high[] = {0, 1, 3, 0, 1, 2}, order[] = {0, 1, 2, 1, 0, 0};
  spw_tensor t = two_batches(SPW_BSR, low);
  expect_first(&t, "plain_indices[1, 2] in block row 1 of batch 1: -1 is below 0");
  t = two_batches(SPW_BSR, high);
  expect_first(&t, "plain_indices[0, 2] in block row 1 of batch 0: 3 is not below P = 3 block columns");
  t = two_batches(SPW_BSR, order);
  expect_first(&t, "plain_indices[1, 1]: 0 comes after 1 in block row 0");
  static const int64_t column_major[] = {2, 6, 4};
  t = two_batches(SPW_BSC, low);
  t.size = column_major;
  expect_first(&t, "plain_indices[1, 2] in block column 1 of batch 1: -1 is below 0");
}

/* 5.4 is judged whether or not the offsets say which line it is. */
Test(text, names_no_line_where_the_offsets_are_wrong)
{
  static const int64_t low[] = {0, 1, 2, 0, 1, -1}, bad[][6] = {{0, 1, 3, 1, 2, 3}, {0, 1, 3, 0, 4, 3}, {0, 1, 3, 0, 1, 2}};
  for (int i = 0; i < 3; i++) {
    spw_tensor t = two_batches(SPW_BSR, low);
    spw_report report;
    t.compressed.i64 = bad[i];
    cr_assert(spw_check(&t, SPW_CANONICAL, &report) == SPW_OK && report.findings[SPW_RULE_5_4].state == SPW_VIOLATED);
    expect_violation(&t, &report.findings[SPW_RULE_5_4].first, "plain_indices[1, 2]: -1 is below 0");
  }
}

Test(text, of_layouts_that_the_checker_does_not_know)
{
  static const int64_t plain[] = {0, 1, 2, 0, 1, 2};
  spw_tensor t = two_batches(SPW_DENSE, plain);
  expect_first(&t, "the layout is dense, and the checker judges coo, csr, csc, bsr and bsc");
  t.layout = (spw_layout)7;
  expect_first(&t, "layout number 7 is none of coo, csr, csc, bsr and bsc");
}

/* Positions beyond what int64 can number are none; this one is there, since all entries are one. */
Test(text, of_more_indices_than_can_be_numbered)
{
  static const int64_t size[] = {1, 1, 1, 1}, shape[] = {4, INT64_C(1) << 62}, strides[] = {0, 0}, index = -1;
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 4, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .plain = {.array = {SPW_INT64, 2, shape, strides, 0, 1}, .i64 = &index},
                        .values = {.array = {SPW_INT64, 1, shape + 1, strides, 0, 1}, .data = &index}};
  expect_violation(&t, &(spw_violation){SPW_RULE_6_5, SPW_MEMBER_PLAIN, 0, 5, -1, 0}, "indices[0, 5]: -1 is below 0");
}

Test(text, names_every_array)
{
  for (int layout = SPW_COO; layout <= SPW_LAYOUT_COUNT; layout++)
    for (int member = SPW_MEMBER_SIZE; member <= SPW_MEMBER_LAYOUT; member++) {
      cr_expect(spw_member_name((spw_layout)layout, (spw_member)member), "%d %d", layout, member);
      cr_expect(spw_member_torch_name((spw_layout)layout, (spw_member)member), "%d %d", layout, member);
    }
  cr_expect(!spw_member_name(SPW_CSR, SPW_MEMBER_NONE) && !spw_member_torch_name(SPW_CSR, (spw_member)6));
  cr_expect_str_eq(spw_member_torch_name(SPW_BSC, SPW_MEMBER_COMPRESSED), "ccol_indices");
  cr_expect_str_eq(spw_member_torch_name(SPW_CSR, SPW_MEMBER_PLAIN), "col_indices");
  cr_expect_str_eq(spw_member_torch_name(SPW_CSC, SPW_MEMBER_PLAIN), "row_indices");
  cr_expect_str_eq(spw_member_name(SPW_COO, SPW_MEMBER_PLAIN), "indices");
}

/* ---- Refusals ---------------------------------------------------------------------------------- */

typedef struct refused { const spw_refused *what; spw_status status; const spw_refusal *refusal; } refused;

static size_t write_refusal(const void *context, char *text, size_t length)
{
  const refused *r = context;
  return spw_refusal_text(r->what, r->status, r->refusal, text, length);
}

static void expect_refusal(const spw_refused *what, spw_status status, const spw_refusal *refusal, const char *expected)
{
  char *const said = in_all_lengths(write_refusal, &(refused){what, status, refusal});
  cr_expect_str_eq(said, expected);
  free(said);
}

/* The compiler names the enumerator that a switch forgets. */
static bool is_obstacle(int number)
{
  switch ((spw_obstacle)number) {
  case SPW_OBSTACLE_NONE: return false;
  case SPW_OBSTACLE_RULE: case SPW_OBSTACLE_DIMENSIONS: case SPW_OBSTACLE_BLOCKS: case SPW_OBSTACLE_INDEX:
  case SPW_OBSTACLE_SIZE: case SPW_OBSTACLE_BATCHES: case SPW_OBSTACLE_DUPLICATE: case SPW_OBSTACLE_DIMENSION:
  case SPW_OBSTACLE_RANGE: case SPW_OBSTACLE_OPERAND: case SPW_OBSTACLE_PATTERN: case SPW_OBSTACLE_LOST:
  case SPW_OBSTACLE_SHAPES: case SPW_OBSTACLE_TYPES: case SPW_OBSTACLE_HYBRID: case SPW_OBSTACLE_NO_SIZE:
  case SPW_OBSTACLE_OVERLAP: case SPW_OBSTACLE_LAYOUT: case SPW_OBSTACLE_WORK:
  case SPW_OBSTACLE_ZERO: case SPW_OBSTACLE_SCALAR: case SPW_OBSTACLE_VALUE: return true;
  }
  return false;
}

/* A sentence of its own for each: the one for what is too large is what a switch ends with. */
Test(text, every_obstacle_of_every_operation_has_a_sentence)
{
  int obstacles = 0;
  for (int operation = SPW_ANY_OPERATION; operation < SPW_OPERATION_COUNT; operation++) {
    char *said[64] = {NULL};
    for (int n = 1; n < 64; n++) {
      if (!is_obstacle(n)) continue;
      const spw_refusal refusal = {(spw_obstacle)n, {SPW_RULE_5_3, SPW_MEMBER_COMPRESSED, 0, 2, -2, 0}, 0, 1, 3, 2, 0};
      const spw_refused what = {.operation = (spw_operation)operation};
      said[n] = in_all_lengths(write_refusal, &(refused){&what, SPW_ERANGE, &refusal});
      cr_assert(!strstr(said[n], "(null)"), "%s", said[n]);
      for (int k = 1; k < n; k++)
        cr_expect(!said[k] || strcmp(said[k], said[n]) != 0, "%d: %d and %d: %s", operation, k, n, said[n]);
      obstacles++;
    }
    for (int n = 1; n < 64; n++) free(said[n]);
  }
  cr_expect(obstacles == 22 * SPW_OPERATION_COUNT, "%d", obstacles);
}

Test(text, of_a_refusal_with_any_numbers)
{
  static const int64_t numbers[] = {-1, 0, 2, INT64_MAX, INT64_MIN, SPW_NDIM_MAX};
  static specimen s, t;
  dice d = {5};
  for (int i = 0; i < 100000; i++) {
    const plan p = plan_random(&d), q = plan_random(&d);
    const spw_conversion to = {.layout = (spw_layout)roll_below(&d, 7), .batch_dims = roll_below(&d, 4) - 1,
                               .dense_dims = numbers[roll_below(&d, 6)]};
    const spw_elementwise_request add = {.kind = (spw_elementwise_kind)roll_below(&d, 7)};
    const spw_reduction sum = {(spw_reduction_kind)roll_below(&d, 6), SPW_EACH_ROW};
    const spw_violation v = {(spw_rule)(roll_below(&d, SPW_RULE_COUNT + 2) - 1), SPW_MEMBER_PLAIN, 0, 1, 2, 3};
    const spw_unary_request map = {.function = (spw_unary_function)roll_below(&d, SPW_UNARY_COUNT + 1)};
    const spw_refusal r = {(spw_obstacle)roll_below(&d, 25), v, numbers[roll_below(&d, 6)], numbers[roll_below(&d, 6)],
                           numbers[roll_below(&d, 6)], numbers[roll_below(&d, 6)], (int)roll_below(&d, 6) - 1};
    char text[LONGEST];
    if (i % 50 == 0) specimen_make(&s, &p, &d), specimen_make(&t, &q, &d);
    if (i % 100 == 0) specimen_disturb(&s, &d);
    if (i % 50 == 0 && i % 3 == 0) s.tensor.layout = SPW_DENSE;
    if (i % 50 == 0 && i % 11 == 0) s.tensor.plain.array.length = -1;
    const bool told = i % 4 > 0;
    const spw_refused what = {(spw_operation)roll_below(&d, SPW_OPERATION_COUNT + 1), told ? &s.tensor : NULL,
                              i % 5 ? &t.tensor : NULL, i % 3 ? &t.tensor : NULL, i % 6 ? &to : NULL, told ? &add : NULL,
                              told ? &sum : NULL, NULL, told ? &map : NULL};
    const size_t needed = spw_refusal_text(&what, i % 7 ? SPW_ERANGE : SPW_EINVALID, &r, text, sizeof text);
    cr_assert(needed > 0 && (needed >= sizeof text || needed == strlen(text)) && !strstr(text, "(null)"), "%s", text);
  }
}

Test(text, says_what_the_call_was_about)
{
  static const int64_t plain[] = {0, 1, 2, 0, 1, -1}, good[] = {0, 1, 2, 0, 1, 2};
  const spw_tensor t = two_batches(SPW_BSR, good), bad = two_batches(SPW_BSR, plain);
  const spw_conversion to = {.layout = SPW_CSR, .batch_dims = -1, .dense_dims = -1};
  const spw_conversion blocks = {.layout = SPW_BSR, .block_rows = 3, .block_columns = 3, .batch_dims = -1, .dense_dims = -1};
  const char *const names[] = {"a.npz", "b.npz", "c.npz", "d.npz"};
  spw_refusal refusal;
  spw_room room;
  spw_status status = spw_convert_size(&t, &blocks, &room, &refusal);
  expect_refusal(&(spw_refused){.operation = SPW_CONVERTING, .a = &t, .conversion = &blocks}, status, &refusal,
                 "size[1] is 4, which is no multiple of the block size 3 (size 2x4x6)");
  status = spw_convert_size(&bad, &to, &room, &refusal);
  expect_refusal(&(spw_refused){.operation = SPW_CONVERTING, .a = &bad, .conversion = &to}, status, &refusal,
                 "it breaks rule 5.4: plain_indices[1, 2] in block row 1 of batch 1: -1 is below 0");
  expect_refusal(NULL, status, &refusal, "it breaks rule 5.4: at position 2, -1 against 0");
  size_t work;
  status = spw_multiply_size(&t, &t, NULL, NULL, &work, &refusal);
  expect_refusal(&(spw_refused){.operation = SPW_MULTIPLYING, .a = &t, .b = &t}, status, NULL, spw_status_string(SPW_EINVAL));
  const spw_refusal types = {.obstacle = SPW_OBSTACLE_TYPES, .place = -1, .lhs = SPW_FLOAT64, .rhs = SPW_FLOAT32, .operand = 1};
  expect_refusal(&(spw_refused){.operation = SPW_MULTIPLYING, .a = &t, .b = &t, .names = names}, SPW_ERANGE, &types,
                 "b.npz is of type float64, and float32 would be needed: the first is bsr (2x4x6), the second bsr (2x4x6)");
  expect_refusal(NULL, SPW_ERANGE, &types, "the second is of type float64, and float32 would be needed");
  expect_refusal(NULL, SPW_ENOMEM, &types, spw_status_string(SPW_ENOMEM));
  expect_refusal(NULL, SPW_ERANGE, NULL, spw_status_string(SPW_ERANGE));
  static const int64_t long_size[] = {100000000000, 200000000000, 300000000000};
  spw_tensor large = t;
  large.size = long_size;
  expect_refusal(&(spw_refused){.operation = SPW_MULTIPLYING, .a = &large}, SPW_ERANGE, &types,
                 "the second is of type float64, and float32 would be needed: the first is bsr (100000000000x200000000000x"
                 "300000000000)");
  large.ndim = 4;
  large.size = (const int64_t[]){100000000000, 200000000000, 300000000000, 44};
  expect_refusal(&(spw_refused){.operation = SPW_MULTIPLYING, .a = &large}, SPW_ERANGE, &types,
                 "the second is of type float64, and float32 would be needed: the first is bsr (100000000000 x 200000000000 x "
                 "300000000000 x 44)");
}

/* ---- Files ------------------------------------------------------------------------------------- */

typedef struct read { spw_status status; const spw_error *error; } read;

static size_t write_status(const void *context, char *text, size_t length)
{
  const read *r = context;
  return spw_status_text(r->status, r->error, text, length);
}

static void expect_status(spw_status status, const spw_error *error, const char *expected)
{
  char *const said = in_all_lengths(write_status, &(read){status, error});
  cr_expect_str_eq(said, expected);
  free(said);
}

Test(text, of_a_status)
{
  static const char bad[] = "{\"spw\": 1, \"layout\": \"csr\", \"size\": [2.5, 2]}";
  spw_owned *owned;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_read_json(bad, strlen(bad), 0, &owned, &error);
  char expected[512];
  snprintf(expected, sizeof expected, "%s: %s", error.where, error.message);
  expect_status(status, &error, expected);
  expect_status(status, NULL, spw_status_string(status));
  expect_status(status, &(spw_error){"line 1", ""}, spw_status_string(status));
  expect_status(SPW_OK, &error, spw_status_string(SPW_OK));
  expect_status(SPW_EIO, &(spw_error){"", "no such file"}, "no such file");
  for (int s = 2; s >= -12; s--) expect_status((spw_status)s, NULL, spw_status_string((spw_status)s));
}
