/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw gradient. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(cli_gradient, .init = enter_directory, .fini = leave_directory);

static void expect_values(const char *arguments, const char *values)
{
  cr_assert_eq(spw(arguments), 0, "%s: %s", arguments, read_text("err"));
  cr_assert(strstr(read_text("out"), values) != NULL, "%s: %s", arguments, read_text("out"));
}

/* A 2x3 matrix with elements at [0, 2] and [1, 0], times a vector, and others. */
Test(cli_gradient, operations)
{
  write_text("a.spw.json", COO("2,3", "2", "2", "0,1,2,0", "5,6"));
  write_text("x.spw.json", DENSE("3", "1,2,3"));
  write_text("g.spw.json", DENSE("2", "10,100"));
  write_text("m.spw.json", DENSE("2,3", "1,2,3,4,5,6"));
  write_text("t.spw.json", DENSE("3,2", "1,2,3,4,5,6"));
  expect_values("gradient --upstream=g.spw.json multiply a.spw.json x.spw.json", "\"data\":[30,100]");
  expect_values("gradient --upstream=g.spw.json --wrt=1 multiply a.spw.json x.spw.json", "\"data\":[600,0,50]");
  expect_values("gradient --upstream=m.spw.json convert a.spw.json", "\"data\":[3,4]");
  expect_values("gradient --upstream=t.spw.json transpose a.spw.json", "\"data\":[5,2]");
  expect_values("gradient --upstream=m.spw.json mul a.spw.json m.spw.json", "\"data\":[9,16]");
  expect_values("gradient --upstream=m.spw.json --wrt=1 sub a.spw.json a.spw.json", "\"data\":[-3,-4]");
  expect_values("gradient --upstream=g.spw.json --dims=1 sum a.spw.json", "\"data\":[10,100]");
  expect_values("gradient --upstream=m.spw.json square a.spw.json", "\"data\":[30,48]");
  expect_values("gradient --upstream=g.spw.json --dims=1 amax a.spw.json", "\"data\":[10,100]");
  expect_values("gradient --upstream=m.spw.json softmax a.spw.json", "\"data\":[0,0]");
  expect_values("gradient --upstream=g.spw.json --full multiply a.spw.json x.spw.json", "\"data\":[10,20,30,100,200,300]");
  write_text("s.spw.json", COO("3,2", "2", "2", "0,2,1,0", "7,8"));
  write_text("u.spw.json", DENSE("2,2", "1,2,3,4"));
  expect_values("gradient --upstream=u.spw.json multiply a.spw.json s.spw.json", "\"data\":[8,28]");
  expect_values("gradient --upstream=u.spw.json --wrt=1 linear m.spw.json a.spw.json x.spw.json", "\"data\":[21,18]");
  expect_values("gradient --upstream=m.spw.json reciprocal_specified a.spw.json", "\"data\":[-0.12000000000000002,-0.1111");
  write_text("s2.spw.json", COO("2,2", "2", "2", "0,1,0,1", "7,8"));
  cr_assert_eq(spw("convert --to=csr -o s2.npz s2.spw.json"), 0);
  expect_refused("gradient --upstream=u.spw.json mm_mean s2.spw.json u.spw.json", 2,
                 "the reduction asks for the claim to be coalesced");
  write_text("l.spw.json", COO("2,2", "2", "3", "0,1,1,0,0,1", "1,2,1"));
  expect_values("gradient --upstream=u.spw.json --wrt=1 solve_lower l.spw.json u.spw.json", "\"data\":[-5,-6,3,4]");
  expect_values("gradient --upstream=u.spw.json --wrt=1 spsolve l.spw.json u.spw.json", "\"data\":[-5,-6,3,4]");
  expect_values("gradient --upstream=u.spw.json mm_sum s2.spw.json u.spw.json", "\"data\":[5,25]");
  expect_values("gradient --upstream=u.spw.json --wrt=1 mm_mean s2.npz u.spw.json", "\"data\":[7,14,24,32]");
  write_text("k.spw.json", DENSE("4,9", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"));
  expect_values("gradient --upstream=k.spw.json kron a.spw.json a.spw.json", "\"data\":[11,11]");
  cr_assert_eq(spw("gradient --upstream=m.spw.json -o d.spw.json neg a.spw.json"), 0);
  cr_assert_eq(spw("check d.spw.json"), 0);
  expect_values("explain gradient", "G1");
}

Test(cli_gradient, refusals)
{
  write_text("a.spw.json", COO("2,3", "2", "2", "0,1,2,0", "5,6"));
  write_text("g.spw.json", DENSE("2", "10,100"));
  expect_refused("gradient", 2, "an operation is needed");
  expect_refused("gradient --upstream=g.spw.json sine a.spw.json", 2, "sine");
  expect_refused("gradient neg a.spw.json", 2, "--upstream=FILE is needed");
  expect_refused("gradient --upstream=g.spw.json neg a.spw.json a.spw.json", 2, "neg takes 1 file");
  expect_refused("gradient --upstream=g.spw.json --wrt=1 neg a.spw.json", 2, "there is no operand 1");
  expect_refused("gradient --upstream=g.spw.json --wrt=x neg a.spw.json", 2, "--wrt is 0, 1 or 2, not x");
  expect_refused("gradient --upstream=g.spw.json --dims=0 neg a.spw.json", 2, "--dims is for reductions");
  expect_refused("gradient --upstream=g.spw.json neg a.spw.json", 2, "impossible");
  expect_refused("gradient --upstream=g.spw.json sampled a.spw.json a.spw.json a.spw.json", 2, "impossible");
  expect_refused("gradient --upstream=a.spw.json --full neg a.spw.json", 2, "have no such gradient");
  expect_refused("gradient --upstream=g.spw.json multiply a.spw.json a.spw.json", 2, "impossible");
  expect_refused("gradient --upstream=g.spw.json --max-memory=10 --dims=1 sum a.spw.json", 2, "limit");
}
