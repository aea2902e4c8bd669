/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw make: what it gives, and every reason to refuse. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* 1 0 2 / 0 -3 0: not in order, with a duplicate */
static const char coo[] = COO("2,3", "2", "4", "1,0,0,0,1,2,0,0", "-3,2,0.5,0.5");

static void enter(void)
{
  enter_directory();
  write_text("a.spw.json", coo);
  cr_assert_eq(spw("convert --to=csr a.spw.json csr.spw.json"), 0, "%s", read_text("err"));
}

TestSuite(cli_make, .init = enter, .fini = leave_directory);

static void expect_text(const char *arguments, const char *part)
{
  const int status = spw(arguments);
  cr_assert(status == 0, "%s: exit %d: %s", arguments, status, read_text("err"));
  cr_assert(strstr(read_text("out"), part) != NULL, "%s: %s", arguments, read_text("out"));
}

Test(cli_make, constructors)
{
  expect_text("make zeros --size=2,3", "\"layout\":\"coo\",\"size\":[2,3],\"index_dtype\":\"int64\",\"dtype\":\"float32\"");
  expect_text("make zeros --size=2,4,6,3 --layout=bsr --blocksize=2x3 --batch-dims=1 --dense-dims=1 "
              "--index=int32 --dtype=int8",
              "\"compressed_indices\":{\"dtype\":\"int32\",\"shape\":[2,3],\"data\":[0,0,0,0,0,0]}");
  expect_text("make eye --size=2,3 --layout=csc --dtype=complex64", "\"data\":[[1,0],[1,0]]");
  expect_text("make zeros --size=", "\"size\":[]");
  write_text("d.spw.json", DENSE("2,3", "1,2,3,4,5,6"));
  expect_text("make spdiags --size=3,3 --offsets=0,-1 d.spw.json", "\"data\":[0,1,1,2,2,0,0,1,1,2]");
  expect_text("make spdiags --size=3,3 --offsets=0,-1 d.spw.json", "\"data\":[1,4,2,5,3]");
}

Test(cli_make, of_tensors)
{
  expect_text("make clone a.spw.json", "\"data\":[1,0,0,0,1,2,0,0]},\"values\":{\"dtype\":\"float64\",\"shape\":[4],"
                                       "\"data\":[-3,2,0.5,0.5]");
  expect_text("make fill_specified --value=-0.5 a.spw.json", "\"data\":[-0.5,-0.5,-0.5,-0.5]");
  expect_text("make slice --dim=1 --start=2 --length=2 --step=-2 csr.spw.json", "\"size\":[2,2]");
  expect_text("make slice --dim=1 --start=2 --length=2 --step=-2 csr.spw.json", "\"data\":[2,1]");
  expect_text("make diag a.spw.json", "\"data\":[1,-3]");
  expect_text("make diag --diagonal=1 a.spw.json", "\"shape\":[0],\"data\":[]");
  expect_text("make diag --diagonal=2 a.spw.json", "\"data\":[2]");
  expect_text("make tril csr.spw.json", "\"data\":[1,-3]");
  expect_text("make triu --diagonal=1 a.spw.json", "\"data\":[2]");
  expect_text("make resplit --sparse-dims=1 a.spw.json", "\"shape\":[2,3],\"data\":[1,0,2,0,-3,0]");
  cr_assert_eq(spw("make eye --size=2,2 --dtype=float64 eye.spw.json"), 0);
  expect_text("make kron eye.spw.json a.spw.json", "\"data\":[1,2,-3,1,2,-3]");
  expect_text("make kron csr.spw.json eye.spw.json", "\"layout\":\"csr\",\"size\":[4,6]");
  cr_assert_eq(spw("make triu -o t.npz csr.spw.json"), 0, "%s", read_text("err"));
  expect_text("info t.npz", "csr");
}

Test(cli_make, refusals)
{
  write_text("d.spw.json", DENSE("2,3", "1,2,3,4,5,6"));
  expect_refused("make", 2, "a word is needed: zeros");
  expect_refused("make zeroes --size=2", 2, "zeros");
  expect_refused("make zeros", 2, "zeros needs --size");
  expect_refused("make eye --size=2,2 --step=1", 2, "eye takes no --step");
  expect_refused("make zeros --size=2,x", 2, "--size is a list of numbers, as 0,2,2, not 2,x");
  expect_refused("make zeros --size=2,-2", 2, "entry 1 of --size is -2: no size is negative");
  expect_refused("make zeros --size=2,2,2 --layout=csr", 2,
                 "--size has 3 dimensions, and batch, sparse and dense dimensions are 2");
  expect_refused("make zeros --size=2,2 --layout=ell", 2, "--layout is coo, csr, csc, bsr or bsc, not ell");
  expect_refused("make zeros --size=2,2 --layout=dense", 2, "not dense");
  expect_refused("make zeros --size=2,2 --layout=bsr", 2, "bsr needs --blocksize");
  expect_refused("make zeros --size=2,2 --layout=csr --blocksize=1x1", 2, "csr has no blocks");
  expect_refused("make zeros --size=2,2 --layout=bsr --blocksize=2", 2, "--blocksize is two numbers from 1 on, as 2x3, not 2");
  expect_refused("make zeros --size=3,2 --layout=bsr --blocksize=2x2", 2,
                 "size[0] would be 3, which is no multiple of the block size 2");
  expect_refused("make zeros --size=2 --dtype=f8", 2, "--dtype is a type as float32, not f8");
  expect_refused("make zeros --size=2 --index=int8", 2, "--index is int32 or int64, not int8");
  expect_refused("make zeros --size=2 --batch-dims=1", 2, "coo has no batch dimensions");
  expect_refused("make zeros --size=2 --dense-dims=-1", 2, "--batch-dims and --dense-dims are 0 or more");
  expect_refused("make eye --size=3", 2, "1 dimensions");
  expect_refused("make spdiags --size=3,3 --offsets=0,1 a.spw.json", 2,
                 "spdiags takes a dense array, and this is a sparse tensor");
  expect_refused("make spdiags --size=3,3 --offsets=1,1 d.spw.json", 2, "offsets 0 and 1 are equal");
  expect_refused("make spdiags --size=3,3 --offsets=1 d.spw.json", 2, "there are 2 rows of entries and 1 offsets");
  expect_refused("make tril d.spw.json", 2, "tril is for sparse tensors, and this is a dense one");
  expect_refused("make tril", 2, "tril takes one file");
  expect_refused("make kron a.spw.json", 2, "kron takes two files");
  expect_refused("make zeros --size=1 a.spw.json b.spw.json", 2, "zeros takes no file");
  expect_refused("make fill_specified --value=x a.spw.json", 2, "--value=x is no float64");
  expect_refused("make slice --dim=2 --start=0 --length=1 --step=1 a.spw.json", 2, "there is no dimension 2");
  expect_refused("make slice --dim=0 --start=0 --length=1 --step=0 a.spw.json", 2, "--step is not 0");
  expect_refused("make slice --dim=1 --start=0 --length=2 --step=3 a.spw.json", 2, "3 lies outside dimension 1, of size 3");
  expect_refused("make resplit --sparse-dims=3 a.spw.json", 2, "3 sparse dimensions are none of 1 to 2");
  expect_refused("make resplit --sparse-dims=1 csr.spw.json", 2, "csr");
  expect_refused("make zeros --size=9999999999 --index=int32", 2, "2147483647");
  expect_refused("make clone --max-memory=1 a.spw.json", 2, "--max-memory");
  write_text("bad.spw.json", COO("2,3", "2", "1", "7,0", "1"));
  cr_assert_eq(spw("make tril bad.spw.json"), 1);
}

Test(cli_make, stacks)
{
  write_text("v.spw.json", COO("3", "1", "1", "1", "7"));
  expect_text("make vstack v.spw.json v.spw.json", "\"size\":[2,3]");
  expect_text("make hstack v.spw.json v.spw.json", "\"size\":[6]");
  expect_text("make dstack v.spw.json v.spw.json", "\"size\":[1,3,2]");
  expect_text("make vstack csr.spw.json csr.spw.json", "\"layout\":\"csr\",\"size\":[4,3]");
  expect_text("make hstack a.spw.json a.spw.json", "\"size\":[2,6]");
  expect_text("make dstack a.spw.json a.spw.json", "\"size\":[2,3,2]");
  expect_refused("make hstack", 2, "hstack takes one file or more");
  expect_refused("make vstack a.spw.json csr.spw.json", 2, "csr.spw.json: impossible: it differs from the first operand");
  expect_refused("make dstack csr.spw.json", 2, "is csr, and coo would be needed");
}
