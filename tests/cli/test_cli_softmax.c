/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw softmax. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(cli_softmax, .init = enter_directory, .fini = leave_directory);

static void expect_values(const char *arguments, const char *values)
{
  cr_assert_eq(spw(arguments), 0, "%s: %s", arguments, read_text("err"));
  cr_assert(strstr(read_text("out"), values) != NULL, "%s: %s", arguments, read_text("out"));
}

/* Two rows: two elements, and one. */
Test(cli_softmax, rows_and_columns)
{
  write_text("a.spw.json", COO("2,100000000000", "2", "3", "0,0,1,5,7,5", "2,2,2"));
  expect_values("softmax a.spw.json", "\"data\":[0.5,0.5,1]");
  expect_values("softmax --dim=0 a.spw.json", "\"data\":[0.5,1,0.5]");
  expect_values("softmax --log a.spw.json", "\"data\":[-0.6931471805599453,-0.6931471805599453,0]");
  cr_assert_eq(spw("softmax a.spw.json s.spw.json"), 0);
  cr_assert_eq(spw("check s.spw.json"), 0);
  expect_refused("softmax --dim=2 a.spw.json", 2, "there is no dimension 2: it has 2");
  expect_refused("softmax --dim=x a.spw.json", 2, "--dim is a number, not x");
  expect_refused("softmax --max-memory=10 a.spw.json", 2, "is enough");
  expect_refused("softmax", 2, "it takes one file, and where the result goes");
  write_text("i.spw.json", TYPED_COO("int64", "2,2", "2", "1", "0,0", "1"));
  expect_refused("softmax i.spw.json", 2, "does not exist for int64");
  write_text("d.spw.json", DENSE("2", "1,2"));
  expect_refused("softmax d.spw.json", 2, "softmax is for sparse tensors, and this is a dense one");
}
