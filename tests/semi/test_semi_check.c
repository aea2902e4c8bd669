/* SPDX-License-Identifier: Apache-2.0 */
/* Rules 7.1 to 7.6, one violation each, and refused calls. */
#include "../expected/semi_expected.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A valid matrix of 32 x 64 float16 elements, or 16 x 64 int8 ones, which a test then breaks; in other orders than the first two
 * of 64 rows, and as many columns as the order needs. */
typedef struct subject {
  spw_semi_view view;
  uint16_t packed[64 * 128], metadata[64 * 16];
} subject;

static void make(subject *t, spw_semi_order order, spw_dtype dtype)
{
  memset(t->packed, 1, sizeof t->packed);
  memset(t->metadata, 0x44, sizeof t->metadata);
  const bool early = order <= SPW_SEMI_CUTLASS, wide = dtype == SPW_INT8;
  const int64_t blocks = order >= SPW_SEMI_SM90_1 ? (int64_t)order - 2 : 1;
  spw_semi_of(&t->view, order, !early ? 64 : wide ? 16 : 32, early ? 64 : blocks * (wide ? 64 : 32), dtype, t->packed,
              t->metadata);
}

static spw_semi_report report_of(const spw_semi *s)
{
  spw_semi_report report;
  cr_assert_eq(spw_semi_check(s, SPW_CANONICAL, &report), SPW_OK);
  return report;
}

/* Exactly one rule is violated, first there, with these numbers. */
static void breaks(const spw_semi *s, spw_semi_rule rule, spw_semi_member member, int64_t count, int64_t row, int64_t lhs,
                   int64_t rhs)
{
  const spw_semi_report r = report_of(s);
  cr_assert_not(r.valid);
  for (int n = 0; n < SPW_SEMI_RULE_COUNT; n++)
    cr_assert_eq(r.findings[n].state == SPW_VIOLATED, n == (int)rule, "rule 7.%d is %d", n + 1, (int)r.findings[n].state);
  const spw_semi_finding *const f = &r.findings[rule];
  cr_assert_eq(f->count, count);
  cr_assert(f->first.rule == rule && f->first.member == member, "7.%d member %d", (int)rule + 1, (int)f->first.member);
  cr_assert_eq(f->first.row, row);
  cr_assert_eq(f->first.lhs, lhs, "%lld", (long long)f->first.lhs);
  cr_assert_eq(f->first.rhs, rhs, "%lld", (long long)f->first.rhs);
}

static void holds(const spw_semi *s)
{
  const spw_semi_report r = report_of(s);
  cr_assert(r.valid);
  for (int n = 0; n < SPW_SEMI_RULE_COUNT; n++) cr_assert_eq(r.findings[n].state, SPW_HOLDS);
}

Test(semi_check, sizes)
{
  static const struct {
    spw_semi_order order;
    spw_dtype dtype;
    int64_t rows, columns, row, lhs, rhs;
  } bad[] = {{SPW_SEMI_PLAIN, SPW_FLOAT16, -1, 64, 0, -1, 0},
             {SPW_SEMI_PLAIN, SPW_FLOAT16, 32, -4, 1, -4, 0},
             {SPW_SEMI_PLAIN, SPW_FLOAT16, 32, 66, 1, 66, 4},
             {SPW_SEMI_PLAIN, SPW_FLOAT32, 32, 63, 1, 63, 2},
             {SPW_SEMI_PLAIN, SPW_FLOAT16, INT64_MAX, 4, -1, INT64_MAX, 4},
             {SPW_SEMI_CUTLASS, SPW_FLOAT16, 16, 64, 0, 16, 32},
             {SPW_SEMI_CUTLASS, SPW_FLOAT16, 32, 16, 1, 16, 32},
             {SPW_SEMI_CUTLASS, SPW_BFLOAT16, 32, 48, 1, 48, 32},
             {SPW_SEMI_CUTLASS, SPW_INT8, 8, 64, 0, 8, 16},
             {SPW_SEMI_CUTLASS, SPW_INT8, 16, 32, 1, 32, 64},
             {SPW_SEMI_CUTLASS, SPW_FLOAT32, 32, 8, 1, 8, 16},
             {SPW_SEMI_MARLIN, SPW_FLOAT16, 32, 64, 0, 32, 64},
             {SPW_SEMI_MARLIN, SPW_FLOAT16, 64, 48, 1, 48, 32},
             {SPW_SEMI_SM90_1, SPW_INT8, 32, 64, 0, 32, 64},
             {SPW_SEMI_SM90_2, SPW_FLOAT16, 64, 96, 1, 96, 64},
             {SPW_SEMI_SM90_3, SPW_INT8, 64, 256, 1, 256, 192},
             {SPW_SEMI_SM90_4, SPW_FLOAT32, 64, 32, 1, 32, 64}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    subject t;
    spw_semi_room room = {SPW_BOOL, 7, 7, 7, 7};
    make(&t, bad[i].order, bad[i].dtype);
    t.view.semi.rows = bad[i].rows;
    t.view.semi.columns = bad[i].columns;
    breaks(&t.view.semi, SPW_SEMI_RULE_7_1, SPW_SEMI_MEMBER_SIZE, 1, bad[i].row, bad[i].lhs, bad[i].rhs);
    cr_assert_eq(spw_semi_size(bad[i].order, bad[i].dtype, bad[i].rows, bad[i].columns, &room), SPW_EINVALID);
    cr_assert(room.metadata_dtype == SPW_BOOL && room.packed == 7);
  }
  for (int order = 0; order < SPW_SEMI_ORDER_COUNT; order++) {
    subject t;
    make(&t, (spw_semi_order)order, SPW_FLOAT16);
    holds(&t.view.semi);
    make(&t, (spw_semi_order)order, SPW_INT8);
    holds(&t.view.semi);
  }
}

Test(semi_check, shapes)
{
  for (int member = 0; member < 2; member++)
    for (int d = 0; d < 2; d++) {
      subject t;
      make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
      int64_t *const shape = t.view.numbers + 4 * member;
      const int64_t was = shape[d];
      shape[d] = was - 1;
      breaks(&t.view.semi, SPW_SEMI_RULE_7_2, member ? SPW_SEMI_MEMBER_METADATA : SPW_SEMI_MEMBER_PACKED, 1, d, was - 1, was);
      shape[d] = was;
      (member ? &t.view.semi.metadata : &t.view.semi.packed)->array.ndim = 1;
      breaks(&t.view.semi, SPW_SEMI_RULE_7_2, member ? SPW_SEMI_MEMBER_METADATA : SPW_SEMI_MEMBER_PACKED, 1, -1, 1, 2);
    }
}

Test(semi_check, types)
{
  subject t;
  make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
  t.view.semi.packed.array.dtype = SPW_FLOAT64;
  breaks(&t.view.semi, SPW_SEMI_RULE_7_3, SPW_SEMI_MEMBER_PACKED, 1, -1, SPW_FLOAT64, SPW_DTYPE_NONE);
  make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
  t.view.semi.dtype = SPW_BFLOAT16;
  breaks(&t.view.semi, SPW_SEMI_RULE_7_3, SPW_SEMI_MEMBER_PACKED, 1, -1, SPW_FLOAT16, SPW_BFLOAT16);
  make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
  t.view.semi.metadata.array.dtype = SPW_INT32;
  breaks(&t.view.semi, SPW_SEMI_RULE_7_3, SPW_SEMI_MEMBER_METADATA, 1, -1, SPW_INT32, SPW_INT16);
  make(&t, SPW_SEMI_CUTLASS, SPW_INT8);
  t.view.semi.metadata.array.dtype = SPW_INT16;
  breaks(&t.view.semi, SPW_SEMI_RULE_7_3, SPW_SEMI_MEMBER_METADATA, 1, -1, SPW_INT16, SPW_INT32);
  t.view.semi.packed.array.dtype = t.view.semi.metadata.array.dtype = SPW_COMPLEX64;
  t.view.semi.dtype = SPW_DTYPE_NONE;
  breaks(&t.view.semi, SPW_SEMI_RULE_7_3, SPW_SEMI_MEMBER_PACKED, 2, -1, SPW_COMPLEX64, SPW_DTYPE_NONE);
}

Test(semi_check, storage)
{
  for (int member = 0; member < 2; member++) {
    const spw_semi_member name = member ? SPW_SEMI_MEMBER_METADATA : SPW_SEMI_MEMBER_PACKED;
    subject t;
    make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
    spw_array *const a = member ? &t.view.semi.metadata.array : &t.view.semi.packed.array;
    int64_t *const strides = t.view.numbers + 4 * member + 2;
    const int64_t stride = strides[0], length = a->length;
    a->length--;
    breaks(&t.view.semi, SPW_SEMI_RULE_7_5, name, 1, -1, 0, length - 1);
    a->length++;
    a->offset = 1;
    breaks(&t.view.semi, SPW_SEMI_RULE_7_5, name, 1, -1, 1, length);
    a->offset = -1;
    breaks(&t.view.semi, SPW_SEMI_RULE_7_5, name, 1, -1, -1, length);
    a->offset = 0;
    strides[0] = INT64_MAX;
    breaks(&t.view.semi, SPW_SEMI_RULE_7_5, name, 1, -1, 0, length);
    strides[0] = -1;
    breaks(&t.view.semi, SPW_SEMI_RULE_7_5, name, 1, 0, -1, 0);
    strides[0] = 0;
    holds(&t.view.semi);
    strides[1] = 2;
    breaks(&t.view.semi, SPW_SEMI_RULE_7_5, name, 1, 1, 2, 1);
    strides[1] = 1;
    /* With a gap, or twice the same rows, there is no order of all. */
    t.view.semi.order = SPW_SEMI_CUTLASS;
    if (member)
      breaks(&t.view.semi, SPW_SEMI_RULE_7_5, name, 1, 0, 0, stride);
    else
      holds(&t.view.semi);
  }
}

Test(semi_check, codes)
{
  for (int order = 0; order < SPW_SEMI_ORDER_COUNT; order++) {
    static const spw_dtype types[] = {SPW_FLOAT16, SPW_INT8};
    for (int i = 0; i < 2; i++) {
      subject t;
      int64_t places[64 * 16];
      make(&t, (spw_semi_order)order, types[i]);
      const int64_t words = t.view.semi.metadata.array.shape[1], codes = semi_codes(types[i]), rows = t.view.semi.rows;
      for (int64_t p = 0; p < rows * words; p++) places[p] = p;
      semi_expected_places((spw_semi_order)order, (int)codes / 2, rows, words, places);
      /* Code 1 of the word of row 3 and column 1, and one of the last row. */
      const int64_t at = places[3 * words + 1], last = places[rows * words - 1];
      unsigned char *const bytes = (unsigned char *)t.metadata;
      bytes[at * codes / 2] = 0x54;
      bytes[last * codes / 2] = 0x41;
      const spw_semi_report r = report_of(&t.view.semi);
      const spw_semi_violation v = r.findings[SPW_SEMI_RULE_7_4].first;
      const int64_t first = at < last ? at : last, word = codes == 8 ? 0x44444454 : 0x4454, other = codes == 8
        ? 0x44444441 : 0x4441;
      cr_assert_not(r.valid);
      cr_assert_eq(r.findings[SPW_SEMI_RULE_7_4].count, 2);
      cr_assert(v.member == SPW_SEMI_MEMBER_METADATA && v.row == first / words && v.column == first % words);
      cr_assert_eq(v.rhs, first == at ? word : other);
      cr_assert_eq(v.lhs, first == at ? 5 : 1);
      cr_assert_eq(v.group, first == at ? 1 : 0);
      cr_assert_eq(v.at_row, first == at ? 3 : rows - 1);
      cr_assert_eq(v.at_column, first == at ? codes * 4 + 4 : (words - 1) * codes * 4);
      spw_semi_report shape;
      cr_assert_eq(spw_semi_check(&t.view.semi, SPW_SHAPE, &shape), SPW_OK);
      cr_assert(shape.valid && shape.findings[SPW_SEMI_RULE_7_4].state == SPW_NOT_EVALUATED);
    }
  }
}

Test(semi_check, slack)
{
  uint16_t packed[2 * 10] = {0}, metadata[2 * 2] = {0x4444, 0x0004, 0x4444, 0x0104};
  spw_semi_view view;
  spw_semi_of(&view, SPW_SEMI_PLAIN, 2, 20, SPW_FLOAT16, packed, metadata);
  breaks(&view.semi, SPW_SEMI_RULE_7_6, SPW_SEMI_MEMBER_METADATA, 1, 1, 1, 0x0104);
  metadata[3] = 4;
  holds(&view.semi);
  metadata[3] = 0;
  breaks(&view.semi, SPW_SEMI_RULE_7_4, SPW_SEMI_MEMBER_METADATA, 1, 1, 0, 0);
}

Test(semi_check, wrong_calls)
{
  subject t;
  spw_semi_report r = {.valid = true};
  spw_semi_room room;
  char out[32 * 64 * 2];
  make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
  cr_assert_eq(spw_semi_check(NULL, SPW_SHAPE, &r), SPW_EINVAL);
  cr_assert_eq(spw_semi_check(&t.view.semi, SPW_SHAPE, NULL), SPW_EINVAL);
  cr_assert_eq(spw_semi_check(&t.view.semi, (spw_level)0, &r), SPW_EINVAL);
  cr_assert_eq(spw_semi_check(&t.view.semi, (spw_level)4, &r), SPW_EINVAL);
  cr_assert_eq(spw_semi_size(SPW_SEMI_PLAIN, SPW_FLOAT16, 1, 4, NULL), SPW_EINVAL);
  cr_assert_eq(spw_semi_size((spw_semi_order)SPW_SEMI_ORDER_COUNT, SPW_FLOAT16, 1, 4, &room), SPW_EINVAL);
  cr_assert_eq(spw_semi_size(SPW_SEMI_PLAIN, SPW_INT64, 1, 4, &room), SPW_EINVALID);
  t.view.semi.order = (spw_semi_order)SPW_SEMI_ORDER_COUNT;
  cr_assert_eq(spw_semi_check(&t.view.semi, SPW_SHAPE, &r), SPW_EINVAL);
  make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
  t.view.semi.packed.data = NULL;
  cr_assert_eq(spw_semi_check(&t.view.semi, SPW_SHAPE, &r), SPW_EINVAL);
  make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
  t.view.semi.metadata.array.length = -1;
  cr_assert_eq(spw_semi_check(&t.view.semi, SPW_SHAPE, &r), SPW_EINVAL);
  make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
  t.view.semi.packed.array.shape = NULL;
  cr_assert_eq(spw_semi_check(&t.view.semi, SPW_SHAPE, &r), SPW_EINVAL);
  cr_assert(r.valid);
  make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
  cr_assert_eq(spw_semi_decode(NULL, out, NULL), SPW_EINVAL);
  cr_assert_eq(spw_semi_decode(&t.view.semi, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_semi_reorder(&t.view.semi, (spw_semi_order)7, out, NULL), SPW_EINVAL);
  cr_assert_eq(spw_semi_reorder(&t.view.semi, SPW_SEMI_CUTLASS, NULL, NULL), SPW_EINVAL);
}

/* Why the last call was refused. */
static spw_semi_refusal why;

static void refused(spw_status status, spw_status expected, spw_semi_obstacle obstacle, int64_t lhs, int64_t rhs)
{
  cr_assert_eq(status, expected, "%d", (int)status);
  cr_assert(why.obstacle == obstacle && why.lhs == lhs && why.rhs == rhs, "obstacle %d, %lld, %lld", (int)why.obstacle,
            (long long)why.lhs, (long long)why.rhs);
}

Test(semi_check, refusals)
{
  uint16_t x[32 * 64] = {0}, packed[32 * 32], metadata[32 * 4], other[32 * 64];
  const spw_semi_request plain = {SPW_SEMI_PLAIN, SPW_DTYPE_NONE, false}, as_bytes = {SPW_SEMI_PLAIN, SPW_INT8, false},
                         cutlass = {SPW_SEMI_CUTLASS, SPW_DTYPE_NONE, false}, nothing = {(spw_semi_order)9, SPW_DTYPE_NONE,
                                                                                         false};
  spw_view v;
  const spw_tensor *dense = spw_dense(&v, 32, 64, SPW_FLOAT16, x);
  cr_assert_eq(spw_semi_encode(NULL, &plain, packed, metadata, &why), SPW_EINVAL);
  cr_assert_eq(spw_semi_encode(dense, NULL, packed, metadata, &why), SPW_EINVAL);
  cr_assert_eq(spw_semi_encode(dense, &nothing, packed, metadata, &why), SPW_EINVAL);
  cr_assert_eq(spw_semi_encode(dense, &plain, NULL, metadata, &why), SPW_EINVAL);
  cr_assert_eq(spw_semi_encode(dense, &plain, packed, NULL, &why), SPW_EINVAL);
  refused(spw_semi_encode(dense, &as_bytes, packed, metadata, &why), SPW_ERANGE, SPW_SEMI_OBSTACLE_TYPE, SPW_FLOAT16, SPW_INT8);
  refused(spw_semi_encode(dense, &plain, x, metadata, &why), SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1);
  refused(spw_semi_encode(dense, &plain, packed, x + 32 * 64 - 1, &why), SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1);
  refused(spw_semi_encode(dense, &plain, packed, packed + 31, &why), SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1);
  refused(spw_semi_encode(spw_vector(&v, 64, SPW_FLOAT16, x), &plain, packed, metadata, &why), SPW_ERANGE,
          SPW_SEMI_OBSTACLE_DIMENSIONS, 1, 2);
  refused(spw_semi_encode(spw_dense(&v, 32, 32, SPW_FLOAT64, x), &plain, packed, metadata, &why), SPW_ERANGE,
          SPW_SEMI_OBSTACLE_TYPE,
          SPW_FLOAT64, SPW_FLOAT64);
  const int64_t crow[] = {0, 0};
  refused(spw_semi_encode(spw_csr(&v, 1, 4, 0, SPW_INT64, crow, NULL, SPW_FLOAT16, NULL), &plain, packed, metadata, &why),
          SPW_ERANGE,
          SPW_SEMI_OBSTACLE_LAYOUT, SPW_CSR, SPW_DENSE);
  spw_dense(&v, 32, 64, SPW_FLOAT16, x);
  v.tensor.values.array.length = 5;
  refused(spw_semi_encode(&v.tensor, &plain, packed, metadata, &why), SPW_EINVALID, SPW_SEMI_OBSTACLE_DENSE, -1, -1);
  cr_assert_eq(why.dense.rule, SPW_RULE_3_14);
  refused(spw_semi_encode(spw_dense(&v, 32, 16, SPW_FLOAT16, x), &cutlass, packed, metadata, &why), SPW_ERANGE,
          SPW_SEMI_OBSTACLE_RULE, -1, -1);
  cr_assert(why.violation.rule == SPW_SEMI_RULE_7_1 && why.violation.lhs == 16 && why.violation.rhs == 32);
  x[70] = x[69] = x[71] = 1;
  refused(spw_semi_encode(spw_dense(&v, 32, 64, SPW_FLOAT16, x), &plain, packed, metadata, &why), SPW_EINVALID,
          SPW_SEMI_OBSTACLE_PATTERN, 0xe, -1);
  cr_assert(why.row == 1 && why.group == 1);

  subject t;
  make(&t, SPW_SEMI_PLAIN, SPW_FLOAT16);
  refused(spw_semi_decode(&t.view.semi, (char *)t.packed + 100, &why), SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1);
  refused(spw_semi_decode(&t.view.semi, t.metadata, &why), SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1);
  refused(spw_semi_reorder(&t.view.semi, SPW_SEMI_CUTLASS, t.metadata, &why), SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1);
  refused(spw_semi_transpose(&t.view.semi, &as_bytes, other, metadata, &why), SPW_ERANGE, SPW_SEMI_OBSTACLE_TYPE, SPW_FLOAT16,
          SPW_INT8);
  t.metadata[5] = 0;
  refused(spw_semi_decode(&t.view.semi, other, &why), SPW_EINVALID, SPW_SEMI_OBSTACLE_RULE, -1, -1);
  cr_assert(why.violation.rule == SPW_SEMI_RULE_7_4 && why.violation.at_row == 1 && why.violation.at_column == 16);
  spw_semi_of(&t.view, SPW_SEMI_PLAIN, 2, 20, SPW_FLOAT16, t.packed, t.metadata);
  memset(t.metadata, 0x44, sizeof t.metadata);
  t.metadata[1] = t.metadata[3] = 4;
  refused(spw_semi_reorder(&t.view.semi, SPW_SEMI_CUTLASS, metadata, &why), SPW_ERANGE, SPW_SEMI_OBSTACLE_RULE, -1, -1);

  refused(spw_semi_prune(spw_dense(&v, 6, 64, SPW_FLOAT16, x), SPW_SEMI_TILES, SPW_DTYPE_NONE, other, &why), SPW_ERANGE,
          SPW_SEMI_OBSTACLE_SHAPE, 6, 4);
  refused(spw_semi_prune(spw_dense(&v, 6, 63, SPW_FLOAT16, x), SPW_SEMI_LARGEST, SPW_DTYPE_NONE, other, &why), SPW_ERANGE,
          SPW_SEMI_OBSTACLE_RULE, -1, -1);
  refused(spw_semi_prune(spw_dense(&v, 6, 64, SPW_FLOAT16, x), SPW_SEMI_LARGEST, SPW_DTYPE_NONE, x + 6 * 64 - 1, &why),
          SPW_ERANGE,
          SPW_SEMI_OBSTACLE_OVERLAP, -1, -1);
  cr_assert_eq(spw_semi_prune(&v.tensor, (spw_semi_pruning)2, SPW_DTYPE_NONE, other, &why), SPW_EINVAL);
  cr_assert_eq(spw_semi_prune(&v.tensor, SPW_SEMI_LARGEST, SPW_DTYPE_NONE, NULL, &why), SPW_EINVAL);
  expect_no_leaks();
}

Test(semi_check, names_and_texts)
{
  for (int order = 0; order < SPW_SEMI_ORDER_COUNT; order++)
    cr_assert_eq(spw_semi_order_from_name(spw_semi_order_name((spw_semi_order)order)), order);
  cr_assert_null(spw_semi_order_name((spw_semi_order)SPW_SEMI_ORDER_COUNT));
  cr_assert_null(spw_semi_order_name((spw_semi_order)-1));
  cr_assert_eq(spw_semi_order_from_name("row"), -1);
  cr_assert_eq(spw_semi_order_from_name(NULL), -1);
  for (int type = 1; type <= (int)SPW_FLOAT8_E5M2; type++)
    cr_assert_eq((int)spw_semi_dtype_from_name(spw_semi_dtype_name((spw_dtype)type)), type);
  cr_assert_null(spw_semi_dtype_name((spw_dtype)15));
  for (int n = 0; n < SPW_SEMI_RULE_COUNT; n++) {
    const spw_rule_info *const info = spw_semi_rule_get((spw_semi_rule)n);
    cr_assert_eq((int)spw_semi_rule_from_id(info->id), n);
    cr_assert(info->formula[0] && info->prose[0] && info->why[0] && info->fix[0]);
    cr_assert_eq(info->phase, n == SPW_SEMI_RULE_7_4 || n == SPW_SEMI_RULE_7_6 ? SPW_STRUCTURE : SPW_SHAPE);
  }
  cr_assert_null(spw_semi_rule_get(SPW_SEMI_RULE_NONE));
  cr_assert_null(spw_semi_rule_get(SPW_SEMI_RULE_COUNT));
  cr_assert_eq(spw_semi_rule_from_id("7.7"), SPW_SEMI_RULE_NONE);
  cr_assert_eq(spw_semi_rule_from_id(NULL), SPW_SEMI_RULE_NONE);
}
