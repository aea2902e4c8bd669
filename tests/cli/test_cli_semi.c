/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4 matrices on the command line and in files. */
#include "../support/command.h"

#include "../../src/sparsewright.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(cli_semi, .init = enter_directory, .fini = leave_directory);

static const char dense[] =
    "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float16\",\"shape\":[2,8],"
    "\"data\":[1,0,0,2,0,0,3,0,0,4,5,0,0,0,0,0]}}\n";
static const char semi[] = "{\"spw\":1,\"layout\":\"semi\",\"order\":\"plain\",\"size\":[2,8],"
                           "\"dtype\":\"float16\",\"packed\":"
                           "{\"dtype\":\"float16\",\"shape\":[2,4],\"data\":[1,2,3,0,4,5,0,0]},"
                           "\"metadata\":{\"dtype\":\"int16\","
                           "\"shape\":[2,1],\"data\":[236,233]}}\n";

/* The text with one part replaced, in the file x.spw.json. */
static void write_with(const char *text, const char *part, const char *other) {
  char changed[1024];
  const char *const at = strstr(text, part);
  cr_assert(at, "%s", part);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, other, at + strlen(part));
  write_text("x.spw.json", changed);
}

Test(cli_semi, there_and_back) {
  write_text("d.spw.json", dense);
  expect("convert --to=semi d.spw.json s.spw.json", 0, "err", "");
  cr_assert_str_eq(read_text("s.spw.json"), semi);
  expect("check s.spw.json", 0, "out", "s.spw.json: valid  semi 2x8, plain order, float16\n");
  expect("check --level=shape s.spw.json", 0, "out", "float16, shape rules only\n");
  expect("convert --to=dense s.spw.json back.spw.json", 0, "err", "");
  expect("diff d.spw.json back.spw.json", 0, "out", "");
  expect("convert s.spw.json again.spw.json", 0, "err", "");
  cr_assert_str_eq(read_text("again.spw.json"), semi);
  expect("convert --to=csr --index=int32 s.spw.json -", 0, "out", "\"data\":[0,3,6,7,1,2,6,7]");
  expect("convert --to=coo --prune s.spw.json -", 0, "out", "\"data\":[1,2,3,4,5]");
  expect("convert --to=csr --prune d.spw.json c.npz", 0, "err", "");
  expect("convert --to=semi c.npz -", 0, "out", "\"data\":[236,233]");
}

/* The stored elements count, zeros too: zero times infinity is NaN where 0.0 is stored. */
Test(cli_semi, products) {
  write_text("s.spw.json", semi);
  write_text("x.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float16\",\"shape\":[8],"
                           "\"data\":[1,2,4,8,16,32,64,\"inf\"]}}");
  write_text("y.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float16\",\"shape\":[2],"
                           "\"data\":[1,2]}}");
  expect("multiply s.spw.json x.spw.json", 0, "out", "\"shape\":[2],\"data\":[\"bits:");
  expect("multiply y.spw.json s.spw.json", 0, "out", "\"data\":[1,8,10,2,0,0,3,0]");
  expect("multiply --add=y.spw.json --alpha=0 s.spw.json x.spw.json", 0, "out", "\"data\":[1,2]");
  expect("multiply s.spw.json y.spw.json", 2, "err", "dimension 0 of the second is 2 and would need to be 8");
  write_with(semi, "236", "231");
  expect("multiply x.spw.json y.spw.json", 1, "err", "code 0 of 0x00e7 is 7");
}

/* As checkpoints have them: by the names of PyTorch's module, and of compressed-tensors. */
Test(cli_semi, safetensors) {
  write_text("s.spw.json", semi);
  expect("convert s.spw.json s.safetensors", 0, "err", "");
  expect("check s.safetensors", 0, "out", "s.safetensors: valid  semi 2x8, plain order, float16\n");
  expect("convert --to=dense s.safetensors -", 0, "out", "\"data\":[1,0,0,2,0,0,3,0,0,4,5,0,0,0,0,0]");
  expect("convert s.safetensors -", 0, "out", "\"order\":\"plain\",\"size\":[2,8],\"packed\":{\"dtype\":\"float16\","
                                              "\"shape\":[2,4],\"data\":[1,2,3,0,4,5,0,0]}");
  expect_refused("convert --to=semi s.spw.json s.mtx", 2, "s.mtx cannot hold a 2:4 matrix");
}

Test(cli_semi, orders) {
  write_text("d.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\","
                           "\"shape\":[16,64],\"length\":1024,\"fill\":0}}");
  expect("convert --to=semi --order=cutlass d.spw.json c.spw.json", 0, "err", "");
  expect("info c.spw.json", 0, "out", "  order        cutlass\n");
  expect("info --json c.spw.json", 0, "out", "\"order\": \"cutlass\"");
  expect("convert --to=semi --order=plain c.spw.json p.spw.json", 0, "err", "");
  expect("check --json p.spw.json", 0, "out", "\"layout\": \"semi\", \"size\": [16, 64]");
  expect("convert --to=semi --order=cutlass p.spw.json again.spw.json", 0, "err", "");
  char one[4096];
  snprintf(one, sizeof one, "%s", read_text("c.spw.json"));
  cr_assert_str_eq(one, read_text("again.spw.json"));
}

Test(cli_semi, refusals) {
  write_text("d.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float32\","
                           "\"shape\":[2,4],\"data\":[1,0,0,2,3,4,0,0]}}");
  expect_refused("convert --to=semi d.spw.json s.spw.json", 2,
                 "group 0 of row 1 has too many elements that are not zero: elements 0, 1; "
                 "--prune-24 keeps the largest");
  expect("convert --to=semi --prune-24=largest d.spw.json s.spw.json", 0, "err", "");
  expect("convert --to=dense s.spw.json -", 0, "out", "\"data\":[1,0,0,2,0,4,0,0]");
  expect("convert --to=semi --prune-24=tiles d.spw.json -", 0, "out", "\"packed\"");
  expect_refused("convert --to=semi --order=cutlass s.spw.json t.spw.json", 2,
                 "rule 7.1: rows are 2, no multiple of 32");
  expect_refused("convert --to=semi --prune-24=largest d.spw.json s.npz", 2,
                 "s.npz cannot hold a 2:4 matrix; a file .spw.json or .safetensors holds it");
  expect_refused("convert --prune-24=largest d.spw.json s.spw.json", 2,
                 "--prune-24 is for --to=semi");
  expect_refused("convert --to=semi --prune-24=all d.spw.json s.spw.json", 2,
                 "--prune-24 is largest or tiles, not all");
  expect_refused("convert --to=semi --order=row d.spw.json s.spw.json", 2,
                 "--order is plain, cutlass, marlin or sm90-1 to sm90-4, not row");
  expect_refused("convert --to=semi --certify d.spw.json s.spw.json", 2,
                 "--to=semi takes no --certify");
  expect_refused("convert --to=semi good.spw.json s.spw.json", 2, "group 0 of row 0 has too many");
  expect("diff s.spw.json d.spw.json", 3, "err",
         "it is a 2:4 matrix; `spw convert --to=dense` or --to=csr makes a tensor of it");
  expect("unary neg s.spw.json", 3, "err", "it is a 2:4 matrix");
}

Test(cli_semi, violations) {
  write_with(semi, "236", "231");
  expect("check --json x.spw.json", 1, "out",
         "metadata[0, 0]: code 0 of 0x00e7 is 7, which is illegal; it is about row 0 from column 0 "
         "on");
  expect("check x.spw.json", 1, "out",
         "       metadata[0, 0]: code 0 of 0x00e7 is 7, which is illegal");
  expect("check --json x.spw.json", 1, "out",
         "\"rule\": \"7.4\", \"array\": \"metadata\", \"batch\": [], \"position\": 0, \"lhs\": 7, "
         "\"rhs\": 231, \"count\": 1");
  expect("check --sarif=- x.spw.json", 1, "out", "\"ruleId\": \"SPW-7.4\"");
  expect("check --junit=- x.spw.json", 1, "out", "type=\"7.4\" message=\"metadata[0, 0]");
  expect("info x.spw.json", 0, "out", "no, violates 7.4");
  expect("convert --to=dense x.spw.json y.spw.json", 1, "err", "code 0 of 0x00e7 is 7");
  write_with(semi, "236", "4332");
  expect("check --json x.spw.json", 1, "out",
         "metadata[0, 0]: code 3 of 0x10ec is 1, and the row has no group for it");
  write_with(semi, "[2,8]", "[2,6]");
  expect("check --json x.spw.json", 1, "out", "columns are 6, no multiple of 4");
  expect("check x.spw.json", 1, "out", "not evaluated: 7.2, 7.4, 7.5, 7.6");
  write_with(semi, "[2,8]", "[3,8]");
  expect("check --json x.spw.json", 1, "out", "packed.shape[0] is 2, not 3\"");
  expect("check x.spw.json", 1, "out", "packed.shape[0] is 2, not 3 (first of 2 places)");
  write_with(semi, "\"dtype\":\"int16\"", "\"dtype\":\"int32\"");
  expect("check --json x.spw.json", 1, "out", "metadata has type int32, not int16");
  write_with(semi, "\"shape\":[2,1]", "\"shape\":[2,1],\"strides\":[5,1]");
  expect("check --json x.spw.json", 1, "out",
         "metadata reaches beyond its storage of 2 elements, from offset 0 on");
  write_with(semi, "\"shape\":[2,1]", "\"shape\":[2,1],\"strides\":[-1,1]");
  expect("check --json x.spw.json", 1, "out", "metadata.strides[0] is -1, below 0");
}

Test(cli_semi, malformed_files) {
  static const char *const cases[][3] = {
      {"\"plain\"", "\"row\"", "$.order: unknown order"},
      {"\"order\":\"plain\",", "", "$.order: missing"},
      {"[2,8]", "[2,8,1]", "$.size: needs two entries"},
      {"\"size\":[2,8],", "", "$.size: missing"},
      {"\"metadata\"", "\"codes\"", "$.codes: unknown key"},
      {"\"dtype\":\"float16\",\"packed\"", "\"dtype\":\"half\",\"packed\"",
       "$.dtype: unknown dtype"},
      {"\"semi\"", "\"demi\"", "$.layout: unknown layout"},
      {"\"data\":[236,233]", "\"data\":[236,\"x\"]", "$.metadata.data[1]"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_with(semi, cases[i][0], cases[i][1]);
    expect("check x.spw.json", 3, "out", cases[i][2]);
  }
}

/* Types that no other file has, and lines of both kinds. */
Test(cli_semi, float8_and_lines) {
  static const char float8[] = "{\"spw\":1,\"layout\":\"semi\",\"order\":\"plain\",\"size\":[1,4],"
                               "\"packed\":{\"dtype\":\"float8_e4m3fn\","
                               "\"shape\":[1,2],\"data\":[1,255]},\"metadata\":{\"dtype\":"
                               "\"int32\",\"shape\":[1,1],\"data\":[4]}}\n";
  write_text("f.spw.json", float8);
  expect("check f.spw.json", 0, "out", "semi 1x4, plain order, float8_e4m3fn");
  expect("convert f.spw.json g.spw.json", 0, "err", "");
  cr_assert_str_eq(read_text("g.spw.json"), float8);
  expect("convert --to=dense f.spw.json -", 0, "out",
         "\"dtype\":\"uint8\",\"shape\":[1,4],\"data\":[1,255,0,0]");
  char lines[2048];
  snprintf(lines, sizeof lines, "%s%s%s", dense, semi, float8);
  write_text("l.spw.jsonl", lines);
  expect("check l.spw.jsonl", 0, "out", "1 file, 3 tensors: 3 valid");
}
