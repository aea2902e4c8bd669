/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw solve. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(cli_solve, .init = enter_directory, .fini = leave_directory);

/* [[2, 9], [1, 4]], of which one triangle is read. */
Test(cli_solve, triangles)
{
  write_text("a.spw.json", COO("2,2", "2", "4", "0,0,1,1,0,1,0,1", "2,9,1,4"));
  write_text("b.spw.json", DENSE("2", "2,5"));
  expect("solve a.spw.json b.spw.json", 0, "out", "\"data\":[1,1]");
  expect("solve --upper a.spw.json b.spw.json", 0, "out", "\"data\":[-4.625,1.25]");
  expect("solve --transpose a.spw.json b.spw.json", 0, "out", "\"data\":[0.375,1.25]");
  expect("solve --unit a.spw.json b.spw.json", 0, "out", "\"data\":[2,3]");
  expect("solve --right a.spw.json b.spw.json", 0, "out", "\"data\":[0.375,1.25]");
  cr_assert_eq(spw("solve a.spw.json b.spw.json x.npy"), 0);
  expect("solve --judge=x.npy a.spw.json b.spw.json", 0, "out", "x.npy: right: 2 numbers, 2 within their bound");
  expect("solve --judge=x.npy --upper a.spw.json b.spw.json", 1, "out",
               "wrong: 2 of 2 numbers, first equation 0: the residual is 9");
  expect("solve --judge=x.npy --omega=1e-15 a.spw.json b.spw.json", 1, "out", "; the backward error is 0.692");
  expect("solve --judge=x.npy --omega=0.7 a.spw.json b.spw.json", 0, "out", "right: 2 numbers");
}

Test(cli_solve, general)
{
  write_text("a.spw.json", COO("2,2", "2", "4", "0,0,1,1,0,1,0,1", "2,9,1,4"));
  write_text("singular.spw.json", COO("2,2", "2", "4", "0,0,1,1,0,1,0,1", "2,4,1,2"));
  write_text("row.spw.json", COO("2,2", "2", "2", "0,0,0,1", "2,4"));
  write_text("b.spw.json", DENSE("2", "2,5"));
  expect("solve --general a.spw.json b.spw.json", 0, "out", "\"data\":[37,-8]");
  expect_refused("solve --general singular.spw.json b.spw.json", 2, "the matrix is singular: the pivot of column 1 is 0");
  expect_refused("solve --general row.spw.json b.spw.json", 2, "singular whatever its values are: its rank is at most 1");
  expect_refused("solve --general --upper a.spw.json b.spw.json", 2, "go with no option of triangles");
  expect_refused("solve --general --judge=b.spw.json a.spw.json b.spw.json", 2, "--omega has to say which error is allowed");
  expect_refused("solve --general --max-memory=100 a.spw.json b.spw.json", 2, "more than the limit of 100 bytes");
}

Test(cli_solve, refusals)
{
  write_text("a.spw.json", COO("3,3", "2", "3", "0,1,2,0,0,2", "2,1,4"));
  write_text("b.spw.json", DENSE("3", "2,5,1"));
  write_text("c.spw.json", DENSE("2", "2,5"));
  expect_refused("solve a.spw.json b.spw.json", 2, "diagonal element 1 of the matrix is not stored");
  expect_refused("solve --unit a.spw.json c.spw.json", 2, "dimension 0 of the right side is 2 and would need to be 3");
  expect_refused("solve b.spw.json b.spw.json", 2, "the matrix has to be sparse");
  expect_refused("solve a.spw.json a.spw.json", 2, "it has to be dense");
  expect_refused("solve a.spw.json", 2, "two files are needed");
  expect_refused("solve --omega=1 a.spw.json b.spw.json", 2, "--omega is for --judge");
  expect_refused("solve --omega=x a.spw.json b.spw.json", 2, "--omega is a number, at least 0, not x");
  expect_refused("solve --judge=b.spw.json --omega=1 --unit a.spw.json b.spw.json", 2, "go with no option of triangles");
  expect_refused("solve --judge=b.spw.json -o x.npy a.spw.json b.spw.json", 2, "--judge writes no solution");
  expect_refused("solve --transpose --adjoint a.spw.json b.spw.json", 2, "only one of --transpose and --adjoint");
  expect_refused("solve --judge=c.spw.json a.spw.json b.spw.json", 2, "dimension 0 of the solution is 2");
  expect_refused("solve --unit --max-memory=10 a.spw.json b.spw.json", 2, "more than the limit of 10 bytes");
}
