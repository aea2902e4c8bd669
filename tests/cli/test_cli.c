/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw: its verdicts, messages, formats and options. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "../support/memory.h"

#include "../../src/sparsewright.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

TestSuite(cli, .init = enter_directory, .fini = leave_directory);

/* ---- Exit codes ------------------------------------------------------------------------------ */

Test(cli, exit_codes)
{
  expect("check good.spw.json", 0, "out", "good.spw.json: valid  csr 2x6, nse 4, int64\n");
  expect("check bad.spw.json good.spw.json", 1, "out", "2 files: 1 valid, 1 invalid\n");
  expect("check torn.spw.json", 3, "out", "torn.spw.json: malformed\n");
  expect("check bad.spw.json torn.spw.json", 3, "out", "2 files: 1 invalid, 1 malformed\n");
  expect("check missing", 3, "out", "No such file");
  expect("check other.txt", 3, "out", ".spw.jsonl");
  expect("check .", 3, "out", "use -r");
  expect("check good.spw.json missing", 3, "out", "2 files: 1 valid, 1 unreadable\n");
  expect("check", 2, "err", "Try 'spw check --help'");
  expect("check --bogus good.spw.json", 2, "err", "--bogus");
  expect("check -z good.spw.json", 2, "err", "-z");
  expect("check --json=1 good.spw.json", 2, "err", "takes no argument");
  expect("check good.spw.json --sarif", 2, "err", "option --sarif needs an argument");
  expect("check --json -xq good.spw.json", 2, "err", "spw check: unknown option -x\n");
  expect("check --json -qx good.spw.json", 2, "err", "spw check: unknown option -x\n");
  expect("multiply good.spw.json -o", 2, "err", "spw multiply: option -o needs an argument\n");
  expect("check --level=deep good.spw.json", 2, "err", "deep");
  expect("check --color=blue good.spw.json", 2, "err", "blue");
  expect("", 2, "err", "a command is needed");
  expect("chekc", 2, "err", "did you mean check?");
  expect("--bogus", 2, "err", "unknown option --bogus");
  expect("explain", 2, "err", "spw list rules");
  expect("explain 5.9", 2, "err", "5.3");
  expect("explain 53", 2, "err", "5.3");
  expect("explain 5.99", 2, "err", "5.3");
  expect("explain xyzzy", 2, "err", "'spw list semantics' print them all");
  expect("explain --bogus 5.3", 2, "err", "--bogus");
  expect("explain --color=blue 5.3", 2, "err", "blue");
  expect("list --bogus", 2, "err", "--bogus");
  expect("list layouts", 2, "err", "rules, semantics or formats");
  expect("info --bogus good.spw.json", 2, "err", "--bogus");
  expect("frobnicate", 2, "err", "the commands are cast, check");
  expect("a_word_longer_than_that_of_any_command", 2, "err", "the commands are cast, check");
  expect("check -r missing", 3, "out", "No such file");
  expect("list", 2, "err", "rules, semantics or formats");
  expect("list rules formats", 2, "err", "rules, semantics or formats");
  expect("info", 2, "err", "a file is needed");
  expect("info torn.spw.json good.spw.json", 3, "err", "torn.spw.json: malformed");
  cr_assert(output_has("out", "layout"), "a malformed file stops the others");
  expect("info torn.spw.json missing", 3, "err", "missing: unreadable");
  expect("info --json torn.spw.json", 3, "out", "\"kind\": \"malformed\"");
  expect("--version", 0, "out", "spw " SPW_VERSION "\n");
  expect("check -- good.spw.json", 0, "out", "valid");
}

/* The suite lies beside the command, or the command says where it looked. */
Test(cli, conform_without_its_suite)
{
  cr_assert(system("mkdir -p here/bin && cp \"$SPW_PROGRAM\" here/bin/spw") == 0);
  setenv("SPW_PROGRAM", "here/bin/spw", 1);
  expect("conform", 70, "err", "/here/bin/spw");
  expect("conform cases", 70, "err", "/here/bin/spw");
  cr_assert(output_has("err", "not installed"));
  cr_assert(system("mkdir -p here/share/sparsewright/conformance") == 0);
  write_text("here/share/sparsewright/conformance/conform", "#!/no/such/interpreter\n");
  cr_assert(chmod("here/share/sparsewright/conformance/conform", 0700) == 0);
  expect("conform", 70, "err", "cannot run ");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void expect_keys(json_t *object, const char *const *keys)
{
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    cr_assert(*keys && strcmp(key, *keys) == 0, "key %s, not %s", key, *keys ? *keys : "the end");
    keys++;
  }
  cr_assert(!*keys, "no key %s", *keys);
}

static const char *text_of(json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static void expect_violation(json_t *violation)
{
  static const char *const keys[] = {"rule", "array", "batch", "position", "lhs", "rhs", "count",
      "message", NULL};
  expect_keys(violation, keys);
  cr_assert(spw_rule_from_id(text_of(violation, "rule")) != SPW_RULE_NONE);
  cr_assert(json_is_array(json_object_get(violation, "batch")));
  json_t *position = json_object_get(violation, "position"), *array = json_object_get(violation,
      "array");
  cr_assert(json_is_null(position) || json_integer_value(position) >= 0);
  cr_assert(json_is_null(array) || json_is_string(array));
  cr_assert(json_is_integer(json_object_get(violation, "lhs")));
  cr_assert(json_is_integer(json_object_get(violation, "rhs")));
  cr_assert(json_integer_value(json_object_get(violation, "count")) >= 1);
  cr_assert(text_of(violation, "message")[0]);
}

/* What spec/check-output.schema.json says. */
static void expect_schema(json_t *line)
{
  static const char *const keys[] = {"file", "line", "verdict", "layout", "size", "size_inferred",
      "nse",
                                     "violations", "not_evaluated", "error", NULL};
  static const char *const error_keys[] = {"kind", "where", "message", NULL};
  expect_keys(line, keys);
  json_t *violations = json_object_get(line, "violations"), *error = json_object_get(line, "error");
  json_t *hidden = json_object_get(line, "not_evaluated"), *value;
  const bool malformed = strcmp(text_of(line, "verdict"), "malformed") == 0;
  const bool invalid = strcmp(text_of(line, "verdict"), "invalid") == 0;
  cr_assert(malformed || invalid || strcmp(text_of(line, "verdict"), "valid") == 0);
  cr_assert(json_is_array(violations) && (json_array_size(violations) > 0) == invalid);
  cr_assert(malformed ? json_is_object(error) : json_is_null(error));
  if (malformed) {
    expect_keys(error, error_keys);
    cr_assert(text_of(error, "kind")[0] && text_of(error, "message")[0]);
    cr_assert(json_array_size(hidden) == 0);
  }
  size_t i;
  json_array_foreach(violations, i, value) expect_violation(value);
  json_array_foreach(hidden, i, value)
    cr_assert(spw_rule_from_id(json_string_value(value)) != SPW_RULE_NONE);
  if (json_is_true(json_object_get(line, "size_inferred")))
    cr_assert(json_is_array(json_object_get(line, "size")));
}

/* Line `number` (from 0) of stdout, judged by the schema; null behind the last. */
static json_t *json_line(int number)
{
  char *line = strtok(read_text("out"), "\n");
  while (line && number-- > 0) line = strtok(NULL, "\n");
  if (!line) return NULL;
  json_error_t error;
  json_t *value = json_loads(line, 0, &error);
  cr_assert(value, "not JSON: %s: %s", error.text, line);
  expect_schema(value);
  return value;
}

static void expect_verdict(int number, const char *file, int line, const char *verdict)
{
  json_t *value = json_line(number);
  cr_assert(value, "no line %d", number);
  cr_assert_str_eq(text_of(value, "file"), file);
  cr_assert_str_eq(text_of(value, "verdict"), verdict);
  cr_assert(json_integer_value(json_object_get(value, "line")) == line, "line of %s", file);
  json_decref(value);
}

Test(cli, json_lines)
{
  cr_assert(spw("check --json bad.spw.json lines.spw.jsonl missing other.txt") == 3);
  expect_verdict(0, "bad.spw.json", 0, "invalid");
  expect_verdict(1, "lines.spw.jsonl", 1, "valid");
  expect_verdict(2, "lines.spw.jsonl", 3, "malformed");
  expect_verdict(3, "lines.spw.jsonl", 4, "invalid");
  expect_verdict(4, "lines.spw.jsonl", 5, "valid");
  expect_verdict(5, "missing", 0, "malformed");
  expect_verdict(6, "other.txt", 0, "malformed");
  cr_assert(!json_line(7), "more lines than tensors");
  json_t *inferred = json_line(4), *bad = json_line(0), *missing = json_line(5);
  json_t *expected =
      json_loads("{\"rule\": \"5.3\", \"array\": \"compressed_indices\", \"batch\": [],"
                 " \"position\": 2, \"lhs\": -2, \"rhs\": 0, \"count\": 1,"
                 " \"message\": \"compressed_indices[2]: 4 - 6 = -2 is below 0\"}",
                 0, NULL);
  cr_assert(json_equal(json_array_get(json_object_get(bad, "violations"), 0), expected));
  cr_assert(json_is_true(json_object_get(inferred, "size_inferred")));
  json_t *size = json_loads("[2, 4]", 0, NULL);
  cr_assert(json_equal(json_object_get(inferred, "size"), size));
  cr_assert(json_integer_value(json_object_get(inferred, "nse")) == 4);
  cr_assert_str_eq(text_of(json_object_get(missing, "error"), "kind"), "unreadable");
  json_t *all[] = {inferred, bad, missing, expected, size};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) json_decref(all[i]);
  expect("check --json --quiet good.spw.json bad.spw.json", 1, "out", "bad.spw.json");
  cr_assert(!output_has("out", "good.spw.json"), "--quiet prints valid tensors");
}

Test(cli, names_from_strangers)
{
  write_text("\x1b[31m\n\xff.spw.json", csr("[2, 6]", 2, "0, 2, 4", 4, "0, 1, 2, 3"));
  write_text("<&\"'>\xef\xbf\xbf.spw.json", "{");
  write_text("\x7f\xc2\x9b\xe2\x80\xae\xc3\xa9.spw.json", "{");
  cr_assert(spw("check *.spw.json") == 3);
  cr_assert(output_has("out", "\\x7f\\u009b\\u202e\xc3\xa9.spw.json: malformed"), "%s",
            read_text("out"));
  cr_assert(!output_has("out", "\x1b") && output_has("out", "\\x1b[31m\\n\\xff.spw.json: valid"));
  cr_assert(spw("check --json --sarif=s --junit=j *spw.json") == 3);
  cr_assert(output_has("out", "\\n\xef\xbf\xbd.spw.json\""), "%s", read_text("out"));
  for (int i = 0; i < 6; i++) json_decref(json_line(i));
  json_t *log = json_loads(read_text("s"), 0, NULL);
  cr_assert(log && output_has("s", "%3C%26%22%27%3E"));
  json_decref(log);
  cr_assert(output_has("j", "&lt;&amp;&quot;'&gt;\xef\xbf\xbd") && !output_has("j", "\x1b"));
}

/* What is not UTF-8 (lone and missing continuations, overlong forms, surrogates, beyond Unicode) is
 * shown byte by byte; what turns text around, as its code. */
Test(cli, names_that_are_hardly_text)
{
  static const struct {
    const char *name, *shown;
  } names[] = {{"\x80x", "\\x80x"},
               {"\xc3x", "\\xc3x"},
               {"\xc0\xaf", "\\xc0\\xaf"},
               {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
               {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
               {"\xf0\x9f\xa6\x94", "\xf0\x9f\xa6\x94"},
               {"\xe2\x80\x8e\xe2\x80\x8f\xe2\x81\xa6", "\\u200e\\u200f\\u2066"},
               {"\xef\xbf\xbe", "\xef\xbf\xbe"},
               {"a\tb", "a\\tb"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char file[64], shown[64];
    snprintf(file, sizeof file, "odd%s.spw.json", names[i].name);
    snprintf(shown, sizeof shown, "odd%s.spw.json: malformed", names[i].shown);
    write_text(file, "{");
    expect("check --junit=j odd*", 3, "out", shown);
    cr_assert(is_well_formed(read_text("j")) && !output_has("j", "\xef\xbf\xbe"));
    cr_assert(remove(file) == 0);
  }
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* The tensor of a JSON text, written by a writer of the library to a file. */
static void write_as(const char *path, const char *json,
                     spw_status (*write)(const spw_tensor *, void **, size_t *, spw_error *))
{
  spw_owned *owned;
  void *bytes;
  size_t size;
  spw_error error = {"", ""};
  cr_assert(spw_read_json(json, strlen(json), 0, &owned, &error) == SPW_OK, "%s", error.message);
  cr_assert(write(spw_owned_tensor(owned), &bytes, &size, &error) == SPW_OK, "%s", error.message);
  write_bytes(path, bytes, size);
  spw_owned_free(owned);
  free(bytes);
}

static void write_gzip(const char *path, const char *text)
{
  gzFile out = gzopen(path, "w");
  cr_assert(out && gzputs(out, text) > 0 && gzclose(out) == Z_OK);
}

/* A zip that is none of SciPy's, and refused for that. */
static void write_many_members(const char *path)
{
  zip_t *zip = zip_open(path, ZIP_CREATE, NULL);
  cr_assert(zip != NULL);
  for (int i = 0; i < 99; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    cr_assert(zip_file_add(zip, name, zip_source_buffer(zip, "", 0, 0), 0) >= 0);
  }
  cr_assert(zip_close(zip) == 0);
}

Test(cli, formats)
{
  static const char mtx[] =
      "%%MatrixMarket matrix coordinate real general\n2 6 2\n1 1 1.5\n2 3 4\n";
  write_text("a.mtx", mtx);
  write_gzip("b.mtx.gz", mtx);
  write_as("c.npz", csr("[2, 6]", 2, "0, 2, 4", 4, "0, 1, 2, 3"), spw_write_npz);
  cr_assert(system("cp c.npz npz_without_name; cp b.mtx.gz gz_without_name") == 0);
  expect("check a.mtx b.mtx.gz c.npz npz_without_name gz_without_name", 0, "out",
      "5 files: 5 valid\n");
  cr_assert(output_has("out", "a.mtx: valid  coo 2x6, nse 2") && output_has("out",
      "c.npz: valid  csr 2x6, nse 4"));
  write_text("empty.mtx", "");
  write_text("empty.npz", "");
  write_text("empty.spw.json", "");
  write_text("empty.spw.jsonl", " \n\t\r\n");
  write_text("list.spw.json", "[1]");
  expect("check empty.* list.spw.json", 3, "out", "5 files: 5 malformed\n");
  write_text("c.mtx.gz", "neither");
  write_many_members("d.npz");
  expect("check c.mtx.gz d.npz", 3, "out", "2 files: 1 malformed, 1 unsupported\n");
  write_text("json_without_name", " \t{\"spw\": 1, \"layout\": \"csr\"}");
  expect("check json_without_name", 3, "out", "json_without_name: malformed");
}

static void write_dense(const char *path)
{
  static const int64_t shape[] = {2, 3}, strides[] = {1, 2};
  static const float numbers[] = {1, 2, 3, 4, 5, 6};
  const spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT32, 2, shape, strides, 0, 6}, numbers}};
  void *bytes;
  size_t size;
  cr_assert(spw_write_npy(&dense, &bytes, &size, NULL) == SPW_OK);
  FILE *file = fopen(path, "wb");
  cr_assert(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
  free(bytes);
}

static void write_dense_json(const char *path, const char *extra, const char *array)
{
  char text[512];
  snprintf(text, sizeof text, "{\"spw\":1,\"layout\":\"dense\"%s,\"values\":{\"dtype\":\"int8\",%s}}", extra, array);
  write_text(path, text);
}

/* By the rules that are about any array of values: no index, no layout. */
Test(cli, dense_arrays_are_judged)
{
  static const char *const commands[] = {"check --json --level=shape npy_without_name",
                                         "check --json --first - < a.npy", "check --json dense.spw.json"};
  write_dense("a.npy");
  write_dense("npy_without_name");
  write_dense_json("dense.spw.json", "", "\"shape\":[],\"data\":[7]");
  expect("check a.npy good.spw.json dense.spw.json", 0, "out", "3 files: 3 valid\n");
  cr_assert(output_has("out", "a.npy: valid  dense 2x3, float32\n"), "%s", read_text("out"));
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    cr_assert(spw(commands[i]) == 0, "%s", commands[i]);
    json_t *line = json_line(0);
    cr_assert_str_eq(text_of(line, "verdict"), "valid");
    cr_assert_str_eq(text_of(line, "layout"), "dense");
    cr_assert(json_is_null(json_object_get(line, "nse")));
    json_decref(line);
  }
  static const struct { const char *extra, *array, *says; } broken[] = {
      {",\"dtype\":\"int16\"", "\"shape\":[1],\"data\":[7]", "values are int8, but dtype is int16"},
      {"", "\"shape\":[4294967296,4294967296],\"strides\":[0,0],\"data\":[7]", "\n  3.11"},
      {"", "\"shape\":[2,-1],\"data\":[7]", "size[1] is -1, below 0\n"},
      {"", "\"shape\":[-2,3,-1],\"data\":[7]", "size[0] is -2, below 0 (first of 2 places)\n"},
      {"", "\"shape\":[2,3],\"data\":[7]", "values reach storage position 5, but the storage has 1 elements"},
      {"", "\"shape\":[2,3],\"strides\":[3,-1],\"data\":[7]", "values: stride -1 of dimension 1 is below 0"},
      {"", "\"shape\":[1],\"offset\":-4,\"data\":[7]", "values: the offset -4 is below 0"}};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    write_dense_json("broken.spw.json", broken[i].extra, broken[i].array);
    expect("check broken.spw.json", 1, "out", "broken.spw.json: invalid  dense ");
    cr_assert(output_has("out", broken[i].says), "%s: %s", broken[i].array, read_text("out"));
    cr_assert(!output_has("out", "  6.") && !output_has("out", ": 6."), "%s", read_text("out"));
  }
  expect("check --json broken.spw.json", 1, "out", "\"rule\": \"3.14\", \"array\": \"values\"");
  write_text("cut.npy", "\x93NUMPY\1");
  expect("check cut.npy", 3, "out", "cut.npy: malformed\n  too short for a .npy file");
  /* where sparse tensors are looked for, files that can hold none are no trouble */
  cr_assert(mkdir("arrays", 0777) == 0);
  write_dense("arrays/a.npy");
  expect("check -r arrays", 3, "out", "no file with a known name");
  cr_assert(system("cp good.spw.json arrays") == 0);
  expect("check -r arrays", 0, "out", "arrays/good.spw.json: valid");
  cr_assert(!output_has("out", "a.npy"));
}

/* Blank, long or endless: what is read, and what is refused before all of it is. */
Test(cli, large_files)
{
  cr_assert(
      system("head -c 300000 /dev/zero | tr '\\0' ' ' > blank; cp good.spw.json padded.spw.json;"
             " cat blank >> padded.spw.json; cat blank good.spw.json > late") == 0);
  expect("check padded.spw.json late", 0, "out", "2 files: 2 valid\n");
  expect("check - < blank", 3, "out", "no known format");
  cr_assert(system("cat padded.spw.json | \"$SPW_PROGRAM\" check - >out") == 0);
  cr_assert(system("yes | head -c 300000 > letters") == 0);
  expect("check letters", 3, "out", "no known format");
  cr_assert(system("(printf '\\0\\n'; cat good.spw.json late bad.spw.json) > hole.spw.jsonl") == 0);
  expect("check hole.spw.jsonl", 3, "out", "hole.spw.jsonl: malformed\n  the file begins with a zero byte and is of no ");
  expect("check /proc/self/mem", 3, "out", "unreadable");
  cr_assert(system("truncate -s 100G huge.npz") == 0);
  expect("check huge.npz", 3, "out", "more than the limit of");
  write_text("many", "%%MatrixMarket matrix coordinate real general\n");
  cr_assert(
      system("(cat many; head -c 100000000 /dev/zero | tr '\\0' '\\n') | gzip > bomb.mtx.gz") == 0);
  expect("check bomb.mtx.gz", 3, "out", "bomb.mtx.gz: not checked\n");
  if (SANITIZED) return; /* takes address space without end */
  cr_assert(system("(printf '{'; head -c 400000000 /dev/zero) | (ulimit -v 200000;"
                   " \"$SPW_PROGRAM\" check - >out)") != 0);
  cr_assert(output_has("out", "not enough memory for the file"), "%s", read_text("out"));
  cr_assert(
      system(
          "truncate -s 400M large.npz; ulimit -v 200000; \"$SPW_PROGRAM\" check large.npz >out") !=
      0);
  cr_assert(output_has("out", "not enough memory for 419430400 bytes"), "%s", read_text("out"));
}

/* Enters a new folder of a long name; the path to it may be longer than any path. */
static void go_deeper(void)
{
  char name[200];
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = 0;
  cr_assert(mkdir(name, 0700) == 0 && chdir(name) == 0);
}

Test(cli, many_files)
{
  expect("check $(yes good.spw.json | head -99)", 0, "out", "99 files: 99 valid\n");
  cr_assert(mkdir("d", 0700) == 0 && chdir("d") == 0);
  for (int depth = 0; depth < 20; depth++) go_deeper();
  cr_assert(system("printf '' > $(printf %0120d 0).npz") == 0);
  go_deeper();
  cr_assert(chdir(directory) == 0);
  expect("check -r d", 3, "out", "File name too long");
}

Test(cli, standard_input)
{
  expect("check --json - < bad.spw.json", 1, "out",
      "\"file\": \"-\", \"line\": null, \"verdict\": \"invalid\"");
  expect("check - < torn.spw.json", 3, "out", "-: malformed");
  expect("check - < /dev/null", 3, "out", "the file is empty");
  expect("check - < .", 3, "out", "-: unreadable");
  expect("check - <&-", 3, "out", "-: unreadable");
  cr_assert(spw("check --json - < lines.spw.jsonl") == 3);
  expect_verdict(0, "-", 1, "valid");
  expect_verdict(1, "-", 3, "malformed");
  expect_verdict(2, "-", 4, "invalid");
  expect_verdict(3, "-", 5, "valid");
  cr_assert(system("sed 's/, /,\\n/g' good.spw.json > broken_up") == 0);
  expect("check --json - < broken_up", 0, "out", "\"line\": null");
  expect("check /dev/zero", 3, "out", "no known format");
  cr_assert(mkfifo("fifo", 0600) == 0);
  expect("check fifo & cat good.spw.json > fifo; wait $!", 0, "out", "fifo: valid");
}

Test(cli, directories)
{
  cr_assert(
      system("mkdir -p d/b/c d/a e && cp good.spw.json d/b/c/ && cp good.spw.json d/a/z.spw.json"
             " && cp lines.spw.jsonl d && cp other.txt d && ln -s .. d/a/up && mkfifo d/f.npz"
             " && ln -s gone d/gone.mtx && mkdir d/x.npz") == 0);
  cr_assert(spw("check --json -r d good.spw.json") == 3);
  expect_verdict(0, "d/a/z.spw.json", 0, "valid");
  expect_verdict(1, "d/b/c/good.spw.json", 0, "valid");
  expect_verdict(2, "d/gone.mtx", 0, "malformed");
  expect_verdict(3, "d/lines.spw.jsonl", 1, "valid");
  expect_verdict(7, "good.spw.json", 0, "valid");
  cr_assert(!json_line(8), "more than the files of known name");
  expect("check -r e", 3, "out", "no file with a known name");
  expect("info -r d/b/", 0, "out", "d/b/c/good.spw.json\n");
}

/* ---- Options --------------------------------------------------------------------------------- */

static size_t violations(void)
{
  json_t *line = json_line(0);
  const size_t count = json_array_size(json_object_get(line, "violations"));
  json_decref(line);
  return count;
}

static bool has_size(void);

static bool is_hidden(const char *rule)
{
  json_t *line = json_line(0), *id;
  bool found = false;
  size_t i;
  json_array_foreach(json_object_get(line, "not_evaluated"), i, id)
    found = found || strcmp(json_string_value(id), rule) == 0;
  json_decref(line);
  return found;
}

Test(cli, levels_and_first)
{
  write_text("two.spw.json", csr("[2, 6]", 2, "1, 2, 4", 4, "0, -1, 2, 9"));
  cr_assert(spw("check --json two.spw.json") == 1 && violations() == 3);
  cr_assert(spw("check --json --first --all two.spw.json") == 1 && violations() == 3);
  cr_assert(spw("check --json --first two.spw.json") == 1 && violations() == 1);
  cr_assert(is_hidden("5.2") && is_hidden("5.6") && !is_hidden("5.1") && !is_hidden("3.1"));
  cr_assert(spw("check --json --level=shape two.spw.json") == 0 && is_hidden("5.1"));
  write_text("order.spw.json", csr("[1, 6]", 1, "0, 2", 2, "3, 3"));
  cr_assert(spw("check --json --level structure order.spw.json") == 0 && is_hidden("5.6"));
  cr_assert(spw("check --json --first --level structure order.spw.json") == 0 && is_hidden("5.6"));
  cr_assert(!is_hidden("5.1"));
  cr_assert(spw("check --json --level canonical order.spw.json") == 1 && violations() == 1);
  expect("check --level=shape two.spw.json", 0, "out", "shape rules only");
  expect("check --level=structure order.spw.json", 0, "out", "up to structure rules");
  write_text("shape.spw.json", csr("[2, 6]", 1, "0, 2", 2, "0, 1"));
  expect("check --level=shape shape.spw.json", 1, "out", "3.8 ");
  cr_assert(!output_has("out", "5.1"), "what was not asked for is listed");
  write_text("unsized.spw.json", csr("", 2, "0, 6, 4", 4, "0, 1, 2, 3"));
  cr_assert(spw("check --json unsized.spw.json") == 1 && has_size());
}

static bool has_size(void)
{
  json_t *line = json_line(0);
  const bool known = json_is_array(json_object_get(line, "size"));
  cr_assert(known == json_is_true(json_object_get(line, "size_inferred")));
  json_decref(line);
  return known;
}

/* The shape rules that need the indices are judged where these are read: beyond the level shape. */
Test(cli, inferred_sizes)
{
  static const char *const options[] = {"", "--first ", "--level=structure ",
                                        "--first --level=structure "};
  char command[128];
  write_text("large.spw.json", csr("", 1, "0, 2", 2, "0, 9223372036854775807"));
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    snprintf(command, sizeof command, "check --json %slarge.spw.json", options[i]);
    expect(command, 1, "out", "\"rule\": \"1.6\"");
    cr_assert(violations() == 1 && is_hidden("5.1") && !has_size(), "%s", command);
  }
  cr_assert(spw("check --json --level=shape large.spw.json") == 0);
  cr_assert(is_hidden("5.1") && !has_size());
  write_text("small.spw.json", csr("", 1, "0, 2", 2, "0, 5"));
  cr_assert(spw("check --json --level=shape small.spw.json") == 0 && !has_size());
  cr_assert(spw("check --json --first small.spw.json") == 0 && has_size());
  expect("check --level=shape small.spw.json", 0, "out", "csr of unknown size, nse 2");
}

Test(cli, quiet_and_colour)
{
  cr_assert(spw("check -q good.spw.json good.spw.json") == 0 && read_text("out")[0] == 0);
  expect("check -q good.spw.json bad.spw.json", 1, "out", "bad.spw.json");
  cr_assert(!output_has("out", "good") && !output_has("out", "files"));
  expect("check --color=always bad.spw.json", 1, "out", "\033[");
  expect("explain --color=always 5.3", 0, "out", "\033[");
  static const char *const plain[] = {"check bad.spw.json", "check --color=never bad.spw.json",
                                      "check --color=auto bad.spw.json", "explain 5.3"};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    spw(plain[i]);
    cr_assert(!output_has("out", "\033"), "colour in %s", plain[i]);
  }
}

Test(cli, terminal)
{
#define CHECK_BAD "\"$SPW_PROGRAM\" check bad.spw.json"
  cr_assert(strstr(on_terminal("unset NO_COLOR; TERM=xterm " CHECK_BAD, 80), "\033["));
  cr_assert(strstr(on_terminal("TERM=xterm NO_COLOR= " CHECK_BAD, 80), "\033["));
  cr_assert(!strstr(on_terminal("TERM=xterm NO_COLOR=1 " CHECK_BAD, 80), "\033"));
  cr_assert(!strstr(on_terminal("unset NO_COLOR; TERM=dumb " CHECK_BAD, 80), "\033"));
  const char *explained = on_terminal("NO_COLOR=1 \"$SPW_PROGRAM\" explain 5.3", 50);
  cr_assert(longest_line(explained) <= 50 && longest_line(explained) > 40);
  cr_assert(strstr(on_terminal("unset NO_COLOR TERM; " CHECK_BAD, 80), "\033["));
  cr_assert(longest_line(on_terminal("NO_COLOR=1 \"$SPW_PROGRAM\" explain 5.3", 0)) > 70);
  cr_assert(longest_line(on_terminal("NO_COLOR=1 \"$SPW_PROGRAM\" explain 5.3", 10)) > 30);
  write_text("strides.spw.json",
             "{\"spw\": 1, \"layout\": \"csr\", \"compressed_indices\": {\"dtype\":"
             " \"int64\", \"shape\": [1], \"strides\": [1, 2], \"data\": [0]}}");
  const char *torn = on_terminal("NO_COLOR=1 \"$SPW_PROGRAM\" check strides.spw.json", 50);
  cr_assert(strstr(torn, "\n    ") && longest_line(torn) <= 50, "%s", torn);
  /* Longer than the second after which it is told, even where the machine is so busy that spw begins late. */
  const char *late = on_terminal(
      "(sleep 3; cat lines.spw.jsonl) | NO_COLOR=1 \"$SPW_PROGRAM\" check good.spw.json - >out",
      80);
  cr_assert(strstr(late, " s left"), "%s", late);
  const char *slow = on_terminal(
      "(cat lines.spw.jsonl; sleep 1.2; echo) | NO_COLOR=1 \"$SPW_PROGRAM\" check - >out", 80);
  cr_assert(strstr(slow, " tensors, ") && strstr(slow, "\r\033[K\0"), "no progress: %s", slow);
  const char *dumb = on_terminal(
      "(cat lines.spw.jsonl; sleep 1.2; echo) | TERM=dumb \"$SPW_PROGRAM\" check - >out", 80);
  cr_assert(!dumb[0], "a dumb terminal is written to: %s", dumb);
  cr_assert(!strstr(on_terminal("NO_COLOR=1 " CHECK_BAD " 2>&1 >out", 80), "tensors"),
      "progress at once");
}

/* ---- Reports --------------------------------------------------------------------------------- */

Test(cli, sarif)
{
  expect("check --sarif=log.sarif \"$PWD/bad.spw.json\"", 1, "out", "invalid");
  cr_assert(output_has("log.sarif", "\"file:///"));
  cr_assert(spw("check --sarif=log.sarif good.spw.json bad.spw.json lines.spw.jsonl missing") == 3);
  json_t *log = json_loads(read_text("log.sarif"), 0, NULL);
  cr_assert(log && strcmp(text_of(log, "version"), "2.1.0") == 0);
  json_t *run = json_array_get(json_object_get(log, "runs"), 0), *driver, *rule, *result;
  driver = json_object_get(json_object_get(run, "tool"), "driver");
  json_t *rules = json_object_get(driver, "rules"), *results = json_object_get(run, "results");
  cr_assert(json_array_size(rules) == SPW_RULE_COUNT + SPW_SEMI_RULE_COUNT && json_array_size(results) == 2);
  size_t i;
  json_array_foreach(rules, i, rule) {
    const spw_rule_info *const info = i < SPW_RULE_COUNT ? spw_rule_get((spw_rule)i)
                                                         : spw_semi_rule_get((spw_semi_rule)(i - SPW_RULE_COUNT));
    cr_assert(strcmp(text_of(rule, "id") + strlen("SPW-"), info->id) == 0);
    cr_assert(text_of(json_object_get(rule, "shortDescription"), "text")[0]);
    cr_assert(text_of(json_object_get(rule, "help"), "text")[0]);
  }
  const char *prints[2];
  json_array_foreach(results, i, result) {
    rule = json_array_get(rules, (size_t)json_integer_value(json_object_get(result, "ruleIndex")));
    cr_assert_str_eq(text_of(result, "ruleId"), "SPW-5.3");
    cr_assert_str_eq(text_of(rule, "id"), "SPW-5.3");
    cr_assert(strstr(text_of(json_object_get(result, "message"), "text"), "4 - 6 = -2"));
    prints[i] = text_of(json_object_get(result, "partialFingerprints"), "spwTensorRuleArray/v1");
    cr_assert(strlen(prints[i]) == 16);
    json_t *place = json_object_get(json_array_get(json_object_get(result, "locations"), 0),
        "physicalLocation");
    cr_assert_str_eq(text_of(json_object_get(place, "artifactLocation"), "uri"), i ?
        "lines.spw.jsonl" : "bad.spw.json");
    const json_t *line = json_object_get(json_object_get(place, "region"), "startLine");
    cr_assert(json_integer_value(line) == (i ? 4 : 1));
  }
  cr_assert(strcmp(prints[0], prints[1]) != 0);
  json_t *invocation = json_array_get(json_object_get(run, "invocations"), 0);
  cr_assert(json_is_false(json_object_get(invocation, "executionSuccessful")));
  cr_assert(json_array_size(json_object_get(invocation, "toolExecutionNotifications")) == 2);
  json_decref(log);
}

Test(cli, junit)
{
  cr_assert(is_well_formed("<a b=\"c>&lt;\"><d/>x</a>") && !is_well_formed("<a><b></a></b>"));
  cr_assert(!is_well_formed("<a>&</a>") && !is_well_formed("<a>")
      && !is_well_formed("<a b=\"<\"></a>"));
  cr_assert(spw("check -q --junit=report.xml good.spw.json bad.spw.json lines.spw.jsonl missing") ==
            3);
  char *xml = read_text("report.xml");
  cr_assert(is_well_formed(xml), "%s", xml);
  cr_assert(strstr(xml, "tests=\"7\" failures=\"2\" errors=\"2\""), "%s", xml);
  cr_assert(strstr(xml, "<testcase classname=\"lines.spw.jsonl\" name=\"line 1\"/>"), "%s", xml);
  cr_assert(strstr(xml,
      "<failure type=\"5.3\" message=\"compressed_indices[2]: 4 - 6 = -2 is below 0\">"), "%s",
      xml);
}

/* ---- Messages -------------------------------------------------------------------------------- */

typedef struct array_text { const char *dtype, *shape, *rest; } array_text;

typedef struct message_case {
  const char *rule, *message;
  const char *head; /* layout, size and declarations */
  array_text compressed, plain, values;
} message_case;

#define A(dtype, shape, rest) {dtype, shape, rest}
#define F(dtype, shape, length) {dtype, shape, "\"fill\": 0, \"length\": " length}
#define CSR "\"layout\": \"csr\", \"size\": [2, 3]"
#define C2 A("int64", "[3]", "\"data\": [0, 1, 2]")
#define P2 A("int64", "[2]", "\"data\": [0, 1]")
#define V2 F("float32", "[2]", "2")

static const message_case messages[] = {
    {"1.1", "compressed_indices are int64, but index_dtype is int32",
     CSR ", \"index_dtype\": \"int32\"", C2, P2, V2},
    {"1.2", "plain_indices are int32, but compressed_indices are int64", CSR, C2,
     F("int32", "[2]", "2"), V2},
    {"1.2", "plain_indices are int32, but index_dtype is int64", CSR ", \"index_dtype\": \"int64\"",
     C2, F("int32", "[2]", "2"), V2},
    {"1.3", "the index type is int16, neither int32 nor int64", CSR, F("int16", "[3]", "3"),
     F("int16", "[2]", "2"), V2},
    {"1.4", "values are float32, but dtype is int8", CSR ", \"dtype\": \"int8\"", C2, P2, V2},
    {"1.6", "P is 3000000000, more than the largest number of the index type, 2147483647",
     "\"layout\": \"csr\", \"size\": [2, 3000000000]", F("int32", "[3]", "3"),
     F("int32", "[2]", "2"), V2},
    {"1.6", "nse is 3000000000, more than the largest number of the index type, 2147483647", CSR,
     F("int32", "[3]", "3"), A("int32", "[3000000000]", "\"data\": [0]"), V2},
    {"1.6", "C is 3000000000, more than the largest number of the index type, 2147483647",
     "\"layout\": \"csr\"", A("int32", "[3000000001]", "\"data\": [0]"), F("int32", "[2]", "2"),
     V2},
    {"1.6", "plain_indices go up to 2147483647, so P would be 2147483648, more than the largest",
     "\"layout\": \"csr\"", A("int32", "[3]", "\"data\": [0, 1, 2]"),
     A("int32", "[2]", "\"data\": [0, 2147483647]"), V2},
    {"1.6", "plain_indices go up to 9223372036854775807, so P would be 9223372036854775808, more",
     "\"layout\": \"csc\"", C2, A("int64", "[2]", "\"data\": [0, 9223372036854775807]"), V2},
    {"1.6",
     "size[1] is 3000000000, more than the largest number of the index type, 2147483647",
     "\"layout\": \"coo\", \"size\": [3, 3000000000]",
     {0},
     F("int32", "[2, 2]", "4"),
     V2},
    {"1.6",
     "indices go up to 2147483647, so a size would be 2147483648, more than the largest",
     "\"layout\": \"coo\"",
     {0},
     A("int32", "[2, 2]", "\"data\": [0, 1, 2, 2147483647]"),
     V2},
    {"3.1", "len(size) is 1, but batch, rows, columns and dense make 2",
     "\"layout\": \"csr\", \"size\": [2]", C2, P2, V2},
    {"3.1", "size[0] is 4, but the batch shape has 1 there",
     "\"layout\": \"csr\", \"size\": [4, 2, 3]", A("int64", "[1, 3]", "\"data\": [0, 1, 2]"),
     A("int64", "[1, 2]", "\"data\": [0, 1]"), F("float32", "[1, 2]", "2")},
    {"3.1", "block size 3 does not divide size[1], which is 4",
     "\"layout\": \"bsr\", \"size\": [2, 4]", F("int64", "[3]", "3"), F("int64", "[0]", "0"),
     F("float32", "[0, 1, 3]", "0")},
    {"3.2", "dim(compressed_indices) is 0, but at least 1 is needed", CSR, F("int64", "[]", "1"),
     P2, V2},
    {"3.3", "dim(plain_indices) is 2, but dim(compressed_indices) is 1", CSR, C2,
     F("int64", "[1, 2]", "2"), V2},
    {"3.4", "dim(values) is 0, but at least 1 is needed", CSR, C2, P2, F("float32", "[]", "1")},
    {"3.5", "the last stride of compressed_indices is 2, not 1", CSR,
     A("int64", "[3]", "\"strides\": [2], \"data\": [0, 0, 1, 1, 2]"), P2, V2},
    {"3.6", "the last stride of plain_indices is 0, not 1", CSR, C2,
     A("int64", "[2]", "\"strides\": [0], \"data\": [0]"), V2},
    {"3.8", "compressed_indices have 4 entries a batch, but C + 1 is 3", CSR,
     A("int64", "[4]", "\"data\": [0, 1, 2, 2]"), P2, V2},
    {"3.9", "plain_indices.shape[0] is 2, but the batch shape has 1 there",
     "\"layout\": \"csr\", \"size\": [1, 2, 3]", A("int64", "[1, 3]", "\"data\": [0, 1, 2]"),
     A("int64", "[2, 2]", "\"data\": [0, 1, 0, 1]"), F("float32", "[1, 2]", "2")},
    {"3.10", "values.shape[0] is 3, but nse is 2", CSR, C2, P2, F("float32", "[3]", "3")},
    {"3.10", "values.shape[1] is 5, but size has 4 there",
     "\"layout\": \"csr\", \"size\": [2, 3, 4]", C2, P2, F("float32", "[2, 5]", "10")},
    {"3.11", "the product of size is more than the largest int64",
     "\"layout\": \"csr\", \"size\": [2, 9223372036854775807]", C2, P2, V2},
    {"3.11", "size[2] is inferred from 3 blocks, but only 2 of them fit in int64", "\"layout\": \"bsr\"",
     A("int64", "[1, 2]", "\"data\": [0, 1]"), A("int64", "[1, 1]", "\"data\": [2]"),
     F("float32", "[1, 1, 1, 4611686018427387903, 0]", "0")},
    {"3.12", "size[1] is -3, below 0", "\"layout\": \"csr\", \"size\": [2, -3]", C2, P2, V2},
    {"3.12", "plain_indices.shape[0] is -2, below 0", CSR, C2, F("int64", "[-2]", "2"), V2},
    {"3.13", "values.shape[2], a block size, is 0, below 1",
     "\"layout\": \"bsr\", \"size\": [2, 3]", C2, P2, F("float32", "[2, 1, 0]", "0")},
    {"3.14", "plain_indices reach storage position 1, but the storage has 1 elements", CSR, C2,
     A("int64", "[2]", "\"data\": [0]"), V2},
    {"3.14", "values: stride -1 of dimension 0 is below 0", CSR, C2, P2,
     A("int8", "[2]", "\"strides\": [-1], \"data\": [0, 0]")},
    {"3.14", "values: the offset -1 is below 0", CSR, C2, P2,
     A("int8", "[2]", "\"offset\": -1, \"data\": [0, 0]")},
    {"3.14", "values reach beyond storage position 2^63 - 2, but the storage has 2 elements", CSR,
     C2, P2,
     A("int8", "[2]", "\"strides\": [9223372036854775807], \"offset\": 1, \"data\": [0, 0]")},
    {"3.4", "dim(values) is 1, but at least 3 is needed", "\"layout\": \"bsr\", \"size\": [2, 3]",
     C2, P2, V2},
    {"3.13", "values.shape[1], a block size, is -1, below 1",
     "\"layout\": \"bsr\", \"size\": [2, 3]", C2, P2, F("float32", "[2, -1, 3]", "0")},
    {"3.2", "dim(compressed_indices) is 0, but at least 1 is needed", CSR,
     A("int64", "[]", "\"data\": [0]"), A("int64", "[]", "\"data\": [0]"), V2},
    {"3.12", "compressed_indices.shape[0] is -3, below 0", CSR, F("int64", "[-3]", "3"), P2, V2},
    {"3.12",
     "indices.shape[0] is -2, below 0",
     "\"layout\": \"coo\", \"size\": [3]",
     {0},
     F("int64", "[-2, 2]", "2"),
     V2},
    {"3.10", "values.shape[0] is 3, but the batch shape has 2 there",
     "\"layout\": \"csr\", \"size\": [2, 2, 3]", F("int64", "[2, 3]", "6"),
     F("int64", "[2, 0]", "0"), F("float32", "[3, 0]", "0")},
    {"5.3", "compressed_indices[2]: 0 - 2 = -2 is below 0", "\"layout\": \"bsc\", \"size\": [6, 2]",
     A("int64", "[3]", "\"data\": [0, 2, 0]"), P2, F("float32", "[2, 1, 1]", "2")},
    {"5.4", "plain_indices[1] in row 1: -1 is below 0", CSR, A("int32", "[3]", "\"data\": [0, 1, 2]"),
     A("int32", "[2]", "\"data\": [0, -1]"), V2},
    {"6.7",
     "column 1 of indices repeats column 0",
     "\"layout\": \"coo\", \"coalesced\": true, \"size\": []",
     {0},
     F("int64", "[0, 2]", "0"),
     V2},
    {"6.7",
     "column 10 of indices repeats column 9",
     "\"layout\": \"coo\", \"coalesced\": true, \"size\": [30]",
     {0},
     A("int64", "[1, 11]", "\"data\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]"),
     F("float32", "[11]", "11")},
    {"5.1", "compressed_indices[0] is 1, not 0", CSR, A("int64", "[3]", "\"data\": [1, 1, 2]"), P2,
     V2},
    {"5.2", "compressed_indices[2], the last one, is 3, but nse is 2", CSR,
     A("int64", "[3]", "\"data\": [0, 1, 3]"), P2, V2},
    {"5.3", "compressed_indices[1]: 4 - 0 = 4 is more than P = 3 columns", CSR, A("int64", "[3]", "\"data\": [0, 4, 2]"), P2, V2},
    {"5.3", "compressed_indices[1]: 4 - 0 = 4 is more than P = 3 columns, so an index stands twice there", CSR,
     A("int64", "[3]", "\"data\": [0, 4, 4]"), A("int64", "[4]", "\"data\": [0, 1, 2, 2]"), F("float32", "[4]", "4")},
    {"5.4", "plain_indices[1] in row 1: -1 is below 0", CSR, C2, A("int64", "[2]", "\"data\": [0, -1]"), V2},
    {"5.5", "plain_indices[0] in row 0: 3 is not below P = 3 columns", CSR, C2,
     A("int64", "[2]", "\"data\": [3, 1]"), V2},
    {"5.5", "plain_indices[0] in column 0: 3 is not below P = 3 rows", "\"layout\": \"csc\", \"size\": [3, 2]",
     C2, A("int64", "[2]", "\"data\": [3, 1]"), V2},
    {"5.6", "plain_indices[2]: 1 comes after 2 in row 1", CSR,
     A("int64", "[3]", "\"data\": [0, 1, 3]"), A("int64", "[3]", "\"data\": [0, 2, 1]"),
     F("float32", "[3]", "3")},
    {"5.6", "plain_indices[1, 1]: 1 comes again after 1 in row 0",
     "\"layout\": \"csr\", \"size\": [2, 2, 3]",
     A("int64", "[2, 3]", "\"data\": [0, 1, 2, 0, 2, 2]"),
     A("int64", "[2, 2]", "\"data\": [0, 1, 1, 1]"), F("float32", "[2, 2]", "4")},
    {"5.4", "plain_indices[1, 0] in row 0 of batch 1: -7 is below 0", "\"layout\": \"csr\", \"size\": [2, 2, 3]",
     A("int64", "[2, 3]", "\"strides\": [0, 1], \"data\": [0, 1, 2]"),
     A("int64", "[2, 2]", "\"offset\": 1, \"strides\": [2, 1], \"data\": [9, 0, 1, -7, 1]"),
     F("float32", "[2, 2]", "4")},
    {"6.1",
     "dim(indices) is 1, but 2 is needed",
     "\"layout\": \"coo\", \"size\": [2, 3]",
     {0},
     P2,
     V2},
    {"6.2",
     "values.shape[0] is 3, but nse is 2",
     "\"layout\": \"coo\", \"size\": [3]",
     {0},
     A("int64", "[1, 2]", "\"data\": [0, 1]"),
     F("float32", "[3]", "3")},
    {"6.2",
     "values have no dimension",
     "\"layout\": \"coo\", \"size\": [3]",
     {0},
     A("int64", "[1, 2]", "\"data\": [0, 1]"),
     F("float32", "[]", "1")},
    {"6.3",
     "len(size) is 3, but sparse_dim + dense_dim is 1",
     "\"layout\": \"coo\", \"size\": [3, 1, 1]",
     {0},
     A("int64", "[1, 2]", "\"data\": [0, 1]"),
     V2},
    {"6.4",
     "values.shape[1] is 5, but size has 4 there",
     "\"layout\": \"coo\", \"size\": [3, 4]",
     {0},
     A("int64", "[1, 2]", "\"data\": [0, 1]"),
     F("float32", "[2, 5]", "10")},
    {"6.5",
     "indices[1, 0]: -4 is below 0",
     "\"layout\": \"coo\", \"size\": [3, 3]",
     {0},
     A("int64", "[2, 2]", "\"data\": [0, 1, -4, 1]"),
     V2},
    {"6.6",
     "indices[1, 1]: 7 is not below size[1] = 3",
     "\"layout\": \"coo\", \"size\": [3, 3]",
     {0},
     A("int64", "[2, 2]", "\"strides\": [1, 2], \"data\": [0, 1, 1, 7]"),
     V2},
    {"6.7",
     "column 1 of indices comes after column 0, but 1 is below 2",
     "\"layout\": \"coo\", \"coalesced\": true, \"size\": [3, 3]",
     {0},
     A("int64", "[2, 2]", "\"data\": [0, 0, 2, 1]"),
     V2},
    {"6.7",
     "column 1 of indices repeats column 0",
     "\"layout\": \"coo\", \"coalesced\": true, \"size\": [3, 3]",
     {0},
     A("int64", "[2, 2]", "\"data\": [0, 0, 1, 1]"),
     V2},
};

static void put_array(FILE *out, const char *name, array_text array)
{
  if (array.dtype)
    fprintf(out, ", \"%s\": {\"dtype\": \"%s\", \"shape\": %s, %s}", name, array.dtype,
        array.shape, array.rest);
}

static void write_case(const char *path, const message_case *c)
{
  FILE *out = fopen(path, "w");
  cr_assert(out);
  fprintf(out, "{\"spw\": 1, %s", c->head);
  put_array(out, "compressed_indices", c->compressed);
  put_array(out, c->compressed.dtype ? "plain_indices" : "indices", c->plain);
  put_array(out, "values", c->values);
  fputs("}\n", out);
  cr_assert(fclose(out) == 0);
}

static void expect_message(const message_case *c)
{
  json_t *line = json_line(0), *violation;
  bool found = false;
  size_t i;
  json_array_foreach(json_object_get(line, "violations"), i, violation)
    found = found || (strcmp(text_of(violation, "rule"), c->rule) == 0
                      && strncmp(text_of(violation, "message"), c->message,
                          strlen(c->message)) == 0);
  cr_assert(found, "no %s \"%s\": %s", c->rule, c->message, read_text("out"));
  json_decref(line);
}

Test(cli, messages)
{
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
    write_case("case.spw.json", &messages[i]);
    int status = spw("check --json case.spw.json");
    cr_assert(status == 1, "%s %s: exit %d: %s", messages[i].rule, messages[i].message, status,
        read_text("out"));
    expect_message(&messages[i]);
    status = spw("check case.spw.json");
    const char *text = read_text("out");
    cr_assert(status == 1 && longest_line(text) <= 80, "wide: %s", text);
    cr_assert(strstr(text, messages[i].rule) && strstr(text, "fix: "), "%s", text);
  }
}

static void expect_human(const char *arguments, const char *text)
{
  spw(arguments);
  cr_assert(strstr(read_text("out"), text), "no\n%s in\n%s", text, read_text("out"));
}

Test(cli, neighbourhoods)
{
  expect_human("check bad.spw.json", "bad.spw.json: invalid  csr 2x6, nse 4, int64\n  5.3 ");
  expect_human("check bad.spw.json", "       compressed_indices[2]: 4 - 6 = -2 is below 0\n"
                                     "         crow_indices:  0  6  4\n"
                                     "                              ^\n"
                                     "       fix: ");
  write_text("long.spw.json", csr("[1, 9]", 1, "0, 9", 9, "0, 1, 2, 3, 40, 5, 6, 7, 8"));
  expect_human("check long.spw.json", "         col_indices:  ...  1  2  3  40  5  6  7  ...\n"
                                      "                                      ^\n");
  write_text("wide.spw.json", csr("[1, 9]", 1, "0, 5", 5,
                                  "9223372036854775807, 9223372036854775807, -9223372036854775808, "
                                  "9223372036854775807, 1"));
  spw("check wide.spw.json");
  cr_assert(longest_line(read_text("out")) <= 80 && output_has("out", "-9223372036854775808"));
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
    write_case("case.spw.json", &messages[i]);
    if (strstr(messages[i].message, "[1, 0]: -7"))
      expect_human("check case.spw.json", "         col_indices[1]:  -7  1\n"
                                          "                           ^\n");
    if (strstr(messages[i].message, "column 1 of indices comes after"))
      expect_human("check case.spw.json", "         indices, column 0:  0  2\n"
                                          "         indices, column 1:  0  1\n"
                                          "                                ^\n");
    if (strstr(messages[i].message, "7 is not below size[1]"))
      expect_human("check case.spw.json", "         indices, column 1:  1  7\n"
                                          "                                ^\n");
  }
}

Test(cli, many_dimensions)
{
#define TEN "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
#define BATCH TEN TEN TEN TEN
  static const char json[] = "{\"spw\": 1, \"layout\": \"csr\", \"size\": [" BATCH "1, 2],"
      " \"compressed_indices\": {\"dtype\": \"int64\", \"shape\": [" BATCH "2], \"data\": [0, 1]},"
      " \"plain_indices\": {\"dtype\": \"int64\", \"shape\": [" BATCH "1], \"data\": [2]},"
      " \"values\": {\"dtype\": \"int8\", \"shape\": [" BATCH "1], \"data\": [0]}}";
  write_text("many.spw.json", json);
  expect("check many.spw.json", 1, "out", "         col_indices[...]:  2\n");
  cr_assert(longest_line(read_text("out")) <= 80, "%s", read_text("out"));
  cr_assert(output_has("out", "invalid\n  csr 1 x 1 x 1"), "%s", read_text("out"));
  expect("info many.spw.json", 0, "out", "violates 5.5");
  cr_assert(longest_line(read_text("out")) <= 80, "%s", read_text("out"));
}

/* ---- The other commands ---------------------------------------------------------------------- */

/* Every rule, those of 2:4 matrices behind the others. */
enum { ALL_RULES = SPW_RULE_COUNT + SPW_SEMI_RULE_COUNT };

static const spw_rule_info *some_rule(int i)
{
  return i < SPW_RULE_COUNT ? spw_rule_get((spw_rule)i) : spw_semi_rule_get((spw_semi_rule)(i - SPW_RULE_COUNT));
}

/* Lines that begin with the rule ids in their order; further lines of a rule are indented. */
static int lines_with_id(const char *text)
{
  int lines = 0;
  for (; text && *text; text = strchr(text, '\n'), text += text != NULL) {
    if (*text == ' ') continue;
    const char *id = some_rule(lines++)->id;
    cr_assert(strncmp(text, id, strlen(id)) == 0, "no %s at %s", id, text);
  }
  return lines;
}

Test(cli, help_and_list)
{
  static const char *const helps[] = {"--help", "-h", "check --help", "explain --help",
      "info --help", "list --help", "check -h"};
  for (size_t i = 0; i < sizeof helps / sizeof *helps; i++) {
    expect(helps[i], 0, "out", "Usage: spw");
    cr_assert(longest_line(read_text("out")) <= 80, "%s is wide", helps[i]);
  }
  expect("list formats", 0, "out", "MatrixMarket");
  cr_assert(longest_line(read_text("out")) <= 80);
  expect("list rules", 0, "out", "5.3  structure  compressed");
  cr_assert(lines_with_id(read_text("out")) == ALL_RULES);
  cr_assert(longest_line(read_text("out")) <= 80);
}

Test(cli, lists_rules_as_wide_as_the_terminal)
{
  for (unsigned short width = 50; width <= 300; width += 50) {
    const char *text = on_terminal("\"$SPW_PROGRAM\" list rules", width);
    cr_assert(longest_line(text) <= width, "%s", text);
    cr_assert(lines_with_id(text) == ALL_RULES, "%s", text);
  }
}

/* The names of the commands, as the general help lists them; null ends them. */
static void list_commands(char names[][32], int capacity)
{
  expect("help", 0, "out", "\nCommands:\n");
  int count = 0;
  const char *line = strstr(read_text("out"), "\nCommands:\n") + strlen("\nCommands:\n");
  for (; *line == ' '; line = strchr(line, '\n') + 1) {
    cr_assert(count < capacity - 1 && sscanf(line, "  %31s", names[count]) == 1);
    count++;
  }
  names[count][0] = 0;
  cr_assert(count >= 6, "%d commands", count);
}

/* Every help is of one form, which other programs may read: these sections in this order, and below
 * each title only lines that are indented. */
static void expect_form(const char *name, const char *text)
{
  static const char *const titles[] = {"\nOptions:\n", "\nExit status:\n", "\nExamples:\n"};
  const char *at = text;
  cr_assert(strncmp(text, "Usage: spw ", 11) == 0, "%s", text);
  for (int i = 0; i < 3; i++) {
    at = strstr(at, titles[i]);
    cr_assert(at != NULL && !strstr(at + 1, titles[i]), "%s: no%s once", name, titles[i]);
    at += strlen(titles[i]);
    cr_assert(*at == ' ', "%s: nothing in%s", name, titles[i]);
    while (*at == ' ') at = strchr(at, '\n') + 1;
    cr_assert(*at == '\n' || !*at, "%s: not indented: %s", name, at);
    if (*at) at--;
  }
  cr_assert(!*at, "%s: more than examples: %s", name, at);
  cr_assert(longest_line(text) < 80 && !strstr(text, " \n"), "%s", text);
}

Test(cli, every_command_has_help_of_one_form)
{
  char names[32][32], arguments[1100], first[8192];
  list_commands(names, 32);
  expect_form("spw", strstr(read_text("out"), "Usage: "));
  for (int i = 0; names[i][0]; i++) {
    snprintf(arguments, sizeof arguments, "help %s", names[i]);
    expect(arguments, 0, "out", "-h, --help ");
    snprintf(first, sizeof first, "%s", read_text("out"));
    expect_form(names[i], first);
    for (int brief = 0; brief < 2; brief++) {
      snprintf(arguments, sizeof arguments, "%s %s", names[i], brief ? "-h" : "--help");
      expect(arguments, 0, "out", "");
      cr_assert_str_eq(read_text("out"), first, "%s", names[i]);
    }
  }
}

Test(cli, words_that_are_no_command)
{
  expect("chec", 2, "err", "spw: unknown command chec; did you mean check?\nTry 'spw --help'.\n");
  expect("conf", 2, "err", "did you mean conform?");
  expect("help lsit", 2, "err", "did you mean list?");
  expect("help nothing_of_the_kind", 2, "err", "the commands are cast, check, completion, conform, convert");
  expect("help check info", 2, "err", "one command at a time");
  expect("help --bogus", 2, "err", "unknown option --bogus");
  expect("'' x", 2, "err", "unknown command ; the commands are cast, check");
  expect("\"$(printf '\\033[2J')\"", 2, "err", "unknown command \\x1b[2J; ");
  expect("check - good.spw.json -", 2, "err", "standard input, -, is named twice");
  expect("info - -", 2, "err", "standard input, -, is named twice");
}

Test(cli, lists_for_programs)
{
  static const char *const keys[] = {"rule", "phase", "layouts", "formula", "says", "why", "fix",
                                     "pytorch", "scipy", NULL};
  expect("list rules --json", 0, "out", "");
  const char *text = read_text("out");
  for (int i = 0; i < ALL_RULES; i++) {
    json_error_t error;
    json_t *line = json_loads(text, JSON_DISABLE_EOF_CHECK, &error);
    cr_assert(line != NULL, "%s", error.text);
    const spw_rule_info *rule = some_rule(i);
    static const char *const phases[] = {"", "shape", "structure", "canonical"};
    expect_keys(line, keys);
    cr_assert_str_eq(text_of(line, "rule"), rule->id);
    cr_assert_str_eq(text_of(line, "phase"), phases[rule->phase]);
    cr_assert_str_eq(text_of(line, "formula"), rule->formula);
    unsigned layouts = 0;
    size_t k;
    json_t *name;
    json_array_foreach(json_object_get(line, "layouts"), k, name)
      if (i < SPW_RULE_COUNT)
        layouts |= 1u << spw_layout_from_name(json_string_value(name));
      else
        cr_assert_str_eq(json_string_value(name), "semi");
    cr_assert(k == 1 || layouts != 0, "%s", rule->id);
    cr_assert(layouts == rule->layouts, "%s", rule->id);
    json_decref(line);
    text = strchr(text, '\n') + 1;
  }
  cr_assert(!*text, "more than the rules: %s", text);
  expect("list --json formats", 0, "out", "\"name\": \".mtx.gz\"");
}

Test(cli, explain)
{
  for (int i = 0; i < ALL_RULES; i++) {
    const spw_rule_info *rule = some_rule(i);
    char arguments[64], title[64];
    snprintf(arguments, sizeof arguments, "explain %s", rule->id);
    snprintf(title, sizeof title, "Rule %s ", rule->id);
    expect(arguments, 0, "out", title);
    const char *text = read_text("out");
    cr_assert(longest_line(text) <= 80, "%s", text);
    cr_assert(strstr(text, "\nSays ") && strstr(text, "\nWhy ") && strstr(text, "\nFix "), "%s",
        text);
    cr_assert(!strstr(text, "\nSciPy ") == !rule->scipy[0] && !strstr(text,
        "\nPyTorch ") == !rule->torch[0]);
  }
  expect("explain SPW-5.3 6.7", 0, "out", "Rule 6.7 ");
}

Test(cli, info_of_dense_arrays)
{
  static const char *const nothing[] = {"nse", "block_size", "index_dtype", "density", "error"};
  write_dense("a.npy");
  expect("info a.npy", 0, "out", "a.npy\n  layout       dense\n  size         2x3\n"
         "  values       float32, shape (2, 3), strides (3, 1), offset 0, storage 6\n"
         "  storage      24 bytes\n  bytes        24\n  valid        yes\n");
  cr_assert(!output_has("out", "\n  nse"));
  cr_assert(spw("info --json a.npy") == 0);
  json_t *line = json_loads(read_text("out"), JSON_DISABLE_EOF_CHECK, NULL);
  cr_assert_str_eq(text_of(line, "layout"), "dense");
  cr_assert_str_eq(text_of(line, "dtype"), "float32");
  cr_assert(json_array_size(json_object_get(line, "size")) == 2);
  cr_assert(json_object_size(json_object_get(line, "members")) == 1);
  cr_assert(json_integer_value(json_object_get(line, "storage_bytes")) == 24);
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
    cr_assert(json_is_null(json_object_get(line, nothing[i])), "%s", nothing[i]);
  json_decref(line);
  write_text("odd.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\",\"shape\":[-1,"
                             "9223372036854775807],\"strides\":[-1,2],\"offset\":-9,\"data\":[7]}}");
  expect("info odd.spw.json", 0, "out", "size         -1x9223372036854775807\n");
  cr_assert(output_has("out", "valid        no, violates 3.12, 3.14\n"), "%s", read_text("out"));
  expect("info --json odd.spw.json", 0, "out", "\"storage_bytes\": 1,");
  cr_assert(output_has("out", "\"valid\": false"), "%s", read_text("out"));
  write_text("cut.npy", "\x93NUMPY\1");
  expect("info cut.npy", 3, "err", "cut.npy: malformed: too short for a .npy file");
}

/* An array that nothing can hold, of an invalid tensor. */
#define SIX(number) number "," number "," number "," number "," number "," number

Test(cli, density_that_is_no_number)
{
  write_text("large.spw.json", "{\"spw\":1,\"layout\":\"coo\",\"size\":[2],\"indices\":{\"dtype\":\"int64\",\"shape\":[1,1],"
             "\"data\":[0]},\"values\":{\"dtype\":\"float64\",\"shape\":[1," SIX(SIX("9000000000000000000")) "],\"strides\":"
             "[0," SIX(SIX("0")) "],\"data\":[1]}}\n");
  spw("info --json large.spw.json");
  cr_assert(output_has("out", "\"density\": null"), "%s", read_text("out"));
  spw("info large.spw.json");
  cr_assert(output_has("out", "density      unknown"), "%s", read_text("out"));
}

Test(cli, info)
{
  expect("info lines.spw.jsonl", 3, "out",
      "lines.spw.jsonl:5\n  layout       csr\n  size         2x4 (inferred)\n");
  cr_assert(output_has("out", "density      50 %"), "%s", read_text("out"));
  cr_assert(output_has("out", "storage      72 bytes") && output_has("out",
      "valid        no, violates 5.3"));
  write_text("blocks.spw.json", "{\"spw\": 1, \"layout\": \"bsr\", \"size\": [4, 6], "
                                "\"compressed_indices\": {\"dtype\": \"int64\","
                                " \"shape\": [3], \"data\": [0, 1, 1]}, \"plain_indices\": "
                                "{\"dtype\": \"int64\", \"shape\": [1],"
                                " \"data\": [1]}, \"values\": {\"dtype\": \"int8\", \"shape\": [1, "
                                "2, 3], \"fill\": 1, \"length\": 6}}");
  expect("info blocks.spw.json", 0, "out", "density      25 %");
  cr_assert(output_has("out", "bytes        38, 1.583 times the dense array's 24"), "%s", read_text("out"));
  expect("info --json blocks.spw.json", 0, "out",
         "\"bytes\": {\"indices\": 32, \"values\": 6, \"total\": 38, \"dense\": 24}");
  expect("info --json good.spw.json", 0, "out", "\"storage_bytes\": 72");
  json_t *line = json_loads(read_text("out"), 0, NULL);
  cr_assert(line && json_is_true(json_object_get(line, "valid")));
  json_t *member = json_object_get(json_object_get(line, "members"), "compressed_indices");
  cr_assert(json_integer_value(json_object_get(member, "length")) == 3);
  json_decref(line);
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
    write_case("case.spw.json", &messages[i]);
    expect("info case.spw.json", 0, "out", "no, violates ");
    expect("info --json case.spw.json", 0, "out", "\"valid\": false");
    line = json_loads(read_text("out"), 0, NULL);
    cr_assert(line, "%s", read_text("out"));
    json_decref(line);
  }
}
