/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw convert: every pair of layouts, every option, every reason to refuse, and that a file is
 * written whole or not at all. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "../support/memory.h"
#include "tensor_text.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAN_BITS "\"bits:7ff8000000000001\""

/* CSR of one row; its plain indices and values. */
#define ROW(nse, plain, values) \
  "{\"spw\":1,\"layout\":\"csr\",\"size\":[1,4]," ARRAY("compressed_indices", "int64", "2", "0," nse) "," \
  ARRAY("plain_indices", "int64", nse, plain) "," ARRAY("values", "float64", nse, values) "}\n"

/* 4x6, not sorted: an explicit zero, a zero with a sign and a NaN with a payload among the values. */
static const char base[] = COO("4,6", "2", "5", "3,0,0,1,2,1,1,4,0,5", NAN_BITS ",1,0,\"-0.0\",2");

static void enter(void)
{
  enter_directory();
  write_text("base.spw.json", base);
  write_text("out", "");
  write_text("err", "");
}

TestSuite(cli_convert, .init = enter, .fini = leave_directory);

static int spw_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int spw_format(const char *format, ...)
{
  char arguments[512];
  va_list args;
  va_start(args, format);
  vsnprintf(arguments, sizeof arguments, format, args);
  va_end(args);
  return spw(arguments);
}

static int files_here(void)
{
  DIR *here = opendir(".");
  int count = 0;
  while (readdir(here)) count++;
  closedir(here);
  return count;
}

/* Converts a text; the result is on stdout. */
static const char *converted(const char *text, const char *options)
{
  write_text("in.spw.json", text);
  const int status = spw_format("convert %s in.spw.json -", options);
  cr_assert(status == 0, "convert %s: exit %d: %s", options, status, read_text("err"));
  cr_assert(!read_text("err")[0], "convert %s: %s", options, read_text("err"));
  return read_text("out");
}

static void expect_result(const char *text, const char *options, const char *part)
{
  const char *result = converted(text, options);
  cr_assert(strstr(result, part), "convert %s: no %s in %s", options, part, result);
}

/* Exit 2 with a sentence, and nothing is written. */
static void expect_refusal(const char *text, const char *options, const char *sentence)
{
  write_text("in.spw.json", text);
  write_text("kept.spw.json", "old");
  const int before = files_here(), status = spw_format("convert %s in.spw.json kept.spw.json", options);
  cr_assert(status == 2, "convert %s: exit %d: %s", options, status, read_text("err"));
  cr_assert(output_has("err", sentence), "convert %s: no \"%s\" in %s", options, sentence, read_text("err"));
  cr_assert(output_has("err", "spw convert: "), "%s", read_text("err"));
  cr_assert(files_here() == before && !read_text("out")[0]);
  cr_assert_str_eq(read_text("kept.spw.json"), "old");
  cr_assert(spw_format("convert %s in.spw.json -", options) == 2 && !read_text("out")[0]);
}

/* ---- Every pair ------------------------------------------------------------------------------ */

static const char *const targets[] = {"coo", "csr", "csc", "bsr --blocksize=2x3", "bsc --blocksize=2x3", "dense"};
enum { TARGETS = sizeof targets / sizeof *targets, SCALAR_TARGETS = 3 };

Test(cli_convert, each_layout_from_coo)
{
  static const char *const parts[TARGETS][4] = {
      {"\"layout\":\"coo\"", "\"coalesced\":true", "\"data\":[0,0,1,2,3,1,4,0,5,1]",
       "\"data\":[1,0,\"-0.0\",2," NAN_BITS "]"},
      {"\"layout\":\"csr\"", "\"data\":[0,2,3,4,5]", "\"data\":[1,4,0,5,1]", "\"data\":[1,0,\"-0.0\",2," NAN_BITS "]"},
      {"\"layout\":\"csc\"", "\"data\":[0,1,3,3,3,4,5]", "\"data\":[1,0,3,0,2]",
       "\"data\":[\"-0.0\",1," NAN_BITS ",0,2]"},
      {"\"layout\":\"bsr\"", "\"data\":[0,2,4]", "\"data\":[0,1,0,1]",
       "\"data\":[0,1,0,\"-0.0\",0,0,0,0,0,0,0,0,0,0,0,0," NAN_BITS ",0,0,0,2,0,0,0]"},
      {"\"layout\":\"bsc\"", "\"data\":[0,2,4]", "\"data\":[0,1,0,1]",
       "\"data\":[0,1,0,\"-0.0\",0,0,0,0,0,0," NAN_BITS ",0,0,0,0,0,0,0,0,0,2,0,0,0]"},
      {"\"layout\":\"dense\"", "\"shape\":[4,6]",
       "\"data\":[0,1,0,0,0,0,\"-0.0\",0,0,0,0,0,0,0,0,0,0,2,0," NAN_BITS ",0,0,0,0]", "\"dtype\":\"float64\""}};
  for (int i = 0; i < TARGETS; i++) {
    char options[64];
    snprintf(options, sizeof options, "--to=%s", targets[i]);
    for (int k = 0; k < 4; k++) expect_result(base, options, parts[i][k]);
  }
}

/* From any to any: valid, and the same as dense; and what keeps the specified positions comes back. */
Test(cli_convert, every_pair_and_back)
{
  for (int from = 0; from < TARGETS; from++) {
    cr_assert(spw_format("convert --to=%s base.spw.json from.spw.json", targets[from]) == 0, "%s", read_text("err"));
    for (int to = 0; to < TARGETS; to++) {
      const bool keeps = from < SCALAR_TARGETS && to < SCALAR_TARGETS;
      cr_assert(spw_format("convert --bits --to=%s from.spw.json to.spw.json", targets[to]) == 0, "%s to %s: %s",
                targets[from], targets[to], read_text("err"));
      cr_assert(spw("check to.spw.json") == 0, "%s", read_text("out"));
      cr_assert(spw("diff --dense base.spw.json to.spw.json") == 0, "%s to %s: %s", targets[from], targets[to],
                read_text("out"));
      if (!keeps) continue;
      cr_assert(spw("diff base.spw.json to.spw.json") == 0, "%s", read_text("out"));
      cr_assert(spw_format("convert --to=%s to.spw.json back.spw.json", targets[from]) == 0);
      cr_assert(spw("diff --bits from.spw.json back.spw.json") == 0, "%s", read_text("out"));
    }
  }
}

Test(cli_convert, batched_and_hybrid)
{
  static const char coo[] = COO("2,2,3", "3", "4", "0,0,1,1,0,1,0,1,2,0,1,1", "1,2,3,4");
  static const char hybrid[] = "{\"spw\":1,\"layout\":\"coo\",\"size\":[2,3,2],"
                               ARRAY("indices", "int64", "2,2", "0,1,2,0") ","
                               ARRAY("values", "float64", "2,2", "1,2,3,4") "}\n";
  expect_result(coo, "--to=csr", ARRAY("compressed_indices", "int64", "2,3", "0,1,2,0,1,2"));
  expect_result(coo, "--to=csr", ARRAY("plain_indices", "int64", "2,2", "2,0,1,1"));
  expect_result(coo, "--to=csc", ARRAY("values", "float64", "2,2", "2,1,3,4"));
  expect_result(coo, "--to=csr --batch-dims=1", ARRAY("values", "float64", "2,2", "1,2,3,4"));
  expect_result(hybrid, "--to=csc", ARRAY("values", "float64", "2,2", "3,4,1,2"));
  expect_result(hybrid, "--to=csr --dense-dims=1", ARRAY("plain_indices", "int64", "2", "2,0"));
  expect_result(hybrid, "--to=dense", "\"data\":[0,0,0,0,1,2,3,4,0,0,0,0]");
  write_text("a.spw.json", coo);
  cr_assert(spw("convert --to=bsc --blocksize=1x3 a.spw.json b.spw.json") == 0, "%s", read_text("err"));
  cr_assert(spw("convert --to=coo b.spw.json c.spw.json") == 0 && spw("diff --dense a.spw.json c.spw.json") == 0);
  cr_assert(output_has("c.spw.json", "\"size\":[2,2,3]"), "%s", read_text("c.spw.json"));
  expect_result(DENSE("2,2,2", "1,0,0,0,0,0,0,1"), "--to=csr", ARRAY("plain_indices", "int64", "2,1", "0,1"));
  expect_result(DENSE("2,2,2", "1,0,0,0,0,0,0,1"), "--to=csr --dense-dims=1", ARRAY("values", "float64", "2,2", "1,0,0,1"));
  expect_result(DENSE("2,2", "1,0,0,2"), "--to=coo --dense-dims=1", ARRAY("indices", "int64", "1,2", "0,1"));
}

/* ---- Options --------------------------------------------------------------------------------- */

static const char twice[] = COO("2,2", "2", "3", "1,0,1,0,1,0", "1,2,4");

Test(cli_convert, duplicates)
{
  expect_result(twice, "--to=coo", "\"data\":[2,5]");
  expect_result(twice, "--to=csr --duplicates=sum", "\"data\":[2,5]");
  expect_result(twice, "--to=csr --duplicates=first", "\"data\":[2,1]");
  expect_result(twice, "--to=csc --duplicates last", "\"data\":[4,2]");
  expect_refusal(twice, "--to=csr --duplicates=error",
                 "elements 0 and 2 lie at one position, (1, 0); --duplicates=sum, first or last combines them\n");
  expect_result(base, "--to=csr --duplicates=error", "\"layout\":\"csr\"");
}

Test(cli_convert, index_type)
{
  expect_result(twice, "--to=csr --index=int32", "\"plain_indices\":{\"dtype\":\"int32\"");
  expect_result(ROW("1", "3", "7"), "--to=csc --batch-dims=0", "\"data\":[7]");
  expect_result(twice, "--to=csr --index=int64", "\"plain_indices\":{\"dtype\":\"int64\"");
  expect_result(twice, "--index=int32", "\"indices\":{\"dtype\":\"int32\",\"shape\":[2,2]");
  expect_result(DENSE("1,2", "0,3"), "--to=csr", "\"plain_indices\":{\"dtype\":\"int64\"");
  expect_refusal(COO("3000000000,2", "2", "1", "7,1", "1"), "--to=coo --index=int32",
                 "the result needs indices up to 3000000000, and its index type holds 2147483647 at most; "
                 "--index=int64 holds more\n");
}

Test(cli_convert, prune_and_bits)
{
  expect_result(base, "--to=csr --prune", "\"data\":[1,2," NAN_BITS "]");
  expect_result(base, "--prune", ARRAY("values", "float64", "3", "1,2," NAN_BITS));
  expect_result(base, "--to=bsr --blocksize=2x3 --prune", "\"shape\":[3,2,3]");
  expect_result(DENSE("2,2", "0,\"-0.0\",5,0"), "--to=coo", "\"data\":[5]");
  expect_result(DENSE("2,2", "0,\"-0.0\",5,0"), "--to=coo --bits", "\"data\":[\"-0.0\",5]");
}

Test(cli_convert, certify)
{
  static const char sorted[] = COO("4,6", "2", "3", "0,0,3,1,4,2", NAN_BITS ",0,\"-0.0\"");
  expect_result(sorted, "--certify --to=csr", "\"data\":[" NAN_BITS ",0,\"-0.0\"]");
  expect_result(sorted, "--certify --to=bsc --blocksize=2x3", "\"shape\":[3,2,3]");
  expect_result(sorted, "--certify --to=dense", NAN_BITS);
  expect_result(sorted, "--certify", NAN_BITS);
  expect_result(COO("4,6", "2", "2", "0,3,1,2", "0,5"), "--certify --to=csc --prune", "\"data\":[5]");
  expect_refusal(sorted, "--certify --to=csr --prune",
                 "it is not certified: some position has other bits, as 0 for a -0.0 that is left out\n");
  expect_result(base, "--certify --to=csr", "\"layout\":\"csr\"");
  expect_result(base, "--certify", "\"layout\":\"coo\"");
  expect_result(COO("2,2", "2", "3", "0,1,0,1,0,1", "1,5,2"), "--certify --to=csr", "\"data\":[3,5]");
  expect("convert --certify --duplicates=first in.spw.json first.npz", 0, "err", "");
  expect("convert --certify in.spw.json as_it_is.npz", 0, "err", "");
  expect_result(COO("2,2", "2", "3", "0,1,0,1,0,1", "1,5,2"), "--certify --to=dense --duplicates=last", "\"data\":[0,2,5,0]");
  expect_refusal("{\"spw\":1,\"layout\":\"coo\"," ARRAY("indices", "int64", "2,1", "1,0") ","
                 ARRAY("values", "float64", "1", "3") "}", "--certify", "it cannot be certified: one has no size");
  expect_refusal(DENSE("2,2", "0,\"-0.0\",5,0"), "--certify --to=coo", "a -0.0 that is left out (--bits keeps it)");
  expect_result(DENSE("2,2", "0,\"-0.0\",5,0"), "--certify --to=coo --bits", "\"data\":[\"-0.0\",5]");
  /* Which NaN a sum is does not depend on how many are made at once. */
  write_text("nans.spw.json", "{\"spw\":1,\"layout\":\"bsr\",\"size\":[1,4]," ARRAY("compressed_indices", "int64", "2", "0,2") ","
             ARRAY("plain_indices", "int64", "2", "0,0") ","
             ARRAY("values", "complex64", "2,1,2", "[\"bits:7fc00005\",0],[\"bits:7fc00005\",0],[\"bits:ffc00006\",0],"
                   "[\"bits:ffc00006\",0]") "}");
  expect("convert --certify --canonicalize --to=coo nans.spw.json -", 0, "out", "[\"bits:7fc00005\",0],[\"bits:7fc00005\",0]");
  expect("convert --certify --canonicalize nans.spw.json -", 0, "out", "[\"bits:7fc00005\",0],[\"bits:7fc00005\",0]");
  write_text("sorted.spw.json", sorted);
  expect("convert --certify --canonicalize sorted.spw.json out.spw.json", 0, "err", "");
  expect("convert --certify --to=coo sorted.spw.json out.npz", 0, "err", "");
  write_text("wide.spw.json", TYPED_COO("float64", "2,2", "2", "1", "0,1", "\"-0.0\""));
  expect("convert --certify wide.spw.json wide.mtx", 0, "err", "");
  write_text("narrow.spw.json", TYPED_COO("float32", "2,2", "2", "1", "0,1", "5"));
  expect("convert --certify narrow.spw.json narrow.mtx", 2, "err", "its values are float32, and in the file float64");
  cr_assert(access("narrow.mtx", F_OK) != 0, "nothing is written");
}

Test(cli_convert, canonicalize)
{
  static const char unsorted[] = ROW("3", "2,0,2", "1,2,4");
  write_text("in.spw.json", unsorted);
  expect("convert --to=csc in.spw.json out.spw.json", 1, "err", "5.6");
  cr_assert(output_has("err", "`spw convert --canonicalize IN OUT` sorts the rows"), "%s", read_text("err"));
  expect_result(unsorted, "--canonicalize", ARRAY("plain_indices", "int64", "2", "0,2"));
  expect_result(unsorted, "--canonicalize", ARRAY("values", "float64", "2", "2,5"));
  expect_result(unsorted, "--canonicalize --to=csr --duplicates=first", "\"data\":[2,1]");
  expect_result(unsorted, "--canonicalize --to=csc --duplicates=last", "\"data\":[2,4]");
  expect_result(unsorted, "--canonicalize --to=bsr --blocksize=1x2", ARRAY("values", "float64", "2,1,2", "2,0,5,0"));
  expect_result(unsorted, "--canonicalize --to=dense", "\"data\":[2,0,5,0]");
  expect_refusal(unsorted, "--canonicalize --to=csc --duplicates=error",
                 "elements 0 and 2 lie at one position, (0, 2);");
  expect_refusal("{\"spw\":1,\"layout\":\"csc\",\"size\":[4,1]," ARRAY("compressed_indices", "int64", "2", "0,2") ","
                 ARRAY("plain_indices", "int64", "2", "3,3") "," ARRAY("values", "float64", "2", "1,2") "}",
                 "--canonicalize --duplicates=error", "elements 0 and 1 lie at one position, (3, 0);");
  expect_refusal("{\"spw\":1,\"layout\":\"bsr\",\"size\":[4,4]," ARRAY("compressed_indices", "int64", "3", "0,1,3") ","
                 ARRAY("plain_indices", "int64", "3", "0,1,1") "," ARRAY("values", "int8", "3,2,2", "1,2,3,4,5,6,7,8,9,1,2,3")
                 "}", "--canonicalize --duplicates=error", "elements 1 and 2 lie at one position, block (1, 1);");
  expect_refusal("{\"spw\":1,\"layout\":\"bsc\",\"size\":[4,2]," ARRAY("compressed_indices", "int64", "2", "0,2") ","
                 ARRAY("plain_indices", "int64", "2", "1,1") "," ARRAY("values", "int8", "2,2,2", "1,2,3,4,5,6,7,8")
                 "}", "--canonicalize --duplicates=error", "elements 0 and 1 lie at one position, block (1, 0);");
  expect_refusal("{\"spw\":1,\"layout\":\"csr\",\"size\":[2,2,1,4]," ARRAY("compressed_indices", "int64", "2,2,2",
                 "0,2,0,2,0,2,0,2") "," ARRAY("plain_indices", "int64", "2,2,2", "0,1,0,1,2,2,0,1") ","
                 ARRAY("values", "float64", "2,2,2", "1,2,3,4,5,6,7,8") "}", "--canonicalize --duplicates=error",
                 "elements 0 and 1 of batch [1, 0] lie at one position, (0, 2);");
  expect_result(twice, "--canonicalize", "\"data\":[2,5]");
  write_text("claims.spw.json", "{\"spw\":1,\"layout\":\"coo\",\"coalesced\":true," ARRAY("indices", "int64", "1,2", "1,0")
             "," ARRAY("values", "int8", "2", "1,2") "}");
  expect("convert claims.spw.json -", 1, "err", "6.7");
  expect("convert --canonicalize claims.spw.json -", 0, "out", "\"data\":[2,1]");
  write_text("beyond.spw.json", ROW("3", "2,0,4", "1,2,4"));
  expect("convert --canonicalize torn.spw.json -", 3, "err", "torn.spw.json: malformed");
  expect("convert --canonicalize beyond.spw.json -", 1, "err", "5.5");
  cr_assert(!output_has("err", "all the same"));
}

/* What lines come to is certified, and that against what is written. */
Test(cli_convert, certify_canonicalized)
{
  static const char unsorted[] = ROW("4", "2,0,2,3", "1,2,4,\"-0.0\""), sorted[] = ROW("2", "0,2", "2,5");
  static const char blocks[] = "{\"spw\":1,\"layout\":\"bsc\",\"size\":[6,2]," ARRAY("compressed_indices", "int32", "2", "0,3")
                               "," ARRAY("plain_indices", "int32", "3", "1,0,1") ","
                               ARRAY("values", "float32", "3,2,2", "1,2,3,4,5,6,7,8,1,1,1,1") "}\n";
  expect_result(unsorted, "--canonicalize --certify", "\"data\":[2,5,\"-0.0\"]");
  expect_result(sorted, "--canonicalize --certify", "\"data\":[2,5]");
  expect_result(unsorted, "--canonicalize --certify --duplicates=first --to=coo", "\"data\":[2,1,\"-0.0\"]");
  expect_result(unsorted, "--canonicalize --certify --duplicates=last --to=csc", "\"data\":[2,4,\"-0.0\"]");
  expect_result(unsorted, "--canonicalize --certify --to=bsr --blocksize=1x2", "\"data\":[2,0,5,\"-0.0\"]");
  expect_result(unsorted, "--canonicalize --certify --to=dense", "\"data\":[2,0,5,\"-0.0\"]");
  expect_result(ROW("2", "2,0", "1,2"), "--canonicalize --certify --duplicates=error", "\"data\":[2,1]");
  expect_result(ROW("4", "2,0,2,3", "1,2,4,0"), "--canonicalize --certify --prune --to=csc", "\"data\":[2,5]");
  expect_refusal(unsorted, "--canonicalize --certify --prune",
                 "it is not certified: some position has other bits, as 0 for a -0.0 that is left out\n");
  expect_refusal(unsorted, "--canonicalize --certify --duplicates=error", "lie at one position, (0, 2);");
  expect_result(blocks, "--canonicalize --certify", "\"data\":[5,6,7,8,2,3,4,5]");
  expect_result(blocks, "--canonicalize --certify --to=csr --index=int64", "\"data\":[5,6,7,8,2,3,4,5]");
  expect_result("{\"spw\":1,\"layout\":\"csr\",\"size\":[2,1,4]," ARRAY("compressed_indices", "int64", "2,2", "0,3,0,3") ","
                ARRAY("plain_indices", "int64", "2,3", "3,0,3,1,1,0") "," ARRAY("values", "int8", "2,3", "1,2,3,4,5,6") "}",
                "--canonicalize --certify --to=coo", "\"data\":[2,4,6,9]");
  expect_refusal("{\"spw\":1,\"layout\":\"csr\",\"size\":[2,1,4]," ARRAY("compressed_indices", "int64", "2,2", "0,2,0,2") ","
                 ARRAY("plain_indices", "int64", "2,2", "3,3,1,0") "," ARRAY("values", "int8", "2,2", "1,2,3,4") "}",
                 "--canonicalize --certify --to=coo", "or its batches are left with different numbers of elements");
  expect_refusal("{\"spw\":1,\"layout\":\"csr\"," ARRAY("compressed_indices", "int64", "2", "0,2") ","
                 ARRAY("plain_indices", "int64", "2", "3,3") "," ARRAY("values", "int8", "2", "1,2") "}",
                 "--canonicalize --certify", "it cannot be certified: it has no size");
  write_text("sizeless.spw.json", "{\"spw\":1,\"layout\":\"csr\"," ARRAY("compressed_indices", "int64", "2", "0,2") ","
             ARRAY("plain_indices", "int64", "2", "3,3") "," ARRAY("values", "int8", "2", "1,2") "}");
  expect("convert --canonicalize --certify --to=coo sizeless.spw.json sizeless.npz", 2, "err",
         "it cannot be certified: it has no size");
  write_text("narrow.spw.json", blocks);
  expect("convert --canonicalize --certify --to=coo narrow.spw.json narrow.mtx", 2, "err",
         "its values are float32, and in the file float64");
}

Test(cli_convert, wrong_options)
{
  static const struct { const char *arguments, *says; } cases[] = {
      {"", "two files are needed"},
      {"in.spw.json", "two files are needed"},
      {"in.spw.json - -", "two files are needed"},
      {"--to=dia base.spw.json -", "--to is coo, csr, csc, bsr, bsc, dense or semi, not dia"},
      {"--to=bsr --blocksize=2 base.spw.json -", "--blocksize is two numbers from 1 on, as 2x3, not 2"},
      {"--to=bsr --blocksize=0x2 base.spw.json -", "not 0x2"},
      {"--to=bsr --blocksize=2x base.spw.json -", "not 2x"},
      {"--to=bsr --blocksize=2x3x4 base.spw.json -", "not 2x3x4"},
      {"--to=bsr --blocksize=-2x3 base.spw.json -", "not -2x3"},
      {"--to=bsr --blocksize=2x9223372036854775808 base.spw.json -", "not 2x9223372036854775808"},
      {"--to=bsr --blocksize=2x99999999999999999999 base.spw.json -", "not 2x99999999999999999999"},
      {"--to=csr --blocksize=2x3 base.spw.json -", "--blocksize is for bsr and bsc"},
      {"--to=csr --batch-dims=x base.spw.json -", "--batch-dims is a number from 0 on, not x"},
      {"--to=csr --batch-dims= base.spw.json -", "--batch-dims is a number from 0 on, not "},
      {"--to=csr --dense-dims=-1 base.spw.json -", "--dense-dims is a number from 0 on, not -1"},
      {"--to=coo --batch-dims=1 base.spw.json -", "--batch-dims is for csr, csc, bsr and bsc"},
      {"--to=dense --dense-dims=1 base.spw.json -", "--dense-dims is for sparse results"},
      {"--to=dense --index=int32 base.spw.json -", "dense has no indices"},
      {"--to=dense --prune base.spw.json -", "--prune is for sparse results"},
      {"--to=csr --prune --bits base.spw.json -", "--prune takes away what --bits keeps"},
      {"--index=int16 base.spw.json -", "--index is int32 or int64, not int16"},
      {"--duplicates=max base.spw.json -", "--duplicates is sum, first, last or error, not max"},
      {"--max-memory=0 base.spw.json -", "--max-memory is a number from 1 to"},
      {"--recursive base.spw.json -", "unknown option --recursive"},
      {"base.spw.json result", "the name of result says no format that can be written: .spw.json, .spw.jsonl, .npz, "
       ".safetensors, .bsp.h5, .mtx, .npy"},
      {"base.spw.json out.mtx.gz", "the name of out.mtx.gz says no format that can be written"},
      {"missing out.txt", "says no format"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, "convert %s", cases[i].arguments);
    expect(arguments, 2, "err", cases[i].says);
    cr_assert(output_has("err", "Try 'spw convert --help'") && !read_text("out")[0], "%s", read_text("err"));
  }
  cr_assert(access("result", F_OK) != 0);
}

/* ---- What is impossible ---------------------------------------------------------------------- */

Test(cli_convert, impossible_dimensions_and_blocks)
{
  static const char three[] = COO("2,2,3", "3", "1", "0,0,0", "1");
  expect_refusal(three, "--to=csr --batch-dims=0",
                 "3 dimensions would be sparse, and csr has 2 (size 2x2x3); --batch-dims says how many are not\n");
  expect_refusal(three, "--to=csr --batch-dims=2", "1 dimensions would be sparse, and csr has 2 (size 2x2x3)\n");
  expect_refusal(three, "--to=csr --batch-dims=5",
                 "it has 3 dimensions that are not dense, and 5 batch dimensions are asked for (size 2x2x3)\n");
  expect_refusal(COO("5", "1", "1", "0", "1"), "--to=csc", "1 dimensions would be sparse, and csc has 2 (size 5)");
  expect_refusal(DENSE("2,2,2", "1,0,0,0,0,0,0,1"), "--to=csr --batch-dims=0",
                 "; --batch-dims and --dense-dims say how many are not\n");
  expect_refusal(base, "--to=bsr --blocksize=3x2",
                 "in.spw.json: impossible: size[0] is 4, which is no multiple of the block size 3 (size 4x6)\n");
  expect_refusal(base, "--to=bsc --blocksize=2x4", "size[1] is 6, which is no multiple of the block size 4 (size 4x6)\n");
  expect_refusal(base, "--to=bsr", "bsr needs --blocksize=RxC; the tensor, coo, has no blocks\n");
  expect_refusal(base, "--blocksize=2x3", "--blocksize is for bsr and bsc; no other layout has blocks; it is coo\n");
  expect_refusal(base, "--to=csr --dense-dims=1", "it has 0 dense dimensions; --dense-dims=1 is possible for dense tensors only");
  expect_refusal(DENSE("2,1", "1,0"), "--to=coo --dense-dims=3", "it has 2 dimensions, and --dense-dims=3 asks for more");
  expect_refusal(ROW("1", "1", "1"), "--batch-dims=1",
                 "it is csr of 0 batch dimensions; --batch-dims=1 is possible for coo and dense tensors only");
}

Test(cli_convert, impossible_batches)
{
  expect_refusal(COO("2,2,3", "3", "3", "0,0,1,0,1,0,0,1,2", "1,2,3"), "--to=csr",
                 "batch 0 has 2 specified elements and batch 1 has 1; csr needs the same number in each\n");
  expect_refusal(COO("2,2,3", "3", "3", "0,0,1,0,1,0,0,1,2", "1,2,3"), "--to=csc --batch-dims=1", "batch 0 has 2 specified");
  expect_refusal(DENSE("2,1,2,1", "1,1,0,1"), "--to=csr --dense-dims=1",
                 "batch 0 has 2 specified elements and batch 1 has 1; csr needs");
  expect_refusal(DENSE("2,2,1,2", "1,0,1,0,1,1,1,0"), "--to=csc",
                 "batch [0, 0] has 1 specified elements and batch [1, 0] has 2; csc needs the same number in each\n");
  expect_refusal("{\"spw\":1,\"layout\":\"csr\",\"size\":[2,1,4]," ARRAY("compressed_indices", "int64", "2,2", "0,2,0,2")
                 "," ARRAY("plain_indices", "int64", "2,2", "0,1,0,3") "," ARRAY("values", "float64", "2,2", "1,2,3,4") "}",
                 "--to=bsr --blocksize=1x2",
                 "batch 0 has 1 specified blocks and batch 1 has 2; bsr needs the same number in each\n");
}

/* Batches of csr and csc are compared after pruning, and those of blocks before it, too. */
Test(cli_convert, pruned_batches)
{
  static const char zero[] = COO("2,2,2", "3", "3", "0,0,1,0,1,0,0,1,1", "1,0,2");
  static const char sums[] = COO("2,2,2", "3", "4", "0,0,0,1,0,0,1,0,0,0,1,1", "1,-1,3,4");
  expect_refusal(zero, "--to=csr", "batch 0 has 2 specified elements and batch 1 has 1; csr needs");
  expect_result(zero, "--to=csr --prune", "\"data\":[0,1,1,0,1,1]");
  expect_result(zero, "--to=csr --prune --certify --index=int32", "\"index_dtype\":\"int32\"");
  expect_result(zero, "--to=csc --prune --certify --batch-dims=1", "\"data\":[0,1,1,0,0,1]");
  expect_result(sums, "--to=csr --prune --certify", "\"data\":[0,0,1,0,1,1]");
  expect_refusal(sums, "--to=csr --prune --duplicates=first", "batch 0 has 2 specified elements and batch 1 has 1; csr needs");
  expect_refusal(sums, "--to=csr --prune --duplicates=error", "elements 0 and 1 lie at one position");
  expect_refusal(COO("2,2,2", "3", "4", "0,0,1,1,0,1,0,1,0,1,1,0", "1,0,2,3"), "--to=csr --prune",
                 "batch 0 has 1 specified elements and batch 1 has 2; csr needs");
  expect_result(zero, "--to=bsr --blocksize=1x1 --prune --certify", "\"data\":[0,1,1,0,1,1]");
  expect_result(zero, "--to=bsc --blocksize=2x1 --prune", "\"data\":[0,1,1,0,0,1]");
  write_text("zero.spw.json", zero);
  expect("convert --to=coo --prune zero.spw.json pruned.spw.json", 0, "err", "");
  expect("convert --to=bsr --blocksize=1x1 pruned.spw.json -", 0, "out", "\"data\":[0,1,1,0,1,1]");
}

/* A hundred bytes can ask for more than there is. */
Test(cli_convert, impossible_sizes)
{
  static const char huge[] = COO("1073741824,1073741824", "2", "1", "1,1", "1");
  expect_refusal(huge, "--to=dense", "as dense it has 1152921504606846976 values of 8 bytes, "
                 "which no memory holds\n");
  expect_refusal("{\"spw\":1,\"layout\":\"bsr\"," ARRAY("compressed_indices", "int64", "2", "0,1") ","
                 ARRAY("plain_indices", "int64", "1", "0") ",\"values\":{\"dtype\":\"int8\","
                 "\"shape\":[1,2147483648,2147483648],\"strides\":[0,0,0],\"data\":[0]}}", "--to=coo",
                 "as coo it would have, or making it would take, more elements than any memory holds "
                 "(size 2147483648x2147483648)\n");
  expect_refusal(COO("1048576,1048576", "2", "1", "1,1", "1"), "--to=dense",
                 "as dense it has 1099511627776 values of 8 bytes, and making it takes 8796093");
  cr_assert(output_has("err", "; --max-memory=8796093"), "%s", read_text("err"));
  expect_refusal(huge, "--to=csr --max-memory=1000", "more than the limit of 1000; --max-memory=");
  expect_refusal(COO("40,50", "2", "1", "1,1", "1"), "--to=dense --max-memory=10000", "2000 values of 8 bytes");
  expect_refusal(COO("4611686018427387904,1", "2", "1", "1,0", "1"), "--to=csr",
                 "as csr it has 4611686018427387905 compressed and 1 plain indices of 8 bytes and 1 values of 8 bytes, which no");
  expect_result(COO("40,50", "2", "1", "1,1", "1"), "--to=dense --max-memory=100000", "\"shape\":[40,50]");
}

/* ---- Formats --------------------------------------------------------------------------------- */

Test(cli_convert, formats_by_name)
{
  static const char *const chain[] = {"a.mtx", "b.npz", "c.spw.json", "d.spw.jsonl", "e.npz", "f.mtx"};
  write_text("in.spw.json", COO("3,4", "2", "3", "2,0,1,0,1,3", "1,2.5,-3"));
  cr_assert(spw("convert --to=coo in.spw.json a.mtx") == 0 && output_has("a.mtx", "%%MatrixMarket"));
  for (int i = 1; i < 6; i++) {
    cr_assert(spw_format("convert %s %s", chain[i - 1], chain[i]) == 0, "%s: %s", chain[i], read_text("err"));
    cr_assert(spw_format("diff in.spw.json %s", chain[i]) == 0, "%s: %s", chain[i], read_text("out"));
  }
  cr_assert(system("gzip -k a.mtx") == 0);
  expect("convert --to=dense a.mtx.gz g.npy", 0, "err", "");
  expect("diff in.spw.json g.npy", 0, "out", "");
  cr_assert(memcmp(read_text("g.npy"), "\x93NUMPY", 6) == 0);
  expect("convert --to=dense g.npy h.spw.json", 0, "err", "");
  expect("diff --bits g.npy h.spw.json", 0, "out", "");
  expect("convert --to=bsc --blocksize=1x2 h.spw.json k.spw.json", 0, "err", "");
  expect("diff in.spw.json k.spw.json", 1, "out", "unspecified");
  expect("convert --to=csc k.spw.json l.npz", 0, "err", "");
  expect("check l.npz", 0, "out", "csc 3x4");
}

/* Nothing asked but a name: the arrays stay as they stand. */
Test(cli_convert, a_change_of_format)
{
  write_text("in.spw.json", twice);
  expect("convert in.spw.json out.npz", 0, "err", "");
  expect("diff --bits in.spw.json out.npz", 0, "out", "");
  expect("convert in.spw.json --max-work=1000 out.mtx", 0, "err", "");
  expect("diff --bits in.spw.json out.mtx", 0, "out", "");
  expect("convert in.spw.json --to=coo sorted.npz", 0, "err", "");
  expect("diff --bits in.spw.json sorted.npz", 1, "out", "differ: the shape of indices is 2x3 and 2x2\n");
  expect("convert bad.spw.json out.npz", 1, "err", "5.3");
}

Test(cli_convert, what_a_format_cannot_hold)
{
  write_text("three.spw.json", COO("2,1,3", "3", "2", "0,1,0,0,0,2", "1,2"));
  expect("convert three.spw.json a.mtx", 2, "err", "three.spw.json: impossible: a.mtx cannot hold coo 2x1x3: ");
  expect("convert --to=csr three.spw.json a.npz", 2, "err", "a.npz cannot hold csr 2x1x3: ");
  expect("convert --to=csr base.spw.json a.mtx", 2, "err", "a.mtx cannot hold csr 4x6: ");
  cr_assert(output_has("err", "; try --to=coo\n"), "%s", read_text("err"));
  write_text("half.spw.json", "{\"spw\":1,\"layout\":\"dense\"," ARRAY("values", "bfloat16", "1", "1") "}");
  expect("convert half.spw.json a.npy", 2, "err", "a.npy cannot hold dense 1: ");
  cr_assert(!output_has("err", "--to=dense"), "%s", read_text("err"));
  expect("convert base.spw.json a.npy", 2, "err", "; try --to=dense\n");
  expect("convert --to=dense base.spw.json a.npz", 2, "err", "; try --to=csr, or a file .npy\n");
  expect("convert --to=dense three.spw.json a.npz", 2, "err", "; try a file .npy\n");
  expect("convert --to=dense three.spw.json a.mtx", 2, "err", "");
  cr_assert(!output_has("err", "; try "), "%s", read_text("err"));
  char name[256] = "", arguments[512];
  for (int i = 0; i < 24; i++) strcat(name, "long name "); /* and the reason is told all the same */
  snprintf(arguments, sizeof arguments, "convert base.spw.json '%s.npy'", name);
  expect(arguments, 2, "err", "; try --to=dense\n");
  cr_assert(output_has("err", "long name .npy cannot hold"), "%s", read_text("err"));
  expect("convert --to=bsc --blocksize=2x3 base.spw.json a.npz", 2, "err", "a.npz cannot hold bsc 4x6: ");
  cr_assert(access("a.npz", F_OK) != 0 && access("a.mtx", F_OK) != 0 && access("a.npy", F_OK) != 0);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

Test(cli_convert, lines)
{
  char text[2048];
  snprintf(text, sizeof text, "%s\n\n%s%s", base, twice, ROW("1", "3", "7"));
  write_text("in.spw.jsonl", text);
  expect("convert --to=csc in.spw.jsonl out.spw.jsonl", 0, "err", "");
  expect("check out.spw.jsonl", 0, "out", "1 file, 3 tensors: 3 valid\n");
  expect("diff in.spw.jsonl out.spw.jsonl", 0, "out", "");
  expect("convert --to=csc in.spw.jsonl -", 0, "err", "");
  cr_assert(system("cmp -s out out.spw.jsonl") == 0);
  expect("convert --to=csc - - <in.spw.jsonl", 0, "err", "");
  cr_assert(system("cmp -s out out.spw.jsonl") == 0);
  static const char *const single[] = {"one.spw.json", "one.npz", "one.mtx", "one.npy"};
  for (int i = 0; i < 4; i++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "convert --to=%s in.spw.jsonl %s", i == 3 ? "dense" : "coo", single[i]);
    expect(arguments, 2, "err", "in.spw.jsonl:4: impossible: one.");
    cr_assert(output_has("err", " holds one tensor, and there are more; a file of one tensor a line is named .spw.jsonl\n"));
    cr_assert(!strstr(read_text("err"), "jsonl:5"), "%s", read_text("err"));
    cr_assert(access(single[i], F_OK) != 0);
  }
  write_text("one.spw.jsonl", base);
  expect("convert one.spw.jsonl one.npz", 0, "err", "");
}

/* One bad line: nothing is written, and each is named. */
Test(cli_convert, one_bad_line)
{
  char text[4096];
  write_text("out.spw.jsonl", "old");
  expect("convert --to=coo lines.spw.jsonl out.spw.jsonl", 3, "err", "lines.spw.jsonl:3: malformed\n");
  cr_assert(output_has("err", "lines.spw.jsonl:4: invalid") && !read_text("out")[0]);
  cr_assert_str_eq(read_text("out.spw.jsonl"), "old");
  snprintf(text, sizeof text, "%s%s%s", base, csr("[2, 6]", 2, "0, 6, 4", 4, "0, 1, 2, 3"), "\n");
  write_text("invalid.spw.jsonl", text);
  expect("convert --to=coo invalid.spw.jsonl out.spw.jsonl", 1, "err", "invalid.spw.jsonl:2: invalid");
  snprintf(text, sizeof text, "%s%s%s\n", base, COO("5", "1", "1", "0", "1"),
           csr("[2, 6]", 2, "0, 6, 4", 4, "0, 1, 2, 3"));
  write_text("both.spw.jsonl", text);
  expect("convert --to=csr both.spw.jsonl out.spw.jsonl", 2, "err", "both.spw.jsonl:2: impossible: 1 dimensions");
  cr_assert(output_has("err", "both.spw.jsonl:3: invalid"), "%s", read_text("err"));
  expect("convert --to=csr both.spw.jsonl -", 2, "err", "");
  cr_assert(!read_text("out")[0]);
  cr_assert_str_eq(read_text("out.spw.jsonl"), "old");
  write_text("sum.spw.jsonl", "");
  cr_assert(system("for i in $(seq 100); do cat base.spw.json; done >sum.spw.jsonl") == 0);
  expect("convert --to=coo --max-memory=9000 sum.spw.jsonl -", 2, "err",
         "written down it takes 253 bytes, and what comes before it 8855, more than the limit of 9000; --max-memory=9108 ");
  expect("convert --to=coo --max-memory=90000 sum.spw.jsonl -", 0, "err", "");
}

/* ---- Whole or not at all --------------------------------------------------------------------- */

/* As `spw check` says it, and nothing else on either stream. */
Test(cli_convert, violations_as_check_prints_them)
{
  static const char *const files[] = {"bad.spw.json", "torn.spw.json", "other.txt", "missing", "."};
  static const int statuses[] = {1, 3, 3, 3, 3};
  for (int i = 0; i < 5; i++) {
    char said[4096];
    cr_assert(spw_format("check %s", files[i]) == statuses[i]);
    snprintf(said, sizeof said, "%s", read_text("out"));
    write_text("kept.spw.json", "old");
    const int before = files_here();
    cr_assert(spw_format("convert --to=coo %s kept.spw.json", files[i]) == statuses[i], "%s", read_text("err"));
    cr_assert_str_eq(read_text("err"), said);
    cr_assert(!read_text("out")[0] && files_here() == before);
    cr_assert_str_eq(read_text("kept.spw.json"), "old");
    cr_assert(spw_format("convert --to=coo %s new.spw.json", files[i]) == statuses[i]);
    cr_assert(access("new.spw.json", F_OK) != 0);
  }
}

Test(cli_convert, the_input_stays)
{
  char before[1024];
  snprintf(before, sizeof before, "%s", read_text("good.spw.json"));
  cr_assert(system("ln -s good.spw.json link.spw.json; ln good.spw.json hard.spw.json; mkdir d") == 0);
  static const char *const pairs[] = {"good.spw.json good.spw.json", "good.spw.json ./good.spw.json",
                                      "good.spw.json link.spw.json", "link.spw.json good.spw.json",
                                      "good.spw.json hard.spw.json", "good.spw.json d/../good.spw.json",
                                      "- good.spw.json <good.spw.json"};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "convert --to=coo %s", pairs[i]);
    expect(arguments, 2, "err", " would overwrite the input ");
    cr_assert(!output_has("err", "--="), "%s", read_text("err"));
    cr_assert_str_eq(read_text("good.spw.json"), before);
  }
  expect("convert good.spw.json good.spw.json", 2, "err",
         "spw convert: good.spw.json would overwrite the input good.spw.json\n");
  expect("convert --to=coo bad.spw.json good.spw.json >>good.spw.json", 2, "err",
         "good.spw.json is where standard output or the messages go");
}

Test(cli_convert, the_output)
{
  write_text("out.spw.json", "old");
  cr_assert(chmod("out.spw.json", 0600) == 0);
  expect("convert --to=coo good.spw.json out.spw.json", 0, "out", "");
  struct stat file;
  cr_assert(stat("out.spw.json", &file) == 0 && (file.st_mode & 0777) == 0600);
  expect("check out.spw.json", 0, "out", "valid  coo 2x6, nse 4, int64\n");
  expect("convert --to=coo good.spw.json none/x.spw.json", 70, "err", "spw convert: cannot write none/x.spw.json: ");
  expect("convert --to=coo good.spw.json - >/dev/full", 70, "err", "cannot write to standard output");
  expect("convert --to=coo good.spw.json -", 0, "out", "\"layout\":\"coo\"");
  cr_assert(system("cmp -s out out.spw.json") == 0);
  expect("convert --to=csr - - <good.spw.json", 0, "out", "\"layout\":\"csr\"");
  expect("convert --to=csr - out.npz <good.spw.json", 0, "out", "");
  expect("convert --to=dense - - <out.npz", 0, "out", "\"data\":[1,1,0,0,0,0,0,0,1,1,0,0]");
  cr_assert(system("mkfifo f.spw.json; cat f.spw.json >copy & \"$SPW_PROGRAM\" convert --to=coo good.spw.json f.spw.json;"
                   " wait; test -p f.spw.json && cmp copy out.spw.json") == 0);
}

/* ---- Limits ---------------------------------------------------------------------------------- */

Test(cli_convert, limits)
{
  write_text("wide.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\",\"shape\":[1099511627776],"
                              "\"strides\":[0],\"data\":[0]}}");
  expect("convert --to=coo wide.spw.json -", 3, "err", "reading it takes 1099511627776 steps, more than the limit of");
  expect("check wide.spw.json", 0, "out", "valid  dense 1099511627776, int8\n");
  expect("convert --to=coo --max-work=3 good.spw.json -", 3, "err", "--max-work=");
  expect("convert --max-memory=20 good.spw.json -", 2, "err",
         "bytes, and what comes before it 0, more than the limit of 20; --max-memory=");
  expect("convert --to=coo --max-bytes=20 good.spw.json -", 3, "err", "more than the limit of 20; ");
  cr_assert(!read_text("out")[0]);
  write_text("beyond.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\",\"shape\":[4294967296,"
                                "4294967296],\"strides\":[0,0],\"data\":[0]}}");
  expect("convert --to=coo beyond.spw.json -", 1, "err", "3.11");
  write_text("broad.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\",\"shape\":[3,4],"
                               "\"data\":[0]}}");
  expect("convert --to=coo broad.spw.json -", 1, "err", "3.14");
  cr_assert(output_has("err", "values reach storage position 11, but the storage has 1 elements"), "%s", read_text("err"));
}

#define NOTHING(layout, size) "{\"spw\":1,\"layout\":\"" layout "\"" size "," ARRAY("values", "int8", "0", "")
#define NOTHING_OF(dims) NOTHING("coo", "") "," ARRAY("indices", "int64", dims ",0", "") "}\n"
#define EMPTY_ROW(columns) \
  NOTHING("csr", ",\"size\":[1," columns "]") "," ARRAY("compressed_indices", "int64", "2", "0,0") "," \
  ARRAY("plain_indices", "int64", "0", "") "}\n"

/* What is written takes steps, however little of it the file says: sizes that are inferred, implicit zeros, fills. */
Test(cli_convert, results_are_counted)
{
  write_text("many.spw.json", NOTHING_OF("700000000"));
  expect("convert --to=coo many.spw.json -", 2, "err", "converting it takes 700000000 steps, more than the limit of 268435456");
  write_text("many.spw.json", NOTHING_OF("1000"));
  expect("convert --to=coo --max-work=999 many.spw.json -", 2, "err", "takes 1000 steps, more than the limit of 999");
  expect("convert --to=coo --max-work=1000 many.spw.json -", 2, "err", "converting it takes 1006 steps; what came before it");
  expect("convert --to=coo --max-work=2006 many.spw.json -", 0, "err", "");
  write_text("rows.spw.jsonl", EMPTY_ROW("5000") EMPTY_ROW("5000"));
  expect("convert --to=dense --max-work=10000 rows.spw.jsonl -", 2, "err",
         "rows.spw.jsonl:2: limit: converting it takes 5000 steps; what came before it in the file took 50");
  expect("convert --to=dense --max-work=11000 rows.spw.jsonl -", 0, "err", "");
  write_text("fill.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"complex128\",\"shape\":[1],"
                              "\"length\":2147483648,\"fill\":[0,0]}}");
  expect("convert fill.spw.json -", 2, "err", "writing it takes 2147483648 steps; what came before it");
  expect("convert fill.spw.json one.npy", 0, "err", "");
  expect("convert --max-work=4 good.spw.json good.npz", 3, "err", "--max-work=");
  expect("convert --max-work=17 good.spw.json good.npz", 2, "err", "writing it takes 11 steps; what came before it");
}

static void write_many(const char *path, int nse, const char *first, const char *last)
{
  FILE *out = fopen(path, "w");
  cr_assert(out != NULL);
  fprintf(out, "{\"spw\":1,\"layout\":\"coo\",\"indices\":{\"dtype\":\"int64\",\"shape\":[1100,%d],\"data\":[%s", nse, first);
  for (int i = 0; i < 1098 * nse; i++) fputs(",0", out);
  fprintf(out, ",%s]},\"values\":{\"dtype\":\"int8\",\"shape\":[%d],\"length\":%d,\"fill\":7}}", last, nse, nse);
  cr_assert(fclose(out) == 0);
}

/* Of more dimensions than sizes are told of. */
Test(cli_convert, many_dimensions)
{
  write_many("many.spw.json", 1, "0", "0");
  write_many("uneven.spw.json", 3, "0,1,1", "0,0,1");
  expect("convert --to=csr uneven.spw.json -", 2, "err", "batch 0 has 1 specified elements and batch ");
  expect("convert --to=csr --batch-dims=2 many.spw.json -", 2, "err",
         "1098 dimensions would be sparse, and csr has 2; --batch-dims says how many are not\n");
  expect("convert many.spw.json a.npz", 2, "err", "a.npz cannot hold coo: ");
  expect("convert --to=csr many.spw.json many_csr.spw.json", 0, "err", "");
  expect("diff many.spw.json many_csr.spw.json", 0, "out", "");
}

/* The shape of indices without an element claims any number of dimensions, and costs nothing. */
Test(cli_convert, more_dimensions_than_tensors_have)
{
  static const char *const numbers[] = {"1073741825", "2000000000", "9223372036854775807"};
  static const char *const layouts[] = {"coo", "csr", "csc", "dense"};
  for (int i = 0; i < 3; i++) {
    char text[256], options[64], why[128];
    snprintf(text, sizeof text, "{\"spw\":1,\"layout\":\"coo\"," ARRAY("indices", "int64", "%s,0", "") "," ARRAY("values", "int8",
             "0", "") "}", numbers[i]);
    for (int k = 0; k < 4; k++) {
      snprintf(options, sizeof options, "--to=%s", layouts[k]);
      snprintf(why, sizeof why, "it has %s dimensions, and as %s it can have 1073741824 at most\n", numbers[i], layouts[k]);
      expect_refusal(text, options, why);
    }
    snprintf(why, sizeof why, "it has %s dimensions, and as bsr it can have 1073741823 at most\n", numbers[i]);
    expect_refusal(text, "--to=bsr --blocksize=1x1", why);
    snprintf(options, sizeof options, "\"shape\":[%s,0]", numbers[i]);
    expect_result(text, "", options); /* as it stands it has a name for each */
  }
}

/* Wherever memory ends: a message, and nothing written. */
Test(cli_convert, memory_that_runs_out)
{
  if (SANITIZED) return; /* takes address space without end */
  int refused = 0, done = 0;
  write_text("in.spw.json", COO("700,700", "2", "2", "0,699,0,699", "1,2.5"));
  for (int kilobytes = 7000; kilobytes < 40000; kilobytes += 500) {
    char command[256];
    snprintf(command, sizeof command, "rm -f big.npy; ulimit -v %d; exec >out 2>err; \"$SPW_PROGRAM\" convert --to=dense"
             " in.spw.json big.npy", kilobytes);
    const int status = system(command) >> 8;
    if (status == 127 || status == 0) { /* not even the program fits, or there is enough */
      done += status == 0;
      continue;
    }
    const bool outside = status == 70 && output_has("err", "spw: out of memory\n");
    cr_assert(status == 2 || status == 3 || outside, "%d: exit %d: %s", kilobytes, status, read_text("err"));
    cr_assert(output_has("err", "emory") && access("big.npy", F_OK) != 0, "%s", read_text("err"));
    refused += status == 2;
  }
  cr_assert(refused > 3 && done > 3, "%d refused, %d done", refused, done);
}

/* Written as it stands, a tensor may be more than it takes in the file. */
Test(cli_convert, strides_that_repeat)
{
  write_text("block.spw.json", "{\"spw\":1,\"layout\":\"bsr\"," ARRAY("compressed_indices", "int64", "2", "0,1") ","
             ARRAY("plain_indices", "int64", "1", "0") ",\"values\":{\"dtype\":\"int8\",\"shape\":[1,1048576,1048576],"
             "\"strides\":[0,0,0],\"data\":[0]}}");
  expect("convert block.spw.json out.npz", 2, "err", "its arrays have 1099511627779 elements, which may take more than");
  expect("convert block.spw.json out.spw.json", 0, "err", "");
  expect("diff --bits --max-work=9999999999999 block.spw.json bad.spw.json", 2, "err", "bad.spw.json: invalid");
  cr_assert(access("out.npz", F_OK) != 0);
}

Test(cli_convert, progress)
{
  const char *slow = on_terminal("(cat base.spw.json; sleep 1.2; cat base.spw.json) | \"$SPW_PROGRAM\" convert - - >out", 80);
  cr_assert(strstr(slow, " tensors, "), "no progress: %s", slow);
  cr_assert(!on_terminal("\"$SPW_PROGRAM\" convert base.spw.json - >out", 80)[0]);
}

/* ---- Plans ------------------------------------------------------------------------------------- */

/* Four matrices of one pattern. */
#define CSR_TEXT(type, values) \
  "{\"spw\":1,\"layout\":\"csr\",\"size\":[4,6]," ARRAY("compressed_indices", "int32", "5", "0,1,2,2,3") "," \
  ARRAY("plain_indices", "int32", "3", "0,3,5") "," ARRAY("values", type, "3", values) "}\n"
#define BSC_BATCHES(second) \
  "{\"spw\":1,\"layout\":\"bsc\",\"size\":[2,4,4]," ARRAY("compressed_indices", "int64", "2,3", "0,1,2,0,2,2") "," \
  ARRAY("plain_indices", "int64", "2,2", "0,1," second) "," \
  ARRAY("values", "float32", "2,2,2,2", "1,2,3,4,5,6,7,8,9,8,7,6,5,4,3,2") "}\n"
#define CSR_HYBRID \
  "{\"spw\":1,\"layout\":\"csr\",\"size\":[2,2,3]," ARRAY("compressed_indices", "int64", "3", "0,1,2") "," \
  ARRAY("plain_indices", "int64", "2", "0,1") "," ARRAY("values", "float32", "2,3", "1,2,3,4,5,6") "}\n"
#define COO_BATCHES COO("2,2,3", "3", "4", "1,0,0,1,0,1,1,0,0,2,2,0", "1,2,3,4")

/* The names of the steps, separated by commas. */
static const char *planned(const char *text, const char *options)
{
  static char names[256];
  write_text("in.spw.json", text);
  const int before = files_here(), status = spw_format("convert --explain-plan %s in.spw.json", options);
  cr_assert(status == 0, "%s: exit %d: %s", options, status, read_text("err"));
  cr_assert(!read_text("err")[0] && files_here() == before, "%s: %s", options, read_text("err"));
  const char *line = strstr(read_text("out"), "  steps  1 ");
  names[0] = '\0';
  for (int number = 1; line; number++) {
    const char *const name = line + strlen("  steps  1 "), *const colon = strchr(name, ':');
    cr_assert(colon && line[9] == '0' + number, "%s: %s", options, line);
    if (number > 1) strcat(names, ", ");
    strncat(names, name, (size_t)(colon - name));
    line = strchr(colon, '\n');
    line = line && line[1] ? line + 1 : NULL;
  }
  return names;
}

Test(cli_convert, plans)
{
  static const struct {
    const char *text, *options, *steps;
  } plans[] = {
      {CSR_TEXT("float64", "1,2,3"), "--to=bsr --blocksize=2x3", "take, block"},
      {CSR_TEXT("float64", "1,2,3"), "--to=csc", "transpose batches"},
      {CSR_TEXT("float64", "1,2,3"), "--to=csc --index=int64", "take, transpose"},
      {CSR_TEXT("int16", "1,2,3"), "--to=bsc --blocksize=2x3", "take, transpose, block, gather"},
      {CSR_TEXT("int16", "1,2,3"), "--index=int64", "retype, gather"},
      {CSR_TEXT("float64", "1,2,3"), "--to=coo --prune", "list rows, prune"},
      {CSR_HYBRID, "--to=csc", "take, transpose, gather"},
      {CSR_HYBRID, "--to=dense", "expand dense"},
      {BSC_BATCHES("0,1"), "--to=csr", "take, expand, transpose"},
      {BSC_BATCHES("1,0"), "--to=csr --canonicalize", "list cells, sort, combine, write lines"},
      {BSC_BATCHES("1,0"), "--to=bsr --blocksize=4x4 --canonicalize", "list cells, sort, combine, write blocks"},
      {BSC_BATCHES("0,1"), "--to=bsr", "take, transpose, gather"},
      {base, "--to=csr", "copy if sorted, coalesce matrix, sort, combine, write lines"},
      {base, "--to=csc --index=int32", "sort, emit matrix"},
      {base, "--to=coo --index=int32 --duplicates=error", "copy if sorted, sort, combine, write list"},
      {COO_BATCHES, "--to=csr", "coalesce batches, sort, combine, write lines"},
      {COO_BATCHES, "--to=bsr --blocksize=1x3", "coalesce blocks, sort, combine, write blocks"},
      {TYPED_COO("int16", "4,6", "2", "1", "3,0", "1"), "--to=dense", "expand dense"},
      {TYPED_COO("int16", "4,6", "2", "2", "3,0,0,5", "1,2"), "--to=dense", "clear, sort, combine, write dense"},
      {base, "--to=dense", "coalesce dense"},
      {COO("4,6", "2", "0", "", ""), "--to=bsr --blocksize=2x2", "write none"},
      {DENSE("2,2", "0,1,2,0"), "--to=csc", "store batches"},
      {DENSE("2,2", "0,1,2,0"), "--to=csr --dense-dims=0 --batch-dims=0", "store batches"},
      {DENSE("2,2,2", "0,1,2,0,0,1,2,0"), "--to=csc --dense-dims=1", "store lines, transpose, gather"},
      {DENSE("2,2", "0,1,2,0"), "--to=bsr --blocksize=2x1", "store blocks"},
      {"{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\",\"shape\":[2,2],\"strides\":[1,2],\"data\":[1,0,0,1]}}",
       "--to=coo", "pack, store list"},
  };
  for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
    const char *const steps = planned(plans[i].text, plans[i].options);
    cr_assert(strcmp(steps, plans[i].steps) == 0, "%zu: convert %s: %s and not %s", i, plans[i].options, steps, plans[i].steps);
  }
}

Test(cli_convert, plan_in_words)
{
  write_text("in.spw.json", CSR_HYBRID);
  expect("convert --explain-plan --to=csc in.spw.json", 0, "out",
         "in.spw.json: csr -> csc\n"
         "  row    csr csc bsr bsc -> csr csc bsr bsc\n"
         "  where  rows are in order\n"
         "  and    values lie one behind the other\n"
         "         cells that are zero stay\n"
         "         no block is taken apart\n"
         "         the other dimension is compressed\n"
         "         no block is made\n"
         "         one thread does the work\n"
         "         a cell is anything but one scalar of 4 or 8 bytes\n"
         "  steps  1 take: ");
  expect("convert --explain-plan in.spw.json out.npz", 2, "err", "one file is needed: --explain-plan reads it, and writes none");
  expect("convert --explain-plan -o out.npz in.spw.json", 2, "err", "one file is needed: --explain-plan reads it");
  expect("convert --explain-plan --to=bsr in.spw.json", 2, "err", "impossible: ");
  expect("convert --explain-plan --to=bsr --blocksize=3x3 in.spw.json", 2, "err", "size[0] is 2, which is no multiple of");
  /* a plan whose steps do not succeed */
  write_text("in.spw.json", BSC_BATCHES("0,0"));
  expect("convert --explain-plan --to=csr --canonicalize in.spw.json", 2, "out", "  steps  1 list cells: ");
  cr_assert(output_has("err", "batch 0 has 8 specified elements and batch 1 has 4"), "%s", read_text("err"));
  write_text("lines.spw.jsonl", CSR_HYBRID BSC_BATCHES("0,0"));
  expect("convert --explain-plan --to=coo lines.spw.jsonl", 1, "out", "lines.spw.jsonl:1: csr -> coo\n");
  cr_assert(output_has("err", "lines.spw.jsonl:2: invalid") && access("out.npz", F_OK) != 0);
}
