/* SPDX-License-Identifier: Apache-2.0 */
/* The help of spw and of its commands. Lines end before column 80. */
#include "cli.h"

#include <string.h>

static const char *const general =
    "Usage: spw COMMAND [OPTION...] [ARGUMENT...]\n"
    "\n"
    "Checks sparse tensors (COO, CSR, CSC, BSR, BSC) in files against numbered rules.\n"
    "\n"
    "Commands:\n"
    "  check FILE...          say whether the tensors are valid, and if not, why\n"
    "  conform --adapter CMD  run the conformance suite against another library\n"
    "  explain RULE...        what a rule says, why, and how to mend a violation\n"
    "  info FILE...           layout, size, types and storage of the tensors\n"
    "  list rules|formats     the rules; the file formats\n"
    "\n"
    "  spw --version          print the version\n"
    "  spw --help             print this help\n"
    "  spw COMMAND --help     print the help of a command\n"
    "\n"
    "Example:\n"
    "  spw check matrix.npz tensors.spw.jsonl\n";

static const char *const check =
    "Usage: spw check [OPTION...] FILE...\n"
    "\n"
    "Says whether each tensor is valid, and if not, which rules it violates and\n"
    "where. FILE is .npz, .mtx, .mtx.gz, .spw.json or .spw.jsonl (one tensor a\n"
    "line), or - for standard input; contents decide before names.\n"
    "\n"
    "What to check:\n"
    "  -r, --recursive        check the files of known name below directories\n"
    "      --level=LEVEL      shape, structure or canonical (default: canonical);\n"
    "                         each level includes those before it\n"
    "      --max-work=N       steps that the tensors of a file may take, about one an\n"
    "                         index (default: 2^28, or 16 for each byte of the file\n"
    "                         where that is more)\n"
    "      --max-bytes=N      bytes that a file may have (default: 16 GiB, 1 GiB from\n"
    "                         a pipe or device, and no more than there is memory)\n"
    "      --all              report every violated rule (default)\n"
    "      --first            report only the first violated rule\n"
    "\n"
    "What to print:\n"
    "      --json             one line of JSON for each tensor\n"
    "      --sarif=FILE       also write a SARIF 2.1.0 log; - writes it to standard\n"
    "                         output, in place of the verdicts\n"
    "      --junit=FILE       also write a JUnit XML report; - likewise\n"
    "  -q, --quiet            print nothing for valid tensors, and no summary\n"
    "      --color=WHEN       always, never or auto (default: auto, which means on a\n"
    "                         terminal unless NO_COLOR is set)\n"
    "  -h, --help             print this help\n"
    "\n"
    "Exit status:\n"
    "  0  every tensor is valid\n"
    "  1  some tensor is invalid\n"
    "  2  the command line is wrong\n"
    "  3  some file is unreadable, malformed or too much work; wins over 1\n"
    "  70 internal error, or the output cannot be written\n";

static const char *const explain =
    "Usage: spw explain [OPTION...] RULE...\n"
    "\n"
    "Prints what a rule says, what goes wrong without it, how to mend a violation,\n"
    "and what PyTorch and SciPy say about one. RULE is an id such as 5.3; `spw list\n"
    "rules` prints them all.\n"
    "\n"
    "      --color=WHEN       always, never or auto (default: auto)\n"
    "  -h, --help             print this help\n"
    "\n"
    "Exit status: 0, or 2 when there is no such rule.\n";

static const char *const info =
    "Usage: spw info [OPTION...] FILE...\n"
    "\n"
    "Describes each tensor: layout, size, number of specified elements, types,\n"
    "members and storage, and whether it is valid.\n"
    "\n"
    "  -r, --recursive        look at the files of known name below directories\n"
    "      --json             one line of JSON for each tensor\n"
    "      --max-work=N, --max-bytes=N\n"
    "                         limits, as those of check\n"
    "  -h, --help             print this help\n"
    "\n"
    "Exit status: 0, 2 when the command line is wrong, 3 when some file cannot be\n"
    "read. An invalid tensor can be described; `spw check` is the judge.\n";

static const char *const list =
    "Usage: spw list rules|formats\n"
    "\n"
    "rules: id, phase, layouts and formula of each rule, a line each.\n"
    "formats: the file formats, and how they are recognised.\n"
    "\n"
    "  -h, --help             print this help\n";

int print_help(const char *command)
{
  const struct { const char *command, *text; } texts[] = {
      {"check", check}, {"explain", explain}, {"info", info}, {"list", list}};
  const char *text = general;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(command, texts[i].command) == 0) text = texts[i].text;
  fputs(text, stdout);
  return finish_output(EXIT_VALID);
}
