/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw reduce: what it gives, and every reason to refuse. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* 1 0 2 / 0 -3 0: not in order; as CSR; and what it is multiplied by */
static const char coo[] = COO("2,3", "2", "3", "1,0,0,1,2,0", "-3,2,1");
static const char dense[] = DENSE("3,2", "1,10,2,20,3,30");

static void enter(void)
{
  enter_directory();
  write_text("coo.spw.json", coo);
  write_text("b.spw.json", dense);
  cr_assert_eq(spw("convert --to=csr coo.spw.json a.spw.json"), 0, "%s", read_text("err"));
}

TestSuite(cli_reduce, .init = enter, .fini = leave_directory);

static void expect_result(const char *arguments, const char *shape, const char *values)
{
  const int status = spw(arguments);
  cr_assert(status == 0, "%s: exit %d: %s", arguments, status, read_text("err"));
  char text[200];
  snprintf(text, sizeof text, "\"shape\":[%s],\"data\":[%s]}}\n", shape, values);
  cr_assert(strstr(read_text("out"), text) != NULL, "%s: %s", arguments, read_text("out"));
}

Test(cli_reduce, kinds_and_spans)
{
  expect_result("reduce sum a.spw.json", "2", "3,-3");
  expect_result("reduce sum coo.spw.json", "2", "3,-3");
  expect_result("reduce mean a.spw.json", "2", "1.5,-3");
  expect_result("reduce amax a.spw.json", "2", "2,-3");
  expect_result("reduce amin --each=row a.spw.json", "2", "1,-3");
  expect_result("reduce sum --each=column a.spw.json", "3", "1,-3,2");
  expect_result("reduce amax --each column a.spw.json", "3", "1,-3,2");
  expect_result("reduce sum --each=matrix a.spw.json", "", "0");
  expect_result("reduce mean --each=matrix a.spw.json", "", "0");
  expect_result("reduce amin --each=matrix a.spw.json", "", "-3");
  expect_result("reduce amax --each=matrix a.spw.json", "", "2");
}

static void expect_sparse(const char *arguments, const char *text)
{
  cr_assert_eq(spw(arguments), 0, "%s: %s", arguments, read_text("err"));
  cr_assert(strstr(read_text("out"), text) != NULL, "%s: %s", arguments, read_text("out"));
}

Test(cli_reduce, dimensions)
{
  expect_result("reduce sum --dims=1 a.spw.json", "2", "3,-3");
  expect_result("reduce sum --dims=all coo.spw.json", "", "0");
  expect_result("reduce max --each=column a.spw.json", "3", "1,0,2");
  expect_result("reduce min a.spw.json", "2", "0,-3");
  expect_result("reduce mean_dense a.spw.json", "2", "1,-1");
  expect_result("reduce norm2 a.spw.json", "2", "2.23606797749979,3");
  expect_result("reduce norm1 --dims=all a.spw.json", "", "6");
  expect_result("reduce norm0 --each=column a.spw.json", "3", "1,1,1");
  expect_result("reduce norm_inf --each=matrix a.spw.json", "", "3");
  expect_result("reduce any --dims=-1 coo.spw.json", "2", "true,true");
  expect_result("reduce all --each=matrix --keepdim coo.spw.json", "1,1", "false");
  expect_sparse("reduce sum --dims=0 coo.spw.json", "\"coalesced\":true,\"indices\":{\"dtype\":\"int64\",\"shape\":[1,3],"
                "\"data\":[0,1,2]},\"values\":{\"dtype\":\"float64\",\"shape\":[3],\"data\":[1,-3,2]}");
  expect_sparse("reduce sum --dims=-1 --keepdim --sparse a.spw.json", "\"size\":[2,1]");
  expect_sparse("reduce sum --dims= coo.spw.json", "\"coalesced\":true");
  cr_assert_eq(spw("reduce sum --dims=1 --sparse a.spw.json rows.mtx"), 2);
  cr_assert_eq(spw("reduce sum --dims=1 --keepdim --sparse a.spw.json rows.mtx"), 0, "%s", read_text("err"));
  expect_refused("reduce sum --dims=0,2 a.spw.json", 2, "a.spw.json: impossible: there is no dimension 2: it has 2");
  expect_refused("reduce sum --dims=0,-2 a.spw.json", 2, "entry 1 of the dimensions, -2, names that of entry 0 again");
  expect_refused("reduce sum --dims=0,x a.spw.json", 2, "--dims is all or a list of numbers, as 0,2, not 0,x");
  expect_refused("reduce sum --dims=0 --each=row a.spw.json", 2, "--each and --dims are two answers to one question");
  expect_refused("reduce sum --dims=0 a.spw.json b.spw.json c.npy", 2, "with a second file there are sum, mean, amax and amin");
  expect_refused("reduce sum --dtype=float32 a.spw.json", 2, "float32 does not hold every number of float64");
  expect_refused("reduce sum --dtype=double a.spw.json", 2, "--dtype names a type as int64, not double");
  expect_refused("reduce sum --dims=0 --max-memory=10 a.spw.json", 2, "is enough");
  write_text("c.spw.json", COO("2,0", "2", "0", "", ""));
  expect_refused("reduce max c.spw.json", 2, "dimension 1 has size 0, of which there is no such reduction");
  write_text("c.spw.json", TYPED_COO("int8", "2,1", "2", "2", "0,1,0,0", "100,100"));
  expect_result("reduce sum --dims=all c.spw.json", "", "-56");
  expect_result("reduce sum --dims=all --dtype=int64 c.spw.json", "", "200");
  write_text("c.spw.json", "{\"spw\":1,\"layout\":\"csr\",\"size\":[1,1,1]," ARRAY("compressed_indices", "int64", "1,2",
                                                                                   "0,1") ","
             ARRAY("plain_indices", "int64", "1,1", "0") "," ARRAY("values", "float64", "1,1", "2") "}\n");
  expect_refused("reduce sum --dims=0 c.spw.json", 2,
                 "dimension 0 is a batch dimension of csr, and batches have different patterns");
}

Test(cli_reduce, products)
{
  expect_result("reduce sum a.spw.json b.spw.json", "2,2", "7,70,-6,-60");
  expect_result("reduce mean a.spw.json b.spw.json", "2,2", "3.5,35,-6,-60");
  expect_result("reduce amax a.spw.json b.spw.json", "2,2", "6,60,-6,-60");
  expect_result("reduce amin a.spw.json b.spw.json", "2,2", "1,10,-6,-60");
  cr_assert_eq(spw("multiply -o product.npy a.spw.json b.spw.json"), 0);
  cr_assert_eq(spw("reduce sum -o sum.npy a.spw.json b.spw.json"), 0);
  cr_assert_eq(spw("diff product.npy sum.npy"), 0, "%s", read_text("out"));
  write_text("b.spw.json", DENSE("3", "1,2,3"));
  expect_result("reduce sum a.spw.json b.spw.json", "2", "7,-6");
}

Test(cli_reduce, layouts)
{
  static const char *const to[] = {"csc", "bsr --blocksize=1x3", "bsc --blocksize=2x1"};
  for (int i = 0; i < 3; i++) {
    char arguments[100];
    snprintf(arguments, sizeof arguments, "convert --to=%s coo.spw.json c.spw.json", to[i]);
    cr_assert_eq(spw(arguments), 0, "%s", to[i]);
    expect_result("reduce sum c.spw.json", "2", "3,-3");
    /* what a block has is specified, a zero too */
    expect_result("reduce amin c.spw.json", "2", i == 0 ? "1,-3" : i == 1 ? "0,-3" : "0,-3");
  }
}

Test(cli_reduce, refusals)
{
  expect_refused("reduce mean coo.spw.json", 2,
                 "`spw convert --to=csr` makes them one, or --to=coo into a .spw.json\n");
  expect_refused("reduce mean coo.spw.json", 2, "mean asks for the claim to be coalesced");
  cr_assert_eq(spw("convert --to=coo coo.spw.json c.spw.json"), 0);
  expect_result("reduce mean c.spw.json", "2", "1.5,-3");
  write_text("c.spw.json", TYPED_COO("int32", "2,2", "2", "1", "0,0", "1"));
  expect_refused("reduce mean c.spw.json", 2, "c.spw.json: impossible: mean does not exist for int32");
  expect_refused("reduce sum a.spw.json c.spw.json", 2, "c.spw.json: impossible: the second has to be dense");
  expect_refused("reduce sum b.spw.json", 2, "b.spw.json: impossible: what is reduced has to be sparse");
  expect_refused("reduce sum c.spw.json b.spw.json", 2, "b.spw.json: impossible: the second is of type float64, and int32");
  write_text("c.spw.json", TYPED_COO("complex64", "2,2", "2", "1", "0,0", "[1,2]"));
  expect_refused("reduce amax c.spw.json", 2, "amax does not exist for complex64");
  write_text("c.spw.json", DENSE("2,2", "1,2,3,4"));
  expect_refused("reduce sum a.spw.json c.spw.json", 2,
                 "c.spw.json: impossible: dimension 0 of the second is 2 and would need to be 3: the first is csr (2x3), "
                 "the second dense (2x2)");
  write_text("c.spw.json", COO("3", "1", "1", "0", "1"));
  expect_refused("reduce sum c.spw.json", 2, "the first has 1 dimensions and would need 2: the first is coo (3)\n");
  write_text("c.spw.json", COO("2,2", "2", "1", "0,7", "1"));
  expect_refused("reduce sum c.spw.json", 1, "7");
  write_text("lines.spw.jsonl", COO("3", "1", "1", "0", "1") COO("3", "1", "1", "0", "1"));
  expect_refused("reduce sum lines.spw.jsonl", 2, "an operand is one tensor");
}

Test(cli_reduce, command_lines)
{
  expect_refused("reduce", 2, "a reduction is needed: sum, mean, amax or amin");
  expect_refused("reduce mx a.spw.json", 2,
                 "mx is not one of sum, mean, amax, amin, mean_dense, max, min, any, all, norm0, norm1, "
                 "norm2, norm_inf, argmax, argmin, is_nonzero or nonzero; did you mean max?");
  expect_refused("reduce sum", 2, "sum takes one file, or two");
  expect_refused("reduce sum a.spw.json b.spw.json a.spw.json", 2, "a.spw.json is one operand too many, and exists");
  expect_refused("reduce sum a.spw.json b.spw.json c.npy d.npy", 2, "sum takes one file, or two");
  expect_refused("reduce sum --each=col a.spw.json", 2, "--each is row, column or matrix, not col");
  expect_refused("reduce sum --each=column a.spw.json b.spw.json", 2, "with a second file rows are reduced");
  expect_refused("reduce sum none.npz", 3, "none.npz");
  expect_refused("reduce sum a.spw.json -o y.txt", 2, "y.txt");
  expect_refused("reduce sum none.npz -o y.npz", 2, "the result is dense, which a .npz or .mtx file cannot hold: y.npz");
  expect_refused("reduce sum none.npz -o y.mtx", 2, "the result is dense, which a .npz or .mtx file cannot hold: y.mtx");
  expect_refused("reduce sum a.spw.json -o a.spw.json", 2, "a.spw.json");
}

/* Of [[-1, 0, 2], [0, 0, -3]], of which four elements are stored. */
Test(cli_reduce, places)
{
  write_text("c.spw.json", COO("2,3", "2", "3", "0,0,1,0,2,2", "-1,2,-3"));
  expect_result("reduce argmax c.spw.json", "2", "2,0");
  expect_result("reduce argmin --dims=all c.spw.json", "", "5");
  expect_result("reduce nonzero c.spw.json", "3,2", "0,0,0,2,1,2");
  expect_refused("reduce is_nonzero c.spw.json", 2, "has 6 positions, and would need 1");
  expect_refused("reduce nonzero --dims=0 c.spw.json", 2, "nonzero lists the positions of the whole tensor");
  expect_refused("reduce nonzero --max-memory=10 c.spw.json", 2, "is enough");
  write_text("c.spw.json", COO("1", "1", "2", "0,0", "1,-1"));
  expect_result("reduce is_nonzero c.spw.json", "", "false");
}

/* A step for each term, and for each line. */
Test(cli_reduce, limits)
{
  expect_refused("reduce sum --max-memory=20 a.spw.json", 2,
                 "the result and making it take 32 bytes, more than the limit of 20; --max-memory=32 is enough");
  write_text("c.spw.json", COO("10,3", "2", "1", "0,0", "1"));
  expect_refused("reduce sum --max-work=10 c.spw.json", 2, "reducing");
  expect_result("reduce sum --max-work=2 --each=matrix c.spw.json", "", "1");
  expect_refused("reduce sum --max-work=3 --each=column c.spw.json", 2, "reducing");
  expect_result("reduce sum --max-work=4 --each=column c.spw.json", "3", "1,0,0");
  write_text("b.spw.json", DENSE("3,6", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"));
  expect_refused("reduce sum --max-work=65 c.spw.json b.spw.json", 2, "reducing it takes 66 steps");
  write_text("c.spw.json", COO("500000000,0,3", "3", "0", "", ""));
  expect_refused("reduce sum --each=column c.spw.json", 2, "reducing it takes 1500000000 steps");
  write_text("c.spw.json", "{\"spw\":1,\"layout\":\"csc\",\"size\":[900,0,1000],\"compressed_indices\":{\"dtype\":\"int32\","
             "\"shape\":[900,1001],\"strides\":[0,1],\"length\":1001,\"fill\":0}," ARRAY("plain_indices", "int32", "900,0", "")
             "," ARRAY("values", "float32", "900,0", "") "}\n");
  expect_refused("reduce sum --max-work=900000 c.spw.json", 2, "reducing it takes 900900 steps");
  write_text("c.spw.json", COO("4000000000000000000,1", "2", "1", "0,0", "1"));
  expect_result("reduce sum --each=matrix c.spw.json", "", "1");
  expect_refused("reduce sum c.spw.json", 2, "reducing");
}
