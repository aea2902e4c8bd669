/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw eigen. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(cli_eigen, .init = enter_directory, .fini = leave_directory);

/* [[0, 2], [2, 0]] has 2 with (1, 1) and -2 with (1, -1). */
static void write_pairs(void)
{
  write_text("a.spw.json", COO("2,2", "2", "2", "0,1,1,0", "2,2"));
  write_text("l.spw.json", DENSE("2", "2,-2"));
  write_text("x.spw.json", DENSE("2,2", "1,1,1,-1"));
}

Test(cli_eigen, pairs)
{
  write_pairs();
  write_text("off.spw.json", DENSE("2", "2,-1"));
  write_text("none.spw.json", DENSE("2,2", "1,0,1,0"));
  write_text("w.spw.json", DENSE("2", "2,2"));
  write_text("half.spw.json", DENSE("2", "1,-1"));
  expect("eigen a.spw.json l.spw.json x.spw.json", 0, "out",
               "l.spw.json: right: 2 of 2 certified; the vectors are off orthonormal by at most 1\n"
               "  0: an eigenvalue in [2, 2], radius 0\n  1: an eigenvalue in [-2, -2], radius 0\n");
  expect("eigen a.spw.json off.spw.json x.spw.json", 0, "out", "  1: an eigenvalue in [-2.0000000000000004, ");
  expect("eigen --radius=1.01 a.spw.json off.spw.json x.spw.json", 0, "out", ", radius 1\n");
  expect("eigen --radius=0.5 a.spw.json off.spw.json x.spw.json", 1, "out",
         "wrong: 2 of 2 certified, 1 with a radius above 0.5;");
  expect("eigen --radius=0 a.spw.json l.spw.json x.spw.json", 0, "out", "right");
  expect("eigen a.spw.json l.spw.json none.spw.json", 1, "out", "wrong: 1 of 2 certified; ");
  expect("eigen a.spw.json l.spw.json none.spw.json", 1, "out", "  1: nothing is certified, radius inf\n");
  expect("eigen --weights=w.spw.json a.spw.json half.spw.json x.spw.json", 0, "out", "  0: an eigenvalue in [1, 1], radius 0\n");
}

/* [[0, 3], [2, 0]]; with the means (1, 1.5) taken away, [[-1, 1.5], [1, -1.5]]. */
Test(cli_eigen, triples)
{
  write_text("a.spw.json", COO("2,2", "2", "2", "0,1,1,0", "3,2"));
  write_text("s.spw.json", DENSE("2", "3,2"));
  write_text("u.spw.json", DENSE("2,2", "1,0,0,1"));
  write_text("v.spw.json", DENSE("2,2", "0,1,1,0"));
  write_text("c.spw.json", DENSE("2", "1,1.5"));
  expect("eigen --right=v.spw.json a.spw.json s.spw.json u.spw.json", 0, "out",
               "s.spw.json: right: 2 of 2 certified; the vectors are off orthonormal by at most 0\n"
               "  0: a singular value in [3, 3], radius 0\n");
  expect("eigen --right=v.spw.json --center=c.spw.json a.spw.json s.spw.json u.spw.json", 0, "out",
               "  0: a singular value in [1.031498031497047, 4.9685019685029532], radius 1.97\n"); /* sqrt(7.75 / 2) around 3 */
}

Test(cli_eigen, refusals)
{
  write_pairs();
  write_text("b.spw.json", COO("2,2", "2", "1", "0,1", "2"));
  write_text("short.spw.json", DENSE("1", "2"));
  write_text("w.spw.json", DENSE("2", "2,0"));
  expect_refused("eigen a.spw.json l.spw.json", 2, "three files are needed");
  expect_refused("eigen x.spw.json l.spw.json x.spw.json", 2, "x.spw.json: impossible: the matrix has to be sparse");
  expect_refused("eigen a.spw.json l.spw.json a.spw.json", 2, "a.spw.json: impossible: it has to be dense");
  expect_refused("eigen b.spw.json l.spw.json x.spw.json", 2, "b.spw.json: impossible");
  expect_refused("eigen a.spw.json short.spw.json x.spw.json", 2, "dimension 1 of the vectors is 2 and would need to be 1");
  expect_refused("eigen --weights=short.spw.json a.spw.json l.spw.json x.spw.json", 2, "dimension 0 of the weights is 1");
  expect_refused("eigen --weights=w.spw.json a.spw.json l.spw.json x.spw.json", 2, "w.spw.json: impossible");
  expect_refused("eigen --right=x.spw.json --center=short.spw.json a.spw.json l.spw.json x.spw.json", 2, "of the center is 1");
  expect_refused("eigen --weights=w.spw.json --right=x.spw.json a.spw.json l.spw.json x.spw.json", 2, "--weights is for");
  expect_refused("eigen --center=w.spw.json a.spw.json l.spw.json x.spw.json", 2, "--center is for singular triples");
  expect_refused("eigen --radius=-1 a.spw.json l.spw.json x.spw.json", 2, "--radius is a number, at least 0, not -1");
  expect_refused("eigen --max-memory=10 a.spw.json l.spw.json x.spw.json", 2, "more than the limit of 10");
}
