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
                   "touch d/a.zarr d/e/README d/.hidden d/.git/objects") == 0);
  expect("check -r d", 3, "err", "spw check: d/a.zarr: skipped: its name is of no format that is read\n"
                                 "spw check: d/e/README: skipped: its name is of no format that is read\n"
                                 "spw check: --skip-unknown passes over such files\n"
                                 "spw check: -r leaves out .npy files, which hold dense arrays: 1; name them to check them\n");
  cr_assert(count_of(read_text("err"), "\n") == 4, "hidden files are counted: %s", read_text("err"));
  expect("check -r d good.spw.json", 3, "out", "2 files: 2 valid, 2 skipped\n");
  expect("check -r --skip-unknown d", 0, "out", "d/good.spw.json: valid");
  cr_assert(!read_text("err")[0], "%s", read_text("err"));
  expect("check --json -rq d", 3, "err", "d/a.zarr: skipped");
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

/* ---- Options --------------------------------------------------------------------------------- */

Test(cli_everyday, unknown_options_are_named_with_a_guess)
{
  static const char *const lines[][2] = {
      {"check --jsn good.spw.json", "spw check: unknown option --jsn; did you mean --json?\n"},
      {"convert --index-dtype=int32 good.spw.json -", "spw convert: unknown option --index-dtype; did you mean --index?\n"},
      {"check --max=3 good.spw.json", "spw check: option --max is ambiguous: --max-dense-bytes, --max-work, --max-bytes\n"},
      {"check --xyzzy good.spw.json", "spw check: unknown option --xyzzy\n"},
      {"check --xyzzy=1 good.spw.json", "spw check: unknown option --xyzzy\n"},
      {"conform --adaptor x", "spw conform: unknown option --adaptor; did you mean --adapter?\n"},
      {"conform --adapter=x --time-out 3", "spw conform: unknown option --time-out; did you mean --timeout?\n"},
      {"conform --quux", "spw conform: unknown option --quux\n"},
      {"conform foo", "spw conform: foo is not one of check-adapter, cases, export, site or verify-findings\n"},
      {"conform exprot", "did you mean export?"},
      {"conform check-adapter python3 a.py", "put it in quotes: check-adapter 'python3 a.py'\n"},
      {"--versoin", "spw: unknown option --versoin; did you mean --version?\n"},
      {"--help=x", "option --help=x takes no argument"},
      {"list rule", "spw list: rule is not one of rules, semantics or formats; did you mean rules?\n"},
      {"elementwise ad a b", "ad is not one of add, subtract, multiply, scale or divide; did you mean add?\n"},
      {"reduce total a", "total is not one of sum, mean, amax, amin, mean_dense, max, min, any, all, norm0, norm1, "
       "norm2, norm_inf, argmax, argmin, is_nonzero or nonzero\n"},
      {"restructure transposed a", "did you mean transpose?\n"},
      {"completion fish", "fish is not one of bash or zsh\n"},
      {"completion", "bash or zsh"}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) expect_refused(lines[i][0], 2, lines[i][1]);
}

Test(cli_everyday, before_the_command)
{
  expect("-V", 0, "out", "spw ");
  expect("version", 0, "out", "spw ");
  expect("version --help", 0, "out", "Usage: spw version");
  expect_refused("version 3", 2, "no operand is needed: 3");
  expect("--color=always check good.spw.json", 0, "out", "\033[32mvalid");
  expect("--color always explain 5.3", 0, "out", "\033[1mRule 5.3");
  expect("--color=always check --color=never good.spw.json", 0, "out", ": valid");
  expect("--color=always convert bad.spw.json -", 1, "err", "\033[1;31minvalid");
  expect_refused("--color=blue check good.spw.json", 2, "--color is always, never or auto, not blue");
  expect_refused("--color=always", 2, "a command is needed");
  expect("check --level=shape bad.spw.json", 0, "out", "valid"); /* behind a command its options are its own */
}

Test(cli_everyday, help_behind_anything)
{
  static const char *const lines[] = {"check", "check good.spw.json", "completion", "completion bash", "conform",
                                      "conform check-adapter", "conform export", "conform --adapter=x", "convert a b", "diff",
                                      "elementwise add", "explain 5.3", "help", "info", "list rules", "multiply a b",
                                      "reduce sum", "restructure cat", "version"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char arguments[128], usage[64];
    snprintf(usage, sizeof usage, "Usage: spw %.*s", (int)strcspn(lines[i], " "), lines[i]);
    snprintf(arguments, sizeof arguments, "%s --help", lines[i]);
    expect(arguments, 0, "out", usage);
    snprintf(arguments, sizeof arguments, "%s -h", lines[i]);
    expect(arguments, 0, "out", usage);
  }
}

/* ---- Where results go ------------------------------------------------------------------------ */

Test(cli_everyday, results_go_to_an_option_or_an_operand)
{
  static const char *const made[] = {
      "convert -o out.spw.json good.spw.json",
      "convert --to=coo good.spw.json -o out.spw.json",
      "multiply good.spw.json x.spw.json out.spw.json",
      "multiply -o out.spw.json good.spw.json x.spw.json",
      "elementwise add good.spw.json good.spw.json out.spw.json",
      "elementwise scale --scalar=2 good.spw.json out.spw.json",
      "reduce sum good.spw.json x.spw.json out.spw.json",
      "reduce sum -o out.spw.json good.spw.json",
      "restructure transpose good.spw.json out.spw.json",
      "restructure sparse_mask good.spw.json good.spw.json out.spw.json",
      "restructure cat --dim=0 -o out.spw.json good.spw.json good.spw.json"};
  write_text("x.spw.json", "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float32\",\"shape\":[6,1],"
             "\"data\":[1,2,3,4,5,6]}}");
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    expect(made[i], 0, "err", "");
    cr_assert(!read_text("out")[0] && !read_text("err")[0], "%s: %s", made[i], read_text("err"));
    cr_assert(remove("out.spw.json") == 0, "%s", made[i]);
  }
  expect("multiply good.spw.json x.spw.json -", 0, "out", "\"layout\":\"dense\"");
}

/* An operand too many may have been meant to be read. */
Test(cli_everyday, an_operand_is_not_overwritten)
{
  write_text("x.spw.json", "{}");
  static const char *const refused[] = {"multiply good.spw.json bad.spw.json x.spw.json",
                                        "elementwise add good.spw.json good.spw.json x.spw.json",
                                        "elementwise divide --scalar=2 good.spw.json x.spw.json",
                                        "reduce sum good.spw.json good.spw.json x.spw.json",
                                        "restructure transpose good.spw.json x.spw.json"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    expect_refused(refused[i], 2, "x.spw.json is one operand too many, and exists; -o x.spw.json writes the result over it");
  expect_refused("multiply -o y.spw.json good.spw.json bad.spw.json z.spw.json", 2, "the result goes to y.spw.json");
  expect_refused("multiply --judge=x.spw.json good.spw.json bad.spw.json z.spw.json", 2, "two files are needed");
  expect_refused("reduce sum good.spw.json none.npy", 2, "there is no none.npy to multiply by; -o none.npy writes");
  expect_refused("convert -o y.spw.json good.spw.json x.spw.json", 2, "with -o one file is needed");
  cr_assert(strcmp(read_text("x.spw.json"), "{}") == 0 && access("y.spw.json", F_OK) != 0);
}

/* ---- explain --------------------------------------------------------------------------------- */

Test(cli_everyday, explain_searches)
{
  expect("explain unsorted", 0, "out", "No rule or operation is called unsorted. These speak of it; `spw");
  cr_assert(output_has("out", "\n  5.6   plain[k-1] < plain[k]"), "%s", read_text("out"));
  expect("explain HEAP", 0, "out", "speak of it");
  expect("explain 'sorted lexicographically'", 0, "out", "speak of it");
  expect("explain 5.3 unsorted", 0, "out", "Rule 5.3");
  expect_refused("explain xyzzy", 2, "there is no rule or operation xyzzy");
  expect_refused("explain 5.9", 2, "near it");
  expect_refused("explain coalesse", 2, "near it: coalesce");
}

/* ---- Completion ------------------------------------------------------------------------------ */

/* What bash offers for words of which the last is being typed. */
static void completes(const char *words, const char *offers)
{
  char command[1024];
  snprintf(command, sizeof command,
           "bash -c 'set -eu; eval \"$(\"$SPW_PROGRAM\" completion bash)\"; set +eu; COMP_WORDS=(%s); "
           "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _spw; echo \"${COMPREPLY[*]}\"' >out 2>err", words);
  cr_assert(system(command) == 0, "%s", read_text("err"));
  cr_assert(strcmp(read_text("out"), offers) == 0, "%s: %s", words, read_text("out"));
}

Test(cli_everyday, bash_completes)
{
  completes("spw ch", "check\n");
  completes("spw con", "conform convert\n");
  completes("spw --v", "--version\n");
  completes("spw check --j", "--json --junit=\n");
  completes("spw --color=never check --sk", "--skip-unknown\n");
  completes("spw multiply --ou", "--output=\n");
  completes("spw reduce \\\"\\\"", "sum mean amax amin mean_dense max min any all norm0 norm1 norm2 norm_inf argmax argmin "
            "is_nonzero nonzero\n");
  completes("spw reduce sum a", "\n");
  completes("spw help ex", "explain\n");
  completes("spw conform --adapt", "--adapter=\n");
  completes("spw list se", "semantics\n");
  completes("spw check good", "\n"); /* and so names of files */
  completes("spw convert --to = c", "coo csr csc\n"); /* as bash divides --to=c */
  completes("spw convert --to =", "coo csr csc bsr bsc dense\n");
  completes("spw convert --duplicates f", "first\n");
  completes("spw --color = n", "never\n");
  completes("spw --color = never ch", "check\n");
  completes("spw reduce --each = c", "column\n");
  completes("spw restructure --index = i", "\n"); /* a number there, and a type of convert */
  completes("spw multiply --precision = tf", "tf32\n");
  completes("spw nothing --j", "\n");
  cr_assert(system("bash -c 'eval \"$(\"$SPW_PROGRAM\" completion bash)\"; complete -p spw' >out") == 0);
  cr_assert(output_has("out", "-o default -F _spw spw"));
}

/* What is completed is taken. */
Test(cli_everyday, completed_values_are_known)
{
  static const char *const taken[][2] = {{"convert --to=%s", "coo csr csc dense"}, {"convert --index=%s", "int32 int64"},
                                         {"convert --duplicates=%s", "sum first last error"},
                                         {"check --level=%s", "shape structure canonical"},
                                         {"check --color=%s", "always never auto"},
                                         {"reduce sum --each=%s", "row column matrix"}};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    char values[64], arguments[160], *rest = values;
    snprintf(values, sizeof values, "%s", taken[i][1]);
    for (char *value; (value = strtok(rest, " ")); rest = NULL) {
      const int length = snprintf(arguments, sizeof arguments, taken[i][0], value);
      snprintf(arguments + length, sizeof arguments - (size_t)length, " good.spw.json%s", i < 3 ? " -" : "");
      cr_expect(spw(arguments) == 0, "%s: %s", arguments, read_text("err"));
    }
  }
}

/* zsh need not be there: what it reads names every command and option, and is at least a script of a shell. */
Test(cli_everyday, zsh_completes)
{
  expect("completion zsh", 0, "out", "#compdef spw\n");
  cr_assert(output_has("out", "'--skip-unknown[with -r, say nothing of files"));
  cr_assert(output_has("out", "'1:word:(sum mean amax amin mean_dense max min any all norm0 norm1 norm2 norm_inf argmax argmin "
                            "is_nonzero nonzero )'"));
  cr_assert(output_has("out", ":LAYOUT:(coo csr csc bsr bsc dense)'"));
  cr_assert(output_has("out", "(-o --output)'{-o,--output=}'[") && output_has("out", "'check:say whether tensors are valid"));
  cr_assert(system("\"$SPW_PROGRAM\" completion zsh >_spw && bash -n _spw") == 0);
  cr_assert(system("! command -v zsh >/dev/null || zsh -n _spw") == 0);
}
