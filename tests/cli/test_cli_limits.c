/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw, given more than it should take: work, bytes without end, memory. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

TestSuite(cli_limits, .init = enter_directory, .fini = leave_directory);

/* ---- More work than anybody can wait for ----------------------------------------------------- */

Test(cli_limits, overlapping_batches)
{
  static const char text[] = "{\"spw\": 1, \"layout\": \"csr\"%s,"
                             " \"compressed_indices\": {\"dtype\": \"int64\", \"shape\": [%s, 3], "
                             "\"strides\": [%s, 1], \"fill\": 0, \"length\": %s},"
                             " \"plain_indices\": {\"dtype\": \"int64\", \"shape\": [%s, 2], "
                             "\"strides\": [0, 0, 1], \"data\": [0, 1]},"
                             " \"values\": {\"dtype\": \"bool\", \"shape\": [%s, 2], \"strides\": "
                             "[0, 0, 0], \"fill\": 0, \"length\": 1}}";
  const struct {
    const char *size;
    const char *batch;
    const char *strides;
    const char *length;
    int status;
    const char *says;
  } cases[] = {
      {", \"size\": [2147480000, 1000, 2, 3]", "2147480000, 1000", "1, 1", "2147483647", 3,
       "\"limit\""},
      {"", "2147480000, 1000", "1, 1", "2147483647", 3, "\"limit\""},
      {", \"size\": [2147480000, 1000, 0, 3]", "2147480000, 1000", "1, 1", "2147483647", 1,
       "\"3.8\""},
      {"", "2147480000, 1000", "1, 1", "10", 1, "\"3.14\""},
      {", \"size\": [2147480000, 1000, 2, 0]", "2147480000, 1000", "0, 0", "3", 1, "\"5.2\""},
      {", \"size\": [2147480000, 2, 2, 0]", "2147480000, 2", "0, 1", "4", 3, "\"limit\""},
      {", \"size\": [4294967296, 4294967296, 2, 0]", "4294967296, 4294967296", "0, 0", "3", 3,
       "more batches than int64"},
      {"", "2147480000, 0", "0, 1", "3", 0, "\"valid\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char json[2048];
    snprintf(json, sizeof json, text, cases[i].size, cases[i].batch, cases[i].strides,
             cases[i].length, cases[i].batch, cases[i].batch);
    write_text("many.spw.json", json);
    const time_t begun = time(NULL);
    expect("check --json many.spw.json", cases[i].status, "out", cases[i].says);
    spw("info many.spw.json");
    cr_assert(time(NULL) - begun < 60, "case %zu takes too long", i);
  }
  write_text("empty.spw.json", /* without plain indices their batch strides do not matter */
             "{\"spw\": 1, \"layout\": \"csr\", \"compressed_indices\": {\"dtype\": \"int64\","
             " \"shape\": [2147480000, 1000, 3], \"strides\": [0, 0, 1], \"data\": [0, 0, 0]},"
             " \"plain_indices\": {\"dtype\": \"int64\", \"shape\": [2147480000, 1000, 0],"
             " \"strides\": [1, 1, 1], \"data\": []},"
             " \"values\": {\"dtype\": \"bool\", \"shape\": [2147480000, 1000, 0],"
             " \"strides\": [1, 1, 1], \"data\": []}}");
  expect("check --json empty.spw.json", 0, "out", "\"valid\"");
  write_text(
      "coo.spw.json",
      "{\"spw\": 1, \"layout\": \"coo\", \"indices\": {\"dtype\": \"int64\","
      " \"shape\": [1099511627776, 1099511627776], \"strides\": [0, 0], \"data\": [0]}, \"values\":"
      " {\"dtype\": \"bool\", \"shape\": [1099511627776], \"strides\": [0], \"data\": [0]}}");
  expect("check --json coo.spw.json", 3, "out", "\"limit\"");
  expect("check coo.spw.json", 3, "out", "coo.spw.json: not checked\n");
}

/* Small files of many elements at one place, which no operation may walk over one by one before it asks whether it may. */
Test(cli_limits, elements_at_one_place, .timeout = 60)
{
  write_text("many.spw.json", "{\"spw\":1,\"layout\":\"coo\",\"indices\":{\"dtype\":\"int64\",\"shape\":[1,4611686018427387904],"
             "\"strides\":[0,0],\"data\":[0]},\"values\":{\"dtype\":\"bool\",\"shape\":[4611686018427387904],\"strides\":[0],"
             "\"data\":[true]}}\n");
  expect("convert --to=coo many.spw.json out.spw.json", 2, "err", "more elements than any memory holds");
  expect("diff many.spw.json many.spw.json", 3, "err", "more elements than any memory holds");
  write_text("dims.spw.json", "{\"spw\":1,\"layout\":\"coo\","
             "\"indices\":{\"dtype\":\"int64\",\"shape\":[60000000,0],\"data\":[]},"
             "\"values\":{\"dtype\":\"int8\",\"shape\":[0],\"data\":[]}}\n");
  expect("convert --to=csr dims.spw.json -", 2, "err", "steps");
  write_text("void.spw.json", "{\"spw\":1,\"layout\":\"coo\",\"size\":[1,0],\"indices\":{\"dtype\":\"int64\",\"shape\":"
             "[1,4611686018427387904],\"strides\":[0,0],\"data\":[0]},\"values\":{\"dtype\":\"bool\",\"shape\":"
             "[4611686018427387904,0],\"data\":[]}}\n");
  static const char *const operations[] = {"narrow --dim=0 --start=0 --length=1", "select --dim=0 --index=0",
                                           "index_select --dim=0 --indices=0"};
  for (int i = 0; i < 3; i++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "restructure %s void.spw.json", operations[i]);
    expect(arguments, 2, "err", "limit: restructuring it takes 4611686018427387");
  }
}

/* COO of `dims` sparse dimensions that are one number in memory: so many steps. */
static void add_column(FILE *out, long dims)
{
  fprintf(out, "{\"spw\": 1, \"layout\": \"coo\", \"indices\": {\"dtype\": \"int64\","
          " \"shape\": [%ld, 1], \"strides\": [0, 0], \"length\": 1, \"fill\": 0}, \"values\":"
          " {\"dtype\": \"bool\", \"shape\": [1], \"length\": 1, \"fill\": true}}\n", dims);
}

static void write_columns(const char *path, int count, long dims)
{
  FILE *out = fopen(path, "w");
  cr_assert(out != NULL);
  for (int i = 0; i < count; i++) add_column(out, dims);
  cr_assert(fclose(out) == 0);
}

Test(cli_limits, steps_are_counted_and_named)
{
  write_columns("one.spw.json", 1, 8589934592);
  const time_t begun = time(NULL);
  expect("check one.spw.json", 3, "out",
         "  checking it takes 8589934592 steps, more than the limit of 268435456;\n"
         "  --max-work=8589934592 allows it\n");
  expect("info one.spw.json", 3, "err", "--max-work=8589934592 allows it");
  expect("check --level=shape one.spw.json", 0, "out", "valid");
  cr_assert(time(NULL) - begun < 20, "what is refused is done all the same");
  write_columns("few.spw.json", 1, 1000);
  expect("check --max-work=999 few.spw.json", 3, "out", "takes 1000 steps");
  expect("check --max-work 1000 few.spw.json", 0, "out", "valid");
  expect("info --max-work=999 few.spw.json", 3, "err", "takes 1000 steps");
  expect("info --max-work=1000 few.spw.json", 0, "out", "valid        yes");
  static const char *const refused[] = {"0",  "-1",  "+7", "1e9", "9223372036854775808", "x1",
                                        "''", "' 1'"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "check --max-work=%s few.spw.json", refused[i]);
    expect(arguments, 2, "err", "--max-work is a number from 1 to 9223372036854775807, not");
    snprintf(arguments, sizeof arguments, "info --max-bytes=%s few.spw.json", refused[i]);
    expect(arguments, 2, "err", "--max-bytes is a number from 1 to 9223372036854775807, not");
  }
}

/* A file of many lines does not multiply the limit, and what is refused uses none of it up. */
/* A block without a value, of 2^40 positions: nothing is made of it that goes through them. */
Test(cli_limits, positions_of_blocks_without_values, .timeout = 60)
{
  static const char *const kinds[] = {"diag", "tril", "triu", "slice --dim=0 --start=0 --length=2 --step=3"};
  write_text("block.spw.json", "{\"spw\": 1, \"layout\": \"bsr\", \"size\": [1048576, 1048576, 0],"
                               " \"compressed_indices\": {\"dtype\": \"int64\", \"shape\": [2], \"data\": [0, 1]},"
                               " \"plain_indices\": {\"dtype\": \"int64\", \"shape\": [1], \"data\": [0]},"
                               " \"values\": {\"dtype\": \"bool\", \"shape\": [1, 1048576, 1048576, 0], \"data\": []}}");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    char line[128];
    snprintf(line, sizeof line, "make %s block.spw.json", kinds[i]);
    expect(line, 2, "err", "making it takes 1099511627776 steps");
  }
}

Test(cli_limits, the_tensors_of_a_file_share_the_steps)
{
  FILE *out = fopen("lines.spw.jsonl", "w");
  cr_assert(out != NULL);
  add_column(out, 600);
  add_column(out, 1000);
  add_column(out, 400);
  cr_assert(fclose(out) == 0);
  expect("check --max-work=1000 lines.spw.jsonl", 3, "out", "1 file, 3 tensors: 2 valid, 1 not");
  cr_assert(output_has("out", "lines.spw.jsonl:2: not checked\n"
                              "  checking it takes 1000 steps; what came before it in the file"));
  expect("check --max-work=1600 lines.spw.jsonl", 3, "out", "2 valid, 1 not checked");
  cr_assert(output_has("out", "--max-work=2000"), "%s", read_text("out"));
  expect("check --max-work=2000 lines.spw.jsonl", 0, "out", "3 valid");
  out = fopen("long.spw.jsonl", "w");
  cr_assert(out != NULL);
  add_column(out, 600);
  add_column(out, INT64_MAX);
  cr_assert(fclose(out) == 0);
  expect("check long.spw.jsonl", 3, "out", "checking it takes more than 2^63 steps");
  expect("check --max-work=1000 lines.spw.jsonl lines.spw.jsonl", 3, "out", "4 valid, 2 not");
}

/* A long file is as much work as it looks like: the limit grows with it. */
Test(cli_limits, honest_files_are_checked)
{
  write_columns("honest.spw.json", 1, 300000000);
  cr_assert(system("head -c 20000000 /dev/zero | tr '\\0' ' ' >> honest.spw.json") == 0);
  expect("check --max-work=299999999 honest.spw.json", 3, "out", "300000000 steps");
  if (SANITIZED) return; /* ten times as slow */
  spw("check --first honest.spw.json");
  cr_assert(!output_has("out", "not checked"), "%s", read_text("out"));
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

Test(cli_limits, input_without_end)
{
  static const char *const endless[] = {
      "yes '{\"a\":' | \"$SPW_PROGRAM\" check %s - >out",
      "mkfifo f.mtx; yes '{' >f.mtx & \"$SPW_PROGRAM\" check %s f.mtx >out",
      "mkfifo g.npz; { printf PK; cat /dev/zero; } >g.npz & \"$SPW_PROGRAM\" check %s g.npz >out"};
  for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
    char command[256];
    snprintf(command, sizeof command, endless[i], "--max-bytes=300000");
    cr_assert(system(command) == 3 << 8, "%s", command);
    cr_assert(output_has("out", "does not end within the limit of 300000 bytes"), "%s",
              read_text("out"));
  }
  cr_assert(system("{ printf PK; cat /dev/zero; } | \"$SPW_PROGRAM\" check - >out") == 3 << 8);
  cr_assert(output_has("out", "does not end within the limit of 1073741824 bytes"), "%s", read_text("out"));
  cr_assert(system("{ printf PK; cat /dev/zero; } | \"$SPW_PROGRAM\" info --max-bytes=70000 - 2>err") == 3 << 8);
  cr_assert(output_has("err", "limit: it does not end"), "%s", read_text("err"));
  expect("check --max-bytes=20 good.spw.json", 3, "out", "bytes, more than the limit of 20; ");
  cr_assert(system("\"$SPW_PROGRAM\" check --max-bytes=$(cat good.spw.json | wc -c) good.spw.json -"
                   " <good.spw.json >out") == 0, "the limit itself is too much");
}

/* No more than the beginning is read of what begins as no format does. */
Test(cli_limits, holes_have_no_end)
{
  cr_assert(system("ln -s /dev/zero zero.npz; for name in hole.npz hole.npy hole.mtx hole.spw.json hole.spw.jsonl; do"
                   " truncate -s 1G $name; done") == 0);
  static const char *const names[] = {"zero.npz", "hole.npz", "hole.npy", "hole.mtx", "hole.spw.json", "hole.spw.jsonl"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char command[64];
    snprintf(command, sizeof command, "check %s", names[i]);
    cr_expect_eq(spw(command), 3);
    cr_expect(!output_has("out", "limit"), "%s", read_text("out"));
  }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void write_objects(const char *path, int count)
{
  FILE *out = fopen(path, "w");
  cr_assert(out != NULL);
  fputs("{\"a\":[", out);
  for (int i = 0; i < count; i++) fputs("{},", out);
  fputs("1]}\n{\"b\":1}\n", out);
  cr_assert(fclose(out) == 0);
}

/* The name of a file makes no difference to what reading it may take. */
Test(cli_limits, memory_without_a_telling_name)
{
  if (SANITIZED) return; /* takes address space without end */
  static const char *const ways[] = {"x.foo", "x.spw.json", "x.spw.jsonl", "- <x.foo"};
  write_objects("x.foo", 7000000);
  cr_assert(system("ln -s x.foo x.spw.json; ln -s x.foo x.spw.jsonl") == 0);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char command[256];
    snprintf(command, sizeof command, "ulimit -v 500000; \"$SPW_PROGRAM\" check %s >out 2>err",
             ways[i]);
    cr_assert(system(command) == 3 << 8, "%s", command);
    cr_assert(output_has("out", "not checked"), "%s: %s", command, read_text("out"));
  }
}

/* Wherever memory runs out while a file is looked at: exit 3, and a message that names it. */
Test(cli_limits, memory_that_runs_out)
{
  if (SANITIZED) return;
  write_objects("x.foo", 20000);
  int refused = 0, ended = 0;
  /* results that are all kept for a report */
  write_columns("ma\x1bny\xc3\xa9.spw.jsonl", 3000, -1);
  for (int kilobytes = 6000; kilobytes < 26000; kilobytes += 400) {
    char command[256];
    snprintf(command, sizeof command, "ulimit -v %d; exec >out 2>err; \"$SPW_PROGRAM\" check"
             " --json --sarif=s --junit=j x.foo ma*.spw.jsonl", kilobytes);
    const int status = system(command) >> 8;
    if (status == 127) continue; /* not even the program fits */
    const bool in_report = status == 70 && output_has("err", "spw: out of memory\n");
    cr_assert(status == 3 || in_report, "%d: exit %d, %s", kilobytes, status, read_text("err"));
    refused += output_has("out", "\"limit\"");
    if (in_report || read_text("err")[0] == 0) continue;
    cr_assert(output_has("err", "spw: ma?ny??.spw.jsonl: not enough memory")
              || output_has("err", "spw: x.foo: not enough memory"), "%s", read_text("err"));
    ended++;
  }
  cr_assert(refused > 3 && ended > 3, "%d limits, %d ends", refused, ended);
}

/* A report takes no memory without end: what is beyond its limit is counted. */
Test(cli_limits, reports_of_many_bad_lines)
{
  cr_assert(
      system("(yes x | head -29999; cat bad.spw.json; echo; cat good.spw.json) >many.spw.jsonl;"
             " yes x | head -25000 >just.spw.jsonl") == 0);
  cr_assert(spw("check -q --sarif=s --junit=j many.spw.jsonl | tail -1") == 0);
  cr_assert(system("tail -c 2000 s >tail; grep -c startLine s >count") == 0);
  cr_assert(output_has("tail", "5000 more results are left out") && output_has("count", "25000\n"),
            "%s", read_text("tail"));
  cr_assert(system("tail -n 9 j >tail; head -n 3 j >head; grep -c '<testcase' j >count") == 0);
  cr_assert(output_has("tail", "5000 more tensors that are not valid are left out"));
  cr_assert(output_has("tail", "name=\"line 30001\"/>"), "valid ones are left out");
  cr_assert(output_has("head", "tests=\"25002\" failures=\"0\" errors=\"25001\""), "%s",
            read_text("head"));
  cr_assert(output_has("count", "25002\n"));
  cr_assert(spw("check -q --sarif=s --junit=j just.spw.jsonl | tail -1") == 0);
  cr_assert(system("grep -q 'left out' s || grep -q 'left out' j") != 0);
}

/* ---- What is not quite JSON ------------------------------------------------------------------ */

Test(cli_limits, marks_and_second_objects)
{
  static const struct { const char *name, *bytes, *says; } cases[] = {
      {"a.spw.json", "\xef\xbb\xbf{}", "(ef bb bf, UTF-8)"},
      {"a.spw.jsonl", "\xef\xbb\xbf{}", "(ef bb bf, UTF-8)"},
      {"a.mtx", "\xef\xbb\xbf%%MatrixMarket", "(ef bb bf, UTF-8)"},
      {"a", "\xef\xbb\xbf", "(ef bb bf, UTF-8)"},
      {"b", "\xff\xfe{", "(ff fe, UTF-16)"},
      {"c", "\xfe\xff", "(fe ff, UTF-16)"},
      {"d", "\xef\xbb", "no known format"},
      {"two.spw.json", "{\"layout\": \"csr\"} {}", "there is a second object"},
      {"two.json", "{\"a\": \"}\\\"\"}\n{\"a\"", "there is a second object"},
      {"two", "{\n\"a\": 1}\n{\n}", "there is a second object"},
      {"three", "{\"values\": 1}\r\n{\"spw\": 1, \"layout\": 2}\r\n", "\"line\": 2"},
      {"four", "{\"layout\": 2} x\n{}\n", "\"line\": null"},
      {"two.spw.jsonl", "{\"layout\": \"csr\"} {}", "expected behind the first object\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char arguments[64];
    write_text(cases[i].name, cases[i].bytes);
    snprintf(arguments, sizeof arguments, "check --json %s", cases[i].name);
    expect(arguments, 3, "out", cases[i].says);
  }
  static const char *const single[] = {"{\"a\": 1} x", "{\"a\": {} {}", "{\"a\": \"x} {",
                                       "[{}] {}"};
  for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
    write_text("e.spw.json", single[i]);
    expect("check --json e.spw.json", 3, "out", "\"malformed\"");
    cr_assert(!output_has("out", "second object"), "%s", single[i]);
  }
}
