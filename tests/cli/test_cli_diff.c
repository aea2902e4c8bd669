/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw diff: what is the same, where two tensors differ first, and what is no comparison. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(cli_diff, .init = enter_directory, .fini = leave_directory);

#define ONE(dtype, value) TYPED_COO(dtype, "2", "1", "1", "1", value)
#define CSR(extra, index, compressed, nse, plain, values) \
  "{\"spw\":1,\"layout\":\"csr\"" extra "," ARRAY("compressed_indices", index, "3", compressed) "," \
  ARRAY("plain_indices", index, nse, plain) "," ARRAY("values", "float64", nse, values) "}\n"

/* Writes both texts and compares them: "" is expected where they are the same. */
static void expect_difference(const char *options, const char *a, const char *b, const char *how)
{
  char arguments[128], line[512];
  write_text("a.spw.json", a);
  write_text("b.spw.json", b);
  snprintf(arguments, sizeof arguments, "diff %s a.spw.json b.spw.json", options);
  snprintf(line, sizeof line, how[0] ? "a.spw.json and b.spw.json differ%s\n" : "%s", how);
  const int status = spw(arguments);
  cr_assert(status == (how[0] != 0), "%s: exit %d: %s, %s%s", arguments, status, how, read_text("out"), read_text("err"));
  cr_assert_str_eq(read_text("out"), line, "%s: %s, not %s", arguments, read_text("out"), line);
  cr_assert(!read_text("err")[0], "%s", read_text("err"));
}

/* ---- By meaning ------------------------------------------------------------------------------ */

static const char three[] = COO("2,3", "2", "3", "0,0,1,0,2,1", "1,2,3");
static const char three_csr[] = CSR(",\"size\":[2,3]", "int32", "0,2,3", "3", "0,2,1", "1,2,3");

Test(cli_diff, meaning)
{
  expect_difference("", three, three, "");
  expect_difference("", three, three_csr, "");
  expect_difference("--meaning", three_csr, three, "");
  expect_difference("", three, COO("2,3", "2", "3", "1,0,0,1,2,0", "3,2,1"), "");
  expect_difference("", three, COO("2,3", "2", "4", "1,0,0,1,1,2,0,1", "1,2,1,2"), "");
  expect_difference("", three, COO("2,3", "2", "3", "0,0,1,0,2,1", "1,2,4"), " at (1, 1): 3 and 4");
  expect_difference("", three, COO("2,3", "2", "3", "0,0,1,0,2,2", "1,2,3"), " at (1, 1): 3 and unspecified");
  expect_difference("", COO("2,3", "2", "3", "0,0,1,0,2,2", "1,2,3"), three, " at (1, 1): unspecified and 3");
  expect_difference("", three, COO("2,3", "2", "2", "0,0,0,2", "1,2"), " at (1, 1): 3 and unspecified");
  expect_difference("", COO("2,3", "2", "0", "", ""), three, " at (0, 0): unspecified and 1");
  expect_difference("", COO("2,3", "2", "0", "", ""), CSR(",\"size\":[2,3]", "int64", "0,0,0", "0", "", ""), "");
  expect_difference("", three, COO("2,3", "2", "4", "0,0,0,1,0,1,2,1", "1,0,2,3"), " at (0, 1): unspecified and 0");
  expect_difference("--dense", three, COO("2,3", "2", "4", "0,0,0,1,0,1,2,1", "1,0,2,3"), "");
  expect_difference("--dense", three, COO("2,3", "2", "4", "0,0,0,1,0,1,2,1", "1,\"-0.0\",2,3"),
                    " at (0, 1): unspecified and -0");
  expect_difference("", three, COO("2,4", "2", "3", "0,0,1,0,2,1", "1,2,3"), ": the size is 2x3 and 2x4");
  expect_difference("", COO("6", "1", "1", "0", "1"), COO("6,1", "2", "1", "0,0", "1"), ": the size is 6 and 6x1");
  expect_difference("", ONE("float64", "1"), ONE("float32", "1"), ": values are float64 and float32");
  expect_difference("", COO("", "0", "1", "", "1"), COO("", "0", "1", "", "2"), " at (): 1 and 2");
  expect_difference("", COO("", "0", "2", "", "1,1"), COO("", "0", "1", "", "2"), "");
}

Test(cli_diff, certify)
{
  static const char zero_more[] = COO("2,3", "2", "4", "0,0,0,1,0,1,2,1", "1,0,2,3");
  static const char unsorted[] = COO("2,3", "2", "3", "1,0,0,1,2,0", "3,2,1");
  static const char differ[] = ": the certifier says no more; without --certify the first position is told";
  expect_difference("--certify", three, three_csr, "");
  expect_difference("--certify", three_csr, three, "");
  expect_difference("--certify", three, COO("2,3", "2", "3", "0,0,1,0,2,1", "1,2,4"), differ);
  expect_difference("--certify", three, COO("2,3", "2", "3", "0,0,1,0,2,2", "1,2,3"), differ);
  expect_difference("--certify", three, zero_more, differ);
  expect_difference("--certify --dense", three_csr, zero_more, "");
  expect_difference("--dense --certify", zero_more, three_csr, "");
  expect_difference("--certify", three, COO("2,4", "2", "3", "0,0,1,0,2,1", "1,2,3"), differ);
  /* a line of blocks that has none, and a billion rows */
  expect_difference("--certify", "{\"spw\":1,\"layout\":\"bsr\",\"size\":[1099511627776,1],"
                    ARRAY("compressed_indices", "int64", "2", "0,0") "," ARRAY("plain_indices", "int64", "0", "") ","
                    ARRAY("values", "float64", "0,1099511627776,1", "") "}",
                    COO("1099511627776,1", "2", "1", "5,0", "1"), differ);
  write_text("a.spw.json", three_csr);
  /* in no order, and with duplicates, whose sum counts */
  expect_difference("--certify", three_csr, unsorted, "");
  expect_difference("--certify", unsorted, COO("2,3", "2", "4", "0,1,0,0,2,1,0,0", "1,4,0,-1"),
                    differ);
  expect_difference("--certify", unsorted, COO("2,3", "2", "4", "0,1,0,0,2,1,0,0", "1,2,1,0"),
                    differ);
  expect_difference("--certify", unsorted, COO("2,3", "2", "4", "0,1,0,0,0,1,0,2", "1,3,0,2"),
                    "");
  write_text("b.spw.json", "{\"spw\":1,\"layout\":\"coo\"," ARRAY("indices", "int64", "2,1", "1,0") ","
             ARRAY("values", "float64", "1", "3") "}");
  cr_assert_eq(spw("diff --certify a.spw.json b.spw.json"), 2);
  cr_assert(output_has("out", "a.spw.json and b.spw.json cannot be certified: one has no size, is coo without"), "%s",
            read_text("out"));
  cr_assert_eq(spw("diff --certify --bits a.spw.json b.spw.json"), 2);
  cr_assert(output_has("err", "--certify is of meaning, and --bits of arrays"), "%s", read_text("err"));
}

/* One may have dense dimensions where the other has sparse ones. */
Test(cli_diff, hybrid_and_batched)
{
  static const char hybrid[] = "{\"spw\":1,\"layout\":\"coo\",\"size\":[3,2],"
                               ARRAY("indices", "int64", "1,2", "0,2") "," ARRAY("values", "float64", "2,2", "1,2,3,4") "}";
  static const char empty[] = "{\"spw\":1,\"layout\":\"coo\",\"size\":[3,0],"
                              ARRAY("indices", "int64", "1,1", "2") "," ARRAY("values", "float64", "1,0", "") "}";
  static const char batched[] = "{\"spw\":1,\"layout\":\"csr\",\"size\":[2,1,3],"
                                ARRAY("compressed_indices", "int64", "2,2", "0,1,0,1") ","
                                ARRAY("plain_indices", "int64", "2,1", "2,0") "," ARRAY("values", "float64", "2,1", "5,6") "}";
  expect_difference("", hybrid, COO("3,2", "2", "4", "0,0,2,2,0,1,0,1", "1,2,3,4"), "");
  expect_difference("", hybrid, COO("3,2", "2", "4", "0,0,2,2,0,1,0,1", "1,2,3,7"), " at (2, 1): 4 and 7");
  expect_difference("", COO("3,2", "2", "3", "0,0,2,0,1,0", "1,2,3"), hybrid, " at (2, 1): unspecified and 4");
  expect_difference("", empty, COO("3,0", "2", "0", "", ""), "");
  expect_difference("", batched, COO("2,1,3", "3", "2", "0,1,0,0,2,0", "5,6"), "");
  expect_difference("", batched, COO("2,1,3", "3", "2", "0,1,0,0,2,0", "5,7"), " at (1, 0, 0): 6 and 7");
}

/* Where one is dense there is nothing that is unspecified. */
Test(cli_diff, dense)
{
  static const char dense[] = DENSE("2,3", "1,0,2,0,3,0");
  expect_difference("", three, dense, "");
  expect_difference("--meaning", dense, three_csr, "");
  expect_difference("--dense", dense, dense, "");
  expect_difference("", dense, DENSE("2,3", "1,0,2,0,3,9"), " at (1, 2): 0 and 9");
  expect_difference("", DENSE("2,3", "1,\"-0.0\",2,0,3,0"), three, " at (0, 1): -0 and unspecified");
  expect_difference("", DENSE("2,3", "1,0,2,0,4,0"), three, " at (1, 1): 4 and 3");
  expect_difference("", three, DENSE("2,3", "1,0,2,0,0,0"), " at (1, 1): 3 and 0");
  expect_difference("", dense, COO("2,3", "2", "4", "0,0,0,1,0,1,2,1", "1,0,2,3"), "");
  expect_difference("--bits", dense, "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float64\",\"shape\":[2,3],"
                    "\"strides\":[1,2],\"data\":[1,0,0,3,2,0]}}", "");
  expect_difference("--bits", dense, DENSE("2,3", "1,0,2,0,3,4"), " at values[1, 2]: 0 and 4");
  expect_difference("--bits", dense, DENSE("3,2", "1,0,2,0,3,4"), ": the size is 2x3 and 3x2");
}

/* A value is shown so that its bits can be told. */
Test(cli_diff, values)
{
  static const struct { const char *dtype, *a, *b, *how; } cases[] = {
      {"bool", "true", "false", "1 and 0"},
      {"uint8", "255", "0", "255 and 0"},
      {"int8", "-128", "127", "-128 and 127"},
      {"int16", "-32768", "1", "-32768 and 1"},
      {"int32", "-2147483648", "1", "-2147483648 and 1"},
      {"int64", "9223372036854775807", "-9223372036854775808", "9223372036854775807 and -9223372036854775808"},
      {"float16", "1.5", "\"inf\"", "1.5 and inf"},
      {"float16", "\"bits:0001\"", "\"bits:8400\"", "5.9604645e-08 and -6.1035156e-05"},
      {"float16", "65504", "\"-inf\"", "65504 and -inf"},
      {"float16", "\"bits:7e00\"", "\"bits:fe01\"", "nan (bits 7e00) and nan (bits fe01)"},
      {"bfloat16", "\"bits:3f80\"", "\"bits:c049\"", "1 and -3.140625"},
      {"bfloat16", "\"bits:7fc1\"", "\"bits:0001\"", "nan (bits 7fc1) and 9.1835e-41"},
      {"float32", "0.1", "16777217", "0.1 and 16777216"},
      {"float32", "\"bits:7fc00001\"", "\"bits:7fc00002\"", "nan (bits 7fc00001) and nan (bits 7fc00002)"},
      {"float64", "0.1", "\"0x1.999999999999bp-4\"", "0.1 and 0.10000000000000002"},
      {"float64", "0", "\"-0.0\"", "0 and -0"},
      {"complex64", "[1,0.1]", "[1,0.2]", "[1, 0.1] and [1, 0.2]"},
      {"complex128", "[\"nan\",0]", "[\"-inf\",1e300]", "[nan (bits 7ff8000000000000), 0] and [-inf, 1e+300]"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char a[512], b[512], how[256];
    snprintf(a, sizeof a, ONE("%s", "%s"), cases[i].dtype, cases[i].a);
    snprintf(b, sizeof b, ONE("%s", "%s"), cases[i].dtype, cases[i].b);
    snprintf(how, sizeof how, " at (1): %s", cases[i].how);
    expect_difference("", a, b, how);
    expect_difference("", a, a, "");
    snprintf(how, sizeof how, " at values[0]: %s", cases[i].how);
    expect_difference("--bits", a, b, how);
    expect_difference("--bits", b, b, "");
  }
}

/* ---- By bits --------------------------------------------------------------------------------- */

Test(cli_diff, bits)
{
  expect_difference("--bits", three_csr, three_csr, "");
  expect_difference("--bits", three_csr, three, ": the layout is csr and coo");
  expect_difference("--bits", three, COO("2,3", "2", "3", "0,0,1,2,0,1", "2,1,3"), " at indices[1, 0]: 0 and 2");
  expect_difference("--bits", three, COO("2,3", "2", "2", "0,0,0,2", "1,2"), ": the shape of indices is 2x3 and 2x2");
  expect_difference("--bits", three_csr, CSR(",\"size\":[2,4]", "int32", "0,2,3", "3", "0,2,1", "1,2,3"),
                    ": the size is 2x3 and 2x4");
  expect_difference("--bits", three_csr, CSR(",\"size\":[2,3]", "int64", "0,2,3", "3", "0,2,1", "1,2,3"),
                    ": compressed_indices are int32 and int64");
  expect_difference("--bits", three_csr, CSR(",\"size\":[2,3]", "int32", "0,1,3", "3", "0,1,2", "1,2,3"),
                    " at compressed_indices[1]: 2 and 1");
  expect_difference("--bits", three_csr, CSR(",\"size\":[2,3]", "int32", "0,2,3", "3", "0,1,1", "1,2,3"),
                    " at plain_indices[1]: 2 and 1");
  expect_difference("--bits", three_csr, CSR(",\"size\":[2,3]", "int32", "0,2,3", "3", "0,2,1", "1,2,4"),
                    " at values[2]: 3 and 4");
  expect_difference("--bits", three_csr, CSR("", "int32", "0,2,3", "3", "0,2,1", "1,2,3"), "");
  expect_difference("--bits", CSR("", "int32", "0,1,2", "2", "0,1", "1,2"), CSR("", "int32", "0,1,2", "2", "0,2", "1,2"),
                    ": the size is 2x2 and 2x3");
  expect_difference("--bits", COO("", "0", "1", "", "1"), COO("", "0", "1", "", "1"), "");
  static const char bsr[] = "{\"spw\":1,\"layout\":\"bsr\"," ARRAY("compressed_indices", "int64", "2", "0,1") ","
                            ARRAY("plain_indices", "int64", "1", "0") "," ARRAY("values", "int8", "1,2,3", "1,2,3,4,5,6") "}";
  static const char other[] = "{\"spw\":1,\"layout\":\"bsr\"," ARRAY("compressed_indices", "int64", "2", "0,1") ","
                              ARRAY("plain_indices", "int64", "1", "0") "," ARRAY("values", "int8", "1,2,3", "1,2,3,4,7,6") "}";
  expect_difference("--bits", bsr, other, " at values[0, 1, 1]: 5 and 7");
}

/* ---- Files ----------------------------------------------------------------------------------- */

Test(cli_diff, lines)
{
  char text[2048];
  snprintf(text, sizeof text, "%s%s\n%s", three, ONE("float64", "1"), three_csr);
  write_text("a.spw.jsonl", text);
  snprintf(text, sizeof text, "%s\n\n%s%s", three_csr, ONE("float64", "2"), three);
  write_text("b.spw.jsonl", text);
  expect("diff a.spw.jsonl a.spw.jsonl", 0, "out", "");
  cr_assert(!read_text("out")[0]);
  expect("diff a.spw.jsonl b.spw.jsonl", 1, "out", "a.spw.jsonl:2 and b.spw.jsonl:4 differ at (1): 1 and 2\n");
  cr_assert(strlen(read_text("out")) == strlen("a.spw.jsonl:2 and b.spw.jsonl:4 differ at (1): 1 and 2\n"));
  expect("diff --bits a.spw.jsonl b.spw.jsonl", 1, "out",
         "a.spw.jsonl:1 and b.spw.jsonl:1 differ: the layout is coo and csr\n"
         "a.spw.jsonl:2 and b.spw.jsonl:4 differ at values[0]: 1 and 2\n"
         "a.spw.jsonl:4 and b.spw.jsonl:5 differ: the layout is csr and coo\n");
  write_text("one.spw.json", three);
  expect("diff a.spw.jsonl one.spw.json", 1, "out", "a.spw.jsonl and one.spw.json differ: they hold 3 and 1 tensors\n");
  expect("diff one.spw.json a.spw.jsonl", 1, "out", "one.spw.json and a.spw.jsonl differ: they hold 1 and 3 tensors\n");
  expect("diff - a.spw.jsonl <a.spw.jsonl", 0, "out", "");
  expect("diff a.spw.jsonl - <b.spw.jsonl", 1, "out", "a.spw.jsonl:2 and -:4 differ");
  expect("diff good.spw.json good.spw.json", 0, "out", "");
  cr_assert(system("for i in $(seq 50); do cat a.spw.jsonl; done >many.spw.jsonl") == 0);
  expect("diff many.spw.jsonl many.spw.jsonl", 0, "out", "");
}

/* 2, as with cmp and diff, is trouble; a file that cannot be read is 3, as everywhere. */
Test(cli_diff, trouble)
{
  expect("diff good.spw.json", 2, "err", "spw diff: two files are needed\nTry 'spw diff --help'.\n");
  expect("diff good.spw.json good.spw.json good.spw.json", 2, "err", "two files are needed");
  expect("diff --level=shape good.spw.json good.spw.json", 2, "err", "--level");
  expect("diff - - <good.spw.json", 2, "err", "standard input, -, is named twice");
  expect("diff bad.spw.json good.spw.json", 2, "err", "bad.spw.json: invalid  csr 2x6, nse 4, int64\n  5.3");
  cr_assert(!read_text("out")[0]);
  expect("diff good.spw.json bad.spw.json", 2, "err", "bad.spw.json: invalid");
  expect("diff --bits bad.spw.json bad.spw.json", 2, "err", "5.3");
  expect("diff good.spw.json missing", 3, "err", "missing: unreadable\n  No such file");
  expect("diff torn.spw.json bad.spw.json", 3, "err", "torn.spw.json: malformed\n");
  cr_assert(output_has("err", "bad.spw.json: invalid") && !read_text("out")[0]);
  expect("diff lines.spw.jsonl lines.spw.jsonl", 3, "err", "lines.spw.jsonl:3: malformed");
  cr_assert(!read_text("out")[0]);
  expect("diff lines.spw.jsonl good.spw.json", 3, "err", "lines.spw.jsonl:3: malformed");
  cr_assert(!read_text("out")[0], "what could not be read is not counted: %s", read_text("out"));
  write_text("two.spw.json", COO("2,6", "2", "1", "0,0", "1"));
  expect("diff good.spw.json two.spw.json >/dev/full", 70, "err", "cannot write to standard output");
  write_text("odd\033.spw.json", COO("2,6", "2", "1", "0,0", "1"));
  expect("diff good.spw.json odd*", 1, "out", "odd\\x1b.spw.json differ: values are float32 and float64\n");
  expect("diff --max-bytes=20 good.spw.json good.spw.json", 3, "err", "more than the limit of 20");
  expect("diff --max-work=3 good.spw.json good.spw.json", 3, "err", "--max-work=");
  expect("diff --max-memory=10 good.spw.json good.spw.json", 3, "err", "good.spw.json: limit: as coo it has");
}

/* COO of so many dimensions, without an element and without a size. */
#define NOTHING_OF(dims)                                                                                                      \
  "{\"spw\":1,\"layout\":\"coo\"," ARRAY("indices", "int64", dims ",0", "") "," ARRAY("values", "int8", "0", "") "}"

Test(cli_diff, one_way_at_a_time)
{
  write_text("good.spw.json", NOTHING_OF("2"));
  expect("diff --bits --bits good.spw.json good.spw.json", 0, "err", "");
  expect("diff --bits --meaning good.spw.json good.spw.json", 2, "err", "compared in one way");
}

/* A few bytes may describe more than anybody can wait for. */
Test(cli_diff, limits)
{
  write_text("wide.spw.json", "{\"spw\":1,\"layout\":\"coo\",\"indices\":{\"dtype\":\"int64\",\"shape\":[1,1],\"data\":[0]},"
                              "\"values\":{\"dtype\":\"int8\",\"shape\":[1,1099511627776],\"strides\":[0,0],\"data\":[0]}}");
  expect("check wide.spw.json", 0, "out", "valid");
  expect("diff --bits wide.spw.json wide.spw.json", 3, "err", "comparing it takes 1099511627777 steps");
  expect("diff wide.spw.json wide.spw.json", 3, "err", "wide.spw.json: limit: as coo it has");
  write_text("dimensions.spw.json", "{\"spw\":1,\"layout\":\"coo\",\"indices\":{\"dtype\":\"int64\","
                                    "\"shape\":[9223372036854775807,0],\"data\":[]},"
                                    "\"values\":{\"dtype\":\"int8\",\"shape\":[0,3],\"data\":[]}}");
  expect("check dimensions.spw.json", 0, "out", "valid");
  expect("diff --bits dimensions.spw.json dimensions.spw.json", 3, "err", "comparing it takes more than 2^63 steps");
  expect("diff dimensions.spw.json good.spw.json", 3, "err",
         "dimensions.spw.json: impossible: it has 9223372036854775807 dimensions, and as coo it can have 1073741824 at most\n");
  write_text("many.spw.json", NOTHING_OF("1073741825"));
  expect("diff many.spw.json many.spw.json", 3, "err",
         "it has 1073741825 dimensions, and as coo it can have 1073741824 at most\n");
  expect("diff --bits --max-work=9999999999 many.spw.json good.spw.json", 3, "err",
         "it has 1073741825 dimensions, and a size can have 1073741824 at most\n");
  write_text("some.spw.json", NOTHING_OF("1073741824"));
  expect("diff --bits --max-work=9999999999 --max-memory=1000000 some.spw.json good.spw.json", 3, "err",
         "the size of its 1073741824 dimensions takes more than the limit of 1000000 bytes");
  write_text("many.spw.json", NOTHING_OF("20000000"));
  expect("diff --max-work=19999999 many.spw.json good.spw.json", 3, "err", "converting it takes 20000000 steps");
  expect("diff --dense --max-work=19999999 many.spw.json good.spw.json", 3, "err", "converting it takes 20000000 steps");
  write_text("many.spw.json", NOTHING_OF("1000"));
  expect("diff --max-work=2006 many.spw.json many.spw.json", 0, "err", "");
}
