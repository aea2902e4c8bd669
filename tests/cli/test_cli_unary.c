/* SPDX-License-Identifier: Apache-2.0 */
/* The commands spw unary and spw cast: what they give, and every reason to refuse. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void enter(void)
{
  enter_directory();
  write_text("a.spw.json", COO("2,3", "2", "3", "0,0,1,0,2,1", "4,2.25,-0.5"));
  write_text("twice.spw.json", COO("2,3", "2", "3", "0,0,1,2,2,1", "3,1,-0.5"));
}

TestSuite(cli_unary, .init = enter, .fini = leave_directory);

static void expect_values(const char *arguments, const char *dtype, const char *values)
{
  const int status = spw(arguments);
  cr_assert(status == 0, "%s: exit %d: %s", arguments, status, read_text("err"));
  char text[200];
  snprintf(text, sizeof text, "\"values\":{\"dtype\":\"%s\",\"shape\":[%d],\"data\":[%s]}}\n", dtype,
           strstr(arguments, "twice") && !strstr(arguments, "neg") ? 2 : 3, values);
  cr_assert(strstr(read_text("out"), text) != NULL, "%s: %s", arguments, read_text("out"));
}

Test(cli_unary, functions)
{
  expect_values("unary neg a.spw.json", "float64", "-4,-2.25,0.5");
  expect_values("unary neg twice.spw.json", "float64", "-3,-1,0.5");
  expect_values("unary square twice.spw.json", "float64", "16,0.25");
  expect_values("unary square --duplicates=last twice.spw.json", "float64", "1,0.25");
  expect_values("unary fix a.spw.json", "float64", "4,2,\"-0.0\"");
  expect_values("unary pow --scalar=2 a.spw.json", "float64", "16,5.0625,0.25");
  expect_values("unary floor_divide --scalar=0.5 a.spw.json", "float64", "8,4,-1");
  expect_values("unary signbit a.spw.json", "bool", "false,false,true");
  expect_values("unary exp_specified twice.spw.json", "float64", "54.598150033144236,0.6065306597126334");
  write_text("nan.spw.json", COO("2,3", "2", "3", "0,0,1,0,2,1", "\"nan\",\"inf\",\"-inf\""));
  expect_values("unary nan_to_num --nan=1 --posinf=2 --neginf=-3 nan.spw.json", "float64", "1,2,-3");
  cr_assert_eq(spw("unary abs a.spw.json b.spw.json"), 0);
  cr_assert_eq(spw("unary abs -o c.npz a.spw.json"), 0);
  cr_assert_eq(spw("diff b.spw.json c.npz"), 0, "%s", read_text("out"));
}

Test(cli_unary, casts)
{
  expect_values("cast int8 a.spw.json", "int8", "4,2,0");
  expect_values("cast int16 twice.spw.json", "int16", "4,0");
  expect_values("cast bool a.spw.json", "bool", "true,true,true");
  expect_values("cast complex64 a.spw.json", "complex64", "[4,0],[2.25,0],[-0.5,0]");
  cr_assert_eq(spw("cast float16 a.spw.json half.spw.json"), 0);
  expect_values("unary square half.spw.json", "float16", "16,5.062,0.25");
}

Test(cli_unary, refusals)
{
  expect_refused("unary cos a.spw.json", 2,
                 "a.spw.json: impossible: cos of 0 is 1, so no unspecified position would stay unspecified; cos_specified maps "
                 "specified values only\n");
  expect_refused("unary sinc a.spw.json", 2, "sinc of 0 is 1, so no unspecified position would stay unspecified\n");
  expect_refused("unary pow --scalar=-1 a.spw.json", 2, "pow needs an exponent above 0, and has -1");
  expect_refused("unary pow --scalar=nan a.spw.json", 2, "pow needs an exponent above 0, and has nan");
  expect_refused("unary pow --scalar=x a.spw.json", 2, "--scalar=x is no value of type float64");
  write_text("big.spw.json", COO("2,3", "2", "3", "0,0,1,0,2,1", "1,-1,300"));
  expect_refused("cast uint8 big.spw.json", 2,
                 "big.spw.json: impossible: the value -1 at position (0, 2) has no place in uint8\n");
  cr_assert_eq(spw("cast int16 big.spw.json i.spw.json"), 0);
  expect_refused("cast int8 i.spw.json", 2, "the value 300 at position (1, 1) has no place in int8\n");
  expect_refused("unary frac i.spw.json", 2, "frac does not exist for int16");
  expect_refused("unary div_floor --scalar=0 i.spw.json", 2, "div_floor by 0 does not exist for integers");
  expect_refused("unary sin --duplicates=error twice.spw.json", 2, "elements 0 and 1");
  write_text("dense.spw.json", DENSE("2", "1,2"));
  expect_refused("unary sin dense.spw.json", 2, "what is mapped has to be sparse");
  write_text("bad.spw.json", COO("2,2", "2", "1", "0,7", "1"));
  expect_refused("unary sin bad.spw.json", 1, "7");
}

Test(cli_unary, command_lines)
{
  expect_refused("unary", 2, "a function is needed");
  expect_refused("unary sine a.spw.json", 2, "did you mean sin?");
  expect_refused("unary cast a.spw.json", 2, "cast is not one of");
  expect_refused("unary sin", 2, "sin takes one file");
  expect_refused("unary pow a.spw.json", 2, "pow needs --scalar=NUMBER");
  expect_refused("unary sin --scalar=1 a.spw.json", 2, "sin takes no --scalar");
  expect_refused("unary sin --nan=1 a.spw.json", 2, "--nan, --posinf and --neginf are for nan_to_num, not for sin");
  expect_refused("unary sin a.spw.json b.spw.json c.spw.json", 2, "sin takes one file");
  expect_refused("cast", 2, "a type is needed");
  expect_refused("cast float8 a.spw.json", 2, "float8 is not one of");
  expect_refused("cast int8 none.npz", 3, "none.npz");
  expect_refused("unary sin --max-memory=1 a.spw.json", 2, "takes more than the limit of 1 bytes");
  expect_refused("unary sin --max-work=1 a.spw.json", 3, "");
}
