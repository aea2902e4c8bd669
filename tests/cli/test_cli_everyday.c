/* SPDX-License-Identifier: Apache-2.0 */
/* The command spw as people type it, in the terminal and in the jobs of a CI service. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(cli_everyday, .init = enter_directory, .fini = leave_directory);

/* How often a text is there. */
static int count_of(const char *text, const char *what)
{
  int count = 0;
  for (const char *at = text; (at = strstr(at, what)); at++) count++;
  return count;
}

/* ---- Files that nobody looks at -------------------------------------------------------------- */

Test(cli_everyday, skipped_files_are_named)
{
  cr_assert(system("mkdir -p d/e d/.git && cp good.spw.json d/ && cp good.spw.json d/x.npy && "
                   "touch d/a.h5ad d/e/README d/.hidden "
                   "d/.git/objects") == 0);
  expect("check -r d", 3, "err", "spw check: d/a.h5ad: skipped: its name is of no format that is read\n"
                                 "spw check: d/e/README: skipped: its name is of no format that is read\n"
                                 "spw check: --skip-unknown passes over such files\n");
  cr_assert(count_of(read_text("err"), "\n") == 3, "hidden files are counted: %s", read_text("err"));
  expect("check -r d good.spw.json", 3, "out", "2 files: 2 valid, 2 skipped\n");
  expect("check -r --skip-unknown d", 0, "out", "d/good.spw.json: valid");
  cr_assert(!read_text("err")[0], "%s", read_text("err"));
  expect("check --json -rq d", 3, "err", "d/a.h5ad: skipped");
  expect("check d/good.spw.json", 0, "err", "");
}

/* ---- Reports --------------------------------------------------------------------------------- */

/* As is typed for "check these two". */
Test(cli_everyday, a_report_overwrites_no_tensor)
{
  static const char mtx[] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n";
  static const char torn[] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n";
  write_text("a.mtx", mtx);
  write_text("torn.mtx", torn);
  cr_assert(symlink("a.mtx", "link.sarif") == 0);
  static const char *const refused[] = {"--sarif a.mtx good.spw.json", "--junit a.mtx good.spw.json",
                                        "--sarif=link.sarif good.spw.json", "--junit=torn.mtx good.spw.json",
                                        "--sarif=bad.spw.json good.spw.json", "--sarif=lines.spw.jsonl good.spw.json"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "check %s", refused[i]);
    expect_refused(arguments, 2, "would overwrite a tensor with a report");
  }
  cr_assert(strcmp(read_text("a.mtx"), mtx) == 0);
  cr_assert(strcmp(read_text("torn.mtx"), torn) == 0);
  expect("check --sarif=s --junit=j good.spw.json", 0, "err", "");
  expect("check --sarif=s --junit=j good.spw.json", 0, "err", ""); /* over old reports */
  expect("check --sarif=other.txt good.spw.json", 0, "err", "");
  cr_assert(output_has("other.txt", "2.1.0"));
}

/* ---- Names that are commands to a CI service ------------------------------------------------- */

Test(cli_everyday, no_line_begins_with_a_command)
{
  cr_assert(system("cp good.spw.json ::stop-commands::x; cp bad.spw.json '##[error]y'; cp good.spw.json 'a ::group::z'") == 0);
  expect("check ::stop-commands::x '##[error]y' 'a ::group::z' ::none", 3, "out", "\\x3a:stop-commands::x: valid");
  const char *out = read_text("out");
  cr_assert(!strstr(out, "\n::") && strncmp(out, "::", 2) != 0, "%s", out);
  cr_assert(strstr(out, "\\x23#[error]y: invalid") && !strstr(out, "##["), "%s", out);
  cr_assert(strstr(out, "\na \\x3a:group::z: valid") && strstr(out, "\n\\x3a:none: unreadable"), "%s", out);
  expect("info ::stop-commands::x", 0, "out", "\\x3a:stop-commands::x");
  expect("diff ::stop-commands::x lines.spw.jsonl", 3, "err", "");
  expect("convert ::none -", 3, "err", "\\x3a:none");
  expect("check good.spw.json a::b", 3, "out", "\na::b: unreadable");
}

/* ---- Terminals ------------------------------------------------------------------------------- */

Test(cli_everyday, a_long_listing_ends_with_what_is_wrong)
{
  cr_assert(system("mkdir d && for i in $(seq 10 39); do cp good.spw.json d/$i.spw.json; done; cp bad.spw.json d/17.spw.json; "
                   "cp torn.spw.json d/31.spw.json") == 0);
  static const char expected[] = "not valid: d/17.spw.json, d/31.spw.json (-q prints only these)";
  const char *text = on_terminal("\"$SPW_PROGRAM\" check -r d", 120);
  cr_assert(strstr(text, expected) > strstr(text, "30 files: 28 valid"), "%s", text);
  text = on_terminal("\"$SPW_PROGRAM\" check d/17.spw.json d/18.spw.json", 120);
  cr_assert(!strstr(text, "not valid"), "a short listing: %s", text);
  text = on_terminal("\"$SPW_PROGRAM\" check -r -q d", 120);
  cr_assert(!strstr(text, "not valid"), "%s", text);
  expect("check -r d", 3, "out", "30 files: 28 valid, 1 invalid, 1 malformed\n");
  cr_assert(!output_has("out", "not valid"));
  cr_assert(system("for i in $(seq 40 70); do cp bad.spw.json d/$i.spw.json; done") == 0);
  text = on_terminal("\"$SPW_PROGRAM\" check -r d", 120);
  cr_assert(strstr(text, " and 13 more (-q prints"), "%s", text);
}

Test(cli_everyday, what_takes_long_is_named)
{
  const char *text = on_terminal("(sleep 3.5; cat good.spw.json) | \"$SPW_PROGRAM\" check - bad.spw.json", 80);
  cr_assert(strstr(text, "\r\033[K-, 2 s"), "%s", text);
  cr_assert(strstr(text, "-, 3 s\r\033[K"), "it is not cleared: %s", text);
  cr_assert(!strstr(text, "-, 1 s"), "%s", text);
  text = on_terminal("\"$SPW_PROGRAM\" check good.spw.json", 80);
  cr_assert(!strstr(text, "\033[K"), "%s", text);
  cr_assert(system("(sleep 2.5; cat good.spw.json) | \"$SPW_PROGRAM\" check - >out 2>err") == 0);
  cr_assert(!read_text("err")[0], "no terminal: %s", read_text("err"));
}

/* ---- Twice the same --------------------------------------------------------------------------- */

Test(cli_everyday, diff_of_a_file_and_itself_reports_once)
{
  expect("diff bad.spw.json bad.spw.json", 2, "err", "5.3");
  cr_assert(count_of(read_text("err"), "bad.spw.json: invalid") == 1, "%s", read_text("err"));
  cr_assert(system("cp bad.spw.json worse.spw.json") == 0);
  expect("diff bad.spw.json worse.spw.json", 2, "err", "worse.spw.json: invalid");
  cr_assert(output_has("err", "bad.spw.json: invalid"));
}
