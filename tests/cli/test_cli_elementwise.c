/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw elementwise: what it gives, and every reason to refuse. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 2x3: 1 0 2 / 0 -3 0, not in order; and 10 20 . / . 3 . */
static const char first[] = COO("2,3", "2", "3", "1,0,0,1,2,0", "-3,2,1");
static const char second[] = COO("2,3", "2", "3", "0,0,1,0,1,1", "10,20,3");

static void enter(void)
{
  enter_directory();
  write_text("a.spw.json", first);
  write_text("b.spw.json", second);
}

TestSuite(cli_elementwise, .init = enter, .fini = leave_directory);

static void expect_data(const char *arguments, const char *indices, const char *values)
{
  const int status = spw(arguments);
  cr_assert(status == 0, "%s: exit %d: %s", arguments, status, read_text("err"));
  char data[200];
  snprintf(data, sizeof data, "\"data\":[%s]", indices);
  cr_assert(strstr(read_text("out"), data) != NULL, "%s: %s", arguments, read_text("out"));
  snprintf(data, sizeof data, "\"data\":[%s]}}", values);
  cr_assert(strstr(read_text("out"), data) != NULL, "%s: %s", arguments, read_text("out"));
}

Test(cli_elementwise, operations)
{
  expect_data("elementwise add a.spw.json b.spw.json", "0,0,0,1,0,1,2,1", "11,20,2,0");
  expect_data("elementwise subtract a.spw.json b.spw.json", "0,0,0,1,0,1,2,1", "-9,-20,2,-6");
  expect_data("elementwise subtract --scalar=0.5 a.spw.json b.spw.json", "0,0,0,1,0,1,2,1", "-4,-10,2,-4.5");
  expect_data("elementwise add --scalar -2 a.spw.json b.spw.json", "0,0,0,1,0,1,2,1", "-19,-40,2,-9");
  expect_data("elementwise multiply a.spw.json b.spw.json", "0,1,0,1", "10,-9");
  expect_data("elementwise scale --scalar=0x1p-1 a.spw.json", "1,0,0,1,2,0", "-1.5,1,0.5");
  expect_data("elementwise divide --scalar=inf a.spw.json", "1,0,0,1,2,0", "\"-0.0\",0,0");
  write_text("b.spw.json", DENSE("2,3", "2,0,3,0,\"inf\",0"));
  expect_data("elementwise multiply a.spw.json b.spw.json", "1,0,0,1,2,0", "\"-inf\",6,2");
}

/* Every other layout: both converted, added, and compared with the sum of what they were. */
Test(cli_elementwise, layouts)
{
  static const char *const to[] = {"csr", "csc", "bsr --blocksize=1x3", "bsr --blocksize=2x1", "bsc --blocksize=2x3"};
  cr_assert_eq(spw("elementwise add a.spw.json b.spw.json -o sum.spw.json"), 0);
  for (int i = 0; i < 5; i++) {
    char arguments[100];
    for (const char *name = "ab"; *name; name++) {
      snprintf(arguments, sizeof arguments, "convert --to=%s %c.spw.json %c2.spw.json", to[i], *name, *name);
      cr_assert_eq(spw(arguments), 0, "%s", to[i]);
    }
    cr_assert_eq(spw("elementwise add a2.spw.json b2.spw.json -o sum2.spw.json"), 0, "%s: %s", to[i], read_text("err"));
    cr_assert_eq(spw("diff --dense sum.spw.json sum2.spw.json"), 0, "%s: %s%s", to[i], read_text("out"), read_text("err"));
  }
}

Test(cli_elementwise, types_of_scalars)
{
  write_text("a.spw.json", TYPED_COO("complex64", "2", "1", "1", "1", "[1,2]"));
  write_text("d.spw.json", COO("2", "1", "1", "1", "1"));
  expect_data("elementwise scale --scalar=[0,1] a.spw.json", "1", "[-2,1]");
  expect_data("elementwise scale --scalar=3 a.spw.json", "1", "[3,6]");
  expect_data("elementwise divide --scalar=0x1p1 d.spw.json", "1", "0.5");
  expect_data("elementwise scale --scalar=-0x1p1 a.spw.json", "1", "[-2,-4]");
  expect_refused("elementwise scale --scalar=1,2 a.spw.json", 2, "--scalar=1,2 is no value of type complex64");
  expect_refused("elementwise scale '--scalar=1],[2' a.spw.json", 2, "is no value of type complex64");
  static const char *const infinite[] = {"[\"inf\",0]", "[inf,0]", " [ inf , 0.0 ] ", "inf", "\"inf\"", "\"bits:7f800000\"",
                                         "[bits:7f800000,0e1]"};
  write_text("a.spw.json", TYPED_COO("complex64", "2", "1", "1", "1", "[1,1]"));
  for (size_t i = 0; i < sizeof infinite / sizeof *infinite; i++) {
    char arguments[100];
    snprintf(arguments, sizeof arguments, "elementwise scale '--scalar=%s' a.spw.json", infinite[i]);
    expect_data(arguments, "1", "[\"inf\",\"inf\"]");
  }
  expect_data("elementwise scale '--scalar=[\"-inf\", \"-0.0\"]' a.spw.json", "1", "[\"-inf\",\"-inf\"]");
  expect_data("elementwise scale --scalar=100000000000000000000 d.spw.json", "1", "1e+20");
  static const char *const none[] = {"", "\"", "\"inf", "inf\"", "[inf", "[inf,0", "[inf,0]]", "[[inf,0]]", "[1,2,3]", "[1]",
                                     "[,]", "in f", "\"in\\u0066\"", "1]},\"dtype\":\"complex64\"", "[1,2],[3,4]", "{}",
                                     "true", "tru"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "elementwise scale '--scalar=%s' a.spw.json", none[i]);
    expect_refused(arguments, 2, "is no value of type complex64");
  }
  write_text("a.spw.json", TYPED_COO("bool", "2", "1", "1", "1", "true"));
  expect_data("elementwise scale --scalar=false a.spw.json", "1", "false");
  write_text("a.spw.json", TYPED_COO("uint8", "2", "1", "1", "1", "200"));
  expect_data("elementwise add --scalar=255 a.spw.json a.spw.json", "1", "0");
}

Test(cli_elementwise, refusals)
{
  write_text("c.spw.json", COO("2,4", "2", "1", "0,0", "1"));
  expect_refused("elementwise add a.spw.json c.spw.json", 2,
                 "c.spw.json: impossible: dimension 1 of the second is 4, and of the first 3");
  write_text("c.spw.json", COO("4", "1", "1", "0", "1"));
  expect_refused("elementwise add a.spw.json c.spw.json", 2, "the second has 1 dimensions, and the first 2");
  write_text("c.spw.json", TYPED_COO("float32", "2,3", "2", "1", "0,0", "1"));
  expect_refused("elementwise multiply a.spw.json c.spw.json", 2, "the second is of type float32, and the first float64");
  write_text("c.spw.json", TYPED_COO("bool", "1", "1", "1", "0", "true"));
  expect_refused("elementwise subtract c.spw.json c.spw.json", 2, "subtract does not exist for bool");
  expect_refused("elementwise divide --scalar=1 c.spw.json", 2, "divide does not exist for bool");
  expect_refused("elementwise scale --scalar=2 c.spw.json", 2, "--scalar=2 is no value of type bool");
  expect_refused("elementwise scale --scalar=1,2 a.spw.json", 2, "--scalar=1,2 is no value of type float64");
  expect_refused("elementwise scale '--scalar=1]}}{' a.spw.json", 2, "no value of type");
  write_text("c.spw.json", DENSE("2,3", "1,2,3,4,5,6"));
  expect_refused("elementwise add c.spw.json c.spw.json", 2, "both are dense");
  expect_refused("elementwise scale --scalar=2 c.spw.json", 2, "the operand has to be sparse");
  write_text("d.spw.json", DENSE("2,2", "1,2,3,4"));
  expect_refused("elementwise add a.spw.json d.spw.json", 2, "dimension 1 has size 2, and 3 in the first operand");
  write_text("c.spw.json", COO("2,2", "2", "1", "0,7", "1"));
  expect_refused("elementwise add c.spw.json c.spw.json", 1, "7");
  write_text("lines.spw.jsonl", COO("3", "1", "1", "0", "1") COO("3", "1", "1", "0", "1"));
  expect_refused("elementwise scale --scalar=2 lines.spw.jsonl", 2, "an operand is one tensor");
}

Test(cli_elementwise, command_lines)
{
  expect_refused("elementwise", 2, "an operation is needed");
  expect_refused("elementwise sum a.spw.json b.spw.json", 2, "sum is not one of");
  expect_refused("elementwise add a.spw.json", 2, "add takes two files");
  expect_refused("elementwise scale --scalar=2 a.spw.json b.spw.json", 2, "b.spw.json is one operand too many, and exists");
  expect_refused("elementwise divide a.spw.json", 2, "divide needs --scalar");
  expect_refused("elementwise multiply --scalar=2 a.spw.json b.spw.json", 2, "scale does");
  expect_refused("elementwise add a.spw.json none.npz", 3, "none.npz");
  expect_refused("elementwise add a.spw.json b.spw.json -o y.txt", 2, "y.txt");
  expect_refused("elementwise add a.spw.json b.spw.json -o b.spw.json", 2, "b.spw.json");
}

/* Index arrays that batches share, as those of the result do not, are steps. */
#define SHARED_ROWS \
  "{\"spw\":1,\"layout\":\"csr\",\"size\":[500,1000,1],\"compressed_indices\":{\"dtype\":\"int32\",\"shape\":[500,1001]," \
  "\"strides\":[0,1],\"length\":1001,\"fill\":0}," ARRAY("plain_indices", "int32", "500,0", "") "," \
  ARRAY("values", "float32", "500,0", "") "}\n"

Test(cli_elementwise, limits)
{
  expect_refused("elementwise add --max-memory=100 a.spw.json b.spw.json", 2, "more than the limit of 100 bytes");
  write_text("a.spw.json", COO("9", "1", "4", "0,1,2,3", "1,2,3,4"));
  expect_refused("elementwise add --max-work=15 a.spw.json a.spw.json", 2, "combining it takes 16 steps");
  cr_expect_eq(spw("elementwise add --max-work=16 a.spw.json a.spw.json"), 0, "%s", read_text("err"));
  write_text("a.spw.json", SHARED_ROWS);
  expect_refused("elementwise scale --scalar=2 --max-work=500499 a.spw.json", 2, "combining it takes 500500 steps");
  cr_expect_eq(spw("elementwise scale --scalar=2 --max-work=500500 a.spw.json"), 0, "%s", read_text("err"));
}

/* Other sizes, layouts and dense arrays (E8 to E10). */
Test(cli_elementwise, unlike_operands)
{
  write_text("row.spw.json", COO("3", "1", "1", "0", "10"));
  write_text("dense.spw.json", DENSE("2,3", "1,2,3,4,5,6"));
  cr_assert_eq(spw("elementwise add row.spw.json row.spw.json"), 0);
  cr_assert_eq(spw("convert --to=csr a.spw.json csr.spw.json"), 0);
  cr_assert_eq(spw("convert --to=csc a.spw.json csc.spw.json"), 0);
  cr_assert_eq(spw("elementwise add csr.spw.json csc.spw.json -o sum.spw.json"), 0, "%s", read_text("err"));
  cr_assert_eq(spw("elementwise scale --scalar=2 csr.spw.json -o twice.spw.json"), 0);
  cr_assert_eq(spw("diff sum.spw.json twice.spw.json"), 0, "%s", read_text("out"));
  cr_assert_eq(spw("elementwise multiply dense.spw.json csr.spw.json -o product.spw.json"), 0, "%s", read_text("err"));
  cr_assert_eq(spw("elementwise multiply csr.spw.json dense.spw.json -o other.spw.json"), 0);
  cr_assert_eq(spw("diff product.spw.json other.spw.json"), 0, "%s", read_text("out"));
  cr_assert_eq(spw("elementwise add csr.spw.json row.spw.json"), 0, "%s", read_text("err"));
  cr_assert_eq(spw("elementwise subtract dense.spw.json row.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"data\":[-9,2,3,-6,5,6]") != NULL, "%s", read_text("out"));
}

/* Operands of two types, of which one or both are cast. */
Test(cli_elementwise, types)
{
  write_text("i.spw.json", TYPED_COO("int32", "2,2", "2", "2", "0,1,0,1", "2,-3"));
  write_text("f.spw.json", COO("2,2", "2", "2", "0,1,0,0", "0.5,1e30"));
  write_text("d.spw.json", DENSE("2,2", "1,-0.0,2.75,4"));
  cr_assert_eq(spw("elementwise add i.spw.json f.spw.json"), 2);
  cr_assert_eq(spw("elementwise add --dtype=float64 i.spw.json f.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"data\":[2.5,1e+30,-3]") != NULL, "%s", read_text("out"));
  cr_assert_eq(spw("elementwise multiply --dtype=int64 i.spw.json d.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"data\":[2,-12]") != NULL, "%s", read_text("out"));
  expect_refused("elementwise add --dtype=int32 i.spw.json f.spw.json", 2,
                 "the value 1e+30 at position (1, 0) has no place in int32");
  expect_refused("elementwise add --dtype=int i.spw.json f.spw.json", 2, "--dtype names a type as float64, not int");
  expect_refused("elementwise add --dtype=float64 --max-memory=10 i.spw.json f.spw.json", 2, "limit of 10 bytes");
  cr_assert_eq(spw("multiply --dtype=float64 i.spw.json d.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"data\":[2,0,-8.25,-12]") != NULL, "%s", read_text("out"));
  cr_assert_eq(spw("solve --dtype=float64 i.spw.json d.spw.json"), 0, "%s", read_text("err"));
}
