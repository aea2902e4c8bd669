/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw restructure: what it gives, and every reason to refuse. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* 1 0 2 / 0 -3 0: not in order; as CSR; and two batches of a row each */
static const char coo[] = COO("2,3", "2", "3", "1,0,0,1,2,0", "-3,2,1");
static const char batches[] =
    "{\"spw\":1,\"layout\":\"csr\",\"size\":[2,1,3]," ARRAY("compressed_indices", "int32", "2,2", "0,1,0,1") ","
    ARRAY("plain_indices", "int32", "2,1", "0,2") "," ARRAY("values", "float64", "2,1", "5,6") "}\n";
static void enter(void)
{
  enter_directory();
  write_text("coo.spw.json", coo);
  write_text("batches.spw.json", batches);
  cr_assert_eq(spw("convert --to=csr coo.spw.json a.spw.json"), 0, "%s", read_text("err"));
}

TestSuite(cli_restructure, .init = enter, .fini = leave_directory);

/* The result, and that it is a tensor that passes every check. */
static void expect_result(const char *arguments, const char *meaning)
{
  char line[400];
  snprintf(line, sizeof line, "restructure -o r.spw.json %s", arguments);
  const int status = spw(line);
  cr_assert(status == 0, "%s: exit %d: %s", arguments, status, read_text("err"));
  cr_expect_eq(spw("check r.spw.json"), 0, "%s: %s", arguments, read_text("out"));
  const char *const text = read_text("r.spw.json");
  cr_expect(strstr(text, meaning) != NULL, "%s: %s instead of %s", arguments, text, meaning);
}

/* The same meaning as the tensor of the text. */
static void expect_same(const char *arguments, const char *layout, const char *text)
{
  char begin[60];
  snprintf(begin, sizeof begin, "\"layout\":\"%s\"", layout);
  expect_result(arguments, begin);
  write_text("expected.spw.json", text);
  cr_expect_eq(spw("diff r.spw.json expected.spw.json"), 0, "%s: %s%s", arguments, read_text("out"), read_text("err"));
}

Test(cli_restructure, slices)
{
  expect_same("select --dim=0 --index=0 a.spw.json", "coo", COO("3", "1", "2", "0,2", "1,2"));
  expect_same("select --dim=0 --index=-1 coo.spw.json", "coo", COO("3", "1", "1", "1", "-3"));
  expect_same("select --dim=1 --index=2 a.spw.json", "coo", COO("2", "1", "1", "0", "2"));
  expect_same("select --dim=0 --index=1 batches.spw.json", "csr", COO("1,3", "2", "1", "0,2", "6"));
  expect_same("narrow --dim=1 --start=1 --length=2 a.spw.json", "csr", COO("2,2", "2", "2", "0,1,1,0", "2,-3"));
  expect_same("narrow --dim=0 --start=2 --length=0 a.spw.json", "csr", COO("0,3", "2", "0", "", ""));
  expect_same("index_select --dim=1 --indices=2,1,2 a.spw.json", "csr", COO("2,3", "2", "3", "0,0,1,0,2,1", "2,2,-3"));
  expect_same("index_select --dim=0 --indices= coo.spw.json", "coo", COO("0,3", "2", "0", "", ""));
}

Test(cli_restructure, joins)
{
  expect_same("cat --dim=0 a.spw.json a.spw.json a.spw.json a.spw.json", "csr",
              COO("8,3", "2", "12", "0,0,1,2,2,3,4,4,5,6,6,7,0,2,1,0,2,1,0,2,1,0,2,1", "1,2,-3,1,2,-3,1,2,-3,1,2,-3"));
  expect_same("cat --dim=1 coo.spw.json", "coo", coo);
  expect_same("stack --dim=0 a.spw.json a.spw.json", "csr",
              COO("2,2,3", "3", "6", "0,0,0,1,1,1,0,0,1,0,0,1,0,2,1,0,2,1", "1,2,-3,1,2,-3"));
  expect_same("stack --dim=2 coo.spw.json coo.spw.json", "coo",
              COO("2,3,2", "3", "6", "0,0,0,0,1,1,0,0,2,2,1,1,0,1,0,1,0,1", "1,1,2,2,-3,-3"));
  write_text("b.spw.json", COO("2,3", "2", "1", "0,1", "7"));
  expect_same("cat --dim=0 coo.spw.json b.spw.json", "coo", COO("4,3", "2", "4", "0,0,1,2,0,2,1,1", "1,2,-3,7"));
}

Test(cli_restructure, sizes)
{
  expect_same("unsqueeze --dim=0 a.spw.json", "csr", COO("1,2,3", "3", "3", "0,0,0,0,0,1,0,2,1", "1,2,-3"));
  expect_result("unsqueeze --dim=2 a.spw.json", "\"size\":[2,3,1]");
  expect_same("broadcast --dim=1 --length=2 batches.spw.json", "csr",
              COO("2,2,3", "3", "4", "0,0,1,1,0,1,0,1,0,0,2,2", "5,5,6,6"));
  expect_same("resize --size=3,3 a.spw.json", "csr", COO("3,3", "2", "3", "0,0,1,0,2,1", "1,2,-3"));
}

Test(cli_restructure, masks)
{
  write_text("mask.spw.json", COO("2,3", "2", "2", "1,0,1,1", "1,1"));
  expect_result("sparse_mask coo.spw.json mask.spw.json", "\"data\":[1,0,1,1]},\"values\":{\"dtype\":\"float64\",\"shape\":[2],"
                "\"data\":[-3,0]}");
  write_text("dense.spw.json", DENSE("2,3", "1,2,3,4,5,6"));
  expect_result("sparse_mask dense.spw.json a.spw.json", "\"data\":[1,3,5]}");
  expect_refused("restructure sparse_mask a.spw.json dense.spw.json", 2, "dense.spw.json: impossible: sparse_mask is for sparse");
}

Test(cli_restructure, orders)
{
  static const char transposed[] = COO("3,2", "2", "3", "0,1,2,0,1,0", "1,-3,2");
  expect_same("transpose a.spw.json", "csc", transposed);
  expect_same("transpose coo.spw.json", "coo", transposed);
  expect_same("permute --order=1,0 coo.spw.json", "coo", transposed);
  expect_result("permute --order=1,0 coo.spw.json", "\"data\":[0,1,2,0,1,0]}");
  expect_same("permute --order=0,1 a.spw.json", "csr", coo);
  expect_same("transpose batches.spw.json", "csc", COO("2,3,1", "3", "2", "0,1,0,2,0,0", "5,6"));
  static const char *const to[] = {"bsr", "bsc"};
  for (int i = 0; i < 2; i++) {
    char arguments[100];
    snprintf(arguments, sizeof arguments, "convert --to=%s --blocksize=2x1 coo.spw.json b.spw.json", to[i]);
    cr_assert_eq(spw(arguments), 0, "%s", to[i]);
    expect_result("transpose b.spw.json", to[1 - i]);
    cr_assert_eq(spw("restructure transpose -o back.spw.json r.spw.json"), 0);
    cr_expect_eq(spw("diff back.spw.json b.spw.json"), 0, "%s: %s", to[i], read_text("out"));
  }
  expect_refused("restructure permute --order=1,0 a.spw.json", 2, "the sparse ones of a compressed layout by transpose only");
  expect_refused("restructure permute --order=0,0 coo.spw.json", 2, "dimension 1 of the result cannot be dimension 0");
  expect_refused("restructure permute --order=0 coo.spw.json", 2, "it has 2 dimensions, and --order names 1");
  write_text("c.spw.json", COO("3", "1", "1", "0", "1"));
  expect_refused("restructure transpose c.spw.json", 2, "it has 1 sparse dimensions, and two change places");
  write_text("c.spw.json", "{\"spw\":1,\"layout\":\"coo\",\"indices\":{\"dtype\":\"int64\","
                           "\"shape\":[9223372036854775807,0],\"data\":[]},"
                           "\"values\":{\"dtype\":\"int8\",\"shape\":[0,3],\"data\":[]}}");
  expect_refused("restructure permute --order=1,0 c.spw.json", 2, "it has 9223372036854775807 dimensions, and --order names 2");
  expect_refused("restructure resize --size=3 c.spw.json", 2, "it has 9223372036854775807 dimensions, and --size names 1");
  expect_refused("restructure transpose c.spw.json", 2, "restructuring it takes more than 2^63 steps");
  expect_refused("restructure transpose --max-work=9223372036854775807 c.spw.json", 2, "there are more than 64 dimensions");
}

Test(cli_restructure, dense_dimensions)
{
  static const char text[] = "{\"spw\":1,\"layout\":\"coo\",\"size\":[3,2]," ARRAY("indices", "int64", "1,2", "2,0") ","
                             ARRAY("values", "float64", "2,2", "1,2,3,4") "}\n";
  write_text("h.spw.json", text);
  expect_result("select --dim=1 --index=1 h.spw.json",
                "\"data\":[0,2]},\"values\":{\"dtype\":\"float64\",\"shape\":[2],\"data\":[4,2]}");
  expect_result("permute --order=0,1 h.spw.json", "\"data\":[3,4,1,2]}");
  write_text("g.spw.json", "{\"spw\":1,\"layout\":\"coo\",\"size\":[3,2]," ARRAY("indices", "int64", "1,2", "0,1") ","
             ARRAY("values", "float64", "2,2", "1,2,3,4") "}\n");
  expect_refused("restructure cat --dim=1 h.spw.json g.spw.json", 2, "g.spw.json: impossible: along a dense dimension");
}

Test(cli_restructure, duplicates)
{
  write_text("d.spw.json", COO("2,2", "2", "2", "0,0,1,1", "1,2"));
  expect_same("transpose d.spw.json", "coo", COO("2,2", "2", "1", "1,0", "3"));
  expect_same("transpose --duplicates=last d.spw.json", "coo", COO("2,2", "2", "1", "1,0", "2"));
  expect_same("cat --dim=0 --duplicates=first d.spw.json", "coo", COO("2,2", "2", "1", "0,1", "1"));
  expect_refused("restructure cat --dim=0 --duplicates=error d.spw.json", 2, "elements 0 and 1 lie at one position");
  write_text("e.spw.json", COO("2,2", "2", "1", "0,0", "1"));
  expect_refused("restructure cat --dim=0 --duplicates=error e.spw.json d.spw.json", 2,
                 "d.spw.json: impossible: elements 0 and 1 lie at one position");
  expect_refused("restructure sparse_mask --duplicates=error d.spw.json e.spw.json", 2,
                 "d.spw.json: impossible: elements 0 and 1 lie at one position");
  expect_refused("restructure narrow --dim=1 --start=2 --length=-1 e.spw.json", 2, "-1 lies outside dimension 1, of size 2");
  expect_refused("restructure cat --dim=0 --duplicates=all d.spw.json", 2, "--duplicates is sum, first, last or error, not all");
}

Test(cli_restructure, refusals)
{
  expect_refused("restructure select --dim=0 --index=2 a.spw.json", 2,
                 "a.spw.json: impossible: 2 lies outside dimension 0, of size 2");
  expect_refused("restructure index_select --dim=1 --indices=0,3 a.spw.json", 2,
                 "3, entry 1 of the list, lies outside dimension 1");
  expect_refused("restructure narrow --dim=2 --start=0 --length=1 a.spw.json", 2,
                 "there is no dimension 2: they count from 0 to 1");
  write_text("scalar.spw.json", COO("", "0", "1", "", "7"));
  expect_refused("restructure select --dim=0 --index=0 scalar.spw.json", 2, "it has no dimension at all");
  expect_refused("restructure unsqueeze --dim=1 a.spw.json", 2, "dimension 1 would be a third sparse one");
  expect_refused("restructure select --dim=1 --index=0 batches.spw.json", 2, "neither batches of matrices nor coo");
  expect_refused("restructure broadcast --dim=0 --length=4 a.spw.json", 2, "dimension 0 has size 2, and would need size 1");
  expect_refused("restructure resize --size=2,2 a.spw.json", 2, "index 2 of dimension 1 is specified, and only 2 would be left");
  expect_refused("restructure resize --size=2 a.spw.json", 2, "it has 2 dimensions, and --size names 1");
  expect_refused("restructure cat --dim=0 a.spw.json a.spw.json coo.spw.json", 2, "coo.spw.json: impossible: it differs");
  write_text("b.spw.json", COO("2,4", "2", "1", "0,1", "7"));
  expect_refused("restructure cat --dim=0 coo.spw.json b.spw.json", 2,
                 "b.spw.json: impossible: dimension 1 has size 4, and 3 in");
  expect_refused("restructure narrow --dim=1 --start=0 --length=1 batches.spw.json -o y.mtx", 2, "y.mtx");
  cr_assert_eq(spw("convert --to=bsr --blocksize=1x3 a.spw.json blocks.spw.json"), 0);
  expect_refused("restructure narrow --dim=1 --start=0 --length=2 blocks.spw.json", 2,
                 "dimension 1 consists of blocks of 3, and is cut by whole blocks only: 2 cuts one");
  expect_refused("restructure narrow --dim=2 --start=0 --length=1 batches.spw.json", 2,
                 "batch 0 of the result would have 1 cells and batch 1 0");
  write_text("bad.spw.json", COO("2,2", "2", "1", "0,7", "1"));
  expect_refused("restructure cat --dim=0 coo.spw.json bad.spw.json", 1, "7");
  write_text("dense.spw.json", DENSE("2,3", "1,2,3,4,5,6"));
  expect_refused("restructure transpose dense.spw.json", 2, "transpose is for sparse tensors, and this is a dense one");
  expect_refused("restructure cat --dim=0 coo.spw.json dense.spw.json", 2,
                 "dense.spw.json: impossible: cat is for sparse tensors");
}

Test(cli_restructure, command_lines)
{
  expect_refused("restructure", 2, "an operation is needed: select, narrow");
  expect_refused("restructure slice a.spw.json", 2, "slice is not one of");
  expect_refused("restructure select --dim=0 a.spw.json", 2, "select needs --index");
  expect_refused("restructure cat --dim=0 --index=1 a.spw.json", 2, "cat takes no --index");
  expect_refused("restructure cat --dim=0", 2, "cat takes one file or more");
  expect_refused("restructure transpose a.spw.json b.npz c.npz", 2, "transpose takes one file");
  expect_refused("restructure sparse_mask a.spw.json", 2, "sparse_mask takes two files");
  expect_refused("restructure select --dim=0 --index=1,2 a.spw.json", 2, "--index is a number, not 1,2");
  expect_refused("restructure select --dim=0 --index= a.spw.json", 2, "--index is a number, not ");
  expect_refused("restructure select --dim=9223372036854775808 --index=0 a.spw.json", 2,
                 "--dim is a number, not 9223372036854775808");
  expect_refused("restructure resize --size=1,,2 a.spw.json", 2, "--size is a list of numbers, as 0,2,2, not 1,,2");
  expect_refused("restructure resize --size=1, a.spw.json", 2, "--size is a list of numbers");
  expect_refused("restructure resize --size=-,2 a.spw.json", 2, "--size is a list of numbers");
  expect_refused("restructure transpose a.spw.json -o a.spw.json", 2, "a.spw.json");
  expect_refused("restructure transpose none.npz", 3, "none.npz");
}

/* A step for each value that is read, and each that is written. */
Test(cli_restructure, limits)
{
  expect_refused("restructure transpose --max-memory=50 a.spw.json", 2, "more than the limit of 50 bytes");
  expect_refused("restructure transpose --max-memory=20 coo.spw.json", 2, "more than the limit of 20 bytes");
  /* the order of dimensions is another in a copy of the indices, which takes its part */
  expect_refused("restructure transpose --max-memory=279 coo.spw.json", 2, "more than the limit of 279 bytes");
  cr_expect_eq(spw("restructure transpose --max-memory=280 coo.spw.json"), 0, "%s", read_text("err"));
  write_text("one.spw.json", COO("1", "1", "1", "0", "1"));
  expect_refused("restructure broadcast --dim=0 --length=1000000000000 one.spw.json", 2, "restructuring it takes");
  expect_refused("restructure broadcast --dim=0 --length=9223372036854775807 one.spw.json", 2, "one.spw.json");
  expect_refused("restructure broadcast --dim=0 --length=4 --max-work=9 one.spw.json", 2, "restructuring it takes");
  expect_result("broadcast --dim=0 --length=4 --max-work=10 one.spw.json", "\"data\":[1,1,1,1]");
}
