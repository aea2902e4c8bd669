/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw multiply: what it gives, and every reason to refuse. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPED(dtype, shape, data) \
  "{\"spw\":1,\"layout\":\"dense\",\"dtype\":\"" dtype "\"," ARRAY("values", dtype, shape, data) "}\n"
#define FLOATS(shape, data) TYPED("float64", shape, data)

/* 2x3: 1 0 2 / 0 -3 0, not in order, with an explicit zero at (1, 2). */
static const char matrix[] = COO("2,3", "2", "4", "1,0,1,0,2,0,1,2", "0,1,-3,2");

static void enter(void)
{
  enter_directory();
  write_text("a.spw.json", matrix);
}

TestSuite(cli_multiply, .init = enter, .fini = leave_directory);

static void expect_product(const char *arguments, const char *b, const char *product)
{
  write_text("b.spw.json", b);
  const int status = spw(arguments);
  cr_assert(status == 0, "%s: exit %d: %s", arguments, status, read_text("err"));
  cr_assert_str_eq(read_text("out"), product, "%s: %s", arguments, read_text("out"));
  cr_assert(!read_text("err")[0], "%s", read_text("err"));
}

Test(cli_multiply, products)
{
  expect_product("multiply a.spw.json b.spw.json", FLOATS("3", "10,20,30"), FLOATS("2", "70,-60"));
  expect_product("multiply a.spw.json b.spw.json", FLOATS("3,1", "10,20,30"), FLOATS("2,1", "70,-60"));
  expect_product("multiply a.spw.json b.spw.json", FLOATS("3,2", "1,2,3,4,5,6"), FLOATS("2,2", "11,14,-9,-12"));
  expect_product("multiply a.spw.json b.spw.json", FLOATS("3,0", ""), FLOATS("2,0", ""));
  expect_product("multiply b.spw.json a.spw.json", FLOATS("2", "1,2"), FLOATS("3", "1,-6,2"));
  expect_product("multiply b.spw.json a.spw.json", FLOATS("1,2", "1,2"), FLOATS("1,3", "1,-6,2"));
}

/* A stored zero counts, a position that is not stored does not (P5). */
Test(cli_multiply, infinity)
{
  expect_product("multiply a.spw.json b.spw.json", FLOATS("3", "0,\"inf\",0"), FLOATS("2", "0,\"-inf\""));
  write_text("b.spw.json", FLOATS("3", "0,0,\"inf\""));
  cr_assert_eq(spw("multiply a.spw.json b.spw.json"), 0);
  const char *const data = strstr(read_text("out"), "[\"inf\",");
  cr_assert(data && (strstr(data, "\"nan\"") || strstr(data, "\"bits:fff8000000000000\"")), "%s", read_text("out"));
}

/* What every other layout of the matrix gives. */
Test(cli_multiply, layouts)
{
  static const char *const to[] = {"csr", "csc", "bsr --blocksize=1x3", "bsr --blocksize=2x1", "bsc --blocksize=2x3", "coo"};
  for (int i = 0; i < 6; i++) {
    char arguments[100];
    snprintf(arguments, sizeof arguments, "convert --to=%s a.spw.json m.spw.json", to[i]);
    cr_assert_eq(spw(arguments), 0, "%s", to[i]);
    expect_product("multiply m.spw.json b.spw.json", FLOATS("3,2", "1,2,3,4,5,6"), FLOATS("2,2", "11,14,-9,-12"));
    expect_product("multiply b.spw.json m.spw.json", FLOATS("1,2", "1,2"), FLOATS("1,3", "1,-6,2"));
  }
}

Test(cli_multiply, files)
{
  write_text("b.spw.json", FLOATS("3", "10,20,30"));
  cr_assert_eq(spw("convert b.spw.json b.npy"), 0);
  cr_assert_eq(spw("multiply a.spw.json b.npy -o y.npy"), 0);
  cr_assert(!read_text("out")[0]);
  cr_assert_eq(spw("convert y.npy -"), 0);
  cr_assert(strstr(read_text("out"), "\"data\":[70,-60]") != NULL, "%s", read_text("out"));
}

/* 1 0 2 / 0 -3 0 times 2 0 / 0 5 / -1 0: a sum that is zero stays, and the layout is what both operands have. */
Test(cli_multiply, two_sparse)
{
  static const char *const to[] = {"csr", "csc", "coo", "bsr --blocksize=1x1"}, *const from[] = {"csr", "csc", "coo", "csr"};
  write_text("b.spw.json", COO("3,2", "2", "3", "0,1,2,0,1,0", "2,5,-1"));
  for (int i = 0; i < 4; i++) {
    char arguments[100], layout[40];
    snprintf(arguments, sizeof arguments, "convert --to=%s a.spw.json m.spw.json", to[i]);
    cr_assert_eq(spw(arguments), 0);
    snprintf(arguments, sizeof arguments, "convert --to=%s b.spw.json n.spw.json", to[i]);
    cr_assert_eq(spw(arguments), 0);
    cr_assert_eq(spw("multiply m.spw.json n.spw.json"), 0, "%s", read_text("err"));
    snprintf(layout, sizeof layout, "\"layout\":\"%s\",\"size\":[2,2]", from[i]);
    cr_assert(strstr(read_text("out"), layout) != NULL, "%s: %s", to[i], read_text("out"));
    cr_assert_eq(spw("multiply m.spw.json n.spw.json -o y.spw.json"), 0);
    cr_assert_eq(spw("convert --to=dense y.spw.json -"), 0);
    cr_assert(strstr(read_text("out"), "\"data\":[0,0,0,-15]") != NULL, "%s: %s", to[i], read_text("out"));
    cr_assert_eq(spw("info y.spw.json"), 0);
    cr_assert(strstr(read_text("out"), "nse          3") != NULL, "%s: %s", to[i], read_text("out"));
  }
}

/* What is 0 times beta is not read. */
Test(cli_multiply, added)
{
  write_text("c.spw.json", FLOATS("2,2", "1,2,3,\"nan\""));
  static const char dense[] = FLOATS("3,2", "1,2,3,4,5,6");
  expect_product("multiply --add c.spw.json --beta=0 a.spw.json b.spw.json", dense, FLOATS("2,2", "11,14,-9,-12"));
  write_text("c.spw.json", FLOATS("2,2", "1,2,3,4"));
  expect_product("multiply --add c.spw.json a.spw.json b.spw.json", dense, FLOATS("2,2", "12,16,-6,-8"));
  expect_product("multiply --add c.spw.json --alpha=-2 --beta=0x1p1 a.spw.json b.spw.json", dense,
                 FLOATS("2,2", "-20,-24,24,32"));
  expect_product("multiply --add c.spw.json --alpha 0 a.spw.json b.spw.json", FLOATS("3,2", "1,2,3,4,\"inf\",6"),
                 FLOATS("2,2", "1,2,3,4"));
  write_text("c.spw.json", FLOATS("2", "1,2"));
  expect_product("multiply --add c.spw.json a.spw.json b.spw.json", FLOATS("3", "1,2,3"), FLOATS("2", "8,-4"));
  write_text("d.spw.json", TYPED_COO("bool", "1,1", "2", "1", "0,0", "true"));
  write_text("c.spw.json", TYPED("bool", "1", "false"));
  expect_product("multiply --add c.spw.json d.spw.json b.spw.json", TYPED("bool", "1", "true"), TYPED("bool", "1", "true"));
  write_text("d.spw.json", TYPED_COO("complex128", "1,1", "2", "1", "0,0", "[1e200,0]"));
  write_text("c.spw.json", TYPED("complex128", "1", "[0,0]"));
  static const char large[] = TYPED("complex128", "1", "[0,1e200]");
  expect_product("multiply --add c.spw.json --beta=0 d.spw.json b.spw.json", large, TYPED("complex128", "1", "[0,\"inf\"]"));
  cr_assert_eq(spw("multiply --add c.spw.json d.spw.json b.spw.json"), 0);
  cr_assert(!output_has("out", "[0,\"inf\"]"), "alpha is 1, says P6, and 0 * inf is NaN: %s", read_text("out"));
}

/* Queries and keys where a mask has an element: an explicit zero is one. */
Test(cli_multiply, sampled)
{
  write_text("q.spw.json", FLOATS("2,2", "1,2,3,4"));
  write_text("k.spw.json", FLOATS("2,3", "1,2,3,4,5,6"));
  cr_assert_eq(spw("multiply --at a.spw.json q.spw.json k.spw.json"), 0, "%s", read_text("err"));
  cr_expect(strstr(read_text("out"), "\"data\":[33,9,26,15]}}") != NULL, "%s", read_text("out"));
  cr_assert_eq(spw("multiply --at a.spw.json --alpha=2 --beta=100 q.spw.json k.spw.json"), 0, "%s", read_text("err"));
  cr_expect(strstr(read_text("out"), "\"data\":[66,118,-248,230]}}") != NULL, "%s", read_text("out"));
}

Test(cli_multiply, refused_with_factors)
{
  write_text("b.spw.json", FLOATS("3,2", "1,2,3,4,5,6"));
  write_text("q.spw.json", FLOATS("2,2", "1,2,3,4"));
  write_text("k.spw.json", FLOATS("2,3", "1,2,3,4,5,6"));
  expect_refused("multiply --add k.spw.json a.spw.json b.spw.json", 2,
                 "k.spw.json: impossible: dimension 1 of what --add names is 3 and would need to be 2");
  expect_refused("multiply --add a.spw.json a.spw.json b.spw.json", 2, "what --add names is 3");
  expect_refused("multiply --add q.spw.json a.spw.json a.spw.json", 2, "impossible: with --add");
  expect_refused("multiply --at a.spw.json q.spw.json b.spw.json", 2,
                 "b.spw.json: impossible: dimension 0 of the second is 3 and would need to be 2");
  expect_refused("multiply --at a.spw.json k.spw.json b.spw.json", 2,
                 "dimension 1 of the second is 2 and would need to be 3");
  expect_refused("multiply --at q.spw.json q.spw.json k.spw.json", 2, "q.spw.json: impossible: with --at two dense tensors");
  expect_refused("multiply --at a.spw.json a.spw.json k.spw.json", 2, "a.spw.json: impossible: with --at two dense tensors");
  expect_refused("multiply --add q.spw.json --alpha=x a.spw.json b.spw.json", 2, "--alpha=x is no value of type float64");
  expect_refused("multiply --at a.spw.json --beta=[1,2] q.spw.json k.spw.json", 2, "--beta=[1,2] is no value of type float64");
  expect_refused("multiply --alpha=2 a.spw.json b.spw.json", 2, "--alpha and --beta need --add or --at");
  expect_refused("multiply --at a.spw.json --add q.spw.json q.spw.json k.spw.json", 2, "only one of --add, --at, --bias and");
  expect_refused("multiply --judge q.spw.json --beta=2 a.spw.json b.spw.json", 2, "with --judge there are no factors");
  expect_refused("multiply --add - - b.spw.json <a.spw.json", 2, "standard input, -, is named twice");
  expect_refused("multiply --add q.spw.json --max-memory=40 a.spw.json b.spw.json", 2, "more than the limit of 40 bytes");
  expect_refused("multiply --at a.spw.json --max-memory=40 q.spw.json k.spw.json", 2, "more than the limit of 40 bytes");
  write_text("wide.spw.json", FLOATS("2,9", "1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9"));
  write_text("high.spw.json", FLOATS("9,3", "1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9"));
  write_text("deep.spw.json", FLOATS("2,0", ""));
  write_text("flat.spw.json", FLOATS("0,3", ""));
  expect_refused("multiply --at a.spw.json --max-work=11 deep.spw.json flat.spw.json", 2, "multiplying it takes 12 steps");
  expect_refused("multiply --at a.spw.json --max-work=35 wide.spw.json high.spw.json", 2, "multiplying it takes 36 steps");
}

/* Nothing that is said is passed over. */
Test(cli_multiply, options_that_would_be_ignored)
{
  static const char *const twice[] = {"judge", "add", "at", "alpha", "beta", "precision"};
  for (int i = 0; i < 6; i++) {
    char arguments[128], says[64];
    const char *const value = i == 5 ? "float32" : "1";
    snprintf(arguments, sizeof arguments, "multiply --%s=%s a.spw.json a.spw.json --%s %s", twice[i], value, twice[i], value);
    snprintf(says, sizeof says, "spw multiply: --%s is given twice\n", twice[i]);
    expect_refused(arguments, 2, says);
  }
  expect_refused("multiply -o x.npy --output=x.npy a.spw.json a.spw.json", 2, "--output is given twice");
  expect_refused("multiply --precision=float32 a.spw.json a.spw.json", 2, "--precision is for --judge");
  expect_refused("multiply --precision=float32 --add a.spw.json a.spw.json a.spw.json", 2, "--precision is for --judge");
  expect_refused("multiply --judge a.spw.json -o x.npy a.spw.json a.spw.json", 2, "--judge writes no product, and --output says");
}

/* Somebody's product is judged, and one that is damaged. */
Test(cli_multiply, judges)
{
  write_text("b.spw.json", FLOATS("3,2", "1,2,3,4,5,6"));
  write_text("y.spw.json", FLOATS("2,2", "11,14,-9,-12"));
  cr_assert_eq(spw("multiply a.spw.json b.spw.json --judge y.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "y.spw.json: right: 4 numbers; 4 as every order gives them, 0 within"), "%s",
            read_text("out"));
  write_text("y.spw.json", FLOATS("2,2", "11,14,-9,-11"));
  cr_assert_eq(spw("multiply a.spw.json b.spw.json --judge y.spw.json"), 1);
  cr_assert(strstr(read_text("out"), "y.spw.json: wrong: 1 of 4 numbers, first row 1, column 1: -11, and the exact sum is -12"),
            "%s", read_text("out"));
  write_text("y.spw.json", FLOATS("2,2", "11,14,\"nan\",-12"));
  cr_assert_eq(spw("multiply a.spw.json b.spw.json --judge y.spw.json"), 1);
  write_text("y.spw.json", FLOATS("2", "11,14"));
  cr_assert_eq(spw("multiply a.spw.json b.spw.json --judge y.spw.json"), 1, "%s%s", read_text("out"), read_text("err"));
  cr_assert(strstr(read_text("out"), "wrong: its shape"), "%s", read_text("out"));
}

static void expect_verdict(const char *x, const char *y, const char *verdict)
{
  char line[256];
  write_text("x.spw.json", x);
  write_text("y.spw.json", y);
  snprintf(line, sizeof line, "y.spw.json: %s\n", verdict);
  (void)spw("multiply m.spw.json x.spw.json --judge y.spw.json");
  cr_expect_str_eq(read_text("out"), line, "%s%s", read_text("out"), read_text("err"));
}

/* What is wrong with special values is no matter of a bound. */
Test(cli_multiply, judges_special_values)
{
  static const char *const infinities = FLOATS("2", "\"inf\",\"-inf\""), *const infinity = FLOATS("2", "\"inf\",1");
  write_text("m.spw.json", COO("1,2", "2", "2", "0,0,0,1", "1,1"));
  expect_verdict(FLOATS("2", "1,2"), FLOATS("1", "\"nan\""), "wrong: 1 of 1 numbers, first element 0: NaN, which no order gives");
  expect_verdict(infinities, FLOATS("1", "11"), "wrong: 1 of 1 numbers, first element 0: 11, and every order gives NaN");
  expect_verdict(FLOATS("2", "1,2"), FLOATS("1", "\"-inf\""),
                 "wrong: 1 of 1 numbers, first element 0: -inf, an infinity that no order gives");
  expect_verdict(infinity, FLOATS("1", "11"),
                 "wrong: 1 of 1 numbers, first element 0: 11, and not the infinity that the operands demand");
  expect_verdict(FLOATS("2", "1,-1"), FLOATS("1", "-0.0"),
                 "wrong: 1 of 1 numbers, first element 0: -0, and every order gives +0");
  expect_verdict(infinity, FLOATS("1", "\"inf\""),
                 "right: 1 numbers; 0 as every order gives them, 0 within the bound of float64, 1 not finite");
}

/* Sums of integers and of bools are exact: there is no precision in which they are accumulated. */
Test(cli_multiply, judges_integers)
{
  write_text("m.spw.json", TYPED_COO("int64", "1,2", "2", "2", "0,0,0,1", "2,3"));
  expect_verdict(TYPED("int64", "2", "1,2"), TYPED("int64", "1", "8"), "right: 1 numbers; 1 as every order gives them");
  expect_verdict(TYPED("int64", "2", "1,2"), TYPED("int64", "1", "9"),
                 "wrong: 1 of 1 numbers, first element 0: 9, and the sum is 8");
  expect_refused("multiply --precision=float32 m.spw.json x.spw.json --judge y.spw.json", 2,
                 "--precision=float32 is for sums of floating-point numbers, and the first operand is of type int64");
  write_text("m.spw.json", TYPED_COO("bool", "1,2", "2", "2", "0,0,0,1", "true,true"));
  expect_verdict(TYPED("bool", "2", "false,true"), TYPED("bool", "1", "true"), "right: 1 numbers; 1 as every order gives them");
}

/* What rounding to float16 makes of a float32 sum is no part of the bound: the first sum is 1 + 2^-12 + 2^-28. */
Test(cli_multiply, judges_results_that_are_rounded)
{
  write_text("m.spw.json", TYPED_COO("float16", "1,3", "2", "3", "0,0,0,0,1,2", "1,0.00006103515625,0.015625"));
  expect_verdict(TYPED("float16", "3", "1,0.00006103515625,0.015625"), TYPED("float16", "1", "1"),
                 "right: 1 numbers; 0 as every order gives them, 1 within the bound of float32; the worst error is that of "
                 "rounding to float16");
}

/* The same of two sparse tensors: what is not stored is 0. */
Test(cli_multiply, judges_sparse_products)
{
  write_text("b.spw.json", COO("3,2", "2", "3", "1,0,2,0,1,1", "5,4,6"));
  write_text("c.spw.json", COO("2,3", "2", "3", "0,0,1,0,1,2", "1,2,3"));
  write_text("y.spw.json", COO("2,2", "2", "3", "0,0,1,0,1,1", "10,4,18"));
  cr_assert_eq(spw("multiply c.spw.json b.spw.json --judge y.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "right: 3 numbers; 3 as every order gives them, 0 within"), "%s", read_text("out"));
  write_text("y.spw.json", COO("2,2", "2", "3", "0,1,1,0,0,1", "10,0,18"));
  cr_assert_eq(spw("multiply c.spw.json b.spw.json --judge y.spw.json"), 1);
  cr_assert(strstr(read_text("out"), "wrong: 1 of 4 numbers, first row 0, column 1: 0, and the exact sum is 4"), "%s",
            read_text("out"));
  write_text("y.spw.json", COO("2,2", "2", "3", "0,0,0,0,1,1", "10,2,2"));
  expect_refused("multiply c.spw.json b.spw.json --judge y.spw.json", 2,
                 "it stores two elements in row 0, column 1 and is to be coalesced first");
  write_text("y.spw.json", "{\"spw\":1,\"layout\":\"coo\"," ARRAY("indices", "int64", "2,1", "0,0") ","
             ARRAY("values", "float64", "1", "10") "}\n");
  expect_refused("multiply c.spw.json b.spw.json --judge y.spw.json", 2, "nothing is judged: it has no size");
  write_text("y.spw.json", FLOATS("2,2", "10,4,0,18"));
  cr_assert_eq(spw("multiply c.spw.json b.spw.json --judge y.spw.json"), 0);
  expect_refused("multiply c.spw.json b.spw.json --judge y.spw.json --max-work=9", 2, "judging it takes 10 steps");
  expect_refused("multiply c.spw.json b.spw.json --judge y.spw.json --max-work=457", 2,
                 "judging it takes 448 steps; what came before");
  cr_expect_eq(spw("multiply c.spw.json b.spw.json --judge y.spw.json --max-work=458"), 0, "%s", read_text("err"));
  write_text("b.spw.json", FLOATS("3,2", "0,4,5,0,0,6"));
  expect_refused("multiply c.spw.json b.spw.json --judge c.spw.json", 2, "has to have a sparse first operand");
}

Test(cli_multiply, refusals)
{
  write_text("b.spw.json", FLOATS("4", "1,2,3,4"));
  expect_refused("multiply a.spw.json b.spw.json", 2, "b.spw.json: impossible: dimension 0 of the second is 4 and would need to "
                 "be 3: the first is coo (2x3), the second dense (4)");
  expect_refused("multiply b.spw.json a.spw.json", 2,
                 "b.spw.json: impossible: dimension 0 of the first is 4 and would need to be 2");
  write_text("b.spw.json", FLOATS("1,3,1", "1,2,3"));
  expect_refused("multiply a.spw.json b.spw.json", 2, "the second has 3 dimensions and would need 2");
  write_text("b.spw.json", TYPED("float32", "3", "1,2,3"));
  expect_refused("multiply a.spw.json b.spw.json", 2, "the second is of type float32, and float64 would be needed");
  expect_refused("multiply a.spw.json a.spw.json", 2, "a.spw.json: impossible: dimension 0 of the second is 2 and would need to "
                 "be 3: the first is coo (2x3), the second coo (2x3)");
  expect_refused("multiply b.spw.json b.spw.json", 2, "both are dense");
  write_text("c.spw.json", "{\"spw\":1,\"layout\":\"coo\"," ARRAY("indices", "int64", "2,1", "0,0") ","
             ARRAY("values", "float64", "1", "1") "}\n");
  write_text("b.spw.json", FLOATS("1", "1"));
  expect_refused("multiply c.spw.json b.spw.json", 2, "the first has no size");
  write_text("c.spw.json", COO("2,2", "2", "1", "0,7", "1"));
  expect_refused("multiply c.spw.json b.spw.json", 1, "7");
  write_text("lines.spw.jsonl", FLOATS("3", "1,2,3") FLOATS("3", "1,2,3"));
  expect_refused("multiply a.spw.json lines.spw.jsonl", 2, "an operand is one tensor");
  expect_refused("multiply a.spw.json", 2, "two files are needed");
  expect_refused("multiply --precision=exact a.spw.json b.spw.json", 2, "tf32");
  expect_refused("multiply a.spw.json none.npy", 3, "none.npy");
  expect_refused("multiply a.spw.json b.spw.json -o y.txt", 2, "y.txt");
  expect_refused("multiply a.spw.json b.spw.json -o b.spw.json", 2, "b.spw.json");
}

#define BATCHES(rows, starts, compressed, columns) \
  "{\"spw\":1,\"layout\":\"csr\",\"size\":[2," rows ",2]," ARRAY("compressed_indices", "int64", "2," starts, compressed) "," \
  ARRAY("plain_indices", "int64", "2,2", columns) "," ARRAY("values", "float64", "2,2", "1,1,1,1") "}\n"

/* Of batches of vectors a place is a batch and an element, and the inner dimension multiplies nothing. */
Test(cli_multiply, judges_batches)
{
  write_text("m.spw.json", BATCHES("2", "3", "0,1,2,0,1,2", "0,1,0,1"));
  expect_verdict(FLOATS("2,2", "1,2,3,4"), FLOATS("2,2", "1,2,3,5"),
                 "wrong: 1 of 4 numbers, first batch 1, element 1: 5, and the exact sum is 4 with a bound of 0");
  expect_verdict(FLOATS("2,2,1", "1,2,3,4"), FLOATS("2,2,1", "1,2,7,4"),
                 "wrong: 1 of 4 numbers, first batch 1, row 0, column 0: 7, and the exact sum is 3 with a bound of 0");
  write_text("m.spw.json", "{\"spw\":1,\"layout\":\"csr\",\"size\":[2,1,30],"
             ARRAY("compressed_indices", "int64", "2,2", "0,2,0,2") "," ARRAY("plain_indices", "int64", "2,2", "0,1,0,1") ","
             ARRAY("values", "float64", "2,2", "1,1,1,1") "}\n");
  write_text("x.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float64\",\"shape\":[2,30],"
                           "\"strides\":[0,0],\"data\":[1]}}\n");
  write_text("y.spw.json", FLOATS("2,1", "2,2"));
  cr_expect_eq(spw("multiply m.spw.json x.spw.json --judge y.spw.json --max-work=200"), 0, "%s", read_text("err"));
}

/* Nothing is wrong with either operand, but the batches of their product have different numbers of elements. */
Test(cli_multiply, refused_results)
{
  write_text("c.spw.json", BATCHES("1", "2", "0,2,0,2", "0,1,0,1"));
  write_text("d.spw.json", BATCHES("2", "3", "0,1,2,0,1,2", "0,1,0,0"));
  expect_refused("multiply c.spw.json d.spw.json", 2, "impossible: batch 1 of the result has 1 elements and batch 0 has 2");
}

/* A few bytes that stand for many multiplications, or for a large product. */
Test(cli_multiply, limits)
{
  write_text("c.spw.json", "{\"spw\":1,\"layout\":\"coo\",\"size\":[1000000000000,1],"
             "\"indices\":{\"dtype\":\"int64\",\"shape\":[2,1],\"data\":[0,0]},"
             "\"values\":{\"dtype\":\"float64\",\"shape\":[1],\"data\":[1]}}\n");
  write_text("b.spw.json", FLOATS("1", "1"));
  expect_refused("multiply c.spw.json b.spw.json", 2, "multiplying it takes 1000000000001 steps");
  expect_refused("multiply --max-memory=1000000 --max-work=9999999999999 c.spw.json b.spw.json", 2,
                 "more than the limit of 1000000 bytes");
  write_text("d.spw.json", COO("1,1", "2", "1", "0,0", "2"));
  expect_refused("multiply c.spw.json d.spw.json", 2, "multiplying it takes 1000000000003 steps");
  expect_refused("multiply --max-memory=1000000 --max-work=9999999999999 c.spw.json d.spw.json", 2,
                 "more than the limit of 1000000 bytes");
  char numbers[200] = "";
  for (int i = 0; i < 60; i++) strcat(numbers, i ? ",1" : "1");
  char dense[400];
  snprintf(dense, sizeof dense, FLOATS("3,20", "%s"), numbers);
  write_text("b.spw.json", dense);
  expect_refused("multiply --max-work=119 a.spw.json b.spw.json", 2, "multiplying it takes 120 steps");
  cr_expect_eq(spw("multiply --max-work=120 a.spw.json b.spw.json"), 0, "%s", read_text("err"));
  write_text("rows.spw.json", COO("500000,1", "2", "0", "", ""));
  write_text("b.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float64\",\"shape\":[1,2000],"
                           "\"strides\":[0,0],\"data\":[1]}}\n");
  expect_refused("multiply --max-work=1000000 rows.spw.json b.spw.json", 2, "multiplying it takes 1000000000 steps");
  expect_refused("multiply --max-work=1000000 --judge a.spw.json rows.spw.json b.spw.json", 2,
                 "judging it takes 64000000000 steps");
  write_text("long.spw.json", TYPED_COO("complex64", "500000,1", "2", "0", "", ""));
  expect_refused("multiply --judge a.spw.json long.spw.json b.spw.json", 2, "judging it takes 128000000000 steps");
  write_text("long.spw.json", TYPED_COO("int32", "500000,1", "2", "0", "", ""));
  expect_refused("multiply --judge a.spw.json long.spw.json b.spw.json", 2, "judging it takes 1000000000 steps");
  write_text("long.spw.json", COO("500000000,0,0", "3", "0", "", ""));
  expect_refused("multiply long.spw.json long.spw.json", 2, "multiplying it takes 1000000000 steps");
  write_text("long.spw.json", COO("9223372036854775807,1", "2", "0", "", ""));
  expect_refused("multiply long.spw.json long.spw.json", 2, "multiplying it takes more than 2^63 steps");
  write_text("long.spw.json", COO("6000000000000000000,1,1", "3", "0", "", ""));
  expect_refused("multiply long.spw.json long.spw.json", 2, "multiplying it takes more than 2^63 steps");
  write_text("columns.spw.json", COO("1,500000", "2", "0", "", ""));
  write_text("b.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float64\",\"shape\":[2000,1],"
                           "\"strides\":[0,0],\"data\":[1]}}\n");
  expect_refused("multiply --max-work=1000000 b.spw.json columns.spw.json", 2, "multiplying it takes 1000000000 steps");
}

/* Products that are stored sparsely, with a bias, and as NumPy's matmul. */
Test(cli_multiply, composed)
{
  write_text("m.spw.json", COO("3,3", "2", "2", "0,2,1,0", "2,3"));
  write_text("x.spw.json", DENSE("3,2", "1,2,3,4,5,6"));
  write_text("s.spw.json", COO("3,2", "2", "1", "1,0", "10"));
  write_text("w.spw.json", DENSE("2,3", "1,2,3,4,5,6"));
  write_text("bias.spw.json", DENSE("2", "100,200"));
  write_text("batch.spw.json", DENSE("2,3,1", "1,2,3,4,5,6"));
  cr_assert_eq(spw("convert --to=csr m.spw.json csr.spw.json"), 0);
  cr_assert_eq(spw("multiply --as=rows m.spw.json x.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"shape\":[2,2],\"data\":[6,8,3,6]") != NULL, "%s", read_text("out"));
  cr_assert_eq(spw("multiply --as=elements csr.spw.json x.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"data\":[0,0,2,2,0,1,0,1]}") != NULL, "%s", read_text("out"));
  cr_assert_eq(spw("multiply --add=s.spw.json --alpha=2 m.spw.json x.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"data\":[12,16,10,6,12]") != NULL, "%s", read_text("out"));
  cr_assert_eq(spw("multiply --add=csr.spw.json csr.spw.json csr.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"data\":[2,3,6]") != NULL, "%s", read_text("out"));
  cr_assert_eq(spw("multiply --bias=bias.spw.json csr.spw.json w.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"data\":[104,210,100,200,103,212]") != NULL, "%s", read_text("out"));
  cr_assert_eq(spw("multiply csr.spw.json batch.spw.json"), 0, "%s", read_text("err"));
  cr_assert(strstr(read_text("out"), "\"shape\":[2,3,1],\"data\":[4,0,3,10,0,12]") != NULL, "%s", read_text("out"));
  expect_refused("multiply --as=columns m.spw.json x.spw.json", 2, "--as is rows or elements, not columns");
  expect_refused("multiply --as=rows x.spw.json m.spw.json", 2, "a sparse matrix is multiplied by a dense one");
  expect_refused("multiply --as=rows --add=s.spw.json m.spw.json x.spw.json", 2, "--as goes with none of");
  expect_refused("multiply --bias=bias.spw.json csr.spw.json csr.spw.json", 2, "with --bias one of the two has to be dense");
  expect_refused("multiply --bias=x.spw.json csr.spw.json w.spw.json", 2, "what --bias names");
  expect_refused("multiply --add=m.spw.json m.spw.json x.spw.json", 2, "what --add names");
  expect_refused("multiply m.spw.json batch.spw.json", 2, "dimensions");
}
